//! Temporary files.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use rustix::io::Errno;

use crate::entry::{Entry, OWN_PREFIX};

/// A killed process with our number may have left files.
const ATTEMPTS: usize = 1000;

static COUNT: AtomicU64 = AtomicU64::new(0);

static LIVE_FILES: Mutex<Vec<(Arc<OwnedFd>, OsString)>> = Mutex::new(Vec::new());

pub(crate) fn live_files() -> MutexGuard<'static, Vec<(Arc<OwnedFd>, OsString)>> {
    // A panic leaves the list valid.
    LIVE_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Its name is removed on drop, unless it was renamed.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    pub(crate) folder: Arc<OwnedFd>,
    pub(crate) name: OsString,
    pub(crate) file: File,
    is_ours: bool,
}

impl TemporaryFile {
    /// The umask takes from `mode`.
    pub(crate) fn create(folder: &Arc<OwnedFd>, mode: Mode) -> io::Result<Self> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for _ in 0..ATTEMPTS {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{OWN_PREFIX}{}-{count}.partial", std::process::id());
            let name = OsString::from(name);
            match openat(folder, &name, flags, mode) {
                Ok(file) => {
                    live_files().push((folder.clone(), name.clone()));
                    return Ok(Self {
                        folder: folder.clone(),
                        name,
                        file: file.into(),
                        is_ours: true,
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::EXIST.into())
    }

    pub(crate) fn entry(&self) -> Entry {
        Entry { folder: self.folder.clone(), name: self.name.clone() }
    }

    /// Keeps the name on drop: it may become that of another file.
    pub(crate) fn release(&mut self) {
        self.is_ours = false;
        live_files().retain(|(_, name)| *name != self.name);
    }

    pub(crate) fn reclaim(&mut self) {
        self.is_ours = true;
        live_files().push((self.folder.clone(), self.name.clone()));
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_ours {
            return;
        }
        // After a rename there is none.
        let _ = unlinkat(&self.folder, &self.name, AtFlags::empty());
        live_files().retain(|(_, name)| *name != self.name);
    }
}

/// Removes the temporary files of this process after a panic or a second signal; not for signal
/// handlers.
pub fn remove_temporaries() {
    for (folder, name) in live_files().drain(..) {
        let _ = unlinkat(folder, name, AtFlags::empty());
    }
}
