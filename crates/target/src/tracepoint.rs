//! The kernel's tracepoints: what each records, and rings that get the records.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::Ordering;

use rustix::fs::{Mode, OFlags, openat};
use rustix::mm::ProtFlags;
use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsmount, fsopen};
use rustix::param::page_size;

use crate::mapping::Mapping;
use crate::roots::Roots;

/// Where tracefs is mounted, if it is.
const MOUNTED_AT: [&str; 2] = ["kernel/tracing", "kernel/debug/tracing"];

/// A tracepoint of this kernel.
#[derive(Debug, Clone)]
pub struct Tracepoint {
    /// The number that its records begin with.
    pub id: u64,
    fields: HashMap<String, TraceField>,
}

/// Where a field is in a record, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceField {
    offset: usize,
    bytes: usize,
}

impl TraceField {
    /// A number of up to eight bytes.
    pub fn read(self, record: &[u8]) -> Option<u64> {
        let mut word = [0; 8];
        let bytes = self.read_bytes(record)?;
        if cfg!(target_endian = "big") {
            word.get_mut(8_usize.checked_sub(self.bytes)?..)?.copy_from_slice(bytes);
        } else {
            word.get_mut(..self.bytes)?.copy_from_slice(bytes);
        }
        Some(u64::from_ne_bytes(word))
    }

    pub fn read_bytes(self, record: &[u8]) -> Option<&[u8]> {
        record.get(self.offset..self.offset.checked_add(self.bytes)?)
    }
}

/// The folder of all tracepoints.
#[derive(Debug)]
pub struct Tracepoints {
    folder: OwnedFd,
}

impl Tracepoints {
    /// Where tracefs is not mounted, it is mounted where no path leads (Linux 5.2), until dropped.
    pub fn open(roots: &Roots) -> io::Result<Self> {
        let mounted = MOUNTED_AT.map(|path| roots.sys.join(path));
        if let Some(path) = mounted.iter().find(|path| path.join("events").is_dir()) {
            return Ok(Self { folder: File::open(path)?.into() });
        }
        // Without the place to mount it at, this kernel has none.
        if !mounted[0].is_dir() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let context = fsopen("tracefs", FsOpenFlags::FSOPEN_CLOEXEC)?;
        fsconfig_create(context.as_fd())?;
        let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY;
        let folder = fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?;
        Ok(Self { folder })
    }

    /// Finds `block/block_rq_complete`.
    pub fn find(&self, name: &str) -> io::Result<Tracepoint> {
        let id = self.read(&format!("events/{name}/id"))?;
        let id = id.trim().parse().map_err(|_| io::ErrorKind::InvalidData)?;
        let fields = parse_format(&self.read(&format!("events/{name}/format"))?);
        Ok(Tracepoint { id, fields })
    }

    fn read(&self, path: &str) -> io::Result<String> {
        let file = openat(&self.folder, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let mut text = String::new();
        File::from(file).read_to_string(&mut text)?;
        Ok(text)
    }
}

impl Tracepoint {
    pub fn field(&self, name: &str) -> Option<TraceField> {
        self.fields.get(name).copied()
    }
}

/// Lines like `field:sector_t sector; offset:16; size:8; signed:0;`.
fn parse_format(text: &str) -> HashMap<String, TraceField> {
    let field = |line: &str| {
        let (declaration, rest) = line.trim().strip_prefix("field:")?.split_once(';')?;
        let name = declaration.rsplit(' ').next()?.split('[').next()?;
        let number = |word: &str| {
            rest.split(';').find_map(|part| part.trim().strip_prefix(word)?.parse().ok())
        };
        Some((name.to_owned(), TraceField { offset: number("offset:")?, bytes: number("size:")? }))
    };
    text.lines().filter_map(field).collect()
}

/// `struct perf_event_attr` up to its clock (Linux 4.1).
const ATTRIBUTE_BYTES: usize = 96;
const TYPE_TRACEPOINT: u32 = 2;
/// `PERF_SAMPLE_TIME | PERF_SAMPLE_RAW`
const SAMPLE_TIME_AND_RECORD: u64 = 1 << 2 | 1 << 10;
/// `use_clockid`
const OWN_CLOCK: u64 = 1 << 25;
const CLOCK_MONOTONIC: u32 = 1;
const FLAG_CLOSE_ON_EXEC: libc::c_ulong = 8;
/// `PERF_EVENT_IOC_SET_OUTPUT`
const SET_OUTPUT: u32 = 0x2405;

/// Places in the first page: how far the kernel has written, and how far was read.
const HEAD: usize = 1024;
const TAIL: usize = 1032;

const RECORD_LOST: u32 = 2;
const RECORD_SAMPLE: u32 = 9;
const HEADER_BYTES: usize = 8;

/// The records of some tracepoints on one processor. Dropping it ends them.
#[derive(Debug)]
pub struct TraceRing {
    pages: Mapping,
    bytes: usize,
    read: u64,
    record: Vec<u8>,
    _events: Vec<OwnedFd>,
}

impl TraceRing {
    /// `bytes` is a power of two of pages. `None` for a processor that is off.
    pub fn open(processor: u32, tracepoints: &[u64], bytes: usize) -> io::Result<Option<Self>> {
        let mut events: Vec<OwnedFd> = Vec::new();
        for id in tracepoints {
            match open_event(processor, *id) {
                Err(error) if error.raw_os_error() == Some(libc::ENODEV) => return Ok(None),
                event => events.push(event?),
            }
        }
        let [first, others @ ..] = &events[..] else { return Ok(None) };
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let pages = Mapping::new(first, 0, page_size() + bytes, protection)?;
        for other in others {
            // SAFETY: the argument is a descriptor, no address.
            let result =
                unsafe { libc::ioctl(other.as_raw_fd(), SET_OUTPUT as _, first.as_raw_fd()) };
            if result < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(Some(Self { pages, bytes, read: 0, record: Vec::new(), _events: events }))
    }

    /// Hands out each record with its time (of the monotonic clock), oldest first, and returns how
    /// many found no room since the last time.
    pub fn read(&mut self, mut take: impl FnMut(u64, &[u8])) -> u64 {
        let head = self.pages.word(HEAD).load(Ordering::Acquire);
        let mut lost = 0;
        while self.read < head {
            let mut header = [0; HEADER_BYTES];
            self.copy(self.read, &mut header);
            let [kind @ .., _, _, s1, s2] = header;
            let length = usize::from(u16::from_ne_bytes([s1, s2])).max(HEADER_BYTES);
            let mut record = std::mem::take(&mut self.record);
            record.resize(length, 0);
            self.copy(self.read, &mut record);
            let body = &record[HEADER_BYTES..];
            match u32::from_ne_bytes(kind) {
                RECORD_SAMPLE => take_sample(body, &mut take),
                RECORD_LOST => lost += read_u64(body, 8).unwrap_or(0),
                _ => {}
            }
            self.record = record;
            self.read += length as u64;
        }
        // From here on the kernel may write over what was read.
        self.pages.word(TAIL).store(self.read, Ordering::Release);
        lost
    }

    /// A record may go on at the start of the ring.
    fn copy(&self, position: u64, bytes: &mut [u8]) {
        let place = (position % self.bytes as u64) as usize;
        let (first, second) = bytes.split_at_mut(bytes.len().min(self.bytes - place));
        self.pages.copy(page_size() + place, first);
        self.pages.copy(page_size(), second);
    }
}

/// The time, the length of the record, and the record.
fn take_sample(body: &[u8], take: &mut impl FnMut(u64, &[u8])) {
    let Some(time_ns) = read_u64(body, 0) else { return };
    let length = body.get(8..12).and_then(|bytes| bytes.try_into().ok()).map(u32::from_ne_bytes);
    let record = length.and_then(|length| body.get(12..12 + length as usize));
    if let Some(record) = record {
        take(time_ns, record);
    }
}

fn read_u64(bytes: &[u8], place: usize) -> Option<u64> {
    bytes.get(place..place + 8)?.try_into().ok().map(u64::from_ne_bytes)
}

/// On all processes of a processor.
fn open_event(processor: u32, tracepoint: u64) -> io::Result<OwnedFd> {
    let mut attributes = [0_u8; ATTRIBUTE_BYTES];
    let mut set = |place: usize, bytes: &[u8]| {
        attributes[place..place + bytes.len()].copy_from_slice(bytes);
    };
    set(0, &TYPE_TRACEPOINT.to_ne_bytes());
    set(4, &(ATTRIBUTE_BYTES as u32).to_ne_bytes());
    set(8, &tracepoint.to_ne_bytes());
    // Each one.
    set(16, &1_u64.to_ne_bytes());
    set(24, &SAMPLE_TIME_AND_RECORD.to_ne_bytes());
    set(40, &OWN_CLOCK.to_ne_bytes());
    set(92, &CLOCK_MONOTONIC.to_ne_bytes());
    let (all_processes, no_group): (libc::pid_t, libc::c_int) = (-1, -1);
    // SAFETY: the attributes are as many initialised bytes as they say.
    let result = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            attributes.as_ptr(),
            all_processes,
            processor as libc::c_int,
            no_group,
            FLAG_CLOSE_ON_EXEC,
        )
    };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(result as RawFd) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_says_where_each_field_is() {
        let fields = parse_format(
            "name: block_rq_issue\nID: 2104\nformat:\n\
             \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\
             \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
             \tfield:char rwbs[10];\toffset:12;\tsize:2;\tsigned:0;\n\
             print fmt: \"%d,%d %s\", REC->dev\n",
        );
        assert_eq!(fields.len(), 3);
        let record = [1, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, b'W', b'S'];
        let read = |name: &str| fields[name].read(&record);
        assert_eq!((read("common_type"), read("dev")), (Some(1), Some(0x80_0010)));
        assert_eq!(fields["rwbs"].read_bytes(&record), Some(&b"WS"[..]));
        assert_eq!(fields["dev"].read(&record[..10]), None);
    }

    #[test]
    fn a_sample_that_is_cut_is_none() {
        let mut taken = Vec::new();
        let mut body = 7_u64.to_ne_bytes().to_vec();
        body.extend(3_u32.to_ne_bytes());
        body.extend(b"abc..");
        take_sample(&body, &mut |time, record| taken.push((time, record.to_vec())));
        take_sample(&body[..14], &mut |time, record| taken.push((time, record.to_vec())));
        take_sample(&body[..9], &mut |time, record| taken.push((time, record.to_vec())));
        assert_eq!(taken, [(7, b"abc".to_vec())]);
    }
}
