//! The file of our own that a folder is measured through.

use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use units::Bytes;

use crate::error::TargetError;
use crate::folder_entry::{FolderEntry, Location};
use crate::guard::WritePermit;
use crate::handle::PathHandle;
use crate::limits::HEADER;
use crate::own_files::{CREATE_ATTEMPTS, LiveEntries, MAGIC, run_entry, wait_for_lock};
use crate::roots::{Roots, read_boot_id};
use crate::size::free_and_total_bytes;

static LIVE_FILES: LiveEntries = LiveEntries::new();

/// A test file: made for one run, locked as long as it lives, removed when dropped.
#[derive(Debug)]
pub struct TestFile {
    entry: FolderEntry,
    path: PathBuf,
    file: File,
    metadata: Metadata,
    size: Bytes,
}

impl TestFile {
    /// Where the measured span begins.
    pub const SPAN_OFFSET: Bytes = HEADER;

    /// Makes `.truedisk-<id>.tmp` in `folder` with room for a span of `size`; the `id` is of
    /// letters,
    /// digits and hyphens.
    pub fn create(
        folder: &(impl Location + ?Sized),
        id: &str,
        size: Bytes,
        roots: &Roots,
    ) -> Result<Self, TargetError> {
        let folder = folder.open_handle()?;
        let failed = |error| TargetError::from_io("create a test file in", folder.path(), error);
        let entry = run_entry(&folder, id).map_err(failed)?;
        let mut test = Self::create_locked(entry, size).map_err(failed)?;
        test.write_header(id, roots)
            .and_then(|()| test.allocate())
            .map_err(|error| out_of_space_error(&folder, size, "reserve space in", error))?;
        Ok(test)
    }

    /// Another one in the same folder.
    pub fn create_beside(&self, id: &str, size: Bytes, roots: &Roots) -> Result<Self, TargetError> {
        Self::create(self.entry.folder(), id, size, roots)
    }

    /// A sweep may take the new file for a leftover before it is locked: then it is made again.
    fn create_locked(entry: FolderEntry, size: Bytes) -> io::Result<Self> {
        for _ in 0..CREATE_ATTEMPTS {
            let file = entry.create(0o600)?;
            LIVE_FILES.add(&entry);
            let metadata = file.metadata();
            let locked = wait_for_lock(&file);
            if metadata.as_ref().is_ok_and(|ours| entry.is_same_file(ours)) {
                // From here on its drop removes it.
                let path = entry.resolved();
                let test = Self { entry, path, file, metadata: metadata?, size };
                return locked.map(|()| test);
            }
            LIVE_FILES.forget(&entry);
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "something removes it at once"))
    }

    fn write_header(&mut self, id: &str, roots: &Roots) -> io::Result<()> {
        let boot = read_boot_id(roots).unwrap_or_default();
        self.file.write_all(MAGIC)?;
        writeln!(
            self.file,
            "id {id}\npid {}\nboot {boot}\nMade by truedisk to measure this file system. It is \
             removed at the end of the run;\nif no truedisk is running, it may be deleted.",
            std::process::id()
        )?;
        self.file.sync_all()
    }

    /// Reserves the blocks, so that the layout neither fragments nor runs out half-way.
    fn allocate(&self) -> io::Result<()> {
        let length = HEADER.0 + self.size.0;
        match fallocate(&self.file, FallocateFlags::empty(), 0, length) {
            Ok(()) => Ok(()),
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => self.file.set_len(length),
            Err(error) => Err(error.into()),
        }
    }

    /// Cuts the span to its first `size` bytes; a larger size changes nothing.
    pub fn shrink(&mut self, size: Bytes) -> Result<(), TargetError> {
        if size >= self.size {
            return Ok(());
        }
        self.file
            .set_len(HEADER.0 + size.0)
            .map_err(|error| TargetError::from_io("shrink", &self.path, error))?;
        self.size = size;
        Ok(())
    }

    /// Leave to write to it.
    pub fn permit(&self) -> WritePermit {
        WritePermit::for_own_file(&self.entry, &self.metadata)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn span(&self) -> Bytes {
        self.size
    }

    /// Removes it, and says when that fails; one that is gone already is as good as removed.
    pub fn remove(self) -> Result<(), TargetError> {
        self.unlink().map_err(|error| TargetError::from_io("remove", &self.path, error))
    }

    fn unlink(&self) -> io::Result<()> {
        // Only what is still ours: another file may have come to its name.
        if self.entry.is_same_file(&self.metadata) {
            match self.entry.unlink(false) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        LIVE_FILES.forget(&self.entry);
        Ok(())
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        // Nobody to tell: a leftover is swept by the next run in this folder.
        let _ = self.unlink();
    }
}

fn out_of_space_error(
    folder: &PathHandle,
    size: Bytes,
    attempt: &'static str,
    error: io::Error,
) -> TargetError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            let free =
                folder.stat_file_system().map_or(Bytes(0), |stat| free_and_total_bytes(&stat).0);
            let available = Bytes(free.0.saturating_sub(HEADER.0) / Bytes::MIB * Bytes::MIB);
            let available = available.min(Bytes(size.0.saturating_sub(Bytes::MIB)));
            let path = folder.path().to_owned();
            TargetError::NoSpace { path, needed: size, available, free }
        }
        _ => TargetError::from_io(attempt, folder.path(), error),
    }
}

/// Removes every test file of this process: for a panic or a second signal.
pub(crate) fn remove_live_files() {
    for entry in LIVE_FILES.lock().drain(..) {
        let _ = entry.unlink(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::open_for_writing;
    use crate::leftovers::remove_leftovers;
    use crate::limits::SIZE_MIN;
    use crate::testing::on_disk;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    fn is_alive(path: &Path) -> bool {
        LIVE_FILES.lock().iter().any(|entry| entry.resolved() == path)
    }

    fn make(folder: &Path, id: &str) -> TestFile {
        TestFile::create(folder, id, SIZE_MIN, &Roots::host()).unwrap()
    }

    #[test]
    fn lives_locked_and_is_removed() {
        let folder = on_disk();
        let test = make(folder.path(), "abc-1");
        let path = test.path().to_owned();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!(metadata.len(), HEADER.0 + SIZE_MIN.0);
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
        let text = fs::read(&path).unwrap();
        assert!(text.starts_with(b"truedisk test file 1\nid abc-1\npid "));
        assert_eq!(remove_leftovers(folder.path()).unwrap(), Vec::<PathBuf>::new(), "it is in use");
        assert!(is_alive(&path));
        drop(test);
        assert!(!path.exists());
        assert!(!is_alive(&path));
        make(folder.path(), "abc-2").remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn two_in_one_folder_do_not_disturb_each_other() {
        let folder = on_disk();
        let (one, two) = (make(folder.path(), "1"), make(folder.path(), "2"));
        assert!(remove_leftovers(folder.path()).unwrap().is_empty());
        drop(one);
        assert!(two.path().exists());
        let again = TestFile::create(folder.path(), "2", SIZE_MIN, &Roots::host());
        assert!(again.is_err(), "an existing file is never taken over");
        assert!(two.path().exists());
    }

    #[test]
    fn sweeps_and_new_files_race_without_harm() {
        let folder = on_disk();
        let handle = PathHandle::open(folder.path()).unwrap();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(std::sync::atomic::Ordering::Relaxed) {
                        remove_leftovers(folder.path()).unwrap();
                    }
                });
            }
            for round in 0..100 {
                let entry = run_entry(&handle, &round.to_string()).unwrap();
                let test = TestFile::create_locked(entry, SIZE_MIN).unwrap();
                assert!(test.entry.is_same_file(&test.file.metadata().unwrap()), "it was swept");
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn is_shrunk_but_never_grown() {
        let folder = on_disk();
        let mut test = make(folder.path(), "shrink");
        test.shrink(Bytes::gib(1)).unwrap();
        assert_eq!(test.span(), SIZE_MIN);
        test.shrink(Bytes::mib(2)).unwrap();
        assert_eq!(test.span(), Bytes::mib(2));
        assert_eq!(fs::metadata(test.path()).unwrap().len(), Bytes::MIB * 3);
    }

    #[test]
    fn its_permit_opens_it_and_nothing_else() {
        let folder = on_disk();
        let test = make(folder.path(), "permit");
        let permit = test.permit();
        let opened = open_for_writing(&permit, true).unwrap();
        assert!(opened.writable && opened.direct);
        assert!(!open_for_writing(&permit, false).unwrap().direct);
        // Another program puts a file in its place.
        fs::remove_file(test.path()).unwrap();
        fs::write(test.path(), b"precious").unwrap();
        let error = open_for_writing(&permit, true).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
        let path = test.path().to_owned();
        drop(test);
        assert_eq!(fs::read(&path).unwrap(), b"precious", "it is not ours to remove");
    }

    #[test]
    fn folders_that_cannot_take_it_are_named() {
        let folder = on_disk();
        fs::write(folder.path().join("file"), b"x").unwrap();
        let check = |name: &str, id: &str, size: Bytes, text: &str| {
            let place = folder.path().join(name);
            let error = TargetError::to_string(
                &TestFile::create(&place, id, size, &Roots::host()).unwrap_err(),
            );
            assert!(error.contains(text), "{error}");
        };
        check("missing", "1", SIZE_MIN, "does not exist");
        check("file", "1", SIZE_MIN, "Not a directory");
        check("", "../escape", SIZE_MIN, "bad id");
        // A petabyte: refused at once, more than a file can be.
        check("", "1", Bytes::gib(1 << 20), "File too large");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn the_space_that_is_missing_is_said() {
        let folder = on_disk();
        let full = io::Error::from_raw_os_error(libc::ENOSPC);
        let handle = PathHandle::open(folder.path()).unwrap();
        let error = out_of_space_error(&handle, Bytes::gib(1 << 20), "reserve space in", full);
        let text = error.to_string();
        assert!(text.contains("too little space") && text.contains("free"), "{text}");
        assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
        assert!(error.hint().unwrap().contains("--size"));
    }
}
