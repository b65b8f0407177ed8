//! Means and ratios of correlated series, with intervals that hold what they promise.
//!
//! Every tick is a batch, and the standard error is scaled by the autocorrelation time: simulated
//! on 40 to 600 correlated ticks this covers more than textbook batch means, which need 200
//! memories.
//!
//! A throttle serves in slices, ten bursts a second: wild from tick to tick, steady over slices.
//! Where batches of many ticks vary by much less than independent ticks would, overlapping batch
//! means give the error (Meketon and Schmeiser 1984).

use message::label;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::estimate::Estimate;
use crate::no_interval::TooShort;
use crate::series::{Autocorrelation, autocorrelation, mean};

/// With fewer independent samples an interval would promise more than it holds.
const EFFECTIVE_MIN: f64 = 20.0;
/// Independent samples per degree of freedom: fewer than samples, because the autocorrelation time
/// is itself estimated. Simulated (tests below), a third gives 90 to 98 %.
const SAMPLES_PER_FREEDOM: f64 = 3.0;
const FREEDOM_MIN: f64 = 3.0;

/// Overlapping batches are this many times shorter than the series: enough degrees of freedom.
const BATCHES: usize = 10;
/// Degrees of freedom of overlapping batch means, in those of as many batches side by side.
const OVERLAP_GAIN: f64 = 1.5;
/// Batches are believed when their variance of the mean is this many times smaller than that of
/// ticks: by chance that happens to three independent series in a thousand.
const STEADINESS_GAIN_MIN: f64 = 4.0;

/// The mean of a series of equally long batches (counts per tick), with a 95 % interval that holds
/// for correlated series: `sqrt(s^2 (1 + tau/n) / (n/tau))`, tau being the integrated
/// autocorrelation time and `1 + tau/n` the bias of `s^2`. Below 20 independent samples there is no
/// interval.
pub fn mean_of_series(series: &[f64]) -> Estimate {
    let n = series.len();
    if n == 0 {
        return Estimate::without_interval(0.0, 0, label("no-interval-nothing"));
    }
    let mean = mean(series);
    let residuals: Vec<f64> = series.iter().map(|x| x - mean).collect();
    estimate_from_residuals(mean, &residuals, 1.0)
}

/// The ratio of two totals (latency sum over operations), with the 95 % interval of the linearised
/// ratio, by its residuals `numerator - ratio * denominator`. The common start counts.
pub fn ratio_of_series(numerator: &[f64], denominator: &[f64]) -> Estimate {
    let n = numerator.len().min(denominator.len());
    let below: f64 = denominator[..n].iter().sum();
    if n == 0 || below <= 0.0 {
        return Estimate::without_interval(0.0, 0, label("no-interval-nothing"));
    }
    let ratio = numerator[..n].iter().sum::<f64>() / below;
    let residuals: Vec<f64> =
        numerator.iter().zip(denominator).map(|(a, b)| a - ratio * b).collect();
    estimate_from_residuals(ratio, &residuals, below / n as f64)
}

/// The error of `value` is the mean of the residuals divided by `scale`.
fn estimate_from_residuals(value: f64, residuals: &[f64], scale: f64) -> Estimate {
    let count = residuals.len() as u64;
    if residuals.iter().any(|r| !r.is_finite()) {
        return Estimate::without_interval(value, count, label("no-interval-no-number"));
    }
    let n = count as f64;
    let Autocorrelation { time, lags } = autocorrelation(residuals);
    let worth = n / time;
    if worth < EFFECTIVE_MIN {
        let reason = TooShort { worth: worth.round() as u64, needed: EFFECTIVE_MIN as u64 };
        return Estimate::without_interval(value, count, reason).worth(worth);
    }
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    let variance = squares / (n - 1.0) * (1.0 + time / n);
    let freedom = (worth / SAMPLES_PER_FREEDOM).min(n / (lags as f64 + 1.0)).max(FREEDOM_MIN);
    let by_ticks = variance / worth;
    let by_batches =
        variance_of_mean(residuals).filter(|(v, _)| v * STEADINESS_GAIN_MIN < by_ticks);
    let (variance_of_mean, freedom, method) = match by_batches {
        Some((variance, freedom)) => (variance, freedom, "overlapping batch means"),
        None => (by_ticks, freedom, "standard error corrected for autocorrelation"),
    };
    let half = student_95(freedom) * variance_of_mean.sqrt() / scale;
    let method = format!("{method}, Student t, 95 %");
    Estimate::with_half_width(value, half, count, method).worth(worth)
}

/// The variance of the mean of a series whose sum is zero, by overlapping batches of a tenth of it,
/// and its degrees of freedom.
fn variance_of_mean(residuals: &[f64]) -> Option<(f64, f64)> {
    let (count, batch) = (residuals.len(), residuals.len() / BATCHES);
    if batch < 2 {
        return None;
    }
    let (n, b) = (count as f64, batch as f64);
    let squares: f64 = residuals.windows(batch).map(|window| mean(window).powi(2)).sum();
    let variance = squares * b / ((n - b) * (n - b + 1.0));
    Some((variance, OVERLAP_GAIN * (n / b - 1.0)))
}

/// The two-sided 95 % quantile of Student's t; infinite without a degree of freedom.
pub(crate) fn student_95(freedom: f64) -> f64 {
    student_quantile(freedom, 0.975)
}

/// The one-sided quantile of Student's t; infinite without a degree of freedom.
pub(crate) fn student_quantile(freedom: f64, share: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::Normal;
    use proptest::prelude::*;

    const TRIALS: usize = 400;

    /// Of seeded trials, the share whose interval holds `truth` among those that have one, and
    /// the share that has one.
    fn coverage(truth: f64, mut draw: impl FnMut() -> Estimate) -> (f64, f64) {
        let intervals: Vec<_> = (0..TRIALS).filter_map(|_| draw().interval()).collect();
        let held = intervals.iter().filter(|(low, high)| *low <= truth && truth <= *high).count();
        (held as f64 / intervals.len().max(1) as f64, intervals.len() as f64 / TRIALS as f64)
    }

    #[test]
    fn intervals_hold_what_they_promise() {
        let check = |n, phi, given_least: f64| {
            let mut normal = Normal(7);
            let (held, given) = coverage(100.0, || mean_of_series(&normal.ar1(n, phi)));
            let seen = format!("n {n}, phi {phi}: {held} of the {given} given");
            assert!((0.90..=0.98).contains(&held), "{seen}");
            assert!(given >= given_least, "{seen}");
        };
        check(60, 0.0, 0.95);
        check(100, 0.0, 0.99);
        check(300, 0.0, 0.99);
        check(100, 0.5, 0.85);
        check(300, 0.5, 0.99);
        check(600, 0.5, 0.99);
        check(300, 0.9, 0.0); // worth 16 samples: mostly refused, and honest where not
        check(600, 0.9, 0.85);
    }

    #[test]
    fn what_a_throttle_serves_in_slices_is_known_better_than_its_ticks() {
        let mut normal = Normal(17);
        let mut widest: f64 = 0.0;
        let (held, given) = coverage(10.0, || {
            // Slices of 10 ticks with about 100 operations: all in the first two or three ticks,
            // beginning anywhere; what a slice leaves over the next one makes up for.
            let phase = (normal.uniform() * 10.0) as usize;
            let mut debt = 0.0;
            let series: Vec<f64> = (0..300)
                .map(|tick| match (tick + phase) % 10 {
                    0 => {
                        let extra = 3.0 * normal.draw();
                        let burst = 60.0 + extra - debt;
                        debt = extra;
                        burst
                    }
                    1 => 40.0,
                    _ => 0.0,
                })
                .collect();
            let estimate = mean_of_series(&series);
            widest = widest.max(estimate.relative_half_width().unwrap_or(f64::MAX));
            estimate
        });
        assert!(held >= 0.95 && given == 1.0, "{held} of {given}");
        assert!(widest < 0.05, "{widest}: ticks alone give 20 %");
    }

    #[test]
    fn what_is_too_short_is_refused_or_right() {
        // Truly worth 2 to 17 samples. An estimated worth of 20 is then luck, and so would be the
        // interval: what counts is how rarely one is both given and wrong.
        let check = |n, phi| {
            let mut normal = Normal(11);
            let (held, given) = coverage(100.0, || mean_of_series(&normal.ar1(n, phi)));
            let misled = given * (1.0 - held);
            assert!(misled <= 0.05, "n {n}, phi {phi}: {misled} misled, {given} given");
        };
        check(40, 0.5);
        check(40, 0.9);
        check(100, 0.8);
        check(100, 0.9);
        check(150, 0.8);
        check(150, 0.9);
    }

    /// A Poisson count by multiplication of uniforms (Knuth).
    fn poisson(normal: &mut Normal, mean: f64) -> f64 {
        let limit = (-mean).exp();
        let (mut count, mut product) = (0.0, normal.uniform());
        while product > limit {
            count += 1.0;
            product *= normal.uniform();
        }
        count
    }

    #[test]
    fn counts_of_rare_and_common_events_are_covered() {
        let check = |n: usize, mean: f64| {
            let mut normal = Normal(5);
            let (held, given) = coverage(mean, || {
                let counts: Vec<f64> = (0..n).map(|_| poisson(&mut normal, mean)).collect();
                mean_of_series(&counts)
            });
            assert!((0.90..=0.98).contains(&held), "n {n}, mean {mean}: {held}");
            assert!(given > 0.95, "n {n}, mean {mean}: {given}");
        };
        check(100, 1.0);
        check(100, 20.0);
        check(300, 1.0);
        check(600, 5.0);
    }

    #[test]
    fn ratio_intervals_hold_the_truth() {
        let check = |n: usize, phi: f64| {
            let mut normal = Normal(3);
            let (held, given) = coverage(50.0, || {
                // Operations vary by a fifth; latency per operation remembers by phi.
                let operations: Vec<f64> = (0..n).map(|_| 200.0 + 40.0 * normal.draw()).collect();
                let latencies = normal.ar1(n, phi);
                let sums: Vec<f64> =
                    operations.iter().zip(latencies).map(|(ops, x)| ops * (x - 50.0)).collect();
                ratio_of_series(&sums, &operations)
            });
            assert!((0.90..=0.98).contains(&held), "n {n}, phi {phi}: {held}");
            assert!(given > 0.85, "n {n}, phi {phi}: {given}");
        };
        check(100, 0.0);
        check(300, 0.0);
        check(100, 0.5);
        check(300, 0.5);
    }

    #[test]
    fn what_has_no_interval_says_why() {
        let check = |estimate: Estimate, value: f64, reason: &str| {
            assert_eq!(estimate.value, value, "{estimate:?}");
            assert_eq!(estimate.interval(), None, "{estimate:?}");
            assert!(estimate.method.text().contains(reason), "{estimate:?}");
        };
        check(mean_of_series(&[]), 0.0, "nothing was measured");
        check(ratio_of_series(&[1.0], &[0.0]), 0.0, "nothing was measured");
        check(ratio_of_series(&[1.0], &[]), 0.0, "nothing was measured");
        check(mean_of_series(&[1.0, 2.0, 3.0]), 2.0, "3 of the 20 effective samples needed");
        check(mean_of_series(&[f64::INFINITY; 50]), f64::INFINITY, "not numbers");
        let drift: Vec<f64> = (1..=99).map(f64::from).collect();
        check(mean_of_series(&drift), 50.0, "1 of the 20 effective samples");
    }

    #[test]
    fn a_constant_series_has_no_width() {
        assert_eq!(mean_of_series(&[30.0; 100]).relative_half_width(), Some(0.0));
        let ratio = ratio_of_series(&[30.0; 100], &[0.1; 100]);
        assert!(ratio.relative_half_width().unwrap() < 1e-9, "{ratio:?}");
    }

    proptest! {
        #[test]
        fn means_follow_their_unit(
            series in prop::collection::vec(1.0_f64..1000.0, 40..200),
            factor in 0.001_f64..1000.0,
        ) {
            let plain = mean_of_series(&series);
            let scaled: Vec<f64> = series.iter().map(|x| x * factor).collect();
            let scaled = mean_of_series(&scaled);
            prop_assert!((scaled.value / plain.value / factor - 1.0).abs() < 1e-9);
            if let (Some(a), Some(b)) = (plain.interval(), scaled.interval()) {
                prop_assert!(a.0 <= plain.value && plain.value <= a.1);
                prop_assert!((b.1 - b.0 - (a.1 - a.0) * factor).abs() < 1e-6 * b.1.abs());
            }
        }

        #[test]
        fn a_ratio_over_ones_is_a_mean(series in prop::collection::vec(1.0_f64..9.0, 40..200)) {
            let mean = mean_of_series(&series);
            let ratio = ratio_of_series(&series, &vec![1.0; series.len()]);
            prop_assert_eq!(ratio, mean);
        }
    }
}
