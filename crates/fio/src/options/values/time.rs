//! Times: `10`, `10s`, `2m`, `500ms`, `20us`.

use super::ValueProblem;

/// What a bare number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
}

impl Unit {
    const fn ns(self) -> u64 {
        match self {
            Self::Seconds => 1_000_000_000,
            Self::Milliseconds => 1_000_000,
            Self::Microseconds => 1_000,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Milliseconds => "milliseconds",
            Self::Microseconds => "microseconds",
        }
    }
}

/// What a time looks like, for errors.
pub(super) fn expected_time(bare: Unit) -> String {
    format!("a whole number of {}, or one with d, h, m, s, ms, us or ns", bare.word())
}

/// Reads a time, in nanoseconds.
pub(super) fn parse_time(text: &str, bare: Unit) -> Result<u64, ValueProblem> {
    let wrong = |what: &str| ValueProblem::new(format!("{text} {what}"), expected_time(bare));
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if unit.starts_with('.') {
        return Err(wrong("has decimals; use a smaller unit"));
    }
    let number: u64 = digits.parse().map_err(|_| wrong("is not a time"))?;
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" => bare.ns(),
        "d" => 86_400_000_000_000,
        "h" => 3_600_000_000_000,
        "m" => 60_000_000_000,
        "s" | "sec" => 1_000_000_000,
        "ms" | "msec" => 1_000_000,
        "us" | "usec" => 1_000,
        "ns" | "nsec" => 1,
        _ => return Err(wrong("has an unknown unit")),
    };
    number.checked_mul(unit).ok_or_else(|| wrong("is too long"))
}
