//! The rows that terminal and page share: of steps, and of thresholds.

use analysis::{format_step_figure, format_threshold};
use message::{Language, Message, Render as _, messages};
use record::{
    Kept, PresetPlan, PresetThreshold, Score, StepFigure, StepFigures, StepWork, ThresholdOutcome,
};
use stats::Estimate;
use units::{BytesPerSecond, Iops, Nanos, Ratio};
use workload::Direction;

use super::result::{PresetResult, StepResult};
use crate::limit::direction_words;
use crate::text::text_width;
use crate::words::{
    Mark, cell_marks, is_vague, mark_vague, megabytes, merge_marks, or_dash, say, show_latency,
};

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

impl StepRow {
    pub(crate) fn has_vague(&self) -> bool {
        self.latency.iter().chain([&self.iops]).any(|shown| is_vague(shown))
    }
}

impl ThresholdRow {
    pub(crate) fn word(&self, language: Language) -> String {
        match self.kept {
            Kept::Kept => say("preset-pass-word", language),
            Kept::NotKept if self.recommended => say("preset-not-met-word", language),
            Kept::NotKept => say("preset-fail-word", language),
            Kept::CannotTell => say("record-cannot-tell", language),
        }
    }
}

/// The title of a preset. A preset of the user's own has the words of its file.
pub fn title_words(name: &str, title: &str) -> Message {
    // The mixes of all profiles have one title.
    let is_mix = name.starts_with("crystaldiskmark-") && name.ends_with("-mix");
    let name = if is_mix { "crystaldiskmark-mix" } else { name };
    let known = Message::find(&format!("preset-title-{name}"));
    known.filter(|known| known.text() == title).unwrap_or_else(|| Message::from_text(title))
}

/// What a preset is called, with its title, which may begin with it.
pub(crate) fn preset_title(plan: &PresetPlan, language: Language) -> String {
    let (name, title) = (&plan.name, title_words(&plan.name, &plan.title).render(language));
    match title.to_lowercase().starts_with(&name.to_lowercase()) {
        true => title,
        false => format!("{name}: {title}"),
    }
}

/// The steps of a preset, in a language.
pub(crate) fn build_step_rows(result: &PresetResult<'_>, language: Language) -> Vec<StepRow> {
    result.steps().flat_map(|step| build_rows_of_step(result, &step, language)).collect()
}

fn build_rows_of_step(
    result: &PresetResult<'_>,
    step: &StepResult<'_>,
    language: Language,
) -> Vec<StepRow> {
    let several = step.outcome.figures.len() > 1;
    let mut rows: Vec<StepRow> = Vec::new();
    let label = (&step.step.label).render(language);
    // What would be too wide in one line has a line of its own.
    let part = |figures: &StepFigures| part_words(step, figures).render(language);
    let first = step.outcome.figures.first().map_or(0, |figures| text_width(&part(figures)) + 2);
    let apart = text_width(&label) + if several { first } else { 0 } > LABEL_WIDTH_MAX;
    if apart {
        rows.push(StepRow { label: label.clone(), ..StepRow::default() });
    }
    for (place, figures) in step.outcome.figures.iter().enumerate() {
        let label = match (several, place) {
            (false, _) if !apart => label.clone(),
            (true, 0) if !apart => {
                let part = part_words(step, figures);
                StepPart { step: step.step.label.clone(), part }.render(language)
            }
            _ => format!("  {}", part(figures)),
        };
        rows.push(build_row((step, figures), label, language));
    }
    let marks = step_marks(result, step);
    // The head of several lines has no figure to mark.
    for row in rows.iter_mut().filter(|row| !row.iops.is_empty()) {
        row.marks.clone_from(&marks);
    }
    if let Some(first) = rows.first_mut() {
        first.notes = step_notes(step, language);
    }
    rows
}

pub(crate) fn step_marks(result: &PresetResult<'_>, step: &StepResult<'_>) -> Vec<Mark> {
    merge_marks(step.passes().flat_map(|cell| cell_marks(result.record, &cell.name)))
}

/// A step, with its part where it has several.
pub(crate) fn part_label(step: &StepResult<'_>, figures: &StepFigures) -> Message {
    match step.outcome.figures.len() > 1 {
        true => StepPart { step: step.step.label.clone(), part: part_words(step, figures) }.into(),
        false => step.step.label.clone(),
    }
}

/// Which part of a step it is: `reads`, `the log: fdatasyncs`.
fn part_words(step: &StepResult<'_>, figures: &StepFigures) -> Message {
    let part = direction_words(figures.direction);
    match &step.step.work {
        StepWork::Jobs { jobs } if jobs.len() > 1 => {
            PartOfJob { job: figures.job.clone(), part }.into()
        }
        _ => part,
    }
}

fn build_row(
    (step, figures): (&StepResult<'_>, &StepFigures),
    label: String,
    language: Language,
) -> StepRow {
    let punctuate = |value: String| language.punctuate(&value);
    let percentile = |name: &str| figures.percentiles_ns.get(name);
    let value = |found: &Estimate| found.value;
    let (p50, p99) = (percentile("p50"), percentile("p99"));
    let (mean, most) = (figures.mean_latency_ns.value, figures.latency_ns_max as f64);
    let latency = [Some(mean), p50.map(value), p99.map(value), Some(most)];
    let half = figures.iops.relative_half_width();
    let has_rate = figures.direction != Direction::Sync;
    let (score, passes) = (&figures.score, step.outcome.passes);
    let rate = BytesPerSecond(score.bytes_per_second);
    // A median, or the score of one pass, is in the table already.
    let score_latency = Nanos(score.mean_latency_ns.max(0.0).round() as u64);
    let shown = match score.by {
        Score::Mean if passes > 1 => {
            ScoreMean { passes, rate, latency: score_latency }.render(language)
        }
        Score::Best if passes > 1 => {
            ScoreBest { passes, rate, latency: score_latency }.render(language)
        }
        _ => String::new(),
    };
    StepRow {
        label,
        iops: punctuate(mark_vague(Iops(figures.iops.value).to_string(), Some(&figures.iops))),
        interval: punctuate(or_dash(half.map(|half| format!("±{}", Ratio(half))))),
        rate: punctuate(or_dash(has_rate.then(|| megabytes(figures.bytes_per_second.value)))),
        latency: show_latency(latency, p50, p99).map(punctuate),
        score: shown,
        marks: Vec::new(),
        notes: Vec::new(),
    }
}

fn step_notes(step: &StepResult<'_>, language: Language) -> Vec<String> {
    let passes = step.outcome.passes;
    let steady = step.outcome.steady.map(|is_steady| match is_steady {
        true => say("preset-steady", language),
        false => say("preset-not-steady", language),
    });
    let cut =
        (step.outcome.steady.is_none() && passes < step.step.passes && step.step.group.is_none())
            .then(|| PassesOf { made: passes, planned: step.step.passes }.render(language));
    let note = step.step.note.iter().map(|note| note.render(language));
    note.chain(steady).chain(cut).collect()
}

/// The thresholds of a preset, in a language.
pub(crate) fn build_threshold_rows(
    result: &PresetResult<'_>,
    language: Language,
) -> Vec<ThresholdRow> {
    let pairs = result.plan.thresholds.iter().zip(&result.outcome.thresholds);
    pairs
        .map(|(threshold, found)| build_threshold_row(result, (threshold, found), language))
        .collect()
}

fn build_threshold_row(
    result: &PresetResult<'_>,
    (threshold, found): (&PresetThreshold, &ThresholdOutcome),
    language: Language,
) -> ThresholdRow {
    let step = result.plan.step(&threshold.step);
    let label = step.map(|step| step.label.clone());
    let label = label.unwrap_or_else(|| Message::from_text(threshold.step.as_str()));
    let jobs = step.map_or(0, |step| match &step.work {
        StepWork::Jobs { jobs } => jobs.len(),
        StepWork::Surface { .. } | StepWork::Metadata(_) => 0,
    });
    let part = direction_words(threshold.direction);
    let part: Message = match jobs > 1 {
        true => PartOfJob { job: threshold.job.clone(), part }.into(),
        false => part,
    };
    let what: Message = match threshold.what {
        // Their unit says what they are.
        StepFigure::Iops | StepFigure::BytesPerSecond => StepPart { step: label, part }.into(),
        StepFigure::Latency(statistic) => {
            FigureOf { step: label, figure: statistic.to_string(), part }.into()
        }
    };
    let figure_of = |value| format_step_figure(threshold.what, value);
    let measured = match found.measured.as_ref().map(|of| (figure_of(of.value), of.interval())) {
        Some((value, Some((low, high)))) => {
            WithRange { value, low: figure_of(low.max(0.0)), high: figure_of(high) }
                .render(language)
        }
        Some((value, None)) => value.render(language),
        None => say("preset-unmeasured", language),
    };
    let limit = format_threshold(threshold);
    let limit = match threshold.recommended {
        true => Recommended { limit }.render(language),
        false => limit.render(language),
    };
    ThresholdRow {
        kept: found.kept,
        recommended: threshold.recommended,
        what: what.render(language),
        limit,
        measured,
        value: or_dash(found.measured.as_ref().map(|of| figure_of(of.value).render(language))),
        why: (&found.why).render(language),
        source: threshold.source.clone().unwrap_or_else(|| say("preset-our-convention", language)),
    }
}

messages! {
    PartOfJob = "preset-part-of-job" { job: String, part: Message };
    StepPart = "preset-step-part" { step: Message, part: Message };
    ScoreMean = "preset-score-mean" { passes: u32, rate: BytesPerSecond, latency: Nanos };
    ScoreBest = "preset-score-best" { passes: u32, rate: BytesPerSecond, latency: Nanos };
    PassesOf = "preset-passes-of" { made: u32, planned: u32 };
    FigureOf = "preset-figure-of" { step: Message, figure: String, part: Message };
    Recommended = "preset-recommended" { limit: Message };
    WithRange = "with-range" { value: Message, low: Message, high: Message };
    Imitates = "page-imitates" { tool: Message };
    Departure = "page-departure" { words: Message };
    NeededAndMeasured = "preset-needed-and-measured" { limit: String, measured: String };
    WhyAndSource = "preset-why-and-source" { why: String, source: String };
    Source = "text-source" { source: String };
}
