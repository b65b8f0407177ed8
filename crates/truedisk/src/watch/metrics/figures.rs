//! The figures behind the metrics: sums that never go back within a watch.

use stats::LatencyHistogram;
use watch::{
    DirectionSample, DiskFacts, DiskJudgement, DiskSummary, KnownCurve, LimitUse, Verdict, Waiter,
    WatchSummary,
};
use workload::Direction;

/// Those who wait that are exported: each is a series of its own in the monitoring's database.
const WAITERS_MAX: usize = 20;

/// Bounds of the latency buckets are powers of two of a nanosecond, which the histograms of the
/// sources do not split: 8.192 us is the first, 17.2 s the last.
const FIRST_BOUND_POWER: u32 = 13;
pub(super) const BOUNDS: usize = 22;

#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    pub(super) source: &'static str,
    /// Length of the watch so far.
    pub(super) seconds: f64,
    pub(super) missing_requests: u64,
    pub(super) disks: Vec<DiskFigures>,
    /// Those that waited longest in the whole watch.
    pub(super) waiters: Vec<Waiter>,
    /// Device, and the newest curve of each load.
    pub(super) known: Vec<(String, KnownCurve)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct DiskFigures {
    pub(super) name: String,
    pub(super) directions: Vec<DirectionFigures>,
    /// Outstanding requests by seconds.
    pub(super) outstanding_seconds: Option<f64>,
    pub(super) busy_seconds: Option<f64>,
    pub(super) errors: Option<u64>,
    pub(super) verdict: Option<Verdict>,
    pub(super) used: Option<LimitUse>,
}

#[derive(Debug, Clone)]
pub(super) struct DirectionFigures {
    pub(super) direction: Direction,
    pub(super) operations: u64,
    pub(super) bytes: u64,
    /// Latencies of all requests added up.
    pub(super) latency_seconds: WholeSum<f64>,
    pub(super) total: WholeSum<LatencyBuckets>,
    pub(super) queue: WholeSum<LatencyBuckets>,
    pub(super) device: WholeSum<LatencyBuckets>,
}

/// A sum over all requests; absent once some of them lack it.
#[derive(Debug, Clone, Default)]
pub(super) struct WholeSum<T> {
    sum: Option<T>,
    is_incomplete: bool,
}

/// Counts of latencies between neighbouring bounds; the last has those beyond all bounds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct LatencyBuckets {
    pub(super) counts: [u64; BOUNDS + 1],
    pub(super) count: u64,
    pub(super) sum_ns: u128,
}

impl Figures {
    pub(super) fn add(&mut self, interval: &WatchSummary) {
        self.seconds += interval.length.as_secs_f64();
        self.missing_requests += interval.lost_events;
        for disk in &interval.disks {
            let place = self.disks.iter().position(|known| known.name == disk.name);
            let place = place.unwrap_or_else(|| {
                self.disks.push(DiskFigures { name: disk.name.clone(), ..Default::default() });
                self.disks.len() - 1
            });
            self.disks[place].add(disk);
        }
    }

    pub(super) fn set_waiters(&mut self, whole: &WatchSummary) {
        // Their distributions are not exported.
        let figures = |waiter: &Waiter| Waiter {
            who: waiter.who.clone(),
            device: waiter.device.clone(),
            total: None,
            ..*waiter
        };
        self.waiters = whole.waiters.iter().take(WAITERS_MAX).map(figures).collect();
    }

    pub(super) fn set_judgements(&mut self, judged: &[DiskJudgement]) {
        for disk in &mut self.disks {
            let judged = judged.iter().find(|judged| judged.disk == disk.name);
            disk.verdict = judged.map(|judged| judged.verdict);
            disk.used = judged.and_then(|judged| judged.used.clone());
        }
    }

    pub(super) fn set_known_limits(&mut self, facts: &[DiskFacts]) {
        self.known.clear();
        for disk in facts {
            let mut newest: Vec<&KnownCurve> = disk.curves.iter().collect();
            newest.sort_by_key(|curve| std::cmp::Reverse(curve.measured));
            for curve in newest {
                let load = curve.label.text();
                let is_same = |(device, known): &(String, KnownCurve)| {
                    *device == disk.name && known.label.text() == load
                };
                if !self.known.iter().any(is_same) {
                    self.known.push((disk.name.clone(), curve.clone()));
                }
            }
        }
    }
}

impl DiskFigures {
    fn add(&mut self, interval: &DiskSummary) {
        for (direction, sample) in interval.directions() {
            let place = self.directions.iter().position(|known| known.direction == direction);
            let place = place.unwrap_or_else(|| {
                self.directions.push(DirectionFigures::new(direction));
                self.directions.len() - 1
            });
            self.directions[place].add(sample);
        }
        let seconds = interval.length.as_secs_f64();
        if let Some(outstanding) = interval.outstanding {
            *self.outstanding_seconds.get_or_insert_default() += outstanding * seconds;
        }
        if let Some(share) = interval.busy_share {
            *self.busy_seconds.get_or_insert_default() += share * seconds;
        }
        if let Some(errors) = interval.errors {
            *self.errors.get_or_insert_default() += errors;
        }
    }
}

impl DirectionFigures {
    fn new(direction: Direction) -> Self {
        Self {
            direction,
            operations: 0,
            bytes: 0,
            latency_seconds: WholeSum::default(),
            total: WholeSum::default(),
            queue: WholeSum::default(),
            device: WholeSum::default(),
        }
    }

    fn add(&mut self, interval: &DirectionSample) {
        let operations = interval.operations;
        self.operations += operations;
        self.bytes += interval.bytes;
        let seconds = match operations {
            0 => Some(0.0),
            _ => interval.mean_ns.map(|mean| mean * 1e-9 * operations as f64),
        };
        self.latency_seconds.add(operations, seconds, |sum, more| *sum += more);
        self.total.add(operations, interval.total.as_ref(), LatencyBuckets::add);
        self.queue.add(operations, interval.queue.as_ref(), LatencyBuckets::add);
        self.device.add(operations, interval.device.as_ref(), LatencyBuckets::add);
    }

    /// The parts of a request's time, by the label that they have.
    pub(super) fn parts(&self) -> [(&'static str, Option<&LatencyBuckets>); 3] {
        [
            ("whole", self.total.value()),
            ("queue", self.queue.value()),
            ("device", self.device.value()),
        ]
    }
}

impl<T: Default> WholeSum<T> {
    fn add<M>(&mut self, operations: u64, more: Option<M>, add: impl FnOnce(&mut T, M)) {
        match more {
            Some(more) => add(self.sum.get_or_insert_default(), more),
            None => self.is_incomplete |= operations > 0,
        }
    }

    pub(super) fn value(&self) -> Option<&T> {
        self.sum.as_ref().filter(|_| !self.is_incomplete)
    }
}

impl LatencyBuckets {
    fn add(&mut self, more: &LatencyHistogram) {
        let mut beyond = more.count();
        for (_, last_ns, count) in more.buckets() {
            let power = u64::BITS - last_ns.leading_zeros();
            let place = power.saturating_sub(FIRST_BOUND_POWER) as usize;
            if place < BOUNDS {
                self.counts[place] += count;
                beyond -= count;
            }
        }
        self.counts[BOUNDS] += beyond;
        self.count += more.count();
        self.sum_ns = self.sum_ns.saturating_add(more.sum_ns());
    }

    /// Upper bound in seconds and count of each bucket.
    pub(super) fn in_seconds(&self) -> Vec<(f64, u64)> {
        let bound = |place: usize| match place {
            BOUNDS => f64::INFINITY,
            _ => (1_u64 << (FIRST_BOUND_POWER as usize + place)) as f64 / 1e9,
        };
        self.counts.iter().enumerate().map(|(place, count)| (bound(place), *count)).collect()
    }
}
