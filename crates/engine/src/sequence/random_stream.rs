//! Random numbers of a sequence: a counter through a mixing function.

use crate::mix::{GOLDEN_GAMMA, mix64};

/// A stream of random numbers that belongs to a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RandomStream {
    state: u64,
}

impl RandomStream {
    pub(crate) fn new(key: u64, worker: u64) -> Self {
        Self { state: mix64(key ^ mix64(worker)) }
    }

    #[inline]
    pub(crate) fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix64(self.state)
    }

    /// Evenly below `n`.
    #[inline]
    pub(crate) fn next_below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_bits()) * u128::from(n)) >> 64) as u64
    }

    /// Between 0 and 1, never either.
    #[inline]
    pub(crate) fn next_unit(&mut self) -> f64 {
        ((self.next_bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Standard normal (Box and Muller 1958).
    pub(crate) fn next_normal(&mut self) -> f64 {
        let (u, v) = (self.next_unit(), self.next_unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

#[inline]
pub(crate) fn draw_exponential(draw: &mut RandomStream, mean: f64) -> f64 {
    -draw.next_unit().ln() * mean
}
