//! The noise of a sealed interval. Its bytes are a contract, see `header`.

use std::ops::Range;

use crate::payload::content::{Noise, SECTOR, STAMP};
use crate::payload::seal::header::word;
use crate::payload::seal::sum::Sum;
use crate::sequence::mix64;

/// Made and summed in one go, so that a long interval stays in the first-level cache. Bytes.
pub(crate) const CHUNK: usize = 8 * SECTOR;

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

    /// The next bytes, a multiple of 512 of them unless they are the last.
    #[inline]
    pub(crate) fn fill(&mut self, chunk: &mut [u8]) {
        self.noise.fill(chunk);
        for sector in chunk.chunks_mut(SECTOR) {
            let tag = tag(self.place, self.index, self.seed, self.sequence);
            let length = sector.len().min(STAMP);
            sector[..length].copy_from_slice(&tag[..length]);
            self.index += 1;
        }
    }

    /// Fills all of `interval` and sums what is outside `hole`.
    #[inline]
    pub(crate) fn fill_all<S: Sum>(
        mut self,
        interval: &mut [u8],
        hole: &Range<usize>,
        sum: &mut S,
    ) {
        let mut start = 0;
        for chunk in interval.chunks_mut(CHUNK) {
            self.fill(chunk);
            add_outside(sum, chunk, start, hole);
            start += CHUNK;
        }
    }
}

/// Adds the bytes of `part`, which starts at byte `start` of the interval, that are outside `hole`.
#[inline]
pub(crate) fn add_outside<S: Sum>(sum: &mut S, part: &[u8], start: usize, hole: &Range<usize>) {
    let inside = |at: usize| at.clamp(start, start + part.len()) - start;
    let (before, after) = (inside(hole.start), inside(hole.end));
    if before == after {
        sum.update(part);
    } else {
        sum.update(&part[..before]);
        sum.update(&part[after..]);
    }
}

/// The (seed, sequence) that sector `index` of the interval at `offset` says it is of, intact or
/// not; none if it is too short for a tag.
pub(crate) fn version_of(index: u64, sector: &[u8], offset: u64) -> Option<(u64, u64)> {
    if sector.len() < STAMP {
        return None;
    }
    let (first, second) = (word(sector, 0), word(sector, 8));
    Some((second ^ mix64(first), first ^ mix64(mix64(offset) ^ index)))
}

/// What sector `index` starts with; `place` is the mixed offset. `version_of` is the inverse.
#[inline]
fn tag(place: u64, index: u64, seed: u64, sequence: u64) -> [u8; STAMP] {
    let first = sequence ^ mix64(place ^ index);
    let second = seed ^ mix64(first);
    let mut tag = [0; STAMP];
    tag[..8].copy_from_slice(&first.to_le_bytes());
    tag[8..].copy_from_slice(&second.to_le_bytes());
    tag
}
