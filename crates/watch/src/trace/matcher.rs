//! Requests out of the records of their acceptance, of their way to the driver, and of their end.

use std::collections::HashMap;

use stats::LatencyHistogram;

/// Requests under way at a time; more are of ends that were not recorded.
const STARTS_MAX: usize = 1 << 18;

/// What a record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    /// Of the monotonic clock.
    pub(super) time_ns: u64,
    pub(super) point: Point,
    pub(super) disk: usize,
    pub(super) sector: u64,
    pub(super) sectors: u64,
    /// `None` for what is neither a read nor a write.
    pub(super) direction: Option<Direction>,
    pub(super) is_failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    Accepted,
    Issued,
    /// It went into another request, and does not complete.
    Merged,
    Completed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    Read,
    Write,
}

/// The kernel's letters of a request: `RA`, `WS`, `FWFS` (a write with a flush before and after).
pub(super) fn parse_direction(letters: &[u8]) -> Option<Direction> {
    let letters = letters.split(|byte| *byte == 0).next()?;
    match letters.strip_prefix(b"F").unwrap_or(letters).first()? {
        b'R' => Some(Direction::Read),
        b'W' => Some(Direction::Write),
        _ => None,
    }
}

/// What a disk did in one direction.
#[derive(Debug, Clone, Default)]
pub(super) struct DirectionTotals {
    pub(super) operations: u64,
    pub(super) bytes: u64,
    /// Of whose way to the driver there is no record.
    pub(super) unissued: u64,
    pub(super) total: LatencyHistogram,
    pub(super) queue: LatencyHistogram,
    pub(super) device: LatencyHistogram,
}

#[derive(Debug, Clone, Default)]
pub(super) struct DiskTotals {
    pub(super) read: DirectionTotals,
    pub(super) write: DirectionTotals,
    pub(super) errors: u64,
}

#[derive(Debug, Clone, Copy)]
struct Start {
    accepted_ns: u64,
    issued_ns: Option<u64>,
}

/// Takes records in the order of their times.
pub(super) struct Matcher {
    /// A record has no address of its request: two requests of one direction at one place are one
    /// after the other, or the first is lost.
    starts: HashMap<(usize, Direction, u64), Start>,
    totals: Vec<DiskTotals>,
    unmatched: u64,
}

impl Matcher {
    pub(super) fn new(disks: usize) -> Self {
        Self { starts: HashMap::new(), totals: vec![DiskTotals::default(); disks], unmatched: 0 }
    }

    pub(super) fn add(&mut self, event: &Event) {
        // A flush has no place of its own.
        let Some(direction) = event.direction.filter(|_| event.sectors > 0) else { return };
        let key = (event.disk, direction, event.sector);
        match event.point {
            Point::Accepted => {
                if self.starts.len() == STARTS_MAX {
                    self.starts.clear();
                }
                self.starts.insert(key, Start { accepted_ns: event.time_ns, issued_ns: None });
            }
            Point::Issued => {
                if let Some(start) = self.starts.get_mut(&key) {
                    start.issued_ns = Some(event.time_ns);
                }
            }
            Point::Merged => {
                self.starts.remove(&key);
            }
            Point::Completed => self.complete(event, direction, key),
        }
    }

    fn complete(&mut self, event: &Event, direction: Direction, key: (usize, Direction, u64)) {
        let disk = &mut self.totals[event.disk];
        disk.errors += u64::from(event.is_failed);
        let Some(start) = self.starts.remove(&key) else {
            self.unmatched += 1;
            return;
        };
        let totals = match direction {
            Direction::Read => &mut disk.read,
            Direction::Write => &mut disk.write,
        };
        totals.operations += 1;
        totals.bytes += event.sectors * 512;
        totals.total.record(event.time_ns - start.accepted_ns);
        match start.issued_ns {
            Some(issued_ns) => {
                totals.queue.record(issued_ns - start.accepted_ns);
                totals.device.record(event.time_ns - issued_ns);
            }
            None => totals.unissued += 1,
        }
    }

    /// What a disk did since the last time.
    pub(super) fn take_totals(&mut self, disk: usize) -> DiskTotals {
        std::mem::take(&mut self.totals[disk])
    }

    /// Requests whose acceptance was not recorded, since the last time.
    pub(super) fn take_unmatched(&mut self) -> u64 {
        std::mem::take(&mut self.unmatched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(time_ns: u64, point: Point, sector: u64) -> Event {
        let direction = Some(Direction::Read);
        Event { time_ns, point, disk: 1, sector, sectors: 8, direction, is_failed: false }
    }

    fn run(events: &[Event]) -> (DiskTotals, u64) {
        let mut matcher = Matcher::new(2);
        events.iter().for_each(|event| matcher.add(event));
        (matcher.take_totals(1), matcher.take_unmatched())
    }

    #[test]
    fn a_request_has_its_three_latencies() {
        use Point::{Accepted, Completed, Issued};
        let (totals, unmatched) = run(&[
            event(1_000, Accepted, 8),
            event(1_500, Accepted, 16),
            event(2_000, Issued, 8),
            event(9_000, Completed, 8),
            Event { is_failed: true, ..event(9_500, Completed, 16) },
        ]);
        let read = &totals.read;
        assert_eq!((read.operations, read.bytes, read.unissued), (2, 8192, 1));
        assert_eq!((totals.errors, unmatched), (1, 0));
        assert_eq!(read.total.sum_ns(), 8_000 + 8_000);
        assert_eq!((read.queue.sum_ns(), read.device.sum_ns()), (1_000, 7_000));
        assert_eq!(totals.write.operations, 0);
    }

    #[test]
    fn what_does_not_match_has_no_latency() {
        use Point::{Accepted, Completed, Merged};
        let write = |event| Event { direction: Some(Direction::Write), ..event };
        let flush = Event { sectors: 0, ..write(event(1, Completed, 0)) };
        let (totals, unmatched) = run(&[
            flush,
            event(1_000, Completed, 8),
            // Another direction at the same place, and a request that went into another.
            event(2_000, Accepted, 8),
            write(event(3_000, Completed, 8)),
            event(4_000, Accepted, 24),
            event(4_100, Merged, 24),
            event(5_000, Completed, 24),
            Event { direction: None, ..event(6_000, Completed, 8) },
            // The place is used again before an end was seen: the later start holds.
            event(900_000, Accepted, 8),
            event(900_500, Completed, 8),
        ]);
        assert_eq!((totals.read.operations, totals.write.operations, unmatched), (1, 0, 3));
        assert_eq!(totals.read.total.sum_ns(), 500);
    }

    #[test]
    fn letters_of_the_kernel_say_the_direction() {
        let check = |letters: &[u8], direction| {
            assert_eq!(parse_direction(letters), direction, "{letters:?}");
        };
        check(b"RA\0\0", Some(Direction::Read));
        check(b"WS\0", Some(Direction::Write));
        check(b"FWFS", Some(Direction::Write));
        for other in [&b"D\0"[..], b"FF", b"N", b"\0", b""] {
            check(other, None);
        }
    }
}
