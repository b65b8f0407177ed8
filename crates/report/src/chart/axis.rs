//! An axis: its range, its ticks, and how their numbers are written.

use message::Language;

use super::svg::text_width;
use crate::words::format_day;

/// A value, and how it is written.
pub(super) type Tick = (f64, String);

/// What numbers of an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    /// `950`, `20k`, `1.5M`.
    Count,
    /// Nanoseconds: `200 us`, `1 ms`.
    Nanos,
    Percent,
    /// Seconds since 1970: `2026-11-24`.
    Day,
}

impl NumberFormat {
    pub(super) fn format(self, value: f64) -> String {
        match self {
            Self::Count => format_scaled(value, &[(1e9, "G"), (1e6, "M"), (1e3, "k")], ""),
            Self::Nanos => format_scaled(value, &[(1e9, " s"), (1e6, " ms"), (1e3, " us")], " ns"),
            Self::Percent => format!("{} %", trim_zeros(value)),
            Self::Day => jiff::Timestamp::from_second(value as i64)
                .map_or_else(|_| String::new(), format_day),
        }
    }
}

fn format_scaled(value: f64, scales: &[(f64, &str)], rest: &str) -> String {
    let size = value.abs() * 1.000_001;
    let scale = scales.iter().find(|(least, _)| size >= *least);
    match scale {
        Some((least, unit)) => format!("{}{unit}", trim_zeros(value / least)),
        None if value == 0.0 => "0".to_owned(),
        None => format!("{}{rest}", trim_zeros(value)),
    }
}

/// At most four digits behind the point, without zeros at the end.
fn trim_zeros(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[derive(Debug, Clone)]
enum Ticks {
    /// Round numbers that have room.
    Round,
    /// These; of them those that have room.
    At(Vec<(f64, String)>),
}

#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub(crate) title: String,
    is_log: bool,
    starts_at_zero: bool,
    ticks: Ticks,
    /// Instead of that of the data.
    range: Option<(f64, f64)>,
    pub(super) format: NumberFormat,
}

impl Axis {
    pub(crate) fn linear(title: impl Into<String>, format: NumberFormat) -> Axis {
        let (title, ticks) = (title.into(), Ticks::Round);
        Axis { title, is_log: false, starts_at_zero: false, ticks, range: None, format }
    }

    pub(crate) fn log(title: impl Into<String>, format: NumberFormat) -> Axis {
        Axis { is_log: true, ..Axis::linear(title, format) }
    }

    /// An axis on which the length is the figure.
    pub(crate) fn starting_at_zero(self) -> Axis {
        Axis { starts_at_zero: true, ..self }
    }

    pub(crate) fn ticks(self, ticks: Vec<(f64, String)>) -> Axis {
        Axis { ticks: Ticks::At(ticks), ..self }
    }

    pub(crate) fn range(self, low: f64, high: f64) -> Axis {
        Axis { range: Some((low, high)), ..self }
    }

    pub(super) fn has_round_ticks(&self) -> bool {
        matches!(self.ticks, Ticks::Round)
    }

    /// Whether a value can stand on it.
    pub(super) fn takes(&self, value: f64) -> bool {
        value.is_finite() && (!self.is_log || value > 0.0)
    }

    /// Fits the axis to its values, between two places in pixels.
    pub(super) fn scale(
        &self,
        values: impl Iterator<Item = f64>,
        (from, to): (f64, f64),
    ) -> AxisScale<'_> {
        let (low, high) = self.range.unwrap_or_else(|| self.fit(values));
        let (low, high) = (self.map(low), self.map(high));
        AxisScale { axis: self, low, high, from, to }
    }

    fn fit(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| self.takes(*value)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return if self.is_log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if self.is_log {
            // At least a factor of 2, so that noise does not look like a cliff.
            let margin = (high / low).powf(0.05).max(if high / low < 2.0 { 1.42 } else { 1.0 });
            return (low / margin, high * margin);
        }
        if self.starts_at_zero {
            return (0.0, if high > 0.0 { high * 1.06 } else { 1.0 });
        }
        let margin = if high > low { (high - low) * 0.05 } else { high.abs().max(1.0) * 0.1 };
        let positive = low >= 0.0;
        let low = low - margin;
        (if positive { low.max(0.0) } else { low }, high + margin)
    }

    fn map(&self, value: f64) -> f64 {
        if self.is_log { value.max(f64::MIN_POSITIVE).log10() } else { value }
    }

    fn unmap(&self, value: f64) -> f64 {
        if self.is_log { 10_f64.powf(value) } else { value }
    }
}

/// An axis with its range and its place.
pub(super) struct AxisScale<'a> {
    axis: &'a Axis,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl AxisScale<'_> {
    /// The place of a value, in pixels; beyond the ends it stays at them.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (self.axis.map(value) - self.low) / (self.high - self.low);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    pub(super) fn shows(&self, value: f64) -> bool {
        let slack = (self.high - self.low) * 1e-9;
        self.axis.takes(value)
            && (self.low - slack..=self.high + slack).contains(&self.axis.map(value))
    }

    /// The ticks that have room, each with its place: `across` by the width of their words,
    /// otherwise by the height of a line.
    pub(super) fn ticks(&self, across: bool, language: Language) -> Vec<Tick> {
        if let Ticks::At(fixed) = &self.axis.ticks {
            let shown = fixed.iter().filter(|(value, _)| self.shows(*value));
            return self.keep_apart(shown.cloned().collect(), across);
        }
        let (low, high) = (self.axis.unmap(self.low), self.axis.unmap(self.high));
        let mut choices = if self.axis.is_log { log_choices(low, high) } else { Vec::new() };
        choices.retain(|values| values.len() > 1);
        if choices.is_empty() {
            choices = linear_choices(low, high);
        }
        for values in choices {
            let word = |value: f64| {
                let words = self.axis.format.format(value);
                (value, language.punctuate(&words))
            };
            let ticks: Vec<Tick> =
                values.into_iter().filter(|value| self.shows(*value)).map(word).collect();
            if !self.collide(&ticks, across) {
                return ticks;
            }
        }
        Vec::new()
    }

    fn gap(&self, a: &Tick, b: &Tick, across: bool) -> f64 {
        let room = match across {
            true => (text_width(&a.1) + text_width(&b.1)) / 2.0 + 14.0,
            false => 19.0,
        };
        (self.place(a.0) - self.place(b.0)).abs() - room
    }

    fn collide(&self, ticks: &[Tick], across: bool) -> bool {
        ticks.windows(2).any(|pair| self.gap(&pair[0], &pair[1], across) < 0.0)
    }

    /// Of given ticks those that do not touch; the last one before those near it.
    fn keep_apart(&self, ticks: Vec<Tick>, across: bool) -> Vec<Tick> {
        let mut kept: Vec<Tick> = Vec::new();
        let Some(last) = ticks.last().cloned() else { return kept };
        for tick in ticks {
            let is_last = tick == last;
            let after_others =
                kept.last().is_none_or(|other| self.gap(other, &tick, across) >= 0.0);
            if after_others && (is_last || self.gap(&tick, &last, across) >= 0.0) {
                kept.push(tick);
            }
        }
        kept
    }
}

/// Round numbers of a logarithmic axis, most first.
fn log_choices(low: f64, high: f64) -> Vec<Vec<f64>> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let of = |digits: &[f64], step: usize| -> Vec<f64> {
        let decades = (first..=last).step_by(step);
        let all = decades.flat_map(|power| digits.iter().map(move |d| d * 10_f64.powi(power)));
        all.filter(|value| (low..=high).contains(value)).collect()
    };
    let digits = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]];
    let dense = digits.into_iter().map(|digits| of(digits, 1));
    dense.chain([2, 3, 4].map(|step| of(&[1.0], step))).collect()
}

/// Round numbers of a linear axis, most first.
fn linear_choices(low: f64, high: f64) -> Vec<Vec<f64>> {
    let span = (high - low).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf((span / 20.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0, 20.0, 25.0, 50.0, 100.0, 200.0];
    let of = |step: f64| -> Vec<f64> {
        let step = step * power;
        let first = (low / step - 1e-9).ceil();
        let count = ((high / step + 1e-9).floor() - first).clamp(0.0, 60.0) as usize;
        (0..=count).map(|place| (first + place as f64) * step).collect()
    };
    steps.into_iter().map(of).filter(|values| values.len() <= 9).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis, values: &[f64], length: f64) -> Vec<String> {
        let scale = axis.scale(values.iter().copied(), (0.0, length));
        scale.ticks(true, Language::English).into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn round_ticks_fit_their_range() {
        let axis = Axis::linear("", NumberFormat::Count).starting_at_zero();
        assert_eq!(words(&axis, &[71_000.0], 150.0), ["0", "20k", "40k", "60k"]);
        let axis = Axis::log("", NumberFormat::Nanos);
        let ticks = words(&axis, &[80e3, 12e6], 600.0);
        assert_eq!(ticks, ["100 us", "200 us", "500 us", "1 ms", "2 ms", "5 ms", "10 ms"]);
        assert_eq!(words(&axis, &[80e3, 12e6], 150.0), ["100 us", "1 ms", "10 ms"]);
        // A range without two round numbers has those of a linear axis.
        assert!(words(&axis, &[130e3, 140e3], 600.0).len() > 1);
    }

    #[test]
    fn given_ticks_never_touch() {
        let at = [1.0, 64.0, 225.0, 240.0, 256.0].map(|depth| (depth, depth.to_string()));
        let axis = Axis::log("", NumberFormat::Count).ticks(at.to_vec());
        assert_eq!(words(&axis, &[1.0, 256.0], 500.0), ["1", "64", "256"]);
    }

    #[test]
    fn numbers_are_short() {
        let count = |value| NumberFormat::Count.format(value);
        assert_eq!([count(0.0), count(950.0), count(2_500.0)], ["0", "950", "2.5k"]);
        assert_eq!(NumberFormat::Nanos.format(1e6), "1 ms");
        assert_eq!(NumberFormat::Percent.format(0.01), "0.01 %");
    }
}
