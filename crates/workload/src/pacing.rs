//! When the next operation starts, and when a job ends.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Iops, Nanos};

/// When the next operation starts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pacing {
    /// Closed loop: a new operation for each that completes.
    Closed,
    /// One operation at a time, started at fixed intervals, with an idle target between them.
    Spaced {
        /// From one start to the next.
        interval: Nanos,
    },
    /// Open loop: operations start when the plan says, whatever became of the earlier ones. The
    /// job's depth bounds how many may be outstanding; what is late starts at once, and the plan
    /// does not move.
    Open {
        /// Planned operations per second, of all directions together.
        rate: Iops,
        /// How the starts are spread.
        arrivals: Arrivals,
    },
}

/// How planned starts are spread over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Equally far apart.
    Constant,
    /// Independent of each other, as requests of many clients are: exponential gaps.
    Poisson,
    /// As they were recorded, or drawn from what was: each operation has a start of its own.
    Recorded,
}

/// A rate that one direction must not exceed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    Operations(Iops),
    Bytes(BytesPerSecond),
}

/// Rates that a closed loop must not exceed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Caps {
    pub read: Option<Cap>,
    pub write: Option<Cap>,
    pub trim: Option<Cap>,
}

impl Caps {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A pause of the client between operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThinkTime {
    pub time: Nanos,
    /// Of it, at its start: time spent computing instead of sleeping.
    pub spin: Nanos,
    /// Operations between two pauses; 0 when only the time counts.
    pub every: u32,
    /// Time of operations between two pauses; 0 when only their number counts. With both, the first
    /// of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub after: Nanos,
}

fn is_zero(time: &Nanos) -> bool {
    *time == Nanos::ZERO
}

/// When a job ends: at whichever of these comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    /// After this time of measuring; warm-up does not count.
    pub time: Option<Nanos>,
    /// After this many bytes, warm-up included.
    pub bytes: Option<Bytes>,
    /// After this many operations, warm-up included.
    pub operations: Option<u64>,
}

impl Stop {
    pub const fn after(time: Nanos) -> Self {
        Self { time: Some(time), bytes: None, operations: None }
    }

    pub const fn operations(count: u64) -> Self {
        Self { time: None, bytes: None, operations: Some(count) }
    }

    pub(crate) fn conflict(&self) -> Option<String> {
        let Self { time, bytes, operations } = *self;
        if time.is_none() && bytes.is_none() && operations.is_none() {
            return Some("nothing ends it: no time, no bytes, no operations".to_owned());
        }
        (time == Some(Nanos::ZERO) || bytes == Some(Bytes(0)) || operations == Some(0))
            .then(|| "it ends before it starts".to_owned())
    }
}
