//! Puts the slices of all workers together into one time series.

use std::collections::BTreeMap;

use stats::LatencyHistogram;

use crate::interval::{DirectionSlice, Slice, SliceSink, TICKS_PER_INTERVAL};
use crate::outcome::{Activity, DirectionInterval, DirectionSum, IntervalOutcome};
use crate::worker::Schedule;

/// How a run is going; given about every interval, and while operations hang about every second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time measured so far; negative during the warm-up.
    pub measured_ns: i64,
    /// Operations per second in the newest complete interval, without syncs.
    pub iops: f64,
    pub bytes_per_second: f64,
    /// Time without a completion although operations are outstanding; 0 below a second.
    pub silent_ns: u64,
}

/// Merges slices as they arrive; runs on the control plane's thread.
pub(crate) struct Collector {
    measure_ns: u64,
    tick_ns: u64,
    interval_ns: u64,
    newest_by_worker: Vec<i64>,
    activity_by_worker: Vec<Activity>,
    /// Intervals that some worker may still add to.
    open: BTreeMap<i64, [Option<Box<DirectionSlice>>; 4]>,
    closed: BTreeMap<i64, IntervalOutcome>,
    next_streamed: u64,
    /// Of the directions that did anything: each takes 60 KiB and more.
    totals: [Option<Box<DirectionSum>>; 4],
    newest_rates: Option<(f64, f64)>,
}

impl Collector {
    pub(crate) fn new(schedule: &Schedule, workers: usize) -> Self {
        Self {
            measure_ns: schedule.measure_ns,
            tick_ns: schedule.tick_ns,
            interval_ns: schedule.tick_ns * TICKS_PER_INTERVAL as u64,
            newest_by_worker: vec![i64::MIN; workers],
            activity_by_worker: vec![Activity::default(); workers],
            open: BTreeMap::new(),
            closed: BTreeMap::new(),
            next_streamed: 0,
            totals: Default::default(),
            newest_rates: None,
        }
    }

    pub(crate) fn drain_worker(&mut self, worker: usize, sink: &mut SliceSink) {
        while let Ok(mut slice) = sink.full.pop() {
            self.newest_by_worker[worker] = slice.index;
            self.activity_by_worker[worker] = slice.activity;
            self.merge_slice(&slice);
            slice.reset();
            let _ = sink.empty.push(slice);
        }
        let complete = self.newest_by_worker.iter().copied().min().unwrap_or(i64::MIN);
        while let Some(entry) = self.open.first_entry() {
            if *entry.key() > complete {
                break;
            }
            let (index, directions) = entry.remove_entry();
            self.close_interval(index, &directions);
        }
    }

    fn merge_slice(&mut self, slice: &Slice) {
        let merged = self.open.entry(slice.index).or_default();
        for (place, from) in merged.iter_mut().zip(&slice.directions) {
            let Some(from) = from else { continue };
            let sum = &from.sum;
            let responses = sum.response.as_ref().map_or(0, LatencyHistogram::count);
            if sum.ops == 0 && sum.submission.count() == 0 && responses == 0 {
                continue;
            }
            let into = place.get_or_insert_default();
            into.sum.merge(sum);
            if let Some(completion) = &from.completion {
                into.completion.get_or_insert_default().merge(completion);
            }
            for tick in 0..TICKS_PER_INTERVAL {
                into.tick_ops[tick] += from.tick_ops[tick];
                into.tick_latency_ns[tick] += from.tick_latency_ns[tick];
            }
        }
    }

    fn close_interval(&mut self, index: i64, directions: &[Option<Box<DirectionSlice>>; 4]) {
        let per_second = 1e9 / self.interval_ns as f64;
        let data = || [0, 1, 3].into_iter().filter_map(|i: usize| directions[i].as_ref());
        self.newest_rates = Some((
            data().map(|d| d.sum.ops).sum::<u64>() as f64 * per_second,
            data().map(|d| d.sum.bytes).sum::<u64>() as f64 * per_second,
        ));
        if index < 0 {
            return; // warm-up
        }
        let mut interval = empty_interval(index as u64, self.interval_ns);
        for (i, direction) in directions.iter().enumerate() {
            let Some(direction) = direction else { continue };
            self.totals[i].get_or_insert_default().merge(&direction.sum);
            interval.tick_ops[i] = direction.tick_ops.to_vec();
            interval.tick_latency_ns[i] = direction.tick_latency_ns.to_vec();
            let DirectionSum { ops, bytes, total, submission, response, comparable, .. } =
                &direction.sum;
            interval.directions[i] = Some(DirectionInterval {
                ops: *ops,
                bytes: *bytes,
                total: total.to_sparse(),
                submission: (submission.count() > 0).then(|| submission.to_sparse()),
                completion: direction.completion.as_ref().map(LatencyHistogram::to_sparse),
                response: response.as_ref().map(LatencyHistogram::to_sparse),
                comparable: comparable.as_ref().map(LatencyHistogram::to_sparse),
            });
        }
        self.closed.insert(index, interval);
    }

    /// Passes the complete intervals to `sink`, ascending and without gaps, and drops them. Keeps
    /// the newest: it may be the last, and shorter.
    pub(crate) fn stream_intervals(&mut self, sink: &mut dyn FnMut(IntervalOutcome)) {
        while let Some(&newest) = self.closed.keys().next_back()
            && (self.next_streamed as i64) < newest
        {
            sink(self.take_interval(self.next_streamed, self.interval_ns));
            self.next_streamed += 1;
        }
    }

    /// Of all workers, until the end of their newest slices.
    pub(crate) fn activity(&self) -> Activity {
        let mut sum = Activity::default();
        self.activity_by_worker.iter().for_each(|activity| sum.add(activity));
        sum
    }

    pub(crate) fn progress(&mut self, now: u64) -> Option<Progress> {
        let (iops, bytes_per_second) = self.newest_rates.take()?;
        let measured_ns = now as i64 - self.measure_ns as i64;
        Some(Progress { measured_ns, iops, bytes_per_second, silent_ns: 0 })
    }

    /// The series of the measured time without gaps, except the streamed intervals, and the totals.
    pub(crate) fn finish(mut self, elapsed_ns: u64) -> (Vec<IntervalOutcome>, [DirectionSum; 4]) {
        while let Some((index, directions)) = self.open.pop_first() {
            self.close_interval(index, &directions);
        }
        let count = elapsed_ns.div_ceil(self.interval_ns);
        let intervals = (self.next_streamed..count)
            .map(|index| {
                let left_ns = elapsed_ns - index * self.interval_ns;
                self.take_interval(index, self.interval_ns.min(left_ns))
            })
            .collect();
        (intervals, self.totals.map(Option::unwrap_or_default).map(|total| *total))
    }

    /// The interval, empty where nothing completed, cut to `length_ns`.
    fn take_interval(&mut self, index: u64, length_ns: u64) -> IntervalOutcome {
        let known = self.closed.remove(&(index as i64));
        let mut interval = known.unwrap_or_else(|| empty_interval(index, self.interval_ns));
        interval.length_ns = length_ns;
        let ticks = (length_ns / self.tick_ns) as usize;
        for series in interval.tick_ops.iter_mut().chain(&mut interval.tick_latency_ns) {
            series.resize(ticks, 0);
        }
        interval
    }
}

fn empty_interval(index: u64, interval_ns: u64) -> IntervalOutcome {
    let start_ns = index * interval_ns;
    IntervalOutcome { start_ns, length_ns: interval_ns, ..IntervalOutcome::default() }
}
