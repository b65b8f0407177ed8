//! Which process asks: a second program counts the requests of each control group by the name of
//! the thread in whose context the block layer makes them.
//!
//! It hangs at `block_io_start` (Linux 6.5); for disks without a request queue, the program at the
//! start of their bios counts too. Nothing is stored per request, so it says who asked
//! for how many requests, and not how long each process waited.

use std::collections::HashMap;
use std::io;

use target::{BpfLink, BpfMap, BpfMapKind, BpfProgram};

use super::assembler::Condition::NotEqual;
use super::assembler::Register::{R0, R1, R2, R3, R8, R10};
use super::assembler::{Assembler, Function, JumpError, Label, Register, Size};
use super::btf::Field;
use super::layout::Layout;
use super::program::{
    ARGUMENT_1, CONTEXT, LICENCE, NumberedDisk, REQUEST, UPDATE_NEW_ONLY, find_disk, load_field,
};
use super::sampling::draw;
use crate::error::WatchError;
use crate::sample::Submitter;

/// Names of threads on all disks and in all groups that are counted at a time: 50 kB.
const ENTRIES_MAX: u32 = 1024;
/// Above this number, names without a request in the interval are dropped.
const ENTRIES_KEPT: usize = 512;

/// Bytes of a thread's name.
const NAME_BYTES: usize = 16;
const KEY_BYTES: u32 = 32;
const COUNT_BYTES: u32 = 8;

/// What a counted request stands for.
pub(super) const WEIGHT: Register = R8;

/// Places on the stack: the key (group, disk, padding, name), and the first count.
const KEY: i16 = -32;
const KEY_DISK: i16 = -24;
const KEY_PADDING: i16 = -20;
const KEY_NAME: i16 = -16;
const COUNT: i16 = -40;

/// The requests of a control group on a disk, by name.
pub(crate) type SubmittersOfGroups = HashMap<(u64, usize), Vec<Submitter>>;

pub(crate) struct SubmitterReader {
    map: BpfMap,
    buffer: Vec<u8>,
    earlier: HashMap<Vec<u8>, u64>,
    program: BpfProgram,
    _link: BpfLink,
}

impl SubmitterReader {
    /// `None` where the kernel has no such tracepoint, charges I/O to no group, or refuses the
    /// program: who waits is then known by group only.
    pub(super) fn open(
        name: &str,
        layout: &Layout,
        disks: &[NumberedDisk],
        mask: i32,
    ) -> Option<Self> {
        let (submission, group) = (layout.submission?, layout.request.io.group.as_deref()?);
        let map =
            BpfMap::create(BpfMapKind::Hash, name, KEY_BYTES, COUNT_BYTES, ENTRIES_MAX).ok()?;
        let counts = map.raw_descriptor();
        let instructions = build(layout, group, disks, counts, mask).ok()?;
        let program = BpfProgram::load(name, &instructions, submission, LICENCE).ok()?;
        let link = program.attach().ok()?;
        let (buffer, earlier) = (map.new_buffer(), HashMap::new());
        Some(Self { map, buffer, earlier, program, _link: link })
    }

    pub(crate) const fn program(&self) -> &BpfProgram {
        &self.program
    }

    pub(super) fn map_descriptor(&self) -> i32 {
        self.map.raw_descriptor()
    }

    /// Those with a request since the last time.
    pub(crate) fn read(&mut self) -> Result<SubmittersOfGroups, WatchError> {
        let mut found = SubmittersOfGroups::new();
        let mut idle = Vec::new();
        for key in self.list_keys().map_err(WatchError::Kernel)? {
            if !self.map.read_values(&key, &mut self.buffer).map_err(WatchError::Kernel)? {
                continue;
            }
            let now = parse_u64(&self.buffer);
            let requests = now.wrapping_sub(self.earlier.get(&key).copied().unwrap_or(0));
            match parse_key(&key).filter(|_| requests > 0) {
                Some((group, disk, name)) => {
                    found.entry((group, disk)).or_default().push(Submitter { name, requests });
                }
                None => idle.push(key.clone()),
            }
            self.earlier.insert(key, now);
        }
        if self.earlier.len() > ENTRIES_KEPT {
            for key in idle {
                self.map.delete(&key).map_err(WatchError::Kernel)?;
                self.earlier.remove(&key);
            }
        }
        Ok(found)
    }

    fn list_keys(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut keys: Vec<Vec<u8>> = Vec::new();
        while keys.len() < ENTRIES_MAX as usize {
            match self.map.next_key(keys.last().map(Vec::as_slice))? {
                Some(key) => keys.push(key),
                None => break,
            }
        }
        Ok(keys)
    }
}

fn parse_u64(bytes: &[u8]) -> u64 {
    bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_ne_bytes(*bytes))
}

/// Group, disk, and the name up to its first zero; any bytes may be in it.
fn parse_key(key: &[u8]) -> Option<(u64, usize, String)> {
    let (group, rest) = key.split_first_chunk::<8>()?;
    let (disk, rest) = rest.split_first_chunk::<4>()?;
    let name = rest.get(4..4 + NAME_BYTES)?;
    let name = name.split(|byte| *byte == 0).next()?;
    let disk = u32::from_ne_bytes(*disk) as usize;
    Some((u64::from_ne_bytes(*group), disk, String::from_utf8_lossy(name).into_owned()))
}

/// Counts a request that is drawn.
pub(super) fn build(
    layout: &Layout,
    group: &[Field],
    disks: &[NumberedDisk],
    counts: i32,
    mask: i32,
) -> Result<Vec<u64>, JumpError> {
    let mut assembler = Assembler::default();
    let out = assembler.new_label();
    let a = &mut assembler;
    a.set(CONTEXT, R1);
    draw(a, mask, WEIGHT, out);
    a.load(Size::Double, REQUEST, CONTEXT, ARGUMENT_1);
    find_disk(a, layout, &layout.request.io, disks, out);
    count_submitter(a, group, counts, out);
    a.place(out);
    a.exit();
    assembler.finish()
}

/// Adds the weight to the count of the group, the disk whose place is in R3, and the thread.
pub(super) fn count_submitter(a: &mut Assembler, group: &[Field], counts: i32, out: Label) {
    a.store(Size::Word, R10, KEY_DISK, R3);
    a.set(R1, 0);
    a.store(Size::Word, R10, KEY_PADDING, R1);
    a.set(R1, REQUEST);
    for pointer in group {
        load_field(a, R1, R1, *pointer);
    }
    a.store(Size::Double, R10, KEY, R1);
    a.point_to_stack(R1, KEY_NAME);
    a.set(R2, NAME_BYTES as i32);
    a.call(Function::CurrentName);
    let found = a.new_label();
    a.look_up(counts, KEY);
    a.jump_if(R0, NotEqual, 0, found);
    a.store(Size::Double, R10, COUNT, WEIGHT);
    a.point_to_stack(R3, COUNT);
    // Two processors may be here at once: the count of the second is lost.
    a.update(counts, KEY, UPDATE_NEW_ONLY);
    a.jump(out);
    a.place(found);
    a.atomic_add(Size::Double, R0, 0, WEIGHT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_group_disk_and_name() {
        let mut key = vec![0; KEY_BYTES as usize];
        key[..8].copy_from_slice(&7_u64.to_ne_bytes());
        key[8..12].copy_from_slice(&3_u32.to_ne_bytes());
        key[16..21].copy_from_slice(b"dd\xff\0x");
        assert_eq!(parse_key(&key), Some((7, 3, "dd\u{fffd}".to_owned())));
        key[16..].copy_from_slice(b"0123456789abcdef");
        assert_eq!(parse_key(&key).unwrap().2, "0123456789abcdef");
        assert_eq!(parse_key(&key[..20]), None);
    }
}
