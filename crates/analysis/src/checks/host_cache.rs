//! `host-cache`: does a cache outside of this host answer? It makes the second read of a block
//! faster than the first, or the first as fast as memory. NVMe may be that fast, and is not judged
//! by it.

use record::{Layer, LayerKind};

use super::check::*;
use super::unwritten::reads_holes;
use crate::cells::{is_random_read_figure, read_p50_ns, served_share};
use crate::evidence::reread::{Cause, MEMORY_LATENCY_MAX, Reread, find_rereads};
use crate::evidence::working_set::{WorkingSet, find_cache_step};
use crate::rotation::is_slow_as_arm;

pub(super) static CHECK: Check = Check {
    id: FindingId::HostCache,
    method: None,
    run: |subject, finding| match reads_holes(subject.judgement) {
        true => Err(label("unwritten-reads-holes")),
        false => check(subject.measured, finding),
    },
};

/// Share of a cell's reads from which the cell is marked.
const HITS_MIN: f64 = 0.1;
/// Share of the reads that the device counts, below which memory of this host may have answered
/// enough of them for their median.
const COUNTED_MIN: f64 = 0.9;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let fast = cells_as_fast_as_memory(measured);
    if let Some((_, p50)) = fast.first() {
        return Ok(describe_memory(measured, &fast, *p50, finding));
    }
    let reread = find_rereads(measured)?;
    finding.evidence.push(reread.to_evidence());
    finding.evidence.extend(reread.later_evidence());
    match reread.cause(measured) {
        Cause::None => Ok(label("host-cache-none")),
        Cause::Cache(why) => Ok(describe_cache(measured, &reread, why, finding)),
        Cause::Filled => Err(label("host-cache-or-first-touch")),
    }
}

fn describe_cache(
    measured: &Measured,
    reread: &Reread<'_>,
    why: Message,
    finding: &mut FindingBuilder,
) -> Message {
    finding.evidence.push(Evidence::text(label("host-cache-not-fetched"), why));
    finding.evidence.push(reread.cell_evidence());
    let most = match find_cache_step(measured) {
        Ok(WorkingSet::Step(step)) => step.span_share(measured),
        // The cache of a rotating disk holds next to nothing of it.
        _ if is_slow_as_arm(&measured.cells, measured.target()) => 0.0,
        _ => 1.0,
    };
    let fact = Evidence::figure(label("host-cache-share"), Ratio(most), most);
    finding.raise_status(Status::Note, fact);
    let mut before = 0_u64;
    for cell in &measured.cells {
        let hits = covered_share(before, measured.plan.span).min(most);
        if is_random_read_figure(cell) && hits > HITS_MIN {
            finding.mark(cell, Status::Warning, HostCacheHits { share: Ratio(hits) }, hits);
        }
        before = before.saturating_add(cell.ledger.read_bytes.0);
    }
    let times = reread.speedup();
    match finding.status {
        Status::Warning => HostCacheAnswers { times }.into(),
        _ => HostCacheBeside { times }.into(),
    }
}

/// Share of a span's blocks that random reads of `bytes` in total have touched.
fn covered_share(bytes: u64, span: Bytes) -> f64 {
    1.0 - (-(bytes as f64) / span.0.max(1) as f64).exp()
}

/// Cells of one read at a time as fast as memory behind a disk that is not, with their medians in
/// nanoseconds. Memory and the page cache of this host are for other checks.
fn cells_as_fast_as_memory(measured: &Measured) -> Vec<(&Cell, u64)> {
    let Some(target) = measured.target() else { return Vec::new() };
    let slow = target.bottom_devices().iter().any(|layer| is_slower_than_memory(layer));
    if target.is_memory() || !slow || !target.direct {
        return Vec::new();
    }
    let single = |cell: &&Cell| {
        is_random_read_figure(cell)
            && cell.job.depth.0 == 1
            && cell.job.direct
            && served_share(cell).is_none_or(|share| share >= COUNTED_MIN)
    };
    let fast = |cell| Some((cell, read_p50_ns(cell).filter(|ns| *ns < MEMORY_LATENCY_MAX.0)?));
    measured.cells.iter().filter(single).filter_map(fast).collect()
}

/// Whether a disk cannot be that fast: all but NVMe, where Optane needs 10 us.
fn is_slower_than_memory(layer: &Layer) -> bool {
    let slow = |t: &str| matches!(t, "virtio" | "scsi" | "xen" | "sata" | "sas" | "usb" | "mmc");
    layer.kind == LayerKind::NetworkBlock || layer.transport.as_deref().is_some_and(slow)
}

fn describe_memory(
    measured: &Measured,
    fast: &[(&Cell, u64)],
    p50: u64,
    finding: &mut FindingBuilder,
) -> Message {
    for (cell, p50) in fast {
        let value = HostCacheMedian { time: Nanos(*p50) };
        finding.mark(cell, Status::Warning, value, *p50 as f64);
    }
    for cell in measured.cells.iter().filter(|cell| is_random_read_figure(cell)) {
        if !finding.cells.contains(&cell.name) {
            finding.cells.push(cell.name.clone());
        }
    }
    HostCacheIsMemory { time: Nanos(p50) }.into()
}

messages! {
    HostCacheHits = "host-cache-hits" { share: Ratio };
    HostCacheAnswers = "host-cache-answers" { times: f64 };
    HostCacheBeside = "host-cache-beside" { times: f64 };
    HostCacheMedian = "host-cache-median" { time: Nanos };
    HostCacheIsMemory = "host-cache-is-memory" { time: Nanos };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{reread, working_set};
    use crate::testing::{cell_mut, sample_record};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

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
        assert_eq!(finding.summary.id(), "host-cache-answers");
        let times = finding.evidence[0].figure.unwrap();
        assert!((times / 3.4 - 1.0).abs() < 0.02, "{finding:#?}");
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
