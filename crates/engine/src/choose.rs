//! Which kernel interface a job runs through.

use workload::{BackendChoice, Job};

use crate::backend::io_uring_refusal;
use crate::run::{EngineError, Target};

/// Beyond this depth a thread per operation costs more than it gives.
const THREADS_MAX: u32 = 1024;

/// A kernel interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    IoUring,
    Threads,
    /// io_uring with no-operations: what the loop itself costs.
    Nop,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::IoUring => "io_uring",
            Self::Threads => "threads",
            Self::Nop => "nop",
        }
    }
}

/// The interface for `job`, and what there is to say about it.
pub(crate) fn choose(job: &Job, target: &Target) -> Result<(Kind, Vec<String>), EngineError> {
    match job.backend {
        BackendChoice::Threads => Ok((Kind::Threads, Vec::new())),
        BackendChoice::IoUring => match io_uring_refusal() {
            None => Ok((Kind::IoUring, Vec::new())),
            Some(reason) => Err(EngineError::NoIoUring(reason)),
        },
        BackendChoice::Auto => {
            let reason = io_uring_refusal().or_else(|| kernel_threads(job, target));
            Ok(match reason {
                None => (Kind::IoUring, Vec::new()),
                Some(reason) => (Kind::Threads, vec![format!("no io_uring: {reason}")]),
            })
        }
    }
}

/// Why io_uring would not work asynchronously here: a device that takes no request without
/// blocking gets each from a kernel thread, of which there are four per processor at most. The
/// depth asked would not be reached, and our own threads are cheaper.
fn kernel_threads(job: &Job, target: &Target) -> Option<String> {
    if !job.direct || job.depth.0 > THREADS_MAX || target.nowait {
        return None;
    }
    Some("the device takes no request without blocking (RWF_NOWAIT)".to_owned())
}
