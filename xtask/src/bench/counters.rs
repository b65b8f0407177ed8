//! The bench `counters`: what we say against what the kernel counts and what fio says.

use anyhow::Result;
use lab::LoopDevice;

use super::programs::{self, Figure, Reading};
use super::section::{Bound, Section};
use super::{BenchContext, PairedSamples, Side, run_in_turns};

const DEVICE_BYTES: u64 = 512 << 20;
const COUNTED_DEPTHS: [u32; 2] = [1, 32];
const COUNTED_RUNS: usize = 5;
const TIMED_DEPTHS: [u32; 2] = [1, 16];
const TIMED_PAIRS: usize = 15;

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["fio", "losetup"])?;
    let (runs, pairs) = (programs::round_count(COUNTED_RUNS)?, programs::round_count(TIMED_PAIRS)?);
    let one_cell = programs::build_one_cell(setting.root)?;
    let device = LoopDevice::new(DEVICE_BYTES)?;
    let mut section = Section::new(
        "What is counted and timed",
        format!(
            "Random 4 KiB `O_DIRECT` reads of an otherwise idle 512 MiB loop device over a file \
             of random data, {} s each: operations that our engine asked for against the reads \
             in `/sys/block/X/stat`, and our latencies against fio's io_uring (submission and \
             completion), the sides taking turns.",
            programs::SECONDS
        ),
        &["figure", "depth", "ours", "other", "ratio of medians (of single rounds)", "n"],
    );
    for depth in COUNTED_DEPTHS {
        let mut counted = PairedSamples { a: Vec::new(), b: Vec::new() };
        for round in 0..runs {
            let before = device.read_stat()?;
            let reading = programs::run_one_cell(&one_cell, device.path(), depth, round)?;
            counted.a.push(reading.operations);
            counted.b.push(device.read_stat()?.since(before).read_ios as f64);
        }
        add_row(&mut section, "operations, other: kernel", depth, &counted);
        let what = format!("operations at depth {depth}, asked / counted, worst run");
        section.require(what, Bound::Within(0.999, 1.001), farthest_ratio(&counted));
    }
    for depth in TIMED_DEPTHS {
        let path = device.path();
        let mut sides: [Side<'_, Reading>; 2] = [
            Box::new(|round| programs::run_one_cell(&one_cell, path, depth, round)),
            Box::new(|round| programs::run_fio("io_uring", path, depth, round, &[])),
        ];
        let all = run_in_turns(pairs, &mut sides)?;
        let figures: [Figure; 3] = [
            ("p50", |reading| reading.p50_ns),
            ("p99", |reading| reading.p99_ns),
            ("mean", |reading| reading.mean_ns),
        ];
        for (name, figure) in figures {
            let pairs = PairedSamples::from_readings(&all[0], &all[1], figure);
            add_row(&mut section, &format!("{name} latency, ns, other: fio"), depth, &pairs);
            let what = format!("{name} latency at depth {depth}, ours / fio");
            section.require(what, Bound::Within(0.95, 1.05), pairs.ratio().ratio);
        }
    }
    Ok(section.render_markdown())
}

fn add_row(section: &mut Section, name: &str, depth: u32, pairs: &PairedSamples) {
    section.add_row([
        name.to_owned(),
        depth.to_string(),
        format!("{:.0}", pairs.median_a()),
        format!("{:.0}", pairs.median_b()),
        pairs.ratio().to_string(),
        pairs.a.len().to_string(),
    ]);
}

/// The single round's ratio that is farthest from 1.
fn farthest_ratio(pairs: &PairedSamples) -> f64 {
    let ratio = pairs.ratio();
    if (ratio.max - 1.0).abs() > (ratio.min - 1.0).abs() { ratio.max } else { ratio.min }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_round_decides() {
        let pairs = |a: [f64; 2]| PairedSamples { a: a.to_vec(), b: vec![100.0; 2] };
        assert_eq!(farthest_ratio(&pairs([100.0, 101.0])), 1.01);
        assert_eq!(farthest_ratio(&pairs([98.0, 101.0])), 0.98);
        assert_eq!(farthest_ratio(&pairs([100.0, 100.0])), 1.0);
    }
}
