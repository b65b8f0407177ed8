//! Whether a plan carries a load: in short steps of time, the requests of the load against the
//! rates and the burst that the plan has left.
//!
//! Reads and writes share the rates: half of each uses all of it.

use serde::Serialize;
use units::{Bytes, Nanos};

use crate::plan::{BurstDuration, Cap, Caps, IoDirection, LimitingFactor, Order, Plan};

/// Seconds of a step: a request that waits for no longer is not throttled. Arrivals that come
/// independently of each other crowd for moments below every rate.
const STEP_MIN: f64 = 0.1;
const STEPS_MAX: f64 = 262_144.0;
const DAY: f64 = 86_400.0;
/// A load is carried if it is throttled at most for this share of a day...
const THROTTLED_MAX: f64 = 0.01;
/// ... and is done this share of its length after its end, or a step, whichever is more.
const BEHIND_MAX: f64 = 0.02;

/// A load, as a plan counts it.
#[derive(Debug)]
pub struct PlanLoad<'a> {
    plan: &'a Plan,
    step: f64,
    steps: Vec<Work>,
}

/// Of reads and of writes.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    operations: [f64; 2],
    bytes: [f64; 2],
}

/// What a plan makes of a load. Operations and bytes are those that it counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanAnswer {
    pub carries: bool,
    pub length_seconds: f64,
    pub step_seconds: f64,
    pub operations_per_second: Demand,
    pub bytes_per_second: Demand,
    /// Seconds in which requests waited longer than a step, from full burst credits on.
    pub throttled_seconds: f64,
    /// If the load goes on like this all day.
    pub throttled_minutes_per_day: f64,
    /// How long a request waits at most.
    pub longest_wait_seconds: f64,
    /// The share of the load that was done in its time.
    pub served_share: f64,
    /// What throttles it.
    pub limited_by: LimitingFactor,
    /// The share of the burst that is left: at the lowest point, and at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst_lowest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst_end: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Demand {
    pub mean: f64,
    /// Of the busiest step.
    pub peak: f64,
}

impl Work {
    fn add(&mut self, other: &Self) {
        for way in 0..2 {
            self.operations[way] += other.operations[way];
            self.bytes[way] += other.bytes[way];
        }
    }

    fn scale(&mut self, factor: f64) {
        self.operations.iter_mut().chain(&mut self.bytes).for_each(|part| *part *= factor);
    }

    fn total_operations(&self) -> f64 {
        self.operations.iter().sum()
    }

    fn total_bytes(&self) -> f64 {
        self.bytes.iter().sum()
    }

    /// Seconds that it takes at most rates: by its operations, and by its bytes.
    fn seconds(&self, caps: &Caps) -> [f64; 2] {
        let time = |work: [f64; 2], rate: fn(&Cap) -> Option<f64>| {
            let of = |(work, cap): (f64, &Cap)| rate(cap).map_or(0.0, |rate| work / rate);
            work.into_iter().zip([&caps.read, &caps.write]).map(of).sum()
        };
        [time(self.operations, |cap| cap.iops), time(self.bytes, |cap| cap.bytes_per_second)]
    }
}

impl<'a> PlanLoad<'a> {
    pub fn new(plan: &'a Plan, length: Nanos) -> Self {
        let seconds = length.as_secs_f64();
        let step = (seconds / STEPS_MAX).max(STEP_MIN);
        let count = (seconds / step).ceil().max(1.0) as usize;
        Self { plan, step, steps: vec![Work::default(); count] }
    }

    /// Adds requests that start at a time.
    pub fn add(&mut self, at: Nanos, (way, order): (IoDirection, Order), size: Bytes, count: f64) {
        let place = ((at.as_secs_f64() / self.step) as usize).min(self.steps.len() - 1);
        let way = usize::from(way == IoDirection::Write);
        let work = &mut self.steps[place];
        work.operations[way] += count * self.plan.accounting.operations(size, order);
        work.bytes[way] += count * self.plan.accounting.bytes(size, order);
    }

    /// Lets the load pass once, and then again for a day.
    pub fn answer(&self) -> PlanAnswer {
        let length = self.step * self.steps.len() as f64;
        let mut volume = Volume::new(self.plan);
        self.steps.iter().for_each(|work| volume.serve(work, self.step));
        let once = volume.clone();
        let throttled_share = self.throttled_share_of_a_day(&mut volume, length);
        let demand = |of: fn(&Work) -> f64| Demand {
            mean: self.steps.iter().map(of).sum::<f64>() / length,
            peak: self.steps.iter().map(of).fold(0.0, f64::max) / self.step,
        };
        let asked = demand(Work::total_operations);
        let left = once.backlog.total_operations() / (asked.mean * length).max(1e-9);
        let is_done = once.behind <= (BEHIND_MAX * length).max(self.step);
        let [by_operations, by_bytes] = once.waited;
        PlanAnswer {
            carries: is_done && throttled_share <= THROTTLED_MAX,
            length_seconds: length,
            step_seconds: self.step,
            operations_per_second: asked,
            bytes_per_second: demand(Work::total_bytes),
            throttled_seconds: once.throttled,
            throttled_minutes_per_day: throttled_share * DAY / 60.0,
            longest_wait_seconds: once.longest_wait,
            served_share: 1.0 - left,
            limited_by: match () {
                () if once.throttled == 0.0 => LimitingFactor::Nothing,
                () if by_bytes > by_operations => LimitingFactor::Bytes,
                () => LimitingFactor::Operations,
            },
            burst_lowest: once.burst.as_ref().map(|_| once.burst_lowest),
            burst_end: once.burst.as_ref().map(|burst| burst.left()),
        }
    }
}

impl PlanLoad<'_> {
    /// The load passes again and again after its first time. Two passes that leave the same behind
    /// stand for all that follow.
    fn throttled_share_of_a_day(&self, volume: &mut Volume<'_>, length: f64) -> f64 {
        let mut passed = length;
        let mut last = (volume.throttled, volume.state());
        while passed < DAY {
            let before = volume.throttled;
            self.steps.iter().for_each(|work| volume.serve(work, self.step));
            passed += length;
            let now = (volume.throttled - before, volume.state());
            let is_same = |a: f64, b: f64| (a - b).abs() < 1e-6;
            let is_full = now.0 >= length * (1.0 - 1e-9);
            let has_same_rest = is_full || is_same(now.1[1], last.1[1]);
            if is_same(now.0, last.0) && is_same(now.1[0], last.1[0]) && has_same_rest {
                volume.throttled += now.0 * (DAY - passed).max(0.0) / length;
                passed = passed.max(DAY);
            }
            last = now;
        }
        volume.throttled / passed
    }
}

/// What is left of a burst, and what there was.
#[derive(Debug, Clone)]
enum Bucket {
    Credits { operations: [f64; 2], bytes: [f64; 2] },
    Time { left: f64, whole: f64, rest: Option<f64>, rested: f64 },
}

impl Bucket {
    fn left(&self) -> f64 {
        let share = |[left, whole]: [f64; 2]| if whole.is_finite() { left / whole } else { 1.0 };
        match self {
            Self::Credits { operations, bytes } => share(*operations).min(share(*bytes)),
            Self::Time { left, whole, .. } => left / whole,
        }
    }
}

/// A volume of the plan, while a load passes.
#[derive(Debug, Clone)]
struct Volume<'a> {
    plan: &'a Plan,
    base: Caps,
    burst: Option<Bucket>,
    backlog: Work,
    throttled: f64,
    /// Seconds until all that waits is done, at the rates of the newest step.
    behind: f64,
    longest_wait: f64,
    burst_lowest: f64,
    /// Throttled seconds by what was short: operations, bytes.
    waited: [f64; 2],
}

impl<'a> Volume<'a> {
    fn new(plan: &'a Plan) -> Self {
        let full = |credits: Option<f64>| [credits.unwrap_or(f64::INFINITY); 2];
        let (base, burst) = match plan.burst.as_ref().map(|burst| (burst.caps, burst.lasts)) {
            Some((caps, BurstDuration::Always)) => (caps, None),
            Some((_, BurstDuration::Credits { operations, bytes })) => {
                let (operations, bytes) = (full(operations), full(bytes));
                (plan.base, Some(Bucket::Credits { operations, bytes }))
            }
            Some((_, BurstDuration::Time { seconds, rest })) => {
                let (left, whole, rested) = (seconds, seconds, 0.0);
                (plan.base, Some(Bucket::Time { left, whole, rest, rested }))
            }
            None => (plan.base, None),
        };
        Self {
            plan,
            base,
            burst,
            backlog: Work::default(),
            throttled: 0.0,
            behind: 0.0,
            longest_wait: 0.0,
            burst_lowest: 1.0,
            waited: [0.0; 2],
        }
    }

    /// What it gives in the next step.
    fn caps(&self, step: f64) -> Caps {
        let (Some(bucket), Some(burst)) = (&self.burst, &self.plan.burst) else {
            return self.base;
        };
        let (base, most) = (self.base, burst.caps);
        match bucket {
            Bucket::Time { left, .. } => {
                if *left > 0.0 {
                    most
                } else {
                    base
                }
            }
            Bucket::Credits { operations, bytes } => {
                let limit = |most: Option<f64>, base: Option<f64>, credits: f64| match (most, base)
                {
                    (Some(most), Some(base)) => Some(most.min(base + credits / step).max(base)),
                    (most, base) => most.or(base),
                };
                let of = |most: Cap, base: Cap| Cap {
                    iops: limit(most.iops, base.iops, operations[0]),
                    bytes_per_second: limit(most.bytes_per_second, base.bytes_per_second, bytes[0]),
                };
                Caps { read: of(most.read, base.read), write: of(most.write, base.write) }
            }
        }
    }

    fn serve(&mut self, work: &Work, step: f64) {
        self.backlog.add(work);
        let caps = self.caps(step);
        let [by_operations, by_bytes] = self.backlog.seconds(&caps);
        let needed = by_operations.max(by_bytes);
        let share = if needed > step { step / needed } else { 1.0 };
        let mut served = self.backlog;
        served.scale(share);
        self.spend(&served, step);
        self.backlog.scale(1.0 - share);
        self.behind = (needed - step).max(0.0);
        if self.behind > step * (1.0 + 1e-9) {
            self.throttled += step;
            self.waited[usize::from(by_bytes > by_operations)] += step;
        }
        self.longest_wait = self.longest_wait.max(self.behind);
    }

    /// What is left of the burst, and what waits.
    fn state(&self) -> [f64; 2] {
        [self.burst.as_ref().map_or(1.0, Bucket::left), self.behind]
    }

    fn spend(&mut self, served: &Work, step: f64) {
        let [by_operations, by_bytes] = served.seconds(&self.base);
        let is_above_base = by_operations.max(by_bytes) > step * (1.0 + 1e-9);
        match &mut self.burst {
            Some(Bucket::Credits { operations, bytes }) => {
                let earned = |base: Option<f64>| base.unwrap_or(0.0) * step;
                let cap = self.base.read;
                for ([left, whole], earned, used) in [
                    (operations, earned(cap.iops), served.total_operations()),
                    (bytes, earned(cap.bytes_per_second), served.total_bytes()),
                ] {
                    *left = (*left + earned - used).clamp(0.0, *whole);
                }
            }
            Some(Bucket::Time { left, whole, rest, rested }) => {
                if is_above_base {
                    (*left, *rested) = ((*left - step).max(0.0), 0.0);
                } else {
                    *rested += step;
                    if rest.is_some_and(|rest| *rested >= rest) {
                        *left = *whole;
                    }
                }
            }
            None => {}
        }
        let left = self.burst.as_ref().map_or(1.0, Bucket::left);
        self.burst_lowest = self.burst_lowest.min(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_plan;

    /// A steady load of reads of one size.
    fn answer(plan: &str, iops: f64, size: Bytes, seconds: u64) -> PlanAnswer {
        let plan = find_plan(plan).unwrap();
        let mut load = PlanLoad::new(&plan, Nanos::secs(seconds));
        for tenth in 0..seconds * 10 {
            let at = Nanos::millis(tenth * 100 + 50);
            load.add(at, (IoDirection::Read, Order::Random), size, iops / 10.0);
        }
        load.answer()
    }

    #[test]
    fn rates_and_the_length_of_a_burst_are_those_of_the_plan() {
        let four = Bytes::kib(4);
        let below = answer("aws:gp3:500GiB", 2_900.0, four, 60);
        assert!(below.carries && below.throttled_seconds == 0.0, "{below:?}");
        assert_eq!((below.burst_end, below.limited_by), (None, LimitingFactor::Nothing));
        // Twice what is sold: half of it is served, and the last request waits for its length.
        let above = answer("aws:gp3:500GiB", 6_000.0, four, 60);
        assert!(!above.carries && (above.served_share - 0.5).abs() < 0.01, "{above:?}");
        assert!((above.longest_wait_seconds - 60.0).abs() < 1.0, "{above:?}");
        assert!((above.throttled_minutes_per_day - 1440.0).abs() < 0.1, "{above:?}");
        assert_eq!(above.limited_by, LimitingFactor::Operations);
        // 125 MiB/s: 500 of 1 MiB count as 2,000 operations.
        let large = answer("aws:gp3:500GiB", 500.0, Bytes::mib(1), 60);
        assert_eq!(large.limited_by, LimitingFactor::Bytes);
        assert_eq!(large.operations_per_second.mean.round(), 2000.0);
        assert!((large.served_share - 0.25).abs() < 0.01, "{large:?}");
        // 5.4 million credits at 3,000 - 150 per second last 1,895 s.
        let burst = answer("aws:gp2:50GiB", 3_000.0, four, 3_600);
        assert!((burst.throttled_seconds - 1_705.0).abs() < 3.0, "{burst:?}");
        assert!(!burst.carries && burst.burst_lowest.unwrap() < 1e-6, "{burst:?}");
        let short = answer("aws:gp2:50GiB", 1_000.0, four, 600);
        assert_eq!(short.throttled_seconds, 0.0);
        assert!((short.burst_end.unwrap() - (1.0 - 600.0 * 850.0 / 5.4e6)).abs() < 0.001);
        // But all day it does not: the credits last for 6,353 s.
        assert!((short.throttled_minutes_per_day - (86_400.0 - 6_353.0) / 60.0).abs() < 1.0);
        assert!(!short.carries);
    }

    #[test]
    fn independent_arrivals_below_the_rate_are_carried() {
        let plan = find_plan("aws:gp3:500GiB").unwrap();
        let carries = |rate: f64| {
            let (seconds, mut at, mut state) = (600.0, 0.0, 7_u64);
            let mut load = PlanLoad::new(&plan, Nanos::from_secs_f64(seconds));
            loop {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let uniform = ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
                at -= uniform.ln() / rate;
                if at >= seconds {
                    return load.answer();
                }
                let way = (IoDirection::Read, Order::Random);
                load.add(Nanos::from_secs_f64(at), way, Bytes::kib(4), 1.0);
            }
        };
        // A queue of one server at 0.9 waits for 1.5 ms in the mean.
        let below = carries(2_700.0);
        assert!(below.carries && below.longest_wait_seconds < 0.05, "{below:?}");
        let above = carries(3_100.0);
        assert!(!above.carries && above.longest_wait_seconds > 10.0, "{above:?}");
    }

    #[test]
    fn reads_and_writes_share_a_plan() {
        let plan = find_plan("aws:gp3:500GiB").unwrap();
        let mut load = PlanLoad::new(&plan, Nanos::secs(10));
        for way in [IoDirection::Read, IoDirection::Write] {
            for second in 0..10 {
                load.add(Nanos::secs(second), (way, Order::Random), Bytes::kib(4), 2_000.0);
            }
        }
        let answer = load.answer();
        assert!((answer.served_share - 0.75).abs() < 0.01, "{answer:?}");
    }
}
