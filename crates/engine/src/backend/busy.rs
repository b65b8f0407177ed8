//! A busy processor instead of a transfer.

use std::cell::{Cell, RefCell};

use workload::Direction;

use super::interface::Request;
use super::one_at_a_time::Perform;
use crate::clock::Clock;

/// Numbers that are sorted at a time: they fit the first cache.
const NUMBERS: usize = 4096;

/// Keeps the processor busy for a time per operation, which ends early with the job.
#[derive(Debug)]
pub(crate) struct Busy<F> {
    clock: Clock,
    time_ns: u64,
    /// What the job lasts from its first operation on.
    run_ns: u64,
    begun_ns: Cell<Option<u64>>,
    is_stopped: F,
    /// What is sorted; empty for plain waiting.
    numbers: RefCell<Vec<u32>>,
}

impl<F: Fn() -> bool> Busy<F> {
    pub(crate) fn new(clock: Clock, time_ns: u64, run_ns: u64, sorts: bool, is_stopped: F) -> Self {
        let numbers = RefCell::new(vec![0; if sorts { NUMBERS } else { 0 }]);
        Self { clock, time_ns, run_ns, begun_ns: Cell::new(None), is_stopped, numbers }
    }
}

impl<F: Fn() -> bool> Perform for Busy<F> {
    fn perform(&self, request: &Request) -> i32 {
        debug_assert!(request.direction != Direction::Trim);
        let now = self.clock.now();
        let begun = self.begun_ns.get().unwrap_or(now);
        self.begun_ns.set(Some(begun));
        let end = now.saturating_add(self.time_ns).min(begun.saturating_add(self.run_ns));
        let mut numbers = self.numbers.borrow_mut();
        while self.clock.now() < end && !(self.is_stopped)() {
            // xorshift32: another order each time.
            let mut state = self.clock.now() as u32 | 1;
            for number in numbers.iter_mut() {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                *number = state;
            }
            numbers.sort_unstable();
            std::hint::spin_loop();
        }
        request.length as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_ends_with_the_run_and_at_a_stop() {
        let clock = Clock::best();
        let request = Request {
            direction: Direction::Read,
            target: 0,
            offset: 0,
            buffer: std::ptr::null_mut(),
            length: 4096,
            ioprio: 0,
        };
        for sorts in [false, true] {
            let begun = clock.now();
            let busy = Busy::new(clock, u64::MAX, 1_000_000, sorts, || false);
            assert_eq!((busy.perform(&request), busy.perform(&request)), (4096, 4096));
            assert!(clock.now() - begun >= 1_000_000);
            assert_eq!(
                Busy::new(clock, u64::MAX, u64::MAX, sorts, || true).perform(&request),
                4096
            );
        }
    }
}
