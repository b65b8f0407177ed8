//! A shuffled order without a table.

use crate::mix::{MIX_A, MIX_B, mix64};

/// A pseudo-random bijection of `0..n`, computed from the index alone: no table, no bitmap.
///
/// Three rounds of multiplication by an odd number and a right xor-shift, each a bijection of
/// `0..2^b` for the smallest `2^b >= n`; values outside `0..n` walk on until they fall inside.
#[derive(Debug, Clone, Copy)]
pub struct Permutation {
    n: u64,
    mask: u64,
    shift: u32,
    keys: [u64; 3],
}

impl Permutation {
    /// The permutation of `0..n` that belongs to `key`. `n` of 0 counts as 1.
    pub const fn new(n: u64, key: u64) -> Self {
        let n = if n == 0 { 1 } else { n };
        let bits = 64 - (n - 1).leading_zeros();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let a = mix64(key);
        let b = mix64(a);
        Self { n, mask, shift: bits.div_ceil(2), keys: [a, b, mix64(b)] }
    }

    /// Where `index` (below n) lands.
    #[inline]
    pub const fn at(&self, index: u64) -> u64 {
        let mut x = index;
        loop {
            x = self.round(x);
            if x < self.n {
                return x;
            }
        }
    }

    #[inline]
    const fn round(&self, mut x: u64) -> u64 {
        x = (x ^ self.keys[0]) & self.mask;
        x = x.wrapping_mul(MIX_A) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(self.keys[1] | 1) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_add(self.keys[2]).wrapping_mul(MIX_B) & self.mask;
        x ^ (x >> self.shift)
    }
}
