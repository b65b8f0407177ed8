//! `page-cache`: did the bytes reach the device? O_DIRECT alone proves nothing: tmpfs, ext4 with
//! journalled data and btrfs with compression accept it and use memory; so does a loop device.

use record::{LayerCounters, Purpose, TargetInfo};

use super::check::*;
use super::unwritten::reads_holes;
use crate::preset::reads_memory_on_purpose;
use crate::words::Clauses;

pub(super) static CHECK: Check = Check {
    id: FindingId::PageCache,
    method: Some(|| {
        PageCacheMethod { served_min: SERVED_MIN, growth_max: CACHED_GROWTH_MAX }.into()
    }),
    run: check,
};

/// The ledger agrees within 2 % in practice, and what was outstanding at its edges is counted.
/// Memory that serves a twentieth makes a rate a twentieth too high.
pub(super) const SERVED_MIN: Ratio = Ratio(0.95);
/// Cells that moved less say nothing.
const ASKED_MIN: u64 = 256 << 10;
/// Growth of the cached part of the span (methodology: more than 1 % resident).
const CACHED_GROWTH_MAX: Ratio = Ratio(0.01);

fn check(subject: &Subject<'_>, finding: &mut FindingBuilder) -> Outcome {
    let measured = subject.figures;
    let target = measured.target().ok_or_else(|| label("no-target"))?;
    if let Some(fs) = target.file_system.as_ref().filter(|fs| fs.memory) {
        return Ok(describe_memory(measured, &fs.kind, &fs.mount_point, finding));
    }
    if measured.metadata.is_some() {
        return Err(label("page-cache-of-small-files"));
    }
    // fio's `direct=0`. A preset says itself which of its steps go through the page cache.
    let preset = matches!(measured.plan.purpose, Purpose::Preset(_));
    let buffered = !preset && !measured.cells.iter().any(|cell| cell.job.direct);
    let refused = !target.direct;
    let device_counts = has_device_counters(measured);
    // Reads of holes ask no device, and need no cache for that.
    let holes = reads_holes(subject.judgement);
    let mut compared = 0;
    let cells = measured.cells.iter().filter(|cell| !holes || !cell.job.mix.reads());
    for cell in cells.clone() {
        if compare_counters(cell, target, device_counts, 1, finding) {
            compared += 1;
        } else {
            judge_unproven(cell, !(refused || buffered), finding);
        }
    }
    // What memory answered of one load it answers of a deeper one, too.
    let marked = Vec::from_iter(cells.clone().filter(|of| finding.cells.contains(&of.name)));
    let is_new = |cell: &&Cell| !marked.iter().any(|one| one.name == cell.name);
    let others = cells.filter(is_new).filter(|cell| is_edge_small(cell));
    for cell in others.filter(|of| marked.iter().any(|one| are_alike(one, of))) {
        compare_counters(cell, target, device_counts, 0, finding);
    }
    judge_delayed_writes(measured, finding);
    if is_cache_intended(measured) {
        return Ok(describe_intended(finding, compared));
    }
    if refused {
        let fact = Evidence::text(Message::from_text("O_DIRECT"), label("page-cache-refused"));
        finding.raise_status(Status::Warning, fact);
    }
    if compared == 0 && finding.status == Status::Ok {
        if holes {
            return Err(label("unwritten-reads-holes"));
        }
        return Err(label("page-cache-no-counters"));
    }
    let summary: Message = match finding.status {
        Status::Invalid if compared == 0 && !refused => label("page-cache-as-asked"),
        Status::Invalid if compared == 0 => label("page-cache-refused-unproven"),
        Status::Invalid => label("page-cache-answered"),
        Status::Warning if !refused => label("page-cache-grew"),
        Status::Warning if compared == 0 => label("page-cache-refused-too-little"),
        Status::Warning => label("page-cache-refused-yet-moved"),
        _ => label("page-cache-device-moved"),
    };
    if let Some(cell) = subject.measured.cells.iter().find(|c| reads_memory_on_purpose(measured, c))
    {
        let name = Message::from_text(&cell.name);
        finding.raise_status(Status::Note, Evidence::text(name, label("page-cache-on-purpose")));
        if finding.status == Status::Note {
            finding.remedy = None;
            return Ok(label("page-cache-device-moved"));
        }
    }
    if buffered && !refused {
        finding.remedy = Some(label("remedy-direct-io"));
    }
    Ok(summary)
}

/// `ping -C`.
fn is_cache_intended(measured: &Measured) -> bool {
    let cached = matches!(&measured.plan.purpose, Purpose::Ping(plan) if !plan.uncached);
    cached && !measured.cells.iter().any(|cell| cell.job.direct)
}

fn describe_intended(finding: &mut FindingBuilder, compared: usize) -> Message {
    if compared > 0 && finding.status == Status::Ok {
        return label("page-cache-device-moved");
    }
    finding.status = Status::Note;
    finding.remedy = Some(label("remedy-leave-out-cached"));
    label("page-cache-as-option-asks")
}

/// Whether most operations of a cell were answered above the device.
pub(super) fn is_answered_by_memory(cell: &Cell, measured: &Measured) -> bool {
    let ledger = &cell.ledger;
    let asked = ledger.read_ops.saturating_add(ledger.write_ops);
    measured.target().is_some_and(TargetInfo::is_in_memory_file_system)
        || matches!(CHECK.judge_alone(measured).status, Status::Invalid | Status::Note)
        || ledger.layers.first().is_some_and(|top| {
            top.read_ops.saturating_add(top.write_ops).saturating_add(top.merges) < asked / 2
        })
}

fn describe_memory(
    measured: &Measured,
    kind: &str,
    mount_point: &str,
    finding: &mut FindingBuilder,
) -> Message {
    let mounted = PageCacheMounted { kind: kind.to_owned(), mount_point: mount_point.to_owned() };
    let fact = Evidence::text(label("page-cache-file-system"), mounted);
    finding.raise_status(Status::Invalid, fact);
    finding.cells.extend(measured.cells.iter().map(|cell| cell.name.clone()));
    finding.remedy = Some(label("remedy-measure-folder-on-disk"));
    PageCacheIsMemory { kind: kind.to_owned() }.into()
}

/// Whether what the counters miss at an edge leaves a cell above the share that must be served.
fn is_edge_small(cell: &Cell) -> bool {
    let asked = cell.ledger.read_bytes.0.saturating_add(cell.ledger.write_bytes.0);
    edge_bytes(cell) as f64 <= (1.0 - SERVED_MIN.0) * asked as f64
}

fn edge_bytes(cell: &Cell) -> u64 {
    u64::from(cell.job.depth.0).saturating_mul(cell.job.block_size.0)
}

fn are_alike(a: &Cell, b: &Cell) -> bool {
    let (a, b) = (&a.job, &b.job);
    (&a.access, a.mix, a.block_size) == (&b.access, b.mix, b.block_size)
}

/// Whether there was anything to compare with. The counters of a cell may miss one depth's worth of
/// operations at each of its `edges`.
fn compare_counters(
    cell: &Cell,
    target: &TargetInfo,
    device_counts: bool,
    edges: u64,
    finding: &mut FindingBuilder,
) -> bool {
    let ledger = &cell.ledger;
    let device = ledger.layers.first().filter(|_| device_counts);
    // Writes are charged when a page becomes dirty: only charged reads have left the page cache.
    let process = ledger.process.filter(|_| is_process_charged(target));
    let below = layer_behind_loop(target, &ledger.layers);
    let mut known = false;
    for (read, asked) in [(true, ledger.read_bytes), (false, ledger.write_bytes)] {
        if asked.0 < ASKED_MIN {
            continue;
        }
        let by_layer =
            |layer: &LayerCounters| if read { layer.read_bytes } else { layer.write_bytes };
        // What a neighbour reads may hide on the device that ours never came; the process's account
        // does not.
        let charged = process.filter(|_| read || device.is_none());
        let charged = charged.map(|p| if read { p.read_bytes } else { p.write_bytes });
        let served = [
            device.map(|layer| (by_layer(layer), Message::from_text(&layer.name))),
            charged.map(|bytes| (bytes, label("page-cache-this-process"))),
            below.map(|layer| (by_layer(layer), Message::from_text(&layer.name))),
        ];
        let least = served.into_iter().flatten().min_by_key(|(bytes, _)| *bytes);
        if let Some((bytes, by)) = least {
            known = true;
            judge_served(cell, read, (asked, edges), (bytes, by), finding);
        }
    }
    known
}

/// Whether the topmost device counts at all: with `queue/iostats` off, and on some multipath
/// devices, its counters stand still.
fn has_device_counters(measured: &Measured) -> bool {
    let moved = |l: &LayerCounters| l.read_ops > 0 || l.write_ops > 0 || l.busy_ms > 0;
    let charged = |cell: &Cell| {
        let (asked, charged) = (cell.ledger.read_bytes.0, cell.ledger.process);
        asked >= ASKED_MIN
            && charged.is_some_and(|p| p.read_bytes.0 as f64 >= SERVED_MIN.0 * asked as f64)
    };
    measured.cells.iter().any(|cell| cell.ledger.layers.first().is_some_and(moved))
        || !measured.cells.iter().any(charged)
}

/// What a daemon or a host reads for this process (FUSE, 9p, virtiofs) is charged to that one.
fn is_process_charged(target: &TargetInfo) -> bool {
    let kind = target.file_system.as_ref().map_or("", |fs| fs.kind.as_str());
    let elsewhere = kind.starts_with("fuse") || matches!(kind, "9p" | "virtiofs" | "gofer");
    !(target.stack.is_empty() && elsewhere)
}

fn judge_served(
    cell: &Cell,
    read: bool,
    (asked, edges): (Bytes, u64),
    (served, by): (Bytes, Message),
    finding: &mut FindingBuilder,
) {
    let missed = edges.saturating_mul(edge_bytes(cell));
    let share = served.0.saturating_add(missed) as f64 / asked.0 as f64;
    if share < SERVED_MIN.0 {
        let mut clauses = match read {
            true => vec![PageCacheRead { asked, served, by }.into()],
            false => {
                vec![PageCacheWritten { asked, served, by }.into(), label("page-cache-rest-waits")]
            }
        };
        if let Some((cached, _)) = cached_share(cell).filter(|(cached, _)| *cached > 0.0) {
            clauses.push(PageCacheHoldsSpan { share: Ratio(cached) }.into());
        }
        finding.mark(cell, Status::Invalid, Clauses { clauses }, share);
    }
}

/// Where direct writes of one cell waited in memory (`data=journal`), what the device wrote during
/// another may be those, or the journal's copies. Only cells that wait for their own writes prove
/// anything then.
fn judge_delayed_writes(measured: &Measured, finding: &mut FindingBuilder) {
    let is_unsynced = |cell: &&Cell| {
        cell.job.mix.writes()
            && cell.job.direct
            && cell.job.sync.is_none()
            && cell.end_sync.is_none()
    };
    let writes = || measured.cells.iter().filter(is_unsynced);
    let is_marked = |cell: &Cell| finding.cells.contains(&cell.name);
    let has_delayed = writes().any(|cell| !cell.job.mix.reads() && is_marked(cell));
    if finding.status != Status::Invalid || !has_delayed {
        return;
    }
    let others: Vec<&Cell> = writes().filter(|cell| !is_marked(cell)).collect();
    for cell in others {
        let name = Message::from_text(&cell.name);
        let fact = Evidence::text(name, label("page-cache-writes-of-others"));
        finding.mark_cell(cell, Status::Invalid, fact);
    }
}

/// A cell that no counter speaks for: growth of the cache is a sign that O_DIRECT was in name only.
fn judge_unproven(cell: &Cell, direct: bool, finding: &mut FindingBuilder) {
    let ledger = &cell.ledger;
    if ledger.read_bytes.0.max(ledger.write_bytes.0) < ASKED_MIN {
        return;
    }
    if !direct {
        let name = Message::from_text(&cell.name);
        finding.mark_cell(
            cell,
            Status::Invalid,
            Evidence::text(name, label("page-cache-unproven")),
        );
    } else if let Some((after, growth)) =
        cached_share(cell).filter(|(_, growth)| *growth > CACHED_GROWTH_MAX.0)
    {
        let value = PageCacheHoldsSpan { share: Ratio(after) };
        finding.mark(cell, Status::Warning, value, growth);
    }
}

/// Share of the span in the page cache after the cell, and by how much it grew.
fn cached_share(cell: &Cell) -> Option<(f64, f64)> {
    let residency = cell.ledger.residency.as_ref()?;
    let share = |pages: u64| pages as f64 / residency.pages.max(1) as f64;
    let (before, after) = (share(residency.cached_before), share(residency.cached_after));
    Some((after, after - before))
}

/// The layer below a loop device that works through the page cache.
fn layer_behind_loop<'a>(
    target: &TargetInfo,
    layers: &'a [LayerCounters],
) -> Option<&'a LayerCounters> {
    let cached = target.stack.iter().find(|layer| layer.backing_direct == Some(false))?;
    let below = target.stack.iter().find(|layer| layer.above.as_ref() == Some(&cached.name))?;
    layers.iter().find(|layer| layer.name == below.name)
}

messages! {
    PageCacheMethod = "check-page-cache-method" { served_min: Ratio, growth_max: Ratio };
    PageCacheIsMemory = "page-cache-is-memory" { kind: String };
    PageCacheMounted = "page-cache-mounted" { kind: String, mount_point: String };
    PageCacheRead = "page-cache-read" { asked: Bytes, served: Bytes, by: Message };
    PageCacheWritten = "page-cache-written" { asked: Bytes, served: Bytes, by: Message };
    PageCacheHoldsSpan = "page-cache-holds-span" { share: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn where_writes_waited_in_memory_no_write_is_the_disks_but_commits() {
        let mut record = sample_record();
        cell_mut(&mut record, "randwrite-4k-qd1").ledger.layers[0].write_bytes = Bytes(0);
        let finding = check(&record);
        let marked = |name: &str| finding.cells.iter().any(|cell| cell == name);
        assert!(marked("randwrite-4k-qd1") && marked("randwrite-4k-qd16"), "{finding:#?}");
        assert!(!marked("syncwrite-4k") && !marked("randread-4k-qd1"), "{finding:#?}");
        let judgement = crate::judge(&record);
        let headline = judgement.verdict.unwrap().headline;
        assert!(headline.text().contains("random reads/s"), "{headline:?}");
    }

    #[test]
    fn reads_of_holes_are_not_blamed_on_the_cache() {
        let mut record = sample_record();
        record.targets[0].extents.as_mut().unwrap().holes = units::Bytes::gib(1);
        for cell in &mut record.cells {
            cell.ledger.layers[0].read_bytes = Bytes(0);
            if let Some(process) = &mut cell.ledger.process {
                process.read_bytes = Bytes(0);
            }
        }
        let judgement = crate::judge(&record);
        let status = |id| judgement.finding(id).unwrap().status;
        assert_eq!(status(FindingId::Unwritten), Status::Invalid);
        assert!(status(FindingId::PageCache) < Status::Note, "its writes reached the device");
        assert!(status(FindingId::HostCache) < Status::Note);
        assert_eq!(judgement.findings[0].id, FindingId::Unwritten);
    }

    #[test]
    fn a_deep_load_is_not_excused_by_its_edge_where_memory_answered_a_shallow_one() {
        let marked = |shallow: f64| {
            let mut record = sample_record();
            for (name, share) in [("randread-4k-qd1", shallow), ("randread-4k-qd64", 0.94)] {
                let cell = cell_mut(&mut record, name);
                let asked = 64 * u64::from(cell.job.depth.0) * cell.job.block_size.0;
                cell.ledger.read_bytes = Bytes(asked.max(1 << 20));
                let served = Bytes((cell.ledger.read_bytes.0 as f64 * share) as u64);
                cell.ledger.layers[0].read_bytes = served;
                cell.ledger.process = None;
            }
            check(&record).cells
        };
        assert_eq!(marked(1.0), Vec::<String>::new());
        assert_eq!(marked(0.90), ["randread-4k-qd1", "randread-4k-qd64"]);
    }

    #[test]
    fn memory_file_systems_invalidate_everything() {
        let mut record = sample_record();
        record.targets[0].file_system.as_mut().unwrap().memory = true;
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert_eq!(finding.cells.len(), record.cells.len());
    }

    #[test]
    fn a_device_that_served_less_than_asked_gives_the_cache_away() {
        let mut record = sample_record();
        cell_mut(&mut record, "randread-4k-qd1").ledger.layers[0].read_bytes = Bytes(4096);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert_eq!(finding.cells, ["randread-4k-qd1"]);
    }

    #[test]
    fn refused_direct_io_with_balanced_books_is_a_warning() {
        let mut record = sample_record();
        record.targets[0].direct = false;
        assert_eq!(check(&record).status, Status::Warning);
    }

    #[test]
    fn nothing_refuses_what_was_not_asked() {
        let mut record = sample_record();
        record.cells.iter_mut().for_each(|cell| cell.job.direct = false);
        assert_eq!(check(&record).status, Status::Ok);
        for cell in &mut record.cells {
            cell.ledger.layers.clear();
            cell.ledger.process = None;
        }
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert!(finding.summary.text().contains("through the page cache, as asked"), "{finding:?}");
        assert!(!finding.summary.text().contains("refused"), "{finding:?}");
    }

    #[test]
    fn refused_direct_io_says_of_few_requests_only_that() {
        let mut record = sample_record();
        record.targets[0].direct = false;
        for cell in &mut record.cells {
            (cell.ledger.read_bytes, cell.ledger.write_bytes) = (Bytes(4096), Bytes(4096));
        }
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning);
        assert_eq!(finding.summary.id(), "page-cache-refused-too-little");
    }

    /// The record of a ping with -C, whose cells a cache has answered.
    fn cached() -> Measured {
        let mut record = sample_record();
        record.targets[0].direct = false;
        record.plan.purpose = Purpose::Ping(record::PingPlan {
            size: Bytes(4096),
            interval: units::Nanos::ZERO,
            burst: 0,
            warmup: 1,
            uncached: false,
            min_time: None,
            max_time: None,
            contrast: false,
        });
        for cell in &mut record.cells {
            cell.job.direct = false;
            cell.ledger.layers.clear();
            cell.ledger.process = Some(record::ProcessCounters::default());
        }
        record
    }

    #[test]
    fn a_cache_that_was_asked_for_is_a_note() {
        let check = |record: &Measured, status, text| {
            let finding = check(record);
            assert_eq!(finding.status, status, "{finding:?}");
            assert!(finding.summary.text().contains(text), "{finding:?}");
        };
        check(&cached(), Status::Note, "as -C asks");
        let mut few = cached();
        for cell in &mut few.cells {
            cell.ledger.read_bytes = Bytes(4096);
        }
        check(&few, Status::Note, "as -C asks");
        let mut served = cached();
        for cell in &mut served.cells {
            let (read, written) = (cell.ledger.read_bytes, cell.ledger.write_bytes);
            let process = cell.ledger.process.as_mut().unwrap();
            (process.read_bytes, process.write_bytes) = (read, written);
        }
        check(&served, Status::Ok, "the device moved the bytes");
        let mut direct = cached();
        direct.targets[0].direct = true;
        direct.cells[0].job.direct = true;
        check(&direct, Status::Invalid, "the page cache answered");
    }

    #[test]
    fn without_device_counters_the_process_is_asked() {
        let mut record = sample_record();
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
        let mut record = sample_record();
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
        assert!(finding.evidence[0].value.text().contains("by sda"), "{finding:?}");
    }

    #[test]
    fn refused_direct_io_without_books_is_invalid() {
        let mut record = sample_record();
        record.targets[0].direct = false;
        for cell in &mut record.cells {
            cell.ledger.layers.clear();
            cell.ledger.process = None;
        }
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert_eq!(finding.cells.len(), record.cells.len());
    }

    #[test]
    fn a_neighbour_on_the_device_does_not_hide_the_cache() {
        let mut record = sample_record();
        let ledger = &mut cell_mut(&mut record, "randread-4k-qd16").ledger;
        ledger.layers[0].read_bytes.0 *= 3;
        ledger.process.as_mut().unwrap().read_bytes.0 /= 2;
        let finding = check(&record);
        assert_eq!(finding.status, Status::Invalid);
        assert!(finding.evidence[0].value.text().contains("this process"), "{finding:?}");
    }

    #[test]
    fn the_boundary_is_at_a_twentieth() {
        let check = |served: f64, status| {
            let mut record = sample_record();
            let ledger = &mut cell_mut(&mut record, "randread-4k-qd16").ledger;
            let device = &mut ledger.layers[0].read_bytes.0;
            *device = (*device as f64 * served) as u64;
            assert_eq!(check(&record).status, status, "{served}");
        };
        check(0.98, Status::Ok);
        check(0.96, Status::Ok);
        check(0.94, Status::Invalid);
    }

    #[test]
    fn a_device_that_does_not_count_is_no_proof_of_a_cache() {
        let mut record = sample_record();
        for cell in &mut record.cells {
            cell.ledger.layers[0] =
                LayerCounters { name: "vda".to_owned(), ..LayerCounters::default() };
        }
        assert_eq!(check(&record).status, Status::Ok);
        for cell in &mut record.cells {
            if let Some(process) = &mut cell.ledger.process {
                process.read_bytes = Bytes(0);
            }
        }
        assert_eq!(check(&record).status, Status::Invalid);
    }

    #[test]
    fn what_a_daemon_reads_is_not_charged_to_us() {
        let mut record = sample_record();
        record.targets[0].stack.clear();
        record.targets[0].file_system.as_mut().unwrap().kind = "fuse.sshfs".to_owned();
        for cell in &mut record.cells {
            cell.ledger.layers.clear();
            cell.ledger.process = Some(record::ProcessCounters::default());
        }
        assert_eq!(check(&record).status, Status::NotObservable);
        let grown = cell_mut(&mut record, "randread-4k-qd1").ledger.residency.as_mut().unwrap();
        grown.cached_after = grown.pages / 10;
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning);
        assert_eq!(finding.cells, ["randread-4k-qd1"]);
    }

    #[test]
    fn buffered_writes_that_wait_in_memory_are_told() {
        let mut record = sample_record();
        record.cells.iter_mut().for_each(|cell| cell.job.direct = false);
        cell_mut(&mut record, "seqwrite-1m").ledger.layers[0].write_bytes = Bytes::mib(64);
        let finding = check(&record);
        assert_eq!(finding.cells, ["seqwrite-1m"]);
        assert!(finding.evidence[0].value.text().contains("waits in memory"), "{finding:?}");
    }
}
