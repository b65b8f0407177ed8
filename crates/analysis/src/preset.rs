//! What the steps of a preset gave, and whether its thresholds are met. A figure is the median of
//! the passes with an interval between them; beside it stands the score of the imitated tool.

use std::collections::{BTreeMap, BTreeSet};

use record::{
    Cell, CellRole, Judgement, Kept, Measured, PresetOutcome, PresetPlan, PresetStep,
    PresetThreshold, Purpose, Score, StepFigure, StepFigures, StepOutcome, StepScore, StepWork,
    ThresholdOutcome,
};
use stats::{Estimate, check_five_rounds, geometric_mean_of_few};
use units::{BytesPerSecond, Iops, Nanos};
use workload::{Direction, Statistic};

use crate::cells::reported_latency;
use crate::support::{describe_doubt, find_doubt};

/// Passes that make a steady state, and whose figures stand for it.
const STEADY_PASSES: usize = 5;
/// A figure without an interval is clearly on one side of a limit from this ratio on: an interval
/// of ±25 % is the widest that is a figure.
const WITHOUT_INTERVAL: f64 = 1.25;

/// Operations per second of each pass of a step that counts, all its jobs together.
pub fn pass_rates(cells: &[Cell], step: &str) -> Vec<f64> {
    let mut rates: BTreeMap<u32, f64> = BTreeMap::new();
    for (cell, of) in counted_cells(cells, step) {
        *rates.entry(of.pass).or_default() += cell.iops();
    }
    rates.into_values().collect()
}

fn counted_cells<'a>(
    cells: &'a [Cell],
    step: &'a str,
) -> impl Iterator<Item = (&'a Cell, &'a record::StepCell)> {
    let steps = cells.iter().filter(|cell| cell.role == CellRole::Step);
    let of = steps.filter_map(|cell| Some((cell, cell.step.as_ref()?)));
    of.filter(move |(_, of)| of.step == step && !of.discarded)
}

/// Whether the figures of a preset rest on a cell of it.
pub(crate) fn is_preset_figure(measured: &Measured, cell: &Cell) -> bool {
    let (Purpose::Preset(plan), Some(of)) = (&measured.plan.purpose, &cell.step) else {
        return false;
    };
    if cell.role != CellRole::Step || of.discarded {
        return false;
    }
    let Some(step) = plan.step(&of.step) else { return false };
    let last = counted_cells(&measured.cells, &of.step).map(|(_, of)| of.pass).max().unwrap_or(0);
    !repeats_until_steady(plan, step) || of.pass as usize + STEADY_PASSES > last as usize
}

/// Whether a cell is to read what memory holds: its step goes through the page cache, and does not
/// empty it (`hdparm -T`).
pub(crate) fn reads_memory_on_purpose(measured: &Measured, cell: &Cell) -> bool {
    let (Purpose::Preset(plan), Some(of)) = (&measured.plan.purpose, &cell.step) else {
        return false;
    };
    let cached = plan.step(&of.step).is_some_and(|step| !step.direct && !step.cache_dropped);
    cached && !cell.job.mix.writes()
}

fn repeats_until_steady(plan: &PresetPlan, step: &PresetStep) -> bool {
    let with = |other: &&PresetStep| {
        other.name == step.name || (step.group.is_some() && other.group == step.group)
    };
    plan.steps.iter().filter(with).any(|other| other.until_steady)
}

/// What a preset gave; `None` of a record of another purpose.
pub fn judge(measured: &Measured, judgement: &Judgement) -> Option<PresetOutcome> {
    let Purpose::Preset(plan) = &measured.plan.purpose else { return None };
    let steps: Vec<StepOutcome> =
        plan.steps.iter().filter_map(|step| step_outcome(plan, step, &measured.cells)).collect();
    let judged =
        |threshold: &PresetThreshold| judge_threshold(measured, judgement, &steps, threshold);
    let thresholds = plan.thresholds.iter().map(judged).collect();
    Some(PresetOutcome { steps, thresholds })
}

fn step_outcome(plan: &PresetPlan, step: &PresetStep, cells: &[Cell]) -> Option<StepOutcome> {
    let StepWork::Jobs { jobs } = &step.work else { return None };
    let rates = pass_rates(cells, &step.name);
    let settled =
        |rates: &[f64]| rates.last_chunk().is_some_and(|last| check_five_rounds(*last).steady);
    // Steps that take turns with one that becomes steady keep the same passes.
    let kept = if repeats_until_steady(plan, step) { STEADY_PASSES } else { usize::MAX };
    let passes: BTreeSet<u32> = counted_cells(cells, &step.name).map(|(_, of)| of.pass).collect();
    let passes: Vec<u32> = passes.into_iter().rev().take(kept).collect();
    let of_job = |job: &String| {
        let cells: Vec<&Cell> = counted_cells(cells, &step.name)
            .filter(|(_, of)| of.job == *job && passes.contains(&of.pass))
            .map(|(cell, _)| cell)
            .collect();
        let directions = Direction::ALL.into_iter();
        let figures = directions.filter_map(|d| step_figures(&cells, job, d, step.score));
        figures.collect::<Vec<_>>()
    };
    let figures: Vec<StepFigures> = jobs.iter().flat_map(of_job).collect();
    (!figures.is_empty()).then(|| StepOutcome {
        step: step.name.clone(),
        passes: passes.len() as u32,
        steady: step.until_steady.then(|| settled(&rates)),
        figures,
    })
}

fn step_figures(cells: &[&Cell], job: &str, of: Direction, by: Score) -> Option<StepFigures> {
    let totals: Vec<_> = cells.iter().map(|cell| cell.totals.get(of)).collect::<Option<_>>()?;
    if totals.is_empty() {
        return None;
    }
    let own = |pick: fn(&Cell, Direction) -> Option<&Estimate>| match cells {
        // What the cell knows of its rate is without the sync at its end.
        [one] if one.end_sync.is_none() => pick(one, of).cloned(),
        _ => None,
    };
    let values = |pick: &dyn Fn(&record::DirectionTotals) -> f64| -> Vec<f64> {
        totals.iter().map(|totals| pick(totals)).collect()
    };
    let open = totals.iter().any(|totals| totals.response_ns.is_some());
    let [iops, rates] = [values(&|t| t.iops), values(&|t| t.bytes_per_second)]
        .map(|rates| with_end_sync(rates, cells, of));
    let means = values(&|t| reported_latency(t).mean);
    let of_iops = estimate_over_passes(&iops, own(|cell, d| cell.confidence.iops.get(d)));
    let of_rates = match (rates.as_slice(), of_iops.interval()) {
        ([rate], Some((low, high))) if of_iops.value > 0.0 => Estimate {
            value: *rate,
            low: Some(rate * low / of_iops.value),
            high: Some(rate * high / of_iops.value),
            ..of_iops.clone()
        },
        _ => estimate_over_passes(&rates, None),
    };
    // A cell's own interval is one of service times: not of the responses of an open loop.
    let mean = own(|cell, d| cell.confidence.mean_latency_ns.get(d)).filter(|_| !open);
    let mut percentiles_ns = BTreeMap::new();
    for percentile in crate::summary::PERCENTILES {
        let name = format!("p{percentile}");
        let found: Option<Vec<f64>> = totals
            .iter()
            .map(|totals| reported_latency(totals).percentiles.get(&name).map(|ns| *ns as f64))
            .collect();
        let Some(found) = found else { continue };
        let own = match cells {
            [one] if !open => {
                one.confidence.percentiles_ns.get(of).and_then(|all| all.get(&name)).cloned()
            }
            _ => None,
        };
        percentiles_ns.insert(name, estimate_over_passes(&found, own));
    }
    let score = StepScore {
        by,
        iops: take_score(&iops, by, f64::max),
        bytes_per_second: take_score(&rates, by, f64::max),
        mean_latency_ns: take_score(&means, by, f64::min),
    };
    Some(StepFigures {
        job: job.to_owned(),
        direction: of,
        iops: of_iops,
        bytes_per_second: of_rates,
        mean_latency_ns: estimate_over_passes(&means, mean),
        percentiles_ns,
        latency_ns_max: totals.iter().map(|totals| reported_latency(totals).max).max().unwrap_or(0),
        score,
    })
}

/// Over the time of writing and of the sync that made it durable.
fn with_end_sync(mut rates: Vec<f64>, cells: &[&Cell], of: Direction) -> Vec<f64> {
    for (rate, cell) in rates.iter_mut().zip(cells) {
        if let (Direction::Write, Some(sync)) = (of, cell.end_sync) {
            *rate *= cell.elapsed.0 as f64 / (cell.elapsed.0 + sync.0).max(1) as f64;
        }
    }
    rates
}

fn estimate_over_passes(values: &[f64], own: Option<Estimate>) -> Estimate {
    match (values, own) {
        ([one], Some(own)) => Estimate { value: *one, ..own },
        ([one], None) => {
            let reason = "one pass has no interval of this".to_owned();
            Estimate::without_interval(*one, 1, reason)
        }
        _ => {
            let between = geometric_mean_of_few(values).recentred(median(values));
            let method = match between.interval() {
                None => between.method,
                Some(_) => "median; interval between passes, Student t, 95 %".to_owned(),
            };
            Estimate { method, ..between }
        }
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.as_slice() {
        [] => 0.0,
        _ if sorted.len() % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

fn take_score(values: &[f64], by: Score, best: fn(f64, f64) -> f64) -> f64 {
    match by {
        Score::Median => median(values),
        Score::Mean => values.iter().sum::<f64>() / values.len().max(1) as f64,
        Score::Best => values.iter().copied().reduce(best).unwrap_or(0.0),
    }
}

fn judge_threshold(
    measured: &Measured,
    judgement: &Judgement,
    steps: &[StepOutcome],
    threshold: &PresetThreshold,
) -> ThresholdOutcome {
    let cannot = |measured: Option<Estimate>, why: String| ThresholdOutcome {
        kept: Kept::CannotTell,
        measured,
        why: why.into(),
    };
    let step = steps.iter().find(|step| step.step == threshold.step);
    let found = step.and_then(|step| {
        let is = |f: &&StepFigures| f.job == threshold.job && f.direction == threshold.direction;
        step.figures.iter().find(is)
    });
    let Some(found) = found else { return cannot(None, "it was not measured".to_owned()) };
    let Some(value) = threshold_figure(found, threshold.what) else {
        let reason = "there were too few operations for this percentile".to_owned();
        return cannot(None, reason);
    };
    let cells =
        counted_cells(&measured.cells, &threshold.step).filter(|(_, of)| of.job == threshold.job);
    for (cell, _) in cells {
        if let Some(error) = &cell.error {
            return cannot(Some(value), format!("it ended early: {}", error.message));
        }
        if let Some(finding) = find_doubt(judgement, &cell.name) {
            return cannot(Some(value), describe_doubt(finding).to_string());
        }
    }
    compare_with_limit(threshold, value)
}

fn compare_with_limit(threshold: &PresetThreshold, measured: Estimate) -> ThresholdOutcome {
    let is_rate = threshold.what.is_rate();
    let fine =
        |value: f64| if is_rate { value >= threshold.limit } else { value < threshold.limit };
    let limit = format_threshold(threshold);
    // One operation above it is enough.
    let longest = threshold.what == StepFigure::Latency(Statistic::Max);
    let kept = if longest { Some(fine(measured.value)) } else { keeps_limit(&measured, fine) };
    let (kept, why) = match (kept, measured.interval().is_some()) {
        (Some(true), true) => (Kept::Kept, format!("the whole interval is {limit}")),
        (Some(false), true) => (Kept::NotKept, format!("nothing of the interval is {limit}")),
        (None, true) => (Kept::CannotTell, format!("only a part of the interval is {limit}")),
        (Some(true), false) => (Kept::Kept, format!("it is clearly {limit}")),
        (Some(false), false) => (Kept::NotKept, format!("it is clearly not {limit}")),
        (None, false) => (Kept::CannotTell, "it is near the limit, and has no interval".to_owned()),
    };
    ThresholdOutcome { kept, measured: Some(measured), why: why.into() }
}

/// Whether a figure is on the right side of a limit, or on the wrong one; `None` where its interval
/// is on both.
pub(crate) fn keeps_limit(measured: &Estimate, is_fine: impl Fn(f64) -> bool) -> Option<bool> {
    let value = measured.value;
    let around = (value / WITHOUT_INTERVAL, value * WITHOUT_INTERVAL);
    let (low, high) = measured.interval().unwrap_or(around);
    (is_fine(low) == is_fine(high)).then(|| is_fine(low))
}

/// `at least 1,500 IOPS`, `below 10.0 ms`.
pub fn format_threshold(threshold: &PresetThreshold) -> String {
    let words = format_step_figure(threshold.what, threshold.limit);
    if threshold.what.is_rate() { format!("at least {words}") } else { format!("below {words}") }
}

/// A figure of that kind with its unit.
pub fn format_step_figure(what: StepFigure, value: f64) -> String {
    match what {
        StepFigure::Iops => format!("{} IOPS", Iops(value)),
        StepFigure::BytesPerSecond => BytesPerSecond(value).to_string(),
        StepFigure::Latency(_) => Nanos(value.max(0.0).round() as u64).to_string(),
    }
}

fn threshold_figure(figures: &StepFigures, what: StepFigure) -> Option<Estimate> {
    match what {
        StepFigure::Iops => Some(figures.iops.clone()),
        StepFigure::BytesPerSecond => Some(figures.bytes_per_second.clone()),
        StepFigure::Latency(Statistic::Mean) => Some(figures.mean_latency_ns.clone()),
        StepFigure::Latency(Statistic::Max) => {
            let (ns, n) = (figures.latency_ns_max as f64, figures.iops.n);
            Some(Estimate::without_interval(ns, n, "the longest of all".to_owned()))
        }
        StepFigure::Latency(statistic @ Statistic::Percentile(_)) => {
            figures.percentiles_ns.get(&statistic.to_string()).cloned()
        }
    }
}

pub(crate) fn preset_headline(measured: &Measured, judgement: &Judgement) -> Option<String> {
    let Purpose::Preset(plan) = &measured.plan.purpose else { return None };
    let outcome = judgement.preset.as_ref()?;
    let count = |recommended: bool, kept: Kept| {
        let judged = plan.thresholds.iter().zip(&outcome.thresholds);
        judged
            .filter(|(asked, found)| asked.recommended == recommended && found.kept == kept)
            .count()
    };
    let [met, missed, open] =
        [Kept::Kept, Kept::NotKept, Kept::CannotTell].map(|kept| count(false, kept));
    let all = met + missed + open;
    let name = &plan.name;
    let mut headline = match (missed, open) {
        _ if outcome.thresholds.is_empty() => {
            // The step of a surface has no figures of its own: what it gave is the curve.
            let of_surface = usize::from(judgement.surface.is_some());
            let (done, steps) = (outcome.steps.len() + of_surface, plan.steps.len());
            match &judgement.surface {
                Some(_) if steps == 1 => format!("{name}: the surface was measured"),
                _ => format!("{name}: {done} of {steps} steps were measured"),
            }
        }
        (0, 0) => format!("{name}: PASS, {met} of {all} thresholds are met"),
        (0, open) => format!("{name}: cannot tell of {open} of {all} thresholds; {met} are met"),
        (missed, _) => format!("{name}: FAIL, {missed} of {all} thresholds are not met"),
    };
    match count(true, Kept::NotKept) {
        0 => {}
        1 => headline.push_str("; a recommendation is not"),
        several => headline.push_str(&format!("; {several} recommendations are not")),
    }
    Some(headline)
}
