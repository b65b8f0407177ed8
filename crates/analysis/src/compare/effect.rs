//! What can be said of the ratio of a figure, from the runs of both sides.

use record::compare::{
    Basis, CellComparison, Effect, Figure, FigureComparison, FigureKind, Outcome,
};
use stats::Estimate;

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
        words: String::new().into(),
    };
    effect.words = describe(&effect, figure, b_label, criteria).into();
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
        let reason = "one run each carries no interval for the difference between runs".to_owned();
        return (Estimate::without_interval(value, 2, reason), Basis::Figures);
    };
    let error = |b_end: f64, a_end: f64| {
        ((b_end / b.value).ln().powi(2) + (a_end / a.value).ln().powi(2)).sqrt()
    };
    let method = "the intervals within one run each, 95 %; nothing of the difference between runs";
    let low = Some(value * (-error(of_b.0, of_a.1)).exp());
    let high = Some(value * error(of_b.1, of_a.0).exp());
    let bare = Estimate::without_interval(value, 2, method.to_owned());
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

fn describe(effect: &Effect, figure: &Figure, b: &str, criteria: &ComparisonCriteria) -> String {
    let single = "one run each carries no interval for the difference between runs";
    let ratio = &effect.ratio;
    let interval = format_interval(ratio);
    let each = format_run_counts(effect.runs);
    let needed = effect.runs_needed.map_or("more than 1000".to_owned(), |runs| runs.to_string());
    match (effect.outcome, effect.basis) {
        (Outcome::Same, _) => {
            format!("the same within {:.0} %: x {interval}", 100.0 * criteria.margin)
        }
        (Outcome::Faster | Outcome::Slower, Basis::BetweenRuns) => {
            describe_difference(ratio, figure, b)
        }
        (Outcome::Faster | Outcome::Slower, _) => {
            format!("{} in one run each; {single}", describe_difference(ratio, figure, b))
        }
        (Outcome::CannotTell, Basis::Figures) => {
            format!("x {} in one run each; {single}", format_ratio(ratio.value))
        }
        (Outcome::CannotTell, Basis::WithinRuns) => {
            format!("cannot tell: x {interval} within one run each; {single}, {needed} needed")
        }
        (Outcome::CannotTell, Basis::BetweenRuns) if ratio.interval().is_none() => {
            format!("cannot tell: {each}, {needed} needed")
        }
        (Outcome::CannotTell, Basis::BetweenRuns) => {
            format!("cannot tell: x {interval} in {each}, about {needed} needed")
        }
    }
}

fn describe_difference(ratio: &Estimate, figure: &Figure, b: &str) -> String {
    let less = ratio.value < 1.0;
    let turned = |x: f64| if less { 1.0 / x } else { x };
    let ends = ratio.interval().map_or(String::new(), |(low, high)| {
        let (p, q) = (turned(low), turned(high));
        format!(", {} to {}", format_ratio(p.min(q)), format_ratio(p.max(q)))
    });
    let many = format_ratio(turned(ratio.value));
    match (&figure.kind, less) {
        (FigureKind::Latency(_), false) => format!("{b}'s {figure} is {many} x longer{ends}"),
        (FigureKind::Latency(_), true) => format!("{b}'s {figure} is {many} x shorter{ends}"),
        (_, false) => format!("{b} is {many} x faster{ends}"),
        (_, true) => format!("{b} is {many} x slower{ends}"),
    }
}

pub(super) fn format_run_counts((a, b): (u64, u64)) -> String {
    match (a, b) {
        (1, 1) => "one run each".to_owned(),
        _ if a == b => format!("{a} runs each"),
        _ => format!("{a} and {b} runs"),
    }
}

fn format_interval(ratio: &Estimate) -> String {
    match ratio.interval() {
        Some((low, high)) => format!("{} to {}", format_ratio(low), format_ratio(high)),
        None => format_ratio(ratio.value),
    }
}

pub(super) fn format_ratio(ratio: f64) -> String {
    match ratio {
        r if r >= 9.95 => format!("{r:.1}"),
        r if r >= 0.0995 => format!("{r:.2}"),
        r => format!("{r:.4}"),
    }
}
