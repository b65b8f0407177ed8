//! A write cache that filled between two probes of a search. Writes of one kind are slower from
//! some probe on, for every probe as deep or deeper. That must have lasted, or long sequential
//! writes must be as slow: others may have come to the disk, and some devices do less at depth.

use record::{Cell, CellRole, Measured};
use units::Nanos;
use workload::{Access, Mix};

use super::fall::{
    CACHE_FALL_MIN, LevelFall, are_reads_unchanged, cell_level, is_every_interval_lower,
    is_lone_closed_loop, is_same_kind,
};

/// Minimum length together of the slower probes of the first one's depth: others' load comes for a
/// second.
const LASTED_MIN: Nanos = Nanos::secs(2);

/// The last probe of the writes before a cache was full, and what came to stay.
pub(super) fn find_filled_cache(measured: &Measured) -> Option<LevelFall<'_>> {
    let writes: Vec<&Cell> = measured
        .cells
        .iter()
        .filter(|cell| is_lone_closed_loop(cell) && cell.job.mix == Mix::Write)
        .filter(|cell| cell.job.access == Access::Random && cell.role != CellRole::Round)
        .collect();
    let mut pairs = writes.iter().enumerate().flat_map(|(i, &first)| {
        writes[i + 1..].iter().filter(move |later| is_lower(first, later)).map(move |&l| (first, l))
    });
    let (first, later) = pairs.rfind(|(first, later)| stays_lower(&writes, first, later))?;
    let at = Nanos(first.started.0.saturating_add(first.elapsed.0));
    let sure = has_lasted(&writes, first, at) || is_slow_in_sequence(measured, first);
    if !sure || !are_reads_unchanged(measured, at) {
        return None;
    }
    let (burst, baseline) = (cell_level(first), cell_level(later));
    let excess = (first.iops() - later.iops()) * first.elapsed.as_secs_f64();
    Some(LevelFall { cell: first, at, burst, baseline, excess })
}

/// As deep or deeper, and every slice of it below every one of the first.
fn is_lower(first: &Cell, later: &Cell) -> bool {
    is_same_kind(first, later)
        && later.job.depth >= first.job.depth
        && first.iops() >= CACHE_FALL_MIN * later.iops()
        && is_every_interval_lower(first, later)
}

fn stays_lower(writes: &[&Cell], first: &Cell, later: &Cell) -> bool {
    let middle = (first.iops() * later.iops()).sqrt();
    let mut since = writes.iter().filter(|cell| {
        cell.started >= later.started
            && is_same_kind(cell, first)
            && cell.job.depth >= first.job.depth
    });
    since.all(|cell| cell.iops() <= middle)
}

fn has_lasted(writes: &[&Cell], first: &Cell, at: Nanos) -> bool {
    let again = writes.iter().filter(|cell| {
        cell.started >= at && is_same_kind(cell, first) && cell.job.depth == first.job.depth
    });
    let slower = again.filter(|cell| first.iops() >= CACHE_FALL_MIN * cell.iops());
    slower.fold(0, |sum: u64, cell| sum.saturating_add(cell.elapsed.0)) >= LASTED_MIN.0
}

fn is_slow_in_sequence(measured: &Measured, first: &Cell) -> bool {
    let bytes = |cell: &Cell| cell.iops() * cell.job.block_size.0 as f64;
    let sequential = measured.cells.iter().filter(|cell| {
        is_lone_closed_loop(cell)
            && cell.job.mix == Mix::Write
            && cell.job.access == Access::Sequential
            && cell.job.block_size > first.job.block_size
            && cell.started > first.started
            && cell.iops() > 0.0
    });
    let mut sequential = sequential.peekable();
    sequential.peek().is_some()
        && sequential.all(|cell| bytes(first) >= CACHE_FALL_MIN * bytes(cell))
}

#[cfg(test)]
mod tests {
    use super::super::{BurstCause, find_burst_end};
    use super::*;
    use crate::testing::{cell_mut, reshape, sample_record};

    /// The SSD's writes of depth 16 and more at a quarter, and its sequential ones at a share.
    fn falling(sequential: f64) -> Measured {
        let mut record = sample_record();
        for name in ["randwrite-4k-qd64", "randwrite-4k-qd16"] {
            reshape(cell_mut(&mut record, name), |_| 0.05);
        }
        let seq = record
            .cells
            .iter_mut()
            .find(|c| c.job.mix == Mix::Write && c.job.access == Access::Sequential);
        reshape(seq.unwrap(), |_| sequential);
        record
    }

    #[test]
    fn writes_that_fall_between_probes_with_the_sequential_ones_filled_a_cache() {
        let record = falling(0.05);
        let fall = find_burst_end(&record).unwrap();
        assert_eq!(fall.cause, BurstCause::WriteCache);
        assert!(
            fall.burst_cells.iter().any(|name| name == "randwrite-4k-qd1"),
            "{:?}",
            fall.burst_cells
        );
        assert!(
            !fall.burst_cells.iter().any(|name| name == "randwrite-4k-qd64"),
            "{:?}",
            fall.burst_cells
        );
    }

    #[test]
    fn a_device_that_does_less_at_depth_filled_none() {
        assert!(find_burst_end(&falling(1.0)).is_none());
        assert!(find_burst_end(&sample_record()).is_none());
    }

    #[test]
    fn writes_that_come_back_filled_none() {
        let mut record = falling(0.05);
        let mut again = record.cell("randwrite-4k-qd1").unwrap().clone();
        again.name = "randwrite-4k-qd1-2".to_owned();
        again.started = record.cells.iter().map(|cell| cell.started).max().unwrap();
        record.cells.push(again);
        assert!(find_burst_end(&record).is_none());
    }

    #[test]
    fn a_repetition_that_lasts_needs_no_other_witness() {
        let with = |seconds: u64| {
            let mut record = falling(1.0);
            let mut again = record.cell("randwrite-4k-qd1").unwrap().clone();
            again.name = "randwrite-4k-qd1-2".to_owned();
            again.started = Nanos(record.cell("randwrite-4k-qd64").unwrap().started.0 + 1);
            again.elapsed = Nanos::secs(seconds);
            reshape(&mut again, |_| 0.2);
            record.cells.push(again);
            find_burst_end(&record).map(|fall| fall.cause)
        };
        assert_eq!(with(1), None);
        assert_eq!(with(3), Some(BurstCause::WriteCache));
    }

    #[test]
    fn reads_that_fell_too_are_no_write_cache() {
        let mut record = falling(0.05);
        reshape(cell_mut(&mut record, "randread-4k-qd1-repeat"), |_| 0.5);
        assert!(find_burst_end(&record).is_none_or(|fall| fall.cause != BurstCause::WriteCache));
    }
}
