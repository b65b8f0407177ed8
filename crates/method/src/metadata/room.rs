//! Whether the files fit, before any is made.

use std::path::Path;

use target::{Room, room, usable_by_own_files};
use units::Bytes;

use crate::error::MethodError;

/// One part in so many of what is free is used unless more is asked for.
const DEFAULT_SHARE: u64 = 10;
/// Folders and the mark.
const OTHERS: u64 = 80;
/// What a name takes in a folder, and an inode beside its block: generous.
const BESIDE: u64 = 1024;

/// How many files may be made in `folder`: as many as asked, or as fit, and `most` at most.
///
/// # Errors
/// When those that are asked for, or any useful number, do not fit.
pub(super) fn fitting(folder: &Path, asked: Option<u64>, most: u64) -> Result<u64, MethodError> {
    fit(folder, asked, most, &room(folder)?)
}

fn fit(folder: &Path, asked: Option<u64>, most: u64, room: &Room) -> Result<u64, MethodError> {
    let each = room.block.0.max(4096) + BESIDE;
    let by_space = usable_by_own_files(room.free.0, room.total.0) / each;
    let by_inodes = room.inodes.map(|(free, total)| usable_by_own_files(free, total));
    let by_inodes = by_inodes.map(|inodes| inodes.saturating_sub(OTHERS));
    let can = by_space.min(by_inodes.unwrap_or(u64::MAX));
    let wanted = asked.unwrap_or_else(|| (can / DEFAULT_SHARE).clamp(super::FILES_LEAST, most));
    if wanted <= can {
        return Ok(wanted);
    }
    let what = match (by_inodes, room.inodes) {
        (Some(inodes), Some((free, _))) if inodes <= by_space => format!(
            "too few inodes on {}: {wanted} files are to be made, {inodes} can be of {free} free",
            folder.display()
        ),
        _ => format!(
            "too little space on {}: {wanted} files need {}, and {} are free",
            folder.display(),
            Bytes(wanted.saturating_mul(each)),
            room.free
        ),
    };
    let hint = match can {
        0 => "make room first".to_owned(),
        can => format!("make room, or make fewer: --files {can}"),
    };
    Err(MethodError::request(what, hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_fitted_to_space_and_inodes() {
        let room = |free: u64, inodes| Room {
            free: Bytes(free),
            total: Bytes::gib(1),
            block: Bytes::kib(4),
            inodes,
            inodes_used: None,
        };
        let check = |asked, room: Room, expected: Result<u64, &str>| match (
            fit(Path::new("/d"), asked, 20_000, &room),
            expected,
        ) {
            (Ok(files), Ok(wanted)) => assert_eq!(files, wanted),
            (Err(error), Err(words)) => {
                assert!(error.to_string().contains(words), "{error}");
                assert_eq!(error.exit_status(), 2);
                assert!(error.hint().unwrap().contains("make room"));
            }
            (got, _) => panic!("{got:?}"),
        };
        let wide = 1 << 30;
        check(None, room(wide, None), Ok(19_922));
        check(Some(150_000), room(wide, None), Ok(150_000));
        check(Some(300_000), room(wide, None), Err("too little space on /d"));
        check(None, room(wide, Some((1_000, 1_000))), Ok(87));
        check(Some(900), room(wide, Some((1_000, 1_000))), Err("too few inodes on /d"));
        check(None, room(wide, Some((150, 1_000))), Err("too few inodes"));
        check(None, room(0, Some((1_000, 1_000))), Err("too little space"));
    }
}
