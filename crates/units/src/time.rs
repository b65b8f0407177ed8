//! Durations and latencies in nanoseconds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number::{ParseError, decimals, scale_to_u64, split_number};

/// A duration or a latency, in nanoseconds. 2^64 ns are 584 years.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Nanos(pub u64);

impl Nanos {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    pub const fn micros(n: u64) -> Self {
        Self(n * 1_000)
    }

    pub const fn millis(n: u64) -> Self {
        Self(n * 1_000_000)
    }

    /// What is longer than 584 years becomes the longest time there is.
    pub const fn secs(n: u64) -> Self {
        Self(n.saturating_mul(1_000_000_000))
    }

    /// From seconds as a fraction; negative and not-a-number become zero.
    pub fn from_secs_f64(seconds: f64) -> Self {
        Self((seconds * 1e9).round().max(0.0) as u64)
    }

    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl From<Duration> for Nanos {
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Nanos> for Duration {
    fn from(nanos: Nanos) -> Self {
        Self::from_nanos(nanos.0)
    }
}

impl FromStr for Nanos {
    type Err = ParseError;

    /// Reads `250us`, `10ms`, `1.5s`, `2m`, `1h`. A bare number is refused: tools disagree on
    /// what it means.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (value, suffix) = split_number("time", text)?;
        let factor = match suffix.as_str() {
            "ns" => 1,
            "us" | "µs" | "usec" => 1_000,
            "ms" | "msec" => 1_000_000,
            "s" | "sec" => 1_000_000_000,
            "m" | "min" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            suffix => {
                let wrong = match suffix {
                    "" => "it needs a unit".to_owned(),
                    _ => format!("unknown unit '{suffix}'"),
                };
                let reason = format!("{wrong}; write it like 500us, 10ms or 2s");
                return Err(ParseError::new("time", text, reason));
            }
        };
        scale_to_u64("time", text, value, factor).map(Self)
    }
}

impl fmt::Display for Nanos {
    /// `850 ns`, `47.2 us`, `1.25 ms`, `2.00 s`: three significant digits with the unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            0..1_000 => return write!(f, "{} ns", self.0),
            1_000..1_000_000 => (self.0 as f64 / 1e3, "us"),
            1_000_000..1_000_000_000 => (self.as_millis_f64(), "ms"),
            _ => (self.as_secs_f64(), "s"),
        };
        write!(f, "{value:.*} {unit}", decimals(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_times_with_their_unit() {
        let check = |text: &str, expected: Nanos| {
            assert_eq!(text.parse::<Nanos>().unwrap(), expected, "{text}");
        };
        check("10ms", Nanos::millis(10));
        check("1.5s", Nanos::millis(1500));
        check("500us", Nanos::micros(500));
        check("2m", Nanos::secs(120));
        check("80ns", Nanos(80));
    }

    #[test]
    fn refuses_what_is_not_a_time() {
        let check = |text: &str, reason: &str| {
            let error = text.parse::<Nanos>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        };
        check("10", "needs a unit");
        check("10parsecs", "unknown unit 'parsecs'");
        check("ms", "must start with a number");
        check("0.1ns", "smaller than one unit");
    }

    #[test]
    fn prints_three_significant_digits() {
        let check = |ns: u64, expected: &str| assert_eq!(Nanos(ns).to_string(), expected);
        check(0, "0 ns");
        check(850, "850 ns");
        check(47_249, "47.2 us");
        check(99_960, "100 us");
        check(9_996, "10.0 us");
        check(1_250_000, "1.25 ms");
        check(2_000_000_000, "2.00 s");
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,12}") {
            let _ = text.parse::<Nanos>();
        }
    }
}
