//! Knees: where a curve that rises starts to flatten.

/// How many mean steps of x the difference must fall for a knee (`S`, Satopaa et al. 2011).
const SENSITIVITY: f64 = 1.0;
/// Fewest distinct x: with fewer than three points between the ends, one that is off is a knee.
const DISTINCT_MIN: usize = 5;

/// The index of the knee of a concave rising curve of (x, y), or `None` when it has none.
///
/// Kneedle (Satopaa et al. 2011, `S = 1`, without its smoothing): x and y are scaled to 0..1 and `d
/// = y - x` is how far the curve is above its chord. A peak of `d` is a knee when `d` later falls
/// below `d_peak - S mean(step of x)`; the highest counts. Points of one x count as one of their
/// mean y. Give x as a logarithm where the grid is one.
pub fn kneedle(points: &[(f64, f64)]) -> Option<usize> {
    let curve = merge_equal_x(points);
    if curve.len() < DISTINCT_MIN {
        return None;
    }
    let (first, last) = (curve.first()?, curve.last()?);
    let least = curve.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let most = curve.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    // Rounding noise of a constant curve is no rise.
    if most - least <= 1e-12 * most.abs().max(least.abs()) {
        return None;
    }
    let above: Vec<f64> = curve
        .iter()
        .map(|p| (p.y - least) / (most - least) - (p.x - first.x) / (last.x - first.x))
        .collect();
    let step = 1.0 / (curve.len() - 1) as f64;
    let is_knee = |&at: &usize| {
        let peak = above[at];
        let is_peak = above[at - 1] < peak && above[at + 1] <= peak;
        let mut later = above[at + 1..].iter();
        is_peak && peak > 0.0 && later.any(|&d| d < peak - SENSITIVITY * step)
    };
    let knees = (1..above.len() - 1).filter(is_knee);
    // `rev`: of equals `max_by` takes the last, and the earlier one is meant.
    let highest = knees.rev().max_by(|&a, &b| above[a].total_cmp(&above[b]))?;
    Some(curve[highest].index)
}

struct Sample {
    x: f64,
    y: f64,
    /// The first of the points given that have this x.
    index: usize,
}

/// The curve along x; points of one x become one, points that are not finite are left out.
fn merge_equal_x(points: &[(f64, f64)]) -> Vec<Sample> {
    let mut order: Vec<usize> =
        (0..points.len()).filter(|&i| points[i].0.is_finite() && points[i].1.is_finite()).collect();
    order.sort_by(|&a, &b| points[a].0.total_cmp(&points[b].0));
    order
        .chunk_by(|&a, &b| points[a].0.total_cmp(&points[b].0).is_eq())
        .map(|same| Sample {
            x: points[same[0]].0,
            y: same.iter().map(|&i| points[i].1).sum::<f64>() / same.len() as f64,
            index: same[0],
        })
        .collect()
}

/// The operations in flight at which the two bounds of a closed queue meet, `Q* = X_max R_0`
/// (operational laws, Denning and Buzen 1978). `service` is the mean response time at load 1 in
/// seconds, `ceiling` the largest throughput in operations per second.
pub fn asymptotic_knee(service: f64, ceiling: f64) -> f64 {
    service * ceiling
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    fn sampled(xs: impl Iterator<Item = f64>, y: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        xs.map(|x| (x, y(x))).collect()
    }

    fn steps(n: u32) -> impl Iterator<Item = f64> {
        (0..n).map(f64::from)
    }

    #[test]
    fn knees_are_found_where_they_are() {
        let check = |points: &[(f64, f64)], expected: Option<usize>| {
            assert_eq!(kneedle(points), expected, "{points:?}");
        };
        check(&[], None);
        check(&[(0.0, 0.0), (1.0, 9.0), (2.0, 9.5), (3.0, 10.0)], None); // too few
        check(&sampled(steps(9), |x| 3.0 * x + 1.0), None);
        check(&sampled(steps(9), |_| 0.1 + 0.2), None);
        check(&sampled(steps(9), |x| x * x), None);
        check(&sampled(steps(9), |x| -x), None);
        check(&sampled(steps(11), |x| x.min(3.0)), Some(3));
        check(&sampled(steps(11), |x| x.min(7.0)), Some(7));
        check(&sampled(steps(11), |x| x.min(3.0) - 0.1 * (x - 3.0).max(0.0)), Some(3));
        // The worked example of the paper (figure 2), as the authors' package `kneed` has it: on
        // ten x from 0 to 1, the knee is at 0.22.
        check(&sampled(steps(10).map(|i| i / 9.0), |x| 5.0 - 1.0 / (x + 0.1)), Some(2));
        // Of two peaks of d that are equally high, the first (all exact in binary).
        let twin = |x: f64| x / 8.0 + if x == 1.0 || x == 5.0 { 0.25 } else { 0.0 };
        check(&sampled(steps(9), twin), Some(1));
        // A bump below the chord of a convex curve.
        check(&sampled(steps(17), |x| if x == 8.0 { 102.4 } else { x * x }), None);
        check(&[(f64::NAN, 1.0); 9], None);
    }

    #[test]
    fn order_repeats_and_units_do_not_matter() {
        let curve = sampled(steps(11), |x| x.min(4.0));
        let turned: Vec<_> = curve.iter().rev().copied().collect();
        assert_eq!(kneedle(&turned), Some(6));
        let twice: Vec<_> = curve.iter().chain(&curve).copied().collect();
        assert_eq!(kneedle(&twice), Some(4));
        let mut normal = Normal(41);
        for _ in 0..100 {
            let (a, b) = (normal.draw() * 1e3, 0.01 + normal.uniform() * 1e6);
            let scaled: Vec<_> = curve.iter().map(|(x, y)| (a + b * x, a + b * y)).collect();
            assert_eq!(kneedle(&scaled), Some(4), "{a} {b}");
        }
    }

    #[test]
    fn queues_bend_at_the_asymptotic_knee() {
        // X(Q) = min(Q / R0, Xmax) on a grid of powers of two; R0 = 100 us, Xmax = 160,000 / s.
        let (service, ceiling) = (100e-6, 160e3);
        assert!((asymptotic_knee(service, ceiling) - 16.0).abs() < 1e-9);
        let mut normal = Normal(43);
        for _ in 0..200 {
            let curve = sampled(steps(11), |log| (log.exp2() / service).min(ceiling));
            let noisy: Vec<_> =
                curve.iter().map(|(x, y)| (*x, y * (1.0 + 0.02 * normal.draw()))).collect();
            assert_eq!(kneedle(&noisy), Some(4), "{noisy:?}");
        }
    }

    #[test]
    fn noisy_straight_lines_have_no_knee() {
        let mut normal = Normal(47);
        let found = (0..500)
            .filter(|_| {
                let line: Vec<_> = steps(11).map(|x| (x, x + 0.2 * normal.draw())).collect();
                kneedle(&line).is_some()
            })
            .count();
        assert!(found <= 5, "{found} of 500");
    }
}
