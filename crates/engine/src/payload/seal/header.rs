//! The header of a sealed interval: an on-disk format, version 1.
//!
//! Every later version must read what this one wrote; `golden_tests` pins the bytes. A change of
//! any of them, of the noise or of a checksum is a new version.
//!
//! | byte | field                                                              |
//! |------|--------------------------------------------------------------------|
//! | 0    | magic, `tdsl`                                                      |
//! | 4    | CRC-32C of the bytes from 8 to the end of the header, u32          |
//! | 8    | version: 1                                                         |
//! | 9    | method, as [`Method::code`](crate::payload::seal::Method::code)                   |
//! | 10   | length of the header in bytes: 56 and those of the checksum        |
//! | 11   | flags; bit 0: the body is a pattern, not noise                     |
//! | 12   | length of the interval in bytes, header included, u32              |
//! | 16   | seed of the run, u64                                               |
//! | 24   | offset of the interval on the target in bytes, u64                 |
//! | 32   | sequence: the number of the write, u64                             |
//! | 40   | time of the write in nanoseconds, by the clock of the writer, u64  |
//! | 48   | number of the thread that wrote, u32                               |
//! | 52   | reserved, zero, u32                                                |
//! | 56   | checksum of the body: all bytes of the interval outside the header |
//!
//! Numbers are little-endian, also checksums up to 8 bytes; md5 and sha digests are in the order
//! of their standards. The header lies `header_offset` bytes from the start of its interval.
//!
//! A body of noise is `Noise::new(mix64(seed ^ mix64(offset ^ mix64(sequence))))`, as long as the
//! interval, of which each 512 bytes, counted from the start of the interval, begin with a tag of
//! 16 bytes (cut off by the end): `first = sequence ^ mix64(mix64(offset) ^ index)` and
//! `seed ^ mix64(first)`. A body that is a pattern repeats it from the start of the block, not of
//! the interval, as fio does. The header lies on top of either.

use super::checksum::CHECKSUM_BYTES_MAX;
use crc32c::crc32c;

/// Length of the header without the checksum of the body, in bytes.
pub(crate) const FIXED_BYTES: usize = 56;
/// Length of the longest header in bytes: with sha512.
pub(super) const MAX_HEADER_BYTES: usize = FIXED_BYTES + CHECKSUM_BYTES_MAX;
pub(crate) const VERSION: u8 = 1;
pub(crate) const MAGIC: [u8; 4] = *b"tdsl";
pub(crate) const CRC_AT: usize = 4;
/// The checksum of the header covers the bytes from here on.
pub(crate) const COVERED_AT: usize = 8;
pub(crate) const LENGTH_AT: usize = 12;
pub(crate) const SEED_AT: usize = 16;
pub(crate) const OFFSET_AT: usize = 24;
pub(crate) const SEQUENCE_AT: usize = 32;
pub(crate) const PATTERN_BODY: u8 = 1;

/// What a header says, but for its checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// Version, method, length of the header and flags: how it is to be read.
    pub(crate) format: [u8; 4],
    pub(crate) length: u32,
    pub(crate) seed: u64,
    pub(crate) offset: u64,
    pub(crate) sequence: u64,
    pub(crate) time_ns: u64,
    pub(crate) thread: u32,
}

impl Header {
    /// The fields in `bytes`, right or wrong; `None` if there are fewer than 56 bytes.
    #[inline]
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let fixed = bytes.first_chunk::<FIXED_BYTES>()?;
        Some(Self {
            format: [fixed[8], fixed[9], fixed[10], fixed[11]],
            length: read_u32(fixed, LENGTH_AT),
            seed: read_u64(fixed, SEED_AT),
            offset: read_u64(fixed, OFFSET_AT),
            sequence: read_u64(fixed, SEQUENCE_AT),
            time_ns: read_u64(fixed, 40),
            thread: read_u32(fixed, 48),
        })
    }

    /// `place` is as long as the whole header and holds the checksum of the body already.
    #[inline]
    pub(crate) fn write(&self, place: &mut [u8]) {
        let Some(fixed) = place.first_chunk_mut::<FIXED_BYTES>() else { return };
        fixed[..4].copy_from_slice(&MAGIC);
        fixed[8..12].copy_from_slice(&self.format);
        fixed[12..16].copy_from_slice(&self.length.to_le_bytes());
        fixed[16..24].copy_from_slice(&self.seed.to_le_bytes());
        fixed[24..32].copy_from_slice(&self.offset.to_le_bytes());
        fixed[32..40].copy_from_slice(&self.sequence.to_le_bytes());
        fixed[40..48].copy_from_slice(&self.time_ns.to_le_bytes());
        fixed[48..52].copy_from_slice(&self.thread.to_le_bytes());
        fixed[52..56].fill(0);
        let crc = crc32c(&place[COVERED_AT..]);
        place[CRC_AT..COVERED_AT].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Whether a whole header has the magic and its own right checksum.
#[inline]
pub(crate) fn is_sound(bytes: &[u8]) -> bool {
    bytes.len() >= FIXED_BYTES
        && bytes[..CRC_AT] == MAGIC
        && read_u32(bytes, CRC_AT) == crc32c(&bytes[COVERED_AT..])
}

pub(crate) fn stated_length(bytes: &[u8]) -> Option<usize> {
    let length = usize::from(*bytes.get(10)?);
    (FIXED_BYTES..=MAX_HEADER_BYTES.min(bytes.len())).contains(&length).then_some(length)
}

/// The little-endian word at byte `at`; 0 where there is none.
#[inline]
pub(crate) fn read_u64(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

#[inline]
pub(crate) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
}
