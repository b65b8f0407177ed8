//! The end of a worker: drain, verify, report.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{DRAINING, ErrorCounts, OpenLoopReport, Slot, Usage, VERIFYING, VerifyReport, Worker};
use crate::backend::Backend;
use crate::outcome::{Activity, OperationError, RequestedOps};

/// How long a single wait of the drain may take before flags are looked at again.
const DRAIN_WAIT_MAX: Duration = Duration::from_millis(20);
/// Operations that do not come back within this after a stop are called back.
const CANCEL_AFTER_NS: u64 = 300_000_000;

/// What a worker hands back beside its slices.
#[derive(Debug)]
pub(crate) struct WorkerReport {
    pub(crate) requested: RequestedOps,
    pub(crate) outstanding_ns: u64,
    pub(crate) cpu_ns: (u64, u64),
    pub(crate) activity: Activity,
    /// End of its measured time, from the start of measuring.
    pub(crate) elapsed_ns: u64,
    /// From the common start to its own.
    pub(crate) skew_ns: u64,
    pub(crate) errors: ErrorCounts,
    pub(crate) error: Option<OperationError>,
    pub(crate) stopped: bool,
    pub(crate) open: Option<OpenLoopReport>,
    pub(crate) verified: Option<VerifyReport>,
}

impl<B: Backend> Worker<'_, B> {
    /// Waits for what is outstanding, within the drain limit, and makes the report.
    pub(super) fn finish(mut self) -> WorkerReport {
        let end = self.now();
        let cpu = Usage::of_this_thread().cpu_ns;
        let done_early = self.is_exhausted();
        self.shared.state.store(DRAINING, Ordering::Release);
        if self.pace.is_some() {
            self.count_unstarted(end);
        }
        self.drain(end);
        let sound = self.outstanding == 0 && self.error.is_none();
        if sound && self.verifier.is_some() && !self.shared.stop.load(Ordering::Relaxed) {
            self.shared.state.store(VERIFYING, Ordering::Release);
            self.verify_at_end();
        }
        self.requested.abandoned = self.outstanding;
        if self.outstanding > 0 {
            self.backend.abandon();
        }
        let measured_end = if done_early { self.last_reap_ns } else { end };
        let elapsed_ns =
            measured_end.min(self.schedule.deadline_ns).saturating_sub(self.schedule.measure_ns);
        let cpu_ns = if self.measuring {
            (cpu.0 - self.cpu_at_start.0, cpu.1 - self.cpu_at_start.1)
        } else {
            (0, 0)
        };
        self.source.send_last(self.slice);
        let usage = Usage::of_this_thread();
        WorkerReport {
            requested: self.requested,
            outstanding_ns: self.outstanding_ns,
            cpu_ns,
            activity: Activity {
                switches: usage.switches,
                major_faults: usage.major_faults,
                minor_faults: usage.minor_faults,
                ..self.activity
            },
            elapsed_ns,
            skew_ns: self.skew_ns,
            errors: self.errors,
            error: self.error,
            stopped: self.shared.stop.load(Ordering::Relaxed) && end < self.schedule.deadline_ns,
            open: self.pace.and_then(|pace| pace.report()),
            verified: self.verifier.map(|verifier| verifier.report()),
        }
    }

    /// Takes what comes back until nothing is outstanding or the limit is reached. What is still
    /// out after a stop, or after half the limit, is called back.
    fn drain(&mut self, end: u64) {
        let give_up = end.saturating_add(self.schedule.drain_ns);
        let mut cancelled = false;
        while self.outstanding > 0 && self.now() < give_up {
            let waited = self.now().saturating_sub(end);
            let stopped = self.shared.stop.load(Ordering::Relaxed);
            let patience = if stopped { CANCEL_AFTER_NS } else { self.schedule.drain_ns / 2 };
            if waited > patience && !cancelled {
                cancelled = true;
                self.backend.cancel();
            }
            if self.backend.wait(DRAIN_WAIT_MAX).is_err() {
                break;
            }
            while let Some((slot, result)) = self.backend.reap() {
                self.outstanding -= 1;
                self.free.push(slot);
                if result >= 0 {
                    self.count_late(slot, result as u64);
                }
            }
        }
    }

    /// Counts what came back after the end: in no figure, but for an open loop's response times.
    /// Those are of all operations planned in the measured time, or the slowest would be missing.
    fn count_late(&mut self, slot: u32, bytes: u64) {
        let Slot { operation, due_ns, .. } = self.slots[slot as usize];
        self.count_requested(operation.direction, bytes);
        if due_ns > 0 {
            let response = self.now().saturating_sub(due_ns);
            self.slice.record_response(operation.direction, response);
        }
    }
}
