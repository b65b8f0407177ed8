//! The device's own random numbers, so that one seed gives one run on every build. Noise on service
//! times has mean one, so that the closed forms for mean service times hold with it.

use std::f64::consts::TAU;

use super::device_model::LatencyNoise;
use crate::mix::SplitMix64;

/// Random numbers, with a store for the second number of each Box-Muller (1958) pair.
#[derive(Debug, Clone)]
pub(super) struct Rng {
    bits: SplitMix64,
    spare: Option<f64>,
}

impl Rng {
    pub(super) fn new(seed: u64) -> Rng {
        Rng { bits: SplitMix64(seed), spare: None }
    }

    /// Uniform in `(0, 1]`: never zero, so that its logarithm is finite.
    fn next_unit(&mut self) -> f64 {
        ((self.bits.next_bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    fn next_normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * self.next_unit().ln()).sqrt();
        let (sine, cosine) = (TAU * self.next_unit()).sin_cos();
        self.spare = Some(radius * sine);
        radius * cosine
    }
}

/// A source of factors with mean one.
#[derive(Debug, Clone)]
pub(super) struct NoiseSource {
    rng: Rng,
    scatter: LatencyNoise,
}

impl NoiseSource {
    /// A sigma that is not positive means none.
    pub(super) fn new(scatter: LatencyNoise, seed: u64) -> NoiseSource {
        let scatter = match scatter {
            LatencyNoise::LogNormal(sigma) if !(sigma.is_finite() && sigma > 0.0) => {
                LatencyNoise::None
            }
            other => other,
        };
        NoiseSource { rng: Rng::new(seed), scatter }
    }

    pub(super) fn next_factor(&mut self) -> f64 {
        match self.scatter {
            LatencyNoise::None => 1.0,
            // The mean of exp(s z) is exp(s^2 / 2); the subtraction brings it back to one.
            LatencyNoise::LogNormal(s) => (s * self.rng.next_normal() - s * s / 2.0).exp(),
            LatencyNoise::Exponential => -self.rng.next_unit().ln(),
        }
    }

    /// `service_ns` times the next factor, at least one nanosecond: time must advance.
    pub(super) fn stretch_ns(&mut self, service_ns: u64) -> u64 {
        if self.scatter == LatencyNoise::None {
            return service_ns.max(1);
        }
        ((service_ns as f64 * self.next_factor()).round() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_factor_has_mean_one_and_the_given_sigma() {
        let mut noise = NoiseSource::new(LatencyNoise::LogNormal(0.5), 7);
        let count = 200_000;
        let factors: Vec<f64> = (0..count).map(|_| noise.next_factor()).collect();
        let mean = factors.iter().sum::<f64>() / f64::from(count);
        let logs: Vec<f64> = factors.iter().map(|factor| factor.ln()).collect();
        let centre = logs.iter().sum::<f64>() / f64::from(count);
        let square = logs.iter().map(|log| (log - centre).powi(2)).sum::<f64>() / f64::from(count);
        assert!((mean - 1.0).abs() < 0.01, "mean {mean}");
        assert!((square.sqrt() - 0.5).abs() < 0.01, "sigma {}", square.sqrt());
    }

    #[test]
    fn exponential_factors_have_mean_and_deviation_one() {
        let mut noise = NoiseSource::new(LatencyNoise::Exponential, 3);
        let count = 200_000;
        let factors: Vec<f64> = (0..count).map(|_| noise.next_factor()).collect();
        let mean = factors.iter().sum::<f64>() / f64::from(count);
        let square = factors.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / f64::from(count);
        let above = factors.iter().filter(|f| **f > 3.0).count() as f64 / f64::from(count);
        assert!((mean - 1.0).abs() < 0.01 && (square.sqrt() - 1.0).abs() < 0.02, "{mean}");
        assert!((above / (-3.0_f64).exp() - 1.0).abs() < 0.05, "{above}");
    }

    #[test]
    fn no_sigma_means_an_exact_service_time() {
        for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut noise = NoiseSource::new(LatencyNoise::LogNormal(sigma), 1);
            assert_eq!(noise.stretch_ns(12_345), 12_345);
            assert_eq!(noise.stretch_ns(0), 1);
        }
    }
}
