//! The noise of a sealed interval. Its bytes are a contract, see `header`.

use std::ops::Range;

use crate::mix::mix64;
use crate::payload::content::{Noise, SECTOR_BYTES, STAMP_BYTES};
use crate::payload::seal::checksum::Checksum;
use crate::payload::seal::header::read_u64;

/// Made and summed in one go, so that it stays in the first-level cache. Bytes.
pub(crate) const CHUNK_BYTES: usize = 8 * SECTOR_BYTES;

/// The body of the interval at byte `offset` of the target, chunk by chunk.
#[derive(Debug)]
pub(crate) struct Body {
    noise: Noise,
    place: u64,
    seed: u64,
    sequence: u64,
    index: u64,
}

impl Body {
    #[inline]
    pub(crate) fn new(seed: u64, offset: u64, sequence: u64) -> Self {
        let noise = Noise::new(mix64(seed ^ mix64(offset ^ mix64(sequence))));
        Self { noise, place: mix64(offset), seed, sequence, index: 0 }
    }

    /// The next bytes: a multiple of 512 unless they are the last.
    #[inline]
    pub(crate) fn fill(&mut self, chunk: &mut [u8]) {
        self.noise.fill(chunk);
        for sector in chunk.chunks_mut(SECTOR_BYTES) {
            let tag = make_tag(self.place, self.index, self.seed, self.sequence);
            let length = sector.len().min(STAMP_BYTES);
            sector[..length].copy_from_slice(&tag[..length]);
            self.index += 1;
        }
    }

    /// Fills all of `interval` and sums what is outside `hole`.
    #[inline]
    pub(crate) fn fill_interval(
        mut self,
        interval: &mut [u8],
        hole: &Range<usize>,
        sum: &mut Checksum,
    ) {
        let mut start = 0;
        for chunk in interval.chunks_mut(CHUNK_BYTES) {
            self.fill(chunk);
            checksum_outside(sum, chunk, start, hole);
            start += CHUNK_BYTES;
        }
    }
}

/// Adds the bytes of `part`, which starts at byte `start` of the interval, that are outside `hole`.
#[inline]
pub(crate) fn checksum_outside(sum: &mut Checksum, part: &[u8], start: usize, hole: &Range<usize>) {
    let inside = |at: usize| at.clamp(start, start + part.len()) - start;
    let (before, after) = (inside(hole.start), inside(hole.end));
    if before == after {
        sum.update(part);
    } else {
        sum.update(&part[..before]);
        sum.update(&part[after..]);
    }
}

/// The (seed, sequence) that sector `index` of the interval at `offset` claims, intact or not.
pub(crate) fn read_version(index: u64, sector: &[u8], offset: u64) -> Option<(u64, u64)> {
    if sector.len() < STAMP_BYTES {
        return None;
    }
    let (first, second) = (read_u64(sector, 0), read_u64(sector, 8));
    Some((second ^ mix64(first), first ^ mix64(mix64(offset) ^ index)))
}

/// The start of sector `index`; `place` is the mixed offset. `read_version` is the inverse.
#[inline]
fn make_tag(place: u64, index: u64, seed: u64, sequence: u64) -> [u8; STAMP_BYTES] {
    let first = sequence ^ mix64(place ^ index);
    let second = seed ^ mix64(first);
    let mut tag = [0; STAMP_BYTES];
    tag[..8].copy_from_slice(&first.to_le_bytes());
    tag[8..].copy_from_slice(&second.to_le_bytes());
    tag
}
