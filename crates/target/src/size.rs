//! How large the test file may be.

use std::path::Path;

use units::Bytes;

use crate::error::TargetError;
use crate::folder_entry::Location;
use crate::handle::PathHandle;
use crate::limits::{HEADER, SIZE_MIN};

/// Test files of truedisk's own leave 1/20 (5 %) of a file system free: full file systems behave
/// differently, and other programs write meanwhile.
const OWN_FILES_RESERVE_DIVISOR: u64 = 20;
/// Files that a user asks for leave 1/100 (1 %) of a file system free, but never more than this.
const LAYOUT_RESERVE_DIVISOR: u64 = 100;
const LAYOUT_RESERVE_MAX: Bytes = Bytes::gib(1);
/// By default one part in this many of the free space is used.
const DEFAULT_SIZE_DIVISOR: u64 = 10;

/// How large the span may be in `folder`: see [`fit_span_size`].
pub fn plan_span_size(
    folder: &PathHandle,
    requested: Option<Bytes>,
    default_most: Bytes,
) -> Result<Bytes, TargetError> {
    let stat =
        folder.stat_file_system().map_err(|e| TargetError::from_io("look at", folder.path(), e))?;
    let (free, total) = free_and_total_bytes(&stat);
    fit_span_size(folder.path(), requested, free, total, default_most)
}

pub(crate) fn free_and_total_bytes(stat: &rustix::fs::StatVfs) -> (Bytes, Bytes) {
    let bytes = |blocks: u64| Bytes(blocks.saturating_mul(stat.f_frsize));
    (bytes(stat.f_bavail), bytes(stat.f_blocks))
}

/// What truedisk's own test files may use of `free` bytes or inodes, of `total` in all.
pub fn usable_space(free: u64, total: u64) -> u64 {
    free.saturating_sub(total / OWN_FILES_RESERVE_DIVISOR)
}

/// What stays free of `total` bytes, whatever files a user asks for: 1 % or 1 GiB, the less.
pub fn reserved_space(total: Bytes) -> Bytes {
    Bytes(total.0 / LAYOUT_RESERVE_DIVISOR).min(LAYOUT_RESERVE_MAX)
}

/// Inodes that stay free of `total`, whatever files a user asks for: 1 %.
pub fn reserved_inodes(total: u64) -> u64 {
    total / LAYOUT_RESERVE_DIVISOR
}

/// What a file system has left for small files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeSpace {
    pub free: Bytes,
    pub total: Bytes,
    /// What a file of a few bytes takes at least.
    pub block: Bytes,
    /// Inodes free to this user, and in all; absent where none are counted (btrfs).
    pub inodes: Option<(u64, u64)>,
    pub inodes_used: Option<u64>,
}

pub fn query_free_space(folder: &(impl Location + ?Sized)) -> Result<FreeSpace, TargetError> {
    let folder = folder.open_handle()?;
    let stat =
        folder.stat_file_system().map_err(|e| TargetError::from_io("look at", folder.path(), e))?;
    let (free, total) = free_and_total_bytes(&stat);
    let counts = stat.f_files > 0;
    Ok(FreeSpace {
        free,
        total,
        block: Bytes(stat.f_frsize.max(1)),
        inodes: counts.then_some((stat.f_favail, stat.f_files)),
        inodes_used: counts.then(|| stat.f_files.saturating_sub(stat.f_ffree)),
    })
}

/// The size of the span, in whole MiB: `requested`, or 10 % of what is free, within 16 MiB and
/// `default_most`; never more than what is free less 5 % of the file system.
pub fn fit_span_size(
    folder: &Path,
    requested: Option<Bytes>,
    free: Bytes,
    total: Bytes,
    default_most: Bytes,
) -> Result<Bytes, TargetError> {
    let whole = |bytes: u64| Bytes(bytes / Bytes::MIB * Bytes::MIB);
    let usable = usable_space(free.0, total.0);
    let available = whole(usable.saturating_sub(HEADER.0));
    let wanted = match requested {
        Some(size) if size < SIZE_MIN => {
            return Err(TargetError::TooSmall { size, least: SIZE_MIN });
        }
        Some(size) => whole(size.0),
        None => whole(free.0 / DEFAULT_SIZE_DIVISOR).min(default_most).max(SIZE_MIN),
    };
    if wanted > available {
        let path = folder.to_owned();
        return Err(TargetError::NoSpace { path, needed: wanted, available, free });
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(free: Bytes, total: Bytes, requested: Option<Bytes>, expected: Result<Bytes, &str>) {
        match (fit_span_size(Path::new("/d"), requested, free, total, Bytes::gib(4)), expected) {
            (Ok(size), Ok(wanted)) => assert_eq!(size, wanted, "{free} {requested:?}"),
            (Err(error), Err(words)) => {
                assert!(error.to_string().contains(words), "{error}");
                assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
                assert!(error.hint().unwrap().contains("--size"), "{error}: {:?}", error.hint());
            }
            (answer, _) => panic!("{free} {requested:?}: {answer:?}"),
        }
    }

    #[test]
    fn sizes_are_fitted_to_the_free_space() {
        let mib = Bytes::mib;
        check(Bytes::gib(100), Bytes::gib(200), None, Ok(Bytes::gib(4)));
        check(Bytes::gib(10), Bytes::gib(20), None, Ok(Bytes::gib(1)));
        check(Bytes(10_005 << 20), Bytes::gib(20), None, Ok(mib(1000)));
        check(Bytes::gib(10), Bytes::gib(20), Some(mib(50)), Ok(mib(50)));
    }

    #[test]
    fn small_file_systems_get_the_least_that_is_useful() {
        let mib = Bytes::mib;
        // A file system of 100 MiB, and one with just enough: 16 + 1 of header + 5 kept free.
        check(mib(90), mib(100), None, Ok(mib(16)));
        check(mib(22), mib(100), None, Ok(mib(16)));
        check(mib(21), mib(100), None, Err("a test file of 16 MiB is needed"));
        check(mib(90), mib(100), Some(mib(84)), Ok(mib(84)));
        check(mib(90), mib(100), Some(mib(85)), Err("84 MiB can be used of 90 MiB free"));
        check(Bytes(0), Bytes(0), None, Err("too little space"));
        check(mib(10), Bytes(u64::MAX), None, Err("too little space"));
    }

    #[test]
    fn one_percent_or_one_gib_stays_free() {
        assert_eq!(reserved_space(Bytes::gib(50)), Bytes(Bytes::gib(50).0 / 100));
        assert_eq!(reserved_space(Bytes::gib(100)), Bytes::gib(1));
        assert_eq!(reserved_space(Bytes::gib(4000)), Bytes::gib(1));
        // What our own files leave is never less.
        for total in [0, 1 << 20, 1 << 35, 1 << 50] {
            let left = total - usable_space(total, total);
            assert!(left >= reserved_space(Bytes(total)).0, "{total}");
        }
    }

    #[test]
    fn requests_that_say_nothing_are_refused() {
        for size in [Bytes(0), Bytes(1), Bytes::mib(15)] {
            check(Bytes::gib(10), Bytes::gib(20), Some(size), Err("at least 16 MiB"));
        }
    }
}
