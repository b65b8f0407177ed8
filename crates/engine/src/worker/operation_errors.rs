//! Operations that do not end as they should.

use workload::{Direction, Failure, OnError};

use super::slots::Slot;
use super::state::Worker;
use crate::backend::{Backend, Request};
use crate::outcome::OperationError;
use crate::sequence::Operation;

impl<B: Backend> Worker<'_, B> {
    /// A result other than the rest of the operation: submits the rest again, or counts a failure.
    #[cold]
    pub(super) fn handle_unexpected(&mut self, slot: u32, result: i32) {
        let place = &mut self.slots.entries[slot as usize];
        let left = place.operation.length - place.moved;
        let again = matches!(-result, libc::EAGAIN | libc::EINTR);
        if again || (result > 0 && (result as u32) < left) {
            if !again {
                place.moved += result as u32;
                self.counters.requested.resumed += 1;
            }
            self.queue_rest(slot);
            return;
        }
        if self.timing.measuring {
            let latency = self.timing.last_ns.saturating_sub(place.submitted_ns);
            self.counters.activity.outside_latencies_ns += latency as i64;
        }
        let operation = place.operation;
        let moved = u64::from(place.moved);
        self.slots.release(slot);
        let errno = if result < 0 { -result } else { 0 };
        self.failures.counts.count(operation.direction, errno);
        let is_fatal = match &self.failures.on_error {
            OnError::Stop => true,
            OnError::Continue { most } => self.failures.counts.all > *most,
            OnError::ContinueAfter(failures) => {
                let errno = if errno == 0 { libc::EIO } else { errno };
                !failures.contains(&Failure { direction: operation.direction, errno })
            }
        };
        if is_fatal {
            self.failures.fatal.get_or_insert(OperationError {
                direction: operation.direction,
                offset: operation.offset,
                length: u64::from(operation.length),
                errno,
                short: moved + result.max(0) as u64,
            });
        }
    }

    /// Queues the rest of a short transfer, in the same buffer; its latency goes on from the start.
    fn queue_rest(&mut self, slot: u32) {
        let &Slot { operation, buffer, moved, .. } = &self.slots.entries[slot as usize];
        let Operation { direction, target, length, offset } = operation;
        let offset = offset + u64::from(moved);
        // Stays inside the slot's buffer: `moved` is less than the length.
        let buffer = buffer.wrapping_add(moved as usize);
        let length = length - moved;
        let ioprio = self.priorities.as_ref().map_or(0, |priorities| priorities.of_slot(slot));
        self.backend.queue(slot, &Request { direction, target, offset, buffer, length, ioprio });
    }

    /// The interface itself failed, not an operation.
    #[cold]
    pub(super) fn fail_interface(&mut self, error: &std::io::Error) -> bool {
        self.failures.fatal.get_or_insert(OperationError {
            direction: Direction::Read,
            offset: 0,
            length: 0,
            errno: error.raw_os_error().unwrap_or(libc::EIO),
            short: 0,
        });
        false
    }
}
