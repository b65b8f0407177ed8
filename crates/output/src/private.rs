//! The program's own files, which only their owner may read, whatever the umask.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{CWD, FileType, Mode, OFlags, fchmod, fstat, openat};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::entry::{file_type, open_folder};
use crate::error::OutputError;
use crate::replace::{rename_over, sync_folder};
use crate::temporary::TemporaryFile;

const FOLDER_MODE: Mode = Mode::RWXU;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

pub type WriteContents<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes `folder/name` atomically, mode 0600. A missing folder is made, mode 0700.
pub fn save_private(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, OutputError> {
    write_private(folder, name, &mut |file| file.write_all(bytes))
}

/// The same of bytes that `write` makes as it goes: they are nowhere whole.
pub fn write_private(
    folder: &Path,
    name: &str,
    write: WriteContents<'_>,
) -> Result<PathBuf, OutputError> {
    create_folder(folder)?;
    let path = folder.join(name);
    match write_atomically(folder, OsStr::new(name), write) {
        Ok(()) => Ok(path),
        Err(source) => Err(OutputError::io("write", &path, source)),
    }
}

fn write_atomically(folder: &Path, name: &OsStr, write: WriteContents<'_>) -> io::Result<()> {
    let folder = Arc::new(open_folder(folder)?);
    let mut temporary = TemporaryFile::create(&folder, FILE_MODE)?;
    fchmod(&temporary.file, FILE_MODE)?;
    write(&mut temporary.file)?;
    temporary.file.sync_all()?;
    rename_over(&temporary, name)?;
    sync_folder(&folder)
}

fn create_folder(folder: &Path) -> Result<(), OutputError> {
    let made = DirBuilder::new().recursive(true).mode(FOLDER_MODE.as_raw_mode()).create(folder);
    made.map_err(|error| OutputError::io("create the folder", folder, error))
}

/// Makes a private folder, mode 0700; an existing one loses wider permissions.
pub fn make_private_folder(folder: &Path) -> Result<(), OutputError> {
    create_folder(folder)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if let Ok(opened) = openat(CWD, folder, flags, Mode::empty()) {
        restrict_mode(&opened, FOLDER_MODE);
    }
    Ok(())
}

/// A private file without a name, to be written and read again; it is gone with its descriptor.
pub fn make_scratch_file(folder: &Path) -> Result<File, OutputError> {
    let error = |source: io::Error| OutputError::io("make a temporary file in", folder, source);
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    match openat(CWD, folder, flags, FILE_MODE) {
        Ok(file) => return Ok(file.into()),
        // Not every file system has files without a name.
        Err(Errno::OPNOTSUPP | Errno::ISDIR) => {}
        Err(source) => return Err(error(source.into())),
    }
    let opened = Arc::new(open_folder(folder).map_err(|errno| error(errno.into()))?);
    let temporary = TemporaryFile::create(&opened, FILE_MODE).map_err(error)?;
    temporary.file.try_clone().map_err(error)
}

/// Makes an empty private file, mode 0600; an existing one loses wider permissions.
pub fn make_private_file(path: &Path) -> Result<(), OutputError> {
    let common = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let create = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | common;
    match openat(CWD, path, create, FILE_MODE) {
        Ok(made) => {
            let made = fchmod(made, FILE_MODE);
            made.map_err(|error| OutputError::io("write", path, error))
        }
        Err(Errno::EXIST) => {
            restrict_file_mode(path);
            Ok(())
        }
        Err(error) => Err(OutputError::io("write", path, error)),
    }
}

/// Only regular files of this user change.
fn restrict_file_mode(path: &Path) {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    if let Ok(opened) = openat(CWD, path, flags, Mode::empty())
        && fstat(&opened).is_ok_and(|stat| file_type(&stat) == FileType::RegularFile)
    {
        restrict_mode(&opened, FILE_MODE);
    }
}

fn restrict_mode(opened: &OwnedFd, mode: Mode) {
    let Ok(stat) = fstat(opened) else { return };
    let now = Mode::from_raw_mode(stat.st_mode);
    if stat.st_uid == geteuid().as_raw() && !mode.contains(now) {
        // Fails on a read-only medium.
        let _ = fchmod(opened, now & mode);
    }
}
