//! The difference between two small samples, such as of repeated runs.
//!
//! Runs of storage are not normal (Maricq et al., OSDI 2018), so the difference is the median of
//! all differences between one figure of each side (Hodges and Lehmann), with the interval of the
//! exact distribution of Mann and Whitney's statistic, which holds from four figures a side on.
//! Where one side spreads much more and has much fewer figures, it covers too little (88 % at 12
//! against 4 figures of three times the spread, simulated): Welch's interval stands in for it
//! there.

use message::label;
use statrs::distribution::{ContinuousCDF as _, Normal};

use crate::batch::student_95;
use crate::estimate::Estimate;
use crate::no_interval::FewFigures;
use crate::series::{mean, sorted};

/// Chance that is left out at both ends together.
const ALPHA: f64 = 0.05;
/// With more figures the distribution is taken as normal: it differs by less than a rank.
const EXACT_MAX: usize = 60;
/// This many times as many figures, with this many times the spread, make two samples too unlike.
const UNLIKE_COUNTS: f64 = 1.9;
const UNLIKE_SPREADS: f64 = 2.0;
/// The error of the median of differences over that of the mean, for a normal law: sqrt(pi / 3).
const RANK_COST: f64 = 1.023;
const RUNS_MAX: u64 = 1000;

/// By how much `b` lies above `a`, with its 95 % interval where there are figures enough for one.
pub fn estimate_difference(a: &[f64], b: &[f64]) -> Estimate {
    let all = sorted(a.iter().flat_map(|x| b.iter().map(move |y| y - x)));
    let n = (a.len() + b.len()) as u64;
    if all.is_empty() || all.iter().any(|x| !x.is_finite()) {
        return Estimate::without_interval(0.0, n, label("no-interval-nothing-to-compare"));
    }
    let value = f64::midpoint(all[(all.len() - 1) / 2], all[all.len() / 2]);
    if are_unlike(a, b) {
        return welch_estimate(value, a, b);
    }
    let Some(cut) = rank_cut(a.len(), b.len()) else {
        let (few, more) = (a.len().min(b.len()), a.len().max(b.len()));
        return Estimate::without_interval(value, n, FewFigures { few, more });
    };
    let (ends, method) =
        ((all[cut], all[all.len() - 1 - cut]), "Hodges and Lehmann over runs, exact ranks, 95 %");
    Estimate::with_interval(value, ends, n, method).worth(n as f64)
}

fn are_unlike(a: &[f64], b: &[f64]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.len() >= 3
        && many.len() as f64 >= UNLIKE_COUNTS * few.len() as f64
        && standard_deviation(few) > UNLIKE_SPREADS * standard_deviation(many)
}

/// Standard deviation of a sample; 0 of fewer than two.
pub fn standard_deviation(figures: &[f64]) -> f64 {
    let n = figures.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = mean(figures);
    (figures.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Welch's interval, for two normal laws of any spread.
fn welch_estimate(value: f64, a: &[f64], b: &[f64]) -> Estimate {
    let share = |of: &[f64]| standard_deviation(of).powi(2) / of.len() as f64;
    let (va, vb) = (share(a), share(b));
    let freedom = (va + vb).powi(2)
        / (va.powi(2) / (a.len() as f64 - 1.0) + vb.powi(2) / (b.len() as f64 - 1.0));
    let (middle, half) = (mean(b) - mean(a), student_95(freedom) * (va + vb).sqrt());
    let (low, high) = (middle - half, middle + half);
    // The median of differences, kept within the interval of the mean.
    let value = value.clamp(low, high);
    let (n, method) = ((a.len() + b.len()) as u64, "Welch over runs of unlike spread, 95 %");
    Estimate::with_interval(value, (low, high), n, method).worth(freedom)
}

/// Differences at either end outside the 95 % interval; `None` without one.
fn rank_cut(n: usize, m: usize) -> Option<usize> {
    if n + m > EXACT_MAX {
        let (deviation, n, m) = (rank_deviation(n, m), n as f64, m as f64);
        let z = Normal::standard().inverse_cdf(1.0 - ALPHA / 2.0);
        return Some((n * m / 2.0 - z * deviation).floor().max(1.0) as usize - 1);
    }
    let ways = count_orders(n, m);
    let total: f64 = ways.iter().sum();
    let mut below = 0.0;
    let fits = |count: &&f64| {
        below += **count;
        2.0 * below / total <= ALPHA
    };
    ways.iter().take_while(fits).count().checked_sub(1)
}

/// The number of orders of `n` and `m` figures with a Mann-Whitney statistic of 0, 1, 2...
fn count_orders(n: usize, m: usize) -> Vec<f64> {
    // Gaussian binomial coefficient: product over i of (1 - x^(m+i)) / (1 - x^i), cut at x^(nm).
    let size = n * m + 1;
    let mut ways = vec![0.0; size];
    ways[0] = 1.0;
    for i in 1..=n {
        for place in (m + i..size).rev() {
            ways[place] -= ways[place - m - i];
        }
        for place in i..size {
            ways[place] += ways[place - i];
        }
    }
    ways
}

/// The probability of two samples as far apart as these when both come from one law (Mann and
/// Whitney 1947, two-sided, exact). Of equal figures, half counts. `None` when either is empty or
/// holds what is no number. `statrs` 0.19 gives 1 for samples wholly apart where the first is no
/// larger.
pub fn mann_whitney_test(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() || a.iter().chain(b).any(|x| !x.is_finite()) {
        return None;
    }
    let (n, m) = (a.len(), b.len());
    let score = |(x, y): (&f64, &f64)| match x.total_cmp(y) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    };
    let twice: usize = a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).map(score).sum();
    let smaller = twice.min(2 * n * m - twice);
    if n + m > EXACT_MAX {
        let (deviation, n, m) = (rank_deviation(n, m), n as f64, m as f64);
        let z = (smaller as f64 / 2.0 + 0.5 - n * m / 2.0) / deviation;
        return Some((2.0 * Normal::standard().cdf(z)).min(1.0));
    }
    let ways = count_orders(n, m);
    let total: f64 = ways.iter().sum();
    let up_to: f64 = ways.iter().take(smaller.div_ceil(2) + 1).sum();
    Some((2.0 * up_to / total).min(1.0))
}

/// The standard deviation of Mann and Whitney's statistic.
fn rank_deviation(n: usize, m: usize) -> f64 {
    let (n, m) = (n as f64, m as f64);
    (n * m * (n + m + 1.0) / 12.0).sqrt()
}

/// Figures of each side without which no test by ranks can reach `alpha`.
pub fn min_runs(alpha: f64) -> u64 {
    let mut orders = 1.0;
    for k in 1..RUNS_MAX {
        // Orders of 2 k figures: C(2k, k).
        orders *= 2.0 * (2.0 * k as f64 - 1.0) / k as f64;
        if 2.0 / orders <= alpha {
            return k;
        }
    }
    RUNS_MAX
}

/// Figures of each side at which the interval of a difference is half as wide as `half`, when both
/// spread by `spread`; `None` beyond a thousand.
pub fn runs_needed(spread: f64, half: f64) -> Option<u64> {
    let least = min_runs(ALPHA);
    let width = |k: u64| {
        let k = k as f64;
        RANK_COST * student_95(2.0 * k - 2.0) * spread * (2.0 / k).sqrt()
    };
    (least..=RUNS_MAX).find(|&k| width(k) <= half)
}

/// What each of several probabilities is worth when all are looked at (Holm 1979): the chance that
/// any at or below 5 % is wrong stays below 5 %.
pub fn adjust_holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut most: f64 = 0.0;
    for (rank, &place) in order.iter().enumerate() {
        most = most.max(p_values[place] * (p_values.len() - rank) as f64).min(1.0);
        adjusted[place] = most;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal as Draws;

    #[test]
    fn orders_are_counted_as_in_the_tables() {
        assert_eq!(count_orders(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        assert_eq!(count_orders(4, 4).iter().sum::<f64>(), 70.0);
        assert_eq!(count_orders(8, 8).iter().sum::<f64>(), 12_870.0);
        // Critical values of U at 5 %, two-sided (Mann and Whitney 1947): 4+4: 0, 5+5: 2, 8+8: 13.
        for (n, m, expected) in [(4, 4, 0), (5, 5, 2), (6, 6, 5), (8, 8, 13), (10, 10, 23)] {
            assert_eq!(rank_cut(n, m), Some(expected), "{n} and {m}");
        }
        for (n, m) in [(1, 1), (2, 2), (3, 3), (3, 4), (2, 7)] {
            assert_eq!(rank_cut(n, m), None, "{n} and {m}");
        }
        assert_eq!(rank_cut(3, 5), Some(0));
        // The normal law takes over without a step.
        let (exact, normal) = (rank_cut(30, 30), rank_cut(30, 31));
        assert!(normal.unwrap().abs_diff(exact.unwrap()) < 20, "{exact:?} {normal:?}");
    }

    #[test]
    fn the_least_number_of_runs_is_counted_and_not_guessed() {
        assert_eq!(min_runs(0.05), 4, "2 of C(8, 4) = 70 orders");
        assert_eq!(min_runs(0.05 / 6.0), 5, "2 of C(10, 5) = 252");
        assert_eq!(min_runs(0.05 / 13.0), 6, "2 of C(12, 6) = 924");
    }

    /// The share of seeded trials whose interval holds the truth.
    fn coverage(n: usize, m: usize, mut draw: impl FnMut(bool) -> f64) -> f64 {
        const TRIALS: usize = 2000;
        let held = (0..TRIALS)
            .filter(|_| {
                let a: Vec<f64> = (0..n).map(|_| draw(false)).collect();
                let b: Vec<f64> = (0..m).map(|_| draw(true) + 0.1).collect();
                let (low, high) = estimate_difference(&a, &b).interval().unwrap();
                (low..=high).contains(&0.1)
            })
            .count();
        held as f64 / TRIALS as f64
    }

    const SIZES: [(usize, usize); 8] =
        [(4, 4), (3, 5), (5, 5), (6, 6), (8, 8), (4, 12), (12, 4), (20, 20)];

    #[test]
    fn intervals_hold_95_percent_whatever_the_law() {
        for (n, m) in SIZES {
            let mut normal = Draws(n as u64 * 100 + m as u64);
            let plain = coverage(n, m, |_| 0.05 * normal.draw());
            let heavy = coverage(n, m, |_| {
                let wild = if normal.draw() > 1.28 { 5.0 } else { 1.0 };
                0.05 * wild * normal.draw()
            });
            let skewed = coverage(n, m, |_| 0.05 * normal.draw().powi(2));
            for (law, share) in [("normal", plain), ("heavy", heavy), ("skewed", skewed)] {
                assert!((0.92..=0.98).contains(&share), "{n} and {m}, {law}: {share}");
            }
        }
    }

    #[test]
    fn intervals_hold_where_one_side_spreads_three_times_as_much() {
        for (n, m) in [(4, 4), (6, 6), (8, 8), (12, 4), (20, 20)] {
            let mut normal = Draws(7 + n as u64);
            let share = coverage(n, m, |of_b| if of_b { 0.06 } else { 0.02 } * normal.draw());
            assert!((0.92..=0.98).contains(&share), "{n} and {m}: {share}");
        }
    }

    #[test]
    fn runs_that_are_asked_for_suffice() {
        let mut normal = Draws(3);
        let spread = 0.04;
        for half in [0.02, 0.05] {
            let runs = runs_needed(spread, half).unwrap() as usize;
            let mut draw = || (0..runs).map(|_| spread * normal.draw()).collect::<Vec<_>>();
            let widths: Vec<f64> = (0..200)
                .map(|_| estimate_difference(&draw(), &draw()).interval().unwrap())
                .map(|(low, high)| (high - low) / 2.0)
                .collect();
            let mean = widths.iter().sum::<f64>() / widths.len() as f64;
            assert!((0.85 * half..1.15 * half).contains(&mean), "{runs} runs: {mean}, not {half}");
        }
        assert_eq!(runs_needed(1.0, 0.001), None);
        assert_eq!(runs_needed(0.0, 0.001), Some(4));
    }

    #[test]
    fn holm_is_that_of_the_textbook() {
        assert_eq!(adjust_holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(adjust_holm(&[0.9]), [0.9]);
        assert!(adjust_holm(&[]).is_empty());
    }

    #[test]
    fn a_family_without_a_difference_is_rarely_believed() {
        let mut normal = Draws(99);
        let wrong = (0..300)
            .filter(|_| {
                let mut draw = || (0..8).map(|_| normal.draw()).collect::<Vec<_>>();
                let all: Vec<f64> =
                    (0..10).filter_map(|_| mann_whitney_test(&draw(), &draw())).collect();
                adjust_holm(&all).iter().any(|p| *p <= 0.05)
            })
            .count();
        assert!((1..=21).contains(&wrong), "{wrong} of 300");
    }

    #[test]
    fn orders_have_the_probability_of_the_tables() {
        let low: Vec<f64> = (0..6).map(f64::from).collect();
        let high: Vec<f64> = (0..6).map(|i| 100.0 + f64::from(i)).collect();
        let check = |a: &[f64], b: &[f64], expected: f64| {
            let found = mann_whitney_test(a, b).unwrap();
            assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
        };
        check(&low, &high, 2.0 / 924.0);
        check(&high, &low, 2.0 / 924.0);
        check(&low[..4], &high[..4], 2.0 / 70.0);
        // As many on either side, more on the first, more on the second.
        check(&low[..5], &high, 2.0 / 462.0);
        check(&low, &high[..5], 2.0 / 462.0);
        check(&high, &low[..5], 2.0 / 462.0);
        check(&low, &low, 1.0);
        check(&[1.0, 1.0], &[1.0, 1.0], 1.0);
        let many = |from: f64| (0..40).map(|i| from + f64::from(i)).collect::<Vec<_>>();
        assert!(mann_whitney_test(&many(0.0), &many(100.0)).unwrap() < 1e-9);
        assert!(mann_whitney_test(&many(0.0), &many(0.5)).unwrap() > 0.8);
        assert_eq!(mann_whitney_test(&[], &low), None);
        assert_eq!(mann_whitney_test(&[f64::NAN], &low), None);
    }

    /// The interval leaves 0 out exactly where the test finds a difference.
    #[test]
    fn test_and_interval_agree() {
        let mut normal = Draws(5);
        for _ in 0..300 {
            let mut draw = |by: f64| (0..6).map(|_| by + normal.draw()).collect::<Vec<_>>();
            let (a, b) = (draw(0.0), draw(1.0));
            let (low, high) = estimate_difference(&a, &b).interval().unwrap();
            let apart = low > 0.0 || high < 0.0;
            assert_eq!(apart, mann_whitney_test(&a, &b).unwrap() <= 0.05);
        }
    }

    #[test]
    fn nothing_has_no_difference() {
        assert_eq!(estimate_difference(&[], &[1.0]).interval(), None);
        assert_eq!(estimate_difference(&[1.0], &[f64::NAN]).interval(), None);
        assert_eq!(estimate_difference(&[1.0], &[3.0]).value, 2.0);
    }
}
