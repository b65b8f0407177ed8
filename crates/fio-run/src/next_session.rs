//! What follows a session of an instance: the verification of what it wrote, or another pass; and
//! how long all of them still take.

use engine::{Clock, Target};
use fio::plan::{InstancePlan, PassPlan, UNTIL_TIME};
use units::{Bytes, Nanos};
use workload::{Direction, Mix};

use super::instance_run::InstanceRun;
use super::running_totals::REPORTED_DIRECTIONS;
use super::verify::Verification;

/// Between the seeds of two loops.
const PASS_SEED: u64 = 0xD1B5_4A32_D192_ED03;

impl InstanceRun<'_> {
    /// Prepares the verification of what was written, or another loop. As in fio, nothing follows
    /// when the run time is over, which is of all together.
    pub(super) fn prepare_next_session(&mut self, clock: &Clock) -> bool {
        let left = self.time_left(clock.now());
        if left == Some(Nanos::ZERO) {
            return false;
        }
        let job = &self.plan.job;
        let reads = match &mut self.verification {
            Some(verification) => verification.next_session(job, job.depth.0 > 1),
            None => None,
        };
        let Some((mut job, options)) = reads else { return self.start_next_pass(left) };
        // As in fio: what is verified comes from the device.
        self.sync_targets("fsync", Target::sync);
        self.drop_caches();
        job.stop.time = self.time_left(clock.now());
        let has_time = job.stop.time != Some(Nanos::ZERO);
        self.upcoming.session = Some((job, options));
        has_time && self.report.error.errno == 0
    }

    fn time_since_start(&self, now_ns: u64) -> u64 {
        match self.timing.start_ns {
            0 => 0,
            start_ns => now_ns.saturating_sub(start_ns),
        }
    }

    /// What is left of the run time; `None` without one.
    pub(super) fn time_left(&self, now_ns: u64) -> Option<Nanos> {
        let us = self.section.options.run.runtime_us;
        let all = Nanos(us.saturating_mul(1000)).0 + self.plan.job.warm_up.0;
        let ran = self.time_since_start(now_ns);
        (us > 0).then(|| Nanos(all.saturating_sub(ran)))
    }

    /// Prepares another loop, if there is one.
    fn start_next_pass(&mut self, left: Option<Nanos>) -> bool {
        if !self.has_passes_left() && !self.is_repeated() {
            return false;
        }
        let job = &mut self.plan.job;
        if let Some(all) = self.plan.passes.operations_max {
            // As in fio, operations of verification count.
            let ops = |direction: &Direction| self.totals.sums[*direction as usize].ops;
            let done: u64 = REPORTED_DIRECTIONS.iter().map(ops).sum();
            if done >= all {
                return false;
            }
            job.stop.operations = Some(all - done);
        }
        job.stop.time = left;
        let PassPlan { bytes_max, stop, .. } = &self.plan.passes;
        if let (Some(all), Some(pass)) = (bytes_max, stop.bytes) {
            let done = pass.0.saturating_mul(u64::from(self.upcoming.passes_done) + 1);
            match all.0.saturating_sub(done) {
                0 => return false,
                left => job.stop.bytes = Some(pass.min(Bytes(left))),
            }
        }
        if !self.section.options.pattern.randrepeat {
            job.seed.0 = job.seed.0.wrapping_add(PASS_SEED);
        }
        job.seal.writes_before = self.totals.sums[Direction::Write as usize].ops;
        self.upcoming.passes_done = self.upcoming.passes_done.saturating_add(1);
        self.upcoming.between_passes = true;
        if let Some(verification) = &mut self.verification {
            verification.restart();
        }
        if self.section.options.target.invalidate {
            self.drop_caches();
        }
        true
    }

    fn has_passes_left(&self) -> bool {
        self.upcoming.passes_done.saturating_add(1) < self.plan.passes.passes
    }

    /// As in fio: the bytes of verification count.
    fn is_repeated(&self) -> bool {
        let moved: u64 = self.totals.sums.iter().map(|sum| sum.bytes).sum();
        self.plan.passes.repeat_below.is_some_and(|below| moved < below.0)
    }

    /// Remaining time, as far as it is known.
    pub(super) fn remaining_time(&self, now_ns: u64) -> Option<Nanos> {
        let ran = self.time_since_start(now_ns);
        let moved: u64 = self.totals.sums.iter().map(|sum| sum.bytes).sum();
        let by_bytes = self.planned_bytes().filter(|_| moved > 0).map(|all| {
            let share = moved as f64 / all as f64;
            Nanos((ran as f64 * (1.0 / share - 1.0).max(0.0)) as u64)
        });
        [self.time_left(now_ns), by_bytes].into_iter().flatten().min()
    }

    /// Bytes of all passes and their verification; `None` if only time ends them.
    fn planned_bytes(&self) -> Option<u64> {
        let InstancePlan { job, passes, .. } = &self.plan;
        let of_pass = job.stop.bytes.filter(|_| passes.passes != UNTIL_TIME)?.0;
        let written_percent = match job.mix {
            Mix::Write => 100,
            Mix::Mixed { read_percent } => 100 - u64::from(read_percent),
            _ => 0,
        };
        let reads_back = self.verification.as_ref().is_some_and(Verification::reads_back);
        let read_back = if reads_back { of_pass / 100 * written_percent } else { 0 };
        let all = (of_pass + read_back).saturating_mul(u64::from(passes.passes));
        Some(passes.repeat_below.map_or(all, |below| below.0.max(all)))
    }
}
