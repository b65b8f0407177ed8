//! What pauses of the generator leave of a cell's series: what completed right after one had waited
//! for the generator, not for the device.

use record::{Cell, Interval, Pause, PauseKind};
use units::Nanos;

/// A pause is known to a heartbeat of 10 ms; what completed meanwhile is reaped within another.
const PAUSE_EDGE: Nanos = Nanos::millis(20);
/// Silence this close to a pause says nothing of the device: in 94 cells with pauses, on two
/// processors with load averages of 9 to 17, completions ended up to 49 ms before a pause and came
/// back up to 51 ms after it. This is twice that.
pub(crate) const PAUSE_MARGIN: Nanos = Nanos::millis(100);

/// Joins pauses that overlap, so that starts and ends ascend. One joined pause is of the worse
/// kind.
pub(crate) fn coalesce_pauses(mut pauses: Vec<Pause>) -> Vec<Pause> {
    pauses.sort_by_key(|pause| pause.start);
    pauses.dedup_by(|next, last| {
        let overlaps = next.start.0 <= end_ns(last);
        if overlaps {
            last.length = Nanos(end_ns(last).max(end_ns(next)) - last.start.0);
            if next.kind == PauseKind::Suspended {
                last.kind = PauseKind::Suspended;
            }
        }
        overlaps
    });
    pauses
}

fn end_ns(pause: &Pause) -> u64 {
    pause.start.0.saturating_add(pause.length.0)
}

pub(crate) struct CellPauses(Vec<Pause>);

impl CellPauses {
    pub(crate) fn from_cell(cell: &Cell) -> Self {
        // A record may come from elsewhere: nothing is assumed of its order.
        Self(coalesce_pauses(cell.pauses.clone()))
    }

    pub(crate) fn overlaps_pause(&self, start: Nanos, length: Nanos) -> bool {
        self.overlaps_within(start, length, PAUSE_EDGE)
    }

    /// Whether a slice overlaps a pause or the `margin` on either side of it.
    fn overlaps_within(&self, start: Nanos, length: Nanos, margin: Nanos) -> bool {
        let is_over = |pause: &Pause| end_ns(pause).saturating_add(margin.0) <= start.0;
        // Ends ascend: the first pause that is not over decides.
        let first = self.0.partition_point(is_over);
        let begin = |pause: &Pause| pause.start.0.saturating_sub(margin.0);
        self.0.get(first).is_some_and(|pause| begin(pause) < start.0.saturating_add(length.0))
    }
}

pub(crate) fn running_intervals(cell: &Cell) -> impl Iterator<Item = &Interval> {
    let pauses = CellPauses::from_cell(cell);
    let runs = move |interval: &&Interval| !pauses.overlaps_pause(interval.start, interval.length);
    cell.intervals.iter().filter(runs)
}

/// Ticks that no pause disturbs, with their places.
pub(crate) fn running_ticks<T: Copy>(cell: &Cell, series: &[T]) -> Vec<(usize, T)> {
    select_ticks(cell, series, PAUSE_EDGE)
}

/// Ticks farther than [`PAUSE_MARGIN`] from a pause, with their places.
pub(crate) fn ticks_far_from_pauses<T: Copy>(cell: &Cell, series: &[T]) -> Vec<(usize, T)> {
    select_ticks(cell, series, PAUSE_MARGIN)
}

fn select_ticks<T: Copy>(cell: &Cell, series: &[T], margin: Nanos) -> Vec<(usize, T)> {
    let tick = cell.ticks.tick;
    let pauses = CellPauses::from_cell(cell);
    let runs = |(place, _): &(usize, T)| {
        !pauses.overlaps_within(Nanos(tick.0.saturating_mul(*place as u64)), tick, margin)
    };
    series.iter().copied().enumerate().filter(runs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    #[test]
    fn slices_near_a_pause_are_left_out() {
        let mut record = sample_record();
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

    #[test]
    fn a_pause_within_a_longer_one_does_not_end_it() {
        let pause = |start, length, kind| Pause {
            start: Nanos::millis(start),
            length: Nanos::millis(length),
            kind,
        };
        let (stopped, suspended) = (PauseKind::Stopped, PauseKind::Suspended);
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        for kind in [stopped, suspended] {
            cell.pauses = vec![pause(0, 1_000, kind), pause(100, 50, stopped)];
            assert!(
                CellPauses::from_cell(cell).overlaps_pause(Nanos::millis(500), Nanos::millis(10))
            );
            assert_eq!(running_intervals(cell).count(), 0, "{kind:?}");
            assert_eq!(coalesce_pauses(cell.pauses.clone()), [pause(0, 1_000, kind)]);
        }
        let apart = vec![pause(0, 100, stopped), pause(200, 100, suspended)];
        assert_eq!(coalesce_pauses(apart.clone()), apart);
        let joined = [pause(0, 100, stopped), pause(50, 100, suspended), pause(140, 60, stopped)];
        assert_eq!(coalesce_pauses(joined.to_vec()), [pause(0, 200, suspended)]);
    }
}
