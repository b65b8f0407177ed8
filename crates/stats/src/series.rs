//! Series of numbers in time: how much they repeat themselves, where they are silent.

/// How many independent samples a correlated series is worth: n divided by the integrated
/// autocorrelation time, by Geyer's initial positive sequence (Geyer 1992).
///
/// At most n; 0 for an empty series. A constant series is worth its length.
#[must_use]
pub fn effective_samples(series: &[f64]) -> f64 {
    let n = series.len();
    if n < 4 {
        return n as f64;
    }
    let mean = series.iter().sum::<f64>() / n as f64;
    let covariance = |lag: usize| {
        series.iter().zip(&series[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>()
            / n as f64
    };
    let variance = covariance(0);
    // Rounding noise of a constant series is no variance.
    if variance <= 1e-24 * mean * mean {
        return n as f64;
    }
    let mut time = 1.0;
    for pair in 0..n / 4 {
        let (odd, even) = (2 * pair + 1, 2 * pair + 2);
        let sum = (covariance(odd) + covariance(even)) / variance;
        if sum <= 0.0 {
            break;
        }
        time += 2.0 * sum;
    }
    (n as f64 / time).min(n as f64)
}

/// The longest run of zeros: where it starts and how long it is. `None` without a zero.
#[must_use]
pub fn longest_zero_run(counts: &[u64]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut start = 0;
    for (place, &count) in counts.iter().enumerate() {
        if count > 0 {
            start = place + 1;
        } else if best.is_none_or(|(_, length)| place + 1 - start > length) {
            best = Some((start, place + 1 - start));
        }
    }
    best
}

/// The value below which the fraction `q` of `values` lies, by nearest rank; `None` when empty.
#[must_use]
pub fn quantile_of(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (q * sorted.len() as f64).ceil().max(1.0) as usize;
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A seeded stream of standard normal numbers, for simulations in tests.
    pub(crate) struct Normal(pub(crate) u64);

    impl Normal {
        fn uniform(&mut self) -> f64 {
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
    fn zero_runs_are_found() {
        let check = |counts: &[u64], expected| assert_eq!(longest_zero_run(counts), expected);
        check(&[], None);
        check(&[1, 2], None);
        check(&[0, 1, 0, 0, 5, 0], Some((2, 2)));
        check(&[0, 0, 0], Some((0, 3)));
    }

    #[test]
    fn quantiles_by_nearest_rank() {
        assert_eq!(quantile_of(&[3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile_of(&[3.0, 1.0, 2.0], 1.0), Some(3.0));
        assert_eq!(quantile_of(&[], 0.5), None);
    }
}
