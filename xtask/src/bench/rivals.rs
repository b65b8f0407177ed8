//! The bench `rivals`: our engine against fio's where no disk is the limit, by interface.

use std::path::Path;

use anyhow::{Result, anyhow};
use lab::{Scratch, Zram};

use super::programs::{self, Reading};
use super::section::{Bound, Section};
use super::{BenchContext, PairedSamples, Side, run_in_turns};

const FILE_BYTES: u64 = 512 << 20;
const DEVICE_BYTES: u64 = 1 << 30;
const PAIRS: usize = 7;
/// The most that the null backend may take per operation.
const NULL_NS_MAX: f64 = 45.0;

/// One comparison.
struct Case<'a> {
    name: &'static str,
    target: &'a Path,
    depth: u32,
    ours: &'a [&'a str],
    engine: &'static str,
    theirs: &'a [&'a str],
    /// At least so many times fio's rate.
    least: f64,
}

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["fio"])?;
    let n = programs::round_count(PAIRS)?;
    let one_cell = programs::build_one_cell(setting.root)?;
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "random.bin", FILE_BYTES)?;
    let zram = Zram::new(DEVICE_BYTES)
        .map_err(|error| anyhow!("{error}\nhint: it needs root and `modprobe zram`"))?;
    let mut section = Section::new(
        "Against fio, by interface",
        format!(
            "Random 4 KiB reads, ours and fio's taking turns, {} s each. `null`: no device at all, \
             1 GiB of offsets without replacement, full histograms on ours, fio at its defaults. \
             `page cache`: a file of 512 MiB in memory, buffered. `psync`, `libaio`: an empty \
             1 GiB `/dev/zram0`, `O_DIRECT`.",
            programs::SECONDS
        ),
        &["case", "depth", "ours, IOPS", "fio, IOPS", "ratio of medians (of single rounds)", "n"],
    );
    let null = ["size=1073741824"];
    let fio_null = ["--direct=0", "--size=1g", "--filename=nothing", "--iodepth=1"];
    let cached = ["--direct=0", "--invalidate=0"];
    let cases = [
        new_case("null", Path::new("null"), 32, &null, "null", &fio_null, 4.0),
        new_case("page cache", &file, 32, &["direct=0"], "io_uring", &cached, 1.3),
        new_case("psync", zram.path(), 1, &["backend=psync"], "psync", &[], 1.0),
        new_case("libaio", zram.path(), 32, &["backend=libaio"], "libaio", &[], 1.0),
    ];
    for case in &cases {
        // Fills the page cache.
        std::fs::read(&file)?;
        compare_case(&one_cell, case, n, &mut section)?;
    }
    Ok(section.render_markdown())
}

fn new_case<'a>(
    name: &'static str,
    target: &'a Path,
    depth: u32,
    ours: &'a [&'a str],
    engine: &'static str,
    theirs: &'a [&'a str],
    least: f64,
) -> Case<'a> {
    Case { name, target, depth, ours, engine, theirs, least }
}

fn compare_case(one_cell: &Path, case: &Case<'_>, n: usize, section: &mut Section) -> Result<()> {
    let Case { name, target, depth, ours, engine, theirs, least } = *case;
    let mut sides: Vec<Side<'_, Reading>> = vec![
        Box::new(move |round| programs::run_one_cell_with(one_cell, target, depth, round, ours)),
        Box::new(move |round| programs::run_fio(engine, target, depth, round, theirs)),
    ];
    let all = run_in_turns(n, &mut sides)?;
    let pairs = PairedSamples::from_readings(&all[0], &all[1], |reading| reading.iops);
    section.add_row([
        name.to_owned(),
        depth.to_string(),
        format!("{:.0}", pairs.median_a()),
        format!("{:.0}", pairs.median_b()),
        pairs.ratio().to_string(),
        n.to_string(),
    ]);
    section.require(format!("{name}, ours / fio"), Bound::AtLeast(least), pairs.ratio().ratio);
    if name == "null" {
        let each = 1e9 / pairs.median_a();
        section.require_with_unit(
            "null, ours",
            Bound::AtMost(NULL_NS_MAX),
            each,
            " ns per operation",
        );
    }
    Ok(())
}
