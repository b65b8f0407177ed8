//! `limit`: the most IOPS within a latency bound. [`stats::Search`] knows no disks: the analysis
//! leads the same search through the cells of an old record.

mod arrivals;
mod confirm;
mod depth;
mod probe;
mod request;

use engine::StopSignal;
use record::{Plan, Purpose, Record};
use units::Nanos;

use crate::defaults::{FILE_SIZE_MAX, LAYOUT_SHARE, LAYOUT_TIME_MAX};
use crate::error::{HaltResult, MethodError};
use crate::host_transport::Place;
use crate::observer::Observer;
use crate::request::LayoutBudget;
use crate::session::Session;
use probe::Prober;
pub use request::LimitRequest;
use request::block_sizes;
pub(crate) use request::required_samples;
pub(crate) use request::validate_request;

/// Searches the most IOPS within the bounds; on many hosts over what is outstanding on all of them
/// together.
pub fn limit<'a>(
    request: &LimitRequest,
    place: Place<'a>,
    stop: &'a StopSignal,
    observer: &'a mut dyn Observer,
) -> Result<Record, MethodError> {
    validate_request(request)?;
    let budget = layout_budget(request);
    let plan = build_plan(request);
    let mut session = Session::open(&request.ask, &budget, place, &plan, stop, observer)?;
    session.run_steps(|session| run_search(session, request))?;
    Ok(session.finish(&request.ask, plan))
}

fn layout_budget(request: &LimitRequest) -> LayoutBudget {
    LayoutBudget {
        block_sizes: block_sizes(request),
        size: FILE_SIZE_MAX,
        layout: layout_time_max(request.budget),
        budget: request.budget,
        measures_writes: request.plan.parts.iter().any(|part| part.mix.writes()),
        known_writes: None,
        name: None,
    }
}

/// A short search keeps most of its time for probes.
fn layout_time_max(budget: Nanos) -> Nanos {
    LAYOUT_TIME_MAX.min(Nanos((budget.0 as f64 * LAYOUT_SHARE) as u64))
}

pub(crate) fn run_search(session: &mut Session<'_>, request: &LimitRequest) -> HaltResult {
    let mut prober = Prober::new(session, request);
    match request.plan.arrivals {
        None => depth::search_depths(&mut prober),
        Some(arrivals) => arrivals::search_rates(&mut prober, arrivals),
    }
}

pub(crate) fn build_plan(request: &LimitRequest) -> Plan {
    request.ask.plan(Purpose::Limit(request.plan.clone()), &request.bounds, request.budget)
}

#[cfg(test)]
mod tests;
