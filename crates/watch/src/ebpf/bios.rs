//! Disks without a request queue (device mapper, md, zram, the heads of NVMe multipath): two
//! programs time their bios.
//!
//! A bio holds no time, so its start is kept in a map until it ends; at a high rate only of one of
//! eight, drawn at random, which stands for eight. A bio that the kernel splits ends once, with its
//! last part; one that is handed on to another disk is known by its address.

use target::{BpfLink, BpfMap, BpfMapKind, BpfProgram};

use super::assembler::Condition::Equal;
use super::assembler::Operation::{ShiftLeft, ShiftRight};
use super::assembler::Register::{R0, R1, R2, R3, R10};
use super::assembler::{Assembler, Function, JumpError, Label, Operand, Size};
use super::buckets::{Counter, Part};
use super::layout::{BioLayout, Layout};
use super::program::{
    ACCEPTED, ARGUMENT_1, ARGUMENT_2, COMPLETED, CONTEXT, KEY, KINDS, LICENCE, Maps, NOW,
    NumberedDisk, REQUEST, VALUE, WAITER_DISK, WAITER_WEIGHT, add_part, add_to, count_waiter,
    find_disk, load_field, multiply, store_key, subtract_times,
};
use super::sampling::draw;
use super::submitters::{WEIGHT, count_submitter};

/// Bios that are under way at a time: 2 MB. Those whose end was not seen make room.
const STARTS_MAX: u32 = 1 << 14;
const START_KEY_BYTES: u32 = 8;
const START_BYTES: u32 = 24;

/// Places on the stack, below those of what is called from here: the bio's address, and its start:
/// time, bytes, the key of its disk, and how many bios it stands for.
const BIO: i16 = -56;
const START: i16 = -80;
const START_TIME: i16 = 0;
const START_LENGTH: i16 = 8;
const START_KEY: i16 = 16;
const START_WEIGHT: i16 = 20;

/// `BPF_ANY`
const UPDATE_ANY: i32 = 0;

/// The programs of the bios, until dropped.
pub(super) struct BioPrograms {
    pub(super) programs: [BpfProgram; 2],
    _links: [BpfLink; 2],
    _starts: BpfMap,
}

impl BioPrograms {
    /// `None` where the kernel refuses: disks without a request queue then have counters only.
    pub(super) fn attach(
        name: &str,
        layout: &Layout,
        bio: &BioLayout,
        disks: &[NumberedDisk],
        maps: Maps,
        submitters: Option<i32>,
    ) -> Option<Self> {
        let (kind, key_bytes) = (BpfMapKind::RecentHash, START_KEY_BYTES);
        let starts = BpfMap::create(kind, name, key_bytes, START_BYTES, STARTS_MAX).ok()?;
        let descriptor = starts.raw_descriptor();
        let end = build_end(layout, bio, disks, descriptor, maps).ok()?;
        let start = build_start(layout, bio, disks, descriptor, maps.mask, submitters);
        let start = start.ok()?;
        let load = |instructions: &[u64], type_id| {
            BpfProgram::load(name, instructions, type_id, LICENCE).ok()
        };
        let programs = [load(&end, bio.completion)?, load(&start, bio.submission)?];
        let links = [programs[0].attach().ok()?, programs[1].attach().ok()?];
        Some(Self { programs, _links: links, _starts: starts })
    }
}

/// Keeps the start of a bio of these disks. Forgets one of the same address whose end was not seen.
pub(super) fn build_start(
    layout: &Layout,
    bio: &BioLayout,
    disks: &[NumberedDisk],
    starts: i32,
    mask: i32,
    submitters: Option<i32>,
) -> Result<Vec<u64>, JumpError> {
    let mut assembler = Assembler::default();
    let (out, other) = (assembler.new_label(), assembler.new_label());
    let a = &mut assembler;
    a.set(CONTEXT, R1);
    a.load(Size::Double, REQUEST, CONTEXT, ARGUMENT_1);
    a.store(Size::Double, R10, BIO, REQUEST);
    draw(a, mask, WEIGHT, other);
    find_disk(a, layout, &bio.io, disks, other);
    store_key(a, layout, &bio.io, &[bio.length], other);
    a.load(Size::Word, R1, R10, KEY);
    a.store(Size::Word, R10, START + START_KEY, R1);
    a.store(Size::Word, R10, START + START_WEIGHT, WEIGHT);
    load_field(a, R1, REQUEST, bio.length);
    a.store(Size::Double, R10, START + START_LENGTH, R1);
    a.call(Function::Clock);
    a.store(Size::Double, R10, START + START_TIME, R0);
    a.point_to_stack(R3, START);
    a.update(starts, BIO, UPDATE_ANY);
    if let (Some(counts), Some(group)) = (submitters, &bio.io.group) {
        a.load(Size::Word, R3, R10, START + START_KEY);
        a.arithmetic(ShiftRight, R3, KINDS.ilog2() as i32);
        count_submitter(a, group, counts, out);
    }
    a.jump(out);
    a.place(other);
    a.look_up(starts, BIO);
    a.jump_if(R0, Equal, 0, out);
    a.delete(starts, BIO);
    a.place(out);
    a.exit();
    assembler.finish()
}

/// Counts a bio whose start was kept. Its time in a queue and in the device are not told apart.
pub(super) fn build_end(
    layout: &Layout,
    bio: &BioLayout,
    disks: &[NumberedDisk],
    starts: i32,
    maps: Maps,
) -> Result<Vec<u64>, JumpError> {
    let mut assembler = Assembler::default();
    let (out, sound) = (assembler.new_label(), assembler.new_label());
    let a = &mut assembler;
    a.set(CONTEXT, R1);
    a.load(Size::Double, REQUEST, CONTEXT, ARGUMENT_2);
    a.store(Size::Double, R10, BIO, REQUEST);
    load_field(a, R1, REQUEST, bio.status);
    a.jump_if(R1, Equal, 0, sound);
    count_error(a, layout, bio, disks, maps, sound);
    a.place(sound);
    a.look_up(starts, BIO);
    a.jump_if(R0, Equal, 0, out);
    for (from, to) in [(START_TIME, ACCEPTED), (START_LENGTH, COMPLETED)] {
        a.load(Size::Double, R1, R0, from);
        a.store(Size::Double, R10, to, R1);
    }
    a.load(Size::Word, WAITER_WEIGHT, R0, START_WEIGHT);
    a.load(Size::Word, R1, R0, START_KEY);
    a.store(Size::Word, R10, KEY, R1);
    a.arithmetic(ShiftRight, R1, KINDS.ilog2() as i32);
    a.store(Size::Word, R10, WAITER_DISK, R1);
    a.delete(starts, BIO);
    a.call(Function::Clock);
    a.set(NOW, R0);
    a.look_up(maps.disks, KEY);
    a.jump_if(R0, Equal, 0, out);
    a.set(VALUE, R0);
    let weight = Operand::Register(WAITER_WEIGHT);
    add_to(a, Counter::Operations, weight);
    a.load(Size::Double, R1, R10, COMPLETED);
    multiply(a, R1, weight);
    add_to(a, Counter::Bytes, R1);
    a.load(Size::Double, R2, R10, ACCEPTED);
    subtract_times(a, NOW, R2);
    add_part(a, Part::Total, weight);
    add_to(a, Counter::Unissued, weight);
    count_waiter(a, layout, &bio.io, maps, out);
    a.place(out);
    a.exit();
    assembler.finish()
}

/// Errors are never sampled. A part that failed counts, and the whole of which it is a part.
fn count_error(
    a: &mut Assembler,
    layout: &Layout,
    bio: &BioLayout,
    disks: &[NumberedDisk],
    maps: Maps,
    done: Label,
) {
    find_disk(a, layout, &bio.io, disks, done);
    a.arithmetic(ShiftLeft, R3, KINDS.ilog2() as i32);
    a.store(Size::Word, R10, KEY, R3);
    a.look_up(maps.disks, KEY);
    a.jump_if(R0, Equal, 0, done);
    a.set(VALUE, R0);
    add_to(a, Counter::Errors, 1);
}
