//! ioping's random numbers: xorshift128+ (Vigna 2014), seeded through splitmix64 (Steele, Lea and
//! Flood 2014), so that a seed means the same requests to both programs.

#[derive(Debug, Clone)]
pub(crate) struct RandomStream {
    state: [u64; 2],
}

impl RandomStream {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = seed;
        let mut draw = || {
            let mut mixed = key;
            key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        };
        let mut random = Self { state: [draw(), draw()] };
        random.next_bits();
        random.next_bits();
        random
    }

    /// Any 64 bits.
    #[inline]
    pub(crate) fn next_bits(&mut self) -> u64 {
        let [mut other, last] = self.state;
        other ^= other << 23;
        self.state = [last, other ^ last ^ (other >> 17) ^ (last >> 26)];
        self.state[1].wrapping_add(last)
    }

    pub(crate) fn fill(&mut self, memory: &mut [u8]) {
        for word in memory.chunks_mut(8) {
            let bytes = self.next_bits().to_le_bytes();
            word.copy_from_slice(&bytes[..word.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_that_of_the_paper() {
        // One step by hand from the state (1, 2): a = 1 ^ 1 << 23, and so on.
        let mut random = RandomStream { state: [1, 2] };
        let a: u64 = 1 ^ (1 << 23);
        // The last term, 2 >> 26, is none.
        let next = a ^ 2 ^ (a >> 17);
        assert_eq!(random.next_bits(), next + 2);
        assert_eq!(random.state, [2, next]);
    }

    #[test]
    fn a_seed_is_a_stream_and_every_byte_is_filled() {
        let draw = |seed| RandomStream::new(seed).next_bits();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_ne!(draw(0), 0, "no seed is a fixed point");
        let mut memory = [0; 1003];
        RandomStream::new(3).fill(&mut memory);
        let zeros = memory.iter().filter(|byte| **byte == 0).count();
        // 1003 bytes have about 4 zeros; 30 would be beyond chance.
        assert!(zeros < 30, "{zeros}");
        assert!(memory[1000..].iter().any(|byte| *byte != 0), "the last bytes are filled too");
    }
}
