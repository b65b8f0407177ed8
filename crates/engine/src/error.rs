//! Why a job could not be run at all.

use std::io;

use workload::{Job, JobError};

/// Why a job could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Job(#[from] JobError),
    #[error("io_uring cannot be used here: {0}")]
    NoIoUring(String),
    #[error("cannot {attempt} for job '{job}': {source}")]
    Arm {
        /// `start a worker thread`, `allocate buffers`, `set up io_uring`.
        attempt: &'static str,
        job: String,
        source: io::Error,
    },
}

impl EngineError {
    pub(crate) fn arming(job: &Job, attempt: &'static str, source: io::Error) -> Self {
        Self::Arm { attempt, job: job.name.clone(), source }
    }

    pub(crate) fn invalid_job(job: &Job, conflict: String) -> Self {
        Self::Job(JobError { job: job.name.clone(), conflict })
    }
}
