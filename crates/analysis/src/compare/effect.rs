//! What can be said of the ratio of a figure, from the runs of both sides.

use record::compare::{Basis, CellComparison, Effect, Figure, FigureKind, Outcome};
use stats::Estimate;

use super::group::{ComparisonCriteria, RunFigure};

/// Runs of one disk differ by themselves: the same cloud volume or SSD gives tens of percent more
/// or less on another day (Maricq et al., OSDI 2018; Schad et al., VLDB 2010). Of one run each,
/// only what is farther apart than this is called a difference.
const SINGLE_RUN_RATIO_MIN: f64 = 1.5;

pub(super) fn measure_effect(
    a: &[RunFigure],
    b: &[RunFigure],
    figure: &Figure,
    b_label: &str,
    terms: &ComparisonCriteria,
) -> Effect {
    let (ratio, basis) = estimate_ratio(a, b);
    let more = figure.more_is_better();
    let what = EffectWording { b: b_label, figure };
    assemble_effect(ratio, basis, (a, b), more, &what, terms)
}

/// The ratio B over A, and what its interval speaks of.
fn estimate_ratio(a: &[RunFigure], b: &[RunFigure]) -> (Estimate, Basis) {
    if let ([a], [b]) = (a, b) {
        return ratio_within_runs(a, b);
    }
    let difference = stats::estimate_difference(&log_values(a), &log_values(b));
    (exp_estimate(difference), Basis::BetweenRuns)
}

fn log_values(runs: &[RunFigure]) -> Vec<f64> {
    runs.iter().map(|run| run.value.ln()).collect()
}

fn exp_estimate(of: Estimate) -> Estimate {
    let (low, high) = (of.low.map(f64::exp), of.high.map(f64::exp));
    Estimate { value: of.value.exp(), low, high, ..of }
}

/// Of one run each: the intervals within both, put together on the logarithms as independent
/// errors (Zou and Donner 2008), each side with its own.
fn ratio_within_runs(a: &RunFigure, b: &RunFigure) -> (Estimate, Basis) {
    let value = b.value / a.value;
    let Some((of_a, of_b)) = a.interval.zip(b.interval) else {
        let reason = "one run each carries no interval for the difference between runs".to_owned();
        return (Estimate::without_interval(value, 2, reason), Basis::Figures);
    };
    let below = ((of_b.0 / b.value).ln().powi(2) + (of_a.1 / a.value).ln().powi(2)).sqrt();
    let above = ((of_b.1 / b.value).ln().powi(2) + (of_a.0 / a.value).ln().powi(2)).sqrt();
    let estimate = Estimate {
        value,
        low: Some(value * (-below).exp()),
        high: Some(value * above.exp()),
        n: 2,
        n_effective: None,
        method: "the intervals within one run each, 95 %; nothing of the difference between runs"
            .to_owned(),
    };
    (estimate, Basis::WithinRuns)
}

fn assemble_effect(
    ratio: Estimate,
    basis: Basis,
    (a, b): (&[RunFigure], &[RunFigure]),
    more_is_better: bool,
    words: &EffectWording<'_>,
    terms: &ComparisonCriteria,
) -> Effect {
    let runs = (a.len() as u64, b.len() as u64);
    let between = basis == Basis::BetweenRuns;
    let (of_a, of_b) = (log_values(a), log_values(b));
    let noise = stats::standard_deviation(&of_a).max(stats::standard_deviation(&of_b));
    let outcome = decide_outcome(&ratio, basis, more_is_better, terms);
    let runs_needed = (outcome == Outcome::CannotTell)
        .then(|| estimate_runs_needed(&ratio, between.then_some(noise), runs, terms))
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
        words: String::new(),
    };
    effect.words = words.describe(&effect, terms);
    effect
}

fn decide_outcome(
    ratio: &Estimate,
    basis: Basis,
    more_is_better: bool,
    terms: &ComparisonCriteria,
) -> Outcome {
    let Some((low, high)) = ratio.interval() else { return Outcome::CannotTell };
    let least = match basis {
        Basis::BetweenRuns => 1.0 + terms.least_effect,
        Basis::WithinRuns => SINGLE_RUN_RATIO_MIN,
        Basis::Figures => return Outcome::CannotTell,
    };
    let margin = 1.0 + terms.margin;
    match () {
        () if low > least => faster_if(more_is_better),
        () if high < 1.0 / least => faster_if(!more_is_better),
        () if basis == Basis::BetweenRuns && low >= 1.0 / margin && high <= margin => Outcome::Same,
        () => Outcome::CannotTell,
    }
}

const fn faster_if(yes: bool) -> Outcome {
    if yes { Outcome::Faster } else { Outcome::Slower }
}

/// Runs of each side at which the interval would be narrow enough for one verdict or the other,
/// should ratio and spread stay what they are. At least as many as any interval takes.
fn estimate_runs_needed(
    ratio: &Estimate,
    noise: Option<f64>,
    runs: (u64, u64),
    terms: &ComparisonCriteria,
) -> Option<u64> {
    let least = stats::min_runs(0.05);
    let Some(noise) = noise.filter(|_| runs.0.min(runs.1) > 1) else { return Some(least) };
    let apart = ratio.value.ln().abs();
    let (same, differs) =
        ((1.0 + terms.margin).ln() - apart, apart - (1.0 + terms.least_effect).ln());
    let wanted = stats::runs_needed(noise, same.max(differs))?;
    // What was not enough is not enough: the spread that was seen is itself uncertain.
    let had = if ratio.interval().is_some() { runs.0.min(runs.1) + 1 } else { 0 };
    Some(wanted.max(least).max(had))
}

/// An interval is narrow enough for a large difference when it is a quarter of it.
const NARROW_SHARE_MAX: f64 = 0.25;

/// Whether a ratio is known well enough to stop measuring: half of its interval is within
/// `precision`, as a share, or small against the difference itself. What the interval says does not
/// decide: who looks until a difference shows finds one where there is none.
#[must_use]
pub fn is_narrow(effect: &Effect, precision: f64) -> bool {
    let Some((low, high)) = effect.ratio.interval() else { return false };
    let half = (high / low).ln() / 2.0;
    half <= precision.max(NARROW_SHARE_MAX * effect.ratio.value.ln().abs())
}

/// All cells together: what each run gave on average over the cells that every run has, better
/// being more. `None` below two cells.
pub(super) fn overall_effect(
    cells: &[CellComparison],
    b_label: &str,
    terms: &ComparisonCriteria,
) -> Option<Effect> {
    let mains: Vec<_> = cells.iter().filter_map(CellComparison::main_figure).collect();
    let counts = |pick: &dyn Fn(&record::compare::FigureComparison) -> usize| {
        mains.iter().map(|main| pick(main)).max().unwrap_or(0)
    };
    let (of_a, of_b) = (counts(&|main| main.a_runs.len()), counts(&|main| main.b_runs.len()));
    let whole: Vec<_> = mains
        .into_iter()
        .filter(|main| main.a_runs.len() == of_a && main.b_runs.len() == of_b)
        .collect();
    if whole.len() < 2 {
        return None;
    }
    let mean = |run: usize, of_b: bool| {
        let one = |main: &&record::compare::FigureComparison| {
            let value = if of_b { main.b_runs[run] } else { main.a_runs[run] };
            let sign = if main.figure.more_is_better() { 1.0 } else { -1.0 };
            sign * value.ln()
        };
        let sum: f64 = whole.iter().map(one).sum();
        RunFigure { value: (sum / whole.len() as f64).exp(), interval: None }
    };
    let a: Vec<RunFigure> = (0..of_a).map(|run| mean(run, false)).collect();
    let b: Vec<RunFigure> = (0..of_b).map(|run| mean(run, true)).collect();
    let figure = Figure { kind: FigureKind::Iops, direction: None };
    Some(measure_effect(&a, &b, &figure, b_label, terms))
}

struct EffectWording<'a> {
    b: &'a str,
    figure: &'a Figure,
}

impl EffectWording<'_> {
    fn describe(&self, effect: &Effect, terms: &ComparisonCriteria) -> String {
        let single = "one run each carries no interval for the difference between runs";
        let ratio = &effect.ratio;
        let each = format_run_counts(effect.runs);
        match (effect.outcome, effect.basis) {
            (Outcome::Same, _) => {
                let margin = 100.0 * terms.margin;
                format!("the same within {margin:.0} %: x {}", format_interval(ratio))
            }
            (Outcome::Faster | Outcome::Slower, Basis::BetweenRuns) => {
                self.describe_difference(ratio)
            }
            (Outcome::Faster | Outcome::Slower, _) => {
                format!("{} in one run each; {single}", self.describe_difference(ratio))
            }
            (Outcome::CannotTell, Basis::Figures) => {
                format!("x {} in one run each; {single}", format_ratio(ratio.value))
            }
            (Outcome::CannotTell, Basis::WithinRuns) => format!(
                "cannot tell: x {} within one run each; {single}, {} needed",
                format_interval(ratio),
                format_runs_needed(effect)
            ),
            (Outcome::CannotTell, Basis::BetweenRuns) if ratio.interval().is_none() => {
                format!("cannot tell: {each}, {} needed", format_runs_needed(effect))
            }
            (Outcome::CannotTell, Basis::BetweenRuns) => {
                let needed = format_runs_needed(effect);
                format!(
                    "cannot tell: x {} in {each}, about {needed} needed",
                    format_interval(ratio)
                )
            }
        }
    }

    /// `B is 13.0 x faster, 12.1 to 13.8`.
    fn describe_difference(&self, ratio: &Estimate) -> String {
        let less = ratio.value < 1.0;
        let turned = |x: f64| if less { 1.0 / x } else { x };
        let ends = ratio.interval().map(|(low, high)| {
            let (p, q) = (turned(low), turned(high));
            format!(", {} to {}", format_ratio(p.min(q)), format_ratio(p.max(q)))
        });
        let many = format!("{} x", format_ratio(turned(ratio.value)));
        let ends = ends.unwrap_or_default();
        match (&self.figure.kind, less) {
            (FigureKind::Latency(_), false) => {
                format!("{}'s {} is {many} longer{ends}", self.b, self.figure)
            }
            (FigureKind::Latency(_), true) => {
                format!("{}'s {} is {many} shorter{ends}", self.b, self.figure)
            }
            (_, false) => format!("{} is {many} faster{ends}", self.b),
            (_, true) => format!("{} is {many} slower{ends}", self.b),
        }
    }
}

/// `3 runs each`, `3 and 5 runs`.
pub(super) fn format_run_counts((a, b): (u64, u64)) -> String {
    match (a, b) {
        (1, 1) => "one run each".to_owned(),
        _ if a == b => format!("{a} runs each"),
        _ => format!("{a} and {b} runs"),
    }
}

fn format_runs_needed(effect: &Effect) -> String {
    effect.runs_needed.map_or_else(|| "more than 1000".to_owned(), |runs| runs.to_string())
}

fn format_interval(ratio: &Estimate) -> String {
    match ratio.interval() {
        Some((low, high)) => format!("{} to {}", format_ratio(low), format_ratio(high)),
        None => format_ratio(ratio.value),
    }
}

/// A ratio with as many digits as it can carry.
pub(super) fn format_ratio(ratio: f64) -> String {
    match ratio {
        r if r >= 9.95 => format!("{r:.1}"),
        r if r >= 0.0995 => format!("{r:.2}"),
        r => format!("{r:.4}"),
    }
}
