//! The bench `many`: many jobs at once, and how fast time passes on a virtual clock.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result};
use lab::Scratch;
use serde_json::Value;

use super::section::{Bound, Section};
use super::{BenchContext, median, programs};
use crate::process;

const FILE_BYTES: u64 = 512 << 20;
const ROUNDS: usize = 7;
const INSTANCES: u32 = 64;
const DEPTH: u32 = 16;
const SECONDS: u32 = 4;
/// Virtual seconds of the simulated run: some ten million operations.
const VIRTUAL_SECONDS: u32 = 45;

/// Gives the section.
pub(super) fn section(setting: &BenchContext) -> Result<String> {
    let n = programs::round_count(ROUNDS)?;
    let one_cell = programs::build_one_cell(setting.root)?;
    let scratch = Scratch::new()?;
    let file = lab::written_file(scratch.path(), "random.bin", FILE_BYTES)?;
    let mut section = Section::new(
        "Many jobs, and virtual time",
        format!(
            "{INSTANCES} jobs of depth {DEPTH} on one 512 MiB file for {SECONDS} s: the least and \
             the most that one of them got, by the mean. Simulated: random reads at depth 32 of \
             an SSD of 32 channels for {VIRTUAL_SECONDS} virtual seconds, operations by seconds \
             of the process, its start included."
        ),
        &["figure", "median", "least", "most", "n"],
    );
    let (mut least, mut most) = (Vec::new(), Vec::new());
    for round in 0..n {
        let mut command = programs::one_cell_command(&one_cell, &file, DEPTH, SECONDS);
        command.args([format!("instances={INSTANCES}"), format!("seed={}", round + 1)]);
        let said: Value = serde_json::from_str(&process::capture_stdout(&mut command)?)?;
        least.push(programs::number_at(&said, "/least")?);
        most.push(programs::number_at(&said, "/most")?);
    }
    let simulated =
        (0..n).map(|_| measure_simulated_rate(&one_cell)).collect::<Result<Vec<_>>>()?;
    for (name, values) in [
        ("least share of a job", &least),
        ("largest share of a job", &most),
        ("simulated operations a second", &simulated),
    ] {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let figures = [median(values), least, most].map(|value| format!("{value:.3}"));
        section.add_row([name.to_owned()].into_iter().chain(figures).chain([n.to_string()]));
    }
    section.require("least share of a job", Bound::AtLeast(0.9), median(&least));
    section.require("largest share of a job", Bound::AtMost(1.1), median(&most));
    section.require("simulated operations a second", Bound::AtLeast(5e6), median(&simulated));
    Ok(section.render_markdown())
}

/// Simulated operations per second of real time.
fn measure_simulated_rate(one_cell: &Path) -> Result<f64> {
    let mut command = Command::new(one_cell);
    command.args(["simulated", "depth=32", &format!("secs={VIRTUAL_SECONDS}")]);
    let started = Instant::now();
    let text = process::capture_stdout(&mut command)?;
    let seconds = started.elapsed().as_secs_f64();
    let said: Value = serde_json::from_str(&text).context("one_cell did not print JSON")?;
    Ok(programs::number_at(&said, "/ops")? / seconds)
}
