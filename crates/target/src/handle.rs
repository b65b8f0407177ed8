//! Files, folders and devices by descriptor: opened once, whatever their names come to mean later.
//!
//! A [`PathHandle`] is a descriptor without rights (O_PATH), opened again through `/proc/self/fd`
//! to read or write. What lies below another user's folder is opened with openat2.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{CWD, Dir, Mode, OFlags, ResolveFlags, StatVfs, fstatvfs, openat, openat2};
use rustix::io::Errno;

use crate::error::{REASON_LINK, REASON_OUTSIDE, REASON_REPLACED, TargetError};

/// A file, folder or device, opened once: it stays the same, whatever its name comes to mean.
#[derive(Debug, Clone)]
pub struct PathHandle {
    file: Arc<File>,
    /// As it was named, for messages.
    path: PathBuf,
    /// Without links.
    resolved: PathBuf,
}

impl PathHandle {
    /// Opens what `path` names, and follows its links: for paths that a person typed.
    pub fn open(path: &Path) -> Result<Self, TargetError> {
        let file = openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
            .map_err(|error| TargetError::from_io("look at", path, error.into()))?;
        let file = File::from(file);
        let link = std::fs::read_link(descriptor_path(&file)).ok();
        let resolved = link.filter(|path| path.is_absolute()).or_else(|| path.canonicalize().ok());
        let resolved = resolved.unwrap_or_else(|| path.to_owned());
        Ok(Self { file: Arc::new(file), path: path.to_owned(), resolved })
    }

    /// Opens it by its path from `/` once more, following no link; an error if that is another
    /// file.
    pub fn open_again(&self) -> Result<Self, TargetError> {
        let path = &self.resolved;
        let file = open_without_links(CWD, path, ResolveFlags::empty());
        let file = file.map_err(|error| open_error(path, error))?;
        let again = Self { file: Arc::new(file), path: path.clone(), resolved: path.clone() };
        let identity = |of: &Self| of.metadata().ok().map(|m| FileIdentity::from_metadata(&m));
        match identity(self).is_some_and(|before| identity(&again) == Some(before)) {
            true => Ok(again),
            false => Err(TargetError::NotOpened { path: path.clone(), reason: REASON_REPLACED }),
        }
    }

    /// Opens what `relative` names below this folder, following no link and never leaving it; the
    /// handle itself for an empty path.
    pub fn open_beneath(&self, relative: &Path) -> Result<Self, TargetError> {
        if relative.as_os_str().is_empty() {
            return Ok(self.clone());
        }
        let path = self.resolved.join(relative);
        let is_plain = |component| matches!(component, Component::Normal(_));
        if !relative.components().all(is_plain) {
            return Err(TargetError::NotOpened { path, reason: REASON_OUTSIDE });
        }
        match open_without_links(&*self.file, relative, ResolveFlags::BENEATH) {
            Ok(file) => Ok(Self { file: Arc::new(file), path: path.clone(), resolved: path }),
            Err(error) => Err(open_error(&path, error)),
        }
    }

    /// Opens what has the name `name` in this folder; a link is an error (ELOOP).
    pub(crate) fn open_name(&self, name: &OsStr) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = File::from(openat(&*self.file, check_single_name(name)?, flags, Mode::empty())?);
        if file.metadata()?.file_type().is_symlink() {
            return Err(Errno::LOOP.into());
        }
        let path = self.path.join(name);
        Ok(Self { file: Arc::new(file), path, resolved: self.resolved.join(name) })
    }

    pub(crate) fn with_display_path(mut self, path: &Path) -> Self {
        self.path = path.to_owned();
        self
    }

    /// As it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its path without links, as it was when it was opened.
    pub fn resolved(&self) -> &Path {
        &self.resolved
    }

    pub fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    pub fn is_folder(&self) -> bool {
        self.metadata().is_ok_and(|metadata| metadata.is_dir())
    }

    pub fn is_block_device(&self) -> bool {
        self.metadata().is_ok_and(|metadata| metadata.file_type().is_block_device())
    }

    /// A path that leads to this descriptor, for calls that take only paths.
    pub fn descriptor_path(&self) -> PathBuf {
        descriptor_path(&self.file)
    }

    /// The descriptor, which has no rights.
    pub fn shared_file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    pub(crate) fn reopen(&self, options: &OpenOptions) -> io::Result<File> {
        options.open(self.descriptor_path()).map_err(explain_missing_proc)
    }

    pub fn stat_file_system(&self) -> io::Result<StatVfs> {
        Ok(fstatvfs(&*self.file)?)
    }

    /// The names in this folder, sorted.
    pub fn list_names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        for entry in Dir::new(openat(&*self.file, ".", flags, Mode::empty())?)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

/// What tells one file or device from another, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileIdentity {
    File { device: u64, inode: u64 },
    Device { number: u64 },
}

impl FileIdentity {
    pub(crate) fn from_metadata(metadata: &Metadata) -> Self {
        if metadata.file_type().is_block_device() {
            Self::Device { number: metadata.rdev() }
        } else {
            Self::File { device: metadata.dev(), inode: metadata.ino() }
        }
    }
}

fn descriptor_path(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// What a descriptor leads to is always there: only `/proc` itself can be missing.
pub(crate) fn explain_missing_proc(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            io::Error::new(io::ErrorKind::Unsupported, "/proc is not mounted, and it is needed")
        }
        _ => error,
    }
}

pub(crate) fn check_single_name(name: &OsStr) -> io::Result<&OsStr> {
    let mut components = Path::new(name).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(name),
        _ => Err(io::ErrorKind::InvalidFilename.into()),
    }
}

fn open_without_links(
    folder: impl std::os::fd::AsFd,
    path: &Path,
    resolve: ResolveFlags,
) -> Result<File, Errno> {
    let resolve = resolve | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    openat2(folder, path, flags, Mode::empty(), resolve).map(File::from)
}

fn open_error(path: &Path, error: Errno) -> TargetError {
    let path = path.to_owned();
    match error {
        // A descriptor without rights needs none: EPERM is an old seccomp filter.
        Errno::NOSYS | Errno::PERM => TargetError::NoOpenat2 { path },
        Errno::LOOP => TargetError::NotOpened { path, reason: REASON_LINK },
        Errno::XDEV | Errno::AGAIN => TargetError::NotOpened { path, reason: REASON_OUTSIDE },
        Errno::NOENT => TargetError::Missing { path },
        error => TargetError::from_io("look at", &path, error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::testing::{on_disk, without_openat2};

    /// `in/deep/file` and `out/file`, with links from one to the other.
    fn tree() -> (lab::Scratch, PathBuf) {
        let scratch = on_disk();
        let base = fs::canonicalize(scratch.path()).unwrap();
        fs::create_dir_all(base.join("in/deep")).unwrap();
        fs::create_dir(base.join("out")).unwrap();
        fs::write(base.join("in/deep/file"), b"inside").unwrap();
        fs::write(base.join("out/file"), b"outside").unwrap();
        symlink("../out", base.join("in/link")).unwrap();
        symlink(base.join("out"), base.join("in/absolute")).unwrap();
        symlink("deep", base.join("in/near")).unwrap();
        (scratch, base)
    }

    fn check(folder: &PathHandle, relative: &str, expected: Result<&str, &str>) {
        let found = folder.open_beneath(Path::new(relative));
        match (found, expected) {
            (Ok(found), Ok(path)) => assert_eq!(found.resolved(), folder.resolved().join(path)),
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
            (found, _) => panic!("{relative}: {found:?}"),
        }
        let made = folder.entry_beneath(&Path::new(relative).join("new"));
        let out = |error: &TargetError| matches!(error, TargetError::NotOpened { .. });
        if matches!(expected, Err(words) if words != "does not exist") {
            assert!(made.as_ref().is_err_and(out), "{relative}: {made:?}");
        }
    }

    #[test]
    fn what_leads_out_of_a_folder_is_refused() {
        let (_scratch, base) = tree();
        let folder = PathHandle::open(&base.join("in")).unwrap();
        for inside in ["", "deep", "deep/file"] {
            check(&folder, inside, Ok(inside));
        }
        for link in ["link", "link/file", "absolute", "absolute/file", "near", "near/file"] {
            check(&folder, link, Err(REASON_LINK));
        }
        let absolute = base.join("in/deep");
        for out in ["..", "../out/file", "deep/..", "deep/../../out", absolute.to_str().unwrap()] {
            check(&folder, out, Err(REASON_OUTSIDE));
        }
        check(&folder, "missing", Err("does not exist"));
        check(&folder, "missing/more", Err("does not exist"));
        // Links that the kernel makes up.
        let process = PathHandle::open(Path::new("/proc/self")).unwrap();
        for magic in ["root", "root/etc", "cwd", "exe", "fd/0"] {
            check(&process, magic, Err(REASON_LINK));
        }
    }

    #[test]
    fn what_is_open_stays_the_same_whatever_its_name_means() {
        let (_scratch, base) = tree();
        let (inside, moved) = (base.join("in"), base.join("moved"));
        let folder = PathHandle::open(&inside).unwrap();
        folder.open_again().unwrap();
        fs::rename(&inside, &moved).unwrap();
        symlink(base.join("out"), &inside).unwrap();
        let file = folder.open_beneath(Path::new("deep/file")).unwrap();
        let text = file.reopen(OpenOptions::new().read(true)).unwrap();
        assert_eq!(std::io::read_to_string(text).unwrap(), "inside");
        assert_eq!(folder.list_names().unwrap(), ["absolute", "deep", "link", "near"]);
        let refused = |words: &str| {
            let error = folder.open_again().unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
            assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
        };
        refused(REASON_LINK);
        fs::remove_file(&inside).unwrap();
        fs::create_dir(&inside).unwrap();
        refused(REASON_REPLACED);
    }

    #[test]
    fn a_kernel_without_openat2_opens_nothing_below_a_folder_of_others() {
        let (_scratch, base) = tree();
        let folder = PathHandle::open(&base.join("in")).unwrap();
        for errno in [libc::ENOSYS, libc::EPERM] {
            let refused = without_openat2(errno, || {
                [
                    folder.open_beneath(Path::new("deep")).unwrap_err(),
                    folder.entry_beneath(Path::new("deep/new")).unwrap_err(),
                    folder.open_again().unwrap_err(),
                ]
            });
            for error in refused {
                assert!(error.to_string().contains("this kernel has no openat2 (Linux 5.6)"));
                assert_eq!(error.kind(), units::ErrorKind::Refused, "{error}");
                assert!(error.hint().unwrap().contains("Linux 5.6 or later"));
            }
        }
    }
}
