//! `latency_target`: the deepest queue whose latencies keep within a limit.
//!
//! As in fio every window runs at one depth: doubled until a window fails, then halved in between.
//! Unlike in fio one failing window is tried again before it is believed, and what is reported is a
//! window of its own at the depth that was found.

use units::{Depth, Nanos};
use workload::{Direction, Job, Stop};

use super::tally::Tally;

/// Windows of one search, at most.
const WINDOWS_MOST: u32 = 64;

/// What the next window is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A depth that was not tried.
    Try,
    /// One that failed once.
    Again,
    /// The one that was found, for the report.
    Report,
}

/// A search on its way.
#[derive(Debug)]
pub(super) struct Search {
    target_ns: u64,
    window: Nanos,
    /// Share of operations that must keep the target, 0 to 1.
    share: f64,
    depth: u32,
    /// Deepest that passed; 0 for none.
    passed: u32,
    /// Shallowest that failed; one more than the most for none.
    failed: u32,
    /// Some window has failed: the answer lies in between.
    bounded: bool,
    step: Step,
    windows: u32,
    /// The last window, at the depth that was found, kept the target.
    met: bool,
    /// Time that is left after the search, when the job goes on (`latency_run`).
    rest: Option<Nanos>,
}

impl Search {
    /// A search up to `depth_most` operations in flight.
    pub(super) fn new(
        target_us: u64,
        window_us: u64,
        percentile: f64,
        depth_most: u32,
        rest: Option<Nanos>,
    ) -> Self {
        Self {
            target_ns: target_us * 1000,
            window: Nanos(window_us.max(10_000) * 1000),
            share: percentile / 100.0,
            depth: 1,
            passed: 0,
            failed: depth_most + 1,
            bounded: false,
            step: Step::Try,
            windows: 0,
            met: false,
            rest,
        }
    }

    /// The job of the next window.
    pub(super) fn job(&self, job: &Job) -> Job {
        let time = match (self.step, self.rest) {
            (Step::Report, Some(rest)) => rest.max(self.window),
            _ => self.window,
        };
        let warm_up = if self.windows == 0 { job.warm_up } else { Nanos::millis(20) };
        Job { depth: Depth(self.depth), stop: Stop::after(time), warm_up, ..job.clone() }
    }

    /// The depth of the last window.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the depth that was found kept the target.
    pub(super) fn is_met(&self) -> bool {
        self.met
    }

    /// Judges the window that ended; whether there is another.
    pub(super) fn judge(&mut self, window: &Tally) -> bool {
        let kept = window.share_within(self.target_ns).is_some_and(|share| share >= self.share);
        self.decide(kept)
    }

    fn decide(&mut self, kept: bool) -> bool {
        self.windows += 1;
        match (self.step, kept) {
            (Step::Report, _) => {
                self.met = kept;
                return false;
            }
            (Step::Try, false) => {
                self.step = Step::Again;
                return true;
            }
            (Step::Try | Step::Again, true) => self.passed = self.passed.max(self.depth),
            (Step::Again, false) => {
                self.failed = self.failed.min(self.depth);
                self.bounded = true;
            }
        }
        let known_failing = self.failed;
        let doubled = self.depth.saturating_mul(2);
        let next = if self.passed + 1 >= known_failing || self.windows >= WINDOWS_MOST {
            None
        } else if self.bounded {
            Some(self.passed + (known_failing - self.passed) / 2)
        } else {
            Some(doubled.min(known_failing - 1))
        };
        match next.filter(|next| *next > self.passed) {
            Some(next) => {
                self.depth = next;
                self.step = Step::Try;
            }
            None => {
                self.depth = self.passed.max(1);
                self.step = Step::Report;
            }
        }
        true
    }
}

impl Tally {
    /// Share of the operations that took at most `limit_ns`; `None` without operations.
    fn share_within(&self, limit_ns: u64) -> Option<f64> {
        let mut all = 0;
        let mut above = 0.0;
        for direction in [Direction::Read, Direction::Write, Direction::Trim] {
            let sum = &self.sums[direction as usize];
            all += sum.ops;
            above += sum.above(limit_ns);
        }
        (all > 0).then(|| 1.0 - above / all as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The depth that a search finds when depths up to `good` keep the target, and the windows.
    fn found(most: u32, good: u32, noise: &[u32]) -> (u32, bool, u32) {
        let mut search = Search::new(1000, 50_000, 99.0, most, None);
        while {
            let spoiled = noise.contains(&search.windows);
            search.decide(search.depth <= good && !spoiled)
        } {
            assert!(search.windows < 100);
        }
        (search.depth, search.met, search.windows)
    }

    #[test]
    fn the_deepest_that_keeps_the_target_is_found() {
        for most in [1, 2, 7, 64, 1000] {
            for good in [1, 2, 3, 5, 24, 63, 64, 900] {
                let (depth, met, windows) = found(most, good, &[]);
                assert_eq!((depth, met), (good.min(most), true), "{most} {good}");
                assert!(windows < 32, "{windows}");
            }
        }
    }

    #[test]
    fn one_bad_window_is_not_believed() {
        assert_eq!(found(64, 24, &[3]).0, 24);
    }

    #[test]
    fn a_target_that_cannot_be_met_is_not_met() {
        let (depth, met, _) = found(64, 0, &[]);
        assert_eq!((depth, met), (1, false));
    }
}
