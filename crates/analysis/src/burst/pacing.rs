//! Whether a rate is held as only a throttle holds it: calmer than independent operations are.

use record::{Cell, Measured};
use units::Nanos;

use super::fall::{LevelFall, is_lone_closed_loop, is_small_random};
use crate::calm::{WINDOW_NS, is_calm, typical_deviation};
use crate::cells::tick_rates;

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
