//! `check`: the main job.

use engine::StopSignal;
use record::{Effort, Plan, Purpose, Record};
use target::Roots;
use units::{Bytes, Nanos};
use workload::Bound;

use crate::check_run::CheckRun;
use crate::error::MethodError;
use crate::hosts::HostTransport;
use crate::session::{Flow, LayoutBudget, MeasureRequest, MeasureSession};
use crate::time_budget::TimeBudget;
use crate::{Observer, REPORT_RESERVE};

/// What is asked of a check.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// What every method is asked.
    pub ask: MeasureRequest,
    /// How thorough.
    pub effort: Effort,
    /// Latency bounds of the curves; the first is the main one.
    pub bounds: Vec<Bound>,
    /// Longest time that one workload goes on to see a burst end, before the figures are taken.
    pub until_throttled: Option<Nanos>,
}

/// Measures the target and judges what was measured.
///
/// A run that ends early (stop flag, failing disk) still returns its record, marked partial.
///
/// # Errors
/// When nothing could be measured: a wrong target, no room, no permission.
pub fn check(
    request: &CheckRequest,
    roots: &Roots,
    stop: &StopSignal,
    watch: &mut dyn Observer,
) -> Result<Record, MethodError> {
    let (mut stage, flow) =
        MeasureSession::open(&request.ask, layout_budget(request), roots, stop, watch)?;
    if flow == Flow::Continue {
        measure_cells(&mut stage, request)?;
    }
    let plan = build_plan(request, stage.span.length);
    Ok(stage.finish(&request.ask, plan))
}

/// As [`check`], over many hosts: the cells of the check, each by all of them together. The trials
/// that look into one host's caches and devices are not among them.
///
/// # Errors
/// As [`check`]; also what a host refuses before any of them has begun.
pub fn check_on_hosts(
    request: &CheckRequest,
    hosts: &mut dyn HostTransport,
    stop: &StopSignal,
    watch: &mut dyn Observer,
) -> Result<Record, MethodError> {
    let announced = build_plan(request, Bytes(0));
    let mut stage = MeasureSession::on_hosts(
        &request.ask,
        layout_budget(request),
        &announced,
        hosts,
        stop,
        watch,
    )?;
    measure_cells(&mut stage, request)?;
    let plan = build_plan(request, stage.span.length);
    Ok(stage.finish(&request.ask, plan))
}

fn layout_budget(request: &CheckRequest) -> LayoutBudget<'static> {
    let times = TimeBudget::for_effort(request.effort);
    LayoutBudget {
        block_sizes: &[],
        size: times.size,
        layout: Nanos((times.budget.0 as f64 * times.layout_share) as u64),
        budget: Nanos(times.budget.0 + request.until_throttled.map_or(0, |time| time.0)),
        measures_writes: true,
        name: None,
    }
}

/// Measures on a stage that is ready, in the time that is left.
fn measure_cells(
    stage: &mut MeasureSession<'_>,
    request: &CheckRequest,
) -> Result<(), MethodError> {
    let times = TimeBudget::for_effort(request.effort);
    let used = Nanos(stage.elapsed().0 + REPORT_RESERVE.0);
    let remaining = Nanos(times.budget.0.saturating_sub(used.0));
    let times = times.fit_to(remaining, !stage.writable);
    let needed = times.total_cell_time(!stage.writable).0 + u64::from(times.rounds) * times.round.0;
    let spare = Nanos(remaining.0.saturating_sub(needed));
    let (bounds, until_throttled) = (&request.bounds[..], request.until_throttled);
    CheckRun { stage, times, bounds, until_throttled, spare }.measure_cells()
}

fn build_plan(request: &CheckRequest, span: Bytes) -> Plan {
    let CheckRequest { ask, effort, bounds, until_throttled } = request;
    Plan {
        purpose: Purpose::Check { effort: *effort, until_throttled: *until_throttled },
        budget: layout_budget(request).budget,
        bounds: bounds.clone(),
        read_only: ask.read_only,
        span,
        seed: ask.seed,
    }
}

#[cfg(test)]
mod tests;
