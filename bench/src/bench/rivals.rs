//! The bench `rivals`: our engine against fio's where no disk is the limit, by interface.

use std::path::Path;

use anyhow::Result;

use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, Section, run_fio, run_in_turns, run_one_cell,
    scratch_file, zram_device,
};

const FILE_BYTES: u64 = 512 << 20;
const NULL_NS_MAX: f64 = 45.0;

pub(super) const BENCH: Bench = Bench {
    name: "rivals",
    heading: "Against fio, by interface",
    method: "Random 4 KiB reads, ours and fio's taking turns, 2 s each. `null`: no device at all, \
             1 GiB of offsets without replacement, full histograms on ours, fio at its defaults. \
             `page cache`: a file of 512 MiB in memory, buffered. `psync`, `libaio`: an empty \
             1 GiB `/dev/zram0`, `O_DIRECT`.",
    columns: "case | depth | ours, IOPS | fio, IOPS | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 7,
    run,
};

/// Name, target, depth, option of ours, engine and options of fio, and the ratio required.
type Case<'a> = (&'a str, &'a Path, u32, &'a str, (&'a str, &'a [&'a str]), f64);

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    let zram = zram_device()?;
    let null = ["--direct=0", "--size=1g", "--filename=nothing", "--iodepth=1"];
    let cached = ["--direct=0", "--invalidate=0"];
    let cases: [Case<'_>; 4] = [
        ("null", Path::new("null"), 32, "size=1073741824", ("null", &null[..]), 4.0),
        ("page cache", &file, 32, "direct=0", ("io_uring", &cached[..]), 1.3),
        ("psync", zram.path(), 1, "backend=psync", ("psync", &[]), 1.0),
        ("libaio", zram.path(), 32, "backend=libaio", ("libaio", &[]), 1.0),
    ];
    for (name, target, depth, ours, (engine, options), ratio_min) in cases {
        // Fills the page cache.
        std::fs::read(&file)?;
        let all = run_in_turns(context.rounds, 2, |side, round| match side {
            0 => run_one_cell(&one_cell, target, depth, round, &[ours]),
            _ => run_fio(engine, target, depth, round, options),
        })?;
        let pairs = PairedSamples::from_readings(&all[0], &all[1], |reading| reading.iops);
        let labels = [name, &depth.to_string()];
        let bound = Bound::AtLeast(ratio_min);
        section.compare(&labels, &pairs, 0, format!("{name}, ours / fio"), bound);
        if name == "null" {
            let bound = Bound::AtMost(NULL_NS_MAX);
            let each = 1e9 / pairs.median_a();
            section.require_with_unit("null, ours", bound, each, " ns per operation");
        }
    }
    Ok(())
}
