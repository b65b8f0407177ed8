//! The bench `open-loop`: operations at a planned rate, and whether waiting is told.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use lab::{Freezer, Limit, LoopDevice, Scratch, Throttle};
use serde_json::Value;

use super::section::{Bound, Section};
use super::{BenchContext, median, programs};
use crate::process;

const RATES: [u32; 4] = [10_000, 80_000, 300_000, 700_000];
const ROUNDS: usize = 7;
const DEVICE_BYTES: u64 = 1 << 30;
const FILE_BYTES: u64 = 256 << 20;
/// What is asked of the device that stalls, and for how long.
const STALL_RATE: u64 = 2000;
const STALL_RUN: Duration = Duration::from_secs(6);
/// Of 12000 operations 2000 wait for up to a second: one in a hundred for more than this.
const STALL_TRUTH_S: f64 = 0.94;
/// When the generator is frozen, and when it goes on.
const FREEZE: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(4);

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["fio"])?;
    let n = programs::round_count(ROUNDS)?;
    let one_cell = programs::build_one_cell(setting.root)?;
    let mut section = Section::new(
        "Open loop",
        "Rates: the null backend for 2 s at each planned rate. Stall: 2000 reads a second asked \
         of a loop device for 6 s, of which its control group lets through 2 a second for one \
         second; the 99th percentile of response time, and what fio says (psync, `rate_iops`). \
         Freeze: the generator itself stopped (SIGSTOP) for 2 s of 6; whether it is blamed.",
        &["case", "asked", "median", "least", "most", "n"],
    );
    measure_delivery(&one_cell, n, &mut section)?;
    measure_stalls(&one_cell, n, &mut section)?;
    measure_blame(&one_cell, n, &mut section)?;
    Ok(section.render_markdown())
}

fn add_row(section: &mut Section, case: &str, asked: &str, values: &[f64]) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let figures = [median(values), least, most].map(|value| format!("{value:.3}"));
    let head = [case.to_owned(), asked.to_owned()];
    section.add_row(head.into_iter().chain(figures).chain([values.len().to_string()]));
}

/// One line of `one_cell`.
fn parse_cell(text: &str) -> Result<Value> {
    serde_json::from_str(text).context("one_cell did not print JSON")
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

fn measure_delivery(one_cell: &Path, n: usize, section: &mut Section) -> Result<()> {
    for arrivals in ["constant", "poisson"] {
        for rate in RATES {
            let mut shares = Vec::new();
            for round in 0..n {
                let mut command = open_loop_command(one_cell, Path::new("null"), rate, 2, arrivals);
                command.arg(format!("seed={}", round + 1));
                let said = parse_cell(&process::capture_stdout(&mut command)?)?;
                shares.push(programs::number_at(&said, "/iops")? / f64::from(rate));
            }
            let asked = format!("{rate} a second, {arrivals}");
            add_row(section, "delivered / asked", &asked, &shares);
            let bound = Bound::Within(0.995, 1.005);
            section.require(format!("delivered / asked, {asked}"), bound, median(&shares));
        }
    }
    Ok(())
}

/// Runs a command in the group, with a stall of a second after two seconds' reads.
fn run_with_stall(throttle: &Throttle, command: &Command) -> Result<String> {
    let second = Duration::from_secs(1);
    let steps = vec![(Duration::ZERO, Limit::ReadIops(2)), (second, Limit::ReadIops(0))];
    throttle.cap_read_iops(0)?;
    let schedule = throttle.schedule_after_reads(2 * STALL_RATE, steps)?;
    let said = process::capture_stdout(&mut throttle.wrap_command(command))?;
    schedule.finish()?;
    Ok(said)
}

fn measure_stalls(one_cell: &Path, n: usize, section: &mut Section) -> Result<()> {
    let device = LoopDevice::new(DEVICE_BYTES)?;
    let throttle = Throttle::new(device.major_minor())?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (rate, seconds) = (STALL_RATE as u32, STALL_RUN.as_secs());
    for _ in 0..n {
        let command = open_loop_command(one_cell, device.path(), rate, seconds, "constant");
        let said = parse_cell(&run_with_stall(&throttle, &command)?)?;
        ensure!(said["generator_late"] == false, "the generator was late: {said}");
        ours.push(programs::number_at(&said, "/response_p99")? / 1e9);
        let mut fio = Command::new("fio");
        fio.args(["--name=stall", "--ioengine=psync", "--rw=randread", "--bs=4k", "--direct=1"]);
        fio.args(["--time_based", "--output-format=json", "--readonly"]);
        fio.args([format!("--rate_iops={rate}"), format!("--runtime={seconds}")]);
        fio.arg(format!("--filename={}", device.path().display()));
        let text = run_with_stall(&throttle, &fio)?;
        let start = text.find('{').context("fio printed no JSON")?;
        let value: Value = serde_json::from_str(&text[start..])?;
        let p99 = programs::number_at(&value, "/jobs/0/read/clat_ns/percentile/99.000000")?;
        theirs.push(p99 / 1e9);
    }
    add_row(section, "p99 of a stall of 1 s, ours, s", "2000 a second", &ours);
    add_row(section, "the same, fio, s", "2000 a second", &theirs);
    let near = Bound::Within(STALL_TRUTH_S * 0.95, STALL_TRUTH_S * 1.05);
    section.require_with_unit("p99 of a stall of 1 s", near, median(&ours), " s");
    section.require_with_unit(
        "the same as fio tells it",
        Bound::Below(0.001),
        median(&theirs),
        " s",
    );
    Ok(())
}

fn measure_blame(one_cell: &Path, n: usize, section: &mut Section) -> Result<()> {
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "random.bin", FILE_BYTES)?;
    let (mut blamed, mut innocent) = (Vec::new(), Vec::new());
    for freezes in [true, false] {
        for _ in 0..n.div_ceil(2) {
            let mut command =
                open_loop_command(one_cell, &file, 2000, STALL_RUN.as_secs(), "constant");
            let child = command.stdout(Stdio::piped()).spawn().context("cannot run one_cell")?;
            let freezer = freezes.then(|| Freezer::new(child.id(), &[FREEZE])).transpose()?;
            let output = child.wait_with_output().context("cannot wait for one_cell")?;
            drop(freezer);
            let said = parse_cell(&String::from_utf8_lossy(&output.stdout))?;
            let late = f64::from(u8::from(said["generator_late"] == true));
            if freezes { blamed.push(late) } else { innocent.push(late) }
        }
    }
    add_row(section, "generator blamed, frozen for 2 s", "2000 a second", &blamed);
    add_row(section, "generator blamed, left alone", "2000 a second", &innocent);
    section.require("a frozen generator is blamed", Bound::AtLeast(1.0), median(&blamed));
    section.require("one left alone is not", Bound::AtMost(0.0), median(&innocent));
    Ok(())
}
