//! A fall of the level of a rate, and the cells that it is compared with.

use record::{Cell, CellRole, Measured};
use stats::Estimate;
use units::{Bytes, Nanos};
use workload::{Access, Mix, Pacing};

use crate::cells::interval_rates;

const INTERVALS_MIN: usize = 3;
/// Minimum ratio of a fall of writes that nothing paces.
pub(super) const CACHE_FALL_MIN: f64 = 1.5;
/// Clouds count larger requests in parts of this (AWS gp2, Azure: 256 KiB).
pub(super) const IO_UNIT: Bytes = Bytes::kib(256);
/// Ratio from which a repetition of reads was not slower.
const READ_RATIO_MIN: f64 = 0.85;

pub(super) struct LevelFall<'a> {
    pub(super) cell: &'a Cell,
    /// From the start of the run.
    pub(super) at: Nanos,
    pub(super) burst: Estimate,
    pub(super) baseline: Estimate,
    /// What was served beyond the baseline in the cell, until the fall.
    pub(super) excess: f64,
}

/// A closed loop of its own, whose rate is the device's.
pub(super) fn is_lone_closed_loop(cell: &Cell) -> bool {
    use CellRole::{Ladder, Main, Probe, Repeat, Round};
    matches!(cell.role, Main | Ladder | Probe | Repeat | Round)
        && cell.job.pacing == Pacing::Closed
        && cell.job.sync.is_none()
        && cell.beside.is_none()
}

pub(super) fn is_same_kind(a: &Cell, b: &Cell) -> bool {
    a.job.access == b.job.access
        && a.job.mix == b.job.mix
        && a.job.block_size == b.job.block_size
        && a.job.span == b.job.span
}

pub(super) fn later_cells_as_deep<'a>(
    measured: &'a Measured,
    cell: &'a Cell,
) -> impl Iterator<Item = &'a Cell> {
    measured.cells.iter().filter(|later| {
        later.started > cell.started
            && is_lone_closed_loop(later)
            && is_same_kind(later, cell)
            && later.job.depth >= cell.job.depth
    })
}

/// Operations that a store of credits counts one by one.
pub(super) fn is_small_random(cell: &Cell) -> bool {
    cell.job.block_size <= IO_UNIT && cell.job.access != Access::Sequential
}

pub(super) fn are_reads_unchanged(measured: &Measured, at: Nanos) -> bool {
    let reads =
        || measured.cells.iter().filter(|c| c.job.mix == Mix::Read && is_lone_closed_loop(c));
    let mut later = reads().filter(|cell| cell.started > at).filter_map(|cell| {
        let first = reads().find(|first| {
            first.started < at && is_same_kind(first, cell) && first.job.depth == cell.job.depth
        })?;
        Some(cell.iops() / first.iops().max(1e-9))
    });
    later.next().is_some_and(|ratio| ratio >= READ_RATIO_MIN)
        && later.all(|ratio| ratio >= READ_RATIO_MIN)
}

pub(super) fn cell_level(cell: &Cell) -> Estimate {
    stats::mean_of_series(&interval_rates(cell)).recentred(cell.iops())
}

pub(super) fn is_every_interval_lower(first: &Cell, later: &Cell) -> bool {
    let (high, low) = (interval_rates(first), interval_rates(later));
    let lowest = high.iter().copied().fold(f64::MAX, f64::min);
    let highest = low.iter().copied().fold(0.0, f64::max);
    high.len() >= INTERVALS_MIN && low.len() >= INTERVALS_MIN && highest < lowest
}
