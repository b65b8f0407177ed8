//! The file of our own that a folder is measured through.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustix::fs::{FallocateFlags, FlockOperation, fallocate, flock, statvfs};
use units::Bytes;

use crate::error::TargetError;
use crate::guard::WritePermit;
use crate::roots::{Roots, read_trimmed};

/// First bytes of every test file; a leftover is recognised by them.
const MAGIC: &[u8] = b"truedisk test file 1\n";
const PREFIX: &str = ".truedisk-";
const SUFFIX: &str = ".tmp";
/// The header keeps 1 MiB to itself, so that the measured span starts aligned to any stripe.
const HEADER: Bytes = Bytes::mib(1);
/// The least test file that says anything: four times the depth-32 window of 1 MiB operations
/// would be 128 MiB, but small file systems deserve an answer too.
pub(crate) const SIZE_MIN: Bytes = Bytes::mib(16);
/// Share of the free space that is never used, and share that is used by default.
const KEEP_FREE: u64 = 20;
const DEFAULT_SHARE: u64 = 10;

/// Test files of this process that must not outlive it.
static ALIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn alive() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    // A panic while the list was held leaves it as good as it was.
    ALIVE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A test file: made for one run, locked as long as it lives, removed when dropped.
#[derive(Debug)]
pub struct TestFile {
    path: PathBuf,
    file: File,
    size: Bytes,
}

impl TestFile {
    /// Where the measured span begins.
    pub const SPAN_OFFSET: Bytes = HEADER;

    /// Makes `.truedisk-<id>.tmp` in `folder` with room for a span of `size`.
    ///
    /// # Errors
    /// When the folder cannot take it.
    pub fn create(
        folder: &Path,
        id: &str,
        size: Bytes,
        roots: &Roots,
    ) -> Result<Self, TargetError> {
        let path = folder.join(format!("{PREFIX}{id}{SUFFIX}"));
        let failed = |attempt| move |error| TargetError::io(attempt, folder, error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&path)
            .map_err(failed("create a test file in"))?;
        alive().push(path.clone());
        let mut test = Self { path, file, size };
        flock(&test.file, FlockOperation::NonBlockingLockExclusive)
            .map_err(io::Error::from)
            .map_err(failed("lock a test file in"))?;
        test.write_header(id, roots).map_err(failed("write a test file in"))?;
        test.allocate().map_err(failed("reserve space in"))?;
        Ok(test)
    }

    fn write_header(&mut self, id: &str, roots: &Roots) -> io::Result<()> {
        let boot = read_trimmed(&roots.proc.join("sys/kernel/random/boot_id")).unwrap_or_default();
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
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {
                self.file.set_len(length)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Cuts the span to its first `size` bytes.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn shrink(&mut self, size: Bytes) -> Result<(), TargetError> {
        self.file
            .set_len(HEADER.0 + size.0)
            .map_err(|error| TargetError::io("shrink", &self.path, error))?;
        self.size = size;
        Ok(())
    }

    /// Leave to write to it.
    #[must_use]
    pub fn permit(&self) -> WritePermit {
        WritePermit::for_own_file(&self.path)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the measured span.
    #[must_use]
    pub fn span(&self) -> Bytes {
        self.size
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        alive().retain(|path| *path != self.path);
    }
}

/// Removes every test file of this process: for a panic or a second signal, when nothing is
/// dropped any more. Not for use inside a signal handler.
pub fn remove_all() {
    for path in alive().drain(..) {
        let _ = fs::remove_file(path);
    }
}

/// Removes the test files that killed runs left in `folder`, and says which.
///
/// A file is removed only when its name is exactly that of a test file, its content begins as
/// one (or it is empty: killed between making and writing), and nobody holds its lock.
///
/// # Errors
/// When the folder cannot be read.
pub fn sweep(folder: &Path) -> Result<Vec<PathBuf>, TargetError> {
    let entries = fs::read_dir(folder).map_err(|e| TargetError::io("read", folder, e))?;
    let mut removed = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_test_name(&name.to_string_lossy()) && is_leftover(&entry.path()) {
            fs::remove_file(entry.path()).map_err(|e| TargetError::io("remove", folder, e))?;
            removed.push(entry.path());
        }
    }
    Ok(removed)
}

fn is_test_name(name: &str) -> bool {
    name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)).is_some_and(|id| {
        !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

fn is_leftover(path: &Path) -> bool {
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(path);
    let Ok(mut file) = opened else { return false };
    let mut head = Vec::with_capacity(MAGIC.len());
    let read = (&mut file).take(MAGIC.len() as u64).read_to_end(&mut head);
    let ours = read.is_ok() && (head.is_empty() || head == MAGIC);
    ours && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// How large the span may be in `folder`: `requested`, or `default_most` kept to 10 % of the free
/// space, in whole MiB; in no case more than the free space less 5 %.
///
/// # Errors
/// When the request is too small to say anything or larger than what may be used.
pub fn plan_size(
    folder: &Path,
    requested: Option<Bytes>,
    default_most: Bytes,
) -> Result<Bytes, TargetError> {
    let stat = statvfs(folder)
        .map_err(io::Error::from)
        .map_err(|e| TargetError::io("look at", folder, e))?;
    fit(folder, Bytes(stat.f_bavail * stat.f_frsize), requested, default_most)
}

fn fit(
    folder: &Path,
    free: Bytes,
    requested: Option<Bytes>,
    default_most: Bytes,
) -> Result<Bytes, TargetError> {
    let whole = |bytes: u64| Bytes(bytes / Bytes::MIB * Bytes::MIB);
    let available = whole((free.0 - free.0 / KEEP_FREE).saturating_sub(HEADER.0));
    let wanted = match requested {
        Some(size) if size < SIZE_MIN => {
            return Err(TargetError::TooSmall { size, least: SIZE_MIN });
        }
        Some(size) => whole(size.0),
        None => whole(free.0 / DEFAULT_SHARE).min(default_most).max(SIZE_MIN),
    };
    if wanted > available {
        let path = folder.to_owned();
        return Err(TargetError::NoSpace { path, needed: wanted, available, free });
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(folder: &Path, id: &str) -> TestFile {
        TestFile::create(folder, id, SIZE_MIN, &Roots::host()).unwrap()
    }

    #[test]
    fn lives_locked_and_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let test = make(folder.path(), "abc-1");
        let path = test.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().len(), HEADER.0 + SIZE_MIN.0);
        assert_eq!(sweep(folder.path()).unwrap(), Vec::<PathBuf>::new(), "it is in use");
        drop(test);
        assert!(!path.exists());
        assert!(!alive().contains(&path));
    }

    #[test]
    fn two_in_one_folder_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (make(folder.path(), "1"), make(folder.path(), "2"));
        assert!(sweep(folder.path()).unwrap().is_empty());
        drop(one);
        assert!(two.path().exists());
        let again = TestFile::create(folder.path(), "2", SIZE_MIN, &Roots::host());
        assert!(again.is_err(), "an existing file is never taken over");
        assert!(two.path().exists());
    }

    #[test]
    fn only_our_own_leftovers_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let write = |name: &str, content: &[u8]| fs::write(place(name), content).unwrap();
        write(".truedisk-dead.tmp", b"truedisk test file 1\nid dead\n");
        write(".truedisk-empty.tmp", b"");
        write(".truedisk-foreign.tmp", b"somebody's precious notes");
        write(".truedisk-.tmp", b"truedisk test file 1\n");
        write(".truedisk-a b.tmp", b"truedisk test file 1\n");
        write("truedisk-dead.tmp", b"truedisk test file 1\n");
        std::os::unix::fs::symlink(place("truedisk-dead.tmp"), place(".truedisk-link.tmp"))
            .unwrap();
        fs::create_dir(place(".truedisk-folder.tmp")).unwrap();
        let mut removed = sweep(folder.path()).unwrap();
        removed.sort();
        assert_eq!(removed, [place(".truedisk-dead.tmp"), place(".truedisk-empty.tmp")]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
    }

    #[test]
    fn sizes_are_fitted_to_the_free_space() {
        let check = |free: Bytes, requested: Option<Bytes>, expected: Result<Bytes, &str>| {
            let answer = fit(Path::new("/d"), free, requested, Bytes::gib(4));
            match (answer, expected) {
                (Ok(size), Ok(wanted)) => assert_eq!(size, wanted, "{free} {requested:?}"),
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
                (answer, _) => panic!("{free} {requested:?}: {answer:?}"),
            }
        };
        check(Bytes::gib(100), None, Ok(Bytes::gib(4)));
        check(Bytes::gib(10), None, Ok(Bytes::gib(1)));
        check(Bytes::mib(90), None, Ok(Bytes::mib(16)));
        check(Bytes::mib(90), Some(Bytes::mib(80)), Ok(Bytes::mib(80)));
        check(Bytes::mib(90), Some(Bytes::mib(90)), Err("too little space"));
        check(Bytes::mib(10), None, Err("a test file of 16 MiB is needed"));
        check(Bytes::gib(10), Some(Bytes::mib(1)), Err("at least 16 MiB"));
        check(Bytes(0), None, Err("too little space"));
    }
}
