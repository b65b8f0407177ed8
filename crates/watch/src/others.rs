//! Requests of others: what a measurement must not make too slow.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use record::{Layer, OthersBreach, OthersSeen, WaiterName};
use stats::LatencyHistogram;
use target::{IoGroup, Roots, find_io_group};
use units::Nanos;
use workload::{Bound, Statistic};

use crate::disks::{Disk, disks_of_stack, is_request_based};
use crate::ebpf::{EbpfSource, EbpfUnavailable};
use crate::error::WatchError;
use crate::sample::{Sample, Waiter};
use crate::source::Source as _;

/// Samples that are judged together: the last ten.
const SAMPLES_MAX: usize = 10;
/// A bound is broken if chance explains what was seen with at most this probability: samples are
/// judged every second, and a run takes minutes.
const DOUBT_MAX: f64 = 0.001;
/// The same in standard errors of a mean, one-sided.
const MEAN_ERRORS: f64 = 3.09;
/// Requests that show how a mean varies.
const MEAN_REQUESTS_MIN: u64 = 10;
/// The kernel's own requests, such as those of a journal, are charged to the topmost group: some
/// of them are made for us. Inside of a container that group is known by its number.
const TOPMOST: [&str; 2] = ["/", "#1"];

/// Why the requests of others cannot be told from ours.
#[derive(Debug, thiserror::Error)]
pub enum OthersUnseen {
    #[error("its requests pass no disk of this host")]
    NoDisk,
    #[error(transparent)]
    Unavailable(#[from] EbpfUnavailable),
    #[error("this host has no control groups that count I/O")]
    NoGroup,
    #[error("control group {0}, which its I/O is charged to, has other processes")]
    SharedGroup(String),
}

/// Watches the requests of others to the disks of a target. It needs to know whose each request is,
/// and counters do not.
pub struct OthersWatch {
    source: EbpfSource,
    window: OthersWindow,
}

impl OthersWatch {
    pub fn open(stack: &[Layer], bound: Bound, roots: &Roots) -> Result<Self, OthersUnseen> {
        let mut disks = disks_of_stack(stack);
        disks.retain(|disk: &Disk| is_request_based(disk, roots));
        if disks.is_empty() {
            return Err(OthersUnseen::NoDisk);
        }
        let source = EbpfSource::open(&disks, roots)?;
        let IoGroup { name, is_own } = find_io_group(roots).ok_or(OthersUnseen::NoGroup)?;
        match is_own {
            true => Ok(Self { source, window: OthersWindow::new(name, bound) }),
            false => Err(OthersUnseen::SharedGroup(name)),
        }
    }

    /// Takes what was seen since the last time.
    pub fn sample(&mut self) -> Result<&OthersSeen, WatchError> {
        let sample = self.source.sample()?;
        Ok(self.window.add(&sample))
    }

    /// Time between two samples.
    pub const INTERVAL: Duration = Duration::from_secs(1);
}

/// The last samples of each disk, without our own requests.
struct OthersWindow {
    own: String,
    bound: Bound,
    samples: VecDeque<(u64, BTreeMap<String, LatencyHistogram>)>,
    /// By disk, in all samples.
    requests: BTreeMap<String, u64>,
    seen: OthersSeen,
}

impl OthersWindow {
    fn new(own: String, bound: Bound) -> Self {
        let (samples, requests, seen) = Default::default();
        Self { own, bound, samples, requests, seen }
    }

    /// The first breach stays.
    fn add(&mut self, sample: &Sample) -> &OthersSeen {
        let mut disks: BTreeMap<String, LatencyHistogram> = BTreeMap::new();
        for waiter in sample.waiters.iter().filter(|waiter| self.is_other(waiter)) {
            let Some(latencies) = &waiter.total else { continue };
            disks.entry(waiter.device.clone()).or_default().merge(latencies);
        }
        for (disk, latencies) in &disks {
            let requests = self.requests.entry(disk.clone()).or_default();
            *requests = requests.saturating_add(latencies.count());
            self.seen.requests = self.seen.requests.max(*requests);
        }
        self.samples.push_back((sample.length_ns, disks));
        if self.samples.len() > SAMPLES_MAX {
            self.samples.pop_front();
        }
        if self.seen.breach.is_none() {
            self.seen.breach = self.find_breach();
        }
        &self.seen
    }

    fn is_other(&self, waiter: &Waiter) -> bool {
        match &waiter.who {
            WaiterName::Group(name) => {
                let is_below =
                    name.strip_prefix(&self.own).is_some_and(|rest| rest.starts_with('/'));
                *name != self.own && !is_below && !TOPMOST.contains(&name.as_str())
            }
            // Nobody waits for pages that are written in the background.
            WaiterName::Writeback | WaiterName::Others => false,
        }
    }

    fn find_breach(&self) -> Option<OthersBreach> {
        let mut disks: BTreeMap<&str, LatencyHistogram> = BTreeMap::new();
        for (disk, latencies) in self.samples.iter().flat_map(|(_, disks)| disks) {
            disks.entry(disk).or_default().merge(latencies);
        }
        let time = Nanos(self.samples.iter().map(|(length, _)| length).sum());
        let (disk, latencies) =
            disks.into_iter().find(|(_, latencies)| is_broken(latencies, self.bound))?;
        Some(OthersBreach {
            disk: disk.to_owned(),
            time,
            requests: latencies.count(),
            slow: count_slow(&latencies, self.bound),
            mean: Nanos(latencies.mean_ns().unwrap_or(0.0) as u64),
        })
    }
}

fn count_slow(latencies: &LatencyHistogram, bound: Bound) -> u64 {
    latencies.count_above(bound.limit.0) as u64
}

/// A few slow requests of a few are chance; a share that the statistic does not allow is not.
fn is_broken(latencies: &LatencyHistogram, bound: Bound) -> bool {
    let (n, slow) = (latencies.count(), count_slow(latencies, bound));
    match bound.statistic {
        Statistic::Max => slow > 0,
        Statistic::Percentile(p) => stats::binomial_tail(n, 1.0 - p / 100.0, slow) <= DOUBT_MAX,
        Statistic::Mean => {
            let (Some(mean), Some(spread)) = (latencies.mean_ns(), latencies.stddev_ns()) else {
                return false;
            };
            let least = mean - MEAN_ERRORS * spread / (n as f64).sqrt();
            n >= MEAN_REQUESTS_MIN && least > bound.limit.0 as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Requests of a group to `vda`: their number, and what each took.
    fn waiter(group: &str, requests: &[(u64, u64)]) -> Waiter {
        let mut total = LatencyHistogram::new();
        requests.iter().for_each(|&(count, ms)| total.record_many(ms * MS, count));
        Waiter {
            who: WaiterName::Group(group.to_owned()),
            device: "vda".to_owned(),
            operations: total.count(),
            bytes: 0,
            waited_ns: 0,
            total: Some(total),
            submitters: Vec::new(),
        }
    }

    fn window(own: &str, bound: &str) -> OthersWindow {
        OthersWindow::new(own.to_owned(), bound.parse().unwrap())
    }

    fn second(waiters: Vec<Waiter>) -> Sample {
        Sample { length_ns: 1_000 * MS, waiters, ..Sample::default() }
    }

    #[test]
    fn own_requests_and_those_of_the_kernel_are_not_those_of_others() {
        let mut window = window("/agent", "p99<50ms");
        let slow = |group: &str| waiter(group, &[(1000, 500)]);
        let writeback = Waiter { who: WaiterName::Writeback, ..slow("") };
        let ours = vec![slow("/agent"), slow("/agent/inner"), slow("/"), slow("#1"), writeback];
        assert_eq!(*window.add(&second(ours)), OthersSeen::default());
        let seen =
            window.add(&second(vec![slow("/agent"), slow("/agents"), waiter("/db", &[(9, 1)])]));
        assert_eq!(seen.requests, 1009);
        let breach = seen.breach.as_ref().unwrap();
        assert_eq!((breach.requests, breach.slow, breach.disk.as_str()), (1009, 1000, "vda"));
        assert_eq!(breach.time, Nanos::secs(2));
    }

    #[test]
    fn a_request_that_passes_two_disks_counts_once() {
        let mut window = window("/agent", "p99<50ms");
        let on = |device: &str, count| Waiter {
            device: device.to_owned(),
            ..waiter("/db", &[(count, 1)])
        };
        window.add(&second(vec![on("loop0", 500), on("vda", 600)]));
        let seen = window.add(&second(vec![on("loop0", 500), on("vda", 510)]));
        assert_eq!(seen.requests, 1110);
    }

    #[test]
    fn a_bound_is_broken_by_more_than_chance() {
        let check = |bound: &str, requests: &[(u64, u64)], expected: bool| {
            let mut window = window("/agent", bound);
            let seen = window.add(&second(vec![waiter("/db", requests)]));
            assert_eq!(seen.breach.is_some(), expected, "{bound}: {requests:?}");
        };
        check("p99<50ms", &[(990, 1), (10, 100)], false);
        check("p99<50ms", &[(985, 1), (15, 100)], false);
        check("p99<50ms", &[(970, 1), (30, 100)], true);
        // Of a few requests one is chance.
        check("p99<50ms", &[(20, 1), (1, 100)], false);
        check("p99<50ms", &[(20, 1), (5, 100)], true);
        check("p99<50ms", &[], false);
        check("p50<50ms", &[(5, 1), (5, 100)], false);
        check("max<50ms", &[(100_000, 1), (1, 100)], true);
        check("mean<50ms", &[(50, 1), (60, 100)], false);
        check("mean<50ms", &[(5, 99), (4, 100)], false);
        check("mean<50ms", &[(50, 99), (50, 100)], true);
    }

    #[test]
    fn a_breach_stays_and_what_is_long_ago_does_not_count() {
        let mut window = window("/agent", "p99<50ms");
        for _ in 0..30 {
            // One slow request in each second: never enough of them within ten.
            let seen = window.add(&second(vec![waiter("/db", &[(120, 1), (1, 100)])]));
            assert_eq!(seen.breach, None);
        }
        let first = window.add(&second(vec![waiter("/db", &[(100, 100)])])).breach.clone();
        assert!(first.is_some());
        for _ in 0..30 {
            assert_eq!(window.add(&second(vec![waiter("/db", &[(100, 1)])])).breach, first);
        }
    }
}
