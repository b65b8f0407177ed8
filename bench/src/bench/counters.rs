//! The bench `counters`: what we say against what the kernel counts and what fio says.

use anyhow::Result;
use lab::LoopDevice;

use super::harness::{
    Bench, BenchContext, Bound, Figure, PairedSamples, Section, round_override, run_fio,
    run_in_turns, run_one_cell,
};

const DEVICE_BYTES: u64 = 512 << 20;
const COUNTED_DEPTHS: [u32; 2] = [1, 32];
const COUNTED_RUNS: usize = 5;
const TIMED_DEPTHS: [u32; 2] = [1, 16];
const FIGURES: [Figure; 3] = [
    ("p50", |reading| reading.p50_ns),
    ("p99", |reading| reading.p99_ns),
    ("mean", |reading| reading.mean_ns),
];

pub(super) const BENCH: Bench = Bench {
    name: "counters",
    heading: "What is counted and timed",
    method: "Random 4 KiB `O_DIRECT` reads of an otherwise idle 512 MiB loop device over a file of \
             random data, 2 s each: operations that our engine asked for against the reads in \
             `/sys/block/X/stat`, and our latencies against fio's io_uring (submission and \
             completion), the sides taking turns.",
    columns: "figure | depth | ours | other | ratio of medians (of single rounds) | n",
    tools: &["fio", "losetup"],
    rounds: 15,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    let device = LoopDevice::new(DEVICE_BYTES)?;
    let path = device.path();
    for depth in COUNTED_DEPTHS {
        let mut counted = PairedSamples { a: Vec::new(), b: Vec::new() };
        for round in 0..round_override()?.unwrap_or(COUNTED_RUNS) {
            let before = device.read_stat()?;
            let reading = run_one_cell(&one_cell, path, depth, round, &[])?;
            counted.a.push(reading.operations);
            counted.b.push(device.read_stat()?.since(before).read_ios as f64);
        }
        section.add_pairs(&["operations, other: kernel", &depth.to_string()], &counted, 0);
        let what = format!("operations at depth {depth}, asked / counted, worst run");
        section.require(what, Bound::Within(0.999, 1.001), farthest_ratio(&counted));
    }
    for depth in TIMED_DEPTHS {
        let all = run_in_turns(context.rounds, 2, |side, round| match side {
            0 => run_one_cell(&one_cell, path, depth, round, &[]),
            _ => run_fio("io_uring", path, depth, round, &[]),
        })?;
        for (name, figure) in FIGURES {
            let pairs = PairedSamples::from_readings(&all[0], &all[1], figure);
            let labels = [&*format!("{name} latency, ns, other: fio"), &depth.to_string()];
            let what = format!("{name} latency at depth {depth}, ours / fio");
            section.compare(&labels, &pairs, 0, what, Bound::Within(0.95, 1.05));
        }
    }
    Ok(())
}

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
