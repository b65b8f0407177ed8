//! What is asked of a search, and what of it is refused before any I/O.

use record::LimitPlan;
use units::{Bytes, Nanos};
use workload::{Bound, Statistic};

use crate::defaults::MEMORY_MAX;
use crate::error::{MethodError, refuse};
use crate::request::MeasureRequest;
use crate::request_checks;

/// The shortest probe: enough intervals for the spread between them.
pub(super) const PROBE_MIN: Nanos = Nanos::millis(700);
/// The shortest search that is asked for: it needs time for the layout and the first probe.
const BUDGET_MIN: Nanos = Nanos::secs(5);
/// No device of today does more operations a second; a percentile that not even this would
/// support is refused before anything is measured.
const IOPS_MAX: f64 = 2e7;

#[derive(Debug, Clone)]
pub struct LimitRequest {
    pub ask: MeasureRequest,
    /// The workloads, and how far the search goes.
    pub plan: LimitPlan,
    /// The latency bounds; at least one.
    pub bounds: Vec<Bound>,
    /// Longest time of the whole search.
    pub budget: Nanos,
}

pub(crate) fn validate_request(request: &LimitRequest) -> Result<(), MethodError> {
    if request.bounds.is_empty() {
        return refuse("no bound was given", "give one, like --bound 'p99<10ms'");
    }
    if request.plan.parts.is_empty() || request.plan.parts.len() > 2 {
        let what = format!("{} workloads at the same time", request.plan.parts.len());
        return refuse(what, "one or two can be searched together");
    }
    if request.plan.depth_max < request.plan.parts.len() as u32 {
        let what =
            format!("two jobs need a depth of 2, but --depth ends at {}", request.plan.depth_max);
        return refuse(what, "allow more");
    }
    if request.plan.depth_min.is_some() && request.plan.arrivals.is_some() {
        let what = "an open loop begins at the lowest rate, and takes no shallowest queue";
        return refuse(what, format!("give the deepest only: --depth {}", request.plan.depth_max));
    }
    if request.plan.parts.len() == 2 && request.plan.arrivals.is_some() {
        let what = "an open loop searches one rate of arrivals, but two jobs have two";
        return refuse(what, "search a mix instead: --rw randrw --open-loop");
    }
    if request.ask.read_only
        && let Some(part) = request.plan.parts.iter().find(|part| part.mix.writes())
    {
        let name = analysis::curve_name(&part.access, part.mix, part.block_size).1;
        return Err(MethodError::WritesForbidden(name.text().to_owned()));
    }
    check_resources(request)?;
    let most = IOPS_MAX * request.plan.probe_max.as_secs_f64();
    for bound in &request.bounds {
        let needed = required_samples(bound);
        if needed as f64 > most {
            let longest = request.plan.probe_max;
            let (bound, iops, has) = (*bound, IOPS_MAX, most as u64);
            return Err(MethodError::TooSlow { bound, needed, iops, longest, has });
        }
    }
    Ok(())
}

fn check_resources(request: &LimitRequest) -> Result<(), MethodError> {
    if request.plan.probe_max < PROBE_MIN {
        let what = format!("a probe of {} is too short to say anything", request.plan.probe_max);
        let hint = format!("give it {PROBE_MIN} or more: --probe-max");
        return refuse(what, hint);
    }
    if request.budget < BUDGET_MIN {
        let what = format!("{} are too short for a layout and a first probe", request.budget);
        return refuse(what, format!("give {BUDGET_MIN} or more: --budget"));
    }
    request_checks::check_memory(&block_sizes(request), request.plan.depth_max, MEMORY_MAX)
}

pub(super) fn block_sizes(request: &LimitRequest) -> Vec<Bytes> {
    request.plan.parts.iter().map(|part| part.block_size).collect()
}

/// Operations that a probe needs at least, to say anything of the bound.
pub(crate) fn required_samples(bound: &Bound) -> u64 {
    match bound.statistic {
        Statistic::Percentile(p) => stats::minimum_samples(p),
        Statistic::Mean | Statistic::Max => 1,
    }
}
