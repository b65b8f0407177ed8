//! A latency bound (SLO): a statistic and a limit.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::Nanos;

/// Which figure of a latency distribution is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// The arithmetic mean.
    Mean,
    /// The percentile, above 0 and below 100.
    Percentile(f64),
    Max,
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Percentile(p) => write!(f, "p{p}"),
            Self::Max => f.write_str("max"),
        }
    }
}

/// A bound such as `p99<10ms`: the statistic of total latency must be below the limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bound {
    pub statistic: Statistic,
    /// It must be below this.
    pub limit: Nanos,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bound '{text}' is not valid: {reason}")]
pub struct BoundError {
    text: String,
    reason: String,
}

impl BoundError {
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl FromStr for Bound {
    type Err = BoundError;

    /// Reads `p99<10ms`, `p99.9 < 500us`, `mean<5ms`, `max<1s`.
    fn from_str(text: &str) -> Result<Self, BoundError> {
        let error = |reason: String| BoundError { text: text.to_owned(), reason };
        let Some((left, right)) = text.split_once('<') else {
            return Err(error("it must be a statistic, '<' and a time, like p99<10ms".to_owned()));
        };
        let statistic = match left.trim() {
            "mean" | "avg" => Statistic::Mean,
            "max" => Statistic::Max,
            name => Statistic::Percentile(percentile(name).map_err(error)?),
        };
        if right.trim().is_empty() {
            return Err(error("the time after '<' is missing; write it like p99<10ms".to_owned()));
        }
        let limit: Nanos = right
            .parse()
            .map_err(|e: units::ParseError| error(format!("{}: {}", e.text.trim(), e.reason)))?;
        if limit == Nanos::ZERO {
            return Err(error("no operation takes less than no time".to_owned()));
        }
        Ok(Self { statistic, limit })
    }
}

fn percentile(name: &str) -> Result<f64, String> {
    let number = name.strip_prefix('p').ok_or_else(|| {
        format!("unknown statistic '{name}'; use mean, max or a percentile like p99")
    })?;
    let value: f64 = number
        .parse()
        .map_err(|_| format!("'{name}' is not a percentile; write it like p99 or p99.9"))?;
    if value > 0.0 && value < 100.0 {
        Ok(value)
    } else {
        Err(format!("a percentile lies between 0 and 100, not at {value}"))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ns = self.limit.0;
        let limit = match ns {
            _ if ns.is_multiple_of(1_000_000_000) => format!("{}s", ns / 1_000_000_000),
            _ if ns.is_multiple_of(1_000_000) => format!("{}ms", ns / 1_000_000),
            _ if ns.is_multiple_of(1_000) => format!("{}us", ns / 1_000),
            _ => format!("{ns}ns"),
        };
        write!(f, "{}<{limit}", self.statistic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints_bounds() {
        let check = |text: &str, printed: &str| {
            assert_eq!(text.parse::<Bound>().unwrap().to_string(), printed, "{text}");
        };
        check("p99<10ms", "p99<10ms");
        check(" p99.9 < 500us", "p99.9<500us");
        check("mean<1500us", "mean<1500us");
        check("max<1s", "max<1s");
    }

    #[test]
    fn refuses_what_is_not_a_bound() {
        let check = |text: &str, reason: &str| {
            let error = text.parse::<Bound>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        };
        check("p99<", "time after '<' is missing");
        check("p101<1ms", "between 0 and 100");
        check("p0<1ms", "between 0 and 100");
        check("pnan<1ms", "between 0 and 100");
        check("p99", "a statistic, '<' and a time");
        check("median<1ms", "unknown statistic 'median'");
        check("p99<10", "needs a unit");
        check("p99<0ms", "less than no time");
        check("pfoo<1ms", "not a percentile");
    }
}
