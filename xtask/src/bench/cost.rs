//! The bench `cost`: what a cell takes besides the disk's own time.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use lab::Scratch;

use super::section::{Bound, Section};
use super::{BenchContext, median, programs, run_alternately};
use crate::process;

const FILE_BYTES: u64 = 256 << 20;
const TRACED_SECONDS: u32 = 3;
const RUNS: usize = 3;
const PAIRS: usize = 7;
const MIB: f64 = 1024.0 * 1024.0;

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    programs::require_tools(&["strace"])?;
    let (runs, pairs) = (programs::round_count(RUNS)?, programs::round_count(PAIRS)?);
    let [one_cell, floor] = programs::build_one_cell_and_floor(setting.root)?;
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "random.bin", FILE_BYTES)?;
    let mut calls = Vec::new();
    let mut resident = Vec::new();
    for _ in 0..runs {
        calls.push(count_calls_per_operation(&one_cell, &file, scratch.path())?);
        resident.push(measure_peak_memory(&one_cell, &file)? as f64 / MIB);
    }
    let start = run_alternately(
        pairs,
        || time_command(&mut programs::one_cell_command(&one_cell, &file, 1, 1)),
        || time_command(&mut Command::new(&floor)),
    )?;
    let cell: Vec<f64> = start.a.iter().zip(&start.b).map(|(all, start)| all - start).collect();
    let mut section = Section::new(
        "What a cell costs",
        format!(
            "Random 4 KiB `O_DIRECT` reads of a 256 MiB file by `one_cell`: calls of \
             `io_uring_enter` that `strace -f -c` counts in {TRACED_SECONDS} s at depth 1, by \
             operations asked for; peak resident memory (`VmHWM`) of a {} s run at depth 64; \
             time from start to end of the process with a cell of 1 s, less that of a process \
             of the same kind that returns at once (`floor` without arguments), the two taking \
             turns.",
            programs::SECONDS
        ),
        &["figure", "median", "least", "most", "n"],
    );
    add_row(&mut section, "system calls per operation", &calls);
    add_row(&mut section, "resident memory, MiB", &resident);
    add_row(&mut section, "process with a cell of 1 s, s", &start.a);
    add_row(&mut section, "process that returns at once, s", &start.b);
    add_row(&mut section, "cell of 1 s, s", &cell);
    // 1.00 to two decimals.
    let once = Bound::Within(0.995, 1.005);
    section.require("system calls per operation at depth 1", once, median(&calls));
    let most = Bound::AtMost(32.0);
    section.require_with_unit("resident memory at depth 64", most, median(&resident), " MiB");
    section.require_with_unit(
        "duration of a cell of 1 s",
        Bound::AtMost(1.05),
        median(&cell),
        " s",
    );
    Ok(section.render_markdown())
}

fn add_row(section: &mut Section, name: &str, values: &[f64]) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let figures = [median(values), least, most].map(|value| format!("{value:.4}"));
    let n = values.len().to_string();
    section.add_row(std::iter::once(name.to_owned()).chain(figures).chain([n]));
}

fn count_calls_per_operation(one_cell: &Path, file: &Path, folder: &Path) -> Result<f64> {
    let table = folder.join("strace.txt");
    let cell = programs::one_cell_command(one_cell, file, 1, TRACED_SECONDS);
    let mut command = Command::new("strace");
    command.args(["-f", "-c", "-e", "trace=io_uring_enter", "-o"]).arg(&table);
    command.arg(cell.get_program()).args(cell.get_args());
    let reading = programs::parse_reading(&process::capture_stdout(&mut command)?)?;
    let text = std::fs::read_to_string(&table)
        .with_context(|| format!("cannot read {}", table.display()))?;
    let calls = parse_calls(&text, "io_uring_enter")
        .with_context(|| format!("strace counted no io_uring_enter:\n{text}"))?;
    Ok(calls / reading.operations)
}

/// How often strace's table says that a call was made. The errors' column may be empty.
fn parse_calls(table: &str, call: &str) -> Option<f64> {
    table.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, _, _, calls, .., name] if name == call => calls.parse().ok(),
            _ => None,
        }
    })
}

/// The most memory that a run had at once.
fn measure_peak_memory(one_cell: &Path, file: &Path) -> Result<u64> {
    let mut command = programs::one_cell_command(one_cell, file, 64, programs::SECONDS);
    let line = process::command_line(&command);
    let mut child =
        command.stdout(Stdio::null()).spawn().with_context(|| format!("cannot run `{line}`"))?;
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let status = loop {
        // A process that has ended but was not waited for has no memory any more: no VmHWM.
        if let Ok(text) = std::fs::read_to_string(&path) {
            most = most.max(parse_peak(&text).unwrap_or(0));
        }
        if let Some(status) = child.try_wait().with_context(|| format!("cannot wait for {line}"))? {
            break status;
        }
        // sleeps because the kernel keeps the peak itself: only the last look must be late enough.
        thread::sleep(Duration::from_millis(10));
    };
    ensure!(status.success(), "`{line}` failed ({status})");
    ensure!(most > 0, "`{line}` ended before {path} was read");
    Ok(most)
}

/// `VmHWM` of /proc/PID/status, in bytes.
fn parse_peak(status: &str) -> Option<u64> {
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kib.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// How long a process takes from its start to its end.
fn time_command(command: &mut Command) -> Result<f64> {
    let started = Instant::now();
    process::capture_stdout(command)?;
    Ok(started.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straces_table_is_read_with_and_without_errors() {
        let table = "% time     seconds  usecs/call     calls    errors syscall\n\
                     ------ ----------- ----------- --------- --------- ----------------\n\
                     100.00    0.080076          29      2681         3 io_uring_enter\n\
                     ------ ----------- ----------- --------- --------- ----------------\n\
                     100.00    0.080076          29      2681         3 total\n";
        assert_eq!(parse_calls(table, "io_uring_enter"), Some(2681.0));
        let clean = table.replace("         3 ", " ");
        assert_eq!(parse_calls(&clean, "io_uring_enter"), Some(2681.0));
        assert_eq!(parse_calls(table, "read"), None);
    }

    #[test]
    fn the_peak_is_read() {
        let status = "Name:\tone_cell\nVmPeak:\t  9000 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 4 kB\n";
        assert_eq!(parse_peak(status), Some(2 << 20));
        assert_eq!(parse_peak("Name:\tzombie\n"), None);
    }
}
