//! The bench `limit`: whether the most IOPS within a bound is found again, and whether fio agrees.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result};
use lab::Scratch;
use serde_json::Value;

use super::section::{Bound, Section};
use super::{Setting, fio_json, median, programs};
use crate::process;

const ROUNDS: usize = 5;
const FILE_BYTES: u64 = 1 << 30;
/// The bound, for truedisk and as a figure.
const BOUND: &str = "p99<500us";
const BOUND_US: f64 = 500.0;

/// What one search answered, and what fio found at its depth.
struct Round {
    depth: f64,
    iops: f64,
    seconds: f64,
    fio_iops: f64,
    fio_p99_us: f64,
}

/// Gives the section.
pub(super) fn section(setting: &Setting) -> Result<String> {
    programs::need(&["fio"])?;
    let n = programs::rounds(ROUNDS)?;
    let arguments = ["-p", "truedisk", "--bin", "truedisk"];
    let [truedisk] = programs::build(setting.root, &arguments, ["truedisk"])?;
    let scratch = Scratch::new()?;
    lab::written_file(scratch.path(), "data", FILE_BYTES)?;
    let rounds: Vec<Round> =
        (0..n).map(|_| round(&truedisk, scratch.path())).collect::<Result<_>>()?;
    let mut section = Section::new(
        "The limit, found again",
        "`truedisk limit --bound 'p99<500us' --size 1g` on random reads of 4 KiB, and at the depth \
         found 4 s of fio (libaio, submitting 8 and reaping up to 16 at once: with one call for \
         each operation fio itself is the limit here) on a written file of 1 GiB.",
        &["depth", "IOPS", "s", "fio IOPS", "fio p99, us"],
    );
    for round in &rounds {
        let Round { depth, iops, seconds, fio_iops, fio_p99_us } = round;
        section.row([
            format!("{depth:.0}"),
            format!("{iops:.0}"),
            format!("{seconds:.1}"),
            format!("{fio_iops:.0}"),
            format!("{fio_p99_us:.0}"),
        ]);
    }
    let all: Vec<f64> = rounds.iter().map(|round| round.iops).collect();
    let least = all.iter().copied().fold(f64::MAX, f64::min);
    let most = all.iter().copied().fold(0.0, f64::max);
    let middle = median(&all);
    let kept = rounds.iter().filter(|round| round.fio_p99_us <= BOUND_US).count();
    let longest = rounds.iter().map(|round| round.seconds).fold(0.0, f64::max);
    section.require(
        "answers, most less least over median",
        Bound::AtMost(0.1),
        (most - least) / middle,
    );
    section.require("share kept in fio", Bound::AtLeast(0.8), kept as f64 / n as f64);
    section.require_of("longest search", Bound::AtMost(45.0), longest, " s");
    Ok(section.markdown())
}

fn round(truedisk: &Path, folder: &Path) -> Result<Round> {
    let begin = Instant::now();
    let mut command = Command::new(truedisk);
    command.args(["limit", "--bound", BOUND, "--size", "1g", "--quiet", "--no-history"]);
    command.args(["--json", "-"]).arg(folder);
    let text = process::stdout(&mut command)?;
    let seconds = begin.elapsed().as_secs_f64();
    let record: Value = serde_json::from_str(&text).context("truedisk did not print JSON")?;
    let depth = programs::number(&record, "/curves/0/limits/0/depth")?;
    let iops = programs::number(&record, "/curves/0/limits/0/iops/value")?;
    let fio = fio_json(&[
        "--name=reads",
        &format!("--filename={}", folder.join("data").display()),
        "--rw=randread",
        "--bs=4k",
        "--direct=1",
        "--ioengine=libaio",
        "--iodepth_batch_submit=8",
        "--iodepth_batch_complete_max=16",
        &format!("--iodepth={depth}"),
        "--runtime=4",
        "--time_based",
        "--randrepeat=0",
        "--norandommap",
    ])?;
    let p99_ns = fio
        .pointer("/jobs/0/read/clat_ns/percentile")
        .and_then(|percentiles| percentiles.get("99.000000"))
        .and_then(Value::as_f64)
        .context("fio told no 99th percentile")?;
    let fio_iops = programs::number(&fio, "/jobs/0/read/iops")?;
    Ok(Round { depth, iops, seconds, fio_iops, fio_p99_us: p99_ns / 1e3 })
}
