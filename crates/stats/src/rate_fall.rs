//! Falls: throughput that more load makes worse (thrashing, retrograde scaling).

use statrs::distribution::{ContinuousCDF, Normal};

/// A rate more than a tenth below the best shallower one has fallen; where an error is not known,
/// more than a fifth: a plateau whose cells vary by 5 % shows a tenth by chance.
const FALL_RATIO_MAX: f64 = 0.90;
const FALL_RATIO_MAX_WITHOUT_ERROR: f64 = 0.80;
/// A deeper rate of this share of the best one means that load was not the reason of the fall.
const RECOVERY_RATIO_MIN: f64 = 0.95;
/// Standard errors of the difference.
const Z_MIN: f64 = 3.0;
/// How often a plateau may show a fall by chance: `Z_MIN` alone gives 7 of 100 (simulated, tests
/// below).
const FALSE_ALARMS: f64 = 1e-4;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatePoint {
    /// Load, such as operations in flight.
    pub load: f64,
    /// Rate, such as operations per second.
    pub rate: f64,
    /// Standard error of the rate, in its unit; not known when `None` or not above zero.
    pub error: Option<f64>,
}

/// A rate that fell as the load rose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// The best rate at any load below.
    pub best: RatePoint,
    /// The first load at which the rate is down, and that rate.
    pub then: RatePoint,
    /// The rate then over the best.
    pub ratio: f64,
    /// The difference in its standard errors; `None` when an error is not known.
    pub z: Option<f64>,
}

/// The first fall along the load: a rate more than 10 % below the best one at any smaller load, and
/// not back within 5 % of that at this or any larger load.
///
/// `z = (best - then) / sqrt(error_best^2 + error_then^2)` must be at least 3, and at least the
/// normal quantile of 1 in 10,000 over the number of pairs compared (Bonferroni; 4.7 for 12 loads).
/// Where an error is not known, the fall must exceed 20 % instead.
pub fn find_fall(points: &[RatePoint]) -> Option<Fall> {
    let mut curve: Vec<RatePoint> = points.iter().copied().filter(is_usable).collect();
    curve.sort_by(|a, b| a.load.total_cmp(&b.load));
    let z_least = z_by_chance(curve.len()).max(Z_MIN);
    curve.iter().find_map(|&then| {
        let shallower = curve.iter().take_while(|p| p.load < then.load);
        let best = shallower.copied().max_by(|a, b| a.rate.total_cmp(&b.rate))?;
        let mut deeper = curve.iter().filter(|p| p.load >= then.load);
        let fall = compare_points(best, then)?;
        let is_fall = match fall.z {
            Some(z) => fall.ratio < FALL_RATIO_MAX && z >= z_least,
            None => fall.ratio < FALL_RATIO_MAX_WITHOUT_ERROR,
        };
        let recovers = deeper.any(|p| p.rate >= RECOVERY_RATIO_MIN * best.rate);
        (is_fall && !recovers).then_some(fall)
    })
}

/// The fall from one point to another, however small; `None` from a rate of zero.
fn compare_points(best: RatePoint, then: RatePoint) -> Option<Fall> {
    let known = |point: RatePoint| point.error.filter(|e| *e > 0.0 && e.is_finite());
    let z = known(best).zip(known(then)).map(|(a, b)| (best.rate - then.rate) / a.hypot(b));
    (best.rate > 0.0).then(|| Fall { best, then, ratio: then.rate / best.rate, z })
}

fn is_usable(point: &RatePoint) -> bool {
    point.load.is_finite() && point.rate.is_finite() && point.rate >= 0.0
}

/// The fall, in standard errors, that one of all pairs of `n` points shows by chance.
fn z_by_chance(n: usize) -> f64 {
    let pairs = (n * n.saturating_sub(1) / 2).max(1);
    -Normal::standard().inverse_cdf(FALSE_ALARMS / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal as Seeded;

    /// A curve over loads 1, 2, 4 and so on, each with an error of `relative` of its rate.
    fn curve(rates: &[f64], relative: Option<f64>) -> Vec<RatePoint> {
        (0..)
            .zip(rates)
            .map(|(i, &rate)| RatePoint {
                load: f64::powi(2.0, i),
                rate,
                error: relative.map(|r| r * rate),
            })
            .collect()
    }

    #[test]
    fn falls_are_told_from_wobbles() {
        let check = |rates: &[f64], relative: Option<f64>, expected: Option<(f64, f64)>| {
            let found = find_fall(&curve(rates, relative));
            let loads = found.map(|f| (f.best.load, f.then.load));
            assert_eq!(loads, expected, "{rates:?}: {found:?}");
            if let Some(fall) = found {
                assert_eq!(fall.ratio, fall.then.rate / fall.best.rate);
                assert_eq!(fall.z.is_some(), relative.is_some_and(|r| r > 0.0));
            }
        };
        let exact = Some(0.002);
        check(&[], exact, None);
        check(&[100.0], exact, None);
        check(&[100.0, 50.0], exact, Some((1.0, 2.0)));
        check(&[100.0, 200.0, 300.0], exact, None);
        // The device that fell from 6,500 to 3,500 between loads 16 and 32.
        let device = [1800.0, 3200.0, 5000.0, 6100.0, 6500.0, 3500.0, 3400.0, 3300.0];
        for relative in [exact, Some(0.02), Some(0.05), None] {
            check(&device, relative, Some((16.0, 32.0)));
        }
        check(&device[..6], Some(0.05), Some((16.0, 32.0))); // at the last load
        // A tenth is the least that counts; it may come in steps.
        check(&[100.0, 91.0, 91.0], exact, None);
        check(&[100.0, 89.0, 88.0], exact, Some((1.0, 2.0)));
        check(&[100.0, 96.0, 92.0, 88.0, 84.0], exact, Some((1.0, 8.0)));
        // What recovers was no fall; what falls again later is one.
        check(&[100.0, 50.0, 96.0], exact, None);
        check(&[100.0, 50.0, 94.0], exact, Some((1.0, 2.0)));
        check(&[100.0, 50.0, 120.0, 60.0], exact, Some((4.0, 8.0)));
        // Without errors, a fifth; with large ones, more.
        check(&[100.0, 85.0], None, None);
        check(&[100.0, 79.0], None, Some((1.0, 2.0)));
        check(&[100.0, 85.0], Some(0.0), None); // an error of zero is none that is known
        check(&[100.0, 79.0], Some(0.0), Some((1.0, 2.0)));
        check(&[100.0, 79.0], Some(0.05), None);
        check(&[0.0, 0.0], exact, None);
        check(&[100.0, 0.0], None, Some((1.0, 2.0)));
        check(&[100.0, f64::NAN, 50.0], exact, Some((1.0, 4.0)));
    }

    #[test]
    fn repeats_of_one_load_are_no_fall() {
        let check = |points: &[(f64, f64)], expected: Option<(f64, f64)>| {
            let known = |&(load, rate)| RatePoint { load, rate, error: Some(0.01 * rate) };
            let found = find_fall(&points.iter().map(known).collect::<Vec<_>>());
            assert_eq!(found.map(|f| (f.best.rate, f.then.rate)), expected, "{points:?}");
        };
        check(&[(1.0, 100.0), (1.0, 50.0)], None);
        check(&[(1.0, 100.0), (2.0, 120.0), (2.0, 50.0)], None); // its repeat is not down
        check(&[(1.0, 100.0), (2.0, 55.0), (2.0, 50.0)], Some((100.0, 55.0)));
        check(&[(1.0, 100.0), (2.0, 50.0), (2.0, 120.0), (3.0, 119.0)], None);
    }

    #[test]
    fn plateaus_do_not_fall() {
        let check = |relative: f64, rising: usize, n: usize| {
            let mut normal = Seeded(71);
            let alarms = (0..1000)
                .filter(|_| {
                    let points: Vec<RatePoint> = (0..n)
                        .map(|i| {
                            let truth = 6500.0 * ((i + 1) as f64 / rising as f64).min(1.0);
                            let error = relative * truth;
                            let rate = truth + error * normal.draw();
                            RatePoint { load: i as f64, rate, error: Some(error) }
                        })
                        .collect();
                    find_fall(&points).is_some()
                })
                .count();
            assert_eq!(alarms, 0, "noise {relative}, {rising} rising of {n}");
        };
        for relative in [0.02, 0.03, 0.05] {
            check(relative, 1, 12);
            check(relative, 5, 12);
            check(relative, 1, 30);
        }
        check(0.10, 1, 12);
    }

    #[test]
    fn the_best_of_many_needs_more_than_three_errors() {
        // What `FALSE_ALARMS` says of `Z_MIN` alone.
        let mut normal = Seeded(73);
        let apart = (0..1000)
            .filter(|_| {
                let rates: Vec<f64> = (0..12).map(|_| 100.0 + 5.0 * normal.draw()).collect();
                let pairs = (0..12).flat_map(|i| (i + 1..12).map(move |j| (i, j)));
                let fall = |(i, j): (usize, usize)| rates[i] - rates[j];
                pairs.map(fall).fold(0.0, f64::max) >= Z_MIN * 5.0 * 2.0_f64.sqrt()
            })
            .count();

        assert!((50..90).contains(&apart), "{apart} of 1000");
    }

    #[test]
    fn true_falls_are_found_in_any_order_and_unit() {
        let mut normal = Seeded(79);
        for _ in 0..200 {
            let unit = (normal.draw() * 5.0).exp();
            let mut points: Vec<RatePoint> = (0..12)
                .map(|i| {
                    let truth = unit * if i < 7 { 100.0 } else { 75.0 };
                    let error = 0.02 * truth;
                    let rate = truth + error * normal.draw();
                    RatePoint { load: f64::from(i), rate, error: Some(error) }
                })
                .collect();
            let found = find_fall(&points);
            assert!(found.is_some_and(|f| f.then.load >= 7.0), "{points:?}: {found:?}");
            points.reverse();
            assert_eq!(find_fall(&points), found);
        }
    }
}
