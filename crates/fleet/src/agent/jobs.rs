//! The thread that runs fio's jobs for a coordinator: one run, from the first look at what they
//! ask to the figures, which are kept until somebody has them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use engine::Clock;
use fio_run::{
    EtaState, JobsError, PathAccess, RemoteJobs, RemoteResult, RunPolicy, SentJobs, host_keywords,
};
use jiff::Timestamp;
use record::FleetSpan;
use serde::{Deserialize, Serialize};
use target::Roots;
use units::ErrorKind;

use super::allow_list::AllowList;
use super::mailbox::{Mailbox, Task};
use super::spool::{Manifest, Spool};
use crate::message::{BeginJobs, JobsProgress, Phase, Refusal};
use crate::name::AgentName;
use crate::payload::ChunkedPayload;

/// What kept figures of such a run are called.
pub(crate) const JOBS_PURPOSE: &str = "fio";
/// There is one start: that of the first wave.
pub(crate) const START_TURN: u64 = 0;

/// What is kept of a run, with all that is needed to tell it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedJobs {
    pub(crate) jobs: SentJobs,
    pub(crate) given: RemoteResult,
}

/// What the thread has: its run, what it may touch, its desk, and where it keeps the figures.
pub(super) struct JobsContext {
    pub(super) begin: BeginJobs,
    pub(super) name: AgentName,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) allowed: AllowList,
    pub(super) desk: Arc<Mailbox>,
    pub(super) spool: Arc<Spool>,
}

/// Carries one run out, as the desk says; ends with a phase after which nothing comes.
pub(super) fn run_jobs(place: &JobsContext) {
    let desk: &Mailbox = &place.desk;
    let over = match execute_jobs(place) {
        Ok(run) => Phase::Finished { record: run },
        Err(over) => over,
    };
    desk.set_phase(over);
}

fn execute_jobs(place: &JobsContext) -> Result<String, Phase> {
    let JobsContext { begin, name, allowed, desk, .. } = place;
    let roots = Roots::host();
    let commission = RemoteJobs::from_sent(&begin.jobs, name.as_str(), &host_keywords(&roots));
    let commission = commission.map_err(|error| failed_phase(&error))?;
    check_writes(place, &commission)?;
    let destroy = begin.destroy.as_deref();
    let fence = |path: &Path, touch: PathAccess| allowed.open_for_job(path, touch, destroy);
    let terms = RunPolicy {
        read_only: begin.read_only || allowed.read_only(),
        destroy,
        random_seed: begin.fresh.0,
        path_policy: &fence,
    };
    commission.check_feasible(&terms, &roots).map_err(|error| failed_phase(&error))?;
    desk.set_phase(Phase::Examined);
    let Some(Task::Prepare) = desk.next_task() else { return Err(ended_before_measuring(desk)) };
    let cut = desk.begin_cell(START_TURN);
    let started = Timestamp::now();
    let mut gate = |clock: &Clock| {
        let at_ns = desk.wait_for_start(START_TURN, &cut)?;
        Some(clock.from_monotonic(at_ns))
    };
    let mut going = |state: &EtaState| desk.set_jobs_progress(jobs_progress(state));
    let given = commission.run(&terms, &roots, &cut, &mut gate, &mut going);
    let given = given.map_err(|error| failed_phase(&error))?;
    if given.began.is_none() {
        return Err(ended_before_measuring(desk));
    }
    desk.set_phase(Phase::Finishing);
    let ended = || cut.is_raised().then(|| "it was told to end early".to_owned());
    let given = given.with_early_end(desk.end_reason().or_else(ended));
    save_result(place, started, given).map_err(|what| Phase::Failed(Refusal::failed(what)))
}

/// Whether something is to be written where nothing may be.
fn check_writes(place: &JobsContext, commission: &RemoteJobs) -> Result<(), Phase> {
    let Some(what) = commission.first_write() else { return Ok(()) };
    let (what, kind) = match () {
        () if place.allowed.read_only() => {
            (format!("this agent writes nothing, and {what} would"), ErrorKind::Refused)
        }
        () if place.begin.read_only => {
            (format!("{what} writes, but --readonly forbids it"), ErrorKind::WrongRequest)
        }
        () => return Ok(()),
    };
    let hint = "use rw=read or rw=randread on files that exist";
    Err(Phase::Failed(Refusal::new(kind, what, Some(hint))))
}

/// Keeps the figures; the name that they are fetched by.
fn save_result(
    place: &JobsContext,
    started: Timestamp,
    given: RemoteResult,
) -> Result<String, String> {
    let begin = &place.begin;
    let slip = Manifest {
        run: begin.run.clone(),
        started,
        purpose: JOBS_PURPOSE.to_owned(),
        began_ns: BTreeMap::new(),
        clock_error: place.desk.clock_error(),
        labels: place.labels.clone(),
        sharing: FleetSpan::Own,
        hosts: begin.hosts.clone(),
    };
    let parcel = ChunkedPayload::pack(&SavedJobs { jobs: begin.jobs.clone(), given });
    let parcel = parcel.map_err(|error| format!("the figures were not packed: {error}"))?;
    let kept = place.spool.save_packed(&slip, parcel.bytes());
    kept.map_err(|error| format!("the figures were not kept: {error}"))?;
    Ok(begin.run.to_string())
}

fn failed_phase(error: &JobsError) -> Phase {
    let (what, hint) = (error.to_string(), error.hint());
    Phase::Failed(Refusal { what, hint, kind: error.kind() })
}

fn ended_before_measuring(desk: &Mailbox) -> Phase {
    let reason = desk.end_reason().unwrap_or_else(|| "the run was ended".to_owned());
    Phase::Failed(Refusal::failed(format!("{reason}, before anything was measured")))
}

fn jobs_progress(state: &EtaState) -> JobsProgress {
    JobsProgress {
        letters: state.letters.clone(),
        running: state.running,
        open_files: state.open_files,
        iops: state.iops,
        bytes_per_second: state.rate,
        left_s: state.eta_s,
        percent: state.percent,
    }
}
