//! Requests drawn from a profile.

use std::collections::BTreeMap;

use engine::SplitMix64;
use record::profile::{KindProfile, Places, Profile, Zones};
use record::{RequestKind, TraceRequest};

use super::choice::{Choice, uniform};
use super::draw_arrivals::DrawnArrivals;

/// The requests of a load like the one that was captured: the same for the same seed, in the order
/// of their starts, as long as the capture was.
///
/// An open loop: starts do not wait for anything. Offsets are those of the disk of the profile.
pub struct DrawnRequests {
    arrivals: DrawnArrivals,
    placers: BTreeMap<RequestKind, Placer>,
    random: SplitMix64,
}

impl DrawnRequests {
    pub fn new(profile: &Profile, seed: u64) -> Self {
        let mut random = SplitMix64(seed);
        let placer = |(kind, of): (&RequestKind, &KindProfile)| {
            let places = of.places.as_ref()?;
            Some((*kind, Placer::new(places, of.fua, &profile.zones, profile.disk.size_bytes)))
        };
        Self {
            arrivals: DrawnArrivals::new(profile, random.next_bits()),
            placers: profile.kinds.iter().filter_map(placer).collect(),
            random,
        }
    }
}

impl Iterator for DrawnRequests {
    type Item = TraceRequest;

    fn next(&mut self) -> Option<TraceRequest> {
        let (kind, start_ns) = self.arrivals.next()?;
        let mut request =
            TraceRequest { start_ns, offset: 0, length: 0, kind, is_fua: false, latency_ns: None };
        if let Some(placer) = self.placers.get_mut(&kind) {
            placer.place(&mut request, &mut self.random);
        }
        Some(request)
    }
}

/// Draws sizes and places of one kind.
struct Placer {
    sizes: Vec<u32>,
    size_choice: Choice,
    fua: f64,
    disk_bytes: u64,
    alignment: u64,
    zones: Zones,
    follows: Vec<f64>,
    /// Of requests that do not follow the last one: their zone, and the share in each that
    /// continues an earlier one.
    zone_choice: Choice,
    resumes: Vec<f64>,
    /// Where the last request ended.
    last_end: Option<u64>,
    /// Where the sequential stream of each zone ended.
    streams: Vec<Option<u64>>,
}

impl Placer {
    fn new(places: &Places, fua: f64, zones: &Zones, disk_bytes: u64) -> Self {
        let apart = || places.follows.iter().map(|follows| (1.0 - follows).max(0.0));
        let resumes = places.resumes.iter().zip(apart());
        Self {
            sizes: places.sizes.iter().map(|(bytes, _)| *bytes).collect(),
            size_choice: Choice::new(places.sizes.iter().map(|(_, share)| *share)),
            fua,
            disk_bytes,
            alignment: places.alignment_bytes,
            zones: zones.clone(),
            follows: places.follows.clone(),
            zone_choice: Choice::new(places.zones.iter().zip(apart()).map(|(z, apart)| z * apart)),
            resumes: resumes.map(|(r, apart)| if apart > 0.0 { r / apart } else { 0.0 }).collect(),
            last_end: None,
            streams: vec![None; places.zones.len()],
        }
    }

    fn place(&mut self, request: &mut TraceRequest, random: &mut SplitMix64) {
        let size = self.size_choice.draw(random).and_then(|index| self.sizes.get(index));
        let length = size.copied().unwrap_or(0);
        let offset = self.draw_offset(u64::from(length), random);
        self.last_end = Some(offset + u64::from(length));
        request.offset = offset;
        request.length = length;
        request.is_fua = self.fua > 0.0 && uniform(random) < self.fua;
    }

    fn draw_offset(&mut self, length: u64, random: &mut SplitMix64) -> u64 {
        let fits = |offset: &u64| offset.saturating_add(length) <= self.disk_bytes;
        if let Some(end) = self.last_end.filter(fits) {
            let follows = self.follows.get(self.zone_of(end.saturating_sub(1)));
            if follows.is_some_and(|share| uniform(random) < *share) {
                return end;
            }
        }
        let zone = self.zone_choice.draw(random).unwrap_or(0);
        let is_resumed = uniform(random) < self.resumes.get(zone).copied().unwrap_or(0.0);
        let stream = self.streams.get(zone).copied().flatten().filter(fits);
        let offset = match stream.filter(|_| is_resumed) {
            Some(end) => end,
            None => self.draw_in_zone(zone, length, random),
        };
        if let Some(stream) = self.streams.get_mut(zone)
            && (is_resumed || stream.is_none())
        {
            *stream = Some(offset + length);
        }
        offset
    }

    fn zone_of(&self, offset: u64) -> usize {
        let zone = offset.saturating_sub(self.zones.start_bytes) / self.zones.zone_bytes;
        (zone as usize).min(self.zones.touched.len().saturating_sub(1))
    }

    /// The touched part of a zone is taken as its beginning.
    fn draw_in_zone(&self, zone: usize, length: u64, random: &mut SplitMix64) -> u64 {
        let zones = &self.zones;
        let start = zones.start_bytes + zones.zone_bytes * zone as u64;
        let touched = zones.touched.get(zone).copied().unwrap_or(1.0).min(1.0);
        let bytes = (touched * zones.zone_bytes as f64) as u64;
        let slots = bytes.saturating_sub(length) / self.alignment + 1;
        let slot = ((uniform(random) * slots as f64) as u64).min(slots - 1);
        let offset = start.next_multiple_of(self.alignment) + slot * self.alignment;
        let last = self.disk_bytes.saturating_sub(length) / self.alignment * self.alignment;
        offset.min(last)
    }
}
