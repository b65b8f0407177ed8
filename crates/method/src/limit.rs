//! `limit`: the most IOPS within a latency bound.
//!
//! The search itself is [`stats::Search`], which knows no disks; here it is given probes, each of
//! them a cell of the record. So the same search can be led through an old record again, which is
//! how the analysis comes to its answer.

mod arrivals;
mod depth;
mod probe;
mod request;
#[cfg(test)]
mod tests;

use engine::StopSignal;
use record::{Plan, Purpose, Record};
use units::Bytes;

use crate::defaults::{FILE_SIZE_MAX, LAYOUT_TIME_MAX};
use crate::error::{Halt, MethodError};
use crate::host_transport::Place;
use crate::observer::Observer;
use crate::request::LayoutBudget;
use crate::session::MeasureSession;
use probe::Prober;
pub use request::LimitRequest;
use request::{block_sizes, build_limit_plan, validate_request};

/// Searches the most IOPS within the bounds; on many hosts over what is outstanding on all of them
/// together.
///
/// # Errors
/// When the request contradicts itself, nothing could be measured, or the target is too slow for
/// the percentile of a bound.
pub fn limit<'a>(
    request: &LimitRequest,
    place: Place<'a>,
    stop: &'a StopSignal,
    observer: &'a mut dyn Observer,
) -> Result<Record, MethodError> {
    validate_request(request)?;
    let (budget, plan) = (layout_budget(request), |span| build_plan(request, span));
    let mut session = MeasureSession::open(&request.ask, &budget, place, &plan, stop, observer)?;
    session.run_steps(|session| run_search(session, request))?;
    let plan = plan(session.facts.span.length);
    Ok(session.finish(&request.ask, plan))
}

fn layout_budget(request: &LimitRequest) -> LayoutBudget {
    LayoutBudget {
        block_sizes: block_sizes(request),
        size: FILE_SIZE_MAX,
        layout: LAYOUT_TIME_MAX,
        budget: request.budget,
        measures_writes: request.parts.iter().any(|part| part.mix.writes()),
        name: None,
    }
}

fn run_search(session: &mut MeasureSession<'_>, request: &LimitRequest) -> Result<(), Halt> {
    let mut prober = Prober::new(session, request);
    match request.arrivals {
        None => depth::search_depths(&mut prober),
        Some(arrivals) => arrivals::search_rates(&mut prober, arrivals),
    }
}

fn build_plan(request: &LimitRequest, span: Bytes) -> Plan {
    Plan {
        purpose: Purpose::Limit(build_limit_plan(request)),
        budget: request.budget,
        bounds: request.bounds.clone(),
        read_only: request.ask.read_only,
        span,
        seed: request.ask.seed,
    }
}
