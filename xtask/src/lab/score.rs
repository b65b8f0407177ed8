//! Running the check on the scenarios, again and again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use lab::{Scenario, Situation};
use record::Record;

use super::outcome::Runs;
use super::{Score, fio, table};
use crate::bench::{DOCUMENT, Environment, document};
use crate::{Outcome, process};

/// Marks the section in BENCHMARKS.md.
const SECTION: &str = "lab";

/// Runs them, prints the table, and says whether all is as it must be.
pub(super) fn run(root: &Path, score: &Score) -> Result<Outcome> {
    let binary = match &score.binary {
        Some(binary) => binary.clone(),
        None => build(root)?,
    };
    let mut all = Vec::new();
    for scenario in chosen(score) {
        if let Err(missing) = scenario.require() {
            eprintln!("xtask: lab: {} is left out: it {missing}", scenario.name);
            continue;
        }
        let runs = runs_of(scenario, score.runs, &binary)
            .with_context(|| format!("scenario {}", scenario.name))?;
        println!("{}", table::line(&runs));
        all.push(runs);
    }
    let environment = Environment::of_this_machine(root)?;
    let section = format!("{}\n\n{}\n", table::markdown(&all).trim(), environment.stamp());
    println!("\n{section}");
    if score.write {
        write(&root.join(DOCUMENT), &section)?;
    }
    Ok(Outcome::of(!all.is_empty() && all.iter().all(Runs::is_well)))
}

fn chosen(score: &Score) -> Vec<Scenario> {
    let named = |scenario: &Scenario| score.names.iter().any(|name| name == scenario.name);
    let asked = |scenario: &Scenario| score.names.is_empty() || named(scenario);
    let kind = |scenario: &Scenario| !score.controls || scenario.is_control();
    lab::scenarios().into_iter().filter(|s| asked(s) && kind(s)).collect()
}

fn build(root: &Path) -> Result<PathBuf> {
    process::run(&mut process::cargo(root, &["build", "--release", "--quiet", "-p", "truedisk"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |folder| root.join(folder));
    Ok(target.join("release/truedisk"))
}

/// Each run has a situation of its own, built anew: credits spent and blocks touched would differ.
fn runs_of(scenario: Scenario, count: u32, binary: &Path) -> Result<Runs> {
    let mut runs = Runs::new(scenario);
    for n in 1..=count {
        eprintln!("xtask: lab: {} {n} of {count}", scenario.name);
        let situation = scenario.up()?;
        match check(&situation, binary) {
            Ok(record) => runs.add(&record),
            Err(error) => {
                runs.failed += 1;
                eprintln!("xtask: lab: {}: {error:#}", scenario.name);
            }
        }
        situation.down()?;
    }
    if process::installed("fio") {
        let situation = scenario.up()?;
        match fio::ask(&situation) {
            Ok(printed) => runs.fio = Some(printed),
            Err(error) => eprintln!("xtask: lab: {}: {error:#}", scenario.name),
        }
        situation.down()?;
    }
    Ok(runs)
}

/// A quick check that keeps nothing; its record.
fn check(situation: &Situation, binary: &Path) -> Result<Record> {
    let mut command = Command::new(binary);
    command.args(["check", "--quick", "--json", "-", "--no-history"]);
    command.args(situation.arguments()).env("XDG_DATA_HOME", "/nonexistent");
    let output = situation.run(&command).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", binary.display()))?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{} printed no record ({}): {}", binary.display(), output.status, said.trim())
    })
}

fn write(path: &Path, section: &str) -> Result<()> {
    let old =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let new = document::replace(&old, SECTION, section)?;
    std::fs::write(path, new).with_context(|| format!("cannot write {}", path.display()))
}
