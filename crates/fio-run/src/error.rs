//! Errors of jobs.

use engine::EngineError;
use fio::plan::PlanError;
use output::OutputError;
use target::TargetError;
use units::ErrorKind;

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
        hint: Option<String>,
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

    pub(super) fn file(job: &str, what: impl Into<String>, hint: Option<&str>) -> Self {
        let hint = hint.map(str::to_owned);
        Self::File { job: job.to_owned(), what: what.into(), hint, protects: false }
    }

    /// A refusal to protect data, or of a forbidden path.
    pub(super) fn protects(job: &str, what: impl Into<String>, hint: Option<String>) -> Self {
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
            Self::Target { source, .. } => source.hint(),
            Self::Output { source, .. } => Some(source.hint()),
            Self::File { hint, .. } | Self::Request { hint, .. } => hint.clone(),
            Self::Engine(_) => None,
        }
    }
}
