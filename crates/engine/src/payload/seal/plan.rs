//! How blocks are sealed and checked.

use std::ops::Range;

use workload::SealMethod as Method;

use crate::payload::seal::body::{Body, checksum_outside};
use crate::payload::seal::checksum::{
    CHECKSUM_BYTES_MAX, Checksum, ChecksumTask, NoChecksum, run_with_checksum,
};
use crate::payload::seal::defect::{self, BlockDefect};
use crate::payload::seal::header::{self, FIXED_BYTES, Header, PATTERN_BODY, VERSION};
use crate::payload::seal::pattern::PatternPlan;

/// Length of a method's header in bytes, checksum included; 0 for methods without one.
#[must_use]
pub fn header_bytes(method: Method) -> u32 {
    struct Length;
    impl ChecksumTask for Length {
        type Out = usize;
        fn run<S: Checksum>(self) -> usize {
            FIXED_BYTES + S::BYTES
        }
    }
    if method.has_header() { run_with_checksum(method, Length) as u32 } else { 0 }
}

/// What a plan is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealSettings {
    /// How blocks are checked.
    pub method: Method,
    /// A header every so many bytes of a block (`verify_interval`); 0: once per block. Of no
    /// effect without headers.
    pub interval: u32,
    /// How far the header lies from the start of its interval, in bytes (`verify_offset`).
    pub header_offset: u32,
    /// What bodies are filled with (`verify_pattern`); empty: noise.
    pub pattern: PatternPlan,
    /// Whether the number of the write is compared (`verify_write_sequence`).
    pub check_sequence: bool,
    /// Seed of the run: blocks of another are wrong.
    pub seed: u64,
}

/// Settings that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// No pattern for a method that is about one.
    #[error("verify={method} compares with a pattern, and there is none: give verify_pattern")]
    NoPattern {
        /// Name of the method.
        method: &'static str,
    },
    /// No room for the header and a byte of the body.
    #[error(
        "{what} of {length} bytes has no room for the header of verify={method} at \
         verify_offset={header_offset} and a byte of data: use at least {least}"
    )]
    TooSmall {
        /// `verify_interval` or `block`.
        what: &'static str,
        /// Its length in bytes.
        length: u32,
        /// Name of the method.
        method: &'static str,
        /// Where the header should lie, in bytes.
        header_offset: u32,
        /// The shortest that would do, in bytes.
        least: u64,
    },
    /// Blocks do not consist of whole intervals.
    #[error(
        "verify_interval={interval} does not divide blocks of {block} bytes: use a divisor, or 0 \
         for one header per block"
    )]
    NotDividing {
        /// The interval in bytes.
        interval: u32,
        /// The block in bytes.
        block: u32,
    },
}

/// When and by whom a block is written: in its header for who looks at it, never compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Nanoseconds by the clock of the writer.
    pub time_ns: u64,
    /// Number of the writing thread.
    pub thread: u32,
}

/// Seals blocks before they are written and checks those that were read. Neither allocates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealPlan {
    pub(crate) method: Method,
    pub(crate) interval: usize,
    pub(crate) header_offset: usize,
    /// Shortest interval in bytes.
    pub(crate) interval_min: usize,
    pub(crate) pattern: PatternPlan,
    pub(crate) check_sequence: bool,
    pub(crate) seed: u64,
}

impl SealPlan {
    /// A plan for blocks of these lengths in bytes. Of a range of lengths, the least and the step
    /// between them will do.
    ///
    /// # Errors
    /// When the settings contradict each other or do not fit a block.
    pub fn new(settings: SealSettings, blocks: &[u32]) -> Result<Self, SealError> {
        let SealSettings { method, interval, header_offset, pattern, check_sequence, seed } =
            settings;
        if matches!(method, Method::Pattern | Method::PatternHeader) && pattern.is_empty() {
            return Err(SealError::NoPattern { method: method.name() });
        }
        let (interval, header_offset) =
            if method.has_header() { (interval, header_offset) } else { (0, 0) };
        let least = u64::from(header_bytes(method)) + u64::from(header_offset) + 1;
        let room = |what, length: u32| {
            if !method.has_header() || u64::from(length) >= least {
                return Ok(());
            }
            Err(SealError::TooSmall { what, length, method: method.name(), header_offset, least })
        };
        if interval > 0 {
            room("verify_interval", interval)?;
        }
        for &block in blocks {
            if interval == 0 {
                room("block", block)?;
            } else if !block.is_multiple_of(interval) {
                return Err(SealError::NotDividing { interval, block });
            }
        }
        Ok(Self {
            method,
            interval: interval as usize,
            header_offset: header_offset as usize,
            interval_min: if method.has_header() { least as usize } else { 0 },
            pattern,
            check_sequence,
            seed,
        })
    }

    /// Fills `block`, to be written at byte `offset` of the target as the write of number
    /// `sequence`. A block that the plan does not fit is left as it is; `check` tells it.
    #[inline]
    pub fn seal(&self, block: &mut [u8], offset: u64, sequence: u64, stamp: Stamp) {
        let Some(length) = self.interval_length(block.len()) else { return };
        match self.method {
            Method::Pattern => self.pattern.fill(block, offset),
            Method::Null if self.pattern.is_empty() => {
                let body = Body::new(self.seed, offset, sequence);
                body.fill_interval(block, &(0..0), &mut NoChecksum::new());
            }
            Method::Null => self.pattern.fill(block, offset),
            method => {
                self.pattern.fill(block, offset);
                let seal = SealTask { plan: self, block, length, offset, sequence, stamp };
                run_with_checksum(method, seal);
            }
        }
    }

    /// Checks `block`, read at byte `offset` of the target. Without `expected_sequence` any write
    /// of this run to this place will do.
    ///
    /// Two intervals of one block are not compared with each other: they may be of two writes.
    ///
    /// # Errors
    /// What is wrong first, in the order of intervals.
    #[inline]
    pub fn check(
        &self,
        block: &[u8],
        offset: u64,
        expected_sequence: Option<u64>,
    ) -> Result<(), BlockDefect> {
        let Some(length) = self.interval_length(block.len()) else {
            return Err(defect::describe_misfit(self, block.len()));
        };
        match self.method {
            Method::Null => Ok(()),
            Method::Pattern if self.pattern.matches_at(block, 0, offset) => Ok(()),
            Method::Pattern => Err(defect::describe_pattern_defect(self, block, offset)),
            method => {
                let sequence = expected_sequence.filter(|_| self.check_sequence);
                run_with_checksum(method, CheckTask { plan: self, block, length, offset, sequence })
            }
        }
    }

    /// The block that should be there instead of `found`, for a dump: of `expected_sequence`, or
    /// else of the one that each interval says it is of. Times and threads are as found. Allocates.
    #[must_use]
    pub fn rebuild(&self, found: &[u8], offset: u64, expected_sequence: Option<u64>) -> Vec<u8> {
        let mut block = vec![0; found.len()];
        let Some(length) = self.interval_length(found.len()) else { return block };
        if !self.method.has_header() {
            self.seal(&mut block, offset, expected_sequence.unwrap_or(0), Stamp::default());
            return block;
        }
        self.pattern.fill(&mut block, offset);
        let pairs = block.chunks_exact_mut(length).zip(found.chunks_exact(length));
        for (index, (block, found)) in pairs.enumerate() {
            let place = offset.wrapping_add((index * length) as u64);
            let remake = RebuildTask { plan: self, block, found, place, expected_sequence };
            run_with_checksum(self.method, remake);
        }
        block
    }

    /// Length of the intervals of a block of `length` bytes; none if the plan does not fit it.
    #[inline]
    pub(crate) fn interval_length(&self, length: usize) -> Option<usize> {
        let interval = if self.interval == 0 { length } else { self.interval };
        let whole = length >= interval && length.is_multiple_of(interval);
        let fits = interval >= self.interval_min && whole && u32::try_from(length).is_ok();
        fits.then_some(interval.max(1))
    }

    /// Where the header is in each interval.
    #[inline]
    fn header_range<S: Checksum>(&self) -> Range<usize> {
        self.header_offset..self.header_offset + FIXED_BYTES + S::BYTES
    }

    /// Version, method, length of the header and flags of headers by this plan.
    #[inline]
    pub(crate) fn format_bytes(&self, header_bytes: usize) -> [u8; 4] {
        let flags = if self.pattern.is_empty() { 0 } else { PATTERN_BODY };
        [VERSION, self.method.code(), header_bytes as u8, flags]
    }

    /// Seals one interval, at byte `place` of the target; a pattern must be there already.
    #[inline]
    fn seal_interval<S: Checksum>(
        &self,
        interval: &mut [u8],
        place: u64,
        sequence: u64,
        stamp: Stamp,
    ) {
        let hole = self.header_range::<S>();
        let mut sum = S::new();
        if self.pattern.is_empty() {
            Body::new(self.seed, place, sequence).fill_interval(interval, &hole, &mut sum);
        } else {
            checksum_outside(&mut sum, interval, 0, &hole);
        }
        let mut out = [0; CHECKSUM_BYTES_MAX];
        sum.finish(&mut out);
        let length = interval.len() as u32;
        let Some(header) = interval.get_mut(hole) else { return };
        header[FIXED_BYTES..].copy_from_slice(&out[..S::BYTES]);
        Header {
            format: self.format_bytes(FIXED_BYTES + S::BYTES),
            length,
            seed: self.seed,
            offset: place,
            sequence,
            time_ns: stamp.time_ns,
            thread: stamp.thread,
        }
        .write(header);
    }

    /// Whether the header of `interval` is what it should be, and the checksum of the body.
    #[inline]
    fn is_sound<S: Checksum>(&self, interval: &[u8], place: u64, sequence: Option<u64>) -> bool {
        let hole = self.header_range::<S>();
        let Some(bytes) = interval.get(hole.clone()) else { return false };
        let Some(header) = Header::parse(bytes) else { return false };
        let expected = header.format == self.format_bytes(FIXED_BYTES + S::BYTES)
            && header.length as usize == interval.len()
            && header.seed == self.seed
            && header.offset == place
            && sequence.is_none_or(|sequence| header.sequence == sequence)
            && header::is_sound(bytes);
        if !expected || S::BYTES == 0 {
            return expected;
        }
        let (mut sum, mut out) = (S::new(), [0; CHECKSUM_BYTES_MAX]);
        checksum_outside(&mut sum, interval, 0, &hole);
        sum.finish(&mut out);
        bytes[FIXED_BYTES..] == out[..S::BYTES]
    }
}

struct SealTask<'a> {
    plan: &'a SealPlan,
    block: &'a mut [u8],
    length: usize,
    offset: u64,
    sequence: u64,
    stamp: Stamp,
}

impl ChecksumTask for SealTask<'_> {
    type Out = ();
    #[inline]
    fn run<S: Checksum>(self) {
        let mut place = self.offset;
        for interval in self.block.chunks_exact_mut(self.length) {
            self.plan.seal_interval::<S>(interval, place, self.sequence, self.stamp);
            place = place.wrapping_add(self.length as u64);
        }
    }
}

struct CheckTask<'a> {
    plan: &'a SealPlan,
    block: &'a [u8],
    length: usize,
    offset: u64,
    sequence: Option<u64>,
}

impl ChecksumTask for CheckTask<'_> {
    type Out = Result<(), BlockDefect>;
    #[inline]
    fn run<S: Checksum>(self) -> Self::Out {
        let Self { plan, block, length, offset, sequence } = self;
        let compares = plan.method == Method::PatternHeader;
        let hole = plan.header_range::<S>();
        let mut base = 0;
        for interval in block.chunks_exact(length) {
            let place = offset.wrapping_add(base as u64);
            let sound = plan.is_sound::<S>(interval, place, sequence)
                && (!compares
                    || (plan.pattern.matches_at(&interval[..hole.start], base, offset)
                        && plan.pattern.matches_at(
                            &interval[hole.end..],
                            base + hole.end,
                            offset,
                        )));
            if !sound {
                return Err(defect::describe_interval_defect(
                    plan, interval, &hole, base, offset, sequence,
                ));
            }
            base += length;
        }
        Ok(())
    }
}

struct RebuildTask<'a> {
    plan: &'a SealPlan,
    block: &'a mut [u8],
    found: &'a [u8],
    place: u64,
    expected_sequence: Option<u64>,
}

impl ChecksumTask for RebuildTask<'_> {
    type Out = ();
    fn run<S: Checksum>(self) {
        let hole = self.plan.header_range::<S>();
        let bytes = self.found.get(hole.clone()).unwrap_or_default();
        let header = Header::parse(bytes);
        let sequence = self
            .expected_sequence
            .or_else(|| defect::guess_sequence(self.plan, self.found, &hole, self.place));
        let stamp = header.map_or(Stamp::default(), |header| Stamp {
            time_ns: header.time_ns,
            thread: header.thread,
        });
        self.plan.seal_interval::<S>(self.block, self.place, sequence.unwrap_or(0), stamp);
    }
}
