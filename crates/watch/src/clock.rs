//! The clock of the kernel's own times.

use rustix::time::{ClockId, clock_gettime};

/// The monotonic clock, in nanoseconds.
pub(crate) fn read_clock() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
