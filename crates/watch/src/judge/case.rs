//! What the rules look at.

use message::Message;
use record::IoLimit;
use units::{Iops, Nanos};
use workload::{Bound, Statistic};

use crate::known::{KnownCurve, find_curve};
use crate::sample::{HostSample, Waiter};
use crate::summary::{DiskSummary, WatchSummary};

/// Where no curve of the disk has another.
pub const DEFAULT_BOUND: Bound =
    Bound { statistic: Statistic::Percentile(99.0), limit: Nanos::millis(10) };

/// The closed set of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    NotBottleneck,
    Saturated,
    Capped,
    Slow,
    CannotTell,
}

impl Verdict {
    pub const ALL: [Self; 5] =
        [Self::NotBottleneck, Self::Saturated, Self::Capped, Self::Slow, Self::CannotTell];

    /// As JSON and metrics have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotBottleneck => "not-bottleneck",
            Self::Saturated => "saturated",
            Self::Capped => "capped",
            Self::Slow => "slow",
            Self::CannotTell => "cannot-tell",
        }
    }

    /// Whether it says that the disk holds programs up.
    pub const fn is_accusation(self) -> bool {
        matches!(self, Self::Saturated | Self::Capped | Self::Slow)
    }
}

/// What is known of a disk beside the samples.
#[derive(Debug, Clone, Default)]
pub struct DiskFacts {
    pub name: String,
    /// The curves of its stored runs.
    pub curves: Vec<KnownCurve>,
    /// Limits that control groups of this host put on it.
    pub limits: Vec<IoLimit>,
    /// Its temperature, where the kernel knows it.
    pub celsius: Option<f64>,
    /// What can be measured of it: a folder on it, or the device.
    pub measurable: Option<String>,
    /// Whether that is a device, which is measured read-only.
    pub is_device: bool,
}

/// What a disk does beside what it can do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headroom {
    pub iops: Iops,
    /// The most within the bound.
    pub limit: Iops,
    pub bound: Bound,
    pub measured: jiff::Timestamp,
}

pub(super) struct Found {
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
    pub(super) known: Option<&'a KnownCurve>,
    pub(super) bound: Bound,
    pub(super) iops: Iops,
    pub(super) outstanding: f64,
    /// The bounded statistic of the slower direction.
    pub(super) bounded: Option<Nanos>,
    pub(super) mean: Option<Nanos>,
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
        let known = known.and_then(|(size, share)| find_curve(&facts.curves, size, share));
        let bound = known.map_or(DEFAULT_BOUND, |known| known.bound);
        let mean_ns = disk.mean_ns();
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
            mean: mean_ns.map(|mean| Nanos(mean.round() as u64)),
            busiest_share: summary.disks.iter().filter_map(|one| one.busy_share).reduce(f64::max),
        }
    }

    pub(super) fn headroom(&self) -> Option<Headroom> {
        let known = self.known?;
        let (iops, limit) = (self.iops, known.limit);
        Some(Headroom { iops, limit, bound: known.bound, measured: known.measured })
    }
}
