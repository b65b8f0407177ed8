//! Percentiles: when a sample supports one, and how sure it is.

use message::Message;
use std::collections::BTreeMap;

use crate::bootstrap::{INTERVALS_MIN, Resampler};
use crate::estimate::Estimate;
use crate::histogram::{LatencyHistogram, SparseHistogram};

/// Two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.96;
/// Probability left out at either end of a two-sided 95 % interval.
const TAIL: f64 = 0.025;
/// Up to this many samples expected in the smaller tail, ranks are exact; beyond, normal.
const EXACT_MAX: f64 = 500.0;

/// The least sample for a two-sided 95 % interval of percentile `p` (0 to 100) to be finite, `ln
/// 0.025 / ln q` with q the larger tail: p50 6, p90 36, p99 368, p99.9 3688. `u64::MAX` outside.
pub fn minimum_samples(p: f64) -> u64 {
    if !(p > 0.0 && p < 100.0) {
        return u64::MAX;
    }
    let q = (p / 100.0).max(1.0 - p / 100.0);
    (TAIL.ln() / q.ln()).ceil() as u64
}

/// Whether a sample of `n` supports percentile `p` (0 to 100): see [`minimum_samples`].
pub fn percentile_supported(p: f64, n: u64) -> bool {
    n >= minimum_samples(p)
}

/// Percentile `p` (0 to 100) in nanoseconds with its 95 % interval by order statistics, as if
/// operations were independent: the ranks j and k with `P(j <= B < k) >= 0.95` for B binomial in n
/// and p. `None` when the sample does not support it.
pub fn percentile_estimate(histogram: &LatencyHistogram, p: f64) -> Option<Estimate> {
    let n = histogram.count();
    if !percentile_supported(p, n) {
        return None;
    }
    let (low, high) = interval_ranks(n, p / 100.0);
    let ends = (histogram.at_rank(low)? as f64, histogram.at_rank(high)? as f64);
    let method = "order statistics, as if operations were independent, 95 %";
    Some(Estimate::with_interval(histogram.quantile(p / 100.0)? as f64, ends, n, method))
}

/// Each percentile of `ps` (0 to 100) that the sample supports, in nanoseconds, by name (`p99.9`).
/// The 95 % intervals come from a moving-block bootstrap over the stored intervals, which keeps the
/// dependence of neighbours; they are never narrower than those of [`percentile_estimate`], and
/// equal with fewer than ten busy intervals or a damaged one. `whole` may hold more operations.
pub fn percentile_estimates(
    intervals: &[SparseHistogram],
    whole: &LatencyHistogram,
    ps: &[f64],
) -> BTreeMap<String, Estimate> {
    let busy: Vec<&SparseHistogram> = intervals.iter().filter(|h| h.count > 0).collect();
    let sound = busy.len() >= INTERVALS_MIN && busy.iter().all(|h| h.validate().is_ok());
    let resampler = sound.then(|| Resampler::new(&busy));
    let mut estimates = BTreeMap::new();
    for &p in ps {
        let Some(by_order) = percentile_estimate(whole, p) else { continue };
        let estimate = match &resampler {
            Some(resampler) => {
                widen_interval(by_order, resampler.relative_interval(p / 100.0), whole)
            }
            None => by_order,
        };
        estimates.insert(format!("p{p}"), estimate);
    }
    estimates
}

/// The wider of both intervals at either end, within what was observed.
fn widen_interval(
    by_order: Estimate,
    (below, above): (f64, f64),
    whole: &LatencyHistogram,
) -> Estimate {
    let value = by_order.value;
    let least = whole.min_ns().unwrap_or(0) as f64;
    let most = whole.max_ns().unwrap_or(u64::MAX) as f64;
    Estimate {
        low: by_order.low.map(|low| low.min(value * below).max(least)),
        high: by_order.high.map(|high| high.max(value * above).min(most)),
        method: Message::from_text("moving-block bootstrap over intervals, 95 %"),
        ..by_order
    }
}

/// The ranks (1-based) of a two-sided 95 % interval of quantile `q` (0 to 1) in a sample of `n`.
fn interval_ranks(n: u64, q: f64) -> (u64, u64) {
    // Counted from the end with the smaller tail: few there is what limits, and is exact.
    let (few, many) = tail_counts(n, q.min(1.0 - q));
    let (low, high) = if q < 0.5 {
        (few.saturating_add(1), many)
    } else {
        ((n + 1).saturating_sub(many), n.saturating_sub(few))
    };
    (low.clamp(1, n), high.clamp(1, n))
}

/// For a binomial count in `n` and `r` (at most a half): the largest `a` with `P(count <= a)` at
/// most 2.5 %, and the smallest `c` with `P(count >= c)` at most 2.5 %.
fn tail_counts(n: u64, r: f64) -> (u64, u64) {
    let expected = n as f64 * r;
    if expected > EXACT_MAX {
        let half = Z * (expected * (1.0 - r)).sqrt() + 0.5;
        return ((expected - half).floor() as u64, (expected + half).ceil() as u64);
    }
    let mut probability = (n as f64 * (-r).ln_1p()).exp();
    let (mut below, mut few) = (0.0, 0);
    for count in 0..=n {
        // `below` is P(B < count), `probability` is P(B = count).
        if below + probability <= TAIL {
            few = count;
        }
        if 1.0 - below <= TAIL {
            return (few, count);
        }
        below += probability;
        probability *= (n - count) as f64 / (count + 1) as f64 * r / (1.0 - r);
    }
    (few, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percentile_block_estimate(intervals: &[LatencyHistogram], p: f64) -> Option<Estimate> {
        let mut whole = LatencyHistogram::new();
        intervals.iter().for_each(|interval| whole.merge(interval));
        let sparse: Vec<SparseHistogram> =
            intervals.iter().map(LatencyHistogram::to_sparse).collect();
        percentile_estimates(&sparse, &whole, &[p]).into_values().next()
    }
    use crate::series::tests::Normal;
    use proptest::prelude::*;

    #[test]
    fn least_samples_are_those_of_the_binomial() {
        let check = |p, n: u64| {
            assert_eq!(minimum_samples(p), n, "p{p}");
            assert!(!percentile_supported(p, n - 1) && percentile_supported(p, n), "p{p}");
        };
        check(50.0, 6);
        check(10.0, 36);
        check(90.0, 36);
        check(95.0, 72);
        check(99.0, 368);
        check(99.9, 3688);
        check(99.99, 36_887);
        check(0.0, u64::MAX);
        check(100.0, u64::MAX);
        check(-5.0, u64::MAX);
        check(f64::NAN, u64::MAX);
    }

    #[test]
    fn ranks_are_those_of_the_binomial() {
        let check = |n, q, expected| assert_eq!(interval_ranks(n, q), expected, "{q} of {n}");
        // Medians from published tables of the sign test.
        check(6, 0.5, (1, 6));
        check(10, 0.5, (2, 9));
        check(20, 0.5, (6, 15));
        check(25, 0.5, (8, 18));
        check(50, 0.5, (18, 33));
        check(36, 0.9, (29, 36));
        check(36, 0.1, (1, 8));
        check(368, 0.99, (360, 368));
    }

    /// P(B <= k), summed in logarithms; slow and independent of the code above.
    fn binomial_cdf(n: u64, q: f64, k: u64) -> f64 {
        let mut log_choose = 0.0;
        let mut sum = 0.0;
        for i in 0..=k.min(n) {
            let log = log_choose + i as f64 * q.ln() + (n - i) as f64 * (1.0 - q).ln();
            sum += log.exp();
            log_choose += ((n - i) as f64 / (i + 1) as f64).ln();
        }
        sum
    }

    proptest! {
        #[test]
        fn ranks_cover_and_are_tight(n in 6_u64..3000, q in 0.01_f64..0.99) {
            prop_assume!(percentile_supported(q * 100.0, n));
            let (low, high) = interval_ranks(n, q);
            let (below, above) = (binomial_cdf(n, q, low - 1), 1.0 - binomial_cdf(n, q, high - 1));
            // One rank further in would leave out too much. Normal approximation: 0.2 % slack.
            prop_assert!(below <= 0.027 && above <= 0.027, "{low} {high}: {below} {above}");
            prop_assert!(binomial_cdf(n, q, low) > 0.023);
            prop_assert!(1.0 - binomial_cdf(n, q, high.saturating_sub(2)) > 0.023);
        }

        #[test]
        fn intervals_enclose_the_figure_within_the_sample(
            values in prop::collection::vec(1_u64..1 << 30, 6..400),
            p in 1.0_f64..99.0,
        ) {
            let mut histogram = LatencyHistogram::new();
            values.iter().for_each(|&v| histogram.record(v));
            let estimate = percentile_estimate(&histogram, p);
            prop_assert_eq!(estimate.is_some(), percentile_supported(p, histogram.count()));
            if let Some(estimate) = estimate {
                let (low, high) = estimate.interval().unwrap();
                prop_assert!(low <= estimate.value && estimate.value <= high, "{estimate:?}");
                prop_assert!(low >= *values.iter().min().unwrap() as f64);
                prop_assert!(high <= *values.iter().max().unwrap() as f64);
            }
        }
    }

    /// Interval histograms whose level is an autoregression: dependent operations.
    fn intervals(seed: u64, count: usize, each: usize, phi: f64) -> Vec<LatencyHistogram> {
        let mut normal = Normal(seed);
        let levels = normal.ar1(count, phi);
        levels
            .into_iter()
            .map(|level| {
                let level = 1.0 + 0.05 * (level - 100.0) * (1.0 - phi * phi).sqrt();
                let mut histogram = LatencyHistogram::new();
                for _ in 0..each {
                    let ns = 100_000.0 * level * (0.2 * normal.draw()).exp();
                    histogram.record(ns as u64);
                }
                histogram
            })
            .collect()
    }

    fn merged(intervals: &[LatencyHistogram]) -> LatencyHistogram {
        let mut whole = LatencyHistogram::new();
        intervals.iter().for_each(|h| whole.merge(h));
        whole
    }

    #[test]
    fn block_intervals_hold_the_truth_under_drifting_levels() {
        let whole = merged(&intervals(99, 4000, 100, 0.0));
        let check = |count, phi, p: f64| {
            let truth = whole.quantile(p / 100.0).unwrap() as f64;
            let trials = 100;
            let held = (0..trials)
                .filter(|&seed| {
                    let series = intervals(seed + 1, count, 200, phi);
                    let estimate = percentile_block_estimate(&series, p).unwrap();
                    let (low, high) = estimate.interval().unwrap();
                    low <= truth && truth <= high
                })
                .count();
            println!("{count} {phi} p{p}: {held}");
            assert!(held >= 88, "{count} intervals, phi {phi}, p{p}: {held} of {trials}");
        };
        check(10, 0.0, 50.0);
        check(30, 0.0, 50.0);
        check(30, 0.0, 99.0);
        check(60, 0.5, 50.0);
        check(60, 0.5, 99.0);
        check(100, 0.5, 90.0);
    }

    #[test]
    fn independence_is_assumed_only_where_intervals_are_few() {
        let check = |count, method: &str| {
            let series = intervals(5, count, 100, 0.0);
            let estimate = percentile_block_estimate(&series, 50.0).unwrap();
            assert!(estimate.method.text().contains(method), "{count}: {}", estimate.method.text());
            assert_eq!(estimate.n, count as u64 * 100);
            assert_eq!(Some(estimate), percentile_block_estimate(&series, 50.0));
        };
        check(9, "as if operations were independent");
        check(10, "moving-block bootstrap");
    }

    #[test]
    fn blocks_are_wider_than_independence_when_levels_drift() {
        let series = intervals(8, 60, 500, 0.8);
        let width = |estimate: Estimate| estimate.relative_half_width().unwrap();
        let blocks = width(percentile_block_estimate(&series, 50.0).unwrap());
        let by_order = width(percentile_estimate(&merged(&series), 50.0).unwrap());
        assert!(blocks > 3.0 * by_order, "{blocks} {by_order}");
    }

    #[test]
    fn only_supported_percentiles_are_given() {
        let check = |series: &[LatencyHistogram], names: &[&str]| {
            let sparse: Vec<_> = series.iter().map(LatencyHistogram::to_sparse).collect();
            let estimates = percentile_estimates(&sparse, &merged(series), &[50.0, 90.0, 99.0]);
            assert_eq!(estimates.keys().collect::<Vec<_>>(), names);
        };
        check(&[], &[]);
        check(&intervals(5, 1, 5, 0.0), &[]);
        check(&intervals(5, 2, 50, 0.0), &["p50", "p90"]);
        check(&intervals(5, 20, 50, 0.0), &["p50", "p90", "p99"]);
        assert_eq!(percentile_block_estimate(&intervals(5, 2, 50, 0.0), 99.0), None);
    }

    #[test]
    fn damaged_intervals_are_not_resampled() {
        let series = intervals(5, 20, 50, 0.0);
        let mut sparse: Vec<_> = series.iter().map(LatencyHistogram::to_sparse).collect();
        sparse[3].index[0] = u32::MAX;
        let estimates = percentile_estimates(&sparse, &merged(&series), &[50.0]);
        assert!(estimates["p50"].method.text().contains("order statistics"));
    }
}
