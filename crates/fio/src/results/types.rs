//! The figures of a run, as the printers take them.

use serde::{Deserialize, Serialize};
use stats::LatencyHistogram;

use crate::options::report::ReportOptions;

/// Everything that is printed of one run.
#[derive(Debug, Clone, Default)]
pub struct RunResult {
    /// When it ended, milliseconds since 1970.
    pub finished_ms: u64,
    /// Options given before the first job, as typed: name and value (empty for a bare flag).
    pub global_options: Vec<(String, String)>,
    /// One per instance, in the order of their starts. `entries()` merges those of a group.
    pub instances: Vec<JobResult>,
    pub disks: Vec<DiskUse>,
    pub idleness: Option<Idleness>,
    /// What our truth checks found: the JSON value of the extra top-level key `truedisk`.
    pub truedisk: Option<serde_json::Value>,
    pub findings: Vec<String>,
}

/// One instance of a job, or all of a group merged.
/// On its way from another host it is without what that host was told: options, description, how
/// it is shown, and its group.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    pub name: String,
    #[serde(skip)]
    pub description: Option<String>,
    #[serde(skip)]
    pub group: u32,
    #[serde(skip)]
    pub group_reporting: bool,
    pub jobs: u32,
    /// The system's error number that ended it; 0.
    pub errno: i32,
    /// What was tried when it failed: printed in the `err=` text, such as `pwrite: ...`.
    pub error_text: String,
    pub pid: u32,
    /// Start, milliseconds since 1970.
    pub job_start_ms: u64,
    pub elapsed_s: u64,
    pub eta_s: u64,
    #[serde(skip)]
    pub options: Vec<(String, String)>,
    #[serde(skip)]
    pub display: ReportOptions,
    pub read: DirectionResult,
    pub write: DirectionResult,
    pub trim: DirectionResult,
    pub sync: SyncResult,
    /// Sum of the instances' run times, in milliseconds.
    pub job_runtime_ms: u64,
    pub user_ns: u64,
    pub system_ns: u64,
    pub ctx: u64,
    pub majf: u64,
    pub minf: u64,
    /// Operations started at a depth of 1, 2, 4, 8, 16, 32, 64 and more (as fio rounds: a depth
    /// d counts in the first bucket b with d <= b).
    pub depth_level: [u64; 7],
    /// Submissions of 0, 1-4, 5-8, 9-16, 17-32, 33-64, more than 64 operations.
    pub submit: [u64; 7],
    pub complete: [u64; 7],
    /// Of all directions together: what `lat (nsec)` lines and `latency_ns` keys count. Completion
    /// latencies.
    #[serde(with = "compact")]
    pub latency: LatencyHistogram,
    /// Errors put up with under `continue_on_error`: how many, and the first's number.
    pub continued: Option<(u64, i32)>,
    pub target: LatencyTarget,
    pub steady: Option<SteadyState>,
}

/// One direction.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectionResult {
    pub bytes: u64,
    pub ops: u64,
    pub runtime_ms: u64,
    pub short: u64,
    pub dropped: u64,
    /// Submission latency; empty for synchronous engines.
    #[serde(with = "compact")]
    pub slat: LatencyHistogram,
    #[serde(with = "compact")]
    pub clat: LatencyHistogram,
    #[serde(with = "compact")]
    pub lat: LatencyHistogram,
    /// Of jobs whose operations have priorities of their own; that of the job is first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prios: Vec<PriorityResult>,
    /// KiB/s in windows of 500 ms (`bwavgtime`).
    pub bw: Samples,
    pub iops: Samples,
}

/// Latencies of the operations of one priority.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriorityResult {
    /// Class and level, as ioprio_set(2) takes them.
    pub ioprio: u16,
    #[serde(with = "compact")]
    pub clat: LatencyHistogram,
    #[serde(with = "compact")]
    pub lat: LatencyHistogram,
}

impl PriorityResult {
    /// Adds `others` to `sums`: one entry per priority.
    pub fn merge_all(sums: &mut Vec<Self>, others: impl IntoIterator<Item = Self>) {
        for other in others {
            match sums.iter_mut().find(|sum| sum.ioprio == other.ioprio) {
                Some(sum) => {
                    sum.clat.merge(&other.clat);
                    sum.lat.merge(&other.lat);
                }
                None => sums.push(other),
            }
        }
    }
}

/// Durability calls.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyncResult {
    pub ops: u64,
    #[serde(with = "compact")]
    pub lat: LatencyHistogram,
}

/// A series of windows, reduced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Samples {
    pub min: u64,
    pub max: u64,
    /// Mean; of a merged group: the sum of the instances' means.
    pub mean: f64,
    pub dev: f64,
    pub samples: u64,
}

/// `latency_target`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencyTarget {
    /// The limit in microseconds; 0 without one.
    pub target_us: u64,
    pub window_us: u64,
    /// Share of operations that must stay below, in percent.
    pub percentile: f64,
    /// The depth that was found; without a target the job's.
    pub depth: u32,
}

/// `steadystate`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteadyState {
    pub kind: String,
    /// What was asked for: percent, or the absolute value; printed in `ss`.
    pub limit: f64,
    pub duration_s: u64,
    pub attained: bool,
    /// The value of the criterion at the end: percent, or the absolute value.
    pub criterion: f64,
    /// Whether the limit was a percentage.
    pub percent: bool,
    pub max_deviation: f64,
    pub slope: f64,
    pub bw: Vec<u64>,
    pub iops: Vec<u64>,
    pub lat: Vec<f64>,
}

/// One block device during the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiskUse {
    pub name: String,
    pub ios: [u64; 2],
    pub sectors: [u64; 2],
    pub merges: [u64; 2],
    pub ticks: [u64; 2],
    pub in_queue: u64,
    /// Percent of the time busy, 0 to 100.
    pub util: f64,
    /// Devices below it (md, dm): their averages are printed as `aggr...`.
    pub slaves: Vec<DiskUse>,
}

/// `--idle-prof`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Idleness {
    /// Percent over all processors.
    pub system: f64,
    /// Percent per processor; empty unless asked.
    pub percpu: Vec<f64>,
    /// Mean and deviation of a unit of work, microseconds.
    pub unit: (f64, f64),
}

/// A histogram on its way: its buckets that are not empty. One that contradicts itself is refused.
mod compact {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use stats::{LatencyHistogram, SparseHistogram};

    pub(super) fn serialize<S: Serializer>(
        histogram: &LatencyHistogram,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        histogram.to_sparse().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<LatencyHistogram, D::Error> {
        let sparse = SparseHistogram::deserialize(deserializer)?;
        sparse.to_histogram().map_err(serde::de::Error::custom)
    }
}
