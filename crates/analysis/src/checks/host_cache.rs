//! `host-cache`: does a cache below us answer, one that we do not see?
//!
//! A hypervisor's page cache, or that of an array, makes the second read of a block faster than
//! the first; when it holds everything, the first is fast already, and only the speed itself gives
//! it away. Blind spots: a cache that holds everything behind a path slower than 20 us; an NVMe
//! device, which may itself be that fast; a volume filled on first touch (see `first-touch`).

use record::{Cell, CellRole, Evidence, Finding, FindingId, Layer, LayerKind, Measured, Status};
use units::{Bytes, Nanos, Ratio};
use workload::{Access, Mix};

use super::reread::{self, Cause, Reread, Rereads};
use super::working_set::{self, WorkingSet};
use super::{FindingBuilder, not_observable};

/// Share of a cell's reads that a cache may have answered, from which the cell is touched.
const HITS_MIN: f64 = 0.1;
const REMEDY: &str = "measure more than the cache can hold (--size), or have the host's cache \
                      turned off (QEMU: cache=none); take the figures for those of the cache";

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::HostCache;
    let fast = cells_as_fast_as_memory(record);
    if let Some((_, p50)) = fast.first() {
        return memory_finding(record, &fast, *p50);
    }
    let reread = match reread::find_rereads(record) {
        Rereads::Not(why) => return not_observable(id, why),
        Rereads::Both(reread) => reread,
    };
    let mut tally = FindingBuilder::new(id);
    tally.add_fact(Evidence::figure("second reads", reread.describe(), reread.speedup()));
    let sweep = working_set::find_cache_step(record);
    // Blocks that were fetched once stay: a part of the span that was read and is slow again is
    // the sign of a cache.
    let bounded = matches!(&sweep, WorkingSet::Step(step) if step.bounded);
    match reread.cause(record) {
        Cause::None => {
            tally.finish("the second read of a block takes as long as the first".to_owned(), None)
        }
        Cause::Cache(why) => cache_finding(record, &reread, why, &sweep, tally),
        Cause::Filled if bounded => cache_finding(
            record,
            &reread,
            "blocks that had been read became slow again",
            &sweep,
            tally,
        ),
        Cause::Filled => not_observable(
            id,
            "the first read of a block is much slower than the second: if not fetched on first \
             touch (see first-touch), a cache keeps them",
        ),
    }
}

/// Second reads that are faster for no other reason than a cache.
fn cache_finding(
    record: &Measured,
    reread: &Reread<'_>,
    why: &str,
    sweep: &WorkingSet,
    mut tally: FindingBuilder,
) -> Finding {
    tally.add_fact(Evidence::text("not fetched on first touch", why));
    tally.add_fact(Evidence::text("measured by", reread.cell_names()));
    let most = match sweep {
        WorkingSet::Step(step) => step.span_share(record),
        // A drive's own cache, next to which such a disk is slow, holds next to nothing of it.
        _ if crate::is_slow_as_arm(&record.cells, record.target()) => 0.0,
        _ => 1.0,
    };
    tally.raise_status(
        Status::Note,
        Evidence::figure("share that it can hold", Ratio(most).to_string(), most),
    );
    let mut before = 0_u64;
    for cell in &record.cells {
        let hits = covered_share(before, record.plan.span).min(most);
        if is_random_read_figure(cell) && hits > HITS_MIN {
            let value = format!("up to {} of its reads may have been answered by it", Ratio(hits));
            tally.mark_cell(cell, Status::Warning, Evidence::figure(&cell.name, value, hits));
        }
        before = before.saturating_add(cell.ledger.read_bytes.0);
    }
    let times = reread.speedup();
    let summary = if tally.status == Status::Warning {
        format!("a cache below this host's own answers: second reads are {times:.1} times faster")
    } else {
        format!(
            "second reads are {times:.1} times faster: a cache below answers what was read before, \
             too small or too late to have touched the figures"
        )
    };
    tally.finish(summary, Some(REMEDY))
}

/// Share of a span's blocks that random reads of so many bytes have touched.
fn covered_share(bytes: u64, span: Bytes) -> f64 {
    1.0 - (-(bytes as f64) / span.0.max(1) as f64).exp()
}

/// Random reads whose figures are told.
fn is_random_read_figure(cell: &Cell) -> bool {
    let told = !matches!(cell.role, CellRole::Trial | CellRole::Disturbed | CellRole::Idle);
    told && cell.job.access == Access::Random && cell.job.mix == Mix::Read
}

/// Cells of one read at a time that took as long as memory takes, behind a disk that cannot.
fn cells_as_fast_as_memory(record: &Measured) -> Vec<(&Cell, u64)> {
    let Some(target) = record.target() else { return Vec::new() };
    let memory = target.file_system.as_ref().is_some_and(|fs| fs.memory)
        || target.stack.iter().any(|l| matches!(l.kind, LayerKind::Zram | LayerKind::Ram));
    let slow = target.bottom_devices().iter().any(|layer| is_slower_than_memory(layer));
    if memory || !slow || !target.direct {
        return Vec::new(); // what is memory, or this host's page cache, others say
    }
    let p50 = |cell: &Cell| cell.totals.read.as_ref()?.latency_ns.percentiles.get("p50").copied();
    let single =
        |cell: &&Cell| is_random_read_figure(cell) && cell.job.depth.0 == 1 && cell.job.direct;
    record
        .cells
        .iter()
        .filter(single)
        .filter(|cell| !reread::is_served_above_device(cell))
        .filter_map(|cell| {
            Some((cell, p50(cell).filter(|p50| *p50 < reread::MEMORY_LATENCY_MAX.0)?))
        })
        .collect()
}

/// Whether a disk cannot be that fast: all but NVMe, where Optane needs 10 us.
fn is_slower_than_memory(layer: &Layer) -> bool {
    let slow = |t: &str| matches!(t, "virtio" | "scsi" | "xen" | "sata" | "sas" | "usb" | "mmc");
    layer.kind == LayerKind::NetworkBlock || layer.transport.as_deref().is_some_and(slow)
}

fn memory_finding(record: &Measured, fast: &[(&Cell, u64)], p50: u64) -> Finding {
    let mut tally = FindingBuilder::new(FindingId::HostCache);
    for (cell, p50) in fast {
        let value = format!("half of the reads took {} or less", Nanos(*p50));
        tally.mark_cell(cell, Status::Warning, Evidence::figure(&cell.name, value, *p50 as f64));
    }
    // What is read several at a time comes from the same place.
    for cell in record.cells.iter().filter(|cell| is_random_read_figure(cell)) {
        if !tally.cells.contains(&cell.name) {
            tally.cells.push(cell.name.clone());
        }
    }
    let summary = format!(
        "reads of {} come from memory, not from a disk behind such a link: a cache of the host",
        Nanos(p50)
    );
    tally.finish(summary, Some(REMEDY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    /// A read-only run over a large span, of which little is read.
    fn large() -> Measured {
        let mut record = sample_record();
        record.plan.span = Bytes::gib(4096);
        record
    }

    #[test]
    fn a_second_read_that_is_faster_is_a_cache_below() {
        let mut record = sample_record();
        reread::add(&mut record, &[(100, 30), (105, 31), (98, 29)]);
        record.plan.span = Bytes::mib(512);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        assert!(!finding.cells.contains(&"randread-4k-qd1".to_owned()), "nothing read before it");
        assert!(finding.cells.contains(&"randread-4k-qd64".to_owned()));
        assert!(finding.summary.contains("3.4 times faster"), "{}", finding.summary);
    }

    #[test]
    fn the_own_cache_of_a_rotating_disk_is_a_note() {
        let mut record = sample_record();
        reread::add(&mut record, &[(9_000, 300), (8_800, 310), (9_100, 290)]);
        record.plan.span = Bytes::mib(512);
        for cell in record.cells.iter_mut().filter(|cell| cell.job.depth.0 == 1) {
            if let Some(read) = &mut cell.totals.read {
                read.latency_ns.mean = 9e6;
            }
        }
        let finding = check(&record);
        assert!(finding.status <= Status::Note, "{finding:#?}");
    }

    #[test]
    fn a_cache_that_touched_no_figure_is_a_note() {
        let mut record = large();
        reread::add(&mut record, &[(100, 30); 3]);
        let finding = check(&record);
        assert_eq!((finding.status, finding.cells.len()), (Status::Note, 0), "{finding:#?}");
    }

    #[test]
    fn equal_reads_are_no_cache() {
        let mut record = sample_record();
        assert_eq!(check(&record).status, Status::NotObservable);
        reread::add(&mut record, &[(100, 98), (100, 104), (120, 90)]);
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn what_may_be_filled_on_first_touch_is_not_called_a_cache() {
        let mut record = sample_record();
        record.layout = None;
        reread::add(&mut record, &[(8_000, 600); 3]);
        assert_eq!(check(&record).status, Status::NotObservable);
        working_set::add(&mut record, &[(16, 1.0), (64, 0.8), (256, 0.25), (4096, 0.02)]);
        assert!(check(&record).status >= Status::Note, "warmed parts became slow again");
    }

    #[test]
    fn the_speed_of_memory_behind_a_disk_is_enough() {
        let check = |us: u64, transport: &str, status| {
            let mut record = sample_record();
            record.targets[0].stack[0].transport = Some(transport.to_owned());
            let read = cell_mut(&mut record, "randread-4k-qd1").totals.read.as_mut().unwrap();
            read.latency_ns.percentiles.insert("p50".to_owned(), us * 1000);
            let finding = check(&record);
            assert_eq!(finding.status, status, "{us} {transport}: {finding:#?}");
            if status == Status::Warning {
                assert!(finding.cells.contains(&"randread-4k-qd64".to_owned()));
            }
        };
        check(12, "virtio", Status::Warning);
        check(12, "sata", Status::Warning);
        check(12, "nvme", Status::NotObservable);
        check(48, "virtio", Status::NotObservable);
    }
}
