//! `check`: the main job.

use engine::StopFlag;
use record::{Effort, Plan, Purpose, Record};
use target::Roots;
use units::Nanos;
use workload::Bound;

use crate::error::MethodError;
use crate::plan::Times;
use crate::run::Run;
use crate::stage::{Ask, Flow, Room, Stage};
use crate::{RESERVE, Watch};

/// What is asked of a check.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// What every method is asked.
    pub ask: Ask,
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
    stop: &StopFlag,
    watch: &mut dyn Watch,
) -> Result<Record, MethodError> {
    let CheckRequest { ask, effort, bounds, until_throttled } = request;
    let times = Times::of(*effort);
    let room = Room {
        block_sizes: &[],
        size: times.size,
        layout: Nanos((times.budget.0 as f64 * times.layout_share) as u64),
        budget: Nanos(times.budget.0 + until_throttled.map_or(0, |time| time.0)),
    };
    let budget = room.budget;
    let (mut stage, flow) = Stage::set(ask, room, roots, stop, watch)?;
    if flow == Flow::GoOn {
        let used = Nanos(stage.used().0 + RESERVE.0);
        let remaining = Nanos(times.budget.0.saturating_sub(used.0));
        let times = times.fitted(remaining, !stage.writable);
        let needed = times.cells(!stage.writable).0 + u64::from(times.rounds) * times.round.0;
        let spare = Nanos(remaining.0.saturating_sub(needed));
        let until_throttled = *until_throttled;
        Run { stage: &mut stage, times, bounds, until_throttled, spare }.cells()?;
    }
    let plan = Plan {
        purpose: Purpose::Check { effort: *effort, until_throttled: *until_throttled },
        budget,
        bounds: bounds.clone(),
        read_only: ask.read_only,
        span: stage.span.length,
        seed: ask.seed,
    };
    Ok(stage.finish(ask, plan))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
