//! The operations that a worker may have outstanding.

use workload::Direction;

use crate::sequence::Operation;

/// Most operations that are queued, and stamped, together. It limits how late a completion is
/// stamped.
pub(super) const BATCH_MAX: usize = 32;
/// Data of writes prepared before the device gets the first of them.
pub(super) const PREPARED_BYTES_MAX: u64 = 64 << 10;
/// Operations per system call while the device is the bottleneck. Of two each goes to the device at
/// once; of more the kernel collects all first (a plug), and the device waits for the first.
const CALL_MIN: usize = 2;
/// Operations per system call while the processor is the bottleneck.
const CALL_MAX: usize = 32;
/// Completions less than 2 us apart on average (above 500k IOPS) come faster than a sleeping thread
/// is woken.
const POLL_GAP_NS: u64 = 2_000;

#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) operation: Operation,
    pub(super) buffer: *mut u8,
    pub(super) submitted_ns: u64,
    /// Duration of its submission, where that was timed; else 0.
    pub(super) submission_ns: u64,
    /// Planned start; 0 without a plan.
    pub(super) due_ns: u64,
    /// Bytes that a short transfer has moved already.
    pub(super) moved: u32,
    /// It met no deeper queue than where it was captured.
    pub(super) is_comparable: bool,
}

pub(super) const IDLE_SLOT: Slot = Slot {
    operation: Operation { direction: Direction::Read, target: 0, length: 0, offset: 0 },
    buffer: std::ptr::null_mut(),
    submitted_ns: 0,
    submission_ns: 0,
    due_ns: 0,
    moved: 0,
    is_comparable: false,
};

/// One slot per operation that may be outstanding, and the batch that is submitted next.
pub(super) struct SlotTable {
    pub(super) entries: Vec<Slot>,
    pub(super) free: Vec<u32>,
    pub(super) batch: Vec<u32>,
    /// The next call is timed, and submits the whole batch.
    pub(super) times_batch: bool,
    /// Most operations that the next call submits.
    pub(super) call_limit: usize,
    /// Batches queued.
    pub(super) batches: u32,
    /// Polls of the ring before a sleep, and those left before the next.
    polls: u32,
    pub(super) polls_left: u32,
    /// Completions since `window_ns`.
    window_count: u64,
    window_ns: u64,
    pub(super) outstanding: u64,
}

impl SlotTable {
    pub(super) fn new(depth: u32) -> Self {
        Self {
            entries: vec![IDLE_SLOT; depth as usize],
            free: (0..depth).rev().collect(),
            batch: Vec::with_capacity(BATCH_MAX),
            times_batch: false,
            call_limit: CALL_MIN,
            batches: 0,
            polls: 0,
            polls_left: 0,
            window_count: 0,
            window_ns: 0,
            outstanding: 0,
        }
    }

    /// Chooses how much the next call submits, after one submitted `started` operations and `came`
    /// of all came back. Where they come back as fast as they are started, the processor is the
    /// bottleneck, and larger calls save its time. After a sleep it was the device.
    #[inline]
    pub(super) fn adapt_call(&mut self, started: usize, came: usize, polled: bool) {
        if polled && came >= started {
            self.call_limit = (self.call_limit * 2).min(CALL_MAX);
        } else if polled || self.outstanding > 0 {
            self.call_limit = CALL_MIN;
        }
    }

    /// Polls `most` times before the next sleep where completions come faster than a sleeper is
    /// woken. Of one call they tell nothing: a device may give back many together.
    #[inline]
    pub(super) fn adapt_polls(&mut self, came: u64, now: u64, most: u32) {
        let depth = self.entries.len() as u64;
        self.window_count += came;
        if self.window_count >= depth && depth > 1 {
            let is_fast = now.saturating_sub(self.window_ns) < self.window_count * POLL_GAP_NS;
            self.polls = if is_fast { most } else { 0 };
            (self.window_count, self.window_ns) = (0, now);
        }
        if came > 0 {
            self.polls_left = self.polls;
        }
    }

    /// Sum of the times since their submission at `now` of the operations outstanding, in
    /// nanoseconds.
    #[cold]
    pub(super) fn sum_ages_ns(&self, now: u64) -> i64 {
        let mut is_outstanding = vec![true; self.entries.len()];
        for &slot in &self.free {
            is_outstanding[slot as usize] = false;
        }
        let age = |slot: &Slot| now.saturating_sub(slot.submitted_ns) as i64;
        self.entries
            .iter()
            .zip(is_outstanding)
            .filter(|(_, is)| *is)
            .map(|(slot, _)| age(slot))
            .sum()
    }

    /// Whether an outstanding operation is on bytes of `operation`.
    pub(super) fn has_overlap(&self, operation: &Operation) -> bool {
        let end = |of: &Operation| of.offset + u64::from(of.length);
        let overlaps = |slot: &Slot| {
            let other = &slot.operation;
            other.target == operation.target
                && other.offset < end(operation)
                && operation.offset < end(other)
        };
        let mut slots = (0..).zip(&self.entries);
        slots.any(|(number, slot)| overlaps(slot) && !self.free.contains(&number))
    }

    /// The operation of `slot` came back: another may use the slot.
    #[inline]
    pub(super) fn release(&mut self, slot: u32) {
        self.outstanding -= 1;
        self.free.push(slot);
    }
}
