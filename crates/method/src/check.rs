//! `check`: the main job.

use engine::StopSignal;
use record::{Effort, Plan, Purpose, Record};
use units::Nanos;
use workload::Bound;

use crate::check_run::CheckRun;
use crate::defaults::{LAYOUT_SHARE, REPORT_RESERVE};
use crate::error::{HaltResult, MethodError};
use crate::host_transport::Place;
use crate::observer::Observer;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::session::Session;
use crate::time_budget::TimeBudget;

/// Longest that the layout may take, as a share of the budget.

#[derive(Debug, Clone)]
pub struct CheckRequest {
    pub ask: MeasureRequest,
    pub effort: Effort,
    /// Latency bounds of the curves; the first is the main one.
    pub bounds: Vec<Bound>,
    /// Longest time that one workload goes on to see a burst end, before the figures are taken.
    pub until_throttled: Option<Nanos>,
}

/// Measures the target and judges what was measured.
///
/// A run that ends early (stop signal, failing disk) still returns its record, marked partial. On
/// many hosts every cell is measured by all of them together; the truth probes, which look into one
/// host's caches and devices, are left out.
pub fn check<'a>(
    request: &CheckRequest,
    place: Place<'a>,
    stop: &'a StopSignal,
    observer: &'a mut dyn Observer,
) -> Result<Record, MethodError> {
    let roots = match &place {
        Place::Here(roots) => Some(*roots),
        Place::Hosts(_) => None,
    };
    let before = roots.map(|roots| target::read_volume_counters(&request.ask.path, roots));
    let (budget, plan) = (layout_budget(request), build_plan(request));
    let mut session = Session::open(&request.ask, &budget, place, &plan, stop, observer)?;
    session.run_steps(|session| measure_cells(session, request))?;
    let mut record = session.finish(&request.ask, plan);
    if let (Some(roots), Some(before)) = (roots, before) {
        let after = target::read_volume_counters(&request.ask.path, roots);
        record.measured.volumes = target::subtract_volume_counters(&before, &after);
    }
    Ok(record)
}

fn layout_budget(request: &CheckRequest) -> LayoutBudget {
    let times = TimeBudget::for_effort(request.effort);
    LayoutBudget {
        block_sizes: Vec::new(),
        size: times.size,
        layout: Nanos((times.budget.0 as f64 * LAYOUT_SHARE) as u64),
        budget: Nanos(times.budget.0 + request.until_throttled.map_or(0, |time| time.0)),
        measures_writes: true,
        known_writes: None,
        name: None,
    }
}

pub(crate) fn measure_cells(session: &mut Session<'_>, request: &CheckRequest) -> HaltResult {
    let times = TimeBudget::for_effort(request.effort);
    let used = Nanos(session.elapsed().0 + REPORT_RESERVE.0);
    let remaining = Nanos(times.budget.0.saturating_sub(used.0));
    let times = times.fit_to(remaining, !session.facts.writable);
    let needed =
        times.total_cell_time(!session.facts.writable).0 + u64::from(times.rounds) * times.round.0;
    let spare = Nanos(remaining.0.saturating_sub(needed));
    let (bounds, until_throttled) = (&request.bounds[..], request.until_throttled);
    CheckRun { session, times, bounds, until_throttled, spare }.measure_cells()
}

pub(crate) fn build_plan(request: &CheckRequest) -> Plan {
    let &CheckRequest { effort, until_throttled, .. } = request;
    let purpose = Purpose::Check { effort, until_throttled };
    request.ask.plan(purpose, &request.bounds, layout_budget(request).budget)
}

#[cfg(test)]
mod tests;
