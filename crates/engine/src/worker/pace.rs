//! Operations that start when a plan says so: open loops, rate caps, pauses.
//!
//! What is late in an open loop starts at once and the plan does not move, so that waiting is part
//! of the response time (no coordinated omission). Lateness while a slot was free is the
//! generator's own fault and counted as lag; waiting for a slot is the bound's.

use std::sync::Arc;

use workload::{Arrivals, Cap, Caps, Direction, Job, Pacing, ThinkTime};

use crate::flow::{FlowMember, FlowMembership};
use crate::mix::mix64;
use crate::outcome::OpenLoopOutcome;
use crate::sequence::{Operation, RandomStream, ScriptStep, StepStream, draw_exponential};

/// A sleep must end this long before the next start, which it could oversleep; then the worker
/// spins. Waking takes 100 us and more on a VM: the margin follows how late sleeps lately ended.
const MARGIN_MIN_NS: u64 = 60_000;
const MARGIN_MAX_NS: u64 = 1_000_000;
/// The end of a pause that has not begun.
const NOT_BEGUN: u64 = u64::MAX;
/// A capped direction catches up at most this far behind its rate.
const CATCH_UP_MAX_NS: f64 = 1e9;

#[derive(Debug)]
enum StartPlan {
    Free,
    /// One gap after the last; with a stream of random numbers the gaps are exponential.
    Spread {
        gap_ns: f64,
        next_ns: f64,
        random: Option<RandomStream>,
    },
    Scripted {
        steps: Arc<[ScriptStep]>,
        next: usize,
        by: usize,
        start_ns: u64,
    },
    /// The next operation has its start from the stream.
    Streamed {
        start_ns: u64,
        due_ns: u64,
        outstanding_max: Option<u32>,
    },
}

impl StartPlan {
    fn due_ns(&self) -> u64 {
        match self {
            Self::Free => 0,
            Self::Spread { next_ns, .. } => *next_ns as u64,
            Self::Scripted { steps, next, start_ns, .. } => {
                start_ns + steps[next % steps.len()].due_ns.unwrap_or(0)
            }
            Self::Streamed { start_ns, due_ns, .. } => start_ns + due_ns,
        }
    }

    fn advance(&mut self) {
        match self {
            Self::Free | Self::Streamed { .. } => {}
            Self::Spread { gap_ns, next_ns, random } => *next_ns += next_gap(*gap_ns, random),
            Self::Scripted { next, by, .. } => *next += *by,
        }
    }

    /// Moves the plan to begin at `start`.
    fn begin(&mut self, start: u64) {
        match self {
            Self::Free => {}
            Self::Spread { gap_ns, next_ns, random } => {
                let first_gap = if random.is_some() { next_gap(*gap_ns, random) } else { 0.0 };
                *next_ns = start as f64 + first_gap;
            }
            Self::Scripted { start_ns, .. } | Self::Streamed { start_ns, .. } => *start_ns = start,
        }
    }
}

fn next_gap(gap_ns: f64, random: &mut Option<RandomStream>) -> f64 {
    random.as_mut().map_or(gap_ns, |random| draw_exponential(random, gap_ns))
}

#[derive(Debug, Clone, Copy)]
struct RateCap {
    ns_per_operation: f64,
    ns_per_byte: f64,
    next_ns: f64,
}

impl RateCap {
    /// The part of one of `workers` that share the rate.
    fn new(cap: Cap, workers: f64) -> Self {
        let (ns_per_operation, ns_per_byte) = match cap {
            Cap::Operations(rate) => (1e9 * workers / rate.0, 0.0),
            Cap::Bytes(rate) => (0.0, 1e9 * workers / rate.0),
        };
        Self { ns_per_operation, ns_per_byte, next_ns: 0.0 }
    }
}

#[derive(Debug)]
pub(crate) struct Pace {
    plan: StartPlan,
    /// How the plan of an open loop was kept, before its lag is judged.
    pub(super) open_loop: Option<OpenLoopOutcome>,
    /// The target is idle between operations, or its thread has real-time priority.
    pub(super) never_spins: bool,
    caps: [Option<RateCap>; 4],
    pub(super) think: Option<ThinkTime>,
    until_think: u32,
    think_ended_ns: u64,
    /// End of a pause: no operation starts before. `NOT_BEGUN` while it waits for what is
    /// outstanding, as in fio.
    pub(super) resume_ns: u64,
    /// The next operation, taken from the generator and not yet started.
    pub(super) next: Option<Operation>,
    /// Where operations and their starts come from, if not from the generator and the plan.
    pub(super) stream: Option<StepStream>,
    /// The jobs that it keeps in step with.
    pub(super) flow: Option<FlowMembership>,
    /// Since when it waits for its flow, and until when it does not look.
    pub(super) held_since_ns: Option<u64>,
    pub(super) held_until_ns: u64,
    /// When the last slot was taken while more was due.
    pub(super) full_since_ns: Option<u64>,
    pub(super) margin_ns: u64,
}

impl Pace {
    /// The pace of worker `worker` of `workers`, which share the rates; `None` for a closed loop.
    pub(crate) fn from_job(
        job: &Job,
        worker: u64,
        workers: u64,
        script: Option<Arc<[ScriptStep]>>,
        flow: Option<FlowMember>,
    ) -> Option<Self> {
        let script = script.filter(|steps| steps.iter().any(|step| step.due_ns.is_some()));
        let is_plain = job.pacing == Pacing::Closed && job.caps.is_none() && job.think.is_none();
        if is_plain && flow.is_none() && script.is_none() {
            return None;
        }
        let spread = |gap_ns, random| StartPlan::Spread { gap_ns, next_ns: 0.0, random };
        let (next, by) = (worker as usize, workers.max(1) as usize);
        let plan = match (job.pacing, script) {
            (Pacing::Closed, Some(steps)) => StartPlan::Scripted { steps, next, by, start_ns: 0 },
            (Pacing::Closed, None) => StartPlan::Free,
            (Pacing::Spaced { interval }, _) => spread(interval.0 as f64, None),
            (Pacing::Open { rate, arrivals }, _) => {
                let random = || RandomStream::new(mix64(job.seed.0 ^ 0xA1), 0);
                spread(1e9 / rate.0, (arrivals == Arrivals::Poisson).then(random))
            }
        };
        let cap = |cap: Option<Cap>| Some(RateCap::new(cap?, by as f64));
        let Caps { read, write, trim } = job.caps;
        Some(Self {
            plan,
            open_loop: job.is_open_loop().then(OpenLoopOutcome::default),
            never_spins: matches!(job.pacing, Pacing::Spaced { .. }),
            caps: [cap(read), cap(write), None, cap(trim)],
            think: job.think,
            until_think: job.think.map_or(0, |think| think.every),
            think_ended_ns: 0,
            resume_ns: 0,
            next: None,
            stream: None,
            flow: flow.map(FlowMembership),
            held_since_ns: None,
            held_until_ns: 0,
            full_since_ns: None,
            margin_ns: MARGIN_MIN_NS,
        })
    }

    /// The same with operations and starts from `stream`, in a thread that may have real-time
    /// priority.
    pub(crate) fn with_stream(self, stream: Option<StepStream>, is_realtime: bool) -> Self {
        if stream.is_none() {
            return self;
        }
        let plan = StartPlan::Streamed { start_ns: 0, due_ns: 0, outstanding_max: None };
        let never_spins = self.never_spins || is_realtime;
        Self { plan, stream, never_spins, ..self }
    }

    /// The next operation of the stream; its start is that of the plan until the next call.
    #[inline]
    pub(super) fn next_streamed(&mut self) -> Option<Operation> {
        let step = self.stream.as_mut()?.next_step()?;
        if let StartPlan::Streamed { due_ns, outstanding_max, .. } = &mut self.plan {
            *due_ns = step.due_ns.unwrap_or(0);
            *outstanding_max = step.outstanding_max;
        }
        Some(step.operation)
    }

    /// Whether the next operation, started beside `outstanding` others, has no deeper queue before
    /// it than where it was captured.
    #[inline]
    pub(super) fn is_comparable(&self, outstanding: u64) -> bool {
        match self.plan {
            StartPlan::Streamed { outstanding_max: Some(most), .. } => {
                outstanding <= u64::from(most)
            }
            _ => false,
        }
    }

    /// Whether it has a stream, of which nothing is left.
    pub(super) fn is_stream_over(&self) -> bool {
        self.stream.as_ref().is_some_and(StepStream::has_ended)
    }

    /// Whether it has a stream, which had no operation when it was asked last.
    pub(super) fn is_stream_dry(&self) -> bool {
        self.stream.as_ref().is_some_and(StepStream::is_dry)
    }

    pub(super) fn is_stream_refused(&self) -> bool {
        self.stream.as_ref().is_some_and(StepStream::is_refused)
    }

    pub(super) fn is_open_loop(&self) -> bool {
        self.open_loop.is_some()
    }

    pub(super) fn begin(&mut self, start: u64) {
        if let Some(flow) = &self.flow {
            flow.catch_up();
        }
        self.think_ended_ns = start;
        self.plan.begin(start);
        self.caps.iter_mut().flatten().for_each(|cap| cap.next_ns = start as f64);
    }

    #[inline]
    pub(super) fn due_ns(&self, operation: &Operation) -> u64 {
        let cap = &self.caps[operation.direction as usize];
        let capped = cap.as_ref().map_or(0, |cap| cap.next_ns as u64);
        self.plan.due_ns().max(capped).max(self.resume_ns)
    }

    /// Whether its flow lets `operation` start at `now`.
    #[inline]
    pub(super) fn may_start(&mut self, operation: &Operation, now: u64) -> bool {
        let Some(flow) = &self.flow else { return true };
        if now < self.held_until_ns {
            return false;
        }
        if operation.direction == Direction::Sync || flow.try_start(now) {
            self.held_since_ns = None;
            return true;
        }
        self.held_since_ns.get_or_insert(now);
        self.held_until_ns = now + flow.poll_interval_ns;
        false
    }

    /// The margin grows at once and shrinks slowly.
    pub(super) fn record_oversleep(&mut self, late_ns: u64) {
        let shrunk = self.margin_ns - self.margin_ns / 64;
        self.margin_ns = shrunk.max(late_ns + late_ns / 2).clamp(MARGIN_MIN_NS, MARGIN_MAX_NS);
    }

    #[inline]
    pub(super) fn record_start(&mut self, operation: &Operation, now: u64) {
        self.plan.advance();
        if let Some(cap) = &mut self.caps[operation.direction as usize] {
            let cost = cap.ns_per_operation + cap.ns_per_byte * f64::from(operation.length);
            cap.next_ns = cap.next_ns.max(now as f64 - CATCH_UP_MAX_NS) + cost;
        }
        if let Some(think) = &self.think
            && operation.direction != Direction::Sync
        {
            self.until_think = self.until_think.saturating_sub(1);
            let enough = think.every > 0 && self.until_think == 0;
            let long =
                think.after.0 > 0 && now >= self.think_ended_ns.saturating_add(think.after.0);
            if enough || long {
                self.until_think = think.every;
                self.resume_ns = NOT_BEGUN;
            }
        }
    }

    /// Whether a pause begins when nothing is outstanding any more.
    pub(super) fn awaits_pause(&self) -> bool {
        self.resume_ns == NOT_BEGUN
    }

    /// Nothing is outstanding: the pause that was waited for begins.
    pub(super) fn begin_pause(&mut self, now: u64) {
        if let Some(think) = self.think.filter(|_| self.awaits_pause()) {
            self.resume_ns = now.saturating_add(think.time.0);
            self.think_ended_ns = self.resume_ns;
        }
    }

    /// Counts an operation that found no slot until the end of the measured time.
    pub(super) fn record_unstarted(&mut self) {
        self.plan.advance();
        if let Some(counts) = &mut self.open_loop {
            counts.unstarted += 1;
            counts.held += 1;
        }
    }

    /// Counts how late the operation due at `due` is, handed over at `now`. Where calls block, the
    /// worker was busy with the last operation from `busy_since_ns` on.
    #[inline]
    pub(super) fn record_lag(&mut self, due: u64, now: u64, busy_since_ns: Option<u64>) {
        let Some(counts) = &mut self.open_loop else { return };
        counts.started += 1;
        let free_until = match self.full_since_ns.or(busy_since_ns) {
            // It was due when every slot was taken, or nearly: the rest is the bound's doing.
            Some(full) => {
                counts.held += 1;
                full.min(now)
            }
            None => now,
        };
        counts.lag.record(free_until.saturating_sub(due));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::{BytesPerSecond, Iops, Nanos};

    fn pace(pacing: Pacing, caps: Caps, think: Option<ThinkTime>) -> Pace {
        let job = Job { pacing, caps, think, ..Job::base() };
        let mut pace = Pace::from_job(&job, 0, 1, None, None).unwrap();
        pace.begin(1_000);
        pace
    }

    fn counts(pace: &Pace) -> &OpenLoopOutcome {
        pace.open_loop.as_ref().unwrap()
    }

    fn read(length: u32) -> Operation {
        Operation { direction: Direction::Read, target: 0, length, offset: 0 }
    }

    /// The first `count` starts, when they are due.
    fn starts(pace: &mut Pace, operation: Operation, count: usize) -> Vec<u64> {
        let mut now = 0;
        (0..count)
            .map(|_| {
                now = pace.due_ns(&operation).max(now);
                pace.record_start(&operation, now);
                pace.begin_pause(now);
                now
            })
            .collect()
    }

    #[test]
    fn a_plain_closed_loop_has_no_plan() {
        assert!(Pace::from_job(&Job::base(), 0, 1, None, None).is_none());
    }

    #[test]
    fn constant_arrivals_are_even_and_do_not_drift() {
        let rate = Iops(300_000.0);
        let mut pace =
            pace(Pacing::Open { rate, arrivals: Arrivals::Constant }, Caps::default(), None);
        let all = starts(&mut pace, read(4096), 300_001);
        assert_eq!(all[300_000], 1_000 + 1_000_000_000);
        assert!(all.windows(2).all(|w| (3333..=3334).contains(&(w[1] - w[0]))));
    }

    /// Largest distance between the empirical distribution and the exponential one.
    fn distance(gaps: &mut [f64], mean: f64) -> f64 {
        gaps.sort_by(f64::total_cmp);
        let n = gaps.len() as f64;
        let off = |(i, gap): (usize, &f64)| {
            let law = 1.0 - (-gap / mean).exp();
            (law - i as f64 / n).abs().max((law - (i + 1) as f64 / n).abs())
        };
        gaps.iter().enumerate().map(off).fold(0.0, f64::max)
    }

    #[test]
    fn poisson_arrivals_are_exponential_at_every_rate() {
        for rate in [10_000.0, 80_000.0, 300_000.0, 700_000.0] {
            let arrivals = Arrivals::Poisson;
            let mut pace = pace(Pacing::Open { rate: Iops(rate), arrivals }, Caps::default(), None);
            let all = starts(&mut pace, read(4096), 20_001);
            let mut gaps: Vec<f64> = all.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
            let span = (all[20_000] - all[0]) as f64;
            let got = 20_000.0 * 1e9 / span;
            assert!((got / rate - 1.0).abs() < 0.025, "{rate}: {got}");
            // Kolmogorov and Smirnov: 1.63 / sqrt(n) is passed over once in a hundred.
            let distance = distance(&mut gaps, 1e9 / rate);
            assert!(distance < 1.63 / 20_000_f64.sqrt(), "{rate}: {distance}");
        }
    }

    #[test]
    fn caps_hold_by_operations_and_by_bytes() {
        let caps = Caps { read: Some(Cap::Operations(Iops(1000.0))), ..Caps::default() };
        let all = starts(&mut pace(Pacing::Closed, caps, None), read(4096), 11);
        assert_eq!(all[10] - all[0], 10_000_000);
        let bytes = Some(Cap::Bytes(BytesPerSecond(4_096_000.0)));
        let caps = Caps { read: bytes, ..Caps::default() };
        let all = starts(&mut pace(Pacing::Closed, caps, None), read(8192), 11);
        assert_eq!(all[10] - all[0], 20_000_000);
        let mut free = pace(Pacing::Closed, caps, None);
        let write = Operation { direction: Direction::Write, ..read(4096) };
        assert_eq!(starts(&mut free, write, 3), [0, 0, 0], "another direction is not capped");
    }

    #[test]
    fn pauses_come_after_so_many_operations() {
        let think = ThinkTime { time: Nanos(500), spin: Nanos::ZERO, every: 3, after: Nanos::ZERO };
        let all = starts(&mut pace(Pacing::Closed, Caps::default(), Some(think)), read(512), 7);
        assert_eq!(all, [0, 0, 0, 500, 500, 500, 1000]);
    }

    #[test]
    fn a_pause_begins_when_nothing_is_outstanding() {
        let think = ThinkTime { time: Nanos(500), spin: Nanos::ZERO, every: 2, after: Nanos::ZERO };
        let mut pace = pace(Pacing::Closed, Caps::default(), Some(think));
        pace.record_start(&read(512), 2_000);
        pace.begin_pause(2_100);
        assert_eq!(pace.due_ns(&read(512)), 0, "one operation of two");
        pace.record_start(&read(512), 2_200);
        assert!(pace.awaits_pause());
        assert_eq!(pace.due_ns(&read(512)), NOT_BEGUN);
        pace.begin_pause(9_000);
        pace.begin_pause(9_100);
        assert_eq!(pace.due_ns(&read(512)), 9_500);
    }

    #[test]
    fn pauses_come_after_so_much_time_of_operations() {
        let think = |every, after| ThinkTime {
            time: Nanos(500),
            spin: Nanos::ZERO,
            every,
            after: Nanos(after),
        };
        // Begun at 1000, an operation each 100: at 2000 the time is over, and at 3500 again.
        let pauses = |think: ThinkTime| {
            let mut pace = pace(Pacing::Closed, Caps::default(), Some(think));
            let (mut now, mut pauses) = (1_000, Vec::new());
            for _ in 0..40 {
                pace.record_start(&read(512), now);
                pace.begin_pause(now);
                let next = pace.due_ns(&read(512)).max(now);
                if next > now {
                    pauses.push(now);
                }
                now = next + 100;
            }
            pauses
        };
        assert_eq!(pauses(think(0, 1_000)), [2_000, 3_500, 5_000]);
        assert_eq!(pauses(think(4, 1_000))[..3], [1_300, 2_200, 3_100], "whichever is first");
        assert_eq!(pauses(think(100, 1_000))[..2], [2_000, 3_500]);
    }

    #[test]
    fn sleeps_end_the_earlier_the_later_they_lately_did() {
        let open = Pacing::Open { rate: Iops(1000.0), arrivals: Arrivals::Constant };
        let mut pace = pace(open, Caps::default(), None);
        assert_eq!(pace.margin_ns, MARGIN_MIN_NS);
        pace.record_oversleep(200_000);
        assert_eq!(pace.margin_ns, 300_000);
        (0..1000).for_each(|_| pace.record_oversleep(0));
        assert_eq!(pace.margin_ns, MARGIN_MIN_NS);
        pace.record_oversleep(80_000_000);
        assert_eq!(pace.margin_ns, MARGIN_MAX_NS);
    }

    #[test]
    fn lateness_is_the_generators_until_the_slots_are_full() {
        let rate = Iops(1000.0);
        let open = Pacing::Open { rate, arrivals: Arrivals::Constant };
        let mut pace = pace(open, Caps::default(), None);
        pace.record_lag(1_000, 1_500, None);
        assert_eq!((counts(&pace).lag.max_ns(), counts(&pace).held), (Some(500), 0));
        // Full since 5000: an operation due at 3000 was 2000 late by then, the rest is the bound's.
        pace.full_since_ns = Some(5_000);
        pace.record_lag(3_000, 90_000, None);
        pace.record_lag(8_000, 90_000, None);
        assert_eq!((counts(&pace).lag.max_ns(), counts(&pace).held), (Some(2_000), 2));
        assert_eq!(counts(&pace).lag.min_ns(), Some(0));
    }
}
