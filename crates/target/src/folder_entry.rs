//! Names in open folders, even if another folder takes the path later.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, unlinkat};

use crate::error::{REASON_LINK, REASON_OUTSIDE, TargetError};
use crate::handle::{PathHandle, check_single_name};

/// A name in an open folder, whether or not something has it.
#[derive(Debug, Clone)]
pub struct FolderEntry {
    folder: PathHandle,
    /// Below the folder: several names where folders are missing, none where the handle is the
    /// thing.
    rest: PathBuf,
    /// As it was named, for messages.
    path: PathBuf,
}

/// What can be opened and made: a path, whose links are followed; a descriptor; a name in an open
/// folder, where a link is refused.
pub trait Location {
    fn open_handle(&self) -> Result<PathHandle, TargetError>;

    fn entry(&self) -> Result<FolderEntry, TargetError>;
}

impl<P: AsRef<Path> + ?Sized> Location for P {
    fn open_handle(&self) -> Result<PathHandle, TargetError> {
        PathHandle::open(self.as_ref())
    }

    fn entry(&self) -> Result<FolderEntry, TargetError> {
        FolderEntry::from_path(self.as_ref())
    }
}

impl Location for PathHandle {
    fn open_handle(&self) -> Result<PathHandle, TargetError> {
        Ok(self.clone())
    }

    fn entry(&self) -> Result<FolderEntry, TargetError> {
        Ok(FolderEntry::from(self.clone()))
    }
}

impl Location for FolderEntry {
    fn open_handle(&self) -> Result<PathHandle, TargetError> {
        self.open()?.ok_or_else(|| TargetError::Missing { path: self.path.clone() })
    }

    fn entry(&self) -> Result<FolderEntry, TargetError> {
        Ok(self.clone())
    }
}

impl From<PathHandle> for FolderEntry {
    /// The thing itself, which can be neither made nor removed.
    fn from(handle: PathHandle) -> Self {
        let path = handle.path().to_owned();
        Self { folder: handle, rest: PathBuf::new(), path }
    }
}

impl PathHandle {
    /// The name `relative` below this folder, whether or not something has it: as
    /// [`PathHandle::open_beneath`], where folders on the way may be missing, too.
    pub fn entry_beneath(&self, relative: &Path) -> Result<FolderEntry, TargetError> {
        match find_entry(relative, |folder| self.open_beneath(folder))? {
            Some(entry) => Ok(entry),
            None => FolderEntry::new(self.clone(), relative),
        }
    }

    /// A name in this folder, whether or not something has it.
    pub fn entry_named(&self, name: &OsStr) -> Result<FolderEntry, TargetError> {
        FolderEntry::new(self.clone(), Path::new(name))
    }
}

/// `path` as a name in the deepest of its folders that `open` finds; `None` where there is none.
fn find_entry(
    path: &Path,
    open: impl Fn(&Path) -> Result<PathHandle, TargetError>,
) -> Result<Option<FolderEntry>, TargetError> {
    for folder in path.ancestors().skip(1) {
        match open(folder) {
            Ok(handle) => {
                let rest = path.strip_prefix(folder).unwrap_or(path);
                return FolderEntry::new(handle, rest).map(Some);
            }
            Err(TargetError::Missing { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

impl FolderEntry {
    /// What `path` names here, following its links: for paths that a person typed.
    pub fn from_path(path: &Path) -> Result<Self, TargetError> {
        if std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            return Ok(Self::from(PathHandle::open(path)?));
        }
        let resolved = resolve_path(&Path::new(".").join(path))
            .map_err(|error| TargetError::from_io("look at", path, error))?;
        match find_entry(&resolved, PathHandle::open)? {
            Some(entry) => Ok(Self { path: path.to_owned(), ..entry }),
            None => Ok(Self::from(PathHandle::open(&resolved)?.with_display_path(path))),
        }
    }

    pub(crate) fn new(folder: PathHandle, rest: &Path) -> Result<Self, TargetError> {
        if rest.as_os_str().is_empty() {
            return Ok(Self::from(folder));
        }
        let path = folder.path().join(rest);
        let is_plain = |component| matches!(component, Component::Normal(_));
        match rest.components().all(is_plain) {
            true => Ok(Self { folder, rest: rest.components().collect(), path }),
            false => Err(TargetError::NotOpened { path, reason: REASON_OUTSIDE }),
        }
    }

    /// As it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its path without links, as its folder was when it was opened.
    pub fn resolved(&self) -> PathBuf {
        match self.is_handle() {
            true => self.folder.resolved().to_owned(),
            false => self.folder.resolved().join(&self.rest),
        }
    }

    /// Whether it has no name, as what a typed link leads to: it is neither made nor removed.
    pub fn is_handle(&self) -> bool {
        self.rest.as_os_str().is_empty()
    }

    /// The folder that it is in; of missing folders, the one above that exists.
    pub fn folder(&self) -> &PathHandle {
        &self.folder
    }

    /// Takes `folder` for its own, which is the same: one descriptor is enough for many names.
    pub fn reuse_folder(&mut self, folder: &PathHandle) {
        self.folder = folder.clone();
    }

    /// Opens what has this name; `None` where nothing has it. A link is an error.
    pub fn open(&self) -> Result<Option<PathHandle>, TargetError> {
        match self.open_relative(&self.rest) {
            Ok(handle) => Ok(Some(handle.with_display_path(&self.path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.io_error("look at", error)),
        }
    }

    pub(crate) fn is_same_file(&self, ours: &Metadata) -> bool {
        let found = self.open_relative(&self.rest).and_then(|handle| handle.metadata());
        found.is_ok_and(|found| (found.dev(), found.ino()) == (ours.dev(), ours.ino()))
    }

    /// Makes the folders that are missing.
    pub fn create_missing_folders(&self) -> io::Result<()> {
        let mut folder = self.folder.clone();
        for name in self.rest.parent().unwrap_or(Path::new("")) {
            match mkdirat(folder.file(), check_single_name(name)?, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder = folder.open_name(name)?;
        }
        Ok(())
    }

    pub(crate) fn create(&self, mode: u32) -> io::Result<File> {
        let (folder, name) = self.parent()?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::from_raw_mode(mode);
        Ok(openat(folder.file(), name, flags | OFlags::CLOEXEC, mode)?.into())
    }

    /// Makes a folder of this name; an error where something has it.
    pub fn create_folder(&self, mode: u32) -> io::Result<()> {
        let (folder, name) = self.parent()?;
        Ok(mkdirat(folder.file(), name, Mode::from_raw_mode(mode))?)
    }

    pub(crate) fn unlink(&self, is_folder: bool) -> io::Result<()> {
        let (folder, name) = self.parent()?;
        let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        Ok(unlinkat(folder.file(), name, flags)?)
    }

    /// Removes the regular file of this name; anything else is left.
    pub fn remove_file(&self) -> io::Result<()> {
        match self.open_relative(&self.rest).and_then(|handle| handle.metadata()) {
            Ok(found) if found.is_file() && !self.is_handle() => self.unlink(false),
            _ => Ok(()),
        }
    }

    /// Removes the empty folder of this name; anything else is left.
    pub fn remove_folder(&self) -> io::Result<()> {
        match self.open_relative(&self.rest) {
            Ok(found) if found.is_folder() && !self.is_handle() => self.unlink(true),
            _ => Ok(()),
        }
    }

    /// Its name in its folder; `None` where it is a handle.
    pub fn name(&self) -> Option<&OsStr> {
        self.rest.file_name()
    }

    pub(crate) fn parent(&self) -> io::Result<(PathHandle, &OsStr)> {
        let (Some(folder), Some(name)) = (self.rest.parent(), self.rest.file_name()) else {
            return Err(io::ErrorKind::AlreadyExists.into());
        };
        Ok((self.open_relative(folder)?, check_single_name(name)?))
    }

    fn open_relative(&self, rest: &Path) -> io::Result<PathHandle> {
        rest.iter().try_fold(self.folder.clone(), |folder, name| folder.open_name(name))
    }

    pub(crate) fn io_error(&self, attempt: &'static str, error: io::Error) -> TargetError {
        match error.raw_os_error() {
            Some(libc::ELOOP) => {
                TargetError::NotOpened { path: self.path.clone(), reason: REASON_LINK }
            }
            _ => TargetError::from_io(attempt, &self.path, error),
        }
    }
}

/// `path` without links, as far as it exists. Fails when a link on the way leads nowhere.
pub fn resolve_path(path: &Path) -> io::Result<PathBuf> {
    let mut rest = Vec::new();
    let mut known = path;
    loop {
        match std::fs::canonicalize(known) {
            Ok(mut found) => {
                found.extend(rest.iter().rev());
                return Ok(found);
            }
            // A link to nowhere: who makes what it leads to is somewhere else.
            Err(error) if std::fs::symlink_metadata(known).is_ok() => return Err(error),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (Some(name), Some(parent)) = (known.file_name(), known.parent()) else {
                    return Err(error);
                };
                rest.push(name);
                known = parent;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use lab::NameExchanger;

    use super::*;
    use crate::guard::{PermitOptions, open_for_writing, permit_named};
    use crate::leftovers::remove_leftovers;
    use crate::limits::SIZE_MIN;
    use crate::roots::Roots;
    use crate::test_file::TestFile;
    use crate::test_folder::{SmallFileName, TestFolder};
    use crate::testing::{on_disk, without_openat2};

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_name_is_one_in_the_folder_that_was_opened() {
        let scratch = on_disk();
        let base = fs::canonicalize(scratch.path()).unwrap();
        let (inside, out) = (base.join("in"), base.join("out"));
        fs::create_dir(&inside).unwrap();
        fs::create_dir(&out).unwrap();
        let entry = FolderEntry::from_path(&inside.join("new/deep/file")).unwrap();
        assert!(entry.open().unwrap().is_none());
        fs::rename(&inside, base.join("moved")).unwrap();
        symlink(&out, &inside).unwrap();
        entry.create_missing_folders().unwrap();
        drop(entry.create(0o600).unwrap());
        assert!(base.join("moved/new/deep/file").exists() && names(&out).is_empty());
        assert_eq!(entry.create(0o600).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(entry.open().unwrap().is_some());
        entry.remove_file().unwrap();
        assert!(entry.open().unwrap().is_none());
        entry.remove_file().unwrap();
        // A link on the way, or at its end, is not followed, nor removed.
        fs::remove_dir(base.join("moved/new/deep")).unwrap();
        symlink(&out, base.join("moved/new/deep")).unwrap();
        fs::write(out.join("file"), b"outside").unwrap();
        assert!(entry.open().is_err() && entry.create(0o600).is_err());
        assert!(entry.create_missing_folders().is_err());
        let link =
            FolderEntry::new(PathHandle::open(&base.join("moved/new")).unwrap(), Path::new("deep"));
        let link = link.unwrap();
        let error = permit_named(&link, PermitOptions::default(), &Roots::host()).unwrap_err();
        assert!(
            error.to_string().contains(REASON_LINK) && error.kind() == units::ErrorKind::Refused,
            "{error}"
        );
        link.remove_file().unwrap();
        assert_eq!(names(&out), ["file"]);
        assert!(FolderEntry::new(PathHandle::open(&out).unwrap(), Path::new("../x")).is_err());
    }

    #[test]
    fn what_a_person_types_is_followed() {
        let scratch = on_disk();
        let base = fs::canonicalize(scratch.path()).unwrap();
        fs::write(base.join("file"), b"x").unwrap();
        symlink("file", base.join("link")).unwrap();
        symlink("nowhere", base.join("dangling")).unwrap();
        let entry = FolderEntry::from_path(&base.join("link")).unwrap();
        assert_eq!(entry.resolved(), base.join("file"));
        assert_eq!(entry.open().unwrap().unwrap().path(), base.join("link"), "as it was typed");
        entry.remove_file().unwrap();
        assert_eq!(names(&base), ["dangling", "file", "link"]);
        let error = FolderEntry::from_path(&base.join("dangling")).unwrap_err();
        assert!(matches!(error, TargetError::Dangling { .. }), "{error}");
        let here = std::env::current_dir().unwrap();
        assert_eq!(FolderEntry::from_path(Path::new("new")).unwrap().resolved(), here.join("new"));
        let root = FolderEntry::from_path(Path::new("/")).unwrap().open_handle().unwrap();
        assert!(root.is_folder());
    }

    /// The list of what a folder holds, and what each file holds.
    fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let content = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
        names(folder).into_iter().map(content).collect()
    }

    /// A folder that a second user can write is exchanged for a link to another one all the time;
    /// everything that a run makes, changes and removes stays in the folder that was opened.
    #[test]
    fn exchanging_folders_leads_no_run_elsewhere() {
        const ROUNDS: u32 = 150;
        let scratch = on_disk();
        let base = fs::canonicalize(scratch.path()).unwrap();
        let (shared, link, out) = (base.join("shared"), base.join("link"), base.join("out"));
        fs::create_dir(&shared).unwrap();
        fs::create_dir(&out).unwrap();
        symlink(&out, &link).unwrap();
        let leftover = b"truedisk test file 1\nid dead\n";
        for name in [".truedisk-dead.tmp", ".truedisk-7.tmp", "precious"] {
            fs::write(out.join(name), leftover).unwrap();
        }
        let before = contents(&out);
        let (folder, roots) = (PathHandle::open(&shared).unwrap(), Roots::host());
        let exchange = NameExchanger::start(&shared, &link);
        for round in 0..ROUNDS {
            assert!(remove_leftovers(&folder).unwrap().is_empty());
            // Some have the names of files that are outside.
            let id = (round % 8).to_string();
            let mut test = TestFile::create(&folder, &id, SIZE_MIN, &roots).unwrap();
            open_for_writing(&test.permit(), false).unwrap();
            test.shrink(units::Bytes::mib(1)).unwrap();
            let second = test.create_beside("second", SIZE_MIN, &roots).unwrap();
            second.remove().unwrap();
            drop(test);
            let own = TestFolder::create(&folder, &id).unwrap();
            let leaves = own.create_leaves(9).unwrap();
            leaves[8].create(&SmallFileName::original_name(1), b"small", false).unwrap();
            own.clear().unwrap();
            own.remove().unwrap();
            let entry = FolderEntry::new(folder.clone(), Path::new("precious")).unwrap();
            let permit = permit_named(&entry, PermitOptions::default(), &roots).unwrap();
            open_for_writing(&permit, false).unwrap();
            entry.remove_file().unwrap();
        }
        drop(exchange);
        assert_eq!(contents(&out), before);
        assert!(names(&shared).is_empty(), "{:?}", names(&shared));
    }

    #[test]
    fn a_folder_that_was_typed_needs_no_openat2() {
        let scratch = on_disk();
        let made = || {
            let roots = Roots::host();
            let test = TestFile::create(scratch.path(), "old", SIZE_MIN, &roots).unwrap();
            open_for_writing(&test.permit(), false).unwrap();
            test.remove().unwrap();
            let own = TestFolder::create(scratch.path(), "old").unwrap();
            own.remove().unwrap();
            remove_leftovers(scratch.path()).unwrap()
        };
        assert!(without_openat2(libc::ENOSYS, made).is_empty());
        assert!(names(scratch.path()).is_empty());
    }
}
