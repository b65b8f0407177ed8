//! What can go wrong while watching.

use std::io;
use std::path::{Path, PathBuf};

use crate::sample::SourceKind;

#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read what the program counted: {0}")]
    Kernel(io::Error),
    #[error("the source '{}' does not work here: {reason}", kind.name())]
    Unavailable { kind: SourceKind, reason: String },
    #[error("cannot probe: {0}")]
    Probe(String),
    #[error("no disk to watch")]
    NoDisk,
}

impl WatchError {
    pub(crate) fn from_read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Read { .. } | Self::Kernel(_) => None,
            Self::Unavailable { .. } => {
                Some("leave out --source: the best source that works is used")
            }
            Self::Probe(_) => {
                Some("name a file of 4 KiB or more on the disk, or the device: it is only read")
            }
            Self::NoDisk => Some("name a device or a path: truedisk watch /dev/vda"),
        }
    }
}
