//! Sizes in bytes.

use std::fmt;
use std::str::FromStr;

use crate::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number::{ParseError, scale_to_u64, split_number};

/// A size or an amount of data, in bytes.
///
/// Read with binary suffixes, as storage people write them (`4k` = 4096, `1g` = 2^30); printed
/// the same way with [`fmt::Display`] (`4 KiB`).
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
pub struct Bytes(pub u64);

impl Bytes {
    /// 2^10 bytes.
    pub const KIB: u64 = 1 << 10;
    /// 2^20 bytes.
    pub const MIB: u64 = 1 << 20;
    /// 2^30 bytes.
    pub const GIB: u64 = 1 << 30;

    pub const fn kib(n: u64) -> Self {
        Self(n * Self::KIB)
    }

    pub const fn mib(n: u64) -> Self {
        Self(n * Self::MIB)
    }

    pub const fn gib(n: u64) -> Self {
        Self(n * Self::GIB)
    }

    /// The compact form used in names and on the command line: `4k`, `1m`, `512`.
    pub fn to_compact(self) -> String {
        for (unit, suffix) in [(Self::GIB, "g"), (Self::MIB, "m"), (Self::KIB, "k")] {
            if self.0 >= unit && self.0.is_multiple_of(unit) {
                return format!("{}{suffix}", self.0 / unit);
            }
        }
        self.0.to_string()
    }
}

impl FromStr for Bytes {
    type Err = ParseError;

    /// Reads `512`, `4k`, `1.5G`, `4KiB`, `1MB`. Every suffix is binary: `1M`, `1MB` and `1MiB`
    /// are all 1,048,576 bytes.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (value, suffix) = split_number("size", text)?;
        let exponent = match suffix.as_str() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 1,
            "m" | "mb" | "mib" => 2,
            "g" | "gb" | "gib" => 3,
            "t" | "tb" | "tib" => 4,
            "p" | "pb" | "pib" => 5,
            _ => {
                let reason = format!("unknown suffix '{suffix}'; write it like 4k, 100m or 4g");
                return Err(ParseError::new("size", text, reason));
            }
        };
        scale_to_u64("size", text, value, 1 << (10 * exponent)).map(Self)
    }
}

impl fmt::Display for Bytes {
    /// `512 B`, `4 KiB`, `1.5 GiB`: binary units, three significant digits, no false zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let mut value = self.0 as f64;
        let mut unit = 0;
        while value >= 1024.0 && unit + 1 < units.len() {
            value /= 1024.0;
            unit += 1;
        }
        if value.fract() == 0.0 || value >= 100.0 {
            write!(f, "{value:.0} {}", units[unit])
        } else if value >= 10.0 {
            write!(f, "{value:.1} {}", units[unit])
        } else {
            write!(f, "{value:.2} {}", units[unit])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_storage_people_write() {
        let check = |text: &str, expected: u64| {
            assert_eq!(text.parse::<Bytes>().unwrap(), Bytes(expected), "{text}");
        };
        check("512", 512);
        check("4k", 4096);
        check("4K", 4096);
        check("4KiB", 4096);
        check("4 kb", 4096);
        check("1.5g", 1_610_612_736);
        check("0", 0);
        check("2t", 2 << 40);
    }

    #[test]
    fn refuses_what_is_not_a_size() {
        let check = |text: &str, reason: &str| {
            let error = text.parse::<Bytes>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
            assert!(error.contains(text), "{text}: {error}");
        };
        check("10x", "unknown suffix 'x'");
        check("", "must start with a number");
        check("-4k", "must start with a number");
        check("1.2.3k", "not a number");
        check("99999999p", "too large");
        check("0.1", "smaller than one unit");
        check("4k4", "unknown suffix");
    }

    #[test]
    fn prints_short_and_exact() {
        let check = |bytes: u64, expected: &str| assert_eq!(Bytes(bytes).to_string(), expected);
        check(0, "0 B");
        check(512, "512 B");
        check(4096, "4 KiB");
        check(1_610_612_736, "1.50 GiB");
        check(123_456_789, "118 MiB");
        check(u64::MAX, "16 EiB");
    }

    proptest! {
        #[test]
        fn compact_form_reads_back(bytes in 0_u64..1 << 52) {
            prop_assert_eq!(Bytes(bytes).to_compact().parse::<Bytes>().unwrap(), Bytes(bytes));
        }

        #[test]
        fn never_panics(text in ".{0,12}") {
            let _ = text.parse::<Bytes>();
        }
    }
}
