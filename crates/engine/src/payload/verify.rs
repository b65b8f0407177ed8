//! Blocks that prove what they are, and what is wrong when they do not.
//!
//! A verified block starts with a header (below), and its body follows from (seed, offset,
//! sequence) alone, so the expected block can be made again. Each further 512-byte sector of the
//! body starts with a tag of 16 bytes from which, given offset and sector, seed and sequence can
//! be read back: so the sectors of a torn block tell of which version they are. The bytes are a
//! contract: `golden` below pins them.
//!
//! | bytes | header field                                                |
//! |-------|-------------------------------------------------------------|
//! | 0     | magic, u32                                                  |
//! | 4     | CRC32C of the whole block with this field zero, u32         |
//! | 8     | seed, u64                                                   |
//! | 16    | offset of the block on the target in bytes, u64             |
//! | 24    | sequence, u64                                               |
//! | 32    | length of the block in bytes, u32                           |
//! | 36    | reserved, zero, u32                                         |
//!
//! All are little-endian.

use crc32c::{crc32c, crc32c_append};

use super::content::{Noise, SECTOR, STAMP};
use super::mismatch::{Mismatch, MismatchKind};
use crate::sequence::mix64;

/// Length of the header in bytes.
pub const HEADER_BYTES: usize = 40;
/// The shortest block that can be verified, in bytes.
pub const MIN_BLOCK_BYTES: usize = 64;
/// First bytes of every verified block: `tdv1`.
const MAGIC: u32 = u32::from_le_bytes(*b"tdv1");
/// Made and summed in one go, so that a long block stays in the first-level cache. Bytes.
const CHUNK: usize = 8 * SECTOR;

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    crc: u32,
    /// Seed of the run.
    pub(super) seed: u64,
    /// Place on the target in bytes.
    pub(super) offset: u64,
    /// Number of the write.
    pub(super) sequence: u64,
    /// Length of the block in bytes.
    pub(super) length_bytes: u32,
}

impl Header {
    /// Reads the header of `block`; none if the block is too short or the magic is not there.
    #[inline]
    pub(super) fn read(block: &[u8]) -> Option<Self> {
        if block.len() < MIN_BLOCK_BYTES || word32(block, 0) != MAGIC {
            return None;
        }
        Some(Self {
            crc: word32(block, 4),
            seed: word(block, 8),
            offset: word(block, 16),
            sequence: word(block, 24),
            length_bytes: word32(block, 32),
        })
    }

    #[inline]
    fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.crc.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.seed.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.offset.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.length_bytes.to_le_bytes());
        bytes
    }

    /// Whether the checksum is right over the length that the header gives.
    #[inline]
    fn is_sound(&self, block: &[u8]) -> bool {
        let length = self.length_bytes as usize;
        match block.get(8..length) {
            Some(rest) if length >= MIN_BLOCK_BYTES => {
                // The magic is right, or there were no header.
                let mut start = [0; 8];
                start[..4].copy_from_slice(&MAGIC.to_le_bytes());
                crc32c_append(crc32c(&start), rest) == self.crc
            }
            _ => false,
        }
    }
}

/// Fills `buffer`, a block of at least 64 bytes that is to be written at byte `offset` of the
/// target, with header and body. Neither allocates nor fails; a shorter buffer is left as it is,
/// and `check` will not pass it.
#[inline]
pub fn stamp(buffer: &mut [u8], seed: u64, offset: u64, sequence: u64) {
    if buffer.len() < MIN_BLOCK_BYTES {
        return;
    }
    let length_bytes = length_bytes(buffer);
    let header = Header { crc: 0, seed, offset, sequence, length_bytes }.to_bytes();
    let mut noise = Noise::new(mix64(seed ^ mix64(offset ^ mix64(sequence))));
    let place = mix64(offset);
    let mut index = 0;
    let mut crc = 0;
    for chunk in buffer.chunks_mut(CHUNK) {
        noise.fill(chunk);
        for sector in chunk.chunks_mut(SECTOR) {
            if index == 0 {
                sector[..HEADER_BYTES].copy_from_slice(&header);
            } else {
                let tag = tag(place, index, seed, sequence);
                let length = sector.len().min(STAMP);
                sector[..length].copy_from_slice(&tag[..length]);
            }
            index += 1;
        }
        crc = crc32c_append(crc, chunk);
    }
    buffer[4..8].copy_from_slice(&crc.to_le_bytes());
}

/// Checks `found`, read at byte `offset` of the target: header fields and checksum. Without
/// `expected_sequence` any write of this run to this block will do.
///
/// # Errors
/// What is wrong, with the expected block made again.
#[inline]
pub fn check(
    found: &[u8],
    seed: u64,
    offset: u64,
    expected_sequence: Option<u64>,
) -> Result<(), Mismatch> {
    let sound = Header::read(found).is_some_and(|header| {
        header.seed == seed
            && header.offset == offset
            && expected_sequence.is_none_or(|expected| expected == header.sequence)
            && header.length_bytes == length_bytes(found)
            && header.is_sound(found)
    });
    if sound { Ok(()) } else { Err(diagnose(found, seed, offset, expected_sequence)) }
}

#[cold]
fn diagnose(found: &[u8], seed: u64, offset: u64, expected_sequence: Option<u64>) -> Mismatch {
    let kind = kind(found, seed, offset, expected_sequence);
    let expected = expected_sequence
        .or_else(|| likely_sequence(found, seed, offset))
        .map(|sequence| made(found.len(), seed, offset, sequence))
        .unwrap_or_default();
    let first_difference = expected.iter().zip(found).position(|(a, b)| a != b);
    Mismatch {
        offset,
        length: length_bytes(found),
        kind,
        first_difference,
        expected,
        found: found.to_vec(),
    }
}

fn kind(found: &[u8], seed: u64, offset: u64, expected_sequence: Option<u64>) -> MismatchKind {
    if is_zero(found) {
        return MismatchKind::NeverWritten;
    }
    if let Some(header) = Header::read(found).filter(|header| header.is_sound(found)) {
        if header.seed != seed {
            return MismatchKind::Foreign;
        }
        if header.offset != offset {
            return MismatchKind::Misplaced { found_offset: header.offset };
        }
        if expected_sequence.is_some_and(|expected| expected != header.sequence) {
            return MismatchKind::Stale { found_sequence: header.sequence };
        }
        // The right write, but of another length.
        return MismatchKind::Corrupt;
    }
    torn_at(found, offset).map_or(MismatchKind::Corrupt, |at| MismatchKind::Torn { at })
}

/// The byte at which the first sector starts that is of another version than the head, if every
/// sector is intact and of either of these two versions. Zeros count as a version.
fn torn_at(found: &[u8], offset: u64) -> Option<usize> {
    let version = |index: usize, bytes: &[u8]| -> Option<Vec<u8>> {
        if is_zero(bytes) {
            return Some(vec![0; found.len()]);
        }
        let (seed, sequence) = version_of(index, bytes, offset)?;
        Some(made(found.len(), seed, offset, sequence))
    };
    let head = version(0, found.get(..SECTOR)?)?;
    let sectors = || found.chunks(SECTOR).zip(head.chunks(SECTOR)).enumerate();
    let (index, (other, _)) = sectors().find(|(_, (sector, head))| sector != head)?;
    if index == 0 {
        return None;
    }
    let other = version(index, other)?;
    let mut rest = sectors().zip(other.chunks(SECTOR)).skip(index);
    rest.all(|((i, (sector, head)), other)| sector == other || (i > index && sector == head))
        .then_some(index * SECTOR)
}

/// The (seed, sequence) that sector `index` of the block at `offset` claims to be of, whether it
/// is intact or not; none if it is too short, or the first and has no header for this place.
pub(super) fn version_of(index: usize, sector: &[u8], offset: u64) -> Option<(u64, u64)> {
    if index == 0 {
        let header = Header::read(sector)?;
        return (header.offset == offset).then_some((header.seed, header.sequence));
    }
    if sector.len() < STAMP {
        return None;
    }
    let (first, second) = (word(sector, 0), word(sector, 8));
    let sequence = first ^ mix64(mix64(offset) ^ index as u64);
    Some((second ^ mix64(first), sequence))
}

/// What sector `index` of a block starts with; `place` is the mixed offset of the block.
/// `version_of` is the inverse.
#[inline]
fn tag(place: u64, index: u64, seed: u64, sequence: u64) -> [u8; STAMP] {
    let first = sequence ^ mix64(place ^ index);
    let second = seed ^ mix64(first);
    let mut tag = [0; STAMP];
    tag[..8].copy_from_slice(&first.to_le_bytes());
    tag[8..].copy_from_slice(&second.to_le_bytes());
    tag
}

/// Of which write of this run to this block most of `found` is, if of any: by its header, or by
/// one of its first sectors should the header be damaged.
fn likely_sequence(found: &[u8], seed: u64, offset: u64) -> Option<u64> {
    let claims = found.chunks(SECTOR).enumerate().take(5);
    claims
        .filter_map(|(index, sector)| version_of(index, sector, offset))
        .filter(|&(claimed_seed, _)| claimed_seed == seed)
        .map(|(_, sequence)| sequence)
        .find(|&sequence| {
            let made = made(found.len(), seed, offset, sequence);
            let equal = made.iter().zip(found).filter(|(a, b)| a == b).count();
            equal * 2 > found.len()
        })
}

/// The block as `stamp` makes it.
fn made(length_bytes: usize, seed: u64, offset: u64, sequence: u64) -> Vec<u8> {
    let mut block = vec![0; length_bytes];
    stamp(&mut block, seed, offset, sequence);
    block
}

pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

#[inline]
fn length_bytes(block: &[u8]) -> u32 {
    u32::try_from(block.len()).unwrap_or(u32::MAX)
}

/// The little-endian word at byte `at`; 0 where there is none.
#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

#[inline]
fn word32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
