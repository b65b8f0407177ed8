//! The programs that are measured: our own, built first, and fio.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use lab::{Scratch, Zram};
use serde_json::Value;

use super::measure::run_fio_command;
use xtask::process;

pub(super) fn scratch_file(bytes: u64) -> Result<(Scratch, PathBuf)> {
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "data", bytes)?;
    Ok((scratch, file))
}

/// An empty disk of 1 GiB in memory.
pub(super) fn zram_device() -> Result<Zram> {
    Zram::new(1 << 30).map_err(|error| anyhow!("{error}\nhint: it needs root and `modprobe zram`"))
}

pub(super) fn hint_at_root(error: lab::LabError) -> anyhow::Error {
    anyhow!("{error}\nhint: it needs root and a free loop device")
}

/// How late processors may wake, in microseconds (kernel: `Documentation/power/pm_qos_interface`).
const PROCESSOR_LATENCY: &str = "/dev/cpu_dma_latency";

/// As long as the file is open, processors that are idle do not sleep.
pub(super) fn keep_processors_awake() -> Result<File> {
    let file = File::options().write(true).open(PROCESSOR_LATENCY);
    let mut file = file.with_context(|| format!("cannot open {PROCESSOR_LATENCY}"))?;
    file.write_all(&0_u32.to_ne_bytes())?;
    Ok(file)
}

pub(super) const RUN_SECONDS: u32 = 2;

/// Overrides how often everything is measured: for trying a bench out.
const ROUNDS_VARIABLE: &str = "XTASK_BENCH_PAIRS";

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub(super) iops: f64,
    /// From before the submission to after the completion, as the percentiles.
    pub(super) mean_ns: f64,
    pub(super) p50_ns: f64,
    pub(super) p99_ns: f64,
    /// What the system was asked for, also operations that were not counted.
    pub(super) operations: f64,
    /// Time of the processor per operation, in the program and in the kernel.
    pub(super) user_ns: f64,
    pub(super) system_ns: f64,
}

pub(super) type Figure = (&'static str, fn(&Reading) -> f64);

pub(super) fn round_override() -> Result<Option<usize>> {
    let text = std::env::var_os(ROUNDS_VARIABLE);
    text.map(|text| parse_rounds(&text.to_string_lossy())).transpose()
}

fn parse_rounds(text: &str) -> Result<usize> {
    match text.trim().parse() {
        Ok(0) | Err(_) => {
            bail!("{ROUNDS_VARIABLE}={text:?} is no number of rounds\nhint: {ROUNDS_VARIABLE}=3")
        }
        Ok(rounds) => Ok(rounds),
    }
}

pub(super) fn require_tools(tools: &[&str]) -> Result<()> {
    match tools.iter().find(|tool| !process::is_installed(tool)) {
        None => Ok(()),
        Some(tool) => bail!("this bench calls {tool}, which is not installed\nhint: install it"),
    }
}

pub(super) fn build_programs<const N: usize>(
    root: &Path,
    arguments: &[&str],
    names: [&str; N],
) -> Result<[PathBuf; N]> {
    let mut command = process::cargo_command(root, &["build", "--release"]);
    command.args(arguments).arg("--message-format=json-render-diagnostics");
    let messages = process::capture_stdout(&mut command)?;
    let mut paths = std::array::from_fn(|_| PathBuf::new());
    for (path, name) in paths.iter_mut().zip(names) {
        let found = find_executable(&messages, name);
        *path = found.with_context(|| format!("cargo built no program called {name}"))?;
    }
    Ok(paths)
}

fn find_executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let path = message["executable"].as_str()?;
        (message["target"]["name"] == name).then(|| PathBuf::from(path))
    })
}

pub(super) fn one_cell_command(
    one_cell: &Path,
    target: &Path,
    depth: u32,
    seconds: u32,
) -> Command {
    let mut command = Command::new(one_cell);
    command.arg(target).args([format!("depth={depth}"), format!("secs={seconds}")]);
    command
}

/// Runs one cell over the offsets that belong to a round, with `more` settings.
pub(super) fn run_one_cell(
    one_cell: &Path,
    target: &Path,
    depth: u32,
    round: usize,
    more: &[&str],
) -> Result<Reading> {
    let mut command = one_cell_command(one_cell, target, depth, RUN_SECONDS);
    command.arg(format!("seed={}", round + 1)).args(more);
    parse_reading(&process::capture_stdout(&mut command)?)
}

pub(super) fn parse_reading(text: &str) -> Result<Reading> {
    let line: Value = serde_json::from_str(text).context("one_cell did not print JSON")?;
    ensure!(line["ended"] == "Done", "one_cell ended with {}", line["ended"]);
    let field = |name: &str| number_at(&line, &format!("/{name}"));
    Ok(Reading {
        iops: field("iops")?,
        mean_ns: field("mean")?,
        p50_ns: field("p50")?,
        p99_ns: field("p99")?,
        operations: field("asked_ops")?,
        user_ns: field("user_ns_per_op")?,
        system_ns: field("sys_ns_per_op")?,
    })
}

/// Runs fio over the offsets that belong to a round, as a cell reads, with `more` options.
pub(super) fn run_fio(
    engine: &str,
    target: &Path,
    depth: u32,
    round: usize,
    more: &[&str],
) -> Result<Reading> {
    let own = [
        format!("--ioengine={engine}"),
        format!("--filename={}", target.display()),
        format!("--iodepth={depth}"),
        format!("--runtime={RUN_SECONDS}"),
        format!("--randseed={}", round + 1),
    ];
    let mut command = Command::new("fio");
    command.args(["--name=reads", "--readonly", "--rw=randread", "--bs=4k", "--direct=1"]);
    // Both sides' percentiles are of the whole time, submission and completion.
    command.args(["--time_based", "--lat_percentiles=1", "--clat_percentiles=0"]);
    command.args(own).args(more);
    parse_fio_reads(&run_fio_command(&mut command)?)
}

fn parse_fio_reads(value: &Value) -> Result<Reading> {
    let field = |name: &str| number_at(value, &format!("/jobs/0/{name}"));
    ensure!(field("error")? == 0.0, "fio's job ended with error {}", field("error")?);
    let operations = field("read/total_ios")?;
    // Per cent of the job's time in milliseconds: 10^4 ns of processor time each.
    let per_operation_ns = field("job_runtime")? * 1e4 / operations;
    Ok(Reading {
        iops: field("read/iops")?,
        mean_ns: field("read/lat_ns/mean")?,
        p50_ns: field("read/lat_ns/percentile/50.000000")?,
        p99_ns: field("read/lat_ns/percentile/99.000000")?,
        operations,
        user_ns: field("usr_cpu")? * per_operation_ns,
        system_ns: field("sys_cpu")? * per_operation_ns,
    })
}

pub(crate) fn number_at(value: &Value, pointer: &str) -> Result<f64> {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.with_context(|| format!("there is no number at {pointer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_a_number_of_them() {
        assert_eq!(parse_rounds("3 ").unwrap(), 3);
        for wrong in ["", "0", "-1", "two"] {
            assert!(parse_rounds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_missing_tool_is_named() {
        require_tools(&["sh"]).unwrap();
        let error = require_tools(&["sh", "no-such-program-here"]).unwrap_err().to_string();
        assert!(error.contains("calls no-such-program-here"), "{error}");
    }

    #[test]
    fn cargo_says_where_programs_are() {
        let messages = "{\"executable\":null,\"target\":{\"name\":\"floor\"}}\n\
                        {\"executable\":\"/t/floor-1\",\"target\":{\"name\":\"floor\"}}\n\
                        not json\n{\"reason\":\"build-finished\"}";
        assert_eq!(find_executable(messages, "floor"), Some(PathBuf::from("/t/floor-1")));
        assert_eq!(find_executable(messages, "one_cell"), None);
    }

    #[test]
    fn a_cells_line_is_read() {
        let line = "{\"direction\":\"read\",\"iops\":10.5,\"mean\":2.0,\"p50\":1,\"p99\":3,\
                    \"asked_ops\":12,\"user_ns_per_op\":4.0,\"sys_ns_per_op\":5.0,\
                    \"ended\":\"Done\"}";
        let reading = parse_reading(line).unwrap();
        let expected = Reading {
            iops: 10.5,
            mean_ns: 2.0,
            p50_ns: 1.0,
            p99_ns: 3.0,
            operations: 12.0,
            user_ns: 4.0,
            system_ns: 5.0,
        };
        assert_eq!(reading, expected);
        assert!(parse_reading(&line.replace("Done", "Failed")).is_err());
        assert!(parse_reading("").is_err());
    }

    #[test]
    fn fios_job_is_read() {
        let text = "{\"jobs\":[{\"error\":0,\"job_runtime\":2000,\"usr_cpu\":1.0,\"sys_cpu\":10.0,\
                    \"read\":{\"iops\":500.0,\"total_ios\":1000,\"lat_ns\":{\"mean\":7.0,\
                    \"percentile\":{\"50.000000\":6,\"99.000000\":9}}}}]}";
        let reading = parse_fio_reads(&serde_json::from_str(text).unwrap()).unwrap();
        // 1 % of 2 s is 20 ms, over 1000 operations.
        assert_eq!((reading.user_ns, reading.system_ns), (20_000.0, 200_000.0));
        assert_eq!((reading.iops, reading.mean_ns), (500.0, 7.0));
        assert_eq!((reading.p50_ns, reading.p99_ns), (6.0, 9.0));
        let failed = text.replace("\"error\":0", "\"error\":5");
        assert!(parse_fio_reads(&serde_json::from_str(&failed).unwrap()).is_err());
        let error = parse_fio_reads(&serde_json::json!({})).unwrap_err().to_string();
        assert_eq!(error, "there is no number at /jobs/0/error");
    }
}
