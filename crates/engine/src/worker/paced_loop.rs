//! The loop of a worker whose operations start when a plan says so.

use std::io;
use std::time::Duration;

use workload::{Direction, ThinkTime};

use super::pace::Pace;
use super::slots::{BATCH_MAX, PREPARED_BYTES_MAX};
use super::state::Worker;
use crate::backend::Backend;
use crate::sequence::Operation;

const SLEEP_MAX_NS: u64 = 20_000_000;
/// A job that is ahead of its flow spins this long, before it sleeps between looks. It does not
/// yield the processor: on a busy host it would get it back only after a time slice of the others.
const FLOW_SPIN_NS: u64 = 50_000;
/// Between looks at a flow, and for an operation that a stream does not have yet.
const POLL_NS: u64 = 50_000;

impl<B: Backend> Worker<'_, B> {
    /// Starts each operation when it is due and collects meanwhile. Its flow goes on without it
    /// afterwards.
    pub(super) fn run_paced(&mut self, pace: &mut Pace) {
        self.run_plan(pace);
        pace.flow = None;
    }

    fn run_plan(&mut self, pace: &mut Pace) {
        let start = self.schedule.start_ns.max(self.timing.last_ns);
        pace.begin(start);
        loop {
            let now = self.now();
            if now >= self.timing.next_event_ns && !self.handle_time_event(now) {
                return;
            }
            if self.verifier.is_some() && !self.pass_barrier() {
                return;
            }
            self.start_due_operations(pace, now);
            self.stamp_batch(now);
            if self.behaviour.splits_submission
                && !self.slots.batch.is_empty()
                && !self.submit_timed(now)
            {
                return;
            }
            self.slots.batch.clear();
            if self.slots.outstanding == 0 && self.is_exhausted() && pace.next.is_none() {
                return;
            }
            if let Err(error) = self.collect_until_due(pace, now) {
                self.fail_interface(&error);
            }
            // Completions after the deadline are in no figure.
            let Some(reaped) = self.read_clock() else { return };
            let before = self.slots.free.len();
            self.reap_completions(reaped, u64::MAX);
            if self.slots.outstanding == 0 {
                pace.begin_pause(reaped);
            }
            if self.slots.free.len() > before && pace.full_since_ns.is_some() {
                self.clear_full_mark(pace, reaped);
            }
            if self.failures.fatal.is_some() || self.is_stopped() {
                return;
            }
        }
    }

    /// Counts operations planned for the measured time that found no slot until its end. They have
    /// waited until `end` at least: the slowest would be missing without them.
    pub(super) fn count_unstarted(&mut self, end: u64) {
        let Some(mut pace) = self.pace.take() else { return };
        let last = end.min(self.schedule.deadline_ns);
        while pace.is_open_loop() && self.failures.fatal.is_none() && !self.is_exhausted() {
            let next = pace.next.take().or_else(|| self.next_planned(&mut pace));
            let Some(operation) = next else {
                // sleeps because the stream is behind, and its thread may need this processor
                std::thread::sleep(Duration::from_nanos(POLL_NS));
                continue;
            };
            let due = pace.due_ns(&operation);
            if due >= last {
                break;
            }
            pace.record_unstarted();
            self.link.slice.record_response(operation.direction, end - due, false);
        }
        self.pace = Some(pace);
    }

    /// Slots came free: only operations that still find none are held back.
    fn clear_full_mark(&mut self, pace: &mut Pace, now: u64) {
        let none_is_due = match pace.next {
            Some(operation) => pace.due_ns(&operation) > now,
            // Of a stream it is only not known yet.
            None => pace.stream.is_none(),
        };
        if none_is_due {
            pace.full_since_ns = None;
        }
    }

    /// The next operation of the plan; `None` where a stream has none yet, or no more.
    #[inline]
    fn next_planned(&mut self, pace: &mut Pace) -> Option<Operation> {
        if pace.stream.is_none() {
            return Some(self.generator.next_operation());
        }
        let next = pace.next_streamed();
        if next.is_none() && pace.is_stream_over() {
            self.schedule.operations = 0; // from here on it is exhausted
            if pace.is_stream_refused() {
                self.fail_interface(&std::io::Error::from_raw_os_error(libc::EINVAL));
            }
        }
        next
    }

    #[inline]
    fn start_due_operations(&mut self, pace: &mut Pace, now: u64) {
        let mut prepared_bytes = 0;
        while self.slots.batch.len() < BATCH_MAX && prepared_bytes < PREPARED_BYTES_MAX {
            let operation = match pace.next.take() {
                Some(operation) => operation,
                None if self.is_exhausted() => return,
                None => match self.next_planned(pace) {
                    Some(operation) => operation,
                    None => {
                        if !self.slots.free.is_empty() {
                            // What comes late now is the stream's doing, not that of the slots.
                            pace.full_since_ns = None;
                        }
                        return;
                    }
                },
            };
            let due = pace.due_ns(&operation);
            if due > now {
                pace.full_since_ns = None;
                pace.next = Some(operation);
                return;
            }
            if self.must_wait_for_overlap(&operation) {
                pace.next = Some(operation);
                return;
            }
            let Some(slot) = self.slots.free.pop() else {
                if pace.is_open_loop() {
                    pace.full_since_ns.get_or_insert(now);
                }
                pace.next = Some(operation);
                return;
            };
            if !pace.may_start(&operation, now) {
                self.slots.free.push(slot);
                pace.next = Some(operation);
                return;
            }
            if pace.is_open_loop() {
                // Where calls block, a depth of 1 was taken until the last one came back.
                let blocked = !B::SPLITS_SUBMISSION
                    && self.slots.entries.len() == 1
                    && due < self.timing.last_reap_ns;
                let busy_since_ns =
                    blocked.then_some(self.slots.entries[slot as usize].submitted_ns);
                let outstanding = self.slots.outstanding + self.slots.batch.len() as u64;
                // A plan at the clock's zero would look like none.
                self.start_operation(slot, operation, due.max(1));
                let is_comparable = !blocked && pace.is_comparable(outstanding);
                self.slots.entries[slot as usize].is_comparable = is_comparable;
                if self.timing.measuring {
                    pace.record_lag(due, now, busy_since_ns);
                }
            } else {
                self.start_operation(slot, operation, 0);
            }
            pace.record_start(&operation, now);
            if operation.direction == Direction::Write {
                prepared_bytes += u64::from(operation.length);
            }
            if self.verifier.is_some() && self.has_barrier() {
                return;
            }
        }
    }

    fn collect_until_due(&mut self, pace: &mut Pace, now: u64) -> io::Result<()> {
        let Some(next) = pace.next else {
            let more = !self.is_exhausted() && !self.slots.free.is_empty();
            return match more {
                true if pace.never_spins && pace.is_stream_dry() => {
                    self.wait_until(now + POLL_NS, now)
                }
                true => self.backend.submit_and_poll(usize::MAX), // the batch was full
                false => self.backend.submit_and_wait(),
            };
        };
        let due = pace.due_ns(&next);
        if let Some(since) = pace.held_since_ns {
            return self.wait_for_flow(pace, since, now);
        }
        if due <= now || pace.awaits_pause() {
            // Every slot is taken, or all are waited for.
            return self.backend.submit_and_wait();
        }
        let left = due - now;
        let spun_out = |think: ThinkTime| {
            let begun_ns = pace.resume_ns.saturating_sub(think.time.0);
            begun_ns.saturating_add(think.spin.0.min(think.time.0))
        };
        if pace.think.is_some_and(|think| now < spun_out(think)) {
            return self.backend.submit_and_poll(usize::MAX);
        }
        let margin = if B::CAN_POLL && !pace.never_spins { pace.margin_ns } else { 0 };
        if left <= margin {
            return self.backend.submit_and_poll(usize::MAX);
        }
        let until =
            due.saturating_sub(margin).min(now + SLEEP_MAX_NS).min(self.schedule.deadline_ns);
        let result = self.wait_until(until, now);
        pace.record_oversleep(self.now().saturating_sub(until));
        result
    }

    /// Waits for the other members of the flow: for its poll interval where given; else spins
    /// first, and later sleeps between looks.
    fn wait_for_flow(&mut self, pace: &Pace, since: u64, now: u64) -> io::Result<()> {
        let asked = pace.flow.as_ref().is_some_and(|flow| flow.poll_interval_ns > 0);
        if !asked && now.saturating_sub(since) < FLOW_SPIN_NS {
            return self.backend.submit_and_poll(usize::MAX);
        }
        let look = if asked { pace.held_until_ns } else { now + POLL_NS };
        let until = look.min(now + SLEEP_MAX_NS).min(self.schedule.deadline_ns);
        self.wait_until(until, now)
    }

    fn wait_until(&mut self, until: u64, now: u64) -> io::Result<()> {
        if self.slots.outstanding > 0 {
            return self.backend.wait(Duration::from_nanos(until.saturating_sub(now).max(1)));
        }
        self.backend.sleep(&self.timing.clock, until);
        Ok(())
    }
}
