//! Where requests go, and how long they are.

use std::collections::{BTreeMap, VecDeque};

use record::TraceRequest;
use record::profile::Zones;
use stats::LatencyHistogram;

use super::numbers::round_figure;

/// The disk in at most this many pieces, of which each is counted.
const PIECES: u64 = 1 << 16;
const PIECE_BYTES_MIN: u64 = 4096;
const ZONES: u64 = 64;
/// Sequential streams that are followed at a time.
pub const STREAMS: usize = 32;
/// Sizes that a profile has; the others count as the nearest of them.
const SIZES: usize = 32;
/// Sizes that are counted apart.
const SIZES_COUNTED_MAX: usize = 4096;

/// Pieces of the disk, and which were touched.
pub(super) struct PieceMap {
    piece_bytes: u64,
    touched: Vec<bool>,
}

impl PieceMap {
    pub(super) fn new(disk_bytes: u64) -> Self {
        let bytes = disk_bytes.div_ceil(PIECES).max(PIECE_BYTES_MIN);
        let piece_bytes = bytes.checked_next_power_of_two().unwrap_or(1 << 63);
        let pieces = disk_bytes.div_ceil(piece_bytes).clamp(1, PIECES);
        Self { piece_bytes, touched: vec![false; pieces as usize] }
    }

    fn index(&self, offset: u64) -> usize {
        (offset / self.piece_bytes).min(self.touched.len() as u64 - 1) as usize
    }

    fn touch(&mut self, request: &TraceRequest) -> usize {
        let last = request.offset.saturating_add(u64::from(request.length).saturating_sub(1));
        let (first, last) = (self.index(request.offset), self.index(last));
        self.touched[first..=last].fill(true);
        first
    }

    /// Zones of the range from the first touched piece to the last.
    pub(super) fn describe_zones(&self) -> Zones {
        let first = self.touched.iter().position(|touched| *touched).unwrap_or(0);
        let last = self.touched.iter().rposition(|touched| *touched).unwrap_or(0);
        let range = &self.touched[first..=last];
        let pieces_per_zone = (range.len() as u64).div_ceil(ZONES);
        let zones = range.chunks(pieces_per_zone as usize);
        let count = |pieces: &[bool]| pieces.iter().filter(|touched| **touched).count() as u64;
        let share = |zone: &[bool]| round_figure(count(zone) as f64 / pieces_per_zone as f64);
        Zones {
            start_bytes: first as u64 * self.piece_bytes,
            zone_bytes: pieces_per_zone * self.piece_bytes,
            working_set_bytes: count(range) * self.piece_bytes,
            piece_bytes: self.piece_bytes,
            touched: zones.map(share).collect(),
        }
    }
}

/// Requests that begin in a piece.
#[derive(Debug, Clone, Copy, Default)]
struct PieceCounts {
    requests: u32,
    follows: u32,
    resumes: u32,
}

/// Shares of one zone: its share of all requests, and of its own requests.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ZoneShares {
    pub(super) of_all: f64,
    pub(super) follows: f64,
    pub(super) resumes: f64,
}

/// The sequential streams that are followed, each by where its last request ended; the last one
/// first.
#[derive(Debug)]
pub struct SequentialStreams<T>(VecDeque<(u64, T)>);

impl<T> Default for SequentialStreams<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> SequentialStreams<T> {
    /// The stream that a request continues, and its place; it is followed no more.
    pub fn take(&mut self, request: &TraceRequest) -> Option<(usize, T)> {
        let place = self.0.iter().position(|(end, _)| *end == request.offset)?;
        self.0.remove(place).map(|(_, stream)| (place, stream))
    }

    /// Follows a stream that ends with this request; gives the oldest, where they are too many.
    pub fn push(&mut self, request: &TraceRequest, stream: T) -> Option<T> {
        self.0.push_front((request.offset.saturating_add(u64::from(request.length)), stream));
        if self.0.len() <= STREAMS {
            return None;
        }
        self.0.pop_back().map(|(_, oldest)| oldest)
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, stream)| stream)
    }
}

#[derive(Default)]
pub(super) struct PlaceFit {
    sizes: BTreeMap<u32, u64>,
    /// All bits of all offsets and lengths.
    bits: u64,
    pieces: Vec<PieceCounts>,
    /// Requests of each stream.
    streams: SequentialStreams<u64>,
    runs: LatencyHistogram,
    requests: u64,
    sequential: u64,
}

impl PlaceFit {
    pub(super) fn add(&mut self, request: &TraceRequest, pieces: &mut PieceMap) {
        self.requests += 1;
        self.count_size(request.length);
        self.bits |= request.offset | u64::from(request.length);
        let piece = pieces.touch(request);
        self.pieces.resize(pieces.touched.len(), PieceCounts::default());
        let stream = self.streams.take(request);
        let counts = &mut self.pieces[piece];
        counts.requests = counts.requests.saturating_add(1);
        match stream {
            Some((0, _)) => counts.follows = counts.follows.saturating_add(1),
            Some(_) => counts.resumes = counts.resumes.saturating_add(1),
            None => {}
        }
        self.sequential += u64::from(stream.is_some());
        let requests = stream.map_or(0, |(_, requests)| requests) + 1;
        let ended = self.streams.push(request, requests);
        ended.into_iter().for_each(|requests| self.runs.record(requests));
    }

    fn count_size(&mut self, length: u32) {
        let is_full = self.sizes.len() >= SIZES_COUNTED_MAX && !self.sizes.contains_key(&length);
        let size = if is_full { nearest_size(self.sizes.keys(), length) } else { length };
        *self.sizes.entry(size).or_default() += 1;
    }

    pub(super) fn describe_sizes(&self) -> Vec<(u32, f64)> {
        let mut by_count: Vec<(u32, u64)> = self.sizes.iter().map(|(s, n)| (*s, *n)).collect();
        by_count.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        by_count.truncate(SIZES);
        let mut kept: BTreeMap<u32, u64> = by_count.iter().map(|(size, _)| (*size, 0)).collect();
        for (size, count) in &self.sizes {
            *kept.entry(nearest_size(kept.keys(), *size)).or_default() += count;
        }
        let all = self.requests.max(1) as f64;
        kept.into_iter().map(|(size, count)| (size, round_figure(count as f64 / all))).collect()
    }

    /// The largest power of two that divides every offset and length.
    pub(super) fn alignment_bytes(&self) -> u64 {
        1 << self.bits.trailing_zeros().min(30)
    }

    pub(super) fn sequential_share(&self) -> f64 {
        round_figure(self.sequential as f64 / self.requests.max(1) as f64)
    }

    pub(super) fn describe_runs(&self) -> BTreeMap<String, u64> {
        let mut runs = self.runs.clone();
        self.streams.iter().for_each(|requests| runs.record(*requests));
        let quantiles = [("p50", runs.quantile(0.5)), ("p90", runs.quantile(0.9))];
        let all = quantiles.into_iter().chain([("max", runs.max_ns())]);
        all.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    pub(super) fn sum_by_zone(&self, zones: &Zones, pieces: &PieceMap) -> Vec<ZoneShares> {
        let mut sums = vec![[0_u64; 3]; zones.touched.len()];
        for (index, counts) in self.pieces.iter().enumerate().filter(|(_, c)| c.requests > 0) {
            let offset = index as u64 * pieces.piece_bytes - zones.start_bytes;
            let sum = &mut sums[(offset / zones.zone_bytes) as usize];
            let counts = [counts.requests, counts.follows, counts.resumes];
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(count));
        }
        let all: u64 = sums.iter().map(|[requests, ..]| requests).sum();
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        sums.iter()
            .map(|[requests, follows, resumes]| ZoneShares {
                of_all: share(*requests, all),
                follows: share(*follows, *requests),
                resumes: share(*resumes, *requests),
            })
            .collect()
    }
}

fn nearest_size<'a>(sizes: impl Iterator<Item = &'a u32>, length: u32) -> u32 {
    sizes.min_by_key(|size| size.abs_diff(length)).copied().unwrap_or(length)
}
