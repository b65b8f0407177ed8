//! Is this disk the bottleneck? A pure function of what was seen and of what the disk can do.
//!
//! The rules are asked in order, and the first that has its evidence answers. None of them looks
//! at the share of the time in which the disk was busy: a disk that serves one operation after
//! another is busy all the time and may have nearly all of its throughput left.

mod evidence;
mod rules;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use message::Message;
use record::IoLimit;
use units::{Iops, Nanos, Ratio};
use workload::{Bound, Statistic};

use crate::known::{KnownCurve, find_curve};
use crate::sample::{HostSample, Waiter};
use crate::summary::{DiskSummary, WatchSummary};

pub use evidence::MESSAGES;

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
    /// What can be measured of it: a folder on it, or the device.
    pub measurable: Option<String>,
    /// Whether that is a device, which is measured read-only.
    pub is_device: bool,
}

/// What the samples say of one disk.
#[derive(Debug, Clone)]
pub struct DiskJudgement {
    pub disk: String,
    pub verdict: Verdict,
    /// The one sentence, with its evidence.
    pub sentence: Message,
    /// What to do next.
    pub next: Option<Message>,
    pub headroom: Option<Headroom>,
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

impl Headroom {
    pub fn used(&self) -> Ratio {
        Ratio(self.iops.0 / self.limit.0.max(1e-9))
    }
}

/// Judges every disk; the first is the one that matters most.
pub fn judge(summary: &WatchSummary, facts: &[DiskFacts]) -> Vec<DiskJudgement> {
    let nothing = DiskFacts::default();
    let mut all: Vec<(&DiskSummary, DiskJudgement)> = Vec::new();
    for disk in &summary.disks {
        let facts = facts.iter().find(|facts| facts.name == disk.name).unwrap_or(&nothing);
        all.push((disk, judge_disk(disk, summary, facts)));
    }
    let load = |disk: &DiskSummary| disk.outstanding.unwrap_or_else(|| disk.iops().0);
    all.sort_by(|(a, a_judged), (b, b_judged)| {
        let rank = |judged: &DiskJudgement| judged.verdict.is_accusation();
        rank(b_judged).cmp(&rank(a_judged)).then(load(b).total_cmp(&load(a)))
    });
    all.into_iter().map(|(_, judged)| judged).collect()
}

fn judge_disk(disk: &DiskSummary, summary: &WatchSummary, facts: &DiskFacts) -> DiskJudgement {
    let case = Case::new(disk, summary, facts);
    let found = rules::RULES.iter().find_map(|rule| rule(&case));
    let found = found.unwrap_or_else(|| rules::explain_doubt(&case));
    DiskJudgement {
        disk: disk.name.clone(),
        verdict: found.verdict,
        sentence: found.sentence,
        next: found.next,
        headroom: case.headroom(),
    }
}

struct Found {
    verdict: Verdict,
    /// With its evidence.
    sentence: Message,
    next: Option<Message>,
}

/// Everything that the rules look at.
struct Case<'a> {
    disk: &'a DiskSummary,
    waiters: Vec<&'a Waiter>,
    host: &'a HostSample,
    facts: &'a DiskFacts,
    known: Option<&'a KnownCurve>,
    bound: Bound,
    iops: Iops,
    outstanding: f64,
    /// The bounded statistic of the slower direction.
    bounded: Option<Nanos>,
    mean: Option<Nanos>,
    /// Of the disk with the most to do: the share of the time with anything outstanding.
    busiest_share: Option<f64>,
}

impl<'a> Case<'a> {
    fn new(disk: &'a DiskSummary, summary: &'a WatchSummary, facts: &'a DiskFacts) -> Self {
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

    fn headroom(&self) -> Option<Headroom> {
        let known = self.known?;
        let (iops, limit) = (self.iops, known.limit);
        Some(Headroom { iops, limit, bound: known.bound, measured: known.measured })
    }
}
