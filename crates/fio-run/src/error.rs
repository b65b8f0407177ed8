//! Errors of jobs. Each says what to do next.

use std::io;

use engine::EngineError;
use fio::plan::PlanError;
use output::OutputError;
use rustix::io::Errno;
use target::TargetError;
use units::ErrorKind;

const EMFILE: i32 = Errno::MFILE.raw_os_error();
const ENFILE: i32 = Errno::NFILE.raw_os_error();
const EAGAIN: i32 = Errno::AGAIN.raw_os_error();

/// Why jobs cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// Wrong options.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The system or the guard refused a file.
    #[error("job '{job}': {source}")]
    Target {
        /// Name of the job.
        job: String,
        /// What is wrong with them.
        source: TargetError,
    },
    /// fio's rules refuse a file.
    #[error("job '{job}': {what}")]
    File {
        /// Name of the job.
        job: String,
        /// What is wrong.
        what: String,
        /// What to do next.
        hint: String,
        /// Data would be at risk.
        protects: bool,
    },
    /// A file of results cannot be written.
    #[error("job '{job}': {source}")]
    Output {
        /// Name of the job.
        job: String,
        /// What is wrong with it.
        source: OutputError,
    },
    /// A request of another host is refused.
    #[error("{what}")]
    Request {
        /// What is wrong with it.
        what: String,
        /// What to do next.
        hint: Option<String>,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl JobsError {
    pub(super) fn target(job: &str, source: TargetError) -> Self {
        Self::Target { job: job.to_owned(), source }
    }

    pub(super) fn output(job: &str, source: OutputError) -> Self {
        Self::Output { job: job.to_owned(), source }
    }

    pub(super) fn file(job: &str, what: impl Into<String>, hint: &str) -> Self {
        let hint = hint.to_owned();
        Self::File { job: job.to_owned(), what: what.into(), hint, protects: false }
    }

    /// A call of the system that failed.
    pub(super) fn io(job: &str, what: impl std::fmt::Display, error: &io::Error) -> Self {
        Self::file(job, format!("{what}: {error}"), io_hint(error))
    }

    /// A refusal to protect data, or of a forbidden path.
    pub(super) fn protects(job: &str, what: impl Into<String>, hint: &str) -> Self {
        let hint = hint.to_owned();
        Self::File { job: job.to_owned(), what: what.into(), hint, protects: true }
    }

    pub(super) fn request(what: impl Into<String>, hint: &str) -> Self {
        Self::Request { what: what.into(), hint: Some(hint.to_owned()) }
    }

    /// What it means to the caller.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Target { source, .. } => source.kind(),
            Self::Output { source, .. } => source.kind(),
            Self::File { protects: true, .. } => ErrorKind::Refused,
            Self::Plan(_) | Self::File { .. } | Self::Request { .. } => ErrorKind::WrongRequest,
            Self::Engine(_) => ErrorKind::Failed,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Plan(error) => error.hint.clone(),
            Self::Target { source: TargetError::Refused { path, .. }, .. } => Some(format!(
                "what it holds is lost with --yes-destroy-data-on {}, unless it is in use; with \
                 allow_mounted_write=1 even then",
                path.display()
            )),
            Self::Target { source, .. } => Some(target_hint(source)),
            Self::Output { source, .. } => Some(source.hint()),
            Self::File { hint, .. } => Some(hint.clone()),
            Self::Request { hint, .. } => hint.clone(),
            Self::Engine(error) => Some(engine_hint(error).to_owned()),
        }
    }
}

/// In fio's words, which has no `--size` and no `--read-only`.
fn target_hint(error: &TargetError) -> String {
    let hint = match error {
        TargetError::Io { source, .. } => io_hint(source),
        TargetError::Missing { .. } => "check the spelling, or make it first",
        TargetError::Dangling { .. } => "name what the link is to lead to",
        TargetError::Unsuitable { .. } | TargetError::IsFolder { .. } => {
            "give filename=FILE, or directory=FOLDER in which files are made"
        }
        TargetError::ReadOnly { .. } => "read an existing file, or give another directory",
        TargetError::NoSpace { .. } => "make room, or give a smaller size",
        TargetError::TooSmall { .. } | TargetError::TargetTooSmall { .. } => "give a larger size",
        TargetError::Refused { .. }
        | TargetError::NotOpened { .. }
        | TargetError::NoOpenat2 { .. }
        | TargetError::KernelInterface { .. } => {
            return error.hint().unwrap_or_else(|| ANOTHER_FILE.to_owned());
        }
    };
    hint.to_owned()
}

const ANOTHER_FILE: &str = "the kernel's log (dmesg) has errors of a device; another file or \
                            folder is named with filename or directory";

pub(super) fn io_hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the spelling, or make it first",
        io::ErrorKind::PermissionDenied => {
            "run as a user who may do this, or name another file or directory"
        }
        io::ErrorKind::ReadOnlyFilesystem => "read an existing file, or give another directory",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room, or give a smaller size or another directory"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the limit on file sizes (ulimit -f unlimited), or give a smaller size"
        }
        io::ErrorKind::OutOfMemory => "give a smaller iodepth, bs or numjobs",
        io::ErrorKind::ResourceBusy => "end what uses it, or name another file or device",
        io::ErrorKind::AlreadyExists => "another run uses this name; start again",
        io::ErrorKind::Unsupported => "use another file system, or leave the option out",
        _ => match error.raw_os_error() {
            Some(EMFILE | ENFILE) => {
                "raise the limit on open files (ulimit -n), or give a smaller nrfiles or numjobs"
            }
            Some(EAGAIN) => {
                "raise the limit on processes and threads (ulimit -u), or give a smaller numjobs"
            }
            _ => ANOTHER_FILE,
        },
    }
}

fn engine_hint(error: &EngineError) -> &'static str {
    match error {
        EngineError::Job(_) => "change one of the two options; --cmdhelp=NAME says what it takes",
        EngineError::NoIoUring(_) => "use ioengine=libaio or ioengine=psync",
        EngineError::Arm { source, .. } => io_hint(source),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use units::Bytes;

    use super::*;

    fn check(error: JobsError, kind: ErrorKind, text: &str, hint: &str) {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
        let said = error.hint().unwrap_or_default();
        assert!(!said.is_empty() && said.contains(hint), "{error}: {said}");
        // `fio` has no such switches.
        assert!(!said.contains("--size") && !said.contains("--read-only"), "{said}");
    }

    #[test]
    fn every_error_of_the_system_has_a_hint() {
        for (errno, hint) in [
            (Errno::NOENT, "check the spelling"),
            (Errno::ACCESS, "run as a user who may"),
            (Errno::ROFS, "another directory"),
            (Errno::NOSPC, "make room"),
            (Errno::DQUOT, "make room"),
            (Errno::FBIG, "ulimit -f"),
            (Errno::NOMEM, "smaller iodepth"),
            (Errno::BUSY, "end what uses it"),
            (Errno::EXIST, "start again"),
            (Errno::OPNOTSUPP, "another file system"),
            (Errno::MFILE, "ulimit -n"),
            (Errno::NFILE, "ulimit -n"),
            (Errno::AGAIN, "ulimit -u"),
            (Errno::IO, "dmesg"),
        ] {
            let error = io::Error::from(errno);
            let what = error.to_string();
            check(
                JobsError::io("a", "cannot sync f", &error),
                ErrorKind::WrongRequest,
                &what,
                hint,
            );
            let arm = EngineError::Arm {
                attempt: "start a worker thread",
                job: "a".to_owned(),
                source: error,
            };
            check(JobsError::Engine(arm), ErrorKind::Failed, &what, hint);
        }
    }

    #[test]
    fn every_error_of_a_target_has_a_hint_in_words_of_fio() {
        let path = || PathBuf::from("/data/f");
        let (small, large) = (Bytes(512), Bytes::mib(1));
        let (refused, wrong) = (ErrorKind::Refused, ErrorKind::WrongRequest);
        let reason = "it is a link";
        for (source, kind, text, hint) in [
            (TargetError::Missing { path: path() }, wrong, "does not exist", "make it first"),
            (TargetError::Dangling { path: path(), to: path() }, wrong, "link", "the link"),
            (TargetError::IsFolder { path: path() }, wrong, "a folder", "directory=FOLDER"),
            (TargetError::Unsuitable { path: path(), what: "a pipe" }, wrong, "pipe", "filename="),
            (TargetError::ReadOnly { path: path() }, wrong, "read-only", "another directory"),
            (
                TargetError::NoSpace { path: path(), needed: large, available: small, free: small },
                wrong,
                "too little space",
                "a smaller size",
            ),
            (TargetError::TooSmall { size: small, least: large }, wrong, "small", "a larger size"),
            (
                TargetError::TargetTooSmall { path: path(), size: small, least: large },
                wrong,
                "at least",
                "a larger size",
            ),
            (TargetError::NotOpened { path: path(), reason }, refused, reason, "without links"),
            (TargetError::NoOpenat2 { path: path() }, refused, "openat2", "Linux 5.6"),
            (
                TargetError::Refused { path: path(), reason: reason.to_owned() },
                refused,
                reason,
                "--yes-destroy-data-on /data/f",
            ),
            (
                TargetError::KernelInterface { path: path(), kind: "sysfs".to_owned() },
                refused,
                "sysfs",
                "that keeps data",
            ),
        ] {
            check(JobsError::target("a", source), kind, text, hint);
        }
    }

    #[test]
    fn every_error_of_the_engine_has_a_hint() {
        let (job, conflict) = ("a".to_owned(), "depth 2 with sync".to_owned());
        let error = EngineError::Job(workload::JobError { job, conflict });
        check(JobsError::Engine(error), ErrorKind::Failed, "depth 2", "--cmdhelp");
        let error = EngineError::NoIoUring("it is forbidden".to_owned());
        check(JobsError::Engine(error), ErrorKind::Failed, "forbidden", "ioengine=libaio");
    }
}
