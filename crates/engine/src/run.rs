//! Runs jobs to their end.

use std::thread;

use workload::Job;

use crate::clock::Clock;
use crate::collect::Progress;
use crate::error::EngineError;
use crate::outcome::Outcome;
use crate::session::{ArmedSession, Session, SessionOptions};
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
    Ok(run_session(armed, clock, stop, watch))
}

/// As [`run_job`], several jobs over the same target, which start together; `watch` is given the
/// place of the job too.
pub fn run_together(
    jobs: &[Job],
    target: &Target,
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(usize, &Progress),
) -> Result<Vec<Outcome>, EngineError> {
    if let [_, second, ..] = jobs
        && target.is_simulated()
    {
        let conflict = "it would run at the same time as another on a simulated device, which has \
                        one clock";
        return Err(EngineError::invalid_job(second, conflict.to_owned()));
    }
    let armed = ArmedSession::new_together(jobs, target, clock)?;
    Ok(run_armed(armed, ArmedSession::common_start(clock), clock, stop, watch))
}

/// Starts armed jobs at `start_ns` and runs them to their ends.
pub fn run_armed(
    armed: Vec<ArmedSession>,
    start_ns: u64,
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(usize, &Progress),
) -> Vec<Outcome> {
    let members = armed.len();
    let begin = |(place, armed): (usize, ArmedSession)| Some(armed.start(start_ns, place, members));
    let mut sessions: Vec<Option<Session>> = armed.into_iter().enumerate().map(begin).collect();
    let mut outcomes = vec![None; members];
    loop {
        let mut delay = None;
        for (place, running) in sessions.iter_mut().enumerate() {
            let Some(session) = running else { continue };
            if session.poll(clock, stop.is_raised(), &mut |progress| watch(place, progress)) {
                delay = Some(session.poll_delay(clock));
            } else {
                outcomes[place] = running.take().map(Session::into_outcome);
            }
        }
        match delay {
            Some(delay) => thread::sleep(delay),
            None => return outcomes.into_iter().flatten().collect(),
        }
    }
}

pub(crate) fn run_session(
    armed: ArmedSession,
    clock: &Clock,
    stop: &StopSignal,
    watch: &mut dyn FnMut(&Progress),
) -> Outcome {
    let mut session = armed.start(ArmedSession::common_start(clock), 0, 1);
    while session.poll(clock, stop.is_raised(), watch) {
        thread::sleep(session.poll_delay(clock));
    }
    session.into_outcome()
}
