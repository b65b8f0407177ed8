//! What can be wrong with a target.

use std::io;
use std::path::{Path, PathBuf};

use units::Bytes;

/// What was attempted on which path, and why it cannot be.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The path does not exist.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// What was attempted: `read`, `create a test file in`.
        attempt: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's own error.
        source: io::Error,
    },
    /// No folder, file or block device.
    #[error("{} is {what}; give a folder, a file or a block device", path.display())]
    Unsuitable {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The folder is on a file system that is mounted read-only.
    #[error("{} is on a read-only file system", path.display())]
    ReadOnly {
        /// The folder.
        path: PathBuf,
    },
    /// Not enough room for the test file.
    #[error(
        "too little space on {}: a test file of {needed} is needed, {available} can be used of \
         {free} free",
        path.display()
    )]
    NoSpace {
        /// The folder.
        path: PathBuf,
        /// Size of the test file.
        needed: Bytes,
        /// What may be used.
        available: Bytes,
        /// What is free.
        free: Bytes,
    },
    /// The size asked for makes no sense.
    #[error("a test file of {size} is too small: at least {least} is needed")]
    TooSmall {
        /// What was asked.
        size: Bytes,
        /// The least that is useful.
        least: Bytes,
    },
    /// The target is too small to be measured.
    #[error("{} has {size}: at least {least} is needed", path.display())]
    TargetTooSmall {
        /// The target.
        path: PathBuf,
        /// Its size.
        size: Bytes,
        /// The least that is useful.
        least: Bytes,
    },
    /// Writing would put data at risk.
    #[error("refused to write to {}: {reason}", path.display())]
    Refused {
        /// The device or file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl TargetError {
    pub(crate) fn io(attempt: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Io { attempt, path, source },
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { attempt, source, .. }
                if source.kind() == io::ErrorKind::PermissionDenied
                    && attempt.starts_with("create") =>
            {
                Some("measure an existing file without writing: --read-only FILE".to_owned())
            }
            Self::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                Some("run as a user who may read it".to_owned())
            }
            Self::ReadOnly { .. } => {
                Some("measure an existing file on it without writing: --read-only FILE".to_owned())
            }
            Self::NoSpace { available, .. } if available.0 >= crate::testfile::SIZE_MIN.0 => {
                Some(format!("use a smaller test file: --size {}", available.compact()))
            }
            Self::NoSpace { .. } => {
                Some("free some space, or measure an existing file: --read-only FILE".to_owned())
            }
            Self::TooSmall { least, .. } => Some(format!("use --size {}", least.compact())),
            Self::Refused { .. } => Some("measure it without writing: --read-only".to_owned()),
            _ => None,
        }
    }

    /// The exit status that it calls for: 4 when data would have been at risk, else 2.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Refused { .. } => 4,
            _ => 2,
        }
    }
}
