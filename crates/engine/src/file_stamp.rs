//! What tells a file or folder from another that later has its name.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

/// A file or folder as it was when it was looked at. Another file has another stamp, and so has the
/// same file after a change of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    pub device: u64,
    pub inode: u64,
    /// Inode numbers are used again. 0 on file systems without this time.
    pub born_ns: u64,
    /// Length, and time of the last change of the contents: 0 for a folder, which has none that
    /// removing it could destroy.
    pub length: u64,
    pub modified_ns: u64,
}

impl FileStamp {
    /// Whether both are of one file, which may have changed in between.
    pub fn is_same_file(&self, other: &Self) -> bool {
        let identity = |stamp: &Self| (stamp.device, stamp.inode, stamp.born_ns);
        identity(self) == identity(other)
    }
}

impl From<&Metadata> for FileStamp {
    fn from(found: &Metadata) -> Self {
        let born = found.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified_ns =
            found.mtime().wrapping_mul(1_000_000_000).wrapping_add(found.mtime_nsec());
        let (length, modified_ns) = match found.is_dir() {
            true => (0, 0),
            false => (found.len(), modified_ns as u64),
        };
        let born_ns = born.map_or(0, |since| since.as_nanos() as u64);
        Self { device: found.dev(), inode: found.ino(), born_ns, length, modified_ns }
    }
}

/// A stamp that a worker changes and the control plane reads afterwards.
#[derive(Debug, Default)]
pub(crate) struct SharedStamp([AtomicU64; 5]);

impl SharedStamp {
    pub(crate) fn set(&self, stamp: Option<FileStamp>) {
        let words = stamp.map_or([0; 5], |stamp| {
            [stamp.device, stamp.inode, stamp.born_ns, stamp.length, stamp.modified_ns]
        });
        for (place, word) in self.0.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
    }

    /// `None` before the first, and for inode 0, which no file has.
    pub(crate) fn get(&self) -> Option<FileStamp> {
        let [device, inode, born_ns, length, modified_ns] =
            self.0.each_ref().map(|word| word.load(Ordering::Relaxed));
        let stamp = FileStamp { device, inode, born_ns, length, modified_ns };
        Some(stamp).filter(|stamp| stamp.inode != 0)
    }
}
