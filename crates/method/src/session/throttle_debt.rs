//! Debt of a throttle that charges bytes after the request: it delays what follows a cell of large
//! requests.

use record::Cell;
use units::Nanos;
use workload::Pacing;

/// Shorter request times are covered by the warm-up.
const LONG_REQUEST_MIN: Nanos = Nanos::millis(50);
/// Longer request times come from a write cache that empties, not from a throttle.
const REQUEST_TIME_MAX: Nanos = Nanos::secs(1);

/// Time per request of the last cell, if long: a throttle that charges afterwards may delay the
/// next cell by this time.
pub(super) fn find_throttle_delay(last: Option<&Cell>) -> Option<Nanos> {
    let last = last.filter(|cell| cell.job.pacing == Pacing::Closed)?;
    let time = Nanos((1e9 / last.iops().max(1.0)) as u64);
    (time >= LONG_REQUEST_MIN).then_some(time)
}

/// Time per request of the slowest closed loop, until all requests returned.
pub(super) fn find_slowest_request(cells: &[Cell]) -> Nanos {
    let closed = cells.iter().filter(|cell| cell.job.pacing == Pacing::Closed);
    let request_time = |cell: &Cell| {
        let requests = cell.ledger.read_ops + cell.ledger.write_ops;
        Nanos(cell.ledger.elapsed.0 / requests.max(1)).min(REQUEST_TIME_MAX)
    };
    closed.map(request_time).max().unwrap_or_default()
}
