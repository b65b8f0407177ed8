//! Rates: operations and bytes per second.

use std::fmt;

use crate::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::count::group_digits;
use crate::number::decimals;

/// Operations per second.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Iops(pub f64);

impl fmt::Display for Iops {
    /// `118,402`; one decimal below 100.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 100.0 {
            write!(f, "{:.1}", self.0)
        } else {
            f.write_str(&group_digits(self.0.round() as u64))
        }
    }
}

/// Bytes per second; printed in decimal MB/s, as disks are sold.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct BytesPerSecond(pub f64);

impl BytesPerSecond {
    pub const fn from_mb(megabytes: f64) -> Self {
        Self(megabytes * 1e6)
    }

    pub const fn as_mb(self) -> f64 {
        self.0 / 1e6
    }
}

impl fmt::Display for BytesPerSecond {
    /// `485 MB/s`, `48.5 MB/s`, `0.49 MB/s`: always MB/s, so that two lines compare at a glance.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_mb() {
            mb if mb >= 99.95 => write!(f, "{} MB/s", group_digits(mb.round() as u64)),
            mb => write!(f, "{mb:.*} MB/s", decimals(mb)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_rates_as_they_are_sold() {
        assert_eq!(Iops(118_402.4).to_string(), "118,402");
        assert_eq!(Iops(79.26).to_string(), "79.3");
        assert_eq!(BytesPerSecond(485_000_000.0).to_string(), "485 MB/s");
        assert_eq!(BytesPerSecond(6_900_000_000.0).to_string(), "6,900 MB/s");
        assert_eq!(BytesPerSecond(48_460_000.0).to_string(), "48.5 MB/s");
        assert_eq!(BytesPerSecond::from_mb(0.487).to_string(), "0.49 MB/s");
    }
}
