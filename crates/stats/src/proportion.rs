//! Proportions: whether a share is within what is allowed.

use crate::series::effective_samples;

/// One-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.645;

/// The answer of a proportion test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The share is within what is allowed.
    Pass,
    Fail,
    /// The sample cannot say.
    Undecided,
}

/// Whether the share of exceedances is at most `allowed`, given (exceeding, all) per interval. The
/// standard error comes from the spread between intervals, and is never below that of independent
/// operations.
pub fn decide_proportion(intervals: &[(f64, f64)], allowed: f64) -> Decision {
    let (above, all) = intervals.iter().fold((0.0, 0.0), |sum, i| (sum.0 + i.0, sum.1 + i.1));
    if all <= 0.0 {
        return Decision::Undecided;
    }
    let share = above / all;
    let independent = (allowed * (1.0 - allowed) / all).sqrt();
    let error = error_between_intervals(intervals, share, all).max(independent);
    if share + Z * error <= allowed {
        Decision::Pass
    } else if share - Z * error > allowed {
        Decision::Fail
    } else {
        Decision::Undecided
    }
}

fn error_between_intervals(intervals: &[(f64, f64)], share: f64, all: f64) -> f64 {
    let n = intervals.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let residuals: Vec<f64> = intervals.iter().map(|(above, of)| above - share * of).collect();
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / (n - 1.0);
    let inflation = n / effective_samples(&residuals).max(1.0);
    (variance * n * inflation).sqrt() / all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decides_what_the_sample_supports() {
        let check = |intervals: &[(f64, f64)], allowed, expected| {
            assert_eq!(decide_proportion(intervals, allowed), expected, "{intervals:?}");
        };
        check(&[(1.0, 1000.0); 10], 0.01, Decision::Pass);
        check(&[(50.0, 1000.0); 10], 0.01, Decision::Fail);
        check(&[(10.0, 1000.0); 10], 0.01, Decision::Undecided);
        check(&[(0.0, 20.0)], 0.01, Decision::Undecided);
        check(&[], 0.01, Decision::Undecided);
        // One bad interval among ten makes the share uncertain.
        let mut bursty = [(0.0, 1000.0); 10];
        bursty[4] = (150.0, 1000.0);
        check(&bursty, 0.01, Decision::Undecided);
    }
}
