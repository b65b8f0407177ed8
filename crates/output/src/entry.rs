//! Resolves a path link by link, and inspects it through a descriptor.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, stderr, stdout};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{
    AtFlags, CWD, FileType, FsWord, Mode, OFlags, Stat, StatxAttributes, StatxFlags, fstat,
    fstatfs, major, minor, openat, readlinkat, statat, statx,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::error::OutputError;

const LINKS_MAX: usize = 40;
/// `PROC_SUPER_MAGIC` of linux/magic.h.
const PROCFS: FsWord = 0x9fa0;
/// The null device: memory, 3.
const NULL: (u32, u32) = (1, 3);
/// Prefix of test files (`target::TestFile`) and temporary files.
pub(crate) const OWN_PREFIX: &str = ".truedisk-";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    pub(crate) fn from_stat(stat: &Stat) -> Self {
        Self { device: stat.st_dev, inode: stat.st_ino }
    }

    pub(crate) fn from_metadata(found: &Metadata) -> Self {
        Self { device: found.dev(), inode: found.ino() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    pub(crate) fn stat(self) -> io::Result<Stat> {
        Ok(match self {
            Self::Stdout => fstat(stdout())?,
            Self::Stderr => fstat(stderr())?,
        })
    }

    pub(crate) fn metadata(self) -> io::Result<Metadata> {
        match self {
            Self::Stdout => metadata_of(stdout()),
            Self::Stderr => metadata_of(stderr()),
        }
    }
}

pub(crate) enum ResolvedPath {
    Stream(Stream),
    /// An open descriptor: `/dev/fd/3`.
    Descriptor(OpenedEntry),
    /// A name in a folder, perhaps free.
    Entry(Entry),
}

/// A name in an open folder.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) folder: Arc<OwnedFd>,
    pub(crate) name: OsString,
}

/// What a name meant, open with `O_PATH`.
#[derive(Debug)]
pub(crate) struct OpenedEntry {
    pub(crate) file: OwnedFd,
    pub(crate) stat: Stat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Regular,
    /// A pipe or the null device.
    Stream,
}

impl OpenedEntry {
    pub(crate) fn from_file(file: OwnedFd) -> io::Result<Self> {
        let stat = fstat(&file)?;
        Ok(Self { file, stat })
    }

    pub(crate) fn identity(&self) -> FileIdentity {
        FileIdentity::from_stat(&self.stat)
    }

    pub(crate) fn is_null(&self) -> bool {
        let number = (major(self.stat.st_rdev), minor(self.stat.st_rdev));
        file_type(&self.stat) == FileType::CharacterDevice && number == NULL
    }

    /// A mount point cannot be renamed over.
    pub(crate) fn is_mount_point(&self) -> bool {
        let found = statx(&self.file, "", AtFlags::EMPTY_PATH, StatxFlags::TYPE);
        found.is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
    }

    /// How it may be written, by its type alone.
    pub(crate) fn write_kind(&self, path: &Path) -> Result<WriteKind, OutputError> {
        match file_type(&self.stat) {
            FileType::RegularFile => Ok(WriteKind::Regular),
            FileType::Fifo => Ok(WriteKind::Stream),
            FileType::CharacterDevice if self.is_null() => Ok(WriteKind::Stream),
            FileType::CharacterDevice => {
                Err(OutputError::refused(path, "it is a character device"))
            }
            FileType::BlockDevice => Err(OutputError::refused(path, "it is a block device")),
            FileType::Symlink => {
                Err(OutputError::refused(path, "its name has become a link meanwhile"))
            }
            FileType::Directory => Err(OutputError::unsuitable(path, "it is a folder")),
            FileType::Socket | FileType::Unknown => {
                Err(OutputError::unsuitable(path, "it is a socket"))
            }
        }
    }
}

pub(crate) fn metadata_of(file: impl AsFd) -> io::Result<Metadata> {
    File::from(file.as_fd().try_clone_to_owned()?).metadata()
}

pub(crate) fn file_type(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

impl Entry {
    /// What the name means now; `None` if it is free.
    pub(crate) fn inspect(&self) -> io::Result<Option<OpenedEntry>> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.folder, &self.name, flags, Mode::empty()) {
            Ok(file) => OpenedEntry::from_file(file).map(Some),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether a path means the standard output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Follows the links of `path` to a name in a folder, or to an open descriptor.
pub(crate) fn resolve_path(path: &Path) -> Result<ResolvedPath, OutputError> {
    if is_dash(path) {
        return Ok(ResolvedPath::Stream(Stream::Stdout));
    }
    let failed = |error: Errno| OutputError::io("write", path, error);
    let mut place = path.to_owned();
    for followed in 0..LINKS_MAX {
        let (parent, name) = split_path(&place)
            .ok_or_else(|| OutputError::unsuitable(path, "it names a folder, not a file"))?;
        let folder = open_folder(&parent).map_err(|error| {
            let reason = format!("its folder {}: {}", parent.display(), io::Error::from(error));
            OutputError::unsuitable(path, reason)
        })?;
        match readlinkat(&folder, &name, Vec::new()) {
            Ok(_) if is_descriptor(&folder, &name) => {
                return resolve_descriptor(path, &folder, &name);
            }
            Ok(_) if is_planted(&folder, &name) => {
                let reason = "a link to it lies in a folder that everybody may write to, and \
                              belongs to another user";
                return Err(OutputError::refused(path, reason));
            }
            Ok(link) => place = parent.join(OsString::from_vec(link.into_bytes())),
            Err(Errno::NOENT) if followed > 0 => {
                let reason = format!("it is a link to {}, which does not exist", place.display());
                return Err(OutputError::unsuitable(path, reason));
            }
            // Not a link, or free.
            Err(Errno::INVAL | Errno::NOENT) => {
                return Ok(ResolvedPath::Entry(Entry { folder: Arc::new(folder), name }));
            }
            Err(error) => return Err(failed(error)),
        }
    }
    Err(failed(Errno::LOOP))
}

/// Whether another user may have planted the link: the kernel's rule (fs.protected_symlinks), which
/// may be switched off.
fn is_planted(folder: &OwnedFd, name: &OsStr) -> bool {
    let link = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    let (Ok(link), Ok(folder)) = (link, fstat(folder)) else { return true };
    let mode = Mode::from_raw_mode(folder.st_mode);
    mode.contains(Mode::SVTX | Mode::WOTH)
        && link.st_uid != geteuid().as_raw()
        && link.st_uid != folder.st_uid
}

/// Folder and name of a path; `None` if it can only name a folder.
fn split_path(path: &Path) -> Option<(PathBuf, OsString)> {
    let ends_in = |end: &[u8]| path.as_os_str().as_bytes().ends_with(end);
    if ends_in(b"/") || ends_in(b"/.") {
        return None;
    }
    let name = path.file_name()?.to_owned();
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    Some((parent.unwrap_or(Path::new(".")).to_owned(), name))
}

pub(crate) fn open_folder(path: &Path) -> Result<OwnedFd, Errno> {
    openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// Links of procfs to descriptors are not paths.
fn is_descriptor(folder: impl AsFd, name: &OsStr) -> bool {
    let is_number = name.as_bytes().iter().all(u8::is_ascii_digit);
    is_number && fstatfs(folder).is_ok_and(|system| system.f_type == PROCFS)
}

fn resolve_descriptor(
    path: &Path,
    folder: &OwnedFd,
    name: &OsStr,
) -> Result<ResolvedPath, OutputError> {
    let failed = |error: io::Error| OutputError::io("write", path, error);
    let ours = std::fs::read_link(proc_path(folder)).is_ok_and(|folder| {
        folder.starts_with(Path::new("/proc").join(std::process::id().to_string()))
    });
    // Both share their position with other output.
    match name.to_str() {
        Some("1") if ours => return Ok(ResolvedPath::Stream(Stream::Stdout)),
        Some("2") if ours => return Ok(ResolvedPath::Stream(Stream::Stderr)),
        _ => {}
    }
    // The link's mode is that of the descriptor.
    let link = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|e| failed(e.into()))?;
    if !Mode::from_raw_mode(link.st_mode).contains(Mode::WUSR) {
        return Err(OutputError::unsuitable(path, "that descriptor is open for reading only"));
    }
    let file = openat(folder, name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
    let seen = file.map_err(io::Error::from).and_then(OpenedEntry::from_file).map_err(failed)?;
    Ok(ResolvedPath::Descriptor(seen))
}

/// Path to open a descriptor's file again.
pub(crate) fn proc_path(file: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd as _;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
