//! The bench `null-device`: how many reads the engine alone can do, on a disk that costs nothing.

use std::process::Command;

use anyhow::{Context as _, Result};

use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, RUN_SECONDS, Section, run_fio, run_in_turns,
    run_one_cell, zram_device,
};
use xtask::process;

const DEPTH: u32 = 128;
/// What makes fio fastest here, and what our engine does of itself.
const FIO: [&str; 4] =
    ["--fixedbufs", "--registerfiles", "--iodepth_batch=32", "--iodepth_batch_complete_max=32"];

pub(super) const BENCH: Bench = Bench {
    name: "null-device",
    heading: "The engine alone",
    method: "Random 4 KiB `O_DIRECT` reads of an empty 1 GiB `/dev/zram0` at depth 128, our \
             engine, fio io_uring (tuned: `--fixedbufs --registerfiles --iodepth_batch=32 \
             --iodepth_batch_complete_max=32`; and at its defaults) and a bare loop over a ring \
             (`floor`: no clock, no histogram) taking turns in an order that changes, 2 s each.",
    columns: "against | ours, IOPS | other, IOPS | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 7,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let [one_cell, floor] = context.build_one_cell_and_floor()?;
    let zram = zram_device()?;
    let device = zram.path();
    let all = run_in_turns(context.rounds, 4, |side, round| match side {
        0 => Ok(run_one_cell(&one_cell, device, DEPTH, round, &[])?.iops),
        1 => Ok(run_fio("io_uring", device, DEPTH, round, &FIO)?.iops),
        2 => Ok(run_fio("io_uring", device, DEPTH, round, &[])?.iops),
        _ => {
            let mut command = Command::new(&floor);
            command.arg(device).args([DEPTH.to_string(), RUN_SECONDS.to_string()]);
            let printed = process::capture_stdout(&mut command)?;
            printed.parse().with_context(|| format!("floor printed {printed:?}, no rate"))
        }
    })?;
    let others = [("fio tuned", 1.04), ("fio at its defaults", 1.25), ("floor", 0.97)];
    for ((name, ratio_min), other) in others.into_iter().zip(&all[1..]) {
        let pairs = PairedSamples::from_readings(&all[0], other, |iops| *iops);
        let what = format!("IOPS, ours / {name}");
        section.compare(&[name], &pairs, 0, what, Bound::AtLeast(ratio_min));
    }
    Ok(())
}
