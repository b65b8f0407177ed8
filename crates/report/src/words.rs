//! The rows and words that the terminal and the page share.

mod figure;
mod row;
pub(crate) mod warned;

use message::{Language, Message, Names, Render as _, label, messages};
use record::{
    BoundedBy, Cell, CellRole, ClassVerdict, Curve, CurvePoint, DirectionTotals, Fleet, Layer,
    LayerKind, Purpose, Record, Status, TargetInfo,
};
use stats::Estimate;
use units::{Bytes, Depth, Iops};
use workload::{Direction, Mix, Pacing, SyncKind};

pub(crate) use figure::{
    VAGUE, format_day, format_minute, format_nanos, is_vague, mark_vague, megabytes, or_dash,
    show_latency,
};
pub(crate) use row::{Row, RowEstimates, RowFigures};

/// A finding that touches a number: `INVALID: page-cache`, `warning: stall`.
pub(crate) type Mark = (Status, Message);

/// The words of a label, as templates, tables and lists of facts name it.
pub(crate) fn say(id: &str, language: Language) -> String {
    label(id).render(language)
}

/// What was run, where and when.
pub(crate) fn title_words(record: &Record, command: String) -> Message {
    let measured = &record.measured;
    let (path, when) = (measured.target_path(), format_minute(measured.started));
    match measured.describe_host() {
        Some(host) => Title { command, path, host, when }.into(),
        None => TitleWithoutHost { command, path, when }.into(),
    }
}

/// Whether the numbers that these marks touch must not be used.
pub(crate) fn has_invalid(marks: &[Mark]) -> bool {
    marks.iter().any(|(status, _)| *status == Status::Invalid)
}

/// Each mark once, worst first.
pub(crate) fn merge_marks(marks: impl IntoIterator<Item = Mark>) -> Vec<Mark> {
    let mut all: Vec<Mark> = Vec::new();
    for mark in marks {
        if !all.contains(&mark) {
            all.push(mark);
        }
    }
    all.sort_by_key(|mark| std::cmp::Reverse(mark.0));
    all
}

/// Of the least load; one that supports a conclusion, where there is one of that load.
fn shallowest_point(curve: &Curve) -> Option<&CurvePoint> {
    let all = curve.all_points();
    let first = *all.first()?;
    let same = |point: &&&CurvePoint| (point.depth, point.rate) == (first.depth, first.rate);
    all.iter().take_while(same).last().copied()
}

/// Whether a run is of single requests: it has no curves.
pub(crate) fn is_ping(record: &Record) -> bool {
    matches!(record.measured.plan.purpose, Purpose::Ping(_))
}

pub(crate) fn build_rows(record: &Record, language: Language) -> Vec<Row> {
    let cells = &record.measured.cells;
    let words = RowWords { record, language };
    if record.measured.imported.is_some() {
        return cells.iter().flat_map(|cell| words.build_rows(&[cell], &cell.name, None)).collect();
    }
    if is_ping(record) {
        return cells.iter().flat_map(|cell| words.rows_of_cell(cell)).collect();
    }
    let mut rows = Vec::new();
    for curve in &record.judgement_or_default().curves {
        let first = shallowest_point(curve);
        rows.extend(first.into_iter().flat_map(|point| words.rows_of_point(curve, point, false)));
        rows.extend(
            deeper_best(curve).into_iter().flat_map(|p| words.rows_of_point(curve, p, true)),
        );
    }
    rows.extend(words.commit_rows());
    let idle = cells.iter().filter(|cell| matches!(cell.role, CellRole::Idle | CellRole::Replay));
    rows.extend(idle.flat_map(|cell| words.rows_of_cell(cell)));
    rows
}

/// The rows of the visits to one load, together, under one label.
pub(crate) fn build_load_rows(
    record: &Record,
    visits: &[&Cell],
    label: Message,
    language: Language,
) -> Vec<Row> {
    RowWords { record, language }.build_rows(visits, &label.render(language), None)
}

/// The rows that a reader looks for first: of each workload what it gives within its bound and,
/// of reads and of writes, at depth 1; streams; commits. Of a replay, those of the whole load.
pub(crate) fn build_key_rows(record: &Record, language: Language) -> Vec<Row> {
    let words = RowWords { record, language };
    if record.measured.imported.is_some() || is_ping(record) {
        return build_rows(record, language);
    }
    let mut rows = Vec::new();
    for curve in &record.judgement_or_default().curves {
        let best = deeper_best(curve);
        rows.extend(best.into_iter().flat_map(|point| words.rows_of_point(curve, point, true)));
        let is_mix = matches!(curve.mix, Mix::Mixed { .. });
        let first = shallowest_point(curve).filter(|_| best.is_none() || !is_mix);
        rows.extend(first.into_iter().flat_map(|point| words.rows_of_point(curve, point, false)));
    }
    rows.extend(words.commit_rows());
    let whole_load = record.measured.cells.iter().find(|cell| cell.role == CellRole::Replay);
    rows.extend(whole_load.into_iter().flat_map(|cell| words.rows_of_cell(cell)));
    rows
}

/// The point of the most within the bound, where it is not the shallowest.
fn deeper_best(curve: &Curve) -> Option<&CurvePoint> {
    let limit = curve.main_limit()?;
    let best = curve.points.iter().find(|point| point.cells.contains(&limit.cell))?;
    (shallowest_point(curve) != Some(best)).then_some(best)
}

/// What stands beside the class: the second nearest, and what the system claims.
pub(crate) fn class_context(class: &ClassVerdict) -> Vec<Message> {
    let mut said = Vec::new();
    if let [_, second] = class.nearest.as_slice() {
        let class = second.label.clone();
        let (supports, contradicts) =
            (Names(second.supports.clone()), Names(second.contradicts.clone()));
        said.push(match (supports.0.is_empty(), contradicts.0.is_empty()) {
            (true, true) => ClassSecond { class }.into(),
            (false, true) => ClassSecondFor { class, supports }.into(),
            (true, false) => ClassSecondAgainst { class, contradicts }.into(),
            (false, false) => ClassSecondBoth { class, supports, contradicts }.into(),
        });
    }
    if let Some(claim) = &class.claim {
        let (words, against) = (claim.words.clone(), claim.contradictions.clone());
        said.push(match against.is_empty() {
            true => ClassClaimAgrees { words }.into(),
            false => ClassClaimContradicted { words, against }.into(),
        });
    }
    said
}

/// `random read 4k, depth 16`.
pub(crate) fn cell_label(cell: &Cell) -> Message {
    let job = &cell.job;
    let (size, depth) = (job.block_size.to_compact(), job.depth);
    match cell.role {
        CellRole::Idle => return CellIdle { size }.into(),
        CellRole::Replay => {
            let curve = label("cell-replay");
            return match job.pacing {
                Pacing::Open { rate, .. } => RowRate { curve, rate }.into(),
                _ => curve,
            };
        }
        CellRole::Trial => return CellTrial { cell: cell.name.clone() }.into(),
        _ => {}
    }
    if job.sync.is_some() {
        return CellCommit { size }.into();
    }
    let curve = analysis::curve_name(&job.access, job.mix, job.block_size).1;
    match cell.role {
        CellRole::Repeat => CellAgain { curve, depth }.into(),
        CellRole::Round => CellRound { curve, depth }.into(),
        _ => RowDepth { curve, depth }.into(),
    }
}

fn sync_name(cell: &Cell) -> &'static str {
    match cell.job.sync.map(|sync| sync.kind) {
        Some(SyncKind::Fsync) => "fsync",
        Some(SyncKind::FileRange) => "sync_file_range",
        _ => "fdatasync",
    }
}

/// Rows of one record in one language.
#[derive(Clone, Copy)]
struct RowWords<'a> {
    record: &'a Record,
    language: Language,
}

impl RowWords<'_> {
    fn rows_of_cell(self, cell: &Cell) -> Vec<Row> {
        self.build_rows(&[cell], &cell_label(cell).render(self.language), None)
    }

    fn rows_of_point(self, curve: &Curve, point: &CurvePoint, best: bool) -> Vec<Row> {
        let cells = point.cells.iter().filter_map(|name| self.record.measured.cell(name));
        let (label, depth) = (curve.label.clone(), point.depth);
        let label = match best {
            true => RowBest { curve: label, depth }.render(self.language),
            false => RowDepth { curve: label, depth }.render(self.language),
        };
        // The answer has one interval: that of the headline.
        let answer = curve.main_limit().filter(|_| best).map(|limit| &limit.iops);
        self.build_rows(&Vec::from_iter(cells), &label, answer)
    }

    fn commit_rows(self) -> Vec<Row> {
        let is_commit = |cell: &&Cell| cell.role == CellRole::Main && cell.job.sync.is_some();
        let commits: Vec<&Cell> = self.record.measured.cells.iter().filter(is_commit).collect();
        let commits = analysis::choose_cells(self.record.judgement_or_default(), &commits);
        let label = commits.first().map(|cell| cell_label(cell)).unwrap_or_default();
        self.build_rows(&commits, &label.render(self.language), None)
    }

    /// The rows of the visits to one load, together. `rate` is their estimate where it is known; of
    /// several directions each has its own.
    fn build_rows(self, visits: &[&Cell], label: &str, rate: Option<&Estimate>) -> Vec<Row> {
        let Some(cell) = analysis::pool_cells(visits) else { return Vec::new() };
        let newest = visits.last().map_or("", |visit| visit.name.as_str());
        let marks = visits.iter().flat_map(|visit| cell_marks(self.record, &visit.name));
        let marks = merge_marks(marks);
        let rate = rate.filter(|_| cell.totals.iter().count() == 1);
        let row = |(direction, totals): (Direction, &DirectionTotals)| {
            let label = self.part_label(&cell, direction, label);
            let (cell_name, marks) = (newest.to_owned(), marks.clone());
            let rate = rate.or_else(|| cell.confidence.iops.get(direction));
            let row = build_row(&cell, (direction, totals), rate, label);
            Row { cell: cell_name, marks, ..row.punctuate(self.language) }
        };
        cell.totals.iter().map(row).collect()
    }

    /// Which part of a load a row is of; with the state of writes, where it is known.
    fn part_label(self, cell: &Cell, direction: Direction, label: &str) -> String {
        let several = cell.totals.iter().count() > 1;
        let whole = || Message::from_text(label);
        let is_commit = cell.job.sync.is_some() && cell.totals.read.is_none();
        let label: Message = match (several, direction, is_commit) {
            (false, ..) => whole(),
            (true, Direction::Write, true) => RowTheWrite { label: whole() }.into(),
            (true, Direction::Sync, _) => RowTheSync { kind: sync_name(cell) }.into(),
            (true, Direction::Read, _) => RowReads { label: whole() }.into(),
            (true, Direction::Write, _) => message::label("row-its-writes"),
            (true, Direction::Trim, _) => message::label("row-its-trims"),
        };
        let is_first = direction == Direction::Read || is_commit && direction == Direction::Write;
        let indent = if several && !is_first { "  " } else { "" };
        let label = format!("{indent}{}", label.render(self.language));
        match (direction, &self.record.judgement_or_default().writes) {
            (Direction::Write, Some(writes)) if cell.job.sync.is_none() => {
                format!("{label} ({})", writes.state.label().render(self.language))
            }
            _ => label,
        }
    }
}

fn build_row(
    cell: &Cell,
    (direction, totals): (Direction, &DirectionTotals),
    rate: Option<&Estimate>,
    label: String,
) -> Row {
    let idle = cell.role == CellRole::Idle;
    let estimate = rate.filter(|_| !idle);
    let interval = estimate
        .and_then(Estimate::relative_half_width)
        .map(|half| format!("±{}", units::Ratio(half)))
        .unwrap_or_default();
    let why_none = match estimate {
        Some(estimate) if interval.is_empty() => estimate.method.clone(),
        _ => Message::default(),
    };
    // A replay is judged by its response times.
    let is_replay = cell.role == CellRole::Replay;
    let latency = totals.response_ns.as_deref().filter(|_| is_replay).unwrap_or(&totals.latency_ns);
    let percentile = |name: &str| latency.percentiles.get(name).map(|&ns| ns as f64);
    let mean = (!latency.is_absent()).then_some(latency.mean);
    let has_rate = direction != Direction::Sync && !idle;
    let percentiles = cell.confidence.percentiles_ns.get(direction).filter(|_| !is_replay);
    let latency_estimate = |name: &str| percentiles.and_then(|of| of.get(name));
    let (p50, p99) = (latency_estimate("p50"), latency_estimate("p99"));
    let figures = RowFigures {
        iops: (!idle).then_some(totals.iops),
        bytes_per_second: has_rate.then_some(totals.bytes_per_second),
        latency_ns: [mean, percentile("p50"), percentile("p99"), percentile("p99.9")],
    };
    Row {
        cell: String::new(),
        label,
        iops: mark_vague(or_dash(figures.iops.map(Iops)), estimate),
        interval,
        why_none,
        rate: or_dash(figures.bytes_per_second.map(megabytes)),
        latency: show_latency(figures.latency_ns, p50, p99),
        marks: Vec::new(),
        direction,
        estimates: RowEstimates { iops: estimate.cloned(), p50: p50.cloned(), p99: p99.cloned() },
        figures,
    }
}

/// How long it was measured; of a resumed run without the time between its parts.
pub(crate) fn measured_time(record: &Record) -> std::time::Duration {
    let measured = &record.measured;
    let between = |from: jiff::Timestamp, to: jiff::Timestamp| {
        std::time::Duration::try_from(to.duration_since(from)).unwrap_or_default()
    };
    let Some(last) = measured.resumed.last() else {
        return between(measured.started, measured.finished);
    };
    let before = measured.cells.iter().take(last.cells as usize).map(|cell| cell.elapsed.0);
    let before = std::time::Duration::from_nanos(before.sum());
    before + between(last.at, measured.finished)
}

pub(crate) fn status_word(status: Status, language: Language) -> String {
    match status {
        Status::Invalid => say("status-invalid", language),
        Status::Warning => say("status-warning", language),
        Status::Note => say("status-note", language),
        Status::NotObservable => say("status-not-observable", language),
        Status::Ok => say("chip-ok", language),
    }
}

pub(crate) fn cell_marks(record: &Record, cell: &str) -> Vec<Mark> {
    let found = record.judgement_or_default().severe_findings(cell).into_iter().map(|finding| {
        let id = finding.id.name();
        let mark: Message = match finding.status {
            Status::Invalid => MarkInvalid { id }.into(),
            _ => MarkWarning { id }.into(),
        };
        (finding.status, mark)
    });
    let degraded = degraded_words(record, cell).map(|words| (Status::Warning, words));
    found.chain(degraded).collect()
}

/// Whether some total is not that of all hosts.
pub(crate) fn is_incomplete(record: &Record) -> bool {
    record.measured.fleet.as_ref().is_some_and(Fleet::is_incomplete)
}

/// Why a total is not that of all hosts; nothing where it is.
pub(crate) fn degraded_words(record: &Record, cell: &str) -> Option<Message> {
    let fleet = record.measured.fleet.as_ref()?;
    let met = fleet.cell(cell)?;
    let (there, away) = (met.hosts.len(), fleet.missing_hosts(met).len());
    (away > 0).then(|| MarkDegraded { there, hosts: there + away }.into())
}

pub(crate) fn is_invalid(record: &Record, cell: &str) -> bool {
    record.judgement_or_default().is_invalid(cell)
}

/// `ext4 on /dev/vda, vda (virtio disk, 252 GiB)`.
pub(crate) fn target_words(target: &TargetInfo) -> Message {
    let mounted = |fs: &record::FileSystem| -> Message {
        TargetMounted { kind: fs.kind.clone(), source: fs.source.clone() }.into()
    };
    let mounted = target.file_system.iter().map(mounted);
    let parts = Names(mounted.chain(target.stack.iter().map(layer_words)).collect());
    TargetParts { parts }.into()
}

pub(crate) fn kind_words(kind: LayerKind) -> Message {
    match kind {
        LayerKind::Partition => label("kind-partition"),
        LayerKind::Disk => label("kind-disk"),
        LayerKind::Lvm => label("kind-lvm"),
        LayerKind::Crypt => label("kind-crypt"),
        LayerKind::DeviceMapper => label("kind-device-mapper"),
        LayerKind::Raid => Message::from_text("RAID"),
        LayerKind::Loop => label("kind-loop"),
        LayerKind::Zram => label("kind-zram"),
        LayerKind::Ram => label("kind-ram"),
        LayerKind::Multipath => label("kind-multipath"),
        LayerKind::NetworkBlock => label("kind-network-block"),
        LayerKind::Bcache => label("kind-bcache"),
        LayerKind::Optical => label("kind-optical"),
    }
}

/// `vda (virtio disk, 252 GiB)`.
pub(crate) fn layer_words(layer: &Layer) -> Message {
    let kind = kind_words(layer.kind);
    let kind = match layer.transport.clone() {
        Some(transport) => LayerTransport { transport, kind }.into(),
        None => kind,
    };
    let (name, size) = (layer.name.clone(), layer.size);
    match layer.model.clone() {
        Some(model) => LayerModel { name, kind, model, size }.into(),
        None => LayerPlain { name, kind, size }.into(),
    }
}

/// What kept a curve's limit from being more, in a sentence without its end.
pub(crate) fn bounded_words(record: &Record, curve: &Curve) -> Message {
    let Some(limit) = curve.main_limit() else {
        return label("bounded-none");
    };
    if is_invalid(record, &limit.cell) {
        return label("bounded-invalid");
    }
    let (iops, depth) = (Iops(limit.iops.value), limit.depth);
    let bound = limit.bound.to_string();
    match limit.bounded_by {
        BoundedBy::Bound => BoundedBound { iops, depth, bound }.into(),
        BoundedBy::Saturation => BoundedSaturation { iops, depth }.into(),
        BoundedBy::DepthTried => BoundedDepthTried { iops, depth }.into(),
        BoundedBy::Unreachable => BoundedUnreachable { bound }.into(),
        BoundedBy::ProviderCap => BoundedProviderCap { iops, depth }.into(),
        BoundedBy::ControlGroup => BoundedControlGroup { iops, depth }.into(),
        BoundedBy::Client => BoundedClient { iops, depth }.into(),
        BoundedBy::Unsure => BoundedUnsure { iops, depth }.into(),
    }
}

messages! {
    Title = "summary-title" { command: String, path: String, host: Message, when: String };
    TitleWithoutHost = "summary-title-without-host" {
        command: String, path: String, when: String,
    };
    Note = "text-note" { note: Message };
    AndMore = "text-and-more" { count: usize };
    AndMoreOnPage = "text-and-more-on-page" { count: usize };
    BehavesLike = "page-behaves-like" { class: Message };
    ResultsCaption = "page-results-caption" { bound: String };
    RowBest = "row-best" { curve: Message, depth: Depth };
    RowDepth = "row-depth" { curve: Message, depth: Depth };
    RowRate = "row-rate" { curve: Message, rate: Iops };
    RowReads = "row-reads" { label: Message };
    RowTheWrite = "row-the-write" { label: Message };
    RowTheSync = "row-the-sync" { kind: &'static str };
    CellIdle = "cell-idle" { size: String };
    CellTrial = "cell-trial" { cell: String };
    CellCommit = "cell-commit" { size: String };
    CellAgain = "cell-again" { curve: Message, depth: Depth };
    CellRound = "cell-round" { curve: Message, depth: Depth };
    MarkInvalid = "mark-invalid" { id: &'static str };
    MarkWarning = "mark-warning" { id: &'static str };
    MarkDegraded = "mark-degraded" { there: usize, hosts: usize };
    ClassSecond = "class-second" { class: Message };
    ClassSecondFor = "class-second-for" { class: Message, supports: Names };
    ClassSecondAgainst = "class-second-against" { class: Message, contradicts: Names };
    ClassSecondBoth = "class-second-both" {
        class: Message, supports: Names, contradicts: Names,
    };
    ClassClaimAgrees = "class-claim-agrees" { words: Message };
    ClassClaimContradicted = "class-claim-contradicted" {
        words: Message, against: Vec<Message>,
    };
    TargetMounted = "target-mounted" { kind: String, source: String };
    TargetParts = "target-parts" { parts: Names };
    LayerTransport = "layer-transport" { transport: String, kind: Message };
    LayerModel = "layer-model" { name: String, kind: Message, model: String, size: Bytes };
    LayerPlain = "layer-plain" { name: String, kind: Message, size: Bytes };
    BoundedBound = "bounded-bound" { iops: Iops, depth: Depth, bound: String };
    BoundedSaturation = "bounded-saturation" { iops: Iops, depth: Depth };
    BoundedDepthTried = "bounded-depth-tried" { iops: Iops, depth: Depth };
    BoundedUnreachable = "bounded-unreachable" { bound: String };
    BoundedProviderCap = "bounded-provider-cap" { iops: Iops, depth: Depth };
    BoundedControlGroup = "bounded-control-group" { iops: Iops, depth: Depth };
    BoundedClient = "bounded-client" { iops: Iops, depth: Depth };
    BoundedUnsure = "bounded-unsure" { iops: Iops, depth: Depth };
}
