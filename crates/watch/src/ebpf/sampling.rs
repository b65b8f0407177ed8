//! At a high rate one request of 8, 16 or 32, drawn at random, stands for as many, in what says who
//! waits and who asks: shares stay right, at that part of the cost.

use std::io;

use target::{BpfMap, BpfMapKind};

use super::assembler::Condition::{Equal, NotEqual};
use super::assembler::Operation::{Add, And};
use super::assembler::Register::{R0, R1, R10};
use super::assembler::{Assembler, Function, Label, Register, Size};

const MASK_BYTES: u32 = 8;
/// Requests per second of all disks above which the next interval is sampled.
const COUNTED_RATE_MAX: u64 = 16_000;
/// The most that are drawn per second, unless that were less than one of `ONE_OF_MAX`. Half of
/// them is the least, and enough for a share within 2 points.
const DRAWN_RATE_MAX: u64 = 4_000;
/// A slow second after a fast one is still seen.
const ONE_OF_MAX: u64 = 32;

/// The place on the stack of a key of zero, below those of the programs that draw.
const ZERO_KEY: i16 = -48;

/// The mask of the random bits that the programs look at: zero while every request is counted.
pub(super) struct Sampling {
    map: BpfMap,
    mask: u64,
}

impl Sampling {
    pub(super) fn create(name: &str) -> io::Result<Self> {
        Ok(Self { map: BpfMap::create(BpfMapKind::Array, name, 4, MASK_BYTES, 1)?, mask: 0 })
    }

    pub(super) fn descriptor(&self) -> i32 {
        self.map.raw_descriptor()
    }

    /// Whether requests were drawn in the interval that ends.
    pub(super) fn is_on(&self) -> bool {
        self.mask != 0
    }

    /// Chooses for the next interval, by the requests of all disks in the last.
    pub(super) fn adapt(&mut self, requests: u64, length_ns: u64) -> io::Result<()> {
        self.mask = choose_mask(requests, length_ns);
        self.map.write_value(&[0; 4], &self.mask.to_ne_bytes())
    }
}

/// A request is counted when these bits of a random number are zero.
fn choose_mask(requests: u64, length_ns: u64) -> u64 {
    let rate = u128::from(requests) * 1_000_000_000 / u128::from(length_ns.max(1));
    if rate <= u128::from(COUNTED_RATE_MAX) {
        return 0;
    }
    let one_of = rate.div_ceil(u128::from(DRAWN_RATE_MAX)).next_power_of_two();
    one_of.min(u128::from(ONE_OF_MAX)) as u64 - 1
}

/// Leaves in `weight` for how many requests this one stands; jumps for one that is not drawn.
pub(super) fn draw(a: &mut Assembler, mask: i32, weight: Register, undrawn: Label) {
    let counted = a.new_label();
    a.set(R1, 0);
    a.store(Size::Word, R10, ZERO_KEY, R1);
    a.look_up(mask, ZERO_KEY);
    a.jump_if(R0, Equal, 0, undrawn);
    a.load(Size::Double, weight, R0, 0);
    a.jump_if(weight, Equal, 0, counted);
    a.call(Function::Random);
    a.arithmetic(And, R0, weight);
    a.jump_if(R0, NotEqual, 0, undrawn);
    a.place(counted);
    a.arithmetic(Add, weight, 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_high_rate_is_sampled() {
        let second_ns = 1_000_000_000;
        assert_eq!(choose_mask(16_000, second_ns), 0);
        assert_eq!(choose_mask(16_001, second_ns), 7);
        assert_eq!(choose_mask(32_000, second_ns), 7);
        assert_eq!(choose_mask(32_001, second_ns), 15);
        assert_eq!(choose_mask(34_000, 2 * second_ns), 7);
        assert_eq!(choose_mask(64_001, second_ns), 31);
        assert_eq!(choose_mask(1 << 40, second_ns), 31);
        assert_eq!(choose_mask(16_001, 2 * second_ns), 0);
        assert_eq!(choose_mask(1, 0), 31);
    }
}
