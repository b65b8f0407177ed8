//! The bench `open-loop`: operations at a planned rate, and whether waiting is reported.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use lab::{Freezer, Limit, LoopDevice, Throttle};
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, Section, median, number_at, run_fio_command, scratch_file,
};
use xtask::process;

const RATES: [u32; 4] = [10_000, 80_000, 300_000, 700_000];
const DEVICE_BYTES: u64 = 1 << 30;
const FILE_BYTES: u64 = 256 << 20;
const STALL_RATE: u64 = 2000;
const STALL_RUN: Duration = Duration::from_secs(6);
/// Of 12000 operations 2000 wait for up to a second: one in a hundred for more than this.
const STALL_TRUTH_S: f64 = 0.94;
const FREEZE: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(4);

pub(super) const BENCH: Bench = Bench {
    name: "open-loop",
    heading: "Open loop",
    method: "Rates: the null backend for 2 s at each planned rate. Stall: 2000 reads a second \
             asked of a loop device for 6 s, of which its control group lets through 2 a second \
             for one second; the 99th percentile of response time, and what fio says (psync, \
             `rate_iops`). Freeze: the generator itself stopped (SIGSTOP) for 2 s of 6; whether it \
             is blamed.",
    columns: "case | asked | median | least | most | n",
    tools: &["fio"],
    rounds: 7,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    measure_delivery(&one_cell, context.rounds, section)?;
    measure_stalls(&one_cell, context.rounds, section)?;
    measure_blame(&one_cell, context.rounds, section)
}

fn open_loop_command(
    one_cell: &Path,
    target: &Path,
    rate: u32,
    seconds: u64,
    arrivals: &str,
) -> Command {
    let mut command = Command::new(one_cell);
    command.arg(target).args([format!("rate={rate}"), format!("secs={seconds}")]);
    command.args(["depth=4096", &format!("arrivals={arrivals}")]);
    command
}

fn measure_delivery(one_cell: &Path, rounds: usize, section: &mut Section) -> Result<()> {
    for arrivals in ["constant", "poisson"] {
        for rate in RATES {
            let mut shares = Vec::new();
            for round in 0..rounds {
                let mut command = open_loop_command(one_cell, Path::new("null"), rate, 2, arrivals);
                command.arg(format!("seed={}", round + 1));
                let line: Value = process::capture_json(&mut command)?;
                shares.push(number_at(&line, "/iops")? / f64::from(rate));
            }
            let asked = format!("{rate} a second, {arrivals}");
            section.add_spread(&["delivered / asked", &asked], &shares, 3);
            let bound = Bound::Within(0.995, 1.005);
            section.require(format!("delivered / asked, {asked}"), bound, median(&shares));
        }
    }
    Ok(())
}

/// Runs a command in the group, with a stall of a second after two seconds' reads.
fn run_with_stall(
    throttle: &Throttle,
    command: &Command,
    run: fn(&mut Command) -> Result<Value>,
) -> Result<Value> {
    let second = Duration::from_secs(1);
    let steps = vec![(Duration::ZERO, Limit::ReadIops(2)), (second, Limit::ReadIops(0))];
    throttle.cap_read_iops(0)?;
    let schedule = throttle.schedule_after_reads(2 * STALL_RATE, steps)?;
    let printed = run(&mut throttle.wrap_command(command))?;
    schedule.finish()?;
    Ok(printed)
}

fn measure_stalls(one_cell: &Path, rounds: usize, section: &mut Section) -> Result<()> {
    let device = LoopDevice::new(DEVICE_BYTES)?;
    let throttle = Throttle::new(device.major_minor())?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (rate, seconds) = (STALL_RATE as u32, STALL_RUN.as_secs());
    for _ in 0..rounds {
        let command = open_loop_command(one_cell, device.path(), rate, seconds, "constant");
        let line = run_with_stall(&throttle, &command, process::capture_json)?;
        ensure!(line["generator_late"] == false, "the generator was late: {line}");
        ours.push(number_at(&line, "/response_p99")? / 1e9);
        let mut fio = Command::new("fio");
        fio.args(["--name=stall", "--ioengine=psync", "--rw=randread", "--bs=4k", "--direct=1"]);
        fio.args(["--time_based", "--readonly"]);
        fio.args([format!("--rate_iops={rate}"), format!("--runtime={seconds}")]);
        fio.arg(format!("--filename={}", device.path().display()));
        let value = run_with_stall(&throttle, &fio, run_fio_command)?;
        let p99 = number_at(&value, "/jobs/0/read/clat_ns/percentile/99.000000")?;
        theirs.push(p99 / 1e9);
    }
    section.add_spread(&["p99 of a stall of 1 s, ours, s", "2000 a second"], &ours, 3);
    section.add_spread(&["the same, fio, s", "2000 a second"], &theirs, 3);
    let near = Bound::Within(STALL_TRUTH_S * 0.95, STALL_TRUTH_S * 1.05);
    section.require_with_unit("p99 of a stall of 1 s", near, median(&ours), " s");
    let hidden = Bound::Below(0.001);
    section.require_with_unit("the same as fio tells it", hidden, median(&theirs), " s");
    Ok(())
}

fn measure_blame(one_cell: &Path, rounds: usize, section: &mut Section) -> Result<()> {
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    let (mut blamed, mut innocent) = (Vec::new(), Vec::new());
    for freezes in [true, false] {
        for _ in 0..rounds.div_ceil(2) {
            let mut command =
                open_loop_command(one_cell, &file, 2000, STALL_RUN.as_secs(), "constant");
            let child = command.stdout(Stdio::piped()).spawn().context("cannot run one_cell")?;
            let freezer = freezes.then(|| Freezer::new(child.id(), &[FREEZE])).transpose()?;
            let output = child.wait_with_output().context("cannot wait for one_cell")?;
            drop(freezer);
            let line: Value =
                serde_json::from_slice(&output.stdout).context("one_cell did not print JSON")?;
            let late = f64::from(u8::from(line["generator_late"] == true));
            if freezes { blamed.push(late) } else { innocent.push(late) }
        }
    }
    section.add_spread(&["generator blamed, frozen for 2 s", "2000 a second"], &blamed, 3);
    section.add_spread(&["generator blamed, left alone", "2000 a second"], &innocent, 3);
    section.require("a frozen generator is blamed", Bound::AtLeast(1.0), median(&blamed));
    section.require("one left alone is not", Bound::AtMost(0.0), median(&innocent));
    Ok(())
}
