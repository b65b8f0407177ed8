//! What the rules look at.

use message::Message;
use record::{HostSample, IoLimit};
use units::{Iops, Nanos};
use workload::{Bound, Statistic};

use crate::health::DiskHealth;
use crate::known::{KnownCurve, find_curve};
use crate::sample::Waiter;
use crate::summary::{DiskSummary, WatchSummary};

pub use record::{LimitUse, WatchVerdict as Verdict};

/// Where no curve of the disk has another.
pub const DEFAULT_BOUND: Bound =
    Bound { statistic: Statistic::Percentile(99.0), limit: Nanos::millis(10) };

/// What is known of a disk beside the samples.
#[derive(Debug, Clone, Default)]
pub struct DiskFacts {
    pub name: String,
    /// The curves of its stored runs.
    pub curves: Vec<KnownCurve>,
    /// Limits that control groups of this host put on it.
    pub limits: Vec<IoLimit>,
    pub health: DiskHealth,
    /// What can be measured of it: a folder on it, or the device.
    pub measurable: Option<String>,
    /// Whether that is a device, which is measured read-only.
    pub is_device: bool,
}

pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// With its evidence.
    pub(super) sentence: Message,
    pub(super) next: Option<Message>,
}

/// Everything that the rules look at.
pub(super) struct Case<'a> {
    pub(super) disk: &'a DiskSummary,
    pub(super) waiters: Vec<&'a Waiter>,
    pub(super) host: &'a HostSample,
    pub(super) facts: &'a DiskFacts,
    known: Option<KnownCurve>,
    pub(super) bound: Bound,
    pub(super) iops: Iops,
    pub(super) outstanding: f64,
    /// The bounded statistic of the slower direction.
    pub(super) bounded: Option<Nanos>,
    /// Of reads and writes.
    pub(super) mean: Option<Nanos>,
    /// Of reads and writes, or of flushes where these take longer.
    pub(super) longer_mean: Option<Nanos>,
    /// Of the disk with the most to do: the share of the time with anything outstanding.
    pub(super) busiest_share: Option<f64>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        disk: &'a DiskSummary,
        summary: &'a WatchSummary,
        facts: &'a DiskFacts,
    ) -> Self {
        let known = disk.block_size().zip(disk.read_share());
        let known = known.filter(|_| !disk.has_flushes_among_writes());
        let known =
            known.and_then(|(size, share)| find_curve(&facts.curves, size, share, disk.iops()));
        let bound = known.as_ref().map_or(DEFAULT_BOUND, |known| known.bound);
        let mean_ns = disk.mean_ns();
        let mean = mean_ns.map(|mean| Nanos(mean.round() as u64));
        let flush_mean = disk.flush.as_ref().and_then(|flush| flush.statistic(Statistic::Mean));
        // By Little's law, where the kernel does not count.
        let little = mean_ns.map_or(0.0, |mean| disk.iops().0 * mean / 1e9);
        Self {
            disk,
            waiters: summary.waiters.iter().filter(|waiter| waiter.device == disk.name).collect(),
            host: &summary.host,
            facts,
            known,
            bound,
            iops: disk.iops(),
            outstanding: disk.outstanding.unwrap_or(little),
            bounded: disk.worst(bound.statistic).map(|(_, latency)| latency),
            mean,
            longer_mean: mean.max(flush_mean),
            busiest_share: summary.disks.iter().filter_map(|one| one.busy_share).reduce(f64::max),
        }
    }

    /// The curve of a stored run with this load.
    pub(super) const fn known_curve(&self) -> Option<&KnownCurve> {
        self.known.as_ref()
    }

    pub(super) fn limit_use(&self) -> Option<LimitUse> {
        let known = self.known_curve()?;
        Some(LimitUse {
            iops: self.iops,
            limit: known.limit,
            limit_rate: known.describe_rate(known.limit),
            bound: known.bound,
            measured: known.measured,
            curve: known.label.clone(),
        })
    }
}
