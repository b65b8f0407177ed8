//! Runs one job to its end.

use std::thread;

use workload::Job;

use crate::clock::Clock;
use crate::collect::Progress;
use crate::error::EngineError;
use crate::outcome::{IntervalOutcome, Outcome};
use crate::session::{ArmedSession, SessionOptions};
use crate::stop_signal::StopSignal;
use crate::target::Target;

/// Runs `job` to its end, over one target or in its own order over several, and returns everything
/// measured, also when `stop` is raised or an operation fails
/// ([`EndReason::Failed`](crate::EndReason::Failed)). `watch` is called about once per interval,
/// from this thread. Fails when the job contradicts itself or a target, or workers cannot be made.
pub fn run_job(
    job: &Job,
    targets: &[Target],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Outcome, EngineError> {
    let armed = ArmedSession::new(job, targets, clock, &SessionOptions::default())?;
    Ok(run_session(armed, clock, stop, watch, &mut None))
}

/// As [`run_job`], and passes every interval to `sink` as soon as it is complete: for runs whose
/// intervals would not all fit into memory. The outcome keeps the last ones only.
pub fn run_streaming(
    job: &Job,
    targets: &[Target],
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
    sink: &mut dyn FnMut(IntervalOutcome),
) -> Result<Outcome, EngineError> {
    let armed = ArmedSession::new(job, targets, clock, &SessionOptions::default())?;
    Ok(run_session(armed, clock, stop, watch, &mut Some(sink)))
}

pub(crate) fn run_session(
    armed: ArmedSession,
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
    sink: &mut Option<&mut dyn FnMut(IntervalOutcome)>,
) -> Outcome {
    let mut session = armed.start(ArmedSession::common_start(clock), 0, 1);
    while session.poll(clock, stop.is_raised(), watch) {
        if let Some(sink) = sink {
            session.stream_intervals(sink);
        }
        thread::sleep(session.poll_delay(clock));
    }
    session.into_outcome()
}
