//! The running totals of one instance.

use engine::{Activity, DirectionInterval, IntervalOutcome, Outcome};
use fio::options::parse::{READS, TRIMS, WRITES};
use fio::plan::LatencyOrigin;
use fio::results::{DirectionResult, Samples};
use stats::LatencyHistogram;
use units::Nanos;
use workload::Direction;

/// The directions that fio reports, in its order.
pub(super) const REPORTED_DIRECTIONS: [Direction; 3] =
    [Direction::Read, Direction::Write, Direction::Trim];

/// The index of a direction in fio's arrays.
pub(super) const fn direction_index(direction: Direction) -> Option<usize> {
    match direction {
        Direction::Read => Some(READS),
        Direction::Write => Some(WRITES),
        Direction::Trim => Some(TRIMS),
        Direction::Sync => None,
    }
}

#[derive(Debug, Default)]
pub(super) struct DirectionSums {
    pub(super) ops: u64,
    pub(super) bytes: u64,
    pub(super) total: LatencyHistogram,
    submission: LatencyHistogram,
    completion: LatencyHistogram,
    response: LatencyHistogram,
    /// Operations and bytes of each interval.
    series: Vec<(u64, u64)>,
    /// Intervals and time of earlier sessions.
    earlier: usize,
    elapsed_ns: u64,
    /// The current session has operations.
    active: bool,
}

#[derive(Debug)]
pub(super) struct RunningTotals {
    interval_ms: u64,
    pub(super) sums: [DirectionSums; 4],
    /// Time of all sessions.
    pub(super) elapsed_ns: u64,
    pub(super) activity: Activity,
    /// Intervals of the current session.
    taken: usize,
}

impl RunningTotals {
    pub(super) fn new(interval: Nanos) -> Self {
        Self {
            interval_ms: (interval.0 / 1_000_000).max(1),
            sums: Default::default(),
            elapsed_ns: 0,
            activity: Activity::default(),
            taken: 0,
        }
    }

    pub(super) fn add_interval(&mut self, interval: &IntervalOutcome) {
        for (sum, part) in self.sums.iter_mut().zip(&interval.directions) {
            let (ops, bytes) = part.as_ref().map_or((0, 0), |part| (part.ops, part.bytes));
            sum.active |= ops > 0;
            if sum.active {
                sum.series.resize(sum.earlier + self.taken, (0, 0));
                sum.series.push((ops, bytes));
            }
            if let Some(part) = part {
                sum.add(part);
            }
        }
        self.taken += 1;
    }

    pub(super) fn finish_session(&mut self, outcome: &Outcome) {
        outcome.intervals.iter().for_each(|interval| self.add_interval(interval));
        for sum in self.sums.iter_mut().filter(|sum| sum.active) {
            sum.earlier += self.taken;
            sum.series.resize(sum.earlier, (0, 0));
            sum.elapsed_ns += outcome.elapsed_ns;
            sum.active = false;
        }
        self.taken = 0;
        self.elapsed_ns += outcome.elapsed_ns;
        self.activity.add(&outcome.activity);
    }

    pub(super) fn direction_result(
        &self,
        direction: Direction,
        latencies: LatencyOrigin,
    ) -> DirectionResult {
        let sum = &self.sums[direction as usize];
        let lat = match latencies {
            LatencyOrigin::Plan if sum.response.count() > 0 => sum.response.clone(),
            _ => sum.total.clone(),
        };
        let moved = sum.ops > 0;
        // Each operation was timed twice, or its latency is one.
        let splits = sum.completion.count() == sum.ops;
        DirectionResult {
            bytes: sum.bytes,
            ops: sum.ops,
            runtime_ms: if moved { self.runtime_ms(sum) } else { 0 },
            short: 0,
            dropped: 0,
            clat: if splits { sum.completion.clone() } else { lat.clone() },
            slat: if splits { sum.submission.clone() } else { LatencyHistogram::new() },
            lat,
            prios: Vec::new(),
            bw: Samples::default(),
            iops: Samples::default(),
        }
    }

    /// Adds time after the last operation.
    pub(super) fn add_time(&mut self, direction: Direction, ns: u64) {
        self.elapsed_ns += ns;
        self.sums[direction as usize].elapsed_ns += ns;
    }

    /// Run time; of a running session, its complete intervals.
    fn runtime_ms(&self, sum: &DirectionSums) -> u64 {
        let running = if sum.active { self.taken as u64 * self.interval_ms } else { 0 };
        (sum.elapsed_ns / 1_000_000 + running).max(1)
    }

    /// Time of all sessions and of the complete intervals of a running one; at least 1 if anything
    /// was measured.
    pub(super) fn measured_ms(&self) -> u64 {
        let ms = self.elapsed_ns / 1_000_000 + self.taken as u64 * self.interval_ms;
        ms.max(u64::from(self.elapsed_ns > 0))
    }

    pub(super) fn sync_totals(&self) -> (u64, LatencyHistogram) {
        let sum = &self.sums[Direction::Sync as usize];
        (sum.ops, sum.total.clone())
    }

    /// KiB/s and operations per second of `direction` in windows of `window_ms`.
    pub(super) fn window_samples(
        &self,
        direction: Direction,
        window_ms: u64,
    ) -> (Samples, Samples) {
        let sum = &self.sums[direction as usize];
        if sum.ops == 0 {
            return Default::default();
        }
        let per_window = (window_ms / self.interval_ms).max(1) as usize;
        // As in fio: the last window does not count.
        let complete = self.runtime_ms(sum).div_ceil(window_ms).saturating_sub(1) as usize;
        let window = |i: usize| {
            let part = sum.series.iter().skip(i * per_window).take(per_window);
            part.fold((0, 0), |(ops, bytes), (o, b)| (ops + o, bytes + b))
        };
        let found: Vec<(u64, u64)> = (0..complete).map(window).collect();
        let per_second = 1000.0 / window_ms as f64;
        let rates = |pick: &dyn Fn(&(u64, u64)) -> f64| {
            summarize_samples(
                &found.iter().map(|window| pick(window) * per_second).collect::<Vec<_>>(),
            )
        };
        (rates(&|(_, bytes)| *bytes as f64 / 1024.0), rates(&|(ops, _)| *ops as f64))
    }

    /// Operations and bytes of all reported directions in each whole second.
    pub(super) fn per_second(&self) -> Vec<(u64, u64)> {
        let per_second = (1000 / self.interval_ms).max(1) as usize;
        let count = REPORTED_DIRECTIONS
            .iter()
            .map(|d| self.sums[*d as usize].series.len())
            .max()
            .unwrap_or(0);
        (0..count / per_second)
            .map(|second| {
                let range = second * per_second..(second + 1) * per_second;
                let parts = REPORTED_DIRECTIONS
                    .iter()
                    .filter_map(|d| self.sums[*d as usize].series.get(range.clone()));
                parts.flatten().fold((0, 0), |(ops, bytes), (o, b)| (ops + o, bytes + b))
            })
            .collect()
    }
}

impl DirectionSums {
    fn add(&mut self, part: &DirectionInterval) {
        self.ops += part.ops;
        self.bytes += part.bytes;
        // The engine's histograms are sound.
        let _ = self.total.merge_sparse(&part.total);
        let sums = [&mut self.submission, &mut self.completion, &mut self.response];
        let parts = [&part.submission, &part.completion, &part.response];
        for (sum, part) in sums.into_iter().zip(parts) {
            if let Some(part) = part {
                let _ = sum.merge_sparse(part);
            }
        }
    }
}

fn summarize_samples(values: &[f64]) -> Samples {
    if values.is_empty() {
        return Samples::default();
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let dev = if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    Samples { min: least as u64, max: most as u64, mean, dev, samples: values.len() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(index: u64, ops: u64) -> IntervalOutcome {
        let mut histogram = LatencyHistogram::new();
        histogram.record_many(50_000, ops);
        let part = DirectionInterval {
            ops,
            bytes: ops * 4096,
            total: histogram.to_sparse(),
            submission: None,
            completion: None,
            response: None,
            comparable: None,
        };
        IntervalOutcome {
            start_ns: index * 100_000_000,
            length_ns: 100_000_000,
            directions: [Some(part), None, None, None],
            tick_ops: Default::default(),
            tick_latency_ns: Default::default(),
        }
    }

    #[test]
    fn windows_are_whole_ones_before_the_end() {
        let mut tally = RunningTotals::new(Nanos::millis(100));
        for index in 0..20 {
            tally.add_interval(&interval(index, if index < 10 { 100 } else { 200 }));
        }
        let sum = &mut tally.sums[0];
        (sum.elapsed_ns, sum.active) = (2_000_000_000, false);
        let (bw, iops) = tally.window_samples(Direction::Read, 500);
        assert_eq!((iops.samples, iops.min, iops.max), (3, 1000, 2000));
        assert_eq!(bw.max, 8000);
        assert!((iops.mean - 4000.0 / 3.0).abs() < 1e-9);
        assert_eq!(tally.per_second(), [(1000, 4_096_000), (2000, 8_192_000)]);
        assert_eq!(tally.window_samples(Direction::Write, 500).0.samples, 0);
        let read = tally.direction_result(Direction::Read, LatencyOrigin::Submission);
        assert_eq!((read.ops, read.bytes, read.runtime_ms), (3000, 3000 * 4096, 2000));
        assert_eq!(read.clat.count(), 3000);
    }
}
