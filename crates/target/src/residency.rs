//! How much of a file the page cache holds.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::ptr;

use rustix::fs::Advice;
use units::Bytes;

/// cachestat(2), Linux 6.5; the same number on every architecture.
const SYS_CACHESTAT: libc::c_long = 451;
const PAGE: u64 = 4096;

#[repr(C)]
struct Range {
    offset: u64,
    length: u64,
}

#[repr(C)]
#[derive(Default)]
struct CacheStat {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

/// How it was asked, pages of the range, and how many of them are in memory; `None` where the
/// kernel does not say.
#[must_use]
pub fn residency(file: &File, offset: Bytes, length: Bytes) -> Option<(&'static str, u64, u64)> {
    let pages = length.0.div_ceil(PAGE);
    if let Some(cached) = cachestat(file, offset.0, length.0) {
        return Some(("cachestat", pages, cached));
    }
    mincore(file, offset.0, length.0).map(|cached| ("mincore", pages, cached))
}

fn cachestat(file: &File, offset: u64, length: u64) -> Option<u64> {
    let range = Range { offset, length };
    let mut stat = CacheStat::default();
    // SAFETY: both structures have the kernel's layout and outlive the call.
    let result = unsafe {
        libc::syscall(SYS_CACHESTAT, file.as_raw_fd(), &raw const range, &raw mut stat, 0_u32)
    };
    (result == 0).then_some(stat.cached)
}

fn mincore(file: &File, offset: u64, length: u64) -> Option<u64> {
    /// Mapped at a time: 64 MiB, so that the answer takes 16 KiB.
    const WINDOW: u64 = 64 << 20;
    let mut cached = 0;
    let mut place = offset / PAGE * PAGE;
    while place < offset + length {
        let size = WINDOW.min(offset + length - place) as usize;
        let mut pages = vec![0_u8; size.div_ceil(PAGE as usize)];
        // SAFETY: a new private read-only mapping that is never read through, only asked about,
        // and unmapped before its address is forgotten; `pages` has a byte per page of it.
        let known = unsafe {
            let map = libc::mmap(
                ptr::null_mut(),
                size,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                place as i64,
            );
            if map == libc::MAP_FAILED {
                return None;
            }
            let result = libc::mincore(map, size, pages.as_mut_ptr());
            libc::munmap(map, size);
            result == 0
        };
        if !known {
            return None;
        }
        cached += pages.iter().filter(|&&page| page & 1 != 0).count() as u64;
        place += size as u64;
    }
    Some(cached)
}

/// Asks the kernel to forget the clean pages of `file`, so that earlier reads do not help.
pub fn drop_cache(file: &File) {
    // Advice: when the kernel does not take it, the residency check shows it.
    let _ = rustix::fs::fadvise(file, 0, None, Advice::DontNeed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn both_ways_count_the_same_pages() {
        let mut file = tempfile::tempfile_in("/var/tmp").unwrap();
        file.write_all(&vec![1; 1 << 20]).unwrap();
        file.sync_all().unwrap();
        let by_map = mincore(&file, 0, 1 << 20).unwrap();
        assert_eq!(by_map, 256);
        if let Some(by_stat) = cachestat(&file, 0, 1 << 20) {
            assert_eq!(by_stat, by_map);
        }
        drop_cache(&file);
        let (_, pages, cached) = residency(&file, Bytes(0), Bytes::mib(1)).unwrap();
        assert_eq!((pages, cached), (256, 0));
    }
}
