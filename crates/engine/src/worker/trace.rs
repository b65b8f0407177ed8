//! Every operation on its own, for logs and request-by-request output.

use rtrb::Producer;

use super::slots::Slot;
use crate::outcome::TracedOperation;

/// The worker's end of a trace.
#[derive(Debug)]
pub(crate) struct Tracer {
    ring: Producer<TracedOperation>,
}

impl Tracer {
    pub(crate) fn new(ring: Producer<TracedOperation>) -> Self {
        Self { ring }
    }

    /// Traces the operation in `slot`. A late reader is waited for: a trace with holes would be
    /// worse than a pause that shows in it.
    #[inline]
    pub(super) fn record(&mut self, slot: &Slot, reaped_ns: u64) {
        let &Slot { operation, submitted_ns, submission_ns, due_ns, .. } = slot;
        let mut traced =
            TracedOperation { operation, submitted_ns, submission_ns, due_ns, reaped_ns };
        while let Err(rtrb::PushError::Full(back)) = self.ring.push(traced) {
            if self.ring.is_abandoned() {
                return;
            }
            traced = back;
            std::thread::yield_now();
        }
    }
}
