//! What is asked of a search, and what of it is refused before any I/O.

use record::{LimitPlan, Part};
use units::{Bytes, Nanos};
use workload::{Arrivals, Bound, Statistic};

use crate::defaults::MEMORY_MAX;
use crate::error::MethodError;
use crate::request::MeasureRequest;
use crate::request_checks;

/// The shortest probe: enough intervals for the spread between them.
pub(super) const PROBE_MIN: Nanos = Nanos::millis(700);
/// The shortest search that is asked for: it needs time for the layout and the first probe.
const BUDGET_MIN: Nanos = Nanos::secs(5);
/// No device of today does more operations a second; a percentile that not even this would
/// support is refused before anything is measured.
const IOPS_MAX: f64 = 2e7;

/// What is asked of a search.
#[derive(Debug, Clone)]
pub struct LimitRequest {
    /// What every method is asked.
    pub ask: MeasureRequest,
    /// One workload, or two that are independent of each other.
    pub parts: Vec<Part>,
    /// Share of the first part in the total depth, in percent, where there are two.
    pub first_percent: Option<u8>,
    /// The latency bounds; at least one.
    pub bounds: Vec<Bound>,
    /// How arrivals are spread, where the search is over their rate.
    pub arrivals: Option<Arrivals>,
    /// The deepest queue tried.
    pub depth_max: u32,
    /// The longest probe.
    pub probe_max: Nanos,
    /// Longest time of the whole search.
    pub budget: Nanos,
}

pub(super) fn build_limit_plan(request: &LimitRequest) -> LimitPlan {
    LimitPlan {
        parts: request.parts.clone(),
        first_percent: request.first_percent,
        arrivals: request.arrivals,
        depth_max: request.depth_max,
        probe_max: request.probe_max,
    }
}

pub(super) fn validate_request(request: &LimitRequest) -> Result<(), MethodError> {
    if request.bounds.is_empty() {
        return Err(MethodError::invalid_request(
            "no bound was given",
            "give one, like --bound 'p99<10ms'",
        ));
    }
    if request.parts.is_empty() || request.parts.len() > 2 {
        let what = format!("{} workloads at the same time", request.parts.len());
        return Err(MethodError::invalid_request(what, "one or two can be searched together"));
    }
    if request.depth_max < request.parts.len() as u32 {
        let what = format!("two jobs need a depth of 2, but --depth-max is {}", request.depth_max);
        return Err(MethodError::invalid_request(what, "allow more"));
    }
    if request.parts.len() == 2 && request.arrivals.is_some() {
        let what = "an open loop searches one rate of arrivals, but two jobs have two";
        return Err(MethodError::invalid_request(
            what,
            "search a mix instead: --rw randrw --open-loop",
        ));
    }
    if request.ask.read_only
        && let Some(part) = request.parts.iter().find(|part| part.mix.writes())
    {
        let name = analysis::curve_name(&part.access, part.mix, part.block_size).1;
        return Err(MethodError::WritesForbidden(name));
    }
    check_resources(request)?;
    let most = IOPS_MAX * request.probe_max.as_secs_f64();
    for bound in &request.bounds {
        let needed = required_samples(bound);
        if needed as f64 > most {
            let longest = request.probe_max;
            let (bound, iops, has) = (*bound, IOPS_MAX, most as u64);
            return Err(MethodError::TooSlow { bound, needed, iops, longest, has });
        }
    }
    Ok(())
}

fn check_resources(request: &LimitRequest) -> Result<(), MethodError> {
    if request.probe_max < PROBE_MIN {
        let what = format!("a probe of {} is too short to say anything", request.probe_max);
        let hint = format!("give it {PROBE_MIN} or more: --probe-max");
        return Err(MethodError::invalid_request(what, hint));
    }
    if request.budget < BUDGET_MIN {
        let what = format!("{} are too short for a layout and a first probe", request.budget);
        return Err(MethodError::invalid_request(
            what,
            format!("give {BUDGET_MIN} or more: --budget"),
        ));
    }
    request_checks::check_memory(&block_sizes(request), request.depth_max, MEMORY_MAX)
}

pub(super) fn block_sizes(request: &LimitRequest) -> Vec<Bytes> {
    request.parts.iter().map(|part| part.block_size).collect()
}

/// Operations that a probe needs at least, to say anything of the bound.
pub(super) fn required_samples(bound: &Bound) -> u64 {
    match bound.statistic {
        Statistic::Percentile(p) => stats::minimum_samples(p),
        Statistic::Mean | Statistic::Max => 1,
    }
}
