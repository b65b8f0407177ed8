//! The bench `rivals`: our engine against fio's where no disk is the limit, by interface.

use std::path::Path;

use anyhow::{Result, anyhow};
use lab::{Scratch, Zram};

use super::definition::{Bench, BenchContext};
use super::measure::{PairedSamples, Side, run_in_turns};
use super::programs::{Reading, run_fio, run_one_cell};
use super::section::{Bound, Section};

const FILE_BYTES: u64 = 512 << 20;
const DEVICE_BYTES: u64 = 1 << 30;
/// The most that the null backend may take per operation.
const NULL_NS_MAX: f64 = 45.0;

pub(super) const BENCH: Bench = Bench {
    name: "rivals",
    heading: "Against fio, by interface",
    method: "Random 4 KiB reads, ours and fio's taking turns, 2 s each. `null`: no device at all, \
             1 GiB of offsets without replacement, full histograms on ours, fio at its defaults. \
             `page cache`: a file of 512 MiB in memory, buffered. `psync`, `libaio`: an empty \
             1 GiB `/dev/zram0`, `O_DIRECT`.",
    columns: &[
        "case",
        "depth",
        "ours, IOPS",
        "fio, IOPS",
        "ratio of medians (of single rounds)",
        "n",
    ],
    tools: &["fio"],
    rounds: 7,
    run,
};

/// One comparison.
struct Case<'a> {
    name: &'static str,
    target: &'a Path,
    depth: u32,
    /// Settings of ours.
    ours: &'static [&'static str],
    /// fio's engine, and its further options.
    fio: (&'static str, &'static [&'static str]),
    /// Our rate by fio's, at least.
    ratio_min: f64,
}

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "random.bin", FILE_BYTES)?;
    let zram = Zram::new(DEVICE_BYTES)
        .map_err(|error| anyhow!("{error}\nhint: it needs root and `modprobe zram`"))?;
    let cases = [
        Case {
            name: "null",
            target: Path::new("null"),
            depth: 32,
            ours: &["size=1073741824"],
            fio: ("null", &["--direct=0", "--size=1g", "--filename=nothing", "--iodepth=1"]),
            ratio_min: 4.0,
        },
        Case {
            name: "page cache",
            target: &file,
            depth: 32,
            ours: &["direct=0"],
            fio: ("io_uring", &["--direct=0", "--invalidate=0"]),
            ratio_min: 1.3,
        },
        Case {
            name: "psync",
            target: zram.path(),
            depth: 1,
            ours: &["backend=psync"],
            fio: ("psync", &[]),
            ratio_min: 1.0,
        },
        Case {
            name: "libaio",
            target: zram.path(),
            depth: 32,
            ours: &["backend=libaio"],
            fio: ("libaio", &[]),
            ratio_min: 1.0,
        },
    ];
    for case in &cases {
        // Fills the page cache.
        std::fs::read(&file)?;
        let Case { name, target, depth, ours, fio: (engine, options), ratio_min } = *case;
        let mut sides: [Side<'_, Reading>; 2] = [
            Box::new(|round| run_one_cell(&one_cell, target, depth, round, ours)),
            Box::new(|round| run_fio(engine, target, depth, round, options)),
        ];
        let all = run_in_turns(context.rounds, &mut sides)?;
        let pairs = PairedSamples::from_readings(&all[0], &all[1], |reading| reading.iops);
        section.add_pairs(&[name, &depth.to_string()], &pairs, 0);
        let ratio = pairs.ratio().ratio;
        section.require(format!("{name}, ours / fio"), Bound::AtLeast(ratio_min), ratio);
        if name == "null" {
            let bound = Bound::AtMost(NULL_NS_MAX);
            let each = 1e9 / pairs.median_a();
            section.require_with_unit("null, ours", bound, each, " ns per operation");
        }
    }
    Ok(())
}
