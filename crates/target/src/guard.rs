//! The guard: the one gate to writing.
//!
//! A [`WritePermit`] cannot be made outside this module. It is handed out for a test file of our
//! own, and for a raw block device when all of these hold: the words name exactly this device;
//! neither it nor a partition of it is mounted, swapped on or held by another device; and the
//! kernel gives it exclusively. An existing regular file never gets one.

use std::fs::OpenOptions;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::TargetError;
use crate::identity::{device_name, mounts};
use crate::open::{Opened, open};
use crate::roots::Roots;

/// Leave to write to one file or device.
#[derive(Debug)]
pub struct WritePermit {
    path: PathBuf,
}

impl WritePermit {
    /// For a file that this program just made; only the test file's room calls it.
    pub(crate) fn for_own_file(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// What may be written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens what the permit is for, for reading and writing, bypassing the page cache.
///
/// # Errors
/// When the system refuses.
pub fn open_for_writing(permit: &WritePermit) -> Result<Opened, TargetError> {
    open(&permit.path, true)
}

/// Asks for leave to write to the block device `path`. `words` is the device as named a second
/// time (`--yes-destroy-data-on`).
///
/// # Errors
/// [`TargetError::Refused`] with the first reason against it.
pub fn permit_device(
    path: &Path,
    words: Option<&Path>,
    roots: &Roots,
) -> Result<WritePermit, TargetError> {
    let refused = |reason: String| TargetError::Refused { path: path.to_owned(), reason };
    let metadata = std::fs::metadata(path).map_err(|e| TargetError::io("look at", path, e))?;
    if !metadata.file_type().is_block_device() {
        return Err(refused(
            "it exists already, and only a test file of truedisk's own is written".to_owned(),
        ));
    }
    let Some(words) = words else {
        return Err(refused(format!(
            "all data on it would be destroyed; say so with --yes-destroy-data-on {}",
            path.display()
        )));
    };
    let named = std::fs::metadata(words).map_err(|e| TargetError::io("look at", words, e))?;
    if named.rdev() != metadata.rdev() || !named.file_type().is_block_device() {
        return Err(refused(format!("--yes-destroy-data-on names {}", words.display())));
    }
    if let Some(use_) = in_use(&device_name(metadata.rdev()), roots) {
        return Err(refused(use_));
    }
    // O_EXCL without O_CREAT: the kernel refuses when anything else claims the device.
    OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_EXCL)
        .open(path)
        .map_err(|error| refused(format!("the kernel says it is in use: {error}")))?;
    Ok(WritePermit { path: path.to_owned() })
}

/// What uses the device or a partition of it; `None` when nothing does.
fn in_use(device: &str, roots: &Roots) -> Option<String> {
    let folder = roots.block_device(device)?;
    let mut parts = vec![folder.clone()];
    parts.extend(
        std::fs::read_dir(&folder)
            .ok()?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join("partition").exists()),
    );
    let table = mounts(roots);
    let swaps = std::fs::read_to_string(roots.proc.join("swaps")).unwrap_or_default();
    parts.iter().find_map(|part| {
        let number = crate::roots::read_trimmed(&part.join("dev"))?;
        let name = part.file_name()?.to_string_lossy().into_owned();
        let source = format!("/dev/{name}");
        if let Some(mount) = table.iter().find(|m| m.device == number || m.source == source) {
            return Some(format!("{name} is mounted on {}", mount.mount_point));
        }
        if swaps.lines().any(|line| line.split_whitespace().next() == Some(&source)) {
            return Some(format!("{name} is swapped on"));
        }
        let holder = std::fs::read_dir(part.join("holders")).ok()?.flatten().next()?;
        Some(format!("{name} is part of {}", holder.file_name().to_string_lossy()))
    })
}
