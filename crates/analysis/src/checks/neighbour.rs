//! `neighbour`: did somebody else use the disk or the processors meanwhile?
//!
//! What the device served beyond what was asked is others' I/O; what the hypervisor stole, or
//! other processes used, is others' processor time. In cells that write, others' reads count in
//! full, but writes only for a note, and only where our own cause none beside themselves: without
//! syncs, on a file system that overwrites in place. Journals, metadata and copies follow from our
//! own writes. Blind spot: neighbours on the provider's side of a virtual disk, who show only as
//! noise (`not-settled`, `stall`).

use record::{Cell, CellRole, Evidence, Finding, FindingId, LayerKind, Measured, Status};
use units::{Bytes, BytesPerSecond, Nanos, Ratio};

use super::{FindingBuilder, elapsed_s, not_observable};

/// Others' share of our bytes, and their rate in MB/s, to be worth a note and a warning. A system
/// that logs stays far below the first.
pub(super) const NOTE_ABOVE: (f64, f64) = (0.02, 1.0);
pub(super) const WARNING_ABOVE: (f64, f64) = (0.10, 4.0);
/// Share of all processor time that was stolen. The kernel rounds to ticks: below 2 % of a short
/// cell it is a handful of them.
pub(super) const STEAL_NOTE: f64 = 0.02;
pub(super) const STEAL_WARNING: f64 = 0.10;
/// Share stolen from which a tail latency is the host's: measured on a shared host, the 99th
/// percentile of its disk doubles there.
const STEAL_DISTURBED: f64 = 0.05;
/// Device writes per write of ours, above which somebody else wrote too.
pub(super) const WRITE_FACTOR: f64 = 1.5;
/// Share of all processor time that went to neither this process nor idleness nor the hypervisor.
/// Interrupts of our own I/O are in it: less than half of a small host even at full speed. It is
/// worth a warning when nothing was left idle, and no layer has threads that work for us.
pub(super) const FOREIGN_MIN: f64 = 0.5;
pub(super) const IDLE_MIN: f64 = 0.05;

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::Neighbour;
    let mut tally = FindingBuilder::new(id);
    let mut looked = false;
    for cell in &record.cells {
        if let Some(others) = others_bytes(cell) {
            looked = true;
            judge_io(cell, others, &mut tally);
        }
        judge_writes(cell, record, &mut tally);
        judge_processors(cell, record, &mut tally);
    }
    if !looked && tally.status == Status::Ok {
        return not_observable(id, "the device has no counters that could show others' I/O");
    }
    let n = super::format_cell_count(tally.cells.len());
    let summary = match tally.status {
        Status::Warning => format!("others used the disk or the processors during {n}"),
        Status::Note => format!("others used the disk or the processors a little, during {n}"),
        _ => "nobody else used the disk".to_owned(),
    };
    tally.finish(summary, Some("stop the other load, or repeat at a quieter time, and compare"))
}

/// Whether others used the disk, or left this process too little of the processors, while a cell
/// was measured, so that it is better measured again; or whether this process did not run for a
/// while, or an open loop was late. Processor time of threads that work for this process cannot be
/// told apart here.
#[must_use]
pub fn is_disturbed(cell: &Cell) -> bool {
    let io = others_bytes(cell).is_some_and(|others| {
        let ours = cell.ledger.read_bytes.0.saturating_add(cell.ledger.write_bytes.0).max(1);
        others.0 as f64 / ours as f64 > WARNING_ABOVE.0
            && byte_rate(cell, others).as_mb() > WARNING_ABOVE.1
    });
    let processors = cell.ledger.system.as_ref().filter(|s| s.cpu_total.0 > 0).is_some_and(|s| {
        let share = |part: Nanos| part.0 as f64 / s.cpu_total.0 as f64;
        let (stolen, idle) = (share(s.cpu_steal), share(s.cpu_idle));
        let foreign = 1.0 - idle - stolen - share(s.cpu_self);
        stolen > STEAL_DISTURBED || (foreign > FOREIGN_MIN && idle < IDLE_MIN)
    });
    let late = cell.open_loop.as_ref().is_some_and(|open| open.generator_late);
    io || processors || late || !cell.pauses.is_empty()
}

/// Says how many probes were measured again; their own figures decide nothing.
pub(super) fn add_repeated_probes(record: &Measured, mut finding: Finding) -> Finding {
    let again: Vec<&Cell> =
        record.cells.iter().filter(|cell| cell.role == CellRole::Disturbed).collect();
    // Two jobs at the same time are one probe.
    let twice = |cell: &&&Cell| cell.beside.as_ref().is_some_and(|other| *other < cell.name);
    let count = again.len() - again.iter().filter(twice).count();
    if count == 0 {
        return finding;
    }
    let (probes, were) = if count == 1 { ("probe", "was") } else { ("probes", "were") };
    let words = format!("{count} {probes} {were} disturbed, and measured again");
    finding.evidence.push(Evidence::figure("measured again", words.clone(), count as f64));
    if finding.status <= Status::Note {
        finding.summary = match finding.status {
            Status::Note => format!("{}; {words}", finding.summary),
            _ => words,
        };
        finding.status = Status::Note;
        finding.cells.extend(again.iter().map(|cell| cell.name.clone()));
    }
    finding
}

/// Bytes that the topmost device served for others.
fn others_bytes(cell: &Cell) -> Option<Bytes> {
    let ledger = &cell.ledger;
    let device = ledger.layers.first()?;
    let charged = ledger.process.map_or(Bytes(0), |p| p.read_bytes);
    let reads = device.read_bytes.0.saturating_sub(ledger.read_bytes.max(charged).0);
    let writes = if has_own_writes(cell) { 0 } else { device.write_bytes.0 };
    Some(Bytes(reads.saturating_add(writes)))
}

/// Whether anything of ours changed the device meanwhile. The ledger is asked and not the job:
/// jobs at the same time share it, and beside a job that reads another may write.
fn has_own_writes(cell: &Cell) -> bool {
    cell.ledger.write_bytes.0 > 0 || cell.ledger.trim_ops > 0
}

fn judge_io(cell: &Cell, others: Bytes, tally: &mut FindingBuilder) {
    if cell.role == CellRole::Idle {
        return; // beside a handful of reads every other byte looks large
    }
    let ours = cell.ledger.read_bytes.0.saturating_add(cell.ledger.write_bytes.0).max(1);
    let share = others.0 as f64 / ours as f64;
    let rate = byte_rate(cell, others);
    let above = |limit: (f64, f64)| share > limit.0 && rate.as_mb() > limit.1;
    let status = match () {
        () if above(WARNING_ABOVE) => Status::Warning,
        () if above(NOTE_ABOVE) => Status::Note,
        () => return,
    };
    let value = format!("{others} for others ({rate}), {} for this cell", Bytes(ours));
    tally.mark_cell(cell, status, Evidence::figure(&cell.name, value, share));
}

fn byte_rate(cell: &Cell, bytes: Bytes) -> BytesPerSecond {
    let span = cell.ledger.elapsed.as_secs_f64().max(elapsed_s(cell));
    BytesPerSecond(bytes.0 as f64 / span)
}

/// Writes of the device beyond those that ours can have caused.
fn judge_writes(cell: &Cell, record: &Measured, tally: &mut FindingBuilder) {
    let ledger = &cell.ledger;
    let synced = cell.job.sync.is_some() || ledger.sync_ops > 0;
    let plain = has_own_writes(cell) && !synced && overwrites_in_place(record);
    let Some(device) = ledger.layers.first().filter(|_| plain) else {
        return;
    };
    let share = device.write_bytes.0 as f64 / ledger.write_bytes.0.max(1) as f64;
    let more = Bytes(device.write_bytes.0.saturating_sub(ledger.write_bytes.0));
    if share > WRITE_FACTOR && byte_rate(cell, more).as_mb() > NOTE_ABOVE.1 {
        let value = format!("{more} written beside the {} of this cell", ledger.write_bytes);
        tally.mark_cell(cell, Status::Note, Evidence::figure(&cell.name, value, share));
    }
}

/// Whether a write of ours makes no other: raw devices, and file systems that overwrite in place.
fn overwrites_in_place(record: &Measured) -> bool {
    let journalled = |option: &String| option.split(',').any(|o| o == "data=journal");
    record.target().is_some_and(|target| {
        target.file_system.as_ref().is_none_or(|fs| {
            is_overwriting_file_system(&fs.kind) && !fs.options.iter().any(journalled)
        })
    })
}

fn judge_processors(cell: &Cell, record: &Measured, tally: &mut FindingBuilder) {
    let Some(system) = cell.ledger.system.as_ref().filter(|s| s.cpu_total.0 > 0) else {
        return;
    };
    let share = |part: f64| part / system.cpu_total.0 as f64;
    let stolen = share(system.cpu_steal.0 as f64);
    let idle = share(system.cpu_idle.0 as f64);
    let foreign = 1.0 - idle - stolen - share(system.cpu_self.0 as f64);
    let (status, value, figure) = match () {
        () if stolen > STEAL_NOTE => {
            let status = if stolen > STEAL_WARNING { Status::Warning } else { Status::Note };
            let words = "of the processor time was stolen by the hypervisor";
            (status, format!("{} {words}", Ratio(stolen)), stolen)
        }
        () if foreign > FOREIGN_MIN => {
            let starved = idle < IDLE_MIN && !has_kernel_helpers(record);
            let status = if starved { Status::Warning } else { Status::Note };
            let words = "of the processor time went to others";
            (status, format!("{} {words}, {} was left idle", Ratio(foreign), Ratio(idle)), foreign)
        }
        () => return,
    };
    tally.mark_cell(cell, status, Evidence::figure(&cell.name, value, figure));
}

/// Whether kernel threads work on our I/O: encryption, RAID, loop devices, file systems that sum
/// and compress. Their processor time is not a neighbour's, and not told apart from it.
fn has_kernel_helpers(record: &Measured) -> bool {
    let plain = |kind: LayerKind| {
        use LayerKind::{Disk, Lvm, Multipath, Partition};
        matches!(kind, Partition | Disk | Lvm | Multipath)
    };
    record.target().is_none_or(|target| {
        target.stack.iter().any(|layer| !plain(layer.kind))
            || target.file_system.as_ref().is_some_and(|fs| !is_overwriting_file_system(&fs.kind))
    })
}

/// File systems that overwrite in place and have no threads for data.
fn is_overwriting_file_system(kind: &str) -> bool {
    matches!(kind, "ext2" | "ext4" | "xfs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::SystemCounters;
    use units::Nanos;

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
        assert!(!is_disturbed(&record.cells[0]));
        // Twice what both wrote is worth a word, in the ledger of either.
        record.cells[0].ledger.layers[0].write_bytes.0 *= 2;
        let finding = check(&record);
        assert_eq!((finding.status, finding.cells.len()), (Status::Note, 1), "{finding:#?}");
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
        check("randwrite-4k-qd16", 3, "rw", Status::Note);
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
        assert_eq!(super::check(&record).status, Status::Note);
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
