//! Files and folders of our own: their names, their lock, their removal at the latest at the end.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::folder_entry::FolderEntry;
use crate::handle::PathHandle;

/// First bytes of every test file; a leftover is recognised by them.
pub(crate) const MAGIC: &[u8] = b"truedisk test file 1\n";
pub(crate) const PREFIX: &str = ".truedisk-";
pub(crate) const SUFFIX: &str = ".tmp";
/// How often a new file is made again because a sweep took it before it was locked.
pub(crate) const CREATE_ATTEMPTS: usize = 16;
/// What is empty is a leftover only when it is older than this: its maker locks it at once, and
/// makes it again if it was taken before.
const EMPTY_AGE_MIN: Duration = Duration::from_secs(5);

pub(crate) struct LiveEntries(Mutex<Vec<FolderEntry>>);

impl LiveEntries {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<FolderEntry>> {
        // A panic while the list was held leaves it as good as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, entry: &FolderEntry) {
        self.lock().push(entry.clone());
    }

    pub(crate) fn forget(&self, entry: &FolderEntry) {
        let mut list = self.lock();
        if let Some(place) = list.iter().position(|known| known.resolved() == entry.resolved()) {
            list.swap_remove(place);
        }
    }
}

pub(crate) fn run_entry(folder: &PathHandle, id: &str) -> io::Result<FolderEntry> {
    if !is_run_id(id) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("bad id '{id}'")));
    }
    if !folder.is_folder() {
        return Err(Errno::NOTDIR.into());
    }
    let name = format!("{PREFIX}{id}{SUFFIX}");
    FolderEntry::new(folder.clone(), Path::new(&name)).map_err(io::Error::other)
}

pub(crate) fn is_run_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Whether something empty is no longer about to be filled.
pub(crate) fn is_old(metadata: &Metadata) -> bool {
    let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age >= EMPTY_AGE_MIN)
}

/// Only a sweep can hold the lock, for a moment. File systems without locks have no sweeping
/// either.
pub(crate) fn wait_for_lock(file: &File) -> io::Result<()> {
    loop {
        match flock(file, FlockOperation::LockExclusive) {
            Err(Errno::INTR) => {}
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOLCK | Errno::NOSYS) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
