//! That enough was there, in runs too short for intervals. It cannot show that it was not.

use message::{Message, label, messages};
use record::{Cell, Curve, Judgement, Measured};
use stats::Estimate;
use units::{Iops, Nanos};
use workload::{Bound, Direction};

use crate::pauses::running_intervals;
use crate::support::supports;

/// Chance of a wrong answer by counting slices: that of one end of an interval of 95 %.
const P_VALUE_MAX: f64 = 0.025;
/// Factor over the needed rate that a slice must have had: neighbouring slices are alike.
const FAR_FACTOR: u32 = 2;

const SLICES_MIN: usize = 10;

/// Whether each slice of a rate that was still changing had far more than what is needed.
pub(super) fn is_always_far_above(cell: &Cell, way: Direction, iops: f64) -> bool {
    let ops = slice_ops(cell, way);
    let least = f64::from(FAR_FACTOR) * iops * cell.job.interval.as_secs_f64();
    ops.len() >= SLICES_MIN && ops.iter().all(|&ops| ops as f64 >= least)
}

fn slice_ops(cell: &Cell, way: Direction) -> Vec<u64> {
    let whole = running_intervals(cell).filter(|interval| interval.length == cell.job.interval);
    whole.map(|i| i.directions.get(way).map_or(0, |direction| direction.ops)).collect()
}

pub(super) fn count_slices(cell: &Cell, way: Direction, iops: f64) -> Option<Message> {
    let length = cell.job.interval;
    let ops = slice_ops(cell, way);
    let far = f64::from(FAR_FACTOR) * iops;
    let enough = |ops: &&u64| **ops as f64 >= far * length.as_secs_f64();
    let (above, all) = (ops.iter().filter(enough).count(), ops.len());
    let mean = cell.totals.get(way).map_or(0.0, |totals| totals.iops);
    (mean >= far && stats::sign_test(above, all) <= P_VALUE_MAX)
        .then(|| SlicesFarAbove { above, all, length, factor: FAR_FACTOR }.into())
}

/// By its interval or by its slices.
pub(super) fn deepest_point_within<'a>(
    measured: &'a Measured,
    judgement: &'a Judgement,
    curve: &Curve,
    bound: Bound,
    way: Direction,
    needed: f64,
) -> Option<(&'a Cell, Message)> {
    let place = curve.bounds.iter().position(|of| *of == bound)?;
    let keeps = |point: &&record::CurvePoint| {
        point.stands.get(place).is_some_and(|stand| stand.within == Some(true))
    };
    let cells = curve.points.iter().rev().filter(keeps).flat_map(|point| &point.cells);
    let mut sound = cells.filter_map(|name| measured.cell(name)).filter(|c| supports(judgement, c));
    sound.find_map(|cell| {
        let low = cell.confidence.iops.get(way).and_then(Estimate::interval).map(|i| i.0);
        let why = match low {
            Some(low) if low >= needed => label("promise-short-runs-whole-above"),
            Some(_) => return None,
            None => count_slices(cell, way, needed)?,
        };
        let (iops, bound) = (Iops(needed), bound.to_string());
        Some((cell, PointWithinBound { iops, bound, why }.into()))
    })
}

messages! {
    SlicesFarAbove = "promise-short-runs-slices-far-above" {
        above: usize, all: usize, length: Nanos, factor: u32,
    };
    PointWithinBound = "promise-short-runs-point-within-bound" {
        iops: Iops, bound: String, why: Message,
    };
}
