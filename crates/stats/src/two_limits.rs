//! Two limits: operations per second for small blocks, bytes per second for large ones.

use message::label;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use crate::batch::student_95;
use crate::estimate::Estimate;
use crate::nonnegative::{Fit, Observation, solve_non_negative};
use crate::series::{is_positive, range_of};

/// Fewest distinct sizes: two limits, and one degree of freedom for their error.
const DISTINCT_MIN: usize = 3;
/// A second limit must explain the points better by more than chance does once in a hundred, or one
/// limit must miss them by more than noise, and the second halve the squares: with three sizes the
/// F test alone would want 4,000 times fewer.
const FALSE_LIMITS: f64 = 0.01;
const ONE_LIMIT_MISSES: f64 = 0.15;
const SQUARES_HALVED: f64 = 0.5;
/// Relative errors below this are rounding, and prove nothing about a limit.
const ROUNDING: f64 = 1e-9;

const INTERVAL: &str = "least squares in relative error, residuals, Student t, 95 %";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// The tighter one rules: `X(b) = min(I, W / b)`. Also where there is only one.
    Hard,
    /// Each costs its time: `1 / X(b) = 1 / I + b / W`.
    Soft,
}

/// The limits behind the operations per second at some block sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoLimits {
    /// `I`, operations per second; `None` when no size tested was small enough to be ruled by it.
    pub iops_max: Option<Estimate>,
    /// `W`, bytes per second; `None` when no size tested was large enough to be ruled by it.
    pub bytes_per_second_max: Option<Estimate>,
    /// `W / I`, the size in bytes at which both rule alike; `None` without both.
    pub crossover_bytes: Option<Estimate>,
    /// The law that misses the points less.
    pub kind: LimitKind,
    /// Root mean square of the relative errors of that law, 0.02 for 2 %.
    pub error: f64,
}

/// Fits both laws to (block bytes, operations per second, weight) by least squares of the relative
/// error of the time per operation, and gives the one that misses less. A weight is the inverse of
/// the relative variance of the rate, in any common unit.
///
/// A limit is absent when the other one explains the points alone (F test at 1 %), or when the
/// sizes do not reach to where it would rule. The 95 % intervals follow from the residuals of the
/// logarithms, by Student's t. `None` with fewer than three distinct sizes.
pub fn fit_two_limits(points: &[(f64, f64, f64)]) -> Option<TwoLimits> {
    let points = sort_points(points)?;
    let n = points.len() as f64;
    let rounding = n * ROUNDING * ROUNDING;
    let (iops, bandwidth) = (fit_one_limit(&points, 0), fit_one_limit(&points, 1));
    let alone = if iops.squares <= bandwidth.squares { iops } else { bandwidth };
    let (hard, soft) = (fit_hard(&points), fit_soft(&points));
    let (kind, both) = if hard.squares <= soft.squares {
        (LimitKind::Hard, hard)
    } else {
        (LimitKind::Soft, soft)
    };
    let f = (alone.squares - both.squares) / both.squares.max(rounding) * (n - 2.0);
    let misses = (alone.squares / n).sqrt() > ONE_LIMIT_MISSES
        && both.squares < SQUARES_HALVED * alone.squares;
    let is_two = both.parameters.iter().all(|t| *t > 0.0) && (misses || f > f_by_chance(n - 2.0));
    let (kind, law) = if is_two { (kind, both) } else { (LimitKind::Hard, alone) };
    // Numbers near the largest there are overflow, and say nothing.
    law.squares.is_finite().then(|| describe_law(&points, kind, &law))
}

/// A measured size; the row is what the times per operation and per byte contribute, per unit.
struct SizePoint {
    bytes: f64,
    row: Observation<2>,
}

/// The points by size, their weights with a mean of 1; `None` when too few sizes are distinct.
fn sort_points(points: &[(f64, f64, f64)]) -> Option<Vec<SizePoint>> {
    let given: Vec<_> = points
        .iter()
        .filter(|p| is_positive(p.0) && is_positive(p.1) && is_positive(p.2))
        .collect();
    let mean_weight = given.iter().map(|p| p.2).sum::<f64>() / given.len() as f64;
    let mut sizes: Vec<SizePoint> = given
        .iter()
        .map(|&&(bytes, iops, weight)| SizePoint {
            bytes,
            row: Observation { columns: [iops, iops * bytes], weight: weight / mean_weight },
        })
        .collect();
    sizes.sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
    let distinct = sizes.chunk_by(|a, b| a.bytes == b.bytes).count();
    (distinct >= DISTINCT_MIN).then_some(sizes)
}

/// A law's seconds per operation `1 / I` and per byte `1 / W`, and the squares that it leaves.
type FittedLaw = Fit<2>;

fn fit_one_limit(points: &[SizePoint], limit: usize) -> FittedLaw {
    let fit = fit_column(points, |size| size.row.columns[limit]);
    let mut parameters = [0.0; 2];
    parameters[limit] = fit.parameters[0];
    Fit { parameters, squares: fit.squares }
}

fn fit_column(points: &[SizePoint], column: impl Fn(&SizePoint) -> f64) -> Fit<1> {
    let row = |size: &SizePoint| Observation { columns: [column(size)], weight: size.row.weight };
    solve_non_negative(&points.iter().map(row).collect::<Vec<_>>())
}

fn fit_soft(points: &[SizePoint]) -> FittedLaw {
    solve_non_negative(&points.iter().map(|size| size.row).collect::<Vec<_>>())
}

/// The hard law `1 / X = max(1 / I, b / W)`. Its best fit is either that of each limit to its side
/// of a split, or it has its corner at a size (above which that point lies); all are tried.
fn fit_hard(points: &[SizePoint]) -> FittedLaw {
    let left = |time: [f64; 2]| Fit { parameters: time, squares: squares_of_hard(points, time) };
    let by_split = (1..points.len()).map(|at| {
        let (small, large) = points.split_at(at);
        left([fit_one_limit(small, 0).parameters[0], fit_one_limit(large, 1).parameters[1]])
    });
    let by_corner = points.iter().map(|corner| {
        let shape = |size: &SizePoint| size.row.columns[0] * (size.bytes / corner.bytes).max(1.0);
        let time = fit_column(points, shape).parameters[0];
        left([time, time / corner.bytes])
    });
    let none = Fit { parameters: [0.0; 2], squares: f64::INFINITY };
    by_split.chain(by_corner).fold(none, |a, b| if b.squares < a.squares { b } else { a })
}

fn squares_of_hard(points: &[SizePoint], time: [f64; 2]) -> f64 {
    let missed = |size: &SizePoint| {
        let [by_operation, by_byte] = shares(size, time);
        1.0 - by_operation.max(by_byte)
    };
    points.iter().map(|size| size.row.weight * missed(size).powi(2)).sum()
}

/// The share of an operation's time that each limit explains.
fn shares(size: &SizePoint, time: [f64; 2]) -> [f64; 2] {
    [size.row.columns[0] * time[0], size.row.columns[1] * time[1]]
}

/// The F of one further parameter that chance exceeds with 1 %.
fn f_by_chance(freedom: f64) -> f64 {
    let law = FisherSnedecor::new(1.0, freedom);
    law.map_or(f64::INFINITY, |f| f.inverse_cdf(1.0 - FALSE_LIMITS))
}

/// The limits of a law with their intervals, without what the sizes do not reach.
fn describe_law(points: &[SizePoint], kind: LimitKind, law: &FittedLaw) -> TwoLimits {
    let n = points.len() as f64;
    let [operation, byte] = law.parameters;
    let crossover = operation / byte;
    let (least, most) = range_of(points.iter().map(|p| p.bytes));
    let has_iops = operation > 0.0 && crossover >= least;
    let has_bytes = byte > 0.0 && crossover <= most;
    let parameters = law.parameters.iter().filter(|t| **t > 0.0).count() as f64;
    let freedom = n - parameters;
    let scale = student_95(freedom) * (law.squares / freedom).sqrt();
    let [of_iops, of_bytes, between] = log_variances(points, kind, law.parameters);
    let estimate = |value: f64, variance: f64| {
        let factor = (scale * variance.sqrt()).exp();
        let (low, high, n) = (value / factor, value * factor, points.len() as u64);
        if low > 0.0 && high.is_finite() {
            Estimate::with_interval(value, (low, high), n, INTERVAL)
        } else {
            Estimate::without_interval(value, n, label("no-interval-no-weight"))
        }
    };
    TwoLimits {
        iops_max: has_iops.then(|| estimate(1.0 / operation, of_iops)),
        bytes_per_second_max: has_bytes.then(|| estimate(1.0 / byte, of_bytes)),
        crossover_bytes: (has_iops && has_bytes).then(|| estimate(crossover, between)),
        kind,
        error: (law.squares / n).sqrt(),
    }
}

/// The variances of the logarithms of `I`, `W` and `W / I`, per unit variance of a point.
fn log_variances(points: &[SizePoint], kind: LimitKind, time: [f64; 2]) -> [f64; 3] {
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for size in points {
        let [mut operation, mut byte] = shares(size, time);
        // Of the hard law only the limit that rules is seen at a size.
        if kind == LimitKind::Hard {
            let rules = operation >= byte;
            *(if rules { &mut byte } else { &mut operation }) = 0.0;
        }
        a += size.row.weight * operation * operation;
        b += size.row.weight * operation * byte;
        c += size.row.weight * byte * byte;
    }
    if kind == LimitKind::Hard {
        return [1.0 / a, 1.0 / c, 1.0 / a + 1.0 / c];
    }
    let determinant = a * c - b * b;
    [c / determinant, a / determinant, (a + c + 2.0 * b) / determinant]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    const SIZES: [f64; 9] =
        [512.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0, 131_072.0, 262_144.0, 1_048_576.0];

    fn hard_law(iops: f64, bytes: f64) -> impl Fn(f64) -> f64 {
        move |b| iops.min(bytes / b)
    }

    fn soft_law(iops: f64, bytes: f64) -> impl Fn(f64) -> f64 {
        move |b| 1.0 / (1.0 / iops + b / bytes)
    }

    fn measured(
        normal: &mut Normal,
        sizes: &[f64],
        noise: f64,
        law: &dyn Fn(f64) -> f64,
    ) -> Vec<(f64, f64, f64)> {
        sizes.iter().map(|&b| (b, law(b) * (1.0 + noise * normal.draw()), 1.0)).collect()
    }

    fn near(found: Option<&Estimate>, expected: Option<f64>) -> bool {
        match (found, expected) {
            (Some(a), Some(b)) => (a.value / b - 1.0).abs() < 1e-6,
            (None, None) => true,
            _ => false,
        }
    }

    #[test]
    fn exact_laws_are_recovered() {
        let check = |sizes: &[f64], law: &dyn Fn(f64) -> f64, kind, iops, bytes| {
            let found = fit_two_limits(&measured(&mut Normal(1), sizes, 0.0, law)).unwrap();
            assert_eq!(found.kind, kind, "{found:?}");
            assert!(near(found.iops_max.as_ref(), iops), "{found:?}");
            assert!(near(found.bytes_per_second_max.as_ref(), bytes), "{found:?}");
            let crossover = bytes.zip(iops).map(|(w, i)| w / i);
            assert!(near(found.crossover_bytes.as_ref(), crossover), "{found:?}");
        };
        let (i, w) = (10_000.0, 500e6);
        check(&SIZES, &hard_law(i, w), LimitKind::Hard, Some(i), Some(w));
        check(&SIZES, &soft_law(i, w), LimitKind::Soft, Some(i), Some(w));
        let three = [4096.0, 65536.0, 1_048_576.0];
        check(&three, &hard_law(i, w), LimitKind::Hard, Some(i), Some(w));
        check(&three, &soft_law(i, w), LimitKind::Soft, Some(i), Some(w));
        // Only one limit is reached.
        check(&SIZES[..5], &hard_law(i, w), LimitKind::Hard, Some(i), None);
        check(&SIZES[6..], &hard_law(i, w), LimitKind::Hard, None, Some(w));
        // The bend of a soft law shows long before its other limit rules.
        check(&SIZES[..5], &soft_law(i, w), LimitKind::Soft, Some(i), None);
        check(&SIZES[6..], &soft_law(i, w), LimitKind::Soft, None, Some(w));
    }

    #[test]
    fn too_little_gives_nothing() {
        let check = |points: &[(f64, f64, f64)], given: bool| {
            assert_eq!(fit_two_limits(points).is_some(), given, "{points:?}");
        };
        let points = measured(&mut Normal(1), &SIZES, 0.02, &hard_law(1e4, 5e8));
        check(&[], false);
        check(&points[..2], false);
        check(&points[..3], true);
        check(&[&points[..2], &points[..2]].concat(), false);
        check(&[&points[..2], &[(1e6, f64::NAN, 1.0)]].concat(), false);
        check(&[&points[..2], &[(1e6, 100.0, 0.0)]].concat(), false);
        check(&[&points[..2], &[(1e6, 0.0, 1.0)]].concat(), false);
    }

    #[test]
    fn noisy_laws_are_told_apart_and_their_intervals_hold() {
        let (i, w) = (40_000.0, 1.5e9);
        let check = |law: &dyn Fn(f64) -> f64, kind, noise: f64| {
            let mut normal = Normal(83);
            let (mut right, mut held) = (0, [0; 3]);
            for _ in 0..400 {
                let found = fit_two_limits(&measured(&mut normal, &SIZES, noise, law)).unwrap();
                right += usize::from(found.kind == kind);
                let estimates = [found.iops_max, found.bytes_per_second_max, found.crossover_bytes];
                for (count, (estimate, truth)) in
                    held.iter_mut().zip(estimates.iter().zip([i, w, w / i]))
                {
                    let (low, high) = estimate.as_ref().unwrap().interval().unwrap();
                    *count += usize::from(low <= truth && truth <= high);
                }
            }
            assert!(right >= 398, "{kind:?} {noise}: {right} of 400 right");
            assert!(held.iter().all(|h| (368..=396).contains(h)), "{kind:?} {noise}: {held:?}");
        };
        for noise in [0.01, 0.03, 0.05] {
            check(&hard_law(i, w), LimitKind::Hard, noise);
            check(&soft_law(i, w), LimitKind::Soft, noise);
        }
    }

    #[test]
    fn limits_that_were_not_reached_are_absent() {
        let check =
            |law: &dyn Fn(f64) -> f64, sizes: &[f64], noise: f64, expected: (bool, bool)| {
                let mut normal = Normal(89);
                let wrong = (0..500)
                    .filter(|_| {
                        let found =
                            fit_two_limits(&measured(&mut normal, sizes, noise, law)).unwrap();
                        (found.iops_max.is_some(), found.bytes_per_second_max.is_some()) != expected
                    })
                    .count();
                assert!(wrong <= 15, "{expected:?} of {sizes:?}, noise {noise}: {wrong} of 500");
            };
        for noise in [0.01, 0.05] {
            check(&hard_law(10_000.0, 1e12), &SIZES, noise, (true, false));
            check(&hard_law(10_000.0, 1e12), &SIZES[..4], noise, (true, false));
            check(&hard_law(1e9, 5e8), &SIZES, noise, (false, true));
            check(&hard_law(10_000.0, 5e8), &SIZES, noise, (true, true));
            check(&soft_law(10_000.0, 5e8), &SIZES, noise, (true, true));
            let three = [4096.0, 65536.0, 1_048_576.0];
            check(&hard_law(10_000.0, 5e8), &three, noise, (true, true));
            check(&hard_law(10_000.0, 1e12), &three, noise, (true, false));
        }
    }

    #[test]
    fn no_hard_law_nearby_is_better() {
        let mut normal = Normal(101);
        for round in 0..200 {
            let mut points =
                measured(&mut normal, &SIZES, 0.02, &hard_law(16_384.0, 2f64.powi(28)));
            // The corner, at 16 KiB, sticks out: the best law has its corner there, too.
            points[3].1 *= 1.0 + 0.05 * f64::from(round % 3);
            let points = sort_points(&points).unwrap();
            let best = fit_hard(&points);
            for _ in 0..100 {
                let near = best.parameters.map(|t| t * (0.003 * normal.draw()).exp());
                let squares = squares_of_hard(&points, near);
                assert!(squares >= best.squares - 1e-12, "{best:?} {near:?} {squares}");
            }
        }
    }

    #[test]
    fn a_limit_of_no_weight_has_no_interval() {
        let mut points = measured(&mut Normal(1), &SIZES, 0.02, &hard_law(10_000.0, 5e8));
        points[5..].iter_mut().for_each(|point| point.2 = 1e-30);
        let found = fit_two_limits(&points).unwrap();
        assert!(found.iops_max.unwrap().interval().is_some());
        let bytes = found.bytes_per_second_max;
        assert!(
            bytes.is_none_or(|b| b.interval().is_none() && b.method.text().contains("no weight"))
        );
    }

    #[test]
    fn nonsense_has_a_large_error_and_no_second_limit() {
        let check = |rates: &[f64], least: f64| {
            let points: Vec<_> = SIZES.iter().zip(rates).map(|(&b, &x)| (b, x, 1.0)).collect();
            let found = fit_two_limits(&points).unwrap();
            assert!(found.error > least && found.crossover_bytes.is_none(), "{found:?}");
            let estimates = [found.iops_max, found.bytes_per_second_max];
            for estimate in estimates.into_iter().flatten() {
                let (low, high) = estimate.interval().unwrap();
                assert!(0.0 < low && low < high && high.is_finite(), "{estimate:?}");
            }
        };
        check(&[100.0, 200.0, 400.0, 800.0], 0.4);
        check(&[1.0, 1e6, 1.0, 1e6, 1.0, 1e6, 1.0], 0.5);
    }

    #[test]
    fn units_weights_and_order_do_not_matter() {
        let mut normal = Normal(97);
        for _ in 0..50 {
            let law = soft_law(10_000.0, 5e8);
            let points = measured(&mut normal, &SIZES, 0.03, &law);
            let plain = fit_two_limits(&points).unwrap();
            let other: Vec<_> =
                points.iter().rev().map(|&(b, x, w)| (b / 512.0, 7.0 * x, 1e4 * w)).collect();
            let other = fit_two_limits(&other).unwrap();
            let value = |e: &Option<Estimate>| e.as_ref().map(|e| e.value);
            let scaled = |e: &Option<Estimate>, by: f64| value(e).map(|v| v * by);
            assert!(near(other.iops_max.as_ref(), scaled(&plain.iops_max, 7.0)));
            let bytes = scaled(&plain.bytes_per_second_max, 7.0 / 512.0);
            assert!(near(other.bytes_per_second_max.as_ref(), bytes));
            assert!((other.error - plain.error).abs() < 1e-9 && other.kind == plain.kind);
        }
    }
}
