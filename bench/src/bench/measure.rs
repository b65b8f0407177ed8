//! Helpers for benches: alternating runs, medians, fio.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use stats::Estimate;

use xtask::process;

/// Two things measured in turn, so that whatever drifts on the machine drifts under both.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PairedSamples {
    pub(super) a: Vec<f64>,
    pub(super) b: Vec<f64>,
}

/// The median of `a` by the median of `b`, and the range of single rounds' ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RatioOfMedians {
    pub(super) ratio: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// Runs both `n` times in turn, changing who goes first: the second finds a warmer machine.
pub(super) fn run_alternately(
    n: usize,
    a: impl FnMut() -> Result<f64>,
    b: impl FnMut() -> Result<f64>,
) -> Result<PairedSamples> {
    run_alternately_until(|pairs| pairs.a.len() >= n, a, b)
}

/// The same until `enough`, which may look at how well the ratio is known, but not at the ratio:
/// that would choose the answer.
pub(super) fn run_alternately_until(
    mut enough: impl FnMut(&PairedSamples) -> bool,
    mut a: impl FnMut() -> Result<f64>,
    mut b: impl FnMut() -> Result<f64>,
) -> Result<PairedSamples> {
    let mut pairs = PairedSamples { a: Vec::new(), b: Vec::new() };
    ensure!(!enough(&pairs), "nothing to compare in 0 rounds");
    while !enough(&pairs) {
        let round = pairs.a.len();
        let (value_a, value_b) = if round.is_multiple_of(2) {
            let first = a();
            (first?, b()?)
        } else {
            let first = b()?;
            (a()?, first)
        };
        for value in [value_a, value_b] {
            ensure!(value.is_finite() && value > 0.0, "round {round} gave {value}, not a size");
        }
        pairs.a.push(value_a);
        pairs.b.push(value_b);
    }
    Ok(pairs)
}

/// Runs every side `n` times in an order that changes from round to round. `run` gets the side
/// and the round. Gives what each side gave, by round.
pub(super) fn run_in_turns<T>(
    n: usize,
    sides: usize,
    mut run: impl FnMut(usize, usize) -> Result<T>,
) -> Result<Vec<Vec<T>>> {
    ensure!(n > 0, "nothing to compare in 0 rounds");
    let mut all: Vec<Vec<T>> = (0..sides).map(|_| Vec::with_capacity(n)).collect();
    for round in 0..n {
        for side in turn_order(sides, round) {
            all[side].push(run(side, round)?);
        }
    }
    Ok(all)
}

/// Turned by one place each round, and backwards after each full turn.
fn turn_order(sides: usize, round: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sides).map(|place| (place + round) % sides).collect();
    if (round / sides) % 2 == 1 {
        order.reverse();
    }
    order
}

impl PairedSamples {
    pub(super) fn from_readings<T>(a: &[T], b: &[T], figure: fn(&T) -> f64) -> Self {
        Self { a: a.iter().map(figure).collect(), b: b.iter().map(figure).collect() }
    }

    pub(super) fn median_a(&self) -> f64 {
        median(&self.a)
    }

    pub(super) fn median_b(&self) -> f64 {
        median(&self.b)
    }

    /// The median of the rounds' ratios, with its 95 % interval; none of fewer than six rounds.
    pub(super) fn median_ratio(&self) -> Estimate {
        stats::median_of_few(&self.ratios())
    }

    fn ratios(&self) -> Vec<f64> {
        self.a.iter().zip(&self.b).map(|(a, b)| a / b).collect()
    }

    /// How far the end of that interval that is further off is from the median, as a share of it.
    pub(super) fn uncertainty(&self) -> Option<f64> {
        let median = self.median_ratio();
        let (low, high) = median.interval()?;
        Some((high - median.value).max(median.value - low) / median.value)
    }

    pub(super) fn ratio(&self) -> RatioOfMedians {
        let (min, max) = min_and_max(&self.ratios());
        RatioOfMedians { ratio: self.median_a() / self.median_b(), min, max }
    }
}

impl std::fmt::Display for RatioOfMedians {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} ({:.3} to {:.3})", self.ratio, self.min, self.max)
    }
}

/// The middle value, or the mean of the two in the middle; NaN of nothing.
pub(crate) fn median(values: &[f64]) -> f64 {
    stats::median(values.iter().copied()).unwrap_or(f64::NAN)
}

pub(super) fn min_and_max(values: &[f64]) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    values.iter().fold(ends, |(min, max), value| (min.min(*value), max.max(*value)))
}

pub(super) fn time_command(command: &mut Command) -> Result<f64> {
    let started = Instant::now();
    process::capture_stdout(command)?;
    Ok(started.elapsed().as_secs_f64())
}

pub(super) fn run_fio_json(arguments: &[&str]) -> Result<Value> {
    run_fio_command(Command::new("fio").args(arguments))
}

pub(crate) fn run_fio_command(command: &mut Command) -> Result<Value> {
    let line = process::command_line(command);
    let output = command
        .arg("--output-format=json")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run `{line}`\nhint: install fio"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed ({}): {}", output.status, message.trim());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    parse_fio(&text).with_context(|| format!("`{line}` did not print JSON"))
}

/// fio prints notes before its JSON, on the same stream.
fn parse_fio(text: &str) -> Result<Value> {
    let start = text.find('{').context("there is no '{'")?;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter();
    Ok(values.next().context("there is nothing after '{'")??)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn both_take_turns_at_going_first() {
        let order = RefCell::new(String::new());
        let run = |name: char, value: f64| {
            let order = &order;
            move || {
                order.borrow_mut().push(name);
                Ok(value)
            }
        };
        let pairs = run_alternately(3, run('a', 2.0), run('b', 1.0)).unwrap();
        assert_eq!(*order.borrow(), "abbaab");
        assert_eq!(pairs, PairedSamples { a: vec![2.0; 3], b: vec![1.0; 3] });
    }

    #[test]
    fn sides_come_in_every_order() {
        let orders: Vec<_> = (0..6).map(|round| turn_order(3, round)).collect();
        let expected =
            [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 2, 1], [1, 0, 2]].map(Vec::from);
        assert_eq!(orders, expected);
        let firsts: Vec<_> = (0..4).map(|round| turn_order(2, round)[0]).collect();
        assert_eq!(firsts, [0, 1, 1, 0]);
    }

    #[test]
    fn what_a_side_gave_stays_in_the_order_of_rounds() {
        let run = |side: usize, round: usize| Ok((10 * side + round) as f64);
        let all = run_in_turns(3, 2, run).unwrap();
        assert_eq!(all, [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]].map(Vec::from));
        assert_eq!(PairedSamples::from_readings(&all[0], &all[1], |x| *x).median_b(), 11.0);
        assert!(run_in_turns(0, 2, run).is_err());
    }

    #[test]
    fn a_ratio_comes_with_its_range() {
        let pairs = PairedSamples { a: vec![10.0, 30.0, 20.0], b: vec![10.0, 10.0, 5.0] };
        let ratio = pairs.ratio();
        assert_eq!(ratio, RatioOfMedians { ratio: 2.0, min: 1.0, max: 4.0 });
        assert_eq!(ratio.to_string(), "2.000 (1.000 to 4.000)");
    }

    #[test]
    fn rounds_go_on_until_they_are_enough() {
        // One round in four is 10 % apart, so the interval of few rounds holds both.
        let round = std::cell::Cell::new(0);
        let a = || {
            round.set(round.get() + 1);
            Ok(if round.get() % 4 == 0 { 1.1 } else { 1.0 })
        };
        let narrow = |pairs: &PairedSamples| pairs.uncertainty().is_some_and(|half| half <= 0.02);
        let pairs = run_alternately_until(narrow, a, || Ok(1.0)).unwrap();
        assert!((7..40).contains(&pairs.a.len()), "{}", pairs.a.len());
        assert_eq!(pairs.uncertainty(), Some(0.0));
        let few = PairedSamples { a: vec![1.0; 5], b: vec![1.0; 5] };
        assert_eq!(few.uncertainty(), None);
        let wide = PairedSamples { a: vec![0.9, 1.1, 0.9, 1.1, 0.9, 1.1], b: vec![1.0; 6] };
        assert!((wide.uncertainty().unwrap() - 0.1).abs() < 1e-9);
        assert!(run_alternately_until(|_| true, || Ok(1.0), || Ok(1.0)).is_err());
    }

    #[test]
    fn what_is_no_number_stops_the_bench() {
        assert!(run_alternately(1, || Ok(1.0), || Ok(0.0)).is_err());
        assert!(run_alternately(1, || Ok(f64::NAN), || Ok(1.0)).is_err());
        assert!(run_alternately(0, || Ok(1.0), || Ok(1.0)).is_err());
        assert!(run_alternately(1, || bail!("no disk"), || Ok(1.0)).is_err());
    }

    #[test]
    fn notes_around_fios_json_are_skipped() {
        let value = parse_fio("note: both iodepth >= 1\n{\"jobs\": [1]}\nbye\n").unwrap();
        assert_eq!(value["jobs"][0], 1);
        assert!(parse_fio("no json").is_err());
        assert!(parse_fio("{broken").is_err());
    }
}
