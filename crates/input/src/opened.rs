//! Which files this process has read: none of its results may replace one of them.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Device and inode of each file: 16 bytes for a file, however often it is read.
static OPENED: Mutex<BTreeSet<(u64, u64)>> = Mutex::new(BTreeSet::new());

fn lock_opened() -> MutexGuard<'static, BTreeSet<(u64, u64)>> {
    // A panic while the list was held leaves it as good as it was.
    OPENED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers a regular file as one that this process reads: [`open`](crate::open) does this
/// itself, so it is for files that a library reads by their paths.
pub fn remember_file(file: &Metadata) {
    if file.is_file() {
        lock_opened().insert((file.dev(), file.ino()));
    }
}

/// Whether this process has read the file, by whatever name.
pub fn was_read(file: &Metadata) -> bool {
    lock_opened().contains(&(file.dev(), file.ino()))
}
