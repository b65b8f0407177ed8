//! Why jobs of fio's dialect could not be run.

use engine::EngineError;
use fio::plan::PlanError;
use target::TargetError;

/// What is wrong with which job.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// Its options.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Its files.
    #[error("job '{job}': {source}")]
    Target {
        /// Name of the job.
        job: String,
        /// What is wrong with them.
        source: TargetError,
    },
    /// Its files, in fio's rules.
    #[error("job '{job}': {what}")]
    File {
        /// Name of the job.
        job: String,
        /// What is wrong.
        what: String,
        /// What to do next.
        hint: Option<String>,
        /// Whether data would have been at risk.
        protects: bool,
    },
    /// The engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl JobsError {
    pub(super) fn target(job: &str, source: TargetError) -> Self {
        Self::Target { job: job.to_owned(), source }
    }

    pub(super) fn file(job: &str, what: impl Into<String>, hint: Option<&str>) -> Self {
        let hint = hint.map(str::to_owned);
        Self::File { job: job.to_owned(), what: what.into(), hint, protects: false }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Plan(error) => error.hint.clone(),
            Self::Target { source: TargetError::Refused { .. }, .. } => Some(
                "with allow_mounted_write=1 it is written all the same, and what it holds is lost"
                    .to_owned(),
            ),
            Self::Target { source, .. } => source.hint(),
            Self::File { hint, .. } => hint.clone(),
            Self::Engine(_) => None,
        }
    }
}
