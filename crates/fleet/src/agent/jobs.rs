//! The thread that runs fio's jobs for a coordinator.

use std::path::Path;

use engine::Clock;
use fio_run::{EtaState, PathAccess, RemoteJobs, RemoteResult, RunPolicy, host_keywords};
use jiff::Timestamp;
use target::Roots;
use units::ErrorKind;

use super::allow_list::AllowList;
use super::run_context::RunContext;
use crate::message::{BeginJobs, Phase, Refusal};
use crate::name::AgentName;
use crate::payload::ChunkedPayload;
use crate::spool::{JOBS_PURPOSE, START_TURN, SavedJobs};

pub(super) struct JobsWork {
    pub(super) context: RunContext,
    pub(super) begin: BeginJobs,
    pub(super) name: AgentName,
    pub(super) allowed: AllowList,
}

pub(super) fn run_jobs(work: &JobsWork) {
    work.context.carry_out(|| work.execute());
}

impl JobsWork {
    fn execute(&self) -> Result<String, Refusal> {
        let Self { context, begin, name, allowed } = self;
        let mailbox = &context.mailbox;
        let roots = Roots::host();
        let jobs = RemoteJobs::from_sent(&begin.jobs, name.as_str(), &host_keywords(&roots))?;
        self.check_writes(&jobs)?;
        let destroy = begin.destroy.as_deref();
        let policy = |path: &Path, access: PathAccess| allowed.open_for_job(path, access, destroy);
        let policy = RunPolicy {
            read_only: begin.read_only || allowed.read_only(),
            destroy,
            random_seed: begin.fresh.0,
            path_policy: &policy,
        };
        jobs.check_feasible(&policy, &roots)?;
        context.wait_for_prepare(None)?;
        let stop = mailbox.begin_cell(START_TURN);
        let started = Timestamp::now();
        let mut gate =
            |clock: &Clock| Some(clock.from_monotonic(mailbox.wait_for_start(START_TURN, &stop)?));
        let mut progress = |state: &EtaState| mailbox.set_jobs_progress(state.clone());
        let result = jobs.run(&policy, &roots, &stop, &mut gate, &mut progress)?;
        if result.began.is_none() {
            return Err(context.ended_before_measuring());
        }
        mailbox.set_phase(Phase::Finishing);
        let ended = || stop.is_raised().then(|| "it was told to end early".to_owned());
        let result = result.with_early_end(mailbox.end_reason().or_else(ended));
        self.save_result(started, result).map_err(Refusal::failed)?;
        Ok(begin.run.to_string())
    }

    fn check_writes(&self, jobs: &RemoteJobs) -> Result<(), Refusal> {
        let Some(what) = jobs.first_write() else { return Ok(()) };
        let (what, kind) = if self.allowed.read_only() {
            (format!("this agent writes nothing, and {what} would"), ErrorKind::Refused)
        } else if self.begin.read_only {
            (format!("{what} writes, but --readonly forbids it"), ErrorKind::WrongRequest)
        } else {
            return Ok(());
        };
        let hint = "use rw=read or rw=randread on files that exist";
        Err(Refusal::new(kind, what, Some(hint)))
    }

    fn save_result(&self, started: Timestamp, given: RemoteResult) -> Result<(), String> {
        let BeginJobs { run, jobs, members, .. } = &self.begin;
        let manifest = self.context.manifest(run, JOBS_PURPOSE, started, members);
        let payload = ChunkedPayload::pack(&SavedJobs { jobs: jobs.clone(), given })
            .map_err(|error| format!("the figures were not packed: {error}"))?;
        let saved = self.context.spool.save_packed(&manifest, payload.bytes());
        saved.map_err(|error| format!("the figures were not kept: {error}"))
    }
}
