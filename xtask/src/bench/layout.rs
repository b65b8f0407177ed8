//! The bench `layout`: how fast the test file is written, against fio.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use lab::Scratch;
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, Section, number_at, run_alternately, run_fio_json,
};
use crate::process;

const FILE_BYTES: u64 = 1 << 30;

pub(super) const BENCH: Bench = Bench {
    name: "layout",
    heading: "Writing the test file",
    method: "`truedisk check --quick --size 1g` (bytes by time of the record's `layout`) against \
             fio io_uring writing a fresh preallocated file of the same size in sequence, \
             `O_DIRECT`, 1 MiB at depth 32; both without the time of an fsync, taking turns.",
    columns: "ours, MB/s | fio, MB/s | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 5,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let pairs = run_alternately(context.rounds, || measure_ours(&truedisk), measure_fio)?;
    section.compare(&[], &pairs, 0, "rate, ours / fio", Bound::AtLeast(0.9));
    Ok(())
}

/// MB per second of a check's layout.
fn measure_ours(truedisk: &Path) -> Result<f64> {
    let scratch = Scratch::new()?;
    let mut command = Command::new(truedisk);
    command.args(["check", "--quick", "--quiet", "--no-history", "--size"]);
    command.arg(FILE_BYTES.to_string()).args(["--json", "-"]).arg(scratch.path());
    Ok(parse_rate(&process::capture_json(&mut command)?)? / 1e6)
}

fn parse_rate(record: &Value) -> Result<f64> {
    let layout = |name: &str| number_at(record, &format!("/layout/{name}"));
    let (wanted, written) = (layout("wanted")?, layout("written")?);
    ensure!(wanted == FILE_BYTES as f64, "truedisk made a file of {wanted} bytes");
    Ok(written / (layout("elapsed")? / 1e9))
}

/// MB per second of fio's writing.
fn measure_fio() -> Result<f64> {
    let scratch = Scratch::new()?;
    let file = lab::preallocated_file(scratch.path(), "fio.bin", FILE_BYTES)?;
    let value = run_fio_json(&[
        "--name=writes",
        "--ioengine=io_uring",
        "--rw=write",
        "--bs=1M",
        "--iodepth=32",
        "--direct=1",
        &format!("--filename={}", file.display()),
        &format!("--size={FILE_BYTES}"),
    ])?;
    Ok(number_at(&value, "/jobs/0/write/bw_bytes")? / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_of_what_was_written() {
        let record = |wanted: u64| {
            let layout = serde_json::json!({"wanted": wanted, "written": 500, "elapsed": 2e9});
            serde_json::json!({ "layout": layout })
        };
        assert_eq!(parse_rate(&record(FILE_BYTES)).unwrap(), 250.0);
        assert!(parse_rate(&record(5)).unwrap_err().to_string().contains("a file of 5 bytes"));
        assert!(parse_rate(&serde_json::json!({})).is_err());
    }
}
