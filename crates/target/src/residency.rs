//! How much of a file the page cache holds.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt as _;
use std::ptr;

use rustix::fs::{Access, Advice, AtFlags};
use units::Bytes;

/// cachestat(2), Linux 6.5; the same number on every architecture.
const SYS_CACHESTAT: libc::c_long = 451;

#[repr(C)]
struct CacheRange {
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

/// The call, the pages of the range, and how many are in memory; `None` where the kernel does not
/// say.
pub fn query_residency(
    file: &File,
    offset: Bytes,
    length: Bytes,
) -> Option<(&'static str, u64, u64)> {
    let pages = count_pages(offset.0, length.0);
    if let Some(cached) = cachestat(file, offset.0, length.0) {
        return Some(("cachestat", pages, cached));
    }
    let cached = mincore(file, offset.0, length.0).filter(|_| can_query(file))?;
    Some(("mincore", pages, cached))
}

fn count_pages(offset: u64, length: u64) -> u64 {
    let page = page_size();
    offset.saturating_add(length).div_ceil(page) - offset / page
}

fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

/// To those who may not write a file, mincore answers that all of it is in memory (Linux 5.2).
fn can_query(file: &File) -> bool {
    let is_owner = file.metadata().is_ok_and(|metadata| {
        let user = rustix::process::geteuid();
        user.is_root() || metadata.uid() == user.as_raw()
    });
    let flags = AtFlags::EMPTY_PATH | AtFlags::EACCESS;
    is_owner || rustix::fs::accessat(file, "", Access::WRITE_OK, flags).is_ok()
}

fn cachestat(file: &File, offset: u64, length: u64) -> Option<u64> {
    let range = CacheRange { offset, length };
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
    let page = page_size();
    let end = offset.saturating_add(length);
    let mut cached = 0;
    let mut place = offset / page * page;
    while place < end {
        let size = WINDOW.min(end - place) as usize;
        let mut pages = vec![0_u8; size.div_ceil(page as usize)];
        // SAFETY: a new private read-only mapping that is never read through, only asked about,
        // and unmapped before its address is forgotten; `pages` has a byte per page of it.
        let known = unsafe {
            let map = libc::mmap(
                ptr::null_mut(),
                size,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                place as libc::off_t,
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

/// Asks the kernel to forget the clean pages of `file`. No privilege is needed.
pub fn drop_file_cache(file: &File) {
    // Advice: when the kernel does not take it, the residency check shows it.
    let _ = rustix::fs::fadvise(file, 0, None, Advice::DontNeed);
}

/// How a file will be read, for the kernel's read-ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessAdvice {
    Random,
    Sequential,
    NoReuse,
}

/// Tells the kernel how this open file will be read.
pub fn announce_access(file: &File, advice: AccessAdvice) {
    let advice = match advice {
        AccessAdvice::Random => Advice::Random,
        AccessAdvice::Sequential => Advice::Sequential,
        AccessAdvice::NoReuse => Advice::NoReuse,
    };
    // What has no cache refuses it.
    let _ = rustix::fs::fadvise(file, 0, None, advice);
}

/// Makes the kernel forget all clean pages, names and inodes of the host. Only root may.
pub fn drop_host_caches() -> io::Result<()> {
    // 3: pages, and names and inodes (Documentation/admin-guide/sysctl/vm.rst).
    fs::write("/proc/sys/vm/drop_caches", "3\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn both_ways_count_the_same_pages() {
        let folder = crate::testing::on_disk();
        let mut file = tempfile::tempfile_in(folder.path()).unwrap();
        file.write_all(&vec![1; 1 << 20]).unwrap();
        file.sync_all().unwrap();
        let all = (1 << 20) / page_size();
        assert_eq!(mincore(&file, 0, 1 << 20), Some(all));
        if let Some(by_stat) = cachestat(&file, 0, 1 << 20) {
            assert_eq!(by_stat, all);
        }
        drop_file_cache(&file);
        let (_, pages, cached) = query_residency(&file, Bytes(0), Bytes::mib(1)).unwrap();
        assert_eq!((pages, cached), (all, 0));
        assert_eq!(mincore(&file, 0, 1 << 20), Some(0), "asking brings nothing in");
        assert!(can_query(&file));
    }

    #[test]
    fn a_range_touches_the_pages_of_both_ends() {
        let page = page_size();
        assert_eq!(count_pages(0, page), 1);
        assert_eq!(count_pages(page - 1, 2), 2);
        assert_eq!(count_pages(page, 0), 0);
        assert_eq!(count_pages(1, page), 2);
    }
}
