//! What the steps of a preset gave, and whether its thresholds are met. A figure is the median of
//! the passes with an interval between them; beside it stands the score of the imitated tool.

use std::collections::{BTreeMap, BTreeSet};

use message::{Message, label, messages};
use record::{
    Cell, CellRole, Judgement, Kept, Measured, Metadata, MetadataOp, MetadataPhase, PresetOutcome,
    PresetPlan, PresetStep, PresetThreshold, Purpose, Score, Slice, StepFigure, StepFigures,
    StepOutcome, StepScore, StepWork, ThresholdOutcome,
};
use stats::{Estimate, check_five_rounds, geometric_mean_of_few, median};
use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Direction, Statistic};

use crate::cells::reported_latency;
use crate::curve::{hold_cell_levels, is_figure};
use crate::headline::{Basis, Headline};
use crate::support::{describe_unsupported, prefer_supported, supports};
use crate::words::EndedEarly;

/// Passes that make a steady state, and whose figures stand for it.
const STEADY_PASSES: usize = 5;
/// A figure without an interval is clearly on one side of a limit from this ratio on: an interval
/// of ±25 % is the widest that is a figure.
const WITHOUT_INTERVAL: f64 = 1.25;
/// Smaller blocks are counted in operations, as the tools do that measure with them.
const RATE_BLOCK_MIN: Bytes = Bytes::kib(64);
/// A span of fewer blocks than this is one that a tool reads from a cache on purpose.
const SPAN_BLOCKS_MIN: u64 = 2;

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
    // Levels of the device between the passes, or within one.
    let hold_levels = |estimate: Estimate, rates: &[f64]| {
        let all: f64 = cells.iter().map(|cell| cell.iops()).sum();
        hold_cell_levels(estimate, cells, rates.iter().sum::<f64>() / all.max(1e-9))
    };
    let of_iops = estimate_over_passes(&iops, own(|cell, d| cell.confidence.iops.get(d)));
    let of_iops = hold_levels(of_iops, &iops);
    let of_rates = match (rates.as_slice(), of_iops.interval()) {
        ([rate], Some((low, high))) if of_iops.value > 0.0 => Estimate {
            value: *rate,
            low: Some(rate * low / of_iops.value),
            high: Some(rate * high / of_iops.value),
            ..of_iops.clone()
        },
        _ => hold_levels(estimate_over_passes(&rates, None), &rates),
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
        ([one], None) => Estimate::without_interval(*one, 1, label("no-interval-one-pass")),
        _ => {
            let between = geometric_mean_of_few(values)
                .recentred(median(values.iter().copied()).unwrap_or(0.0));
            let method = match between.interval() {
                None => between.method,
                Some(_) => Message::from_text("median; interval between passes, Student t, 95 %"),
            };
            Estimate { method, ..between }
        }
    }
}

fn take_score(values: &[f64], by: Score, best: fn(f64, f64) -> f64) -> f64 {
    match by {
        Score::Median => median(values.iter().copied()).unwrap_or(0.0),
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
    let cannot = |measured: Option<Estimate>, why: Message| ThresholdOutcome {
        kept: Kept::CannotTell,
        measured,
        why,
    };
    let step = steps.iter().find(|step| step.step == threshold.step);
    let found = step.and_then(|step| {
        let is = |f: &&StepFigures| f.job == threshold.job && f.direction == threshold.direction;
        step.figures.iter().find(is)
    });
    let Some(found) = found else { return cannot(None, label("preset-not-measured")) };
    let Some(value) = threshold_figure(found, threshold.what) else {
        return cannot(None, label("preset-too-few-operations"));
    };
    let cells =
        counted_cells(&measured.cells, &threshold.step).filter(|(_, of)| of.job == threshold.job);
    for (cell, _) in cells {
        if let Some(error) = &cell.error {
            let error = error.message.clone();
            return cannot(Some(value), EndedEarly { error }.into());
        }
        if let Some(why) = describe_unsupported(judgement, cell) {
            return cannot(Some(value), why);
        }
    }
    compare_with_limit(threshold, value)
}

fn compare_with_limit(threshold: &PresetThreshold, measured: Estimate) -> ThresholdOutcome {
    let is_rate = threshold.what.is_rate();
    let fine =
        |value: f64| if is_rate { value >= threshold.limit } else { value < threshold.limit };
    // One operation above it is enough.
    let longest = threshold.what == StepFigure::Latency(Statistic::Max);
    let kept = if longest { Some(fine(measured.value)) } else { keeps_limit(&measured, fine) };
    let (kept, why) = match (kept, measured.interval().is_some()) {
        (Some(true), true) => (Kept::Kept, label("preset-interval-meets")),
        (Some(false), true) => (Kept::NotKept, label("preset-interval-misses")),
        (None, true) => (Kept::CannotTell, label("preset-interval-meets-in-part")),
        (Some(true), false) => (Kept::Kept, label("preset-clearly-meets")),
        (Some(false), false) => (Kept::NotKept, label("preset-clearly-misses")),
        (None, false) => (Kept::CannotTell, label("preset-near-threshold")),
    };
    ThresholdOutcome { kept, measured: Some(measured), why }
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
pub fn format_threshold(threshold: &PresetThreshold) -> Message {
    let limit = format_step_figure(threshold.what, threshold.limit);
    if threshold.what.is_rate() { AtLeast { limit }.into() } else { Below { limit }.into() }
}

/// A figure of that kind with its unit.
pub fn format_step_figure(what: StepFigure, value: f64) -> Message {
    match what {
        StepFigure::Iops => Iops(value).into(),
        StepFigure::BytesPerSecond => BytesPerSecond(value).into(),
        StepFigure::Latency(_) => Nanos(value.max(0.0).round() as u64).into(),
    }
}

fn threshold_figure(figures: &StepFigures, what: StepFigure) -> Option<Estimate> {
    match what {
        StepFigure::Iops => Some(figures.iops.clone()),
        StepFigure::BytesPerSecond => Some(figures.bytes_per_second.clone()),
        StepFigure::Latency(Statistic::Mean) => Some(figures.mean_latency_ns.clone()),
        StepFigure::Latency(Statistic::Max) => {
            let (ns, n) = (figures.latency_ns_max as f64, figures.iops.n);
            Some(Estimate::without_interval(ns, n, label("no-interval-longest")))
        }
        StepFigure::Latency(statistic @ Statistic::Percentile(_)) => {
            figures.percentiles_ns.get(&statistic.to_string()).cloned()
        }
    }
}

pub(crate) fn preset_headline(measured: &Measured, judgement: &Judgement) -> Option<Headline> {
    let Purpose::Preset(plan) = &measured.plan.purpose else { return None };
    let outcome = judgement.preset.as_ref()?;
    let preset = plan.name.clone();
    if outcome.thresholds.is_empty() {
        let (figures, basis) = list_main_figures(measured, judgement, outcome);
        return Some(match figures.is_empty() {
            true => Headline { words: NoFigure { preset }.into(), basis: Basis::NoFigure },
            false => Headline { words: MainFigures { preset, figures }.into(), basis },
        });
    }
    let decided = plan.thresholds.iter().zip(&outcome.thresholds);
    let decided = decided.filter(|(_, found)| found.kept != Kept::CannotTell);
    let cells = decided.flat_map(|(asked, _)| name_counted_cells(measured, &asked.step)).collect();
    let count = |recommended: bool, kept: Kept| {
        let judged = plan.thresholds.iter().zip(&outcome.thresholds);
        judged
            .filter(|(asked, found)| asked.recommended == recommended && found.kept == kept)
            .count()
    };
    let [met, missed, open] =
        [Kept::Kept, Kept::NotKept, Kept::CannotTell].map(|kept| count(false, kept));
    let (all, missed_advice) = (met + missed + open, count(true, Kept::NotKept));
    let words = match (missed, open) {
        (0, 0) => Pass { preset, met, all, missed_advice }.into(),
        (0, open) => Undecided { preset, met, open, all, missed_advice }.into(),
        (missed, _) => Fail { preset, missed, all, missed_advice }.into(),
    };
    Some(Headline { words, basis: Basis::Cells(cells) })
}

/// The rate of files made, of the load with the most.
pub(crate) fn metadata_headline(measured: &Measured) -> Option<Message> {
    let fastest = find_fastest_create(measured.metadata.as_ref()?)?;
    Some(FilesCreated { rate: Iops(fastest.rate.value) }.into())
}

pub(crate) fn find_fastest_create(found: &Metadata) -> Option<&MetadataPhase> {
    let created = |phase: &&MetadataPhase| phase.operation == MetadataOp::Create;
    found.phases.iter().filter(created).max_by(|a, b| a.rate.value.total_cmp(&b.rate.value))
}

/// What a tool without thresholds is run for: the rate of files made, that over the surface, or the
/// best rates of reads and of writes among the steps that reach the disk.
fn list_main_figures(
    measured: &Measured,
    judgement: &Judgement,
    outcome: &PresetOutcome,
) -> (Vec<Message>, Basis) {
    if let Some(rate) = metadata_headline(measured) {
        return (vec![rate], Basis::AllCells);
    }
    if let Some(surface) = judgement.surface.as_ref().filter(|of| !of.slices.is_empty()) {
        let sum: f64 = surface.slices.iter().map(Slice::rate).sum();
        let mean = BytesPerSecond(sum / surface.slices.len() as f64);
        return (vec![SurfaceRate { mean }.into()], Basis::AllCells);
    }
    let best = |direction| best_rate((measured, judgement), outcome, direction);
    let of_both = [Direction::Read, Direction::Write].into_iter().filter_map(best);
    let (figures, cells): (Vec<_>, Vec<_>) = of_both.unzip();
    (figures, Basis::Cells(cells.concat()))
}

fn name_counted_cells(measured: &Measured, step: &str) -> Vec<String> {
    counted_cells(&measured.cells, step).map(|(cell, _)| cell.name.clone()).collect()
}

/// The figure and the cells that it rests on: cells that support a conclusion, if a step has them.
fn best_rate(
    (measured, judgement): (&Measured, &Judgement),
    outcome: &PresetOutcome,
    direction: Direction,
) -> Option<(Message, Vec<String>)> {
    let reaches_disk = |step: &&StepOutcome| {
        let cells = || counted_cells(&measured.cells, &step.step).map(|(cell, _)| cell);
        cells().all(|cell| {
            // Of a span of a few blocks the cache of the disk or of a controller is read.
            let is_small = cell.job.span.length.0 < SPAN_BLOCKS_MIN * cell.job.block_size.0;
            !is_small && !reads_memory_on_purpose(measured, cell)
        })
    };
    let rate = |(_, figures): &(_, &StepFigures)| figures.score.bytes_per_second;
    let all: Vec<(&StepOutcome, &StepFigures)> = outcome
        .steps
        .iter()
        .filter(reaches_disk)
        .flat_map(|step| step.figures.iter().map(move |figures| (step, figures)))
        .filter(|(_, figures)| figures.direction == direction)
        .collect();
    let is_supported = |(step, _): &(&StepOutcome, &StepFigures)| {
        counted_cells(&measured.cells, &step.step).all(|(cell, _)| supports(judgement, cell))
    };
    let (step, figures) = prefer_supported(&all, is_supported)
        .into_iter()
        .max_by(|a, b| rate(a).total_cmp(&rate(b)))
        .filter(|(_, figures)| is_figure(&figures.bytes_per_second))?;
    let mut cells = counted_cells(&measured.cells, &step.step);
    let is_small = |(cell, _): (&Cell, _)| cell.job.block_size < RATE_BLOCK_MIN;
    let value: Message = match cells.any(is_small) {
        true => Iops(figures.score.iops).into(),
        false => BytesPerSecond(figures.score.bytes_per_second).into(),
    };
    let Purpose::Preset(plan) = &measured.plan.purpose else { return None };
    let cells = name_counted_cells(measured, &step.step);
    let step = plan.step(&step.step)?.label.clone();
    let words = match direction {
        Direction::Write => BestWrites { value, step }.into(),
        _ => BestReads { value, step }.into(),
    };
    Some((words, cells))
}

messages! {
    AtLeast = "preset-at-least" { limit: Message };
    Below = "preset-below" { limit: Message };
    Pass = "preset-pass" { preset: String, met: usize, all: usize, missed_advice: usize };
    Undecided = "preset-undecided" {
        preset: String, met: usize, open: usize, all: usize, missed_advice: usize,
    };
    Fail = "preset-fail" { preset: String, missed: usize, all: usize, missed_advice: usize };
    MainFigures = "preset-main-figures" { preset: String, figures: Vec<Message> };
    NoFigure = "preset-no-figure" { preset: String };
    FilesCreated = "preset-files-created" { rate: Iops };
    SurfaceRate = "preset-surface-rate" { mean: BytesPerSecond };
    BestReads = "preset-best-reads" { value: Message, step: Message };
    BestWrites = "preset-best-writes" { value: Message, step: Message };
}
