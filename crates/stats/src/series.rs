//! Series of numbers: how much they repeat themselves, and their ranks.

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Autocorrelation {
    /// Integrated autocorrelation time: how many samples in a row are worth one; at least 1.
    pub(crate) time: f64,
    /// Largest lag that entered it.
    pub(crate) lags: usize,
}

/// The larger of two estimates of the autocorrelation time, because both fall short in short
/// series: Geyer's initial positive sequence (1992), and that of a first-order autoregression, `(1
/// + r) / (1 - r)`, its `r` corrected for bias (Kendall 1954).
pub(crate) fn autocorrelation(series: &[f64]) -> Autocorrelation {
    let none = Autocorrelation { time: 1.0, lags: 0 };
    let count = series.len();
    let n = count as f64;
    if count < 4 {
        return none;
    }
    let mean = mean(series);
    let covariance = |lag: usize| {
        series.iter().zip(&series[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / n
    };
    let variance = covariance(0);
    let largest = series.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // Rounding noise of a constant series is no variance.
    if variance <= 1e-24 * largest * largest {
        return none;
    }
    let mut geyer = Autocorrelation { time: -1.0, lags: 0 };
    for pair in 0..count / 4 {
        let sum = (covariance(2 * pair) + covariance(2 * pair + 1)) / variance;
        if sum <= 0.0 {
            break;
        }
        geyer.time += 2.0 * sum;
        geyer.lags = 2 * pair + 1;
    }
    let first = (n * covariance(1) / variance + 1.0) / (n - 3.0);
    let autoregressive = if first < 1.0 { (1.0 + first) / (1.0 - first) } else { n };
    Autocorrelation { time: geyer.time.max(autoregressive).clamp(1.0, n), ..geyer }
}

/// How many independent samples a correlated series is worth, at most its length: n divided by the
/// integrated autocorrelation time. 0 for an empty series.
pub fn effective_samples(series: &[f64]) -> f64 {
    series.len() as f64 / autocorrelation(series).time
}

/// The 1-based rank of the fraction `q` (0 to 1) among `n` samples: `ceil(q n)`, but for rounding
/// errors.
pub(crate) fn nearest_rank(q: f64, n: u64) -> u64 {
    let exact = q * n as f64 * (1.0 - 4.0 * f64::EPSILON);
    (exact.ceil() as u64).clamp(1, n.max(1))
}

/// The value below which the fraction `q` of `values` lies, by nearest rank; `None` when empty.
pub fn quantile_of(values: &[f64], q: f64) -> Option<f64> {
    let sorted = sorted(values.iter().copied());
    let rank = nearest_rank(q, sorted.len() as u64);
    sorted.get(rank as usize - 1).copied()
}

/// The smallest and the largest value.
pub(crate) fn range_of(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

pub(crate) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The arithmetic mean; no number of nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The middle value, or the mean of both; `None` of nothing.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let sorted = sorted(values);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
    Some((lower + upper) / 2.0)
}

pub(crate) fn is_positive(number: f64) -> bool {
    number > 0.0 && number.is_finite()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A seeded stream of standard normal numbers, for simulations in tests.
    pub(crate) struct Normal(pub(crate) u64);

    impl Normal {
        pub(crate) fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            let x = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
            ((x >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        }

        pub(crate) fn draw(&mut self) -> f64 {
            let (u, v) = (self.uniform(), self.uniform());
            (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        }

        /// An autoregressive series around 100 with unit innovations.
        pub(crate) fn ar1(&mut self, n: usize, phi: f64) -> Vec<f64> {
            let mut x = self.draw() / (1.0 - phi * phi).sqrt();
            (0..n)
                .map(|_| {
                    x = phi * x + self.draw();
                    100.0 + x
                })
                .collect()
        }
    }

    #[test]
    fn correlated_samples_are_worth_less() {
        let mut normal = Normal(1);
        let worth = |phi: f64, normal: &mut Normal| {
            (0..50).map(|_| effective_samples(&normal.ar1(400, phi))).sum::<f64>() / 50.0
        };
        // Truth for AR(1): n (1 - phi) / (1 + phi).
        let check = |phi: f64, truth: f64, worth: f64| {
            assert!((worth / truth - 1.0).abs() < 0.25, "phi {phi}: {worth}, truth {truth}");
        };
        check(0.0, 400.0, worth(0.0, &mut normal));
        check(0.5, 133.3, worth(0.5, &mut normal));
        check(0.9, 21.05, worth(0.9, &mut normal));
        assert_eq!(effective_samples(&[5.0; 100]), 100.0);
        assert_eq!(effective_samples(&[]), 0.0);
    }

    #[test]
    fn odd_series_have_a_sane_worth() {
        let check = |series: &[f64], least: f64, most: f64| {
            let worth = effective_samples(series);
            assert!((least..=most).contains(&worth), "{worth} of {}", series.len());
        };
        let line: Vec<f64> = (0..200).map(f64::from).collect();
        check(&line, 1.0, 5.0);
        let saw: Vec<f64> = (0..200).map(|i| f64::from(i % 2)).collect();
        check(&saw, 200.0, 200.0); // negative correlation is not credited
        check(&[1.0, 2.0], 2.0, 2.0);
        check(&[1e9 + 0.1; 77], 77.0, 77.0);
    }

    #[test]
    fn ranks_are_free_of_rounding() {
        let check = |q, n, expected| assert_eq!(nearest_rank(q, n), expected, "{q} of {n}");
        check(99.9 / 100.0, 1000, 999);
        check(99.9 / 100.0, 1_000_000, 999_000);
        check(99.99 / 100.0, 10_000, 9_999);
        check(0.5, 5, 3);
        check(0.5, 4, 2);
        check(0.0, 4, 1);
        check(1.0, 4, 4);
        check(2.0, 4, 4);
        check(0.5, 0, 1);
    }

    #[test]
    fn quantiles_by_nearest_rank() {
        assert_eq!(quantile_of(&[3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile_of(&[3.0, 1.0, 2.0], 1.0), Some(3.0));
        assert_eq!(quantile_of(&[], 0.5), None);
    }
}
