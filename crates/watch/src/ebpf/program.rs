//! The program in the kernel. It runs when a request completes: it sorts the request by disk,
//! direction and latency into buckets, and changes nothing.

use super::assembler::Condition::{Above, AtLeast, Below, Equal, Equal32, NotEqual};
use super::assembler::Operation::{Add, And, Multiply, Or, ShiftLeft, ShiftRight, Subtract};
use super::assembler::Register::{R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use super::assembler::{Assembler, Function, JumpError, Label, Operand, Register, Size};
use super::btf::Field;
use super::buckets::{
    Counter, GROUPING_POWER, MAX_VALUE_POWER, OVERFLOW_BUCKET, Part, WAITER_BYTES,
    WAITER_HISTOGRAM, WAITER_OPERATIONS, WAITER_SUM,
};
use super::layout::{IoLayout, Layout};
use super::sampling::draw;
use crate::disks::Disk;

/// Reading a kernel's memory is allowed to programs that say so.
pub(super) const LICENCE: &std::ffi::CStr = c"Dual MIT/GPL";

/// `enum req_op` of the kernel.
pub(super) const OPERATION_MASK: i32 = 0xff;
const OPERATION_READ: i32 = 0;
const OPERATION_WRITE: i32 = 1;
const OPERATION_DISCARD: i32 = 3;
/// From here on, commands of the driver.
pub(super) const OPERATIONS_END: i32 = 32;

/// A device number in 32 bits, as the kernel has it.
const MINOR_BITS: i32 = 20;

/// Places on the stack: the key of the disk, of the blank value, and of the one who waits; then the
/// bytes completed, and the time of acceptance.
pub(super) const KEY: i16 = -4;
const BLANK_KEY: i16 = -8;
const WAITER_BACKGROUND: i16 = -12;
pub(super) const WAITER_DISK: i16 = -16;
const WAITER_KEY: i16 = -24;
pub(super) const COMPLETED: i16 = -32;
pub(super) const ACCEPTED: i16 = -40;

/// `BPF_NOEXIST`
pub(super) const UPDATE_NEW_ONLY: i32 = 1;

/// Registers that keep their meaning through the program.
pub(super) const REQUEST: Register = R6;
pub(super) const VALUE: Register = R7;
/// The time of completion; zero while more of the request is to complete.
pub(super) const NOW: Register = R8;
pub(super) const CONTEXT: Register = R9;
/// For how many requests this one counts with who waits, once the context is not needed.
pub(super) const WAITER_WEIGHT: Register = R9;

/// From here on, each request counts with who waits, at any rate: one that is slow must not be
/// missed, nor count for eight.
const SLOW_NS: i32 = 1_000_000;

/// Arguments of the tracepoint.
pub(super) const ARGUMENT_1: i16 = 0;
pub(super) const ARGUMENT_2: i16 = 8;
const ARGUMENT_ERROR: i16 = ARGUMENT_2;
const ARGUMENT_BYTES: i16 = 16;

/// The kinds of requests that are counted apart.
pub(crate) const READS: u32 = 0;
pub(crate) const WRITES: u32 = 1;
/// Writes without data, which only ask for a flush.
pub(crate) const FLUSHES: u32 = 2;
/// What else the kernel's counters take for writes: zeroes, secure erasures, resets of zones.
pub(crate) const ERASURES: u32 = 3;
pub(crate) const KINDS: u32 = 4;

/// The key in the map of a disk's requests of a kind.
pub(crate) fn map_key(disk: usize, kind: u32) -> u32 {
    KINDS * disk as u32 + kind
}

/// A disk with its place among those that are watched.
pub(crate) type NumberedDisk<'a> = (usize, &'a Disk);

/// Descriptors of the maps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Maps {
    pub(crate) disks: i32,
    /// By control group and disk.
    pub(crate) waiters: i32,
    /// One value of zeros, to begin one of `waiters` with.
    pub(crate) blank: i32,
    /// Of the random bits that are looked at, see `sampling`.
    pub(crate) mask: i32,
}

/// The key of one who waits: group, disk, and whether the kernel writes in the background.
pub(crate) fn parse_waiter_key(key: &[u8]) -> Option<(u64, usize, bool)> {
    let (group, rest) = key.split_first_chunk::<8>()?;
    let (disk, background) = rest.split_first_chunk::<4>()?;
    let disk = u32::from_ne_bytes(*disk) as usize;
    Some((u64::from_ne_bytes(*group), disk, background.iter().any(|byte| *byte != 0)))
}

pub(crate) const WAITER_KEY_BYTES: u32 = 16;

/// The program for these disks, whose numbers are compared one by one.
pub(crate) fn build(
    layout: &Layout,
    disks: &[NumberedDisk],
    maps: Maps,
) -> Result<Vec<u64>, JumpError> {
    let mut assembler = Assembler::default();
    let out = assembler.new_label();
    let a = &mut assembler;
    a.set(CONTEXT, R1);
    a.load(Size::Double, REQUEST, CONTEXT, ARGUMENT_1);
    find_disk(a, layout, &layout.request.io, disks, out);
    store_key(a, layout, &layout.request.io, &[layout.request.length, layout.request.state], out);
    a.look_up(maps.disks, KEY);
    a.jump_if(R0, Equal, 0, out);
    a.set(VALUE, R0);
    let unfinished = a.new_label();
    a.set(NOW, 0);
    count_request(a, layout, unfinished);
    measure_latency(a, layout, out);
    a.place(unfinished);
    draw_waiter(a, maps.mask, out);
    count_waiter(a, layout, &layout.request.io, maps, out);
    a.place(out);
    a.exit();
    assembler.finish()
}

pub(super) fn load_field(a: &mut Assembler, to: Register, base: Register, field: Field) {
    a.load(Size::of_field(field.size), to, base, field.offset as i16);
}

/// Leaves the place of the disk of a request or bio in R3; leaves the program for another disk.
pub(super) fn find_disk(
    a: &mut Assembler,
    layout: &Layout,
    io: &IoLayout,
    disks: &[NumberedDisk],
    out: Label,
) {
    a.set(R1, REQUEST);
    for pointer in &io.disk {
        load_field(a, R1, R1, *pointer);
    }
    load_field(a, R2, R1, layout.major);
    load_field(a, R3, R1, layout.first_minor);
    a.arithmetic(ShiftLeft, R2, MINOR_BITS);
    a.arithmetic(Or, R2, R3);
    let found = a.new_label();
    for (index, disk) in disks {
        let (major, minor) = disk.number;
        a.set(R3, *index as i32);
        a.jump_if(R2, Equal32, (major << MINOR_BITS | minor) as i32, found);
    }
    a.jump(out);
    a.place(found);
}

/// Leaves the key and the disk's place, which is in R3, on the stack; leaves the program for what
/// is neither a read nor a write. A write whose `data` fields are all zero has none.
pub(super) fn store_key(
    a: &mut Assembler,
    layout: &Layout,
    io: &IoLayout,
    data: &[Field],
    out: Label,
) {
    a.store(Size::Word, R10, WAITER_DISK, R3);
    // Times the number of kinds.
    a.arithmetic(ShiftLeft, R3, KINDS.ilog2() as i32);
    load_field(a, R1, REQUEST, io.flags);
    a.arithmetic(And, R1, OPERATION_MASK);
    let (known, write) = (a.new_label(), a.new_label());
    a.jump_if(R1, Equal, OPERATION_READ, known);
    for operation in [Some(OPERATION_WRITE), layout.zone_append] {
        operation.into_iter().for_each(|number| a.jump_if(R1, Equal, number, write));
    }
    // The kernel counts odd numbers as writes, apart from discards. A flush is a request of its
    // own, made for one or more writes: these are counted.
    a.jump_if(R1, Equal, OPERATION_DISCARD, out);
    a.jump_if(R1, AtLeast, OPERATIONS_END, out);
    a.arithmetic(And, R1, 1);
    a.jump_if(R1, Equal, 0, out);
    a.arithmetic(Add, R3, ERASURES as i32);
    a.jump(known);
    a.place(write);
    a.arithmetic(Add, R3, WRITES as i32);
    // A write with a flush after its data has none left when it ends, but the driver had it.
    for field in data {
        load_field(a, R1, REQUEST, *field);
        a.jump_if(R1, NotEqual, 0, known);
    }
    a.arithmetic(Add, R3, (FLUSHES - WRITES) as i32);
    a.place(known);
    a.store(Size::Word, R10, KEY, R3);
}

pub(super) fn add_to(a: &mut Assembler, counter: Counter, amount: impl Into<Operand>) {
    a.load(Size::Double, R5, VALUE, counter.offset());
    a.arithmetic(Add, R5, amount);
    a.store(Size::Double, VALUE, counter.offset(), R5);
}

/// `to = bytes completed`
pub(super) fn load_completed(a: &mut Assembler, to: Register) {
    a.load(Size::Double, to, CONTEXT, ARGUMENT_BYTES);
    a.arithmetic(ShiftLeft, to, 32);
    a.arithmetic(ShiftRight, to, 32);
}

/// Counts the request, and jumps if more of it is to complete.
fn count_request(a: &mut Assembler, layout: &Layout, unfinished: Label) {
    load_completed(a, R2);
    a.store(Size::Double, R10, COMPLETED, R2);
    add_to(a, Counter::Bytes, R2);
    load_field(a, R1, REQUEST, layout.request.rq_flags);
    a.arithmetic(And, R1, layout.flush_sequence);
    a.jump_if(R1, NotEqual, 0, unfinished);
    // A status of one byte in an argument of eight.
    a.load(Size::Double, R1, CONTEXT, ARGUMENT_ERROR);
    a.arithmetic(And, R1, 0xff);
    let sound = a.new_label();
    a.jump_if(R1, Equal, 0, sound);
    add_to(a, Counter::Errors, 1);
    a.place(sound);
    // A request may complete in pieces: the last one has all that is left.
    load_field(a, R3, REQUEST, layout.request.length);
    a.jump_if(R2, Below, R3, unfinished);
    add_to(a, Counter::Operations, 1);
}

fn measure_latency(a: &mut Assembler, layout: &Layout, out: Label) {
    a.call(Function::Clock);
    a.set(NOW, R0);
    let timed = a.new_label();
    load_field(a, R2, REQUEST, layout.request.accepted_ns);
    a.jump_if(R2, NotEqual, 0, timed);
    add_to(a, Counter::Untimed, 1);
    a.jump(out);

    a.place(timed);
    a.store(Size::Double, R10, ACCEPTED, R2);
    subtract_times(a, NOW, R2);
    add_part(a, Part::Total, Operand::ONE);
    let (issued, done) = (a.new_label(), a.new_label());
    load_field(a, R2, REQUEST, layout.request.issued_ns);
    a.jump_if(R2, NotEqual, 0, issued);
    add_to(a, Counter::Unissued, 1);
    a.jump(done);

    a.place(issued);
    subtract_times(a, NOW, R2);
    add_part(a, Part::Device, Operand::ONE);
    load_field(a, R2, REQUEST, layout.request.issued_ns);
    load_field(a, R3, REQUEST, layout.request.accepted_ns);
    subtract_times(a, R2, R3);
    add_part(a, Part::Queue, Operand::ONE);
    a.place(done);
}

/// Leaves the value of the group, the disk and the kind in its register.
fn find_waiter(
    a: &mut Assembler,
    layout: &Layout,
    io: &IoLayout,
    group: &[Field],
    maps: Maps,
    out: Label,
) {
    a.set(R1, REQUEST);
    for pointer in group {
        load_field(a, R1, R1, *pointer);
    }
    a.store(Size::Double, R10, WAITER_KEY, R1);
    a.set(R1, 0);
    a.store(Size::Word, R10, BLANK_KEY, R1);
    if let Some(bit) = layout.background {
        load_field(a, R1, REQUEST, io.flags);
        a.arithmetic(ShiftRight, R1, bit);
        a.arithmetic(And, R1, 1);
    }
    a.store(Size::Word, R10, WAITER_BACKGROUND, R1);
    let found = a.new_label();
    a.look_up(maps.waiters, WAITER_KEY);
    a.jump_if(R0, NotEqual, 0, found);
    a.look_up(maps.blank, BLANK_KEY);
    a.jump_if(R0, Equal, 0, out);
    a.set(R3, R0);
    a.update(maps.waiters, WAITER_KEY, UPDATE_NEW_ONLY);
    a.look_up(maps.waiters, WAITER_KEY);
    a.jump_if(R0, Equal, 0, out);
    a.place(found);
    a.set(VALUE, R0);
}

/// Leaves the weight of the request in its register; leaves the program for one that does not count
/// with who waits.
fn draw_waiter(a: &mut Assembler, mask: i32, out: Label) {
    let (drawn, chance) = (a.new_label(), a.new_label());
    a.jump_if(NOW, Equal, 0, chance);
    a.load(Size::Double, R2, R10, ACCEPTED);
    subtract_times(a, NOW, R2);
    a.set(WAITER_WEIGHT, 1);
    a.jump_if(R1, AtLeast, SLOW_NS, drawn);
    a.place(chance);
    draw(a, mask, WAITER_WEIGHT, out);
    a.place(drawn);
}

/// Adds what is on the stack, times its weight, to the value of the one who waits, where the kernel
/// tells its group.
/// All processors share a value, so they add atomically.
pub(super) fn count_waiter(
    a: &mut Assembler,
    layout: &Layout,
    io: &IoLayout,
    maps: Maps,
    out: Label,
) {
    let weight = Operand::Register(WAITER_WEIGHT);
    let Some(group) = &io.group else { return };
    find_waiter(a, layout, io, group, maps, out);
    a.load(Size::Double, R1, R10, COMPLETED);
    multiply(a, R1, weight);
    a.atomic_add(Size::Double, VALUE, WAITER_BYTES, R1);
    a.jump_if(NOW, Equal, 0, out);
    a.set(R1, weight);
    a.atomic_add(Size::Double, VALUE, WAITER_OPERATIONS, R1);
    a.load(Size::Double, R2, R10, ACCEPTED);
    subtract_times(a, NOW, R2);
    a.set(R2, R1);
    multiply(a, R2, weight);
    a.atomic_add(Size::Double, VALUE, WAITER_SUM, R2);
    let skip = find_bucket(a);
    a.set(R1, weight);
    a.atomic_add(Size::Word, R4, WAITER_HISTOGRAM, R1);
    a.place(skip);
}

/// `R1 = later - earlier`, zero where the clock of another processor is behind.
pub(super) fn subtract_times(a: &mut Assembler, later: Register, earlier: Register) {
    let ordered = a.new_label();
    a.set(R1, later);
    a.jump_if(R1, AtLeast, earlier, ordered);
    a.set(R1, earlier);
    a.place(ordered);
    a.arithmetic(Subtract, R1, earlier);
}

pub(super) fn multiply(a: &mut Assembler, register: Register, weight: Operand) {
    if weight != Operand::ONE {
        a.arithmetic(Multiply, register, weight);
    }
}

/// Adds the latency in R1, times its weight, to a part's sum and to its bucket.
pub(super) fn add_part(a: &mut Assembler, part: Part, weight: Operand) {
    a.set(R2, R1);
    multiply(a, R2, weight);
    add_to(a, part.sum(), R2);
    let skip = find_bucket(a);
    a.load(Size::Word, R5, R4, part.offset());
    a.arithmetic(Add, R5, weight);
    a.store(Size::Word, R4, part.offset(), R5);
    a.place(skip);
}

/// `R4 = VALUE + 4 * bucket of the latency in R1`. The label is for a latency without a bucket.
fn find_bucket(a: &mut Assembler) -> Label {
    let (count, skip) = (a.new_label(), a.new_label());
    a.set(R3, OVERFLOW_BUCKET as i32);
    a.set(R2, R1);
    a.arithmetic(ShiftRight, R2, MAX_VALUE_POWER as i32);
    a.jump_if(R2, NotEqual, 0, count);
    // R1 is shifted until it is below 64; R3 counts by how much.
    a.set(R3, 0);
    for shift in [16, 8, 4, 2, 1] {
        let small = a.new_label();
        a.jump_if(R1, Below, 1 << (GROUPING_POWER as i32 + shift), small);
        a.arithmetic(ShiftRight, R1, shift);
        a.arithmetic(Add, R3, shift);
        a.place(small);
    }
    a.arithmetic(ShiftLeft, R3, GROUPING_POWER as i32);
    a.arithmetic(Add, R3, R1);
    a.place(count);
    // Never so, but the verifier wants to see it.
    a.jump_if(R3, Above, OVERFLOW_BUCKET as i32, skip);
    a.arithmetic(ShiftLeft, R3, 2);
    a.set(R4, VALUE);
    a.arithmetic(Add, R4, R3);
    skip
}

#[cfg(test)]
mod tests;
