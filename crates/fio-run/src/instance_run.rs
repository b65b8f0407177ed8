//! One instance: its phases, totals and result.

use std::io;
use std::time::Instant;

use engine::{
    ArmedSession, Clock, EndReason, LockedMemory, Outcome, PriorityLatency, Session,
    SessionOptions, Target,
};
use fio::options::errors::ErrorOptions;
use fio::plan::{Instance, InstancePlan, Section};
use fio::results::{
    DirectionResult, JobResult, LatencyTarget, PriorityResult, Samples, SyncResult,
};
use stats::LatencyHistogram;
use units::{Bytes, Nanos};
use workload::{Direction, IoPriority, Job};

use super::commands::RunningProgram;
use super::files::PreparedFiles;
use super::goals::{GoalEnd, Goals};
use super::network::Link;
use super::running_totals::{REPORTED_DIRECTIONS, RunningTotals};
use super::search::DepthSearch;
use super::verify::{EILSEQ, Verification};

pub(super) enum InstanceState {
    /// Its wave has not started.
    Waiting,
    Armed(Box<ArmedSession>),
    Running(Box<Session>),
    Done,
}

/// The error that ended an instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct InstanceError {
    /// 0 for none.
    pub(super) errno: i32,
    pub(super) text: String,
}

/// What follows the current session.
#[derive(Default)]
pub(super) struct Upcoming {
    /// Passes that have ended.
    pub(super) passes_done: u32,
    /// A pass has ended and another begins.
    pub(super) between_passes: bool,
    pub(super) session: Option<(Job, SessionOptions)>,
}

#[derive(Default)]
pub(super) struct InstanceTiming {
    pub(super) delay_ns: u64,
    /// Wall clock at its start, milliseconds since 1970.
    pub(super) started_ms: u64,
    /// Reading of the clock at its start; 0 before.
    pub(super) start_ns: u64,
    /// It ends now, whatever is left of its time or size.
    pub(super) is_ending: bool,
}

#[derive(Default)]
pub(super) struct InstanceReport {
    /// Of its first session, with what all sessions requested.
    pub(super) outcome: Option<Outcome>,
    pub(super) error: InstanceError,
    /// Number of tolerated failures, and the first.
    pub(super) continued: Option<(u64, i32)>,
    pub(super) notes: Vec<String>,
    /// Latencies by priority, of all sessions.
    pub(super) priorities: Vec<PriorityLatency>,
    /// Wrong blocks in fio's words.
    pub(super) wrong_blocks: Vec<String>,
    /// Operations and bytes per second of the newest interval: reads, writes, trims.
    pub(super) latest_rates: [(f64, f64); 3],
}

pub(super) struct InstanceRun<'a> {
    pub(super) section: &'a Section,
    pub(super) instance: Instance,
    pub(super) files: PreparedFiles,
    pub(super) plan: InstancePlan,
    /// Script and flow of its sessions.
    pub(super) base_options: SessionOptions,
    pub(super) resources: InstanceResources,
    pub(super) state: InstanceState,
    pub(super) totals: RunningTotals,
    pub(super) goals: Goals,
    pub(super) search: Option<DepthSearch>,
    pub(super) verification: Option<Verification>,
    pub(super) upcoming: Upcoming,
    pub(super) timing: InstanceTiming,
    pub(super) report: InstanceReport,
    pub(super) commands: InstanceCommands,
}

/// What an instance has beside its files.
#[derive(Default)]
pub(super) struct InstanceResources {
    pub(super) memory: Option<LockedMemory>,
    /// Its connection in place of files.
    pub(super) link: Option<Link>,
}

/// The programs that an instance runs beside its I/O.
#[derive(Default)]
pub(super) struct InstanceCommands {
    /// `exec_prerun` was started, if there is one.
    pub(super) is_prepared: bool,
    /// Of the engine `exec`.
    pub(super) program: Option<RunningProgram>,
}

impl InstanceRun<'_> {
    /// The next job, and its completed `options`.
    pub(super) fn next_session(&mut self, mut options: SessionOptions) -> (Job, SessionOptions) {
        let traces = options.trace;
        if let Some((job, mut next)) = self.upcoming.session.take() {
            next.trace = traces;
            return (job, next);
        }
        if let Some(verification) = &mut self.verification {
            let starts = verification.starts_with_reads();
            if let Some((job, mut next)) =
                starts.then(|| verification.next_session(&self.plan.job, false)).flatten()
            {
                self.drop_caches();
                next.trace = traces;
                return (job, next);
            }
            options.trace |= verification.needs_trace();
        }
        options.script.clone_from(&self.base_options.script);
        options.flow.clone_from(&self.base_options.flow);
        let mut job = match &self.search {
            Some(search) => search.next_job(&self.plan.job),
            None => self.plan.job.clone(),
        };
        // As in fio: the submission of each operation is timed.
        options.time_submissions = true;
        options.drops_cache = self.section.options.target.invalidate && !job.direct;
        if self.upcoming.passes_done > 0 {
            // Only the first pass has a warm-up.
            job.warm_up = Nanos::ZERO;
        }
        (job, options)
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.state, InstanceState::Done)
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.state, InstanceState::Running(_) | InstanceState::Armed(_))
    }

    /// Adds the figures of a session; whether another follows.
    pub(super) fn finish_session(&mut self, outcome: &Outcome, clock: &Clock) -> bool {
        self.record_outcome(outcome);
        let sound = self.report.error.errno == 0 && !self.timing.is_ending;
        let goes_on = match self.search.is_some() {
            true => self.continue_search(sound, clock),
            false => sound && self.prepare_next_session(clock),
        };
        if !goes_on
            && let Some(Err(error)) = self.verification.as_mut().map(Verification::save_state)
        {
            self.fail(error.raw_os_error().unwrap_or(EIO), format!("verify_state_save: {error}"));
        }
        goes_on
    }

    fn record_outcome(&mut self, outcome: &Outcome) {
        self.totals.finish_session(outcome);
        match &mut self.report.outcome {
            Some(first) => first.requested.add(&outcome.requested),
            none => *none = Some(outcome.clone()),
        }
        self.report.notes.extend(outcome.notes.iter().cloned());
        for sum in &outcome.totals {
            PriorityLatency::merge_all(&mut self.report.priorities, &sum.priorities);
        }
        self.record_errors(outcome);
        self.record_mismatches(outcome);
        if let Some(GoalEnd::Failed(errno, text)) = self.goals.check(&self.totals)
            && self.report.error.errno == 0
        {
            self.fail(errno, text);
        }
    }

    fn continue_search(&mut self, sound: bool, clock: &Clock) -> bool {
        let time_left = self.time_left(clock.now());
        let Some(search) = &mut self.search else { return false };
        let goes_on = sound && search.judge_window(&self.totals, time_left);
        if goes_on {
            self.totals = RunningTotals::new(self.plan.job.interval);
        }
        goes_on
    }

    /// Wrong blocks end the job with an error, as in fio.
    fn record_mismatches(&mut self, outcome: &Outcome) {
        let Some(verified) = outcome.verified.as_ref().filter(|v| v.mismatched > 0) else { return };
        let Some(verification) = &self.verification else { return };
        let mut text = format!("{} of {} blocks", verified.mismatched, verified.blocks);
        for mismatch in &verified.mismatches {
            let path = self.files.paths.get(usize::from(mismatch.target));
            let file = path.map(|path| path.display().to_string()).unwrap_or_default();
            let dumped = match verification.write_dump(mismatch, &file) {
                Ok(lines) => lines,
                Err(error) => format!(" (not dumped: {error})"),
            };
            match verification.describe(mismatch, &file) {
                Some(lines) => self.report.wrong_blocks.push(lines + &dumped),
                None => text = format!("{text}; {file}: {mismatch}{dumped}"),
            }
        }
        let untold = verified.mismatched.saturating_sub(verified.mismatches.len() as u64);
        if untold > 0 {
            self.report.wrong_blocks.push(format!("fio: {untold} more wrong blocks"));
        }
        let errors = &self.section.options.errors;
        if errors.continue_on.verify || errors.ignore.verify.contains(&EILSEQ) {
            let (count, first) = self.report.continued.unwrap_or((0, EILSEQ));
            self.report.continued = Some((count + verified.mismatched, first));
        } else {
            self.fail(EILSEQ, format!("verify: {text}"));
        }
    }

    fn record_errors(&mut self, outcome: &Outcome) {
        for error in &outcome.errors {
            let (count, first) = self.report.continued.unwrap_or((0, error.errno));
            self.report.continued = Some((count + error.count, first));
        }
        let EndReason::Failed(failure) = &outcome.ended else { return };
        if failure.errno == EILSEQ && outcome.verified.as_ref().is_some_and(|v| v.mismatched > 0) {
            return; // a wrong block, which `record_mismatches` judges
        }
        let full = failure.errno == ENOSPC && self.section.options.size.fill_device;
        let hung_up = failure.errno == 0 && self.resources.link.is_some();
        if !full && !hung_up && self.report.error.errno == 0 {
            let engine = self.section.options.engine.engine;
            let text = match engine.calls_names() {
                true => {
                    format!("{}: {}", engine.word(), io::Error::from_raw_os_error(failure.errno))
                }
                false => failure.to_string(),
            };
            self.fail(if failure.errno == 0 { EIO } else { failure.errno }, text);
        }
    }

    /// Adds what `verify_only` takes to be done, one operation at a time, and returns the depths.
    fn add_assumed(
        &self,
        write: &mut DirectionResult,
        trim: &mut DirectionResult,
        mut depths: [u64; 7],
    ) -> [u64; 7] {
        let Some(verification) = &self.verification else { return depths };
        let assumed = verification.assumed();
        for (side, direction) in [(write, Direction::Write), (trim, Direction::Trim)] {
            side.ops += assumed.ops[direction as usize];
            side.bytes += assumed.bytes[direction as usize];
            depths[0] += assumed.ops[direction as usize];
        }
        depths
    }

    /// Latencies by priority, the job's own first.
    fn priority_results(&self, direction: Direction) -> Vec<PriorityResult> {
        let own = self.plan.job.placement.io_priority.map_or(0, IoPriority::ioprio);
        let latencies = self.report.priorities.iter().filter(|of| of.direction == direction);
        let results = latencies.map(|latency| PriorityResult {
            ioprio: latency.ioprio.unwrap_or(own),
            clat: latency.completion.clone(),
            lat: latency.total.clone(),
        });
        let mut sums = Vec::new();
        PriorityResult::merge_all(&mut sums, results);
        sums
    }

    pub(super) fn sync_at_end(&mut self) {
        self.resources.link.iter_mut().for_each(Link::close);
        self.resources.memory = None;
        let sync = &self.section.options.sync;
        let writes = self.section.options.pattern.rw.operation.writes();
        if writes && (sync.end_fsync || sync.fsync_on_close) {
            let begin = Instant::now();
            self.sync_targets("fsync", Target::sync);
            let took = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(0);
            self.totals.add_time(Direction::Write, took);
        }
        if sync.end_syncfs {
            // Writes of other programs are synced, too.
            self.sync_targets("syncfs", Target::sync_file_system);
        }
    }

    /// Whether its connection is made, if it has one; makes it if it can.
    pub(super) fn connect(&mut self, now_ns: u64) -> bool {
        let Some(link) = self.resources.link.as_mut().filter(|link| !link.is_open) else {
            return true;
        };
        let since_ns = *link.wanted_ns.get_or_insert(now_ns);
        if now_ns < since_ns + self.timing.delay_ns {
            return false;
        }
        // The delay is over.
        self.timing.delay_ns = 0;
        let size = Bytes(self.files.region.file_size(0));
        match link.open().and_then(|is_open| is_open.then(|| link.target(size)).transpose()) {
            Ok(None) => false,
            Ok(Some(target)) => {
                self.files.targets = vec![target];
                true
            }
            Err(error) => {
                let text = format!("ioengine=net: no connection ({error}); start the other end");
                self.fail(error.raw_os_error().unwrap_or(EIO), text);
                false
            }
        }
    }

    /// Forgets what the page cache has of the bytes of this job.
    pub(super) fn drop_caches(&self) {
        let job = &self.plan.job;
        for (file, target) in self.files.targets.iter().enumerate() {
            target.drop_cache(job.span.offset, job.span_length(file));
        }
    }

    pub(super) fn sync_targets(&mut self, call: &str, sync: fn(&Target) -> io::Result<()>) {
        for target in &self.files.targets {
            if let Err(error) = sync(target) {
                let errno = error.raw_os_error().unwrap_or(EIO);
                self.report.error = InstanceError { errno, text: format!("{call}: {error}") };
            }
        }
    }

    pub(super) fn eta_letter(&self) -> char {
        use fio::options::pattern::Operation as Rw;
        match &self.state {
            InstanceState::Waiting => 'P',
            InstanceState::Armed(_) => 'I',
            InstanceState::Done if self.report.error.errno != 0 => 'X',
            InstanceState::Done => '_',
            InstanceState::Running(_) => match self.section.options.pattern.rw.operation {
                Rw::Read => 'R',
                Rw::RandRead => 'r',
                Rw::Write => 'W',
                Rw::RandWrite => 'w',
                Rw::ReadWrite => 'M',
                Rw::RandReadWrite => 'm',
                Rw::Trim | Rw::TrimWrite => 'D',
                Rw::RandTrim | Rw::RandTrimWrite => 'd',
            },
        }
    }

    pub(super) fn failure_text(&self) -> Option<String> {
        let InstanceError { errno, text } = &self.report.error;
        let name = &self.section.name;
        (*errno != 0)
            .then(|| format!("pid={}, err={errno}, job '{name}': {text}", std::process::id()))
    }

    /// Deviations from fio, and missed targets.
    pub(super) fn collect_notes(&self) -> Vec<String> {
        let own = self.plan.notes.iter().chain(&self.report.notes);
        let mut remarks: Vec<String> =
            own.map(|note| format!("{}: {note}", self.section.name)).collect();
        if self.search.as_ref().is_some_and(DepthSearch::is_missed) {
            let us = self.section.options.goal.latency_target_us;
            let depth = self.latency_target().depth;
            remarks.push(format!(
                "{}: latency_target of {us} us was not met, not even at depth {depth}",
                self.section.name
            ));
        }
        remarks
    }

    pub(super) fn fail(&mut self, errno: i32, text: String) {
        self.report.error = InstanceError { errno, text };
        self.timing.is_ending = true;
    }

    pub(super) fn result(&self, elapsed_s: u64, eta_s: u64) -> JobResult {
        let (options, tally) = (&self.section.options, &self.totals);
        let report = &options.report;
        let mut latency = LatencyHistogram::new();
        let mut directions = REPORTED_DIRECTIONS.map(|direction| {
            let mut result = tally.direction_result(direction, self.plan.latencies);
            result.bw = tally.window_samples(direction, report.bwavgtime_ms.max(1)).0;
            if direction == Direction::Read {
                result.dropped = self.files.targets.iter().map(Target::dropped_datagrams).sum();
            }
            result.prios = self.priority_results(direction);
            result.iops = tally.window_samples(direction, report.iopsavgtime_ms.max(1)).1;
            if options.engine.engine.passes_time() {
                // As in fio: pieces of work are operations without bytes.
                (result.bytes, result.runtime_ms) = (0, 0);
                (result.bw, result.slat) = (Samples::default(), LatencyHistogram::new());
            }
            // fio files no latencies of calls on names by size.
            if !options.engine.engine.calls_names() {
                latency.merge(&result.clat);
            }
            result
        });
        let [read, write, trim] = &mut directions;
        let depth_level = self.add_assumed(write, trim, tally.activity.started_at);
        let (ops, lat) = tally.sync_totals();
        let mut activity = tally.activity;
        if let InstanceState::Running(session) = &self.state {
            activity.add(&session.activity());
        }
        let continued = self.continued_errors();
        // As in fio, a job that went on after errors has the first of them, and still succeeded.
        let errno = match (self.report.error.errno, continued) {
            (0, Some((_, first))) => first,
            (errno, _) => errno,
        };
        JobResult {
            name: self.section.name.clone(),
            description: options.run.description.clone(),
            group: self.instance.group,
            group_reporting: options.run.group_reporting,
            jobs: 1,
            errno,
            error_text: self.report.error.text.clone(),
            pid: std::process::id(),
            job_start_ms: self.timing.started_ms,
            elapsed_s,
            eta_s,
            options: self.section.own.clone(),
            display: report.clone(),
            read: std::mem::take(read),
            write: std::mem::take(write),
            trim: std::mem::take(trim),
            sync: SyncResult { ops, lat },
            job_runtime_ms: tally.measured_ms(),
            user_ns: activity.cpu_ns.0,
            system_ns: activity.cpu_ns.1,
            ctx: activity.switches,
            majf: activity.major_faults,
            minf: activity.minor_faults,
            depth_level,
            submit: activity.submitted,
            complete: activity.reaped,
            latency,
            continued,
            target: self.latency_target(),
            steady: self.goals.steady_state(),
        }
    }

    /// `continue_on_error` and `ignore_error` print the number of errors.
    fn continued_errors(&self) -> Option<(u64, i32)> {
        let ErrorOptions { continue_on, ignore, .. } = &self.section.options.errors;
        let ignores = [&ignore.read, &ignore.write, &ignore.verify].iter().any(|l| !l.is_empty());
        (continue_on.read || continue_on.write || continue_on.verify || ignores)
            .then(|| self.report.continued.unwrap_or((0, 0)))
    }

    fn latency_target(&self) -> LatencyTarget {
        let goal = &self.section.options.goal;
        LatencyTarget {
            target_us: goal.latency_target_us,
            window_us: goal.latency_window_us,
            percentile: goal.latency_percentile,
            depth: self
                .search
                .as_ref()
                .map_or(self.section.options.engine.iodepth, DepthSearch::depth),
        }
    }
}

const EIO: i32 = 5;
const ENOSPC: i32 = 28;
