//! Goals that end an instance: a steady state, a minimum rate, a maximum latency.

use fio::options::goal::{GoalOptions, SteadyLimit, SteadyMetric};
use fio::options::rate::RateOptions;
use fio::plan::Section;
use fio::results::SteadyState;

use super::running_totals::{REPORTED_DIRECTIONS, RunningTotals, direction_index};

/// Why an instance ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum GoalEnd {
    Steady,
    /// Error number and text.
    Failed(i32, String),
}

const ETIME: i32 = 62;
const ETIMEDOUT: i32 = 110;
/// As in fio: minimum rates do not count before.
const SETTLE_MS: u64 = 2000;

/// No memory is reserved for a longer window than this, in seconds, before it is measured.
const ZEROS_MAX: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Goals {
    goal: GoalOptions,
    rate: RateOptions,
    /// The directions that the job has: only these have a minimum.
    has: [bool; 3],
    /// Operations and bytes per direction at the start of the rate's cycle, and its time in ms.
    cycle: ([(u64, u64); 3], u64),
    steady: Option<SteadyState>,
    /// Mean latency of each second, and the sums so far.
    latency: (Vec<f64>, u64, u128),
}

impl Goals {
    pub(super) fn new(section: &Section) -> Self {
        let (goal, rate) = (section.options.goal.clone(), section.options.rate.clone());
        let steady = (goal.ss_dur_us > 0).then(|| {
            let state = goal.steadystate;
            let (limit, percent) = match state.limit {
                SteadyLimit::Percent(limit) => (limit, true),
                SteadyLimit::Absolute(limit) => (limit, false),
            };
            let metric = match state.metric {
                SteadyMetric::Iops => "iops",
                SteadyMetric::Bandwidth => "bw",
                SteadyMetric::Latency => "lat",
            };
            let (iops, bw) = last_seconds(&[], (goal.ss_dur_us / 1_000_000) as usize);
            SteadyState {
                iops,
                bw,
                kind: if state.slope { format!("{metric}_slope") } else { metric.to_owned() },
                duration_s: goal.ss_dur_us / 1_000_000,
                limit,
                percent,
                ..SteadyState::default()
            }
        });
        let has = section.options.pattern.rw.operation.directions();
        Self { goal, rate, has, cycle: Default::default(), steady, latency: Default::default() }
    }

    /// The reason to end the instance, if any.
    pub(super) fn check(&mut self, tally: &RunningTotals) -> Option<GoalEnd> {
        self.check_max_latency(tally)
            .or_else(|| self.check_min_rates(tally, tally.measured_ms()))
            .or_else(|| self.update_steady_state(tally).then_some(GoalEnd::Steady))
    }

    pub(super) fn steady_state(&self) -> Option<SteadyState> {
        self.steady.clone()
    }

    fn check_max_latency(&self, tally: &RunningTotals) -> Option<GoalEnd> {
        let longer = |direction: &workload::Direction| {
            let limit = self.goal.max_latency_ns[direction_index(*direction)?];
            let longest = tally.sums[*direction as usize].total.max_ns().unwrap_or(0);
            (limit > 0 && longest > limit).then_some((longest, limit))
        };
        let (longest, limit) = REPORTED_DIRECTIONS.iter().find_map(longer)?;
        let text = format!("latency of {longest} nsec exceeds specified max ({limit} nsec)");
        Some(GoalEnd::Failed(ETIMEDOUT, text))
    }

    /// `rate_min` and `rate_iops_min`, checked once per cycle.
    fn check_min_rates(&mut self, tally: &RunningTotals, measured_ms: u64) -> Option<GoalEnd> {
        let (before, at) = self.cycle;
        let passed = measured_ms.saturating_sub(at);
        if passed < self.rate.rate_cycle_ms.max(1) || measured_ms < SETTLE_MS {
            return None;
        }
        let now = REPORTED_DIRECTIONS.map(|direction| {
            let sum = &tally.sums[direction as usize];
            (sum.ops, sum.bytes)
        });
        self.cycle = (now, measured_ms);
        let has = self.has;
        for (i, direction) in REPORTED_DIRECTIONS.iter().enumerate().filter(|(i, _)| has[*i]) {
            let per_second = |now: u64, then: u64| now.saturating_sub(then) * 1000 / passed;
            let iops = per_second(now[i].0, before[i].0);
            let bytes = per_second(now[i].1, before[i].1);
            let (least_iops, least_bytes) = (self.rate.rate_iops_min[i], self.rate.rate_min[i]);
            let text = if iops < least_iops {
                format!("rate_iops_min={least_iops} not met, got {iops} IOPS")
            } else if bytes < least_bytes {
                format!("rate_min={least_bytes} not met, got {bytes} B/s")
            } else {
                continue;
            };
            return Some(GoalEnd::Failed(ETIME, format!("{}: {text}", direction.name())));
        }
        None
    }

    fn update_steady_state(&mut self, tally: &RunningTotals) -> bool {
        let Some(steady) = &mut self.steady else { return false };
        let seconds = tally.per_second();
        let (means, ops_before, sum_before) = &mut self.latency;
        if seconds.len() > means.len() {
            let sums = REPORTED_DIRECTIONS.iter().map(|direction| &tally.sums[*direction as usize]);
            let (ops, sum) = sums.fold((0, 0), |(o, s), d| (o + d.ops, s + d.total.sum_ns()));
            let count = (ops - *ops_before).max(1);
            means.resize(seconds.len(), (sum - *sum_before) as f64 / count as f64);
            (*ops_before, *sum_before) = (ops, sum);
        } else {
            return false;
        }
        let skip = (self.goal.ss_ramp_us / 1_000_000) as usize;
        let window = steady.duration_s as usize;
        (steady.iops, steady.bw) = last_seconds(seconds.get(skip..).unwrap_or_default(), window);
        if window == 0 || seconds.len() < skip + window {
            return false;
        }
        let from = seconds.len() - window;
        let values: Vec<f64> = match self.goal.steadystate.metric {
            SteadyMetric::Iops => steady.iops.iter().map(|v| *v as f64).collect(),
            SteadyMetric::Bandwidth => steady.bw.iter().map(|v| *v as f64).collect(),
            SteadyMetric::Latency => {
                steady.lat = means[from..].to_vec();
                steady.lat.clone()
            }
        };
        let (mean, slope) = fit_line(&values);
        let deviation = values.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max);
        let found = if self.goal.steadystate.slope { slope.abs() } else { deviation };
        steady.slope = slope;
        steady.max_deviation = deviation;
        let (limit, found) = match self.goal.steadystate.limit {
            SteadyLimit::Percent(limit) => (limit, found * 100.0 / mean.max(f64::MIN_POSITIVE)),
            SteadyLimit::Absolute(limit) => (limit, found),
        };
        steady.criterion = found;
        steady.attained = found <= limit;
        steady.attained
    }
}

/// Operations and bytes of the last `window` seconds. As in fio, those that are not measured yet
/// are zero.
fn last_seconds(seconds: &[(u64, u64)], window: usize) -> (Vec<u64>, Vec<u64>) {
    let last = &seconds[seconds.len().saturating_sub(window)..];
    let (mut ops, mut bytes): (Vec<u64>, Vec<u64>) = last.iter().copied().unzip();
    let length = window.min(ZEROS_MAX).max(ops.len());
    ops.resize(length, 0);
    bytes.resize(length, 0);
    (ops, bytes)
}

/// Mean and slope per step, by least squares.
fn fit_line(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let middle = (n - 1.0) / 2.0;
    let (mut above, mut below) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let x = i as f64 - middle;
        above += x * (value - mean);
        below += x * x;
    }
    (mean, if below > 0.0 { above / below } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_that_are_not_measured_are_zero() {
        let seconds = [(1, 10), (2, 20), (3, 30)];
        assert_eq!(last_seconds(&seconds, 2), (vec![2, 3], vec![20, 30]));
        assert_eq!(last_seconds(&seconds, 5), (vec![1, 2, 3, 0, 0], vec![10, 20, 30, 0, 0]));
        assert_eq!(last_seconds(&[], usize::MAX).0.len(), ZEROS_MAX);
    }

    #[test]
    fn slopes_are_per_step() {
        let (mean, slope) = fit_line(&[10.0, 12.0, 14.0, 16.0]);
        assert!((mean - 13.0).abs() < 1e-9 && (slope - 2.0).abs() < 1e-9);
        assert_eq!(fit_line(&[5.0]).1, 0.0);
    }
}
