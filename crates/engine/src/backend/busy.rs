//! A busy processor instead of a transfer.

use std::cell::RefCell;

use workload::Direction;

use super::interface::Request;
use super::one_at_a_time::Perform;
use crate::clock::Clock;

/// Numbers that are sorted at a time: they fit the first cache.
const NUMBERS: usize = 4096;

/// Keeps the processor busy for a time per operation.
#[derive(Debug)]
pub(crate) struct Busy {
    clock: Clock,
    time_ns: u64,
    /// What is sorted; empty for plain waiting.
    numbers: RefCell<Vec<u32>>,
}

impl Busy {
    pub(crate) fn new(clock: Clock, time_ns: u64, sorts: bool) -> Self {
        let numbers = RefCell::new(vec![0; if sorts { NUMBERS } else { 0 }]);
        Self { clock, time_ns, numbers }
    }
}

impl Perform for Busy {
    fn perform(&self, request: &Request) -> i32 {
        debug_assert!(request.direction != Direction::Trim);
        let end = self.clock.now().saturating_add(self.time_ns);
        let mut numbers = self.numbers.borrow_mut();
        while self.clock.now() < end {
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
