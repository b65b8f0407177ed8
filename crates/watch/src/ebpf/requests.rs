//! Requests in the order of their starts, out of events in the order of their ends.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

use record::{RequestKind, TraceRequest};

use super::events::{Event, EventKind};

const SECTOR: u64 = 512;
const HOLD_MIN_NS: u64 = 20_000_000;
const HOLD_MAX_NS: u64 = 2_000_000_000;
/// An earlier start may come as late as the longest latency so far, and some more.
const HOLD_FACTOR: u64 = 4;
const HELD_MAX: usize = 1 << 20;
/// Requests that complete in parts, at a time.
const PARTS_MAX: usize = 4096;

/// What the numbers of this kernel mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventFlags {
    pub(super) zone_append: Option<i32>,
    /// The bit in a request's flags.
    pub(super) fua: Option<i32>,
    /// In `rq_flags`: the data of a write with a flush before or after, which ends once more.
    pub(super) flush_sequence: i32,
}

/// Holds requests until none can come that began earlier.
pub(super) struct RequestSorter {
    flags: EventFlags,
    begin_ns: u64,
    held: BinaryHeap<Reverse<Held>>,
    longest_ns: u64,
    newest_ns: u64,
    /// The start that was given out last.
    given_ns: u64,
    /// Parts of a request by its start and the sector after them: where it begins, and its bytes.
    parts: HashMap<(u64, u64), (u64, u32)>,
    /// Requests that the kernel's counters count too.
    counted: u64,
}

struct Held(TraceRequest);

impl Held {
    fn key(&self) -> (u64, u64) {
        (self.0.start_ns, self.0.offset)
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Held {}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Held {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl RequestSorter {
    /// Starts count from `begin_ns` of the monotonic clock.
    pub(super) fn new(flags: EventFlags, begin_ns: u64) -> Self {
        Self {
            flags,
            begin_ns,
            held: BinaryHeap::new(),
            longest_ns: 0,
            newest_ns: begin_ns,
            given_ns: 0,
            parts: HashMap::new(),
            counted: 0,
        }
    }

    pub(super) fn counted(&self) -> u64 {
        self.counted
    }

    pub(super) fn add(&mut self, event: &Event) {
        self.newest_ns = self.newest_ns.max(event.completed_ns);
        let kind = event.kind(self.flags.zone_append);
        let is_data_of_sequence = event.rq_flags & self.flags.flush_sequence as u32 != 0;
        let is_whole = event.bytes >= event.left;
        self.counted += u64::from(is_whole && !is_data_of_sequence && kind != EventKind::Flush);
        let kind = match kind {
            EventKind::Read => RequestKind::Read,
            EventKind::Write => RequestKind::Write,
            EventKind::Discard => RequestKind::Discard,
            EventKind::Flush => RequestKind::Flush,
            EventKind::Other => return,
        };
        let (sector, bytes) = match kind {
            RequestKind::Flush => (0, 0),
            _ => match self.join_parts(event, is_whole) {
                // A write without data asks for a flush; the disk's flush has its own event.
                Some((_, 0)) | None => return,
                Some(whole) => whole,
            },
        };
        // It began before the capture.
        if event.accepted_ns != 0 && event.accepted_ns < self.begin_ns {
            return;
        }
        let is_timed = event.accepted_ns != 0;
        let accepted_ns = if is_timed { event.accepted_ns } else { event.completed_ns };
        let latency_ns = event.completed_ns.saturating_sub(accepted_ns);
        self.longest_ns = self.longest_ns.max(latency_ns);
        let fua = self.flags.fua.is_some_and(|bit| event.flags >> bit & 1 != 0);
        self.held.push(Reverse(Held(TraceRequest {
            start_ns: accepted_ns.saturating_sub(self.begin_ns),
            offset: sector.saturating_mul(SECTOR),
            length: bytes,
            kind,
            is_fua: fua && kind == RequestKind::Write,
            latency_ns: is_timed.then_some(latency_ns),
        })));
    }

    /// The start and the length of a request that has now ended; `None` while more is to come.
    fn join_parts(&mut self, event: &Event, is_whole: bool) -> Option<(u64, u32)> {
        let before = self.parts.remove(&(event.accepted_ns, event.sector));
        let (sector, bytes) = before.unwrap_or((event.sector, 0));
        let bytes = bytes.saturating_add(event.bytes);
        if is_whole {
            return Some((sector, bytes));
        }
        if self.parts.len() == PARTS_MAX {
            self.parts.clear();
        }
        let end = event.sector.saturating_add(u64::from(event.bytes) / SECTOR);
        self.parts.insert((event.accepted_ns, end), (sector, bytes));
        None
    }

    /// The next request that can be given out at this time.
    pub(super) fn pop_ready(&mut self, now_ns: u64) -> Option<TraceRequest> {
        let hold_ns = (HOLD_FACTOR * self.longest_ns).clamp(HOLD_MIN_NS, HOLD_MAX_NS);
        let ready_ns = now_ns.saturating_sub(self.begin_ns).saturating_sub(hold_ns);
        let Reverse(first) = self.held.peek()?;
        let is_ready = first.0.start_ns <= ready_ns || self.held.len() > HELD_MAX;
        if is_ready { self.pop() } else { None }
    }

    /// A start that came too late counts as the last one: starts never go back.
    pub(super) fn pop(&mut self) -> Option<TraceRequest> {
        let Reverse(Held(mut request)) = self.held.pop()?;
        request.start_ns = request.start_ns.max(self.given_ns);
        self.given_ns = request.start_ns;
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: EventFlags =
        EventFlags { zone_append: Some(7), fua: Some(17), flush_sequence: 1 << 4 };
    const MS: u64 = 1_000_000;
    const BEGIN: u64 = 1000 * MS;

    fn event(accepted_ms: u64, completed_ms: u64, flags: u32) -> Event {
        Event {
            accepted_ns: accepted_ms * MS,
            completed_ns: completed_ms * MS,
            sector: 8,
            bytes: 4096,
            left: 4096,
            flags,
            rq_flags: 0,
        }
    }

    fn sort(events: &[Event]) -> (Vec<TraceRequest>, u64) {
        let mut sorter = RequestSorter::new(FLAGS, BEGIN);
        events.iter().for_each(|event| sorter.add(event));
        let counted = sorter.counted();
        (std::iter::from_fn(|| sorter.pop()).collect(), counted)
    }

    #[test]
    fn requests_come_by_their_starts() {
        let mut sorter = RequestSorter::new(FLAGS, BEGIN);
        [event(1002, 1003, 0), event(1001, 1004, 1), event(1003, 1005, 3)]
            .iter()
            .for_each(|event| sorter.add(event));
        // The longest latency is 3 ms; 20 ms is the least.
        assert_eq!(sorter.pop_ready(BEGIN + 20 * MS), None);
        let first = sorter.pop_ready(BEGIN + 21 * MS).unwrap();
        assert_eq!((first.start_ns, first.latency_ns), (MS, Some(3 * MS)));
        assert_eq!((first.kind, first.offset, first.length), (RequestKind::Write, 4096, 4096));
        assert_eq!(sorter.pop_ready(BEGIN + 21 * MS), None);
        let starts: Vec<u64> = std::iter::from_fn(|| sorter.pop_ready(BEGIN + 99 * MS))
            .map(|request| request.start_ns)
            .collect();
        assert_eq!(starts, [2 * MS, 3 * MS]);
        // Too late: starts do not go back.
        sorter.add(&event(1000, 1100, 0));
        assert_eq!(sorter.pop().unwrap().start_ns, 3 * MS);
    }

    #[test]
    fn kinds_are_told_apart() {
        let check = |event: Event, expected: Option<(RequestKind, u32, bool)>, counts: u64| {
            let (requests, counted) = sort(&[event]);
            let found = requests.first().map(|r| (r.kind, r.length, r.is_fua));
            assert_eq!((found, counted), (expected, counts), "{event:?}");
        };
        use RequestKind::{Discard, Flush, Read, Write};
        let plain = |flags| event(1001, 1002, flags);
        check(plain(0), Some((Read, 4096, false)), 1);
        check(plain(1), Some((Write, 4096, false)), 1);
        check(plain(1 | 1 << 17), Some((Write, 4096, true)), 1);
        check(plain(7), Some((Write, 4096, false)), 1);
        for flags in [3, 5, 9] {
            check(plain(flags), Some((Discard, 4096, false)), 1);
        }
        // The reset of a zone.
        check(plain(15), None, 1);
        let empty = |flags| Event { bytes: 0, left: 0, sector: u64::MAX, ..plain(flags) };
        check(empty(2), Some((Flush, 0, false)), 0);
        // A flush that a program asked for, and the end of a write with a flush after it.
        check(empty(1), None, 1);
        let data = Event { rq_flags: 1 << 4, ..plain(1) };
        check(data, Some((Write, 4096, false)), 0);
        // Before the capture.
        check(event(999, 1001, 0), None, 1);
        let untimed = Event { accepted_ns: 0, ..plain(0) };
        assert_eq!(sort(&[untimed]).0[0].latency_ns, None);
    }

    #[test]
    fn a_request_in_parts_is_one() {
        let part = |sector, left| Event { sector, left, bytes: 4096, ..event(1001, 1002, 0) };
        let other = Event { sector: 800, ..event(1001, 1001, 0) };
        let (requests, counted) = sort(&[part(8, 12288), other, part(16, 8192), part(24, 4096)]);
        let found: Vec<(u64, u32)> = requests.iter().map(|r| (r.offset, r.length)).collect();
        assert_eq!((found, counted), (vec![(4096, 12288), (800 * 512, 4096)], 2));
    }
}
