//! The first reading of a load: what it asks of a target, before anything is opened for writing.

use std::collections::BTreeMap;

use analysis::summarise_latency;
use record::profile::Profile;
use record::{CapturedLoad, PerDirection, RequestKind, TraceRequest};
use stats::LatencyHistogram;
use units::{Bytes, Nanos};
use workload::Direction;

use super::load::{ArrivalEvent, LoadError, LoadFile, LoadRequests};

/// A load of a single instant is given this length, so that it has a rate.
const LENGTH_MIN: Nanos = Nanos::millis(1);

pub(crate) struct Survey {
    pub(crate) load: CapturedLoad,
    pub(crate) arrival: ArrivalEvent,
}

/// Reads a load to its end. A trace of blktrace without queued requests is read by those that were
/// issued.
pub(crate) fn survey_load(file: &LoadFile) -> Result<Survey, LoadError> {
    for arrival in [ArrivalEvent::Queue, ArrivalEvent::Issue] {
        let mut load = count_requests(file, arrival)?;
        if !load.requests.is_empty() {
            if let Some((profile, _)) = &file.profile {
                add_profile(&mut load, profile);
            }
            return Ok(Survey { load, arrival });
        }
    }
    Err(LoadError::Empty)
}

fn count_requests(file: &LoadFile, arrival: ArrivalEvent) -> Result<CapturedLoad, LoadError> {
    let mut requests = file.requests(arrival)?;
    let mut counts = Counts::default();
    for request in requests.by_ref() {
        counts.add(&request?);
    }
    Ok(counts.describe(file, &requests))
}

#[derive(Default)]
struct Counts {
    requests: [u64; 3],
    bytes: [u64; 2],
    discards: u64,
    fua: u64,
    largest: u32,
    extent: u64,
    last_ns: u64,
    digest: u64,
    latency: [LatencyHistogram; 3],
}

impl Counts {
    fn add(&mut self, request: &TraceRequest) {
        let fields = [
            request.start_ns,
            request.offset,
            u64::from(request.length) << 8 | (request.kind as u64) << 1 | u64::from(request.is_fua),
        ];
        for field in fields {
            self.digest = mix_into(self.digest, field);
        }
        self.last_ns = request.start_ns;
        let place = match request.kind {
            RequestKind::Read => 0,
            RequestKind::Write => 1,
            RequestKind::Flush => 2,
            RequestKind::Discard => {
                self.discards += 1;
                return;
            }
        };
        self.requests[place] += 1;
        if let Some(bytes) = self.bytes.get_mut(place) {
            *bytes += u64::from(request.length);
        }
        if let Some(latency) = request.latency_ns {
            self.latency[place].record(latency);
        }
        self.fua += u64::from(request.is_fua);
        self.largest = self.largest.max(request.length);
        self.extent = self.extent.max(request.offset.saturating_add(u64::from(request.length)));
    }

    fn describe(&self, file: &LoadFile, requests: &LoadRequests) -> CapturedLoad {
        let writes = self.requests[1] > 0;
        let [reads, write_count, flushes] = self.requests;
        let counted = [
            (Direction::Read, reads),
            (Direction::Write, write_count),
            (Direction::Sync, if writes { flushes } else { 0 }),
        ];
        let mut load = CapturedLoad {
            format: file.format.name().to_owned(),
            digest: format!("{:016x}", self.digest),
            length: Nanos(requests.end_ns().unwrap_or(0).max(self.last_ns)).max(LENGTH_MIN),
            largest: Bytes(u64::from(self.largest)),
            extent: Bytes(self.extent),
            device_size: requests.device_size().filter(|size| *size > 0).map(Bytes),
            discards_left_out: self.discards,
            flushes_left_out: if writes { 0 } else { flushes },
            fua_as_plain: self.fua,
            lost: requests.lost(),
            was_cut: requests.was_cut(),
            ..CapturedLoad::default()
        };
        for (place, (direction, count)) in counted.into_iter().enumerate() {
            if count == 0 {
                continue;
            }
            load.requests.set(direction, count);
            if let Some(bytes) = self.bytes.get(place) {
                load.bytes.set(direction, Bytes(*bytes));
            }
            set_latency(&mut load.latency, direction, &self.latency[place]);
        }
        load
    }
}

fn mix_into(digest: u64, field: u64) -> u64 {
    engine::finalize64(digest ^ field).wrapping_add(field)
}

/// What a profile knows beyond the requests that are drawn from it.
fn add_profile(load: &mut CapturedLoad, profile: &Profile) {
    // Of its text: the names of fields in the code change.
    let text = profile.to_toml().unwrap_or_default();
    let digest = text.bytes().fold(0_u64, |digest, byte| mix_into(digest, byte.into()));
    load.digest = format!("{digest:016x}");
    load.lost = profile.lost;
    load.device_size = Some(Bytes(profile.disk.size_bytes));
    for (kind, of) in &profile.kinds {
        let Some(direction) = kind.direction() else { continue };
        if load.requests.get(direction).is_some() && !of.latency_ns.is_empty() {
            let percentiles = of.latency_ns.iter().map(|(name, ns)| (name.clone(), Nanos(*ns)));
            load.latency.set(direction, percentiles.collect());
        }
    }
}

fn set_latency(
    all: &mut PerDirection<BTreeMap<String, Nanos>>,
    direction: Direction,
    histogram: &LatencyHistogram,
) {
    if histogram.count() > 0 {
        let summary = summarise_latency(histogram);
        let percentiles =
            summary.percentiles.iter().map(|(name, ns)| (name.to_owned(), Nanos(*ns)));
        all.set(direction, percentiles.collect());
    }
}
