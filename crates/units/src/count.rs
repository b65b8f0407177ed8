//! Plain counts with a meaning: depth, seed, ratio.

use std::fmt;
use std::str::FromStr;

use crate::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number::ParseError;

/// How many operations are kept outstanding. At least 1 wherever a job was validated.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Depth(pub u32);

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Depth {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim().parse::<u32>() {
            Ok(0) => Err(ParseError::new("depth", text, "it must be at least 1")),
            Ok(depth) => Ok(Self(depth)),
            Err(_) => Err(ParseError::new("depth", text, "it must be a whole number, like 32")),
        }
    }
}

/// What every pseudo-random choice of a run follows from: same seed, same operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seed(pub u64);

/// A ratio without unit; 1.0 is the whole.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Ratio(pub f64);

impl fmt::Display for Ratio {
    /// As a percentage: `12.5 %`, `0.03 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 * 100.0;
        if percent.abs() >= 9.95 {
            write!(f, "{percent:.0} %")
        } else if percent.abs() >= 0.95 {
            write!(f, "{percent:.1} %")
        } else {
            write!(f, "{percent:.2} %")
        }
    }
}

/// `1234567` as `1,234,567`.
pub fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits_by_three() {
        let check = |number: u64, expected: &str| assert_eq!(group_digits(number), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(1_234_567, "1,234,567");
    }

    #[test]
    fn depth_is_at_least_one() {
        assert_eq!("32".parse::<Depth>().unwrap(), Depth(32));
        assert!("0".parse::<Depth>().unwrap_err().to_string().contains("at least 1"));
        assert!("-1".parse::<Depth>().unwrap_err().to_string().contains("whole number"));
    }

    #[test]
    fn ratio_prints_as_percentage() {
        assert_eq!(Ratio(0.125).to_string(), "12 %");
        assert_eq!(Ratio(0.0312).to_string(), "3.1 %");
        assert_eq!(Ratio(0.0003).to_string(), "0.03 %");
    }
}
