//! `neighbour`: did somebody else use the disk or the processors meanwhile?
//!
//! What the device served beyond what was asked is others' I/O; what the hypervisor stole is
//! others' processor time. In cells that write, only others' reads count: journals and metadata
//! follow from our own writes. Blind spot: neighbours on the provider's side of a virtual disk,
//! who show only as noise (`not-settled`, `stall`).

use record::{Cell, CellRole, Evidence, Finding, FindingId, Record, Status};
use units::{Bytes, BytesPerSecond, Ratio};

use super::{Tally, not_observable, seconds};

/// Others' share of our bytes, and their rate in MB/s, to be worth a note and a warning. A system
/// that logs stays far below the first.
const NOTE: (f64, f64) = (0.02, 1.0);
const WARNING: (f64, f64) = (0.10, 4.0);
/// Share of all processor time that was stolen. The kernel rounds to ticks: below 2 % of a short
/// cell it is a handful of them.
const STEAL_NOTE: f64 = 0.02;
const STEAL_WARNING: f64 = 0.10;

pub(super) fn check(record: &Record) -> Finding {
    let id = FindingId::Neighbour;
    let mut tally = Tally::new(id);
    let mut looked = false;
    for cell in &record.cells {
        if let Some(others) = others(cell) {
            looked = true;
            judge_io(cell, others, &mut tally);
        }
        judge_steal(cell, &mut tally);
    }
    if !looked && tally.status == Status::Ok {
        return not_observable(id, "the device has no counters that could show others' I/O");
    }
    let n = super::cells(tally.cells.len());
    let summary = match tally.status {
        Status::Warning => format!("others used the disk or the processors during {n}"),
        Status::Note => format!("others used the disk or the processors a little, during {n}"),
        _ => "nobody else used the disk".to_owned(),
    };
    tally.finish(summary, Some("stop the other load, or repeat at a quieter time, and compare"))
}

/// Bytes that the topmost device served for others.
fn others(cell: &Cell) -> Option<Bytes> {
    let ledger = &cell.ledger;
    let device = ledger.layers.first()?;
    let charged = ledger.process.map_or(Bytes(0), |p| p.read_bytes);
    let reads = device.read_bytes.0.saturating_sub(ledger.read_bytes.max(charged).0);
    let writes = if cell.job.mix.writes() { 0 } else { device.write_bytes.0 };
    Some(Bytes(reads + writes))
}

fn judge_io(cell: &Cell, others: Bytes, tally: &mut Tally) {
    if cell.role == CellRole::Idle {
        return; // beside a handful of reads every other byte looks large
    }
    let ours = (cell.ledger.read_bytes.0 + cell.ledger.write_bytes.0).max(1);
    let share = others.0 as f64 / ours as f64;
    let span = cell.ledger.elapsed.as_secs_f64().max(seconds(cell));
    let rate = BytesPerSecond(others.0 as f64 / span);
    let above = |limit: (f64, f64)| share > limit.0 && rate.as_mb() > limit.1;
    let status = match () {
        () if above(WARNING) => Status::Warning,
        () if above(NOTE) => Status::Note,
        () => return,
    };
    let value = format!("{others} for others ({rate}), {} for this cell", Bytes(ours));
    tally.touch(cell, status, Evidence::figure(&cell.name, value, share));
}

fn judge_steal(cell: &Cell, tally: &mut Tally) {
    let Some(system) = &cell.ledger.system else {
        return;
    };
    let share = system.cpu_steal.0 as f64 / system.cpu_total.0.max(1) as f64;
    let status = match () {
        () if share > STEAL_WARNING => Status::Warning,
        () if share > STEAL_NOTE => Status::Note,
        () => return,
    };
    let value = format!("{} of the processor time was stolen by the hypervisor", Ratio(share));
    tally.touch(cell, status, Evidence::figure(&cell.name, value, share));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, record};
    use record::SystemCounters;
    use units::Nanos;

    fn with_extra_reads(cell: &str, share: f64) -> Record {
        let mut record = record();
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
    fn journals_of_our_own_writes_are_not_a_neighbour() {
        let mut record = record();
        let ledger = &mut cell_mut(&mut record, "randwrite-4k-qd16").ledger;
        ledger.layers[0].write_bytes.0 *= 3;
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn stolen_processor_time_is_told() {
        let mut record = record();
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
