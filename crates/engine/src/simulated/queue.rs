//! Pending events in order of (time, sequence): equal times leave in the order they came.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

pub(super) const INITIAL_CAPACITY: usize = 4096;

/// One event: what happens at `time_ns`, with the bytes still to move when it does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) time_ns: u64,
    sequence: u64,
    pub(super) tag: u32,
    pub(super) length: u32,
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Event) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Event) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Event {
    /// One wide comparison compiles without a branch, which a heap at depth 32 notices.
    fn key(&self) -> u128 {
        (u128::from(self.time_ns) << 64) | u128::from(self.sequence)
    }
}

#[derive(Debug, Clone)]
pub(super) struct EventQueue {
    heap: BinaryHeap<Reverse<Event>>,
    sequence: u64,
}

impl EventQueue {
    pub(super) fn new() -> EventQueue {
        EventQueue { heap: BinaryHeap::with_capacity(INITIAL_CAPACITY), sequence: 0 }
    }

    pub(super) fn push(&mut self, time_ns: u64, tag: u32, length: u32) {
        let sequence = self.sequence;
        self.sequence += 1;
        self.heap.push(Reverse(Event { time_ns, sequence, tag, length }));
    }

    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    pub(super) fn peek(&self) -> Option<&Event> {
        self.heap.peek().map(|Reverse(event)| event)
    }

    pub(super) fn pop(&mut self) -> Option<Event> {
        self.heap.pop().map(|Reverse(event)| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_leave_by_time_and_then_in_the_order_they_came() {
        let mut queue = EventQueue::new();
        for (time_ns, tag) in [(5, 0), (3, 1), (5, 2), (3, 3), (1, 4)] {
            queue.push(time_ns, tag, 0);
        }
        assert_eq!(queue.peek().map(|event| event.time_ns), Some(1));
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|event| event.tag).collect();
        assert_eq!(order, [4, 1, 3, 0, 2]);
    }
}
