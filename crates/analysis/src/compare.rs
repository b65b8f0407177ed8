//! Two or more groups of runs, compared by cells of the same job and by the logarithms of their
//! figures. The unit is the run, not the operation.
//! - Four runs of each side and more: Hodges and Lehmann's interval of the ratio.
//! - One run of each: the intervals within the runs; a verdict only beyond what runs differ by.
//! - Figures without an interval: their ratio, and no verdict.

mod caps;
mod differences;
mod effect;
mod figures;
mod group;
mod headline;
mod hosts;
mod key;
mod watches;

use message::{Message, Names, label, messages};
use record::compare::{
    COMPARISON_VERSION, CellComparison, Comparison, Excluded, Outcome, Pair, Run, Side, Unmatched,
};
use record::{Record, Tool};

pub use effect::is_narrow;
use figures::{CellSample, SideSamples, sample_side};
pub use group::{CompareError, ComparisonCriteria, Group};
use key::JobKey;
pub use watches::compare_watches;

struct SampledSide<'a> {
    label: String,
    group: &'a Group<'a>,
    sampled: SideSamples,
}

/// Holds every group against the first.
///
/// # Errors
/// When there is nothing to compare, or two sides have no job in common.
pub fn compare_groups(
    groups: &[Group<'_>],
    terms: &ComparisonCriteria,
) -> Result<Comparison, CompareError> {
    if groups.len() < 2 || groups.iter().any(|group| group.runs.is_empty()) {
        return Err(CompareError::TooFew);
    }
    let gathered: Vec<SampledSide<'_>> = groups
        .iter()
        .enumerate()
        .map(|(place, group)| {
            let label = side_label(place);
            SampledSide { sampled: sample_side(group, &label), label, group }
        })
        .collect();
    let sides = gathered.iter().map(build_side).collect();
    let mut pairs: Vec<Pair> = (1..gathered.len())
        .map(|place| compare_pair(&gathered[0], &gathered[place], place, terms))
        .collect::<Result<_, _>>()?;
    let comparisons = control_family(&mut pairs);
    let mut comparison = Comparison {
        comparison_version: COMPARISON_VERSION,
        tool: Tool { name: "truedisk".to_owned(), version: terms.version.clone() },
        sides,
        pairs,
        margin: terms.margin,
        least_effect: terms.least_effect,
        comparisons,
        family_runs_needed: stats::min_runs(0.05 / comparisons.max(1) as f64),
        currency: terms.currency.clone(),
    };
    headline::write_headlines(&mut comparison);
    Ok(comparison)
}

fn side_label(place: usize) -> String {
    match u8::try_from(place) {
        Ok(small @ 0..=25) => char::from(b'A' + small).to_string(),
        _ => (place + 1).to_string(),
    }
}

fn build_side(gathered: &SampledSide<'_>) -> Side {
    let run = |(record, source): &(&Record, String)| Run {
        id: record.measured.id.clone(),
        source: source.clone(),
        program: format!("{} {}", record.measured.tool.name, record.measured.tool.version),
        started: Some(record.measured.started),
    };
    Side {
        label: gathered.label.clone(),
        name: differences::side_name(gathered.group),
        runs: gathered.group.runs.iter().map(run).collect(),
        price: gathered.group.price,
        caps: caps::find_caps(gathered.group, &gathered.sampled),
    }
}

fn compare_pair(
    a: &SampledSide<'_>,
    b: &SampledSide<'_>,
    place: usize,
    terms: &ComparisonCriteria,
) -> Result<Pair, CompareError> {
    let prices = a.group.price.zip(b.group.price);
    let of = |mine: &CellSample, theirs: &CellSample| {
        figures::compare_samples(mine, theirs, &b.label, prices, terms)
    };
    let (ours, theirs) = (&a.sampled, &b.sampled);
    let mut cells: Vec<CellComparison> = Vec::new();
    let mut unmatched = Vec::new();
    for mine in &ours.cells {
        match theirs.cells.iter().find(|other| other.key == mine.key) {
            Some(other) => cells.extend(of(mine, other)),
            None => unmatched.push(describe_unmatched(a, mine, b)),
        }
    }
    let missing = |other: &&CellSample| !ours.cells.iter().any(|mine| mine.key == other.key);
    let missing = theirs.cells.iter().filter(missing);
    unmatched.extend(missing.map(|other| describe_unmatched(b, other, a)));
    let limit_of_both = |mine: &CellSample| {
        of(mine, theirs.limits.iter().find(|other| other.label.text() == mine.label.text())?)
    };
    let limits: Vec<CellComparison> = ours.limits.iter().filter_map(limit_of_both).collect();
    let excluded: Vec<Excluded> =
        [a, b].iter().flat_map(|side| side.sampled.excluded.clone()).collect();
    let left_out = ours.left_out_job_of(theirs) || theirs.left_out_job_of(ours);
    if cells.is_empty() && limits.is_empty() && !left_out {
        let why = explain_unlike(&unmatched, &excluded);
        return Err(CompareError::Unlike { a: a.label.clone(), b: b.label.clone(), why });
    }
    Ok(Pair {
        a: 0,
        b: place,
        headline: Message::default(),
        overall: effect::overall_effect(&cells, &b.label, terms),
        cells,
        limits,
        unmatched,
        excluded,
        hosts: hosts::compare_hosts(a.group, b.group, (&a.label, &b.label), terms),
        warnings: differences::list_warnings(a.group, b.group, (&a.label, &b.label)),
    })
}

fn describe_unmatched(
    side: &SampledSide<'_>,
    cell: &CellSample,
    other: &SampledSide<'_>,
) -> Unmatched {
    // Of those that differ in as much, one of the same workload, of the nearest depth.
    let distance = |theirs: &&CellSample| match (&cell.key, &theirs.key) {
        (Some(mine), Some(key)) => {
            let other = cell.workload != theirs.workload;
            (mine.list_differences(key).len(), other, cell.depth.abs_diff(theirs.depth))
        }
        _ => (usize::MAX, true, 0),
    };
    let nearest = other.sampled.cells.iter().min_by_key(distance).and_then(|theirs| {
        let differences = JobKey::list_differences(cell.key.as_ref()?, theirs.key.as_ref()?);
        let (side, is_near) = (other.label.clone(), differences.len() <= 2);
        is_near.then(|| HasItWith { side, differences: Names(differences) }.into())
    });
    Unmatched { side: side.label.clone(), label: cell.label.clone(), nearest }
}

fn explain_unlike(unmatched: &[Unmatched], excluded: &[Excluded]) -> Message {
    const NAMED: usize = 3;
    let named = |lone: &Unmatched| -> Message {
        let (side, cell) = (lone.side.clone(), lone.label.clone());
        match lone.nearest.clone() {
            Some(nearest) => HasCellLike { side, cell, nearest }.into(),
            None => HasCell { side, cell }.into(),
        }
    };
    let left_out = |left: &Excluded| -> Message {
        let Excluded { side, label, reason, .. } = left.clone();
        LeftOut { side, cell: label, reason }.into()
    };
    let lone = unmatched.iter().take(NAMED).map(named);
    let reasons: Vec<Message> = lone.chain(excluded.iter().take(NAMED).map(left_out)).collect();
    if reasons.is_empty() { label("compare-no-cell") } else { Reasons { reasons }.into() }
}

/// Adjusts all main figures of all pairs together, and returns their number.
fn control_family(pairs: &mut [Pair]) -> u64 {
    let mut family: Vec<&mut CellComparison> =
        pairs.iter_mut().flat_map(|pair| pair.cells.iter_mut().chain(&mut pair.limits)).collect();
    let tested: Vec<usize> = (0..family.len())
        .filter(|&place| {
            family[place].main_figure().is_some_and(|main| main.effect.p_value.is_some())
        })
        .collect();
    let p_values: Vec<f64> =
        tested.iter().filter_map(|&place| family[place].main_figure()?.effect.p_value).collect();
    for (&place, adjusted) in tested.iter().zip(stats::adjust_holm(&p_values)) {
        let cell = &mut family[place];
        let Some(main) = cell.figures.first_mut() else { continue };
        main.effect.p_family = Some(adjusted);
        let differs = matches!(main.effect.outcome, Outcome::Faster | Outcome::Slower);
        cell.holds_in_family = differs && adjusted <= 0.05;
    }
    family.len() as u64
}

messages! {
    HasItWith = "compare-has-it-with" { side: String, differences: Names };
    HasCell = "compare-has-cell" { side: String, cell: Message };
    HasCellLike = "compare-has-cell-like" { side: String, cell: Message, nearest: Message };
    LeftOut = "compare-left-out" { side: String, cell: Message, reason: Message };
    Reasons = "compare-reasons" { reasons: Vec<Message> };
}

#[cfg(test)]
mod tests;
