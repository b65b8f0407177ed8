//! What pauses of the generator leave of a cell's series.
//!
//! While the generator did not run, nothing completed, and what completed right after it had waited
//! for the generator and not for the device. Neither is evidence of the device.

use record::{Cell, Interval};
use units::Nanos;

/// A pause is known to one beat of the generator's heart, 10 ms; what had completed meanwhile is
/// reaped within another.
const EDGE: Nanos = Nanos::millis(20);

/// Whether a slice of a cell's series, which begins at `start` from the start of measuring, is
/// disturbed by a pause.
pub(crate) fn is_paused(cell: &Cell, start: Nanos, length: Nanos) -> bool {
    let begin = |pause: &record::Pause| pause.start.0.saturating_sub(EDGE.0);
    let end =
        |pause: &record::Pause| pause.start.0.saturating_add(pause.length.0).saturating_add(EDGE.0);
    // Ascending, as they are, the first that is not over decides.
    let first = cell.pauses.partition_point(|pause| end(pause) <= start.0);
    cell.pauses.get(first).is_some_and(|pause| begin(pause) < start.0.saturating_add(length.0))
}

/// The intervals of a cell that no pause disturbs.
pub(crate) fn running_intervals(cell: &Cell) -> impl Iterator<Item = &Interval> {
    cell.intervals.iter().filter(|interval| !is_paused(cell, interval.start, interval.length))
}

/// The ticks of a series of a cell that no pause disturbs, with their places.
pub(crate) fn running_ticks<T: Copy>(cell: &Cell, series: &[T]) -> Vec<(usize, T)> {
    let tick = cell.ticks.tick;
    let runs = |(place, _): &(usize, T)| {
        !is_paused(cell, Nanos(tick.0.saturating_mul(*place as u64)), tick)
    };
    series.iter().copied().enumerate().filter(runs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, record};
    use record::{Pause, PauseKind};

    #[test]
    fn slices_near_a_pause_are_left_out() {
        let mut record = record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        let pause = |start, length| Pause {
            start: Nanos::millis(start),
            length: Nanos::millis(length),
            kind: PauseKind::Stopped,
        };
        cell.pauses = vec![pause(330, 100), pause(900, 80)];
        let left = |cell: &Cell| -> Vec<u64> {
            running_intervals(cell).map(|i| i.start.0 / 1_000_000).collect()
        };
        assert_eq!(left(cell), [0, 100, 200, 500, 600, 700]);
        let series: Vec<u64> = (0..100).collect();
        let ticks = running_ticks(cell, &series);
        assert_eq!(ticks.len(), 100 - 14 - 12);
        assert!(ticks.contains(&(30, 30)) && !ticks.contains(&(31, 31)));
        assert!(!ticks.contains(&(44, 44)) && ticks.contains(&(45, 45)));
    }
}
