//! The mixing function of sequences, contents and simulated devices: splitmix64 (Steele, Lea and
//! Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).

/// Multipliers of the finaliser, and the increment of the generator.
pub(crate) const MIX_A: u64 = 0xBF58_476D_1CE4_E5B9;
pub(crate) const MIX_B: u64 = 0x94D0_49BB_1331_11EB;
pub(crate) const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser: a bijection on 64 bits with good avalanche.
#[inline]
pub const fn finalize64(value: u64) -> u64 {
    let mut z = value;
    z = (z ^ (z >> 30)).wrapping_mul(MIX_A);
    z = (z ^ (z >> 27)).wrapping_mul(MIX_B);
    z ^ (z >> 31)
}

/// One step of the generator from the state `value`.
#[inline]
pub(crate) const fn mix64(value: u64) -> u64 {
    finalize64(value.wrapping_add(GOLDEN_GAMMA))
}

/// The generator: a stream of numbers that follows from its first state.
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next_bits(&mut self) -> u64 {
        let number = mix64(self.0);
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        number
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_generator_matches_the_published_first_output() {
        // First output of the reference SplitMix64 for seed 0.
        assert_eq!(super::SplitMix64(0).next_bits(), 0xe220_a839_7b1d_cdaf);
    }
}
