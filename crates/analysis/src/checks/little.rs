//! `little`: do the counts of the generator balance, and was the depth kept? Where memory answers
//! within the submitting call, a missing depth is only a note.

use units::Depth;
use workload::Pacing;

use super::check::*;
use super::page_cache::is_answered_by_memory;
use super::stall::completions_per_tick;
use crate::cells::device_queue;
use crate::lists::sum_counts;
use crate::pauses::CellPauses;

pub(super) static CHECK: Check = Check {
    id: FindingId::Little,
    method: Some(|| {
        LittleMethod { agree: AGREE_WITHIN, noted: NOTE_BELOW, warned: WARNING_BELOW }.into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Difference between counting and Little's law (methodology: 2 %).
const AGREE_WITHIN: Ratio = Ratio(0.02);
/// Submissions of a virtual disk alone take 5 to 12 % of the depth.
const NOTE_BELOW: Ratio = Ratio(0.90);
const WARNING_BELOW: Ratio = Ratio(0.75);
/// Cells of fewer operations balance no books.
const OPS_MIN: u64 = 100;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let mut worst: f64 = 0.0;
    let mut looked = false;
    let enough = |cell: &&Cell| sum_counts(cell.totals.iter(), |(_, t)| t.ops) >= OPS_MIN;
    for cell in measured.cells.iter().filter(enough) {
        looked = true;
        let depth = cell.achieved_depth;
        let little = depth.little + depth.outside_latencies.unwrap_or(0.0);
        let differ = (depth.counted - little).abs() / depth.counted.max(1e-9);
        worst = worst.max(differ);
        let within = match depth.outside_latencies {
            Some(_) => Some(AGREE_WITHIN.0),
            None => estimate_edges(cell).map(|edges| AGREE_WITHIN.0 + edges),
        };
        if within.is_some_and(|within| differ > within) {
            let value = LittleDepths { counted: depth.counted, little };
            finding.mark(cell, Status::Invalid, value, differ);
        } else if let Some(share) = kept_depth_share(cell).filter(|share| *share < NOTE_BELOW.0) {
            let is_far = share < WARNING_BELOW.0 && !is_answered_by_memory(cell, measured);
            let status = if is_far { Status::Warning } else { Status::Note };
            let (counted, depth) = (depth.counted, cell.job.depth);
            let value: Message = match device_queue(cell) {
                Some((device, at_device)) => {
                    let device = device.to_owned();
                    LittleDepthAtDevice { counted, depth, at_device, device }.into()
                }
                None => LittleDepthMissed { counted, depth }.into(),
            };
            finding.mark(cell, status, value, share);
        }
    }
    if !looked {
        return Err(label("little-too-few"));
    }
    Ok(match finding.status {
        Status::Invalid => label("little-counts-differ"),
        Status::Warning | Status::Note => label("little-depth-not-kept"),
        _ => LittleCountsAgree { within: Ratio(worst) }.into(),
    })
}

/// The largest share of the time integral that operations across the two edges of the measured time
/// may be, in a record that did not count them. `None` where what had not come back may be more: a
/// backlog, and a pause at the end.
fn estimate_edges(cell: &Cell) -> Option<f64> {
    let cut = CellPauses::from_cell(cell).overlaps_pause(cell.elapsed, Nanos(1));
    if cut || !crate::curve::is_stable(cell) {
        return None;
    }
    let longest = cell.totals.iter().map(|(_, t)| t.latency_ns.max).max().unwrap_or(0);
    let longest = longest.saturating_add(final_silence(cell).0);
    Some(longest as f64 / cell.elapsed.0.max(1) as f64)
}

/// Outstanding operations waited at least this long, and are in no latency.
fn final_silence(cell: &Cell) -> Nanos {
    let counts = completions_per_tick(cell);
    let empty = counts.iter().rev().take_while(|count| **count == 0).count();
    Nanos(cell.ticks.tick.0.saturating_mul(empty as u64))
}

/// `None` where the depth is not expected to be kept.
fn kept_depth_share(cell: &Cell) -> Option<f64> {
    let exempt = cell.role == CellRole::Idle
        || cell.job.sync.is_some()
        || cell.job.is_open_loop()
        || matches!(cell.job.pacing, Pacing::Spaced { .. });
    (!exempt).then(|| cell.achieved_depth.counted / f64::from(cell.job.depth.0))
}

messages! {
    LittleMethod = "check-little-method" { agree: Ratio, noted: Ratio, warned: Ratio };
    LittleDepths = "little-depths" { counted: f64, little: f64 };
    LittleDepthMissed = "little-depth-missed" { counted: f64, depth: Depth };
    LittleDepthAtDevice = "little-depth-at-device" {
        counted: f64, depth: Depth, at_device: f64, device: String,
    };
    LittleCountsAgree = "little-counts-agree" { within: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn unbalanced_books_and_idle_slots_are_told_apart() {
        let check = |counted: f64, little: f64, status| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            cell.achieved_depth.counted = counted;
            cell.achieved_depth.little = little;
            assert_eq!(check(&record).status, status, "{counted} {little}");
        };
        check(15.9, 15.9, Status::Ok);
        check(15.9, 12.6, Status::Invalid);
        check(13.8, 13.8, Status::Note);
        check(11.0, 11.0, Status::Warning);
    }

    /// One stream is served, seven starve: their time is in no latency.
    #[test]
    fn what_no_latency_holds_balances_the_books() {
        let check = |outside, status| {
            let mut record = sample_record();
            let depth = &mut cell_mut(&mut record, "randread-4k-qd16").achieved_depth;
            (depth.counted, depth.little) = (15.9, 2.0);
            depth.outside_latencies = Some(outside);
            assert_eq!(check(&record).status, status, "{outside}");
        };
        check(13.9, Status::Ok);
        check(13.0, Status::Invalid);
        check(14.8, Status::Invalid);
    }

    #[test]
    fn the_queue_of_the_device_is_told_beside_idle_slots() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        (cell.achieved_depth.counted, cell.achieved_depth.little) = (11.0, 11.0);
        cell.ledger.layers[0].queue_ms = 9_500;
        let finding = check(&record);
        assert_eq!(finding.evidence[0].value, "depth 11.0 instead of 16; vda had 9.50 outstanding");
    }

    #[test]
    fn what_memory_answers_within_the_call_is_a_note() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        (cell.achieved_depth.counted, cell.achieved_depth.little) = (8.0, 8.0);
        let asked = cell.ledger.read_ops;
        for (served, expected) in [(asked, Status::Warning), (asked / 10, Status::Note)] {
            let top = &mut cell_mut(&mut record, "randread-4k-qd16").ledger.layers[0];
            (top.read_ops, top.merges) = (served, 0);
            assert_eq!(check(&record).status, expected, "{served}");
        }
    }

    /// A throttle that is set anew holds what it has for a while: nothing comes back any more.
    #[test]
    fn what_waits_at_the_end_is_no_fault_of_the_books() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        (cell.achieved_depth.counted, cell.achieved_depth.little) = (16.0, 12.6);
        let ticks = cell.ticks.directions.read.as_mut().unwrap();
        let (all, silent) = (ticks.ops.len(), ticks.ops.len() * 3 / 10);
        ticks.ops[all - silent..].fill(0);
        assert_eq!(check(&record).status, Status::Ok);
        let ticks = cell_mut(&mut record, "randread-4k-qd16").ticks.directions.read.as_mut();
        *ticks.unwrap().ops.last_mut().unwrap() = 1;
        assert_eq!(check(&record).status, Status::Invalid);
    }

    /// A file system that freezes: what it holds at the end is counted for three quarters of the
    /// time, and its latency is in no sum.
    #[test]
    fn a_long_silence_at_the_end_balances_the_books() {
        let check = |little: f64, expected| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            (cell.achieved_depth.counted, cell.achieved_depth.little) = (16.0, little);
            let ticks = cell.ticks.directions.read.as_mut().unwrap();
            let all = ticks.ops.len();
            ticks.ops[all / 4..].fill(0);
            assert_eq!(check(&record).status, expected, "{little}");
        };
        check(4.0, Status::Ok);
        check(1.0, Status::Invalid);
    }

    #[test]
    fn what_waits_in_a_pause_at_the_end_is_no_fault_of_the_books() {
        let check = |start: u64, expected| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            (cell.achieved_depth.counted, cell.achieved_depth.little) = (16.0, 3.0);
            let (start, length) = (Nanos::millis(start), Nanos::millis(500));
            let kind = record::PauseKind::Stopped;
            cell.pauses = vec![record::Pause { start, length, kind }];
            assert_eq!(check(&record).status, expected, "{start}");
        };
        check(500, Status::Ok);
        check(200, Status::Invalid);
    }

    #[test]
    fn spaced_and_syncing_jobs_owe_no_depth() {
        let mut record = sample_record();
        for name in ["randread-4k-qd1", "syncwrite-4k"] {
            let cell = cell_mut(&mut record, name);
            (cell.achieved_depth.counted, cell.achieved_depth.little) = (0.1, 0.1);
        }
        let pacing = Pacing::Spaced { interval: units::Nanos::millis(100) };
        cell_mut(&mut record, "randread-4k-qd1").job.pacing = pacing;
        assert_eq!(check(&record).status, Status::Ok);
    }
}
