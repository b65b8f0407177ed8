//! `impossible`: does a figure contradict what the device can be?
//!
//! More bytes than the link carries, an answer through the block layer faster than any device
//! gives one, random reads that move more bytes than sequential ones, a device that completed
//! fewer operations than we did: each names two things that cannot both be true. Blind spot:
//! lies that stay within the possible.

use record::{Cell, CellRole, Evidence, Finding, FindingId, LayerKind, Measured, Status};
use units::{BytesPerSecond, Nanos};
use workload::{Access, Mix};

use super::FindingBuilder;

/// Links may round; what is 2 % above is not on the link.
pub(super) const LINK_SLACK: f64 = 1.02;
/// The fastest device behind a block layer (Optane, polled) needs about 3.5 us a read.
pub(super) const READ_LATENCY_MIN: Nanos = Nanos(3_000);
/// Random reads that move more bytes than sequential ones with as many bytes outstanding: beyond
/// 5 % (methodology) with intervals apart it is worth a note, for a virtual disk that splits large
/// requests and stripes small ones over its queues does so; beyond a quarter it is not explained.
pub(super) const RANDOM_NOTE: f64 = 1.05;
pub(super) const RANDOM_WARNING: f64 = 1.25;
/// Requests of the topmost device per random read of ours: splitting makes more of them, and on a
/// span of thousands of blocks next to nothing can be merged.
pub(super) const OPS_MIN: f64 = 0.9;
const OPS_COUNTED: u64 = 1000;

pub(super) fn check(record: &Measured) -> Finding {
    let mut tally = FindingBuilder::new(FindingId::Impossible);
    check_link_rate(record, &mut tally);
    for cell in &record.cells {
        check_read_latency(cell, record, &mut tally);
        check_request_count(cell, &mut tally);
    }
    check_random_rate(record, &mut tally);
    let summary = match tally.status {
        Status::Ok => "no figure contradicts what the device can be",
        Status::Note => "random reads moved more bytes than sequential ones",
        _ => "a figure contradicts what the device can be: something else answered",
    };
    tally.finish(
        summary.to_owned(),
        Some("find out what answered: a cache of the host, of a controller, RAM"),
    )
}

fn check_link_rate(record: &Measured, tally: &mut FindingBuilder) {
    let disks = record.target().map(|target| target.bottom_devices()).unwrap_or_default();
    let Some((ceiling, duplex)) = super::link_bound::link_ceiling(&disks) else {
        return;
    };
    for cell in &record.cells {
        let rate = super::link_bound::link_rate(cell, duplex);
        let share = rate.0 / ceiling.0;
        if share > LINK_SLACK {
            let value = format!("{rate} over a link that carries {ceiling}");
            tally.mark_cell(cell, Status::Invalid, Evidence::figure(&cell.name, value, share));
        }
    }
}

/// A read at depth 1 faster than any device. Memory that says so itself (zram, a RAM disk) is no
/// contradiction.
fn check_read_latency(cell: &Cell, record: &Measured, tally: &mut FindingBuilder) {
    let says_memory = record.target().is_some_and(|target| {
        target.file_system.as_ref().is_some_and(|fs| fs.memory)
            || target.stack.iter().any(|l| matches!(l.kind, LayerKind::Zram | LayerKind::Ram))
    });
    let p50 = cell.totals.read.as_ref().and_then(|t| t.latency_ns.percentiles.get("p50"));
    let Some(&p50) = p50.filter(|_| cell.job.depth.0 == 1 && !says_memory) else {
        return;
    };
    if Nanos(p50) < READ_LATENCY_MIN {
        let value = format!("half of the reads took less than {}", Nanos(p50));
        tally.mark_cell(cell, Status::Invalid, Evidence::figure(&cell.name, value, p50 as f64));
    }
}

/// Random reads for which the device saw fewer requests than we made.
fn check_request_count(cell: &Cell, tally: &mut FindingBuilder) {
    let random_reads = cell.job.access == Access::Random && cell.job.mix == Mix::Read;
    let (ours, device) = (cell.ledger.read_ops, cell.ledger.layers.first());
    // A device without any count does not count, or served nothing at all: see `page-cache`.
    let Some(device) = device.filter(|d| random_reads && ours >= OPS_COUNTED && d.read_ops > 0)
    else {
        return;
    };
    let share = device.read_ops.saturating_add(cell.job.depth.0.into()) as f64 / ours as f64;
    if share < OPS_MIN {
        let (ours, theirs) = (units::group_digits(ours), units::group_digits(device.read_ops));
        let value = format!(
            "{ours} random reads, {theirs} requests to {}, {} merged",
            device.name,
            units::group_digits(device.merges)
        );
        tally.mark_cell(cell, Status::Warning, Evidence::figure(&cell.name, value, share));
    }
}

fn check_random_rate(record: &Measured, tally: &mut FindingBuilder) {
    let fastest = |access: Access| {
        record
            .cells
            .iter()
            .filter(|c| c.role != CellRole::Idle)
            .filter(|c| c.job.access == access && c.job.mix == Mix::Read)
            .max_by(|a, b| a.bytes_per_second().total_cmp(&b.bytes_per_second()))
    };
    let (Some(random), Some(sequential)) = (fastest(Access::Random), fastest(Access::Sequential))
    else {
        return;
    };
    // Only where the sequential cell had at least as many bytes outstanding.
    let outstanding = |c: &Cell| u64::from(c.job.depth.0).saturating_mul(c.job.block_size.0);
    if outstanding(sequential) < outstanding(random) {
        return;
    }
    let ratio = random.bytes_per_second() / sequential.bytes_per_second().max(1.0);
    let status = match () {
        () if ratio > RANDOM_WARNING => Status::Warning,
        () if ratio > RANDOM_NOTE && is_clearly_more(random, sequential) => Status::Note,
        () => return,
    };
    let value = format!(
        "{} at random, {} in sequence",
        BytesPerSecond(random.bytes_per_second()),
        BytesPerSecond(sequential.bytes_per_second())
    );
    tally.mark_cell(random, status, Evidence::figure(&random.name, value, ratio));
}

/// Whether the least that `more` may be is above the most that `less` may be, in bytes.
fn is_clearly_more(more: &Cell, less: &Cell) -> bool {
    let least = crate::curve::cell_iops(more).low.map(|x| x * more.job.block_size.0 as f64);
    let most = crate::curve::cell_iops(less).high.map(|x| x * less.job.block_size.0 as f64);
    least.zip(most).is_some_and(|(least, most)| least > most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::Link;

    #[test]
    fn more_than_the_link_carries_is_impossible() {
        let mut record = sample_record();
        record.targets[0].stack[0].link = Some(Link {
            kind: "sata".to_owned(),
            current: "3.0 Gbps".to_owned(),
            max: None,
            ceiling: BytesPerSecond::from_mb(300.0),
            downtrained: false,
        });
        assert_eq!(check(&record).status, Status::Invalid);
    }

    #[test]
    fn answers_faster_than_any_device_are_impossible() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "randread-4k-qd1");
        let latency = &mut cell.totals.read.as_mut().unwrap().latency_ns;
        latency.percentiles.insert("p50".to_owned(), 1_200);
        assert_eq!(check(&record).status, Status::Invalid);
        record.targets[0].stack[0].kind = LayerKind::Zram;
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn random_beyond_sequential_is_suspicious() {
        let mut record = sample_record();
        let cell = cell_mut(&mut record, "seqread-1m");
        cell.totals.read.as_mut().unwrap().bytes_per_second = 50e6;
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn random_a_little_beyond_sequential_is_a_note() {
        let check = |mb: f64, status| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "seqread-1m");
            cell.totals.read.as_mut().unwrap().bytes_per_second = mb * 1e6;
            let iops = cell.confidence.iops.read.as_mut().unwrap();
            let each = mb * 1e6 / 1048576.0;
            (iops.low, iops.high) = (Some(each * 0.99), Some(each * 1.01));
            assert_eq!(check(&record).status, status, "{mb}");
        };
        // The test record's best random reads move 485 MB/s.
        check(520.0, Status::Ok);
        check(470.0, Status::Ok);
        check(440.0, Status::Note);
        check(300.0, Status::Warning);
    }

    #[test]
    fn a_link_carries_both_ways_at_once_unless_it_is_sata() {
        let check = |kind: &str, status| {
            let mut record = sample_record();
            record.cells.retain(|cell| cell.name == "randrw75-4k-qd16");
            record.targets[0].stack[0].link = Some(Link {
                kind: kind.to_owned(),
                current: "?".to_owned(),
                max: None,
                ceiling: BytesPerSecond::from_mb(300.0),
                downtrained: false,
            });
            assert_eq!(check(&record).status, status, "{kind}");
        };
        check("pcie", Status::Ok); // 261 MB/s one way, 348 MB/s both ways
        check("sata", Status::Invalid);
    }

    #[test]
    fn fewer_requests_than_random_reads_are_suspicious() {
        let check = |share: f64, status| {
            let mut record = sample_record();
            let device = &mut cell_mut(&mut record, "randread-4k-qd64").ledger.layers[0];
            device.read_ops = (device.read_ops as f64 * share) as u64;
            let finding = check(&record);
            assert_eq!(finding.status, status, "{share}");
            if status == Status::Warning {
                assert_eq!(finding.cells, ["randread-4k-qd64"]);
            }
        };
        check(1.0, Status::Ok);
        check(0.92, Status::Ok);
        check(0.7, Status::Warning);
    }
}
