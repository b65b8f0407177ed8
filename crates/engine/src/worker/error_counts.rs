//! Failures counted by kind, without allocation.

use workload::Direction;

use crate::outcome::ErrorCount;

/// Kinds of failure that are counted apart; more are counted with the last.
const ERROR_KINDS_MAX: usize = 16;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ErrorCounts {
    kinds: [Option<ErrorCount>; ERROR_KINDS_MAX],
    pub(super) all: u64,
}

impl ErrorCounts {
    pub(super) fn count(&mut self, direction: Direction, errno: i32) {
        self.all += 1;
        let last = ERROR_KINDS_MAX - 1;
        let is_it = |kind: &Option<ErrorCount>| {
            kind.is_none_or(|kind| (kind.direction, kind.errno) == (direction, errno))
        };
        let place = self.kinds.iter().position(is_it).unwrap_or(last);
        let kind = self.kinds[place].get_or_insert(ErrorCount { direction, errno, count: 0 });
        kind.count += 1;
    }

    pub(crate) fn list(&self) -> Vec<ErrorCount> {
        self.kinds.iter().flatten().copied().collect()
    }
}
