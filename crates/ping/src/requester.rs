//! One requester: which block comes next, when, and what came of it.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use engine::{Clock, SingleRequestError, SingleRequester};
use units::{Bytes, Nanos};
use workload::Direction;

use crate::ping_target::OpenPingTarget;
use crate::random_stream::RandomStream;
use crate::settings::PingSettings;
use crate::stop::PingStop;

#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestCompletion {
    /// Number of the request, from 1.
    pub(crate) number: u64,
    pub(crate) direction: Direction,
    pub(crate) moved: u64,
    /// It would have blocked, and was not done.
    pub(crate) refused: bool,
    pub(crate) began_ns: u64,
    pub(crate) ended_ns: u64,
    pub(crate) next_ns: u64,
    pub(crate) ends_burst: bool,
    /// Whether it came after a pause.
    pub(crate) after_pause: bool,
}

/// Hears of each request that is done, and with `None` of each pause before it.
pub(crate) type CompletionSink<'a> = &'a mut dyn FnMut(Option<&RequestCompletion>);

/// When the next request is due: the last planned start and the interval, or now where that has
/// passed. The plan moves then, as ioping's does; by how much is stats. Of a burst, each request
/// follows the one before at once, and the interval counts from the start of the last.
#[derive(Debug, Clone)]
pub(crate) struct PingSchedule {
    interval_ns: u64,
    burst: u64,
    next_ns: u64,
    in_burst: u64,
    /// Starts of the first burst and of this one; a single request is a burst of one.
    first_ns: Option<u64>,
    burst_ns: u64,
    /// From the start of this burst to that of its last request, as far as it came.
    within_ns: u64,
    /// How much later than planned the next burst begins.
    late_ns: u64,
    lost_ns: u64,
    stats: ScheduleStats,
}

/// What became of a plan; times from the start of one burst to that of the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScheduleStats {
    pub(crate) starts: u64,
    /// How many such times there were.
    pub(crate) periods: u64,
    pub(crate) planned_ns: u64,
    pub(crate) made_ns: u64,
    /// Starts that never were, because requests took longer than the interval.
    pub(crate) missed: u64,
}

impl ScheduleStats {
    pub(crate) fn add_requester(&mut self, other: &Self) {
        self.starts += other.starts;
        self.periods += other.periods;
        self.planned_ns += other.planned_ns;
        self.made_ns += other.made_ns;
        self.missed += other.missed;
    }
}

impl PingSchedule {
    pub(crate) fn new(interval_ns: u64, burst: u64) -> Self {
        Self {
            interval_ns,
            burst,
            next_ns: 0,
            in_burst: 0,
            first_ns: None,
            burst_ns: 0,
            within_ns: 0,
            late_ns: 0,
            lost_ns: 0,
            stats: ScheduleStats::default(),
        }
    }

    /// A request went from `began_ns` to `now_ns`; whether a burst ended with it.
    fn advance(&mut self, began_ns: u64, now_ns: u64) -> bool {
        self.begin(began_ns);
        self.in_burst += 1;
        let due = self.in_burst >= self.burst;
        if due {
            self.in_burst = 0;
            self.next_ns += self.interval_ns;
        } else {
            self.within_ns = now_ns - self.burst_ns;
        }
        if now_ns > self.next_ns {
            if due {
                self.late_ns = now_ns - self.next_ns;
            }
            self.next_ns = now_ns;
        }
        due && self.burst > 0
    }

    fn begin(&mut self, began_ns: u64) {
        self.stats.starts += 1;
        if self.in_burst > 0 {
            return;
        }
        if let Some(first_ns) = self.first_ns {
            self.stats.periods += 1;
            self.stats.planned_ns += self.interval_ns + self.within_ns;
            self.stats.made_ns = began_ns - first_ns;
            self.lost_ns += self.late_ns;
        } else {
            self.first_ns = Some(began_ns);
        }
        (self.burst_ns, self.within_ns, self.late_ns) = (began_ns, 0, 0);
    }

    /// There is no further start, although those before `until_ns` were due.
    fn end(&mut self, until_ns: u64) {
        let due_ns = self.next_ns - self.late_ns;
        self.lost_ns += until_ns.min(self.next_ns).saturating_sub(due_ns);
        self.late_ns = 0;
    }

    /// What became of it so far.
    fn stats(&self) -> ScheduleStats {
        let whole = self.stats.planned_ns.checked_div(self.stats.periods);
        let period_ns = whole.unwrap_or(self.interval_ns + self.within_ns);
        let planned = self.interval_ns > 0;
        let periods = self.lost_ns.checked_div(period_ns).filter(|_| planned).unwrap_or(0);
        ScheduleStats { missed: periods * self.burst.max(1), ..self.stats }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct BlockOrder {
    pub(crate) offset: u64,
    pub(crate) span: u64,
    pub(crate) size: u64,
    /// One after the other, from here; or at random.
    pub(crate) linear: Option<u64>,
}

impl BlockOrder {
    fn next(&mut self, random: &mut RandomStream) -> Bytes {
        let place = match &mut self.linear {
            None => random.next_bits() % (self.span / self.size) * self.size,
            Some(at) => {
                let place = *at;
                *at += self.size;
                if *at + self.size > self.span {
                    *at = 0;
                }
                place
            }
        };
        Bytes(self.offset + place)
    }
}

/// Why a requester could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    #[error("request {number} failed: {source}")]
    Failed {
        /// Its number, from 1.
        number: u64,
        source: io::Error,
    },
    /// What belongs to a request failed.
    #[error(transparent)]
    Around(#[from] SingleRequestError),
}

/// How a requester ended, or all of a target together.
#[derive(Default)]
pub(crate) struct RequesterEnd {
    pub(crate) target: usize,
    /// Clock reading at the end; what was held is given back only after that.
    pub(crate) end_ns: u64,
    pub(crate) stats: ScheduleStats,
    pub(crate) failure: Option<RequestError>,
}

impl RequesterEnd {
    pub(crate) fn merge(&mut self, other: Self) {
        self.end_ns = self.end_ns.max(other.end_ns);
        self.stats.add_requester(&other.stats);
        self.failure = self.failure.take().or(other.failure);
    }
}

pub(crate) struct Requester<'run> {
    pub(crate) target: usize,
    pub(crate) stop: &'run PingStop,
    pub(crate) single: SingleRequester,
    settings: &'run PingSettings,
    random: RandomStream,
    order: BlockOrder,
    schedule: PingSchedule,
    deadline_ns: u64,
    /// Number of requests that the requesters of the target have begun.
    begun: &'run AtomicU64,
}

impl<'run> Requester<'run> {
    /// Requester `place` of the target with this number.
    pub(crate) fn new(
        settings: &'run PingSettings,
        (target, prepared): (usize, &OpenPingTarget),
        place: u32,
        clock: &Clock,
        begun: &'run AtomicU64,
        stop: &'run PingStop,
    ) -> Result<Self, SingleRequestError> {
        let options = settings.single_options();
        let mut single = SingleRequester::new(&prepared.target, settings.size, options, clock)?;
        // Pages that are there already, and no zeros: both would make the first request another.
        RandomStream::new(!settings.seed).fill(single.buffer());
        let random = match place {
            0 => prepared.random.clone(),
            _ => RandomStream::new(settings.seed.wrapping_add(u64::from(place))),
        };
        let (schedule, size) = (&settings.schedule, settings.size.0);
        let (offset, span) = (prepared.span.offset.0, prepared.span.length.0);
        let first = span / size * u64::from(place) / u64::from(schedule.depth.max(1)) * size;
        let linear = settings.io.linear.then_some(first);
        Ok(Self {
            target,
            stop,
            single,
            settings,
            random,
            order: BlockOrder { offset, span, size, linear },
            schedule: PingSchedule::new(schedule.interval.0, schedule.burst),
            deadline_ns: u64::MAX,
            begun,
        })
    }

    pub(crate) fn begin(&mut self, now_ns: u64) {
        self.schedule.next_ns = now_ns;
        let time = self.settings.schedule.time;
        if time > Nanos::ZERO {
            self.deadline_ns = now_ns.saturating_add(time.0);
        }
    }

    /// Makes requests until something ends it; says when that was.
    pub(crate) fn run(&mut self, report: CompletionSink<'_>) -> RequesterEnd {
        let (end_ns, failure) = match self.make_requests(report) {
            // A requester that found its number taken by another ended with its last request: it
            // only waited since.
            Ok(Some(last_ns)) => (last_ns, None),
            Ok(None) => (self.single.now(), None),
            Err(error) => (self.single.now(), Some(error)),
        };
        RequesterEnd { target: self.target, end_ns, stats: self.schedule.stats(), failure }
    }

    /// When the last request ended, where no number was left for another one.
    fn make_requests(&mut self, report: CompletionSink<'_>) -> Result<Option<u64>, RequestError> {
        let count = self.settings.schedule.count;
        let mut after_pause = true;
        let mut last_ns = 0;
        while !self.stop.is_raised() {
            let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
            if count > 0 && number > count {
                return Ok(Some(last_ns));
            }
            let mut completion = self.make_request(number)?;
            last_ns = completion.ended_ns;
            completion.after_pause = after_pause;
            report(Some(&completion));
            let last = count > 0 && number >= count;
            if self.stop.is_raised() || last || completion.next_ns >= self.deadline_ns {
                if !last {
                    self.schedule.end(self.deadline_ns);
                }
                break;
            }
            after_pause = completion.next_ns > completion.ended_ns;
            if after_pause {
                report(None);
                self.wait_until(completion.next_ns);
            }
        }
        Ok(None)
    }

    fn make_request(&mut self, number: u64) -> Result<RequestCompletion, RequestError> {
        let offset = self.order.next(&mut self.random);
        let direction = self.settings.writes.direction(number);
        if direction == Direction::Write {
            self.random.fill(self.single.buffer());
        }
        let reply = self.single.request(direction, offset)?;
        let (moved, refused) = match reply.moved {
            Ok(moved) => (u64::from(moved), false),
            Err(errno) if self.settings.io.nowait && errno == EAGAIN => (0, true),
            Err(errno) => {
                let source = io::Error::from_raw_os_error(errno);
                return Err(RequestError::Failed { number, source });
            }
        };
        let ends_burst = self.schedule.advance(reply.began_ns, reply.ended_ns);
        Ok(RequestCompletion {
            number,
            direction,
            moved,
            refused,
            began_ns: reply.began_ns,
            ended_ns: reply.ended_ns,
            next_ns: self.schedule.next_ns,
            ends_burst,
            after_pause: false,
        })
    }

    fn wait_until(&mut self, until_ns: u64) {
        if self.single.advance_virtual_clock(until_ns) {
            return;
        }
        while !self.stop.is_raised() {
            let left = until_ns.saturating_sub(self.single.now());
            if left == 0 {
                break;
            }
            std::thread::park_timeout(Duration::from_nanos(left));
        }
    }
}

/// EAGAIN, the same number on every architecture of Linux that Rust knows but two old ones.
const EAGAIN: i32 = rustix::io::Errno::AGAIN.raw_os_error();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_keeps_its_interval_and_counts_what_it_lost() {
        let mut pace = PingSchedule::new(100, 0);
        let missed = |pace: &PingSchedule| pace.stats().missed;
        assert!(!pace.advance(0, 30));
        assert_eq!((pace.next_ns, missed(&pace)), (100, 0));
        pace.advance(100, 190);
        assert_eq!((pace.next_ns, missed(&pace)), (200, 0));
        pace.advance(200, 550);
        assert_eq!((pace.next_ns, missed(&pace)), (550, 0), "none before another one starts");
        // 250 late: two starts and a half never were.
        pace.advance(550, 700);
        assert_eq!((pace.next_ns, missed(&pace)), (700, 2));
        let mut ended = pace.clone();
        pace.advance(700, 710);
        assert_eq!(missed(&pace), 3);
        let stats = pace.stats();
        assert_eq!((stats.starts, stats.periods), (5, 4));
        assert_eq!((stats.planned_ns, stats.made_ns), (400, 700));
        // One was due at 650, and the end came at 660; without an end, at the end of the request.
        ended.end(660);
        assert_eq!((ended.lost_ns, missed(&ended)), (260, 2));
        let mut free = PingSchedule::new(0, 0);
        free.advance(0, 500);
        free.advance(510, 900);
        assert_eq!((free.next_ns, missed(&free)), (900, 0), "no plan, nothing missed");
    }

    #[test]
    fn a_burst_has_one_interval() {
        let mut pace = PingSchedule::new(100, 3);
        let ends = [(0, 10), (10, 20), (20, 30)].map(|(began, ended)| pace.advance(began, ended));
        assert_eq!(ends, [false, false, true]);
        assert_eq!(pace.next_ns, 120, "from the start of its last request");
        pace.advance(120, 130);
        let stats = pace.stats();
        assert_eq!((stats.periods, stats.planned_ns, stats.made_ns), (1, 120, 120));
        // The last of a burst takes 270 of its 100: at 440 three requests begin late.
        pace.advance(130, 140);
        pace.advance(140, 410);
        pace.advance(410, 420);
        assert_eq!(pace.stats().missed, 3, "170 of periods of 120");
    }

    #[test]
    fn blocks_are_aligned_within_the_span_or_follow_each_other() {
        let mut random = RandomStream::new(7);
        let mut order = BlockOrder { offset: 1000, span: 10_500, size: 1000, linear: None };
        let mut seen = [false; 10];
        for _ in 0..500 {
            let place = order.next(&mut random).0 - 1000;
            assert_eq!(place % 1000, 0);
            seen[(place / 1000) as usize] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
        order.linear = Some(8000);
        let next: Vec<u64> = (0..4).map(|_| order.next(&mut random).0).collect();
        assert_eq!(next, [9000, 10_000, 1000, 2000]);
    }
}
