//! The bench `null-device`: how many reads the engine alone can do, on a disk that costs nothing.

use anyhow::{Context as _, Result, anyhow};
use lab::Zram;

use super::section::{Bound, Section};
use super::{BenchContext, PairedSamples, Side, programs, run_in_turns};
use crate::process;

const DEVICE_BYTES: u64 = 1 << 30;
const DEPTH: u32 = 128;
const PAIRS: usize = 7;
/// What makes fio fastest here, and what our engine does of itself.
const FIO: [&str; 4] =
    ["--fixedbufs", "--registerfiles", "--iodepth_batch=32", "--iodepth_batch_complete_max=32"];

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["fio"])?;
    let n = programs::round_count(PAIRS)?;
    let [one_cell, floor] = programs::build_one_cell_and_floor(setting.root)?;
    let zram = Zram::new(DEVICE_BYTES)
        .map_err(|error| anyhow!("{error}\nhint: it needs root and `modprobe zram`"))?;
    let device = zram.path();
    let mut sides: Vec<Side<'_, f64>> = vec![
        Box::new(|round| Ok(programs::run_one_cell(&one_cell, device, DEPTH, round)?.iops)),
        Box::new(|round| Ok(programs::run_fio("io_uring", device, DEPTH, round, &FIO)?.iops)),
        Box::new(|round| Ok(programs::run_fio("io_uring", device, DEPTH, round, &[])?.iops)),
        Box::new(|_| {
            let mut command = std::process::Command::new(&floor);
            command.arg(device).args([DEPTH.to_string(), programs::SECONDS.to_string()]);
            let said = process::capture_stdout(&mut command)?;
            said.parse().with_context(|| format!("floor printed {said:?}, no rate"))
        }),
    ];
    let all = run_in_turns(n, &mut sides)?;
    let mut section = Section::new(
        "The engine alone",
        format!(
            "Random 4 KiB `O_DIRECT` reads of an empty 1 GiB `/dev/zram0` at depth {DEPTH}, our \
             engine, fio io_uring (tuned: `{}`; and at its defaults) and a bare loop over a ring \
             (`floor`: no clock, no histogram) taking turns in an order that changes, {} s \
             each.",
            FIO.join(" "),
            programs::SECONDS
        ),
        &["against", "ours, IOPS", "other, IOPS", "ratio of medians (of single rounds)", "n"],
    );
    for (name, other, least) in
        [("fio tuned", 1, 1.04), ("fio at its defaults", 2, 1.25), ("floor", 3, 0.97)]
    {
        let pairs = PairedSamples::from_readings(&all[0], &all[other], |iops| *iops);
        section.add_row([
            name.to_owned(),
            format!("{:.0}", pairs.median_a()),
            format!("{:.0}", pairs.median_b()),
            pairs.ratio().to_string(),
            n.to_string(),
        ]);
        let what = format!("IOPS, ours / {name}");
        section.require(what, Bound::AtLeast(least), pairs.ratio().ratio);
    }
    Ok(section.render_markdown())
}
