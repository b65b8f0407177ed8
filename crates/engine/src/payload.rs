//! What is written: incompressible, every 512-byte sector ever written unique.
//!
//! The buffers are filled with pseudo-random bytes while the worker is armed. On the hot path a
//! write only stamps 16 bytes into each of its sectors: a bijection of (worker, sequence, sector),
//! so no two sectors of a run are equal, at any deduplication grain from 512 bytes up. A slot has
//! several buffers and takes them in turn, so that writes close in time or place do not repeat
//! the bytes between the stamps either.

use crate::arena::Arena;
use crate::sequence::mix64;

/// The finest grain at which storage is known to deduplicate.
const SECTOR: usize = 512;
/// Random bytes that a worker's writes draw from, at least.
const POOL_MIN: usize = 2 << 20;

/// Buffers of one worker: `slots` of them for reads, several per slot for writes.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) arena: Arena,
    block: usize,
    stride: usize,
    alternates: usize,
    sequence: u64,
    key: u64,
}

impl Buffers {
    /// Buffers for `slots` operations of `block` bytes each; filled when `writes`.
    pub(crate) fn new(
        slots: usize,
        block: usize,
        align: usize,
        writes: bool,
        key: u64,
    ) -> std::io::Result<Self> {
        let align = align.max(SECTOR).next_power_of_two();
        let stride = block.div_ceil(align) * align;
        let alternates = if writes { POOL_MIN.div_ceil(slots.max(1) * stride).max(1) } else { 1 };
        let mut arena = Arena::new(slots * stride * alternates)?;
        if writes {
            fill(arena.bytes(), key);
        } else {
            // Touch every page: the first operations must not pay for page faults.
            arena.bytes().iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        }
        Ok(Self { arena, block, stride, alternates, sequence: 0, key: mix64(!key) })
    }

    /// The buffer for the next read of `slot`.
    #[inline]
    pub(crate) fn for_read(&self, slot: u32) -> *mut u8 {
        self.arena.at(slot as usize * self.stride * self.alternates)
    }

    /// The buffer for the next write of `slot`, stamped. The slot must be free.
    #[inline]
    pub(crate) fn for_write(&mut self, slot: u32) -> *mut u8 {
        self.sequence += 1;
        let turn = self.sequence as usize % self.alternates;
        let start = (slot as usize * self.alternates + turn) * self.stride;
        let stamp = mix64(self.key ^ self.sequence);
        let buffer = self.arena.at(start);
        for sector in 0..self.block / SECTOR {
            // Two words that together are a bijection of (stamp, sector), and look like noise.
            let first = mix64(stamp ^ sector as u64);
            let second = mix64(first ^ stamp);
            // SAFETY: `sector * SECTOR + 16 <= block <= stride`, inside this slot's buffer, which
            // no outstanding operation uses because the slot is free.
            unsafe {
                let place = buffer.add(sector * SECTOR).cast::<[u64; 2]>();
                place.write_unaligned([first, second]);
            }
        }
        buffer
    }
}

/// Fills `bytes` with pseudo-random data (xorshift64* streams, about 1 byte per 0.2 ns).
fn fill(bytes: &mut [u8], key: u64) {
    let mut lanes = [mix64(key), mix64(key ^ 1), mix64(key ^ 2), mix64(key ^ 3)].map(|l| l | 1);
    for chunk in bytes.chunks_mut(32) {
        let mut block = [0_u8; 32];
        for (lane, out) in lanes.iter_mut().zip(block.chunks_exact_mut(8)) {
            *lane ^= *lane >> 12;
            *lane ^= *lane << 25;
            *lane ^= *lane >> 27;
            out.copy_from_slice(&lane.wrapping_mul(0x2545_F491_4F6C_DD1D).to_le_bytes());
        }
        chunk.copy_from_slice(&block[..chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn copy(buffer: *mut u8, length: usize) -> Vec<u8> {
        // SAFETY: the buffer has at least `length` bytes and nothing is outstanding.
        unsafe { std::slice::from_raw_parts(buffer, length) }.to_vec()
    }

    #[test]
    fn no_sector_is_ever_written_twice() {
        let mut buffers = Buffers::new(4, 4096, 4096, true, 9).unwrap();
        let mut other_worker = Buffers::new(4, 4096, 4096, true, 10).unwrap();
        let mut seen = HashSet::new();
        for turn in 0..3000_u32 {
            for each in [&mut buffers, &mut other_worker] {
                let block = copy(each.for_write(turn % 4), 4096);
                for sector in block.chunks(SECTOR) {
                    assert!(seen.insert(sector.to_vec()));
                }
            }
        }
    }

    #[test]
    fn bytes_are_incompressible_by_entropy() {
        let mut buffers = Buffers::new(1, 1 << 20, 4096, true, 3).unwrap();
        let block = copy(buffers.for_write(0), 1 << 20);
        let mut counts = [0_f64; 256];
        block.iter().for_each(|&b| counts[b as usize] += 1.0);
        let n = block.len() as f64;
        let entropy: f64 = counts.iter().map(|c| -(c / n) * (c / n).log2()).sum();
        assert!(entropy > 7.999, "{entropy}");
        // No 8-byte word occurs twice in a megabyte: nothing for a dictionary to find.
        let words: HashSet<&[u8]> = block.chunks(8).collect();
        assert_eq!(words.len(), block.len() / 8);
    }

    #[test]
    fn buffers_of_different_slots_do_not_overlap() {
        let mut buffers = Buffers::new(8, 1000, 512, true, 1).unwrap();
        let mut places: Vec<usize> = (0..32).map(|i| buffers.for_write(i % 8) as usize).collect();
        assert!(places.iter().all(|p| p % 512 == 0));
        places.sort_unstable();
        places.dedup();
        assert!(places.windows(2).all(|w| w[1] - w[0] >= 1000));
    }
}
