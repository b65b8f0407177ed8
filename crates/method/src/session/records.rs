//! What a session recorded, as one record: partial, of one visit, or at the end.
use message::{Message, label};
use record::reasons::NothingCompleted;
use record::{CommandLine, Completion, Measured, Plan, Record, Resumed, TargetInfo};
use units::{Nanos, Seed};
use workload::Job;

use super::{ResumedRun, Session};
use crate::record_builder::{begin_record, describe_host, ended_early, make_run_id};
use crate::request::MeasureRequest;
use crate::write_budget::bounded_completion;

impl Session<'_> {
    pub(crate) fn resume_run(&mut self, earlier: &Measured, command: &CommandLine) {
        let (at, cells) = (self.started, earlier.cells.len() as u64);
        let mut resumed = earlier.resumed.clone();
        resumed.push(Resumed { at, command: command.clone(), cells });
        let between = at.as_nanosecond() - earlier.started.as_nanosecond();
        self.resumed_run = Some(ResumedRun {
            command: earlier.command.clone(),
            resumed,
            // A clock that was set back between the two runs makes it none.
            shift: Nanos(u64::try_from(between).unwrap_or(0)),
        });
        self.cells.clone_from(&earlier.cells);
        self.started = earlier.started;
    }

    pub(crate) fn show_partial_record(
        &mut self,
        request: &MeasureRequest,
        plan: Plan,
        show: &mut dyn FnMut(&Record),
    ) {
        let mut measured = self.take_measured(request, plan);
        if measured.completion == Completion::Complete {
            measured.completion = ended_early(label("reason-still-running"));
        }
        let record = Record::from_measured(measured);
        show(&record);
        self.cells = record.measured.cells;
    }

    /// The record of what was measured since the last one, judged: one visit of several to this
    /// target. The session goes on.
    pub(crate) fn take_visit_record(
        &mut self,
        request: &MeasureRequest,
        plan: Plan,
        number: u64,
    ) -> Record {
        let mut measured = self.take_measured(request, plan);
        let seed = Seed(request.seed.0.wrapping_add(number));
        measured.id = make_run_id(measured.finished, seed);
        analysis::judge_record(measured)
    }

    /// The record of everything that was measured, judged. The test file is removed.
    pub(crate) fn finish(mut self, request: &MeasureRequest, plan: Plan) -> Record {
        let mut measured = self.take_measured(request, plan);
        measured.fleet = self.site.finish(&measured.plan);
        analysis::judge_record(measured)
    }

    pub(crate) fn described_info(&self) -> TargetInfo {
        let mut info = self.facts.info.clone();
        if let Some(opened) = self.opened() {
            opened.describe_in(&mut info);
        }
        info
    }

    fn take_measured(&mut self, request: &MeasureRequest, plan: Plan) -> Measured {
        let plan = Plan { span: self.facts.span.length, ..plan };
        let resumed = self.resumed_run.as_ref();
        let command = resumed.map_or(&request.command, |run| &run.command);
        let completion = bounded_completion(self.write_budget.as_ref(), &self.completion);
        let completion = match (completion, self.find_silent_row()) {
            (Completion::Complete, Some(step)) => ended_early(NothingCompleted { step }),
            (completion, _) => completion,
        };
        Measured {
            resumed: resumed.map(|run| run.resumed.clone()).unwrap_or_default(),
            environment: describe_host(&self.facts.roots),
            layout: self.facts.layout.clone(),
            calibration: self.facts.calibration.clone(),
            content: self.content.clone(),
            health: target::read_health_again(&self.facts.health, &self.facts.roots),
            cells: std::mem::take(&mut self.cells),
            ..begin_record(
                self.started,
                request.seed,
                command,
                &request.version,
                plan,
                completion,
                self.described_info(),
            )
        }
    }

    /// A row that none of its cells has figures for.
    fn find_silent_row(&self) -> Option<Message> {
        let load = |job: &Job| (job.access.clone(), job.mix, job.block_size, job.depth, job.sync);
        let has_figures = |job: &Job| self.cells.iter().any(|cell| load(&cell.job) == load(job));
        let mut silent = self.silent_rows.iter().filter(|(job, _)| !has_figures(job));
        silent.next().map(|(_, what)| what.clone())
    }
}
