//! What is written: the buffers of a worker, filled while it is armed.
//!
//! By default the bytes are incompressible and every 512-byte sector ever written is unique: a
//! write stamps 16 bytes into each of its sectors, a bijection of (worker, sequence, sector). A
//! slot takes several buffers in turn, so that neighbouring writes do not repeat the bytes between
//! the stamps.
//!
//! Other payloads use the same layout, so that they cost the same memory and cache. Compressible
//! payloads have their zeros in every sector: a compressor sees the share at any grain. Copies come
//! from a few blocks that all slots share and that are never stamped. Zeros of `/dev/zero` are read
//! before each write, as dd does. Reads have buffers of their own.

pub(crate) mod content;
mod mismatch;
mod seal;
mod write_table;

pub(crate) use content::SECTOR_BYTES;
pub use mismatch::Mismatch;
pub use seal::{BlockDefect, DefectKind, ShortBytes};
pub(crate) use seal::{PatternPiece, PatternPlan, SealPlan, SealSettings, Stamp};
pub(crate) use write_table::WriteTable;

use std::fs::File;
use std::io::Read as _;

use self::content::{Noise, scramble_sectors, stamp_sectors, tile_pattern, zero_sector_tails};
use crate::arena::{Arena, PageSize};
use crate::mix::mix64;
use crate::sequence::Permutation;
use units::Seed;
use workload::{Payload, SharedSet};

/// A worker's writes draw from at least this many bytes.
const POOL_BYTES_MIN: usize = 2 << 20;
/// Blocks that copies are made of: few, so that a short job writes each several times.
const COPIED_BLOCKS: usize = 8;
/// Each group of this many blocks has the exact share of copies, in shuffled order.
const SHUFFLE_GROUP: u64 = 100;

/// What is done to a buffer before each write.
#[derive(Debug, Clone, Copy)]
enum WritePreparation {
    Leave,
    /// Reads it anew from the source.
    Read,
    /// Makes its sectors unique.
    Stamp,
    /// Writes the offset and the time into its sectors.
    Scramble,
    /// Takes one of the copied blocks in `percent` of the writes; else stamps.
    Copies {
        percent: u64,
        order: Permutation,
        copies: usize,
    },
    /// Makes a block of the working set anew in a share of the writes; else stamps.
    Set(WorkingSet),
}

/// Copies of the first blocks of a worker, which are made anew when they are needed.
#[derive(Debug, Clone, Copy)]
struct WorkingSet {
    percent: u64,
    order: Permutation,
    /// Blocks in the set, and blocks made so far that are no copies.
    blocks: u64,
    made: u64,
    zero_percent: u8,
    shared: Option<SharedSet>,
}

impl WorkingSet {
    /// Key of the block of the set that this write is a copy of; `None` for a block outside the
    /// set.
    #[inline]
    fn next_key(&mut self, number: u64, key: u64) -> Option<u64> {
        if number.is_multiple_of(SHUFFLE_GROUP) {
            self.order = Permutation::new(SHUFFLE_GROUP, key ^ mix64(number / SHUFFLE_GROUP));
        }
        // What others have of a shared set is there from the start.
        let (there, own) = match self.shared {
            None => (self.made.min(self.blocks), self.blocks),
            Some(shared) => (self.blocks, self.part_of(shared)),
        };
        if there > 0 && self.order.at(number % SHUFFLE_GROUP) < self.percent {
            return Some(self.key_of(mix64(key ^ !number) % there, key));
        }
        self.made += 1;
        (self.made <= own).then(|| self.key_of(self.made - 1, key))
    }

    /// Blocks that each job has of a shared set.
    fn part_of(&self, shared: SharedSet) -> u64 {
        (self.blocks / shared.jobs.max(1)).max(1)
    }

    #[inline]
    fn key_of(&self, block: u64, key: u64) -> u64 {
        let Some(shared) = self.shared else { return mix64(key ^ mix64(block)) };
        let (place, number) = (block / self.part_of(shared), block % self.part_of(shared));
        let job = (shared.job + place) % shared.jobs.max(1);
        mix64(mix64(shared.seed.0 ^ job).wrapping_add(number))
    }
}

/// Buffers of one worker: `slots` of them for reads, several per slot for writes.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) arena: Arena,
    block: usize,
    stride: usize,
    alternates: usize,
    read_step: usize,
    writes_start: usize,
    copied_start: usize,
    preparation: WritePreparation,
    /// The source of [`Payload::DevZero`].
    pub(crate) source: Option<File>,
    sequence: u64,
    key: u64,
}

impl Buffers {
    /// Buffers for `slots` operations of up to `block` bytes each, aligned to `align` bytes. Write
    /// buffers are filled with what `writes` says. Without `reads`, `read_buffer` gives memory of
    /// the slot's writes.
    pub(crate) fn new(
        slots: usize,
        block: usize,
        align: usize,
        reads: bool,
        writes: Option<&Payload>,
        key: u64,
        pages: PageSize,
    ) -> std::io::Result<Self> {
        let align = align.max(SECTOR_BYTES).next_power_of_two();
        let stride = block.max(1).div_ceil(align) * align;
        let slots = slots.max(1);
        let own_reads = reads || writes.is_none();
        let alternates = match writes {
            None => 0,
            Some(Payload::DevZero | Payload::Repeated { .. }) => 1,
            Some(_) => POOL_BYTES_MIN.div_ceil(slots * stride),
        };
        let writes_start = if own_reads { slots * stride } else { 0 };
        let copied_start = writes_start + slots * stride * alternates;
        let has_copies = matches!(
            writes,
            Some(Payload::Dedupable { .. } | Payload::DedupableCompressible { .. })
        );
        let copied = if has_copies { COPIED_BLOCKS } else { 0 };
        let mut arena = Arena::with_page_size(copied_start + copied * stride, pages)?;
        let (read, written) = arena.as_mut_slice().split_at_mut(writes_start);
        // Touch every page: the first operations must not pay for page faults.
        read.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        let preparation = writes.map_or(WritePreparation::Leave, |payload| {
            fill_write_buffers(written, stride, payload, key)
        });
        let read_step = if own_reads { stride } else { stride * alternates };
        Ok(Self {
            arena,
            block,
            stride,
            alternates,
            read_step,
            writes_start,
            copied_start,
            preparation,
            source: None,
            sequence: 0,
            key: mix64(!key),
        })
    }

    #[inline]
    pub(crate) fn read_buffer(&self, slot: u32) -> *mut u8 {
        self.arena.pointer_at(slot as usize * self.read_step)
    }

    /// As [`Self::read_buffer`], after one byte of each sector was changed.
    #[inline]
    pub(crate) fn touch_read_buffer(&mut self, slot: u32, length: u32) -> *mut u8 {
        self.read_buffer_mut(slot, length)
            .iter_mut()
            .step_by(SECTOR_BYTES)
            .for_each(|byte| *byte &= 1);
        self.read_buffer(slot)
    }

    /// The first `length` bytes of the read buffer of `slot`, which must be free.
    #[inline]
    pub(crate) fn read_buffer_mut(&mut self, slot: u32, length: u32) -> &mut [u8] {
        let start = slot as usize * self.read_step;
        self.buffer_part(start, length)
    }

    /// The buffer for the next write of `slot`, ready to be written. The slot must be free. The
    /// tail beyond the last whole sector is not stamped.
    #[inline]
    pub(crate) fn prepare_write(&mut self, slot: u32, length: u32) -> *mut u8 {
        self.sequence += 1;
        let turn = self.sequence as usize % self.alternates.max(1);
        let index = slot as usize * self.alternates + turn;
        let start = self.writes_start + index * self.stride;
        let stamped = match &mut self.preparation {
            WritePreparation::Leave | WritePreparation::Scramble => false,
            WritePreparation::Read => {
                self.refill_from_source(start, length);
                false
            }
            WritePreparation::Stamp => true,
            WritePreparation::Copies { percent, order, copies } => {
                let number = self.sequence - 1;
                if number.is_multiple_of(SHUFFLE_GROUP) {
                    *order =
                        Permutation::new(SHUFFLE_GROUP, self.key ^ mix64(number / SHUFFLE_GROUP));
                }
                if order.at(number % SHUFFLE_GROUP) < *percent {
                    *copies += 1;
                    let copied = self.copied_start + *copies % COPIED_BLOCKS * self.stride;
                    return self.arena.pointer_at(copied);
                }
                true
            }
            WritePreparation::Set(set) => match set.next_key(self.sequence - 1, self.key) {
                Some(key) => {
                    let zero_percent = set.zero_percent;
                    let buffer = self.buffer_part(start, length);
                    Noise::new(key).fill(buffer);
                    zero_sector_tails(buffer, zero_percent);
                    false
                }
                None => true,
            },
        };
        if stamped {
            let stamp = mix64(self.key ^ self.sequence);
            stamp_sectors(self.buffer_part(start, length), stamp);
        }
        self.arena.pointer_at(start)
    }

    /// As [`Self::prepare_write`], for a write to byte `offset` at `time_ns`.
    #[inline]
    pub(crate) fn prepare_write_at(
        &mut self,
        slot: u32,
        length: u32,
        offset: u64,
        time_ns: u64,
    ) -> *mut u8 {
        let place = self.prepare_write(slot, length);
        if matches!(self.preparation, WritePreparation::Scramble) {
            let start = self.writes_start + slot as usize * self.stride;
            scramble_sectors(self.buffer_part(start, length), offset, time_ns);
        }
        place
    }

    /// Should the kernel refuse the read, zeros are written all the same.
    fn refill_from_source(&mut self, start: usize, length: u32) {
        let source = self.source.take();
        let buffer = self.buffer_part(start, length);
        let read = source.as_ref().is_some_and(|mut source| source.read_exact(buffer).is_ok());
        if !read {
            buffer.fill(0);
        }
        self.source = source;
    }

    #[inline]
    fn buffer_part(&mut self, start: usize, length: u32) -> &mut [u8] {
        let rest = self.arena.length().saturating_sub(start);
        let length = (length as usize).min(self.block).min(rest);
        // SAFETY: `start + length` is inside the initialised mapping; no outstanding operation uses
        // the bytes because the slot is free, and `&mut self` excludes any other reference.
        unsafe { std::slice::from_raw_parts_mut(self.arena.pointer_at(start), length) }
    }
}

/// What a payload writes, block by block, for one who writes by other means than a session.
#[derive(Debug)]
pub struct BlockContent(Buffers);

impl BlockContent {
    /// Errors: no memory.
    pub fn new(payload: &Payload, block: usize, seed: Seed) -> std::io::Result<Self> {
        let (align, pages) = (SECTOR_BYTES, PageSize::Small);
        Buffers::new(1, block, align, false, Some(payload), seed.0, pages).map(Self)
    }

    /// The first `length` bytes of the next block.
    pub fn next_block(&mut self, length: usize) -> &[u8] {
        let start = self.0.prepare_write(0, length as u32);
        // SAFETY: the place of a whole block of the arena, which no operation uses.
        unsafe { std::slice::from_raw_parts(start, length.min(self.0.block)) }
    }
}

/// Fills the write buffers, each `stride` bytes; what is left to do for each write.
fn fill_write_buffers(
    written: &mut [u8],
    stride: usize,
    payload: &Payload,
    key: u64,
) -> WritePreparation {
    match payload {
        // Write the zeros: pages that were never written would all be one page of the kernel.
        Payload::Zero | Payload::DevZero => written.fill(0),
        Payload::Pattern { bytes } => {
            written.chunks_mut(stride).for_each(|buffer| tile_pattern(buffer, bytes));
        }
        _ => Noise::new(key).fill(written),
    }
    let zeroed_percent = match *payload {
        Payload::Compressible { percent } => percent,
        Payload::DedupableCompressible { compressible_percent, .. }
        | Payload::WorkingSet { compressible_percent, .. } => compressible_percent,
        _ => 0,
    };
    if zeroed_percent > 0 {
        zero_sector_tails(written, zeroed_percent);
    }
    match *payload {
        Payload::DevZero => WritePreparation::Read,
        Payload::Zero | Payload::Pattern { .. } | Payload::Repeated { scrambled: false } => {
            WritePreparation::Leave
        }
        Payload::Repeated { scrambled: true } => WritePreparation::Scramble,
        _ if zeroed_percent >= 100 => WritePreparation::Leave,
        Payload::Unique | Payload::Compressible { .. } => WritePreparation::Stamp,
        Payload::Dedupable { percent: copies_percent }
        | Payload::DedupableCompressible { copies_percent, .. } => WritePreparation::Copies {
            percent: u64::from(copies_percent.min(100)),
            order: Permutation::new(SHUFFLE_GROUP, key),
            copies: 0,
        },
        Payload::WorkingSet { copies_percent, blocks, compressible_percent, shared } => {
            WritePreparation::Set(WorkingSet {
                percent: u64::from(copies_percent.min(100)),
                order: Permutation::new(SHUFFLE_GROUP, key),
                blocks: blocks.max(1),
                made: 0,
                zero_percent: compressible_percent,
                shared,
            })
        }
    }
}

#[cfg(test)]
mod tests;
