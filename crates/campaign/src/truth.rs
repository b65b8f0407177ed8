//! What is true of a world: the rates that its device gives a job, at any time of a run.

use std::cell::RefCell;

use anyhow::{Context as _, Result};
use engine::simulated::{Bucket, Throttle, ThrottleScope};
use engine::{Clock, SimulatedDevice, StopSignal, Target, run_job};
use record::{Cell, Interval, Measured};
use units::{Nanos, Seed};
use workload::{Access, Direction, Job, Mix, Stop};

use crate::world::{CAPACITY, CROWDED_FACTOR, Disturbance, SimulatedWorld, seconds};

/// The seed of references differs from those of the measurements.
const REFERENCE_SEED: u64 = 0x5eed;
const REFERENCE_TIME: Nanos = Nanos::secs(15);
/// Operations of a reference, with which its error is below one percent; and of a tail.
const REFERENCE_OPERATIONS: u64 = 60_000;
const TAIL_OPERATIONS: u64 = 200_000;
/// A rotating disk does so much less in the same time.
const ROTATING_TURNS: u64 = 30;
/// Deep queues that differ in length even out slowly: a tail needs this long.
const TAIL_TIME: Nanos = Nanos::secs(60);
/// Intervals of 100 ms in a batch: rates of neighbouring intervals are alike.
const BATCH: usize = 4;
/// The rate of a time is the mean over this: what alternates faster is one rate.
const WINDOW_NS: u64 = 500_000_000;
const SAMPLES_PER_WINDOW: u64 = 50;
/// Of a measured window or cell: chance then is about a twentieth.
const WINDOW_OPERATIONS: f64 = 400.0;
/// Share of a bucket's credits that the count of them may be off, and the share of a cell's time
/// for which it may burst without that count being needed.
const SPENT_BELOW: f64 = 0.02;
const SHORT_BURST: f64 = 0.05;
/// A burst of this many times the base rate of a bucket shows in the rate of a cell.
const CLEARLY_ABOVE: f64 = 1.2;
/// A cap so far from the device's own rate is not noticed, or alone decides.
const FAR_ABOVE: f64 = 3.0;
const FAR_BELOW: f64 = 0.4;
/// A cap this near to a crowded rate, or to one that is not.
const NEAR_SHARE: f64 = 0.9;
/// Logarithm of the ratio of two levels at which references are measured.
const LEVEL_STEP: f64 = 0.02;

/// What a device gives one job for ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference {
    pub(crate) iops: f64,
    /// Standard error as a share.
    pub(crate) error: f64,
    pub(crate) p99_ns: u64,
}

pub(crate) struct Truth<'w> {
    pub(crate) world: &'w SimulatedWorld,
    clock: Clock,
    references: RefCell<Vec<(Job, Reference)>>,
    /// Credits of the bucket at the start of each cell.
    credits: Vec<(String, f64)>,
}

/// The true rate over windows of a cell, each with its length in seconds.
pub(crate) struct Levels {
    pub(crate) undisturbed: Reference,
    pub(crate) windows: Vec<(f64, f64)>,
    /// Behind the same cap it may stay crowded or not, and of the last credits nobody knows.
    pub(crate) has_two_rates: bool,
}

impl Levels {
    pub(crate) fn mean(&self) -> f64 {
        let time: f64 = self.windows.iter().map(|(time, _)| time).sum();
        self.windows.iter().map(|(time, rate)| time * rate).sum::<f64>() / time.max(1e-9)
    }
}

impl<'w> Truth<'w> {
    pub(crate) fn new(world: &'w SimulatedWorld, measured: &Measured) -> Result<Self> {
        let references = RefCell::new(Vec::new());
        let truth = Self { world, clock: Clock::monotonic(), references, credits: Vec::new() };
        let credits = truth.follow_credits(measured)?;
        Ok(Self { credits, ..truth })
    }

    /// The credits that were left when each cell began to be measured.
    fn follow_credits(&self, measured: &Measured) -> Result<Vec<(String, f64)>> {
        let Some(bucket) = self.world.bucket() else { return Ok(Vec::new()) };
        let (mut credits, mut then) = (bucket.credits, 0.0);
        let mut known = Vec::new();
        for cell in &measured.cells {
            let (start, end) =
                (cell.started.as_secs_f64(), (cell.started.0 + cell.elapsed.0) as f64 / 1e9);
            let asked = (cell.ledger.read_ops + cell.ledger.write_ops) as f64;
            let ops = cell.data_directions().map(|totals| totals.ops as f64).sum::<f64>();
            let gain = |time: f64| bucket.iops * time.max(0.0);
            let at_start = credits + gain(start - then) - (asked - ops);
            known.push((cell.name.clone(), at_start.clamp(0.0, bucket.credits)));
            // What is still outstanding at the end waits for credits that come later.
            let owed = -f64::from(cell.job.depth.0);
            credits = (credits + gain(end - then) - asked).clamp(owed, bucket.credits);
            // What is no cell spends credits, too: where a cell that would get more in a burst got
            // the base rate, none are left.
            let is_at_base = (cell.iops() / bucket.iops - 1.0).abs() < SPENT_BELOW;
            if is_at_base && ops >= WINDOW_OPERATIONS {
                let most = self.reference(&cell.job, false)?.iops;
                let in_burst = self.capped_rate(&cell.job, most, bucket.burst_iops)?;
                let would_show = in_burst > CLEARLY_ABOVE * bucket.iops;
                credits = if would_show { credits.min(0.0) } else { credits };
            }
            then = end;
        }
        Ok(known)
    }

    /// What the device gives the job of a cell: without what disturbs it or, where that is always
    /// the same, with it.
    pub(crate) fn reference(&self, job: &Job, disturbed: bool) -> Result<Reference> {
        let seed = self.world.seed ^ REFERENCE_SEED;
        let device = || self.world.build_device(disturbed, seed);
        let length = (REFERENCE_TIME, REFERENCE_OPERATIONS);
        self.measure_reference(job, length, format!("disturbed: {disturbed}"), &device)
    }

    /// What the device would give the job of a cell without any cap.
    pub(crate) fn uncapped_rate(&self, job: &Job) -> Result<f64> {
        let device = || self.world.build_bare_device(self.world.seed ^ REFERENCE_SEED);
        let length = (REFERENCE_TIME, REFERENCE_OPERATIONS);
        Ok(self.measure_reference(job, length, "uncapped".to_owned(), &device)?.iops)
    }

    /// The 99th percentile of the job's latency, where the world is always the same.
    pub(crate) fn tail_ns(&self, job: &Job) -> Result<u64> {
        let slowed = self.world.is_slowed();
        let device = || self.world.build_device(slowed, self.world.seed ^ REFERENCE_SEED);
        let length = (TAIL_TIME, TAIL_OPERATIONS);
        Ok(self.measure_reference(job, length, "tail".to_owned(), &device)?.p99_ns)
    }

    /// The rate of a job in a world that is always the same.
    pub(crate) fn steady_rate(&self, job: &Job) -> Result<f64> {
        Ok(self.reference(job, self.world.is_slowed())?.iops)
    }

    /// What a job gets behind a cap that does not change, of a device that alone gives it `most`.
    fn capped_rate(&self, job: &Job, most: f64, cap: f64) -> Result<f64> {
        if cap > FAR_ABOVE * most || cap < FAR_BELOW * most {
            return Ok(most.min(cap));
        }
        // Near the device's own rate neither of the two is reached. Ramps have few levels so.
        let step = (cap.ln() / LEVEL_STEP).round();
        let cap = (step * LEVEL_STEP).exp();
        let seed = self.world.seed ^ REFERENCE_SEED;
        let device = || self.world.build_capped_device(cap, seed);
        let length = (REFERENCE_TIME, REFERENCE_OPERATIONS);
        Ok(self.measure_reference(job, length, format!("level {step}"), &device)?.iops)
    }

    fn measure_reference(
        &self,
        job: &Job,
        (time, operations): (Nanos, u64),
        name: String,
        device: &dyn Fn() -> SimulatedDevice,
    ) -> Result<Reference> {
        // A stream would come to slower tracks.
        let is_slow = self.world.device.rotates && job.access == Access::Random;
        let turns = if is_slow { ROTATING_TURNS } else { 1 };
        let time = Nanos(time.0 * turns);
        let job = Job {
            name,
            stop: Stop { time: Some(time), bytes: None, operations: Some(operations) },
            seed: Seed(REFERENCE_SEED),
            interval: Nanos::millis(100),
            ..job.clone()
        };
        if let Some((_, known)) = self.references.borrow().iter().find(|(other, _)| *other == job) {
            return Ok(*known);
        }
        let targets = [Target::simulated(device(), CAPACITY)];
        let outcome = run_job(&job, &targets, &self.clock, &StopSignal::default(), &mut |_| ())
            .context("cannot measure a reference")?;
        let data = [Direction::Read, Direction::Write];
        let ops: u64 = data.iter().map(|d| outcome.total(*d).ops).sum();
        let p99 = |d: &Direction| outcome.total(*d).total.quantile(0.99);
        let rates: Vec<f64> = outcome
            .intervals
            .iter()
            .map(|i| i.directions.iter().take(2).flatten().map(|part| part.ops as f64).sum())
            .collect();
        let reference = Reference {
            iops: ops as f64 / seconds(outcome.elapsed_ns),
            error: relative_error(&rates),
            p99_ns: data.iter().filter_map(p99).max().unwrap_or(0),
        };
        self.references.borrow_mut().push((job, reference));
        Ok(reference)
    }

    /// The true rates over the time of a cell.
    pub(crate) fn levels(&self, cell: &Cell) -> Result<Levels> {
        let stationary = self.world.is_stationary();
        let undisturbed = self.reference(&cell.job, false)?;
        if matches!(self.world.disturbance, Disturbance::WriteCache { .. }) {
            let windows = read_windows(cell);
            let error = undisturbed.error.max(WINDOW_OPERATIONS.sqrt().recip());
            let undisturbed = Reference { error, ..undisturbed };
            return Ok(Levels { undisturbed, windows, has_two_rates: false });
        }
        if stationary {
            let rate = self.steady_rate(&cell.job)?;
            let windows = vec![(cell.elapsed.as_secs_f64(), rate)];
            let has_two_rates = self.has_two_rates(cell, undisturbed.iops);
            return Ok(Levels { undisturbed, windows, has_two_rates });
        }
        let samples = self.sample_rates(cell, undisturbed.iops)?;
        let length = cell.elapsed.as_secs_f64() * SAMPLES_PER_WINDOW as f64 / samples.len() as f64;
        let mean = |rates: &[f64]| (length, rates.iter().sum::<f64>() / rates.len() as f64);
        let windows = samples.chunks(SAMPLES_PER_WINDOW as usize).map(mean).collect();
        let has_two_rates = self.has_two_rates(cell, undisturbed.iops);
        Ok(Levels { undisturbed, windows, has_two_rates })
    }

    /// The true rates of a cell at moments that lie evenly in it, whole windows of them.
    pub(crate) fn sample_rates(&self, cell: &Cell, most: f64) -> Result<Vec<f64>> {
        let samples = cell.elapsed.0.div_ceil(WINDOW_NS).max(1) * SAMPLES_PER_WINDOW;
        let at = |sample| cell.started.0 + cell.elapsed.0 * (2 * sample + 1) / (2 * samples);
        (0..samples).map(|sample| self.supply(cell, most, at(sample))).collect()
    }

    /// Whether a cap lets through more than a crowded device serves, and less than it serves
    /// uncrowded: both rates are stable, and what was before decides.
    fn has_two_rates(&self, cell: &Cell, most: f64) -> bool {
        let crowded_from = self.world.device.crowded_from;
        let crowds = crowded_from > 0 && cell.job.depth.0 >= crowded_from;
        let near = most * NEAR_SHARE..most * CROWDED_FACTOR / NEAR_SHARE;
        let throttled = self.world.throttle().is_some_and(|throttle| {
            let ends = [cell.started.0, cell.started.0 + cell.elapsed.0];
            let rates = ends.map(|at_ns| throttle_rate(self.world, &throttle, cell, at_ns));
            let [low, high] = [rates[0].min(rates[1]), rates[0].max(rates[1])];
            low < near.end && high > near.start
        });
        let in_burst = self.world.bucket().is_some_and(|bucket| near.contains(&bucket.burst_iops));
        crowds && (throttled || in_burst) || self.may_burst(cell, most)
    }

    /// Whether the few credits that are left, or not, make a difference to a cell.
    fn may_burst(&self, cell: &Cell, most: f64) -> bool {
        let Some(bucket) = self.world.bucket() else { return false };
        let credits = self.credits_of(cell);
        let lasts = credits / (most.min(bucket.burst_iops) - bucket.iops).max(1e-9);
        is_spent(&bucket, credits) && lasts > SHORT_BURST * cell.elapsed.as_secs_f64()
    }

    /// Credits at the start of a cell, as counted.
    fn credits_of(&self, cell: &Cell) -> f64 {
        let known = self.credits.iter().find(|(name, _)| *name == cell.name);
        known.map_or(0.0, |(_, credits)| *credits)
    }

    /// The rate that a closed loop gets at a time, of a device that alone gives it `most`.
    fn supply(&self, cell: &Cell, most: f64, at_ns: u64) -> Result<f64> {
        if let Some(throttle) = self.world.throttle() {
            let cap = throttle_rate(self.world, &throttle, cell, at_ns);
            return self.capped_rate(&cell.job, most, cap);
        }
        if let Some(bucket) = self.world.bucket() {
            let counted = self.credits_of(cell);
            let credits = if is_spent(&bucket, counted) { 0.0 } else { counted };
            let rate = self.capped_rate(&cell.job, most, bucket.burst_iops)?;
            let lasts = credits / (rate - bucket.iops).max(1e-9);
            let since = seconds(at_ns.saturating_sub(cell.started.0));
            // Unlike a throttle it saves what a shallow queue leaves for a moment.
            return Ok(if since < lasts { rate } else { most.min(bucket.iops) });
        }
        // What a neighbour takes is not the device's rate.
        let is_silent = self.world.silence_ns(at_ns, at_ns + 1, writes(&cell.job)) > 0;
        Ok(if is_silent { 0.0 } else { most })
    }
}

/// Whether a job has anything that a frozen file system holds back.
pub(crate) fn writes(job: &Job) -> bool {
    job.mix.writes() || job.sync.is_some()
}

/// Rates of the measured windows with enough operations. Only the device's own cache explains their
/// differences.
fn read_windows(cell: &Cell) -> Vec<(f64, f64)> {
    let mut windows = Vec::new();
    let (mut count, mut length_ns) = (0.0, 0);
    for interval in &cell.intervals {
        count += count_ops(interval);
        length_ns += interval.length.0;
        if count >= WINDOW_OPERATIONS && length_ns >= WINDOW_NS {
            windows.push((seconds(length_ns), count / seconds(length_ns)));
            (count, length_ns) = (0.0, 0);
        }
    }
    if windows.is_empty() {
        windows.push((cell.elapsed.as_secs_f64(), cell.iops()));
    }
    windows
}

/// Rates of the measured intervals, however few operations they have.
pub(crate) fn interval_rates(cell: &Cell) -> impl Iterator<Item = f64> {
    let rate = |interval: &Interval| count_ops(interval) / interval.length.as_secs_f64().max(1e-9);
    cell.intervals.iter().map(rate)
}

fn count_ops(interval: &Interval) -> f64 {
    let data = [&interval.directions.read, &interval.directions.write];
    data.into_iter().flatten().map(|direction| direction.ops as f64).sum()
}

/// The most operations of a cell's job that a throttle lets through.
pub(crate) fn throttle_rate(
    world: &SimulatedWorld,
    throttle: &Throttle,
    cell: &Cell,
    at_ns: u64,
) -> f64 {
    let block = cell.job.block_size.0;
    let unit = if throttle.in_bytes { block } else { world.count_requests(block) };
    let unit = unit as f64;
    throttle.schedule.rate_at(at_ns) / unit / held_share(cell.job.mix, throttle.scope)
}

/// The share of a job's operations that a throttle holds back.
fn held_share(mix: Mix, scope: ThrottleScope) -> f64 {
    let reads = match mix {
        Mix::Read => 1.0,
        Mix::Mixed { read_percent } => f64::from(read_percent) / 100.0,
        _ => 0.0,
    };
    match scope {
        ThrottleScope::Both => 1.0,
        ThrottleScope::Reads => reads,
        ThrottleScope::Writes => 1.0 - reads,
    }
}

/// Whether the credits are so few that what is no cell, such as a look at what is stored, may have
/// spent them.
fn is_spent(bucket: &Bucket, credits: f64) -> bool {
    credits < SPENT_BELOW * bucket.credits
}

fn relative_error(rates: &[f64]) -> f64 {
    let rates: Vec<f64> = rates.chunks_exact(BATCH).map(|batch| batch.iter().sum()).collect();
    let n = rates.len().max(2) as f64;
    let mean = rates.iter().sum::<f64>() / n;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (variance / n).sqrt() / mean.max(1e-9)
}
