//! The thread that measures one run.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Clock, Progress, SimulatedDevice};
use method::{HostSession, MethodError, Observer};
use record::{CellRole, FleetSpan, HostCell, TargetKind};
use target::{PathHandle, Roots};
use workload::Job;

use super::mailbox::{Mailbox, Task};
use super::others::OthersThread;
use super::run_context::RunContext;
use crate::message::{BeginRun, CellProgress, Phase, Refusal};
use crate::payload::ChunkedPayload;
use crate::spool::Manifest;

struct MailboxObserver<'a>(&'a Mailbox);

impl Observer for MailboxObserver<'_> {
    fn on_phase(&mut self, _: &message::Message, _: f64) {}

    fn on_progress(&mut self, progress: &Progress, _: f64) {
        self.0.set_live(Some(cell_progress(progress)));
    }

    fn on_note(&mut self, _: &str) {}

    /// The user confirmed twice: by the agent's allow-list and in the order.
    fn confirm(&mut self, _: &str, _: &str) -> bool {
        true
    }
}

fn cell_progress(progress: &Progress) -> CellProgress {
    let Progress { measured_ns, iops, bytes_per_second, silent_ns } = *progress;
    CellProgress { measured_ns, iops, bytes_per_second, silent_ns }
}

pub(super) struct MeasureWork {
    pub(super) context: RunContext,
    pub(super) begin: BeginRun,
    /// Open since the check.
    pub(super) target: PathHandle,
    pub(super) version: String,
    pub(super) simulated: Option<SimulatedDevice>,
}

pub(super) fn measure_run(work: &MeasureWork) {
    let MeasureWork { context, begin, target, .. } = work;
    context.carry_out(|| {
        // Only a folder gets a test file.
        let lays_out = !begin.read_only && target.is_folder();
        if lays_out {
            context.spool.mark_begun(&begin.run, &begin.path).map_err(|error| {
                Refusal::failed(format!("cannot note that a run begins: {error}"))
            })?;
        }
        let result = work.execute();
        if lays_out {
            context.spool.clear_begun(&begin.run);
        }
        result
    });
}

impl MeasureWork {
    fn execute(&self) -> Result<String, Refusal> {
        let Self { context, begin, target, version, simulated } = self;
        let mailbox: &Mailbox = &context.mailbox;
        let (roots, layout) = (Roots::host(), &begin.setting);
        let ask = begin.measure_request(version);
        let mut observer = MailboxObserver(mailbox);
        let (info, identity) =
            HostSession::examine_target(&ask, target, layout, &roots, &mut observer)?;
        if info.kind == TargetKind::Directory && begin.sharing != FleetSpan::Own {
            return Err(method::unsharable_folder_error(begin.sharing).into());
        }
        let watch =
            |bound| OthersThread::start(info.stack.clone(), bound, Arc::clone(&context.mailbox));
        let _others = begin.stop_on.map(watch).transpose()?;
        context.wait_for_prepare(identity.filter(|_| simulated.is_none()))?;
        let session =
            HostSession::prepare(&ask, target, layout, &roots, &mailbox.stop, &mut observer)?;
        let session = session.with_profile(begin.profile.as_ref(), &begin.plan)?;
        let mut session = match simulated {
            Some(device) => session.with_simulated_device(device.clone()),
            None => session,
        };
        let readiness = ChunkedPayload::pack(&session.readiness())
            .map_err(|error| Refusal::failed(format!("cannot say what is here: {error}")))?;
        mailbox.post_readiness(readiness);
        let mut began_ns = BTreeMap::new();
        let mut plan = begin.plan.clone();
        let end_reason = loop {
            match mailbox.next_task() {
                Some(Task::Cell { turn, role, jobs }) => {
                    measure_cell(&mut session, mailbox, turn, role, &jobs, &mut began_ns);
                }
                Some(Task::Finish(last)) => {
                    plan = *last;
                    break None;
                }
                Some(Task::Prepare) => {}
                None => break mailbox.end_reason(),
            }
        };
        mailbox.set_phase(Phase::Finishing);
        if began_ns.is_empty() && end_reason.is_some() {
            return Err(context.ended_before_measuring());
        }
        let record = session.finish(plan, end_reason);
        let purpose = record.measured.plan.purpose.name();
        let started = record.measured.started;
        let manifest = Manifest {
            began_ns,
            sharing: begin.sharing,
            ..context.manifest(&begin.run, purpose, started, &begin.members)
        };
        let saved = context.spool.save_record(&manifest, &record);
        saved.map_err(|error| Refusal::failed(format!("the record was not kept: {error}")))?;
        Ok(record.measured.id)
    }
}

fn measure_cell(
    session: &mut HostSession<'_>,
    mailbox: &Mailbox,
    turn: u64,
    role: CellRole,
    jobs: &[Job],
    began_ns: &mut BTreeMap<String, i64>,
) {
    let stop = mailbox.begin_cell(turn);
    let start =
        &mut |clock: &Clock| Some(clock.from_monotonic(mailbox.wait_for_start(turn, &stop)?));
    let progress = &mut |progress: &Progress| mailbox.set_live(Some(cell_progress(progress)));
    match pack_cells(session.measure(jobs, role, &stop, start, progress)) {
        Ok((cells, payload)) => {
            began_ns.extend(cells.into_iter().map(|host| (host.cell.name, host.began_ns)));
            mailbox.post_cells(turn, payload);
        }
        Err(what) => {
            mailbox.set_live(None);
            mailbox.set_phase(Phase::NotMeasured { turn, what });
        }
    }
}

fn pack_cells(
    measured: Result<Option<Vec<HostCell>>, MethodError>,
) -> Result<(Vec<HostCell>, ChunkedPayload), String> {
    let cells = measured.map_err(|error| error.to_string())?;
    let cells = cells.ok_or("it was ended before it began")?;
    let payload = ChunkedPayload::pack(&cells).map_err(|error| error.to_string())?;
    Ok((cells, payload))
}
