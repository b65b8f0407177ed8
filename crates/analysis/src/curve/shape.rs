//! What the shape of a curve says: the knee, thrashing, and whether it can be believed.

use record::{CurvePoint, Fall, Fit, Shape};
use stats::{
    Point, RatePoint, asymptotic_knee, check_monotone, find_fall as find_rate_fall, fit_usl,
    kneedle,
};
use units::Depth;
use workload::Statistic;

use super::point::{Load, RISE_MIN};
use crate::cells::DATA_DIRECTIONS;

const POINTS_MIN: usize = 3;
const TAIL: f64 = 99.0;
const MEDIAN: f64 = 50.0;
/// Between probes a device differs by more than the intervals of one say.
const LATENCY_ERROR_MIN: f64 = 0.05;
const RATE_ERROR_MIN: f64 = 0.02;

pub(super) fn build_shape(points: &[CurvePoint], loads: &[Load<'_>]) -> Option<Shape> {
    if points.len() < POINTS_MIN {
        return None;
    }
    let idle_latency_ns = mean_latency(&loads[0])?;
    let idle_depth = f64::from(points[0].depth.0);
    let ceiling = points.iter().map(|point| point.iops).fold(0.0, f64::max);
    let depth = |point: &CurvePoint| f64::from(point.depth.0);
    let xs: Vec<(f64, f64)> = points.iter().map(|p| (depth(p).log2(), p.iops)).collect();
    let closed = points.iter().all(|point| point.rate.is_none());
    let saturated = closed && has_reached_ceiling(points, ceiling);
    Some(Shape {
        idle_latency_ns,
        ceiling_iops: ceiling,
        knee_depth: saturated
            .then(|| asymptotic_knee(idle_latency_ns / 1e9, ceiling).max(idle_depth)),
        bend_depth: kneedle(&xs).filter(|_| closed).map(|place| points[place].depth),
        fall: closed.then(|| find_fall(points, loads)).flatten(),
        fit: closed.then(|| fit_scalability(points, loads)).flatten(),
        steady: is_latency_rising(points, loads),
        little_worst: if closed { little_worst(loads) } else { 0.0 },
    })
}

fn has_reached_ceiling(points: &[CurvePoint], ceiling: f64) -> bool {
    let Some(deepest) = points.last() else { return false };
    points.iter().any(|p| p.depth.0 <= deepest.depth.0 / 2 && p.iops * RISE_MIN >= ceiling)
}

fn mean_latency(load: &Load<'_>) -> Option<f64> {
    let [mut whole, writes] = DATA_DIRECTIONS.map(|direction| load.histogram(direction));
    whole.merge(&writes);
    whole.mean_ns()
}

fn rate_error(load: &Load<'_>) -> f64 {
    let width = load.iops_estimate().relative_half_width().unwrap_or(0.0) / 1.96;
    width.max(RATE_ERROR_MIN)
}

fn find_fall(points: &[CurvePoint], loads: &[Load<'_>]) -> Option<Fall> {
    let rates: Vec<RatePoint> = points
        .iter()
        .zip(loads)
        .map(|(point, load)| RatePoint {
            load: f64::from(point.depth.0),
            rate: point.iops,
            error: Some(rate_error(load) * point.iops),
        })
        .collect();
    let fall = find_rate_fall(&rates)?;
    Some(Fall {
        best_depth: Depth(fall.best.load as u32),
        best_iops: fall.best.rate,
        then_depth: Depth(fall.then.load as u32),
        then_iops: fall.then.rate,
    })
}

fn fit_scalability(points: &[CurvePoint], loads: &[Load<'_>]) -> Option<Fit> {
    let weighted: Vec<(f64, f64, f64)> = points
        .iter()
        .zip(loads)
        .map(|(point, load)| (f64::from(point.depth.0), point.iops, rate_error(load).powi(-2)))
        .collect();
    let usl = fit_usl(&weighted)?;
    Some(Fit {
        gamma: usl.gamma,
        alpha: usl.alpha,
        beta: usl.beta,
        beta_between: (usl.beta_low, usl.beta_high),
        retrograde: usl.retrograde,
        residual: usl.residual,
    })
}

/// By the 99th percentile where every point supports it, else the median.
fn is_latency_rising(points: &[CurvePoint], loads: &[Load<'_>]) -> Option<bool> {
    let of = |p: f64| -> Option<Vec<Point>> {
        points
            .iter()
            .zip(loads)
            .map(|(point, load)| {
                let statistic = Statistic::Percentile(p);
                let ns = load.statistic(statistic)?.0.max(1) as f64;
                let error = load.log_error(statistic).unwrap_or(0.0).max(LATENCY_ERROR_MIN);
                let x = point.rate.map_or(f64::from(point.depth.0), |rate| rate.0);
                Some(Point { x, y: ns.ln(), error })
            })
            .collect()
    };
    let series = of(TAIL).or_else(|| of(MEDIAN))?;
    Some(check_monotone(&series).holds)
}

fn little_worst(loads: &[Load<'_>]) -> f64 {
    loads
        .iter()
        .flat_map(|load| &load.cells)
        .map(|cell| (cell.achieved_depth.little / f64::from(cell.job.depth.0.max(1)) - 1.0).abs())
        .fold(0.0, f64::max)
}
