//! What can be wrong with a target.

use std::io;
use std::path::{Path, PathBuf};

use units::{Bytes, ErrorKind};

use crate::limits::{SIZE_MIN, file_size_limit};

/// Reasons of [`TargetError::NotOpened`].
pub(crate) const REASON_LINK: &str = "it is a symbolic link; links are not followed here";
pub(crate) const REASON_OUTSIDE: &str = "it leads outside the allowed folder";
pub(crate) const REASON_REPLACED: &str =
    "another file or folder has this name since the agent started";

/// What was attempted on which path, and why it cannot be.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The path does not exist.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The path is a symbolic link to nothing.
    #[error("{} is a link to {}, which does not exist", path.display(), to.display())]
    Dangling {
        /// The link.
        path: PathBuf,
        /// Where it points.
        to: PathBuf,
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
    /// A folder cannot be read block by block.
    #[error("{} is a folder, which cannot be read as a file", path.display())]
    IsFolder {
        /// The path.
        path: PathBuf,
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
    /// It may lead elsewhere.
    #[error("refused to open {}: {reason}", path.display())]
    NotOpened {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// It cannot be made sure that it does not lead elsewhere.
    #[error(
        "refused to open {}: this kernel has no openat2 (Linux 5.6); without it, paths below the \
         folder cannot be opened safely",
        path.display()
    )]
    NoOpenat2 {
        /// The path.
        path: PathBuf,
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
    pub(crate) fn from_io(attempt: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => match std::fs::read_link(&path) {
                Ok(to) => Self::Dangling { path, to },
                Err(_) => Self::Missing { path },
            },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Io { attempt, path, source },
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { attempt, source, .. } => io_hint(attempt, source),
            Self::Missing { .. } | Self::Dangling { .. } => {
                Some("check the spelling; a folder to measure must exist already".to_owned())
            }
            Self::IsFolder { .. } => {
                Some("name a file in it, or measure through a file of truedisk's own".to_owned())
            }
            Self::ReadOnly { .. } => {
                Some("measure an existing file on it without writing: --read-only FILE".to_owned())
            }
            Self::NoSpace { available, .. } if available.0 >= SIZE_MIN.0 => {
                Some(format!("use a smaller test file: --size {}", available.to_compact()))
            }
            Self::NoSpace { .. } => Some(
                "free some space (--size cannot go lower), or measure an existing file: \
                 --read-only FILE"
                    .to_owned(),
            ),
            Self::TooSmall { least, .. } => Some(format!("use --size {}", least.to_compact())),
            Self::Refused { .. } => Some("measure it without writing: --read-only".to_owned()),
            Self::NotOpened { reason: REASON_REPLACED, .. } => {
                Some("start the agent again if that is meant".to_owned())
            }
            Self::NotOpened { .. } => {
                Some("name it without links, in a folder that nobody else changes".to_owned())
            }
            Self::NoOpenat2 { .. } => Some(
                "use Linux 5.6 or later; a container's seccomp filter can forbid openat2, too"
                    .to_owned(),
            ),
            Self::Unsuitable { .. } | Self::TargetTooSmall { .. } => None,
        }
    }

    /// What it means to the caller.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused { .. } | Self::NotOpened { .. } | Self::NoOpenat2 { .. } => {
                ErrorKind::Refused
            }
            Self::Io { source, .. } if !is_request_error(source) => ErrorKind::Failed,
            _ => ErrorKind::WrongRequest,
        }
    }
}

/// Whether another path, size or user would have gone through.
fn is_request_error(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::PermissionDenied
            | Kind::NotADirectory
            | Kind::IsADirectory
            | Kind::AlreadyExists
            | Kind::InvalidFilename
            | Kind::ResourceBusy
            | Kind::InvalidInput
    ) || error.raw_os_error() == Some(libc::ELOOP)
        // A limit of this process on file sizes is not of the request.
        || error.kind() == Kind::FileTooLarge && file_size_limit().is_none()
}

fn io_hint(attempt: &str, source: &io::Error) -> Option<String> {
    let hint = match source.kind() {
        io::ErrorKind::PermissionDenied if attempt.starts_with("create") => {
            "measure an existing file without writing: --read-only FILE"
        }
        io::ErrorKind::PermissionDenied => "run as a user who may read it",
        io::ErrorKind::FileTooLarge if file_size_limit().is_some() => {
            "raise the limit on file sizes (ulimit -f unlimited), or use --size"
        }
        io::ErrorKind::FileTooLarge => "this file system allows smaller files only: use --size",
        io::ErrorKind::AlreadyExists => "another run uses this name; start again",
        _ => return None,
    };
    Some(hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_its_kind_and_hint() {
        let path = PathBuf::from("/data");
        let io = |kind: i32| {
            TargetError::from_io(
                "create a test file in",
                Path::new("/no/such"),
                io::Error::from_raw_os_error(kind),
            )
        };
        let check = |error: TargetError, status: ErrorKind, text: &str, hint: &str| {
            assert_eq!(error.kind(), status, "{error}");
            assert!(error.to_string().contains(text), "{error}");
            let said = error.hint().unwrap_or_default();
            assert!(said.contains(hint), "{error}: {said}");
            assert!(!error.to_string().ends_with('.'), "{error}");
        };
        check(
            io(libc::EACCES),
            ErrorKind::WrongRequest,
            "cannot create a test file in",
            "--read-only FILE",
        );
        check(
            io(libc::EROFS),
            ErrorKind::WrongRequest,
            "read-only file system",
            "--read-only FILE",
        );
        check(io(libc::ENOENT), ErrorKind::WrongRequest, "does not exist", "check the spelling");
        check(io(libc::EIO), ErrorKind::Failed, "Input/output error", "");
        check(io(libc::EFBIG), ErrorKind::WrongRequest, "File too large", "--size");
        let reason = "sda1 is mounted on /".to_owned();
        let changed = |reason| TargetError::NotOpened { path: path.clone(), reason };
        check(
            changed(REASON_REPLACED),
            ErrorKind::Refused,
            "refused to open /data: another file",
            "start the agent",
        );
        check(changed(REASON_LINK), ErrorKind::Refused, "it is a symbolic link", "without links");
        let no_openat2 = TargetError::NoOpenat2 { path: path.clone() };
        check(no_openat2, ErrorKind::Refused, "this kernel has no openat2 (Linux 5.6)", "seccomp");
        check(
            TargetError::Refused { path, reason },
            ErrorKind::Refused,
            "mounted on /",
            "--read-only",
        );
    }
}
