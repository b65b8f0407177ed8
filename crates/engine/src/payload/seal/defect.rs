//! What is wrong with a block: found out once `check` has failed, without allocation.

use std::fmt;
use std::ops::Range;

use crate::payload::content::SECTOR_BYTES;
use crate::payload::seal::body::{Body, CHUNK_BYTES, read_version};
use crate::payload::seal::header::{self, FIXED_BYTES, Header, MAGIC};
use workload::SealMethod as Method;

use crate::payload::seal::plan::SealPlan;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockDefect {
    pub kind: DefectKind,
    /// Where, in bytes from the start of the block.
    pub at: u64,
    pub expected: ShortBytes,
    pub found: ShortBytes,
}

/// In which way a block is wrong; numbers are 8 bytes, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefectKind {
    /// No header where one should be.
    Magic,
    /// A damaged header: its own checksum is wrong.
    HeaderChecksum,
    /// A sound header of another version, method or kind of body.
    Format,
    /// A sound header of another run.
    Seed,
    /// A sound header that belongs elsewhere: bytes from the start of the target.
    Offset,
    /// A sound header of an interval of another length, or a block that the plan does not fit (an
    /// interval's length is expected, the block's found). Bytes.
    Length,
    /// A sound header of another write to this place: mostly a lost one.
    Sequence,
    /// A part of a sector is zeros: a write was torn or lost, or the place discarded.
    Zeros,
    /// An intact sector of another write than its header's: a torn write. Sequence and seed.
    Torn,
    /// The body is not that of its header.
    Data,
    /// The body is not the pattern.
    Pattern,
}

/// Up to 16 bytes, printed as hex.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct ShortBytes {
    bytes: [u8; 16],
    length: u8,
}

impl ShortBytes {
    /// The first 16 of `bytes`, or all if there are fewer.
    pub fn new(bytes: &[u8]) -> Self {
        let mut short = Self::default();
        let length = bytes.len().min(short.bytes.len());
        short.bytes[..length].copy_from_slice(&bytes[..length]);
        short.length = length as u8;
        short
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The little-endian number that the first 8 are; 0 if there are fewer.
    pub fn number(&self) -> u64 {
        header::read_u64(self.as_slice(), 0)
    }

    fn from_number(number: u64) -> Self {
        Self::new(&number.to_le_bytes())
    }
}

impl fmt::Debug for ShortBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for ShortBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for BlockDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, at, expected, found } = self;
        let (number, other) = (expected.number(), found.number());
        match kind {
            DefectKind::Magic => write!(f, "no header")?,
            DefectKind::HeaderChecksum => write!(f, "damaged header")?,
            DefectKind::Format => write!(f, "sealed in another way")?,
            DefectKind::Seed => write!(f, "foreign, of seed {other} and not {number}")?,
            DefectKind::Offset => write!(f, "misplaced, belongs at byte {other}, not {number}")?,
            DefectKind::Length => write!(f, "{other} bytes long and not {number}")?,
            DefectKind::Sequence => write!(f, "stale, of write {other} and not {number}")?,
            DefectKind::Zeros => write!(f, "zeros, never written or torn")?,
            DefectKind::Torn => {
                let seed = |bytes: &ShortBytes| header::read_u64(bytes.as_slice(), 8);
                write!(f, "torn, of write {other} of seed {} and not ", seed(found))?;
                write!(f, "{number} of seed {} as its header", seed(expected))?;
            }
            DefectKind::Data => write!(f, "damaged data")?,
            DefectKind::Pattern => write!(f, "not the pattern")?,
        }
        write!(f, " at its byte {at}: expected {expected}, found {found}")
    }
}

impl std::error::Error for BlockDefect {}

#[cold]
pub(crate) fn describe_misfit(plan: &SealPlan, length: usize) -> BlockDefect {
    let expected = if plan.interval == 0 { plan.interval_min } else { plan.interval };
    BlockDefect {
        kind: DefectKind::Length,
        at: 0,
        expected: ShortBytes::from_number(expected as u64),
        found: ShortBytes::from_number(length as u64),
    }
}

#[cold]
pub(crate) fn describe_pattern_defect(plan: &SealPlan, block: &[u8], offset: u64) -> BlockDefect {
    let look = DefectFinder { plan, interval: block, hole: 0..0, base: 0, offset };
    look.find_body_defect(plan.seed, 0)
}

/// The defect of an interval, which starts at byte `base` of the block at `offset`.
#[cold]
pub(crate) fn describe_interval_defect(
    plan: &SealPlan,
    interval: &[u8],
    hole: &Range<usize>,
    base: usize,
    offset: u64,
    sequence: Option<u64>,
) -> BlockDefect {
    let look = DefectFinder { plan, interval, hole: hole.clone(), base, offset };
    look.find_header_defect(sequence)
}

/// The sequence that `interval`, at byte `place` of the target, most likely has: by its header, or
/// by the tag of the first sector of this run.
pub(crate) fn guess_sequence(
    plan: &SealPlan,
    interval: &[u8],
    hole: &Range<usize>,
    place: u64,
) -> Option<u64> {
    let bytes = interval.get(hole.clone())?;
    let header = Header::parse(bytes)?;
    let (seed, offset) = (header.seed == plan.seed, header.offset == place);
    if header::is_sound(bytes) && seed && offset {
        return Some(header.sequence);
    }
    let tags =
        (0_u64..).zip(interval.chunks(SECTOR_BYTES)).filter_map(|(i, s)| read_version(i, s, place));
    let by_tag = || tags.into_iter().find(|&(seed, _)| seed == plan.seed).map(|(_, s)| s);
    let noise = plan.pattern.is_empty();
    // Of two fields one may be what is damaged.
    noise.then(by_tag).flatten().or_else(|| (seed || offset).then_some(header.sequence))
}

struct DefectFinder<'a> {
    plan: &'a SealPlan,
    interval: &'a [u8],
    hole: Range<usize>,
    /// Of the interval in the block.
    base: usize,
    /// Of the block on the target.
    offset: u64,
}

impl DefectFinder<'_> {
    fn target_offset(&self) -> u64 {
        self.offset.wrapping_add(self.base as u64)
    }

    fn defect(&self, kind: DefectKind, at: usize, expected: &[u8], found: &[u8]) -> BlockDefect {
        let (expected, found) = (ShortBytes::new(expected), ShortBytes::new(found));
        BlockDefect { kind, at: (self.base + at) as u64, expected, found }
    }

    fn find_header_defect(&self, sequence: Option<u64>) -> BlockDefect {
        let (plan, start) = (self.plan, self.hole.start);
        let bytes = &self.interval[self.hole.clone()];
        // A header may be of another method, and then of another length.
        let rest = &self.interval[start..];
        let whole = header::stated_length(rest).map_or(bytes, |length| &rest[..length]);
        let Some(header) = Header::parse(bytes).filter(|_| header::is_sound(whole)) else {
            return self.describe_damaged_header(bytes, whole);
        };
        let format = plan.format_bytes();
        if header.format != format {
            let at = start + header::COVERED_AT;
            return self.defect(DefectKind::Format, at, &format, &header.format);
        }
        let number = |kind, at, expected: u64, found: u64| {
            self.defect(kind, start + at, &expected.to_le_bytes(), &found.to_le_bytes())
        };
        if header.seed != plan.seed {
            return number(DefectKind::Seed, header::SEED_AT, plan.seed, header.seed);
        }
        let offset = self.target_offset();
        if header.offset != offset {
            return number(DefectKind::Offset, header::OFFSET_AT, offset, header.offset);
        }
        let is_stale = |expected: &u64| *expected != header.sequence;
        let stale = sequence.filter(is_stale).map(|expected| {
            number(DefectKind::Sequence, header::SEQUENCE_AT, expected, header.sequence)
        });
        let (length, stated) = (self.interval.len() as u64, u64::from(header.length));
        if stated != length {
            // An earlier write may have been of another length; that it is earlier says more.
            let other = || number(DefectKind::Length, header::LENGTH_AT, length, stated);
            return stale.unwrap_or_else(other);
        }
        let body = || self.find_body_defect(header.seed, header.sequence);
        let Some(stale) = stale else { return body() };
        if plan.method != Method::Meta && plan.pattern.is_empty() {
            let body = body();
            if body.kind == DefectKind::Torn {
                return body;
            }
        }
        stale
    }

    fn describe_damaged_header(&self, bytes: &[u8], whole: &[u8]) -> BlockDefect {
        let start = self.hole.start;
        // Each sector that a header lies in has bytes of it that are never zero, or it is short.
        let zeros = self.find_zeros_around(start);
        if let Some(zeros) = zeros.or_else(|| self.find_zeros_around(self.hole.end - 1)) {
            let (at, expected) = match zeros.contains(&start) {
                true => (start, &MAGIC[..]),
                false => (zeros.start, &[][..]),
            };
            return self.defect(DefectKind::Zeros, at, expected, &self.interval[zeros]);
        }
        if bytes[..MAGIC.len()] != MAGIC {
            return self.defect(DefectKind::Magic, start, &MAGIC, &bytes[..MAGIC.len()]);
        }
        let found = &bytes[header::CRC_AT..header::COVERED_AT];
        let crc = crc32c::crc32c(&whole[header::COVERED_AT..]).to_le_bytes();
        self.defect(DefectKind::HeaderChecksum, start + header::CRC_AT, &crc, found)
    }

    /// The sector of the block around byte `at`, within the interval, if it is all zeros.
    fn find_zeros_around(&self, at: usize) -> Option<Range<usize>> {
        let sector = (self.base + at) / SECTOR_BYTES * SECTOR_BYTES;
        let start = sector.saturating_sub(self.base);
        let end = (sector + SECTOR_BYTES - self.base).min(self.interval.len());
        let zeros = self.interval.get(start..end)?.iter().all(|&byte| byte == 0);
        (zeros && end - start >= 16).then_some(start..end)
    }

    fn find_body_defect(&self, seed: u64, sequence: u64) -> BlockDefect {
        let Some(at) = self.find_first_difference(seed, sequence) else {
            // The bytes are right, so it is the checksum: sealed by something else.
            let stored = self.interval.get(self.hole.clone()).unwrap_or_default();
            let stored = stored.get(FIXED_BYTES..).unwrap_or_default();
            return self.defect(DefectKind::Data, self.hole.start + FIXED_BYTES, &[], stored);
        };
        let zeros = self.find_zeros_around(at);
        let from = match &zeros {
            Some(zeros) if !self.hole.contains(&zeros.start) => zeros.start,
            _ => at,
        };
        let mut expected = [0; 16];
        let end = (from + expected.len()).min(self.interval.len());
        self.fill_expected(from, seed, sequence, &mut expected);
        let kind = match self.plan.method {
            _ if zeros.is_some() => DefectKind::Zeros,
            Method::Pattern | Method::PatternHeader => DefectKind::Pattern,
            _ => DefectKind::Data,
        };
        if kind == DefectKind::Data
            && let Some(torn) = self.find_torn_sector(at, seed, sequence)
        {
            return torn;
        }
        self.defect(kind, from, &expected[..end - from], &self.interval[from..end])
    }

    /// The sector around byte `at`, if it is intact and of another write.
    fn find_torn_sector(&self, at: usize, seed: u64, sequence: u64) -> Option<BlockDefect> {
        let start = at / SECTOR_BYTES * SECTOR_BYTES;
        let end = (start + SECTOR_BYTES).min(self.interval.len());
        if !self.plan.pattern.is_empty() || (start < self.hole.end && end > self.hole.start) {
            return None;
        }
        let sector = self.interval.get(start..end)?;
        let (other_seed, other) =
            read_version((at / SECTOR_BYTES) as u64, sector, self.target_offset())?;
        let mut intact = false;
        self.visit_expected_chunks(other_seed, other, |from, chunk| {
            let inside = start.checked_sub(from).and_then(|low| chunk.get(low..low + sector.len()));
            intact |= inside == Some(sector);
            inside.is_none()
        });
        let version = |sequence: u64, seed: u64| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&sequence.to_le_bytes());
            bytes[8..].copy_from_slice(&seed.to_le_bytes());
            bytes
        };
        let (expected, found) = (version(sequence, seed), version(other, other_seed));
        intact.then(|| self.defect(DefectKind::Torn, start, &expected, &found))
    }

    /// The first wrong byte of the interval outside the header.
    fn find_first_difference(&self, seed: u64, sequence: u64) -> Option<usize> {
        let mut difference = None;
        self.visit_expected_chunks(seed, sequence, |from, chunk| {
            let found = &self.interval[from..from + chunk.len()];
            let pairs = found.iter().zip(chunk).zip(from..);
            difference = pairs
                .filter(|(_, at)| !self.hole.contains(at))
                .find(|((found, expected), _)| found != expected)
                .map(|(_, at)| at);
            difference.is_none()
        });
        difference
    }

    fn fill_expected(&self, at: usize, seed: u64, sequence: u64, out: &mut [u8]) {
        self.visit_expected_chunks(seed, sequence, |from, chunk| {
            for (place, byte) in out.iter_mut().zip(at..) {
                if let Some(&expected) = byte.checked_sub(from).and_then(|index| chunk.get(index)) {
                    *place = expected;
                }
            }
            from + chunk.len() < at + out.len()
        });
    }

    /// Makes the body again chunk by chunk, while `visit` returns true.
    fn visit_expected_chunks(
        &self,
        seed: u64,
        sequence: u64,
        mut visit: impl FnMut(usize, &[u8]) -> bool,
    ) {
        let mut body = Body::new(seed, self.target_offset(), sequence);
        let mut buffer = [0; CHUNK_BYTES];
        for from in (0..self.interval.len()).step_by(CHUNK_BYTES) {
            let chunk = &mut buffer[..CHUNK_BYTES.min(self.interval.len() - from)];
            if self.plan.pattern.is_empty() {
                body.fill(chunk);
            } else {
                self.plan.pattern.fill_from(chunk, self.base + from, self.offset);
            }
            if !visit(from, chunk) {
                break;
            }
        }
    }
}
