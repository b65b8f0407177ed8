//! What `cargo xtask lab` is asked for.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use lab::Scenario;

pub(super) const USAGE: &str = "\
usage: cargo xtask lab list
       cargo xtask lab up NAME
       cargo xtask lab score [NAME...] [--controls] [--runs N] [--jobs N] [--file PATH]
                             [--binary PATH] [--table] [--write]";

/// Runs of each scenario by default: what the table in BENCHMARKS.md asks for.
pub(super) const DEFAULT_RUNS: u32 = 20;
/// More at a time than this leave no loop devices for other programs: there are eight.
const JOBS_MAX: usize = 4;

#[derive(Debug, Default, PartialEq)]
pub(super) struct ScoreOptions {
    pub(super) names: Vec<String>,
    pub(super) controls: bool,
    pub(super) runs: u32,
    /// At a time, of those whose disk is throttled.
    pub(super) jobs: usize,
    /// The raw outcomes; by default a file in the repository's root.
    pub(super) file: Option<PathBuf>,
    pub(super) table: bool,
    /// Instead of a release build of this repository.
    pub(super) binary: Option<PathBuf>,
    pub(super) write: bool,
}

pub(super) fn find_scenario(name: &str) -> Result<Scenario> {
    let found = lab::find_scenario(name);
    found.with_context(|| format!("no scenario '{name}'\nhint: `cargo xtask lab list` has them"))
}

pub(super) fn parse_score_options(words: &[String]) -> Result<ScoreOptions> {
    let mut score = ScoreOptions { runs: DEFAULT_RUNS, jobs: 1, ..ScoreOptions::default() };
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
            "--runs" => {
                let runs = words.next().and_then(|n| n.parse().ok()).filter(|runs| *runs > 0);
                score.runs = runs.context("--runs takes a number of runs\nhint: --runs 20")?;
            }
            "--file" => score.file = Some(words.next().context("--file takes a path")?.into()),
            "--binary" => {
                score.binary = Some(words.next().context("--binary takes a path")?.into());
            }
            flag if flag.starts_with('-') => bail!("no such option {flag}\n{USAGE}"),
            name => score.names.push(find_scenario(name)?.name.to_owned()),
        }
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

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
