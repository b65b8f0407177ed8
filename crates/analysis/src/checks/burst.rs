//! `burst`: were the figures measured while a store of credits, or a write cache, lasted?

use record::{Counted, Curve};
use stats::Estimate;

use super::check::*;
use crate::burst::{BurstCause, BurstEnd, find_burst_end, soak_cell};
use crate::curve::is_provider_disk;
use crate::writes::{bytes_written, write_cache_max};

pub(super) static CHECK: Check = Check {
    id: FindingId::Burst,
    question: "Was it a burst that ends: credits, or a write cache that fills?",
    meaning: "The speed holds for a number of operations or bytes, and then falls to another. What \
        lasts is the speed after it.",
    method: || {
        "The rates of the run, and those of one probe of writes after the other, are searched for \
         a lasting fall of their level, with what was moved before it. A fall that only writes \
         show, counted in bytes, is the end of a write cache; one that reads share is the end of a \
         provider's credits."
            .to_owned()
    },
    ok: "no fall, and the run was long enough for those that are known",
    not_observable: "no fall yet; the finding says how long to measure to be sure",
    note: "a fall, outside the figures that count",
    warning: "figures from before the fall are those of a burst",
    remedy: "Take the rate after the fall for work that lasts. check --until-throttled goes on \
        until a burst ends, --thorough until writes are steady.",
    blind_spot: "Everything slower than the run: the credits of cloud volumes last from a minute \
        to hours, a write cache as many bytes as it has.",
    short_remedy: "count on the rate after the fall: check --until-throttled",
    run: |subject, finding| check(subject.measured, subject.judgement, finding),
    ..Check::BLANK
};

/// The longest common burst from a full store: AWS gp2 of 750 GiB, 5.4 million credits at 750 a
/// second.
const BURST_LENGTH_MAX: Nanos = Nanos::secs(7200);
/// Bursts of a minute have ended within this.
const MINUTE_SEEN: Nanos = Nanos::secs(120);

fn check(measured: &Measured, judgement: &Judgement, finding: &mut FindingBuilder) -> Outcome {
    match find_burst_end(measured) {
        Some(fall) if !has_neighbour(judgement, &fall) => {
            let is_ramp = |curve: &Curve| curve.earlier.is_some_and(|earlier| earlier.gradual);
            let ramp = judgement.curves.iter().any(is_ramp);
            Ok(describe_end(&fall, ramp, finding))
        }
        _ => describe_no_end(measured),
    }
}

fn has_neighbour(judgement: &Judgement, fall: &BurstEnd<'_>) -> bool {
    judgement.finding(FindingId::Neighbour).is_some_and(|finding| {
        finding.status == Status::Warning && finding.cells.contains(&fall.cell.name)
    })
}

fn describe_end(fall: &BurstEnd<'_>, ramp: bool, finding: &mut FindingBuilder) -> String {
    let bucket = &fall.bucket;
    let rate = |rate: &Estimate| match bucket.counts {
        Counted::Operations => format!("{} IOPS", Iops(rate.value)),
        Counted::Bytes => BytesPerSecond(rate.value).to_string(),
    };
    let size = match bucket.counts {
        Counted::Operations => format!("{} operations", Iops(bucket.size.value)),
        Counted::Bytes => Bytes(bucket.size.value as u64).to_string(),
    };
    let (from, to) = (rate(&bucket.burst), rate(&bucket.baseline));
    let is_known = fall.cause != BurstCause::Unknown;
    let in_burst = is_known && !fall.burst_cells.is_empty();
    let status = if in_burst { Status::Warning } else { Status::Note };
    finding.raise_status(status, Evidence::figure("before", &from, bucket.burst.value));
    finding.add_figure("after", &to, bucket.baseline.value);
    let when = format!("{} from the start, in {}", bucket.after, bucket.cell);
    finding.add_figure("when", when, bucket.after.as_secs_f64());
    if is_known {
        let between = bucket.size.relative_half_width().map(|half| format!(" ±{}", Ratio(half)));
        let value = format!("{size}{}", between.unwrap_or_default());
        finding.add_figure("size", value, bucket.size.value);
    }
    finding.cells.clone_from(&fall.burst_cells);
    if finding.cells.is_empty() {
        finding.cells.push(fall.cell.name.clone());
    }
    match (fall.cause, status) {
        (BurstCause::Credits, Status::Warning) => format!(
            "the figures before {} are a burst: {from} until {size} of credit were used, {to} from \
             then on",
            bucket.after
        ),
        (BurstCause::Credits, _) => format!(
            "a burst of {from} ended after {size} of credit, at {to}; what was measured after it \
             is what the disk sustains"
        ),
        (BurstCause::WriteCache, _) => format!(
            "a write cache of the device was full after {size}: {from} before, {to} from then on, \
             while reads stayed as fast"
        ),
        (BurstCause::Unknown, _) if ramp => {
            format!("the rate fell all the time, from {from} to {to}: a ramp, and no burst's end")
        }
        (BurstCause::Unknown, _) => format!(
            "the rate fell from {from} to {to} and stayed there, unevenly: credits, a cache, or \
             others out of sight"
        ),
    }
}

fn describe_no_end(measured: &Measured) -> Outcome {
    let busy = load_time(measured);
    if is_provider_disk(measured) {
        if soak_cell(measured).is_some_and(|cell| cell.elapsed >= BURST_LENGTH_MAX) {
            return Ok(format!("no burst ended within {busy} of full load"));
        }
        let minute = if busy >= MINUTE_SEEN {
            ", which rules out those of about a minute (DigitalOcean, Vultr)"
        } else {
            "; those of DigitalOcean and Vultr take 60 s and more"
        };
        return Err(format!(
            "no burst ended within {busy} of load{minute}; credits of AWS gp2 last 30 to 120 \
             minutes, of Azure premium SSD 30: check --until-throttled goes on until they end"
        ));
    }
    let written = bytes_written(measured);
    let larger =
        format!("a write cache larger than the {written} that were written would not show");
    match write_cache_max(measured) {
        _ if written.0 == 0 => {
            Ok("no provider is between, and nothing was written that a cache could take".into())
        }
        Some(needed) if written >= needed => {
            Ok(format!("{written} were written, and no cache was full after that"))
        }
        Some(needed) => Err(format!("{larger}; they are up to a third of a device: {needed} here")),
        None => Err(larger),
    }
}

fn load_time(measured: &Measured) -> Nanos {
    let busy = measured.cells.iter().filter(|cell| cell.role != CellRole::Idle);
    Nanos(busy.fold(0, |sum: u64, cell: &Cell| sum.saturating_add(cell.elapsed.0)))
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
        assert!(finding.summary.contains("are a burst"), "{finding:#?}");
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
    fn a_plain_run_says_what_it_cannot_see() {
        let finding = judged(&sample_record());
        assert_eq!(finding.status, Status::NotObservable);
        assert!(finding.summary.contains("gp2"), "{finding:#?}");
        let mut metal = sample_record();
        metal.environment.virtualisation = None;
        metal.targets[0].stack.iter_mut().for_each(|layer| layer.transport = Some("nvme".into()));
        let finding = judged(&metal);
        assert_eq!(finding.status, Status::NotObservable);
        assert!(finding.summary.contains("write cache"), "{finding:#?}");
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
