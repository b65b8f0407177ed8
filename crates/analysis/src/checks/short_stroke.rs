//! `short-stroke`: was so small a part of a rotating disk measured that its arm hardly moved? Such
//! a disk looks up to twice as fast as when it is full (methodology 7.2).

use record::Rotation;
use workload::Access;

use super::check::*;
use crate::rotation::{SLOW_READ_MIN, may_rotate, mean_read_latency_ns, whole_size};

pub(super) static CHECK: Check = Check {
    id: FindingId::ShortStroke,
    method: None,
    run: |subject, finding| check(subject.figures, subject.judgement, finding),
};

/// Minimum factor by which the whole must be slower for the figures to flatter.
const SLOWDOWN_MIN: f64 = 1.15;
/// Fewest reads at which a platter that turns would have been seen.
const READS_MIN: u64 = 100;
/// Mean read seeks in milliseconds by rpm, lowest and highest, from specifications: Hitachi 5K160,
/// 5K320, 7K1000.C, HGST Ultrastar 7K4000, 15K450, with room for others; 10000 rpm: methodology
/// 7.1.
const SEEK_TIMES_MS: [(f64, f64, f64); 4] =
    [(5_400.0, 11.0, 13.0), (7_200.0, 8.0, 9.5), (10_000.0, 3.8, 4.6), (15_000.0, 2.9, 3.5)];

/// Of a random read over the whole device.
struct WholeDiskLatency {
    low_ns: f64,
    high_ns: f64,
    how: Message,
}

fn check(measured: &Measured, judgement: &Judgement, finding: &mut FindingBuilder) -> Outcome {
    let known = measured.target().zip(mean_read_latency_ns(&measured.cells));
    let (target, mean_ns) = known.ok_or_else(|| label("short-stroke-no-reads"))?;
    let mean = Nanos(mean_ns as u64);
    finding.add_figure(label("short-stroke-mean"), mean, mean_ns);
    if !may_rotate(&measured.cells, Some(target)) {
        return Ok(ShortStrokeNoArm { mean }.into());
    }
    let Some(rotation) = &judgement.rotation else {
        return describe_no_rotation(measured, mean);
    };
    let share = measured.plan.span.0 as f64 / whole_size(target).0.max(1) as f64;
    let part = Ratio(share.min(1.0));
    let value = ShortStrokeSpan { span: measured.plan.span, disk: whole_size(target), part };
    finding.add_figure(label("short-stroke-part"), value, share);
    let estimate = estimate_whole_disk(rotation);
    add_rotation_facts(rotation, &estimate, finding);
    if share >= 0.5 || estimate.low_ns / mean_ns < SLOWDOWN_MIN {
        return Ok(ShortStrokeAsWhole { part }.into());
    }
    Ok(describe_short_stroke(measured, part, mean_ns, &estimate, finding))
}

fn describe_no_rotation(measured: &Measured, mean: Nanos) -> Outcome {
    let main = measured.cells.iter().filter(|cell| cell.role == CellRole::Main);
    let alone = main.filter(|c| c.job.access == Access::Random && c.job.depth.0 == 1);
    let reads = alone.filter_map(|c| Some(c.totals.read.as_ref()?.ops)).max().unwrap_or(0);
    if mean < SLOW_READ_MIN {
        return Err(label("short-stroke-cached"));
    }
    if reads < READS_MIN {
        return Err(ShortStrokeTooFew { reads, needed: READS_MIN }.into());
    }
    Ok(ShortStrokeNoPlatter { mean }.into())
}

fn describe_short_stroke(
    measured: &Measured,
    part: Ratio,
    mean_ns: f64,
    estimate: &WholeDiskLatency,
    finding: &mut FindingBuilder,
) -> Message {
    for cell in &measured.cells {
        if cell.job.access == Access::Random && cell.job.span.length <= measured.plan.span {
            let fact = Evidence::text(label("short-stroke-reached"), ShortStrokeOfDisk { part });
            finding.mark_cell(cell, Status::Warning, fact);
        }
    }
    // One such line for all cells.
    finding.evidence.dedup_by(|next, last| next.what == last.what);
    let (here, high) = (Iops(1e9 / mean_ns), Iops(1e9 / estimate.low_ns));
    if estimate.high_ns > 1.02 * estimate.low_ns {
        let low = Iops(1e9 / estimate.high_ns);
        return ShortStrokeRange { part, here, low, high }.into();
    }
    ShortStrokeFlatters { part, here, whole: high }.into()
}

/// By the fitted arm where it was seen to move, else by what disks of its speed take.
fn estimate_whole_disk(rotation: &Rotation) -> WholeDiskLatency {
    let half_turn_ns = rotation.turn_ns() / 2.0;
    if let Some(seek) = &rotation.average_seek_ns {
        let (low, high) = seek.interval().unwrap_or((seek.value, seek.value));
        let how = ShortStrokeFit {
            nearest_ms: rotation.nearest_seek_ns / 1e6,
            slope_ms: rotation.slope_ns / 1e6,
            turn_ms: rotation.turn_ns() / 1e6,
        }
        .into();
        return WholeDiskLatency { low_ns: low + half_turn_ns, high_ns: high + half_turn_ns, how };
    }
    let speed = rotation.rpm.value;
    let off = |of: &(f64, f64, f64)| (of.0 / speed).ln().abs();
    let nearest = SEEK_TIMES_MS.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    let (kind, low, high) = nearest.copied().unwrap_or((speed, 0.0, 0.0));
    let turn_ms = rotation.turn_ns() / 1e6;
    let how = ShortStrokeSheets { rpm: kind as u64, low_ms: low, high_ms: high, turn_ms }.into();
    WholeDiskLatency { low_ns: low * 1e6 + half_turn_ns, high_ns: high * 1e6 + half_turn_ns, how }
}

fn add_rotation_facts(
    rotation: &Rotation,
    estimate: &WholeDiskLatency,
    finding: &mut FindingBuilder,
) {
    let rpm = &rotation.rpm;
    let (low, high) = rpm.interval().unwrap_or((rpm.value, rpm.value));
    let [turns, low, high] = [rpm.value, low, high].map(|value| value.round() as u64);
    let speed = ShortStrokeSpeed { rpm: turns, low, high, reads: rpm.n };
    finding.add_figure(label("short-stroke-turns"), speed, rpm.value);
    let (low, high) = (Nanos(estimate.low_ns as u64), Nanos(estimate.high_ns as u64));
    let whole = ShortStrokeWholeTime { low, high, how: estimate.how.clone() };
    let mean_ns = (estimate.low_ns + estimate.high_ns) / 2.0;
    finding.add_figure(label("short-stroke-whole"), whole, mean_ns);
}

messages! {
    ShortStrokeNoArm = "short-stroke-no-arm" { mean: Nanos };
    ShortStrokeSpan = "short-stroke-span" { span: Bytes, disk: Bytes, part: Ratio };
    ShortStrokeAsWhole = "short-stroke-as-whole" { part: Ratio };
    ShortStrokeTooFew = "short-stroke-too-few" { reads: u64, needed: u64 };
    ShortStrokeNoPlatter = "short-stroke-no-platter" { mean: Nanos };
    ShortStrokeOfDisk = "short-stroke-of-disk" { part: Ratio };
    ShortStrokeRange = "short-stroke-range" { part: Ratio, here: Iops, low: Iops, high: Iops };
    ShortStrokeFlatters = "short-stroke-flatters" { part: Ratio, here: Iops, whole: Iops };
    ShortStrokeFit = "short-stroke-fit" { nearest_ms: f64, slope_ms: f64, turn_ms: f64 };
    ShortStrokeSheets = "short-stroke-sheets" {
        rpm: u64, low_ms: f64, high_ms: f64, turn_ms: f64,
    };
    ShortStrokeSpeed = "short-stroke-speed" { rpm: u64, low: u64, high: u64, reads: u64 };
    ShortStrokeWholeTime = "short-stroke-whole-time" { low: Nanos, high: Nanos, how: Message };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use stats::LatencyHistogram;
    use units::Bytes;

    /// A record of random reads with these latencies, on a part of a disk of a terabyte.
    fn slow(span: Bytes, latency_ms: impl Fn(f64) -> f64) -> Measured {
        let mut record = sample_record();
        record.plan.span = span;
        for layer in &mut record.targets[0].stack {
            layer.size = Bytes::gib(1000);
        }
        let mut histogram = LatencyHistogram::new();
        let reads = 400_u32;
        for read in 0..reads {
            // Evenly over a turn, in an order that does not matter.
            let turn = (f64::from(read) + 0.5) / f64::from(reads);
            histogram.record((latency_ms(turn) * 1e6) as u64);
        }
        for cell in record.cells.iter_mut().filter(|c| c.job.access == Access::Random) {
            cell.job.span.length = span;
        }
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        let read = cell.totals.read.as_mut().unwrap();
        read.ops = reads.into();
        read.latency_ns = crate::summarise_latency(&histogram);
        record.cells.retain(|cell| cell.role != CellRole::Repeat);
        record
    }

    fn of(record: &Measured) -> record::Finding {
        crate::judge(record).finding(FindingId::ShortStroke).unwrap().clone()
    }

    fn rotation(record: &Measured) -> Option<Rotation> {
        crate::judge(record).rotation
    }

    #[test]
    fn a_small_part_of_a_rotating_disk_flatters() {
        let record = slow(Bytes::gib(4), |turn| 0.8 + 8.333 * turn);
        let rpm = rotation(&record).unwrap().rpm;
        assert!((rpm.value / 7200.0 - 1.0).abs() < 0.02, "{rpm:?}");
        let finding = of(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        assert!(finding.summary.text().contains("about 73."), "{finding:#?}");
        assert!(finding.cells.iter().any(|cell| cell == "randread-4k-qd1"));
        assert!(finding.evidence.iter().any(|fact| fact.value.text().contains("half a turn")));
    }

    #[test]
    fn the_whole_disk_does_not() {
        let record = slow(Bytes::gib(1000), |turn| 8.9 + 8.333 * turn);
        assert!(rotation(&record).is_some());
        assert_eq!(of(&record).status, Status::Ok, "{:#?}", of(&record));
    }

    #[test]
    fn what_is_slow_without_turning_is_no_disk() {
        // A network volume: log-normal around 2 ms, by its quantiles.
        let logit = |q: f64| (q / (1.0 - q)).ln() / 1.7;
        let record = slow(Bytes::gib(4), |q| 2.0 * (0.35 * logit(q)).exp());
        assert_eq!(rotation(&record), None);
        assert_eq!(of(&record).status, Status::Ok, "{:#?}", of(&record));
        // A cap that lets one through every 10 ms.
        let record = slow(Bytes::gib(4), |q| 10.0 + 0.05 * logit(q));
        assert_eq!(rotation(&record), None);
        assert_eq!(of(&record).status, Status::Ok);
    }

    #[test]
    fn solid_state_never_flatters_and_nothing_says_nothing() {
        let mut record = sample_record();
        assert_eq!(of(&record).status, Status::Ok, "{:#?}", of(&record));
        record.targets[0].stack[0].rotational = Some(true);
        assert_eq!(of(&record).status, Status::Ok, "the flag alone is no evidence");
        record.cells.retain(|cell| cell.job.depth.0 != 1);
        assert_eq!(of(&record).status, Status::NotObservable);
    }
}
