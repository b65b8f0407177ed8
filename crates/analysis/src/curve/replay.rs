//! A search, led once more through the probes of a record.

use std::collections::BTreeSet;

use message::label;
use record::{BoundedBy, Cell, CellRole, CurvePoint, LimitPlan, Measured, Purpose};
use stats::search::{Answer, Grid, NextStep, Search, SearchEnd, SearchLimits, UnsureReason};
use workload::{Bound, Pacing};

use super::limit::LimitChoice;
use super::point::{RISE_MIN, judge_load, judge_probe};

/// As shares of the most of the closed loop: no open loop is stable above it, but for its error.
const RATE_SHARE_MIN: f64 = 0.02;
const RATE_SHARE_MAX: f64 = 1.05;

/// The depths that a search tries.
pub fn depth_grid(plan: &LimitPlan) -> Grid {
    let least = match plan.first_percent.filter(|_| plan.parts.len() > 1) {
        Some(percent) => (100.0 / f64::from(percent.min(100 - percent).max(1))).ceil(),
        None => 1.0,
    };
    let least = least.max(plan.depth_min.map_or(1.0, f64::from));
    let all = Grid::depths(plan.depth_max);
    Grid::new((0..all.len()).map(|level| all.value(level)).filter(|depth| *depth >= least))
}

/// The rates that a search tries, from the probes of the closed loop; `None` without any.
pub fn rate_grid(cells: &[Cell]) -> Option<Grid> {
    let closed = cells.iter().filter(|c| c.role == CellRole::Probe && !c.job.is_open_loop());
    let most = closed.map(Cell::iops).reduce(f64::max)?;
    Some(Grid::rates(most * RATE_SHARE_MIN, most * RATE_SHARE_MAX))
}

/// A choice for each bound, where the probes are those of a search that came to its end.
pub(super) fn choose_limits(
    probes: &[Vec<&Cell>],
    measured: &Measured,
    points: &[CurvePoint],
) -> Vec<Option<LimitChoice>> {
    let none = || vec![None; measured.plan.bounds.len()];
    let Purpose::Limit(plan) = &measured.plan.purpose else { return none() };
    let open = probes.iter().any(|probe| probe[0].job.is_open_loop());
    let grid = match (open, plan.arrivals) {
        (true, _) => rate_grid(&measured.cells),
        (false, None) => Some(depth_grid(plan)),
        // The closed loop before an open one is a ramp, and no search.
        (false, Some(_)) => None,
    };
    let Some(grid) = grid else { return none() };
    let limits = if open { SearchLimits::for_rates() } else { SearchLimits::for_depths() };
    let ramp_rose = is_ramp_rising(&measured.cells, plan.depth_max);
    // A search with more workers replaces one with fewer, if it came to its end.
    let workers: BTreeSet<u32> = probes.iter().map(|probe| probe[0].job.workers).collect();
    for workers in workers.into_iter().rev() {
        let own = probes.iter().filter(|probe| probe[0].job.workers == workers);
        let search = replay_search(own, measured, &grid, limits);
        if search.answer(0).is_some() {
            let choice = |bound: usize| {
                let confirmed = confirmed_points(probes, points, &measured.plan.bounds[bound]);
                to_choice(search.answer(bound)?, bound, points, &confirmed, ramp_rose)
            };
            return (0..measured.plan.bounds.len()).map(choice).collect();
        }
    }
    none()
}

fn replay_search<'p, 'a: 'p>(
    probes: impl Iterator<Item = &'p Vec<&'a Cell>>,
    measured: &Measured,
    grid: &Grid,
    limits: SearchLimits,
) -> Search {
    let bounds = &measured.plan.bounds;
    let mut search = Search::new(grid.clone(), bounds.len(), limits);
    for probe in probes {
        if matches!(search.next_step(), NextStep::Done) {
            break;
        }
        let level = grid.nearest_ln(probe_load(probe).ln());
        search.add_probe(judge_probe(probe, bounds, level));
    }
    let _ = search.next_step(); // the last probe may have been all that an answer needed
    search
}

fn is_ramp_rising(cells: &[Cell], depth_max: u32) -> bool {
    let mut ramp: Vec<&Cell> =
        cells.iter().filter(|c| c.role == CellRole::Probe && !c.job.is_open_loop()).collect();
    ramp.sort_by_key(|cell| cell.job.depth);
    match ramp.as_slice() {
        [.., before, last] => {
            last.job.depth.0 >= depth_max && last.iops() > before.iops() * RISE_MIN
        }
        _ => true,
    }
}

fn probe_load(probe: &[&Cell]) -> f64 {
    match probe[0].job.pacing {
        Pacing::Open { rate, .. } => rate.0,
        _ => probe.iter().map(|cell| f64::from(cell.job.depth.0)).sum(),
    }
}

fn has_gain_above(chosen: usize, points: &[CurvePoint]) -> bool {
    let higher = &points[chosen + 1..];
    higher.is_empty() || higher.iter().any(|point| point.iops > points[chosen].iops * RISE_MIN)
}

/// Probes at the load of an answer, at least, before it is confirmed.
pub const CONFIRMING_PROBES: usize = 3;
/// Where this number of probes differ so much that a further one may break the bound, more of
/// them would not settle it.
const CONFIRMING_PROBES_MAX: usize = 5;

/// What the probes of one load say of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadConfirmation {
    /// All of them together keep it, and nine of ten further ones are expected to.
    Confirmed,
    /// More probes can decide.
    Open,
    /// All of them together break it, or they differ so much that a further one may.
    Broken,
}

/// Whether the probes of one load confirm that it keeps a bound.
pub fn confirm_load(probes: &[Vec<&Cell>], bound: &Bound) -> LoadConfirmation {
    let jobs = probes.first().map_or(1, Vec::len);
    if probes.is_empty() {
        return LoadConfirmation::Open;
    }
    match judge_load(&probes.concat(), jobs, bound).within {
        Some(false) => return LoadConfirmation::Broken,
        None => return LoadConfirmation::Open,
        Some(true) if probes.len() < CONFIRMING_PROBES => return LoadConfirmation::Open,
        Some(true) => {}
    }
    let statistic = |probe: &Vec<&Cell>| judge_load(probe, jobs, bound).statistic;
    let statistics: Vec<f64> =
        probes.iter().filter_map(statistic).map(|value| value.0 as f64).collect();
    // Without a prediction, no three probes had operations enough to tell by themselves.
    match stats::upper_prediction_of_few(&statistics) {
        Some(next) if next >= bound.limit.0 as f64 => match probes.len() {
            CONFIRMING_PROBES_MAX.. => LoadConfirmation::Broken,
            _ => LoadConfirmation::Open,
        },
        _ => LoadConfirmation::Confirmed,
    }
}

/// A load below this share of the answer's is another answer.
pub const LOWER_LOAD_MIN: f64 = 0.7;

/// Of each point, whether its probes confirm that it keeps the bound.
fn confirmed_points(probes: &[Vec<&Cell>], points: &[CurvePoint], bound: &Bound) -> Vec<bool> {
    let is_confirmed = |point: &CurvePoint| {
        let of_point = |probe: &&Vec<&Cell>| point.cells.contains(&probe[0].name);
        let own: Vec<Vec<&Cell>> = probes.iter().filter(of_point).cloned().collect();
        confirm_load(&own, bound) == LoadConfirmation::Confirmed
    };
    points.iter().map(is_confirmed).collect()
}

/// The highest point up to the answer that is confirmed; else the answer is not sure.
fn to_choice(
    answer: &Answer,
    bound: usize,
    points: &[CurvePoint],
    is_confirmed: &[bool],
    ramp_rose: bool,
) -> Option<LimitChoice> {
    let load = |point: &CurvePoint| point.rate.map_or(f64::from(point.depth.0), |rate| rate.0);
    let wanted = answer.value.unwrap_or(0.0) * (1.0 + 1e-9);
    // Where the level itself was not probed, the one below it was.
    let answered = points.iter().rposition(|point| load(point) <= wanted);
    let answered = answered.or((!points.is_empty()).then_some(0))?;
    let keeps = |point: &CurvePoint| point.stands.get(bound).and_then(|stand| stand.within);
    let near = |point: &CurvePoint| load(point) >= wanted * LOWER_LOAD_MIN;
    let up_to = &points[..=answered];
    let found = (0..=answered).rev().find(|at| is_confirmed[*at] && near(&points[*at]));
    let found = found.or(up_to.iter().rposition(|point| keeps(point) != Some(false)));
    let point = found.unwrap_or(answered);
    let confirmed = match answer.ended_by {
        SearchEnd::Unreachable => answer.confirmed,
        _ => is_confirmed[point],
    };
    let mut because = Vec::new();
    let bounded_by = match answer.ended_by {
        SearchEnd::Bound if has_gain_above(point, points) => BoundedBy::Bound,
        SearchEnd::Bound => BoundedBy::Saturation,
        // A deeper queue was the answer until its own probes broke the bound.
        SearchEnd::Saturation | SearchEnd::DepthTried if point < answered => BoundedBy::Bound,
        SearchEnd::Saturation => BoundedBy::Saturation,
        // The highest rate is just above the most of the closed loop, if that was seen.
        SearchEnd::DepthTried if points[point].rate.is_some() && !ramp_rose => {
            BoundedBy::Saturation
        }
        SearchEnd::DepthTried => BoundedBy::DepthTried,
        SearchEnd::Unreachable => BoundedBy::Unreachable,
        // The search was not certain, but a load above it breaks the bound, and it is confirmed.
        SearchEnd::Unsure(UnsureReason::ProbesUsedUp)
            if confirmed && points[point + 1..].iter().any(|p| keeps(p) == Some(false)) =>
        {
            BoundedBy::Bound
        }
        SearchEnd::Unsure(UnsureReason::NotMonotone) => {
            because.push(label("limit-latency-not-monotone"));
            BoundedBy::Unsure
        }
        SearchEnd::Unsure(UnsureReason::ProbesUsedUp) => {
            because.push(label("limit-probes-used-up"));
            BoundedBy::Unsure
        }
    };
    Some(LimitChoice { point, bounded_by, confirmed, because })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record, set_read_latencies};

    /// The bounds lie on both sides of what Student's t predicts of nine of ten further probes:
    /// 1,354 us after three of them (t = 1.886), 1,291 us after five (t = 1.533).
    #[test]
    fn a_load_is_confirmed_by_what_a_further_probe_would_be() {
        let check = |means_us: &[u64], bound: &str, expected: LoadConfirmation| {
            let cell = |us: &u64| {
                let mut record = sample_record();
                let cell = cell_mut(&mut record, "randread-4k-qd1");
                set_read_latencies(cell, &[us * 1000; 100]);
                cell.clone()
            };
            let cells: Vec<Cell> = means_us.iter().map(cell).collect();
            let probes: Vec<Vec<&Cell>> = cells.iter().map(|cell| vec![cell]).collect();
            let found = confirm_load(&probes, &bound.parse().unwrap());
            assert_eq!(found, expected, "{means_us:?} {bound}");
        };
        check(&[1000, 1100], "mean<9ms", LoadConfirmation::Open);
        check(&[1000, 1100, 1210], "mean<1300us", LoadConfirmation::Open);
        check(&[1000, 1100, 1210], "mean<1400us", LoadConfirmation::Confirmed);
        let five = [1000, 1000, 1100, 1210, 1210];
        check(&five, "mean<1250us", LoadConfirmation::Broken);
        check(&five, "mean<1350us", LoadConfirmation::Confirmed);
    }
}
