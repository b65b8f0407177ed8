//! `cargo xtask lab`: the disks that lie, for people, and the score of the truth checks on them.
//!
//! `list` names the scenarios. `up NAME` builds one and holds it until Enter or Ctrl-C. `score`
//! runs `truedisk check` on them again and again, and tells how often the truth was found, what
//! else was cried, and what fio prints of the same disk. Every run is appended to a file of raw
//! outcomes, of which the table is made: the runs may be gathered over several nights.

mod fio;
mod hold;
mod outcome_file;
mod scenario_runs;
mod score;
mod score_plan;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use lab::Scenario;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask lab list
       cargo xtask lab up NAME
       cargo xtask lab score [NAME...] [--controls] [--runs N] [--jobs N] [--file PATH]
                             [--binary PATH] [--table] [--write]";

/// Runs each so often unless told: what the table in BENCHMARKS.md asks for.
const DEFAULT_RUNS: u32 = 20;
/// More at a time than this leave no loop devices for anybody else: there are eight.
const JOBS_MAX: usize = 4;

/// What `score` is asked for.
#[derive(Debug, PartialEq)]
struct ScoreOptions {
    /// All without a name.
    names: Vec<String>,
    /// Plain disks only.
    controls: bool,
    runs: u32,
    /// At a time, of those whose disk is held back.
    jobs: usize,
    /// The raw outcomes; of its own in the repository's root unless told.
    file: Option<PathBuf>,
    /// Run nothing: the table of what is in the file.
    table: bool,
    /// Instead of a release build of this repository.
    binary: Option<PathBuf>,
    /// Into BENCHMARKS.md.
    write: bool,
}

/// Does what the arguments say.
///
/// # Errors
/// When they say nothing known, or a scenario cannot be built or undone.
pub fn run(root: &Path, arguments: &[String]) -> Result<Outcome> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => list_scenarios(),
        ["up", name] => hold::hold_scenario(&find_scenario(name)?),
        ["score", ..] => score::run(root, &parse_score_options(&arguments[1..])?),
        _ => bail!("{USAGE}"),
    }
}

fn list_scenarios() -> Result<Outcome> {
    for scenario in lab::all_scenarios() {
        println!("{:24} {}", scenario.name, scenario.about);
        let truth: Vec<String> =
            scenario.truth.raises.iter().map(|(id, status)| format!("{id}: {status}")).collect();
        let truth = if truth.is_empty() { "nothing".to_owned() } else { truth.join(", ") };
        let missing = scenario.require().err().map(|missing| format!("; here it {missing}"));
        println!("{:24} raises {truth}{}", "", missing.unwrap_or_default());
    }
    Ok(Outcome::Passed)
}

fn find_scenario(name: &str) -> Result<Scenario> {
    let found = lab::find_scenario(name);
    found.with_context(|| format!("no scenario '{name}'\nhint: `cargo xtask lab list` has them"))
}

fn parse_score_options(words: &[String]) -> Result<ScoreOptions> {
    let mut score = ScoreOptions {
        names: Vec::new(),
        controls: false,
        runs: DEFAULT_RUNS,
        jobs: 1,
        file: None,
        table: false,
        binary: None,
        write: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--controls" => score.controls = true,
            "--write" => score.write = true,
            "--table" => score.table = true,
            "--jobs" => {
                let jobs = words.next().and_then(|n| n.parse().ok());
                let jobs = jobs.filter(|jobs| (1..=JOBS_MAX).contains(jobs));
                score.jobs = jobs.with_context(|| format!("--jobs takes 1 to {JOBS_MAX}"))?;
            }
            "--file" => {
                let path = words.next().context("--file takes a path")?;
                score.file = Some(PathBuf::from(path));
            }
            "--runs" => {
                let runs = words.next().and_then(|n| n.parse().ok()).filter(|runs| *runs > 0);
                score.runs = runs.context("--runs takes a number of runs\nhint: --runs 20")?;
            }
            "--binary" => {
                let path = words.next().context("--binary takes a path")?;
                score.binary = Some(PathBuf::from(path));
            }
            flag if flag.starts_with('-') => bail!("no such option {flag}\n{USAGE}"),
            name => score.names.push(find_scenario(name)?.name.to_owned()),
        }
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<ScoreOptions> {
        parse_score_options(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_scored_is_read_from_the_line() {
        let score = parsed("stall --runs 3 host-cache --write").unwrap();
        assert_eq!(score.names, ["stall", "host-cache"]);
        assert_eq!((score.runs, score.write, score.controls), (3, true, false));
        assert_eq!((parsed("").unwrap().runs, parsed("").unwrap().jobs), (20, 1));
        let score = parsed("--jobs 3 --table --file night.jsonl").unwrap();
        assert_eq!((score.jobs, score.table), (3, true));
        assert_eq!(score.file.as_deref(), Some(Path::new("night.jsonl")));
        let numbers = ["--runs", "--runs 0", "--runs x", "--jobs", "--jobs 0", "--jobs 9"];
        let others = ["--what", "no-such-disk", "--binary", "--file"];
        for wrong in numbers.iter().chain(&others) {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
