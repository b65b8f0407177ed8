//! One job as its caller drives it: armed, started, polled, ended.

mod running;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use rtrb::{Consumer, RingBuffer};
use workload::{Arrivals, Job, Pacing};

use crate::backend::SimulatedDevice;
use crate::backend_choice::{BackendKind, choose_backend};
use crate::clock::Clock;
use crate::collect::Collector;
use crate::error::EngineError;
use crate::flow::FlowMember;
use crate::heartbeat::PauseMonitor;
use crate::interval::{SliceLayout, slice_channel};
use crate::outcome::TracedOperation;
use crate::sequence::{ScriptStep, StepLimits, StepSource, StepStream};
use crate::target::Target;
use crate::wake_signal;
use crate::worker::{Schedule, Tracer, WorkerLink, WorkerStatus};
use crate::worker_thread::{ArmError, WorkerSetup, run_worker_thread};
use running::WorkerHandle;

pub use running::Session;
use running::WAKE_GRACE_NS;

/// From the last worker's readiness to the common start: waking all takes 100 us and more on a VM.
const START_DELAY_NS: u64 = 1_000_000;
/// From this many workers on, each gets smaller rings.
const MANY_WORKERS: u64 = 5;
/// Slices in circulation per worker: the collector may be late by this many intervals.
const SLICES_PER_WORKER: usize = 16;
const SLICES_PER_WORKER_MANY: usize = 4;
/// Operations that the reader of a trace may be behind, per worker.
const TRACE_CAPACITY: usize = 1 << 15;
const TRACE_CAPACITY_MANY: usize = 1 << 11;

/// What a run does beside measuring its figures.
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    /// Every operation is traced: [`Session::drain_trace`].
    pub trace: bool,
    /// Every batch is submitted by a call of its own, which is timed; else a sample of them is.
    pub time_submissions: bool,
    /// The operations, in place of those that follow from the job.
    pub script: Option<Arc<[ScriptStep]>>,
    /// It keeps in step with other jobs.
    pub flow: Option<FlowMember>,
    /// The page cache forgets a target when a pass over it has ended.
    pub drops_cache: bool,
}

/// A job whose workers are ready.
pub struct ArmedSession {
    job: Job,
    kind: BackendKind,
    workers: Vec<WorkerHandle>,
    notes: Vec<String>,
    traces: Vec<Consumer<TracedOperation>>,
    /// A target that has a clock of its own, and the time on it.
    virtual_device: Option<(SimulatedDevice, u64)>,
    time_submissions: bool,
    flow: Option<FlowMember>,
    /// When this process does not run; `None` on a virtual clock, which stands still then.
    pauses: Option<PauseMonitor>,
}

impl ArmedSession {
    /// Validates the job and makes its workers ready. Fails as [`run_job`](crate::run_job).
    pub fn new(
        job: &Job,
        targets: &[Target],
        clock: &Clock,
        options: &SessionOptions,
    ) -> Result<Self, EngineError> {
        let invalid = |conflict: String| Err(EngineError::invalid_job(job, conflict));
        if options.script.as_ref().is_some_and(|script| script.is_empty()) {
            return invalid("its script is empty".to_owned());
        }
        let count = targets.len();
        if count == 0 || count > usize::from(u16::MAX) {
            return invalid(format!("it has {count} targets; 1 to {} will do", u16::MAX));
        }
        let mut numbered = targets.iter().enumerate();
        numbered.try_for_each(|(place, target)| job.validate_on(&target.limits, place))?;
        let (kind, notes) = choose_backend(job, targets)?;
        let armed = Self::with_backend(job, targets, clock, kind, options, None)?;
        Ok(Self { notes: [notes, armed.notes].concat(), ..armed })
    }

    /// As [`Self::new`], of an open loop whose operations and starts come from `steps`, which are
    /// made by a thread of their own while the job runs: no more than a few are in memory. One that
    /// is longer than the job's block, or beyond its span, ends the run with an error.
    pub fn new_streamed(
        job: &Job,
        target: &Target,
        clock: &Clock,
        options: &SessionOptions,
        steps: StepSource,
    ) -> Result<Self, EngineError> {
        let targets = std::slice::from_ref(target);
        job.validate(&target.limits)?;
        let (kind, notes) = choose_backend(job, targets)?;
        if !job.is_open_loop() || kind.worker_count(job) != 1 {
            let conflict = "a stream of operations needs an open loop with one worker";
            return Err(EngineError::invalid_job(job, conflict.to_owned()));
        }
        let limits =
            StepLimits { length_max: job.max_block_size().0, span: job.span, mix: job.mix };
        let stream = StepStream::start(steps, limits, target.is_virtual())
            .map_err(|error| EngineError::arming(job, "start the thread of its steps", error))?;
        let armed = Self::with_backend(job, targets, clock, kind, options, Some(stream))?;
        Ok(Self { notes: [notes, armed.notes].concat(), ..armed })
    }

    /// As [`Self::new`], of several jobs over one target.
    pub fn new_together(
        jobs: &[Job],
        target: &Target,
        clock: &Clock,
    ) -> Result<Vec<Self>, EngineError> {
        let (targets, options) = (std::slice::from_ref(target), SessionOptions::default());
        jobs.iter().map(|job| Self::new(job, targets, clock, &options)).collect()
    }

    /// Starts the worker threads of a valid job and waits until all of them are ready.
    pub(crate) fn with_backend(
        job: &Job,
        targets: &[Target],
        clock: &Clock,
        kind: BackendKind,
        options: &SessionOptions,
        mut stream: Option<StepStream>,
    ) -> Result<Self, EngineError> {
        // Without its handler the wake signal would end the process.
        wake_signal::install_wake_handler();
        let virtual_device = find_virtual_device(kind, targets);
        let pauses = virtual_device.is_none().then(PauseMonitor::start).transpose();
        let pauses = pauses
            .map_err(|error| EngineError::arming(job, "start the heartbeat thread", error))?;
        let worker_count = kind.worker_count(job);
        let (slices, trace_capacity) = match worker_count >= MANY_WORKERS {
            true => (SLICES_PER_WORKER_MANY, TRACE_CAPACITY_MANY),
            false => (SLICES_PER_WORKER, TRACE_CAPACITY),
        };
        let layout = slice_layout(job, options.time_submissions && !kind.is_synchronous());
        let (mut workers, mut readiness, mut traces) = (Vec::new(), Vec::new(), Vec::new());
        for worker in 0..worker_count {
            let (mut source, sink, slice) = slice_channel(slices, layout);
            source.waits_for_empty = virtual_device.is_some();
            let tracer = options.trace.then(|| {
                let (ring, ours) = RingBuffer::new(trace_capacity);
                traces.push(ours);
                Tracer(ring)
            });
            let status = Arc::new(WorkerStatus::default());
            let (ready, is_ready) = mpsc::channel();
            let (start, started) = mpsc::channel();
            let setup = WorkerSetup {
                job: job.clone(),
                targets: targets.to_vec(),
                clock: *clock,
                kind,
                worker,
                workers: worker_count,
                script: options.script.clone(),
                stream: stream.take(),
                flow: options.flow.clone(),
                drops_cache: options.drops_cache,
                link: WorkerLink { status: Arc::clone(&status), source, slice, tracer },
                ready,
                start: started,
                is_realtime: false,
            };
            let thread = thread::Builder::new()
                .name(format!("truedisk-{worker}"))
                .stack_size(256 << 10)
                .spawn(move || run_worker_thread(setup))
                .map_err(|error| EngineError::arming(job, "start a worker thread", error))?;
            workers.push(WorkerHandle { thread, status, sink, start });
            readiness.push(is_ready);
        }
        Ok(Self {
            job: job.clone(),
            kind,
            workers,
            notes: wait_until_ready(job, readiness)?,
            traces,
            virtual_device,
            time_submissions: options.time_submissions,
            flow: options.flow.clone(),
            pauses,
        })
    }

    /// A common start for everything that is armed now, as a reading of the clock.
    pub fn common_start(clock: &Clock) -> u64 {
        clock.now() + START_DELAY_NS
    }

    /// Starts it at `start_ns`, or at once on a virtual clock, as number `place` of `members` that
    /// run together.
    pub fn start(self, start_ns: u64, place: usize, members: usize) -> Session {
        let start_ns = self.virtual_device.as_ref().map_or(start_ns, |(_, now_ns)| *now_ns);
        // What takes time is done before, or by the workers: on hosts that share processors, the
        // starts of all have to fit into a few hundred milliseconds.
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let crowd_place = (members > 1 && members > processors()).then_some(place);
        let schedule = Schedule::new(&self.job, start_ns, self.time_submissions, crowd_place);
        let workers = self.workers.len() as u64;
        if let Some(flow) = &self.flow {
            flow.enroll(start_ns, workers as u32);
        }
        for (worker, handle) in (0..).zip(&self.workers) {
            // A worker that died since it was ready shows in its missing report.
            let _ = handle.start.send(schedule.share(worker, workers));
        }
        Session {
            collector: Collector::new(&schedule, self.workers.len()),
            give_up_ns: schedule.deadline_ns.saturating_add(schedule.drain_ns + WAKE_GRACE_NS),
            schedule,
            workers: self.workers,
            backend: self.kind.name(),
            notes: self.notes,
            traces: self.traces,
            pauses: self.pauses,
            virtual_device: self.virtual_device.map(|(device, _)| device),
            stopping: false,
            silence_reported_ns: 0,
            pauses_known: true,
            late_ticks: Vec::new(),
        }
    }
}

fn slice_layout(job: &Job, splits_submission: bool) -> SliceLayout {
    let reads = job.mix.reads() || job.verify.is_some();
    let directions = [reads, job.mix.sends_data(), job.sync.is_some(), job.mix.trims()];
    let is_replay = matches!(job.pacing, Pacing::Open { arrivals: Arrivals::Recorded, .. });
    SliceLayout { directions, open_loop: job.is_open_loop(), is_replay, splits_submission }
}

/// A target that has a clock of its own, and the time on it. Its workers will hold it.
fn find_virtual_device(kind: BackendKind, targets: &[Target]) -> Option<(SimulatedDevice, u64)> {
    let device = targets.first().and_then(Target::virtual_device);
    let device = device.filter(|_| kind == BackendKind::Simulated)?;
    Some((device.clone(), device.now_ns()))
}

/// Waits until every worker is ready; what they note of the backend, once each.
fn wait_until_ready(
    job: &Job,
    readiness: Vec<Receiver<Result<Vec<String>, ArmError>>>,
) -> Result<Vec<String>, EngineError> {
    let mut notes = Vec::new();
    for is_ready in readiness {
        let died = || Err(("arm a worker thread", io::Error::other("the worker thread died")));
        let result = is_ready.recv().unwrap_or_else(|_| died());
        notes.extend(result.map_err(|(attempt, error)| EngineError::arming(job, attempt, error))?);
    }
    notes.sort();
    notes.dedup();
    Ok(notes)
}
