//! The control plane: arms the workers, starts them together, watches, collects.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::thread::JoinHandleExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use units::Bytes;
use workload::{Direction, Job, JobError, Limits, Pacing, SyncKind};

use crate::backend::{Ring, Synchronous, takes_without_blocking};
use crate::choose::{Kind, choose};
use crate::clock::Clock;
use crate::collect::Collector;
use crate::interval::{self, SliceSink, SliceSource, TICKS};
use crate::outcome::{Asked, EndReason, Outcome};
use crate::payload::Buffers;
use crate::sequence::{Generator, mix64};
use crate::signal;
use crate::worker::{DONE, LOOPING, Parts, Schedule, Shared, Worker, WorkerReport};

/// How often the control plane looks at the workers.
const WATCH: Duration = Duration::from_millis(10);
/// How long after its deadline a worker that sleeps in the kernel is woken.
const GRACE_NS: u64 = 5_000_000;
/// How long outstanding operations are waited for at the end of a cell, and after a stop.
const DRAIN_NS: u64 = 10_000_000_000;
const DRAIN_STOPPED_NS: u64 = 1_000_000_000;
/// Between the last worker's readiness and the common start.
const START_DELAY_NS: u64 = 200_000;
/// Slices in circulation per worker: so many intervals may the collector be late.
const SLICES: usize = 16;
const SLICES_OF_MANY: usize = 4;
/// One batch in so many is submitted by a call of its own, to time submission.
const SAMPLE_DEPTH_1: u32 = 256;
const SAMPLE_DEEP: u32 = 16;

/// What a job is run on: an open file or device, and what it demands.
#[derive(Debug, Clone)]
pub struct Target {
    /// Open for what the job does; with O_DIRECT when the job is direct.
    pub(crate) file: Arc<File>,
    /// Size, alignment, writability.
    pub(crate) limits: Limits,
    /// Alignment of buffers in memory that direct I/O needs.
    pub(crate) memory_align: Bytes,
    /// Whether it takes requests without blocking.
    pub(crate) nowait: bool,
}

impl Target {
    /// A target, tried with at most eight reads for whether it takes requests without blocking.
    #[must_use]
    pub fn new(file: File, limits: Limits, memory_align: Bytes) -> Self {
        let block = limits.offset_align.max(Bytes::kib(4));
        let nowait = takes_without_blocking(&file, block, limits.size);
        Self { file: Arc::new(file), limits, memory_align, nowait }
    }

    /// The same target with another size: a file that was cut.
    #[must_use]
    pub fn resized(self, size: Bytes) -> Self {
        Self { limits: Limits { size, ..self.limits }, ..self }
    }

    /// Makes everything that was written durable (fsync).
    ///
    /// # Errors
    /// The system's own.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Raised to end a run early; may be raised from a signal handler's thread.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks every run that holds this flag to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// How a run is going; given about every interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time measured so far; negative during the warm-up.
    pub measured_ns: i64,
    /// Operations per second in the newest complete interval, reads and writes.
    pub iops: f64,
    /// Bytes per second in it.
    pub bytes_per_second: f64,
}

/// Why a job could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It contradicts itself or its target.
    #[error(transparent)]
    Job(#[from] JobError),
    /// io_uring was demanded and is not to be had.
    #[error("io_uring cannot be used here: {0}")]
    NoIoUring(String),
    /// The system refused what a worker needs.
    #[error("cannot {attempt} for job '{job}': {source}")]
    Arm {
        /// `start a worker thread`, `allocate buffers`, `set up io_uring`.
        attempt: &'static str,
        /// Name of the job.
        job: String,
        /// The system's own error.
        source: io::Error,
    },
}

/// Runs `job` on `target` to its end and returns everything measured.
///
/// Returns early, with what was measured, when `stop` is raised or an operation fails.
/// `watch` is called about once per interval, from this thread.
///
/// # Errors
/// When the job contradicts itself or the target, or the workers cannot be made. A failing
/// operation is no error of this function: see [`EndReason::Failed`].
pub fn run(
    job: &Job,
    target: &Target,
    clock: &Clock,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Outcome, EngineError> {
    job.validate(&target.limits)?;
    let (kind, mut notes) = choose(job, target)?;
    let mut crew = Crew::arm(job, target, clock, kind)?;
    notes.append(&mut crew.notes);
    let schedule = crew.start(job, clock);
    let mut collector = Collector::new(&schedule, crew.hands.len());
    crew.watch(clock, &schedule, stop, &mut collector, watch);
    Ok(crew.outcome(kind, notes, &schedule, collector))
}

/// One worker as the control plane holds it.
struct Hand {
    thread: JoinHandle<()>,
    shared: Arc<Shared>,
    sink: SliceSink,
    start: Sender<Schedule>,
    report: Receiver<WorkerReport>,
}

/// All workers of a job.
pub(crate) struct Crew {
    hands: Vec<Hand>,
    notes: Vec<String>,
}

/// What a worker thread is given.
struct Recruit {
    job: Job,
    target: Target,
    clock: Clock,
    kind: Kind,
    worker: u64,
    workers: u64,
    shared: Arc<Shared>,
    source: SliceSource,
    slice: Box<interval::Slice>,
    ready: Sender<Result<Vec<String>, (&'static str, io::Error)>>,
    start: Receiver<Schedule>,
    report: Sender<WorkerReport>,
}

impl Crew {
    /// Starts the worker threads and waits until all of them are ready.
    pub(crate) fn arm(
        job: &Job,
        target: &Target,
        clock: &Clock,
        kind: Kind,
    ) -> Result<Self, EngineError> {
        // Before any worker is there to be woken: unprepared, the signal would end the process.
        signal::prepare();
        let workers = if kind == Kind::Threads { u64::from(job.depth.0) } else { 1 };
        let slices = if workers > 4 { SLICES_OF_MANY } else { SLICES };
        let directions = [job.mix.reads(), job.mix.writes(), job.sync.is_some()];
        let failed = |attempt, source| EngineError::Arm { attempt, job: job.name.clone(), source };
        let mut hands = Vec::new();
        let mut readiness = Vec::new();
        for worker in 0..workers {
            let (source, sink, slice) = interval::channel(slices, directions);
            let shared = Arc::new(Shared::default());
            let (ready, is_ready) = mpsc::channel();
            let (start, started) = mpsc::channel();
            let (report, reported) = mpsc::channel();
            let recruit = Recruit {
                job: job.clone(),
                target: target.clone(),
                clock: *clock,
                kind,
                worker,
                workers,
                shared: Arc::clone(&shared),
                source,
                slice,
                ready,
                start: started,
                report,
            };
            let thread = thread::Builder::new()
                .name(format!("truedisk-{worker}"))
                .stack_size(256 << 10)
                .spawn(move || serve(recruit))
                .map_err(|error| failed("start a worker thread", error))?;
            hands.push(Hand { thread, shared, sink, start, report: reported });
            readiness.push(is_ready);
        }
        let mut notes = Vec::new();
        for is_ready in readiness {
            match is_ready.recv() {
                Ok(Ok(of_worker)) => notes.extend(of_worker),
                Ok(Err((attempt, error))) => return Err(failed(attempt, error)),
                Err(_) => {
                    let died = io::Error::other("the worker thread died");
                    return Err(failed("arm a worker thread", died));
                }
            }
        }
        notes.sort();
        notes.dedup();
        Ok(Self { hands, notes })
    }

    /// Starts all workers at one instant.
    pub(crate) fn start(&self, job: &Job, clock: &Clock) -> Schedule {
        let start_ns = clock.now() + START_DELAY_NS;
        let measure_ns = start_ns + job.warm_up.0;
        let by_bytes = job.stop.bytes.map(|bytes| bytes.0.div_ceil(job.block_size.0));
        let operations = [by_bytes, job.stop.operations].into_iter().flatten().min();
        let schedule = Schedule {
            start_ns,
            measure_ns,
            deadline_ns: job.stop.time.map_or(u64::MAX, |time| measure_ns.saturating_add(time.0)),
            tick_ns: job.interval.0 / TICKS as u64,
            operations: operations.unwrap_or(u64::MAX),
            drain_ns: DRAIN_NS,
            spacing_ns: match job.pacing {
                Pacing::Closed => 0,
                Pacing::Spaced { interval } => interval.0,
            },
            sample_every: if job.depth.0 == 1 { SAMPLE_DEPTH_1 } else { SAMPLE_DEEP },
        };
        let workers = self.hands.len() as u64;
        for (worker, hand) in self.hands.iter().enumerate() {
            let share = |total: u64| total / workers + u64::from((worker as u64) < total % workers);
            let operations = operations.map_or(u64::MAX, share);
            // A worker that died since it was ready shows in its missing report.
            let _ = hand.start.send(Schedule { operations, ..schedule });
        }
        schedule
    }

    /// Collects slices and wakes sleepers until every worker is done or given up.
    pub(crate) fn watch(
        &mut self,
        clock: &Clock,
        schedule: &Schedule,
        stop: &StopFlag,
        collector: &mut Collector,
        watch: &mut dyn FnMut(&Progress),
    ) {
        let mut give_up = schedule.deadline_ns.saturating_add(schedule.drain_ns + GRACE_NS);
        let mut stopping = false;
        loop {
            let mut busy = false;
            for (worker, hand) in self.hands.iter_mut().enumerate() {
                collector.take(worker, &mut hand.sink);
                busy |= hand.shared.state.load(Ordering::Acquire) != DONE;
            }
            if let Some(progress) = collector.progress(clock.now()) {
                watch(&progress);
            }
            let now = clock.now();
            if !busy || now >= give_up {
                return;
            }
            let failed = self.any_finished_early(now, schedule);
            if (stop.is_raised() || failed) && !stopping {
                stopping = true;
                give_up = now + DRAIN_STOPPED_NS;
                self.hands.iter().for_each(|h| h.shared.stop.store(true, Ordering::SeqCst));
            }
            if stopping || now >= schedule.deadline_ns.saturating_add(GRACE_NS) {
                self.wake_loopers();
            }
            let until_deadline = Duration::from_nanos(schedule.deadline_ns.saturating_sub(now));
            thread::sleep(WATCH.min(until_deadline + Duration::from_micros(100)));
        }
    }

    /// Whether a worker ended before its time by itself: one failure ends them all.
    fn any_finished_early(&self, now: u64, schedule: &Schedule) -> bool {
        schedule.operations == u64::MAX
            && now < schedule.deadline_ns
            && self.hands.iter().any(|h| h.shared.state.load(Ordering::Acquire) != LOOPING)
    }

    fn wake_loopers(&self) {
        for hand in &self.hands {
            if hand.shared.state.load(Ordering::Acquire) == LOOPING && !hand.thread.is_finished() {
                signal::wake(hand.thread.as_pthread_t());
            }
        }
    }

    /// Puts everything together. Workers that never came back are left to the kernel.
    pub(crate) fn outcome(
        self,
        kind: Kind,
        notes: Vec<String>,
        schedule: &Schedule,
        mut collector: Collector,
    ) -> Outcome {
        let threads = self.hands.len() as u32;
        let mut asked = Asked::default();
        let (mut outstanding_ns, mut cpu_ns, mut elapsed_ns) = (0.0, (0, 0), 0);
        let (mut error, mut stopped) = (None, false);
        for (worker, mut hand) in self.hands.into_iter().enumerate() {
            let Ok(report) = hand.report.try_recv() else {
                asked.abandoned += 1; // stuck in a system call that does not return
                elapsed_ns =
                    elapsed_ns.max(schedule.deadline_ns.saturating_sub(schedule.measure_ns));
                continue;
            };
            collector.take(worker, &mut hand.sink);
            let _ = hand.thread.join();
            asked.add(&report.asked);
            outstanding_ns += report.outstanding_ns as f64;
            cpu_ns = (cpu_ns.0 + report.cpu_ns.0, cpu_ns.1 + report.cpu_ns.1);
            elapsed_ns = elapsed_ns.max(report.elapsed_ns);
            error = error.or(report.error);
            stopped |= report.stopped;
        }
        let ended = match error {
            Some(error) => EndReason::Failed(error),
            None if stopped => EndReason::Stopped,
            None => EndReason::Done,
        };
        let (intervals, totals) = collector.finish(elapsed_ns);
        Outcome {
            backend: kind.name(),
            notes,
            threads,
            started_ns: schedule.measure_ns,
            elapsed_ns,
            intervals,
            tick_ns: schedule.tick_ns,
            totals,
            outstanding_ns,
            cpu_ns,
            asked,
            ended,
        }
    }
}

/// A worker thread: makes its buffers and its backend, reports ready, waits, runs.
fn serve(recruit: Recruit) {
    let job = &recruit.job;
    let depth = if recruit.kind == Kind::Threads { 1 } else { job.depth.0 };
    let key = mix64(job.seed.0 ^ mix64(recruit.clock.now()) ^ recruit.worker);
    let buffers = Buffers::new(
        depth as usize,
        job.block_size.0 as usize,
        recruit.target.memory_align.0.max(4096) as usize,
        job.mix.writes(),
        key,
    );
    let mut buffers = match buffers {
        Ok(buffers) => buffers,
        Err(error) => {
            let _ = recruit.ready.send(Err(("allocate buffers", error)));
            return;
        }
    };
    let abandoned = work(recruit, depth, &mut buffers);
    if abandoned {
        buffers.arena.leak();
    }
}

/// Runs the loop on its backend; whether operations were abandoned, so that the kernel may still
/// write into the buffers.
fn work(recruit: Recruit, depth: u32, buffers: &mut Buffers) -> bool {
    let file = Arc::clone(&recruit.target.file);
    let sync = recruit.job.sync.map_or(SyncKind::Fdatasync, |sync| sync.kind);
    if recruit.kind == Kind::Threads {
        let backend = Synchronous::new(file.as_fd(), sync);
        return loop_on(backend, recruit, depth, buffers, &[]);
    }
    let nop = recruit.kind == Kind::Nop;
    match Ring::new(depth, file.as_fd(), &buffers.arena, sync, nop) {
        Ok(mut ring) => {
            let notes = ring.notes().to_vec();
            loop_on(ring.split(), recruit, depth, buffers, &notes)
        }
        Err(error) => {
            let _ = recruit.ready.send(Err(("set up io_uring", error)));
            false
        }
    }
}

fn loop_on<B: crate::backend::Backend>(
    backend: B,
    recruit: Recruit,
    depth: u32,
    buffers: &mut Buffers,
    notes: &[String],
) -> bool {
    let Recruit { job, clock, kind, worker, workers, shared, source, slice, .. } = recruit;
    let generator = Generator::new(&job, worker, workers);
    let _ = recruit.ready.send(Ok(notes.to_vec()));
    let Ok(schedule) = recruit.start.recv() else {
        return false; // the control plane gave up before the start
    };
    let parts = Parts {
        backend,
        buffers,
        generator,
        clock,
        schedule,
        shared: Arc::clone(&shared),
        source,
        slice,
        depth,
        nop: kind == Kind::Nop,
    };
    let report = Worker::new(parts).run();
    let abandoned = report.asked.abandoned > 0;
    let _ = recruit.report.send(report);
    shared.state.store(DONE, Ordering::Release);
    abandoned
}

/// Directions in the order of the arrays, checked once: they are indexed by discriminant.
const _: () = {
    assert!(Direction::Read as usize == 0);
    assert!(Direction::Write as usize == 1);
    assert!(Direction::Sync as usize == 2);
};
