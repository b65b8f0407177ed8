//! The workers of one job, as the control plane holds them.

use std::io;
use std::os::unix::thread::JoinHandleExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use stats::LatencyHistogram;
use workload::{Direction, Job};

use crate::backend_choice::BackendKind;
use crate::clock::Clock;
use crate::collect::Collector;
use crate::flow::FlowMember;
use crate::heartbeat::{PauseMonitor, confirm_pauses};
use crate::interval::{self, SliceLayout, SliceSink, TICKS_PER_INTERVAL};
use crate::outcome::{
    Activity, EndReason, ErrorCount, IntervalOutcome, OpenLoopOutcome, Outcome, RequestedOps,
    VerifyOutcome,
};
use crate::run::{EngineError, Progress};
use crate::session::{PoolSetup, SessionOptions};
use crate::target::{Target, TargetMedium};
use crate::wake_signal;
use crate::worker::{
    DONE, LOOPING, OpenLoopReport, Schedule, VERIFYING, WorkerReport, WorkerStatus,
};
use crate::worker_thread::{ArmError, WorkerSetup, run_worker_thread};

/// How long after its deadline a worker that sleeps in the kernel is woken.
const WAKE_GRACE_NS: u64 = 5_000_000;
/// How long outstanding operations are waited for at the end of a cell, and after a stop.
const DRAIN_NS: u64 = 10_000_000_000;
const DRAIN_STOPPED_NS: u64 = 1_000_000_000;
/// Slices in circulation per worker: so many intervals may the collector be late.
const SLICES_PER_WORKER: usize = 16;
const SLICES_PER_WORKER_MANY: usize = 4;
/// One batch in so many is submitted by a call of its own, to time submission.
const SAMPLE_EVERY_DEPTH_1: u32 = 256;
const SAMPLE_EVERY_DEEP: u32 = 16;
/// Looks at the ring before a sleep, where completions come faster than a sleeper is woken.
const POLLS_BEFORE_SLEEP: u32 = 128;
/// A silence this long with operations outstanding is worth a word, and then each time again.
const SILENCE_MIN_NS: u64 = 1_000_000_000;

/// One worker as the control plane holds it.
struct WorkerHandle {
    thread: JoinHandle<()>,
    shared: Arc<WorkerStatus>,
    sink: SliceSink,
    start: Sender<Schedule>,
    report: Receiver<WorkerReport>,
}

/// How many workers there are for each processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oversubscription {
    /// One at most.
    Sparse,
    /// More: whoever looks instead of sleeping takes the others' time. This is member number so
    /// many.
    Dense(usize),
}

impl Oversubscription {
    /// Of member `place` of so many asynchronous workers on this host.
    pub(crate) fn from_counts(place: usize, workers: usize) -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        if workers > processors { Self::Dense(place) } else { Self::Sparse }
    }
}

/// All workers of a job, armed and not yet started.
pub(crate) struct WorkerPool {
    job: Job,
    kind: BackendKind,
    handles: Vec<WorkerHandle>,
    notes: Vec<String>,
    /// Virtual time at which it would start; `None` on the real clock.
    virtual_ns: Option<u64>,
    /// Every batch is timed, not a sample.
    time_submissions: bool,
    flow: Option<FlowMember>,
    /// When this process does not run; `None` on a virtual clock, which does not go on then.
    pauses: Option<PauseMonitor>,
}

/// Waits until every worker of `job` is ready; gives what they say of the backend, once each.
fn wait_until_ready(
    job: &Job,
    readiness: Vec<Receiver<Result<Vec<String>, ArmError>>>,
) -> Result<Vec<String>, EngineError> {
    let mut notes = Vec::new();
    for is_ready in readiness {
        match is_ready.recv() {
            Ok(Ok(of_worker)) => notes.extend(of_worker),
            Ok(Err((attempt, error))) => return Err(EngineError::arming(job, attempt, error)),
            Err(_) => {
                let died = io::Error::other("the worker thread died");
                return Err(EngineError::arming(job, "arm a worker thread", died));
            }
        }
    }
    notes.sort();
    notes.dedup();
    Ok(notes)
}

impl WorkerPool {
    /// Starts the worker threads and waits until all of them are ready.
    pub(crate) fn arm(
        job: &Job,
        targets: &[Target],
        clock: &Clock,
        kind: BackendKind,
        kit: &mut PoolSetup,
    ) -> Result<Self, EngineError> {
        // Before any worker is there to be woken: unprepared, the signal would end the process.
        wake_signal::install_wake_handler();
        let workers = kind.worker_count(job);
        let virtual_ns = virtual_time(kind, targets);
        let pauses = virtual_ns.is_none().then(PauseMonitor::start).transpose();
        let pauses = pauses
            .map_err(|error| EngineError::arming(job, "start the heartbeat thread", error))?;
        let slices = if workers > 4 { SLICES_PER_WORKER_MANY } else { SLICES_PER_WORKER };
        let reads_back = job.verify.is_some();
        let directions = [
            job.mix.reads() || reads_back,
            job.mix.sends_data(),
            job.sync.is_some(),
            job.mix.trims(),
        ];
        let splits = kit.options.time_submissions && !kind.is_synchronous();
        let shape =
            SliceLayout { directions, open_loop: job.is_open_loop(), splits_submission: splits };
        let mut hands = Vec::new();
        let mut readiness = Vec::new();
        for worker in 0..workers {
            let (mut source, sink, slice) = interval::slice_channel(slices, shape);
            source.waits_for_empty = virtual_ns.is_some();
            let shared = Arc::new(WorkerStatus::default());
            let (ready, is_ready) = mpsc::channel();
            let (start, started) = mpsc::channel();
            let (report, reported) = mpsc::channel();
            let recruit = WorkerSetup {
                job: job.clone(),
                targets: targets.to_vec(),
                clock: *clock,
                kind,
                worker,
                workers,
                shared: Arc::clone(&shared),
                source,
                slice,
                tracer: kit.make_tracer(workers),
                script: kit.options.script.clone(),
                flow: kit.options.flow.clone(),
                ready,
                start: started,
                report,
            };
            let thread = thread::Builder::new()
                .name(format!("truedisk-{worker}"))
                .stack_size(256 << 10)
                .spawn(move || run_worker_thread(recruit))
                .map_err(|error| EngineError::arming(job, "start a worker thread", error))?;
            hands.push(WorkerHandle { thread, shared, sink, start, report: reported });
            readiness.push(is_ready);
        }
        let notes = wait_until_ready(job, readiness)?;
        let SessionOptions { time_submissions, flow, .. } = kit.options.clone();
        let job = job.clone();
        Ok(Self { job, kind, handles: hands, notes, virtual_ns, time_submissions, flow, pauses })
    }

    /// Whether it runs on a virtual clock.
    pub(crate) fn is_virtual(&self) -> bool {
        self.virtual_ns.is_some()
    }

    /// Starts all workers at `start_ns`, or at once on a virtual clock.
    pub(crate) fn start(self, start_ns: u64, crowd: Oversubscription) -> RunningPool {
        let job = &self.job;
        let start_ns = self.virtual_ns.unwrap_or(start_ns);
        let measure_ns = start_ns + job.warm_up.0;
        // Operations of one size: a number of them, which workers can share exactly.
        let plain = job.sizes.is_plain();
        let by_bytes =
            job.stop.bytes.filter(|_| plain).map(|bytes| bytes.0.div_ceil(job.block_size.0));
        let operations = [by_bytes, job.stop.operations].into_iter().flatten().min();
        let bytes = job.stop.bytes.filter(|_| !plain).map(|bytes| bytes.0);
        let up_ns = job.stop.time.map_or(u64::MAX, |time| measure_ns.saturating_add(time.0));
        let (deadline_ns, last_start_ns) = match job.finish {
            true => (up_ns.saturating_add(DRAIN_NS), up_ns),
            false => (up_ns, u64::MAX),
        };
        let schedule = Schedule {
            start_ns,
            measure_ns,
            deadline_ns,
            last_start_ns,
            tick_ns: job.interval.0 / TICKS_PER_INTERVAL as u64,
            operations: operations.unwrap_or(u64::MAX),
            bytes: bytes.unwrap_or(u64::MAX),
            drain_ns: DRAIN_NS,
            polls: if crowd == Oversubscription::Sparse { POLLS_BEFORE_SLEEP } else { 0 },
            in_crowd: match crowd {
                Oversubscription::Sparse => None,
                Oversubscription::Dense(place) => Some(place),
            },
            sample_every: match job.depth.0 {
                _ if self.time_submissions => 1,
                1 => SAMPLE_EVERY_DEPTH_1,
                _ => SAMPLE_EVERY_DEEP,
            },
        };
        let workers = self.handles.len() as u64;
        if let Some(flow) = &self.flow {
            flow.enroll(start_ns, workers as u32);
        }
        for (worker, hand) in self.handles.iter().enumerate() {
            let share = |total: u64| total / workers + u64::from((worker as u64) < total % workers);
            let operations = operations.map_or(u64::MAX, share);
            let bytes = bytes.map_or(u64::MAX, |bytes| bytes.div_ceil(workers));
            // A worker that died since it was ready shows in its missing report.
            let _ = hand.start.send(Schedule { operations, bytes, ..schedule });
        }
        let collector = Collector::new(&schedule, self.handles.len());
        let give_up = schedule.deadline_ns.saturating_add(schedule.drain_ns + WAKE_GRACE_NS);
        RunningPool {
            pool: self,
            schedule,
            collector,
            give_up_ns: give_up,
            stopping: false,
            silence_reported_ns: 0,
            pauses_known: true,
            late_ticks: Vec::new(),
        }
    }
}

/// What the clock of a target shows that has one of its own.
fn virtual_time(kind: BackendKind, targets: &[Target]) -> Option<u64> {
    match (kind, targets.first().map(|target| &target.medium)) {
        (BackendKind::Simulated, Some(TargetMedium::Simulated(device))) => {
            device.is_virtual().then(|| device.now_ns())
        }
        _ => None,
    }
}

/// All workers of a job, started.
pub(crate) struct RunningPool {
    pool: WorkerPool,
    schedule: Schedule,
    collector: Collector,
    give_up_ns: u64,
    stopping: bool,
    silence_reported_ns: u64,
    /// Whether all pauses until now are known.
    pauses_known: bool,
    /// Of the intervals that were given away: those in which there may have been a pause.
    late_ticks: Vec<IntervalOutcome>,
}

impl RunningPool {
    /// Collects slices, tells how it goes, and wakes sleepers; to be called every few
    /// milliseconds. `false` when every worker is done or given up.
    pub(crate) fn poll_workers(
        &mut self,
        clock: &Clock,
        stop: bool,
        watch: &mut dyn FnMut(&Progress),
    ) -> bool {
        let (mut busy, mut verifying) = (false, false);
        for (worker, hand) in self.pool.handles.iter_mut().enumerate() {
            self.collector.drain_worker(worker, &mut hand.sink);
            let state = hand.shared.state.load(Ordering::Acquire);
            // One that died will never say that it is done.
            busy |= state != DONE && !hand.thread.is_finished();
            verifying |= state == VERIFYING;
        }
        // On a virtual clock no real moment is a deadline.
        let now = if self.pool.is_virtual() { 0 } else { clock.now() };
        self.pauses_known = self.update_pauses(clock);
        if let Some(progress) = self.collector.progress(now) {
            watch(&progress);
        }
        // Unless all pauses are known, what is late may be so because of this process itself.
        if self.pauses_known {
            self.report_silence(now, watch);
            let given_up = now >= self.give_up_ns && (self.stopping || !verifying);
            if !busy || given_up {
                return false;
            }
        }
        let failed = self.has_early_finish(now);
        if (stop || failed) && !self.stopping {
            self.stopping = true;
            self.give_up_ns =
                if self.pool.is_virtual() { u64::MAX } else { now + DRAIN_STOPPED_NS };
            self.pool.handles.iter().for_each(|h| h.shared.stop.store(true, Ordering::SeqCst));
        }
        if self.stopping || now >= self.schedule.deadline_ns.saturating_add(WAKE_GRACE_NS) {
            self.wake_sleeping_workers();
        }
        true
    }

    /// Gives away the intervals that are complete, once all pauses in them are known.
    pub(crate) fn stream_intervals(&mut self, sink: &mut dyn FnMut(IntervalOutcome)) {
        if !self.pauses_known {
            return;
        }
        let (pauses, measure_ns) = (&self.pool.pauses, self.schedule.measure_ns);
        let late_ticks = &mut self.late_ticks;
        self.collector.stream_intervals(&mut |interval| {
            let start_ns = measure_ns + interval.start_ns;
            if pauses.as_ref().is_some_and(|all| all.overlaps(start_ns, interval.length_ns)) {
                late_ticks.push(interval.without_histograms());
            }
            sink(interval);
        });
    }

    /// When the measuring ends, on the clock.
    pub(crate) fn deadline_ns(&self) -> u64 {
        self.schedule.deadline_ns
    }

    /// Whether it runs on a virtual clock.
    pub(crate) fn is_virtual(&self) -> bool {
        self.pool.is_virtual()
    }

    /// Hears of pauses of this process, and gives the workers that time too; whether all that there
    /// were until now are known.
    fn update_pauses(&mut self, clock: &Clock) -> bool {
        let Some(pauses) = &mut self.pool.pauses else { return true };
        let is_current = pauses.is_current();
        self.give_up_ns = self.give_up_ns.saturating_add(pauses.update(clock));
        is_current
    }

    /// Operations that hang are told while they hang.
    fn report_silence(&mut self, now: u64, watch: &mut dyn FnMut(&Progress)) {
        let resumed_ns = self.pool.pauses.as_ref().map_or(0, PauseMonitor::last_end_ns);
        let running_since = self.schedule.start_ns.max(resumed_ns);
        let since = |hand: &WorkerHandle| {
            let outstanding = hand.shared.outstanding.load(Ordering::Relaxed) > 0;
            let state = hand.shared.state.load(Ordering::Relaxed);
            let last = hand.shared.reaped_ns.load(Ordering::Relaxed).max(running_since);
            (outstanding && state == LOOPING).then(|| now.saturating_sub(last))
        };
        let silent_ns = self.pool.handles.iter().filter_map(since).max().unwrap_or(0);
        if silent_ns > SILENCE_MIN_NS
            && now.saturating_sub(self.silence_reported_ns) > SILENCE_MIN_NS
        {
            self.silence_reported_ns = now;
            let measured_ns = now as i64 - self.schedule.measure_ns as i64;
            watch(&Progress { measured_ns, iops: 0.0, bytes_per_second: 0.0, silent_ns });
        }
    }

    /// Whether a worker ended before its time by itself: one failure ends them all.
    fn has_early_finish(&self, now: u64) -> bool {
        self.schedule.is_timed()
            && !self.pool.is_virtual()
            && now < self.schedule.deadline_ns.min(self.schedule.last_start_ns)
            && self.pool.handles.iter().any(|h| h.shared.state.load(Ordering::Acquire) != LOOPING)
    }

    fn wake_sleeping_workers(&self) {
        for hand in &self.pool.handles {
            if hand.shared.state.load(Ordering::Acquire) == LOOPING && !hand.thread.is_finished() {
                wake_signal::wake_thread(hand.thread.as_pthread_t());
            }
        }
    }

    /// Puts everything together. Workers that never came back are left to the kernel.
    pub(crate) fn into_outcome(self, mut notes: Vec<String>) -> Outcome {
        let Self { pool: crew, schedule, mut collector, late_ticks, .. } = self;
        notes.extend(crew.notes);
        let threads = crew.handles.len() as u32;
        let mut sum = ReportSum::default();
        for (worker, mut hand) in crew.handles.into_iter().enumerate() {
            let Ok(report) = hand.report.try_recv() else {
                sum.asked.abandoned += 1; // stuck in a system call that does not return
                let planned = schedule.deadline_ns.saturating_sub(schedule.measure_ns);
                sum.elapsed_ns = sum.elapsed_ns.max(planned);
                continue;
            };
            collector.drain_worker(worker, &mut hand.sink);
            let _ = hand.thread.join();
            sum.add(report);
        }
        let (intervals, totals) = collector.finish(sum.elapsed_ns);
        let pauses = crew.pauses.map_or_else(Vec::new, |watch| {
            let late = watch.pauses_within(schedule.measure_ns, sum.elapsed_ns);
            let ticks: Vec<&IntervalOutcome> = late_ticks.iter().chain(&intervals).collect();
            confirm_pauses(&late, &ticks, schedule.tick_ns)
        });
        let open_loop = sum.open.map(|open| {
            let responses: Vec<&LatencyHistogram> =
                totals.iter().filter_map(|t| t.response.as_ref()).collect();
            OpenLoopOutcome::new(open, &responses)
        });
        Outcome {
            backend: crew.kind.name(),
            notes,
            threads,
            started_ns: schedule.measure_ns,
            start_skew_ns: sum.skew_ns,
            elapsed_ns: sum.elapsed_ns,
            intervals,
            tick_ns: schedule.tick_ns,
            totals,
            outstanding_ns: sum.outstanding_ns,
            cpu_ns: sum.cpu_ns,
            activity: sum.activity,
            requested: sum.asked,
            errors: sum.errors,
            open_loop,
            pauses,
            verified: sum.verified,
            ended: match sum.error {
                Some(error) => EndReason::Failed(error),
                None if sum.stopped => EndReason::Stopped,
                None => EndReason::Done,
            },
        }
    }
}

/// The reports of all workers together.
#[derive(Default)]
struct ReportSum {
    asked: RequestedOps,
    outstanding_ns: f64,
    cpu_ns: (u64, u64),
    activity: Activity,
    elapsed_ns: u64,
    skew_ns: u64,
    errors: Vec<ErrorCount>,
    error: Option<crate::outcome::OperationError>,
    stopped: bool,
    open: Option<OpenLoopReport>,
    verified: Option<VerifyOutcome>,
}

impl ReportSum {
    fn add(&mut self, report: WorkerReport) {
        self.asked.add(&report.requested);
        self.outstanding_ns += report.outstanding_ns as f64;
        self.cpu_ns = (self.cpu_ns.0 + report.cpu_ns.0, self.cpu_ns.1 + report.cpu_ns.1);
        self.activity.add(&report.activity);
        self.elapsed_ns = self.elapsed_ns.max(report.elapsed_ns);
        self.skew_ns = self.skew_ns.max(report.skew_ns);
        for kind in report.errors.list() {
            let same = |k: &&mut ErrorCount| (k.direction, k.errno) == (kind.direction, kind.errno);
            match self.errors.iter_mut().find(same) {
                Some(known) => known.count += kind.count,
                None => self.errors.push(kind),
            }
        }
        self.error = self.error.take().or(report.error);
        self.stopped |= report.stopped;
        // An open loop has one worker.
        self.open = self.open.take().or(report.open);
        if let Some(found) = report.verified {
            let nothing = VerifyOutcome { blocks: 0, mismatched: 0, mismatches: Vec::new() };
            let verified = self.verified.get_or_insert(nothing);
            verified.blocks += found.verified;
            verified.mismatched += found.mismatched;
            verified.mismatches.extend(found.mismatches);
        }
    }
}

/// Directions in the order of the arrays, checked once: they are indexed by discriminant.
const _: () = {
    assert!(Direction::Read as usize == 0);
    assert!(Direction::Write as usize == 1);
    assert!(Direction::Sync as usize == 2);
    assert!(Direction::Trim as usize == 3);
};
