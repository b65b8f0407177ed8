//! At a high rate one request of eight, drawn at random, stands for eight, in what says who waits
//! and who asks: shares stay right, at an eighth of the cost.

use std::io;

use target::{BpfMap, BpfMapKind};

use super::assembler::Condition::{Equal, NotEqual};
use super::assembler::Operation::{Add, And};
use super::assembler::Register::{R0, R1, R10};
use super::assembler::{Assembler, Function, Label, Register, Size};

const MASK_BYTES: u32 = 8;
/// Requests per second of all disks above which the next interval is sampled. What is drawn of
/// them is enough for a share within 2 points.
const COUNTED_RATE_MAX: u64 = 16_000;
/// A request is counted when these bits of a random number are zero.
const SAMPLED_MASK: u64 = 7;

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

fn choose_mask(requests: u64, length_ns: u64) -> u64 {
    let is_high =
        u128::from(requests) * 1_000_000_000 > u128::from(COUNTED_RATE_MAX) * u128::from(length_ns);
    if is_high { SAMPLED_MASK } else { 0 }
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
        assert_eq!(choose_mask(16_001, 2 * second_ns), 0);
        assert_eq!(choose_mask(1, 0), 7);
    }
}
