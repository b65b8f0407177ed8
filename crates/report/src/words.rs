//! The rows and words that the terminal and the page share.

use std::fmt::Write as _;

use record::{
    Cell, CellRole, ClassVerdict, Curve, DirectionTotals, Layer, LayerKind, Record, Status,
    TargetInfo,
};
use units::{BytesPerSecond, Iops, Nanos};
use workload::{Access, Direction, Mix, SyncKind};

/// One line of the table of results.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// Name of the cell it comes from.
    pub(crate) cell: String,
    /// What was measured, for people.
    pub(crate) label: String,
    /// `118,402`.
    pub(crate) iops: String,
    /// `±1.2 %`, or empty.
    pub(crate) interval: String,
    /// Why there is no interval.
    pub(crate) why_none: String,
    /// Decimal megabytes per second, without unit.
    pub(crate) rate: String,
    /// Mean, p50, p99, p99.9 of total latency; `-` where the sample does not support it.
    pub(crate) latency: [String; 4],
    /// What touches it: `INVALID page-cache`, `warning stall`.
    pub(crate) marks: Vec<(Status, String)>,
}

impl Row {
    /// Whether its numbers must not be used.
    pub(crate) fn is_invalid(&self) -> bool {
        self.marks.iter().any(|(status, _)| *status == Status::Invalid)
    }
}

const ROW_PERCENTILES: [&str; 3] = ["p50", "p99", "p99.9"];

/// The rows of a record, in the order in which they are shown.
pub(crate) fn build_rows(record: &Record) -> Vec<Row> {
    if record.measured.imported.is_some() {
        return record
            .measured
            .cells
            .iter()
            .flat_map(|cell| build_cell_rows(record, cell, &cell.name))
            .collect();
    }
    let mut rows = Vec::new();
    for curve in &record.judgement_or_default().curves {
        let first = curve.points.first().and_then(|p| record.measured.cell(p.newest_cell()));
        if let Some(cell) = first {
            rows.extend(build_cell_rows(
                record,
                cell,
                &format!("{}, depth {}", curve.label, cell.job.depth),
            ));
        }
        if let Some(limit) = curve.main_limit()
            && let Some(best) = record.measured.cell(&limit.cell)
            && first.is_none_or(|cell| cell.name != best.name)
        {
            rows.extend(build_cell_rows(
                record,
                best,
                &format!("{}, depth {} *", curve.label, limit.depth),
            ));
        }
    }
    for cell in &record.measured.cells {
        if cell.role == CellRole::Main && cell.job.access == Access::Sequential {
            rows.extend(build_cell_rows(record, cell, &cell_label(cell)));
        }
    }
    for cell in record.measured.cells.iter().filter(|cell| cell.role == CellRole::Idle) {
        rows.extend(build_cell_rows(record, cell, &cell_label(cell)));
    }
    rows
}

/// What stands beside the class: the second nearest, and what the system claims.
pub(crate) fn class_context(class: &ClassVerdict) -> Vec<String> {
    let mut said = Vec::new();
    if let [_, second] = class.nearest.as_slice() {
        let mut text = format!("Second nearest is {}", second.label);
        if !second.supports.is_empty() {
            let _ = write!(text, ", for it: {}", second.supports.join(", "));
        }
        if !second.contradicts.is_empty() {
            let _ = write!(text, "; against it: {}", second.contradicts.join(", "));
        }
        said.push(format!("{text}."));
    }
    if let Some(claim) = &class.claim {
        said.push(if claim.contradictions.is_empty() {
            format!("The system calls it: {}. Its behaviour does not contradict that.", claim.words)
        } else {
            let against = claim.contradictions.join("; ");
            format!(
                "The system calls it: {}. Its behaviour contradicts that: {against}.",
                claim.words
            )
        });
    }
    said
}

/// A cell in people's words.
pub(crate) fn cell_label(cell: &Cell) -> String {
    let job = &cell.job;
    let size = job.block_size.to_compact();
    let depth = job.depth;
    if cell.role == CellRole::Idle {
        return format!("read {size} after a pause");
    }
    if cell.role == CellRole::Trial {
        return format!("{} (a trial)", cell.name);
    }
    if job.sync.is_some() {
        return format!("commit {size}");
    }
    let access = match job.access {
        Access::Sequential => "sequential",
        Access::Backward => "backward",
        Access::Gapped { .. } => "gapped",
        Access::PartlyRandom { .. } => "partly random",
        Access::Random | Access::RandomRepeating => "random",
        Access::RandomRuns { .. } => "random runs",
        Access::ZonedRandom { .. } => "zoned random",
        Access::Distributed(_) => "skewed random",
    };
    let again = match cell.role {
        CellRole::Repeat => ", again",
        CellRole::Round => ", towards steady",
        _ => "",
    };
    match job.mix {
        Mix::Read => format!("{access} read {size}, depth {depth}{again}"),
        Mix::Write => format!("{access} write {size}, depth {depth}{again}"),
        Mix::Mixed { read_percent } => {
            format!("{read_percent}/{} mix {size}, depth {depth}", 100 - read_percent)
        }
        Mix::Trim => format!("{access} trim {size}, depth {depth}{again}"),
        Mix::TrimWrite => format!("{access} trim and write {size}, depth {depth}{again}"),
    }
}

fn sync_name(cell: &Cell) -> &'static str {
    match cell.job.sync.map(|sync| sync.kind) {
        Some(SyncKind::Fsync) => "fsync",
        Some(SyncKind::FileRange) => "sync_file_range",
        _ => "fdatasync",
    }
}

fn build_cell_rows(record: &Record, cell: &Cell, label: &str) -> Vec<Row> {
    let several = cell.totals.iter().count() > 1;
    cell.totals
        .iter()
        .map(|(direction, totals)| {
            let label = match (several, direction, cell.job.sync.is_some()) {
                (false, ..) => label.to_owned(),
                (true, Direction::Write, true) => format!("{label}: the write"),
                (true, Direction::Sync, _) => format!("  the {}", sync_name(cell)),
                (true, Direction::Read, _) => format!("{label}, reads"),
                (true, Direction::Write, _) => "  its writes".to_owned(),
                (true, Direction::Trim, _) => "  its trims".to_owned(),
            };
            build_row(record, cell, direction, totals, label)
        })
        .collect()
}

fn build_row(
    record: &Record,
    cell: &Cell,
    direction: Direction,
    totals: &DirectionTotals,
    label: String,
) -> Row {
    let idle = cell.role == CellRole::Idle;
    let label = match (direction, &record.judgement_or_default().writes) {
        (Direction::Write, Some(writes)) if cell.job.sync.is_none() => {
            format!("{label} ({})", writes.state.label())
        }
        _ => label,
    };
    let estimate = cell.confidence.iops.get(direction).filter(|_| !idle);
    let interval = estimate
        .and_then(stats::Estimate::relative_half_width)
        .map(|half| format!("±{}", units::Ratio(half)))
        .unwrap_or_default();
    let why_none = match estimate {
        Some(estimate) if interval.is_empty() => estimate.method.clone(),
        _ => String::new(),
    };
    let latency = &totals.latency_ns;
    let percentile = |name: &str| {
        latency.percentiles.get(name).map_or_else(|| "-".to_owned(), |&ns| Nanos(ns).to_string())
    };
    let mean = match latency.is_absent() {
        true => "-".to_owned(),
        false => Nanos(latency.mean.round() as u64).to_string(),
    };
    let rate = if direction == Direction::Sync || idle {
        "-".to_owned()
    } else {
        BytesPerSecond(totals.bytes_per_second).to_string().trim_end_matches(" MB/s").to_owned()
    };
    Row {
        cell: cell.name.clone(),
        label,
        iops: if idle { "-".to_owned() } else { Iops(totals.iops).to_string() },
        interval,
        why_none,
        rate,
        latency: [
            mean,
            percentile(ROW_PERCENTILES[0]),
            percentile(ROW_PERCENTILES[1]),
            percentile(ROW_PERCENTILES[2]),
        ],
        marks: cell_marks(record, &cell.name),
    }
}

/// What touches a cell, worst first.
pub(crate) fn cell_marks(record: &Record, cell: &str) -> Vec<(Status, String)> {
    let found = record.judgement_or_default().severe_findings(cell).into_iter().map(|finding| {
        let word = if finding.status == Status::Invalid { "INVALID" } else { "warning" };
        (finding.status, format!("{word}: {}", finding.id))
    });
    let degraded = degraded_words(record, cell).map(|words| (Status::Warning, words));
    found.chain(degraded).collect()
}

/// Why a total is not that of all hosts; nothing where it is.
pub(crate) fn degraded_words(record: &Record, cell: &str) -> Option<String> {
    let fleet = record.measured.fleet.as_ref()?;
    let met = fleet.cell(cell)?;
    let (there, away) = (met.hosts.len(), fleet.missing_hosts(met).len());
    (away > 0).then(|| format!("degraded: {there} of {} hosts", there + away))
}

/// Whether an invalid finding touches the cell.
pub(crate) fn is_invalid(record: &Record, cell: &str) -> bool {
    record
        .judgement_or_default()
        .severe_findings(cell)
        .iter()
        .any(|finding| finding.status == Status::Invalid)
}

/// `ext4 on /dev/vda, 252 GiB virtio disk`.
pub(crate) fn target_words(target: &TargetInfo) -> String {
    let mut parts = Vec::new();
    if let Some(fs) = &target.file_system {
        parts.push(format!("{} on {}", fs.kind, fs.source));
    }
    parts.extend(target.stack.iter().map(layer_words));
    parts.join(", ")
}

pub(crate) const fn kind_words(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Partition => "partition",
        LayerKind::Disk => "disk",
        LayerKind::Lvm => "LVM volume",
        LayerKind::Crypt => "encrypted device",
        LayerKind::DeviceMapper => "device-mapper device",
        LayerKind::Raid => "RAID",
        LayerKind::Loop => "loop device",
        LayerKind::Zram => "compressed memory",
        LayerKind::Ram => "memory disk",
        LayerKind::Multipath => "multipath device",
        LayerKind::NetworkBlock => "network block device",
        LayerKind::Bcache => "bcache device",
        LayerKind::Optical => "optical drive",
    }
}

/// `vda (virtio disk, 252 GiB)`.
pub(crate) fn layer_words(layer: &Layer) -> String {
    let kind = kind_words(layer.kind);
    let transport = layer.transport.as_ref().map(|t| format!("{t} ")).unwrap_or_default();
    let model = layer.model.as_ref().map(|m| format!(" {m}")).unwrap_or_default();
    format!("{} ({transport}{kind}{model}, {})", layer.name, layer.size)
}

/// What kept a curve's limit from being more, in a sentence without its end.
pub(crate) fn bounded_words(curve: &Curve) -> String {
    let Some(limit) = curve.main_limit() else {
        return "nothing was measured".to_owned();
    };
    let iops = Iops(limit.iops.value);
    let depth = limit.depth;
    match limit.bounded_by {
        record::BoundedBy::Bound => {
            format!("{iops} at depth {depth} is the most within {}", limit.bound)
        }
        record::BoundedBy::Saturation => {
            format!("{iops} at depth {depth}; more depth adds latency, not IOPS")
        }
        record::BoundedBy::DepthTried => {
            format!("{iops} at depth {depth}, the deepest tried: it may give more")
        }
        record::BoundedBy::Unreachable => {
            format!("{} is not kept even at the lowest load", limit.bound)
        }
        record::BoundedBy::ProviderCap => {
            format!("{iops} from depth {depth} on: a configured cap, not the disk's limit")
        }
        record::BoundedBy::Client => {
            format!("at least {iops} at depth {depth}: the processor was the limit, not the disk")
        }
        record::BoundedBy::Unsure => {
            format!("about {iops} at depth {depth}: the device changed while it was measured")
        }
    }
}
