//! The bench `history`: how long a list and a trend take over a long history.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use lab::Scratch;
use serde_json::Value;

use super::harness::{Bench, BenchContext, Bound, Section, median};
use xtask::process;

const RUNS: usize = 10_000;

pub(super) const BENCH: Bench = Bench {
    name: "history",
    heading: "A long history",
    method: "A history of 10000 runs in SQLite, of one target: the whole command, from start to \
             end, median of the rounds.",
    columns: "command | ms | n",
    tools: &[],
    rounds: 11,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let scratch = Scratch::new()?;
    let home = scratch.path();
    let lines = home.join("runs.jsonl");
    std::fs::write(&lines, generate_runs(context.root, RUNS)?)
        .with_context(|| format!("cannot write {}", lines.display()))?;
    let begun = Instant::now();
    let kept = run_history(&truedisk, home, &["import", &lines.to_string_lossy()])?;
    let keeping = begun.elapsed().as_secs_f64() / RUNS as f64 * 1e3;
    ensure!(kept.lines().count() == RUNS, "{} runs were kept", kept.lines().count());
    let first = ["keeping one run, of many in a row".into(), format!("{keeping:.1}"), "1".into()];
    section.add_row(first);
    let commands: [(&str, &[&str], f64); 3] = [
        ("history list", &["list"], 100.0),
        ("history list -n 0", &["list", "-n", "0"], 100.0),
        ("history trend", &["trend", "/srv/data"], 300.0),
    ];
    for (name, arguments, ms_max) in commands {
        let ms = median(&context.repeat(|_| time_history(&truedisk, home, arguments))?);
        section.add_row([name.to_owned(), format!("{ms:.1}"), context.rounds.to_string()]);
        section.require_with_unit(name, Bound::AtMost(ms_max), ms, " ms");
    }
    Ok(())
}

/// The record of the tests, again and again, an hour apart, each with figures of its own.
fn generate_runs(root: &Path, count: usize) -> Result<String> {
    let golden = root.join("crates/record/tests/golden/v1.json");
    let text = std::fs::read_to_string(&golden)
        .with_context(|| format!("cannot read {}", golden.display()))?;
    let mut record: Value = serde_json::from_str(&text).context("the golden record is odd")?;
    let iops = record["cells"][0]["totals"]["read"]["iops"].as_f64().context("no IOPS")?;
    let mut lines = String::new();
    for number in 0..count {
        let time = start_of_run(number);
        record["id"] = format!("{}-{number:08x}", time.replace(['-', ':'], "")).into();
        record["started"] = time.clone().into();
        record["finished"] = time.into();
        let noise = 1.0 + 0.01 * ((number * 7919 % 101) as f64 / 50.0 - 1.0);
        record["cells"][0]["totals"]["read"]["iops"] = (iops * noise).into();
        writeln!(lines, "{record}")?;
    }
    Ok(lines)
}

fn start_of_run(number: usize) -> String {
    let (day, hour) = (number / 24, number % 24);
    // Months of 28 days keep every date a real one.
    let (year, month) = (2020 + day / 336, day % 336 / 28 + 1);
    format!("{year}-{month:02}-{:02}T{hour:02}:00:00Z", day % 28 + 1)
}

fn run_history(truedisk: &Path, home: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(truedisk);
    command.arg("history").args(arguments);
    command.env("XDG_DATA_HOME", home).env_remove("TRUEDISK_HISTORY");
    process::capture_stdout(&mut command)
}

fn time_history(truedisk: &Path, home: &Path, arguments: &[&str]) -> Result<f64> {
    let begun = Instant::now();
    run_history(truedisk, home, arguments)?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ten_thousand_runs_have_ids_and_times_of_their_own() {
        let times: BTreeSet<String> = (0..RUNS).map(start_of_run).collect();
        assert_eq!(times.len(), RUNS);
        assert_eq!(times.first().unwrap(), "2020-01-01T00:00:00Z");

        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let lines = generate_runs(root, 2).unwrap();
        let runs: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(runs.len(), 2);
        assert_eq!(runs[1]["started"], "2020-01-01T01:00:00Z");
        assert_ne!(runs[0]["id"], runs[1]["id"]);
    }
}
