//! `stall`: did the device fall silent? Where most operations take about as long as the gap,
//! silence is its pace.

use record::DirectionTotals;
use stats::LatencyHistogram;

use super::check::*;
use crate::calm::{SLICE, has_slice_rhythm};
use crate::pauses::{PAUSE_MARGIN, ticks_far_from_pauses};

pub(super) static CHECK: Check = Check {
    id: FindingId::Stall,
    method: Some(|| {
        StallMethod {
            gap: GAP_MIN,
            missed: MISSED_MIN as u64,
            factor: PACE_FACTOR as u64,
            margin: PAUSE_MARGIN,
        }
        .into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Shorter silences are scheduling.
pub(super) const GAP_MIN: Nanos = Nanos::millis(100);
/// Minimum number of operations that would have completed in the gap at the cell's mean rate.
const MISSED_MIN: f64 = 30.0;
/// Minimum ratio of a gap to the pace of the device.
const PACE_FACTOR: f64 = 3.0;
/// The pace is this quantile of the latencies of those operations that no silence held up, and at
/// least the median of all: one slow operation in a thousand may hold up a queue behind it. An open
/// loop has its own quantile, as the number of operations that wait there is not known.
const PACE_QUANTILE: f64 = 0.999;
const OPEN_PACE_QUANTILE: f64 = 0.9;
const PACE_QUANTILE_MIN: f64 = 0.5;
/// Least number of operations above that quantile: in a short cell the quantile is lower.
const PACE_OPS_MIN: f64 = 3.0;
/// A minute of ticks of 10 ms: the engine's drain ends sooner, a foreign record may claim any.
const DRAIN_TICKS_MAX: u64 = 6_000;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let mut longest = Nanos(0);
    let mut looked = false;
    for cell in measured.cells.iter().filter(|cell| cell.role != CellRole::Idle) {
        let mut counts = completions_per_tick(cell);
        counts.resize(counts.len() + drain_ticks(cell), 0);
        let ticks = ticks_far_from_pauses(cell, &counts);
        if ticks.len() < 10 {
            continue;
        }
        looked = true;
        let Some(silence) = find_silence(cell, &ticks) else { continue };
        let tick = cell.ticks.tick.0;
        let at = |ticks: usize| Nanos((ticks as u64).saturating_mul(tick));
        let gap = at(silence.length);
        longest = longest.max(gap);
        let share = Ratio(silence.total as f64 / ticks.len() as f64);
        let (start, total) = (at(silence.start), at(silence.total));
        let value = StallSilence { gap, start, total, share };
        finding.mark(cell, Status::Warning, value, gap.as_secs_f64());
    }
    if !looked {
        return Err(label("stall-too-short"));
    }
    Ok(match finding.status {
        Status::Ok => StallNone { gap: GAP_MIN }.into(),
        _ => StallLongest { longest }.into(),
    })
}

/// The longest gap, and the length of all stalls, in ticks.
struct Silence {
    start: usize,
    length: usize,
    total: usize,
}

/// The number of empty ticks in a row that makes a stall, where the gaps have these lengths in
/// ticks.
fn min_gap_ticks(cell: &Cell, ticks: &[(usize, u64)], gaps: &[usize]) -> usize {
    let tick_ns = cell.ticks.tick.0.max(1);
    let silences =
        gaps.iter().filter(|gap| (**gap as u64).saturating_mul(tick_ns) >= GAP_MIN.0).count();
    let pace = cell.totals.iter().filter_map(|(_, totals)| pace_ns(cell, totals, silences)).max();
    let pace = pace.map_or(0.0, |pace| PACE_FACTOR * pace as f64);
    let longest = gaps.iter().copied().max().unwrap_or(0);
    let busy = (ticks.len() - longest).max(1) as f64;
    let per_tick = ticks.iter().map(|&(_, n)| n as f64).sum::<f64>() / busy;
    let missed = MISSED_MIN / per_tick.max(1e-9);
    // Between two slices of a throttle nothing completes.
    let slice = if has_slice_rhythm(cell) { SLICE.0 } else { 0 };
    (((GAP_MIN.0 + slice) as f64).max(pace) / tick_ns as f64).max(missed).ceil() as usize
}

/// What operations of a direction take. Each silence holds up a queue, which may be a good part of
/// a short cell.
fn pace_ns(cell: &Cell, totals: &DirectionTotals, silences: usize) -> Option<u64> {
    let ops = totals.ops.max(1) as f64;
    let held_up = f64::from(cell.job.depth.0) * silences as f64 / ops;
    let most = PACE_QUANTILE.min(1.0 - PACE_OPS_MIN / ops);
    let quantile = match cell.job.is_open_loop() {
        true => OPEN_PACE_QUANTILE,
        false => most * (1.0 - held_up),
    };
    let mut latencies = LatencyHistogram::new();
    latencies.merge_sparse(&totals.latency_ns.histogram).ok()?;
    latencies.quantile(quantile.max(PACE_QUANTILE_MIN))
}

fn find_silence(cell: &Cell, ticks: &[(usize, u64)]) -> Option<Silence> {
    let gaps = ticks
        .chunk_by(|(place, count), (next, more)| place + 1 == *next && (*count | *more) == 0)
        .filter(|gap| gap[0].1 == 0);
    let (waited, last) = (longest_wait_ticks(cell), ticks.last()?.0);
    // What was asked for within a gap completed at its end.
    let gaps = gaps.map(|gap| {
        let end = gap[0].0 + gap.len();
        let length = if end > last { gap.len() } else { gap.len().min(waited) };
        (end - length, length)
    });
    let gaps: Vec<(usize, usize)> = gaps.collect();
    let lengths: Vec<usize> = gaps.iter().map(|(_, length)| *length).collect();
    let longest =
        |best: (usize, usize), gap: (usize, usize)| if gap.1 > best.1 { gap } else { best };
    let (start, length) = gaps.into_iter().reduce(longest)?;
    let least = min_gap_ticks(cell, ticks, &lengths);
    let total = lengths.iter().filter(|length| **length >= least).sum();
    (length >= least).then_some(Silence { start, length, total })
}

/// For how long at most something was outstanding without an end: an open loop may ask for nothing
/// for a while. What was outstanding at its end may be in no latency.
fn longest_wait_ticks(cell: &Cell) -> usize {
    if !cell.job.is_open_loop() {
        return usize::MAX;
    }
    let longest = |totals: &DirectionTotals| {
        totals.response_ns.as_deref().map_or(u64::MAX, |response| response.max)
    };
    let longest = cell.totals.iter().map(|(_, totals)| longest(totals)).max().unwrap_or(u64::MAX);
    longest.div_ceil(cell.ticks.tick.0.max(1)) as usize
}

/// Whole ticks of silence after the measured time.
fn drain_ticks(cell: &Cell) -> usize {
    let silence = cell.drain_silence.unwrap_or(Nanos::ZERO);
    (silence.0 / cell.ticks.tick.0.max(1)).min(DRAIN_TICKS_MAX) as usize
}

pub(super) fn completions_per_tick(cell: &Cell) -> Vec<u64> {
    let mut sum: Vec<u64> = Vec::new();
    for (_, ticks) in cell.ticks.directions.iter() {
        sum.resize(sum.len().max(ticks.ops.len()), 0);
        sum.iter_mut().zip(&ticks.ops).for_each(|(s, n)| *s = s.saturating_add(*n));
    }
    sum
}

messages! {
    StallMethod = "check-stall-method" { gap: Nanos, missed: u64, factor: u64, margin: Nanos };
    StallSilence = "stall-silence" { gap: Nanos, start: Nanos, total: Nanos, share: Ratio };
    StallNone = "stall-none" { gap: Nanos };
    StallLongest = "stall-longest" { longest: Nanos };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    fn silent(ticks: std::ops::Range<usize>) -> Measured {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        let series = cell.ticks.directions.read.as_mut().unwrap();
        series.ops[ticks].fill(0);
        record
    }

    /// Numbers of reads, each with the milliseconds that one took.
    fn set_latencies(cell: &mut Cell, reads: &[(u64, u64)]) {
        let mut latencies = LatencyHistogram::new();
        for (count, ms) in reads {
            (0..*count).for_each(|_| latencies.record(ms * 1_000_000));
        }
        let totals = cell.totals.read.as_mut().unwrap();
        totals.ops = latencies.count();
        totals.latency_ns = crate::summarise_latency(&latencies);
    }

    #[test]
    fn silences_are_found_and_short_gaps_are_not() {
        assert_eq!(check(&silent(20..20)).status, Status::Ok);
        assert_eq!(check(&silent(20..25)).status, Status::Ok);
        let finding = check(&silent(20..60));
        assert_eq!(finding.status, Status::Warning);
        assert!(finding.summary.text().contains("400 ms"), "{}", finding.summary.text());
    }

    #[test]
    fn silence_goes_on_after_the_end_of_the_cell() {
        let with_drain = |ticks, drain_ms| {
            let mut record = silent(ticks);
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            cell.drain_silence = Some(Nanos::millis(drain_ms));
            check(&record)
        };
        let finding = with_drain(24..100, 740);
        assert!(finding.evidence[0].value.text().contains("1.50 s, 240 ms after"), "{finding:?}");
        // Neither part alone is a stall.
        assert_eq!(with_drain(94..100, 60).status, Status::Warning);
        assert_eq!(with_drain(95..96, 60).status, Status::Ok);
        assert_eq!(with_drain(94..100, 20).status, Status::Ok);
    }

    #[test]
    fn a_slow_disk_is_not_a_stalled_one() {
        for each in [20, 45] {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            let series = cell.ticks.directions.read.as_mut().unwrap();
            series.ops.iter_mut().enumerate().for_each(|(i, n)| *n = u64::from(i % each == 0));
            assert_eq!(check(&record).status, Status::Ok, "every {each} ticks");
        }
    }

    #[test]
    fn the_queue_that_waits_for_the_end_of_a_stall_is_not_the_pace() {
        let check = |slow: u64| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            // Nothing for 650 ms, then 14 operations in each of 5 ticks.
            let series = cell.ticks.directions.read.as_mut().unwrap();
            series.ops = [&[0; 65][..], &[14; 5]].concat();
            set_latencies(cell, &[(slow, 650), (70 - slow, 5)]);
            check(&record).status
        };
        assert_eq!(check(16), Status::Warning);
        assert_eq!(check(60), Status::Ok, "most take that long");
    }

    #[test]
    fn what_waits_behind_a_slow_operation_is_no_stall() {
        let check = |silences: usize, tail_ms: u64| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            let series = cell.ticks.directions.read.as_mut().unwrap();
            series.ops = vec![30; 300];
            for silence in 0..silences {
                series.ops[20 + 80 * silence..31 + 80 * silence].fill(0);
            }
            let held = 16 * silences as u64;
            set_latencies(cell, &[(held, 110), (12, tail_ms), (7_000, 5)]);
            check(&record).status
        };
        // One in 600 takes 41 ms: one of 110 ms is among them now and then.
        assert_eq!(check(1, 41), Status::Ok);
        assert_eq!(check(1, 30), Status::Warning);
        // What several stalls hold up is no tail of the device.
        assert_eq!(check(3, 30), Status::Warning);
    }

    #[test]
    fn a_pause_of_an_open_loop_is_not_the_disks() {
        let check = |ticks: std::ops::Range<usize>, longest_ms: u64| {
            let mut record = silent(ticks);
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            let rate = units::Iops(cell.iops());
            cell.job.pacing =
                workload::Pacing::Open { rate, arrivals: workload::Arrivals::Poisson };
            let totals = cell.totals.read.as_mut().unwrap();
            let mut response = totals.latency_ns.clone();
            response.max = longest_ms * 1_000_000;
            totals.response_ns = Some(Box::new(response));
            check(&record)
        };
        assert_eq!(check(20..60, 4).status, Status::Ok);
        let finding = check(20..60, 395);
        assert!(finding.summary.text().contains("400 ms"), "{}", finding.summary.text());
        // It was asked for something in the middle of a pause.
        let finding = check(20..60, 250);
        assert!(finding.evidence[0].value.text().contains("250 ms, 350 ms after"), "{finding:?}");
        // What never completed is in no latency.
        assert_eq!(check(60..100, 4).status, Status::Warning);
    }

    #[test]
    fn every_stall_counts_in_the_total() {
        let mut record = silent(20..60);
        let cell = cell_mut(&mut record, "randread-4k-qd16");
        cell.ticks.directions.read.as_mut().unwrap().ops[80..100].fill(0);
        let finding = check(&record);
        assert!(finding.evidence[0].value.text().contains("600 ms in all"), "{finding:?}");
    }

    #[test]
    fn silence_near_a_pause_is_no_stall() {
        // Ticks of 10 ms; the process did not run for 300 ms from 300 ms on.
        let check = |silences: &[(usize, usize)], expected: Option<&str>| {
            let mut record = silent(30..60);
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            cell.pauses = vec![record::Pause {
                start: Nanos::millis(300),
                length: Nanos::millis(300),
                kind: record::PauseKind::Stopped,
            }];
            let series = cell.ticks.directions.read.as_mut().unwrap();
            silences.iter().for_each(|&(from, to)| series.ops[from..to].fill(0));
            let finding = check(&record);
            let found = finding.evidence.first().map(|fact| fact.value.text());
            assert_eq!(found.is_some(), expected.is_some(), "{silences:?} {found:?}");
            if let Some((found, expected)) = found.zip(expected) {
                assert!(found.contains(expected), "{silences:?} {found}");
            }
        };
        check(&[], None);
        check(&[(60, 75)], None);
        check(&[(15, 30)], None);
        // The two sides of a pause are not one silence.
        check(&[(12, 30), (60, 78)], None);
        // More than a tenth of a second beyond what a pause leaves is the device's.
        check(&[(60, 85)], Some("150 ms, 700 ms after"));
        check(&[(5, 30)], Some("150 ms, 50.0 ms after"));
    }

    #[test]
    fn bursts_of_a_throttle_are_its_pace() {
        // A hundred at once, then nothing for 150 ms: each waits about as long as the gap.
        let record_with = |latency_ms: u64| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            let series = cell.ticks.directions.read.as_mut().unwrap();
            let burst = |i: usize| if i.is_multiple_of(16) { 100 } else { 0 };
            series.ops.iter_mut().enumerate().for_each(|(i, n)| *n = burst(i));
            set_latencies(cell, &[(1_000, latency_ms)]);
            record
        };
        assert_eq!(check(&record_with(150)).status, Status::Ok);
        assert_eq!(check(&record_with(2)).status, Status::Warning);
    }
}
