//! How a range of a file is allocated: FIEMAP.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use record::ExtentSummary;
use units::Bytes;

/// `_IOWR('f', 11, struct fiemap)`, linux/fs.h.
const FS_IOC_FIEMAP: libc::c_ulong = 0xC020_660B;
/// Write out delayed allocations first.
const FIEMAP_FLAG_SYNC: u32 = 0x1;
const EXTENT_LAST: u32 = 0x1;
const EXTENT_DELALLOC: u32 = 0x4;
const EXTENT_ENCODED: u32 = 0x8;
const EXTENT_DATA_INLINE: u32 = 0x200;
const EXTENT_UNWRITTEN: u32 = 0x800;
const EXTENT_SHARED: u32 = 0x2000;
/// Extents per call.
const BATCH: usize = 128;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

#[repr(C)]
struct Request {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    count: u32,
    reserved: u32,
    extents: [Extent; BATCH],
}

/// How `length` bytes from `offset` of `file` are allocated; `None` where the file system cannot
/// say.
///
/// # Errors
/// When the system refuses for another reason.
pub fn extents(file: &File, offset: Bytes, length: Bytes) -> io::Result<Option<ExtentSummary>> {
    let end = offset.0 + length.0;
    let mut summary = ExtentSummary { length, ..ExtentSummary::default() };
    let mut place = offset.0;
    while place < end {
        let request = match query(file, place, end - place) {
            Ok(request) => request,
            Err(error) => {
                let cannot = [libc::EOPNOTSUPP, libc::ENOTTY, libc::EINVAL, libc::ENOSYS];
                return match error.raw_os_error() {
                    Some(code) if cannot.contains(&code) => Ok(None),
                    _ => Err(error),
                };
            }
        };
        let found = &request.extents[..request.mapped as usize];
        for extent in found {
            place = add(&mut summary, extent, place, end);
        }
        if found.last().is_none_or(|extent| extent.flags & EXTENT_LAST != 0) {
            break;
        }
    }
    summary.holes.0 += end.saturating_sub(place);
    Ok(Some(summary))
}

/// Counts one extent; returns where the next is expected.
fn add(summary: &mut ExtentSummary, extent: &Extent, place: u64, end: u64) -> u64 {
    let start = extent.logical.max(place);
    let stop = (extent.logical + extent.length).min(end);
    if start >= stop {
        return place;
    }
    summary.holes.0 += start - place;
    summary.extents += 1;
    let length = stop - start;
    for (flag, sum) in [
        (EXTENT_UNWRITTEN, &mut summary.unwritten),
        (EXTENT_DELALLOC, &mut summary.delayed),
        (EXTENT_ENCODED, &mut summary.encoded),
        (EXTENT_SHARED, &mut summary.shared),
        (EXTENT_DATA_INLINE, &mut summary.inline),
    ] {
        if extent.flags & flag != 0 {
            sum.0 += length;
        }
    }
    stop
}

fn query(file: &File, start: u64, length: u64) -> io::Result<Box<Request>> {
    let mut request = Box::new(Request {
        start,
        length,
        flags: FIEMAP_FLAG_SYNC,
        mapped: 0,
        count: BATCH as u32,
        reserved: 0,
        extents: [Extent::default(); BATCH],
    });
    // SAFETY: the request has the layout of struct fiemap followed by `count` extents, and stays
    // alive and exclusive during the call.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP, &raw mut *request) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(request) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{FallocateFlags, fallocate};
    use std::io::{Seek, SeekFrom, Write};

    /// A file on the real disk: /tmp may be memory, which has no extents.
    fn file() -> File {
        tempfile::tempfile_in("/var/tmp").unwrap()
    }

    #[test]
    fn written_sparse_and_preallocated_are_told_apart() {
        let length = Bytes::mib(4);
        let written = file();
        (&written).write_all(&vec![7; length.0 as usize]).unwrap();
        let summary = extents(&written, Bytes(0), length).unwrap().unwrap();
        assert_eq!(summary.without_media(), Bytes(0));
        assert!(summary.extents >= 1);

        let mut sparse = file();
        sparse.seek(SeekFrom::Start(Bytes::MIB)).unwrap();
        sparse.write_all(&[1; 4096]).unwrap();
        sparse.set_len(length.0).unwrap();
        let summary = extents(&sparse, Bytes(0), length).unwrap().unwrap();
        assert_eq!(summary.holes, Bytes(length.0 - 4096));

        let preallocated = file();
        fallocate(&preallocated, FallocateFlags::empty(), 0, length.0).unwrap();
        let summary = extents(&preallocated, Bytes(0), length).unwrap().unwrap();
        assert_eq!(summary.unwritten, length);
        let middle = extents(&preallocated, Bytes::mib(1), Bytes::mib(2)).unwrap().unwrap();
        assert_eq!(middle.unwritten, Bytes::mib(2));
    }

    #[test]
    fn many_extents_are_paged_through() {
        let mut scattered = file();
        for piece in 0..400_u64 {
            scattered.seek(SeekFrom::Start(piece * 16_384)).unwrap();
            scattered.write_all(&[1; 4096]).unwrap();
        }
        scattered.sync_all().unwrap();
        let summary = extents(&scattered, Bytes(0), Bytes(400 * 16_384)).unwrap().unwrap();
        assert_eq!(summary.holes, Bytes(400 * 12_288));
    }
}
