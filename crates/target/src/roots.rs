//! Where the kernel's trees are; elsewhere in tests.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The roots of the trees that describe a host, and the root itself.
#[derive(Debug, Clone)]
pub struct Roots {
    /// sysfs.
    pub sys: PathBuf,
    /// procfs.
    pub proc: PathBuf,
    pub(crate) run: PathBuf,
    pub(crate) etc: PathBuf,
    pub(crate) root: PathBuf,
}

impl Roots {
    pub fn host() -> Self {
        Self::under(Path::new("/"))
    }

    /// A recorded tree with `sys`, `proc`, `run` and `etc` below `root`.
    pub fn under(root: &Path) -> Self {
        Self {
            sys: root.join("sys"),
            proc: root.join("proc"),
            run: root.join("run"),
            etc: root.join("etc"),
            root: root.to_owned(),
        }
    }

    pub(crate) fn host_path(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// The folder of a disk, which is no partition.
    pub fn disk_folder(&self, name: &str) -> PathBuf {
        self.sys.join("block").join(escape_name(name))
    }

    /// The folder of the block device `major:minor`, resolved.
    pub(crate) fn block_device(&self, device: &str) -> Option<PathBuf> {
        fs::canonicalize(self.sys.join("dev/block").join(device)).ok()
    }

    pub(crate) fn block_device_named(&self, name: &str) -> Option<PathBuf> {
        fs::canonicalize(self.sys.join("class/block").join(escape_name(name))).ok()
    }
}

/// sysfs has `!` where a name has a slash: cciss/c0d0.
fn escape_name(name: &str) -> String {
    name.replace('/', "!")
}

/// The content of a small file without surrounding blanks; `None` when unreadable or empty.
/// The kernel's id of the running system.
pub fn read_boot_id(roots: &Roots) -> Option<String> {
    read_trimmed(&roots.proc.join("sys/kernel/random/boot_id"))
}

pub(crate) fn read_trimmed(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn read_number(path: &Path) -> Option<u64> {
    read_trimmed(path)?.parse().ok()
}

pub(crate) fn read_lossy(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

pub(crate) fn is_forbidden(path: &Path) -> bool {
    matches!(fs::File::open(path), Err(error) if error.kind() == io::ErrorKind::PermissionDenied)
}

/// The entries of a folder, sorted; none when it cannot be read.
pub(crate) fn list_entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

pub(crate) fn file_name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
