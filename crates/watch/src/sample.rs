//! What a source saw in one interval.

use record::VolumeCounters;
use stats::LatencyHistogram;
use units::Nanos;

pub use record::{HostSample, SourceKind, WaiterName};

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
    /// Of fast requests, some that were drawn stand for all in `waiters`.
    pub waiters_estimated: bool,
    /// Absent without a probe.
    pub probe: Option<ProbeSample>,
}

/// What reads of our own waited for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProbeSample {
    pub total: LatencyHistogram,
    /// Reads that failed.
    pub errors: u64,
    /// How long the read that has not ended has been waiting, if that is long.
    pub waiting: Option<Nanos>,
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
    /// What an EBS volume counted itself in the interval.
    pub volume: Option<VolumeCounters>,
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
    /// Whose threads asked for its requests; empty where the source cannot tell.
    pub submitters: Vec<Submitter>,
}

/// Threads of one name that ask for requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitter {
    pub name: String,
    pub requests: u64,
}

impl Waiter {
    /// The name of the threads that asked for more than half of its requests. A worker of the
    /// kernel asks on behalf of others, and names none.
    pub fn main_process(&self) -> Option<&str> {
        let all: u64 = self.submitters.iter().map(|one| one.requests).sum();
        let most = self.submitters.iter().max_by_key(|one| one.requests)?;
        let is_main =
            most.requests * 2 > all.max(self.operations) && !most.name.starts_with(KERNEL_WORKER);
        is_main.then_some(&*most.name)
    }
}

const KERNEL_WORKER: &str = "kworker/";
