//! A fall of the level of a rate, and the cells that it is compared with.

use record::{Cell, CellRole, Measured};
use stats::Estimate;
use units::{Bytes, Nanos};
use workload::{Access, Mix, Pacing};

use crate::calm::{WINDOW_NS, is_calm, typical_deviation};
use crate::cells::{interval_rates, tick_rates};

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

const WINDOW_NS_MIN: u64 = 300_000_000;
/// Cells that ended at the same rate as the fall.
const SAME_RATE: f64 = 0.02;
/// A window silent for more than twice the median of all and two ticks lacked a processor: neither
/// it nor the next, which catches up, says anything of the pace. At most this share is left out.
const SILENCE_FACTOR: usize = 2;
const DROPPED_SHARE_MAX: f64 = 0.5;

/// Part of a cell: its rate, and its longest silence in ticks.
#[derive(Debug, Clone, Copy)]
struct Window {
    rate: f64,
    silence: usize,
}

pub(super) fn is_paced(measured: &Measured, raw: &LevelFall<'_>) -> bool {
    let after = raw.baseline.value;
    let from =
        Nanos(raw.at.0.saturating_sub(raw.cell.started.0).saturating_add(raw.cell.job.interval.0));
    let mut windows = split_windows(raw.cell, from);
    let later = measured.cells.iter().filter(|cell| {
        cell.started > raw.cell.started
            && is_lone_closed_loop(cell)
            && is_small_random(cell) == is_small_random(raw.cell)
            && (cell.iops() / after - 1.0).abs() <= SAME_RATE
    });
    windows.extend(later.flat_map(|cell| split_windows(cell, Nanos::ZERO)));
    let deviations: Vec<f64> = drop_stalled_windows(&windows)
        .iter()
        .map(|window| (window.rate / after - 1.0).abs())
        .collect();
    typical_deviation(&deviations).is_some_and(|deviation| is_calm(deviation, after))
}

/// Windows in which no thread was kept from the processors; all where that cannot be told.
fn drop_stalled_windows(windows: &[Window]) -> Vec<Window> {
    let silences: Vec<f64> = windows.iter().map(|window| window.silence as f64).collect();
    let usual = stats::quantile_of(&silences, 0.5).unwrap_or(0.0) as usize;
    let most = SILENCE_FACTOR * usual + 2;
    let paused = |i: usize| windows.get(i).is_some_and(|window| window.silence > most);
    let told = |i: &usize| !paused(*i) && !i.checked_sub(1).is_some_and(paused);
    let left: Vec<Window> = (0..windows.len()).filter(told).map(|i| windows[i]).collect();
    let enough = left.len() as f64 >= (1.0 - DROPPED_SHARE_MAX) * windows.len() as f64;
    if enough { left } else { windows.to_vec() }
}

/// Each half second of a cell from a time on; a shorter rest as a whole.
fn split_windows(cell: &Cell, from: Nanos) -> Vec<Window> {
    let tick = cell.ticks.tick.0.max(1);
    let rates = tick_rates(cell);
    let rest = rates.get((from.0 / tick) as usize..).unwrap_or_default();
    let per_window = (WINDOW_NS / tick).max(1) as usize;
    if rest.len() >= per_window {
        return rest.chunks_exact(per_window).map(measure_window).collect();
    }
    let least = (WINDOW_NS_MIN / tick).max(1) as usize;
    if rest.len() >= least { vec![measure_window(rest)] } else { Vec::new() }
}

fn measure_window(rates: &[f64]) -> Window {
    let silent = rates.split(|rate| *rate > 0.0).map(<[f64]>::len);
    Window {
        rate: rates.iter().sum::<f64>() / rates.len().max(1) as f64,
        silence: silent.max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half seconds of 50 ticks of 20 operations, with these ticks silent.
    fn windows(silent: &[std::ops::Range<usize>]) -> Vec<Window> {
        let make = |range: &std::ops::Range<usize>| {
            let rates: Vec<f64> =
                (0..50).map(|i| if range.contains(&i) { 0.0 } else { 2000.0 }).collect();
            measure_window(&rates)
        };
        silent.iter().map(make).collect()
    }

    #[test]
    fn pauses_are_left_out_and_slices_are_not() {
        let paused = windows(&[0..0, 10..30, 0..0, 5..6, 48..50, 0..0, 0..45, 0..1, 0..2]);
        let left: Vec<usize> =
            drop_stalled_windows(&paused).iter().map(|window| window.silence).collect();
        assert_eq!(left, [0, 1, 2, 0, 2], "nor the one after a pause");
        // Each is silent for eight ticks of ten.
        let sliced = windows(&[0..8, 10..18, 20..28, 30..38, 40..48]);
        assert_eq!(drop_stalled_windows(&sliced).len(), 5);
        // Where half of them are paused, who is to say which?
        let wild = windows(&[0..0, 0..40, 0..0, 0..40, 0..0]);
        assert_eq!(drop_stalled_windows(&wild).len(), 5);
    }
}
