//! `impossible`: does a figure contradict what the device can be?

use record::TargetInfo;
use workload::{Access, Mix};

use super::check::*;
use super::link_bound::{link_ceiling, link_rate};
use super::unwritten::reads_holes;
use crate::cells::{cell_iops, is_random_read, read_p50_ns};

pub(super) static CHECK: Check = Check {
    id: FindingId::Impossible,
    method: Some(|| {
        let (link, latency, operations) = (LINK_SLACK, READ_LATENCY_MIN, OPS_MIN);
        let (note, warning) = (RANDOM_NOTE, RANDOM_WARNING);
        ImpossibleMethod { link, latency, note, warning, operations }.into()
    }),
    run: check,
};

/// Links may round; what is 2 % above is not on the link.
const LINK_SLACK: f64 = 1.02;
/// The fastest device behind a block layer (Optane, polled) needs about 3.5 us a read.
const READ_LATENCY_MIN: Nanos = Nanos(3_000);
/// Beyond 5 % (methodology) with intervals apart it is worth a note, as virtual disks stripe small
/// requests over their queues; beyond a quarter it is not explained.
const RANDOM_NOTE: f64 = 1.05;
const RANDOM_WARNING: f64 = 1.25;
/// Standard errors by chance that the two must lie apart.
const CHANCE_ERRORS: f64 = 4.0;
/// Requests of the device per random read of ours: there may be more by splitting, hardly fewer.
const OPS_MIN: Ratio = Ratio(0.9);
const OPS_COUNTED: u64 = 1000;

fn check(subject: &Subject<'_>, finding: &mut FindingBuilder) -> Outcome {
    let measured = subject.figures;
    check_link_rate(measured, finding);
    for cell in &measured.cells {
        check_read_latency(cell, measured, finding);
        check_request_count(cell, finding);
    }
    // Which of them met holes decides which are faster.
    if !reads_holes(subject.judgement) {
        check_random_rate(measured, finding);
    }
    Ok(match finding.status {
        Status::Ok => label("impossible-none"),
        Status::Note => label("impossible-random-faster"),
        _ => label("impossible-figure"),
    })
}

fn check_link_rate(measured: &Measured, finding: &mut FindingBuilder) {
    let disks = measured.target().map(|target| target.bottom_devices()).unwrap_or_default();
    let Some((ceiling, duplex)) = link_ceiling(&disks) else { return };
    for cell in &measured.cells {
        let rate = link_rate(cell, duplex);
        let share = rate.0 / ceiling.0;
        if share > LINK_SLACK {
            finding.mark(cell, Status::Invalid, ImpossibleOverLink { rate, ceiling }, share);
        }
    }
}

/// A read at depth 1 faster than any device; memory that says so itself is no contradiction.
fn check_read_latency(cell: &Cell, measured: &Measured, finding: &mut FindingBuilder) {
    let says_memory = measured.target().is_some_and(TargetInfo::is_memory);
    let p50 = read_p50_ns(cell).filter(|_| cell.job.depth.0 == 1 && !says_memory);
    if let Some(p50) = p50.filter(|p50| Nanos(*p50) < READ_LATENCY_MIN) {
        let value = ImpossibleMedian { time: Nanos(p50) };
        finding.mark(cell, Status::Invalid, value, p50 as f64);
    }
}

fn check_request_count(cell: &Cell, finding: &mut FindingBuilder) {
    let (ours, device) = (cell.ledger.read_ops, cell.ledger.layers.first());
    let counts = is_random_read(cell) && ours >= OPS_COUNTED;
    // A device without any count does not count, or served nothing: see `page-cache`.
    let Some(device) = device.filter(|device| counts && device.read_ops > 0) else { return };
    let share_of =
        |device: u64, edge: u64, ours: u64| device.saturating_add(edge) as f64 / ours.max(1) as f64;
    let edge = u64::from(cell.job.depth.0);
    let share = share_of(device.read_ops, edge, ours);
    let edge = edge.saturating_mul(cell.job.block_size.0);
    let bytes = share_of(device.read_bytes.0, edge, cell.ledger.read_bytes.0);
    // Where bytes are missing too, memory answered, or there was nothing to read.
    if share < OPS_MIN.0 && bytes >= OPS_MIN.0 {
        let (requests, merged, device) = (device.read_ops, device.merges, device.name.clone());
        let value = ImpossibleRequests { reads: ours, requests, device, merged };
        finding.mark(cell, Status::Warning, value, share);
    }
}

fn check_random_rate(measured: &Measured, finding: &mut FindingBuilder) {
    let fastest = |access: Access| {
        let reads = measured.cells.iter().filter(|c| {
            c.role != CellRole::Idle && c.job.mix == Mix::Read && c.job.access == access
        });
        reads.max_by(|a, b| a.bytes_per_second().total_cmp(&b.bytes_per_second()))
    };
    let both = fastest(Access::Random).zip(fastest(Access::Sequential));
    let Some((random, sequential)) = both else { return };
    // Only where the sequential cell had at least as many bytes outstanding.
    let outstanding = |c: &Cell| u64::from(c.job.depth.0).saturating_mul(c.job.block_size.0);
    if outstanding(sequential) < outstanding(random) {
        return;
    }
    let (at_random, in_sequence) = (random.bytes_per_second(), sequential.bytes_per_second());
    let ratio = at_random / in_sequence.max(1.0);
    let status = match () {
        () if ratio > RANDOM_WARNING && !is_chance(random, sequential, ratio) => Status::Warning,
        () if ratio > RANDOM_NOTE && is_clearly_more(random, sequential) => Status::Note,
        () => return,
    };
    let (random_rate, sequential) = (BytesPerSecond(at_random), BytesPerSecond(in_sequence));
    let value = ImpossibleRates { random: random_rate, sequential };
    finding.mark(random, status, value, ratio);
}

/// Whether counts this small may differ by a ratio.
fn is_chance(more: &Cell, less: &Cell, ratio: f64) -> bool {
    let ops = |cell: &Cell| cell.data_directions().map(|totals| totals.ops as f64).sum::<f64>();
    let error = (ops(more).max(1.0).recip() + ops(less).max(1.0).recip()).sqrt();
    ratio.ln() < CHANCE_ERRORS * error
}

fn is_clearly_more(more: &Cell, less: &Cell) -> bool {
    let least = cell_iops(more).low.map(|x| x * more.job.block_size.0 as f64);
    let most = cell_iops(less).high.map(|x| x * less.job.block_size.0 as f64);
    least.zip(most).is_some_and(|(least, most)| least > most)
}

messages! {
    ImpossibleMethod = "check-impossible-method" {
        link: f64, latency: Nanos, note: f64, warning: f64, operations: Ratio,
    };
    ImpossibleOverLink = "impossible-over-link" { rate: BytesPerSecond, ceiling: BytesPerSecond };
    ImpossibleMedian = "impossible-median" { time: Nanos };
    ImpossibleRequests = "impossible-requests" {
        reads: u64, requests: u64, device: String, merged: u64,
    };
    ImpossibleRates = "impossible-rates" { random: BytesPerSecond, sequential: BytesPerSecond };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::Link;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

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
        record.targets[0].stack[0].kind = record::LayerKind::Zram;
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
