//! What a throttle that counts bytes afterwards still holds back after a cell of large requests.

use record::Cell;
use units::Nanos;
use workload::Pacing;

/// Warm-ups outlast shorter turns.
const LONG_TURN: Nanos = Nanos::millis(50);
/// Longer ones are a cache that empties, and no accounting.
const LONG_TURN_MAX: Nanos = Nanos::secs(1);

/// Where each operation takes long, a throttle that counts bytes afterwards still holds back what
/// follows the last one of the cell before: for this time, if it is long.
pub(super) fn find_long_turn(last: Option<&Cell>) -> Option<Nanos> {
    let last = last.filter(|cell| cell.job.pacing == Pacing::Closed)?;
    let turn = Nanos((1e9 / last.iops().max(1.0)) as u64);
    (turn >= LONG_TURN).then_some(turn)
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
