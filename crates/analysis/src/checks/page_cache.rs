//! `page-cache`: did the bytes reach the device?
//!
//! The ledger sets what was asked against what the kernel charged the process and what the device
//! served. O_DIRECT alone proves nothing: tmpfs accepts it and answers from memory, ext4 with
//! journalled data and btrfs with compression accept it and go through the page cache. A loop
//! device without direct I/O answers from the cache of the file behind it, one layer further
//! down. Blind spot: a cache that no counter of this host sees (the hypervisor's, the disk's).

use record::{Cell, Evidence, Finding, FindingId, LayerCounters, Record, Status};
use units::{Bytes, Ratio};

use super::{Tally, not_observable};

/// Below this share of the asked bytes the device cannot have served the cell. The ledger agrees
/// within 2 % in practice; 10 % leaves room for what was outstanding at its edges.
const SERVED_MIN: f64 = 0.9;
/// Cells that moved less say nothing.
const ASKED_MIN: u64 = 256 << 10;
/// The first part of the ledger's counters that a cell may miss at its edges: one depth's worth
/// of operations.
fn edge(cell: &Cell) -> u64 {
    u64::from(cell.job.depth.0) * cell.job.block_size.0
}

pub(super) fn check(record: &Record) -> Finding {
    let mut tally = Tally::new(FindingId::PageCache);
    let Some(target) = record.target() else {
        return not_observable(FindingId::PageCache, "no target was described");
    };
    if let Some(fs) = target.file_system.as_ref().filter(|fs| fs.memory) {
        let fact = Evidence::text("file system", format!("{} on {}", fs.kind, fs.mount_point));
        for cell in &record.cells {
            tally.touch(cell, Status::Invalid, fact.clone());
        }
        tally.evidence.truncate(1);
        tally.status = Status::Invalid;
        return tally.finish(
            format!("this is memory, not a disk: {} keeps its files in RAM", fs.kind),
            Some("measure a folder on the disk in question"),
        );
    }
    let mut compared = 0;
    for cell in &record.cells {
        compared += usize::from(compare(cell, target, &mut tally));
    }
    if !target.direct {
        let fact = Evidence::text("O_DIRECT", "refused by this file system");
        if tally.status < Status::Invalid {
            tally.raise(Status::Warning, fact);
        } else {
            tally.fact(fact);
        }
    }
    if compared == 0 && tally.status == Status::Ok {
        return not_observable(
            FindingId::PageCache,
            "no counters of a device or of this process to compare with",
        );
    }
    let summary = match tally.status {
        Status::Invalid => {
            "the page cache answered: the device moved fewer bytes than were asked".to_owned()
        }
        Status::Warning => {
            "the file system refused O_DIRECT, yet the device moved the bytes".into()
        }
        _ => "the device moved the bytes that were asked".to_owned(),
    };
    tally.finish(
        summary,
        Some("mount without data=journal or compression, or measure the device: --read-only DEV"),
    )
}

/// Compares one cell's books; `false` when there is nothing to compare with.
fn compare(cell: &Cell, target: &record::TargetInfo, tally: &mut Tally) -> bool {
    let ledger = &cell.ledger;
    let top = ledger.layers.first();
    let mut known = false;
    for (word, asked, device, process) in [
        (
            "read",
            ledger.read_bytes,
            top.map(|l| l.read_bytes),
            ledger.process.map(|p| p.read_bytes),
        ),
        (
            "written",
            ledger.write_bytes,
            top.map(|l| l.write_bytes),
            ledger.process.map(|p| p.write_bytes),
        ),
    ] {
        let Some(served) = device.or(process).filter(|_| asked.0 >= ASKED_MIN) else {
            continue;
        };
        known = true;
        let by = top.map_or("this process (/proc/self/io)", |l| l.name.as_str());
        judge(cell, word, asked, served, by, tally);
    }
    if let Some(below) = behind_loop(target, &ledger.layers)
        && ledger.read_bytes.0 >= ASKED_MIN
    {
        judge(cell, "read", ledger.read_bytes, below.read_bytes, &below.name, tally);
    }
    known
}

fn judge(cell: &Cell, word: &str, asked: Bytes, served: Bytes, by: &str, tally: &mut Tally) {
    let share = (served.0 + edge(cell)) as f64 / asked.0 as f64;
    if share < SERVED_MIN {
        let mut value = format!("{asked} asked, {served} {word} by {by}");
        if let Some(r) = cell.ledger.residency.as_ref().filter(|r| r.cached_after > 0) {
            let cached = Ratio(r.cached_after as f64 / r.pages.max(1) as f64);
            value.push_str(&format!("; {cached} of the file is in the page cache"));
        }
        tally.touch(cell, Status::Invalid, Evidence::figure(&cell.name, value, share));
    }
}

/// The layer below a loop device that works through the page cache of its backing file.
fn behind_loop<'a>(
    target: &record::TargetInfo,
    layers: &'a [LayerCounters],
) -> Option<&'a LayerCounters> {
    let cached = target.stack.iter().find(|layer| layer.backing_direct == Some(false))?;
    let below = target.stack.iter().find(|layer| layer.above.as_ref() == Some(&cached.name))?;
    layers.iter().find(|layer| layer.name == below.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, record};

    #[test]
    fn memory_file_systems_invalidate_everything() {
        let mut record = record();
        record.targets[0].file_system.as_mut().unwrap().memory = true;
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert_eq!(finding.cells.len(), record.cells.len());
    }

    #[test]
    fn a_device_that_served_less_than_asked_gives_the_cache_away() {
        let mut record = record();
        cell_mut(&mut record, "randread-4k-qd1").ledger.layers[0].read_bytes = Bytes(4096);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert_eq!(finding.cells, ["randread-4k-qd1"]);
    }

    #[test]
    fn refused_direct_io_with_balanced_books_is_a_warning() {
        let mut record = record();
        record.targets[0].direct = false;
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn without_device_counters_the_process_is_asked() {
        let mut record = record();
        for cell in &mut record.cells {
            cell.ledger.layers.clear();
        }
        assert_eq!(check(&record).status, Status::Ok);
        for cell in &mut record.cells {
            cell.ledger.process = None;
        }
        assert_eq!(check(&record).status, Status::NotObservable);
    }

    #[test]
    fn the_cache_behind_a_loop_device_is_seen() {
        let mut record = record();
        let target = &mut record.targets[0];
        let mut disk = target.stack[0].clone();
        target.stack[0].backing_direct = Some(false);
        disk.name = "sda".to_owned();
        disk.above = Some(target.stack[0].name.clone());
        target.stack.push(disk);
        for cell in &mut record.cells {
            let below = LayerCounters { name: "sda".to_owned(), ..LayerCounters::default() };
            cell.ledger.layers.push(below);
        }
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert!(finding.evidence[0].value.contains("by sda"), "{finding:?}");
    }
}
