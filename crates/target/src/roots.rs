//! Where the kernel's trees are; elsewhere in tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The roots of the trees that describe a host.
#[derive(Debug, Clone)]
pub struct Roots {
    /// sysfs.
    pub sys: PathBuf,
    /// procfs.
    pub proc: PathBuf,
    /// `/run`, for udev's database.
    pub run: PathBuf,
    /// `/etc`, for os-release.
    pub etc: PathBuf,
    /// The root itself, for markers such as `/.dockerenv`.
    pub root: PathBuf,
}

impl Roots {
    /// This host.
    #[must_use]
    pub fn host() -> Self {
        Self::under(Path::new("/"))
    }

    /// A recorded tree with `sys`, `proc`, `run` and `etc` below `root`.
    #[must_use]
    pub fn under(root: &Path) -> Self {
        Self {
            sys: root.join("sys"),
            proc: root.join("proc"),
            run: root.join("run"),
            etc: root.join("etc"),
            root: root.to_owned(),
        }
    }

    /// The folder of the block device `major:minor`, resolved: its parent is its disk's when it
    /// is a partition.
    pub(crate) fn block_device(&self, device: &str) -> Option<PathBuf> {
        fs::canonicalize(self.sys.join("dev/block").join(device)).ok()
    }
}

/// The content of a small file without surrounding blanks; `None` when unreadable or empty.
pub(crate) fn read_trimmed(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// A small file that holds one number.
pub(crate) fn read_number(path: &Path) -> Option<u64> {
    read_trimmed(path)?.parse().ok()
}
