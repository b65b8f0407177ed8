//! What is in progress behind a cache: hits, misses, and written data draining to the medium.
//!
//! Drains are requests to the medium like any other, so reads that miss compete with them. The next
//! *visible* completion may lie beyond drains that a submission could still reorder. So this state
//! steps from event to event and is cheap to copy: a look ahead runs on a copy. The one long list,
//! the data that waits to drain, is kept outside ([`Backlog`]) and read by a cursor.

use std::collections::VecDeque;

use super::device_model::{Cache, Op, OpKind};
use super::medium::MediumState;
use super::queue::EventQueue;
use super::slots::Slots;

/// Transfers between host and cache take turns on the link: 16 GB/s, as four lanes of PCIe 5.0.
const LINK_BYTES_PER_NS: u64 = 16;

/// Written data in the cache that the medium does not have yet, oldest first.
pub(super) type Backlog = VecDeque<BufferedWrite>;

/// One write in the cache; `number` counts the writes from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct BufferedWrite {
    op: Op,
    number: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum RequestRole {
    /// From the caller; `hit` is whether the cache has all of a read.
    Caller { id: u32, hit: bool },
    /// From the cache, to drain the write of this number.
    Drain { number: u64 },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub(super) role: RequestRole,
    pub(super) op: Op,
}

pub(super) enum SimulationStep {
    /// The caller does not see it.
    Hidden,
    /// The caller's request in this slot completed at this time.
    Visible(u64, u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum EventSource {
    Arrival,
    Medium,
    Early,
}

#[derive(Debug, Clone)]
struct FlushWait {
    slot: u32,
    /// Writes below this number are awaited.
    below: u64,
    remaining: usize,
}

/// The link between host and cache, and the requests on it by the time they complete.
#[derive(Debug, Clone)]
struct HostLink {
    latency_ns: u64,
    /// When the transfers so far end.
    free_ns: u64,
    queue: EventQueue,
}

impl HostLink {
    fn new(latency_ns: u64) -> HostLink {
        HostLink { latency_ns, free_ns: 0, queue: EventQueue::new() }
    }

    fn push(&mut self, now_ns: u64, slot: u32, length: u32) {
        let transfer_ns = u64::from(length) / LINK_BYTES_PER_NS;
        self.free_ns = self.free_ns.max(now_ns).saturating_add(transfer_ns);
        let done_ns = now_ns.saturating_add(self.latency_ns).max(self.free_ns);
        self.queue.push(done_ns, slot, 0);
    }
}

#[derive(Debug, Clone)]
pub(super) struct CacheWork {
    medium: MediumState,
    /// Requests served by the cache.
    early: HostLink,
    /// Limit of written data in the cache, in bytes; `None` without write-back.
    limit: Option<u64>,
    width: usize,
    /// Requests that a bucket lets through later, in order.
    arrivals: VecDeque<(u64, u32)>,
    slots: Slots<InFlight>,
    visible: usize,
    dirty: u64,
    draining: usize,
    /// Writes that wait for room in the cache.
    blocked: VecDeque<u32>,
    flushes: Vec<FlushWait>,
    numbered: u64,
    /// Entries of the backlog, and then of `added`, that have gone to the medium.
    taken: usize,
    added: Vec<BufferedWrite>,
}

impl CacheWork {
    pub(super) fn new(medium: MediumState, cache: &Cache) -> CacheWork {
        CacheWork {
            width: medium.drain_width(),
            medium,
            early: HostLink::new(cache.latency_ns.max(1)),
            limit: cache.write_back.then_some(cache.bytes),
            arrivals: VecDeque::new(),
            slots: Slots::with_capacity(0),
            visible: 0,
            dirty: 0,
            draining: 0,
            blocked: VecDeque::new(),
            flushes: Vec::new(),
            numbered: 0,
            taken: 0,
            added: Vec::new(),
        }
    }

    pub(super) fn add_request(&mut self, arrival_ns: u64, request: InFlight) {
        let slot = self.slots.insert(request);
        self.visible += 1;
        self.arrivals.push_back((arrival_ns, slot));
    }

    /// Runs the hidden events up to `now_ns`, including arrivals at that time.
    pub(super) fn run_until(&mut self, now_ns: u64, backlog: &mut Backlog) {
        while let Some((time_ns, source, slot)) = self.next_event() {
            let due = match source {
                EventSource::Arrival => time_ns <= now_ns,
                EventSource::Medium | EventSource::Early => {
                    time_ns < now_ns && self.is_hidden(slot)
                }
            };
            if !due {
                break;
            }
            self.step(backlog);
        }
        self.apply_backlog(backlog);
    }

    pub(super) fn pop_visible(&mut self, backlog: &mut Backlog) -> Option<(u64, InFlight)> {
        let found = self.run_to_visible(backlog);
        self.apply_backlog(backlog);
        let (time_ns, slot) = found?;
        self.visible = self.visible.saturating_sub(1);
        Some((time_ns, self.slots.take(slot)?))
    }

    /// Time of the next visible completion, as the requests so far decide it.
    pub(super) fn peek_visible_ns(&mut self, backlog: &Backlog) -> Option<u64> {
        if self.visible == 0 {
            return None;
        }
        let (time_ns, source, slot) = self.next_event()?;
        if source != EventSource::Arrival && !self.is_hidden(slot) {
            return Some(time_ns);
        }
        self.clone().run_to_visible(backlog).map(|(time_ns, _)| time_ns)
    }

    /// Steps to the next visible event; nothing happens when the caller waits for nothing.
    fn run_to_visible(&mut self, backlog: &Backlog) -> Option<(u64, u32)> {
        while self.visible > 0 {
            if let SimulationStep::Visible(time_ns, slot) = self.step(backlog)? {
                return Some((time_ns, slot));
            }
        }
        None
    }

    fn apply_backlog(&mut self, backlog: &mut Backlog) {
        backlog.extend(self.added.drain(..));
        backlog.drain(..self.taken.min(backlog.len()));
        self.taken = 0;
    }

    /// At equal times arrivals come first, as a submission at that time would.
    fn next_event(&mut self) -> Option<(u64, EventSource, u32)> {
        let arrival = self.arrivals.front().copied();
        let early = self.early.queue.peek().map(|event| (event.time_ns, event.tag));
        let medium = self.medium.peek();
        let events = [
            (arrival, EventSource::Arrival),
            (medium, EventSource::Medium),
            (early, EventSource::Early),
        ];
        let at = |(event, source): (Option<(u64, u32)>, EventSource)| {
            event.map(|(time_ns, slot)| (time_ns, source, slot))
        };
        events.into_iter().filter_map(at).min_by_key(|&(time_ns, _, _)| time_ns)
    }

    fn is_hidden(&self, slot: u32) -> bool {
        let request = self.slots.get(slot);
        request.is_some_and(|request| matches!(request.role, RequestRole::Drain { .. }))
    }

    fn step(&mut self, backlog: &Backlog) -> Option<SimulationStep> {
        let (time_ns, source, slot) = self.next_event()?;
        match source {
            EventSource::Arrival => {
                self.arrivals.pop_front();
                self.handle_arrival(time_ns, slot, backlog);
                Some(SimulationStep::Hidden)
            }
            EventSource::Early => {
                self.early.queue.pop();
                Some(SimulationStep::Visible(time_ns, slot))
            }
            EventSource::Medium => {
                self.medium.pop();
                if !self.is_hidden(slot) {
                    return Some(SimulationStep::Visible(time_ns, slot));
                }
                self.finish_drain(time_ns, slot, backlog);
                Some(SimulationStep::Hidden)
            }
        }
    }

    fn handle_arrival(&mut self, now_ns: u64, slot: u32, backlog: &Backlog) {
        let Some(request) = self.slots.get(slot) else { return };
        let hit = matches!(request.role, RequestRole::Caller { hit: true, .. });
        match request.op.kind {
            OpKind::Read if hit => self.early.push(now_ns, slot, request.op.length),
            OpKind::Write if self.limit.is_some() => {
                self.blocked.push_back(slot);
                self.accept_writes(now_ns, backlog);
            }
            OpKind::Flush if self.count_undrained(backlog) > 0 => {
                let below = self.numbered + self.blocked.len() as u64;
                let remaining = self.count_undrained(backlog);
                self.flushes.push(FlushWait { slot, below, remaining });
            }
            _ => self.medium.submit(now_ns, slot, &request.op),
        }
    }

    fn count_undrained(&self, backlog: &Backlog) -> usize {
        let waiting = backlog.len() + self.added.len() - self.taken;
        waiting + self.draining + self.blocked.len()
    }

    /// Takes blocked writes into the cache while there is room, and keeps the medium draining.
    fn accept_writes(&mut self, now_ns: u64, backlog: &Backlog) {
        while let Some(&slot) = self.blocked.front() {
            let Some(InFlight { op, .. }) = self.slots.get(slot) else { break };
            let after = self.dirty.saturating_add(u64::from(op.length));
            // A write larger than the cache has to be let in alone.
            if self.limit.is_some_and(|limit| after > limit) && self.dirty > 0 {
                break;
            }
            self.blocked.pop_front();
            self.dirty = after;
            self.added.push(BufferedWrite { op, number: self.numbered });
            self.numbered += 1;
            self.early.push(now_ns, slot, op.length);
        }
        while self.draining < self.width {
            let Some(BufferedWrite { op, number }) = self.next_waiting(backlog) else { break };
            self.taken += 1;
            self.draining += 1;
            let slot = self.slots.insert(InFlight { role: RequestRole::Drain { number }, op });
            self.medium.submit(now_ns, slot, &op);
        }
    }

    fn next_waiting(&self, backlog: &Backlog) -> Option<BufferedWrite> {
        match backlog.get(self.taken) {
            Some(buffered) => Some(*buffered),
            None => self.added.get(self.taken.checked_sub(backlog.len())?).copied(),
        }
    }

    fn finish_drain(&mut self, now_ns: u64, slot: u32, backlog: &Backlog) {
        let Some(InFlight { role: RequestRole::Drain { number }, op }) = self.slots.take(slot)
        else {
            return;
        };
        self.dirty = self.dirty.saturating_sub(u64::from(op.length));
        self.draining = self.draining.saturating_sub(1);
        for flush in &mut self.flushes {
            if number < flush.below {
                flush.remaining = flush.remaining.saturating_sub(1);
            }
        }
        // The medium's own flush follows, in the order the flushes came.
        while self.flushes.first().is_some_and(|flush| flush.remaining == 0) {
            let flush = self.flushes.remove(0);
            if let Some(request) = self.slots.get(flush.slot) {
                self.medium.submit(now_ns, flush.slot, &request.op);
            }
        }
        self.accept_writes(now_ns, backlog);
    }
}

#[cfg(test)]
mod tests {
    use super::super::device_model::{DeviceModel, Medium, Ssd};
    use super::*;

    fn work() -> (CacheWork, Backlog) {
        let ssd = Ssd {
            channels: 1,
            read_ns: 100_000,
            write_ns: 100_000,
            bytes_per_second: 0.0,
            flush_ns: 5_000,
            ..Ssd::FLASH
        };
        let cache = Cache { bytes: 40_960, latency_ns: 10_000, write_back: true };
        let law: DeviceModel = DeviceModel::new(1 << 30, Medium::Ssd(ssd));
        (CacheWork::new(MediumState::new(&law, 0), &cache), Backlog::new())
    }

    fn add(work: &mut CacheWork, backlog: &mut Backlog, now_ns: u64, id: u32, kind: OpKind) {
        let op = Op { kind, offset: 0, length: 4096 };
        work.run_until(now_ns, backlog);
        work.add_request(now_ns, InFlight { role: RequestRole::Caller { id, hit: false }, op });
        work.run_until(now_ns, backlog);
    }

    #[test]
    fn looking_ahead_changes_nothing() {
        let times = |look: bool| {
            let (mut work, mut backlog) = work();
            for id in 0..12 {
                add(&mut work, &mut backlog, 0, id, OpKind::Write);
            }
            for _ in 0..10 {
                work.pop_visible(&mut backlog);
            }
            // The eleventh write waits for the first drain, at 100 us; a read comes before.
            if look {
                assert_eq!(work.peek_visible_ns(&backlog), Some(110_000));
            }
            add(&mut work, &mut backlog, 50_000, 20, OpKind::Read);
            let run = std::iter::from_fn(|| work.pop_visible(&mut backlog));
            run.map(|(time_ns, _)| time_ns).collect::<Vec<_>>()
        };
        assert_eq!(times(true), times(false));
        // The read queues behind the four drains at the one channel.
        assert_eq!(times(true), [110_000, 210_000, 500_000]);
    }

    #[test]
    fn a_flush_waits_for_the_writes_before_it_only() {
        let (mut work, mut backlog) = work();
        for id in 0..3 {
            add(&mut work, &mut backlog, 0, id, OpKind::Write);
        }
        add(&mut work, &mut backlog, 0, 3, OpKind::Flush);
        let times: Vec<u64> = std::iter::from_fn(|| work.pop_visible(&mut backlog))
            .map(|(time_ns, _)| time_ns)
            .collect();
        assert_eq!(times, [10_000, 10_000, 10_000, 305_000]);
    }

    #[test]
    fn draining_does_not_run_ahead_of_the_caller_s_clock() {
        let (mut work, mut backlog) = work();
        for id in 0..10 {
            add(&mut work, &mut backlog, 0, id, OpKind::Write);
        }
        while work.pop_visible(&mut backlog).is_some() {}
        assert!(work.pop_visible(&mut backlog).is_none());
        assert_eq!(work.dirty, 40_960);
        work.run_until(450_000, &mut backlog);
        assert_eq!(work.dirty, 6 * 4096);
        work.run_until(100_000_000, &mut backlog);
        assert_eq!((work.dirty, backlog.len(), work.draining), (0, 0, 0));
    }

    #[test]
    fn large_hits_take_turns_on_the_link() {
        let (mut work, mut backlog) = work();
        for id in 0..2 {
            let op = Op { kind: OpKind::Read, offset: 0, length: 1 << 20 };
            work.add_request(0, InFlight { role: RequestRole::Caller { id, hit: true }, op });
        }
        let run = std::iter::from_fn(|| work.pop_visible(&mut backlog));
        assert_eq!(run.map(|(time_ns, _)| time_ns).collect::<Vec<_>>(), [65_536, 131_072]);
    }
}
