//! The profile of a stream of requests, in bounded memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use jiff::Timestamp;
use record::profile::{
    KindProfile, Outstanding, PROFILE_VERSION, Places, Profile, ProfiledDisk, Zones,
};
use record::{RequestKind, TraceRequest};
use stats::{LatencyHistogram, percentile_supported};

use super::fit_arrivals::ArrivalFit;
use super::fit_places::{PieceMap, PlaceFit};
use super::numbers::round_figure;
use super::spacing_fit::SpacingFit;

/// More outstanding requests than any disk takes.
const OUTSTANDING_MAX: usize = 1 << 20;

/// Takes the requests of one disk in the order of their starts.
pub struct ProfileBuilder {
    disk: ProfiledDisk,
    arrivals: ArrivalFit,
    kinds: BTreeMap<RequestKind, KindFit>,
    pieces: PieceMap,
    /// When outstanding requests end.
    ends: BinaryHeap<Reverse<u64>>,
    outstanding: LatencyHistogram,
    flushes: FlushFit,
    last_placed: Option<RequestKind>,
}

#[derive(Default)]
struct KindFit {
    requests: u64,
    fua: u64,
    latency: LatencyHistogram,
    next: BTreeMap<RequestKind, u64>,
    places: PlaceFit,
}

/// How many writes, and how many requests, lie between two flushes.
#[derive(Default)]
struct FlushFit {
    by_writes: SpacingFit,
    by_requests: SpacingFit,
}

impl FlushFit {
    fn add(&mut self, kind: RequestKind) {
        if kind == RequestKind::Flush {
            self.by_writes.add();
            self.by_requests.add();
            return;
        }
        self.by_requests.add_other();
        if kind == RequestKind::Write {
            self.by_writes.add_other();
        }
    }
}

impl ProfileBuilder {
    pub fn new(disk: ProfiledDisk) -> Self {
        Self {
            pieces: PieceMap::new(disk.size_bytes),
            disk,
            arrivals: ArrivalFit::new(),
            kinds: BTreeMap::new(),
            ends: BinaryHeap::new(),
            outstanding: LatencyHistogram::new(),
            flushes: FlushFit::default(),
            last_placed: None,
        }
    }

    pub fn add(&mut self, request: &TraceRequest) {
        let is_flush = request.kind == RequestKind::Flush;
        self.arrivals.add(request.start_ns, is_flush && self.last_placed.is_some());
        self.count_outstanding(request);
        self.flushes.add(request.kind);
        let kind = self.kinds.entry(request.kind).or_default();
        kind.requests += 1;
        kind.fua += u64::from(request.is_fua);
        request.latency_ns.into_iter().for_each(|latency| kind.latency.record(latency));
        if is_flush {
            return;
        }
        kind.places.add(request, &mut self.pieces);
        if let Some(last) = self.last_placed.replace(request.kind) {
            let next = &mut self.kinds.entry(last).or_default().next;
            *next.entry(request.kind).or_default() += 1;
        }
    }

    fn count_outstanding(&mut self, request: &TraceRequest) {
        while self.ends.peek().is_some_and(|Reverse(end)| *end <= request.start_ns) {
            self.ends.pop();
        }
        self.outstanding.record(self.ends.len() as u64);
        if let Some(latency) = request.latency_ns.filter(|_| self.ends.len() < OUTSTANDING_MAX) {
            self.ends.push(Reverse(request.start_ns.saturating_add(latency)));
        }
    }

    /// The profile of a capture that began then, took this long and missed `lost` requests.
    pub fn finish(self, captured: Timestamp, length_ns: u64, lost: u64) -> Profile {
        let length_ns = length_ns.max(1);
        let requests: u64 = self.kinds.values().map(|kind| kind.requests).sum();
        let (arrivals, rate_uncertainty) = self.arrivals.finish(length_ns);
        let zones = self.pieces.describe_zones();
        let has_writes = self.kinds.contains_key(&RequestKind::Write);
        let between = match has_writes {
            true => self.flushes.by_writes.describe(),
            false => self.flushes.by_requests.describe(),
        };
        let describe = |(kind, fit): (RequestKind, KindFit)| {
            let share = |count: u64| round_figure(count as f64 / fit.requests.max(1) as f64);
            let is_flush = kind == RequestKind::Flush;
            let places = (!is_flush).then(|| fit.places.describe(&fit.next, &zones, &self.pieces));
            let profile = KindProfile {
                share: round_figure(fit.requests as f64 / requests.max(1) as f64),
                fua: share(fit.fua),
                latency_ns: describe_latency(&fit.latency),
                between: if is_flush { between.clone() } else { Vec::new() },
                places,
            };
            (kind, profile)
        };
        Profile {
            version: PROFILE_VERSION,
            captured,
            length_ns,
            requests,
            lost,
            rate: round_figure(requests as f64 * 1e9 / length_ns as f64),
            rate_uncertainty,
            disk: self.disk,
            arrivals,
            outstanding: Outstanding {
                mean: round_figure(self.outstanding.mean_ns().unwrap_or(0.0)),
                p50: self.outstanding.quantile(0.5).unwrap_or(0),
                p99: self.outstanding.quantile(0.99).unwrap_or(0),
                max: self.outstanding.max_ns().unwrap_or(0),
            },
            kinds: self.kinds.into_iter().map(describe).collect(),
            zones,
        }
    }
}

fn describe_latency(latency: &LatencyHistogram) -> BTreeMap<String, u64> {
    let percentile = |p: f64| {
        let value = latency.quantile(p / 100.0)?;
        percentile_supported(p, latency.count()).then(|| (format!("p{p}"), value))
    };
    [50.0, 99.0, 99.9].into_iter().filter_map(percentile).collect()
}

impl PlaceFit {
    fn describe(
        &self,
        next: &BTreeMap<RequestKind, u64>,
        zones: &Zones,
        pieces: &PieceMap,
    ) -> Places {
        let after: u64 = next.values().sum();
        let share = |count: u64| round_figure(count as f64 / after.max(1) as f64);
        let by_zone = self.sum_by_zone(zones, pieces);
        Places {
            sizes: self.describe_sizes(),
            alignment_bytes: self.alignment_bytes(),
            sequential: self.sequential_share(),
            run_lengths: self.describe_runs(),
            next: next.iter().map(|(kind, count)| (*kind, share(*count))).collect(),
            zones: by_zone.iter().map(|zone| round_figure(zone.of_all)).collect(),
            follows: by_zone.iter().map(|zone| round_figure(zone.follows)).collect(),
            resumes: by_zone.iter().map(|zone| round_figure(zone.resumes)).collect(),
        }
    }
}
