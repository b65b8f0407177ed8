//! Removing the test files that killed runs left behind.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::error::TargetError;
use crate::folder_entry::{FolderEntry, Location};
use crate::own_files::{MAGIC, PREFIX, SUFFIX, is_old, is_run_id};
use crate::test_file;
use crate::test_folder;

/// Removes the test files and folders that killed runs left in `folder`, and says which: those
/// whose name and content are exactly ours (or empty for 5 s), and whose lock nobody holds.
pub fn remove_leftovers(folder: &(impl Location + ?Sized)) -> Result<Vec<PathBuf>, TargetError> {
    let folder = folder.open_handle()?;
    let names = folder.list_names().map_err(|e| TargetError::from_io("read", folder.path(), e))?;
    let mut removed = Vec::new();
    for name in names.iter().filter(|name| is_test_file_name(&name.to_string_lossy())) {
        let Ok(entry) = FolderEntry::new(folder.clone(), Path::new(name)) else { continue };
        let is_gone = match entry.open().ok().flatten().is_some_and(|found| found.is_folder()) {
            true => test_folder::remove_leftover_folder(&entry),
            false => remove_leftover_file(&entry),
        };
        removed.extend(is_gone.then(|| entry.path().to_owned()));
    }
    removed.sort();
    Ok(removed)
}

fn remove_leftover_file(entry: &FolderEntry) -> bool {
    // The lock is held until the file is gone, so that no run can begin to use it.
    let Some(leftover) = lock_leftover(entry) else { return false };
    let still = leftover.metadata().is_ok_and(|metadata| entry.is_same_file(&metadata));
    still && entry.unlink(false).is_ok()
}

fn is_test_file_name(name: &str) -> bool {
    name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)).is_some_and(is_run_id)
}

/// The file, locked, if it is a leftover.
fn lock_leftover(entry: &FolderEntry) -> Option<File> {
    let found = entry.open().ok()??;
    if !found.metadata().ok()?.is_file() {
        return None;
    }
    let mut file = found.reopen(OpenOptions::new().read(true)).ok()?;
    flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    // Looked at under the lock: before, its maker may have been about to write.
    let mut head = Vec::with_capacity(MAGIC.len());
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut head).ok()?;
    let metadata = file.metadata().ok()?;
    let is_leftover = match head.is_empty() {
        true => metadata.len() == 0 && is_old(&metadata),
        false => head == MAGIC,
    };
    is_leftover.then_some(file)
}

/// Removes those of this process: for a panic or a second signal. Not for a signal handler.
pub fn remove_test_files() {
    test_file::remove_live_files();
    test_folder::remove_live_folders();
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::on_disk;

    #[test]
    fn only_our_own_leftovers_are_swept() {
        let folder = on_disk();
        let place = |name: &str| folder.path().join(name);
        let write = |name: &str, content: &[u8]| fs::write(place(name), content).unwrap();
        write(".truedisk-dead.tmp", b"truedisk test file 1\nid dead\n");
        write(".truedisk-empty.tmp", b"");
        let empty = OpenOptions::new().write(true).open(place(".truedisk-empty.tmp")).unwrap();
        empty
            .set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(60))
            .unwrap();
        write(".truedisk-new.tmp", b"");
        write(".truedisk-foreign.tmp", b"another user's precious notes");
        write(".truedisk-cut.tmp", b"truedisk test");
        write(".truedisk-.tmp", b"truedisk test file 1\n");
        write(".truedisk-a b.tmp", b"truedisk test file 1\n");
        write("truedisk-dead.tmp", b"truedisk test file 1\n");
        write("target", b"truedisk test file 1\n");
        std::os::unix::fs::symlink(place("target"), place(".truedisk-link.tmp")).unwrap();
        fs::create_dir(place(".truedisk-folder.tmp")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            place(".truedisk-pipe.tmp"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        write(".truedisk-used.tmp", b"truedisk test file 1\nid used\n");
        let used = File::open(place(".truedisk-used.tmp")).unwrap();
        flock(&used, FlockOperation::LockExclusive).unwrap();

        let removed = remove_leftovers(folder.path()).unwrap();
        assert_eq!(removed, [place(".truedisk-dead.tmp"), place(".truedisk-empty.tmp")]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 11);
        // Not by closing it: a child that another test forks just now has it open, too.
        flock(&used, FlockOperation::Unlock).unwrap();
        assert_eq!(remove_leftovers(folder.path()).unwrap(), [place(".truedisk-used.tmp")]);
        assert!(remove_leftovers(&place("missing")).is_err());
    }

    #[test]
    fn runs_that_start_together_take_nothing_of_each_other_for_a_leftover() {
        const RUNS: usize = 8;
        const ROUNDS: usize = 20;
        let folder = on_disk();
        let together = std::sync::Barrier::new(RUNS);
        let run = &|number: usize| {
            for round in 0..ROUNDS {
                together.wait();
                let swept = remove_leftovers(folder.path()).unwrap();
                assert_eq!(swept, Vec::<PathBuf>::new(), "round {round}");
                let id = format!("{number}-{round}");
                let size = crate::limits::SIZE_MIN;
                let roots = crate::Roots::host();
                let test = crate::TestFile::create(folder.path(), &id, size, &roots).unwrap();
                let swept = remove_leftovers(folder.path()).unwrap();
                assert_eq!(swept, Vec::<PathBuf>::new(), "round {round}");
                assert!(test.path().exists());
            }
        };
        std::thread::scope(|scope| {
            for number in 0..RUNS {
                scope.spawn(move || run(number));
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
