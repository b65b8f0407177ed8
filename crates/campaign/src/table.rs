//! The table by kind of world, and the worlds that failed.

use crate::oracle::Outcome;
use crate::world::{KINDS, SimulatedWorld, kind_of};

/// A world that was measured and judged.
pub(crate) struct WorldResult {
    pub(crate) number: u64,
    pub(crate) world: SimulatedWorld,
    pub(crate) outcome: Outcome,
    /// The smallest world that fails in the same way, with its failure.
    pub(crate) shrunk: Option<(SimulatedWorld, String)>,
}

/// Blamed for what was not there, and missed: at most one world in this many.
const FALSE_BLAME_IN: usize = 200;
const MISSED_IN: usize = 20;
/// Intervals that cover the truth, as shares.
const COVERAGE: std::ops::RangeInclusive<f64> = 0.92..=0.98;

/// Prints everything; whether the failures are within the allowed shares.
pub(crate) fn print(results: &[WorldResult]) -> bool {
    println!(
        "| kind | worlds | wrong / figures | wrong limits | coverage | false blame | \
         missed / disturbed | cannot tell | no answer |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for kind in KINDS {
        let outcomes = results.iter().filter(|t| kind_of(t.number) == kind).map(|t| &t.outcome);
        print_row(kind, &outcomes.collect::<Vec<_>>());
    }
    let all: Vec<&Outcome> = results.iter().map(|result| &result.outcome).collect();
    print_row("all", &all);
    println!();
    for result in results.iter().filter(|result| result.outcome.failures().next().is_some()) {
        println!("world {} ({}): {:?}", result.number, kind_of(result.number), result.world);
        result.outcome.failures().for_each(|failure| println!("    {failure}"));
        if let Some((world, failure)) = &result.shrunk {
            println!("  shrunk: {world:?}\n    {failure}");
        }
    }
    is_allowed(&all)
}

fn count(outcomes: &[&Outcome], test: impl Fn(&Outcome) -> bool) -> usize {
    outcomes.iter().filter(|outcome| test(outcome)).count()
}

fn coverage(outcomes: &[&Outcome]) -> Option<f64> {
    let intervals: u32 = outcomes.iter().map(|outcome| outcome.intervals).sum();
    let covered: u32 = outcomes.iter().map(|outcome| outcome.covered).sum();
    (intervals > 0).then(|| f64::from(covered) / f64::from(intervals))
}

fn print_row(name: &str, outcomes: &[&Outcome]) {
    let figures: u32 = outcomes.iter().map(|outcome| outcome.figures).sum();
    let wrong: usize = outcomes.iter().map(|outcome| outcome.wrong_figures.len()).sum();
    let limits: usize = outcomes.iter().map(|outcome| outcome.wrong_limits.len()).sum();
    let covered = coverage(outcomes)
        .map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0));
    println!(
        "| {name} | {} | {wrong} / {figures} | {limits} | {covered} | {} | {} / {} | {} | {} |",
        outcomes.len(),
        count(outcomes, |outcome| !outcome.false_blame.is_empty()),
        count(outcomes, |outcome| !outcome.missed.is_empty()),
        count(outcomes, |outcome| outcome.disturbed),
        count(outcomes, |outcome| outcome.cannot_tell),
        count(outcomes, |outcome| outcome.no_answer),
    );
}

fn is_allowed(outcomes: &[&Outcome]) -> bool {
    let right =
        |outcome: &&&Outcome| outcome.wrong_figures.is_empty() && outcome.wrong_limits.is_empty();
    let blamed = count(outcomes, |outcome| !outcome.false_blame.is_empty());
    let missed = count(outcomes, |outcome| !outcome.missed.is_empty());
    let disturbed = count(outcomes, |outcome| outcome.disturbed);
    outcomes.iter().all(|outcome| right(&outcome))
        && blamed * FALSE_BLAME_IN <= outcomes.len()
        && missed * MISSED_IN <= disturbed
        && coverage(outcomes).is_none_or(|share| COVERAGE.contains(&share))
}
