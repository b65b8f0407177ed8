//! The bench `depth`: our random reads against fio's, on a file on the real disk.

use anyhow::Result;

use super::harness::{
    Bench, BenchContext, Bound, Figure, PairedSamples, RatioOfMedians, Reading, Section,
    median_reading, run_fio, run_in_turns, run_one_cell, scratch_file,
};

const FILE_BYTES: u64 = 512 << 20;
const DEPTHS: [u32; 3] = [1, 16, 64];
/// Where processor time is compared: deep enough for batches.
const CPU_DEPTH: u32 = 64;
const FIO_ENGINES: [&str; 2] = ["io_uring", "libaio"];
const FIGURES: [Figure; 4] = [
    ("IOPS", |reading| reading.iops),
    ("mean latency, ns", |reading| reading.mean_ns),
    ("user CPU, ns per operation", |reading| reading.user_ns),
    ("system CPU, ns per operation", |reading| reading.system_ns),
];

pub(super) const BENCH: Bench = Bench {
    name: "depth",
    heading: "Random reads against fio, by depth",
    method: "Random 4 KiB `O_DIRECT` reads of the same 512 MiB file of random data, our engine and \
             fio with two engines taking turns in an order that changes, 2 s each; medians over \
             the rounds, ratios are ours by fio's, in brackets the range of single rounds. The \
             kernel splits processor time between user and system by its ticks.",
    columns: "depth | figure | ours | fio io_uring | by io_uring | fio libaio | by libaio | n",
    tools: &["fio"],
    rounds: 7,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    for depth in DEPTHS {
        let sides =
            run_in_turns(context.rounds, 1 + FIO_ENGINES.len(), |side, round| match side {
                0 => run_one_cell(&one_cell, &file, depth, round, &[]),
                _ => run_fio(FIO_ENGINES[side - 1], &file, depth, round, &[]),
            })?;
        add_results(section, depth, &sides);
    }
    Ok(())
}

fn add_results(section: &mut Section, depth: u32, sides: &[Vec<Reading>]) {
    let [ours, rivals @ ..] = sides else { return };
    for (name, figure) in FIGURES {
        let median = format!("{:.0}", median_reading(ours, figure));
        let mut cells = vec![depth.to_string(), name.to_owned(), median];
        for rival in rivals {
            let pairs = PairedSamples::from_readings(ours, rival, figure);
            cells.extend([format!("{:.0}", pairs.median_b()), format_ratio(&pairs)]);
        }
        cells.push(ours.len().to_string());
        section.add_row(cells);
    }
    // A single operation outstanding leaves nothing to hide the program's own time behind.
    let rate = if depth == 1 { Bound::Above(1.0) } else { Bound::AtLeast(0.99) };
    for (rival, name) in rivals.iter().zip(FIO_ENGINES) {
        let mut require = |what: &str, bound, figure: fn(&Reading) -> f64| {
            let ratio = PairedSamples::from_readings(ours, rival, figure).ratio().ratio;
            section.require(format!("{what} at depth {depth}, ours / fio {name}"), bound, ratio);
        };
        require("IOPS", rate, |reading| reading.iops);
        if depth == CPU_DEPTH && name == "io_uring" {
            require("user CPU per operation", Bound::AtMost(0.6), |reading| reading.user_ns);
            require("system CPU per operation", Bound::AtMost(1.0), |reading| reading.system_ns);
        }
        if depth == 1 {
            require("mean latency", Bound::Below(1.0), |reading| reading.mean_ns);
        }
    }
}

/// A ratio, unless a side had nothing: user time of less than a tick is reported as 0.
fn format_ratio(pairs: &PairedSamples) -> String {
    let ratio @ RatioOfMedians { ratio: of_medians, min, max } = pairs.ratio();
    let is_known = [of_medians, min, max].into_iter().all(f64::is_finite);
    if is_known { ratio.to_string() } else { "-".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(iops: f64, mean_ns: f64) -> Reading {
        Reading {
            iops,
            mean_ns,
            p50_ns: 1.0,
            p99_ns: 1.0,
            operations: 1.0,
            user_ns: 0.0,
            system_ns: 9.0,
        }
    }

    #[test]
    fn each_depth_has_its_own_requirements() {
        let sides = [(100.0, 5.0), (100.0, 4.0), (90.0, 6.0)]
            .map(|(iops, mean)| vec![reading(iops, mean)])
            .to_vec();
        let lines = |depth| {
            let mut section = Section::new("Heading", "how", "");
            add_results(&mut section, depth, &sides);
            section.render_markdown()
        };
        let (shallow, deep) = (lines(1), lines(16));
        let met = |text: &str, line: &str| assert!(text.contains(line), "{line} is not in {text}");
        met(&shallow, "IOPS at depth 1, ours / fio io_uring: required > 1.00, measured 1.000: NOT");
        met(
            &shallow,
            "mean latency at depth 1, ours / fio libaio: required < 1.00, measured 0.833",
        );
        met(&deep, "IOPS at depth 16, ours / fio io_uring: required >= 0.99, measured 1.000: met");
        met(&deep, "| 16 | user CPU, ns per operation | 0 | 0 | - | 0 | - | 1 |");
        assert!(!deep.contains("mean latency at"));
    }
}
