//! The bench `layout`: how fast the test file is written, against fio.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use lab::Scratch;
use record::{LayoutRun, Record};

use super::harness::{
    Bench, BenchContext, Bound, Section, number_at, run_alternately, run_fio_json,
};
use xtask::process;

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
    let record: Record = process::capture_json(&mut command)?;
    find_rate(record.measured.layout.as_ref().context("the record has no layout")?)
}

fn find_rate(layout: &LayoutRun) -> Result<f64> {
    ensure!(layout.wanted.0 == FILE_BYTES, "truedisk made a file of {} bytes", layout.wanted.0);
    Ok(layout.rate().0 / 1e6)
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
        let mut layout = record::fixture::ssd_record().measured.layout.unwrap();
        layout.written.0 = 500_000_000;
        layout.elapsed.0 = 2_000_000_000;
        layout.wanted.0 = FILE_BYTES;
        assert_eq!(find_rate(&layout).unwrap(), 250.0);
        layout.wanted.0 = 5;
        assert!(find_rate(&layout).unwrap_err().to_string().contains("a file of 5 bytes"));
    }
}
