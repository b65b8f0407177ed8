//! The work file of single requests: of our own, gone with its descriptor, or kept under a name.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags, openat};
use units::Bytes;

use crate::error::TargetError;
use crate::folder_entry::{FolderEntry, Location};
use crate::guard::{PermitOptions, open_for_writing, permit_named};
use crate::handle::PathHandle;
use crate::open::{OpenTarget, describe_open_file, set_direct_io};
use crate::roots::Roots;

pub const KEPT_WORK_FILE_NAME: &str = "ioping.tmp";
const ATTEMPTS: u32 = 16;

/// A file of our own in a folder, open for reading and writing.
#[derive(Debug)]
pub struct WorkFile {
    file: File,
}

impl WorkFile {
    /// A new file without a name; where there are no such files, one whose name is removed at once.
    pub fn create_unnamed(folder: &(impl Location + ?Sized)) -> Result<Self, TargetError> {
        let folder = folder.open_handle()?;
        let failed = |error| TargetError::from_io("create a test file in", folder.path(), error);
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        match openat(folder.file(), ".", flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok(Self { file: file.into() }),
            Err(_) => create_unlinked(&folder).map(|file| Self { file }).map_err(failed),
        }
    }

    /// A new [`KEPT_WORK_FILE_NAME`] in `folder`, or the one that is there, through the guard.
    pub fn open_or_create_kept(
        folder: &(impl Location + ?Sized),
        roots: &Roots,
    ) -> Result<Self, TargetError> {
        let folder = folder.open_handle()?;
        let entry = FolderEntry::new(folder.clone(), Path::new(KEPT_WORK_FILE_NAME))?;
        match entry.create(0o600) {
            Ok(file) => return Ok(Self { file }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(TargetError::from_io("create a test file in", folder.path(), error));
            }
        }
        let path = entry.path().to_owned();
        let metadata = entry.open_handle()?.metadata();
        let metadata = metadata.map_err(|error| TargetError::from_io("look at", &path, error))?;
        if !metadata.is_file() || metadata.nlink() > 1 {
            let reason = "it is no plain file of its own, as the kept work file is".to_owned();
            return Err(TargetError::Refused { path, reason });
        }
        let permit = permit_named(&entry, PermitOptions::default(), roots)?;
        Ok(Self { file: open_for_writing(&permit, false)?.file })
    }

    /// Whether it is written from 0 to `end` already, without holes.
    pub fn is_written_to(&self, end: Bytes) -> bool {
        self.file.metadata().is_ok_and(|metadata| {
            metadata.len() >= end.0 && metadata.blocks() >= metadata.len().div_ceil(512)
        })
    }

    /// Writes `bytes` at `offset`, through the page cache.
    pub fn write(&self, bytes: &[u8], offset: Bytes) -> io::Result<()> {
        self.file.write_all_at(bytes, offset.0)
    }

    /// Syncs it, and bypasses the page cache when `direct` and where it can.
    pub fn into_open_target(self, direct: bool) -> io::Result<OpenTarget> {
        self.file.sync_all()?;
        let direct = direct && set_direct_io(&self.file, true).is_ok();
        describe_open_file(self.file, direct, true)
    }
}

fn create_unlinked(folder: &PathHandle) -> io::Result<File> {
    let mut attempt = 0;
    loop {
        let name = format!(".truedisk-ping-{}-{attempt}", std::process::id());
        let entry = FolderEntry::new(folder.clone(), Path::new(&name)).map_err(io::Error::other)?;
        match entry.create(0o600) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => {
                attempt += 1;
            }
            made => {
                let file = made?;
                return entry.unlink(false).map(|()| file);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_disk;

    #[test]
    fn an_unnamed_file_leaves_nothing_to_see() {
        let folder = on_disk();
        for made in [WorkFile::create_unnamed(folder.path()).unwrap().file, {
            create_unlinked(&PathHandle::open(folder.path()).unwrap()).unwrap()
        }] {
            let work = WorkFile { file: made };
            assert!(!work.is_written_to(Bytes(4096)));
            work.write(&[1; 8192], Bytes(0)).unwrap();
            assert!(work.is_written_to(Bytes(8192)));
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            let opened = work.into_open_target(true).unwrap();
            assert!(opened.direct && opened.writable && opened.size == Bytes(8192));
        }
    }

    #[test]
    fn a_kept_file_is_found_again_and_nothing_else_is_taken_for_it() {
        let folder = on_disk();
        let roots = Roots::host();
        let work = WorkFile::open_or_create_kept(folder.path(), &roots).unwrap();
        work.write(&[1; 4096], Bytes(0)).unwrap();
        assert!(!work.into_open_target(false).unwrap().direct);
        assert!(
            WorkFile::open_or_create_kept(folder.path(), &roots)
                .unwrap()
                .is_written_to(Bytes(4096))
        );
        let kept = folder.path().join(KEPT_WORK_FILE_NAME);
        std::fs::hard_link(&kept, folder.path().join("other")).unwrap();
        let error = WorkFile::open_or_create_kept(folder.path(), &roots).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
        std::fs::remove_file(&kept).unwrap();
        std::os::unix::fs::symlink("other", &kept).unwrap();
        let error = WorkFile::open_or_create_kept(folder.path(), &roots).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
        assert_eq!(std::fs::read(folder.path().join("other")).unwrap(), [1; 4096]);
    }

    #[test]
    fn a_folder_that_takes_no_file_is_named() {
        let error = WorkFile::create_unnamed(Path::new("/proc/self")).unwrap_err();
        assert!(error.to_string().contains("/proc/self"), "{error}");
    }
}
