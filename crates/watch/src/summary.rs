//! Samples added up: what was seen of each disk over a time.

use std::collections::VecDeque;

use record::VolumeCounters;
use stats::LatencyHistogram;
use units::{Bytes, BytesPerSecond, Iops, Nanos, Ratio};
use workload::{Direction, Statistic};

use crate::sample::{
    DeviceSample, DirectionSample, HostSample, ProbeSample, Sample, Waiter, WaiterName,
};

/// Intervals that are kept apart: an hour of seconds.
const INTERVALS_MAX: usize = 3_600;

/// Those who wait that are kept apart: groups that live for a short time are many in a day.
const WAITERS_MAX: usize = 256;
/// Names of threads that are kept apart, of each.
const SUBMITTERS_MAX: usize = 64;

/// Everything that was seen since the watch began, or within a window of it.
#[derive(Debug, Clone, Default)]
pub struct WatchSummary {
    pub length: Nanos,
    pub disks: Vec<DiskSummary>,
    /// By name and disk; those that waited longest first.
    pub waiters: Vec<Waiter>,
    /// Means over the time; sizes are the largest.
    pub host: HostSample,
    pub missing_requests: u64,
    /// In some interval.
    pub waiters_estimated: bool,
    pub probe: Option<ProbeSample>,
}

/// What was seen of one disk.
#[derive(Debug, Clone, Default)]
pub struct DiskSummary {
    pub name: String,
    pub length: Nanos,
    pub read: DirectionSample,
    pub write: DirectionSample,
    pub flush: Option<DirectionSample>,
    /// Mean over the time.
    pub outstanding: Option<f64>,
    /// Share of the time with anything outstanding.
    pub busy_share: Option<f64>,
    /// Requests that ended with an error; absent where the source does not see them.
    pub errors: Option<u64>,
    /// What an EBS volume counted itself.
    pub volume: Option<VolumeCounters>,
    /// The newest, oldest first.
    pub intervals: VecDeque<IntervalFigures>,
}

/// One interval of a disk, reads, writes and flushes together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntervalFigures {
    pub length: Nanos,
    pub operations: u64,
    pub outstanding: Option<f64>,
}

impl IntervalFigures {
    pub fn rate(&self) -> f64 {
        per_second(self.operations as f64, self.length)
    }
}

impl WatchSummary {
    pub fn from_samples<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> Self {
        let mut summary = Self::default();
        samples.into_iter().for_each(|sample| summary.add(sample));
        summary
    }

    pub fn add(&mut self, sample: &Sample) {
        let (before, length) = (self.length, Nanos(sample.length_ns));
        for device in &sample.devices {
            let place = self.disks.iter().position(|disk| disk.name == device.name);
            let place = place.unwrap_or_else(|| {
                self.disks.push(DiskSummary { name: device.name.clone(), ..Default::default() });
                self.disks.len() - 1
            });
            self.disks[place].add(device, length);
        }
        for waiter in &sample.waiters {
            self.add_waiter(waiter);
        }
        self.waiters.sort_by_key(|waiter| std::cmp::Reverse(waiter.waited_ns));
        let rest = self.waiters.split_off(WAITERS_MAX.min(self.waiters.len()));
        for waiter in rest {
            self.add_waiter(&Waiter { who: WaiterName::Others, ..waiter });
        }
        self.host = merge_hosts(&self.host, before, &sample.host, length);
        self.length = Nanos(before.0 + length.0);
        self.missing_requests += sample.missing_requests;
        self.waiters_estimated |= sample.waiters_estimated;
        if let Some(probe) = &sample.probe {
            let sum = self.probe.get_or_insert_default();
            sum.total.merge(&probe.total);
            sum.errors += probe.errors;
            sum.waiting = probe.waiting;
        }
    }

    fn add_waiter(&mut self, waiter: &Waiter) {
        let is_same =
            |known: &&mut Waiter| known.who == waiter.who && known.device == waiter.device;
        let Some(known) = self.waiters.iter_mut().find(is_same) else {
            self.waiters.push(waiter.clone());
            return;
        };
        merge_histograms(&mut known.total, &waiter.total, known.operations, waiter.operations);
        known.operations += waiter.operations;
        known.bytes += waiter.bytes;
        known.waited_ns += waiter.waited_ns;
        for more in &waiter.submitters {
            match known.submitters.iter().position(|one| one.name == more.name) {
                Some(place) => known.submitters[place].requests += more.requests,
                None if known.submitters.len() < SUBMITTERS_MAX => {
                    known.submitters.push(more.clone());
                }
                None => {}
            }
        }
    }

    pub fn disk(&self, name: &str) -> Option<&DiskSummary> {
        self.disks.iter().find(|disk| disk.name == name)
    }
}

impl DiskSummary {
    fn add(&mut self, device: &DeviceSample, length: Nanos) {
        let before = self.length;
        merge_directions(&mut self.read, &device.read);
        merge_directions(&mut self.write, &device.write);
        if let Some(flush) = &device.flush {
            merge_directions(self.flush.get_or_insert_default(), flush);
        }
        self.outstanding = merge_means(self.outstanding, before, device.outstanding, length);
        self.busy_share = merge_means(self.busy_share, before, device.busy_share, length);
        if let Some(errors) = device.errors {
            *self.errors.get_or_insert_default() += errors;
        }
        match (&mut self.volume, &device.volume) {
            (Some(sum), Some(more)) => sum.add(more),
            (sum @ None, more) => sum.clone_from(more),
            (Some(_), None) => {}
        }
        self.length = Nanos(before.0 + length.0);
        if self.intervals.len() == INTERVALS_MAX {
            self.intervals.pop_front();
        }
        let flushes = device.flush.as_ref().map_or(0, |flush| flush.operations);
        self.intervals.push_back(IntervalFigures {
            length,
            operations: device.read.operations + device.write.operations + flushes,
            outstanding: device.outstanding,
        });
    }

    /// Reads, writes and, where the source sees them, flushes.
    pub fn directions(&self) -> impl Iterator<Item = (Direction, &DirectionSample)> {
        let flush = self.flush.as_ref().map(|flush| (Direction::Sync, flush));
        [(Direction::Read, &self.read), (Direction::Write, &self.write)].into_iter().chain(flush)
    }

    pub fn flushes(&self) -> u64 {
        self.flush.as_ref().map_or(0, |flush| flush.operations)
    }

    /// Whether requests for a flush are among the writes, as the kernel counts them. Then neither
    /// the rate of writes nor their size is known.
    pub fn has_flushes_among_writes(&self) -> bool {
        let is_counted_only =
            |of: &DirectionSample| of.operations > 0 && of.total.is_none() && of.mean_ns.is_some();
        self.flush.as_ref().is_some_and(is_counted_only)
    }

    /// Reads and writes.
    pub fn operations(&self) -> u64 {
        self.read.operations + self.write.operations
    }

    pub fn iops(&self) -> Iops {
        Iops(per_second(self.operations() as f64, self.length))
    }

    pub fn rate_of(&self, direction: &DirectionSample) -> (Iops, BytesPerSecond) {
        let rate = |count: u64| per_second(count as f64, self.length);
        (Iops(rate(direction.operations)), BytesPerSecond(rate(direction.bytes)))
    }

    /// Bytes per operation, on average.
    pub fn block_size(&self) -> Option<Bytes> {
        let bytes = self.read.bytes + self.write.bytes;
        bytes.checked_div(self.operations()).map(Bytes)
    }

    /// Share of reads among the operations.
    pub fn read_share(&self) -> Option<Ratio> {
        let all = self.operations();
        (all > 0).then(|| Ratio(self.read.operations as f64 / all as f64))
    }

    /// Mean latency of reads and writes, in nanoseconds.
    pub fn mean_ns(&self) -> Option<f64> {
        let sums = [&self.read, &self.write].map(|of| match (of.operations, of.mean_ns) {
            (0, _) => Some(0.0),
            (operations, mean) => Some(operations as f64 * mean?),
        });
        let [read, write] = sums;
        let all = self.operations();
        (all > 0).then_some((read? + write?) / all as f64)
    }

    /// The statistic of the direction in which it is worst; `None` where no direction supports it.
    pub fn worst(&self, statistic: Statistic) -> Option<(Direction, Nanos)> {
        let of = |(direction, sample): (Direction, &DirectionSample)| {
            Some((direction, sample.statistic(statistic)?))
        };
        self.directions().filter_map(of).max_by_key(|(_, latency)| *latency)
    }

    /// Share of its latency that a read or write spends before the driver gets it.
    pub fn queue_share(&self) -> Option<Ratio> {
        // A direction without its queue has no part in it.
        let sums = [&self.read, &self.write]
            .into_iter()
            .filter_map(|of| Some((of.queue.as_ref()?.sum_ns(), of.total.as_ref()?.sum_ns())));
        let (queue, total) = sums.fold((0_u128, 0_u128), |(queue, total), (one, other)| {
            (queue.saturating_add(one), total.saturating_add(other))
        });
        (total > 0).then(|| Ratio(queue as f64 / total as f64))
    }
}

impl DirectionSample {
    /// A figure of its latency; `None` where the source or the number of operations does not
    /// support it.
    pub fn statistic(&self, statistic: Statistic) -> Option<Nanos> {
        histogram_statistic(self.total.as_ref(), statistic)
            .or_else(|| match statistic {
                Statistic::Mean => self.mean_ns.map(|mean| Nanos(mean.round() as u64)),
                _ => None,
            })
            .filter(|_| self.operations > 0)
    }
}

/// A figure of a distribution; `None` where there is none or the sample does not support it.
pub fn histogram_statistic(
    histogram: Option<&LatencyHistogram>,
    statistic: Statistic,
) -> Option<Nanos> {
    analysis::histogram_statistic(histogram?, statistic)
}

fn per_second(count: f64, length: Nanos) -> f64 {
    if length == Nanos::ZERO { 0.0 } else { count / length.as_secs_f64() }
}

fn merge_directions(all: &mut DirectionSample, more: &DirectionSample) {
    let (before, added) = (all.operations, more.operations);
    merge_histograms(&mut all.total, &more.total, before, added);
    merge_histograms(&mut all.queue, &more.queue, before, added);
    merge_histograms(&mut all.device, &more.device, before, added);
    let (of_before, of_added) = (Nanos(before), Nanos(added));
    // Without the mean of a part there is none of the whole.
    all.mean_ns = match (all.mean_ns, more.mean_ns) {
        (Some(_), None) if added > 0 => None,
        (None, Some(_)) if before > 0 => None,
        (one, other) => merge_means(one, of_before, other, of_added),
    };
    all.operations += added;
    all.bytes += more.bytes;
}

/// Without the distribution of a part there is none of the whole.
fn merge_histograms(
    all: &mut Option<LatencyHistogram>,
    more: &Option<LatencyHistogram>,
    before: u64,
    added: u64,
) {
    match (all.as_mut(), more) {
        (Some(all), Some(more)) => all.merge(more),
        (None, Some(more)) if before == 0 => *all = Some(more.clone()),
        (Some(_), None) if added > 0 => *all = None,
        _ => {}
    }
}

/// The mean of two means, by their weights; a part without one has no weight.
pub(crate) fn merge_means(
    mean: Option<f64>,
    weight: Nanos,
    more: Option<f64>,
    more_weight: Nanos,
) -> Option<f64> {
    let (weight, more_weight) = (weight.0 as f64, more_weight.0 as f64);
    match (mean, more) {
        (Some(mean), Some(more)) if weight + more_weight > 0.0 => {
            Some((mean * weight + more * more_weight) / (weight + more_weight))
        }
        (mean, more) => mean.or(more),
    }
}

fn merge_hosts(all: &HostSample, before: Nanos, more: &HostSample, length: Nanos) -> HostSample {
    let mean = |of: fn(&HostSample) -> Option<f64>| merge_means(of(all), before, of(more), length);
    HostSample {
        cpu_busy_share: mean(|host| host.cpu_busy_share),
        steal_share: mean(|host| host.steal_share),
        io_pressure: mean(|host| host.io_pressure),
        io_full_pressure: mean(|host| host.io_full_pressure),
        cpu_pressure: mean(|host| host.cpu_pressure),
        writeback_bytes: all.writeback_bytes.max(more.writeback_bytes),
        dirty_bytes: all.dirty_bytes.max(more.dirty_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Submitter;

    fn one(ns: u64) -> Option<LatencyHistogram> {
        let mut histogram = LatencyHistogram::new();
        histogram.record(ns);
        Some(histogram)
    }

    #[test]
    fn a_direction_without_its_queue_has_no_part_in_the_share() {
        let write = DirectionSample {
            operations: 1,
            total: one(1_000_000),
            queue: one(400_000),
            ..Default::default()
        };
        let read = DirectionSample { queue: None, ..write.clone() };
        let disk = DiskSummary { read, write, ..Default::default() };
        assert!((disk.queue_share().unwrap().0 - 0.4).abs() < 1e-9);
    }

    #[test]
    fn without_the_mean_of_a_part_there_is_none_of_the_whole() {
        let part =
            |operations, mean_ns| DirectionSample { operations, mean_ns, ..Default::default() };
        let mut all = part(100, Some(1e6));
        merge_directions(&mut all, &part(900, None));
        merge_directions(&mut all, &part(100, Some(3e6)));
        assert_eq!(all.mean_ns, None);
        let mut all = part(100, Some(1e6));
        merge_directions(&mut all, &part(0, None));
        merge_directions(&mut all, &part(300, Some(3e6)));
        assert_eq!(all.mean_ns, Some(2.5e6));
    }

    #[test]
    fn those_who_wait_are_bounded_and_none_is_lost() {
        let mut summary = WatchSummary::default();
        let waiter = |number: u64| Waiter {
            who: WaiterName::Group(format!("/job{number}")),
            device: "sda".to_owned(),
            operations: 1,
            bytes: 4096,
            waited_ns: number,
            total: None,
            submitters: Vec::new(),
        };
        for number in 1..=1000 {
            let sample = Sample { waiters: vec![waiter(number)], ..Sample::default() };
            summary.add(&sample);
        }
        assert!(summary.waiters.len() <= WAITERS_MAX + 1, "{}", summary.waiters.len());
        let sum = |of: fn(&Waiter) -> u64| summary.waiters.iter().map(of).sum::<u64>();
        assert_eq!(sum(|waiter| waiter.operations), 1000);
        assert_eq!(sum(|waiter| waiter.waited_ns), 500_500);
        assert_eq!(summary.waiters[0].who, WaiterName::Others);
        assert_eq!(summary.waiters[1], waiter(1000));
    }

    #[test]
    fn who_asked_is_added_up_and_named_where_it_asked_for_most() {
        let check = |seconds: &[&[(&str, u64)]], expected: Option<&str>| {
            let mut summary = WatchSummary::default();
            for second in seconds {
                let submitters = second
                    .iter()
                    .map(|(name, requests)| Submitter {
                        name: (*name).to_owned(),
                        requests: *requests,
                    })
                    .collect();
                let waiter = Waiter {
                    who: WaiterName::Group("/job".to_owned()),
                    device: "sda".to_owned(),
                    operations: 1,
                    bytes: 4096,
                    waited_ns: 1,
                    total: None,
                    submitters,
                };
                summary.add(&Sample { waiters: vec![waiter], ..Sample::default() });
            }
            assert_eq!(summary.waiters[0].main_process(), expected, "{seconds:?}");
        };
        check(&[&[]], None);
        check(&[&[("postgres", 6), ("cp", 5)]], Some("postgres"));
        check(&[&[("postgres", 5), ("cp", 5)]], None);
        check(&[&[("postgres", 5), ("cp", 6)], &[("postgres", 9)]], Some("postgres"));
        check(&[&[("kworker/u8:1", 9), ("cp", 1)]], None);
    }
}
