//! Order: the non-decreasing curve nearest to some values, and whether values keep to one.

use statrs::distribution::{ContinuousCDF, Normal};

/// How often values that never decrease may be called decreasing: one search in a hundred.
const FALSE_ALARMS: f64 = 0.01;

/// The non-decreasing values nearest to `values` in weighted least squares, by pooling adjacent
/// violators (Ayer et al. 1955; Barlow et al. 1972). A missing weight is 1. A value that is no
/// number, or without weight, gets the level of the value before it, at the start of the first
/// usable one.
pub fn fit_isotonic(values: &[f64], weights: &[f64]) -> Vec<f64> {
    let weighted: Vec<(f64, f64)> = values
        .iter()
        .enumerate()
        .map(|(i, value)| match weights.get(i).copied().unwrap_or(1.0) {
            weight if weight > 0.0 && weight.is_finite() && value.is_finite() => (*value, weight),
            _ => (0.0, 0.0),
        })
        .collect();
    pool_blocks(&weighted).iter().flat_map(|b| std::iter::repeat_n(b.level, b.length)).collect()
}

/// Neighbours that share one level.
#[derive(Debug, Clone, Copy)]
struct Block {
    level: f64,
    weight: f64,
    length: usize,
}

impl Block {
    /// A block without weight takes the level of the other.
    fn merge(self, other: Block) -> Block {
        let weight = self.weight + other.weight;
        let share = if weight > 0.0 { other.weight / weight } else { 0.0 };
        let level = self.level + (other.level - self.level) * share;
        Block { level, weight, length: self.length + other.length }
    }
}

fn pool_blocks(weighted: &[(f64, f64)]) -> Vec<Block> {
    let mut fit: Vec<Block> = Vec::new();
    for &(level, weight) in weighted {
        let mut last = Block { level, weight, length: 1 };
        while let Some(before) = fit.last().copied() {
            let idle = before.weight <= 0.0 || last.weight <= 0.0;
            if !idle && before.level <= last.level {
                break;
            }
            fit.pop();
            last = before.merge(last);
        }
        fit.push(last);
    }
    fit
}

/// A measured point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where it was measured; only the order counts.
    pub x: f64,
    pub y: f64,
    /// Standard error of `y`, in the unit of `y`.
    pub error: f64,
}

/// Whether a curve keeps to the order of its x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Monotone {
    /// Largest distance of a point from the non-decreasing fit, in standard errors of that
    /// distance; 0 when every point lies on the fit.
    pub worst_z: f64,
    /// The index of that point; of several equally far, the first along x.
    pub at: usize,
    /// No point is further from the fit than chance explains.
    pub holds: bool,
}

/// Whether y never decreases with x, as far as the errors can tell.
///
/// A point of weight `w = 1 / error^2` in a pooled block of weight `W` has a distance from the fit
/// with the standard error `error sqrt(1 - w / W)`. The curve holds unless a distance is above the
/// normal quantile of 1 % two-sided over the number of points (Bonferroni). Points without a
/// standard error above zero are left out; with fewer than two left it holds.
pub fn check_monotone(points: &[Point]) -> Monotone {
    let mut order: Vec<usize> = (0..points.len()).filter(|&i| is_usable(&points[i])).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&points[a], &points[b]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    });
    let weighted: Vec<(f64, f64)> =
        order.iter().map(|&i| (points[i].y, points[i].error.powi(-2))).collect();
    let mut worst = Monotone { worst_z: 0.0, at: order.first().copied().unwrap_or(0), holds: true };
    let mut rest = order.as_slice();
    for block in pool_blocks(&weighted) {
        let (members, after) = rest.split_at(block.length);
        rest = after;
        // A block of one lies on the fit: it has no distance, and no error of it.
        for &i in members.iter().filter(|_| block.length > 1) {
            let point = &points[i];
            let free = (1.0 - point.error.powi(-2) / block.weight).max(f64::EPSILON);
            let z = (point.y - block.level).abs() / (point.error * free.sqrt());
            // Two points in one block are equally far but for rounding; the first is kept.
            if z > worst.worst_z * (1.0 + 1e-9) {
                (worst.worst_z, worst.at) = (z, i);
            }
        }
    }
    worst.holds = worst.worst_z <= z_by_chance(order.len());
    worst
}

fn is_usable(point: &Point) -> bool {
    let numbers = [point.x, point.y, point.error];
    numbers.iter().all(|number| number.is_finite()) && point.error > 0.0
}

/// The distance, in standard errors, that one of `n` points exceeds by chance with 1 %.
fn z_by_chance(n: usize) -> f64 {
    let tail = FALSE_ALARMS / 2.0 / n.max(1) as f64;
    -Normal::standard().inverse_cdf(tail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    #[test]
    fn violators_are_pooled() {
        let check = |values: &[f64], weights: &[f64], expected: &[f64]| {
            let fit = fit_isotonic(values, weights);
            assert_eq!(fit.len(), expected.len(), "{values:?}: {fit:?}");
            let near = fit.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near, "{values:?}: {fit:?}, expected {expected:?}");
        };
        check(&[], &[], &[]);
        check(&[3.0], &[1.0], &[3.0]);
        check(&[1.0, 2.0, 3.0], &[1.0; 3], &[1.0, 2.0, 3.0]);
        check(&[3.0, 2.0, 1.0], &[1.0; 3], &[2.0; 3]);
        check(&[1.0, 3.0, 2.0, 4.0], &[1.0; 4], &[1.0, 2.5, 2.5, 4.0]);
        check(&[4.0, 1.0], &[1.0, 3.0], &[1.75, 1.75]);
        // Pooling 5 and 3 makes a block below the 4.5 before it.
        check(&[4.5, 5.0, 3.0], &[], &[12.5 / 3.0; 3]);
        check(&[-1.0, -2.0], &[1.0], &[-1.5, -1.5]);
        // What has no weight follows its neighbours.
        check(&[9.0, 1.0, 2.0], &[0.0, 1.0, 1.0], &[1.0, 1.0, 2.0]);
        check(&[1.0, f64::NAN, 2.0], &[1.0; 3], &[1.0, 1.0, 2.0]);
        check(&[1.0, 9.0, 2.0], &[1.0, -1.0, 1.0], &[1.0, 1.0, 2.0]);
        check(&[-1.0, f64::NAN, 2.0], &[], &[-1.0, -1.0, 2.0]);
        check(&[f64::NAN, 4.0], &[0.0, 0.0], &[0.0, 0.0]);
    }

    #[test]
    fn fits_are_ordered_keep_the_mean_and_are_nearest() {
        let mut normal = Normal(21);
        for _ in 0..200 {
            let n = 1 + (normal.uniform() * 20.0) as usize;
            let values: Vec<f64> = (0..n).map(|i| 0.2 * i as f64 + normal.draw()).collect();
            let weights: Vec<f64> = (0..n).map(|_| 0.1 + normal.uniform()).collect();
            let fit = fit_isotonic(&values, &weights);
            assert!(fit.windows(2).all(|pair| pair[0] <= pair[1]), "{fit:?}");
            let mean =
                |y: &[f64]| -> f64 { y.iter().zip(&weights).map(|(y, w)| y * w).sum::<f64>() };
            assert!((mean(&fit) - mean(&values)).abs() < 1e-9);
            let again = fit_isotonic(&fit, &weights);
            assert!(fit.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12));
            // The definition by max and min of means (Barlow et al. 1972, theorem 1.4).
            for (i, level) in fit.iter().enumerate() {
                let average =
                    |from: usize, to: usize| mean_of(&values[from..=to], &weights[from..=to]);
                let by_definition = (0..=i)
                    .map(|from| (i..n).map(|to| average(from, to)).fold(f64::MAX, f64::min))
                    .fold(f64::MIN, f64::max);
                assert!((level - by_definition).abs() < 1e-9, "{level}, not {by_definition}");
            }
        }
    }

    fn mean_of(values: &[f64], weights: &[f64]) -> f64 {
        let sum: f64 = values.iter().zip(weights).map(|(y, w)| y * w).sum();
        sum / weights.iter().sum::<f64>()
    }

    fn curve(ys: &[f64], error: f64) -> Vec<Point> {
        (0_u32..).zip(ys).map(|(x, &y)| Point { x: f64::from(x), y, error }).collect()
    }

    #[test]
    fn what_contradicts_the_order_is_found() {
        let check = |points: &[Point], holds: bool, at: usize, z: f64| {
            let found = check_monotone(points);
            assert_eq!((found.holds, found.at), (holds, at), "{points:?}: {found:?}");
            assert!((found.worst_z - z).abs() < 1e-6, "{points:?}: {found:?}");
        };
        check(&[], true, 0, 0.0);
        check(&curve(&[1.0], 0.1), true, 0, 0.0);
        check(&curve(&[1.0, 2.0, 2.0, 5.0], 0.1), true, 0, 0.0);
        // A fall by 2 of two points with error 1: 2 / sqrt(2) standard errors.
        check(&curve(&[3.0, 1.0], 1.0), true, 0, 2.0_f64.sqrt());
        check(&curve(&[1.0, 6.0, 1.0, 7.0], 1.0), false, 1, 5.0 / 2.0_f64.sqrt());
        let mut shuffled = curve(&[1.0, 6.0, 1.0, 7.0], 1.0);
        shuffled.swap(0, 1);
        check(&shuffled, false, 0, 5.0 / 2.0_f64.sqrt());
        // Points of one x contradict nothing, nor do points whose error is not known.
        let twice = [9.0, 1.0].map(|y| Point { x: 1.0, y, error: 0.1 });
        check(&twice, true, 1, 0.0);
        check(&curve(&[9.0, 1.0], 0.0), true, 0, 0.0);
        check(&curve(&[9.0, 1.0], f64::NAN), true, 0, 0.0);
    }

    #[test]
    fn noise_is_called_disorder_as_rarely_as_promised() {
        let check = |n: usize, slope: f64, allowed: usize| {
            let mut normal = Normal(31);
            let alarms = (0..2000)
                .filter(|_| {
                    let ys: Vec<f64> = (0..n).map(|i| slope * i as f64 + normal.draw()).collect();
                    !check_monotone(&curve(&ys, 1.0)).holds
                })
                .count();
            assert!(alarms <= allowed, "n {n}, slope {slope}: {alarms} of 2000 at 1 %");
        };
        // A flat curve is the hardest: 20 of 2000 are promised, 34 are three standard errors more.
        check(2, 0.0, 34);
        check(5, 0.0, 34);
        check(12, 0.0, 34);
        check(40, 0.0, 34);
        check(12, 0.5, 20);
    }

    #[test]
    fn dips_are_found() {
        let mut normal = Normal(37);
        let found = (0..200)
            .filter(|_| {
                let mut ys: Vec<f64> = (0..12).map(|i| f64::from(i) + normal.draw()).collect();
                ys[6] -= 8.0;
                let answer = check_monotone(&curve(&ys, 1.0));
                !answer.holds && answer.at == 6
            })
            .count();
        assert!(found >= 190, "{found} of 200");
    }
}
