//! What is written: the buffers of a worker, filled while it is armed.
//!
//! By default the bytes are incompressible and every 512-byte sector ever written is unique. On
//! the hot path a write then only stamps 16 bytes into each of its sectors: a bijection of
//! (worker, sequence, sector), so no two sectors of a run are equal, at any deduplication grain
//! from 512 bytes up. A slot has several buffers and takes them in turn, so that writes close in
//! time or place do not repeat the bytes between the stamps either.
//!
//! The other payloads use the same layout, so that they cost the same memory and cache and can be
//! compared. Zeros and patterns are never touched again. Compressible payloads have their zeros
//! in every 512-byte sector, not once per 4 KiB: so a compressor sees the share at any grain
//! (512-byte sectors, the 4 KiB blocks of SSD controllers and VDO, the 128 KiB of btrfs and ZFS)
//! and for any length of write. Copies for deduplication come from a few blocks that are shared
//! by all slots and never stamped.
//!
//! Zeros of `/dev/zero` are the exception: one buffer a slot, into which they are read before each
//! write, because that is what is imitated.
//!
//! Reads have buffers of their own: what was read must not be written again.

pub(crate) mod content;
mod mismatch;
mod seal;
mod write_table;

pub use mismatch::Mismatch;
pub use seal::{BlockDefect, DefectKind, ShortBytes};
pub(crate) use seal::{PatternPiece, PatternPlan, SealPlan, SealSettings, Stamp};
pub(crate) use write_table::WriteTable;

use std::fs::File;
use std::io::Read as _;

use self::content::{Noise, SECTOR_BYTES, stamp_sectors, tile_pattern, zero_sector_tails};
use crate::arena::{Arena, PageSize};
use crate::mix::mix64;
use crate::sequence::Permutation;
use workload::Payload;

/// A worker's writes draw from at least this many bytes.
const POOL_BYTES_MIN: usize = 2 << 20;
/// Blocks that copies are made of: few, so that a short job writes each several times.
const COPIED_BLOCKS: usize = 8;
/// Each group of this many blocks has the exact share of copies, in shuffled order.
const SHUFFLE_GROUP: u64 = 100;

/// What `prepare_write` does to a buffer.
#[derive(Debug, Clone, Copy)]
enum WritePreparation {
    Leave,
    /// Reads it anew from the source.
    Read,
    /// Makes its sectors unique.
    Stamp,
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
}

impl WorkingSet {
    /// The block of the set that this write is a copy of; `None` for a block outside the set.
    #[inline]
    fn next_block(&mut self, number: u64, key: u64) -> Option<u64> {
        if number.is_multiple_of(SHUFFLE_GROUP) {
            self.order = Permutation::new(SHUFFLE_GROUP, key ^ mix64(number / SHUFFLE_GROUP));
        }
        if self.made > 0 && self.order.at(number % SHUFFLE_GROUP) < self.percent {
            let there = self.made.min(self.blocks);
            return Some(mix64(key ^ !number) % there);
        }
        self.made += 1;
        (self.made <= self.blocks).then_some(self.made - 1)
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
    source: Option<File>,
    sequence: u64,
    key: u64,
}

impl Buffers {
    /// Buffers for `slots` operations of up to `block` bytes each, aligned to `align` bytes.
    ///
    /// Without `reads`, `read_buffer` still gives memory of the slot, but that of its writes. The
    /// write buffers are filled with what `writes` says; without it there are none.
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
            Some(Payload::DevZero) => 1,
            Some(_) => POOL_BYTES_MIN.div_ceil(slots * stride),
        };
        let writes_start = if own_reads { slots * stride } else { 0 };
        let copied_start = writes_start + slots * stride * alternates;
        let copies = matches!(
            writes,
            Some(Payload::Dedupable { .. } | Payload::DedupableCompressible { .. })
        );
        let copied = if copies { COPIED_BLOCKS } else { 0 };
        let mut arena = Arena::with_page_size(copied_start + copied * stride, pages)?;
        let (read, written) = arena.as_mut_slice().split_at_mut(writes_start);
        // Touch every page: the first operations must not pay for page faults.
        read.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        let hot = writes.map_or(WritePreparation::Leave, |payload| {
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
            preparation: hot,
            source: None,
            sequence: 0,
            key: mix64(!key),
        })
    }

    /// The buffer for the next read of `slot`, of the full block size.
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

    /// The first `length` bytes of the read buffer of `slot`: to check what was read, or to stamp
    /// for verification what is to be written from `read_buffer`. The slot must be free.
    #[inline]
    pub(crate) fn read_buffer_mut(&mut self, slot: u32, length: u32) -> &mut [u8] {
        let start = slot as usize * self.read_step;
        self.buffer_part(start, length)
    }

    /// The buffer for the next write of `slot`, of `length` bytes and at most the block size,
    /// ready to be written. The slot must be free, and there must be write buffers.
    ///
    /// Stamps are set in whole sectors; the tail beyond the last keeps the bytes of the buffer.
    #[inline]
    pub(crate) fn prepare_write(&mut self, slot: u32, length: u32) -> *mut u8 {
        self.sequence += 1;
        let turn = self.sequence as usize % self.alternates.max(1);
        let index = slot as usize * self.alternates + turn;
        let start = self.writes_start + index * self.stride;
        let stamped = match &mut self.preparation {
            WritePreparation::Leave => false,
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
            WritePreparation::Set(set) => match set.next_block(self.sequence - 1, self.key) {
                Some(block) => {
                    let (key, zero_percent) = (mix64(self.key ^ mix64(block)), set.zero_percent);
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

    pub(crate) fn set_source(&mut self, source: File) {
        self.source = Some(source);
    }

    /// A device of zeros does not end; should the kernel refuse the read, zeros are written all the
    /// same.
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
        // SAFETY: `start + length` is inside the mapping, whose bytes are initialised. The bytes
        // belong to one slot, and no outstanding operation uses them because the slot is free;
        // `&mut self` excludes any other reference.
        unsafe { std::slice::from_raw_parts_mut(self.arena.pointer_at(start), length) }
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
        Payload::Unique
        | Payload::Compressible { .. }
        | Payload::Dedupable { .. }
        | Payload::DedupableCompressible { .. }
        | Payload::WorkingSet { .. } => {
            Noise::new(key).fill(written);
        }
        // Write the zeros: pages that were never written would all be one page of the kernel.
        Payload::Zero | Payload::DevZero => written.fill(0),
        Payload::Pattern { bytes } => {
            written.chunks_mut(stride).for_each(|buffer| tile_pattern(buffer, bytes));
        }
    }
    let copies = |percent: u8| WritePreparation::Copies {
        percent: u64::from(percent.min(100)),
        order: Permutation::new(SHUFFLE_GROUP, key),
        copies: 0,
    };
    match *payload {
        Payload::Unique => WritePreparation::Stamp,
        Payload::DevZero => WritePreparation::Read,
        Payload::Zero | Payload::Pattern { .. } => WritePreparation::Leave,
        Payload::Compressible { percent } => {
            zero_sector_tails(written, percent);
            if percent < 100 { WritePreparation::Stamp } else { WritePreparation::Leave }
        }
        Payload::Dedupable { percent } => copies(percent),
        Payload::DedupableCompressible { copies_percent, compressible_percent } => {
            zero_sector_tails(written, compressible_percent);
            if compressible_percent < 100 {
                copies(copies_percent)
            } else {
                WritePreparation::Leave
            }
        }
        Payload::WorkingSet { copies_percent, blocks, compressible_percent } => {
            zero_sector_tails(written, compressible_percent);
            let set = WorkingSet {
                percent: u64::from(copies_percent.min(100)),
                order: Permutation::new(SHUFFLE_GROUP, key),
                blocks: blocks.max(1),
                made: 0,
                zero_percent: compressible_percent,
            };
            if compressible_percent < 100 {
                WritePreparation::Set(set)
            } else {
                WritePreparation::Leave
            }
        }
    }
}

#[cfg(test)]
mod tests;
