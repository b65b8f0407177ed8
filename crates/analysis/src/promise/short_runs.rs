//! That enough was there, in runs too short for intervals. It cannot show that it was not.

use record::{Cell, Curve, Judgement, Measured};
use stats::Estimate;
use units::Iops;
use workload::{Bound, Direction};

use crate::pauses::running_intervals;
use crate::support::supports;

/// Chance of a wrong answer by counting slices: that of one end of an interval of 95 %.
const P_VALUE_MAX: f64 = 0.025;
/// Factor over the needed rate that a slice must have had: neighbouring slices are alike.
const FAR_FACTOR: f64 = 2.0;

const SLICES_MIN: usize = 10;

/// Whether each slice of a rate that was still changing had far more than what is needed.
pub(super) fn is_always_far_above(cell: &Cell, way: Direction, iops: f64) -> bool {
    let ops = slice_ops(cell, way);
    let least = FAR_FACTOR * iops * cell.job.interval.as_secs_f64();
    ops.len() >= SLICES_MIN && ops.iter().all(|&ops| ops as f64 >= least)
}

fn slice_ops(cell: &Cell, way: Direction) -> Vec<u64> {
    let whole = running_intervals(cell).filter(|interval| interval.length == cell.job.interval);
    whole.map(|i| i.directions.get(way).map_or(0, |direction| direction.ops)).collect()
}

pub(super) fn count_slices(cell: &Cell, way: Direction, iops: f64) -> Option<String> {
    let step = cell.job.interval;
    let ops = slice_ops(cell, way);
    let enough = |ops: &&u64| **ops as f64 >= FAR_FACTOR * iops * step.as_secs_f64();
    let (above, n) = (ops.iter().filter(enough).count(), ops.len());
    let mean = cell.totals.get(way).map_or(0.0, |totals| totals.iops);
    (mean >= FAR_FACTOR * iops && stats::sign_test(above, n) <= P_VALUE_MAX).then(|| {
        format!("{above} of {n} slices of {step} had {FAR_FACTOR} times what is needed or more")
    })
}

/// By its interval or by its slices.
pub(super) fn deepest_point_within<'a>(
    measured: &'a Measured,
    judgement: &'a Judgement,
    curve: &Curve,
    bound: Bound,
    way: Direction,
    needed: f64,
) -> Option<(&'a Cell, String)> {
    let place = curve.bounds.iter().position(|of| *of == bound)?;
    let keeps = |point: &&record::CurvePoint| {
        point.stands.get(place).is_some_and(|stand| stand.within == Some(true))
    };
    let cells = curve.points.iter().rev().filter(keeps).flat_map(|point| &point.cells);
    let mut sound = cells.filter_map(|name| measured.cell(name)).filter(|c| supports(judgement, c));
    sound.find_map(|cell| {
        let low = cell.confidence.iops.get(way).and_then(Estimate::interval).map(|i| i.0);
        let words = match low {
            Some(low) if low >= needed => "its whole interval is at or above it".to_owned(),
            Some(_) => return None,
            None => count_slices(cell, way, needed)?,
        };
        Some((cell, format!("{} IOPS stay within {bound}: {words}", Iops(needed))))
    })
}
