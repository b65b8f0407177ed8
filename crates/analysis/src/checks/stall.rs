//! `stall`: did the device fall silent?
//!
//! A closed loop sends nothing while it waits, so a silence of a second adds only one depth's
//! worth of slow operations, and no percentile shows it. The gap in the series of completions
//! does. Blind spot: silences shorter than a tenth of a second.

use record::{Cell, CellRole, Evidence, Finding, FindingId, Record, Status};
use units::{Nanos, Ratio};

use super::{Tally, not_observable};

/// Shorter silences are scheduling.
const GAP_MIN: Nanos = Nanos::millis(100);
/// So many operations would have completed in the gap at the cell's mean rate.
const MISSED_MIN: f64 = 30.0;

pub(super) fn check(record: &Record) -> Finding {
    let id = FindingId::Stall;
    let mut tally = Tally::new(id);
    let mut longest = Nanos(0);
    let mut looked = false;
    for cell in record.cells.iter().filter(|cell| cell.role != CellRole::Idle) {
        let counts = completions(cell);
        if counts.len() < 10 {
            continue;
        }
        looked = true;
        let Some((start, length)) = stats::longest_zero_run(&counts) else {
            continue;
        };
        let tick = cell.ticks.tick.0;
        let gap = Nanos(length as u64 * tick);
        let done: u64 = counts.iter().sum();
        let busy = (counts.len() - length).max(1) as f64;
        let missed = done as f64 / busy * length as f64;
        longest = longest.max(gap);
        if gap >= GAP_MIN && missed >= MISSED_MIN {
            let share = Ratio(length as f64 / counts.len() as f64);
            let value = format!(
                "nothing completed for {gap}, {} after its start ({share} of the cell)",
                Nanos(start as u64 * tick)
            );
            let fact = Evidence::figure(&cell.name, value, gap.as_secs_f64());
            tally.touch(cell, Status::Warning, fact);
        }
    }
    if !looked {
        return not_observable(id, "no cell was long enough to show a silence");
    }
    let summary = if tally.status == Status::Ok {
        "the device never fell silent for a tenth of a second".to_owned()
    } else {
        format!("the device fell silent, for up to {longest}")
    };
    tally.finish(
        summary,
        Some("look for resets in the kernel log, a throttle, or garbage collection; repeat"),
    )
}

/// Completions of every direction per tick.
fn completions(cell: &Cell) -> Vec<u64> {
    let mut sum: Vec<u64> = Vec::new();
    for (_, ticks) in cell.ticks.directions.iter() {
        sum.resize(sum.len().max(ticks.ops.len()), 0);
        sum.iter_mut().zip(&ticks.ops).for_each(|(s, n)| *s += n);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, record};

    fn silent(ticks: std::ops::Range<usize>) -> Record {
        let mut record = record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        let series = cell.ticks.directions.read.as_mut().unwrap();
        series.ops[ticks].fill(0);
        record
    }

    #[test]
    fn silences_are_found_and_short_gaps_are_not() {
        assert_eq!(check(&silent(20..20)).status, Status::Ok);
        assert_eq!(check(&silent(20..25)).status, Status::Ok);
        let finding = check(&silent(20..60));
        assert_eq!(finding.status, Status::Warning);
        assert!(finding.summary.contains("400 ms"), "{}", finding.summary);
    }

    #[test]
    fn a_slow_disk_is_not_a_stalled_one() {
        let mut record = record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        let series = cell.ticks.directions.read.as_mut().unwrap();
        series.ops.iter_mut().enumerate().for_each(|(i, n)| *n = u64::from(i % 20 == 0));
        assert_eq!(check(&record).status, Status::Ok);
    }
}
