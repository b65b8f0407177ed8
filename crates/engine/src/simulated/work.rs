//! What is in progress behind a cache: hits, misses, and written data draining to the medium.
//!
//! Drains are requests to the medium like any other, so reads that miss compete with them. They
//! complete without the caller seeing it, and that is the difficulty: the time of the next
//! *visible* completion may lie beyond drains that a submission in the meantime could still
//! reorder. So this state steps from event to event and is cheap to copy: a look ahead runs on
//! a copy, and only time that has really passed runs on the original. The one long list, the
//! data that waits to drain, is therefore kept outside ([`Backlog`]) and read by a cursor.

use std::collections::VecDeque;

use super::law::{Cache, Kind, Op};
use super::medium::State;
use super::queue::Queue;

/// Written data in the cache that the medium does not have yet, oldest first.
pub(super) type Backlog = VecDeque<Buffered>;

/// One write held by the cache; `number` counts the writes taken in, from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buffered {
    op: Op,
    number: u64,
}

/// Who asked for a request, and what the cache knows of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// The caller, under its id; `hit` is whether the cache has all of a read.
    Caller { id: u32, hit: bool },
    /// The cache itself, to drain the write of this number.
    Drain { number: u64 },
}

/// A request in flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub(super) role: Role,
    pub(super) op: Op,
}

/// One step of the simulation.
pub(super) enum Step {
    /// Something happened that the caller does not see.
    Hidden,
    /// The caller's request in this slot completed at this time.
    Visible(u64, u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
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

/// The state of everything in progress. Times are on the running clock.
#[derive(Debug, Clone)]
pub(super) struct Work {
    medium: State,
    latency_ns: u64,
    /// Most bytes of written data in the cache; none without write-back.
    limit: Option<u64>,
    width: usize,
    /// Requests served by the cache, by the time they complete.
    early: Queue,
    /// Requests that a bucket lets through later, in order.
    arrivals: VecDeque<(u64, u32)>,
    slots: Vec<Option<InFlight>>,
    spare: Vec<u32>,
    /// Requests of the caller that have not completed.
    visible: usize,
    dirty: u64,
    draining: usize,
    /// Writes that wait for room in the cache.
    blocked: VecDeque<u32>,
    flushes: Vec<FlushWait>,
    numbered: u64,
    /// Entries of the backlog, and then of `added`, that have gone to the medium.
    taken: usize,
    added: Vec<Buffered>,
}

impl Work {
    pub(super) fn new(medium: State, cache: &Cache) -> Work {
        Work {
            width: medium.drain_width(),
            medium,
            latency_ns: cache.latency_ns.max(1),
            limit: cache.write_back.then_some(cache.bytes),
            early: Queue::new(),
            arrivals: VecDeque::new(),
            slots: Vec::new(),
            spare: Vec::new(),
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

    /// Queues a request of the caller that arrives at `arrival_ns`, not before earlier ones.
    pub(super) fn add(&mut self, arrival_ns: u64, request: InFlight) {
        let slot = self.put(request);
        self.visible += 1;
        self.arrivals.push_back((arrival_ns, slot));
    }

    /// Runs everything the caller does not see up to `now_ns`: before it, what completes, and
    /// up to and with it, what arrives.
    pub(super) fn advance(&mut self, now_ns: u64, backlog: &mut Backlog) {
        while let Some((time_ns, source, slot)) = self.next() {
            let due = match source {
                Source::Arrival => time_ns <= now_ns,
                Source::Medium | Source::Early => time_ns < now_ns && self.hidden(slot),
            };
            if !due {
                break;
            }
            self.step(backlog);
        }
        self.settle(backlog);
    }

    /// Runs to the next visible completion and returns it.
    pub(super) fn finish(&mut self, backlog: &mut Backlog) -> Option<(u64, InFlight)> {
        let found = self.run(backlog);
        self.settle(backlog);
        let (time_ns, slot) = found?;
        self.visible = self.visible.saturating_sub(1);
        Some((time_ns, self.take(slot)?))
    }

    /// Time of the next visible completion, as far as the requests so far decide it.
    pub(super) fn look_ahead(&mut self, backlog: &Backlog) -> Option<u64> {
        if self.visible == 0 {
            return None;
        }
        let (time_ns, source, slot) = self.next()?;
        if source != Source::Arrival && !self.hidden(slot) {
            return Some(time_ns);
        }
        self.clone().run(backlog).map(|(time_ns, _)| time_ns)
    }

    /// Steps until something visible; nothing moves when the caller awaits nothing.
    fn run(&mut self, backlog: &Backlog) -> Option<(u64, u32)> {
        while self.visible > 0 {
            if let Step::Visible(time_ns, slot) = self.step(backlog)? {
                return Some((time_ns, slot));
            }
        }
        None
    }

    /// Brings the list outside up to date with what was taken from it and added to it.
    fn settle(&mut self, backlog: &mut Backlog) {
        backlog.extend(self.added.drain(..));
        backlog.drain(..self.taken.min(backlog.len()));
        self.taken = 0;
    }

    /// The next event; at equal times arrivals come first, as a submission at that time would.
    fn next(&mut self) -> Option<(u64, Source, u32)> {
        let arrival = self.arrivals.front().map(|&(time_ns, slot)| (time_ns, slot));
        let early = self.early.peek().map(|event| (event.time_ns, event.tag));
        let medium = self.medium.peek();
        let events = [(arrival, Source::Arrival), (medium, Source::Medium), (early, Source::Early)];
        let events = events.into_iter();
        let events = events.filter_map(|(event, source)| Some((event?.0, source, event?.1)));
        events.min_by_key(|&(time_ns, _, _)| time_ns)
    }

    fn hidden(&self, slot: u32) -> bool {
        self.get(slot).is_some_and(|request| matches!(request.role, Role::Drain { .. }))
    }

    fn step(&mut self, backlog: &Backlog) -> Option<Step> {
        let (time_ns, source, slot) = self.next()?;
        match source {
            Source::Arrival => {
                self.arrivals.pop_front();
                self.arrive(time_ns, slot, backlog);
                Some(Step::Hidden)
            }
            Source::Early => {
                self.early.pop();
                Some(Step::Visible(time_ns, slot))
            }
            Source::Medium => {
                self.medium.pop();
                if !self.hidden(slot) {
                    return Some(Step::Visible(time_ns, slot));
                }
                self.drained(time_ns, slot, backlog);
                Some(Step::Hidden)
            }
        }
    }

    fn arrive(&mut self, now_ns: u64, slot: u32, backlog: &Backlog) {
        let Some(request) = self.get(slot) else { return };
        let hit = matches!(request.role, Role::Caller { hit: true, .. });
        match request.op.kind {
            Kind::Read if hit => self.early.push(now_ns.saturating_add(self.latency_ns), slot, 0),
            Kind::Write if self.limit.is_some() => {
                self.blocked.push_back(slot);
                self.accept(now_ns, backlog);
            }
            Kind::Flush if self.undrained(backlog) > 0 => {
                let below = self.numbered + self.blocked.len() as u64;
                let remaining = self.undrained(backlog);
                self.flushes.push(FlushWait { slot, below, remaining });
            }
            _ => self.medium.submit(now_ns, slot, &request.op),
        }
    }

    /// Writes the medium does not have yet, in the cache or waiting for room there.
    fn undrained(&self, backlog: &Backlog) -> usize {
        let waiting = backlog.len() + self.added.len() - self.taken;
        waiting + self.draining + self.blocked.len()
    }

    /// Takes blocked writes into the cache while there is room, and keeps the medium draining.
    fn accept(&mut self, now_ns: u64, backlog: &Backlog) {
        while let Some(&slot) = self.blocked.front() {
            let Some(InFlight { op, .. }) = self.get(slot) else { break };
            let after = self.dirty.saturating_add(u64::from(op.length));
            // A write larger than the cache has to be let in alone.
            if self.limit.is_some_and(|limit| after > limit) && self.dirty > 0 {
                break;
            }
            self.blocked.pop_front();
            self.dirty = after;
            self.added.push(Buffered { op, number: self.numbered });
            self.numbered += 1;
            self.early.push(now_ns.saturating_add(self.latency_ns), slot, 0);
        }
        while self.draining < self.width {
            let Some(Buffered { op, number }) = self.waiting(backlog) else { break };
            self.taken += 1;
            self.draining += 1;
            let slot = self.put(InFlight { role: Role::Drain { number }, op });
            self.medium.submit(now_ns, slot, &op);
        }
    }

    fn waiting(&self, backlog: &Backlog) -> Option<Buffered> {
        match backlog.get(self.taken) {
            Some(buffered) => Some(*buffered),
            None => self.added.get(self.taken.checked_sub(backlog.len())?).copied(),
        }
    }

    fn drained(&mut self, now_ns: u64, slot: u32, backlog: &Backlog) {
        let Some(InFlight { role: Role::Drain { number }, op }) = self.take(slot) else { return };
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
            if let Some(request) = self.get(flush.slot) {
                self.medium.submit(now_ns, flush.slot, &request.op);
            }
        }
        self.accept(now_ns, backlog);
    }

    fn put(&mut self, request: InFlight) -> u32 {
        if let Some(slot) = self.spare.pop()
            && let Some(entry) = self.slots.get_mut(slot as usize)
        {
            *entry = Some(request);
            return slot;
        }
        self.slots.push(Some(request));
        (self.slots.len() - 1) as u32
    }

    fn get(&self, slot: u32) -> Option<InFlight> {
        self.slots.get(slot as usize).copied().flatten()
    }

    fn take(&mut self, slot: u32) -> Option<InFlight> {
        let request = self.slots.get_mut(slot as usize)?.take()?;
        self.spare.push(slot);
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::super::law::{Law, Medium, Ssd};
    use super::super::testing::plain;
    use super::*;

    fn work() -> (Work, Backlog) {
        let ssd = Ssd {
            channels: 1,
            read_ns: 1_000,
            write_ns: 1_000,
            bytes_per_second: 0.0,
            flush_ns: 50,
            crowding: None,
        };
        let cache = Cache { bytes: 40_960, latency_ns: 10, write_back: true };
        let law: Law = plain(1 << 30, Medium::Ssd(ssd));
        (Work::new(State::new(&law, 0), &cache), Backlog::new())
    }

    fn add(work: &mut Work, backlog: &mut Backlog, now_ns: u64, id: u32, kind: Kind) {
        let op = Op { kind, offset: 0, length: 4096 };
        work.advance(now_ns, backlog);
        work.add(now_ns, InFlight { role: Role::Caller { id, hit: false }, op });
        work.advance(now_ns, backlog);
    }

    #[test]
    fn looking_ahead_changes_nothing() {
        let times = |look: bool| {
            let (mut work, mut backlog) = work();
            for id in 0..12 {
                add(&mut work, &mut backlog, 0, id, Kind::Write);
            }
            for _ in 0..10 {
                work.finish(&mut backlog);
            }
            // The eleventh write waits for the first drain, at 1000; a read comes before.
            if look {
                assert_eq!(work.look_ahead(&backlog), Some(1_010));
            }
            add(&mut work, &mut backlog, 500, 20, Kind::Read);
            let run = std::iter::from_fn(|| work.finish(&mut backlog));
            run.map(|(time_ns, _)| time_ns).collect::<Vec<_>>()
        };
        assert_eq!(times(true), times(false));
        // The read queues behind the four drains at the one channel.
        assert_eq!(times(true), [1_010, 2_010, 5_000]);
    }

    #[test]
    fn a_flush_waits_for_the_writes_before_it_only() {
        let (mut work, mut backlog) = work();
        for id in 0..3 {
            add(&mut work, &mut backlog, 0, id, Kind::Write);
        }
        add(&mut work, &mut backlog, 0, 3, Kind::Flush);
        let times: Vec<u64> =
            std::iter::from_fn(|| work.finish(&mut backlog)).map(|(time_ns, _)| time_ns).collect();
        assert_eq!(times, [10, 10, 10, 3_050]);
    }

    #[test]
    fn draining_does_not_run_ahead_of_the_caller_s_clock() {
        let (mut work, mut backlog) = work();
        for id in 0..10 {
            add(&mut work, &mut backlog, 0, id, Kind::Write);
        }
        while work.finish(&mut backlog).is_some() {}
        assert!(work.finish(&mut backlog).is_none());
        assert_eq!(work.dirty, 40_960);
        work.advance(4_500, &mut backlog);
        assert_eq!(work.dirty, 6 * 4096);
        work.advance(1_000_000, &mut backlog);
        assert_eq!((work.dirty, backlog.len(), work.draining), (0, 0, 0));
    }
}
