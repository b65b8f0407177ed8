//! Every operation on its own, for logs and request-by-request output.

use rtrb::{Producer, PushError};

use super::slots::Slot;
use crate::outcome::TracedOperation;

/// Every operation on its own, for logs and request-by-request output.
#[derive(Debug)]
pub(crate) struct Tracer(pub(crate) Producer<TracedOperation>);

impl Tracer {
    /// A late reader is waited for: a trace with holes would be worse than a pause that shows in
    /// it.
    #[inline]
    pub(super) fn record(&mut self, slot: &Slot, reaped_ns: u64, sequence: u64, ioprio: u16) {
        let &Slot { operation, submitted_ns, submission_ns, due_ns, .. } = slot;
        let mut traced = TracedOperation {
            operation,
            submitted_ns,
            submission_ns,
            due_ns,
            reaped_ns,
            sequence,
            ioprio,
        };
        while let Err(PushError::Full(back)) = self.0.push(traced) {
            if self.0.is_abandoned() {
                return;
            }
            traced = back;
            std::thread::yield_now();
        }
    }
}
