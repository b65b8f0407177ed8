//! `misaligned`: do blocks of the target lie across two blocks of the disk?

use record::{Layer, LayerKind, TargetInfo, Trial};
use stats::{Estimate, LatencyHistogram, percentile_estimate};
use workload::Direction;

use super::check::*;
use crate::cells::DATA_DIRECTIONS;

pub(super) static CHECK: Check = Check {
    id: FindingId::Misaligned,
    method: Some(|| {
        let (block, allowed) = (Bytes(BLOCK_MIN), MISALIGNED_SHARE_MIN);
        MisalignedMethod { block, allowed }.into()
    }),
    run: |subject, finding| check(subject.measured, finding),
};

/// What disks of today work in, whatever they announce (methodology, section 5, row 18).
const BLOCK_MIN: u64 = 4096;
/// Physical blocks beyond this are a hint about performance, not a block.
const PHYSICAL_MAX: u64 = 64 << 10;
/// Less of a file may lie anywhere: its first or last block.
const MISALIGNED_SHARE_MIN: Ratio = Ratio(0.01);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let target = measured.target().ok_or_else(|| label("no-target"))?;
    if target.stack.is_empty() {
        return Err(label("misaligned-no-device"));
    }
    for layer in &target.stack {
        check_start(layer, target, finding);
    }
    if let Some(extents) = &target.extents {
        let share = extents.misaligned.0 as f64 / extents.length.0.max(1) as f64;
        if share > MISALIGNED_SHARE_MIN.0 {
            let value = MisalignedFile { share: Ratio(share) };
            let fact = Evidence::figure(label("misaligned-extents"), value, share);
            finding.raise_status(Status::Warning, fact);
        }
    }
    // Nobody asked the kernel, or direct I/O is not possible.
    if target.dio_offset_align != Bytes(0) {
        let source = target.dio_align_source.clone();
        let unit = MisalignedUnit { unit: target.dio_offset_align, source };
        finding.evidence.push(Evidence::text(label("misaligned-direct-io"), unit));
    }
    DATA_DIRECTIONS.into_iter().for_each(|d| add_shift_cost(measured, d, finding));
    Ok(match finding.status {
        Status::Warning => label("misaligned-across"),
        Status::Note => MisalignedInside { block: Bytes(BLOCK_MIN) }.into(),
        _ => label("misaligned-none"),
    })
}

fn check_start(layer: &Layer, target: &TargetInfo, finding: &mut FindingBuilder) {
    let below = target.stack.iter().find(|l| l.above.as_ref() == Some(&layer.name));
    let start = match layer.kind {
        LayerKind::Partition => layer.start,
        _ => layer.backing_offset,
    };
    let Some(start) = start else { return };
    let block = assumed_block_size(below.unwrap_or(layer));
    let over = start.0 % block;
    let value = MisalignedStart { start, over: Bytes(over), block: Bytes(block) };
    let fact = Evidence::figure(Message::from_text(&layer.name), value, over as f64);
    match () {
        () if over == 0 => {}
        // An old disk of real 512-byte sectors does not mind.
        () if below.is_some_and(has_small_sectors) => finding.raise_status(Status::Note, fact),
        () => finding.raise_status(Status::Warning, fact),
    }
}

fn physical_block_size(layer: &Layer) -> Option<u64> {
    Some(layer.queue.as_ref()?.physical_block_size?.0)
}

fn assumed_block_size(layer: &Layer) -> u64 {
    let told =
        physical_block_size(layer).filter(|size| size.is_power_of_two() && *size <= PHYSICAL_MAX);
    told.unwrap_or(BLOCK_MIN).max(BLOCK_MIN)
}

fn has_small_sectors(layer: &Layer) -> bool {
    let real = |t: &str| matches!(t, "sata" | "sas" | "usb");
    physical_block_size(layer) == Some(512)
        && layer.rotational == Some(true)
        && layer.transport.as_deref().is_some_and(real)
}

fn add_shift_cost(measured: &Measured, direction: Direction, finding: &mut FindingBuilder) {
    let median = |wanted: bool| {
        let mut all = LatencyHistogram::new();
        for cell in &measured.cells {
            let Some(Trial::Shifted { by }) = cell.trial else { continue };
            if let Some(totals) = cell.totals.get(direction).filter(|_| (by.0 > 0) == wanted) {
                all.merge_sparse(&totals.latency_ns.histogram).ok()?;
            }
        }
        percentile_estimate(&all, 50.0)
    };
    let Some((plain, shifted)) = median(false).zip(median(true)) else { return };
    let times = shifted.value / plain.value.max(1.0);
    let to_nanos = |p50: &Estimate| Nanos(p50.value as u64);
    let (usual, took) = (to_nanos(&plain), to_nanos(&shifted));
    let apart = shifted.low.zip(plain.high).is_some_and(|(low, high)| low > high);
    let value: Message = match apart {
        true => MisalignedSlower { usual, took, times }.into(),
        false => MisalignedNoSlower { usual, took }.into(),
    };
    let what: Message = match direction {
        Direction::Read => label("misaligned-read"),
        _ => label("misaligned-write"),
    };
    finding.add_figure(what, value, times);
}

messages! {
    MisalignedMethod = "check-misaligned-method" { block: Bytes, allowed: Ratio };
    MisalignedFile = "misaligned-file" { share: Ratio };
    MisalignedUnit = "misaligned-unit" { unit: Bytes, source: String };
    MisalignedInside = "misaligned-inside" { block: Bytes };
    MisalignedStart = "misaligned-start" { start: Bytes, over: Bytes, block: Bytes };
    MisalignedSlower = "misaligned-slower" { usual: Nanos, took: Nanos, times: f64 };
    MisalignedNoSlower = "misaligned-no-slower" { usual: Nanos, took: Nanos };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{add_trial_cell, latencies_around, sample_record, set_read_latencies};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    /// The record's disk with a partition on it that starts there.
    fn partitioned(start: u64) -> Measured {
        let mut record = sample_record();
        let stack = &mut record.targets[0].stack;
        let mut partition = stack[0].clone();
        partition.name.push('1');
        (partition.kind, partition.start) = (LayerKind::Partition, Some(Bytes(start)));
        stack[0].above = Some(partition.name.clone());
        stack.insert(0, partition);
        record
    }

    #[test]
    fn partitions_start_at_blocks_or_beside_them() {
        let check = |start, status| {
            assert_eq!(check(&partitioned(start)).status, status, "{start}");
        };
        check(1 << 20, Status::Ok);
        check(63 * 512, Status::Warning);
        check(4096, Status::Ok);
        check(2048, Status::Warning);
    }

    #[test]
    fn the_disk_says_how_large_its_blocks_are() {
        let mut record = partitioned(4096 * 3);
        record.targets[0].stack[1].queue.as_mut().unwrap().physical_block_size =
            Some(Bytes::kib(16));
        assert_eq!(check(&record).status, Status::Warning);
        let mut old = partitioned(63 * 512);
        let disk = &mut old.targets[0].stack[1];
        (disk.rotational, disk.transport) = (Some(true), Some("sata".to_owned()));
        assert_eq!(check(&old).status, Status::Note);
    }

    #[test]
    fn loop_devices_and_files_have_places_too() {
        let mut record = sample_record();
        let layer = &mut record.targets[0].stack[0];
        (layer.kind, layer.backing_offset) = (LayerKind::Loop, Some(Bytes(512)));
        assert_eq!(check(&record).status, Status::Warning);
        record.targets[0].stack[0].backing_offset = Some(Bytes(0));
        assert_eq!(check(&record).status, Status::Ok);
        let extents = record.targets[0].extents.as_mut().unwrap();
        extents.misaligned = Bytes(extents.length.0 / 2);
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn an_alignment_that_nobody_asked_for_is_no_evidence() {
        let mut record = sample_record();
        let says = |record: &Measured| {
            let finding = check(record);
            finding.evidence.iter().any(|fact| fact.what.id() == "misaligned-direct-io")
        };
        assert!(says(&record));
        record.targets[0].dio_offset_align = Bytes(0);
        assert!(!says(&record));
    }

    #[test]
    fn a_shifted_block_costs_but_finds_nothing_by_itself() {
        let mut record = partitioned(1 << 20);
        for (by, us) in [(0, 100), (512, 180), (512, 185), (0, 98)] {
            let name = format!("shifted-read-{}", record.cells.len());
            let cell = add_trial_cell(&mut record, &name, Trial::Shifted { by: Bytes(by) });
            set_read_latencies(cell, &latencies_around(us * 1000, 100));
        }
        let finding = check(&record);
        assert_eq!(finding.status, Status::Ok);
        let cost = finding.evidence.iter().find(|fact| fact.what.id() == "misaligned-read");
        let cost = cost.unwrap();
        assert_eq!(cost.value.id(), "misaligned-slower");
        assert!((cost.figure.unwrap() / 1.8 - 1.0).abs() < 0.05, "{}", cost.value.text());
    }
}
