//! The hot path: one worker thread's loop.

mod finish;
mod operation_errors;
mod pacing;
mod schedule;
mod trace;
mod usage;
mod verify;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

use stats::LatencyHistogram;
use workload::{Direction, OnError};

use crate::backend::{Backend, Request};
use crate::clock::Clock;
use crate::interval::{Slice, SliceSource, TICKS_PER_INTERVAL};
use crate::outcome::{Activity, OperationError, RequestedOps};
use crate::payload::Buffers;
use crate::placement::CpuRotation;
use crate::sequence::{Operation, OperationGenerator};

pub(crate) use finish::WorkerReport;
pub(crate) use operation_errors::ErrorCounts;
pub(crate) use pacing::{OpenLoopReport, PacePlan};
pub(crate) use schedule::Schedule;
pub(crate) use trace::Tracer;
pub(crate) use verify::{Verifier, VerifyReport};

use pacing::Pace;
use usage::Usage;

/// Largest batches: the first after a wait, and all others. Where many slots are free at once, a
/// small first batch sets the device to work while the next is prepared, and batches that double
/// from there keep calls per operation low; their bound is that of how late a completion is
/// stamped. On virtio at depth 16: 84k IOPS against 67k with all 16 in one batch.
const BATCH_FIRST: usize = 4;
const BATCH_MAX: usize = 32;

/// Completions less than 2 us apart come faster than a sleeping thread is woken: then some looks
/// at the ring come before the next sleep. Only devices above 500k IOPS get there.
const POLL_GAP_NS: u64 = 2_000;

/// Before the common start: spun through, and between looks at the stop flag.
const START_SPIN_NS: u64 = 250_000;
const START_POLL_NS: u64 = 50_000_000;

/// What the control plane and a worker tell each other while it runs.
#[derive(Debug, Default)]
pub(crate) struct WorkerStatus {
    /// Raised by the control plane: end now.
    pub(crate) stop: AtomicBool,
    /// [`LOOPING`], [`DRAINING`], [`VERIFYING`] or [`DONE`]; set by the worker.
    pub(crate) state: AtomicU8,
    /// Clock reading of the last completion, and what is outstanding: says when something hangs.
    pub(crate) reaped_ns: AtomicU64,
    pub(crate) outstanding: AtomicU32,
}

pub(crate) const LOOPING: u8 = 0;
pub(crate) const DRAINING: u8 = 1;
pub(crate) const DONE: u8 = 2;
pub(crate) const VERIFYING: u8 = 3;

#[derive(Debug, Clone, Copy)]
struct Slot {
    operation: Operation,
    buffer: *mut u8,
    submitted_ns: u64,
    /// Duration of its submission, where that was timed; else 0.
    submission_ns: u64,
    /// When it was planned to start; 0 without a plan.
    due_ns: u64,
    /// Bytes that a short transfer has moved already.
    moved: u32,
}

/// Everything one worker thread needs; made before the start, so that the loop allocates nothing.
pub(crate) struct Worker<'run, B> {
    backend: B,
    buffers: &'run mut Buffers,
    generator: OperationGenerator,
    clock: Clock,
    schedule: Schedule,
    shared: Arc<WorkerStatus>,
    source: SliceSource,
    slice: Box<Slice>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    batch: Vec<u32>,
    batch_limit: usize,
    polls_left: u32,
    /// Requests are no-operations: any result counts as a whole block.
    nop: bool,
    touch: bool,
    /// Every submission is timed, and what comes after it too.
    splits_submission: bool,
    outstanding: u64,
    started_operations: u64,
    started_bytes: u64,
    batches: u32,
    next_event_ns: u64,
    tick: usize,
    last_ns: u64,
    last_reap_ns: u64,
    outstanding_ns: u64,
    skew_ns: u64,
    measuring: bool,
    cpu_at_start: (u64, u64),
    activity: Activity,
    tracer: Option<Tracer>,
    requested: RequestedOps,
    rotation: Option<CpuRotation>,
    pace: Option<Box<Pace>>,
    verifier: Option<Box<Verifier>>,
    /// What is read now is compared.
    checking: bool,
    on_error: OnError,
    errors: ErrorCounts,
    error: Option<OperationError>,
}

/// What a worker is made of.
pub(crate) struct WorkerParts<'run, B> {
    pub(crate) backend: B,
    pub(crate) buffers: &'run mut Buffers,
    pub(crate) generator: OperationGenerator,
    pub(crate) clock: Clock,
    pub(crate) schedule: Schedule,
    pub(crate) shared: Arc<WorkerStatus>,
    pub(crate) source: SliceSource,
    pub(crate) slice: Box<Slice>,
    pub(crate) depth: u32,
    pub(crate) nop: bool,
    pub(crate) touch: bool,
    pub(crate) rotation: Option<CpuRotation>,
    pub(crate) tracer: Option<Tracer>,
    pub(crate) pace: Option<PacePlan>,
    pub(crate) verifier: Option<Box<Verifier>>,
    pub(crate) on_error: OnError,
}

impl<'run, B: Backend> Worker<'run, B> {
    pub(crate) fn new(parts: WorkerParts<'run, B>) -> Self {
        let nothing = Operation { direction: Direction::Read, target: 0, length: 0, offset: 0 };
        let idle = Slot {
            operation: nothing,
            buffer: std::ptr::null_mut(),
            submitted_ns: 0,
            submission_ns: 0,
            due_ns: 0,
            moved: 0,
        };
        Self {
            backend: parts.backend,
            buffers: parts.buffers,
            generator: parts.generator,
            clock: parts.clock,
            schedule: parts.schedule,
            shared: parts.shared,
            source: parts.source,
            slice: parts.slice,
            slots: vec![idle; parts.depth as usize],
            free: (0..parts.depth).rev().collect(),
            batch: Vec::with_capacity(BATCH_MAX),
            batch_limit: BATCH_FIRST,
            polls_left: 0,
            nop: parts.nop,
            touch: parts.touch,
            splits_submission: B::SPLITS && parts.schedule.sample_every == 1,
            outstanding: 0,
            started_operations: 0,
            started_bytes: 0,
            batches: 0,
            next_event_ns: 0,
            tick: 0,
            last_ns: 0,
            last_reap_ns: 0,
            outstanding_ns: 0,
            skew_ns: 0,
            measuring: false,
            cpu_at_start: (0, 0),
            activity: Activity::default(),
            tracer: parts.tracer,
            requested: RequestedOps::default(),
            rotation: parts.rotation,
            pace: parts.pace.map(|plan| Box::new(Pace::new(plan))),
            checking: parts.verifier.as_ref().is_some_and(|v| v.checks_all_reads()),
            verifier: parts.verifier,
            on_error: parts.on_error,
            errors: ErrorCounts::default(),
            error: None,
        }
    }

    /// Runs to the end, drains, and reports.
    pub(crate) fn run(mut self) -> WorkerReport {
        // All workers begin at one instant. What is far away, after a start delay, is slept
        // through; the last of the wait is spent looking at the clock.
        let stopped = || self.shared.stop.load(Ordering::Relaxed);
        while self.now() + START_SPIN_NS < self.schedule.start_ns && !stopped() {
            let until = self.schedule.start_ns - START_SPIN_NS;
            self.backend.sleep(&self.clock, until.min(self.now() + START_POLL_NS));
        }
        while self.now() < self.schedule.start_ns && !stopped() {
            std::hint::spin_loop();
        }
        self.last_ns = self.now();
        self.last_reap_ns = self.last_ns;
        self.skew_ns = self.last_ns.saturating_sub(self.schedule.start_ns);
        self.slice.index = self.interval_index(self.last_ns);
        self.next_event_ns = self.last_ns;
        match self.pace.take() {
            Some(mut pace) => {
                self.run_paced(&mut pace);
                self.pace = Some(pace);
            }
            None => self.run_closed(),
        }
        self.finish()
    }

    #[inline]
    fn now(&self) -> u64 {
        self.backend.now(&self.clock)
    }

    /// A new operation for each that completes.
    fn run_closed(&mut self) {
        loop {
            self.fill_batch();
            if !self.run_turn() {
                return;
            }
        }
    }

    /// Whether everything that was asked has been started.
    #[inline]
    fn is_exhausted(&self) -> bool {
        self.started_operations >= self.schedule.operations
            || self.started_bytes >= self.schedule.bytes
            || self.last_ns >= self.schedule.last_start_ns
    }

    /// Queues operations for the free slots, as many as the batch may hold.
    #[inline]
    fn fill_batch(&mut self) {
        if self.verifier.is_some() && !self.pass_barrier() {
            return;
        }
        while self.batch.len() < self.batch_limit && !self.is_exhausted() {
            let Some(slot) = self.free.pop() else { break };
            let operation = self.generator.next_operation();
            self.start_operation(slot, operation, 0);
            if self.verifier.is_some() && self.has_barrier() {
                return;
            }
        }
    }

    /// Queues one operation in a free slot.
    #[inline]
    fn start_operation(&mut self, slot: u32, operation: Operation, due_ns: u64) {
        let Operation { direction, target, length, offset } = operation;
        self.started_operations += u64::from(direction != Direction::Sync);
        self.started_bytes += u64::from(length);
        let buffer = match direction {
            Direction::Write => self.write_buffer(slot, &operation),
            Direction::Read if self.touch => self.buffers.touch_read_buffer(slot, length),
            _ => self.buffers.read_buffer(slot),
        };
        let before = &mut self.slots[slot as usize];
        *before = Slot { operation, buffer, submitted_ns: 0, submission_ns: 0, due_ns, moved: 0 };
        self.backend.queue(slot, &Request { direction, target, offset, buffer, length });
        self.batch.push(slot);
    }

    #[inline]
    fn write_buffer(&mut self, slot: u32, operation: &Operation) -> *mut u8 {
        match &mut self.verifier {
            None => self.buffers.prepare_write(slot, operation.length),
            Some(verifier) => verifier.seal_write(self.buffers, slot, operation, self.last_ns),
        }
    }

    /// Stamps the batch as submitted at `now`.
    #[inline]
    fn stamp_batch(&mut self, now: u64) {
        self.accrue_outstanding(now);
        for &slot in &self.batch {
            self.slots[slot as usize].submitted_ns = now;
        }
        self.activity.record_submission(self.outstanding, self.batch.len() as u64);
        self.outstanding += self.batch.len() as u64;
        self.shared.outstanding.store(self.outstanding as u32, Ordering::Relaxed);
    }

    /// Submits the batch, takes what completed, and waits for that only when no slot is free.
    /// `false` when the loop must end.
    #[inline]
    fn run_turn(&mut self) -> bool {
        let submitted = self.now();
        self.stamp_batch(submitted);
        if self.outstanding == 0 {
            return false; // the operations are used up and all are back
        }
        self.batches = self.batches.wrapping_add(1);
        let timed = B::SPLITS
            && self.batches.is_multiple_of(self.schedule.sample_every)
            && !self.batch.is_empty();
        if timed && !self.submit_timed(submitted) {
            return false;
        }
        self.batch.clear();
        let more = !self.free.is_empty() && !self.is_exhausted();
        let result = if more {
            self.batch_limit = (self.batch_limit * 2).min(BATCH_MAX);
            self.backend.submit_and_poll()
        } else {
            self.batch_limit = BATCH_FIRST;
            self.submit_and_poll_or_wait()
        };
        if let Err(error) = result {
            return self.fail_interface(&error);
        }
        let reaped = self.now();
        self.accrue_outstanding(reaped);
        if reaped >= self.next_event_ns && !self.handle_time_event(reaped) {
            return false;
        }
        let (silence, free) = (reaped.saturating_sub(self.last_reap_ns), self.free.len());
        self.reap_completions(reaped);
        let came = (self.free.len() - free) as u64;
        if B::POLLS && came > 0 && silence < came * POLL_GAP_NS && self.slots.len() > 1 {
            self.polls_left = self.schedule.polls;
        }
        self.error.is_none() && !self.shared.stop.load(Ordering::Relaxed)
    }

    /// Waits for a completion: asleep, or by looking again and again where completions lately came
    /// faster than a sleeper is woken.
    #[inline]
    fn submit_and_poll_or_wait(&mut self) -> std::io::Result<()> {
        if self.polls_left > 0 {
            self.polls_left -= 1;
            self.backend.submit_and_poll()
        } else {
            self.backend.submit_and_wait()
        }
    }

    /// Submits by a call of its own and counts its duration as submission latency of the batch.
    fn submit_timed(&mut self, before: u64) -> bool {
        let result = self.backend.submit();
        let duration = self.now().saturating_sub(before);
        if let Err(error) = result {
            return self.fail_interface(&error);
        }
        for &slot in &self.batch {
            let direction = self.slots[slot as usize].operation.direction;
            if let Some(slice) = &mut self.slice.directions[direction as usize] {
                slice.submission.record(duration);
            }
            self.slots[slot as usize].submission_ns = duration;
        }
        true
    }

    /// Counts every completion that is there as reaped at `reaped`.
    #[inline]
    fn reap_completions(&mut self, reaped: u64) {
        let mut came = 0;
        while let Some((slot, result)) = self.backend.reap() {
            let Slot { operation, submitted_ns, due_ns, moved, .. } = self.slots[slot as usize];
            let left = operation.length - moved;
            if result != left as i32 && !(self.nop && result == 0) {
                self.handle_unexpected(slot, result);
                continue;
            }
            came += 1;
            self.outstanding -= 1;
            self.free.push(slot);
            let bytes = u64::from(operation.length);
            self.count_requested(operation.direction, bytes);
            if self.checking && operation.direction == Direction::Read {
                self.check_slot(slot);
            }
            let latency = reaped.saturating_sub(submitted_ns);
            if let Some(tracer) = &mut self.tracer
                && self.measuring
            {
                tracer.record(&self.slots[slot as usize], reaped);
            }
            self.slice.record(operation.direction, bytes, latency, self.tick);
            if self.splits_submission {
                let submission = self.slots[slot as usize].submission_ns;
                self.slice
                    .record_completion(operation.direction, latency.saturating_sub(submission));
            }
            if due_ns > 0 {
                self.slice.record_response(operation.direction, reaped.saturating_sub(due_ns));
            }
        }
        self.activity.record_reap(came);
        if came > 0 {
            self.last_reap_ns = reaped;
            self.shared.reaped_ns.store(reaped, Ordering::Relaxed);
        }
    }

    #[inline]
    fn count_requested(&mut self, direction: Direction, bytes: u64) {
        self.requested.ops[direction as usize] += 1;
        self.requested.bytes[direction as usize] += bytes;
    }

    /// Adds what was outstanding since the last reading to the time integral.
    #[inline]
    fn accrue_outstanding(&mut self, now: u64) {
        let from = self.last_ns.max(self.schedule.measure_ns);
        let to = now.min(self.schedule.deadline_ns);
        self.outstanding_ns += self.outstanding * to.saturating_sub(from);
        self.last_ns = now;
    }

    /// Number of the interval that `now` lies in; negative during the warm-up.
    fn interval_index(&self, now: u64) -> i64 {
        let interval = (self.schedule.tick_ns * TICKS_PER_INTERVAL as u64) as i64;
        (now as i64 - self.schedule.measure_ns as i64).div_euclid(interval)
    }

    /// The clock passed the end of a tick, of an interval, of the warm-up or of the job.
    /// `false` when the job ends.
    #[cold]
    fn handle_time_event(&mut self, now: u64) -> bool {
        if !self.measuring && now >= self.schedule.measure_ns {
            self.measuring = true;
            self.cpu_at_start = Usage::of_this_thread().cpu_ns;
        }
        if self.must_stop(now) {
            return false;
        }
        let index = self.interval_index(now);
        if index != self.slice.index {
            if let Some(rotation) = &self.rotation {
                rotation.move_thread(index);
            }
            self.source.exchange_slice(&mut self.slice, index);
        }
        let tick_ns = self.schedule.tick_ns;
        let start = self.schedule.measure_ns as i64 + self.slice.index * (tick_ns * 10) as i64;
        let tick = ((now as i64 - start) / tick_ns as i64).max(0) as usize;
        self.tick = tick.min(TICKS_PER_INTERVAL - 1);
        let tick_end = start + (tick as i64 + 1) * tick_ns as i64;
        self.next_event_ns = (tick_end.max(0) as u64).min(self.schedule.deadline_ns);
        true
    }

    fn must_stop(&self, now: u64) -> bool {
        now >= self.schedule.deadline_ns || self.shared.stop.load(Ordering::Relaxed)
    }
}

/// Histograms of a worker that are not per interval.
pub(crate) fn new_histogram() -> Box<LatencyHistogram> {
    Box::default()
}
