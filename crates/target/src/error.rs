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

/// What was attempted on which path, and why it cannot be; the messages say what each field is.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("{} does not exist", path.display())]
    Missing { path: PathBuf },
    #[error("{} is a link to {}, which does not exist", path.display(), to.display())]
    Dangling { path: PathBuf, to: PathBuf },
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io { attempt: &'static str, path: PathBuf, source: io::Error },
    #[error("{} is {what}; give a folder, a file or a block device", path.display())]
    Unsuitable { path: PathBuf, what: &'static str },
    #[error("{} is a folder, which cannot be read as a file", path.display())]
    IsFolder { path: PathBuf },
    #[error("{} is on a read-only file system", path.display())]
    ReadOnly { path: PathBuf },
    #[error(
        "too little space on {}: a test file of {needed} is needed, {available} can be used of \
         {free} free",
        path.display()
    )]
    NoSpace { path: PathBuf, needed: Bytes, available: Bytes, free: Bytes },
    #[error("a test file of {size} is too small: at least {least} is needed")]
    TooSmall { size: Bytes, least: Bytes },
    #[error("{} has {size}: at least {least} is needed", path.display())]
    TargetTooSmall { path: PathBuf, size: Bytes, least: Bytes },
    #[error("refused to open {}: {reason}", path.display())]
    NotOpened { path: PathBuf, reason: &'static str },
    #[error(
        "refused to open {}: this kernel has no openat2 (Linux 5.6); without it, paths below the \
         folder cannot be opened safely",
        path.display()
    )]
    NoOpenat2 { path: PathBuf },
    #[error("refused to write to {}: {reason}", path.display())]
    Refused { path: PathBuf, reason: String },
    #[error(
        "refused to write to {}: it is on {kind}, where a write is an order to the kernel",
        path.display()
    )]
    KernelInterface { path: PathBuf, kind: String },
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

    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Io { attempt, source, .. } => io_hint(attempt, source)?,
            Self::Missing { .. } | Self::Dangling { .. } => {
                "check the spelling; a folder to measure must exist already"
            }
            Self::IsFolder { .. } => {
                "name a file in it, or measure through a file of truedisk's own"
            }
            Self::ReadOnly { .. } => {
                "measure an existing file on it without writing: --read-only FILE"
            }
            Self::NoSpace { available, .. } if available.0 >= SIZE_MIN.0 => {
                let size = available.to_compact();
                return Some(format!("use a smaller test file: --size {size}"));
            }
            Self::NoSpace { .. } => {
                "free some space (--size cannot go lower), or measure an existing file: \
                 --read-only FILE"
            }
            Self::TooSmall { least, .. } => {
                return Some(format!("use --size {}", least.to_compact()));
            }
            Self::Refused { .. } => "measure it without writing: --read-only",
            Self::KernelInterface { .. } => "name a file on a file system that keeps data",
            Self::NotOpened { reason: REASON_REPLACED, .. } => {
                "start the agent again if that is meant"
            }
            Self::NotOpened { .. } => "name it without links, in a folder that nobody else changes",
            Self::NoOpenat2 { .. } => {
                "use Linux 5.6 or later; a container's seccomp filter can forbid openat2, too"
            }
            Self::Unsuitable { .. } | Self::TargetTooSmall { .. } => return None,
        };
        Some(hint.to_owned())
    }

    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused { .. }
            | Self::KernelInterface { .. }
            | Self::NotOpened { .. }
            | Self::NoOpenat2 { .. } => ErrorKind::Refused,
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

fn io_hint(attempt: &str, source: &io::Error) -> Option<&'static str> {
    Some(match source.kind() {
        io::ErrorKind::PermissionDenied if attempt.starts_with("create") => {
            "name a folder that this user may write, or measure an existing file without writing: \
             --read-only FILE"
        }
        io::ErrorKind::PermissionDenied => "run as a user who may read it",
        io::ErrorKind::FileTooLarge if file_size_limit().is_some() => {
            "raise the limit on file sizes (ulimit -f unlimited), or use --size"
        }
        io::ErrorKind::FileTooLarge => "this file system allows smaller files only: use --size",
        io::ErrorKind::AlreadyExists => "another run uses this name; start again",
        _ => return None,
    })
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
            "name a folder that this user may write, or measure an existing file",
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
        let order = TargetError::KernelInterface { path: path.clone(), kind: "proc".to_owned() };
        check(order, ErrorKind::Refused, "it is on proc, where a write", "that keeps data");
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
