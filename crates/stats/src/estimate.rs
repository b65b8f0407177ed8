//! A figure with its interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::series::effective_samples;

/// Below so many independent samples an interval would promise more than it holds.
const EFFECTIVE_MIN: f64 = 20.0;

/// A figure with its 95 % interval, or the reason why it has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Samples it rests on.
    pub n: u64,
    /// Independent samples that these are worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_effective: Option<f64>,
    /// How the interval was found, or why there is none.
    pub method: String,
}

impl Estimate {
    /// Half the width of the interval as a fraction of the figure; `None` without an interval.
    #[must_use]
    pub fn relative_half_width(&self) -> Option<f64> {
        let (low, high) = (self.low?, self.high?);
        (self.value != 0.0).then(|| (high - low) / 2.0 / self.value.abs())
    }

    /// The figure alone, with the reason why it has no interval.
    #[must_use]
    pub fn without_interval(value: f64, n: u64, reason: String) -> Self {
        Self { value, low: None, high: None, n, n_effective: None, method: reason }
    }

    fn with_error(value: f64, standard_error: f64, n: u64, n_effective: f64) -> Self {
        if n_effective < EFFECTIVE_MIN {
            let reason = format!(
                "too short to give an interval: worth {n_effective:.0} independent samples, \
                 {EFFECTIVE_MIN} needed"
            );
            return Self {
                n_effective: Some(n_effective),
                ..Self::without_interval(value, n, reason)
            };
        }
        let half = student_95(n_effective - 1.0) * standard_error;
        Self {
            value,
            low: Some(value - half),
            high: Some(value + half),
            n,
            n_effective: Some(n_effective),
            method: "batch means corrected for autocorrelation, Student t, 95 %".to_owned(),
        }
    }
}

/// The two-sided 95 % quantile of Student's t.
fn student_95(freedom: f64) -> f64 {
    // The fallback is the normal quantile; `freedom` is 19 or more here, so `new` cannot fail.
    StudentsT::new(0.0, 1.0, freedom).map_or(1.96, |t| t.inverse_cdf(0.975))
}

/// The mean of a series of equally long batches (counts per tick), with an interval that holds
/// for correlated series: the variance of the mean is scaled by the autocorrelation time.
#[must_use]
pub fn mean_of_series(series: &[f64]) -> Estimate {
    let n = series.len();
    if n == 0 {
        return Estimate::without_interval(0.0, 0, "nothing was measured".to_owned());
    }
    let mean = series.iter().sum::<f64>() / n as f64;
    let worth = effective_samples(series);
    Estimate::with_error(mean, standard_error(series, mean, worth), n as u64, worth)
}

/// The ratio of two totals (latency sum over operations), with the interval of the linearised
/// ratio: the residuals `numerator - ratio * denominator` are treated as [`mean_of_series`] does.
#[must_use]
pub fn ratio_of_series(numerator: &[f64], denominator: &[f64]) -> Estimate {
    let n = numerator.len().min(denominator.len());
    let below: f64 = denominator[..n].iter().sum();
    if n == 0 || below <= 0.0 {
        return Estimate::without_interval(0.0, 0, "nothing was measured".to_owned());
    }
    let ratio = numerator[..n].iter().sum::<f64>() / below;
    let residuals: Vec<f64> =
        numerator.iter().zip(denominator).map(|(a, b)| a - ratio * b).collect();
    let worth = effective_samples(&residuals);
    let error = standard_error(&residuals, 0.0, worth) / (below / n as f64);
    Estimate::with_error(ratio, error, n as u64, worth)
}

fn standard_error(series: &[f64], mean: f64, worth: f64) -> f64 {
    let n = series.len() as f64;
    let squares: f64 = series.iter().map(|x| (x - mean) * (x - mean)).sum();
    (squares / (n - 1.0).max(1.0) / worth.max(1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;

    /// Share of simulated series whose interval holds the truth, and share refused.
    fn coverage(n: usize, phi: f64) -> (f64, f64) {
        let mut normal = Normal(7);
        let (mut held, mut given, mut refused) = (0.0, 0.0, 0.0);
        for _ in 0..400 {
            let estimate = mean_of_series(&normal.ar1(n, phi));
            match (estimate.low, estimate.high) {
                (Some(low), Some(high)) => {
                    given += 1.0;
                    held += f64::from(low <= 100.0 && 100.0 <= high);
                }
                _ => refused += 1.0,
            }
        }
        (held / f64::max(given, 1.0), refused / 400.0)
    }

    #[test]
    fn intervals_hold_what_they_promise() {
        let check = |n, phi, least: f64| {
            let (coverage, refused) = coverage(n, phi);
            assert!(
                (least..=0.985).contains(&coverage),
                "n {n}, phi {phi}: coverage {coverage}, refused {refused}"
            );
        };
        check(100, 0.0, 0.90);
        check(300, 0.0, 0.92);
        check(100, 0.5, 0.90);
        check(300, 0.5, 0.91);
        check(300, 0.9, 0.84); // hardest: worth 16 samples, mostly refused
        let (_, refused) = self::coverage(100, 0.9);
        assert!(refused > 0.9, "a series worth 5 samples must be refused: {refused}");
    }

    #[test]
    fn ratio_interval_holds_the_truth() {
        let mut normal = Normal(3);
        let mut held = 0;
        for _ in 0..400 {
            let operations: Vec<f64> = (0..150).map(|_| 200.0 + 20.0 * normal.draw()).collect();
            let sums: Vec<f64> =
                operations.iter().map(|ops| ops * (50.0 + 3.0 * normal.draw())).collect();
            let estimate = ratio_of_series(&sums, &operations);
            assert!((estimate.value - 50.0).abs() < 2.0);
            held += i32::from(estimate.low.unwrap() <= 50.0 && 50.0 <= estimate.high.unwrap());
        }
        assert!((360..=396).contains(&held), "{held} of 400");
    }

    #[test]
    fn short_series_say_so() {
        let estimate = mean_of_series(&[1.0, 2.0, 3.0]);
        assert_eq!(estimate.value, 2.0);
        assert_eq!(estimate.low, None);
        assert!(estimate.method.contains("too short"), "{}", estimate.method);
        assert!(mean_of_series(&[]).method.contains("nothing"));
        assert!(ratio_of_series(&[1.0], &[0.0]).method.contains("nothing"));
    }

    #[test]
    fn a_constant_series_has_no_width() {
        let estimate = mean_of_series(&[30.0; 100]);
        assert_eq!(estimate.relative_half_width(), Some(0.0));
    }
}
