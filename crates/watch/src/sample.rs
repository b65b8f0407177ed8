//! What a source saw in one interval.

use stats::LatencyHistogram;

/// The sources, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A program in the kernel that sorts every request by its latency.
    Ebpf,
    /// `/proc/diskstats`: rates and means, no percentile.
    Counters,
}

impl SourceKind {
    /// As it is named on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ebpf => "ebpf",
            Self::Counters => "counters",
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Of the interval, by the monotonic clock.
    pub length_ns: u64,
    /// Every disk chosen, the idle ones too, in the order chosen. A disk that is gone is absent.
    pub devices: Vec<DeviceSample>,
    /// Empty where the source cannot tell who waits.
    pub waiters: Vec<Waiter>,
    pub host: HostSample,
    /// Requests of all disks that are counted, and missing in the histograms.
    pub missing_requests: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceSample {
    /// The kernel's name: `vda`.
    pub name: String,
    pub read: DirectionSample,
    pub write: DirectionSample,
    /// Requests to write back the disk's cache. Where the source tells them from writes, those of
    /// programs and file systems; else those of the kernel to the disk, and the former are among
    /// the writes.
    pub flush: Option<DirectionSample>,
    /// Requests that ended with an error.
    pub errors: Option<u64>,
    /// Mean number of outstanding requests over the interval.
    pub outstanding: Option<f64>,
    /// Share of the interval with a request outstanding. It says nothing about saturation.
    pub busy_share: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct DirectionSample {
    /// Requests completed in the interval, after merging.
    pub operations: u64,
    pub bytes: u64,
    /// From the block layer's acceptance to completion, in nanoseconds; the flushes of a write are
    /// within.
    pub total: Option<LatencyHistogram>,
    /// From acceptance until the driver got the request.
    pub queue: Option<LatencyHistogram>,
    /// From the driver to completion.
    pub device: Option<LatencyHistogram>,
    /// Mean of the total latency; absent without operations.
    pub mean_ns: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Waiter {
    pub who: WaiterName,
    /// The kernel's name of the disk.
    pub device: String,
    pub operations: u64,
    pub bytes: u64,
    /// Sum of the total latency of its operations.
    pub waited_ns: u64,
    pub total: Option<LatencyHistogram>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WaiterName {
    /// Path of a control group below its mount.
    Group(String),
    /// The kernel, which writes dirty pages of any process.
    Writeback,
    /// Those that waited less than the ones that are named.
    Others,
}

/// Shares are 0 to 1 of the interval.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostSample {
    /// Of all processors: neither idle nor stolen.
    pub cpu_busy_share: Option<f64>,
    /// Of all processors: the hypervisor ran something else.
    pub steal_share: Option<f64>,
    /// At least one task waited for I/O (PSI `some`).
    pub io_pressure: Option<f64>,
    /// Every task that was not idle waited for I/O (PSI `full`).
    pub io_full_pressure: Option<f64>,
    /// At least one task waited for a processor.
    pub cpu_pressure: Option<f64>,
    /// Bytes being written back at the end of the interval.
    pub writeback_bytes: Option<u64>,
    /// Bytes waiting to be written back at the end of the interval.
    pub dirty_bytes: Option<u64>,
}
