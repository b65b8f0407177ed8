//! A program that hands each completed request of one disk to a reader, through a ring.

use super::assembler::Condition::{AtLeast, Equal};
use super::assembler::Operation::And;
use super::assembler::Register::{R0, R1, R2, R3, R4, R10};
use super::assembler::{Assembler, Function, JumpError, Size};
use super::layout::Layout;
use super::program::{
    ARGUMENT_1, CONTEXT, NOW, OPERATION_MASK, OPERATIONS_END, REQUEST, find_disk, load_completed,
    load_field,
};
use crate::disks::Disk;

/// `enum req_op` of the kernel.
const READ: u32 = 0;
const WRITE: u32 = 1;
const FLUSH: u32 = 2;
const DISCARD: u32 = 3;
const SECURE_ERASE: u32 = 5;
const WRITE_ZEROES: u32 = 9;

/// No wake-up: the reader polls.
const NO_WAKEUP: i32 = 1;

/// The record, on the stack as it is in the ring: start, now, sector; then of 32 bits each the
/// bytes completed, the bytes that were left before, flags, and what the block layer notes.
const RECORD: i16 = -40;
pub(crate) const EVENT_BYTES: usize = 40;
/// The key of the only count of lost records.
const KEY: i16 = -44;

/// A request, or a part of one, completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    /// When the block layer accepted the request; 0 where it does not say.
    pub(crate) accepted_ns: u64,
    pub(crate) completed_ns: u64,
    /// In sectors of 512 bytes: where this part begins.
    pub(crate) sector: u64,
    pub(crate) bytes: u32,
    pub(crate) left: u32,
    pub(crate) flags: u32,
    pub(crate) rq_flags: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    Read,
    Write,
    Discard,
    Flush,
    Other,
}

impl Event {
    pub(crate) fn parse(record: &[u8; EVENT_BYTES]) -> Self {
        let (longs, words) = record.split_at(24);
        let mut longs = longs.as_chunks::<8>().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
        let mut words = words.as_chunks::<4>().0.iter().map(|bytes| u32::from_ne_bytes(*bytes));
        let (mut long, mut word) = (|| longs.next().unwrap_or(0), || words.next().unwrap_or(0));
        Self {
            accepted_ns: long(),
            completed_ns: long(),
            sector: long(),
            bytes: word(),
            left: word(),
            flags: word(),
            rq_flags: word(),
        }
    }

    pub(crate) fn kind(&self, zone_append: Option<i32>) -> EventKind {
        match self.flags & OPERATION_MASK as u32 {
            READ => EventKind::Read,
            WRITE => EventKind::Write,
            FLUSH => EventKind::Flush,
            DISCARD | SECURE_ERASE | WRITE_ZEROES => EventKind::Discard,
            operation if zone_append.is_some_and(|append| append as u32 == operation) => {
                EventKind::Write
            }
            _ => EventKind::Other,
        }
    }
}

/// `lost` is an array of one count of 64 bits: records that found no room in the ring.
pub(super) fn build(
    layout: &Layout,
    disk: &Disk,
    ring: i32,
    lost: i32,
) -> Result<Vec<u64>, JumpError> {
    let mut assembler = Assembler::default();
    let out = assembler.new_label();
    let a = &mut assembler;
    a.set(CONTEXT, R1);
    a.load(Size::Double, REQUEST, CONTEXT, ARGUMENT_1);
    let request = &layout.request;
    find_disk(a, layout, &request.io, &[(0, disk)], out);
    load_field(a, R3, REQUEST, request.io.flags);
    a.store(Size::Word, R10, RECORD + 32, R3);
    a.arithmetic(And, R3, OPERATION_MASK);
    a.jump_if(R3, AtLeast, OPERATIONS_END, out);
    a.call(Function::Clock);
    a.set(NOW, R0);
    a.store(Size::Double, R10, RECORD + 8, NOW);
    let fields = [
        (request.accepted_ns, Size::Double, RECORD),
        (request.sector, Size::Double, RECORD + 16),
        (request.length, Size::Word, RECORD + 28),
        (request.rq_flags, Size::Word, RECORD + 36),
    ];
    for (field, size, place) in fields {
        load_field(a, R1, REQUEST, field);
        a.store(size, R10, place, R1);
    }
    load_completed(a, R2);
    a.store(Size::Word, R10, RECORD + 24, R2);
    a.load_map(R1, ring);
    a.point_to_stack(R2, RECORD);
    a.set(R3, EVENT_BYTES as i32);
    a.set(R4, NO_WAKEUP);
    a.call(Function::RingOutput);
    a.jump_if(R0, Equal, 0, out);
    a.set(R1, 0);
    a.store(Size::Word, R10, KEY, R1);
    a.look_up(lost, KEY);
    a.jump_if(R0, Equal, 0, out);
    a.set(R1, 1);
    a.atomic_add(Size::Double, R0, 0, R1);
    a.place(out);
    a.exit();
    assembler.finish()
}
