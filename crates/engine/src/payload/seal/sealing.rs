//! Seals blocks before they are written and checks those that were read. Neither allocates.

use std::ops::Range;

use workload::SealMethod as Method;

use super::body::{Body, checksum_outside};
use super::checksum::Checksum;
use super::defect::{self, BlockDefect};
use super::fio_layout;
use super::header::{self, FIXED_BYTES, Header};
use super::plan::{SealPlan, Stamp};

impl SealPlan {
    /// Fills `block`, to be written at byte `offset` of the target as the write of number
    /// `sequence`. A block that the plan does not fit stays as it is; `check` reports it.
    #[inline]
    pub(crate) fn seal(&self, block: &mut [u8], offset: u64, sequence: u64, stamp: Stamp) {
        let Some(length) = self.interval_length(block.len()) else { return };
        match self.method {
            Method::Null if self.pattern.is_empty() => {
                let body = Body::new(self.seed, offset, sequence);
                body.fill_interval(block, &(0..0), &mut Checksum::None);
            }
            Method::Pattern | Method::Null => self.pattern.fill(block, offset),
            _ if self.layout.is_fio() => {
                fio_layout::seal(self, block, offset, sequence, stamp);
            }
            _ => {
                self.pattern.fill(block, offset);
                let mut place = offset;
                for interval in block.chunks_exact_mut(length) {
                    self.seal_interval(interval, place, sequence, stamp);
                    place = place.wrapping_add(length as u64);
                }
            }
        }
    }

    /// The first defect of `block`, read at byte `offset` of the target. Without
    /// `expected_sequence` any write of this run will do. Intervals of one block may be of two
    /// writes.
    #[inline]
    pub(crate) fn check(
        &self,
        block: &[u8],
        offset: u64,
        expected_sequence: Option<u64>,
    ) -> Result<(), BlockDefect> {
        let Some(length) = self.interval_length(block.len()) else {
            return Err(defect::describe_misfit(self, block.len()));
        };
        match self.method {
            Method::Null => return Ok(()),
            Method::Pattern if self.pattern.matches_at(block, 0, offset) => return Ok(()),
            Method::Pattern => return Err(defect::describe_pattern_defect(self, block, offset)),
            _ => {}
        }
        let sequence = expected_sequence.filter(|_| self.check_sequence);
        if self.layout.is_fio() {
            return fio_layout::check(self, block, offset, sequence);
        }
        let hole = self.header_range();
        let is_pattern = |part: &[u8], from: usize| {
            self.method != Method::PatternHeader || self.pattern.matches_at(part, from, offset)
        };
        for (base, interval) in (0..).step_by(length).zip(block.chunks_exact(length)) {
            let place = offset.wrapping_add(base as u64);
            let sound = self.is_sound(interval, place, sequence)
                && is_pattern(&interval[..hole.start], base)
                && is_pattern(&interval[hole.end..], base + hole.end);
            if !sound {
                return Err(defect::describe_interval_defect(
                    self, interval, &hole, base, offset, sequence,
                ));
            }
        }
        Ok(())
    }

    /// The block that should be there instead of `found`, for a dump: of `expected_sequence`, or of
    /// the one that each interval claims. Times and threads are as found. Allocates.
    pub(crate) fn rebuild(
        &self,
        found: &[u8],
        offset: u64,
        expected_sequence: Option<u64>,
    ) -> Vec<u8> {
        let mut block = vec![0; found.len()];
        let Some(length) = self.interval_length(found.len()) else { return block };
        if !self.method.has_header() {
            self.seal(&mut block, offset, expected_sequence.unwrap_or(0), Stamp::default());
            return block;
        }
        if self.layout.is_fio() {
            return fio_layout::rebuild(self, found, offset);
        }
        self.pattern.fill(&mut block, offset);
        let hole = self.header_range();
        let pairs = block.chunks_exact_mut(length).zip(found.chunks_exact(length));
        for (index, (block, found)) in pairs.enumerate() {
            let place = offset.wrapping_add((index * length) as u64);
            let header = Header::parse(found.get(hole.clone()).unwrap_or_default());
            let guess = || defect::guess_sequence(self, found, &hole, place);
            let sequence = expected_sequence.or_else(guess).unwrap_or(0);
            let stamp = header.map_or(Stamp::default(), |Header { time_ns, thread, .. }| Stamp {
                time_ns,
                thread,
            });
            self.seal_interval(block, place, sequence, stamp);
        }
        block
    }

    /// Seals one interval, at byte `place` of the target; a pattern must be there already.
    #[inline]
    fn seal_interval(&self, interval: &mut [u8], place: u64, sequence: u64, stamp: Stamp) {
        let hole = self.header_range();
        let mut sum = Checksum::new(self.method);
        if self.pattern.is_empty() {
            Body::new(self.seed, place, sequence).fill_interval(interval, &hole, &mut sum);
        } else {
            checksum_outside(&mut sum, interval, 0, &hole);
        }
        let length = interval.len() as u32;
        let Some(header) = interval.get_mut(hole) else { return };
        let stored = &mut header[FIXED_BYTES..];
        let sum = sum.finish();
        stored.copy_from_slice(&sum[..stored.len()]);
        let Stamp { time_ns, thread } = stamp;
        let (format, seed) = (self.format_bytes(), self.seed);
        let written = Header { format, length, seed, offset: place, sequence, time_ns, thread };
        written.write(header);
    }

    #[inline]
    fn is_sound(&self, interval: &[u8], place: u64, sequence: Option<u64>) -> bool {
        let hole: Range<usize> = self.header_range();
        let Some(bytes) = interval.get(hole.clone()) else { return false };
        let Some(header) = Header::parse(bytes) else { return false };
        let is_expected = header.format == self.format_bytes()
            && header.length as usize == interval.len()
            && header.seed == self.seed
            && header.offset == place
            && sequence.is_none_or(|sequence| header.sequence == sequence)
            && header::is_sound(bytes);
        let stored = &bytes[FIXED_BYTES..];
        if !is_expected || stored.is_empty() {
            return is_expected;
        }
        let mut sum = Checksum::new(self.method);
        checksum_outside(&mut sum, interval, 0, &hole);
        *stored == sum.finish()[..stored.len()]
    }
}
