//! `burst`: were the figures measured while a store of credits, or a write cache, lasted?

use record::{Counted, Curve};
use stats::Estimate;

use super::check::*;
use crate::burst::{BurstCause, BurstEnd, find_burst_end, soak_cell};
use crate::curve::is_provider_disk;
use crate::words::WithInterval;
use crate::writes::{bytes_written, write_cache_max};

pub(super) static CHECK: Check = Check {
    id: FindingId::Burst,
    method: None,
    run: |subject, finding| check(subject.measured, subject.judgement, finding),
};

/// The longest common burst from a full store: AWS gp2 of 750 GiB, 5.4 million credits at 750 a
/// second.
const BURST_LENGTH_MAX: Nanos = Nanos::secs(7200);
/// Bursts of a minute have ended within this.
const MINUTE_SEEN: Nanos = Nanos::secs(120);

fn check(measured: &Measured, judgement: &Judgement, finding: &mut FindingBuilder) -> Outcome {
    match find_burst_end(measured) {
        Some(fall) if has_neighbour(judgement, &fall) => {
            let (from, to) = describe_rates(&fall);
            Err(FellBesideOthers { from, to, cell: fall.cell.name.clone() }.into())
        }
        Some(fall) => {
            let is_ramp = |curve: &Curve| curve.earlier.is_some_and(|earlier| earlier.gradual);
            let ramp = judgement.curves.iter().any(is_ramp);
            Ok(describe_end(&fall, ramp, finding))
        }
        None => describe_no_end(measured),
    }
}

fn has_neighbour(judgement: &Judgement, fall: &BurstEnd<'_>) -> bool {
    judgement.finding(FindingId::Neighbour).is_some_and(|finding| {
        finding.status == Status::Warning && finding.cells.contains(&fall.cell.name)
    })
}

/// Before the fall, and after it.
fn describe_rates(fall: &BurstEnd<'_>) -> (Message, Message) {
    let rate = |rate: &Estimate| match fall.bucket.counts {
        Counted::Operations => Message::from(Iops(rate.value)),
        Counted::Bytes => BytesPerSecond(rate.value).into(),
    };
    (rate(&fall.bucket.burst), rate(&fall.bucket.baseline))
}

fn describe_end(fall: &BurstEnd<'_>, ramp: bool, finding: &mut FindingBuilder) -> Message {
    let bucket = &fall.bucket;
    let size: Message = match bucket.counts {
        Counted::Operations => BurstOperations { operations: Iops(bucket.size.value) }.into(),
        Counted::Bytes => Bytes(bucket.size.value as u64).into(),
    };
    let (burst, baseline) = describe_rates(fall);
    let is_known = fall.cause.is_known();
    let in_burst = is_known && !fall.burst_cells.is_empty();
    let status = if in_burst { Status::Warning } else { Status::Note };
    let before = Evidence::figure(label("burst-before"), &burst, bucket.burst.value);
    finding.raise_status(status, before);
    finding.add_figure(label("burst-after"), &baseline, bucket.baseline.value);
    let when = BurstTime { after: bucket.after, cell: bucket.cell.clone() };
    finding.add_figure(label("burst-when"), when, bucket.after.as_secs_f64());
    if is_known {
        let value = match bucket.size.relative_half_width() {
            Some(half) => WithInterval { value: size.clone(), half: Ratio(half) }.into(),
            None => size.clone(),
        };
        finding.add_figure(label("burst-size"), value, bucket.size.value);
    }
    finding.cells.clone_from(&fall.burst_cells);
    if finding.cells.is_empty() {
        finding.cells.push(fall.cell.name.clone());
    }
    match (fall.cause, status) {
        (BurstCause::Credits, Status::Warning) => {
            BurstOfCredits { until: bucket.after, burst, size, baseline }.into()
        }
        (BurstCause::Credits, _) => BurstEnded { burst, size, baseline }.into(),
        (BurstCause::WriteCache, _) => WriteCacheFull { size, burst, baseline }.into(),
        (BurstCause::Unknown, _) if ramp => RateRamp { from: burst, to: baseline }.into(),
        (BurstCause::Unknown, _) => RateFell { from: burst, to: baseline }.into(),
        (BurstCause::Unconfirmed, _) => {
            RateFellLast { from: burst, to: baseline, cell: bucket.cell.clone() }.into()
        }
    }
}

fn describe_no_end(measured: &Measured) -> Outcome {
    let busy = load_time(measured);
    if is_provider_disk(measured) {
        if soak_cell(measured).is_some_and(|cell| cell.elapsed >= BURST_LENGTH_MAX) {
            return Ok(NoBurstUnderFullLoad { busy }.into());
        }
        return Err(match busy >= MINUTE_SEEN {
            true => NoBurstOfAMinute { busy }.into(),
            false => NoBurstYet { busy }.into(),
        });
    }
    let written = bytes_written(measured);
    match write_cache_max(measured) {
        _ if written.0 == 0 => Ok(label("burst-nothing-for-a-cache")),
        Some(needed) if written >= needed => Ok(NoCacheFilled { written }.into()),
        Some(needed) => Err(CacheMayBeLarger { written, needed }.into()),
        None => Err(CacheOfUnknownSize { written }.into()),
    }
}

fn load_time(measured: &Measured) -> Nanos {
    let busy = measured.cells.iter().filter(|cell| cell.role != CellRole::Idle);
    Nanos(busy.fold(0, |sum: u64, cell: &Cell| sum.saturating_add(cell.elapsed.0)))
}

messages! {
    BurstTime = "burst-time" { after: Nanos, cell: String };
    BurstOperations = "burst-operations" { operations: Iops };
    BurstOfCredits = "burst-of-credits" {
        until: Nanos, burst: Message, size: Message, baseline: Message,
    };
    BurstEnded = "burst-ended" { burst: Message, size: Message, baseline: Message };
    WriteCacheFull = "burst-write-cache-full" {
        size: Message, burst: Message, baseline: Message,
    };
    RateRamp = "burst-rate-ramp" { from: Message, to: Message };
    RateFell = "burst-rate-fell" { from: Message, to: Message };
    RateFellLast = "burst-rate-fell-last" { from: Message, to: Message, cell: String };
    FellBesideOthers = "burst-fell-beside-others" { from: Message, to: Message, cell: String };
    NoBurstUnderFullLoad = "burst-none-under-full-load" { busy: Nanos };
    NoBurstOfAMinute = "burst-none-of-a-minute" { busy: Nanos };
    NoBurstYet = "burst-none-yet" { busy: Nanos };
    NoCacheFilled = "burst-no-cache-filled" { written: Bytes };
    CacheMayBeLarger = "burst-cache-may-be-larger" { written: Bytes, needed: Bytes };
    CacheOfUnknownSize = "burst-cache-of-unknown-size" { written: Bytes };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    /// Sets the rate of every tick and interval of a cell, by its time from the start of the run.
    fn paced(cell: &mut Cell, rate: impl Fn(f64) -> f64) {
        let start = cell.started.as_secs_f64();
        let tick_s = cell.ticks.tick.as_secs_f64();
        let step_s = cell.job.interval.as_secs_f64();
        let mut sum = 0.0;
        for (i, interval) in cell.intervals.iter_mut().enumerate() {
            let ops = rate(start + (i as f64 + 0.5) * step_s) * step_s;
            sum += ops;
            let parts = [&mut interval.directions.read, &mut interval.directions.write];
            parts.into_iter().flatten().for_each(|part| part.ops = ops.round() as u64);
        }
        let ticks = &mut cell.ticks.directions;
        for series in [&mut ticks.read, &mut ticks.write].into_iter().flatten() {
            for (i, n) in series.ops.iter_mut().enumerate() {
                *n = (rate(start + (i as f64 + 0.5) * tick_s) * tick_s).round() as u64;
            }
        }
        let seconds = cell.elapsed.as_secs_f64();
        for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
            totals.iops = sum / seconds;
            totals.ops = sum as u64;
        }
        let reads = cell.totals.read.is_some();
        cell.ledger.read_ops = if reads { sum as u64 } else { 0 };
        cell.ledger.write_ops = if reads { 0 } else { sum as u64 };
        let (reads, writes) = (cell.ledger.read_ops, cell.ledger.write_ops);
        for device in &mut cell.ledger.layers {
            (device.read_ops, device.write_ops) = (reads, writes);
        }
    }

    /// Every small operation is served at one rate until a time, and at another from then on.
    fn bucketed(until_s: f64, burst: f64, baseline: f64) -> Measured {
        let mut record = sample_record();
        record.layout = None;
        for cell in &mut record.cells {
            if cell.job.block_size == Bytes::kib(4) && cell.job.sync.is_none() {
                paced(cell, |at| if at < until_s { burst } else { baseline });
            }
        }
        record
    }

    fn judged(record: &Measured) -> record::Finding {
        let judgement = crate::judge(record);
        judgement.findings.into_iter().find(|f| f.id == FindingId::Burst).unwrap()
    }

    #[test]
    fn a_fall_within_a_cell_is_the_end_of_a_burst() {
        let start = sample_record().cell("randread-4k-qd1").unwrap().started.as_secs_f64();
        let record = bucketed(start + 1.5, 3000.0, 300.0);
        let finding = judged(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        assert!(finding.cells.iter().any(|name| name == "randread-4k-qd1"));
        assert!(!finding.cells.iter().any(|name| name == "randread-4k-qd64"));
        let figure = |place: usize| finding.evidence[place].figure.unwrap();
        assert!((figure(0) / 3000.0 - 1.0).abs() < 0.05, "{finding:#?}");
        assert!((figure(1) / 300.0 - 1.0).abs() < 0.05, "{finding:#?}");
    }

    #[test]
    fn a_fall_that_leaves_few_tenths_is_told_by_a_later_cell_that_does_as_much() {
        // What was left of the cell after the fall, where every later one does 300.
        let judged = |left: f64| {
            let cell = sample_record().cell("randread-4k-qd1").unwrap().clone();
            let fell = cell.started.as_secs_f64() + cell.elapsed.as_secs_f64() - 0.6;
            let mut record = bucketed(fell, 3000.0, 300.0);
            let rate = |at: f64| if at < fell { 3000.0 } else { left };
            paced(cell_mut(&mut record, "randread-4k-qd1"), rate);
            judged(&record)
        };
        let after = |finding: &record::Finding| finding.evidence[1].figure.unwrap();
        let near = judged(330.0);
        assert_eq!(near.status, Status::Warning, "{near:#?}");
        assert!((after(&near) / 300.0 - 1.0).abs() < 0.02, "{near:#?}");
        // One that does half as much again is another rate, whatever paces it.
        let other = judged(200.0);
        assert_eq!(other.status, Status::Note, "{other:#?}");
        assert!((after(&other) / 200.0 - 1.0).abs() < 0.02, "{other:#?}");
    }

    #[test]
    fn a_fall_between_cells_shows_in_the_repetition() {
        let last = sample_record().cell("randread-4k-qd1-repeat").unwrap().started.as_secs_f64();
        let finding = judged(&bucketed(last - 0.05, 3000.0, 300.0));
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        assert!(finding.summary.text().contains("are a burst"), "{finding:#?}");
    }

    #[test]
    fn an_uneven_fall_is_no_burst_that_is_known() {
        let start = sample_record().cell("randread-4k-qd1").unwrap().started.as_secs_f64();
        let mut record = bucketed(start + 1.5, 3000.0, 300.0);
        for cell in &mut record.cells {
            for series in cell.ticks.directions.read.iter_mut() {
                let half = 50;
                series.ops.iter_mut().enumerate().for_each(|(i, n)| {
                    *n = if (i / half).is_multiple_of(2) { *n * 2 } else { *n / 2 };
                });
            }
        }
        let finding = judged(&record);
        assert!(finding.status <= Status::Note, "{finding:#?}");
    }

    #[test]
    fn a_fall_beside_others_is_neither_denied_nor_called_the_end_of_a_burst() {
        let start = sample_record().cell("randread-4k-qd1").unwrap().started.as_secs_f64();
        let mut record = bucketed(start + 1.5, 3000.0, 300.0);
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        // Others ask for as much as we do.
        cell.ledger.layers.iter_mut().for_each(|layer| layer.read_ops *= 2);
        let finding = judged(&record);
        assert_eq!(finding.status, Status::NotObservable, "{finding:#?}");
        let expected = "the rate fell from 3,000 IOPS to 300 IOPS in randread-4k-qd1";
        assert!(finding.summary.text().starts_with(expected), "{finding:#?}");
    }

    #[test]
    fn a_fall_that_nothing_follows_is_told_and_may_not_last() {
        let judged_with = |name: &str| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, name);
            let middle = cell.started.as_secs_f64() + cell.elapsed.as_secs_f64() / 2.0;
            paced(cell, |at| if at < middle { 50_000.0 } else { 20_000.0 });
            judged(&record)
        };
        let finding = judged_with("randwrite-4k-qd64");
        assert_eq!(finding.status, Status::Note, "{finding:#?}");
        assert_eq!(finding.cells, ["randwrite-4k-qd64"]);
        let expected =
            "the rate fell from 50,000 IOPS to 20,000 IOPS in randwrite-4k-qd64; nothing";
        assert!(finding.summary.text().starts_with(expected), "{finding:#?}");
        // A deeper one follows, and is as fast as before.
        assert_eq!(judged_with("randread-4k-qd64").status, Status::NotObservable);
    }

    #[test]
    fn a_plain_run_says_what_it_cannot_see() {
        let finding = judged(&sample_record());
        assert_eq!(finding.status, Status::NotObservable);
        assert!(finding.summary.text().contains("gp2"), "{finding:#?}");
        let mut metal = sample_record();
        metal.environment.virtualisation = None;
        metal.targets[0].stack.iter_mut().for_each(|layer| layer.transport = Some("nvme".into()));
        let finding = judged(&metal);
        assert_eq!(finding.status, Status::NotObservable);
        assert!(finding.summary.text().contains("write cache"), "{finding:#?}");
        metal.cells.retain(|cell| cell.job.mix.reads() && !cell.job.mix.writes());
        metal.cells.iter_mut().for_each(|cell| cell.ledger.write_bytes = Bytes(0));
        metal.layout = None;
        assert_eq!(judged(&metal).status, Status::Ok);
    }

    #[test]
    fn a_cell_that_is_slow_for_a_while_is_none() {
        let mut record = sample_record();
        paced(cell_mut(&mut record, "randread-4k-qd1"), |at| {
            if (10.0..11.0).contains(&at) { 10_000.0 } else { 20_000.0 }
        });
        assert!(judged(&record).status < Status::Note);
    }
}
