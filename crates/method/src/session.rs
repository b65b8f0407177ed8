//! The session of a procedure: cells measured on a site one after the other, until the end or until
//! something ends it early. Cells, budget and completion are the session's.
mod records;
#[cfg(any(test, feature = "simulated"))]
mod simulated;
#[cfg(test)]
mod tests;
mod throttle_debt;

use std::time::{Duration, Instant};

use engine::{Clock, Progress, SimulatedDevice, StopSignal};
use jiff::Timestamp;
use message::Message;
use record::reasons::{Interrupted, NothingCompleted};
use record::{
    Cell, CellRole, CommandLine, Completion, ContentSample, Part, Plan, Resumed, TargetKind, Trial,
};
use target::{OpenTarget, PathHandle, Roots, TestFile};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{BackendChoice, Job, SyncKind};

use crate::error::{Halt, HaltResult, MethodError};
use crate::host_transport::{HostRequest, HostTransport, Place};
use crate::observer::Observer;
use crate::phase::SoFar;
use crate::record_builder::{ended_early, failed, step_failed};
use crate::request::{LayoutBudget, MeasureRequest};
use crate::request_checks::check_block_sizes;
use crate::site::Site;
use crate::site::facts::{RunClock, SiteFacts};
use crate::site::local::LocalSite;
use crate::site::remote_hosts::RemoteHosts;
use crate::write_budget::{Allowance, WriteBudget, describe_writes_on_hosts};

/// Probes of a search that are measured again because others disturbed them, or because the
/// generator was late; on a host that is never quiet the search has to live with it.
pub(crate) const REPEATS_MAX: u32 = 8;
const REPEAT_PAUSE: Nanos = Nanos::millis(300);
const REPEAT_PAUSE_MAX: Nanos = Nanos::millis(1_500);
/// How often a pause looks whether the run was stopped.
const PAUSE_POLL: Duration = Duration::from_millis(20);

pub(crate) struct Session<'a> {
    pub(crate) site: Site<'a>,
    pub(crate) facts: SiteFacts,
    pub(crate) clock: RunClock,
    pub(crate) stop: &'a StopSignal,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) cells: Vec<Cell>,
    /// Time per request of the previous cell, if no request returned within it.
    throttle_debt: Nanos,
    /// Rows of the report in which nothing completed, and what they are called.
    silent_rows: Vec<(Job, Message)>,
    pub(crate) completion: Completion,
    pub(crate) seed: Seed,
    /// What blocks held before anything was measured.
    pub(crate) content: Option<ContentSample>,
    /// What may still be written, where that is bounded.
    pub(crate) write_budget: Option<WriteBudget>,
    started: Timestamp,
    resumed_run: Option<ResumedRun>,
}

struct ResumedRun {
    command: CommandLine,
    resumed: Vec<Resumed>,
    /// From the start of the run to the start of this process's part of it.
    shift: Nanos,
}

impl<'a> Session<'a> {
    /// Makes the place ready for what is asked. `plan` is for the records of other hosts.
    ///
    /// Where the layout failed or was stopped, the session has ended: [`Self::run_steps`].
    pub(crate) fn open(
        request: &MeasureRequest,
        budget: &LayoutBudget,
        place: Place<'a>,
        plan: &Plan,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, MethodError> {
        match place {
            Place::Here(roots) => {
                let handle = PathHandle::open(&request.path)?;
                Self::open_on(request, &handle, budget, roots, stop, observer)
            }
            Place::Hosts(transport) => {
                let setting = HostRequest { ask: request, setting: budget, plan, profile: None };
                Self::on_hosts(&setting, transport, stop, observer)
            }
        }
    }

    pub(crate) fn open_on(
        request: &MeasureRequest,
        handle: &PathHandle,
        budget: &LayoutBudget,
        roots: &Roots,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, MethodError> {
        let started = Timestamp::now();
        let (site, facts, clock, completion) =
            LocalSite::open(request, handle, budget, roots, stop, observer)?;
        let mut write_budget = request.max_written.map(WriteBudget::new);
        if let (Some(budget), Some(layout)) = (&mut write_budget, &facts.layout) {
            budget.spend_on_layout(layout.written);
        }
        let seed = request.seed;
        let session = Self::new(Site::Local(Box::new(site)), facts, clock, seed, stop, observer);
        Ok(Self { started, completion, write_budget, ..session })
    }

    pub(crate) fn on_hosts(
        asked: &HostRequest<'_>,
        transport: &'a mut dyn HostTransport,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, MethodError> {
        let HostRequest { ask: request, setting: budget, .. } = *asked;
        let started = Timestamp::now();
        let clock = RunClock::start(Clock::best(), budget.budget);
        if !request.read_only {
            observer.on_announcement(&describe_writes_on_hosts(request, budget));
        }
        let group = transport.prepare(asked, stop, observer)?;
        let hosts = RemoteHosts::new(transport, group)?;
        let facts = hosts.facts();
        check_block_sizes(&budget.block_sizes, facts.offset_align, facts.span.length)?;
        let session =
            Self::new(Site::Hosts(Box::new(hosts)), facts, clock, request.seed, stop, observer);
        Ok(Self { started, ..session })
    }

    pub(crate) fn new(
        site: Site<'a>,
        facts: SiteFacts,
        clock: RunClock,
        seed: Seed,
        stop: &'a StopSignal,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            site,
            facts,
            clock,
            stop,
            observer,
            cells: Vec::new(),
            throttle_debt: Nanos::ZERO,
            silent_rows: Vec::new(),
            completion: Completion::Complete,
            seed,
            content: None,
            write_budget: None,
            started: Timestamp::now(),
            resumed_run: None,
        }
    }

    pub(crate) fn run_steps(
        &mut self,
        steps: impl FnOnce(&mut Self) -> HaltResult,
    ) -> Result<(), MethodError> {
        if self.completion != Completion::Complete {
            return Ok(());
        }
        match steps(self) {
            Ok(()) | Err(Halt::Ended) => Ok(()),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    /// What makes plain system calls and waits for each. A simulated device has one way in only.
    pub(crate) fn call_backend(&self) -> BackendChoice {
        let local = self.site.local();
        match local.is_some_and(|local| local.runner.target.is_virtual()) {
            true => BackendChoice::Auto,
            false => BackendChoice::Threads,
        }
    }

    /// The open target of this host; `None` of a simulated one and of other hosts.
    pub(crate) fn opened(&self) -> Option<&OpenTarget> {
        self.site.local()?.opened()
    }

    pub(crate) fn set_end_sync(&mut self, kind: Option<SyncKind>) {
        if let Some(local) = self.site.local_mut() {
            local.runner.end_sync = kind;
        }
    }

    /// Size of all that may be read: the whole device or file, also where only a part is measured;
    /// of a file of our own what was written.
    pub(crate) fn whole_size(&self) -> Bytes {
        match self.facts.info.kind {
            TargetKind::Directory => Bytes(self.facts.span.offset.0 + self.facts.span.length.0),
            TargetKind::File | TargetKind::BlockDevice => self.facts.given_size,
        }
    }

    pub(crate) fn create_second_file(&self, size: Bytes) -> Option<TestFile> {
        let file = self.site.local()?.test_file.as_ref()?;
        file.create_beside(&format!("{:016x}-2", self.seed.0), size, &self.facts.roots).ok()
    }

    /// Does `work` while this host's target is another file, or reaches up to `size`.
    pub(crate) fn with_target(
        &mut self,
        size: Bytes,
        other: Option<OpenTarget>,
        work: impl FnOnce(&mut Self) -> HaltResult,
    ) -> HaltResult {
        let Some(local) = self.site.local_mut() else { return work(self) };
        let before = local.replace_target(&self.facts.info, size, other)?;
        let result = work(self);
        if let Some(local) = self.site.local_mut() {
            local.restore_target(before);
        }
        result
    }

    /// A random read of 4 KiB at depth 1, from which every other job is made.
    pub(crate) fn base_job(&self) -> Job {
        Job {
            block_size: Bytes::kib(4).max(self.facts.offset_align),
            span: self.facts.span,
            direct: self.facts.direct,
            seed: self.seed,
            ..Job::base()
        }
    }

    /// The job of a part at a depth, with the name of its point on the curve.
    pub(crate) fn part_job(&self, part: &Part, depth: u32) -> Job {
        let (name, _) = analysis::curve_name(&part.access, part.mix, part.block_size);
        Job {
            name: format!("{name}-qd{depth}"),
            access: part.access.clone(),
            mix: part.mix,
            block_size: part.block_size,
            depth: Depth(depth),
            ..self.base_job()
        }
    }

    /// Whether others disturbed a cell from `begun` on.
    pub(crate) fn is_disturbed_since(&self, begun: usize) -> bool {
        let info = Some(&self.facts.info);
        self.cells[begun..].iter().any(|cell| analysis::is_disturbed(cell, info))
    }

    /// Sets the cells `old` aside if there are cells from `end` on, which measured the same again.
    pub(crate) fn replace_cells(&mut self, old: std::ops::Range<usize>, end: usize) {
        if self.cells.len() > end {
            self.cells[old].iter_mut().for_each(|cell| cell.role = CellRole::Disturbed);
        }
    }

    /// Runs jobs at the same time and keeps their cells; names that exist get a number.
    pub(crate) fn measure_cell(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        what: &Message,
    ) -> HaltResult {
        self.measure_cell_until(jobs, role, what, self.stop, &mut |_, _| ())
    }

    pub(crate) fn measure_cell_until(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        what: &Message,
        stop: &StopSignal,
        live: &mut dyn FnMut(&Progress, &mut dyn Observer),
    ) -> HaltResult {
        self.observer.on_phase(what, self.clock.share_used());
        if let Some(delay) = throttle_debt::find_throttle_delay(self.cells.last()) {
            self.pause(delay);
        }
        // Another order in every cell: otherwise each would visit the blocks of the last again.
        let turn = self.cells.len() as u64;
        let mut jobs: Vec<Job> = jobs
            .iter()
            .zip(0..)
            .map(|(job, place)| Job {
                name: self.unused_name(&job.name),
                seed: Seed(job.seed.0.wrapping_add(turn + place)),
                // After a cell in which nothing came back, until a throttle is done with it:
                // without load a write cache would empty meanwhile.
                warm_up: match job.warm_up {
                    Nanos::ZERO => Nanos::ZERO,
                    warm_up => Nanos(warm_up.0 + self.throttle_debt.0),
                },
                ..job.clone()
            })
            .collect();
        let allowance = self.write_budget.as_mut().map(|budget| budget.bound_jobs(&mut jobs));
        if allowance == Some(Allowance::TooLittle) {
            return Ok(());
        }
        let (clock, observer) = (self.clock, &mut *self.observer);
        let progress = &mut |progress: &Progress| {
            live(progress, observer);
            observer.on_progress(progress, clock.share_used());
        };
        let mut cells = match self.site.measure(&jobs, role, stop, &clock, progress) {
            Ok(cells) => cells,
            Err(error) if self.cells.is_empty() => return Err(error.into()),
            // What was measured before is worth more than the refusal.
            Err(error) => return self.end(step_failed(what, error.to_string())),
        };
        if let (Some(budget), Some(allowance)) = (&mut self.write_budget, allowance) {
            budget.spend(allowance, &cells);
        }
        if let Some(earlier) = &self.resumed_run {
            let shifted = |at: Nanos| Nanos(at.0.saturating_add(earlier.shift.0));
            cells.iter_mut().for_each(|cell| cell.started = shifted(cell.started));
        }
        let error = cells.iter().find_map(|cell| cell.error.clone());
        let is_kept = cells.iter().all(|cell| cell.totals.iter().next().is_some());
        self.throttle_debt = match is_kept {
            true => Nanos::ZERO,
            false => throttle_debt::find_slowest_request(&cells),
        };
        if is_kept {
            cells.iter().for_each(|cell| self.observer.on_cell(cell));
            self.cells.extend(cells);
        } else if role == CellRole::Main {
            self.silent_rows.extend(jobs.into_iter().map(|job| (job, what.clone())));
        }
        match error {
            Some(error) => self.end(step_failed(what, error.message)),
            None if self.stop.is_raised() => self.end(ended_early(Interrupted {})),
            None => Ok(()),
        }
    }

    /// Runs one job until its time is up, or until `ends` says so of the operations of each
    /// interval so far.
    pub(crate) fn measure_soak(
        &mut self,
        job: &Job,
        what: &Message,
        ends: &mut dyn FnMut(&[f64]) -> bool,
    ) -> HaltResult {
        let (outer, own, clock) = (self.stop, StopSignal::default(), self.clock);
        let mut rates = Vec::new();
        let before = self.cells.len();
        let result = self.measure_cell_until(
            std::slice::from_ref(job),
            CellRole::Trial,
            what,
            &own,
            &mut |progress, observer| {
                if progress.silent_ns == 0 {
                    rates.push(progress.iops);
                }
                // The first interval is that of the warm-up.
                let measured = rates.get(1..).unwrap_or_default();
                if outer.is_raised() || ends(measured) {
                    own.raise();
                }
                let so_far = Nanos(job.interval.0 * measured.len() as u64);
                let what = SoFar { what: what.clone(), time: so_far }.into();
                observer.on_phase(&what, clock.share_used());
            },
        );
        self.cells[before..].iter_mut().for_each(|cell| cell.trial = Some(Trial::Soak));
        result
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

    pub(crate) fn end(&mut self, completion: Completion) -> HaltResult {
        self.completion = completion;
        Err(Halt::Ended)
    }

    pub(crate) fn end_without_completions(&mut self, step: &Message) -> Halt {
        // With a bound on writes, its turn was left out, or over before its warm-up.
        let bound = self.write_budget.as_ref().and_then(WriteBudget::describe_shortfall);
        if bound.is_none() {
            self.completion = failed(NothingCompleted { step: step.clone() });
        }
        Halt::Ended
    }

    /// Whether the bound on writes cut a cell short, or left one out.
    pub(crate) fn has_write_shortfall(&self) -> bool {
        self.write_budget.as_ref().is_some_and(|budget| budget.describe_shortfall().is_some())
    }

    pub(crate) fn elapsed(&self) -> Nanos {
        match self.virtual_device() {
            Some(device) => Nanos(device.now_ns()),
            None => self.clock.elapsed(),
        }
    }

    fn virtual_device(&self) -> Option<&SimulatedDevice> {
        self.site.local()?.runner.target.virtual_device()
    }

    /// Lets a neighbour finish: longer each time, for what disturbs tends to last.
    pub(crate) fn wait_before_repeat(&self, repeats: u32) {
        self.pause(Nanos(REPEAT_PAUSE.0 * u64::from(repeats)).min(REPEAT_PAUSE_MAX));
    }

    /// Lets a time pass without requests, unless the run is stopped meanwhile.
    pub(crate) fn pause(&self, time: Nanos) {
        if let Some(device) = self.virtual_device() {
            return device.pass_time(time.0);
        }
        let until = Instant::now() + Duration::from(time);
        while !self.stop.is_raised() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(PAUSE_POLL));
        }
    }
}
