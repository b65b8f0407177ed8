//! The end of a worker: drain, verify, report.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::report::WorkerReport;
use super::slots::Slot;
use super::state::Worker;
use super::status::{DRAINING, VERIFYING};
use super::usage::Usage;
use crate::backend::Backend;
use crate::outcome::Activity;
use crate::sequence::Operation;

/// The longest wait of the drain between looks at the flags.
const DRAIN_WAIT_MAX: Duration = Duration::from_millis(20);
/// Operations still outstanding this long after a stop are called back.
const CANCEL_AFTER_NS: u64 = 300_000_000;

impl<B: Backend> Worker<'_, B> {
    pub(super) fn finish(mut self) -> WorkerReport {
        let end = self.now();
        let cpu_ns = self.activity_until_now().cpu_ns;
        let wait = self.run_queue.read_ns().zip(self.counters.run_queue_wait_at_start_ns);
        let done_early = self.is_exhausted();
        self.link.status.state.store(DRAINING, Ordering::Release);
        if self.pace.is_some() {
            self.count_unstarted(end);
        }
        self.accrue_outstanding(end);
        if self.timing.measuring {
            let measured_end = end.min(self.schedule.deadline_ns);
            self.counters.activity.outside_latencies_ns += self.slots.sum_ages_ns(measured_end);
        }
        let drain_silence_ns = self.drain(end);
        let sound = self.slots.outstanding == 0 && self.failures.fatal.is_none();
        if sound && self.verifier.is_some() && !self.is_stopped() {
            self.link.status.state.store(VERIFYING, Ordering::Release);
            self.verify_at_end(end < self.schedule.deadline_ns);
        }
        self.counters.requested.abandoned = self.slots.outstanding;
        if self.slots.outstanding > 0 {
            self.backend.abandon();
        }
        let measured_end = if done_early { self.timing.last_reap_ns } else { end };
        let elapsed_ns =
            measured_end.min(self.schedule.deadline_ns).saturating_sub(self.schedule.measure_ns);
        let stopped = self.is_stopped() && end < self.schedule.deadline_ns;
        let activity = self.activity_until_now();
        self.link.source.send_last(self.link.slice);
        WorkerReport {
            requested: self.counters.requested,
            activity: Activity {
                cpu_ns,
                drain_silence_ns,
                run_queue_wait_ns: wait.map(|(end, start)| end.saturating_sub(start)),
                ..activity
            },
            elapsed_ns,
            errors: self.failures.counts.list(),
            error: self.failures.fatal,
            stopped,
            open_loop: self.pace.and_then(|pace| pace.open_loop),
            verified: self.verifier.map(|verifier| verifier.outcome),
            priorities: self.priorities.map_or_else(Vec::new, |of| of.into_latencies()),
        }
    }

    /// What is counted so far; processor time from the start of the measured time.
    pub(super) fn activity_until_now(&self) -> Activity {
        let usage = Usage::of_this_thread();
        let (user, system) = self.counters.cpu_at_start;
        let cpu_ns = match self.timing.measuring {
            true => (usage.cpu_ns.0 - user, usage.cpu_ns.1 - system),
            false => (0, 0),
        };
        Activity {
            outstanding_ns: self.counters.outstanding_ns as f64,
            cpu_ns,
            switches: usage.switches,
            major_faults: usage.major_faults,
            minor_faults: usage.minor_faults,
            ..self.counters.activity
        }
    }

    /// Reaps until nothing is outstanding or the limit is reached. What is still outstanding after
    /// a stop, or after half the limit, is called back. Says how long it took from the end of the
    /// measured time until the first came back; `None` where nothing was outstanding then.
    fn drain(&mut self, end: u64) -> Option<u64> {
        let from_ns = end.min(self.schedule.deadline_ns);
        // A backend that blocks comes back after the end, and has nothing outstanding.
        let last_ns = self.timing.last_reap_ns;
        let mut silence_ns = (last_ns > from_ns).then(|| last_ns - from_ns);
        let is_waiting = self.slots.outstanding > 0;
        let give_up = end.saturating_add(self.schedule.drain_ns);
        let mut cancelled = false;
        while self.slots.outstanding > 0 && self.now() < give_up {
            let waited = self.now().saturating_sub(end);
            let stopped = self.is_stopped();
            let patience = if stopped { CANCEL_AFTER_NS } else { self.schedule.drain_ns / 2 };
            if waited > patience && !cancelled {
                cancelled = true;
                self.backend.cancel();
            }
            if self.backend.wait(DRAIN_WAIT_MAX).is_err() {
                break;
            }
            while let Some((slot, result)) = self.backend.reap() {
                self.slots.release(slot);
                silence_ns.get_or_insert_with(|| self.now().saturating_sub(from_ns));
                if result >= 0 {
                    self.count_late(slot, result as u64);
                }
            }
        }
        silence_ns.or_else(|| is_waiting.then(|| self.now().saturating_sub(from_ns)))
    }

    /// Counts a completion after the end: in no figure but an open loop's response times, of which
    /// the slowest would be missing.
    fn count_late(&mut self, slot: u32, bytes: u64) {
        let Slot { operation: Operation { direction, .. }, due_ns, is_comparable, .. } =
            self.slots.entries[slot as usize];
        self.count_requested(direction, bytes);
        if due_ns > 0 {
            let response = self.now().saturating_sub(due_ns);
            self.link.slice.record_response(direction, response, is_comparable);
        }
    }
}
