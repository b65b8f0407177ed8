//! The bench `aa`: whether `compare` finds a difference between a thing and itself.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::harness::{Bench, BenchContext, Bound, Section, scratch_file};
use xtask::process;

/// Visits to each side: the fewest that carry an interval.
const VISITS: u32 = 4;
const FILE_BYTES: u64 = 256 << 20;

#[derive(Debug, Default)]
struct VerdictCounts {
    cells: usize,
    differs: usize,
    same: usize,
    open: usize,
    /// Comparisons of which the whole was said to differ.
    whole: usize,
    noise: Vec<f64>,
}

pub(super) const BENCH: Bench = Bench {
    name: "aa",
    heading: "A thing against itself",
    method: "`truedisk compare --interleave` of one written file of 256 MiB with itself: random \
             reads of 4 KiB at depths 1 and 16, 150 ms each, four visits to each side in turns. \
             Every verdict of a difference is wrong. On a shared machine what a neighbour does \
             falls on both sides.",
    columns: "comparisons | cells | differs | the same | cannot tell | noise between runs",
    tools: &[],
    rounds: 40,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let truedisk = context.build_truedisk()?;
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    let mut counts = VerdictCounts::default();
    for _ in 0..context.rounds {
        count_verdicts(&mut counts, &run_comparison(&truedisk, &file)?)?;
    }
    counts.noise.sort_by(f64::total_cmp);
    let noise = counts.noise.get(counts.noise.len() / 2).copied().unwrap_or(0.0);
    let figures = [context.rounds, counts.cells, counts.differs, counts.same, counts.open];
    let figures = figures.map(|count| count.to_string()).into_iter();
    section.add_row(figures.chain([format!("{:.1} %", 100.0 * noise)]));
    let share = |wrong: usize, all: usize| wrong as f64 / all.max(1) as f64;
    let cells = share(counts.differs, counts.cells);
    section.require("cells said to differ", Bound::AtMost(0.05), cells);
    let whole = share(counts.whole, context.rounds);
    section.require("comparisons said to differ as a whole", Bound::AtMost(0.05), whole);
    Ok(())
}

fn run_comparison(truedisk: &Path, file: &Path) -> Result<Value> {
    let mut command = Command::new(truedisk);
    command.args(["compare", "--interleave", "--read-only", "--quiet", "--json", "-"]);
    command.args(["--rw", "randread", "--depth", "1,16", "--cell-time", "150ms"]);
    command.args(["--visits", &VISITS.to_string()]).arg(file).arg(file);
    process::capture_json(&mut command)
}

fn count_verdicts(counts: &mut VerdictCounts, comparison: &Value) -> Result<()> {
    let pair = comparison.pointer("/pairs/0").context("no pair in the comparison")?;
    let outcome = |effect: &Value| effect.get("outcome").and_then(Value::as_str).map(str::to_owned);
    let differs = |word: &str| word == "faster" || word == "slower";
    for cell in pair.get("cells").and_then(Value::as_array).context("no cells in it")? {
        let effect = cell.pointer("/figures/0/effect").context("no effect of a cell")?;
        counts.cells += 1;
        counts.noise.extend(effect.get("noise").and_then(Value::as_f64));
        match outcome(effect).as_deref() {
            Some(word) if differs(word) => counts.differs += 1,
            Some("same") => counts.same += 1,
            _ => counts.open += 1,
        }
    }
    let whole = pair.get("overall").and_then(outcome);
    counts.whole += usize::from(whole.is_some_and(|word| differs(&word)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn verdicts_are_counted() {
        let cell =
            |outcome: &str| json!({"figures": [{"effect": {"outcome": outcome, "noise": 0.02}}]});
        let comparison = json!({"pairs": [{
            "cells": [cell("faster"), cell("same"), cell("cannot_tell"), cell("slower")],
            "overall": {"outcome": "slower"},
        }]});
        let mut counts = VerdictCounts::default();
        count_verdicts(&mut counts, &comparison).unwrap();
        let VerdictCounts { cells, differs, same, open, whole, noise } = counts;
        assert_eq!((cells, differs, same, open, whole, noise.len()), (4, 2, 1, 1, 1, 4));
        assert!(count_verdicts(&mut VerdictCounts::default(), &json!({})).is_err());
    }
}
