//! Operations on files for `files` and `file_layout`.

use std::fs::{File, Metadata};
use std::os::unix::fs::{FileExt as _, FileTypeExt as _};
use std::path::Path;

use engine::FileStamp;
use fio::options::target::Fallocate;
use fio::plan::{FileState, Section};
use rustix::fs::{FallocateFlags, fallocate, ftruncate};
use target::{
    FolderEntry, PathHandle, TargetError, is_contentless_device, open_for_reading,
    query_free_space, reserved_space,
};

use super::error::JobsError;

/// What to do about a file that may not be made.
pub(super) const MISSING_HINT: &str = "make it first, or name one that exists";

/// Step for filling files.
pub(super) const FILL_BYTES: u64 = 1 << 20;

pub(super) fn display_path(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn system_error(
    job: &str,
    attempt: &str,
    path: &Path,
    error: std::io::Error,
) -> JobsError {
    JobsError::io(job, format_args!("cannot {attempt} {}", display_path(path)), &error)
}

pub(super) fn too_short_error(job: &str, path: &Path, size: u64, wanted: u64) -> JobsError {
    JobsError::File {
        job: job.to_owned(),
        what: format!(
            "{} has {size} bytes, but {wanted} are to be read; a job that reads never makes a file \
             anew that exists",
            display_path(path)
        ),
        hint: format!("use size={size}, or remove the file, or write it first"),
        protects: true,
    }
}

pub(super) fn is_device(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_block_device())
}

pub(super) fn inspect_file(section: &Section, entry: &FolderEntry) -> Result<FileState, JobsError> {
    let path = entry.path();
    let wrong = |source| JobsError::target(&section.name, source);
    let Some(handle) = entry.open().map_err(wrong)? else { return Ok(FileState::Missing) };
    match handle.metadata() {
        Ok(found) if found.file_type().is_block_device() => {
            let opened = open_for_reading(&handle, false).map_err(wrong)?;
            Ok(FileState::Device(opened.size.0))
        }
        Ok(found) if found.is_file() => Ok(FileState::File(found.len())),
        Ok(_) if is_contentless_device(&handle) => Ok(FileState::Nothing),
        Ok(found) => {
            let path = path.to_owned();
            let file_type = found.file_type();
            let what = match () {
                () if found.is_dir() => {
                    return Err(JobsError::target(&section.name, TargetError::IsFolder { path }));
                }
                () if file_type.is_char_device() => {
                    "a character device, of which only null, zero, full, random and urandom are \
                     used"
                }
                () if file_type.is_fifo() => "a pipe",
                () => "a socket",
            };
            Err(JobsError::target(&section.name, TargetError::Unsuitable { path, what }))
        }
        Err(error) => Err(system_error(&section.name, "look at", path, error)),
    }
}

/// What has the name of `entry`. A folder has no size.
pub(super) fn inspect_name(section: &Section, entry: &FolderEntry) -> Result<FileState, JobsError> {
    let engine = section.options.engine.engine;
    let wanted = if engine.calls_folders() { "folder" } else { "regular file" };
    let unsuitable = || {
        let path = display_path(entry.path());
        let what =
            format!("{path} is no {wanted}, and ioengine={} calls only those", engine.word());
        JobsError::file(&section.name, what, "name another, or leave filename out")
    };
    if entry.is_handle() {
        return Err(unsuitable());
    }
    let found = entry.open().map_err(|source| JobsError::target(&section.name, source))?;
    let Some(found) = found else { return Ok(FileState::Missing) };
    match found.metadata() {
        Ok(found) if found.is_dir() && engine.calls_folders() => Ok(FileState::File(0)),
        Ok(found) if found.is_file() && !engine.calls_folders() => Ok(FileState::File(found.len())),
        Ok(_) => Err(unsuitable()),
        Err(error) => Err(system_error(&section.name, "look at", entry.path(), error)),
    }
}

/// Bytes that `section`, one of `fillers` with `fill_device`, may write to the file system of
/// `entry`; 0 if it is not limited.
pub(super) fn fillable_bytes(
    section: &Section,
    entry: &FolderEntry,
    known: FileState,
    fillers: u64,
) -> Result<u64, JobsError> {
    let is_file = matches!(known, FileState::Missing | FileState::File(_));
    if !is_file || !section.options.size.fill_device {
        return Ok(0);
    }
    let Ok(room) = query_free_space(entry.folder()) else { return Ok(0) };
    if room.total.0 == 0 {
        return Ok(0);
    }
    let usable = room.free.0.saturating_sub(reserved_space(room.total).0) / fillers;
    if usable == 0 && known == FileState::Missing {
        let what = format!(
            "{} cannot be created: no space above the reserve (1 % or 1 GiB)",
            display_path(entry.path())
        );
        return Err(JobsError::protects(
            &section.name,
            what,
            "make room, or give another directory",
        ));
    }
    // An existing file may be overwritten even then.
    Ok(usable.max(1))
}

/// Marks what this program made. As long as it is what the mark says, a later job that only reads
/// may extend it, and a later job may remove it.
const MARK: &str = "user.truedisk.layout";
const MARK_BYTES: usize = 32;

/// The inode tells the original from a copy that carries the mark.
fn mark_value(found: &Metadata) -> [u8; MARK_BYTES] {
    let FileStamp { inode, born_ns, length, modified_ns, .. } = FileStamp::from(found);
    let mut value = [0; MARK_BYTES];
    for (bytes, number) in value.chunks_mut(8).zip([inode, born_ns, length, modified_ns]) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    value
}

/// Marks a file or folder that this program made, as it is now.
pub(super) fn mark_handle(handle: &PathHandle, found: &Metadata) {
    let flags = rustix::fs::XattrFlags::empty();
    // Without the mark it is neither extended nor removed later.
    let _ = rustix::fs::setxattr(handle.descriptor_path(), MARK, &mark_value(found), flags);
}

/// Whether this program made what was `found`, and nothing has changed it since.
pub(super) fn is_as_marked(handle: &PathHandle, found: &Metadata) -> bool {
    let mut value = [0; MARK_BYTES];
    let read = rustix::fs::getxattr(handle.descriptor_path(), MARK, &mut value[..]);
    read == Ok(MARK_BYTES) && value == mark_value(found)
}

/// The same of what has the name of `entry`.
pub(super) fn is_unchanged(entry: &FolderEntry) -> bool {
    let Ok(Some(handle)) = entry.open() else { return false };
    handle.metadata().is_ok_and(|found| is_as_marked(&handle, &found))
}

/// Sets the length of a file, and allocates it if wanted.
pub(super) fn reserve_space(
    file: &File,
    from: u64,
    to: u64,
    how: Fallocate,
    fills: bool,
) -> std::io::Result<()> {
    if to == from {
        return Ok(());
    }
    match how {
        Fallocate::None if !fills => return Ok(()),
        Fallocate::Native | Fallocate::Posix => {
            match fallocate(file, FallocateFlags::empty(), from, to - from) {
                Ok(()) => return Ok(()),
                Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Fallocate::Keep => {
            // An error is harmless: it changes no byte.
            let _ = fallocate(file, FallocateFlags::KEEP_SIZE, from, to - from);
            if !fills {
                return Ok(());
            }
        }
        Fallocate::None | Fallocate::Truncate => {}
    }
    // Another process may have extended it: it is never truncated.
    match file.metadata()?.len() < to {
        true => Ok(ftruncate(file, to)?),
        false => Ok(()),
    }
}

pub(super) fn read_through(file: &File) -> std::io::Result<()> {
    let mut block = vec![0; FILL_BYTES as usize];
    let mut at = 0;
    loop {
        match file.read_at(&mut block, at)? {
            0 => return Ok(()),
            read => at += read as u64,
        }
    }
}

/// Whether a file could be made, as far as it shows without making one.
pub(super) fn check_creatable(section: &Section, entry: &FolderEntry) -> Result<(), JobsError> {
    let folder = entry.folder();
    let wrong =
        |error: std::io::Error| system_error(&section.name, "make a file in", folder.path(), error);
    if !folder.is_folder() {
        return Err(wrong(std::io::ErrorKind::NotADirectory.into()));
    }
    rustix::fs::access(folder.descriptor_path(), rustix::fs::Access::WRITE_OK)
        .map_err(|error| wrong(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_to_be_longer_is_not_cut() {
        for how in [Fallocate::None, Fallocate::Truncate, Fallocate::Keep, Fallocate::Native] {
            let mut file = tempfile::tempfile().unwrap();
            std::io::Write::write_all(&mut file, &[7; 9000]).unwrap();
            reserve_space(&file, 0, 4096, how, true).unwrap();
            assert_eq!(file.metadata().unwrap().len(), 9000, "{how:?}");
            reserve_space(&file, 9000, 10_000, how, true).unwrap();
            assert_eq!(file.metadata().unwrap().len(), 10_000, "{how:?}");
        }
    }
}
