//! Whether the target keeps up with the arrivals of an open loop.

use record::{Cell, Interval};
use stats::{LatencyHistogram, fit_trend};

use crate::cells::DATA_DIRECTIONS;
use crate::pauses::running_intervals;

/// Minimum share of the arrivals that comes back (methodology of open-loop search).
const ACHIEVED_MIN: f64 = 0.99;
/// Growth of response times in seconds a second: the same share of the arrivals is a backlog.
const GROWTH_MAX: f64 = 0.005;
const P_VALUE_MAX: f64 = 0.01;
pub(crate) fn is_stable(cell: &Cell) -> bool {
    if !cell.job.is_open_loop() {
        return true;
    }
    let Some(open) = &cell.open_loop else { return true };
    let planned = open.started as f64 + open.unstarted as f64;
    let back = cell.iops() * cell.elapsed.as_secs_f64();
    // What was held waited for a slot, because all of them were taken.
    let kept = back >= planned * ACHIEVED_MIN && open.held as f64 <= planned * (1.0 - ACHIEVED_MIN);
    kept && !has_growing_responses(cell)
}

/// Over the last two thirds of the time.
fn has_growing_responses(cell: &Cell) -> bool {
    let means: Vec<f64> = running_intervals(cell).filter_map(mean_response).collect();
    let tail = &means[means.len() / 3..];
    let seconds = cell.elapsed.as_secs_f64() * tail.len() as f64 / means.len().max(1) as f64;
    let Some(trend) = fit_trend(tail) else { return false };
    let mean = tail.iter().sum::<f64>() / tail.len() as f64;
    trend.change * mean / 1e9 > GROWTH_MAX * seconds && trend.p_value < P_VALUE_MAX
}

fn mean_response(interval: &Interval) -> Option<f64> {
    let mut whole = LatencyHistogram::new();
    for direction in DATA_DIRECTIONS {
        if let Some(response) = interval.directions.get(direction).and_then(|d| d.response.as_ref())
        {
            // A damaged histogram was refused when the record was read.
            let _ = whole.merge_sparse(response);
        }
    }
    whole.mean_ns()
}
