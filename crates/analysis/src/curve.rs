//! Curves over depth, and the most IOPS within a latency bound.

use record::{BoundedBy, Cell, CellRole, Curve, CurvePoint, Limit, Record};
use stats::{Decision, Estimate, decide_proportion, percentile_supported};
use units::{Bytes, Nanos};
use workload::{Access, Bound, Mix, Statistic};

/// Throughput within this of the best counts as the best: more depth would only add latency.
const AS_GOOD: f64 = 0.98;
/// A rise of less than this per doubling of depth is none (methodology of load-latency curves:
/// twice in a row means saturated).
const RISE: f64 = 1.03;

/// How a cell stands to a bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The bounded statistic, of the slowest direction; `None` when the sample cannot support it.
    pub statistic: Option<Nanos>,
    /// Whether the bound is kept; `None` when that cannot be decided.
    pub within: Option<bool>,
}

/// Judges a cell against a bound. A percentile is decided by a proportion test over the
/// intervals; where that cannot decide, by the figure itself when the sample supports it.
#[must_use]
pub fn judge_point(cell: &Cell, bound: &Bound) -> Point {
    let statistic = cell.data_directions().filter_map(|t| figure(t, bound.statistic)).max();
    let by_figure = statistic.map(|value| value < bound.limit);
    let within = match bound.statistic {
        Statistic::Mean | Statistic::Max => by_figure,
        Statistic::Percentile(p) => match proportion(cell, bound.limit, 1.0 - p / 100.0) {
            Decision::Pass => Some(true),
            Decision::Fail => Some(false),
            Decision::Undecided => by_figure,
        },
    };
    Point { statistic, within }
}

fn figure(totals: &record::DirectionTotals, statistic: Statistic) -> Option<Nanos> {
    let latency = &totals.latency_ns;
    match statistic {
        Statistic::Mean => Some(Nanos(latency.mean.round() as u64)),
        Statistic::Max => Some(Nanos(latency.max)),
        Statistic::Percentile(p) => {
            let histogram = latency.histogram.to_histogram().ok()?;
            percentile_supported(p, histogram.count())
                .then(|| histogram.quantile(p / 100.0).map(Nanos))
                .flatten()
        }
    }
}

/// The worst decision over the directions.
fn proportion(cell: &Cell, limit: Nanos, allowed: f64) -> Decision {
    let mut worst = Decision::Pass;
    for (direction, _) in cell.totals.iter().filter(|(d, _)| *d != workload::Direction::Sync) {
        let shares: Vec<(f64, f64)> = cell
            .intervals
            .iter()
            .filter_map(|i| i.directions.get(direction))
            .filter_map(|d| d.total.to_histogram().ok())
            .map(|h| (h.count_above(limit.0), h.count() as f64))
            .collect();
        match decide_proportion(&shares, allowed) {
            Decision::Fail => return Decision::Fail,
            Decision::Undecided => worst = Decision::Undecided,
            Decision::Pass => {}
        }
    }
    worst
}

/// The curves of a record: random cells of one mix and block size over depth.
#[must_use]
pub fn curves(record: &Record) -> Vec<Curve> {
    let mut groups: Vec<(Mix, Bytes, Vec<&Cell>)> = Vec::new();
    for cell in &record.cells {
        let job = &cell.job;
        let of_curve = matches!(cell.role, CellRole::Main | CellRole::Ladder);
        if !of_curve || job.access != Access::Random || job.sync.is_some() || cell.iops() <= 0.0 {
            continue;
        }
        match groups.iter_mut().find(|g| g.0 == job.mix && g.1 == job.block_size) {
            Some(group) => group.2.push(cell),
            None => groups.push((job.mix, job.block_size, vec![cell])),
        }
    }
    groups.into_iter().map(|(mix, size, cells)| curve(mix, size, cells, record)).collect()
}

/// What cells and curves of random access with this mix and block size are called: for programs
/// (`randread-4k`) and for people (`random read 4k`).
#[must_use]
pub fn curve_name(mix: Mix, block_size: Bytes) -> (String, String) {
    let size = block_size.compact();
    match mix {
        Mix::Read => (format!("randread-{size}"), format!("random read {size}")),
        Mix::Write => (format!("randwrite-{size}"), format!("random write {size}")),
        Mix::Mixed { read_percent } => (
            format!("randrw{read_percent}-{size}"),
            format!("{read_percent}/{} mix {size}", 100 - read_percent),
        ),
        Mix::Trim => (format!("randtrim-{size}"), format!("random trim {size}")),
        Mix::TrimWrite => (format!("randtrimwrite-{size}"), format!("trim and write {size}")),
    }
}

fn curve(mix: Mix, block_size: Bytes, mut cells: Vec<&Cell>, record: &Record) -> Curve {
    let bound = record.plan.bound;
    // The sort is stable and cells are in the order in which they ran: of a depth that was
    // measured more than once the latest is kept.
    cells.reverse();
    cells.sort_by_key(|cell| cell.job.depth);
    cells.dedup_by_key(|cell| cell.job.depth);
    let points: Vec<CurvePoint> = cells
        .iter()
        .map(|cell| {
            let Point { statistic, within } = judge_point(cell, &bound);
            CurvePoint {
                depth: cell.job.depth,
                cell: cell.name.clone(),
                iops: cell.iops(),
                statistic,
                within_bound: within,
            }
        })
        .collect();
    let (name, label) = curve_name(mix, block_size);
    let limit = limit(&points, &cells);
    Curve { name, label, mix, block_size, bound, points, limit }
}

/// The smallest depth whose IOPS are within 2 % of the most that any point within the bound has:
/// more depth would only add latency. Where no point is known to keep the bound, and not all are
/// known to break it, those that cannot be decided stand in; then the point says so
/// (`within_bound` is absent).
fn limit(points: &[CurvePoint], cells: &[&Cell]) -> Option<Limit> {
    let first = points.first()?;
    let with = |within| points.iter().filter(move |p| p.within_bound == within).collect();
    let mut allowed: Vec<&CurvePoint> = with(Some(true));
    if allowed.is_empty() {
        allowed = with(None);
    }
    let most = allowed.iter().map(|p| p.iops).fold(0.0, f64::max);
    let (chosen, bounded_by) = match allowed.iter().find(|p| p.iops >= most * AS_GOOD) {
        Some(point) => (*point, bounded_by(point, points)),
        None => (first, BoundedBy::Unreachable),
    };
    let cell = cells.iter().find(|cell| cell.name == chosen.cell)?;
    Some(Limit {
        depth: chosen.depth,
        cell: chosen.cell.clone(),
        iops: iops_of(cell),
        statistic: chosen.statistic,
        bounded_by,
    })
}

fn bounded_by(chosen: &CurvePoint, points: &[CurvePoint]) -> BoundedBy {
    let deeper = || points.iter().filter(|p| p.depth > chosen.depth);
    let more = || deeper().filter(|p| p.iops > chosen.iops * RISE);
    match () {
        // Deeper points give more, but break the bound, or at least one of them does.
        () if more().any(|p| p.within_bound == Some(false)) => BoundedBy::Bound,
        // Deeper points give more, and whether they keep the bound cannot be said.
        () if more().next().is_some() => BoundedBy::DepthTried,
        () if deeper().next().is_some() => BoundedBy::Saturation,
        () => BoundedBy::DepthTried,
    }
}

/// IOPS of all directions of a cell together, with the interval of their sum.
pub(crate) fn iops_of(cell: &Cell) -> Estimate {
    let parts: Vec<&Estimate> = cell
        .confidence
        .iops
        .iter()
        .filter(|(d, _)| *d != workload::Direction::Sync)
        .map(|(_, e)| e)
        .collect();
    match parts.as_slice() {
        [one] => (*one).clone(),
        _ => sum_of_series(cell),
    }
}

fn sum_of_series(cell: &Cell) -> Estimate {
    let ticks: Vec<&Vec<u64>> = [&cell.ticks.directions.read, &cell.ticks.directions.write]
        .into_iter()
        .flatten()
        .map(|t| &t.ops)
        .collect();
    let length = ticks.iter().map(|t| t.len()).max().unwrap_or(0);
    let per_second = 1e9 / cell.ticks.tick.0.max(1) as f64;
    let sums: Vec<f64> = (0..length)
        .map(|i| ticks.iter().filter_map(|t| t.get(i)).map(|&n| n as f64).sum::<f64>() * per_second)
        .collect();
    stats::mean_of_series(&sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, record};
    use units::Depth;

    fn point(depth: u32, iops: f64, within: Option<bool>) -> CurvePoint {
        let cell = "randread-4k-qd1".to_owned();
        CurvePoint { depth: Depth(depth), cell, iops, statistic: None, within_bound: within }
    }

    #[test]
    fn the_limit_is_the_shallowest_of_the_best_within_the_bound() {
        let record = record();
        let cells: Vec<&Cell> = record.cells.iter().collect();
        let (yes, no) = (Some(true), Some(false));
        let check = |points: &[(u32, f64, Option<bool>)], depth, by| {
            let made: Vec<_> = points.iter().map(|&(d, x, w)| point(d, x, w)).collect();
            let limit = limit(&made, &cells).unwrap();
            assert_eq!((limit.depth.0, limit.bounded_by), (depth, by), "{points:?}");
        };
        check(&[(1, 10.0, yes), (4, 40.0, yes), (16, 40.5, yes)], 4, BoundedBy::Saturation);
        check(&[(1, 10.0, yes), (4, 40.0, yes), (16, 41.5, yes)], 16, BoundedBy::DepthTried);
        check(&[(1, 10.0, yes), (4, 40.0, yes), (16, 90.0, no)], 4, BoundedBy::Bound);
        check(&[(1, 10.0, yes), (4, 40.0, None)], 1, BoundedBy::DepthTried);
        check(&[(1, 10.0, None), (4, 40.0, None)], 4, BoundedBy::DepthTried);
        check(&[(1, 10.0, no), (4, 40.0, no)], 1, BoundedBy::Unreachable);
    }

    #[test]
    fn of_a_depth_measured_twice_the_latest_counts() {
        let mut record = record();
        let mut again = cell_mut(&mut record, "randread-4k-qd16").clone();
        again.name = "randread-4k-qd16-again".to_owned();
        record.cells.push(again);
        let curves = curves(&record);
        let read = curves.iter().find(|c| c.name == "randread-4k").unwrap();
        let of_16: Vec<_> = read.points.iter().filter(|p| p.depth.0 == 16).collect();
        assert_eq!(of_16.len(), 1);
        assert_eq!(of_16[0].cell, "randread-4k-qd16-again");
    }

    #[test]
    fn points_are_judged_by_mean_maximum_and_percentile() {
        let mut record = record();
        let cell = cell_mut(&mut record, "randread-4k-qd16"); // mean 174 us
        let check = |bound: &str, within| {
            assert_eq!(judge_point(cell, &bound.parse().unwrap()).within, within, "{bound}");
        };
        check("mean<1ms", Some(true));
        check("mean<100us", Some(false));
        check("max<10ms", Some(true));
        check("p99<10ms", Some(true));
        check("p99<200us", Some(false));
        check("p50<10ms", Some(true));
    }

    #[test]
    fn too_few_operations_decide_nothing() {
        let mut record = record();
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        cell.intervals.clear();
        let mut few = stats::LatencyHistogram::new();
        (0..20).for_each(|_| few.record(9_000_000));
        cell.totals.read.as_mut().unwrap().latency_ns = crate::latency_summary(&few);
        let point = judge_point(cell, &"p99.9<10ms".parse().unwrap());
        assert_eq!(point, Point { statistic: None, within: None });
    }
}
