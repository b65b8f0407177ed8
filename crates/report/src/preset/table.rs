//! The rows that terminal and page share: of steps, and of thresholds.

use analysis::{format_step_figure, format_threshold};
use record::{
    Kept, PresetPlan, PresetThreshold, Score, StepFigure, StepFigures, StepWork, ThresholdOutcome,
};
use units::{BytesPerSecond, Iops, Nanos, Ratio};
use workload::Direction;

use super::result::{PresetResult, StepResult};
use crate::words::{Mark, cell_marks, format_nanos, megabytes, merge_marks, or_dash};

/// The longest label of a line with its part: what is wider leaves no room for the figures.
const LABEL_WIDTH_MAX: usize = 36;

/// A line of the table of steps; without figures where it is the head of those that follow.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct StepRow {
    pub(crate) label: String,
    pub(crate) iops: String,
    pub(crate) interval: String,
    pub(crate) rate: String,
    /// Mean, p50, p99, longest.
    pub(crate) latency: [String; 4],
    /// What the imitated tool would show, where it is another figure: `best 521 MB/s`.
    pub(crate) score: String,
    pub(crate) marks: Vec<Mark>,
    /// Whether its interval is so wide that the rate is none.
    pub(crate) is_vague: bool,
    /// What it does and does not measure, whether it became steady: under its first line.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ThresholdRow {
    pub(crate) kept: Kept,
    pub(crate) recommended: bool,
    pub(crate) what: String,
    pub(crate) limit: String,
    pub(crate) measured: String,
    /// The same without its interval.
    pub(crate) value: String,
    pub(crate) why: String,
    pub(crate) source: String,
}

impl ThresholdRow {
    pub(crate) fn word(&self) -> &'static str {
        match self.kept {
            Kept::Kept => "PASS",
            Kept::NotKept if self.recommended => "not met",
            Kept::NotKept => "FAIL",
            Kept::CannotTell => "cannot tell",
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
        let marks = step.passes().flat_map(|cell| cell_marks(result.record, &cell.name));
        first.marks = merge_marks(marks);
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
        or_dash(figures.percentiles_ns.get(name).map(|found| format_nanos(found.value)))
    };
    let half = figures.iops.relative_half_width();
    let is_vague = !analysis::is_figure(&figures.iops);
    let has_rate = figures.direction != Direction::Sync;
    let (score, passes) = (&figures.score, step.outcome.passes);
    let rate = BytesPerSecond(score.bytes_per_second);
    // A median, or the score of one pass, is in the table already.
    let shown = match score.by {
        Score::Mean | Score::Best if passes > 1 => {
            let latency = format_nanos(score.mean_latency_ns);
            format!("{} of {passes}: {rate}, {latency}", score.by.name())
        }
        _ => String::new(),
    };
    StepRow {
        label,
        iops: format!("{}{}", if is_vague { "~" } else { "" }, Iops(figures.iops.value)),
        interval: or_dash(half.map(|half| format!("±{}", Ratio(half)))),
        rate: or_dash(has_rate.then(|| megabytes(figures.bytes_per_second.value))),
        latency: [
            format_nanos(figures.mean_latency_ns.value),
            percentile("p50"),
            percentile("p99"),
            Nanos(figures.latency_ns_max).to_string(),
        ],
        score: shown,
        marks: Vec::new(),
        is_vague,
        notes: Vec::new(),
    }
}

fn step_notes(step: &StepResult<'_>) -> Vec<String> {
    let passes = step.outcome.passes;
    let steady = step.outcome.steady.map(|is_steady| match is_steady {
        true => "steady over the five passes that are shown".to_owned(),
        false => "NOT steady: the last passes still differ or drift".to_owned(),
    });
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
        StepFigure::Iops => "IOPS".to_owned(),
        StepFigure::BytesPerSecond => "MB/s".to_owned(),
        StepFigure::Latency(statistic) => statistic.to_string(),
    };
    let words = |value| format_step_figure(threshold.what, value).to_string();
    let measured = match found.measured.as_ref().map(|of| (words(of.value), of.interval())) {
        Some((value, Some((low, high)))) => {
            format!("{value} (95 %: {} to {})", words(low), words(high))
        }
        Some((value, None)) => value,
        None => "not measured".to_owned(),
    };
    let advice = if threshold.recommended { ", a recommendation" } else { "" };
    ThresholdRow {
        kept: found.kept,
        recommended: threshold.recommended,
        what: format!("{label}: {figure} of {job}{}s", threshold.direction.name()),
        limit: format!("{}{advice}", format_threshold(threshold)),
        measured,
        value: or_dash(found.measured.as_ref().map(|of| words(of.value))),
        why: found.why.clone().text().to_owned(),
        source: threshold.source.clone().unwrap_or_else(|| "our convention".to_owned()),
    }
}
