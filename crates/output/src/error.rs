//! Errors of destinations.

use std::io;
use std::path::{Path, PathBuf};

use units::ErrorKind;

/// Why a destination cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Writing would destroy data.
    #[error("refused to write to {}: {reason}", path.display())]
    Refused { path: PathBuf, reason: String },
    /// The request names a place that cannot hold a result.
    #[error("cannot write {}: {reason}", path.display())]
    Unsuitable { path: PathBuf, reason: String },
    #[error("two results name the same file: {} and {}", other.display(), path.display())]
    Duplicate { path: PathBuf, other: PathBuf },
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// `write`, `create the folder`.
        attempt: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl OutputError {
    pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn unsuitable(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unsuitable { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn io(attempt: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { attempt, path: path.to_owned(), source: source.into() }
    }

    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused { .. } => ErrorKind::Refused,
            Self::Unsuitable { .. } | Self::Duplicate { .. } => ErrorKind::WrongRequest,
            Self::Io { .. } => ErrorKind::Failed,
        }
    }

    pub fn hint(&self) -> String {
        match self {
            Self::Refused { .. } => "name a new file, or `-` for the standard output",
            Self::Duplicate { .. } => "give each its own file",
            Self::Unsuitable { .. } | Self::Io { .. } => {
                "name a file in a folder that exists and that you may write to"
            }
        }
        .to_owned()
    }

    /// Whether the reader of a pipe has closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
