//! The bytes themselves: noise, tiles, and the stamps that keep sectors apart.
//!
//! The noise is a contract that golden tests pin: blocks written for verification must be made
//! again by another build on another machine.

use crate::mix::mix64;

/// The finest grain at which storage deduplicates, compresses, or tears writes. Bytes.
pub(crate) const SECTOR_BYTES: usize = 512;
/// Bytes of each sector that a stamp takes, at its start.
pub(crate) const STAMP_BYTES: usize = 16;
/// Streams that run side by side, so that the compiler can use vector registers.
const LANES: usize = 8;

/// Incompressible bytes that follow from a key: eight xorshift64 generators (Marsaglia 2003; shifts
/// 13, 7, 17) side by side, 64 bytes a step.
#[derive(Debug, Clone)]
pub(crate) struct Noise {
    lanes: [u64; LANES],
}

impl Noise {
    #[inline]
    pub(crate) fn new(key: u64) -> Self {
        // A xorshift generator never leaves 0, so 0 is not a state.
        Self { lanes: std::array::from_fn(|lane| mix64(key ^ mix64(lane as u64)).max(1)) }
    }

    /// Takes the next bytes: a multiple of 64 unless they are the last.
    #[inline]
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        let (steps, rest) = bytes.as_chunks_mut::<{ LANES * 8 }>();
        for step in steps {
            *step = self.next_chunk();
        }
        if !rest.is_empty() {
            let step = self.next_chunk();
            rest.copy_from_slice(&step[..rest.len()]);
        }
    }

    #[inline]
    fn next_chunk(&mut self) -> [u8; LANES * 8] {
        for lane in &mut self.lanes {
            *lane ^= *lane << 13;
            *lane ^= *lane >> 7;
            *lane ^= *lane << 17;
        }
        let mut out = [0; LANES * 8];
        for (lane, place) in self.lanes.iter().zip(out.as_chunks_mut::<8>().0) {
            *place = lane.to_le_bytes();
        }
        out
    }
}

/// Stamps every whole sector with 16 bytes: a bijection of (`stamp`, sector).
#[inline]
pub(crate) fn stamp_sectors(buffer: &mut [u8], stamp: u64) {
    for (sector, bytes) in buffer.as_chunks_mut::<SECTOR_BYTES>().0.iter_mut().enumerate() {
        let first = mix64(stamp ^ sector as u64);
        let second = mix64(first ^ stamp);
        bytes[..8].copy_from_slice(&first.to_le_bytes());
        bytes[8..STAMP_BYTES].copy_from_slice(&second.to_le_bytes());
    }
}

/// Writes the offset of every whole sector and the time of the write into 24 of its bytes, where
/// fio does: seconds and nanoseconds in bytes 48 to 63, the offset at the start of one of eight
/// lines.
#[inline]
pub(crate) fn scramble_sectors(buffer: &mut [u8], offset: u64, time_ns: u64) {
    let (seconds, nanoseconds) = (time_ns / 1_000_000_000, time_ns % 1_000_000_000);
    let line = ((nanoseconds ^ offset) & 7) as usize * 64;
    let offsets = (offset..).step_by(SECTOR_BYTES);
    for (sector, offset) in buffer.as_chunks_mut::<SECTOR_BYTES>().0.iter_mut().zip(offsets) {
        sector[line..line + 8].copy_from_slice(&offset.to_le_bytes());
        sector[48..56].copy_from_slice(&seconds.to_le_bytes());
        sector[56..64].copy_from_slice(&nanoseconds.to_le_bytes());
    }
}

/// Repeats `pattern` over `buffer`. An empty pattern counts as one zero.
pub(crate) fn tile_pattern(buffer: &mut [u8], pattern: &[u8]) {
    if pattern.is_empty() {
        buffer.fill(0);
        return;
    }
    for tile in buffer.chunks_mut(pattern.len()) {
        tile.copy_from_slice(&pattern[..tile.len()]);
    }
}

/// Makes the last `percent` of every sector zeros. Below 100 % the 16 bytes of the stamp stay: 97
/// to 99 % give 96.9 %.
pub(crate) fn zero_sector_tails(buffer: &mut [u8], percent: u8) {
    let noise = (SECTOR_BYTES * (100 - usize::from(percent.min(100))) + 50) / 100;
    let noise = if percent >= 100 { 0 } else { noise.max(STAMP_BYTES) };
    for sector in buffer.chunks_mut(SECTOR_BYTES) {
        sector.iter_mut().skip(noise).for_each(|byte| *byte = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn zero_shares_are_exact_to_half_a_byte() {
        for percent in 0..=96_u8 {
            let mut sector = [1_u8; SECTOR_BYTES];
            zero_sector_tails(&mut sector, percent);
            let zeros = sector.iter().filter(|&&byte| byte == 0).count() as f64;
            assert!((zeros - 5.12 * f64::from(percent)).abs() <= 0.5, "{percent}: {zeros}");
        }
    }

    proptest! {
        #[test]
        fn noise_is_one_stream_however_it_is_cut(
            key: u64,
            cut in 0_usize..16,
            rest in 0_usize..99,
        ) {
            let mut whole = vec![0; cut * 64 + rest];
            Noise::new(key).fill(&mut whole);
            let mut parts = vec![0; whole.len()];
            let mut noise = Noise::new(key);
            let (first, second) = parts.split_at_mut(cut * 64);
            noise.fill(first);
            noise.fill(second);
            prop_assert_eq!(whole, parts);
        }

        #[test]
        fn patterns_tile(
            pattern in prop::collection::vec(any::<u8>(), 1..700),
            length in 0..5000_usize,
        ) {
            let mut buffer = vec![0; length];
            tile_pattern(&mut buffer, &pattern);
            for (at, &byte) in buffer.iter().enumerate() {
                prop_assert_eq!(byte, pattern[at % pattern.len()]);
            }
        }
    }
}
