//! `provider-limit`: is the maximum a configured cap? [`crate::curve::cap`] decides. A cap is what
//! was bought, so it is a note; one of a control group is `os-throttle`'s.

use record::{Curve, CurvePoint, Effort, Purpose};

use super::check::*;
use crate::calm::CEILING_WITHIN;
use crate::curve::{RISE_MIN, RateCap, find_cap, is_no_cap, is_provider_disk};
use crate::support::supports;

pub(super) static CHECK: Check = Check {
    id: FindingId::ProviderLimit,
    method: Some(|| ProviderLimitMethod { within: CEILING_WITHIN }.into()),
    run: |subject, finding| check(subject.measured, subject.judgement, finding),
};

/// Cells of this length are even where a throttle serves in slices; this number is enough.
const LONG_CELL: Nanos = Nanos::millis(1_500);
const LONG_CELLS_MIN: usize = 2;
/// A limit that was exceeded for less time held the run back by little.
const EXCEEDED_MIN: Nanos = Nanos::secs(1);

fn check(measured: &Measured, judgement: &Judgement, finding: &mut FindingBuilder) -> Outcome {
    let caps: Vec<(&Curve, RateCap<'_>)> = judgement
        .curves
        .iter()
        .filter_map(|curve| Some((curve, find_cap(curve, measured, judgement)?)))
        .collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = caps.iter().partition(|(_, cap)| cap.is_local);
    let to_fact = |curve: &Curve, cap: &RateCap<'_>| {
        let because = cap.because.iter().map(Message::from).collect();
        let value = ProviderLimitCap { iops: cap.iops, because };
        Evidence::figure(&curve.label, value, cap.iops.0)
    };
    for (curve, cap) in &theirs {
        finding.raise_status(Status::Note, to_fact(curve, cap));
        let cells = cap.probes_at_cap.iter().flat_map(|(_, probe)| probe);
        finding.cells.extend(cells.map(|cell| cell.name.clone()));
    }
    let is_counted = add_volume_counters(measured, finding);
    if let Some(cap) = theirs.iter().map(|(_, cap)| cap.iops.0).reduce(f64::max).map(Iops) {
        return Ok(match is_provider_disk(measured) {
            true => ProviderLimitOfProvider { cap }.into(),
            false => ProviderLimitOfSetting { cap }.into(),
        });
    }
    if is_counted {
        return Ok(label("provider-limit-counted"));
    }
    if let Some((curve, cap)) = ours.first() {
        finding.evidence.push(to_fact(curve, cap));
        return Ok(label("provider-limit-of-group"));
    }
    let plateaus =
        judgement.curves.iter().filter_map(|curve| find_no_cap(curve, measured, judgement));
    match plateaus.max() {
        Some(true) => return Ok(label("provider-limit-none")),
        Some(false) => return Err(label("provider-limit-unsure")),
        None => {}
    }
    Err(match measured.plan.purpose {
        Purpose::Sweep(_) => label("provider-limit-matrix"),
        Purpose::Check { effort: Effort::Quick, .. } => label("provider-limit-quick"),
        _ => label("provider-limit-short"),
    })
}

/// Adds the limits that volumes themselves counted as exceeded, and says whether there is one. Such
/// a count is proof, where a flat rate is inference.
fn add_volume_counters(measured: &Measured, finding: &mut FindingBuilder) -> bool {
    let run = measured.finished.duration_since(measured.started);
    let length = Nanos::from(std::time::Duration::try_from(run).unwrap_or_default());
    let mut is_exceeded = false;
    for volume in &measured.volumes {
        let (limit, time) = volume.longest_exceeded();
        if time >= EXCEEDED_MIN {
            let value = limit.describe_exceeded(time, length);
            let device = Message::from_text(volume.device.clone());
            let evidence = Evidence::figure(device, value, time.as_secs_f64());
            finding.raise_status(Status::Note, evidence);
            is_exceeded = true;
        }
    }
    is_exceeded
}

/// Whether the plateau of a curve was no cap; `None` where it was not flat over twice the depth, or
/// its cells are too short to show that.
fn find_no_cap(curve: &Curve, measured: &Measured, judgement: &Judgement) -> Option<bool> {
    let points = curve.points.iter().filter(|_| !curve.open_loop);
    let most = points.clone().map(|point| point.iops).fold(0.0, f64::max);
    let plateau = Vec::from_iter(points.filter(|point| point.iops * RISE_MIN >= most));
    // A rate that falls again at depth hides a cap that is near to where it falls.
    let (first, last) = (plateau.first()?, plateau.last()?);
    let twice = first.depth.0 <= last.depth.0 / 2;
    let shows = |cell: &&Cell| cell.elapsed >= LONG_CELL && supports(judgement, cell);
    let long_cells = |point: &&CurvePoint| {
        let cells = point.cells.iter().filter_map(|name| measured.cell(name));
        Vec::from_iter(cells.filter(shows))
    };
    // A cap shows most where the queue is deep.
    let mut deep = plateau.iter().filter(|point| point.depth.0 >= last.depth.0 / 2);
    let is_deep = deep.any(|point| !long_cells(point).is_empty());
    let long = Vec::from_iter(plateau.iter().flat_map(long_cells));
    let is_enough = twice && is_deep && long.len() >= LONG_CELLS_MIN;
    is_enough.then(|| is_no_cap(curve, measured, &long))
}

messages! {
    ProviderLimitMethod = "check-provider-limit-method" { within: Ratio };
    ProviderLimitCap = "provider-limit-cap" { iops: Iops, because: Vec<Message> };
    ProviderLimitOfProvider = "provider-limit-of-provider" { cap: Iops };
    ProviderLimitOfSetting = "provider-limit-of-setting" { cap: Iops };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::{Cell, CellRole};
    use units::Bytes;

    /// Makes a cell of `iops`, even to the last tick, two seconds long.
    fn even(cell: &mut Cell, iops: f64) {
        let tick_s = cell.ticks.tick.as_secs_f64();
        cell.elapsed = Nanos::secs(2);
        for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
            totals.iops = iops;
            totals.ops = (2.0 * iops) as u64;
        }
        let ticks = &mut cell.ticks.directions;
        for series in [&mut ticks.read, &mut ticks.write].into_iter().flatten() {
            let count = (2.0 / tick_s) as usize;
            series.ops = vec![(iops * tick_s).round() as u64; count];
        }
    }

    /// Random reads that end at a cap from depth 16 on, and twice as large ones that end there too.
    fn capped(iops: f64) -> Measured {
        let mut record = sample_record();
        for depth in [16, 64, 128] {
            even(cell_mut(&mut record, &format!("randread-4k-qd{depth}")), iops);
        }
        let mut larger = cell_mut(&mut record, "randread-4k-qd16").clone();
        larger.name = "randread-8k-qd16".to_owned();
        larger.role = CellRole::Contrast;
        larger.job.block_size = Bytes::kib(8);
        record.cells.push(larger);
        even(cell_mut(&mut record, "randread-4k-qd1"), iops / 2.0);
        record.cells.retain(|cell| !cell.name.starts_with("randread-4k-qd4"));
        record.cells.retain(|cell| cell.role != CellRole::Repeat);
        record
    }

    fn judged(record: &Measured) -> record::Finding {
        let judgement = crate::judge(record);
        judgement.findings.into_iter().find(|f| f.id == FindingId::ProviderLimit).unwrap()
    }

    #[test]
    fn a_cap_is_named_with_its_value() {
        for iops in [3000.0, 5000.0, 10_000.0, 15_000.0] {
            let finding = judged(&capped(iops));
            assert_eq!(finding.status, Status::Note, "{iops}: {finding:#?}");
            let value = finding.evidence[0].figure.unwrap();
            assert!((value / iops - 1.0).abs() < 0.01, "{iops}: {finding:#?}");
            assert!(finding.summary.text().contains("a cap of the provider"), "{finding:#?}");
            assert!(finding.cells.iter().any(|name| name == "randread-4k-qd64"));
        }
    }

    #[test]
    fn a_measurement_that_others_disturbed_hides_no_cap() {
        let mut record = capped(3000.0);
        let mut disturbed = cell_mut(&mut record, "randread-4k-qd64").clone();
        disturbed.name.push_str("-2");
        even(&mut disturbed, 1500.0);
        disturbed.ledger.layers[0].read_bytes.0 *= 2;
        record.cells.push(disturbed.clone());
        let judgement = crate::judge(&record);
        assert!(!supports(&judgement, &disturbed));
        assert_eq!(judgement.finding(FindingId::ProviderLimit).unwrap().status, Status::Note);
    }

    #[test]
    fn what_a_volume_counts_itself_is_proof() {
        let check = |seconds: u64, expected: Status| {
            let mut record = sample_record();
            record.volumes = vec![record::VolumeCounters {
                device: "nvme1n1".to_owned(),
                instance_iops_exceeded: Nanos::secs(seconds),
                ..Default::default()
            }];
            let finding = judged(&record);
            assert_eq!(finding.status, expected, "{finding:#?}");
            finding
        };
        let finding = check(9, Status::Note);
        assert!(finding.summary.text().contains("its own counters"), "{finding:#?}");
        let evidence = finding.evidence.iter().find(|one| one.figure == Some(9.0)).unwrap();
        assert!(evidence.value.text().contains("than the instance allows"), "{evidence:#?}");
        check(0, Status::NotObservable);
    }

    /// Makes the half seconds of a cell 3 % faster and 3 % slower than its mean in turn.
    fn waver(record: &mut Measured, depth: u32) {
        let cell = cell_mut(record, &format!("randread-4k-qd{depth}"));
        let series = &mut cell.ticks.directions.read.as_mut().unwrap().ops;
        let half = series.len() / 4;
        series.iter_mut().enumerate().for_each(|(i, n)| {
            *n = if (i / half).is_multiple_of(2) { *n * 103 / 100 } else { *n * 97 / 100 };
        });
    }

    #[test]
    fn the_devices_own_most_is_no_cap() {
        assert!(judged(&sample_record()).status < Status::Note);
        // As flat, but uneven within each probe.
        let mut record = capped(10_000.0);
        [16, 64, 128].iter().for_each(|depth| waver(&mut record, *depth));
        assert!(judged(&record).status < Status::Note);
    }

    #[test]
    fn where_deep_loads_are_calmer_than_chance_there_may_be_a_cap() {
        let check = |wavering: &[u32], expected: Status| {
            // As often as nobody sells it, and without larger operations to compare with.
            let mut record = capped(11_300.0);
            record.cells.retain(|cell| cell.role != CellRole::Contrast);
            wavering.iter().for_each(|depth| waver(&mut record, *depth));
            let finding = judged(&record);
            assert_eq!(finding.status, expected, "{wavering:?}: {finding:#?}");
        };
        check(&[16, 64, 128], Status::Ok);
        check(&[16], Status::NotObservable);
        check(&[], Status::NotObservable);
    }

    #[test]
    fn larger_operations_one_at_a_time_say_nothing_of_a_cap() {
        let with_depth = |depth: u32| {
            let mut record = capped(11_300.0);
            let is_larger = |cell: &&mut Cell| cell.role == CellRole::Contrast;
            let larger = record.cells.iter_mut().find(is_larger).unwrap();
            even(larger, 8_000.0);
            larger.job.depth.0 = depth;
            judged(&record).status
        };
        assert_eq!((with_depth(16), with_depth(1)), (Status::Ok, Status::NotObservable));
    }

    #[test]
    fn short_measurements_of_deep_queues_rule_no_cap_out() {
        let with_time = |deep: Nanos| {
            let mut record = capped(11_300.0);
            record.cells.retain(|cell| cell.role != CellRole::Contrast);
            [16, 64, 128].iter().for_each(|depth| waver(&mut record, *depth));
            let again = cell_mut(&mut record, "randread-4k-qd16").clone();
            record.cells.push(Cell { name: "randread-4k-qd16-2".to_owned(), ..again });
            for depth in [64, 128] {
                cell_mut(&mut record, &format!("randread-4k-qd{depth}")).elapsed = deep;
            }
            judged(&record).status
        };
        let times = [Nanos::secs(2), Nanos::millis(700)].map(with_time);
        assert_eq!(times, [Status::Ok, Status::NotObservable]);
    }

    /// A first visit that was 12 % above the others is in the mean of its depth, and no level.
    #[test]
    fn larger_operations_are_compared_with_the_level_and_not_with_what_was_before_it() {
        let mut record = capped(11_300.0);
        let is_larger = |cell: &&mut Cell| cell.role == CellRole::Contrast;
        even(record.cells.iter_mut().find(is_larger).unwrap(), 11_000.0);
        let first = cell_mut(&mut record, "randread-4k-qd16").clone();
        for visit in 2..=5 {
            let mut again = first.clone();
            again.name = format!("{}-{visit}", first.name);
            record.cells.push(again);
        }
        even(cell_mut(&mut record, "randread-4k-qd16"), 12_700.0);
        let finding = judged(&record);
        assert_eq!(finding.status, Status::NotObservable, "{finding:#?}");
    }

    #[test]
    fn a_control_group_of_this_system_is_no_provider() {
        let mut record = capped(3000.0);
        record.environment.io_limits.push(record::IoLimit {
            cgroup: "/box".to_owned(),
            file: "blkio.throttle.read_iops_device".to_owned(),
            device: "254:0".to_owned(),
            device_name: None,
            read_iops: Some(Iops(3000.0)),
            write_iops: None,
            read_bytes: None,
            write_bytes: None,
            other: None,
        });
        let finding = judged(&record);
        assert_eq!(finding.status, Status::Ok, "{finding:#?}");
        assert!(finding.summary.text().contains("os-throttle"), "{finding:#?}");
    }

    #[test]
    fn a_quick_run_does_not_claim_to_see() {
        let mut record = sample_record();
        let until_throttled = None;
        record.plan.purpose = Purpose::Check { effort: record::Effort::Quick, until_throttled };
        assert_eq!(judged(&record).status, Status::NotObservable);
    }
}
