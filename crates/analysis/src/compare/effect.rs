//! What can be said of the ratio of a figure, from the runs of both sides.

use message::{Message, label, messages};
use record::compare::{
    Basis, CellComparison, Effect, Figure, FigureComparison, FigureKind, Outcome,
};
use stats::Estimate;
use units::Ratio;

use super::group::{ComparisonCriteria, RunFigure};

/// The same cloud volume or SSD gives tens of percent more or less on another day (Maricq et al.,
/// OSDI 2018; Schad et al., VLDB 2010).
const SINGLE_RUN_RATIO_MIN: f64 = 1.5;

pub(super) fn measure_effect(
    a: &[RunFigure],
    b: &[RunFigure],
    figure: &Figure,
    b_label: &str,
    criteria: &ComparisonCriteria,
) -> Effect {
    let (ratio, basis) = estimate_ratio(a, b);
    let runs = (a.len() as u64, b.len() as u64);
    let between = basis == Basis::BetweenRuns;
    let (of_a, of_b) = (log_values(a), log_values(b));
    let noise = stats::standard_deviation(&of_a).max(stats::standard_deviation(&of_b));
    let outcome = decide_outcome(&ratio, basis, figure.more_is_better(), criteria);
    let runs_needed = (outcome == Outcome::CannotTell)
        .then(|| estimate_runs_needed(&ratio, between.then_some(noise), runs, criteria))
        .flatten();
    let mut effect = Effect {
        p_value: between.then(|| stats::mann_whitney_test(&of_a, &of_b)).flatten(),
        p_family: None,
        ratio,
        basis,
        outcome,
        runs,
        runs_needed,
        noise: (between && runs.0.max(runs.1) > 1).then_some(noise),
        words: Message::default(),
    };
    effect.words = describe(&effect, figure, b_label, criteria);
    effect
}

fn estimate_ratio(a: &[RunFigure], b: &[RunFigure]) -> (Estimate, Basis) {
    if let ([a], [b]) = (a, b) {
        return ratio_within_runs(a, b);
    }
    let difference = stats::estimate_difference(&log_values(a), &log_values(b));
    (difference.map(f64::exp), Basis::BetweenRuns)
}

fn log_values(runs: &[RunFigure]) -> Vec<f64> {
    runs.iter().map(|run| run.value.ln()).collect()
}

/// The intervals within both, combined on the logarithms as independent errors (Zou and Donner
/// 2008).
fn ratio_within_runs(a: &RunFigure, b: &RunFigure) -> (Estimate, Basis) {
    let value = b.value / a.value;
    let Some((of_a, of_b)) = a.interval.zip(b.interval) else {
        return (
            Estimate::without_interval(value, 2, label("no-interval-one-run-each")),
            Basis::Figures,
        );
    };
    let error = |b_end: f64, a_end: f64| {
        ((b_end / b.value).ln().powi(2) + (a_end / a.value).ln().powi(2)).sqrt()
    };
    let method = "the intervals within one run each, 95 %; nothing of the difference between runs";
    let low = Some(value * (-error(of_b.0, of_a.1)).exp());
    let high = Some(value * error(of_b.1, of_a.0).exp());
    let bare = Estimate::without_interval(value, 2, Message::from_text(method));
    (Estimate { low, high, ..bare }, Basis::WithinRuns)
}

fn decide_outcome(
    ratio: &Estimate,
    basis: Basis,
    more_is_better: bool,
    criteria: &ComparisonCriteria,
) -> Outcome {
    let Some((low, high)) = ratio.interval() else { return Outcome::CannotTell };
    let least = match basis {
        Basis::BetweenRuns => 1.0 + criteria.least_effect,
        Basis::WithinRuns => SINGLE_RUN_RATIO_MIN,
        Basis::Figures => return Outcome::CannotTell,
    };
    let margin = 1.0 + criteria.margin;
    let (more, less) = match more_is_better {
        true => (Outcome::Faster, Outcome::Slower),
        false => (Outcome::Slower, Outcome::Faster),
    };
    match () {
        () if low > least => more,
        () if high < 1.0 / least => less,
        () if basis == Basis::BetweenRuns && low >= 1.0 / margin && high <= margin => Outcome::Same,
        () => Outcome::CannotTell,
    }
}

/// Runs of each side for a verdict, if ratio and spread stay as they are.
fn estimate_runs_needed(
    ratio: &Estimate,
    noise: Option<f64>,
    runs: (u64, u64),
    criteria: &ComparisonCriteria,
) -> Option<u64> {
    let least = stats::min_runs(0.05);
    let Some(noise) = noise.filter(|_| runs.0.min(runs.1) > 1) else { return Some(least) };
    let apart = ratio.value.ln().abs();
    let same = (1.0 + criteria.margin).ln() - apart;
    let differs = apart - (1.0 + criteria.least_effect).ln();
    let wanted = stats::runs_needed(noise, same.max(differs))?;
    // More than the runs that did not suffice: their spread is itself uncertain.
    let had = if ratio.interval().is_some() { runs.0.min(runs.1) + 1 } else { 0 };
    Some(wanted.max(least).max(had))
}

/// An interval is narrow enough for a large difference when it is a quarter of it.
const NARROW_SHARE_MAX: f64 = 0.25;

/// Whether a ratio is known well enough to stop measuring. The verdict does not decide: measuring
/// until a difference shows finds one where there is none.
pub fn is_narrow(effect: &Effect, precision: f64) -> bool {
    let Some((low, high)) = effect.ratio.interval() else { return false };
    let half = (high / low).ln() / 2.0;
    half <= precision.max(NARROW_SHARE_MAX * effect.ratio.value.ln().abs())
}

/// The geometric mean over the cells that every run has, more being better; `None` below two cells.
pub(super) fn overall_effect(
    cells: &[CellComparison],
    b_label: &str,
    criteria: &ComparisonCriteria,
) -> Option<Effect> {
    let mains: Vec<_> = cells.iter().filter_map(CellComparison::main_figure).collect();
    let most_a = mains.iter().map(|main| main.a_runs.len()).max()?;
    let most_b = mains.iter().map(|main| main.b_runs.len()).max()?;
    let is_whole =
        |main: &&FigureComparison| (main.a_runs.len(), main.b_runs.len()) == (most_a, most_b);
    let whole: Vec<_> = mains.into_iter().filter(is_whole).collect();
    if whole.len() < 2 {
        return None;
    }
    let means = |runs: usize, values: fn(&FigureComparison) -> &Vec<f64>| -> Vec<RunFigure> {
        let mean = |run: usize| {
            let one = |main: &&FigureComparison| {
                let sign = if main.figure.more_is_better() { 1.0 } else { -1.0 };
                sign * values(main)[run].ln()
            };
            let sum: f64 = whole.iter().map(one).sum();
            RunFigure { value: (sum / whole.len() as f64).exp(), interval: None }
        };
        (0..runs).map(mean).collect()
    };
    let (a, b) = (means(most_a, |main| &main.a_runs), means(most_b, |main| &main.b_runs));
    let figure = Figure { kind: FigureKind::Iops, direction: None };
    Some(measure_effect(&a, &b, &figure, b_label, criteria))
}

fn describe(effect: &Effect, figure: &Figure, b: &str, criteria: &ComparisonCriteria) -> Message {
    let value = effect.ratio.value;
    let needed = || match effect.runs_needed {
        Some(runs) => RunsNeeded { runs }.into(),
        None => label("compare-effect-many-runs-needed"),
    };
    let Some((low, high)) = effect.ratio.interval() else {
        return match effect.basis {
            Basis::Figures => RatioOfOneRun { ratio: value }.into(),
            _ => TooFewRuns { runs: count_runs(effect.runs), needed: needed() }.into(),
        };
    };
    match (effect.outcome, effect.basis) {
        (Outcome::Same, _) => Same { margin: Ratio(criteria.margin), low, high }.into(),
        (Outcome::Faster | Outcome::Slower, Basis::BetweenRuns) => {
            describe_difference(value, (low, high), figure, b)
        }
        (Outcome::Faster | Outcome::Slower, _) => {
            let difference = describe_difference(value, (low, high), figure, b);
            DiffersInOneRun { difference }.into()
        }
        (Outcome::CannotTell, Basis::BetweenRuns) => {
            Undecided { low, high, runs: count_runs(effect.runs), needed: needed() }.into()
        }
        (Outcome::CannotTell, _) => UndecidedByOneRun { low, high, needed: needed() }.into(),
    }
}

fn describe_difference(
    ratio: f64,
    (low, high): (f64, f64),
    figure: &Figure,
    side: &str,
) -> Message {
    let less = ratio < 1.0;
    let (factor, low, high) =
        if less { (1.0 / ratio, 1.0 / high, 1.0 / low) } else { (ratio, low, high) };
    let (side, name) = (side.to_owned(), figure.label());
    match (&figure.kind, less) {
        (FigureKind::Latency(_), false) => Longer { side, figure: name, factor, low, high }.into(),
        (FigureKind::Latency(_), true) => Shorter { side, figure: name, factor, low, high }.into(),
        (_, false) => Faster { side, factor, low, high }.into(),
        (_, true) => Slower { side, factor, low, high }.into(),
    }
}

/// `3 runs each`.
pub(super) fn count_runs((a, b): (u64, u64)) -> Message {
    if a == b { RunsEach { runs: a }.into() } else { RunsOfBoth { a, b }.into() }
}

messages! {
    Same = "compare-effect-same" { margin: Ratio, low: f64, high: f64 };
    Faster = "compare-effect-faster" { side: String, factor: f64, low: f64, high: f64 };
    Slower = "compare-effect-slower" { side: String, factor: f64, low: f64, high: f64 };
    Longer = "compare-effect-longer" {
        side: String, figure: Message, factor: f64, low: f64, high: f64,
    };
    Shorter = "compare-effect-shorter" {
        side: String, figure: Message, factor: f64, low: f64, high: f64,
    };
    DiffersInOneRun = "compare-effect-differs-in-one-run" { difference: Message };
    RatioOfOneRun = "compare-effect-ratio-of-one-run" { ratio: f64 };
    UndecidedByOneRun = "compare-effect-undecided-by-one-run" {
        low: f64, high: f64, needed: Message,
    };
    TooFewRuns = "compare-effect-too-few-runs" { runs: Message, needed: Message };
    Undecided = "compare-effect-undecided" {
        low: f64, high: f64, runs: Message, needed: Message,
    };
    RunsNeeded = "compare-effect-runs-needed" { runs: u64 };
    RunsEach = "compare-effect-runs-each" { runs: u64 };
    RunsOfBoth = "compare-effect-runs-of-both" { a: u64, b: u64 };
}
