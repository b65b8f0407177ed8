//! `bpf(2)`: maps, tracing programs and their statistics. Descriptors only: nothing is pinned, so
//! all of it is gone when the last owner is dropped.

mod ring;

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use rustix::fs::{FsWord, fstatfs};
use rustix::process::{Resource, Rlimit};

pub use ring::BpfRing;

/// `enum bpf_cmd` of linux/bpf.h.
#[derive(Debug, Clone, Copy)]
enum Command {
    MapCreate = 0,
    MapLookup = 1,
    MapUpdate = 2,
    MapDelete = 3,
    MapNextKey = 4,
    ProgramLoad = 5,
    ProgramNextId = 11,
    ObjectInfo = 15,
    TracepointOpen = 17,
    EnableStatistics = 32,
}

/// `enum bpf_map_type`, those in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BpfMapKind {
    Hash = 1,
    Array = 2,
    /// Each processor has its own value of a key.
    PerCpuArray = 6,
    /// Its least recently used entries make room for new ones.
    RecentHash = 9,
    /// See [`BpfRing`].
    Ring = 27,
}

/// `BPF_PROG_TYPE_TRACING`, attached as `BPF_TRACE_RAW_TP`: loads through typed pointers of the
/// kernel's own type information, no probe reads.
const PROGRAM_TRACING: u32 = 26;
const ATTACH_TRACEPOINT: u32 = 23;
/// A kernel's names end with a zero.
const NAME_MAX: usize = 15;
const LOG_BYTES: usize = 64 << 10;
const POSSIBLE: &str = "/sys/devices/system/cpu/possible";
/// `SYSFS_MAGIC` of linux/magic.h.
const SYSFS: FsWord = 0x6265_6572;
/// Eight times what a kernel of any architecture can have (`CONFIG_NR_CPUS`).
const PROCESSORS_MAX: usize = 1 << 16;
/// `struct bpf_prog_info` up to `recursion_misses` (Linux 5.12).
const INFO_BYTES: usize = 216;

/// `union bpf_attr`; larger than any kernel's, which wants the rest to be zero.
struct Attributes {
    bytes: [u8; 128],
}

impl Attributes {
    fn new() -> Self {
        Self { bytes: [0; 128] }
    }

    fn u32(mut self, offset: usize, value: u32) -> Self {
        self.bytes[offset..offset + 4].copy_from_slice(&value.to_ne_bytes());
        self
    }

    fn u64(mut self, offset: usize, value: u64) -> Self {
        self.bytes[offset..offset + 8].copy_from_slice(&value.to_ne_bytes());
        self
    }

    fn descriptor(self, offset: usize, descriptor: &OwnedFd) -> Self {
        self.u32(offset, descriptor.as_raw_fd() as u32)
    }

    /// What the kernel reads. The address is exposed, because the kernel makes a pointer of it.
    fn input<T>(self, offset: usize, values: &[T]) -> Self {
        self.u64(offset, values.as_ptr().expose_provenance() as u64)
    }

    /// What the kernel writes; an empty buffer has no address.
    fn output(self, offset: usize, bytes: &mut [u8]) -> Self {
        let address = match bytes {
            [] => 0,
            _ => bytes.as_mut_ptr().expose_provenance() as u64,
        };
        self.u64(offset, address)
    }

    fn name(mut self, offset: usize, name: &str) -> Self {
        let bytes = name.bytes().take(NAME_MAX);
        self.bytes[offset..].iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
        self
    }

    fn read_u32(&self, offset: usize) -> u32 {
        self.bytes[offset..offset + 4].try_into().map_or(0, u32::from_ne_bytes)
    }
}

/// # Safety
/// Every address in the attributes is of memory that lives until the call returns, and that is as
/// long as the kernel reads or writes for this command.
unsafe fn call(command: Command, attributes: &mut Attributes) -> io::Result<i64> {
    // SAFETY: the attributes are 128 initialised bytes; what they point to is up to the caller.
    let result = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            command as libc::c_int,
            attributes.bytes.as_mut_ptr(),
            attributes.bytes.len(),
        )
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// For commands that return a descriptor.
///
/// # Safety
/// As of [`call`].
unsafe fn open(command: Command, attributes: &mut Attributes) -> io::Result<OwnedFd> {
    // SAFETY: the caller's promise.
    let descriptor = unsafe { call(command, attributes)? };
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor as RawFd) })
}

#[derive(Debug)]
pub struct BpfMap {
    descriptor: OwnedFd,
    key_bytes: usize,
    /// Of one processor, rounded up to eight.
    value_bytes: usize,
    processors: usize,
}

impl BpfMap {
    pub fn create(
        kind: BpfMapKind,
        name: &str,
        key_bytes: u32,
        value_bytes: u32,
        entries: u32,
    ) -> io::Result<Self> {
        // Before Linux 5.11 maps count as locked memory.
        let unlimited = Rlimit { current: None, maximum: None };
        let _ = rustix::process::setrlimit(Resource::Memlock, unlimited);
        let mut attributes = Attributes::new()
            .u32(0, kind as u32)
            .u32(4, key_bytes)
            .u32(8, value_bytes)
            .u32(12, entries)
            .name(28, name);
        // SAFETY: there is no address in these attributes.
        let descriptor = unsafe { open(Command::MapCreate, &mut attributes)? };
        Ok(Self {
            descriptor,
            key_bytes: key_bytes as usize,
            value_bytes: (value_bytes as usize).next_multiple_of(8),
            processors: match kind {
                BpfMapKind::PerCpuArray => count_possible_processors()?,
                BpfMapKind::Hash
                | BpfMapKind::Array
                | BpfMapKind::RecentHash
                | BpfMapKind::Ring => 1,
            },
        })
    }

    /// For a program that uses this map.
    pub fn raw_descriptor(&self) -> i32 {
        self.descriptor.as_raw_fd()
    }

    /// Memory for the value of one key, or for the values that all processors have of it.
    pub fn new_buffer(&self) -> Vec<u8> {
        vec![0; self.value_bytes * self.processors]
    }

    /// The values of a buffer, processor by processor.
    pub fn split_buffer<'a>(&self, buffer: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        buffer.chunks_exact(self.value_bytes)
    }

    /// Fills a buffer with the values of a key; `false` when there is no such key.
    pub fn read_values(&self, key: &[u8], buffer: &mut Vec<u8>) -> io::Result<bool> {
        self.check_key(key)?;
        buffer.resize(self.value_bytes * self.processors, 0);
        let mut attributes =
            Attributes::new().descriptor(0, &self.descriptor).input(8, key).output(16, buffer);
        // SAFETY: the key has the map's length, and the buffer has room for a value of every
        // processor that this kernel may ever have.
        match unsafe { call(Command::MapLookup, &mut attributes) } {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The key after this one, or the first; `None` after the last. Keys that come and go
    /// meanwhile may be missed, or found twice.
    pub fn next_key(&self, key: Option<&[u8]>) -> io::Result<Option<Vec<u8>>> {
        let mut next = vec![0; self.key_bytes];
        let mut attributes =
            Attributes::new().descriptor(0, &self.descriptor).output(16, &mut next);
        if let Some(key) = key {
            self.check_key(key)?;
            attributes = attributes.input(8, key);
        }
        // SAFETY: both keys have the map's length; an address of zero asks for the first.
        match unsafe { call(Command::MapNextKey, &mut attributes) } {
            Ok(_) => Ok(Some(next)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sets the value of a key, of a map whose processors share it.
    pub fn write_value(&self, key: &[u8], value: &[u8]) -> io::Result<()> {
        self.check_key(key)?;
        if self.processors != 1 || value.len() != self.value_bytes {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut attributes =
            Attributes::new().descriptor(0, &self.descriptor).input(8, key).input(16, value);
        // SAFETY: key and value have the map's lengths.
        unsafe { call(Command::MapUpdate, &mut attributes).map(drop) }
    }

    /// Does nothing when there is no such key.
    pub fn delete(&self, key: &[u8]) -> io::Result<()> {
        self.check_key(key)?;
        let mut attributes = Attributes::new().descriptor(0, &self.descriptor).input(8, key);
        // SAFETY: the key has the map's length.
        match unsafe { call(Command::MapDelete, &mut attributes) } {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn check_key(&self, key: &[u8]) -> io::Result<()> {
        let fits = key.len() == self.key_bytes;
        if fits { Ok(()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }
}

/// At least as many processors as this kernel may ever have: it writes a value of each into a
/// buffer, whose length nobody else checks. So only the kernel's own file counts.
pub fn count_possible_processors() -> io::Result<usize> {
    let wrong =
        |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{POSSIBLE} {what}"));
    let file = File::open(POSSIBLE)?;
    if fstatfs(&file)?.f_type != SYSFS {
        return Err(wrong("is not of the kernel"));
    }
    let text = io::read_to_string(file)?;
    last_processor(&text).map(|last| last + 1).ok_or_else(|| wrong("is not a list of processors"))
}

/// The last number of `0-7` or `0,2-3`. A list that does not ascend is invalid.
fn last_processor(list: &str) -> Option<usize> {
    let mut last = None;
    for range in list.trim_end().split(',') {
        let (first, end) = range.split_once('-').unwrap_or((range, range));
        let (first, end): (usize, usize) = (first.parse().ok()?, end.parse().ok()?);
        if last.is_some_and(|last| first <= last) || end < first || end >= PROCESSORS_MAX {
            return None;
        }
        last = Some(end);
    }
    last
}

/// Why a program was not loaded.
#[derive(Debug, thiserror::Error)]
#[error("the kernel refused the program: {source}{}", last_line(log))]
pub struct BpfLoadError {
    pub source: io::Error,
    /// The verifier's log.
    pub log: String,
}

fn last_line(log: &str) -> String {
    // The lines after it are statistics.
    let said = |line: &&str| !line.is_empty() && !line.starts_with("processed ");
    log.lines().rev().find(said).map(|line| format!(" ({line})")).unwrap_or_default()
}

#[derive(Debug)]
pub struct BpfProgram {
    descriptor: OwnedFd,
}

/// A program at its tracepoint, until dropped.
#[derive(Debug)]
pub struct BpfLink {
    _descriptor: OwnedFd,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BpfStatistics {
    pub id: u32,
    /// Time spent in the program, and how often it ran, while statistics are enabled.
    pub run_time_ns: u64,
    pub run_count: u64,
    /// Events that came while the program ran on the same processor.
    pub missed: u64,
}

impl BpfProgram {
    /// Loads a program for the tracepoint whose type is `type_id` in the kernel's BTF.
    pub fn load(
        name: &str,
        instructions: &[u64],
        type_id: u32,
        licence: &CStr,
    ) -> Result<Self, BpfLoadError> {
        let load = |log: &mut [u8]| {
            let level = u32::from(!log.is_empty());
            let mut attributes = Attributes::new()
                .u32(0, PROGRAM_TRACING)
                .u32(4, instructions.len() as u32)
                .input(8, instructions)
                .input(16, licence.to_bytes_with_nul())
                .u32(24, level)
                .u32(28, log.len() as u32)
                .output(32, log)
                .name(48, name)
                .u32(68, ATTACH_TRACEPOINT)
                .u32(108, type_id);
            // SAFETY: instructions, licence and log outlive the call; their lengths are given.
            unsafe { open(Command::ProgramLoad, &mut attributes) }
        };
        // The log costs time, so it is asked for only when there is something to explain.
        let mut log = vec![0; LOG_BYTES];
        match load(&mut []).or_else(|_| load(&mut log)) {
            Ok(descriptor) => Ok(Self { descriptor }),
            Err(source) => {
                let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
                Err(BpfLoadError { source, log: String::from_utf8_lossy(&log[..end]).into_owned() })
            }
        }
    }

    pub fn attach(&self) -> io::Result<BpfLink> {
        let mut attributes = Attributes::new().descriptor(8, &self.descriptor);
        // SAFETY: there is no address: the program names its tracepoint.
        let descriptor = unsafe { open(Command::TracepointOpen, &mut attributes)? };
        Ok(BpfLink { _descriptor: descriptor })
    }

    pub fn statistics(&self) -> io::Result<BpfStatistics> {
        let mut info = [0_u8; INFO_BYTES];
        let mut attributes = Attributes::new()
            .descriptor(0, &self.descriptor)
            .u32(4, INFO_BYTES as u32)
            .output(8, &mut info);
        // SAFETY: the kernel writes no more than the stated length; all addresses within are zero.
        unsafe { call(Command::ObjectInfo, &mut attributes)? };
        let u64_at =
            |offset: usize| info[offset..offset + 8].try_into().map_or(0, u64::from_ne_bytes);
        Ok(BpfStatistics {
            id: info[4..8].try_into().map_or(0, u32::from_ne_bytes),
            run_time_ns: u64_at(192),
            run_count: u64_at(200),
            missed: u64_at(208),
        })
    }
}

/// Lets the kernel time every program until the descriptor is closed (Linux 5.8).
pub fn enable_bpf_statistics() -> io::Result<OwnedFd> {
    // SAFETY: there is no address in these attributes.
    unsafe { open(Command::EnableStatistics, &mut Attributes::new()) }
}

/// The ids of all programs of the host.
pub fn list_bpf_programs() -> io::Result<Vec<u32>> {
    let mut ids = Vec::new();
    let mut last = 0;
    loop {
        let mut attributes = Attributes::new().u32(0, last);
        // SAFETY: there is no address in these attributes; the answer is written into them.
        match unsafe { call(Command::ProgramNextId, &mut attributes) } {
            Ok(_) => last = attributes.read_u32(4),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ids),
            Err(error) => return Err(error),
        }
        ids.push(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verifiers_reason_is_quoted_without_its_statistics() {
        let log = "0: (95) exit\nR0 !read_ok\nprocessed 1 insns (limit 1000000)\n\n";
        assert_eq!(last_line(log), " (R0 !read_ok)");
        assert_eq!(last_line(""), "");
    }

    #[test]
    fn a_list_of_processors_is_whole_or_none() {
        let check = |list: &str, last: Option<usize>| {
            assert_eq!(last_processor(list), last, "{list}");
        };
        check("0\n", Some(0));
        check("0-7\n", Some(7));
        check("0,2-3", Some(3));
        for wrong in
            ["", "\n", "0-", "-3", "0-7,x", "x,0-7", "3-1", "0-7,5", "0,,1", "0-4294967295"]
        {
            check(wrong, None);
        }
    }

    #[test]
    fn a_map_holds_a_value_of_each_processor() {
        lab::skip_unless!(lab::Need::Root);
        let map = BpfMap::create(BpfMapKind::PerCpuArray, "test", 4, 20, 2).unwrap();
        let mut buffer = map.new_buffer();
        assert!(map.read_values(&1_u32.to_ne_bytes(), &mut buffer).unwrap());
        assert_eq!(buffer.len(), 24 * count_possible_processors().unwrap());
        assert!(!map.read_values(&2_u32.to_ne_bytes(), &mut buffer).unwrap());
        assert!(map.read_values(&[0; 3], &mut buffer).is_err());
        let first = map.next_key(None).unwrap().unwrap();
        let second = map.next_key(Some(&first)).unwrap().unwrap();
        assert_eq!((first, map.next_key(Some(&second)).unwrap()), (vec![0; 4], None));
        assert!(map.write_value(&1_u32.to_ne_bytes(), &[1; 24]).is_err());
    }

    #[test]
    fn a_value_is_written_and_read() {
        lab::skip_unless!(lab::Need::Root);
        let map = BpfMap::create(BpfMapKind::Array, "test", 4, 8, 1).unwrap();
        let mut buffer = map.new_buffer();
        map.write_value(&[0; 4], &7_u64.to_ne_bytes()).unwrap();
        assert!(map.read_values(&[0; 4], &mut buffer).unwrap());
        assert_eq!(buffer, 7_u64.to_ne_bytes());
        assert!(map.write_value(&[0; 4], &[0; 4]).is_err());
    }
}
