//! What can go wrong while a situation is built.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub type Result<T> = std::result::Result<T, LabError>;

#[derive(Debug, thiserror::Error)]
pub enum LabError {
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// What was attempted: `read`, `create the group`.
        attempt: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("`{command}` failed: {said}")]
    Tool {
        command: String,
        /// What it said on stderr, or its exit status.
        said: String,
    },
    #[error("{} {why}", path.display())]
    Unusable { path: PathBuf, why: String },
    #[error("waited {waited:?} in vain for {} to {event}", path.display())]
    Timeout { event: &'static str, path: PathBuf, waited: Duration },
}

impl LabError {
    pub(crate) fn io(
        attempt: &'static str,
        path: impl AsRef<Path>,
        source: impl Into<io::Error>,
    ) -> LabError {
        LabError::Io { attempt, path: path.as_ref().to_owned(), source: source.into() }
    }

    pub(crate) fn unusable(path: impl AsRef<Path>, why: impl Into<String>) -> LabError {
        LabError::Unusable { path: path.as_ref().to_owned(), why: why.into() }
    }
}
