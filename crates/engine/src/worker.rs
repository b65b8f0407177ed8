//! The hot path: one worker thread's loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec};
use workload::Direction;

use crate::backend::{Backend, Request};
use crate::clock::Clock;
use crate::interval::{Slice, SliceSource, TICKS};
use crate::outcome::{Asked, OperationError};
use crate::payload::Buffers;
use crate::sequence::{Generator, Operation};

/// Largest batches: the first after a wait, and all others. Where many slots are free at once, a
/// small first batch sets the device to work while the next is prepared, and batches that double
/// from there keep calls per operation low; a bound on them bounds how late a completion can be
/// stamped. Measured on virtio at depth 16: 84k IOPS against 67k with all 16 in one batch.
const FIRST_BATCH: usize = 4;
const LARGEST_BATCH: usize = 32;

/// Completions less than 2 us apart come faster than a sleeping thread is woken: then so many looks
/// at the ring come before the next sleep. Only devices above 500k IOPS get there.
const POLL_GAP_NS: u64 = 2_000;
const POLLS: u32 = 128;

/// How long a single wait of the drain may take before flags are looked at again.
const DRAIN_SLICE: Duration = Duration::from_millis(20);

/// What the control plane and a worker tell each other while it runs.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Raised by the control plane: end now.
    pub(crate) stop: AtomicBool,
    /// [`LOOPING`], [`DRAINING`] or [`DONE`]; set by the worker.
    pub(crate) state: AtomicU8,
}

pub(crate) const LOOPING: u8 = 0;
pub(crate) const DRAINING: u8 = 1;
pub(crate) const DONE: u8 = 2;

/// When things happen, as readings of the clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Common start of all workers.
    pub(crate) start_ns: u64,
    /// Start of measuring: the warm-up lies before.
    pub(crate) measure_ns: u64,
    /// End of measuring; `u64::MAX` when only bytes or operations end it.
    pub(crate) deadline_ns: u64,
    /// Length of an interval: [`TICKS`] times `tick_ns`.
    pub(crate) tick_ns: u64,
    /// Data operations of this worker; `u64::MAX` when time ends it.
    pub(crate) operations: u64,
    /// How long outstanding operations are waited for after the end.
    pub(crate) drain_ns: u64,
    /// Spaced pacing: from one start to the next; 0 for a closed loop.
    pub(crate) spacing_ns: u64,
    /// Of so many batches one is submitted by a call of its own, which is timed.
    pub(crate) sample_every: u32,
}

/// What a worker hands back beside its slices.
#[derive(Debug)]
pub(crate) struct WorkerReport {
    pub(crate) asked: Asked,
    pub(crate) outstanding_ns: u64,
    pub(crate) cpu_ns: (u64, u64),
    /// End of its measured time, from the start of measuring.
    pub(crate) elapsed_ns: u64,
    pub(crate) error: Option<OperationError>,
    pub(crate) stopped: bool,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    operation: Operation,
    submitted_ns: u64,
}

/// Everything one worker thread needs; made before the start, so that the loop allocates nothing.
pub(crate) struct Worker<'run, B> {
    backend: B,
    buffers: &'run mut Buffers,
    generator: Generator,
    clock: Clock,
    schedule: Schedule,
    shared: Arc<Shared>,
    source: SliceSource,
    slice: Box<Slice>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    batch: Vec<u32>,
    batch_limit: usize,
    polls_left: u32,
    length: u32,
    /// Requests are no-operations: any result counts as a whole block.
    nop: bool,
    outstanding: u64,
    started_operations: u64,
    batches: u32,
    next_event_ns: u64,
    tick: usize,
    last_ns: u64,
    last_reap_ns: u64,
    outstanding_ns: u64,
    measuring: bool,
    cpu_at_start: (u64, u64),
    asked: Asked,
    error: Option<OperationError>,
}

/// What a worker is made of.
pub(crate) struct Parts<'run, B> {
    pub(crate) backend: B,
    pub(crate) buffers: &'run mut Buffers,
    pub(crate) generator: Generator,
    pub(crate) clock: Clock,
    pub(crate) schedule: Schedule,
    pub(crate) shared: Arc<Shared>,
    pub(crate) source: SliceSource,
    pub(crate) slice: Box<Slice>,
    pub(crate) depth: u32,
    pub(crate) nop: bool,
}

impl<'run, B: Backend> Worker<'run, B> {
    pub(crate) fn new(parts: Parts<'run, B>) -> Self {
        let depth = parts.depth;
        let idle = Slot {
            operation: Operation { direction: Direction::Read, offset: 0 },
            submitted_ns: 0,
        };
        Self {
            length: parts.generator.block_size().0 as u32,
            backend: parts.backend,
            buffers: parts.buffers,
            generator: parts.generator,
            clock: parts.clock,
            schedule: parts.schedule,
            shared: parts.shared,
            source: parts.source,
            slice: parts.slice,
            slots: vec![idle; depth as usize],
            free: (0..depth).rev().collect(),
            batch: Vec::with_capacity(LARGEST_BATCH),
            batch_limit: FIRST_BATCH,
            polls_left: 0,
            nop: parts.nop,
            outstanding: 0,
            started_operations: 0,
            batches: 0,
            next_event_ns: 0,
            tick: 0,
            last_ns: 0,
            last_reap_ns: 0,
            outstanding_ns: 0,
            measuring: false,
            cpu_at_start: (0, 0),
            asked: Asked::default(),
            error: None,
        }
    }

    /// Runs to the end, drains, and reports.
    pub(crate) fn run(mut self) -> WorkerReport {
        // All workers begin at one instant; it is a fraction of a millisecond away.
        while self.clock.now() < self.schedule.start_ns {
            std::hint::spin_loop();
        }
        self.last_ns = self.clock.now();
        self.last_reap_ns = self.last_ns;
        self.slice.index = self.index_of(self.last_ns);
        self.next_event_ns = self.last_ns;
        if self.schedule.spacing_ns > 0 {
            self.run_spaced();
        } else {
            self.run_closed();
        }
        self.finish()
    }

    /// A new operation for each that completes.
    fn run_closed(&mut self) {
        loop {
            self.fill();
            if !self.turn() {
                return;
            }
        }
    }

    /// One operation at each planned time; a late one goes at once and the plan stays.
    fn run_spaced(&mut self) {
        let mut planned = self.last_ns;
        loop {
            while self.clock.now() < planned {
                let due = self.clock.to_monotonic(planned);
                let until = Timespec {
                    tv_sec: (due / 1_000_000_000) as i64,
                    tv_nsec: (due % 1_000_000_000) as i64,
                };
                // A signal ends the sleep early: the flag below says whether that was meant.
                let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
                if self.must_stop(self.clock.now()) {
                    return;
                }
            }
            planned += self.schedule.spacing_ns;
            self.last_ns = self.clock.now();
            self.fill();
            if !self.turn() {
                return;
            }
        }
    }

    /// Queues operations for the free slots, as many as the batch may hold.
    #[inline]
    fn fill(&mut self) {
        while self.batch.len() < self.batch_limit
            && self.started_operations < self.schedule.operations
        {
            let Some(slot) = self.free.pop() else { break };
            let operation = self.generator.advance();
            self.started_operations += u64::from(operation.direction != Direction::Sync);
            let buffer = match operation.direction {
                Direction::Write => self.buffers.for_write(slot),
                Direction::Read | Direction::Sync => self.buffers.for_read(slot),
            };
            let Operation { direction, offset } = operation;
            self.slots[slot as usize].operation = operation;
            self.backend.queue(slot, &Request { direction, offset, buffer, length: self.length });
            self.batch.push(slot);
        }
    }

    /// Submits the batch, takes what completed, and waits for that only when no slot is free.
    /// `false` when the loop must end.
    #[inline]
    fn turn(&mut self) -> bool {
        let submitted = self.clock.now();
        self.accrue(submitted);
        for &slot in &self.batch {
            self.slots[slot as usize].submitted_ns = submitted;
        }
        self.outstanding += self.batch.len() as u64;
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
        let more = !self.free.is_empty() && self.started_operations < self.schedule.operations;
        let result = if more {
            self.batch_limit = (self.batch_limit * 2).min(LARGEST_BATCH);
            self.backend.submit_and_poll()
        } else {
            self.batch_limit = FIRST_BATCH;
            self.submit_and_await()
        };
        if let Err(error) = result {
            return self.interface_failed(&error);
        }
        let reaped = self.clock.now();
        self.accrue(reaped);
        if reaped >= self.next_event_ns && !self.on_time(reaped) {
            return false;
        }
        let (silence, free) = (reaped.saturating_sub(self.last_reap_ns), self.free.len());
        self.take(reaped);
        let came = (self.free.len() - free) as u64;
        if came > 0 && silence < came * POLL_GAP_NS && self.slots.len() > 1 {
            self.polls_left = POLLS;
        }
        self.error.is_none() && !self.shared.stop.load(Ordering::Relaxed)
    }

    /// Waits for a completion: asleep, or by looking again and again where completions lately came
    /// faster than a sleeper is woken.
    #[inline]
    fn submit_and_await(&mut self) -> std::io::Result<()> {
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
        let duration = self.clock.now().saturating_sub(before);
        if let Err(error) = result {
            return self.interface_failed(&error);
        }
        for &slot in &self.batch {
            let direction = self.slots[slot as usize].operation.direction;
            if let Some(slice) = &mut self.slice.directions[direction as usize] {
                slice.submission.record(duration);
            }
        }
        true
    }

    /// Counts every completion that is there as reaped at `reaped`.
    #[inline]
    fn take(&mut self, reaped: u64) {
        while let Some((slot, result)) = self.backend.reap() {
            let Slot { operation, submitted_ns } = self.slots[slot as usize];
            let bytes = if operation.direction == Direction::Sync { 0 } else { self.length };
            if result != bytes as i32 && !(self.nop && result == 0) {
                self.unexpected(slot, result);
                continue;
            }
            self.outstanding -= 1;
            self.free.push(slot);
            self.last_reap_ns = reaped;
            self.count_asked(operation.direction, u64::from(bytes));
            let latency = reaped.saturating_sub(submitted_ns);
            self.slice.record(operation.direction, u64::from(bytes), latency, self.tick);
        }
    }

    #[inline]
    fn count_asked(&mut self, direction: Direction, bytes: u64) {
        self.asked.ops[direction as usize] += 1;
        self.asked.bytes[direction as usize] += bytes;
    }

    /// A result that is not the whole block: again, or the end.
    #[cold]
    fn unexpected(&mut self, slot: u32, result: i32) {
        let operation = self.slots[slot as usize].operation;
        if matches!(-result, libc::EAGAIN | libc::EINTR) {
            let Operation { direction, offset } = operation;
            // The same operation again, in the same buffer; its latency goes on from the start.
            let buffer = match direction {
                Direction::Write => self.buffers.for_write(slot),
                Direction::Read | Direction::Sync => self.buffers.for_read(slot),
            };
            self.backend.queue(slot, &Request { direction, offset, buffer, length: self.length });
            return;
        }
        self.outstanding -= 1;
        self.free.push(slot);
        self.error.get_or_insert(OperationError {
            direction: operation.direction,
            offset: operation.offset,
            length: u64::from(self.length),
            errno: if result < 0 { -result } else { 0 },
            short: result.max(0) as u64,
        });
    }

    /// The interface itself failed, not an operation.
    #[cold]
    fn interface_failed(&mut self, error: &std::io::Error) -> bool {
        self.error.get_or_insert(OperationError {
            direction: Direction::Read,
            offset: 0,
            length: 0,
            errno: error.raw_os_error().unwrap_or(libc::EIO),
            short: 0,
        });
        false
    }

    /// Adds what was outstanding since the last reading to the time integral.
    #[inline]
    fn accrue(&mut self, now: u64) {
        let from = self.last_ns.max(self.schedule.measure_ns);
        let to = now.min(self.schedule.deadline_ns);
        self.outstanding_ns += self.outstanding * to.saturating_sub(from);
        self.last_ns = now;
    }

    /// Number of the interval that `now` lies in; negative during the warm-up.
    fn index_of(&self, now: u64) -> i64 {
        let interval = (self.schedule.tick_ns * TICKS as u64) as i64;
        (now as i64 - self.schedule.measure_ns as i64).div_euclid(interval)
    }

    /// The clock passed the end of a tick, of an interval, of the warm-up or of the job.
    /// `false` when the job ends.
    #[cold]
    fn on_time(&mut self, now: u64) -> bool {
        if !self.measuring && now >= self.schedule.measure_ns {
            self.measuring = true;
            self.cpu_at_start = thread_cpu_ns();
        }
        if self.must_stop(now) {
            return false;
        }
        let index = self.index_of(now);
        if index != self.slice.index {
            self.source.exchange(&mut self.slice, index);
        }
        let tick_ns = self.schedule.tick_ns;
        let start = self.schedule.measure_ns as i64 + self.slice.index * (tick_ns * 10) as i64;
        let tick = ((now as i64 - start) / tick_ns as i64).max(0) as usize;
        self.tick = tick.min(TICKS - 1);
        let tick_end = start + (tick as i64 + 1) * tick_ns as i64;
        self.next_event_ns = (tick_end.max(0) as u64).min(self.schedule.deadline_ns);
        true
    }

    fn must_stop(&self, now: u64) -> bool {
        now >= self.schedule.deadline_ns || self.shared.stop.load(Ordering::Relaxed)
    }

    /// Waits for what is outstanding, within the drain limit, and makes the report.
    fn finish(mut self) -> WorkerReport {
        let end = self.clock.now();
        let cpu = thread_cpu_ns();
        self.shared.state.store(DRAINING, Ordering::Release);
        let give_up = end.saturating_add(self.schedule.drain_ns);
        while self.outstanding > 0 && self.clock.now() < give_up {
            if self.backend.wait(DRAIN_SLICE).is_err() {
                break;
            }
            while let Some((slot, result)) = self.backend.reap() {
                self.outstanding -= 1;
                let direction = self.slots[slot as usize].operation.direction;
                if result >= 0 {
                    self.count_asked(direction, result as u64);
                }
            }
        }
        self.asked.abandoned = self.outstanding;
        let measured_end = if self.started_operations >= self.schedule.operations {
            self.last_reap_ns
        } else {
            end
        };
        let elapsed_ns =
            measured_end.min(self.schedule.deadline_ns).saturating_sub(self.schedule.measure_ns);
        let cpu_ns = if self.measuring {
            (cpu.0 - self.cpu_at_start.0, cpu.1 - self.cpu_at_start.1)
        } else {
            (0, 0)
        };
        self.source.finish(self.slice);
        WorkerReport {
            asked: self.asked,
            outstanding_ns: self.outstanding_ns,
            cpu_ns,
            elapsed_ns,
            error: self.error,
            stopped: self.shared.stop.load(Ordering::Relaxed) && end < self.schedule.deadline_ns,
        }
    }
}

/// Processor time of this thread so far: user, system.
fn thread_cpu_ns() -> (u64, u64) {
    // SAFETY: `usage` is plain data that getrusage fills in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
        usage
    };
    let ns = |t: libc::timeval| t.tv_sec as u64 * 1_000_000_000 + t.tv_usec as u64 * 1_000;
    (ns(usage.ru_utime), ns(usage.ru_stime))
}
