//! The thread that measures: one run, from the first look at its target to its record.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Progress, SimulatedDevice};
use method::{HostSession, MethodError, Observer};
use record::{CellRole, FleetSpan, HostCell, Record, TargetKind};
use target::{PathHandle, Roots};
use workload::Job;

use super::mailbox::{Mailbox, Task};
use super::spool::{Manifest, Spool};
use crate::message::{BeginRun, CellProgress, Phase, Refusal};
use crate::payload::ChunkedPayload;

/// Tells the desk how it goes.
struct MailboxObserver<'a>(&'a Mailbox);

impl Observer for MailboxObserver<'_> {
    fn on_phase(&mut self, _: &str, _: f64) {}

    fn on_progress(&mut self, progress: &Progress, _: f64) {
        self.0.set_live(Some(cell_progress(progress)));
    }

    fn on_note(&mut self, _: &str) {}

    /// Nobody sits here: whoever started this agent named the device, and whoever asks named it
    /// twice.
    fn confirm(&mut self, _: &str, _: &str) -> bool {
        true
    }
}

fn cell_progress(progress: &Progress) -> CellProgress {
    let Progress { measured_ns, iops, bytes_per_second, silent_ns } = *progress;
    CellProgress { measured_ns, iops, bytes_per_second, silent_ns }
}

/// What the thread has: its run, its desk, and where it keeps the record.
pub(super) struct RunContext {
    pub(super) begin: BeginRun,
    /// What is measured, open since it was found to be allowed.
    pub(super) target: PathHandle,
    pub(super) version: String,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) desk: Arc<Mailbox>,
    pub(super) spool: Arc<Spool>,
    /// What operations go to instead of the target.
    pub(super) simulated: Option<SimulatedDevice>,
}

impl RunContext {
    fn manifest(&self, record: &Record, began_ns: BTreeMap<String, i64>) -> Manifest {
        Manifest {
            run: self.begin.run.clone(),
            started: record.measured.started,
            purpose: record.measured.plan.purpose.name().to_owned(),
            began_ns,
            clock_error: self.desk.clock_error(),
            labels: self.labels.clone(),
            sharing: self.begin.sharing,
            hosts: self.begin.hosts.clone(),
        }
    }
}

/// Carries one run out, as the desk says; ends with a phase after which nothing comes.
pub(super) fn measure_run(place: &RunContext) {
    let RunContext { begin, target, desk, spool, .. } = place;
    // Only there is a test file made.
    let lays_out = !begin.read_only && target.is_folder();
    if lays_out && let Err(error) = spool.mark_begun(&begin.run, &begin.path) {
        return set_failed(desk, format!("cannot note that a run begins: {error}"));
    }
    execute_run(place);
    if lays_out {
        spool.clear_begun(&begin.run);
    }
}

fn execute_run(place: &RunContext) {
    let RunContext { begin, target, version, desk, .. } = place;
    let desk: &Mailbox = desk;
    let roots = Roots::host();
    let ask = begin.measure_request(version);
    let mut watch = MailboxObserver(desk);
    match HostSession::examine_target(&ask, target, &begin.setting, &roots, &mut watch) {
        Ok(info) if info.kind == TargetKind::Directory && begin.sharing != FleetSpan::Own => {
            return desk.set_failed(&method::unsharable_folder_error(begin.sharing));
        }
        Ok(_) => {}
        Err(error) => return desk.set_failed(&error),
    }
    desk.set_phase(Phase::Examined);
    let Some(Task::Prepare) = desk.next_task() else { return fail_before_measuring(desk) };
    let set = HostSession::prepare(&ask, target, &begin.setting, &roots, &desk.stop, &mut watch);
    let mut station = match (set, &place.simulated) {
        (Ok(station), None) => station,
        (Ok(station), Some(device)) => station.with_simulated_device(device.clone()),
        (Err(error), _) => return desk.set_failed(&error),
    };
    match ChunkedPayload::pack(&station.readiness()) {
        Ok(parcel) => desk.post_readiness(parcel),
        Err(error) => return set_failed(desk, format!("cannot say what is here: {error}")),
    }
    let mut began = BTreeMap::new();
    let mut plan = begin.plan.clone();
    let early = loop {
        match desk.next_task() {
            Some(Task::Cell { turn, role, jobs }) => {
                measure_cell(&mut station, desk, turn, role, &jobs, &mut began);
            }
            Some(Task::Finish(last)) => {
                plan = *last;
                break None;
            }
            Some(Task::Prepare) => {}
            None => break desk.end_reason(),
        }
    };
    desk.set_phase(Phase::Finishing);
    if began.is_empty() && early.is_some() {
        return fail_before_measuring(desk);
    }
    let record = station.finish(plan, early);
    match place.spool.save_record(&place.manifest(&record, began), &record) {
        Ok(()) => desk.set_phase(Phase::Finished { record: record.measured.id }),
        Err(error) => set_failed(desk, format!("the record was not kept: {error}")),
    }
}

fn fail_before_measuring(desk: &Mailbox) {
    let reason = desk.end_reason().unwrap_or_else(|| "the run was ended".to_owned());
    set_failed(desk, format!("{reason}, before anything was measured"));
}

fn set_failed(desk: &Mailbox, what: String) {
    desk.set_phase(Phase::Failed(Refusal::failed(what)));
}

/// Measures one cell, and lays what it gave on the desk.
fn measure_cell(
    station: &mut HostSession<'_>,
    desk: &Mailbox,
    turn: u64,
    role: CellRole,
    jobs: &[Job],
    began: &mut BTreeMap<String, i64>,
) {
    let cut = desk.begin_cell(turn);
    let start = &mut |clock: &engine::Clock| {
        let at_ns = desk.wait_for_start(turn, &cut)?;
        Some(clock.from_monotonic(at_ns))
    };
    let progress = &mut |progress: &Progress| desk.set_live(Some(cell_progress(progress)));
    let measured = station.measure(jobs, role, &cut, start, progress);
    match pack_cells(measured) {
        Ok((cells, parcel)) => {
            began.extend(cells.into_iter().map(|given| (given.cell.name, given.began_ns)));
            desk.post_cells(turn, parcel);
        }
        Err(what) => {
            desk.set_live(None);
            desk.set_phase(Phase::NotMeasured { turn, what });
        }
    }
}

fn pack_cells(
    measured: Result<Option<Vec<HostCell>>, MethodError>,
) -> Result<(Vec<HostCell>, ChunkedPayload), String> {
    let cells = measured.map_err(|error| error.to_string())?;
    let cells = cells.ok_or("it was ended before it began")?;
    let parcel = ChunkedPayload::pack(&cells).map_err(|error| error.to_string())?;
    Ok((cells, parcel))
}
