//! What is asked of a sweep, and the sweep while it goes.

use message::Message;
use record::{Plan, Purpose, Record, SweepPlan};
use units::Nanos;
use workload::Job;

use crate::defaults::{WARM_UP, WARM_UP_TURNS};
use crate::error::{Halt, HaltResult};
use crate::request::MeasureRequest;
use crate::session::Session;

pub(super) const WARM_UP_MAX: Nanos = Nanos::secs(1);
pub(super) const CELL_MIN: Nanos = Nanos::millis(300);
/// The largest matrix: at a second each, half an hour.
pub(super) const CELLS_MAX: usize = 2000;
/// Saving what there is so far may take this share of the time.
const SAVE_DIVISOR: u64 = 20;

#[derive(Debug, Clone)]
pub struct SweepRequest {
    pub ask: MeasureRequest,
    /// The matrix, or the grid of writes.
    pub plan: SweepPlan,
    /// Time of the run, of an earlier one what is left of its measuring: what the least of each
    /// cell leaves goes to the widest intervals.
    pub budget: Nanos,
    pub earlier: Option<Box<Record>>,
}

pub(super) struct SweepRun<'run, 'session> {
    pub(super) session: &'run mut Session<'session>,
    pub(super) request: &'run SweepRequest,
    pub(super) keep: &'run mut dyn FnMut(&Record),
    pub(super) started: Nanos,
    pub(super) save_from: Nanos,
}

impl SweepRun<'_, '_> {
    /// Runs jobs at the same time, and lets what there is then be saved. One that was stopped
    /// half-way leaves nothing: it is measured again when the run goes on.
    pub(super) fn measure_cell(
        &mut self,
        jobs: &[Job],
        role: record::CellRole,
        what: &Message,
    ) -> HaltResult {
        let before = self.session.cells.len();
        let result = self.session.measure_cell(jobs, role, what);
        let ended = match result {
            Ok(()) => false,
            Err(Halt::Ended) => true,
            Err(Halt::Failed(_)) => return result,
        };
        let cut = |cell: &record::Cell| {
            cell.job.stop.time.is_some_and(|asked| cell.elapsed.0 < asked.0 / 10 * 9)
        };
        if ended && self.session.cells[before..].iter().any(cut) {
            self.session.cells.truncate(before);
        }
        self.save(ended);
        result
    }

    fn save(&mut self, must: bool) {
        let before = self.session.elapsed();
        if before < self.save_from && !must {
            return;
        }
        self.session.show_partial_record(&self.request.ask, build_plan(self.request), self.keep);
        let after = self.session.elapsed();
        let pause = SAVE_DIVISOR.saturating_mul(after.0 - before.0);
        self.save_from = Nanos(after.0.saturating_add(pause));
    }

    pub(super) fn time_left(&self) -> Nanos {
        let used = self.session.elapsed().0 - self.started.0;
        Nanos(self.request.budget.0.saturating_sub(used))
    }
}

pub(super) fn build_plan(request: &SweepRequest) -> Plan {
    let earlier = request.earlier.as_ref();
    let budget = earlier.map_or(request.budget, |earlier| earlier.measured.plan.budget);
    request.ask.plan(Purpose::Sweep(request.plan.clone()), &[], budget)
}

/// The sum of times; those of a file may be anything.
pub(super) fn sum_times(times: impl Iterator<Item = Nanos>) -> Nanos {
    Nanos(times.fold(0, |sum, time| sum.saturating_add(time.0)))
}

/// Until every slot was used, at the rate that is known of a similar cell.
pub(super) fn warm_up_time(depth: u32, iops: Option<f64>) -> Nanos {
    let turns = iops.map_or(0.0, |iops| WARM_UP_TURNS * f64::from(depth) / iops.max(0.1) * 1e9);
    Nanos(WARM_UP.0.saturating_add(turns as u64)).min(WARM_UP_MAX)
}
