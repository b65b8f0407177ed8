//! Opening what is measured.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};

use record::{TargetInfo, TargetKind};
use rustix::fs::{AtFlags, OFlags, StatxFlags, fcntl_getfl, fcntl_setfl, major, minor, statx};
use units::Bytes;
use workload::TargetLimits;

use crate::error::TargetError;
use crate::folder_entry::Location;
use crate::handle::PathHandle;
use crate::identity::classify_target;

/// Alignment where neither statx nor the device tells: one page.
const DEFAULT_ALIGN: u64 = 4096;

/// Major number of the kernel's devices of memory, and the minor numbers of those without contents
/// (Documentation/admin-guide/devices.txt): null, zero, full, random, urandom.
const MEMORY_MAJOR: u32 = 1;
const CONTENTLESS_MINORS: [u32; 5] = [3, 5, 7, 8, 9];

/// An open file or device, with what direct I/O needs of buffers, and of offsets and lengths.
#[derive(Debug)]
pub struct OpenTarget {
    pub file: File,
    pub size: Bytes,
    /// Whether the page cache is bypassed: O_DIRECT was asked for and accepted.
    pub direct: bool,
    pub memory_align: Bytes,
    pub offset_align: Bytes,
    /// Where the alignments come from: `statx`, `BLKSSZGET`, `assumed`.
    pub align_source: &'static str,
    pub writable: bool,
    /// Keeps a raw device claimed, so that nobody mounts it while it is written.
    pub(crate) claim: Option<File>,
}

impl OpenTarget {
    /// Writes down in `info` how it was opened.
    pub fn describe_in(&self, info: &mut TargetInfo) {
        info.size = self.size;
        info.direct = self.direct;
        info.dio_memory_align = self.memory_align;
        info.dio_offset_align = self.offset_align;
        self.align_source.clone_into(&mut info.dio_align_source);
    }

    /// What a job on it must respect.
    pub fn limits(&self) -> TargetLimits {
        TargetLimits { size: self.size, offset_align: self.offset_align, writable: self.writable }
    }
}

/// Opens an existing file or block device for reading, past the page cache where `direct` and where
/// it can be: [`OpenTarget::direct`].
pub fn open_for_reading(
    path: &(impl Location + ?Sized),
    direct: bool,
) -> Result<OpenTarget, TargetError> {
    let handle = path.open_handle()?;
    let path = handle.path();
    // Looked at before it is opened: opening a pipe would wait for its other end.
    let metadata = handle.metadata().map_err(|e| TargetError::from_io("read", path, e))?;
    match classify_target(path, &metadata.file_type())? {
        TargetKind::Directory => Err(TargetError::IsFolder { path: path.to_owned() }),
        TargetKind::File | TargetKind::BlockDevice => open(&handle, false, direct),
    }
}

/// Switches direct I/O for all handles of the same opening. Fails where the file system has none.
pub fn set_direct_io(file: &File, direct: bool) -> io::Result<()> {
    let mut flags = fcntl_getfl(file)?;
    flags.set(OFlags::DIRECT, direct);
    Ok(fcntl_setfl(file, flags)?)
}

/// Whether `path` is `/dev/null`, `zero`, `full`, `random` or `urandom`, by its numbers.
pub fn is_contentless_device(path: &(impl Location + ?Sized)) -> bool {
    let metadata = path.open_handle().map(|handle| handle.metadata());
    matches!(metadata, Ok(Ok(metadata)) if is_contentless(&metadata))
}

pub(crate) fn is_contentless(metadata: &Metadata) -> bool {
    let number = metadata.rdev();
    metadata.file_type().is_char_device()
        && major(number) == MEMORY_MAJOR
        && CONTENTLESS_MINORS.contains(&minor(number))
}

/// Opens a device behind which nothing is kept, for reading. It knows no direct I/O.
pub fn open_contentless_device(path: &(impl Location + ?Sized)) -> Result<OpenTarget, TargetError> {
    let handle = path.open_handle()?;
    match is_contentless_device(&handle) {
        true => open(&handle, false, false),
        false => open_for_reading(&handle, false),
    }
}

/// Opens with O_DIRECT when `direct`; without it where that is refused.
pub(crate) fn open(
    handle: &PathHandle,
    writable: bool,
    direct: bool,
) -> Result<OpenTarget, TargetError> {
    let path = handle.path();
    let attempt = if writable { "write" } else { "read" };
    let with = |flags: i32| {
        handle.reopen(OpenOptions::new().read(true).write(writable).custom_flags(flags))
    };
    // Reading should not even change the time of access; only the owner may ask for that, though.
    let quiet = |flags: i32| match with(flags | libc::O_NOATIME) {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => with(flags),
        result => result,
    };
    let (file, direct) = match quiet(if direct { libc::O_DIRECT } else { 0 }) {
        Ok(file) => (file, direct),
        Err(error) if direct && error.raw_os_error() == Some(libc::EINVAL) => {
            (quiet(0).map_err(|e| TargetError::from_io(attempt, path, e))?, false)
        }
        Err(error) => return Err(TargetError::from_io(attempt, path, error)),
    };
    describe_open_file(file, direct, writable).map_err(|e| TargetError::from_io("look at", path, e))
}

struct Alignment {
    memory: u64,
    offset: u64,
    source: &'static str,
    possible: bool,
}

pub(crate) fn describe_open_file(
    file: File,
    direct: bool,
    writable: bool,
) -> io::Result<OpenTarget> {
    let metadata = file.metadata()?;
    let is_device = metadata.file_type().is_block_device();
    let size = if is_device { seek_size(&file)? } else { metadata.len() };
    let align = query_alignment(&file, &metadata);
    if direct && !align.possible {
        // Accepted when opened, it would still fail, or go through the cache unseen.
        set_direct_io(&file, false)?;
    }
    Ok(OpenTarget {
        file,
        size: Bytes(size),
        direct: direct && align.possible,
        memory_align: Bytes(align.memory),
        offset_align: Bytes(align.offset),
        align_source: align.source,
        writable,
        claim: None,
    })
}

fn query_alignment(file: &File, metadata: &Metadata) -> Alignment {
    let same =
        |bytes: u64, source, possible| Alignment { memory: bytes, offset: bytes, source, possible };
    let answer = statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN).ok();
    if let Some(s) = answer.filter(|s| s.stx_mask & StatxFlags::DIOALIGN.bits() != 0) {
        // Zero means that this file cannot be read directly, whatever open said.
        if s.stx_dio_offset_align == 0 {
            return same(DEFAULT_ALIGN, "statx", false);
        }
        let memory = u64::from(s.stx_dio_mem_align).max(1);
        let offset = u64::from(s.stx_dio_offset_align);
        return Alignment { memory, offset, source: "statx", possible: true };
    }
    let is_device = metadata.file_type().is_block_device();
    match is_device.then(|| rustix::fs::ioctl_blksszget(file)) {
        Some(Ok(sector)) => same(u64::from(sector), "BLKSSZGET", true),
        _ => same(DEFAULT_ALIGN, "assumed", true),
    }
}

/// Size of a device, or of a file: where a seek to the end lands.
pub(crate) fn seek_size(file: &File) -> io::Result<u64> {
    let end = rustix::fs::seek(file, rustix::fs::SeekFrom::End(0))?;
    rustix::fs::seek(file, rustix::fs::SeekFrom::Start(0))?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_disk;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    #[test]
    fn a_file_on_the_real_disk_is_opened_directly() {
        let folder = on_disk();
        for name in [b"blank and \xe7\x9b\x98".as_slice(), b"not \xff UTF-8"] {
            let path = folder.path().join(OsStr::from_bytes(name));
            std::fs::write(&path, vec![1; 8192]).unwrap();
            let opened = open_for_reading(&path, true).unwrap();
            assert!(opened.direct && !opened.writable);
            assert_eq!(opened.size, Bytes(8192));
            assert!(opened.offset_align.0.is_power_of_two(), "{opened:?}");
            assert_eq!(opened.limits().size, Bytes(8192));
            let buffered = open_for_reading(&path, false).unwrap();
            assert!(!buffered.direct);
            let flags = fcntl_getfl(&buffered.file).unwrap();
            assert!(!flags.contains(OFlags::DIRECT));
        }
    }

    #[test]
    fn devices_without_contents_are_known_by_their_numbers() {
        for name in ["null", "zero", "full", "random", "urandom"] {
            let path = Path::new("/dev").join(name);
            assert!(is_contentless_device(&path), "{name}");
            assert!(!open_contentless_device(&path).unwrap().writable);
        }
        let folder = on_disk();
        let file = folder.path().join("null");
        std::fs::write(&file, "").unwrap();
        for other in [Path::new("/dev/tty"), Path::new("/dev/kmsg"), &file, folder.path()] {
            assert!(!is_contentless_device(other), "{}", other.display());
        }
        assert!(open_contentless_device(folder.path()).is_err());
    }

    #[test]
    fn what_cannot_be_measured_is_named() {
        let folder = on_disk();
        let place = |name: &str| folder.path().join(name);
        let check = |path: &Path, text: &str| {
            let error = open_for_reading(path, true).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
            assert_eq!(error.kind(), units::ErrorKind::WrongRequest, "{error}");
        };
        rustix::fs::mknodat(
            rustix::fs::CWD,
            place("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let socket = std::os::unix::net::UnixListener::bind(place("socket")).unwrap();
        symlink(place("nowhere"), place("dangling")).unwrap();
        symlink(place("loop"), place("loop")).unwrap();
        check(&place("pipe"), "is a pipe");
        check(&place("socket"), "is a socket");
        check(Path::new("/dev/null"), "is a character device");
        check(&place("dangling"), "nowhere, which does not exist");
        check(&place("loop"), "symbolic links");
        check(&place("missing"), "does not exist");
        check(folder.path(), "is a folder");
        drop(socket);
        std::fs::write(place("file"), b"x").unwrap();
        symlink(place("file"), place("link")).unwrap();
        assert_eq!(open_for_reading(&place("link"), true).unwrap().size, Bytes(1));
        check(&place("file/below"), "Not a directory");
    }
}
