//! A figure with its interval.

use message::{Message, label};
use serde::{Deserialize, Serialize};
use units::JsonSchema;

/// A figure with its 95 % interval, or the reason why it has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    pub value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    pub n: u64,
    /// Independent samples that these are worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_effective: Option<f64>,
    /// How the interval was found, or why there is none.
    pub method: Message,
}

impl Estimate {
    /// Both ends of the interval, the lower first; `None` without an interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        Some((self.low?, self.high?))
    }

    /// The interval of a figure that cannot be negative, such as a rate.
    pub fn positive_interval(&self) -> Option<(f64, f64)> {
        self.interval().map(|(low, high)| (low.max(0.0), high))
    }

    /// Half the width of the interval as a fraction of the figure; `None` without an interval.
    pub fn relative_half_width(&self) -> Option<f64> {
        let (low, high) = self.interval()?;
        (self.value != 0.0).then(|| (high - low) / 2.0 / self.value.abs())
    }

    /// The same relative interval around another figure; none where either is not positive, such
    /// as a rate whose only operation ended after the last interval of the series.
    pub fn recentred(self, value: f64) -> Self {
        let factor = value / self.value;
        if self.interval().is_some() && !(factor > 0.0 && factor.is_finite()) {
            return Self::without_interval(value, self.n, label("no-interval-nothing"));
        }
        let scaled = |end: Option<f64>| end.map(|x| x * factor);
        Self { value, low: scaled(self.low), high: scaled(self.high), ..self }
    }

    /// The figure and both ends through a function that keeps their order.
    pub fn map(self, of: impl Fn(f64) -> f64) -> Self {
        let (low, high) = (self.low.map(&of), self.high.map(&of));
        Self { value: of(self.value), low, high, ..self }
    }

    pub(crate) fn with_interval(
        value: f64,
        (low, high): (f64, f64),
        n: u64,
        method: impl Into<String>,
    ) -> Self {
        let bare = Self::without_interval(value, n, Message::from_text(method));
        Self { low: Some(low), high: Some(high), ..bare }
    }

    /// With an interval of `half` on either side, in logarithms where the figure is positive: no
    /// rate or time is below zero.
    pub(crate) fn with_half_width(value: f64, half: f64, n: u64, method: String) -> Self {
        let ends = if value > 0.0 {
            let factor = (half / value).exp();
            (value / factor, value * factor)
        } else {
            (value - half, value + half)
        };
        Self::with_interval(value, ends, n, method)
    }

    /// The figure alone, with the reason why it has no interval.
    pub fn without_interval(value: f64, n: u64, reason: impl Into<Message>) -> Self {
        Self { value, low: None, high: None, n, n_effective: None, method: reason.into() }
    }

    /// The same, worth `n_effective` independent samples.
    pub(crate) fn worth(self, n_effective: f64) -> Self {
        Self { n_effective: Some(n_effective), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(value: f64, low: Option<f64>, high: Option<f64>) -> Estimate {
        let bare = Estimate::without_interval(value, 5, Message::from_text("by hand"));
        Estimate { low, high, ..bare }
    }

    #[test]
    fn half_widths_are_fractions_of_the_figure() {
        let check = |estimate: Estimate, expected: Option<f64>| {
            assert_eq!(estimate.relative_half_width(), expected, "{estimate:?}");
        };
        check(between(100.0, Some(90.0), Some(110.0)), Some(0.1));
        check(between(-100.0, Some(-110.0), Some(-90.0)), Some(0.1));
        check(between(100.0, Some(95.0), Some(125.0)), Some(0.15));
        check(between(0.0, Some(-1.0), Some(1.0)), None);
        check(between(100.0, None, None), None);
        check(between(100.0, Some(90.0), None), None);
    }

    #[test]
    fn an_interval_moves_with_its_figure() {
        let moved = between(10.0, Some(8.0), Some(13.0)).recentred(20.0);
        assert_eq!((moved.value, moved.interval()), (20.0, Some((16.0, 26.0))));
        assert_eq!(between(10.0, None, None).recentred(20.0).interval(), None);
        assert_eq!(between(10.0, Some(8.0), Some(13.0)).recentred(0.0).interval(), None);
        let late = between(0.0, Some(0.0), Some(0.0)).recentred(5.0);
        assert_eq!((late.value, late.low, late.high), (5.0, None, None));
        assert_eq!(late.method.id(), "no-interval-nothing");
    }

    #[test]
    fn an_interval_of_a_rate_does_not_reach_zero() {
        let check = |value: f64, half, (low, high): (f64, f64)| {
            let estimate = Estimate::with_half_width(value, half, 9, String::new());
            let (l, h) = estimate.interval().unwrap();
            assert!((l - low).abs() < 0.01 && (h - high).abs() < 0.01, "{estimate:?}");
        };
        check(100.0, 1.0, (99.0, 101.0));
        check(100.0, 200.0, (13.53, 738.91));
        check(0.0, 2.0, (-2.0, 2.0));
        check(-5.0, 2.0, (-7.0, -3.0));
    }

    #[test]
    fn intervals_have_both_ends_or_none() {
        assert_eq!(between(1.0, Some(0.5), Some(2.0)).interval(), Some((0.5, 2.0)));
        assert_eq!(between(1.0, Some(0.5), None).interval(), None);
    }
}
