//! `neighbour`: did anything else use the disk or the processors meanwhile? Beside writes of our
//! own, others' writes count only where ours cause none beside themselves (no syncs, overwriting
//! in place).

use record::{Evidence, Finding, LayerKind, TargetInfo};

use super::check::*;
use crate::cells::{CpuShares, elapsed_s};
use crate::evidence::withheld_cpu::waited_for_others;

pub(super) static CHECK: Check = Check {
    id: FindingId::Neighbour,
    method: Some(|| {
        NeighbourMethod {
            noted: Ratio(NOTE_ABOVE.0),
            noted_rate: BytesPerSecond::from_mb(NOTE_ABOVE.1),
            warned: Ratio(WARNING_ABOVE.0),
            warned_rate: BytesPerSecond::from_mb(WARNING_ABOVE.1),
            piece: UNSPLIT_MAX,
            requests_noted: Ratio(REQUESTS_NOTE.0),
            noted_per_second: REQUESTS_NOTE.1 as u64,
            requests_warned: Ratio(REQUESTS_WARNING.0),
            warned_per_second: REQUESTS_WARNING.1 as u64,
            stolen_noted: Ratio(STEAL_NOTE),
            stolen_warned: Ratio(STEAL_WARNING),
            foreign: Ratio(FOREIGN_MIN),
            idle: Ratio(IDLE_MIN),
        }
        .into()
    }),
    run: |subject, finding| {
        let outcome = check(subject.figures, finding);
        Ok(add_repeated_probes(subject.measured, outcome, finding))
    },
};

/// Share of our bytes, and rate in MB/s, of others' I/O; a system that logs stays far below the
/// first.
const NOTE_ABOVE: (f64, f64) = (0.02, 1.0);
const WARNING_ABOVE: (f64, f64) = (0.10, 4.0);
/// Share of our requests, and requests a second, of others: a slow disk does 100 a second. One of
/// theirs may take twice as long as one of ours (a read among writes): half the share of bytes.
const REQUESTS_NOTE: (f64, f64) = (0.02, 20.0);
const REQUESTS_WARNING: (f64, f64) = (0.05, 50.0);
/// Larger requests of ours may be split on their way to the device.
const UNSPLIT_MAX: Bytes = Bytes::kib(64);
/// Smaller requests of others are hardly made: their bytes bound their number.
const OTHERS_MIN: Bytes = Bytes::kib(4);
/// Share of all processor time. Ticks round: below 2 % of a short cell it is a handful of them.
const STEAL_NOTE: f64 = 0.02;
const STEAL_WARNING: f64 = 0.10;
/// Tail latencies are the host's: the 99th percentile of a shared host's disk doubled there.
const STEAL_DISTURBED: f64 = 0.05;
/// Share of the processor time of others. Interrupts of our own I/O are in it: less than half of a
/// small host even at full speed.
const FOREIGN_MIN: f64 = 0.5;
const IDLE_MIN: f64 = 0.05;

/// Without the probes that were measured again.
pub(crate) fn judge_neighbours(measured: &Measured) -> Finding {
    let mut finding = FindingBuilder::new(Message::find("check-neighbour-short-remedy"));
    let outcome = check(measured, &mut finding);
    finding.finish(FindingId::Neighbour, outcome)
}

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let mut looked = false;
    for cell in &measured.cells {
        if let Some(others) = OthersIo::from_cell(cell, measured.target()) {
            looked = true;
            judge_io(cell, &others, finding);
        }
        judge_processors(cell, measured, finding);
    }
    if !looked && finding.status == Status::Ok {
        return Err(label("neighbour-not-counted"));
    }
    let cells = finding.cells.len();
    Ok(match finding.status {
        Status::Warning => NeighbourBusy { cells }.into(),
        Status::Note => NeighbourLight { cells }.into(),
        _ => label("neighbour-none"),
    })
}

/// Whether a cell should be measured again: others used the disk or the processors, this process
/// did not run for a while or waited for a processor, or an open loop was late.
pub fn is_disturbed(cell: &Cell, target: Option<&TargetInfo>) -> bool {
    let io = OthersIo::from_cell(cell, target).is_some_and(|others| others.disturb());
    let processors = CpuShares::from_cell(cell).is_some_and(|cpu| {
        cpu.stolen > STEAL_DISTURBED || (cpu.foreign > FOREIGN_MIN && cpu.idle < IDLE_MIN)
    });
    let late = cell.open_loop.as_ref().is_some_and(|open| open.generator_late);
    io || processors || late || !cell.pauses.is_empty() || waited_for_others(cell, target)
}

fn add_repeated_probes(
    measured: &Measured,
    outcome: Outcome,
    finding: &mut FindingBuilder,
) -> Message {
    let summary = finding.settle(outcome);
    let is_disturbed = |cell: &&Cell| cell.role == CellRole::Disturbed;
    // What comes last was cut short.
    let end = measured.cells.iter().rposition(|cell| !is_disturbed(&cell)).unwrap_or(0);
    let again = || measured.cells[..end].iter().filter(is_disturbed);
    // Two jobs at the same time are one probe.
    let is_second = |cell: &&Cell| cell.beside.as_ref().is_some_and(|other| *other < cell.name);
    let count = again().filter(|cell| !is_second(cell)).count();
    if count == 0 {
        return summary;
    }
    let repeated: Message = NeighbourRepeated { probes: count }.into();
    finding.evidence.push(Evidence::text(label("neighbour-probes"), &repeated));
    if finding.status > Status::Note {
        return summary;
    }
    finding.cells.extend(again().map(|cell| cell.name.clone()));
    if finding.status == Status::Note {
        return NeighbourAlsoRepeated { statements: vec![summary, repeated] }.into();
    }
    (finding.status, finding.remedy) = (Status::Note, None);
    repeated
}

struct OthersIo {
    bytes: Bytes,
    ours: Bytes,
    rate: BytesPerSecond,
    requests: OthersRequests,
}

/// Small ones that do not fill the device's bandwidth can fill its queue.
#[derive(Default)]
struct OthersRequests {
    count: u64,
    ours: u64,
    per_second: f64,
}

impl OthersRequests {
    /// Beside `bytes` of others and `own_bytes` of ours.
    fn from_cell(cell: &Cell, counts_writes: bool, bytes: Bytes, own_bytes: Bytes) -> Self {
        let ledger = &cell.ledger;
        let Some(device) = ledger.layers.first() else { return Self::default() };
        let writes = device.write_ops.saturating_sub(ledger.write_ops);
        let writes = if counts_writes { writes } else { 0 };
        let mut count = device.read_ops.saturating_sub(ledger.read_ops).saturating_add(writes);
        let mut ours = ledger.read_ops.saturating_add(ledger.write_ops).max(1);
        if cell.job.block_size > UNSPLIT_MAX {
            count = count.min(bytes.0 / OTHERS_MIN.0);
            // The device has counted the pieces.
            let counted = device.read_ops.saturating_add(device.write_ops);
            ours = ours.max((own_bytes.0 / UNSPLIT_MAX.0).min(counted));
        }
        Self { count, ours, per_second: count as f64 / ledger_s(cell) }
    }

    fn share(&self) -> f64 {
        self.count as f64 / self.ours.max(1) as f64
    }

    fn is_above(&self, (share, per_second): (f64, f64)) -> bool {
        self.share() > share && self.per_second > per_second
    }
}

impl OthersIo {
    fn from_cell(cell: &Cell, target: Option<&TargetInfo>) -> Option<Self> {
        let ledger = &cell.ledger;
        let device = ledger.layers.first()?;
        let charged = ledger.process.unwrap_or_default();
        let reads = device.read_bytes.0.saturating_sub(ledger.read_bytes.max(charged.read_bytes).0);
        let own_writes = ledger.write_bytes.max(charged.write_bytes);
        let counts_writes = writes_only_what_is_asked(cell, target);
        let writes = device.write_bytes.0.saturating_sub(own_writes.0);
        let bytes = Bytes(reads.saturating_add(if counts_writes { writes } else { 0 }));
        let ours = Bytes(ledger.read_bytes.0.saturating_add(ledger.write_bytes.0).max(1));
        let requests = OthersRequests::from_cell(cell, counts_writes, bytes, ours);
        Some(Self { bytes, ours, rate: byte_rate(cell, bytes), requests })
    }

    fn share(&self) -> f64 {
        self.bytes.0 as f64 / self.ours.0 as f64
    }

    fn disturb(&self) -> bool {
        self.is_above(WARNING_ABOVE) || self.requests.is_above(REQUESTS_WARNING)
    }

    fn is_above(&self, (share, mb_per_second): (f64, f64)) -> bool {
        self.share() > share && self.rate.as_mb() > mb_per_second
    }
}

/// Whether all other writes of the device are others': ours cause none beside themselves, or there
/// are none. By the ledger and not the job: jobs at the same time share it.
fn writes_only_what_is_asked(cell: &Cell, target: Option<&TargetInfo>) -> bool {
    let ledger = &cell.ledger;
    let is_synced = cell.job.sync.is_some() || ledger.sync_ops > 0;
    let has_own_writes = ledger.write_bytes.0 > 0 || ledger.trim_ops > 0;
    !has_own_writes
        || (ledger.trim_ops == 0 && cell.job.direct && !is_synced && overwrites_in_place(target))
}

fn judge_io(cell: &Cell, others: &OthersIo, finding: &mut FindingBuilder) {
    let status = match () {
        // Beside a handful of reads every other byte looks large.
        () if cell.role == CellRole::Idle => return,
        () if others.disturb() => Status::Warning,
        () if others.is_above(NOTE_ABOVE) || others.requests.is_above(REQUESTS_NOTE) => {
            Status::Note
        }
        () => return,
    };
    let &OthersIo { bytes, ours, rate, ref requests } = others;
    if bytes.0 > 0 {
        finding.mark(cell, status, NeighbourBytes { bytes, rate, ours }, others.share());
    } else {
        let value = NeighbourRequests { others: requests.count, ours: requests.ours };
        finding.mark(cell, status, value, requests.share());
    }
}

fn byte_rate(cell: &Cell, bytes: Bytes) -> BytesPerSecond {
    BytesPerSecond(bytes.0 as f64 / ledger_s(cell))
}

fn ledger_s(cell: &Cell) -> f64 {
    cell.ledger.elapsed.as_secs_f64().max(elapsed_s(cell))
}

fn overwrites_in_place(target: Option<&TargetInfo>) -> bool {
    let journalled = |option: &String| option.split(',').any(|o| o == "data=journal");
    target.is_some_and(|target| {
        target.file_system.as_ref().is_none_or(|fs| {
            is_overwriting_file_system(&fs.kind) && !fs.options.iter().any(journalled)
        })
    })
}

fn judge_processors(cell: &Cell, measured: &Measured, finding: &mut FindingBuilder) {
    let Some(CpuShares { idle, stolen, foreign }) = CpuShares::from_cell(cell) else { return };
    let (status, value, figure): (_, Message, _) = match () {
        () if stolen > STEAL_NOTE => {
            let status = if stolen > STEAL_WARNING { Status::Warning } else { Status::Note };
            (status, NeighbourStolen { stolen: Ratio(stolen) }.into(), stolen)
        }
        () if foreign > FOREIGN_MIN => {
            let starved = idle < IDLE_MIN && !has_kernel_helpers(measured);
            let status = if starved { Status::Warning } else { Status::Note };
            let value = NeighbourProcessors { foreign: Ratio(foreign), idle: Ratio(idle) };
            (status, value.into(), foreign)
        }
        () => return,
    };
    finding.mark(cell, status, value, figure);
}

/// Whether encryption, RAID, loop devices or file systems that sum and compress work on our I/O:
/// their processor time is not told apart from a neighbour's.
fn has_kernel_helpers(measured: &Measured) -> bool {
    let plain = |kind: LayerKind| {
        use LayerKind::{Disk, Lvm, Multipath, Partition};
        matches!(kind, Partition | Disk | Lvm | Multipath)
    };
    measured.target().is_none_or(|target| {
        target.stack.iter().any(|layer| !plain(layer.kind))
            || target.file_system.as_ref().is_some_and(|fs| !is_overwriting_file_system(&fs.kind))
    })
}

/// File systems that overwrite in place and have no threads for data.
fn is_overwriting_file_system(kind: &str) -> bool {
    matches!(kind, "ext2" | "ext4" | "xfs")
}

messages! {
    NeighbourMethod = "check-neighbour-method" {
        noted: Ratio,
        noted_rate: BytesPerSecond,
        warned: Ratio,
        warned_rate: BytesPerSecond,
        piece: Bytes,
        requests_noted: Ratio,
        noted_per_second: u64,
        requests_warned: Ratio,
        warned_per_second: u64,
        stolen_noted: Ratio,
        stolen_warned: Ratio,
        foreign: Ratio,
        idle: Ratio,
    };
    NeighbourBusy = "neighbour-busy" { cells: usize };
    NeighbourLight = "neighbour-light" { cells: usize };
    NeighbourRepeated = "neighbour-repeated" { probes: usize };
    NeighbourAlsoRepeated = "neighbour-also-repeated" { statements: Vec<Message> };
    NeighbourBytes = "neighbour-bytes" { bytes: Bytes, rate: BytesPerSecond, ours: Bytes };
    NeighbourRequests = "neighbour-requests" { others: u64, ours: u64 };
    NeighbourStolen = "neighbour-stolen" { stolen: Ratio };
    NeighbourProcessors = "neighbour-processors" { foreign: Ratio, idle: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::SystemCounters;
    use units::Nanos;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    fn with_extra_reads(cell: &str, share: f64) -> Measured {
        let mut record = sample_record();
        let ledger = &mut cell_mut(&mut record, cell).ledger;
        let ours = (ledger.read_bytes.0 + ledger.write_bytes.0) as f64;
        ledger.layers[0].read_bytes.0 += (ours * share) as u64;
        record
    }

    #[test]
    fn others_reads_are_seen_in_read_and_write_cells() {
        let check = |cell, share, status| {
            let finding = check(&with_extra_reads(cell, share));
            assert_eq!(finding.status, status, "{cell} {share}");
        };
        check("randread-4k-qd16", 0.0, Status::Ok);
        check("randread-4k-qd16", 0.05, Status::Note);
        check("randread-4k-qd16", 0.3, Status::Warning);
        check("randwrite-4k-qd16", 0.3, Status::Warning);
    }

    #[test]
    fn others_requests_are_seen_where_their_bytes_are_few() {
        let check = |cell: &str, block: Bytes, requests: f64, status| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, cell);
            cell.job.block_size = block;
            let ours = cell.ledger.read_ops as f64;
            cell.ledger.layers[0].read_ops = (ours * (1.0 + requests)) as u64;
            assert_eq!(check(&record).status, status, "{block} {requests}");
        };
        check("randread-4k-qd16", Bytes::kib(4), 0.0, Status::Ok);
        check("randread-4k-qd16", Bytes::kib(4), 0.03, Status::Note);
        check("randread-4k-qd16", Bytes::kib(4), 0.12, Status::Warning);
        check("randread-4k-qd16", Bytes::kib(4), 1.5, Status::Warning);
        // Requests of ours that large may be split.
        check("randread-4k-qd16", Bytes::mib(1), 1.5, Status::Ok);
    }

    /// As in a simulated world, where 2,800 reads of 4 KiB left 252 of 1 MiB a second of 1,307.
    #[test]
    fn small_requests_of_others_are_seen_beside_large_ones_of_ours() {
        let check = |others: u64, splits: u64| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "seqread-1m");
            cell.ledger.elapsed = cell.elapsed;
            let own = (1e9 * cell.elapsed.as_secs_f64()) as u64;
            let ours = own >> 20;
            (cell.ledger.read_ops, cell.ledger.read_bytes) = (ours, Bytes(own));
            let others = (others as f64 * cell.elapsed.as_secs_f64()) as u64;
            let device = &mut cell.ledger.layers[0];
            device.read_ops = ours * splits + others;
            device.read_bytes = Bytes(own + others * 4096);
            check(&record).status
        };
        assert_eq!(check(2_800, 1), Status::Warning);
        assert_eq!(check(2_800, 8), Status::Warning);
        assert_eq!(check(0, 16), Status::Ok);
        assert_eq!(check(15, 16), Status::Ok);
    }

    /// A pair as it is measured: the counters of both stand in the ledger of each.
    fn pair() -> Measured {
        let mut record = record::fixture::two_job_limit_record().measured;
        for pair in record.cells.chunks_exact_mut(2) {
            let (one, other) = (pair[0].ledger.clone(), pair[1].ledger.clone());
            let both = &mut pair[0].ledger;
            both.read_bytes.0 += other.read_bytes.0;
            both.write_bytes.0 += other.write_bytes.0;
            both.layers[0].read_bytes = both.read_bytes;
            both.layers[0].write_bytes = both.write_bytes;
            if let Some(process) = &mut both.process {
                process.read_bytes = both.read_bytes;
            }
            assert!(one.write_bytes.0 == 0 && other.write_bytes.0 > 0);
            pair[1].ledger = pair[0].ledger.clone();
        }
        record
    }

    #[test]
    fn what_a_job_beside_wrote_is_not_a_neighbours() {
        let mut record = pair();
        let finding = check(&record);
        assert_eq!(finding.status, Status::Ok, "{finding:#?}");
        assert!(!is_disturbed(&record.cells[0], record.target()));
        // Twice what both wrote is much, in the ledger of either.
        record.cells[0].ledger.layers[0].write_bytes.0 *= 2;
        let finding = check(&record);
        assert_eq!((finding.status, finding.cells.len()), (Status::Warning, 1), "{finding:#?}");
        assert!(is_disturbed(&record.cells[0], record.target()));
        // Syncs of the one cause writes that the other sees.
        record.cells[0].ledger.sync_ops = 1;
        assert_eq!(check(&record).status, Status::Ok);
        // Reads of others are seen as ever, and so are writes where nothing of ours wrote.
        record.cells[0].ledger.layers[0].read_bytes.0 *= 2;
        assert_eq!(check(&record).status, Status::Warning);
        let mut alone = crate::testing::sample_record();
        let ledger = &mut cell_mut(&mut alone, "randread-4k-qd16").ledger;
        ledger.layers[0].write_bytes = ledger.read_bytes;
        assert_eq!(check(&alone).status, Status::Warning);
    }

    #[test]
    fn journals_of_our_own_writes_are_not_a_neighbour() {
        let check = |cell: &str, factor: u64, option: &str, status| {
            let mut record = sample_record();
            let fs = record.targets[0].file_system.as_mut().unwrap();
            fs.options.push(option.to_owned());
            let ledger = &mut cell_mut(&mut record, cell).ledger;
            ledger.layers[0].write_bytes.0 *= factor;
            assert_eq!(check(&record).status, status, "{cell} {factor} {option}");
        };
        check("syncwrite-4k", 4, "rw", Status::Ok);
        check("randwrite-4k-qd16", 3, "data=journal", Status::Ok);
        check("randwrite-4k-qd16", 1, "rw", Status::Ok);
        check("randwrite-4k-qd16", 3, "rw", Status::Warning);
    }

    #[test]
    fn other_processes_are_told_and_warned_of_when_nothing_was_left() {
        let check = |idle: u64, own: u64, status| {
            let mut record = sample_record();
            cell_mut(&mut record, "randread-4k-qd16").ledger.system = Some(SystemCounters {
                cpu_total: Nanos(100_000),
                cpu_idle: Nanos(idle * 1000),
                cpu_self: Nanos(own * 1000),
                ..SystemCounters::default()
            });
            assert_eq!(check(&record).status, status, "idle {idle}, own {own}");
        };
        check(60, 35, Status::Ok);
        check(30, 30, Status::Ok);
        check(30, 10, Status::Note);
        check(2, 30, Status::Warning);
        check(0, 70, Status::Ok); // our own doing: see `client-bound`
        // An encrypting kernel works for us.
        let mut record = sample_record();
        record.targets[0].stack[0].kind = LayerKind::Crypt;
        cell_mut(&mut record, "randread-4k-qd16").ledger.system =
            Some(SystemCounters { cpu_total: Nanos(100_000), ..SystemCounters::default() });
        assert_eq!(self::check(&record).status, Status::Note);
    }

    #[test]
    fn stolen_processor_time_is_told() {
        let mut record = sample_record();
        let stolen = |share: u64| SystemCounters {
            cpu_total: Nanos(1_000_000),
            cpu_steal: Nanos(10_000 * share),
            ..SystemCounters::default()
        };
        cell_mut(&mut record, "randread-4k-qd1").ledger.system = Some(stolen(20));
        assert_eq!(check(&record).status, Status::Warning);
        cell_mut(&mut record, "randread-4k-qd1").ledger.system = Some(stolen(3));
        assert_eq!(check(&record).status, Status::Note);
    }
}
