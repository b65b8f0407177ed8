//! The thread that runs fio's jobs for a coordinator: one run, from the first look at what they
//! ask to the figures, which are kept until somebody has them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use engine::Clock;
use jiff::Timestamp;
use method::fio::{Commission, EtaState, Given, JobsError, SentJobs, Terms, Touch, keywords};
use record::FleetSpan;
use serde::{Deserialize, Serialize};
use target::Roots;

use super::allow::Allowed;
use super::desk::{Desk, Task};
use super::spool::{Slip, Spool};
use crate::message::{BeginJobs, Going, Phase};
use crate::name::Name;
use crate::parcel::Parcel;

/// What kept figures of such a run are called.
pub(crate) const PURPOSE: &str = "fio";
/// There is one start: that of the first wave.
pub(crate) const TURN: u64 = 0;
/// Exit statuses of something that did not work, of a request that is wrong, and of one that is
/// refused to protect data.
const FAILED: u8 = 1;
const WRONG: u8 = 2;
const PROTECTED: u8 = 4;

/// What is kept of a run, with all that is needed to tell it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobsKept {
    pub(crate) jobs: SentJobs,
    pub(crate) given: Given,
}

/// What the thread has: its run, what it may touch, its desk, and where it keeps the figures.
pub(super) struct JobsPlace {
    pub(super) begin: BeginJobs,
    pub(super) name: Name,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) allowed: Allowed,
    pub(super) desk: Arc<Desk>,
    pub(super) spool: Arc<Spool>,
}

/// Carries one run out, as the desk says; ends with a phase after which nothing comes.
pub(super) fn work_jobs(place: &JobsPlace) {
    let desk: &Desk = &place.desk;
    let over = match carried_out(place) {
        Ok(run) => Phase::Finished { record: run },
        Err(over) => over,
    };
    desk.set(over);
}

fn carried_out(place: &JobsPlace) -> Result<String, Phase> {
    let JobsPlace { begin, name, allowed, desk, .. } = place;
    let roots = Roots::host();
    let commission = Commission::received(&begin.jobs, name.as_str(), &keywords(&roots));
    let commission = commission.map_err(|error| failed(&error))?;
    forbidden(place, &commission)?;
    let destroy = begin.destroy.as_deref();
    let fence = |path: &Path, touch: Touch| allowed.open_fenced(path, touch, destroy);
    let terms = Terms {
        read_only: begin.read_only || allowed.read_only(),
        destroy,
        fresh: begin.fresh.0,
        fence: &fence,
    };
    commission.examine(&terms, &roots).map_err(|error| failed(&error))?;
    desk.set(Phase::Examined);
    let Some(Task::Prepare) = desk.next() else { return Err(before(desk)) };
    let cut = desk.begin(TURN);
    let started = Timestamp::now();
    let mut gate = |clock: &Clock| {
        let at_ns = desk.wait_for_start(TURN, &cut)?;
        Some(clock.at_monotonic(at_ns))
    };
    let mut going = |state: &EtaState| desk.say_going(told(state));
    let given = commission.run(&terms, &roots, &cut, &mut gate, &mut going);
    let given = given.map_err(|error| failed(&error))?;
    if given.began.is_none() {
        return Err(before(desk));
    }
    desk.set(Phase::Finishing);
    let ended = || cut.is_raised().then(|| "it was told to end early".to_owned());
    let given = given.ended_early(desk.early().or_else(ended));
    kept(place, started, given).map_err(|what| Phase::Failed { what, hint: None, status: FAILED })
}

/// Whether something is to be written where nothing may be.
fn forbidden(place: &JobsPlace, commission: &Commission) -> Result<(), Phase> {
    let Some(what) = commission.writes() else { return Ok(()) };
    let (what, status) = match () {
        () if place.allowed.read_only() => {
            (format!("this agent writes nothing, and {what} would"), PROTECTED)
        }
        () if place.begin.read_only => (format!("{what} writes, but --readonly forbids it"), WRONG),
        () => return Ok(()),
    };
    let hint = Some("use rw=read or rw=randread on files that exist".to_owned());
    Err(Phase::Failed { what, hint, status })
}

/// Keeps the figures; the name that they are fetched by.
fn kept(place: &JobsPlace, started: Timestamp, given: Given) -> Result<String, String> {
    let begin = &place.begin;
    let slip = Slip {
        run: begin.run.clone(),
        started,
        purpose: PURPOSE.to_owned(),
        began_ns: BTreeMap::new(),
        clock_error: place.desk.clock_error(),
        labels: place.labels.clone(),
        sharing: FleetSpan::Own,
        hosts: begin.hosts.clone(),
    };
    let parcel = Parcel::pack(&JobsKept { jobs: begin.jobs.clone(), given });
    let parcel = parcel.map_err(|error| format!("the figures were not packed: {error}"))?;
    let kept = place.spool.keep_packed(&slip, parcel.bytes());
    kept.map_err(|error| format!("the figures were not kept: {error}"))?;
    Ok(begin.run.to_string())
}

fn failed(error: &JobsError) -> Phase {
    let (what, hint) = (error.to_string(), error.hint());
    Phase::Failed { what, hint, status: error.exit_status() }
}

fn before(desk: &Desk) -> Phase {
    let reason = desk.early().unwrap_or_else(|| "the run was ended".to_owned());
    let what = format!("{reason}, before anything was measured");
    Phase::Failed { what, hint: None, status: FAILED }
}

fn told(state: &EtaState) -> Going {
    Going {
        letters: state.letters.clone(),
        running: state.running,
        open_files: state.open_files,
        iops: state.iops,
        bytes_per_second: state.rate,
        left_s: state.eta_s,
        percent: state.percent,
    }
}
