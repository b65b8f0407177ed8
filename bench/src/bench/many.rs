//! The bench `many`: many jobs at once, and how fast time passes on a virtual clock.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Result;
use serde_json::Value;

use super::harness::{
    Bench, BenchContext, Bound, Section, median, number_at, one_cell_command, scratch_file,
};
use xtask::process;

const FILE_BYTES: u64 = 512 << 20;
const DEPTH: u32 = 16;
const SECONDS: u32 = 4;

pub(super) const BENCH: Bench = Bench {
    name: "many",
    heading: "Many jobs, and virtual time",
    method: "64 jobs of depth 16 on one 512 MiB file for 4 s: the least and the most that one of \
             them got, by the mean. Simulated: random reads at depth 32 of an SSD of 32 channels \
             for 45 virtual seconds, operations by seconds of the process, its start included.",
    columns: "figure | median | least | most | n",
    tools: &[],
    rounds: 7,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    let shares = context.repeat(|round| {
        let mut command = one_cell_command(&one_cell, &file, DEPTH, SECONDS);
        command.args(["instances=64", &format!("seed={}", round + 1)]);
        let line: Value = process::capture_json(&mut command)?;
        Ok([number_at(&line, "/least")?, number_at(&line, "/most")?])
    })?;
    let simulated = context.repeat(|_| measure_simulated_rate(&one_cell))?;
    let [least, most] = [0, 1].map(|side| shares.iter().map(|share| share[side]).collect());
    for (name, values, bound) in [
        ("least share of a job", least, Bound::AtLeast(0.9)),
        ("largest share of a job", most, Bound::AtMost(1.1)),
        ("simulated operations a second", simulated, Bound::AtLeast(5e6)),
    ] {
        let values: Vec<f64> = values;
        section.add_spread(&[name], &values, 3);
        section.require(name, bound, median(&values));
    }
    Ok(())
}

/// Simulated operations per second of real time; 45 virtual seconds are some ten million.
fn measure_simulated_rate(one_cell: &Path) -> Result<f64> {
    let mut command = Command::new(one_cell);
    command.args(["simulated", "depth=32", "secs=45"]);
    let started = Instant::now();
    let line: Value = process::capture_json(&mut command)?;
    Ok(number_at(&line, "/ops")? / started.elapsed().as_secs_f64())
}
