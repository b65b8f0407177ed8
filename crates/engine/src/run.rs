//! The control plane: arms the workers, starts them together, watches, collects.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use workload::{Job, JobError};

use crate::backend_choice::choose_backend;
use crate::clock::Clock;
use crate::outcome::{IntervalOutcome, Outcome};
use crate::session::PoolSetup;
use crate::target::Target;
use crate::worker_pool::{Oversubscription, WorkerPool};

/// How often the control plane looks at the workers; on a virtual clock they never wait for it.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
const POLL_INTERVAL_VIRTUAL: Duration = Duration::from_micros(50);
/// Between the last worker's readiness and the common start: long enough for all to be woken, which
/// takes 100 us and more on a virtual machine.
pub(crate) const START_DELAY_NS: u64 = 1_000_000;

/// Raised to end a run early; may be raised from a signal handler's thread.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Asks every run that holds this flag to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// How a run is going; given about every interval, and while operations hang about every second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time measured so far; negative during the warm-up.
    pub measured_ns: i64,
    /// Operations per second in the newest complete interval, without syncs.
    pub iops: f64,
    /// Bytes per second in it.
    pub bytes_per_second: f64,
    /// For how long nothing has completed although operations are outstanding; 0 below a second.
    pub silent_ns: u64,
}

/// Why a job could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It contradicts itself or its target.
    #[error(transparent)]
    Job(#[from] JobError),
    /// io_uring was demanded and is not to be had.
    #[error("io_uring cannot be used here: {0}")]
    NoIoUring(String),
    /// The system refused what a worker needs.
    #[error("cannot {attempt} for job '{job}': {source}")]
    Arm {
        /// `start a worker thread`, `allocate buffers`, `set up io_uring`.
        attempt: &'static str,
        /// Name of the job.
        job: String,
        /// The system's own error.
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

/// Runs `job` on `target` to its end and returns everything measured.
///
/// Returns early, with what was measured, when `stop` is raised or an operation fails.
/// `watch` is called about once per interval, from this thread.
///
/// # Errors
/// When the job contradicts itself or the target, or the workers cannot be made. A failing
/// operation is no error of this function: see [`EndReason::Failed`](crate::EndReason::Failed).
pub fn run_job(
    job: &Job,
    target: &Target,
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Outcome, EngineError> {
    run_on_targets(job, std::slice::from_ref(target), clock, stop, watch)
}

/// As [`run`], over several targets; the job says which comes next.
///
/// # Errors
/// As [`run`]; also without a target.
pub fn run_on_targets(
    job: &Job,
    targets: &[Target],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Outcome, EngineError> {
    run_pool(job, targets, clock, stop, watch, None)
}

/// As [`run_on_targets`], and gives every interval away as soon as it is complete: for runs so long
/// that all of them would not fit into memory. The outcome keeps the last ones only.
///
/// # Errors
/// As [`run_on_targets`].
pub fn run_streaming(
    job: &Job,
    targets: &[Target],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
    sink: &mut dyn FnMut(IntervalOutcome),
) -> Result<Outcome, EngineError> {
    run_pool(job, targets, clock, stop, watch, Some(sink))
}

fn run_pool(
    job: &Job,
    targets: &[Target],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
    mut sink: Option<&mut dyn FnMut(IntervalOutcome)>,
) -> Result<Outcome, EngineError> {
    let (crew, notes) = arm_pool(job, targets, clock, &mut PoolSetup::default())?;
    let mut running = crew.start(clock.now() + START_DELAY_NS, Oversubscription::Sparse);
    while running.poll_workers(clock, stop.is_raised(), watch) {
        if let Some(sink) = &mut sink {
            running.stream_intervals(sink);
        }
        thread::sleep(poll_delay(running.is_virtual(), running.deadline_ns(), clock));
    }
    Ok(running.into_outcome(notes))
}

/// Validates a job, chooses its interface and arms its workers.
pub(crate) fn arm_pool(
    job: &Job,
    targets: &[Target],
    clock: &Clock,
    kit: &mut PoolSetup,
) -> Result<(WorkerPool, Vec<String>), EngineError> {
    if targets.is_empty() || targets.len() > usize::from(u16::MAX) {
        let conflict = format!("it has {} targets; 1 to {} will do", targets.len(), u16::MAX);
        return Err(EngineError::invalid_job(job, conflict));
    }
    targets.iter().try_for_each(|target| job.validate(&target.limits))?;
    let (kind, notes) = choose_backend(job, targets)?;
    Ok((WorkerPool::arm(job, targets, clock, kind, kit)?, notes))
}

/// How long the control plane sleeps between two looks.
pub(crate) fn poll_delay(is_virtual: bool, deadline_ns: u64, clock: &Clock) -> Duration {
    if is_virtual {
        return POLL_INTERVAL_VIRTUAL;
    }
    let until_deadline = Duration::from_nanos(deadline_ns.saturating_sub(clock.now()));
    POLL_INTERVAL.min(until_deadline + Duration::from_micros(100))
}
