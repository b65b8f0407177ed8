//! The folder of our own that small files are made in.

use std::ffi::CStr;
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, flock, fsync, mkdirat, openat, renameat,
    statat, unlinkat,
};
use rustix::io::Errno;

use crate::error::TargetError;
use crate::folder_entry::{FolderEntry, Location};
use crate::handle::PathHandle;
use crate::own_files::{CREATE_ATTEMPTS, LiveEntries, MAGIC, is_old, run_entry, wait_for_lock};

/// The file by which a leftover is recognised.
const MARKER: &str = "made-by-truedisk";
/// A tree has two levels, each of this many folders.
const BRANCHES: u32 = 8;
/// Letters that the names of our folders and files begin with; a number follows.
const FOLDER_PREFIX: char = 'd';
const FILE_PREFIXES: [char; 2] = ['f', 'r'];
/// Levels of folders below ours, with one to spare.
const LEVELS_MAX: u32 = 3;
/// How often a folder is emptied again because another process still fills it.
const EMPTYING_ATTEMPTS: usize = 3;

static LIVE_FOLDERS: LiveEntries = LiveEntries::new();

#[derive(Debug)]
pub struct TestFolder {
    entry: FolderEntry,
    handle: PathHandle,
    /// Held open for its lock.
    folder: File,
    metadata: Metadata,
}

impl TestFolder {
    /// Makes the folder `.truedisk-<id>.tmp` in `parent`; the `id` is of letters, digits and
    /// hyphens.
    pub fn create(parent: &(impl Location + ?Sized), id: &str) -> Result<Self, TargetError> {
        let parent = parent.open_handle()?;
        let failed = |error| TargetError::from_io("create a folder in", parent.path(), error);
        let own = Self::create_locked(&run_entry(&parent, id).map_err(failed)?).map_err(failed)?;
        own.write_marker().map_err(failed)?;
        Ok(own)
    }

    /// A sweep may take the new folder for a leftover before it is locked: then it is made again.
    fn create_locked(entry: &FolderEntry) -> io::Result<Self> {
        for _ in 0..CREATE_ATTEMPTS {
            entry.create_folder(0o700)?;
            LIVE_FOLDERS.add(entry);
            match Self::open_and_lock(entry) {
                Ok(own) if entry.is_same_file(&own.metadata) => return Ok(own),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let _ = entry.unlink(true);
                    LIVE_FOLDERS.forget(entry);
                    return Err(error);
                }
            }
            LIVE_FOLDERS.forget(entry);
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "something removes it at once"))
    }

    fn open_and_lock(entry: &FolderEntry) -> io::Result<Self> {
        let handle = open_own_folder(entry)?;
        let folder = File::from(open_folder(handle.file(), ".")?);
        wait_for_lock(&folder)?;
        Ok(Self { entry: entry.clone(), handle, metadata: folder.metadata()?, folder })
    }

    fn write_marker(&self) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let mut file = File::from(openat(&self.folder, MARKER, flags, mode)?);
        file.write_all(MAGIC)?;
        writeln!(
            file,
            "pid {}\nMade by truedisk to measure this file system. It is removed at the end of the \
             run;\nif no truedisk is running, the folder may be deleted.",
            std::process::id()
        )
    }

    pub fn path(&self) -> &Path {
        self.handle.resolved()
    }

    pub const fn handle(&self) -> &PathHandle {
        &self.handle
    }

    /// Makes `count` folders in it for small files: one, or the leaves of a tree.
    pub fn create_leaves(&self, count: u32) -> Result<Vec<LeafFolder>, TargetError> {
        let failed = |error| TargetError::from_io("create a folder in", self.path(), error);
        let mut leaves = Vec::new();
        for number in 0..count {
            let name = |number: u32| format!("{FOLDER_PREFIX}{number}");
            let leaf = name(number / BRANCHES);
            let folder = match count {
                1 => open_or_create_folder(&self.folder, &leaf),
                _ => open_or_create_folder(&self.folder, &name(number % BRANCHES))
                    .and_then(|branch| open_or_create_folder(&branch, &leaf)),
            };
            leaves.push(LeafFolder { folder: folder.map_err(failed)? });
        }
        Ok(leaves)
    }

    /// Removes the small files and their folders. Fails when something in it is not ours.
    pub fn clear(&self) -> Result<(), TargetError> {
        empty_folder(&self.folder, LEVELS_MAX, true)
            .map_err(|error| TargetError::from_io("remove what was made in", self.path(), error))
    }

    /// Makes all changes of its file system reach the disk.
    pub fn sync_file_system(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(&self.folder)?)
    }

    /// Removes it, and says when that fails.
    pub fn remove(self) -> Result<(), TargetError> {
        self.unlink().map_err(|error| TargetError::from_io("remove", self.path(), error))
    }

    fn unlink(&self) -> io::Result<()> {
        // Only what is still ours: another folder may have come to its name.
        if self.entry.is_same_file(&self.metadata) {
            remove_tree(&self.entry, &self.folder)?;
        }
        LIVE_FOLDERS.forget(&self.entry);
        Ok(())
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        // Nobody to tell: a leftover is swept by the next run in this folder.
        let _ = self.unlink();
    }
}

/// A folder in ours that small files are made in, by their numbers.
#[derive(Debug)]
pub struct LeafFolder {
    folder: OwnedFd,
}

const NAME_MAX: usize = 22;

/// The name of a small file, without an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallFileName {
    /// Filled from the end.
    bytes: [u8; NAME_MAX],
    begin: usize,
}

impl SmallFileName {
    pub fn original_name(number: u64) -> Self {
        Self::with_prefix(FILE_PREFIXES[0], number)
    }

    /// The name that it is given instead.
    pub fn renamed_name(number: u64) -> Self {
        Self::with_prefix(FILE_PREFIXES[1], number)
    }

    fn with_prefix(letter: char, number: u64) -> Self {
        let (mut bytes, mut begin, mut rest) = ([0; NAME_MAX], NAME_MAX - 2, number);
        while rest >= 10 {
            bytes[begin] = b'0' + (rest % 10) as u8;
            rest /= 10;
            begin -= 1;
        }
        bytes[begin] = b'0' + rest as u8;
        bytes[begin - 1] = letter as u8;
        Self { bytes, begin: begin - 1 }
    }

    #[inline]
    fn as_c_str(&self) -> io::Result<&CStr> {
        CStr::from_bytes_with_nul(&self.bytes[self.begin..])
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
    }
}

impl LeafFolder {
    /// Makes a file that must not exist, writes `content`, syncs it if asked, closes it.
    pub fn create(&self, name: &SmallFileName, content: &[u8], sync: bool) -> io::Result<()> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let mut file = File::from(openat(&self.folder, name.as_c_str()?, flags, mode)?);
        if !content.is_empty() {
            file.write_all(content)?;
        }
        if sync { file.sync_all() } else { Ok(()) }
    }

    /// Asks for size and times; the size is the answer.
    // The fastest operation: a call around it made it a fifth slower.
    #[inline]
    pub fn stat(&self, name: &SmallFileName) -> io::Result<u64> {
        let stat = statat(&self.folder, name.as_c_str()?, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }

    /// Opens, reads all of it into `buffer`, which is larger than any file here, and closes.
    pub fn read(&self, name: &SmallFileName, buffer: &mut [u8]) -> io::Result<usize> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(openat(&self.folder, name.as_c_str()?, flags, Mode::empty())?);
        let mut filled = 0;
        loop {
            match file.read(&mut buffer[filled..])? {
                0 => return Ok(filled),
                read => filled += read,
            }
        }
    }

    /// Gives a file another name in this folder, and syncs the folder if asked.
    pub fn rename(&self, from: &SmallFileName, to: &SmallFileName, sync: bool) -> io::Result<()> {
        renameat(&self.folder, from.as_c_str()?, &self.folder, to.as_c_str()?)?;
        self.sync_folder_if(sync)
    }

    /// Removes a file, and syncs the folder if asked.
    pub fn delete(&self, name: &SmallFileName, sync: bool) -> io::Result<()> {
        unlinkat(&self.folder, name.as_c_str()?, AtFlags::empty())?;
        self.sync_folder_if(sync)
    }

    /// Reads all names, and says how many there are.
    pub fn count_names(&self) -> io::Result<u64> {
        let mut names = 0;
        for entry in Dir::read_from(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            names += u64::from(name != b"." && name != b"..");
        }
        Ok(names)
    }

    fn sync_folder_if(&self, sync: bool) -> io::Result<()> {
        if sync {
            fsync(&self.folder)?;
        }
        Ok(())
    }
}

fn open_folder(parent: impl AsFd, name: &str) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

fn open_or_create_folder(parent: impl AsFd, name: &str) -> io::Result<OwnedFd> {
    match mkdirat(&parent, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => open_folder(parent, name),
        Err(error) => Err(error.into()),
    }
}

fn open_own_folder(entry: &FolderEntry) -> io::Result<PathHandle> {
    let found = entry.open().map_err(io::Error::other)?;
    Ok(found.ok_or(io::ErrorKind::NotFound)?)
}

fn is_own_name(name: &str, letters: &[char]) -> bool {
    let number = name.strip_prefix(letters);
    number.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
}

/// Removes files and folders of ours; what is not ours stays, and makes the removal of its folder
/// fail.
fn empty_folder(folder: impl AsFd, levels: u32, top: bool) -> io::Result<()> {
    // All names first: what a folder lists while it is emptied is not defined.
    let entries = Dir::read_from(&folder)?.collect::<Result<Vec<_>, _>>()?;
    for entry in entries {
        let Ok(name) = entry.file_name().to_str() else { continue };
        let kind = match entry.file_type() {
            FileType::Unknown => {
                let stat = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                FileType::from_raw_mode(stat.st_mode)
            }
            kind => kind,
        };
        if kind.is_file() && !top && is_own_name(name, &FILE_PREFIXES) {
            unlinkat(&folder, name, AtFlags::empty())?;
        } else if kind.is_dir() && levels > 0 && is_own_name(name, &[FOLDER_PREFIX]) {
            empty_folder(open_folder(&folder, name)?, levels - 1, false)?;
            unlinkat(&folder, name, AtFlags::REMOVEDIR)?;
        }
    }
    Ok(())
}

fn remove_tree(entry: &FolderEntry, folder: &File) -> io::Result<()> {
    empty_folder(folder, LEVELS_MAX, true)?;
    match unlinkat(folder, MARKER, AtFlags::empty()) {
        Err(error) if error != Errno::NOENT => return Err(error.into()),
        _ => {}
    }
    entry.unlink(true)
}

/// Removes every folder of this process: for a panic or a second signal.
pub(crate) fn remove_live_folders() {
    for entry in LIVE_FOLDERS.lock().drain(..) {
        // Workers may still be making files.
        for _ in 0..EMPTYING_ATTEMPTS {
            let folder = open_own_folder(&entry).and_then(|own| open_folder(own.file(), "."));
            if folder.and_then(|folder| remove_tree(&entry, &folder.into())).is_ok() {
                break;
            }
        }
    }
}

/// Removes a folder of ours when a killed run left it: with the mark, or before it had one, and
/// without a lock. Whether it is gone.
pub(crate) fn remove_leftover_folder(entry: &FolderEntry) -> bool {
    let folder = open_own_folder(entry).and_then(|own| open_folder(own.file(), "."));
    let Ok(folder) = folder.map(File::from) else { return false };
    if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_err() {
        return false;
    }
    let Ok(metadata) = folder.metadata() else { return false };
    if !entry.is_same_file(&metadata) {
        return false;
    }
    match read_marker(&folder) {
        Ok(head) if head == MAGIC => remove_tree(entry, &folder).is_ok(),
        // Killed before it wrote the mark.
        Ok(head) if head.is_empty() && has_only_marker(&folder) && is_old(&metadata) => {
            unlinkat(&folder, MARKER, AtFlags::empty()).is_ok() && entry.unlink(true).is_ok()
        }
        // Killed before it made the marker, or after it removed it: only an empty folder goes.
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_old(&metadata) => {
            entry.unlink(true).is_ok()
        }
        _ => false,
    }
}

fn has_only_marker(folder: &File) -> bool {
    let names = Dir::read_from(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    names.is_ok_and(|all| {
        let mut names = all.iter().map(|entry| entry.file_name().to_bytes());
        names.all(|name| [b".".as_slice(), b"..", MARKER.as_bytes()].contains(&name))
    })
}

fn read_marker(folder: &File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(folder, MARKER, flags, Mode::empty())?);
    file.take(MAGIC.len() as u64).read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::testing::on_disk;

    fn is_alive(path: &Path) -> bool {
        LIVE_FOLDERS.lock().iter().any(|entry| entry.resolved() == path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn small_files_live_and_go() {
        let parent = on_disk();
        let own = TestFolder::create(parent.path(), "1").unwrap();
        for count in [1, 64] {
            let leaves = own.create_leaves(count).unwrap();
            assert_eq!(leaves.len(), count as usize);
            let leaf = &leaves[count as usize - 1];
            let (first, second) = (SmallFileName::original_name(7), SmallFileName::renamed_name(7));
            leaf.create(&first, b"four", count == 1).unwrap();
            assert_eq!(leaf.stat(&first).unwrap(), 4);
            let again = leaf.create(&first, b"", false).unwrap_err();
            assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
            leaf.rename(&first, &second, true).unwrap();
            let mut buffer = [0; 8];
            assert_eq!(leaf.read(&second, &mut buffer).unwrap(), 4);
            assert_eq!((&buffer[..4], leaf.count_names().unwrap()), (&b"four"[..], 1));
            leaf.delete(&second, true).unwrap();
            assert_eq!(leaf.count_names().unwrap(), 0);
            leaf.create(&first, b"", false).unwrap();
            own.clear().unwrap();
            assert_eq!(names(own.path()), [MARKER]);
        }
        own.create_leaves(64).unwrap()[63]
            .create(&SmallFileName::original_name(1), b"", false)
            .unwrap();
        let path = own.path().to_owned();
        assert!(is_alive(&path));
        own.remove().unwrap();
        assert!(names(parent.path()).is_empty() && !is_alive(&path));
    }

    #[test]
    fn names_are_a_letter_and_a_number() {
        for number in [0, 7, 10, 99, 1_234_567_890, u64::MAX] {
            let check = |name: SmallFileName, letter| {
                let words = name.as_c_str().unwrap().to_str().unwrap();
                assert_eq!(words, format!("{letter}{number}"));
                assert!(is_own_name(words, &FILE_PREFIXES));
            };
            check(SmallFileName::original_name(number), 'f');
            check(SmallFileName::renamed_name(number), 'r');
        }
    }

    #[test]
    fn what_is_not_ours_stays() {
        let parent = on_disk();
        let own = TestFolder::create(parent.path(), "2").unwrap();
        let precious = own.path().join("precious");
        fs::write(&precious, b"precious").unwrap();
        let error = own.remove().unwrap_err();
        assert!(error.to_string().contains("not empty"), "{error}");
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert!(TestFolder::create(parent.path(), "../x").is_err());
        assert!(TestFolder::create(&parent.path().join("missing"), "3").is_err());
    }

    #[test]
    fn leftovers_are_swept_and_nothing_else() {
        let parent = on_disk();
        let alive = TestFolder::create(parent.path(), "alive").unwrap();
        let leftover = parent.path().join(".truedisk-dead.tmp");
        fs::create_dir_all(leftover.join("d0/d1")).unwrap();
        fs::write(leftover.join("d0/d1/f3"), b"x").unwrap();
        fs::write(leftover.join(MARKER), MAGIC).unwrap();
        let foreign = parent.path().join(".truedisk-foreign.tmp");
        fs::create_dir_all(foreign.join("d0")).unwrap();
        let swept = crate::remove_leftovers(parent.path()).unwrap();
        assert_eq!(swept, [leftover]);
        assert!(alive.path().exists() && foreign.join("d0").exists());
    }

    #[test]
    fn what_a_run_left_that_was_killed_before_its_mark_is_swept_when_it_is_old() {
        let parent = on_disk();
        let make = |name: &str, files: &[(&str, &[u8])]| {
            let folder = parent.path().join(format!(".truedisk-{name}.tmp"));
            fs::create_dir(&folder).unwrap();
            for (file, content) in files {
                let path = folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
            folder
        };
        let (empty, begun) = (make("empty", &[]), make("begun", &[(MARKER, b"")]));
        let kept = [
            make("cut", &[(MARKER, &MAGIC[..4])]),
            make("filled", &[("d0/f1", b"precious")]),
            make("beside", &[(MARKER, b""), ("d0/f1", b"precious")]),
        ];
        let swept = || crate::remove_leftovers(parent.path()).unwrap();
        assert_eq!(swept(), [""; 0].map(PathBuf::from), "they may be about to be filled");
        for folder in [&empty, &begun].into_iter().chain(&kept) {
            let long_ago = SystemTime::now() - Duration::from_secs(60);
            File::open(folder).unwrap().set_modified(long_ago).unwrap();
        }
        assert_eq!(swept(), [begun, empty]);
        assert!(kept.iter().all(|folder| fs::read_dir(folder).unwrap().count() > 0));
        assert_eq!(fs::read(kept[2].join("d0/f1")).unwrap(), b"precious");
        assert!(kept[2].join(MARKER).exists());
    }
}
