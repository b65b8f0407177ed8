//! What a watch saw of live disks, and what it says of them.

use jiff::Timestamp;
use message::Message;
use serde::{Deserialize, Serialize};
use stats::LatencyHistogram;
use units::JsonSchema;
use units::{Bytes, BytesPerSecond, Iops, Nanos, Ratio};
use workload::{Bound, Direction};

use crate::environment::IoLimit;
use crate::latency::LatencySummary;
use crate::named::named_enum;
use crate::volume::VolumeCounters;

/// The settings of a watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchPlan {
    /// Between two readings.
    pub interval: Nanos,
}

named_enum! {
    /// The sources of a watch, best first.
    pub enum SourceKind {
        /// A program in the kernel that sorts every request by its latency.
        Ebpf = "ebpf",
        /// The block tracepoints: every request, and not who waits.
        Trace = "trace",
        /// `/proc/diskstats`: rates and means, no percentile.
        Counters = "counters",
    }
}

named_enum! {
    /// The closed set of answers of a watch.
    pub enum WatchVerdict {
        NotBottleneck = "not-bottleneck",
        Saturated = "saturated",
        Capped = "capped",
        Slow = "slow",
        CannotTell = "cannot-tell",
    }
}

impl WatchVerdict {
    /// Whether it says that the disk holds programs up.
    pub const fn is_bottleneck(self) -> bool {
        matches!(self, Self::Saturated | Self::Capped | Self::Slow)
    }
}

/// What was seen of live disks in one watch. It is no measurement: the load was that of others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Watched {
    pub source: SourceKind,
    /// From the first reading to the last.
    pub length: Nanos,
    /// The one that matters most first.
    pub disks: Vec<WatchedDisk>,
    /// Those that waited longest first; empty where the source cannot tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiters: Vec<WatchedWaiter>,
    /// Means over the time; sizes are the largest.
    pub host: HostSample,
    /// Requests of all disks that are counted, and missing in the distributions.
    pub missing_requests: u64,
    /// Of fast requests, some that were drawn stand for all in `waiters`.
    #[serde(default, skip_serializing_if = "crate::absent::is_unset")]
    pub waiters_estimated: bool,
    /// Reads of our own, one a second; absent without a probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<WatchedProbe>,
    /// What the source cannot see, and why a better one did not work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
}

/// Reads of 4 KiB at random places, one a second, past the page cache.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedProbe {
    /// Reads that ended well.
    pub reads: u64,
    /// Absent without such a read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<LatencySummary>,
    /// Reads that failed.
    pub errors: u64,
    /// How long the last one had been waiting at the end, if that was long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Nanos>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedDisk {
    /// The kernel's name: `vda`. What it is stands in the target's stack.
    pub name: String,
    /// The time it was seen.
    pub length: Nanos,
    pub verdict: WatchVerdict,
    /// The verdict in one sentence, with its evidence.
    pub sentence: Message,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Message>,
    pub read: WatchedDirection,
    pub write: WatchedDirection,
    /// Requests to write back the disk's cache; absent where the source does not see them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush: Option<WatchedDirection>,
    /// Mean number of outstanding requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<f64>,
    /// Share of the time with a request outstanding. It says nothing about saturation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_share: Option<f64>,
    /// Requests that ended with an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// What an EBS volume counted itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<VolumeCounters>,
    /// Its temperature at the end, in degrees Celsius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub celsius: Option<f64>,
    /// Limits that control groups of this host put on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<IoLimit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<LimitUse>,
    /// Its time series, oldest first; empty of a disk that did nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<WatchPoint>,
}

/// Reads, writes or flushes of one disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedDirection {
    /// Requests completed, after merging.
    pub operations: u64,
    pub bytes: u64,
    /// Mean latency in nanoseconds; absent without operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    /// From the block layer's acceptance to completion; absent where the source has means only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<LatencySummary>,
    /// From acceptance until the driver got the request; without its distribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<LatencySummary>,
    /// From the driver to completion; without its distribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<LatencySummary>,
}

/// One or more intervals of a disk.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchPoint {
    pub length: Nanos,
    /// Absent without a read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<WatchPointFigures>,
    /// Absent without a write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<WatchPointFigures>,
    /// Absent without a flush.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush: Option<WatchPointFigures>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchPointFigures {
    pub operations: u64,
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<Nanos>,
    /// Absent where the source or the number of operations does not support it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50: Option<Nanos>,
    /// As `p50`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<Nanos>,
}

/// One who waited for a disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedWaiter {
    pub who: WaiterName,
    /// Name of the threads that asked for more than half of its requests, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// The kernel's name of the disk.
    pub disk: String,
    pub operations: u64,
    pub bytes: u64,
    /// Sum of the total latency of its operations.
    pub waited: Nanos,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50: Option<Nanos>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<Nanos>,
}

#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum WaiterName {
    /// Path of a control group below its mount.
    Group(String),
    /// The kernel, which writes dirty pages of any process.
    Writeback,
    /// Those that waited less than the ones that are named.
    Others,
}

/// What the host did meanwhile. Shares are 0 to 1 of the time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostSample {
    /// Of all processors: neither idle nor stolen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_busy_share: Option<f64>,
    /// Of all processors: the hypervisor ran something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal_share: Option<f64>,
    /// At least one task waited for I/O (PSI `some`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_pressure: Option<f64>,
    /// Every task that was not idle waited for I/O (PSI `full`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_full_pressure: Option<f64>,
    /// At least one task waited for a processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_pressure: Option<f64>,
    /// Bytes being written back at the end of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writeback_bytes: Option<u64>,
    /// Bytes waiting to be written back at the end of the interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty_bytes: Option<u64>,
}

/// How much of what a disk can do is used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitUse {
    pub iops: Iops,
    /// The most within the bound; with operations of another size, the number that moves the same
    /// bytes.
    pub limit: Iops,
    /// The limit in the unit that is compared.
    pub limit_rate: Message,
    pub bound: Bound,
    #[schemars(with = "String")]
    pub measured: Timestamp,
    /// What was measured: `random read 4k`.
    pub curve: Message,
}

impl LimitUse {
    pub fn share(&self) -> Ratio {
        Ratio(self.iops.0 / self.limit.0.max(1e-9))
    }
}

impl Watched {
    pub fn disk(&self, name: &str) -> Option<&WatchedDisk> {
        self.disks.iter().find(|disk| disk.name == name)
    }
}

impl WatchedDisk {
    /// Whether anything was asked of it.
    pub fn is_active(&self) -> bool {
        self.directions().any(|(_, of)| of.operations > 0)
            || self.outstanding.is_some_and(|outstanding| outstanding > 0.0)
    }

    /// Reads, writes and, where the source sees them, flushes.
    pub fn directions(&self) -> impl Iterator<Item = (Direction, &WatchedDirection)> {
        let flush = self.flush.as_ref().map(|flush| (Direction::Sync, flush));
        [(Direction::Read, &self.read), (Direction::Write, &self.write)].into_iter().chain(flush)
    }

    /// Reads and writes.
    pub fn operations(&self) -> u64 {
        self.read.operations.saturating_add(self.write.operations)
    }

    /// Of reads and writes.
    pub fn iops(&self) -> Iops {
        Iops(per_second(self.operations(), self.length))
    }

    pub fn rate_of(&self, direction: &WatchedDirection) -> (Iops, BytesPerSecond) {
        let rate = |count: u64| per_second(count, self.length);
        (Iops(rate(direction.operations)), BytesPerSecond(rate(direction.bytes)))
    }

    /// Bytes per operation, on average.
    pub fn block_size(&self) -> Option<Bytes> {
        self.read.bytes.saturating_add(self.write.bytes).checked_div(self.operations()).map(Bytes)
    }

    /// Share of reads among the operations.
    pub fn read_share(&self) -> Option<Ratio> {
        let all = self.operations();
        (all > 0).then(|| Ratio(self.read.operations as f64 / all as f64))
    }
}

impl WatchedDirection {
    pub fn mean(&self) -> Option<Nanos> {
        self.mean_ns.map(|mean| Nanos(mean.max(0.0).round() as u64))
    }

    /// A percentile of the total latency: `p99`; absent where the sample does not support it.
    pub fn percentile(&self, name: &str) -> Option<Nanos> {
        percentile_of(self.total.as_ref(), name)
    }

    /// The distribution of the total latency.
    pub fn histogram(&self) -> Option<LatencyHistogram> {
        self.total.as_ref()?.histogram.to_histogram().ok()
    }
}

/// A percentile of a part: `p99`.
pub fn percentile_of(part: Option<&LatencySummary>, name: &str) -> Option<Nanos> {
    part?.percentiles.get(name).map(|ns| Nanos(*ns))
}

impl WatchPointFigures {
    pub fn rate(&self, length: Nanos) -> Iops {
        Iops(per_second(self.operations, length))
    }
}

fn per_second(count: u64, length: Nanos) -> f64 {
    if length == Nanos::ZERO { 0.0 } else { count as f64 / length.as_secs_f64() }
}
