//! What one probe of a search says of its bounds.

use record::Cell;
use stats::search::{ProbeResult, Verdict};
use stats::{Decision, LatencyHistogram, fit_trend};
use workload::{Bound, Direction};

use super::point::Load;
use crate::pauses::running_intervals;

/// An open loop is stable when at least this share of what arrived comes back (methodology of
/// open-loop search).
const ACHIEVED_MIN: f64 = 0.99;
/// Response times that grow by this many seconds a second are a backlog that grows by as large a
/// share of the arrivals.
const GROWTH_MAX: f64 = 0.005;
/// Probability by chance below which a growth is believed.
const P_VALUE_MAX: f64 = 0.01;
/// How far above its limit the statistic of an unstable probe counts, as a logarithm: whatever was
/// measured of it, a longer probe would have measured more.
const UNSTABLE_LOG_RATIO: f64 = 0.7;

/// What the cells of one probe, measured at the same time, say of each bound, at a level of the
/// search's grid.
#[must_use]
pub fn judge_probe(cells: &[&Cell], bounds: &[Bound], level: usize) -> ProbeResult {
    let load = Load { cells: cells.to_vec(), jobs: cells.len() };
    let stable = cells.iter().all(|cell| is_stable(cell));
    let iops = load.iops_estimate();
    ProbeResult {
        level,
        iops: iops.value,
        iops_rel_error: iops.relative_half_width().map(|half| half / 1.96),
        verdicts: bounds.iter().map(|bound| judge_probe_bound(&load, bound, stable)).collect(),
    }
}

fn judge_probe_bound(load: &Load<'_>, bound: &Bound, stable: bool) -> Verdict {
    let statistic = load.statistic(bound.statistic);
    let log_ratio = statistic.map(|value| (value.0.max(1) as f64 / bound.limit.0 as f64).ln());
    if !stable {
        let log_ratio = Some(log_ratio.unwrap_or(UNSTABLE_LOG_RATIO).max(UNSTABLE_LOG_RATIO));
        return Verdict { decision: Decision::Fail, log_ratio, log_ratio_error: None };
    }
    Verdict {
        decision: load.decide_bound(bound),
        log_ratio,
        log_ratio_error: load.log_error(bound.statistic),
    }
}

/// Whether the target keeps up with the plan of an open loop; a closed loop always is stable.
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

/// Whether response times grow over the last two thirds of the time, as a backlog does.
fn has_growing_responses(cell: &Cell) -> bool {
    let means: Vec<f64> = running_intervals(cell).filter_map(mean_response).collect();
    let tail = &means[means.len() / 3..];
    let seconds = cell.elapsed.as_secs_f64() * tail.len() as f64 / means.len().max(1) as f64;
    let Some(trend) = fit_trend(tail) else { return false };
    let mean = tail.iter().sum::<f64>() / tail.len() as f64;
    trend.change * mean / 1e9 > GROWTH_MAX * seconds && trend.p_value < P_VALUE_MAX
}

/// The mean response time of an interval in nanoseconds, of reads and writes together.
fn mean_response(interval: &record::Interval) -> Option<f64> {
    let mut whole = LatencyHistogram::new();
    for direction in [Direction::Read, Direction::Write] {
        if let Some(response) = interval.directions.get(direction).and_then(|d| d.response.as_ref())
        {
            // A damaged histogram was refused when the record was read.
            let _ = whole.merge_sparse(response);
        }
    }
    whole.mean_ns()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::OpenLoop;
    use units::Iops;
    use workload::{Arrivals, Pacing};

    /// A cell of an open loop, in which so many of ten thousand came back, and so many were held.
    fn cell(back: u64, held: u64) -> Cell {
        let mut record = crate::testing::sample_record();
        let cell = crate::testing::cell_mut(&mut record, "randread-4k-qd16");
        let seconds = cell.elapsed.as_secs_f64();
        cell.job.pacing =
            Pacing::Open { rate: Iops(10_000.0 / seconds), arrivals: Arrivals::Poisson };
        let read = cell.totals.read.as_mut().unwrap();
        read.iops = back as f64 / seconds;
        let lag_ns = read.latency_ns.clone();
        let (started, unstarted, generator_late) = (10_000, 0, false);
        cell.open_loop = Some(OpenLoop { started, held, unstarted, lag_ns, generator_late });
        cell.clone()
    }

    #[test]
    fn an_open_loop_is_stable_while_what_arrives_comes_back() {
        let check = |back, held, stable| {
            assert_eq!(is_stable(&cell(back, held)), stable, "{back} {held}");
        };
        check(10_000, 0, true);
        check(9_950, 0, true);
        check(9_800, 0, false);
        check(10_000, 200, false);
    }

    #[test]
    fn an_unstable_probe_breaks_every_bound() {
        let bounds = ["p99<1s".parse().unwrap(), "mean<1s".parse().unwrap()];
        let verdicts = judge_probe(&[&cell(9_000, 0)], &bounds, 0).verdicts;
        assert!(verdicts.iter().all(|v| v.decision == Decision::Fail && v.log_ratio > Some(0.5)));
        let verdicts = judge_probe(&[&cell(10_000, 0)], &bounds, 0).verdicts;
        assert!(verdicts.iter().all(|v| v.decision == Decision::Pass), "{verdicts:?}");
    }
}
