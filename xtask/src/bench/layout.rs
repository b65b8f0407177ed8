//! The bench `layout`: how fast the test file is written, against fio.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use lab::Scratch;
use serde_json::Value;

use super::section::{Bound, Section};
use super::{BenchContext, programs, run_alternately, run_fio_json};
use crate::process;

const FILE_BYTES: u64 = 1 << 30;
const PAIRS: usize = 5;
const MB: f64 = 1e6;

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["fio"])?;
    let n = programs::round_count(PAIRS)?;
    let arguments = ["-p", "truedisk", "--bin", "truedisk"];
    let [truedisk] = programs::build_programs(setting.root, &arguments, ["truedisk"])?;
    let pairs = run_alternately(n, || measure_ours(&truedisk), measure_fio)?;
    let mut section = Section::new(
        "Writing the test file",
        "`truedisk check --quick --size 1g` (bytes by time of the record's `layout`) against fio \
         io_uring writing a fresh preallocated file of the same size in sequence, `O_DIRECT`, \
         1 MiB at depth 32; both without the time of an fsync, taking turns.",
        &["ours, MB/s", "fio, MB/s", "ratio of medians (of single rounds)", "n"],
    );
    section.add_row([
        format!("{:.0}", pairs.median_a() / MB),
        format!("{:.0}", pairs.median_b() / MB),
        pairs.ratio().to_string(),
        n.to_string(),
    ]);
    section.require("rate, ours / fio", Bound::AtLeast(0.9), pairs.ratio().ratio);
    Ok(section.render_markdown())
}

/// Bytes per second of a check's layout.
fn measure_ours(truedisk: &Path) -> Result<f64> {
    let scratch = Scratch::new()?;
    let mut command = Command::new(truedisk);
    command.args(["check", "--quick", "--quiet", "--no-history", "--size"]);
    command.arg(FILE_BYTES.to_string()).args(["--json", "-"]).arg(scratch.path());
    let text = process::capture_stdout(&mut command)?;
    parse_rate(&serde_json::from_str(&text).context("truedisk did not print JSON")?)
}

fn parse_rate(record: &Value) -> Result<f64> {
    let layout = |name: &str| programs::number_at(record, &format!("/layout/{name}"));
    let (wanted, written) = (layout("wanted")?, layout("written")?);
    ensure!(wanted == FILE_BYTES as f64, "truedisk made a file of {wanted} bytes");
    Ok(written / (layout("elapsed")? / 1e9))
}

/// Bytes per second of fio's writing.
fn measure_fio() -> Result<f64> {
    let scratch = Scratch::new()?;
    let file = lab::preallocated_file(scratch.path(), "fio.bin", FILE_BYTES)?;
    let (name, size) = (format!("--filename={}", file.display()), format!("--size={FILE_BYTES}"));
    let value = run_fio_json(&[
        "--name=writes",
        "--ioengine=io_uring",
        "--rw=write",
        "--bs=1M",
        "--iodepth=32",
        "--direct=1",
        &name,
        &size,
    ])?;
    programs::number_at(&value, "/jobs/0/write/bw_bytes")
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
