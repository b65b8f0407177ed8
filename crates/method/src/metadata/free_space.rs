//! Whether the files fit, before any is made.

use std::path::Path;

use record::{MetadataLoad, MetadataPlan};
use target::{FreeSpace, usable_space};
use units::Bytes;

use super::loads::{FILES_MAX, FILES_MIN, all_loads, cold_rounds};
use crate::error::{MethodError, refuse};

const DEFAULT_SPACE_DIVISOR: u64 = 10;
const OTHER_ENTRIES: u64 = 80;
/// What a name takes in a folder, and an inode beside its block: generous.
const BYTES_PER_NAME: u64 = 1024;

/// Bytes that are written into files at most, in all rounds of all loads together; what the file
/// system writes of its own comes on top.
pub fn bytes_written_max(plan: &MetadataPlan) -> Bytes {
    Bytes(plan.files.unwrap_or(FILES_MAX).saturating_mul(bytes_written_per_file(plan)))
}

fn bytes_written_per_file(plan: &MetadataPlan) -> u64 {
    let of = |load: &MetadataLoad| {
        (u64::from(plan.rounds) + 1 + cold_rounds(plan, load)).saturating_mul(load.file_size.0)
    };
    all_loads(plan.threads).iter().map(of).fold(0, u64::saturating_add)
}

/// How many of `most` files may be made where `max_written` bounds what is written into them.
pub(super) fn limit_file_count(
    plan: &MetadataPlan,
    most: u64,
    max_written: Option<Bytes>,
) -> Result<u64, MethodError> {
    let Some(max) = max_written else { return Ok(most) };
    let each = bytes_written_per_file(plan).max(1);
    let wanted = plan.files.unwrap_or(FILES_MIN);
    if wanted > max.0 / each {
        let needed = Bytes(wanted.saturating_mul(each).next_multiple_of(Bytes::KIB));
        let what = format!("{wanted} files of each load take {needed}, but --max-written is {max}");
        let hint = format!("use --max-written {} or more", needed.to_compact());
        return refuse(what, hint);
    }
    Ok(most.min(max.0 / each))
}

/// Number of files that may be made in `folder`: those asked for, or those that fit, and at most
/// `most`.
pub(super) fn fit_file_count(
    folder: &Path,
    asked: Option<u64>,
    most: u64,
    room: &FreeSpace,
) -> Result<u64, MethodError> {
    let each = room.block.0.max(4096) + BYTES_PER_NAME;
    let by_space = usable_space(room.free.0, room.total.0) / each;
    let by_inodes = room.inodes.map(|(free, total)| usable_space(free, total));
    let by_inodes = by_inodes.map(|inodes| inodes.saturating_sub(OTHER_ENTRIES));
    let can = by_space.min(by_inodes.unwrap_or(u64::MAX));
    let wanted = asked.unwrap_or_else(|| (can / DEFAULT_SPACE_DIVISOR).clamp(FILES_MIN, most));
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
    refuse(what, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_bounded_by_what_may_be_written() {
        let plan = |files| MetadataPlan { files, threads: 4, rounds: 6, keep_caches: true };
        // Eight loads of 4 KiB, seven rounds each.
        let each = 8 * 7 * 4096;
        assert_eq!(bytes_written_max(&plan(Some(10))), Bytes(10 * each));
        assert_eq!(bytes_written_max(&plan(None)), Bytes(FILES_MAX * each));
        let cold = MetadataPlan { keep_caches: false, ..plan(Some(1)) };
        assert_eq!(bytes_written_max(&cold), Bytes(each + 2 * 6 * 4096));
        assert_eq!(limit_file_count(&plan(None), 500, None).unwrap(), 500);
        assert_eq!(limit_file_count(&plan(None), 500, Some(Bytes(100 * each))).unwrap(), 100);
        for (files, max) in [(None, 63 * each), (Some(101), 100 * each)] {
            let error = limit_file_count(&plan(files), 500, Some(Bytes(max))).unwrap_err();
            assert!(error.hint().unwrap().starts_with("use --max-written "), "{error}");
        }
    }

    #[test]
    fn files_are_fitted_to_space_and_inodes() {
        let room = |free: u64, inodes| FreeSpace {
            free: Bytes(free),
            total: Bytes::gib(1),
            block: Bytes::kib(4),
            inodes,
            inodes_used: None,
        };
        let check = |asked, room: FreeSpace, expected: Result<u64, &str>| match (
            fit_file_count(Path::new("/d"), asked, 20_000, &room),
            expected,
        ) {
            (Ok(files), Ok(wanted)) => assert_eq!(files, wanted),
            (Err(error), Err(words)) => {
                assert!(error.to_string().contains(words), "{error}");
                assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
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
