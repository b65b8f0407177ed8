//! Percentiles: when a sample supports one, and how sure it is.

use std::collections::BTreeMap;

use crate::estimate::Estimate;
use crate::histogram::{LatencyHistogram, SparseHistogram};

/// Resamples of the bootstrap. 300 place the 2.5 % quantile of the answers to about one percent.
const RESAMPLES: usize = 300;
/// Fewer intervals than this cannot be resampled: then order statistics are used.
const INTERVALS_MIN: usize = 10;

/// The least sample for a two-sided 95 % interval of percentile `p` (0 to 100) to be finite:
/// `ln 0.025 / ln q` with q the larger tail. p50: 6, p90: 36, p99: 368, p99.9: 3688.
#[must_use]
pub fn minimum_samples(p: f64) -> u64 {
    let q = (p / 100.0).max(1.0 - p / 100.0);
    (0.025_f64.ln() / q.ln()).ceil() as u64
}

/// Whether a sample of `n` supports percentile `p` (0 to 100).
#[must_use]
pub fn percentile_supported(p: f64, n: u64) -> bool {
    n >= minimum_samples(p)
}

/// The percentiles `ps` (0 to 100) that the sample supports, by name (`p99.9`), each with its
/// interval: a moving-block bootstrap over the intervals of the series, which keeps the
/// dependence of neighbouring operations; for a short series by order statistics, as if
/// operations were independent.
#[must_use]
pub fn percentile_estimates(
    intervals: &[SparseHistogram],
    whole: &LatencyHistogram,
    ps: &[f64],
) -> BTreeMap<String, Estimate> {
    let supported: Vec<f64> =
        ps.iter().copied().filter(|&p| percentile_supported(p, whole.count())).collect();
    let busy: Vec<&SparseHistogram> = intervals.iter().filter(|h| h.count > 0).collect();
    let resampled =
        if busy.len() >= INTERVALS_MIN { bootstrap(&busy, &supported) } else { Vec::new() };
    let mut estimates = BTreeMap::new();
    for (place, &p) in supported.iter().enumerate() {
        let Some(value) = whole.quantile(p / 100.0) else {
            continue;
        };
        let value = value as f64;
        let estimate = match resampled.get(place) {
            Some(&(low, high)) => Estimate {
                value,
                low: Some(low.min(value)),
                high: Some(high.max(value)),
                n: whole.count(),
                n_effective: None,
                method: "moving-block bootstrap over intervals, 95 %".to_owned(),
            },
            None => by_order(whole, p, value),
        };
        estimates.insert(format!("p{p}"), estimate);
    }
    estimates
}

/// Ranks `n q -+ 1.96 sqrt(n q (1 - q))` around the percentile.
fn by_order(whole: &LatencyHistogram, p: f64, value: f64) -> Estimate {
    let (n, q) = (whole.count() as f64, p / 100.0);
    let half = 1.96 * (n * q * (1.0 - q)).sqrt();
    let at = |rank: f64| whole.at_rank(rank.clamp(1.0, n) as u64).map(|v| v as f64);
    Estimate {
        value,
        low: at((n * q - half).floor()),
        high: at((n * q + half).ceil() + 1.0),
        n: whole.count(),
        n_effective: None,
        method: "order statistics, as if operations were independent, 95 %".to_owned(),
    }
}

/// The 2.5 % and 97.5 % quantiles of each percentile over the resamples.
fn bootstrap(intervals: &[&SparseHistogram], ps: &[f64]) -> Vec<(f64, f64)> {
    let block = (intervals.len() as f64).cbrt().ceil() as usize;
    let mut random = 0x5DEE_CE66_D1CE_4E5B_u64;
    let mut answers: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); ps.len()];
    for _ in 0..RESAMPLES {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        let (mut n, mut taken) = (0, 0);
        while taken < intervals.len() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let start = (random >> 33) as usize % (intervals.len() - block + 1);
            for histogram in &intervals[start..start + block] {
                n += histogram.count;
                for (&index, &count) in histogram.index.iter().zip(&histogram.counts) {
                    *counts.entry(index).or_insert(0) += count;
                }
            }
            taken += block;
        }
        for (answer, &p) in answers.iter_mut().zip(ps) {
            answer.push(rank_of(&counts, (p / 100.0 * n as f64).ceil().max(1.0) as u64));
        }
    }
    answers
        .into_iter()
        .map(|mut answer| {
            answer.sort_by(f64::total_cmp);
            let cut = RESAMPLES / 40;
            (answer[cut], answer[RESAMPLES - 1 - cut])
        })
        .collect()
}

fn rank_of(counts: &BTreeMap<u32, u64>, rank: u64) -> f64 {
    let mut seen = 0;
    let mut last = 0;
    for (&index, &count) in counts {
        last = index;
        seen += count;
        if seen >= rank {
            break;
        }
    }
    crate::histogram::bucket_middle(last) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    #[test]
    fn least_samples_are_those_of_the_binomial() {
        let check = |p, n| assert_eq!(minimum_samples(p), n, "p{p}");
        check(50.0, 6);
        check(90.0, 36);
        check(95.0, 72);
        check(99.0, 368);
        check(99.9, 3688);
        check(99.99, 36_887);
        assert!(!percentile_supported(99.0, 367));
        assert!(percentile_supported(99.0, 368));
    }

    fn intervals(seed: u64, count: usize, each: usize) -> Vec<SparseHistogram> {
        let mut normal = Normal(seed);
        (0..count)
            .map(|_| {
                let level = 1.0 + 0.05 * normal.draw();
                let mut histogram = LatencyHistogram::new();
                for _ in 0..each {
                    let ns = 100_000.0 * level * (0.2 * normal.draw()).exp();
                    histogram.record(ns as u64);
                }
                histogram.to_sparse()
            })
            .collect()
    }

    fn merged(intervals: &[SparseHistogram]) -> LatencyHistogram {
        let mut whole = LatencyHistogram::new();
        intervals.iter().for_each(|h| whole.merge_sparse(h).unwrap());
        whole
    }

    #[test]
    fn block_intervals_hold_the_truth_under_drifting_levels() {
        let truth = merged(&intervals(99, 4000, 100)).quantile(0.99).unwrap() as f64;
        let held = (0..60)
            .filter(|&seed| {
                let series = intervals(seed + 1, 30, 200);
                let estimate = &percentile_estimates(&series, &merged(&series), &[99.0])["p99"];
                estimate.low.unwrap() <= truth && truth <= estimate.high.unwrap()
            })
            .count();
        assert!(held >= 50, "{held} of 60");
    }

    #[test]
    fn unsupported_percentiles_are_not_given() {
        let series = intervals(5, 2, 50);
        let whole = merged(&series);
        let estimates = percentile_estimates(&series, &whole, &[50.0, 90.0, 99.0]);
        assert_eq!(estimates.keys().collect::<Vec<_>>(), ["p50", "p90"]);
        let p50 = &estimates["p50"];
        assert!(p50.method.contains("order statistics"));
        assert!(p50.low.unwrap() < p50.value && p50.value < p50.high.unwrap());
    }
}
