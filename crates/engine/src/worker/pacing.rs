//! Operations that start when a plan says so: open loops, rate caps, pauses.
//!
//! The plan of an open loop is kept apart from its progress: what is late starts at once and the
//! plan does not move, so that waiting is part of the response time (no coordinated omission).
//! How late an operation was handed over while a slot was free is the generator's own fault and
//! counted as lag; how long it waited for a slot is the bound's.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use stats::LatencyHistogram;
use workload::{Arrivals, Cap, Caps, Direction, Job, Pacing, ThinkTime};

use super::{BATCH_MAX, Worker, new_histogram};
use crate::backend::Backend;
use crate::flow::{FlowMember, FlowMembership};
use crate::sequence::{Operation, RandomStream, ScriptStep, draw_exponential, mix64};

/// Closer than this to the next start a sleep could oversleep it, and the worker looks at the
/// clock all the time. Timer slack is 50 us; on a virtual machine waking takes 100 us and more,
/// so that the margin follows how late sleeps lately ended, within these limits.
const MARGIN_MIN_NS: u64 = 60_000;
const MARGIN_MAX_NS: u64 = 1_000_000;
/// The longest sleep between looks at the flags.
const SLEEP_MAX_NS: u64 = 20_000_000;
/// So long a job that is ahead of its flow looks for its turn before it sleeps between looks: a
/// round of operations of a fast device.
const FLOW_YIELD_NS: u64 = 200_000;
const FLOW_POLL_NS: u64 = 50_000;
/// So far a capped direction may fall behind its rate and still catch up.
const CATCH_UP_MAX_NS: f64 = 1e9;

/// Pacing of one worker, resolved before the start.
#[derive(Debug, Clone)]
pub(crate) struct PacePlan {
    pacing: Pacing,
    caps: Caps,
    think: Option<ThinkTime>,
    seed: u64,
    /// This one of them.
    worker: u64,
    /// The job's rates are shared out among so many.
    workers: u64,
    /// A script that says when its operations start.
    script: Option<Arc<[ScriptStep]>>,
    flow: Option<FlowMember>,
}

impl PacePlan {
    /// `None` for a plain closed loop.
    pub(crate) fn from_job(
        job: &Job,
        worker: u64,
        workers: u64,
        script: Option<Arc<[ScriptStep]>>,
        flow: Option<FlowMember>,
    ) -> Option<Self> {
        let script = script.filter(|steps| steps.iter().any(|step| step.due_ns.is_some()));
        let free = job.pacing == Pacing::Closed
            && job.caps.is_none()
            && job.think.is_none()
            && flow.is_none()
            && script.is_none();
        (!free).then(|| Self {
            pacing: job.pacing,
            caps: job.caps,
            think: job.think,
            seed: job.seed.0,
            worker,
            workers: workers.max(1),
            script,
            flow,
        })
    }
}

/// What is planned next.
#[derive(Debug)]
enum StartPlan {
    /// As soon as a slot is free.
    Free,
    /// At a fixed distance from the last.
    Even { gap_ns: f64, next_ns: f64 },
    /// Independent of the last.
    Poisson { gap_ns: f64, next_ns: f64, draw: RandomStream },
    /// As it is written down.
    Written { steps: Arc<[ScriptStep]>, next: usize, by: usize, start_ns: u64 },
}

impl StartPlan {
    fn due_ns(&self) -> u64 {
        match self {
            Self::Free => 0,
            Self::Even { next_ns, .. } | Self::Poisson { next_ns, .. } => *next_ns as u64,
            Self::Written { steps, next, start_ns, .. } => {
                start_ns + steps[next % steps.len()].due_ns.unwrap_or(0)
            }
        }
    }

    fn advance(&mut self) {
        match self {
            Self::Free => {}
            Self::Even { gap_ns, next_ns } => *next_ns += *gap_ns,
            Self::Poisson { gap_ns, next_ns, draw } => *next_ns += draw_exponential(draw, *gap_ns),
            Self::Written { next, by, .. } => *next += *by,
        }
    }

    /// Moves the plan to begin at `start`.
    fn begin(&mut self, start: u64) {
        match self {
            Self::Free => {}
            Self::Even { next_ns, .. } => *next_ns = start as f64,
            Self::Poisson { gap_ns, next_ns, draw } => {
                *next_ns = start as f64 + draw_exponential(draw, *gap_ns);
            }
            Self::Written { start_ns, .. } => *start_ns = start,
        }
    }
}

/// A direction's rate.
#[derive(Debug, Clone, Copy)]
struct RateCap {
    ns_per_operation: f64,
    ns_per_byte: f64,
    next_ns: f64,
}

/// The state of pacing.
#[derive(Debug)]
pub(super) struct Pace {
    plan: StartPlan,
    open: bool,
    /// The target shall be idle between operations, and the processor with it: never spin.
    spaced: bool,
    caps: [Option<RateCap>; 4],
    think: Option<ThinkTime>,
    until_think: u32,
    /// When the last pause ended, or the job began.
    think_ended_ns: u64,
    /// No operation starts before.
    resume_ns: u64,
    /// The next operation, taken from the generator and not yet started.
    next: Option<Operation>,
    /// The jobs that it keeps in step with.
    flow: Option<FlowMembership>,
    /// Since when it waits for them, and until when it does not look.
    held_since_ns: Option<u64>,
    held_until_ns: u64,
    /// When the last slot was taken while more was due.
    full_since_ns: Option<u64>,
    /// How long before the next start a sleep has to end.
    margin_ns: u64,
    lag: Box<LatencyHistogram>,
    planned: u64,
    held: u64,
    unstarted: u64,
}

/// How an open loop went.
#[derive(Debug)]
pub(crate) struct OpenLoopReport {
    /// How late the generator handed operations over while a slot was free.
    pub(crate) lag: Box<LatencyHistogram>,
    /// Operations started in the measured time.
    pub(crate) planned: u64,
    /// Of them: held back because as many as allowed were outstanding.
    pub(crate) held: u64,
    /// Planned in the measured time and never started, for want of a slot.
    pub(crate) unstarted: u64,
}

impl Pace {
    pub(super) fn new(plan: PacePlan) -> Self {
        let gap = |rate: f64| 1e9 / rate;
        let shape = match plan.pacing {
            Pacing::Closed => match plan.script {
                Some(steps) => StartPlan::Written {
                    steps,
                    next: plan.worker as usize,
                    by: plan.workers as usize,
                    start_ns: 0,
                },
                None => StartPlan::Free,
            },
            Pacing::Spaced { interval } => {
                StartPlan::Even { gap_ns: interval.0 as f64, next_ns: 0.0 }
            }
            Pacing::Open { rate, arrivals: Arrivals::Constant } => {
                StartPlan::Even { gap_ns: gap(rate.0), next_ns: 0.0 }
            }
            Pacing::Open { rate, arrivals: Arrivals::Poisson } => StartPlan::Poisson {
                gap_ns: gap(rate.0),
                next_ns: 0.0,
                draw: RandomStream::new(mix64(plan.seed ^ 0xA1), 0),
            },
        };
        let workers = plan.workers as f64;
        let cap = |cap: Option<Cap>| {
            cap.map(|cap| match cap {
                Cap::Operations(rate) => {
                    let ns_per_operation = 1e9 * workers / rate.0;
                    RateCap { ns_per_operation, ns_per_byte: 0.0, next_ns: 0.0 }
                }
                Cap::Bytes(rate) => {
                    let ns_per_byte = 1e9 * workers / rate.0;
                    RateCap { ns_per_operation: 0.0, ns_per_byte, next_ns: 0.0 }
                }
            })
        };
        let Caps { read, write, trim } = plan.caps;
        Self {
            plan: shape,
            open: matches!(plan.pacing, Pacing::Open { .. }),
            spaced: matches!(plan.pacing, Pacing::Spaced { .. }),
            caps: [cap(read), cap(write), None, cap(trim)],
            think: plan.think,
            until_think: plan.think.map_or(0, |think| think.every),
            think_ended_ns: 0,
            resume_ns: 0,
            next: None,
            flow: plan.flow.map(FlowMembership::new),
            held_since_ns: None,
            held_until_ns: 0,
            full_since_ns: None,
            margin_ns: MARGIN_MIN_NS,
            lag: new_histogram(),
            planned: 0,
            held: 0,
            unstarted: 0,
        }
    }

    pub(super) fn report(self) -> Option<OpenLoopReport> {
        let Self { lag, planned, held, unstarted, .. } = self;
        self.open.then_some(OpenLoopReport { lag, planned, held, unstarted })
    }

    fn begin(&mut self, start: u64) {
        if let Some(flow) = &self.flow {
            flow.catch_up();
        }
        self.think_ended_ns = start;
        self.plan.begin(start);
        self.caps.iter_mut().flatten().for_each(|cap| cap.next_ns = start as f64);
    }

    /// When `operation` may start.
    #[inline]
    fn due_ns(&self, operation: &Operation) -> u64 {
        let cap = &self.caps[operation.direction as usize];
        let capped = cap.as_ref().map_or(0, |cap| cap.next_ns as u64);
        self.plan.due_ns().max(capped).max(self.resume_ns)
    }

    /// Whether the jobs of its flow let `operation` start at `now`.
    #[inline]
    fn may_start(&mut self, operation: &Operation, now: u64) -> bool {
        let Some(flow) = &self.flow else { return true };
        if now < self.held_until_ns {
            return false;
        }
        if operation.direction == Direction::Sync || flow.try_start(now) {
            self.held_since_ns = None;
            return true;
        }
        self.held_since_ns.get_or_insert(now);
        self.held_until_ns = now + flow.poll_interval_ns();
        false
    }

    /// A sleep ended so late: the margin grows at once and shrinks slowly.
    fn record_oversleep(&mut self, late_ns: u64) {
        let shrunk = self.margin_ns - self.margin_ns / 64;
        self.margin_ns = shrunk.max(late_ns + late_ns / 2).clamp(MARGIN_MIN_NS, MARGIN_MAX_NS);
    }

    /// `operation` starts at `now`.
    #[inline]
    fn record_start(&mut self, operation: &Operation, now: u64) {
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
            let long = think.after.0 > 0 && now >= self.think_ended_ns + think.after.0;
            if enough || long {
                self.until_think = think.every;
                self.resume_ns = now + think.time.0;
                self.think_ended_ns = self.resume_ns;
            }
        }
    }

    /// Counts how late the operation due at `due` is, handed over at `now`. A worker whose calls
    /// block was busy with the last operation from `busy_since_ns` on.
    #[inline]
    fn record_lag(&mut self, due: u64, now: u64, busy_since_ns: Option<u64>) {
        self.planned += 1;
        let free_until = match self.full_since_ns.or(busy_since_ns) {
            // It was due when every slot was taken, or nearly: the rest is the bound's doing.
            Some(full) => {
                self.held += 1;
                full.min(now)
            }
            None => now,
        };
        self.lag.record(free_until.saturating_sub(due));
    }
}

impl<B: Backend> Worker<'_, B> {
    /// Starts each operation when it is due and collects meanwhile. Nobody waits for it afterwards.
    pub(super) fn run_paced(&mut self, pace: &mut Pace) {
        self.run_plan(pace);
        pace.flow = None;
    }

    fn run_plan(&mut self, pace: &mut Pace) {
        let start = self.schedule.start_ns.max(self.last_ns);
        pace.begin(start);
        loop {
            let now = self.now();
            if now >= self.next_event_ns && !self.handle_time_event(now) {
                return;
            }
            if self.verifier.is_some() && !self.pass_barrier() {
                return;
            }
            self.start_due_operations(pace, now);
            self.stamp_batch(now);
            if self.splits_submission && !self.batch.is_empty() && !self.submit_timed(now) {
                return;
            }
            self.batch.clear();
            if self.outstanding == 0 && self.is_exhausted() && pace.next.is_none() {
                return;
            }
            if let Err(error) = self.collect_until_due(pace, now) {
                self.fail_interface(&error);
            }
            let reaped = self.now();
            self.accrue_outstanding(reaped);
            // Completions after the deadline are in no figure.
            if reaped >= self.next_event_ns && !self.handle_time_event(reaped) {
                return;
            }
            let before = self.free.len();
            self.reap_completions(reaped);
            if self.free.len() > before && pace.full_since_ns.is_some() {
                self.clear_full_mark(pace, reaped);
            }
            if self.error.is_some() || self.shared.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Operations that the plan had for the measured time and that found no slot until its end:
    /// they have waited at least until `end`, and would be the slowest if they were left out.
    pub(super) fn count_unstarted(&mut self, end: u64) {
        let Some(mut pace) = self.pace.take() else { return };
        let last = end.min(self.schedule.deadline_ns);
        while pace.open && self.error.is_none() && !self.is_exhausted() {
            let operation = pace.next.take().unwrap_or_else(|| self.generator.next_operation());
            let due = pace.due_ns(&operation);
            if due >= last {
                break;
            }
            pace.plan.advance();
            pace.unstarted += 1;
            pace.held += 1;
            self.slice.record_response(operation.direction, end - due);
        }
        self.pace = Some(pace);
    }

    /// Slots came free: the bound holds back only what still finds none.
    fn clear_full_mark(&mut self, pace: &mut Pace, now: u64) {
        let caught_up = match pace.next {
            Some(operation) => pace.due_ns(&operation) > now,
            None => true,
        };
        if caught_up {
            pace.full_since_ns = None;
        }
    }

    /// Queues what is due, as far as slots and the batch allow.
    #[inline]
    fn start_due_operations(&mut self, pace: &mut Pace, now: u64) {
        while self.batch.len() < BATCH_MAX {
            let operation = match pace.next.take() {
                Some(operation) => operation,
                None if self.is_exhausted() => return,
                None => self.generator.next_operation(),
            };
            let due = pace.due_ns(&operation);
            if due > now {
                pace.full_since_ns = None;
                pace.next = Some(operation);
                return;
            }
            let Some(slot) = self.free.pop() else {
                if pace.open && pace.full_since_ns.is_none() {
                    pace.full_since_ns = Some(now);
                }
                pace.next = Some(operation);
                return;
            };
            if !pace.may_start(&operation, now) {
                self.free.push(slot);
                pace.next = Some(operation);
                return;
            }
            if pace.open {
                // Where calls block, a depth of 1 was taken until the last one came back.
                let blocked = !B::SPLITS && self.slots.len() == 1 && due < self.last_reap_ns;
                let busy_since_ns = blocked.then_some(self.slots[slot as usize].submitted_ns);
                // A plan at the clock's zero would look like none.
                self.start_operation(slot, operation, due.max(1));
                if self.measuring {
                    pace.record_lag(due, now, busy_since_ns);
                }
            } else {
                self.start_operation(slot, operation, 0);
            }
            pace.record_start(&operation, now);
            if self.verifier.is_some() && self.has_barrier() {
                return;
            }
        }
    }

    /// Hands over what is queued, and waits for a completion or the next start.
    fn collect_until_due(&mut self, pace: &mut Pace, now: u64) -> std::io::Result<()> {
        let Some(next) = pace.next else {
            let more = !self.is_exhausted() && !self.free.is_empty();
            return match more {
                true => self.backend.submit_and_poll(), // the batch was full
                false => self.backend.submit_and_wait(),
            };
        };
        let due = pace.due_ns(&next);
        if let Some(since) = pace.held_since_ns {
            return self.wait_for_flow(pace, since, now);
        }
        if due <= now {
            // Every slot is taken.
            return self.backend.submit_and_wait();
        }
        let left = due - now;
        let spun_out = |think: ThinkTime| {
            pace.resume_ns.saturating_sub(think.time.0) + think.spin.0.min(think.time.0)
        };
        if pace.think.is_some_and(|think| now < spun_out(think)) {
            return self.backend.submit_and_poll();
        }
        let margin = if B::POLLS && !pace.spaced { pace.margin_ns } else { 0 };
        if left <= margin {
            return self.backend.submit_and_poll();
        }
        let until =
            due.saturating_sub(margin).min(now + SLEEP_MAX_NS).min(self.schedule.deadline_ns);
        let result = if self.outstanding > 0 {
            let timeout = until.saturating_sub(now).max(1);
            self.backend.wait(Duration::from_nanos(timeout))
        } else {
            self.backend.sleep(&self.clock, until);
            Ok(())
        };
        pace.record_oversleep(self.now().saturating_sub(until));
        result
    }

    /// Lets the others of the flow go on: for `flow_sleep` where that is given; else looks often,
    /// with the processor left to them, and less often the longer it lasts.
    fn wait_for_flow(&mut self, pace: &Pace, since: u64, now: u64) -> std::io::Result<()> {
        let asked = pace.flow.as_ref().is_some_and(|flow| flow.poll_interval_ns() > 0);
        if !asked && now.saturating_sub(since) < FLOW_YIELD_NS {
            std::thread::yield_now();
            return self.backend.submit_and_poll();
        }
        let look = if asked { pace.held_until_ns } else { now + FLOW_POLL_NS };
        let until = look.min(now + SLEEP_MAX_NS).min(self.schedule.deadline_ns);
        if self.outstanding > 0 {
            return self.backend.wait(Duration::from_nanos(until.saturating_sub(now).max(1)));
        }
        self.backend.sleep(&self.clock, until);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::{BytesPerSecond, Iops, Nanos};

    fn pace(pacing: Pacing, caps: Caps, think: Option<ThinkTime>) -> Pace {
        let job = Job { pacing, caps, think, ..Job::base() };
        let mut pace = Pace::new(PacePlan::from_job(&job, 0, 1, None, None).unwrap());
        pace.begin(1_000);
        pace
    }

    fn read(length: u32) -> Operation {
        Operation { direction: Direction::Read, target: 0, length, offset: 0 }
    }

    /// Starts when they are due; the first so many.
    fn starts(pace: &mut Pace, operation: Operation, count: usize) -> Vec<u64> {
        let mut now = 0;
        (0..count)
            .map(|_| {
                now = pace.due_ns(&operation).max(now);
                pace.record_start(&operation, now);
                now
            })
            .collect()
    }

    #[test]
    fn a_plain_closed_loop_has_no_plan() {
        assert!(PacePlan::from_job(&Job::base(), 0, 1, None, None).is_none());
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
        assert_eq!((pace.lag.max_ns(), pace.held), (Some(500), 0));
        // Full since 5000: an operation due at 3000 was 2000 late by then, the rest is the bound's.
        pace.full_since_ns = Some(5_000);
        pace.record_lag(3_000, 90_000, None);
        pace.record_lag(8_000, 90_000, None);
        assert_eq!((pace.lag.max_ns(), pace.held), (Some(2_000), 2));
        assert_eq!(pace.lag.min_ns(), Some(0));
    }
}
