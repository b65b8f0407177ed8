//! `cargo xtask lab`: the disks that lie, and the score of the truth checks on them.

mod fio;
mod hold;
mod options;
mod outcome_file;
mod scenario_runs;
mod score;
mod score_plan;
mod table;

use std::path::Path;

use anyhow::{Result, bail};

use options::{USAGE, find_scenario, parse_score_options};

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<bool> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => list_scenarios(),
        ["up", name] => hold::hold_scenario(&find_scenario(name)?),
        ["score", ..] => score::run(root, &parse_score_options(&arguments[1..])?),
        _ => bail!("{USAGE}"),
    }
}

fn list_scenarios() -> Result<bool> {
    for scenario in lab::all_scenarios() {
        println!("{:24} {}", scenario.name, scenario.about);
        let truth: Vec<String> =
            scenario.truth.raises.iter().map(|(id, status)| format!("{id}: {status}")).collect();
        let truth = if truth.is_empty() { "nothing".to_owned() } else { truth.join(", ") };
        let missing = scenario.require().err().map(|missing| format!("; here it {missing}"));
        println!("{:24} raises {truth}{}", "", missing.unwrap_or_default());
    }
    Ok(true)
}
