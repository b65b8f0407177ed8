//! Figures that all formats derive from a run in the same way.

use std::borrow::Cow;

use stats::LatencyHistogram;

use crate::bins::percentiles_ns;
use crate::results::{DirectionResult, DiskUse, JobResult, PriorityResult, ReportOptions};

/// Names of the shares of depths and of batches.
pub(super) const DEPTHS: [&str; 7] = ["1", "2", "4", "8", "16", "32", ">=64"];
pub(super) const BATCHES: [&str; 7] = ["0", "4", "8", "16", "32", "64", ">=64"];

/// Upper limits of the latency shares below a microsecond, in nanoseconds (exclusive).
pub const LATENCY_NS: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];
/// Below a millisecond: in microseconds.
pub const LATENCY_US: [u64; 10] = LATENCY_NS;
/// The rest: in milliseconds; a twelfth share is of 2000 ms and more.
pub const LATENCY_MS: [u64; 11] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

/// Least, largest, mean and sample deviation of latencies in nanoseconds; zeros when there are
/// none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    pub min: u64,
    pub max: u64,
    pub mean: f64,
    /// Deviation, with n - 1.
    pub dev: f64,
    pub n: u64,
}

impl Moments {
    /// Of a histogram.
    pub fn from_histogram(histogram: &LatencyHistogram) -> Self {
        let n = histogram.count();
        let dev = match histogram.stddev_ns() {
            Some(population) if n > 1 => population * (n as f64 / (n - 1) as f64).sqrt(),
            _ => 0.0,
        };
        Self {
            min: histogram.min_ns().unwrap_or(0),
            max: histogram.max_ns().unwrap_or(0),
            mean: histogram.mean_ns().unwrap_or(0.0),
            dev,
            n,
        }
    }
}

/// One kind of latency of one direction, as the job wants it shown.
pub struct ShownLatency<'a> {
    /// The samples; an empty histogram when the job turned this latency off.
    pub histogram: Cow<'a, LatencyHistogram>,
    /// Whether its percentiles are shown.
    pub percentiles: bool,
}

impl ShownLatency<'_> {
    /// Percent and nanoseconds; empty when not shown or without samples.
    pub fn list_percentiles(&self, display: &ReportOptions) -> Vec<(f64, u64)> {
        if !self.percentiles {
            return Vec::new();
        }
        let values = percentiles_ns(&self.histogram, &display.percentile_list);
        display.percentile_list.iter().copied().zip(values).collect()
    }
}

fn shown_latency(
    histogram: &LatencyHistogram,
    disabled: bool,
    percentiles: bool,
) -> ShownLatency<'_> {
    let histogram =
        if disabled { Cow::Owned(LatencyHistogram::new()) } else { Cow::Borrowed(histogram) };
    // fio drops the percentiles of a latency that is not taken.
    ShownLatency { histogram, percentiles: percentiles && !disabled }
}

impl ReportOptions {
    /// Submission, completion and total latency, as the job wants them shown.
    pub fn latencies<'a>(
        &self,
        result: &'a DirectionResult,
    ) -> [(&'static str, ShownLatency<'a>); 3] {
        let slat = shown_latency(&result.slat, self.disable_slat, self.slat_percentiles);
        let lat = shown_latency(&result.lat, self.disable_lat, self.lat_percentiles);
        [("slat", slat), ("clat", self.clat(&result.clat)), ("lat", lat)]
    }

    /// Latencies of each priority, whole ones where those are wanted; empty unless there are two.
    pub fn priorities<'a>(
        &self,
        result: &'a DirectionResult,
    ) -> (&'static str, Vec<(&'a PriorityResult, ShownLatency<'a>)>) {
        let whole = self.lat_percentiles;
        let all = result.prios.iter().map(|of| match whole {
            true => (of, shown_latency(&of.lat, self.disable_lat, true)),
            false => (of, shown_latency(&of.clat, self.disable_clat, self.clat_percentiles)),
        });
        let mut all: Vec<_> = all.filter(|(_, shown)| shown.histogram.count() > 0).collect();
        if all.len() < 2 {
            all.clear();
        }
        (if whole { "lat" } else { "clat" }, all)
    }

    /// Completion latency as shown.
    pub fn clat<'a>(&self, histogram: &'a LatencyHistogram) -> ShownLatency<'a> {
        shown_latency(histogram, self.disable_clat, self.clat_percentiles)
    }

    /// Latency of durability calls as shown: taken along with completion latencies, listed with
    /// those or with total ones.
    pub fn sync<'a>(&self, histogram: &'a LatencyHistogram) -> ShownLatency<'a> {
        let lat = self.lat_percentiles && !self.disable_lat;
        shown_latency(histogram, self.disable_clat, self.clat_percentiles || lat)
    }
}

/// What part of all operations took how long, in percent: below the limits of `LATENCY_NS`,
/// `LATENCY_US` and `LATENCY_MS`. What happened at all has at least 0.01 %.
#[derive(Debug, Clone, PartialEq)]
pub struct LatencyShares {
    pub ns: [f64; 10],
    pub us: [f64; 10],
    pub ms: [f64; 12],
    /// Below 2 us, those below one included: the first share of the terse format.
    pub below_2us: f64,
}

impl LatencyShares {
    /// Of an entry.
    pub fn from_result(entry: &JobResult) -> Self {
        let mut counts = [0_u64; 32];
        let shown = entry.display.clat(&entry.latency);
        for (start, end, count) in shown.histogram.buckets() {
            // A bucket that holds a limit counts on the side of its middle.
            counts[share_index(start + (end - start) / 2)] += count;
        }
        counts[31] += shown.histogram.overflow();
        let all = entry.total_ops();
        let share = |count| share_percent(count, all, 0.01);
        Self {
            ns: std::array::from_fn(|i| share(counts[i])),
            us: std::array::from_fn(|i| share(counts[10 + i])),
            ms: std::array::from_fn(|i| share(counts[20 + i])),
            below_2us: share(counts[..=10].iter().sum()),
        }
    }
}

fn share_index(latency_ns: u64) -> usize {
    let ns = LATENCY_NS.iter().copied();
    let us = LATENCY_US.iter().map(|limit| limit * 1000);
    let ms = LATENCY_MS.iter().map(|limit| limit * 1_000_000);
    ns.chain(us).chain(ms).position(|limit| latency_ns < limit).unwrap_or(31)
}

/// Shares of the depths in percent of all operations: may exceed 100 with durability calls.
pub fn depth_shares(entry: &JobResult) -> [f64; 7] {
    // Operations that failed, or ended after the last that counts, were started too.
    let started: u64 = entry.depth_level.iter().sum();
    let uncounted = started.saturating_sub(entry.total_ops() + entry.sync.ops);
    let all = entry.total_ops() + uncounted;
    entry.depth_level.map(|count| share_percent(count, all, 0.1))
}

/// Shares of submissions or reaps in percent of all of them.
pub fn batch_shares(counts: &[u64; 7]) -> [f64; 7] {
    let all = counts.iter().sum();
    counts.map(|count| share_percent(count, all, 0.1))
}

pub(super) fn share_percent(count: u64, all: u64, min: f64) -> f64 {
    if count == 0 || all == 0 { 0.0 } else { (count as f64 * 100.0 / all as f64).max(min) }
}

/// Percent of the run time spent in user mode and in the kernel, from whole milliseconds.
pub fn cpu_shares(entry: &JobResult) -> (f64, f64) {
    let share = |ns: u64| match entry.job_runtime_ms {
        0 => 0.0,
        runtime => (ns / 1_000_000) as f64 * 100.0 / runtime as f64,
    };
    (share(entry.user_ns), share(entry.system_ns))
}

/// The devices to list: each followed by those below it, each once.
pub fn all_disks(disks: &[DiskUse]) -> Vec<&DiskUse> {
    let mut list: Vec<&DiskUse> = Vec::new();
    let mut waiting: Vec<_> = disks.iter().rev().map(|disk| (disk, true)).collect();
    while let Some((disk, top)) = waiting.pop() {
        let at_top = !top && disks.iter().any(|other| other.name == disk.name);
        if at_top || list.iter().any(|listed| listed.name == disk.name) {
            continue;
        }
        list.push(disk);
        waiting.extend(disk.slaves.iter().rev().map(|slave| (slave, false)));
    }
    list
}

/// What fio says of the devices below one: whole means, and the busiest one's utilisation. `None`
/// where there are none.
pub(super) fn average_disks(slaves: &[DiskUse]) -> Option<DiskUse> {
    let count = u64::try_from(slaves.len()).ok().filter(|&count| count > 0)?;
    let mean = |of: &dyn Fn(&DiskUse) -> u64| slaves.iter().map(of).sum::<u64>() / count;
    let pair = |of: fn(&DiskUse) -> [u64; 2]| [0, 1].map(|i| mean(&|disk| of(disk)[i]));
    Some(DiskUse {
        ios: pair(|disk| disk.ios),
        sectors: pair(|disk| disk.sectors),
        merges: pair(|disk| disk.merges),
        ticks: pair(|disk| disk.ticks),
        in_queue: mean(&|disk| disk.in_queue),
        util: slaves.iter().map(|disk| disk.util).fold(0.0, f64::max),
        ..DiskUse::default()
    })
}

/// The mean, cut to a whole number.
pub(super) fn whole_mean(values: &[u64]) -> u64 {
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    u64::try_from(sum.checked_div(values.len() as u128).unwrap_or(0)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_as_measured_with_fio() {
        use crate::results::{bytes_per_second, ops_per_second};

        assert_eq!(bytes_per_second(20_480, 2001), 10_234);
        assert_eq!(bytes_per_second(u64::MAX, 1), u64::MAX);
        assert_eq!(bytes_per_second(1, 0), 0);
        assert_eq!(ops_per_second(256, 1), 256_000.0);
        assert_eq!(ops_per_second(256, 0), 0.0);
    }

    #[test]
    fn latency_shares_split_below_their_limits() {
        let check = |latency_ns: u64, expected: usize| {
            assert_eq!(share_index(latency_ns), expected, "{latency_ns}");
        };
        check(0, 0);
        check(1, 0);
        check(2, 1);
        check(49, 4);
        check(50, 5); // fio 3.33: 50 ns counts in "100"
        check(999, 9);
        check(1000, 10);
        check(1_999, 10);
        check(2_000, 11);
        check(999_999, 19);
        check(1_000_000, 20);
        check(1_999_999_999, 30);
        check(2_000_000_000, 31);
        check(u64::MAX, 31);
    }

    #[test]
    fn shares_are_of_all_operations_and_at_least_a_trace() {
        let mut entry = JobResult::default();
        entry.read.ops = 99_999;
        entry.trim.ops = 1;
        entry.depth_level = [1, 50_000, 0, 0, 0, 0, 149_999];
        entry.sync.ops = 100_000;
        entry.submit = [0, 3, 1, 0, 0, 0, 0];
        entry.latency.record(70);
        entry.latency.record(1500);
        entry.latency.record(1 << 37);
        assert_eq!(depth_shares(&entry), [0.1, 50.0, 0.0, 0.0, 0.0, 0.0, 149.999]);
        assert_eq!(batch_shares(&entry.submit), [0.0, 75.0, 25.0, 0.0, 0.0, 0.0, 0.0]);
        entry.sync.ops = 0;
        assert_eq!(depth_shares(&entry)[1], 25.0, "operations that failed");
        let shares = LatencyShares::from_result(&entry);
        assert_eq!((shares.ns[5], shares.us[0], shares.ms[11]), (0.01, 0.01, 0.01));
        assert_eq!(shares.below_2us, 0.01); // of the counts, not the sum of the shares
        entry.display.disable_clat = true;
        assert_eq!(LatencyShares::from_result(&entry).ns, [0.0; 10]);
    }

    #[test]
    fn deviation_is_that_of_a_sample() {
        let mut histogram = LatencyHistogram::new();
        assert_eq!(Moments::from_histogram(&histogram), Moments::default());
        histogram.record(10);
        assert_eq!(Moments::from_histogram(&histogram).dev, 0.0);
        histogram.record(14);
        let moments = Moments::from_histogram(&histogram);
        assert_eq!((moments.min, moments.max, moments.mean, moments.n), (10, 14, 12.0, 2));
        assert!((moments.dev - 8.0_f64.sqrt()).abs() < 1e-9, "{moments:?}");
    }

    #[test]
    fn processor_shares_count_whole_milliseconds() {
        let mut entry = JobResult { user_ns: 19_999_999, ..JobResult::default() };
        assert_eq!(cpu_shares(&entry), (0.0, 0.0));
        entry.job_runtime_ms = 2003;
        assert!((cpu_shares(&entry).0 - 0.948_577).abs() < 1e-6);
    }
}
