//! What was promised of the target, and whether it is kept.

use message::{Message, label};
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Iops, Nanos};
use workload::{Bound, Direction};

use crate::absent::is_unset;

/// What a provider, a data sheet or the user states of the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Promise {
    /// As it was asked for: `aws:gp3:100GiB,iops=6000`, `iops=5000,mbps=200`.
    pub asked: String,
    /// For people: `AWS EBS gp3, 100 GiB`; absent when the numbers were given by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The numbers, with every default filled in.
    pub items: Vec<Promised>,
    /// The share of a promised rate that must be there, above 0 and up to 1.
    pub share: f64,
    /// Why that share.
    pub share_because: Message,
    /// The longest transfer that counts as one operation; without it each is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_unit: Option<Bytes>,
    /// How operations are counted, in words.
    pub accounting: Message,
    /// How long a full burst lasts under random operations of 4 KiB that take all they get.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_lasts: Option<Nanos>,
    /// Whether the numbers are upper limits, below which nothing is promised.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub only_limits: bool,
    /// What else belongs to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// Where the numbers were read, with the date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
}

/// One number of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Promised {
    /// Of what.
    pub what: PromisedWhat,
    /// Of which direction; absent when it is for reads and for writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// What there is always: operations or bytes per second, or nanoseconds.
    pub always: f64,
    /// What there is for a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst: Option<f64>,
}

/// What a promised number is about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PromisedWhat {
    /// Operations per second.
    Iops,
    /// Bytes per second.
    BytesPerSecond,
    /// A latency, at the promised IOPS where there are any, else one operation at a time.
    Latency {
        /// The statistic and its limit.
        bound: Bound,
    },
}

impl PromisedWhat {
    /// A promised or measured number with its unit: `5,000 IOPS`, `200 MB/s`, `10.0 ms`.
    pub fn format_value(self, value: f64) -> Message {
        match self {
            Self::Iops => Iops(value).into(),
            Self::BytesPerSecond => BytesPerSecond(value).into(),
            Self::Latency { .. } => Nanos(value.max(0.0).round() as u64).into(),
        }
    }
}

/// Whether a number of a promise is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The whole interval says so.
    Kept,
    /// The whole interval is on the other side, and nothing but the target explains it.
    NotKept,
    /// This run cannot say.
    CannotTell,
}

impl Kept {
    /// As it is printed.
    pub fn label(self) -> Message {
        match self {
            Self::Kept => label("record-kept"),
            Self::NotKept => label("record-not-kept"),
            Self::CannotTell => label("record-cannot-tell"),
        }
    }
}

/// What became of one number, in one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PromiseOutcome {
    /// `random reads`, `sequential writes in the burst`.
    pub label: Message,
    /// What it is about.
    pub what: PromisedWhat,
    /// The promised number.
    pub promised: f64,
    /// What had to be there: the promised number, less what is allowed.
    pub needed: f64,
    /// What was measured, as the promise counts it, with its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Estimate>,
    /// The cell that it was measured in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The answer.
    pub kept: Kept,
    /// Why, in words.
    pub why: Message,
}
