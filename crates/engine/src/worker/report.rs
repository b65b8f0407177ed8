//! What a worker hands back beside its slices.

use crate::outcome::{
    Activity, ErrorCount, OpenLoopOutcome, OperationError, PriorityLatency, RequestedOps,
    VerifyOutcome,
};

#[derive(Debug, Default)]
pub(crate) struct WorkerReport {
    pub(crate) requested: RequestedOps,
    pub(crate) activity: Activity,
    /// End of the measured time, from the start of measuring.
    pub(crate) elapsed_ns: u64,
    pub(crate) errors: Vec<ErrorCount>,
    pub(crate) error: Option<OperationError>,
    pub(crate) stopped: bool,
    pub(crate) open_loop: Option<OpenLoopOutcome>,
    pub(crate) verified: Option<VerifyOutcome>,
    pub(crate) priorities: Vec<PriorityLatency>,
}

impl WorkerReport {
    pub(crate) fn merge(&mut self, other: Self) {
        self.requested.add(&other.requested);
        self.activity.add(&other.activity);
        self.elapsed_ns = self.elapsed_ns.max(other.elapsed_ns);
        for error in other.errors {
            let kind = (error.direction, error.errno);
            match self.errors.iter_mut().find(|known| (known.direction, known.errno) == kind) {
                Some(known) => known.count += error.count,
                None => self.errors.push(error),
            }
        }
        self.error = self.error.take().or(other.error);
        self.stopped |= other.stopped;
        // An open loop has one worker.
        self.open_loop = self.open_loop.take().or(other.open_loop);
        PriorityLatency::merge_all(&mut self.priorities, &other.priorities);
        if let Some(found) = other.verified {
            let verified = self.verified.get_or_insert_default();
            verified.blocks += found.blocks;
            verified.mismatched += found.mismatched;
            verified.mismatches.extend(found.mismatches);
        }
    }
}
