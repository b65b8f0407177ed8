//! What was counted during a cell, by us and by the system.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, Nanos};

use crate::absent::is_unset;
use crate::environment::IoLimit;

/// Bytes as asked, as the process was charged, as the devices served: over warm-up, measured
/// time and drain together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ledger {
    /// Time between the two readings of the counters.
    pub elapsed: Nanos,
    pub read_ops: u64,
    pub read_bytes: Bytes,
    pub write_ops: u64,
    pub write_bytes: Bytes,
    pub sync_ops: u64,
    #[serde(default, skip_serializing_if = "is_unset")]
    pub trim_ops: u64,
    /// Bytes that our trims gave back or zeroed.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub trim_bytes: Bytes,
    /// Transfers that ended short and were gone on with.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub resumed: u64,
    /// Operations given up: still outstanding when the run stopped waiting.
    pub abandoned: u64,
    /// What `/proc/self/io` charged this process; absent when it may not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessCounters>,
    /// What each device of the stack served, topmost first.
    pub layers: Vec<LayerCounters>,
    /// Pages of the file in the page cache; absent where it cannot be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residency: Option<Residency>,
    /// The host meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemCounters>,
    /// How control groups held this process back meanwhile; absent where none limits its
    /// processor time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_throttle: Option<CpuThrottle>,
    /// Limits of control groups on the devices of the target that held before or after: two of one
    /// kind where it was changed meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub io_limits: Vec<IoLimit>,
}

/// `/proc/self/io`, difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessCounters {
    /// `read_bytes`: fetched from the storage layer.
    pub read_bytes: Bytes,
    /// `write_bytes`: sent to the storage layer.
    pub write_bytes: Bytes,
}

/// `/sys/block/X/stat`, difference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LayerCounters {
    pub name: String,
    pub read_ops: u64,
    pub read_bytes: Bytes,
    pub write_ops: u64,
    pub write_bytes: Bytes,
    pub flush_ops: u64,
    /// Requests merged with another.
    pub merges: u64,
    /// Time integral of requests outstanding, in request-milliseconds.
    pub queue_ms: u64,
    /// Milliseconds with at least one request outstanding.
    pub busy_ms: u64,
}

/// Pages of the measured range in the page cache.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Residency {
    /// How it was asked: `cachestat`, `mincore`.
    pub method: String,
    pub pages: u64,
    /// In memory before the cell.
    pub cached_before: u64,
    pub cached_after: u64,
}

/// The host during a cell, differences of `/proc/stat` and `/proc/pressure`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SystemCounters {
    /// Processor time over all processors that this process may use.
    pub cpu_total: Nanos,
    /// Of it: idle, waiting for I/O included.
    pub cpu_idle: Nanos,
    /// Of it: taken by the hypervisor for others.
    pub cpu_steal: Nanos,
    pub cpu_self: Nanos,
    /// Time in which some task waited for I/O (PSI); absent where the kernel has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_io: Option<Nanos>,
    /// Time in which some task waited for a processor (PSI).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_cpu: Option<Nanos>,
}

/// Processor time that a control group withholds: `cpu.stat` of the group of this process, or of
/// the group above it, that was held back longest; difference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CpuThrottle {
    /// The control group's path below its mount.
    pub cgroup: String,
    /// Processors that the group may use: its quota over its period; absent where it has no quota
    /// any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota_cpus: Option<f64>,
    /// Time after which the group may go on.
    pub period: Nanos,
    /// Periods in which the group used up its quota.
    pub throttled_periods: u64,
    /// Time in which the group was held back, summed over processors.
    pub throttled: Nanos,
}
