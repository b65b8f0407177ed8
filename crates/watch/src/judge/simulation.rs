//! A simulated disk under a simulated load, for the tests of the rules: clients that wait for their
//! request and then think, one queue, servers that take their time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use record::BoundedBy;
use stats::LatencyHistogram;
use units::{Bytes, Depth, Iops, Nanos, Ratio};
use workload::{Access, Mix};

use super::case::DEFAULT_BOUND;
use crate::counters::{Completions, UnfinishedTime};
use crate::known::{KnownCurve, KnownPoint};
use crate::sample::{DeviceSample, DirectionSample, HostSample, Sample};
use crate::summary::WatchSummary;

const SECOND: u64 = 1_000_000_000;
pub(super) const DISK: &str = "sim0";

#[derive(Debug, Clone)]
pub(super) struct SimulatedDisk {
    pub(super) seed: u64,
    pub(super) servers: usize,
    pub(super) service_ns: f64,
    /// Requests a second that a throttle of this host accepts.
    pub(super) group_cap: Option<f64>,
    /// Requests a second that the provider lets through.
    pub(super) hidden_cap: Option<f64>,
    /// Seconds in which nothing is served.
    pub(super) stall: Option<(u64, u64)>,
    /// Largest difference of a second's speed from the usual one, as a share.
    pub(super) unevenness: f64,
    pub(super) loads: Vec<Load>,
    pub(super) cpu_pressure: f64,
    /// Whether the source sees distributions, not only means.
    pub(super) has_distributions: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) clients: usize,
    pub(super) think_ns: f64,
    pub(super) is_write: bool,
    pub(super) bytes: u64,
    pub(super) kind: LoadKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LoadKind {
    Program,
    /// Of another machine: its requests are not seen here.
    Neighbour,
    /// All clients ask at once, every five seconds, and no program waits.
    Writeback,
}

impl Load {
    pub(super) const fn readers(clients: usize) -> Self {
        Self { clients, think_ns: 0.0, is_write: false, bytes: 4096, kind: LoadKind::Program }
    }
}

impl SimulatedDisk {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            servers: 8,
            service_ns: 2e6,
            group_cap: None,
            hidden_cap: None,
            stall: None,
            unevenness: 0.0,
            loads: Vec::new(),
            cpu_pressure: 0.01,
            has_distributions: true,
        }
    }

    pub(super) fn with(self, load: Load) -> Self {
        Self { loads: vec![load], ..self }
    }

    pub(super) fn watch(&self, seconds: u64) -> WatchSummary {
        let mut intervals = vec![Interval::default(); seconds as usize];
        self.run(seconds, &mut intervals);
        let (mut unfinished, mut in_flight_before) = (UnfinishedTime::default(), 0);
        let sample = |interval: &Interval| {
            let in_flight_after = interval.in_flight_after;
            let completed_ms = interval.completed_ns / 1_000_000;
            let completed = interval.read.operations + interval.write.operations;
            let counted =
                Completions { in_flight_before, in_flight_after, completed, completed_ms };
            in_flight_before = in_flight_after;
            self.sample(interval, unfinished.add(counted, SECOND / 1_000_000))
        };
        WatchSummary::from_samples(&intervals.iter().map(sample).collect::<Vec<_>>())
    }

    fn run(&self, seconds: u64, intervals: &mut [Interval]) {
        let mut random = Random(self.seed);
        let mut arrivals = BinaryHeap::new();
        for (place, load) in self.loads.iter().enumerate() {
            let spread = if load.kind == LoadKind::Writeback { 1 } else { 1_000_000 };
            arrivals.extend((0..load.clients).map(|_| Reverse((random.below(spread), place))));
        }
        let mut free: BinaryHeap<_> = (0..self.servers).map(|_| Reverse(0_u64)).collect();
        let speeds: Vec<f64> =
            intervals.iter().map(|_| 1.0 + self.unevenness * (2.0 * random.unit() - 1.0)).collect();
        let (mut next_group, mut next_hidden) = (0.0_f64, 0.0_f64);
        let (mut busy_until, mut waited_until) = (0, 0);
        while let Some(Reverse((asked, place))) = arrivals.pop() {
            if asked >= seconds * SECOND {
                break;
            }
            let load = &self.loads[place];
            let accepted = pass_throttle(self.group_cap, &mut next_group, asked);
            let passed = pass_throttle(self.hidden_cap, &mut next_hidden, accepted);
            let Some(Reverse(server)) = free.pop() else { break };
            let start = self.after_stall(passed.max(server));
            let tail = if random.unit() < 0.005 { 2.0 } else { 1.0 };
            let speed = speeds.get((start / SECOND) as usize).copied().unwrap_or(1.0);
            let service_ns = self.service_ns * tail * (0.7 + 0.6 * random.unit()) / speed;
            let done = start + service_ns as u64;
            free.push(Reverse(done));
            let think = match load.kind {
                LoadKind::Writeback => (5 * SECOND - asked % (5 * SECOND)).max(done - asked),
                _ => done - asked + (load.think_ns * -(1.0 - random.unit()).ln()) as u64,
            };
            arrivals.push(Reverse((asked + think, place)));
            if load.kind == LoadKind::Neighbour {
                continue;
            }
            // The kernel adds a request's time up when it completes; before, it is in flight.
            let (from, to) = ((accepted / SECOND) as usize, (done / SECOND) as usize);
            intervals.iter_mut().take(to).skip(from).for_each(|i| i.in_flight_after += 1);
            add_time(intervals, accepted.max(busy_until), done, |i, ns| i.busy_ns += ns);
            busy_until = busy_until.max(done);
            if load.kind == LoadKind::Program {
                add_time(intervals, asked.max(waited_until), done, |i, ns| i.waited_ns += ns);
                waited_until = waited_until.max(done);
            }
            if let Some(interval) = intervals.get_mut((done / SECOND) as usize) {
                let direction =
                    if load.is_write { &mut interval.write } else { &mut interval.read };
                direction.operations += 1;
                direction.bytes += load.bytes;
                direction.total.get_or_insert_default().record(done - accepted);
                interval.completed_ns += done - accepted;
            }
        }
    }

    fn after_stall(&self, time: u64) -> u64 {
        match self.stall {
            Some((from, to)) if (from * SECOND..to * SECOND).contains(&time) => to * SECOND,
            _ => time,
        }
    }

    fn sample(&self, interval: &Interval, outstanding_ms: u64) -> Sample {
        let share = |ns: u64| ns as f64 / SECOND as f64;
        let direction = |of: &DirectionSample| {
            let mean_ns = of.total.as_ref().and_then(LatencyHistogram::mean_ns);
            let total = of.total.clone().filter(|_| self.has_distributions);
            DirectionSample { mean_ns, total, ..of.clone() }
        };
        let device = DeviceSample {
            name: DISK.to_owned(),
            read: direction(&interval.read),
            write: direction(&interval.write),
            outstanding: Some(outstanding_ms as f64 / 1e3),
            busy_share: Some(share(interval.busy_ns)),
            ..DeviceSample::default()
        };
        let host = HostSample {
            io_pressure: Some(share(interval.waited_ns)),
            cpu_pressure: Some(self.cpu_pressure),
            ..HostSample::default()
        };
        Sample { length_ns: SECOND, devices: vec![device], host, ..Sample::default() }
    }

    /// The curve that a search on this disk alone would have found.
    pub(super) fn known_curve(&self) -> KnownCurve {
        let depths = [1_u32, 2, 4, 8, 16, 24, 32, 64];
        let runs = depths.map(|depth| {
            let alone = Self { loads: vec![Load::readers(depth as usize)], ..Self::new(99) };
            (depth, Self { service_ns: self.service_ns, ..alone }.watch(2))
        });
        let within = |summary: &WatchSummary| {
            let worst = summary.disks[0].worst(DEFAULT_BOUND.statistic);
            worst.is_some_and(|(_, latency)| latency < DEFAULT_BOUND.limit)
        };
        let (_, best) = runs.iter().rfind(|(_, summary)| within(summary)).unwrap();
        let point = |(depth, summary): &(u32, WatchSummary)| KnownPoint {
            depth: Depth(*depth),
            mean: Nanos(summary.disks[0].mean_ns().unwrap() as u64),
        };
        KnownCurve {
            measured: "2026-11-20T10:15:00Z".parse().unwrap(),
            label: analysis::workload_name(&Access::Random, Mix::Read),
            read_share: Ratio(1.0),
            block_size: Bytes(4096),
            bound: DEFAULT_BOUND,
            limit: Iops(best.disks[0].iops().0),
            bounded_by: BoundedBy::Bound,
            is_by_bytes: false,
            points: runs.iter().map(point).collect(),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Interval {
    read: DirectionSample,
    write: DirectionSample,
    in_flight_after: u64,
    completed_ns: u64,
    busy_ns: u64,
    waited_ns: u64,
}

fn pass_throttle(rate: Option<f64>, next: &mut f64, time: u64) -> u64 {
    let Some(rate) = rate else { return time };
    let passed = next.max(time as f64);
    *next = passed + 1e9 / rate;
    passed as u64
}

/// Adds the time between two instants to the intervals that they lie in.
fn add_time(
    intervals: &mut [Interval],
    from: u64,
    to: u64,
    mut add: impl FnMut(&mut Interval, u64),
) {
    let mut at = from;
    while at < to {
        let end = ((at / SECOND + 1) * SECOND).min(to);
        if let Some(interval) = intervals.get_mut((at / SECOND) as usize) {
            add(interval, end - at);
        }
        at = end;
    }
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
