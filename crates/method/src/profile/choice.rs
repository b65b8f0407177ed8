//! Random choices by weight.

use engine::SplitMix64;
use record::profile::Distribution;

/// A number from 0 up to 1.
pub(super) fn uniform(random: &mut SplitMix64) -> f64 {
    (random.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A place in a list of weights.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// Sums of the weights up to each place.
    sums: Vec<f64>,
}

impl Choice {
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let add = |sum: &mut f64, weight: f64| {
            *sum += weight;
            Some(*sum)
        };
        Self { sums: weights.into_iter().scan(0.0, add).collect() }
    }

    /// `None` when all weights are 0.
    pub(super) fn draw(&self, random: &mut SplitMix64) -> Option<usize> {
        let total = self.sums.last().copied().filter(|total| *total > 0.0)?;
        let point = uniform(random) * total;
        Some(self.sums.partition_point(|sum| *sum <= point).min(self.sums.len() - 1))
    }
}

/// Whole numbers whose mean over many draws is that of the distribution.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    parts: Choice,
    means: Vec<f64>,
}

impl Counts {
    pub(super) fn new(distribution: &Distribution) -> Self {
        Self {
            parts: Choice::new(distribution.iter().map(|(share, _)| *share)),
            means: distribution.iter().map(|(_, mean)| *mean).collect(),
        }
    }

    pub(super) fn draw(&self, random: &mut SplitMix64) -> u64 {
        let Some(part) = self.parts.draw(random) else { return 0 };
        (self.means[part] + uniform(random)) as u64
    }
}
