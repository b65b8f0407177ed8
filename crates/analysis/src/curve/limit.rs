//! The most IOPS within a bound.

use message::{Message, label, messages};
use record::{BoundedBy, CurvePoint, Limit, LimitPart};
use stats::Estimate;
use units::Ratio;
use workload::{Bound, Direction};

use super::naming::curve_name;
use super::point::{HALF_WIDTH_MAX, Load, RISE_MIN};
use crate::cells::DATA_DIRECTIONS;

/// Throughput within this of the best counts as the best: more depth would only add latency.
pub const AS_GOOD_MIN: f64 = 0.98;

/// The same for a point, whose interval is kept as a share.
pub fn is_point_figure(point: &CurvePoint) -> bool {
    point.precision.is_none_or(|half| half <= HALF_WIDTH_MAX)
}

/// Whether an estimate may be shown as a figure. One without an interval says why itself.
pub fn is_figure(estimate: &Estimate) -> bool {
    estimate.relative_half_width().is_none_or(|half| half <= HALF_WIDTH_MAX)
}

#[derive(Debug, Clone)]
pub(super) struct LimitChoice {
    pub(super) point: usize,
    pub(super) bounded_by: BoundedBy,
    pub(super) confirmed: bool,
    pub(super) because: Vec<Message>,
}

pub(super) fn build_limit(
    bound: Bound,
    choice: LimitChoice,
    point: &CurvePoint,
    load: &Load<'_>,
    iops: Estimate,
) -> Limit {
    let limit = Limit {
        bound,
        depth: point.depth,
        rate: point.rate,
        cell: point.newest_cell().to_owned(),
        iops,
        statistic: load.statistic(bound.statistic),
        bounded_by: choice.bounded_by,
        because: choice.because,
        confirmed: choice.confirmed,
        parts: limit_parts(bound, load),
    };
    match limit.iops.relative_half_width().filter(|_| !is_figure(&limit.iops)) {
        Some(half) => limit.doubted(IntervalTooWide { half: Ratio(half) }.into()),
        None => limit,
    }
}

/// Without a search: the smallest load within 2 % of the most within the bound. Points that cannot
/// be decided stand in where none is known to keep it.
pub(super) fn choose_unsearched(place: usize, points: &[CurvePoint]) -> Option<LimitChoice> {
    let within = |i: usize| points[i].stands.get(place).and_then(|stand| stand.within);
    let with = |wanted: Option<bool>| -> Vec<usize> {
        (0..points.len()).filter(|&i| within(i) == wanted).collect()
    };
    let mut allowed = with(Some(true));
    if allowed.is_empty() {
        allowed = with(None);
    }
    let most = allowed.iter().map(|&i| points[i].iops).fold(0.0, f64::max);
    let (point, bounded_by) = match allowed.iter().find(|&&i| points[i].iops >= most * AS_GOOD_MIN)
    {
        Some(&chosen) => (chosen, find_bounding_cause(chosen, points, within)),
        None if points.is_empty() => return None,
        None => (0, BoundedBy::Unreachable),
    };
    Some(LimitChoice { point, bounded_by, confirmed: false, because: Vec::new() })
}

fn find_bounding_cause(
    chosen: usize,
    points: &[CurvePoint],
    within: impl Fn(usize) -> Option<bool>,
) -> BoundedBy {
    let deeper = || chosen + 1..points.len();
    let more = || deeper().filter(|&i| points[i].iops > points[chosen].iops * RISE_MIN);
    match () {
        () if more().any(|i| within(i) == Some(false)) => BoundedBy::Bound,
        () if more().next().is_some() => BoundedBy::DepthTried,
        () if deeper().next().is_some() => BoundedBy::Saturation,
        () => BoundedBy::DepthTried,
    }
}

fn limit_parts(bound: Bound, load: &Load<'_>) -> Vec<LimitPart> {
    let first_with = |direction: Direction| {
        load.cells.iter().find(move |cell| cell.totals.get(direction).is_some())
    };
    if DATA_DIRECTIONS.into_iter().any(|direction| first_with(direction).is_none()) {
        return Vec::new();
    }
    let of = |direction| {
        let own = first_with(direction).filter(|_| load.jobs > 1);
        LimitPart {
            label: match own {
                Some(cell) => curve_name(&cell.job.access, cell.job.mix, cell.job.block_size).1,
                None if direction == Direction::Read => label("limit-its-reads"),
                None => label("limit-its-writes"),
            },
            depth: own.map(|cell| cell.job.depth),
            iops: load.iops(Some(direction)),
            statistic: load.direction_statistic(bound.statistic, direction),
        }
    };
    DATA_DIRECTIONS.into_iter().map(of).collect()
}

messages! {
    IntervalTooWide = "limit-interval-too-wide" { half: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Stand;
    use units::Depth;

    fn point(depth: u32, iops: f64, within: Option<bool>) -> CurvePoint {
        CurvePoint {
            depth: Depth(depth),
            rate: None,
            cells: vec!["x".to_owned()],
            iops,
            precision: None,
            outstanding: None,
            latency_ns: record::PerDirection::default(),
            stands: vec![Stand { statistic: None, within }],
        }
    }

    #[test]
    fn a_limit_with_a_wide_interval_is_unsure() {
        let record = crate::testing::sample_record();
        let load = Load { cells: vec![record.cell("randread-4k-qd16").unwrap()], jobs: 1 };
        let bound = "p99<10ms".parse().unwrap();
        let point = load.to_point(&[bound]);
        let limit = |half: f64| {
            let (low, high) = (Some(point.iops * (1.0 - half)), Some(point.iops * (1.0 + half)));
            let iops = Estimate { low, high, ..load.iops_estimate() };
            let (bounded_by, because) = (BoundedBy::Saturation, Vec::new());
            let choice = LimitChoice { point: 0, bounded_by, confirmed: true, because };
            let limit = build_limit(bound, choice, &point, &load, iops);
            let why = limit.because.last().map(|why| why.id().to_owned());
            (limit.bounded_by, limit.confirmed, why)
        };
        assert_eq!(limit(0.2), (BoundedBy::Saturation, true, None));
        let why = Some("limit-interval-too-wide".to_owned());
        assert_eq!(limit(0.3), (BoundedBy::Unsure, false, why));
    }

    #[test]
    fn the_limit_is_the_shallowest_of_the_best_within_the_bound() {
        let (yes, no) = (Some(true), Some(false));
        let check = |points: &[(u32, f64, Option<bool>)], depth, by| {
            let made: Vec<_> = points.iter().map(|&(d, x, w)| point(d, x, w)).collect();
            let LimitChoice { point: chosen, bounded_by, .. } =
                choose_unsearched(0, &made).unwrap();
            assert_eq!((made[chosen].depth.0, bounded_by), (depth, by), "{points:?}");
        };
        check(&[(1, 10.0, yes), (4, 40.0, yes), (16, 40.5, yes)], 4, BoundedBy::Saturation);
        check(&[(1, 10.0, yes), (4, 40.0, yes), (16, 41.5, yes)], 16, BoundedBy::DepthTried);
        check(&[(1, 10.0, yes), (4, 40.0, yes), (16, 90.0, no)], 4, BoundedBy::Bound);
        check(&[(1, 10.0, yes), (4, 40.0, None)], 1, BoundedBy::DepthTried);
        check(&[(1, 10.0, None), (4, 40.0, None)], 4, BoundedBy::DepthTried);
        check(&[(1, 10.0, no), (4, 40.0, no)], 1, BoundedBy::Unreachable);
    }
}
