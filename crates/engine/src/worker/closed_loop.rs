//! The loop of a worker that starts an operation for each that completes, and the steps that all
//! loops share.

use std::sync::atomic::Ordering;

use workload::Direction;

use super::report::WorkerReport;
use super::slots::{BATCH_MAX, IDLE_SLOT, PREPARED_BYTES_MAX, Slot};
use super::state::Worker;
use super::usage::Usage;
use crate::backend::{Backend, Request};
use crate::interval::TICKS_PER_INTERVAL;
use crate::sequence::Operation;

/// Before the common start: time spent spinning, and time between looks at the stop flag.
const START_SPIN_NS: u64 = 250_000;
const START_POLL_NS: u64 = 50_000_000;

impl<B: Backend> Worker<'_, B> {
    pub(crate) fn run(mut self) -> WorkerReport {
        // What is far away is slept through; the last of the wait is spent looking at the clock.
        while self.now() + START_SPIN_NS < self.schedule.start_ns && !self.is_stopped() {
            let until = self.schedule.start_ns - START_SPIN_NS;
            self.backend.sleep(&self.timing.clock, until.min(self.now() + START_POLL_NS));
        }
        while self.now() < self.schedule.start_ns && !self.is_stopped() {
            std::hint::spin_loop();
        }
        let now = self.now();
        self.timing.last_ns = now;
        self.timing.last_reap_ns = now;
        self.timing.next_event_ns = now;
        self.counters.activity.start_skew_ns = now.saturating_sub(self.schedule.start_ns);
        self.link.slice.index = self.interval_index(now);
        if let Some(mut pace) = self.pace.take() {
            self.run_paced(&mut pace);
            self.pace = Some(pace);
        } else {
            self.run_closed();
        }
        self.finish()
    }

    fn run_closed(&mut self) {
        self.fill_batch();
        if self.behaviour.one_by_one {
            while self.run_single_turn() {
                self.fill_batch();
            }
            return;
        }
        while self.run_turn() {
            self.fill_batch();
        }
    }

    /// Submits what is queued and takes one completion; waits for it only when no slot is free.
    /// `false` when the loop must end.
    fn run_single_turn(&mut self) -> bool {
        let submitted = self.now();
        self.stamp_batch(submitted);
        if self.slots.outstanding == 0 {
            return false;
        }
        if !self.slots.batch.is_empty() {
            if self.slots.times_batch {
                if !self.submit_timed(submitted) {
                    return false;
                }
            } else if let Err(error) = self.backend.submit() {
                return self.fail_interface(&error);
            }
        }
        self.slots.batch.clear();
        let Some(now) = self.read_clock() else { return false };
        let before = self.slots.free.len();
        let must_wait = before == 0 || self.is_exhausted() || self.generator.is_held();
        self.reap_completions(now, 1);
        if must_wait && self.slots.free.len() == before && self.failures.fatal.is_none() {
            if let Err(error) = self.backend.submit_and_wait() {
                return self.fail_interface(&error);
            }
            let Some(reaped) = self.read_clock() else { return false };
            self.reap_completions(reaped, 1);
        }
        self.failures.fatal.is_none() && !self.is_stopped()
    }

    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.counters.started_operations >= self.schedule.operations
            || (self.counters.started_bytes >= self.schedule.bytes && !self.generator.owes_one())
            || self.timing.last_ns >= self.schedule.last_start_ns
    }

    #[inline]
    fn fill_batch(&mut self) {
        if self.verifier.is_some() && !self.pass_barrier() {
            return;
        }
        self.slots.batches = self.slots.batches.wrapping_add(1);
        self.slots.times_batch = B::SPLITS_SUBMISSION
            && self.slots.batches.is_multiple_of(self.schedule.sample_every)
            && self.backend.pending() == 0;
        let limit = if self.slots.times_batch { self.slots.call_limit } else { BATCH_MAX };
        let mut prepared_bytes = 0;
        while self.slots.batch.len() < limit && !self.is_exhausted() {
            if self.slots.free.is_empty() {
                break;
            }
            let operation = self.generator.next_operation();
            if self.must_wait_for_overlap(&operation) {
                self.generator.hold(operation);
                break;
            }
            let Some(slot) = self.slots.free.pop() else { break };
            self.start_operation(slot, operation, 0);
            if operation.direction == Direction::Write {
                prepared_bytes += u64::from(operation.length);
            }
            if prepared_bytes >= PREPARED_BYTES_MAX {
                return;
            }
            if self.verifier.is_some() && self.has_barrier() {
                return;
            }
        }
    }

    #[inline]
    pub(super) fn must_wait_for_overlap(&self, operation: &Operation) -> bool {
        self.behaviour.serializes_overlap && self.slots.has_overlap(operation)
    }

    #[inline]
    pub(super) fn start_operation(&mut self, slot: u32, operation: Operation, due_ns: u64) {
        let Operation { direction, target, length, offset } = operation;
        self.counters.started_operations += u64::from(direction != Direction::Sync);
        self.counters.started_bytes += u64::from(length);
        let buffer = match direction {
            Direction::Write => self.write_buffer(slot, &operation),
            Direction::Read if self.behaviour.touches_reads => {
                self.buffers.touch_read_buffer(slot, length)
            }
            _ => self.buffers.read_buffer(slot),
        };
        let submitted = Slot { operation, buffer, due_ns, ..IDLE_SLOT };
        self.slots.entries[slot as usize] = submitted;
        let ioprio = match &mut self.priorities {
            None => 0,
            Some(priorities) => priorities.choose(slot, &operation),
        };
        self.backend.queue(slot, &Request { direction, target, offset, buffer, length, ioprio });
        self.slots.batch.push(slot);
    }

    #[inline]
    fn write_buffer(&mut self, slot: u32, operation: &Operation) -> *mut u8 {
        if !B::MOVES_DATA {
            return self.buffers.read_buffer(slot);
        }
        let time_ns = self.timing.last_ns;
        match &mut self.verifier {
            None => {
                self.buffers.prepare_write_at(slot, operation.length, operation.offset, time_ns)
            }
            Some(verifier) => verifier.seal_write(self.buffers, slot, operation, time_ns),
        }
    }

    #[inline]
    pub(super) fn stamp_batch(&mut self, now: u64) {
        self.accrue_outstanding(now);
        for &slot in &self.slots.batch {
            self.slots.entries[slot as usize].submitted_ns = now;
        }
        self.counters
            .activity
            .record_submission(self.slots.outstanding, self.slots.batch.len() as u64);
        self.slots.outstanding += self.slots.batch.len() as u64;
        self.link.status.outstanding.store(self.slots.outstanding as u32, Ordering::Relaxed);
    }

    /// Submits what is queued, in several calls where the device is the bottleneck, reaps
    /// completions, and waits for one only when no slot is free. `false` when the loop must end.
    #[inline]
    fn run_turn(&mut self) -> bool {
        let submitted = self.now();
        self.stamp_batch(submitted);
        if self.slots.outstanding == 0 {
            return false; // the operations are used up and all are back
        }
        let (pending, limit) = (self.backend.pending(), self.slots.call_limit);
        let can_start = !self.slots.free.is_empty() && !self.generator.is_held();
        let more = pending > limit || (can_start && !self.is_exhausted());
        if self.slots.times_batch && !self.slots.batch.is_empty() && !self.submit_timed(submitted) {
            return false;
        }
        self.slots.batch.clear();
        let result =
            if more { self.backend.submit_and_poll(limit) } else { self.submit_and_poll_or_wait() };
        if let Err(error) = result {
            return self.fail_interface(&error);
        }
        let Some(reaped) = self.read_clock() else { return false };
        let free = self.slots.free.len();
        self.reap_completions(reaped, u64::MAX);
        let came = self.slots.free.len() - free;
        self.slots.adapt_call(pending.min(limit), came, more);
        if B::CAN_POLL {
            self.slots.adapt_polls(came as u64, reaped, self.schedule.polls_before_sleep);
        }
        self.failures.fatal.is_none() && !self.is_stopped()
    }

    /// Sleeps, or polls where completions lately came faster than a sleeper is woken.
    #[inline]
    fn submit_and_poll_or_wait(&mut self) -> std::io::Result<()> {
        if self.slots.polls_left > 0 {
            self.slots.polls_left -= 1;
            self.backend.submit_and_poll(usize::MAX)
        } else {
            self.backend.submit_and_wait()
        }
    }

    /// Submits by a call of its own, whose duration is the batch's submission latency.
    pub(super) fn submit_timed(&mut self, before: u64) -> bool {
        let result = self.backend.submit();
        let duration = self.now().saturating_sub(before);
        if let Err(error) = result {
            return self.fail_interface(&error);
        }
        for &slot in &self.slots.batch {
            let direction = self.slots.entries[slot as usize].operation.direction;
            if direction == Direction::Trim {
                continue; // it is over when its call returns: it has no submission apart
            }
            if !self.behaviour.splits_submission
                && let Some(slice) = &mut self.link.slice.directions[direction as usize]
            {
                slice.sum.submission.record(duration);
            }
            self.slots.entries[slot as usize].submission_ns = duration;
        }
        true
    }

    /// Counts completions, `most` of them, as reaped at `reaped`.
    #[inline]
    pub(super) fn reap_completions(&mut self, reaped: u64, most: u64) {
        let mut came = 0;
        while came < most
            && let Some((slot, result)) = self.backend.reap()
        {
            let Slot { operation, submitted_ns, due_ns, moved, is_comparable, .. } =
                self.slots.entries[slot as usize];
            let left = operation.length - moved;
            if result != left as i32 && !(self.behaviour.nop && result == 0) {
                self.handle_unexpected(slot, result);
                continue;
            }
            came += 1;
            self.slots.release(slot);
            let bytes = u64::from(operation.length);
            self.count_requested(operation.direction, bytes);
            if self.behaviour.compares_reads && operation.direction == Direction::Read {
                self.check_slot(slot);
            }
            let latency = reaped.saturating_sub(submitted_ns);
            if let Some(tracer) = &mut self.link.tracer
                && self.timing.measuring
            {
                let sequence = self.verifier.as_ref().map_or(0, |v| v.sequence_of(slot));
                let ioprio = self.priorities.as_ref().map_or(0, |of| of.of_slot(slot));
                tracer.record(&self.slots.entries[slot as usize], reaped, sequence, ioprio);
            }
            self.link.slice.record(operation.direction, bytes, latency, self.timing.tick);
            if self.behaviour.splits_submission {
                let submission = self.slots.entries[slot as usize].submission_ns;
                let completion = latency.saturating_sub(submission);
                self.link.slice.record_parts(operation.direction, submission, completion);
            }
            if let Some(priorities) = &mut self.priorities
                && self.timing.measuring
                && operation.direction != Direction::Sync
            {
                let submission = self.slots.entries[slot as usize].submission_ns;
                priorities.record(slot, latency, latency.saturating_sub(submission));
            }
            if due_ns > 0 {
                let response = reaped.saturating_sub(due_ns);
                self.link.slice.record_response(operation.direction, response, is_comparable);
            }
        }
        self.counters.activity.record_reap(came);
        if came > 0 {
            self.timing.last_reap_ns = reaped;
            self.link.status.reaped_ns.store(reaped, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn count_requested(&mut self, direction: Direction, bytes: u64) {
        self.counters.requested.ops[direction as usize] += 1;
        self.counters.requested.bytes[direction as usize] += bytes;
    }

    /// Reads the clock after a wait; `None` when the job ends.
    #[inline]
    pub(super) fn read_clock(&mut self) -> Option<u64> {
        let now = self.now();
        self.accrue_outstanding(now);
        (now < self.timing.next_event_ns || self.handle_time_event(now)).then_some(now)
    }

    /// Adds the operations outstanding since the last reading to the time integral.
    #[inline]
    pub(super) fn accrue_outstanding(&mut self, now: u64) {
        let from = self.timing.last_ns.max(self.schedule.measure_ns);
        let to = now.min(self.schedule.deadline_ns);
        self.counters.outstanding_ns += self.slots.outstanding * to.saturating_sub(from);
        self.timing.last_ns = now;
    }

    /// Number of the interval that `now` lies in; negative during the warm-up.
    fn interval_index(&self, now: u64) -> i64 {
        let interval = (self.schedule.tick_ns * TICKS_PER_INTERVAL as u64) as i64;
        (now as i64 - self.schedule.measure_ns as i64).div_euclid(interval)
    }

    /// The end of a tick, of an interval, of the warm-up or of the job; `false` when the job ends.
    #[cold]
    pub(super) fn handle_time_event(&mut self, now: u64) -> bool {
        if !self.timing.measuring && now >= self.schedule.measure_ns {
            self.timing.measuring = true;
            self.counters.cpu_at_start = Usage::of_this_thread().cpu_ns;
            self.counters.run_queue_wait_at_start_ns = self.run_queue.read_ns();
            let before_ns = self.slots.sum_ages_ns(self.schedule.measure_ns);
            self.counters.activity.outside_latencies_ns -= before_ns;
        }
        if now >= self.schedule.deadline_ns || self.is_stopped() {
            return false;
        }
        let index = self.interval_index(now);
        if index != self.link.slice.index {
            if let Some(rotation) = &self.rotation {
                rotation.move_thread(index);
            }
            self.link.slice.activity = self.activity_until_now();
            self.link.source.exchange_slice(&mut self.link.slice, index);
        }
        let tick_ns = self.schedule.tick_ns;
        let start = self.schedule.measure_ns as i64 + self.link.slice.index * (tick_ns * 10) as i64;
        let tick = ((now as i64 - start) / tick_ns as i64).max(0) as usize;
        self.timing.tick = tick.min(TICKS_PER_INTERVAL - 1);
        let tick_end = start + (tick as i64 + 1) * tick_ns as i64;
        self.timing.next_event_ns = (tick_end.max(0) as u64).min(self.schedule.deadline_ns);
        true
    }
}
