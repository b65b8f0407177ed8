//! Why nothing could be pinged.

use std::path::PathBuf;

use target::TargetError;
use units::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum PingError {
    #[error(transparent)]
    Target(#[from] TargetError),
    /// Not enough words for writing to what is not ours.
    #[error("refused to write to {}: it is not ours, and would be shredded", .0.display())]
    Shred(PathBuf),
    /// It cannot be had as asked for.
    #[error("{what}")]
    Prepare {
        what: String,
        /// What to do next; may be empty.
        hint: String,
    },
    /// Direct I/O does not take such requests.
    #[error("{0}")]
    Misaligned(String),
    /// It was stopped before the first request.
    #[error("interrupted before the first request")]
    Interrupted,
    /// The system gives no means.
    #[error(transparent)]
    Engine(#[from] engine::SingleRequestError),
}

impl PingError {
    pub(crate) fn invalid_setup(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Prepare { what: what.into(), hint: hint.into() }
    }

    pub fn hint(&self) -> Option<String> {
        let refused = "a file or device that is in use, or a device that holds something, is not \
                       written; name it once more with --yes-destroy-data-on, or read it instead";
        match self {
            Self::Target(TargetError::Refused { .. }) => Some(refused.to_owned()),
            Self::Target(TargetError::NoSpace { .. }) => {
                Some("use a smaller work size (-S), make room, or ping an existing file".to_owned())
            }
            Self::Target(error @ TargetError::KernelInterface { .. }) => error.hint(),
            Self::Target(TargetError::Missing { .. }) => Some("check the spelling".to_owned()),
            Self::Target(TargetError::Io { source, .. })
                if source.kind() == std::io::ErrorKind::PermissionDenied =>
            {
                Some(
                    "ping a folder that this user may write, or a file that it may read".to_owned(),
                )
            }
            Self::Target(_) | Self::Interrupted | Self::Engine(_) => None,
            Self::Shred(_) => Some("think twice, then say -WWW; or ping its folder".to_owned()),
            Self::Misaligned(_) => Some("change -s and -o, or leave out -D".to_owned()),
            Self::Prepare { hint, .. } => Some(hint.clone()).filter(|hint| !hint.is_empty()),
        }
    }

    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Target(error) => error.kind(),
            Self::Shred(_) => ErrorKind::Refused,
            Self::Prepare { .. } | Self::Misaligned(_) => ErrorKind::WrongRequest,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Engine(_) => ErrorKind::Failed,
        }
    }
}
