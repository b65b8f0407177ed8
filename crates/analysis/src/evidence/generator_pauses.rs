//! Time in which this process did not run, for `client-bound`. Rates exclude it, latencies of
//! outstanding operations cannot.

use message::{Message, label, messages};
use record::{Cell, Measured, Pause, PauseKind, Status};
use units::{Nanos, Ratio};
use workload::{Pacing, Statistic};

use crate::cells::elapsed_s;
use crate::finding::FindingBuilder;

/// Share of a cell's time: caches, credits and queues of the device rest meanwhile.
pub(crate) const PAUSED_SHARE_MAX: Ratio = Ratio(0.05);
/// Share of the operations beyond the strictest percentile of the run's bounds.
pub(crate) const TAIL_SHARE_MAX: Ratio = Ratio(0.5);
/// The tail of a run without bounds: that of the 99th percentile.
const DEFAULT_TAIL: f64 = 0.01;
/// Share of a pause from which an operation may have been outstanding in it; a pause is known to a
/// beat of 10 ms, and has at least seven.
const OUTSTANDING: f64 = 0.8;

/// What pauses did to the cells; `None` where there was none.
pub(crate) fn judge_pauses(measured: &Measured, finding: &mut FindingBuilder) -> Option<Message> {
    let mut longest: Option<&Pause> = None;
    for cell in measured.cells.iter().filter(|cell| !cell.pauses.is_empty()) {
        let status = if is_spoiled(cell, measured) { Status::Invalid } else { Status::Note };
        let stopped = stopped_time(cell).as_secs_f64();
        finding.mark(cell, status, describe_pauses(cell), stopped);
        longest = cell.pauses.iter().chain(longest).max_by_key(|pause| pause.length);
    }
    let longest = longest?;
    let (cells, length) = (finding.cells.len(), longest.length);
    finding.remedy = Some(label("remedy-measure-unstopped"));
    Some(match (longest.kind, finding.status) {
        // That spoils every cell that it meets.
        (PauseKind::Suspended, _) => PausesSuspended { length, cells }.into(),
        (PauseKind::Stopped, Status::Invalid) => PausesInFigures { length, cells }.into(),
        (PauseKind::Stopped, _) => PausesExcluded { length, cells }.into(),
    })
}

fn is_spoiled(cell: &Cell, measured: &Measured) -> bool {
    let suspended = cell.pauses.iter().any(|pause| pause.kind == PauseKind::Suspended);
    // Of requests with an idle target between them, a pause between two changes nothing.
    let spaced = matches!(cell.job.pacing, Pacing::Spaced { .. });
    let share = stopped_time(cell).as_secs_f64() / elapsed_s(cell);
    let operations: f64 = cell.totals.iter().map(|(_, totals)| totals.ops as f64).sum();
    suspended
        || (share > PAUSED_SHARE_MAX.0 && !spaced)
        || outstanding_in_pauses(cell) > TAIL_SHARE_MAX.0 * tail_share(measured) * operations
}

fn stopped_time(cell: &Cell) -> Nanos {
    let stopped = cell.pauses.iter().filter(|pause| pause.kind == PauseKind::Stopped);
    Nanos(stopped.fold(0, |sum, pause| sum.saturating_add(pause.length.0)))
}

/// At most those that took long enough, and no more than the depth for each pause.
fn outstanding_in_pauses(cell: &Cell) -> f64 {
    let histograms: Vec<_> = cell
        .totals
        .iter()
        .filter_map(|(_, totals)| totals.latency_ns.histogram.to_histogram().ok())
        .collect();
    let in_pause = |pause: &Pause| {
        let limit = (pause.length.0 as f64 * OUTSTANDING) as u64;
        let slow: f64 = histograms.iter().map(|whole| whole.count_above(limit)).sum();
        slow.min(f64::from(cell.job.depth.0))
    };
    cell.pauses.iter().map(in_pause).sum()
}

fn tail_share(measured: &Measured) -> f64 {
    let beyond = |statistic: Statistic| match statistic {
        Statistic::Percentile(p) => 1.0 - p / 100.0,
        Statistic::Mean => DEFAULT_TAIL,
        Statistic::Max => 0.0,
    };
    measured.plan.bounds.iter().map(|bound| beyond(bound.statistic)).fold(DEFAULT_TAIL, f64::min)
}

fn describe_pauses(cell: &Cell) -> Message {
    let total = Nanos(cell.pauses.iter().fold(0, |sum, p| sum.saturating_add(p.length.0)));
    let at = |pause: &Pause| Nanos(cell.started.0.saturating_add(pause.start.0));
    let share = Ratio(total.as_secs_f64() / elapsed_s(cell));
    let longest = cell.pauses.iter().max_by_key(|pause| pause.length);
    let start = longest.map_or(Nanos::ZERO, at);
    match (cell.pauses.len(), longest) {
        (pauses @ 2.., Some(longest)) => {
            let longest = longest.length;
            PausesOfCell { total, share, pauses, longest, start }.into()
        }
        _ => PauseOfCell { total, share, start }.into(),
    }
}

messages! {
    PausesSuspended = "generator-pauses-suspended" { length: Nanos, cells: usize };
    PausesInFigures = "generator-pauses-in-figures" { length: Nanos, cells: usize };
    PausesExcluded = "generator-pauses-excluded" { length: Nanos, cells: usize };
    PauseOfCell = "generator-pauses-one" { total: Nanos, share: Ratio, start: Nanos };
    PausesOfCell = "generator-pauses-several" {
        total: Nanos, share: Ratio, pauses: usize, longest: Nanos, start: Nanos,
    };
}

#[cfg(test)]
mod tests {
    use record::{Finding, FindingId};

    use super::*;
    use crate::testing::{cell_mut, sample_record};

    const CELL: &str = "randread-4k-qd16";

    /// A run in which one cell was paused, and `slow` operations took as long as that.
    fn paused(length: Nanos, kind: PauseKind, slow: u64) -> Measured {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, CELL);
        cell.pauses = vec![Pause { start: Nanos::millis(300), length, kind }];
        let read = cell.totals.read.as_mut().unwrap();
        let mut histogram = read.latency_ns.histogram.to_histogram().unwrap();
        (0..slow).for_each(|_| histogram.record(length.0));
        read.latency_ns.histogram = histogram.to_sparse();
        record
    }

    fn of(record: &Measured, id: FindingId) -> Finding {
        crate::judge(record).findings.into_iter().find(|finding| finding.id == id).unwrap()
    }

    #[test]
    fn a_long_pause_spoils_its_cell_and_is_named() {
        let record = paused(Nanos::secs(1), PauseKind::Stopped, 16);
        let finding = of(&record, FindingId::ClientBound);
        assert_eq!((finding.status, &finding.cells[..]), (Status::Invalid, &[CELL.to_owned()][..]));
        assert!(finding.summary.text().contains("did not run"), "{finding:?}");
        assert_eq!(finding.evidence[0].figure, Some(1.0));
    }

    #[test]
    fn a_short_pause_that_reaches_no_percentile_is_a_note() {
        let check = |slow, ops, expected| {
            let mut record = paused(Nanos::millis(80), PauseKind::Stopped, slow);
            let cell = cell_mut(&mut record, CELL);
            cell.elapsed = Nanos::secs(10);
            cell.totals.read.as_mut().unwrap().ops = ops;
            assert_eq!(of(&record, FindingId::ClientBound).status, expected, "{slow} of {ops}");
        };
        check(16, 100_000, Status::Note);
        check(16, 2_000, Status::Invalid);
        check(0, 2_000, Status::Note);
    }

    #[test]
    fn a_bound_on_the_maximum_bears_no_pause() {
        let mut record = paused(Nanos::millis(80), PauseKind::Stopped, 1);
        cell_mut(&mut record, CELL).elapsed = Nanos::secs(10);
        record.plan.bounds[0].statistic = Statistic::Max;
        assert_eq!(of(&record, FindingId::ClientBound).status, Status::Invalid);
    }

    #[test]
    fn suspension_spoils_whatever_it_meets() {
        let record = paused(Nanos::secs(3600), PauseKind::Suspended, 0);
        let finding = of(&record, FindingId::ClientBound);
        assert_eq!(finding.status, Status::Invalid);
        assert!(finding.summary.text().contains("suspended"), "{finding:?}");
    }

    #[test]
    fn a_pause_is_no_stall_and_a_stall_beside_it_is_one() {
        let mut record = paused(Nanos::millis(400), PauseKind::Stopped, 16);
        let silence = |record: &mut Measured, ticks: std::ops::Range<usize>| {
            let cell = cell_mut(record, CELL);
            cell.ticks.directions.read.as_mut().unwrap().ops[ticks].fill(0);
        };
        silence(&mut record, 29..71);
        assert_eq!(of(&record, FindingId::Stall).status, Status::Ok);
        silence(&mut record, 80..100);
        let finding = of(&record, FindingId::Stall);
        assert_eq!(finding.status, Status::Warning);
        assert!(finding.evidence[0].value.text().contains("200 ms, 800 ms after"), "{finding:?}");
    }

    #[test]
    fn two_reasons_keep_the_cells_of_both() {
        let mut record = paused(Nanos::secs(1), PauseKind::Stopped, 16);
        let cell = cell_mut(&mut record, "randread-4k-qd64");
        let lag_ns = cell.totals.read.as_ref().unwrap().latency_ns.clone();
        cell.open_loop = Some(Box::new(record::OpenLoop {
            started: 1000,
            lag_ns,
            generator_late: true,
            ..record::OpenLoop::default()
        }));
        let finding = of(&record, FindingId::ClientBound);
        assert_eq!(finding.cells, [CELL, "randread-4k-qd64"]);
        assert_eq!(finding.evidence.len(), 2);
        assert!(finding.summary.text().contains("did not run"));
    }
}
