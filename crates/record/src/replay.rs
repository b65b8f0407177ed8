//! A captured load that is replayed on another disk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Bytes, Nanos};
use workload::{Bound, Direction};

use crate::cell::PerDirection;
use crate::named::named_enum;

named_enum! {
    /// Where the requests of a load go on a disk of another size.
    pub enum OffsetMap {
        /// Spread over the target, in steps of 1 MiB, within which offsets stay as they are.
        Scale = "scale",
        /// Beyond the end of the target, from its start again.
        Wrap = "wrap",
        /// Where they were.
        AsIs = "as-is",
    }
}

/// The settings of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayPlan {
    pub load: CapturedLoad,
    /// How many times as fast as it was captured.
    pub speed: f64,
    pub map: OffsetMap,
    /// Most requests outstanding.
    pub depth: u32,
    /// The longest probe of a search over the speed; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe_max: Option<Nanos>,
}

/// The load of a replay: what is in its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CapturedLoad {
    /// `tdprofile`, `tdtrace`, `blktrace`, `blkparse` or `iolog`.
    pub format: String,
    /// Hash of all requests: equal for two replays of one load.
    pub digest: String,
    pub length: Nanos,
    /// Requests that are replayed.
    pub requests: PerDirection<u64>,
    pub bytes: PerDirection<Bytes>,
    pub largest: Bytes,
    /// Where the furthest request ends.
    pub extent: Bytes,
    /// Size of the disk that it is of, where the file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_size: Option<Bytes>,
    /// Percentiles of the latencies there, by name; absent where the file has none.
    #[serde(default)]
    pub latency: PerDirection<BTreeMap<String, Nanos>>,
    /// Requests that the engine has no open loop for, and that are left out.
    #[serde(default)]
    pub discards_left_out: u64,
    /// Flushes of a load without writes: they are left out.
    #[serde(default)]
    pub flushes_left_out: u64,
    /// Writes that were to be durable at once, and are replayed as plain ones.
    #[serde(default)]
    pub fua_as_plain: u64,
    /// Requests that were lost while it was captured.
    #[serde(default)]
    pub lost: u64,
    /// Its end is missing: the capture was killed.
    #[serde(default)]
    pub was_cut: bool,
}

/// What a replay says of the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayOutcome {
    /// Absent where the run was cut short, or the generator was late.
    pub keeps_up: Option<bool>,
    /// How much of the load was done in its time, where it does not keep up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// The longest time from a planned start to the completion.
    pub slowest: Nanos,
    pub latencies: Vec<ReplayLatency>,
    /// How late the generator itself was: its 99th percentile, and the most.
    pub lateness_p99: Nanos,
    pub lateness_max: Nanos,
    /// The generator was so late, or so held back, that the response times say nothing of the disk.
    pub invalid: bool,
    /// For each bound of a search over the speed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<ReplayLimit>,
}

/// A percentile of response times, here and where the load was captured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayLatency {
    pub direction: Direction,
    pub percentile: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub there: Option<Nanos>,
    /// In nanoseconds, from the planned start.
    pub here: Estimate,
    /// Of the requests that met no deeper queue than there; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparable: Option<Estimate>,
}

/// Which speeds of a load keep a bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayLimit {
    pub bound: Bound,
    /// The highest speed that keeps it, below all that break it.
    pub keeps: Option<f64>,
    /// The lowest speed that breaks it.
    pub breaks: Option<f64>,
    /// Whether further probes at both speeds said the same.
    #[serde(default)]
    pub confirmed: bool,
}
