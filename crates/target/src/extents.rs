//! How a range of a file is allocated: FIEMAP.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use record::ExtentSummary;
use units::Bytes;

/// `_IOWR('f', 11, struct fiemap)`, linux/fs.h; the type of requests differs between libcs.
const FS_IOC_FIEMAP: libc::Ioctl = 0xC020_660B_u32 as libc::Ioctl;
const FIEMAP_FLAG_SYNC: u32 = 0x1;
const EXTENT_LAST: u32 = 0x1;
const EXTENT_DELALLOC: u32 = 0x4;
const EXTENT_ENCODED: u32 = 0x8;
const EXTENT_DATA_INLINE: u32 = 0x200;
const EXTENT_UNWRITTEN: u32 = 0x800;
const EXTENT_SHARED: u32 = 0x2000;
/// The block of today's disks, whatever sector they announce.
const BLOCK: u64 = 4096;
const EXTENTS_PER_CALL: usize = 128;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct FiemapExtent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

#[repr(C)]
struct FiemapRequest {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    count: u32,
    reserved: u32,
    extents: [FiemapExtent; EXTENTS_PER_CALL],
}

/// How a range of `file` is allocated; `None` where the file system cannot say.
pub fn query_extents(
    file: &File,
    offset: Bytes,
    length: Bytes,
) -> io::Result<Option<ExtentSummary>> {
    let end = offset.0.saturating_add(length.0);
    let mut summary = ExtentSummary { length, ..ExtentSummary::default() };
    let mut place = offset.0;
    while place < end {
        let request = match call_fiemap(file, place, end - place) {
            // EINVAL: some network file systems know the call but not the flag.
            Err(error) => match error.raw_os_error() {
                Some(libc::EOPNOTSUPP | libc::ENOTTY | libc::EINVAL | libc::ENOSYS) => {
                    return Ok(None);
                }
                _ => return Err(error),
            },
            Ok(request) => request,
        };
        let found = request.extents.get(..request.mapped as usize).unwrap_or_default();
        let before = place;
        for extent in found {
            place = count_extent(&mut summary, extent, place, end);
        }
        let is_last = found.last().is_none_or(|extent| extent.flags & EXTENT_LAST != 0);
        // A file that shrinks meanwhile may answer with what is known already.
        if is_last || place == before {
            break;
        }
    }
    summary.holes.0 += end.saturating_sub(place);
    Ok(Some(summary))
}

/// Counts one extent; returns where the next is expected.
fn count_extent(summary: &mut ExtentSummary, extent: &FiemapExtent, place: u64, end: u64) -> u64 {
    let start = extent.logical.max(place);
    let stop = extent.logical.saturating_add(extent.length).min(end);
    if start >= stop {
        return place;
    }
    summary.holes.0 += start - place;
    summary.extents += 1;
    let length = stop - start;
    // What is compressed, kept in metadata, or not placed yet has no place to compare.
    let placed = extent.flags & (EXTENT_ENCODED | EXTENT_DATA_INLINE | EXTENT_DELALLOC) == 0;
    if placed && extent.physical % BLOCK != extent.logical % BLOCK {
        summary.misaligned.0 += length;
    }
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

fn call_fiemap(file: &File, start: u64, length: u64) -> io::Result<Box<FiemapRequest>> {
    let mut request = Box::new(FiemapRequest {
        start,
        length,
        flags: FIEMAP_FLAG_SYNC,
        mapped: 0,
        count: EXTENTS_PER_CALL as u32,
        reserved: 0,
        extents: [FiemapExtent::default(); EXTENTS_PER_CALL],
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
        tempfile::tempfile_in(lab::Scratch::new().unwrap().path()).unwrap()
    }

    #[test]
    fn written_sparse_and_preallocated_are_told_apart() {
        let length = Bytes::mib(4);
        let written = file();
        (&written).write_all(&vec![7; length.0 as usize]).unwrap();
        let summary = query_extents(&written, Bytes(0), length).unwrap().unwrap();
        assert_eq!(summary.bytes_without_media(), Bytes(0));
        assert!(summary.extents >= 1);

        let mut sparse = file();
        sparse.seek(SeekFrom::Start(Bytes::MIB)).unwrap();
        sparse.write_all(&[1; 4096]).unwrap();
        sparse.set_len(length.0).unwrap();
        let summary = query_extents(&sparse, Bytes(0), length).unwrap().unwrap();
        assert_eq!(summary.holes, Bytes(length.0 - 4096));

        let preallocated = file();
        fallocate(&preallocated, FallocateFlags::empty(), 0, length.0).unwrap();
        let summary = query_extents(&preallocated, Bytes(0), length).unwrap().unwrap();
        assert_eq!(summary.unwritten, length);
        let middle = query_extents(&preallocated, Bytes::mib(1), Bytes::mib(2)).unwrap().unwrap();
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
        let summary = query_extents(&scattered, Bytes(0), Bytes(400 * 16_384)).unwrap().unwrap();
        assert_eq!(summary.holes, Bytes(400 * 12_288));
    }

    #[test]
    fn what_has_no_extents_says_nothing() {
        let null = File::open("/dev/null").unwrap();
        assert_eq!(query_extents(&null, Bytes(0), Bytes::mib(1)).unwrap(), None);
        let empty = query_extents(&file(), Bytes(0), Bytes(0)).unwrap().unwrap();
        assert_eq!(empty, ExtentSummary::default());
    }

    #[test]
    fn blocks_across_two_of_the_device_s_are_counted() {
        let mut summary = ExtentSummary::default();
        // A file system of 1 KiB blocks: the second extent begins in the middle of a block.
        for (logical, physical, flags) in
            [(0, 8192, 0), (4096, 17 * 1024, 0), (8192, 21 * 1024, EXTENT_ENCODED)]
        {
            let extent =
                FiemapExtent { logical, physical, length: 4096, flags, ..FiemapExtent::default() };
            count_extent(&mut summary, &extent, logical, 1 << 20);
        }
        assert_eq!(summary.misaligned, Bytes(4096));
    }

    #[test]
    fn flags_are_counted_and_cut_to_the_range() {
        let extent = |logical, length, flags| FiemapExtent {
            logical,
            physical: logical,
            length,
            flags,
            ..FiemapExtent::default()
        };
        let mut summary = ExtentSummary::default();
        let mut place = 100;
        for found in [
            extent(0, 150, EXTENT_ENCODED | EXTENT_SHARED),
            extent(200, 50, EXTENT_DELALLOC),
            extent(250, 10, EXTENT_DATA_INLINE),
            extent(260, u64::MAX, EXTENT_UNWRITTEN | EXTENT_LAST),
        ] {
            place = count_extent(&mut summary, &found, place, 300);
        }
        let expected = ExtentSummary {
            length: Bytes(0),
            extents: 4,
            holes: Bytes(50),
            unwritten: Bytes(40),
            delayed: Bytes(50),
            encoded: Bytes(50),
            shared: Bytes(50),
            inline: Bytes(10),
            misaligned: Bytes(0),
        };
        assert_eq!((summary, place), (expected, 300));
    }
}
