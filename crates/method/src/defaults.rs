//! What several procedures assume.

use units::{Bytes, Nanos};

pub(crate) const SPAN_MIN: Bytes = Bytes::mib(16);
/// Largest test file of a search or a matrix unless a size was asked for, and how long laying it
/// out may take: what is not written by then is left out.
pub(crate) const FILE_SIZE_MAX: Bytes = Bytes::gib(4);
pub(crate) const LAYOUT_TIME_MAX: Nanos = Nanos::secs(15);
/// Part of the budget of a check, and of a short search, that laying out the file may take.
pub(crate) const LAYOUT_SHARE: f64 = 0.35;
/// Warm-up of a cell, and how often each slot is used in it at least.
pub(crate) const WARM_UP: Nanos = Nanos::millis(150);
pub(crate) const WARM_UP_TURNS: f64 = 2.0;
/// The most memory that the operations of a cell may need at the same time.
pub(crate) const MEMORY_MAX: Bytes = Bytes::gib(4);
/// The same of operations that arrive faster than they are done.
pub(crate) const BACKLOG_MEMORY_MAX: Bytes = Bytes::mib(256);
pub(crate) const REPORT_RESERVE: Nanos = Nanos::secs(1);

/// A throttle serves in slices of a tenth of a second (blk-throttle's `throtl_slice`): a cell of
/// whole ones counts its rate exactly.
pub(crate) const THROTTLE_SLICE: Nanos = Nanos::millis(100);
