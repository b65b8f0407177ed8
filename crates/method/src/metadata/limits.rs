//! Times and counts of a run over small files.

use units::Nanos;

/// Rounds that are measured unless asked otherwise: of six, the lowest and the highest hold the
/// median with 97 %; fewer give no interval of 95 %.
pub const DEFAULT_ROUNDS: u32 = 6;
pub(super) const CREATE_TIME: Nanos = Nanos::millis(120);
/// A warm look at all files goes on for so long: what takes less is told by how soon its threads
/// wake, which takes them up to 200 us.
pub(super) const WARM_LOOK_TIME: Nanos = Nanos::millis(20);
pub(super) const WARM_LOOK_TIME_MIN: Nanos = Nanos::millis(2);
/// A cold look at single files ends after this: a hard disk takes 5 to 15 ms for each.
pub(super) const COLD_LOOK_TIME: Nanos = Nanos::secs(1);
pub(super) const COLD_LOOK_TIME_MIN: Nanos = Nanos::millis(20);
/// Files of a round at most: they should be gone soon.
pub(super) const FILES_MAX: u64 = 20_000;
/// And at least: those of six rounds support a p99, and where each waits for a disk a median.
pub(super) const FILES_MIN: u64 = 64;
pub(super) const SYNCED_FILES_MIN: u64 = 8;
pub(super) const CREATE_TIME_MIN: Nanos = Nanos::millis(5);
pub(super) const THREADS_MAX: u32 = 256;
pub(super) const ROUNDS_MAX: u32 = 1000;
pub(super) const REQUESTED_FILES_MAX: u64 = 10_000_000;
