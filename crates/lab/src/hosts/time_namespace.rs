//! Time namespaces: a host whose monotonic clock is set apart from ours.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::tools::{report_failure, run_tool};
use crate::undo::unmount_path_lazily;
use crate::{LabError, Result};

/// A time namespace, kept by a mount on a file; undone on drop.
#[derive(Debug)]
pub(super) struct TimeNamespace {
    path: PathBuf,
}

impl TimeNamespace {
    /// One whose clocks run ahead of ours by whole seconds; kept at `path`, which is made.
    pub(super) fn create_ahead(by: Duration, path: &Path) -> Result<TimeNamespace> {
        File::create(path).map_err(|e| LabError::io("create", path, e))?;
        let seconds = by.as_secs();
        // The offsets can be set only while nobody is inside: `true` is the first.
        let words = [
            format!("--time={}", path.display()),
            format!("--monotonic={seconds}"),
            format!("--boottime={seconds}"),
            "true".to_owned(),
        ];
        run_tool("unshare", words)?;
        Ok(TimeNamespace { path: path.to_owned() })
    }

    /// The file that `nsenter --time` takes.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TimeNamespace {
    fn drop(&mut self) {
        report_failure(unmount_path_lazily(&self.path));
    }
}
