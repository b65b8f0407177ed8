//! The tiles at the top of a page: each figure is that of the table below, or of a limit.

use message::{Language, Message, Render as _, messages};
use record::{
    BoundedBy, CacheState, CellRole, Curve, CurvePoint, Kept, Limit, Metadata, MetadataOp,
    MetadataPhase, Record, Status,
};
use stats::Estimate;
use units::{Depth, Iops, Ratio};
use workload::{Access, Direction, Mix};

use crate::fleet::FleetReport;
use crate::limit::{Answer, answered_curves, build_answers, point_marks};
use crate::metadata::load_words;
use crate::preset::PresetResult;
use crate::preset::table::{StepRow, ThresholdRow, build_step_rows, build_threshold_rows};
use crate::sweep::{group_by_workload, is_sweep};
use crate::words::{Mark, Row, has_invalid, is_ping, is_vague, megabytes, say};

messages! {
    TileRequests = "tile-requests" { requests: Message };
    TileAnswer = "tile-answer" { curve: Message, bound: String };
    TileSlowest = "tile-slowest" { host: String };
    NeededLimit = "tile-needed" { limit: String };
    TooWideOf = "tile-too-wide-of" { figures: String };
    WithinBound = "tile-within" { bound: String, depth: Depth };
    NotKept = "tile-not-kept" { bound: String, depth: Depth };
    AnswerAt = "tile-answer-at" { load: String, by: String };
    AnswerWith = "tile-answer-with" { load: String, statistic: String, by: String };
    AnswerNone = "tile-answer-none" { reason: String, rate: String, load: String };
    CellWords = "tile-cell" { curve: Message, depth: Depth };
    ShareOfAll = "tile-share" { share: String };
    MeanAndTail = "tile-mean-and-tail" { mean: String, tail: String };
    CommitTail = "tile-commit-tail" { tail: String };
}

/// Tiles of a search; more answers stand in the table.
const TILES_MAX: usize = 10;

const NO_VALUE: &str = "-";

pub(super) struct Tile {
    pub(super) title: String,
    pub(super) figures: Vec<TileFigure>,
    pub(super) chip: Chip,
    /// Further lines: where, and why there is no figure.
    pub(super) notes: Vec<String>,
}

pub(super) struct TileFigure {
    pub(super) value: String,
    /// `reads/s`, `p99`, `MB/s read`.
    pub(super) unit: String,
    /// `±1.2 %`, or empty.
    pub(super) interval: String,
}

/// Whether the figures of a tile can be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chip {
    Ok,
    Warning,
    /// Slower than where a load was captured.
    Slower,
    NoFigure,
    Invalid,
    /// Answers to a threshold.
    Passed,
    Undecided,
    NotMet,
    Failed,
}

impl Chip {
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Ok | Self::Passed => "good",
            Self::Warning | Self::Slower | Self::NotMet => "warn",
            Self::NoFigure | Self::Undecided => "none",
            Self::Invalid | Self::Failed => "bad",
        }
    }

    pub(super) fn words(self, language: Language) -> String {
        match self {
            Self::Ok => format!("✓ {}", say("chip-ok", language)),
            Self::Warning => format!("! {}", say("chip-warning", language)),
            Self::Slower => format!("! {}", say("replay-slower", language)),
            Self::NoFigure => format!("? {}", say("chip-no-figure", language)),
            Self::Invalid => format!("✗ {}", say("chip-invalid", language)),
            Self::Passed => format!("✓ {}", say("preset-pass-word", language)),
            Self::Undecided => format!("? {}", say("record-cannot-tell", language)),
            Self::NotMet => format!("! {}", say("preset-not-met-word", language)),
            Self::Failed => format!("✗ {}", say("preset-fail-word", language)),
        }
    }

    pub(super) fn from_marks(marks: &[Mark]) -> Chip {
        match marks {
            [] => Self::Ok,
            marks if has_invalid(marks) => Self::Invalid,
            _ => Self::Warning,
        }
    }
}

pub(super) fn build_tiles(
    record: &Record,
    rows: &[Row],
    hosts: Option<&FleetReport>,
    language: Language,
) -> Vec<Tile> {
    let mut tiles = if crate::limit::is_limit(record) {
        build_limit_tiles(record, language)
    } else if is_sweep(record) {
        build_sweep_tiles(record, language)
    } else if is_ping(record) {
        rows.iter().map(|row| build_ping_tile(row, language)).collect()
    } else if let Some(found) = &record.measured.metadata {
        build_small_file_tiles(record, found, language)
    } else if let Some(result) = PresetResult::from_record(record) {
        build_preset_tiles(&result, language)
    } else {
        build_check_tiles(record, rows, language)
    };
    tiles.extend(hosts.and_then(|report| build_slowest_tile(record, report, language)));
    tiles
}

/// A figure with its interval, unless the interval says that there is none.
fn build_figure(
    (value, unit): (&str, String),
    (estimate, language): (Option<&Estimate>, Language),
    chip: &mut Chip,
) -> TileFigure {
    let half = estimate.and_then(Estimate::relative_half_width);
    let is_wide = estimate.is_some_and(|estimate| !analysis::is_figure(estimate));
    let interval = half.map_or_else(
        || say("tile-no-interval", language),
        |half| language.punctuate(&format!("±{}", Ratio(half))),
    );
    if is_wide && *chip != Chip::Invalid {
        *chip = Chip::NoFigure;
    }
    let value = if is_wide { NO_VALUE } else { value }.to_owned();
    TileFigure { value, unit, interval }
}

fn build_check_tiles(record: &Record, rows: &[Row], language: Language) -> Vec<Tile> {
    let measured = |row: &Row| record.measured.cell(&row.cell);
    let find = |wanted: &dyn Fn(&Row, &record::Cell) -> bool| {
        rows.iter().find(|row| measured(row).is_some_and(|cell| wanted(row, cell)))
    };
    let mut tiles = Vec::new();
    let one_read = find(&|_, cell| {
        let random_read = cell.job.access == Access::Random && cell.job.mix == Mix::Read;
        random_read && cell.job.depth.0 == 1 && cell.role != CellRole::Idle
    });
    tiles.extend(one_read.map(|row| build_latency_tile(row, language)));
    for (mix, title, unit) in [
        (Mix::Read, say("tile-reads", language), say("unit-reads", language)),
        (Mix::Write, say("tile-writes", language), say("unit-writes", language)),
    ] {
        let curves = record.judgement_or_default().curves.iter();
        let curve = curves.filter(|curve| curve.access == Access::Random && curve.mix == mix);
        let limit = curve.filter_map(Curve::main_limit).next();
        let row = limit.and_then(|limit| find(&|row, _| row.cell == limit.cell));
        let found = limit.zip(row);
        tiles.extend(found.map(|at| build_bound_tile(title, unit, at, language)));
    }
    // A commit writes in sequence too, and is no stream.
    let stream = |mix: Mix| {
        find(&|_, cell| {
            let job = &cell.job;
            job.access == Access::Sequential && job.mix == mix && job.sync.is_none()
        })
    };
    tiles.extend(build_stream_tile([stream(Mix::Read), stream(Mix::Write)], language));
    let commits = find(&|row, cell| {
        cell.role == CellRole::Main && cell.job.sync.is_some() && row.direction == Direction::Sync
    });
    tiles.extend(commits.map(|row| build_commit_tile(row, language)));
    tiles
}

/// The fastest load of each operation that a reader asks for.
fn build_small_file_tiles(record: &Record, found: &Metadata, language: Language) -> Vec<Tile> {
    let mut findings = record.judgement_or_default().findings.iter();
    let is_invalid = findings.any(|finding| finding.status == Status::Invalid);
    let operations = [
        (MetadataOp::Create, false),
        (MetadataOp::Create, true),
        (MetadataOp::Stat, false),
        (MetadataOp::Open, false),
        (MetadataOp::Delete, false),
    ];
    let tile = |(operation, synced): (MetadataOp, bool)| {
        let is_meant = |phase: &&MetadataPhase| {
            (phase.operation, phase.load.synced, phase.cache)
                == (operation, synced, CacheState::Warm)
        };
        let phases = found.phases.iter().filter(is_meant);
        let fastest = phases.max_by(|a, b| a.rate.value.total_cmp(&b.rate.value))?;
        let half = fastest.rate.relative_half_width();
        let interval = half.map_or_else(
            || say("tile-no-interval", language),
            |half| language.punctuate(&format!("±{}", Ratio(half))),
        );
        let value = language.punctuate(&Iops(fastest.rate.value).to_string());
        let unit = say("unit-files", language);
        let figures = vec![TileFigure { value, unit, interval }];
        let is_vague = half.is_none() || analysis::is_unsteady(fastest);
        let chip = match is_vague {
            _ if is_invalid => Chip::Invalid,
            true => Chip::Warning,
            false => Chip::Ok,
        };
        let notes = vec![load_words(&fastest.load).render(language)];
        let sync = if synced { ", fsync" } else { "" };
        Some(Tile { title: format!("{}{sync}", operation.name()), figures, chip, notes })
    };
    operations.into_iter().filter_map(tile).collect()
}

/// The thresholds of a preset, or the rates of its steps where it has none.
fn build_preset_tiles(result: &PresetResult<'_>, language: Language) -> Vec<Tile> {
    let thresholds = build_threshold_rows(result, language);
    if !thresholds.is_empty() {
        let tiles = thresholds.into_iter().map(|row| build_threshold_tile(row, language));
        return tiles.take(TILES_MAX).collect();
    }
    let steps = build_step_rows(result, language).into_iter();
    let measured = steps.filter(|row| !row.iops.is_empty());
    measured.map(|row| build_step_tile(row, language)).take(TILES_MAX).collect()
}

fn build_threshold_tile(row: ThresholdRow, language: Language) -> Tile {
    let chip = match row.kept {
        Kept::Kept => Chip::Passed,
        Kept::NotKept if row.recommended => Chip::NotMet,
        Kept::NotKept => Chip::Failed,
        Kept::CannotTell => Chip::Undecided,
    };
    let needed = NeededLimit { limit: row.limit }.render(language);
    let figure = TileFigure { value: row.value, unit: String::new(), interval: String::new() };
    Tile { title: row.what, figures: vec![figure], chip, notes: vec![needed] }
}

fn build_step_tile(row: StepRow, language: Language) -> Tile {
    let chip = Chip::from_marks(&row.marks);
    let chip = if is_vague(&row.iops) { chip.max(Chip::Warning) } else { chip };
    let figure = |value: &str, unit: &str, interval: &str| TileFigure {
        value: value.to_owned(),
        unit: unit.to_owned(),
        interval: interval.to_owned(),
    };
    let mut figures = Vec::new();
    if row.rate != "-" {
        figures.push(figure(&row.rate, "MB/s", &row.interval));
    }
    figures.push(figure(&row.iops, "IOPS", if figures.is_empty() { &row.interval } else { "" }));
    let title = row.label.trim().to_owned();
    Tile { title, figures, chip, notes: Vec::new() }.with_marks(&row.marks, language)
}

fn build_latency_tile(row: &Row, language: Language) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let figures = build_percentiles(row, language, &mut chip).into();
    let title = say("tile-latency", language);
    Tile { title, figures, chip, notes: Vec::new() }.with_marks(&row.marks, language)
}

fn build_percentiles(row: &Row, language: Language, chip: &mut Chip) -> [TileFigure; 2] {
    let [_, p50, p99, _] = &row.latency;
    let of = &row.estimates;
    [
        build_figure((p50, "p50".to_owned()), (of.p50.as_ref(), language), chip),
        build_figure((p99, "p99".to_owned()), (of.p99.as_ref(), language), chip),
    ]
}

/// The percentiles that the requests support, or their mean.
fn build_ping_tile(row: &Row, language: Language) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let mut figures: Vec<TileFigure> = build_percentiles(row, language, &mut chip).into();
    figures.retain(|figure| figure.value != "-");
    if figures.is_empty() && chip != Chip::NoFigure {
        let mean = (row.latency[0].as_str(), say("head-mean", language));
        figures.push(build_figure(mean, (None, language), &mut chip));
    }
    let title = TileRequests { requests: Message::from_text(row.label.clone()) }.render(language);
    Tile { title, figures, chip, notes: Vec::new() }.with_marks(&row.marks, language)
}

fn build_bound_tile(
    title: String,
    unit: String,
    (limit, row): (&Limit, &Row),
    language: Language,
) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let estimate = row.estimates.iops.as_ref();
    let figures = vec![build_figure((&row.iops, unit), (estimate, language), &mut chip)];
    let (bound, depth) = (limit.bound.to_string(), limit.depth);
    let note = match limit.bounded_by {
        BoundedBy::Unreachable => NotKept { bound, depth }.render(language),
        _ => WithinBound { bound, depth }.render(language),
    };
    Tile { title, figures, chip, notes: vec![note] }.with_marks(&row.marks, language)
}

fn build_stream_tile(rows: [Option<&Row>; 2], language: Language) -> Option<Tile> {
    let marks: Vec<Mark> = rows.into_iter().flatten().flat_map(|row| row.marks.clone()).collect();
    let mut chip = Chip::from_marks(&marks);
    let units = [say("unit-read-rate", language), say("unit-write-rate", language)];
    let mut figures = Vec::new();
    for (unit, row) in units.into_iter().zip(rows) {
        let Some(row) = row else { continue };
        let estimate = row.estimates.iops.as_ref();
        figures.push(build_figure((&row.rate, unit), (estimate, language), &mut chip));
    }
    let title = say("tile-streams", language);
    let tile = Tile { title, figures, chip, notes: Vec::new() };
    (!tile.figures.is_empty()).then(|| tile.with_marks(&marks, language))
}

fn build_commit_tile(row: &Row, language: Language) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let unit = say("unit-commits", language);
    let estimate = row.estimates.iops.as_ref();
    let figures = vec![build_figure((&row.iops, unit), (estimate, language), &mut chip)];
    let notes = vec![CommitTail { tail: row.latency[2].clone() }.render(language)];
    let title = say("tile-commits", language);
    Tile { title, figures, chip, notes }.with_marks(&row.marks, language)
}

impl Tile {
    /// The same with why there is no figure, and with the worst finding that touches it.
    pub(super) fn with_marks(mut self, marks: &[Mark], language: Language) -> Self {
        if self.chip == Chip::NoFigure {
            let wide = self.figures.iter().filter(|figure| figure.value == NO_VALUE);
            let figures: Vec<&str> = wide.map(|figure| figure.unit.as_str()).collect();
            // Where only some are too wide, they are named.
            self.notes.push(match figures.len() == self.figures.len() {
                true => say("tile-too-wide", language),
                false => TooWideOf { figures: figures.join(", ") }.render(language),
            });
        }
        self.notes.extend(marks.first().map(|mark| (&mark.1).render(language)));
        self
    }
}

fn build_limit_tiles(record: &Record, language: Language) -> Vec<Tile> {
    let tiles = answered_curves(record).into_iter().flat_map(|curve| {
        let answers = curve.limits.iter().zip(build_answers(record, curve, language));
        answers.map(|(limit, answer)| build_answer_tile(limit, answer, language))
    });
    tiles.take(TILES_MAX).collect()
}

fn build_answer_tile(limit: &Limit, answer: Answer, language: Language) -> Tile {
    let mut chip = Chip::from_marks(&answer.marks);
    if limit.bounded_by == BoundedBy::Unsure {
        chip = chip.max(Chip::Warning);
    }
    let title = TileAnswer { curve: answer.label, bound: answer.bound }.render(language);
    let (load, rate, by) = (answer.load, answer.rate.iops, answer.bounded_by);
    let unit = "IOPS".to_owned();
    let mut figure = build_figure((&rate, unit), (Some(&limit.iops), language), &mut chip);
    let note = if answer.reached {
        match answer.statistic {
            statistic if statistic.is_empty() => AnswerAt { load, by }.render(language),
            statistic => AnswerWith { load, statistic, by }.render(language),
        }
    } else {
        let value = say("tile-none", language);
        figure = TileFigure { value, unit: String::new(), interval: String::new() };
        chip = chip.max(Chip::NoFigure);
        AnswerNone { reason: answer.bounded_by_sentence, rate, load }.render(language)
    };
    // The note has both ends of the interval.
    figure.interval.clear();
    let mut notes = vec![note, answer.rate.interval, answer.confirmed];
    notes.extend(answer.parts);
    notes.extend(answer.marks.first().map(|mark| (&mark.1).render(language)));
    Tile { title, figures: vec![figure], chip, notes }
}

/// The cell with the most operations, and that with the most bytes.
fn build_sweep_tiles(record: &Record, language: Language) -> Vec<Tile> {
    let groups = group_by_workload(record).into_iter();
    let curves: Vec<&Curve> = groups.flat_map(|group| group.1).collect();
    let points = curves.iter().flat_map(|curve| curve.points.iter().map(|point| (*curve, point)));
    let judgement = record.judgement_or_default();
    let is_comparable = |point| analysis::is_comparable_point(&record.measured, judgement, point);
    let (comparable, others): (Vec<_>, Vec<_>) =
        points.partition(|(_, point)| is_comparable(point));
    // Where no point may be the best, the tile says why.
    let points = if comparable.is_empty() { others } else { comparable };
    let rate = |(curve, point): &(&Curve, &CurvePoint)| point.iops * curve.block_size.0 as f64;
    let tile =
        |title: String, (curve, point): &(&Curve, &CurvePoint), value: String, unit: &str| {
            let marks = point_marks(record, point);
            let is_wide = !analysis::is_point_figure(point);
            let chip = Chip::from_marks(&marks);
            let chip = if is_wide { chip.max(Chip::NoFigure) } else { chip };
            let value = if is_wide { "-".to_owned() } else { language.punctuate(&value) };
            let half = point.precision.map(|half| language.punctuate(&format!("±{}", Ratio(half))));
            let interval = half.unwrap_or_else(|| say("tile-no-interval", language));
            let figures = vec![TileFigure { value, unit: unit.to_owned(), interval }];
            let cell = CellWords { curve: curve.label.clone(), depth: point.depth };
            let notes = vec![cell.render(language)];
            Tile { title, figures, chip, notes }.with_marks(&marks, language)
        };
    let most_operations = points.iter().max_by(|a, b| a.1.iops.total_cmp(&b.1.iops));
    let most_bytes = points.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    let operations = most_operations.map(|at| {
        let title = say("tile-most-operations", language);
        tile(title, at, Iops(at.1.iops).to_string(), "IOPS")
    });
    let bytes = most_bytes
        .map(|at| tile(say("tile-most-bytes", language), at, megabytes(rate(at)), "MB/s"));
    operations.into_iter().chain(bytes).collect()
}

/// The slowest host, as the table of the hosts names it.
fn build_slowest_tile(record: &Record, report: &FleetReport, language: Language) -> Option<Tile> {
    // Without a total no host has a share of it.
    let hosts = report.waves.is_empty().then(|| report.slowest_first())?;
    let slowest = hosts.into_iter().find(|share| share.iops != "-")?;
    let [mean, _, tail] = slowest.latency.clone();
    let (value, unit) = (slowest.iops.clone(), "IOPS".to_owned());
    let figures = vec![TileFigure { value, unit, interval: String::new() }];
    let notes = vec![
        ShareOfAll { share: slowest.share.clone() }.render(language),
        MeanAndTail { mean, tail }.render(language),
    ];
    let title = TileSlowest { host: slowest.host.clone() }.render(language);
    let marks = crate::words::cell_marks(record, &report.cell);
    let chip = Chip::from_marks(&marks);
    Some(Tile { title, figures, chip, notes }.with_marks(&marks, language))
}
