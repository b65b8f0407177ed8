//! What every method stands on: the target laid out and open, and cells measured on it one after
//! the other, until the end or until something ends it early.

mod calibration;
mod on_hosts;
#[cfg(test)]
mod simulated;
mod target_override;

use std::path::PathBuf;

use engine::{Clock, Progress, StopSignal, Target};
use jiff::Timestamp;
use record::{
    Calibration, Cell, CellRole, CommandLine, Completion, ContentSample, Environment,
    IoUringStatus, LayoutRun, Measured, Plan, Record, Resumed, TargetInfo, TargetKind, Tool,
};
use target::{
    OpenTarget, PathHandle, Roots, TargetError, TestFile, describe_environment, query_extents,
};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, BackendChoice, Job, Mix, Pacing, Payload, Span, Stop};

use crate::Observer;
use crate::cell::{CellRunner, ObservedTarget, budget_share};
use crate::error::MethodError;
use crate::hosts::{Epoch, RemoteHosts};
use crate::layout::{LayoutOutcome, LayoutRequest, write_layout};
use crate::prepared_target::{PreparedTarget, SPAN_MIN};
use crate::request_checks;
use crate::write_budget::{Allowance, WriteBudget, bounded_completion};
use calibration::calibrate;
use target_override::describe_open_target;

/// What every method is asked.
#[derive(Debug, Clone)]
pub struct MeasureRequest {
    /// Folder, file or block device.
    pub path: PathBuf,
    /// Size of the test file, or of the measured part of a device or file.
    pub size: Option<Bytes>,
    /// Measure what exists and write nothing to it.
    pub read_only: bool,
    /// The device named a second time, for leave to write to it.
    pub destroy_data_on: Option<PathBuf>,
    /// Most bytes that the run may write, the layout included; no bound without it.
    pub max_written: Option<Bytes>,
    /// What offsets, mixes and payload follow from.
    pub seed: Seed,
    /// The command line, for the record.
    pub command: CommandLine,
    /// Version of the program, for the record.
    pub version: String,
}

/// How much a method lays out, and how long all of it may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayoutBudget<'a> {
    /// Sizes that were asked for: what the target cannot take is refused before the layout.
    pub(crate) block_sizes: &'a [Bytes],
    /// Largest test file unless a size was asked for.
    pub(crate) size: Bytes,
    /// Longest that the layout may take.
    pub(crate) layout: Nanos,
    /// The whole run, as announced.
    pub(crate) budget: Nanos,
    /// Whether cells write, or the layout alone.
    pub(crate) measures_writes: bool,
    /// The name under which it is announced, where it has one.
    pub(crate) name: Option<&'a str>,
}

/// Why the sequence of cells goes on, or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    End,
}

/// A run while it goes.
pub(crate) struct MeasureSession<'a> {
    pub(crate) runner: CellRunner<'a>,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) budget: Nanos,
    pub(crate) span: Span,
    pub(crate) cells: Vec<Cell>,
    pub(crate) completion: Completion,
    pub(crate) seed: Seed,
    pub(crate) direct: bool,
    pub(crate) writable: bool,
    started: Timestamp,
    pub(crate) info: TargetInfo,
    pub(crate) layout: Option<LayoutRun>,
    /// What blocks held before anything was measured.
    pub(crate) content: Option<ContentSample>,
    calibration: Calibration,
    io_uring: IoUringStatus,
    /// Size of the device or file that was given, whatever part of it is measured.
    pub(crate) given_size: Bytes,
    /// What may still be written, where that is bounded.
    pub(crate) write_budget: Option<WriteBudget>,
    /// The file of our own, which goes when the stage goes.
    test_file: Option<TestFile>,
    resumed_run: Option<ResumedRun>,
    /// The hosts that it stands on, where that is not this one.
    hosts: Option<RemoteHosts<'a>>,
}

/// What a run that goes on after an interruption keeps of its beginning.
struct ResumedRun {
    command: CommandLine,
    resumed: Vec<Resumed>,
    /// From the start of the run to the start of this process's part of it.
    shift: Nanos,
}

impl<'a> MeasureSession<'a> {
    /// Looks at the open target, lays out a test file in a folder, and makes ready to measure.
    ///
    /// Where the layout failed or was stopped, its completion says so: [`Flow::End`].
    pub(crate) fn open_on(
        ask: &MeasureRequest,
        handle: &PathHandle,
        room: LayoutBudget<'_>,
        roots: &'a Roots,
        stop: &'a StopSignal,
        watch: &'a mut dyn Observer,
    ) -> Result<(Self, Flow), MethodError> {
        let started = Timestamp::now();
        watch.on_phase("looking at the target", 0.0);
        let PreparedTarget { info, opened, test_file: own, span } =
            PreparedTarget::prepare(ask, handle, &room, roots, watch)?;
        request_checks::check_block_sizes(room.block_sizes, opened.offset_align, span.length)?;
        let clock = Clock::best();
        let refusal = engine::io_uring_refusal();
        let calibration = calibrate(&clock, refusal.is_none());
        let file = opened.file.try_clone().map_err(|source| TargetError::Io {
            attempt: "use",
            path: ask.path.clone(),
            source,
        })?;
        let target = Target::new(file, opened.limits(), opened.memory_align);
        let (direct, writable) = (opened.direct, opened.writable);
        let given = opened.size;
        let stack = info.stack.clone();
        let epoch_ns = clock.now();
        let observed = Some(ObservedTarget { opened, stack, roots });
        let mut stage = Self {
            runner: CellRunner { target, observed, clock, stop, epoch_ns, end_sync: None },
            observer: watch,
            budget: room.budget,
            span,
            cells: Vec::new(),
            completion: Completion::Complete,
            seed: ask.seed,
            direct,
            writable,
            started,
            info,
            layout: None,
            content: None,
            calibration,
            io_uring: IoUringStatus { available: refusal.is_none(), reason: refusal },
            given_size: given,
            write_budget: ask.max_written.map(WriteBudget::new),
            test_file: own,
            resumed_run: None,
            hosts: None,
        };
        let flow = stage.prepare_span(room.layout)?;
        if flow == Flow::Continue {
            stage.check_block_sizes(room.block_sizes)?; // the layout may have come out smaller
        }
        Ok((stage, flow))
    }

    pub(crate) fn opened(&self) -> Option<&OpenTarget> {
        self.runner.observed.as_ref().map(|observed| &observed.opened)
    }

    /// Refuses sizes that do not fit into what is measured.
    pub(crate) fn check_block_sizes(&self, sizes: &[Bytes]) -> Result<(), MethodError> {
        let sector = match self.opened() {
            None if !self.is_on_hosts() => Bytes(1),
            _ => self.offset_align(),
        };
        request_checks::check_block_sizes(sizes, sector, self.span.length)
    }

    fn prepare_span(&mut self, layout_most: Nanos) -> Result<Flow, MethodError> {
        if self.writable {
            let laid_out = self.write_layout(layout_most)?;
            if let Some(budget) = &mut self.write_budget {
                budget.spend_on_layout(laid_out.run.written);
            }
            let flow = self.keep_layout(&laid_out)?;
            self.layout = Some(laid_out.run);
            if flow == Flow::End {
                return Ok(Flow::End);
            }
            let size = Bytes(self.span.offset.0 + self.span.length.0);
            if let Some(observed) = &mut self.runner.observed {
                observed.opened.size = size;
            }
            self.runner.target = self.runner.target.clone().with_size(size);
        }
        if self.info.kind != TargetKind::BlockDevice {
            // A file system that cannot say leaves it absent: the check then says not-observable.
            let Span { offset, length } = self.span;
            let found = self.opened().map(|opened| query_extents(&opened.file, offset, length));
            self.info.extents = found.and_then(Result::ok).flatten();
        }
        Ok(Flow::Continue)
    }

    fn write_layout(&mut self, time_most: Nanos) -> Result<LayoutOutcome, MethodError> {
        let done = self.budget_share_used();
        self.observer.on_phase("laying out the test file", done);
        let (clock, epoch, budget) = (self.runner.clock, self.runner.epoch_ns, self.budget);
        let watch = &mut *self.observer;
        let layout = LayoutRequest {
            target: &self.runner.target,
            span: self.span,
            direct: self.direct,
            seed: self.seed,
            time_max: time_most,
        };
        Ok(write_layout(&layout, &clock, self.runner.stop, &mut |p| {
            watch.on_progress(p, budget_share(&clock, epoch, budget));
        })?)
    }

    /// Keeps what was written; ends the run when that is too little or something failed.
    fn keep_layout(&mut self, laid_out: &LayoutOutcome) -> Result<Flow, MethodError> {
        if let Some(reason) = &laid_out.failed {
            let reason = format!("the test file could not be written: {reason}");
            self.completion = Completion::Partial { reason, failed: true };
            return Ok(Flow::End);
        }
        if laid_out.stopped {
            self.end_interrupted();
            return Ok(Flow::End);
        }
        let written = Bytes(laid_out.run.written.0 / Bytes::MIB * Bytes::MIB);
        if written < self.span.length {
            if written < SPAN_MIN {
                let reason = format!("only {written} were written in the layout's time");
                self.completion = Completion::Partial { reason, failed: true };
                return Ok(Flow::End);
            }
            self.span.length = written;
            if let Some(own) = &mut self.test_file {
                own.shrink(written)?;
            }
        }
        Ok(Flow::Continue)
    }

    /// A random read of 4 KiB at depth 1, from which every other job is made.
    pub(crate) fn base_job(&self) -> Job {
        let align = self.offset_align();
        Job {
            name: String::new(),
            access: Access::Random,
            mix: Mix::Read,
            block_size: Bytes::kib(4).max(align),
            depth: Depth(1),
            pacing: Pacing::Closed,
            sync: None,
            stop: Stop::after(Nanos::secs(1)),
            span: self.span,
            payload: Payload::Unique,
            direct: self.direct,
            seed: self.seed,
            backend: BackendChoice::Auto,
            interval: Nanos::millis(100),
            ..Job::base()
        }
    }

    /// Runs jobs at the same time and keeps their cells; names that exist get a number.
    pub(crate) fn measure_cell(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        words: &str,
    ) -> Result<Flow, MethodError> {
        self.measure_cell_until(jobs, role, words, self.runner.stop, &mut |_, _| ())
    }

    /// The same, until `stop` is raised; `live` sees how it goes and may raise it.
    pub(crate) fn measure_cell_until(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        words: &str,
        stop: &StopSignal,
        live: &mut dyn FnMut(&Progress, &mut dyn Observer),
    ) -> Result<Flow, MethodError> {
        let done = self.budget_share_used();
        self.observer.on_phase(words, done);
        // Another order in every cell: otherwise each would visit the blocks of the last again.
        let turn = self.cells.len() as u64;
        let mut jobs: Vec<Job> = jobs
            .iter()
            .zip(0..)
            .map(|(job, place)| Job {
                name: self.unused_name(&job.name),
                seed: Seed(job.seed.0.wrapping_add(turn + place)),
                ..job.clone()
            })
            .collect();
        let allowance = self.write_budget.as_mut().map(|budget| budget.bound_jobs(&mut jobs));
        if allowance == Some(Allowance::TooLittle) {
            return Ok(Flow::Continue);
        }
        let (clock, epoch, budget) = (self.runner.clock, self.runner.epoch_ns, self.budget);
        let watch = &mut *self.observer;
        let progress = &mut |p: &Progress| {
            live(p, watch);
            watch.on_progress(p, budget_share(&clock, epoch, budget));
        };
        let measured = match &mut self.hosts {
            None => self.runner.measure(&jobs, role, stop, progress).map_err(MethodError::from),
            Some(hosts) => hosts.measure(&jobs, role, stop, Epoch { clock, ns: epoch }, progress),
        };
        let mut cells = match measured {
            Ok(cells) => cells,
            Err(error) if self.cells.is_empty() => return Err(error),
            Err(error) => {
                // What was measured before is worth more than the refusal.
                let reason = format!("{words}: {error}");
                self.completion = Completion::Partial { reason, failed: true };
                return Ok(Flow::End);
            }
        };
        if let (Some(budget), Some(allowance)) = (&mut self.write_budget, allowance) {
            budget.spend(allowance, &cells);
        }
        if let Some(earlier) = &self.resumed_run {
            let shifted = |at: Nanos| Nanos(at.0.saturating_add(earlier.shift.0));
            cells.iter_mut().for_each(|cell| cell.started = shifted(cell.started));
        }
        let failed = cells.iter().find_map(|cell| cell.error.clone());
        let measured = cells.iter().all(|cell| cell.totals.iter().next().is_some());
        if measured {
            cells.iter().for_each(|cell| self.observer.on_cell(cell));
            self.cells.extend(cells);
        }
        if let Some(error) = failed {
            let reason = format!("{words}: {}", error.message);
            self.completion = Completion::Partial { reason, failed: true };
            return Ok(Flow::End);
        }
        if self.runner.stop.is_raised() {
            self.end_interrupted();
            return Ok(Flow::End);
        }
        Ok(Flow::Continue)
    }

    /// The seed with which the next cell visits the blocks in the order of `order`: every cell gets
    /// another one otherwise.
    pub(crate) fn seed_for(&self, order: Seed) -> Seed {
        Seed(order.0.wrapping_sub(self.cells.len() as u64))
    }

    fn unused_name(&self, name: &str) -> String {
        let taken = |name: &str| self.cells.iter().any(|cell| cell.name == name);
        if !taken(name) {
            return name.to_owned();
        }
        (2..).map(|n| format!("{name}-{n}")).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Ends the run because its time is up; what was measured is kept.
    pub(crate) fn end_out_of_time(&mut self, budget: Nanos) {
        let reason = format!("the time of {budget} was up");
        self.completion = Completion::Partial { reason, failed: false };
    }

    /// Ends the run because nothing completed.
    pub(crate) fn end_without_completions(&mut self, words: &str) {
        // Its turn was left out, or over before its warm-up.
        if self.write_budget.as_ref().is_some_and(|budget| budget.describe_shortfall().is_some()) {
            return;
        }
        let reason = format!("{words}: nothing completed");
        self.completion = Completion::Partial { reason, failed: true };
    }

    fn end_interrupted(&mut self) {
        let reason = "interrupted".to_owned();
        self.completion = Completion::Partial { reason, failed: false };
    }

    /// Time since the start of the run.
    pub(crate) fn elapsed(&self) -> Nanos {
        Nanos(self.runner.clock.now() - self.runner.epoch_ns)
    }

    /// The share of the budget that is used up.
    pub(crate) fn budget_share_used(&self) -> f64 {
        budget_share(&self.runner.clock, self.runner.epoch_ns, self.budget)
    }

    /// Goes on with a run that was interrupted: its cells, its start and its name.
    pub(crate) fn resume_run(&mut self, earlier: &Record, command: &CommandLine) {
        let (at, cells) = (self.started, earlier.measured.cells.len() as u64);
        let mut resumed = earlier.measured.resumed.clone();
        resumed.push(Resumed { at, command: command.clone(), cells });
        let between = at.as_nanosecond() - earlier.measured.started.as_nanosecond();
        self.resumed_run = Some(ResumedRun {
            command: earlier.measured.command.clone(),
            resumed,
            // A clock that was set back between the two runs makes it none.
            shift: Nanos(u64::try_from(between).unwrap_or(0)),
        });
        self.cells.clone_from(&earlier.measured.cells);
        self.started = earlier.measured.started;
    }

    /// Shows the record of what there is so far, not judged.
    pub(crate) fn show_partial_record(
        &mut self,
        ask: &MeasureRequest,
        plan: Plan,
        show: &mut dyn FnMut(&Record),
    ) {
        let cells = std::mem::take(&mut self.cells);
        let mut record = self.build_record(ask, plan, cells);
        if record.measured.completion == Completion::Complete {
            let reason = "it was still going when this was written".to_owned();
            record.measured.completion = Completion::Partial { reason, failed: false };
        }
        show(&record);
        self.cells = record.measured.cells;
    }

    /// The record of what was measured since the last one, judged: one visit of several to this
    /// target. The stage goes on.
    pub(crate) fn take_visit_record(
        &mut self,
        ask: &MeasureRequest,
        plan: Plan,
        number: u64,
    ) -> Record {
        let cells = std::mem::take(&mut self.cells);
        let mut record = self.build_record(ask, plan, cells);
        record.measured.id =
            make_run_id(record.measured.finished, Seed(ask.seed.0.wrapping_add(number)));
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    /// The record of everything that was measured, judged. The test file is removed.
    pub(crate) fn finish(mut self, ask: &MeasureRequest, plan: Plan) -> Record {
        let cells = std::mem::take(&mut self.cells);
        let hosts = self.hosts.take();
        let mut record = self.build_record(ask, plan, cells);
        drop(self.test_file);
        record.measured.fleet = hosts.map(|hosts| hosts.finish(&record.measured.plan));
        record.judgement = Some(analysis::judge(&record.measured));
        record
    }

    /// The host.
    pub(crate) fn environment(&self) -> Environment {
        match self.runner.observed.as_ref().map(|observed| observed.roots) {
            Some(roots) => describe_environment(roots, self.io_uring.clone()),
            None => describe_environment(&Roots::host(), self.io_uring.clone()),
        }
    }

    /// What is measured, as it was opened.
    pub(crate) fn described_info(&self) -> TargetInfo {
        let mut info = self.info.clone();
        if let Some(observed) = &self.runner.observed {
            describe_open_target(&mut info, &observed.opened);
        }
        info
    }

    /// What the load generator can do.
    pub(crate) fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    fn build_record(&self, ask: &MeasureRequest, plan: Plan, cells: Vec<Cell>) -> Record {
        let environment = self.environment();
        let info = self.described_info();
        let earlier = self.resumed_run.as_ref();
        Record::from_measured(Measured {
            id: make_run_id(self.started, ask.seed),
            finished: Timestamp::now(),
            command: earlier.map_or(&ask.command, |earlier| &earlier.command).clone(),
            completion: bounded_completion(self.write_budget.as_ref(), &self.completion),
            resumed: earlier.map(|earlier| earlier.resumed.clone()).unwrap_or_default(),
            environment,
            targets: vec![info],
            layout: self.layout.clone(),
            calibration: self.calibration.clone(),
            cells,
            content: self.content.clone(),
            ..Measured::new(Tool::ours(&ask.version), self.started, plan)
        })
    }
}

/// `20261121T020304Z-5f3a9c21`: sortable by time, unique by seed.
#[must_use]
pub fn make_run_id(at: Timestamp, seed: Seed) -> String {
    format!("{}-{:08x}", at.strftime("%Y%m%dT%H%M%SZ"), seed.0 as u32)
}
