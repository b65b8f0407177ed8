//! `latency_target`: the deepest queue that keeps a latency limit.
//!
//! Each window runs at one depth, as in fio; [`stats::search`] decides the next. The result is a
//! window of its own at the depth that was found.

use stats::search::{Grid, NextStep, ProbeResult, Search as Steps, SearchLimits, Verdict};
use stats::{Decision, LatencyHistogram};
use units::{Bytes, Depth, Nanos};
use workload::{Job, Stop};

use super::running_totals::{REPORTED_DIRECTIONS, RunningTotals};

/// Limit of windows, and of those that confirm the answer.
const WINDOWS_MAX: u32 = 24;
const WINDOWS_TO_CONFIRM: u32 = 2;
/// Refills the queue between windows.
const WARM_UP: Nanos = Nanos::millis(20);

#[derive(Debug)]
pub(super) struct DepthSearch {
    target_ns: u64,
    window: Nanos,
    /// Share of operations that must keep the target, 0 to 1.
    share: f64,
    steps: Steps,
    /// Depth and level of the current window; no level for the final one.
    depth: u32,
    level: Option<usize>,
    windows: u32,
    /// The final window kept the target; `None` before it.
    met: Option<bool>,
    /// With `latency_run` the final window lasts as long as the job.
    runs_on: bool,
    /// What is left of the job's time, bytes and operations.
    left: Stop,
}

#[derive(Debug, Clone, Copy)]
struct WindowResult {
    /// Share of the operations within the target.
    within: f64,
    /// Latency of the wanted share; absent without operations, and if all must keep the target.
    percentile_ns: Option<u64>,
}

impl DepthSearch {
    /// A search up to `depth_most`.
    pub(super) fn new(
        target_us: u64,
        window_us: u64,
        percentile: f64,
        depth_most: u32,
        runs_on: bool,
        left: Stop,
    ) -> Self {
        let limits = SearchLimits {
            probes_max: WINDOWS_MAX,
            confirm_probes: WINDOWS_TO_CONFIRM,
            ..SearchLimits::for_depths()
        };
        let mut search = Self {
            target_ns: target_us * 1000,
            window: Nanos(window_us.max(10_000) * 1000),
            share: percentile / 100.0,
            steps: Steps::new(Grid::new((1..=depth_most.max(1)).map(f64::from)), 1, limits),
            depth: 1,
            level: None,
            windows: 0,
            met: None,
            runs_on,
            left,
        };
        search.advance();
        search
    }

    pub(super) fn next_job(&self, job: &Job) -> Job {
        let time = match self.left.time {
            Some(left) if self.level.is_none() && self.runs_on => left,
            Some(left) => left.min(self.window),
            None => self.window,
        };
        let warm_up = if self.windows == 0 { job.warm_up } else { WARM_UP };
        Job {
            depth: Depth(self.depth),
            stop: Stop { time: Some(time), ..self.left },
            warm_up,
            ..job.clone()
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the search ended without a depth that keeps the target.
    pub(super) fn is_missed(&self) -> bool {
        self.met == Some(false)
    }

    /// Judges a window; whether another follows. As in fio, the search ends where the job does.
    pub(super) fn judge_window(
        &mut self,
        window: &RunningTotals,
        time_left: Option<Nanos>,
    ) -> bool {
        let moved: u64 = window.sums.iter().map(|sum| sum.bytes).sum();
        let done: u64 = window.sums.iter().map(|sum| sum.ops).sum();
        let bytes = self.left.bytes.map(|left| Bytes(left.0.saturating_sub(moved)));
        let operations = self.left.operations.map(|left| left.saturating_sub(done));
        self.left = Stop { time: time_left, bytes, operations };
        if self.level.is_some() && self.is_job_over() {
            return false;
        }
        let whole = window.merge_latencies();
        let all = whole.count();
        let within =
            if all == 0 { 0.0 } else { 1.0 - whole.count_above(self.target_ns) / all as f64 };
        let percentile_ns = whole.quantile(self.share).filter(|_| self.share < 1.0);
        self.decide_next(WindowResult { within, percentile_ns })
    }

    fn is_job_over(&self) -> bool {
        let Stop { time, bytes, operations } = self.left;
        time == Some(Nanos::ZERO) || bytes == Some(Bytes(0)) || operations == Some(0)
    }

    fn decide_next(&mut self, window: WindowResult) -> bool {
        self.windows += 1;
        let kept = window.within >= self.share;
        let Some(level) = self.level else {
            self.met = Some(kept);
            return false;
        };
        let log_ratio =
            window.percentile_ns.map(|ns| (ns.max(1) as f64 / self.target_ns.max(1) as f64).ln());
        self.steps.add_probe(ProbeResult {
            level,
            // Only the latency decides.
            iops: f64::from(self.depth),
            iops_rel_error: None,
            verdicts: vec![Verdict {
                decision: if kept { Decision::Pass } else { Decision::Fail },
                log_ratio,
                log_ratio_error: None,
            }],
        });
        self.advance();
        true
    }

    /// Sets the next depth: that of the next step, or the answer.
    fn advance(&mut self) {
        match self.steps.next_step() {
            NextStep::Probe { level, value, .. } => {
                (self.depth, self.level) = (value as u32, Some(level));
            }
            NextStep::Done => {
                let found = self.steps.answer(0).and_then(|answer| answer.value);
                (self.depth, self.level) = (found.map_or(1, |depth| depth as u32), None);
            }
        }
    }
}

impl RunningTotals {
    /// Latencies of all operations but syncs.
    fn merge_latencies(&self) -> LatencyHistogram {
        let mut whole = LatencyHistogram::new();
        for direction in REPORTED_DIRECTIONS {
            whole.merge(&self.sums[direction as usize].total);
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The depth that a search finds where latency grows with depth and depths up to `good` keep
    /// the target, and the windows; `noise` spoils those windows.
    fn found(most: u32, good: u32, percentile: f64, noise: &[u32]) -> (u32, bool, u32) {
        let mut search = DepthSearch::new(1000, 50_000, percentile, most, false, unlimited());
        loop {
            let spoiled = noise.contains(&search.windows);
            let kept = search.depth <= good && !spoiled;
            let latency_ns = 1e6 * f64::from(search.depth) / (f64::from(good) + 0.5);
            let latency_ns = if spoiled { 3.0 * latency_ns } else { latency_ns };
            let window = WindowResult {
                within: if kept { 1.0 } else { 0.5 },
                percentile_ns: (percentile < 100.0).then_some(latency_ns as u64),
            };
            if !search.decide_next(window) {
                return (search.depth, search.met == Some(true), search.windows);
            }
            assert!(search.windows <= WINDOWS_MAX, "{}", search.windows);
        }
    }

    fn unlimited() -> Stop {
        Stop { time: None, bytes: None, operations: None }
    }

    #[test]
    fn a_window_is_no_longer_than_what_is_left_of_the_job() {
        let job = Job::base();
        let left = Stop { time: Some(Nanos::millis(30)), bytes: Some(Bytes(8192)), ..unlimited() };
        let mut search = DepthSearch::new(1000, 50_000, 99.0, 8, false, left);
        assert_eq!(search.next_job(&job).stop, left);
        let nothing = RunningTotals::new(Nanos::millis(10));
        assert!(search.judge_window(&nothing, Some(Nanos::millis(10))));
        assert_eq!(search.next_job(&job).stop.time, Some(Nanos::millis(10)));
        assert!(!search.judge_window(&nothing, Some(Nanos::ZERO)), "its time is over");
        assert!(!search.is_missed(), "no depth was found, and none was missed");
    }

    #[test]
    fn the_deepest_that_keeps_the_target_is_found() {
        for most in [1, 2, 7, 64, 1000] {
            for good in [1, 2, 3, 5, 24, 63, 64, 900] {
                for percentile in [99.0, 100.0] {
                    let (depth, met, _) = found(most, good, percentile, &[]);
                    let wanted = good.min(most);
                    // Never deeper; and not shallower by more than the margin of the search.
                    let close =
                        depth <= wanted && f64::from(depth) >= 0.9 * f64::from(wanted) - 1.0;
                    assert!(close && met, "{most} {good} {percentile}: {depth}");
                }
            }
        }
    }

    #[test]
    fn one_bad_window_is_not_believed() {
        let (depth, met, _) = found(64, 24, 99.0, &[3]);
        assert!((21..=24).contains(&depth) && met, "{depth}");
    }

    #[test]
    fn a_target_that_cannot_be_met_is_not_met() {
        let (depth, met, _) = found(64, 0, 99.0, &[]);
        assert_eq!((depth, met), (1, false));
    }
}
