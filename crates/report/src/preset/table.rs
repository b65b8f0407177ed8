//! The rows that terminal and page share: of steps, and of thresholds.

use analysis::{format_step_figure, format_threshold};
use record::{Kept, PresetPlan, PresetThreshold, Status, StepFigures, StepWork, ThresholdOutcome};
use units::{BytesPerSecond, Iops, Nanos, Ratio};

use super::result::{PresetResult, StepResult};
use crate::words::cell_marks;

/// The longest label of a line with its part: what is wider leaves no room for the figures.
const LABEL_WIDTH_MAX: usize = 36;

/// A line of the table of steps; without figures where it is the head of those that follow.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct StepRow {
    pub(crate) label: String,
    pub(crate) iops: String,
    /// `±1.2 %`, or `-`.
    pub(crate) interval: String,
    pub(crate) rate: String,
    /// Mean, p50, p99, longest.
    pub(crate) latency: [String; 4],
    /// What the imitated tool would show, where it is another figure: `best 521 MB/s`.
    pub(crate) score: String,
    /// What touches it.
    pub(crate) marks: Vec<(Status, String)>,
    /// What it does and does not measure, whether it became steady: under its first line.
    pub(crate) notes: Vec<String>,
}

impl StepRow {
    /// Whether its numbers must not be used.
    pub(crate) fn is_invalid(&self) -> bool {
        self.marks.iter().any(|(status, _)| *status == Status::Invalid)
    }
}

/// A line of the table of thresholds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ThresholdRow {
    pub(crate) kept: Kept,
    pub(crate) what: String,
    pub(crate) limit: String,
    pub(crate) measured: String,
    pub(crate) why: String,
    pub(crate) source: String,
}

impl ThresholdRow {
    /// `PASS`, `FAIL`, `cannot tell`.
    pub(crate) fn word(&self) -> &'static str {
        match self.kept {
            Kept::Kept => "PASS",
            Kept::NotKept => "FAIL",
            Kept::CannotTell => "cannot tell",
        }
    }

    /// The class of its sign on the page.
    pub(crate) fn class(&self) -> &'static str {
        match self.kept {
            Kept::Kept => "ok",
            Kept::NotKept => "invalid",
            Kept::CannotTell => "note",
        }
    }
}

/// What a preset is called, with its title, which may begin with it.
pub(crate) fn preset_title(plan: &PresetPlan) -> String {
    let (name, title) = (&plan.name, &plan.title);
    match title.to_lowercase().starts_with(&name.to_lowercase()) {
        true => title.clone(),
        false => format!("{name}: {title}"),
    }
}

pub(crate) fn build_step_rows(result: &PresetResult<'_>) -> Vec<StepRow> {
    result.steps().flat_map(|step| build_rows_of_step(result, &step)).collect()
}

fn build_rows_of_step(result: &PresetResult<'_>, step: &StepResult<'_>) -> Vec<StepRow> {
    let several = step.outcome.figures.len() > 1;
    let mut rows: Vec<StepRow> = Vec::new();
    let label = &step.step.label;
    // What would be too wide in one line has a line of its own.
    let first =
        step.outcome.figures.first().map_or(0, |figures| part_words(step, figures).len() + 2);
    let apart = label.len() + if several { first } else { 0 } > LABEL_WIDTH_MAX;
    if apart {
        rows.push(StepRow { label: label.clone(), ..StepRow::default() });
    }
    for (place, figures) in step.outcome.figures.iter().enumerate() {
        let label = match (several, place) {
            (false, _) if !apart => label.clone(),
            (true, 0) if !apart => format!("{label}: {}", part_words(step, figures)),
            _ => format!("  {}", part_words(step, figures)),
        };
        rows.push(build_row(step, figures, label));
    }
    if let Some(first) = rows.first_mut() {
        first.marks = step_marks(result, step);
        first.notes = step_notes(step);
    }
    rows
}

/// Which part of a step it is: `reads`, `the log: fdatasyncs`.
fn part_words(step: &StepResult<'_>, figures: &StepFigures) -> String {
    let words = format!("{}s", figures.direction.name());
    match &step.step.work {
        StepWork::Jobs { jobs } if jobs.len() > 1 => format!("{} {words}", figures.job),
        _ => words,
    }
}

fn build_row(step: &StepResult<'_>, figures: &StepFigures, label: String) -> StepRow {
    let percentile = |name: &str| {
        let found = figures.percentiles_ns.get(name);
        found.map_or_else(|| "-".to_owned(), |found| format_nanos(found.value))
    };
    let half = figures.iops.relative_half_width();
    let is_sync = figures.direction == workload::Direction::Sync;
    let score = &figures.score;
    let shown = match step.outcome.passes {
        // What the table shows anyway.
        0 | 1 => String::new(),
        _ if score.by == record::Score::Median => String::new(),
        _ => {
            let rate = BytesPerSecond(score.bytes_per_second);
            let latency = format_nanos(score.mean_latency_ns);
            format!("{} of {}: {rate}, {latency}", score.by.name(), step.outcome.passes)
        }
    };
    StepRow {
        label,
        iops: Iops(figures.iops.value).to_string(),
        interval: half.map_or_else(|| "-".to_owned(), |half| format!("±{}", Ratio(half))),
        rate: match is_sync {
            true => "-".to_owned(),
            false => format_rate(figures.bytes_per_second.value),
        },
        latency: [
            format_nanos(figures.mean_latency_ns.value),
            percentile("p50"),
            percentile("p99"),
            Nanos(figures.latency_ns_max).to_string(),
        ],
        score: shown,
        marks: Vec::new(),
        notes: Vec::new(),
    }
}

fn format_nanos(ns: f64) -> String {
    Nanos(ns.max(0.0).round() as u64).to_string()
}

fn format_rate(rate: f64) -> String {
    BytesPerSecond(rate).to_string().trim_end_matches(" MB/s").to_owned()
}

/// What touches any of its cells, each once, worst first.
fn step_marks(result: &PresetResult<'_>, step: &StepResult<'_>) -> Vec<(Status, String)> {
    let mut all: Vec<(Status, String)> = Vec::new();
    for mark in step.passes().flat_map(|cell| cell_marks(result.record, &cell.name)) {
        if !all.contains(&mark) {
            all.push(mark);
        }
    }
    all.sort_by_key(|(status, _)| std::cmp::Reverse(*status));
    all
}

fn step_notes(step: &StepResult<'_>) -> Vec<String> {
    let passes = step.outcome.passes;
    let steady = match step.outcome.steady {
        Some(true) => Some("steady over the five passes that are shown".to_owned()),
        Some(false) => Some("NOT steady: the last passes still differ or drift".to_owned()),
        None => None,
    };
    let cut =
        (step.outcome.steady.is_none() && passes < step.step.passes && step.step.group.is_none())
            .then(|| format!("{passes} of {} passes", step.step.passes));
    step.step.note.iter().cloned().chain(steady).chain(cut).collect()
}

pub(crate) fn build_threshold_rows(result: &PresetResult<'_>) -> Vec<ThresholdRow> {
    let pairs = result.plan.thresholds.iter().zip(&result.outcome.thresholds);
    pairs.map(|(threshold, found)| build_threshold_row(result, threshold, found)).collect()
}

fn build_threshold_row(
    result: &PresetResult<'_>,
    threshold: &PresetThreshold,
    found: &ThresholdOutcome,
) -> ThresholdRow {
    let step = result.plan.step(&threshold.step);
    let label = step.map_or(threshold.step.as_str(), |step| step.label.as_str());
    let jobs = step.map_or(0, |step| match &step.work {
        StepWork::Jobs { jobs } => jobs.len(),
        StepWork::Surface { .. } | StepWork::Metadata(_) => 0,
    });
    let job = if jobs > 1 { format!("{} ", threshold.job) } else { String::new() };
    let figure = match threshold.what {
        record::StepFigure::Iops => "IOPS".to_owned(),
        record::StepFigure::BytesPerSecond => "MB/s".to_owned(),
        record::StepFigure::Latency(statistic) => statistic.to_string(),
    };
    let measured = found.measured.as_ref().map_or_else(
        || "not measured".to_owned(),
        |measured| {
            let words = |value| format_step_figure(threshold.what, value);
            match measured.interval() {
                Some((low, high)) => {
                    format!("{} (95 %: {} to {})", words(measured.value), words(low), words(high))
                }
                None => words(measured.value),
            }
        },
    );
    ThresholdRow {
        kept: found.kept,
        what: format!("{label}: {figure} of {job}{}s", threshold.direction.name()),
        limit: format_threshold(threshold),
        measured,
        why: found.why.clone(),
        source: threshold.source.clone().unwrap_or_else(|| "our convention".to_owned()),
    }
}
