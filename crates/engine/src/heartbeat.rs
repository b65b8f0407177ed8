//! When this process did not run: stopped, starved of processors, or the machine suspended.
//!
//! A thread of its own does nothing but sleep for short times. If a sleep ends late, no thread of
//! this process may have run, and what looks like a silent device is our own pause. A late beat
//! alone proves nothing: the scheduler may have starved this one thread. So the completions of the
//! workers decide what of it was a pause ([`confirm_pauses`]).

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::clock::{Clock, monotonic_ns, sleep_until_monotonic};
use crate::outcome::{IntervalOutcome, Pause, PauseKind};

/// Between two beats; the precision of a pause's start.
const BEAT_INTERVAL_NS: u64 = 10_000_000;
/// A later beat is a pause: above what busy processors cause (60 ms in 5,800 beats beside
/// compilers, 68 ms beside eight spinning threads), below the 100 ms of silence that `stall` looks
/// for.
const LATE_MIN_NS: u64 = 75_000_000;
/// Pauses kept for the monitors, which poll every few milliseconds.
const RECENT_PAUSES: usize = 1024;
/// Pauses kept of one run: two hours of them at least.
const PAUSES_MAX: usize = 100_000;

/// The heartbeat of this process, while a monitor follows it.
static HEARTBEAT: Mutex<Weak<Heartbeat>> = Mutex::new(Weak::new());

#[derive(Debug)]
struct Heartbeat {
    /// CLOCK_MONOTONIC of the last beat.
    beat_ns: AtomicU64,
    log: Mutex<PauseLog>,
}

#[derive(Debug)]
struct PauseLog {
    recent: VecDeque<Pause>,
    /// All pauses ever logged.
    count: u64,
}

#[derive(Debug, Clone, Copy)]
struct Beat {
    monotonic_ns: u64,
    /// Between these two lies how far CLOCK_BOOTTIME, which counts suspension, is ahead.
    ahead_min_ns: u64,
    ahead_max_ns: u64,
}

impl Beat {
    fn now() -> Self {
        let before = monotonic_ns();
        let boot = clock_gettime(ClockId::Boottime);
        let boot_ns = boot.tv_sec as u64 * 1_000_000_000 + boot.tv_nsec as u64;
        let after = monotonic_ns();
        let (ahead_min_ns, ahead_max_ns) =
            (boot_ns.saturating_sub(after), boot_ns.saturating_sub(before));
        Self { monotonic_ns: after, ahead_min_ns, ahead_max_ns }
    }

    /// The pauses between this beat and the next: of the machine, and of this process. The
    /// suspension comes first: it has no length on the clock, and the ends of a monitor's pauses
    /// ascend.
    fn pauses_until(&self, next: &Self) -> [Option<Pause>; 2] {
        let due_ns = self.monotonic_ns + BEAT_INTERVAL_NS;
        let pause = |start_ns: u64, length_ns: u64, kind: PauseKind| {
            (length_ns > LATE_MIN_NS).then_some(Pause { start_ns, length_ns, kind })
        };
        let suspended_ns = next.ahead_min_ns.saturating_sub(self.ahead_max_ns);
        [
            pause(self.monotonic_ns, suspended_ns, PauseKind::Suspended),
            pause(due_ns, next.monotonic_ns.saturating_sub(due_ns), PauseKind::Stopped),
        ]
    }
}

impl Heartbeat {
    fn new(first: Beat) -> Self {
        let log = PauseLog { recent: VecDeque::with_capacity(RECENT_PAUSES), count: 0 };
        Self { beat_ns: AtomicU64::new(first.monotonic_ns), log: Mutex::new(log) }
    }

    fn join_or_start() -> io::Result<Arc<Self>> {
        let mut current = HEARTBEAT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heartbeat) = current.upgrade() {
            return Ok(heartbeat);
        }
        let first = Beat::now();
        let heartbeat = Arc::new(Self::new(first));
        let weak = Arc::downgrade(&heartbeat);
        *current = weak.clone();
        thread::Builder::new()
            .name("truedisk-beat".to_owned())
            .stack_size(64 << 10)
            .spawn(move || run_heartbeat(&weak, first))?;
        Ok(heartbeat)
    }

    fn log_pause(&self, pause: Pause) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.recent.len() == RECENT_PAUSES {
            log.recent.pop_front();
        }
        log.recent.push_back(pause);
        log.count += 1;
    }
}

/// The thread: beats until no monitor follows.
fn run_heartbeat(followed: &Weak<Heartbeat>, mut last: Beat) {
    loop {
        let due = last.monotonic_ns + BEAT_INTERVAL_NS;
        let _ = sleep_until_monotonic(due);
        let Some(heartbeat) = followed.upgrade() else { return };
        let now = Beat::now();
        last.pauses_until(&now).into_iter().flatten().for_each(|pause| heartbeat.log_pause(pause));
        // After the pauses: a monitor that reads this beat finds them.
        heartbeat.beat_ns.store(now.monotonic_ns, Ordering::Release);
        last = now;
    }
}

/// Follows the heartbeat of this process for one run.
#[derive(Debug)]
pub struct PauseMonitor {
    heartbeat: Arc<Heartbeat>,
    seen_count: u64,
    /// Their ends ascend.
    pauses: Vec<Pause>,
    /// Also of pauses beyond those that are kept.
    last_end_ns: u64,
}

impl PauseMonitor {
    /// Follows from now on; fails when the system gives no thread for it.
    pub fn start() -> io::Result<Self> {
        Ok(Self::with_heartbeat(Heartbeat::join_or_start()?))
    }

    fn with_heartbeat(heartbeat: Arc<Heartbeat>) -> Self {
        let seen = heartbeat.log.lock().unwrap_or_else(PoisonError::into_inner).count;
        Self { heartbeat, seen_count: seen, pauses: Vec::new(), last_end_ns: 0 }
    }

    /// Whether the heart beats; if not, a pause may not be logged yet. Call it before
    /// [`Self::update`], which then gets all pauses.
    pub(crate) fn is_current(&self) -> bool {
        let beat_ns = self.heartbeat.beat_ns.load(Ordering::Acquire);
        monotonic_ns().saturating_sub(beat_ns) <= BEAT_INTERVAL_NS + LATE_MIN_NS
    }

    /// Takes over the pauses since the last call; how long this process was stopped in them.
    pub(crate) fn update(&mut self, clock: &Clock) -> u64 {
        let log = self.heartbeat.log.lock().unwrap_or_else(PoisonError::into_inner);
        let new = (log.count - self.seen_count).min(log.recent.len() as u64) as usize;
        self.seen_count = log.count;
        let mut stopped_ns = 0;
        for pause in log.recent.range(log.recent.len() - new..) {
            let pause = Pause { start_ns: clock.from_monotonic(pause.start_ns), ..*pause };
            self.last_end_ns = self.last_end_ns.max(pause.end_ns());
            if self.pauses.len() < PAUSES_MAX {
                self.pauses.push(pause);
            }
            if pause.kind == PauseKind::Stopped {
                stopped_ns += pause.length_ns;
            }
        }
        stopped_ns
    }

    /// The latest end of a pause, on the clock; 0 before the first.
    pub(crate) fn last_end_ns(&self) -> u64 {
        self.last_end_ns
    }

    pub(crate) fn overlaps(&self, start_ns: u64, length_ns: u64) -> bool {
        let first = self.pauses.partition_point(|pause| pause.end_ns() <= start_ns);
        self.pauses.get(first).is_some_and(|pause| pause.start_ns < start_ns + length_ns)
    }

    /// The pauses within a time on the clock, their starts relative to its begin.
    pub(crate) fn pauses_within(&self, start_ns: u64, length_ns: u64) -> Vec<Pause> {
        self.pauses.iter().filter_map(|pause| pause.clip_to(start_ns, length_ns)).collect()
    }

    /// Waits for the next beat; gives the pauses from `start_ns` on the clock, their starts from
    /// then.
    pub fn finish(mut self, clock: &Clock, start_ns: u64) -> Vec<Pause> {
        while !self.is_current() {
            thread::sleep(Duration::from_millis(1));
        }
        self.update(clock);
        self.pauses_within(start_ns, clock.now().saturating_sub(start_ns))
    }
}

impl Pause {
    /// When it ended, on the clock, which stands still while the machine is suspended.
    fn end_ns(&self) -> u64 {
        match self.kind {
            PauseKind::Stopped => self.start_ns.saturating_add(self.length_ns),
            PauseKind::Suspended => self.start_ns,
        }
    }

    fn clip_to(&self, start_ns: u64, length_ns: u64) -> Option<Self> {
        let from = self.start_ns.max(start_ns);
        let to = self.end_ns().min(start_ns.saturating_add(length_ns));
        let (overlaps, length_ns) = match self.kind {
            PauseKind::Stopped => (to > from, to.saturating_sub(from)),
            PauseKind::Suspended => (to >= from, self.length_ns),
        };
        overlaps.then(|| Self { start_ns: from - start_ns, length_ns, kind: self.kind })
    }
}

/// The parts of late beats in which no worker reaped anything: those are pauses.
pub(crate) fn confirm_pauses(
    late: &[Pause],
    intervals: &[&IntervalOutcome],
    tick_ns: u64,
) -> Vec<Pause> {
    let mut pauses = Vec::new();
    for pause in late {
        if pause.kind == PauseKind::Suspended {
            pauses.push(*pause);
            continue;
        }
        let end = pause.start_ns.saturating_add(pause.length_ns);
        let mut from = pause.start_ns;
        let mut part = |from: u64, to: u64| {
            // What the edges of the measured time cut off may be short.
            if to.saturating_sub(from) >= LATE_MIN_NS.min(pause.length_ns) {
                pauses.push(Pause { start_ns: from, length_ns: to - from, kind: pause.kind });
            }
        };
        for busy in busy_ticks(intervals, tick_ns, pause.start_ns, end) {
            part(from, busy);
            from = busy + tick_ns;
        }
        part(from, end);
    }
    pauses
}

/// Starts of the ticks within a time in which something completed.
fn busy_ticks(
    intervals: &[&IntervalOutcome],
    tick_ns: u64,
    from: u64,
    to: u64,
) -> impl Iterator<Item = u64> {
    let first = intervals.partition_point(|i| i.start_ns + i.length_ns <= from);
    let within = intervals[first..].iter().take_while(move |interval| interval.start_ns < to);
    within.flat_map(move |interval| {
        let ticks = interval.tick_ops.iter().map(Vec::len).max().unwrap_or(0);
        let busy = |tick: &usize| interval.tick_ops.iter().any(|ops| ops.get(*tick) > Some(&0));
        let start = |tick: usize| interval.start_ns + tick as u64 * tick_ns;
        let inside = move |start: &u64| *start >= from && start + tick_ns <= to;
        (0..ticks).filter(busy).map(start).filter(inside).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn stopped(start_ms: u64, length_ms: u64) -> Pause {
        let (start_ns, length_ns) = (start_ms * MS, length_ms * MS);
        Pause { start_ns, length_ns, kind: PauseKind::Stopped }
    }

    /// Two seconds in which something completes in each tick of 10 ms, but in these.
    fn series(silent: std::ops::Range<usize>) -> Vec<IntervalOutcome> {
        let ops = |i: usize| (i * 10..i * 10 + 10).map(|t| u64::from(!silent.contains(&t)));
        let interval = |i: usize| IntervalOutcome {
            start_ns: i as u64 * 100 * MS,
            length_ns: 100 * MS,
            directions: [const { None }; 4],
            tick_ops: [ops(i).collect(), Vec::new(), Vec::new(), Vec::new()],
            tick_latency_ns: Default::default(),
        };
        (0..20).map(interval).collect()
    }

    #[test]
    fn late_beats_and_suspension_are_told_apart() {
        let last =
            Beat { monotonic_ns: 5_000 * MS, ahead_min_ns: 100 * MS, ahead_max_ns: 101 * MS };
        let after = |elapsed_ms: u64, ahead_ms: u64| Beat {
            monotonic_ns: last.monotonic_ns + elapsed_ms * MS,
            ahead_min_ns: ahead_ms * MS,
            ahead_max_ns: (ahead_ms + 1) * MS,
        };
        let check = |elapsed_ms, ahead_ms, expected: &[(u64, u64, PauseKind)]| {
            let pauses = last.pauses_until(&after(elapsed_ms, ahead_ms));
            let found: Vec<_> = pauses
                .into_iter()
                .flatten()
                .map(|p| (p.start_ns / MS, p.length_ns / MS, p.kind))
                .collect();
            assert_eq!(found, expected, "{elapsed_ms} {ahead_ms}");
        };
        check(10, 100, &[]);
        check(80, 100, &[]);
        check(1_010, 100, &[(5_010, 1_000, PauseKind::Stopped)]);
        check(10, 60_101, &[(5_000, 60_000, PauseKind::Suspended)]);
        let both = [(5_000, 3_000, PauseKind::Suspended), (5_010, 200, PauseKind::Stopped)];
        check(210, 3_101, &both);
    }

    #[test]
    fn only_time_without_completions_is_a_pause() {
        let check = |late: Pause, silent, expected: &[Pause]| {
            let series = series(silent);
            let series: Vec<&IntervalOutcome> = series.iter().collect();
            assert_eq!(confirm_pauses(&[late], &series, 10 * MS), expected, "{late:?}");
        };
        check(stopped(505, 1_000), 50..151, &[stopped(505, 1_000)]);
        // The worker came back before the heartbeat.
        check(stopped(505, 1_000), 50..147, &[stopped(505, 965)]);
        // The heartbeat alone was starved.
        check(stopped(505, 1_000), 0..0, &[]);
        check(stopped(505, 1_000), 60..80, &[stopped(600, 200)]);
        // Where ticks are too long to tell, the late beat counts.
        let alone = [stopped(505, 1_000)];
        assert_eq!(confirm_pauses(&alone, &[], 10 * MS), alone);
        let busy = series(0..0);
        let busy: Vec<&IntervalOutcome> = busy.iter().collect();
        assert_eq!(confirm_pauses(&alone, &busy, 2_000 * MS), alone);
    }

    #[test]
    fn pauses_are_those_of_the_measured_time() {
        let within = |pause: Pause| pause.clip_to(1_000 * MS, 500 * MS);
        assert_eq!(within(stopped(900, 100)), None);
        assert_eq!(within(stopped(900, 200)), Some(stopped(0, 100)));
        assert_eq!(within(stopped(1_100, 200)), Some(stopped(100, 200)));
        assert_eq!(within(stopped(1_400, 900)), Some(stopped(400, 100)));
        assert_eq!(within(stopped(1_500, 900)), None);
        let suspended = |start| Pause { kind: PauseKind::Suspended, ..stopped(start, 60_000) };
        assert_eq!(within(suspended(900)), None);
        assert_eq!(within(suspended(1_100)), Some(suspended(100)));
    }

    #[test]
    fn a_watch_takes_over_each_pause_once() {
        let clock = Clock::monotonic();
        // One of its own: other tests follow that of the process.
        let heartbeat = Arc::new(Heartbeat::new(Beat::now()));
        let notice = |start_ns: u64| {
            let kind = PauseKind::Stopped;
            heartbeat.log_pause(Pause { start_ns, length_ns: 100 * MS, kind });
        };
        let now = monotonic_ns();
        notice(now);
        let mut watch = PauseMonitor::with_heartbeat(Arc::clone(&heartbeat));
        assert_eq!((watch.update(&clock), watch.last_end_ns()), (0, 0));
        notice(now + 1_000 * MS);
        notice(now + 2_000 * MS);
        assert_eq!(watch.update(&clock), 200 * MS);
        assert_eq!(watch.update(&clock), 0);
        assert!(watch.last_end_ns() > 2_000 * MS);
        assert_eq!(watch.pauses_within(0, 60_000 * MS).len(), 2);
        // A monitor that is late misses the oldest, and nothing else.
        (0..2 * RECENT_PAUSES as u64).for_each(|i| notice(now + i * 200 * MS));
        assert_eq!(watch.update(&clock), RECENT_PAUSES as u64 * 100 * MS);
    }

    #[test]
    fn a_stop_with_a_suspension_in_it_overlaps_to_its_end() {
        let clock = Clock::monotonic();
        let last = Beat { monotonic_ns: monotonic_ns(), ahead_min_ns: 0, ahead_max_ns: 0 };
        let next = Beat {
            monotonic_ns: last.monotonic_ns + 500 * MS,
            ahead_min_ns: 60_000 * MS,
            ahead_max_ns: 60_000 * MS,
        };
        let heartbeat = Arc::new(Heartbeat::new(last));
        let mut watch = PauseMonitor::with_heartbeat(Arc::clone(&heartbeat));
        last.pauses_until(&next).into_iter().flatten().for_each(|pause| heartbeat.log_pause(pause));
        assert_eq!(watch.update(&clock), 490 * MS);
        // To a millisecond: the offset between two clocks is known to their readings only.
        let end_ns = clock.from_monotonic(next.monotonic_ns);
        assert!(watch.last_end_ns().abs_diff(end_ns) < MS);
        assert!(watch.overlaps(end_ns - 100 * MS, 10 * MS));
        assert!(!watch.overlaps(end_ns + MS, 10 * MS));
    }

    #[test]
    fn one_heart_beats_for_all_who_follow() {
        let (one, other) = (PauseMonitor::start().unwrap(), PauseMonitor::start().unwrap());
        assert!(Arc::ptr_eq(&one.heartbeat, &other.heartbeat));
        let first = one.heartbeat.beat_ns.load(Ordering::Acquire);
        let clock = Clock::monotonic();
        let begin = clock.now();
        while other.heartbeat.beat_ns.load(Ordering::Acquire) == first {
            thread::yield_now();
        }
        // A pause that begins before this time is cut: all starts are from `begin`, within it.
        let all = other.finish(&clock, begin);
        let elapsed_ns = clock.now() - begin;
        assert!(all.iter().all(|pause| pause.start_ns <= elapsed_ns), "{all:?}");
    }
}
