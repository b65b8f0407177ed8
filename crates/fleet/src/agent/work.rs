//! The thread that measures: one run, from the first look at its target to its record.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Progress, SimulatedDevice};
use method::{MethodError, Station, Watch};
use record::{CellRole, FleetSpan, HostCell, Record, TargetKind};
use target::{PathHandle, Roots};
use workload::Job;

use super::desk::{Desk, Task};
use super::spool::{Slip, Spool};
use crate::message::{Begin, Live, Phase};
use crate::parcel::Parcel;

/// Exit status of something that did not work.
const FAILED: u8 = 1;

/// Tells the desk how it goes.
struct DeskWatch<'a>(&'a Desk);

impl Watch for DeskWatch<'_> {
    fn phase(&mut self, _: &str, _: f64) {}

    fn progress(&mut self, progress: &Progress, _: f64) {
        self.0.say(Some(live(progress)));
    }

    fn note(&mut self, _: &str) {}

    /// Nobody sits here: whoever started this agent named the device, and whoever asks named it
    /// twice.
    fn confirm(&mut self, _: &str, _: &str) -> bool {
        true
    }
}

fn live(progress: &Progress) -> Live {
    let Progress { measured_ns, iops, bytes_per_second, silent_ns } = *progress;
    Live { measured_ns, iops, bytes_per_second, silent_ns }
}

/// What the thread has: its run, its desk, and where it keeps the record.
pub(super) struct Workplace {
    pub(super) begin: Begin,
    /// What is measured, open since it was found to be allowed.
    pub(super) target: PathHandle,
    pub(super) version: String,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) desk: Arc<Desk>,
    pub(super) spool: Arc<Spool>,
    /// What operations go to instead of the target.
    pub(super) simulated: Option<SimulatedDevice>,
}

impl Workplace {
    fn slip(&self, record: &Record, began_ns: BTreeMap<String, i64>) -> Slip {
        Slip {
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
pub(super) fn work(place: &Workplace) {
    let Workplace { begin, target, desk, spool, .. } = place;
    // Only there is a test file made.
    let lays_out = !begin.read_only && target.is_folder();
    if lays_out && let Err(error) = spool.begin(&begin.run, &begin.path) {
        return failed(desk, format!("cannot note that a run begins: {error}"));
    }
    carry_out(place);
    if lays_out {
        spool.end(&begin.run);
    }
}

fn carry_out(place: &Workplace) {
    let Workplace { begin, target, version, desk, .. } = place;
    let desk: &Desk = desk;
    let roots = Roots::host();
    let ask = begin.ask(version);
    let mut watch = DeskWatch(desk);
    match Station::examine(&ask, target, &begin.setting, &roots, &mut watch) {
        Ok(info) if info.kind == TargetKind::Directory && begin.sharing != FleetSpan::Own => {
            return desk.fail(&method::not_shared(begin.sharing));
        }
        Ok(_) => {}
        Err(error) => return desk.fail(&error),
    }
    desk.set(Phase::Examined);
    let Some(Task::Prepare) = desk.next() else { return over_before(desk) };
    let set = Station::set(&ask, target, &begin.setting, &roots, &desk.stop, &mut watch);
    let mut station = match (set, &place.simulated) {
        (Ok(station), None) => station,
        (Ok(station), Some(device)) => station.simulated(device.clone()),
        (Err(error), _) => return desk.fail(&error),
    };
    match Parcel::pack(&station.ready()) {
        Ok(parcel) => desk.ready(parcel),
        Err(error) => return failed(desk, format!("cannot say what is here: {error}")),
    }
    let mut began = BTreeMap::new();
    let mut plan = begin.plan.clone();
    let early = loop {
        match desk.next() {
            Some(Task::Cell { turn, role, jobs }) => {
                cell(&mut station, desk, turn, role, &jobs, &mut began);
            }
            Some(Task::Finish(last)) => {
                plan = *last;
                break None;
            }
            Some(Task::Prepare) => {}
            None => break desk.early(),
        }
    };
    desk.set(Phase::Finishing);
    if began.is_empty() && early.is_some() {
        return over_before(desk);
    }
    let record = station.finish(plan, early);
    match place.spool.keep(&place.slip(&record, began), &record) {
        Ok(()) => desk.set(Phase::Finished { record: record.measured.id }),
        Err(error) => failed(desk, format!("the record was not kept: {error}")),
    }
}

fn over_before(desk: &Desk) {
    let reason = desk.early().unwrap_or_else(|| "the run was ended".to_owned());
    failed(desk, format!("{reason}, before anything was measured"));
}

fn failed(desk: &Desk, what: String) {
    desk.set(Phase::Failed { what, hint: None, status: FAILED });
}

/// Measures one cell, and lays what it gave on the desk.
fn cell(
    station: &mut Station<'_>,
    desk: &Desk,
    turn: u64,
    role: CellRole,
    jobs: &[Job],
    began: &mut BTreeMap<String, i64>,
) {
    let cut = desk.begin(turn);
    let start = &mut |clock: &engine::Clock| {
        let at_ns = desk.wait_for_start(turn, &cut)?;
        Some(clock.at_monotonic(at_ns))
    };
    let progress = &mut |progress: &Progress| desk.say(Some(live(progress)));
    let measured = station.measure(jobs, role, &cut, start, progress);
    match packed(measured) {
        Ok((cells, parcel)) => {
            began.extend(cells.into_iter().map(|given| (given.cell.name, given.began_ns)));
            desk.measured(turn, parcel);
        }
        Err(what) => {
            desk.say(None);
            desk.set(Phase::NotMeasured { turn, what });
        }
    }
}

fn packed(
    measured: Result<Option<Vec<HostCell>>, MethodError>,
) -> Result<(Vec<HostCell>, Parcel), String> {
    let cells = measured.map_err(|error| error.to_string())?;
    let cells = cells.ok_or("it was ended before it began")?;
    let parcel = Parcel::pack(&cells).map_err(|error| error.to_string())?;
    Ok((cells, parcel))
}
