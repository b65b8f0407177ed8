//! Reads, writes and trims in turn.

use workload::{Direction, Mix};

use super::permutation::Permutation;
use crate::mix::mix64;

/// Reads and writes are shuffled within groups of this many operations, each with the exact ratio.
const MIX_GROUP: u64 = 100;

#[derive(Debug, Clone)]
pub(super) struct DirectionMixer {
    mix: Mix,
    seed: u64,
    /// Number of the next data operation of the job.
    sequence: u64,
    stride: u64,
    group: u64,
    order: Permutation,
}

impl DirectionMixer {
    pub(super) fn new(mix: Mix, seed: u64, worker: u64, workers: u64) -> Self {
        Self {
            mix,
            seed,
            sequence: worker,
            stride: workers.max(1),
            group: u64::MAX,
            order: Permutation::new(MIX_GROUP, seed),
        }
    }

    #[inline]
    pub(super) fn next_direction(&mut self) -> Direction {
        match self.mix {
            Mix::Read => Direction::Read,
            Mix::Write => Direction::Write,
            Mix::Trim | Mix::TrimWrite => Direction::Trim,
            Mix::Mixed { read_percent } => self.next_mixed(read_percent),
        }
    }

    #[inline]
    fn next_mixed(&mut self, read_percent: u8) -> Direction {
        let group = self.sequence / MIX_GROUP;
        if group != self.group {
            self.group = group;
            self.order = Permutation::new(MIX_GROUP, !self.seed ^ mix64(group));
        }
        let place = self.order.at(self.sequence % MIX_GROUP);
        self.sequence += self.stride;
        if place < u64::from(read_percent) { Direction::Read } else { Direction::Write }
    }

    #[inline]
    pub(super) fn writes_after_trims(&self) -> bool {
        self.mix == Mix::TrimWrite
    }
}
