//! Temporary folders on a real disk.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::sweep::sweep_once;
use crate::tools::{base_folder, report_failure};
use crate::{LabError, PREFIX, Result};

/// File systems that live in memory (`linux/magic.h`): tmpfs and ramfs.
const MEMORY_FILE_SYSTEMS: [u64; 2] = [0x0102_1994, 0x8584_58f6];

/// A folder `truedisk-lab-<pid>-XXXX` on the real disk, removed with all it holds.
#[derive(Debug)]
pub struct Scratch {
    folder: Option<TempDir>,
    path: PathBuf,
}

impl Scratch {
    /// A new, empty folder under `$TRUEDISK_LAB_DIR`, or else under `/var/tmp`.
    /// Fails when that place is only memory.
    pub fn new() -> Result<Scratch> {
        sweep_once();
        let base = base_folder();
        let system =
            rustix::fs::statfs(&base).map_err(|e| LabError::io("look at", &base, e))?.f_type;
        if MEMORY_FILE_SYSTEMS.contains(&(system as u64)) {
            return Err(LabError::unusable(
                &base,
                "is memory, not a disk; set TRUEDISK_LAB_DIR to a folder on one",
            ));
        }
        let folder = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{}-", std::process::id()))
            .tempdir_in(&base)
            .map_err(|e| LabError::io("create a folder in", &base, e))?;
        let path = folder.path().to_owned();
        Ok(Scratch { folder: Some(folder), path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(folder) = self.folder.take() {
            report_failure(folder.close().map_err(|e| LabError::io("remove", &self.path, e)));
        }
    }
}
