//! The series of a watch: its intervals, joined so that a long watch stays small.

use stats::{LatencyHistogram, SparseHistogram};
use units::Nanos;
use workload::Statistic;

use record::{WatchPoint, WatchPointFigures};

use crate::sample::{DeviceSample, DirectionSample, Sample};
use crate::summary::{histogram_statistic, merge_means};

/// Points of a disk; from there on two neighbours become one.
const POINTS_MAX: usize = 600;

/// The intervals of every disk since the watch began.
#[derive(Debug, Clone, Default)]
pub struct WatchSeries {
    disks: Vec<(String, DiskSeries)>,
}

impl WatchSeries {
    pub fn add(&mut self, sample: &Sample) {
        for device in &sample.devices {
            let place = self.disks.iter().position(|(name, _)| *name == device.name);
            let place = place.unwrap_or_else(|| {
                self.disks.push((device.name.clone(), DiskSeries::default()));
                self.disks.len() - 1
            });
            self.disks[place].1.add(MergedInterval::from_sample(device, Nanos(sample.length_ns)));
        }
    }

    /// The points of a disk, oldest first.
    pub(crate) fn points(&self, disk: &str) -> Vec<WatchPoint> {
        let found = self.disks.iter().find(|(name, _)| name == disk);
        found
            .into_iter()
            .flat_map(|(_, series)| &series.merged)
            .map(MergedInterval::to_point)
            .collect()
    }
}

#[derive(Debug, Clone)]
struct DiskSeries {
    merged: Vec<MergedInterval>,
    /// Intervals in each of them but the last.
    intervals_each: usize,
    /// Intervals in the last.
    intervals_last: usize,
}

impl Default for DiskSeries {
    fn default() -> Self {
        Self { merged: Vec::new(), intervals_each: 1, intervals_last: 1 }
    }
}

impl DiskSeries {
    fn add(&mut self, more: MergedInterval) {
        match self.merged.last_mut() {
            Some(last) if self.intervals_last < self.intervals_each => {
                last.merge(&more);
                self.intervals_last += 1;
            }
            _ => {
                self.merged.push(more);
                self.intervals_last = 1;
            }
        }
        if self.merged.len() > POINTS_MAX {
            self.halve();
        }
    }

    /// The last of an odd number stays alone.
    fn halve(&mut self) {
        let is_odd = self.merged.len() % 2 == 1;
        let joined = self.merged.chunks(2).map(|pair| {
            let mut first = pair[0].clone();
            pair.iter().skip(1).for_each(|second| first.merge(second));
            first
        });
        self.merged = joined.collect();
        self.intervals_last += if is_odd { 0 } else { self.intervals_each };
        self.intervals_each *= 2;
    }
}

/// One or more intervals of a disk.
#[derive(Debug, Clone, Default)]
struct MergedInterval {
    length: Nanos,
    read: MergedDirection,
    write: MergedDirection,
    flush: MergedDirection,
    outstanding: Option<f64>,
}

impl MergedInterval {
    fn from_sample(device: &DeviceSample, length: Nanos) -> Self {
        Self {
            length,
            read: MergedDirection::from_sample(&device.read),
            write: MergedDirection::from_sample(&device.write),
            flush: device.flush.as_ref().map(MergedDirection::from_sample).unwrap_or_default(),
            outstanding: device.outstanding,
        }
    }

    fn merge(&mut self, more: &Self) {
        self.outstanding =
            merge_means(self.outstanding, self.length, more.outstanding, more.length);
        self.length = Nanos(self.length.0 + more.length.0);
        self.read.merge(&more.read);
        self.write.merge(&more.write);
        self.flush.merge(&more.flush);
    }

    fn to_point(&self) -> WatchPoint {
        WatchPoint {
            length: self.length,
            read: self.read.to_figures(),
            write: self.write.to_figures(),
            flush: self.flush.to_figures(),
            outstanding: self.outstanding,
        }
    }
}

#[derive(Debug, Clone, Default)]
struct MergedDirection {
    operations: u64,
    bytes: u64,
    /// Sum of the latencies; absent where an operation has none.
    sum_ns: Option<f64>,
    /// Absent where the source has none, and without operations.
    total: Option<SparseHistogram>,
}

impl MergedDirection {
    fn from_sample(of: &DirectionSample) -> Self {
        let total = of.total.as_ref().filter(|total| total.count() > 0);
        Self {
            operations: of.operations,
            bytes: of.bytes,
            sum_ns: of.mean_ns.map(|mean| mean * of.operations as f64),
            total: total.map(LatencyHistogram::to_sparse),
        }
    }

    fn merge(&mut self, more: &Self) {
        if more.operations == 0 {
            return;
        }
        if self.operations == 0 {
            *self = more.clone();
            return;
        }
        self.operations += more.operations;
        self.bytes += more.bytes;
        self.sum_ns = self.sum_ns.zip(more.sum_ns).map(|(one, other)| one + other);
        let both = self.total.as_ref().zip(more.total.as_ref());
        self.total = both.and_then(|(one, other)| {
            let mut sum = one.to_histogram().ok()?;
            sum.merge_sparse(other).ok()?;
            Some(sum.to_sparse())
        });
    }

    /// `None` without operations.
    fn to_figures(&self) -> Option<WatchPointFigures> {
        if self.operations == 0 {
            return None;
        }
        let total = self.total.as_ref().and_then(|total| total.to_histogram().ok());
        let percentile =
            |share: f64| histogram_statistic(total.as_ref(), Statistic::Percentile(share));
        Some(WatchPointFigures {
            operations: self.operations,
            bytes: self.bytes,
            mean: self.sum_ns.map(|sum| Nanos((sum / self.operations as f64).round() as u64)),
            p50: percentile(50.0),
            p99: percentile(99.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `operations` reads in a second; the latencies grow with `number`.
    fn sample(number: u64, operations: u64) -> Sample {
        let mut total = LatencyHistogram::new();
        (0..operations).for_each(|place| total.record(100_000 + (number * 37 + place) * 1_000));
        let read = DirectionSample {
            operations,
            bytes: operations * 4096,
            mean_ns: total.mean_ns(),
            total: Some(total),
            ..DirectionSample::default()
        };
        let name = "sda".to_owned();
        let device = DeviceSample { name, read, outstanding: Some(1.0), ..Default::default() };
        Sample { length_ns: 1_000_000_000, devices: vec![device], ..Sample::default() }
    }

    #[test]
    fn joined_intervals_have_the_means_of_their_time_and_requests() {
        let (short, mut long) = (sample(0, 100), sample(1_000, 300));
        long.devices[0].outstanding = Some(5.0);
        let mut one = MergedInterval::from_sample(&short.devices[0], Nanos::secs(1));
        one.merge(&MergedInterval::from_sample(&long.devices[0], Nanos::secs(3)));
        let point = one.to_point();
        let read = point.read.unwrap();
        // 1 s with one outstanding and 3 s with five; 100 reads of 149.5 us and 300 of 37,249.5 us.
        assert_eq!((point.outstanding, read.bytes), (Some(4.0), 400 * 4096));
        let mean = (100.0 * 149_500.0 + 300.0 * 37_249_500.0) / 400.0;
        assert!((read.mean.unwrap().0 as f64 / mean - 1.0).abs() < 1e-6, "{read:?}");
        assert_eq!(read.rate(point.length).0, 100.0);
    }

    #[test]
    fn a_long_watch_has_a_bounded_number_of_points_and_loses_nothing() {
        let check = |intervals: u64, points: usize, longest: u64| {
            let mut series = WatchSeries::default();
            (0..intervals).for_each(|number| series.add(&sample(number, 5)));
            let found = series.points("sda");
            assert_eq!(found.len(), points, "{intervals}");
            let sum = |of: fn(&WatchPoint) -> u64| found.iter().map(of).sum::<u64>();
            assert_eq!(sum(|point| point.length.0), intervals * 1_000_000_000);
            assert_eq!(sum(|point| point.read.as_ref().unwrap().operations), intervals * 5);
            let lengths: Vec<u64> =
                found.iter().map(|point| point.length.0 / 1_000_000_000).collect();
            let whole = &lengths[..lengths.len() - 1];
            assert!(whole.iter().all(|length| *length == longest), "{lengths:?}");
            assert!(*lengths.last().unwrap() <= longest);
        };
        check(1, 1, 1);
        check(600, 600, 1);
        check(601, 301, 2);
        check(602, 301, 2);
        check(3_600, 450, 8);
    }

    #[test]
    fn joined_intervals_have_the_percentiles_of_all_their_requests() {
        let mut one = MergedInterval::from_sample(&sample(0, 400).devices[0], Nanos::secs(1));
        let other = MergedInterval::from_sample(&sample(1_000, 400).devices[0], Nanos::secs(3));
        let alone = other.to_point().read.unwrap();
        one.merge(&other);
        let joined = one.to_point();
        let read = joined.read.unwrap();
        assert!(read.p50.unwrap() < alone.p50.unwrap() && read.p99.unwrap() > alone.p50.unwrap());
        assert_eq!((joined.length, read.operations), (Nanos::secs(4), 800));
        assert!(joined.write.is_none(), "no write is no figure");
        // Too few for a percentile, enough for a mean.
        let few = MergedInterval::from_sample(&sample(0, 3).devices[0], Nanos::secs(1)).to_point();
        let few = few.read.unwrap();
        assert_eq!((few.p99, few.mean), (None, Some(Nanos(101_000))));
    }

    #[test]
    fn without_the_distribution_of_a_part_there_is_none_of_the_whole() {
        let mut one = MergedInterval::from_sample(&sample(0, 400).devices[0], Nanos::secs(1));
        let mut counted = sample(1, 400);
        counted.devices[0].read.total = None;
        one.merge(&MergedInterval::from_sample(&counted.devices[0], Nanos::secs(1)));
        let read = one.to_point().read.unwrap();
        assert_eq!((read.p50, read.p99), (None, None));
        assert!(read.mean.is_some());
    }
}
