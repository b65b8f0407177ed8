//! Time namespaces: a host whose monotonic clock is set apart from ours.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::mount::unmount_lazily;
use crate::tools::{complain, run};
use crate::{LabError, Result};

/// A time namespace, kept by a mount on a file; undone on drop.
#[derive(Debug)]
pub(super) struct Clock {
    path: PathBuf,
}

impl Clock {
    /// One whose monotonic and boot clocks run ahead of ours by whole seconds; kept at `path`,
    /// which is made.
    pub(super) fn ahead(by: Duration, path: &Path) -> Result<Clock> {
        File::create(path).map_err(|e| LabError::io("create", path, e))?;
        let seconds = by.as_secs();
        // The offsets can be set only while nobody is inside: `true` is the first.
        let words = [
            format!("--time={}", path.display()),
            format!("--monotonic={seconds}"),
            format!("--boottime={seconds}"),
            "true".to_owned(),
        ];
        run("unshare", words)?;
        Ok(Clock { path: path.to_owned() })
    }

    /// The file that `nsenter --time` takes.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        complain(unmount_lazily(&self.path));
    }
}
