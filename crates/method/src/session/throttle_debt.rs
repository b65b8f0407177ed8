//! What a throttle that counts bytes afterwards still holds back after a cell of large requests.

use record::Cell;
use units::Nanos;
use workload::{Job, Pacing};

use super::Session;

/// Warm-ups outlast shorter turns.
const LONG_TURN: Nanos = Nanos::millis(50);
/// Longer ones are a cache that empties, and no accounting.
const LONG_TURN_MAX: Nanos = Nanos::secs(1);

impl Session<'_> {
    /// Where each operation takes long, a throttle that counts bytes afterwards still holds back
    /// what follows the last one of the cell before.
    pub(super) fn wait_for_accounting(&self) {
        let Some(last) = self.cells.last().filter(|cell| cell.job.pacing == Pacing::Closed) else {
            return;
        };
        let turn = Nanos((1e9 / last.iops().max(1.0)) as u64);
        if turn >= LONG_TURN {
            self.pause(turn);
        }
    }

    /// After a cell in which nothing came back, the warm-up lasts until that throttle is done with
    /// it: without load a write cache would empty meanwhile.
    pub(super) fn warm_up_of(&self, job: &Job) -> Nanos {
        match job.warm_up {
            Nanos::ZERO => Nanos::ZERO,
            warm_up => Nanos(warm_up.0 + self.lost_turn.0),
        }
    }
}

/// How long a request of closed loops took, from the time until all of them were back.
pub(super) fn find_longest_turn(cells: &[Cell]) -> Nanos {
    let closed = cells.iter().filter(|cell| cell.job.pacing == Pacing::Closed);
    let turn = |cell: &Cell| {
        let requests = cell.ledger.read_ops + cell.ledger.write_ops;
        Nanos(cell.ledger.elapsed.0 / requests.max(1)).min(LONG_TURN_MAX)
    };
    closed.map(turn).max().unwrap_or_default()
}
