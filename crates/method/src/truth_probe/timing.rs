//! How the time of a probe is divided.

use units::Nanos;

use crate::session::Session;

/// What a cell takes beside its measuring: workers made ready, started, waited for, and counters
/// read twice. Measured 5 to 12 ms.
pub(super) const CELL_OVERHEAD: Nanos = Nanos::millis(8);

/// How long each of `cells` cells may measure when all of them take `time`; not below `least`,
/// for a shorter one says nothing.
pub(super) fn cell_time(time: Nanos, cells: u64, least: Nanos) -> Nanos {
    let each = Nanos(time.0 / cells.max(1));
    Nanos(each.0.saturating_sub(CELL_OVERHEAD.0)).max(least)
}

/// When a trial of `time` that runs late gives up what is left of it.
pub(super) fn probe_deadline(session: &Session<'_>, time: Nanos) -> Nanos {
    Nanos(session.elapsed().0 + time.0 + time.0 / 4)
}
