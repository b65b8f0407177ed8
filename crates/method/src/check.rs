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
    let CheckRequest { ask, effort, bounds } = request;
    let times = Times::of(*effort);
    let room = Room {
        block_sizes: &[],
        size: times.size,
        layout: Nanos((times.budget.0 as f64 * times.layout_share) as u64),
        budget: times.budget,
    };
    let budget = times.budget;
    let (mut stage, flow) = Stage::set(ask, room, roots, stop, watch)?;
    if flow == Flow::GoOn {
        let used = Nanos(stage.used().0 + RESERVE.0);
        let remaining = Nanos(budget.0.saturating_sub(used.0));
        let times = times.fitted(remaining, !stage.writable);
        Run { stage: &mut stage, times, bounds }.cells()?;
    }
    let plan = Plan {
        purpose: Purpose::Check { effort: *effort },
        budget,
        bounds: bounds.clone(),
        read_only: ask.read_only,
        span: stage.span.length,
        seed: ask.seed,
    };
    Ok(stage.finish(ask, plan))
}
