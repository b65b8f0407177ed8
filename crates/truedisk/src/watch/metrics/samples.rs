//! The samples of all metrics at the end of an interval. Counters never go back within a watch.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use stats::LatencyHistogram;
use watch::{
    DiskFacts, DiskJudgement, DiskSummary, KnownCurve, Verdict, Waiter, WaiterName, WatchSummary,
};
use workload::Direction;

/// Those who wait that are exported: each is a series of its own in the monitoring's database.
const WAITERS_MAX: usize = 20;
/// Bounds of the latency buckets are powers of two of a nanosecond, which the histograms of the
/// sources do not split: from 8.192 us to 17.2 s.
const BOUND_POWERS: std::ops::Range<u32> = 13..35;

#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// As in the catalogue.
    pub(super) metric: &'static str,
    pub(super) labels: Vec<(&'static str, String)>,
    pub(super) value: Value,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Number(f64),
    /// Buckets have their upper bound in seconds, and the count between it and the one before.
    Histogram {
        sum: f64,
        count: u64,
        buckets: Vec<(f64, u64)>,
    },
}

/// The samples of the last interval, for those who read them at another time.
#[derive(Debug, Clone, Default)]
pub(super) struct LatestSamples(Arc<Mutex<Arc<Vec<Sample>>>>);

impl LatestSamples {
    pub(super) fn replace(&self, samples: Vec<Sample>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(samples);
    }

    pub(super) fn newest(&self) -> Arc<Vec<Sample>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Sums in seconds, by disk and what is summed. A mean of [`WatchSummary`] times its time would
/// sometimes lose the last digit, which Prometheus takes for a restart.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums(BTreeMap<(String, &'static str), f64>);

impl Sums {
    pub(super) fn add(&mut self, interval: &WatchSummary) {
        for disk in &interval.disks {
            let seconds = disk.length.as_secs_f64();
            let mut add = |name: &'static str, more: Option<f64>| {
                let Some(more) = more else { return };
                *self.0.entry((disk.name.clone(), name)).or_default() += more;
            };
            add("outstanding", disk.outstanding.map(|mean| mean * seconds));
            add("busy", disk.busy_share.map(|share| share * seconds));
            for (direction, of) in disk.directions() {
                let latencies = match (&of.total, of.operations) {
                    // A request is seen and counted a moment apart: maybe in two intervals.
                    (Some(seen), _) => seen.sum_ns() as f64,
                    (None, 0) => 0.0,
                    // Once an operation has no known latency, the sum is unknown.
                    (None, count) => of.mean_ns.unwrap_or(f64::NAN) * count as f64,
                };
                add(direction_label(direction), Some(latencies * 1e-9));
            }
        }
    }

    fn get(&self, disk: &DiskSummary, name: &'static str) -> Option<f64> {
        self.0.get(&(disk.name.clone(), name)).copied().filter(|sum| !sum.is_nan())
    }
}

const fn direction_label(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "write",
        Direction::Sync => "flush",
        Direction::Trim => "trim",
    }
}

pub(super) fn list_samples(
    source: &str,
    sums: &Sums,
    whole: &WatchSummary,
    judgements: &[DiskJudgement],
    facts: &[DiskFacts],
) -> Vec<Sample> {
    let mut all = SampleList::default();
    let version = env!("CARGO_PKG_VERSION");
    all.push("truedisk_watch", &[("source", source), ("version", version)], 1.0);
    all.push("truedisk_watch_seconds", &[], whole.length.as_secs_f64());
    all.push("truedisk_watch_missing_requests", &[], whole.missing_requests as f64);
    whole.disks.iter().for_each(|disk| all.push_disk(disk, sums));
    judgements.iter().for_each(|judgement| all.push_judgement(judgement));
    // "Others" is left out: a group that joins it would bring the time that it was already counted
    // with.
    let named = whole.waiters.iter().filter(|waiter| waiter.who != WaiterName::Others);
    named.take(WAITERS_MAX).for_each(|waiter| all.push_waiter(waiter));
    facts.iter().for_each(|facts| all.push_known_limits(facts));
    all.0
}

#[derive(Default)]
struct SampleList(Vec<Sample>);

impl SampleList {
    fn push(
        &mut self,
        metric: &'static str,
        labels: &[(&'static str, &str)],
        value: impl Into<Option<f64>>,
    ) {
        if let Some(value) = value.into() {
            self.push_value(metric, labels, Value::Number(value));
        }
    }

    fn push_value(&mut self, metric: &'static str, labels: &[(&'static str, &str)], value: Value) {
        let labels = labels.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.0.push(Sample { metric, labels, value });
    }

    fn push_disk(&mut self, disk: &DiskSummary, sums: &Sums) {
        let labels = [("device", disk.name.as_str())];
        let outstanding = sums.get(disk, "outstanding");
        self.push("truedisk_disk_outstanding_request_seconds", &labels, outstanding);
        self.push("truedisk_disk_busy_seconds", &labels, sums.get(disk, "busy"));
        self.push("truedisk_disk_errors", &labels, disk.errors.map(|count| count as f64));
        for (direction, of) in disk.directions() {
            let label = direction_label(direction);
            let labels = [labels[0], ("direction", label)];
            self.push("truedisk_disk_operations", &labels, of.operations as f64);
            let bytes = (direction != Direction::Sync).then_some(of.bytes as f64);
            self.push("truedisk_disk_bytes", &labels, bytes);
            self.push("truedisk_disk_request_seconds", &labels, sums.get(disk, label));
            let parts = [("whole", &of.total), ("queue", &of.queue), ("device", &of.device)];
            for (part, histogram) in parts {
                let Some(histogram) = histogram else { continue };
                let labels = [labels[0], labels[1], ("part", part)];
                self.push_value(
                    "truedisk_disk_latency_seconds",
                    &labels,
                    sort_latencies(histogram),
                );
            }
        }
    }

    fn push_judgement(&mut self, judgement: &DiskJudgement) {
        let device = ("device", judgement.disk.as_str());
        for verdict in Verdict::ALL {
            let value = f64::from(u8::from(verdict == judgement.verdict));
            self.push("truedisk_disk_verdict", &[device, ("verdict", verdict.name())], value);
        }
        if let Some(used) = &judgement.used {
            let bound = used.bound.to_string();
            let labels = [device, ("load", used.curve.text()), ("bound", &bound)];
            self.push("truedisk_disk_used_ratio", &labels, used.share().0);
            self.push("truedisk_disk_limit_operations_per_second", &labels, used.limit.0);
        }
    }

    fn push_waiter(&mut self, waiter: &Waiter) {
        // Paths of groups begin with a slash.
        let group = match &waiter.who {
            WaiterName::Group(path) => path,
            WaiterName::Writeback => "writeback",
            WaiterName::Others => "others",
        };
        let labels = [("device", waiter.device.as_str()), ("group", group)];
        self.push("truedisk_waiter_wait_seconds", &labels, waiter.waited_ns as f64 / 1e9);
        self.push("truedisk_waiter_bytes", &labels, waiter.bytes as f64);
    }

    /// The newest curve of each load.
    fn push_known_limits(&mut self, facts: &DiskFacts) {
        let mut newest: BTreeMap<&str, &KnownCurve> = BTreeMap::new();
        for curve in &facts.curves {
            let known = newest.entry(curve.label.text()).or_insert(curve);
            if curve.measured > known.measured {
                *known = curve;
            }
        }
        for (load, curve) in newest {
            let labels = [
                ("device", facts.name.as_str()),
                ("load", load),
                ("block_size_bytes", &curve.block_size.0.to_string()),
                ("read_percent", &(curve.read_share.0 * 100.0).round().to_string()),
                ("bound", &curve.bound.to_string()),
                ("floor", if curve.is_floor() { "true" } else { "false" }),
            ];
            self.push("truedisk_known_limit_operations_per_second", &labels, curve.limit.0);
            let mean = curve.unloaded_mean().map(|mean| mean.as_secs_f64());
            self.push("truedisk_known_unloaded_latency_seconds", &labels, mean);
            let measured = curve.measured.as_second() as f64;
            self.push("truedisk_known_measured_timestamp_seconds", &labels, measured);
        }
    }
}

fn sort_latencies(histogram: &LatencyHistogram) -> Value {
    let bounds = BOUND_POWERS.map(|power| (1_u64 << power) as f64 / 1e9).chain([f64::INFINITY]);
    let mut buckets: Vec<(f64, u64)> = bounds.map(|bound| (bound, 0)).collect();
    let last = buckets.len() - 1;
    for (_, end_ns, count) in histogram.buckets() {
        let power = u64::BITS - end_ns.leading_zeros();
        buckets[last.min(power.saturating_sub(BOUND_POWERS.start) as usize)].1 += count;
    }
    buckets[last].1 += histogram.overflow();
    let sum = histogram.sum_ns() as f64 / 1e9;
    Value::Histogram { sum, count: histogram.count(), buckets }
}
