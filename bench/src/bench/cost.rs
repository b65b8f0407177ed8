//! The bench `cost`: what a cell takes besides the disk's own time.

use std::path::Path;
use std::process::{Command, Stdio};

use super::harness::{
    Bench, BenchContext, Bound, RUN_SECONDS, Section, median, one_cell_command, parse_reading,
    round_override, run_alternately, scratch_file, time_command, watch_process,
};
use anyhow::{Context as _, Result, ensure};
use xtask::process;

const FILE_BYTES: u64 = 256 << 20;
const TRACED_SECONDS: u32 = 3;
/// Runs that are traced, or whose memory is watched.
const RUNS: usize = 3;
const MIB: f64 = 1024.0 * 1024.0;

pub(super) const BENCH: Bench = Bench {
    name: "cost",
    heading: "What a cell costs",
    method: "Random 4 KiB `O_DIRECT` reads of a 256 MiB file by `one_cell`: calls of \
             `io_uring_enter` that `strace -f -c` counts in 3 s at depth 1, by operations asked \
             for; peak resident memory (`VmHWM`) of a 2 s run at depth 64; time from start to end \
             of the process with a cell of 1 s, less that of a process of the same kind that \
             returns at once (`floor` without arguments), the two taking turns.",
    columns: "figure | median | least | most | n",
    tools: &["strace"],
    rounds: 7,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let [one_cell, floor] = context.build_one_cell_and_floor()?;
    let (scratch, file) = scratch_file(FILE_BYTES)?;
    let (mut calls, mut resident) = (Vec::new(), Vec::new());
    for _ in 0..round_override()?.unwrap_or(RUNS) {
        calls.push(count_calls_per_operation(&one_cell, &file, scratch.path())?);
        resident.push(measure_peak_memory(&one_cell, &file)? / MIB);
    }
    let start = run_alternately(
        context.rounds,
        || time_command(&mut one_cell_command(&one_cell, &file, 1, 1)),
        || time_command(&mut Command::new(&floor)),
    )?;
    let cell: Vec<f64> = start.a.iter().zip(&start.b).map(|(all, start)| all - start).collect();
    for (name, values) in [
        ("system calls per operation", &calls),
        ("resident memory, MiB", &resident),
        ("process with a cell of 1 s, s", &start.a),
        ("process that returns at once, s", &start.b),
        ("cell of 1 s, s", &cell),
    ] {
        section.add_spread(&[name], values, 4);
    }
    // 1.00 to two decimals.
    let once = Bound::Within(0.995, 1.005);
    section.require("system calls per operation at depth 1", once, median(&calls));
    let memory = Bound::AtMost(32.0);
    section.require_with_unit("resident memory at depth 64", memory, median(&resident), " MiB");
    let duration = Bound::AtMost(1.05);
    section.require_with_unit("duration of a cell of 1 s", duration, median(&cell), " s");
    Ok(())
}

fn count_calls_per_operation(one_cell: &Path, file: &Path, folder: &Path) -> Result<f64> {
    let table = folder.join("strace.txt");
    let cell = one_cell_command(one_cell, file, 1, TRACED_SECONDS);
    let mut command = Command::new("strace");
    command.args(["-f", "-c", "-e", "trace=io_uring_enter", "-o"]).arg(&table);
    command.arg(cell.get_program()).args(cell.get_args());
    let reading = parse_reading(&process::capture_stdout(&mut command)?)?;
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

fn measure_peak_memory(one_cell: &Path, file: &Path) -> Result<f64> {
    let mut command = one_cell_command(one_cell, file, 64, RUN_SECONDS);
    let line = process::command_line(&command);
    let child = command.stdout(Stdio::null()).spawn();
    let (cost, status) =
        watch_process(&mut child.with_context(|| format!("cannot run `{line}`"))?)?;
    ensure!(status.success(), "`{line}` failed ({status})");
    ensure!(cost.peak_bytes > 0.0, "`{line}` ended before its memory was read");
    Ok(cost.peak_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::process_cost::parse_peak;
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
        assert_eq!(parse_peak(status), Some(f64::from(2 << 20)));
        assert_eq!(parse_peak("Name:\tzombie\n"), None);
    }
}
