//! Comparing two samples by their ranks.

use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

/// The probability of two samples as different as these when both come from one law (Mann and
/// Whitney 1947, two-sided). `None` when either is empty or holds what is no number.
///
/// Ranks do not mind one interval that was served nothing, as a throttle does it; an interval of
/// means does.
#[must_use]
pub fn rank_test(a: &[f64], b: &[f64]) -> Option<f64> {
    let method = MannWhitneyUMethod::Automatic;
    mannwhitneyu(a, b, method, Alternative::TwoSided).ok().map(|(_, p_value)| p_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_apart_are_told_from_mixed_ones() {
        let high: Vec<f64> = (0..10).map(|i| 1000.0 + f64::from(i)).collect();
        let low: Vec<f64> = (0..5).map(|i| 300.0 + f64::from(i)).collect();
        // All of 5 below all of 10: 2 of the C(15, 5) = 3003 ways.
        assert!((rank_test(&high, &low).unwrap() - 2.0 / 3003.0).abs() < 1e-9);
        let mixed: Vec<f64> = (0..5).map(|i| 999.5 + 2.0 * f64::from(i)).collect();
        assert!(rank_test(&high, &mixed).unwrap() > 0.3);
        assert_eq!(rank_test(&[], &low), None);
        assert_eq!(rank_test(&[f64::NAN], &low), None);
    }
}
