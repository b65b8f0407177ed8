//! The tiles at the top of a page: each figure is that of the table below, or of a limit.

use record::{CellRole, Curve, Limit, Record};
use stats::Estimate;
use units::{Iops, Ratio};
use workload::{Access, Direction, Mix};

use crate::fleet::FleetReport;
use crate::limit::{Answer, answered_curves, build_answers};
use crate::sweep::{group_by_workload, is_sweep};
use crate::words::{Mark, Row, has_invalid, megabytes};

/// An interval that is wider than this share of its figure, or reaches 0, supports no figure.
const HALF_WIDTH_MAX: f64 = 0.25;
/// Tiles of a search; more answers stand in the table.
const TILES_MAX: usize = 10;

pub(super) struct Tile {
    pub(super) title: String,
    pub(super) figures: Vec<TileFigure>,
    pub(super) chip: Chip,
    /// Further lines: where, and why there is no figure.
    pub(super) notes: Vec<String>,
}

pub(super) struct TileFigure {
    /// `p99`, `write`; empty where there is one figure.
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) unit: &'static str,
    /// `±1.2 %`, or empty.
    pub(super) interval: String,
}

/// Whether the figures of a tile can be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chip {
    Ok,
    Warning,
    NoFigure,
    Invalid,
}

impl Chip {
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Ok => "good",
            Self::Warning => "warn",
            Self::NoFigure => "none",
            Self::Invalid => "bad",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Ok => "✓ ok",
            Self::Warning => "! warning",
            Self::NoFigure => "? no figure",
            Self::Invalid => "✗ invalid",
        }
    }

    fn from_marks(marks: &[Mark]) -> Chip {
        match marks {
            [] => Self::Ok,
            marks if has_invalid(marks) => Self::Invalid,
            _ => Self::Warning,
        }
    }
}

pub(super) fn build_tiles(record: &Record, rows: &[Row], hosts: Option<&FleetReport>) -> Vec<Tile> {
    let mut tiles = if crate::limit::is_limit(record) {
        build_limit_tiles(record)
    } else if is_sweep(record) {
        build_sweep_tiles(record)
    } else {
        build_check_tiles(record, rows)
    };
    tiles.extend(hosts.and_then(build_slowest_tile));
    tiles
}

/// A figure with its interval, unless the interval says that there is none.
fn build_figure(
    (name, value, unit): (&'static str, &str, &'static str),
    estimate: Option<&Estimate>,
    chip: &mut Chip,
) -> TileFigure {
    let half = estimate.and_then(Estimate::relative_half_width);
    let reaches_zero = estimate.and_then(Estimate::interval).is_some_and(|(low, _)| low <= 0.0);
    let is_wide = half.is_some_and(|half| half > HALF_WIDTH_MAX) || reaches_zero;
    let interval =
        half.map_or_else(|| "no interval".to_owned(), |half| format!("±{}", Ratio(half)));
    if is_wide && *chip != Chip::Invalid {
        *chip = Chip::NoFigure;
    }
    let value = if is_wide { "-" } else { value }.to_owned();
    TileFigure { name, value, unit, interval }
}

fn build_check_tiles(record: &Record, rows: &[Row]) -> Vec<Tile> {
    let measured = |row: &Row| record.measured.cell(&row.cell);
    let find = |wanted: &dyn Fn(&Row, &record::Cell) -> bool| {
        rows.iter().find(|row| measured(row).is_some_and(|cell| wanted(row, cell)))
    };
    let mut tiles = Vec::new();
    let one_read = find(&|_, cell| {
        let random_read = cell.job.access == Access::Random && cell.job.mix == Mix::Read;
        random_read && cell.job.depth.0 == 1 && cell.role != CellRole::Idle
    });
    tiles.extend(one_read.map(build_latency_tile));
    for (mix, title, unit) in
        [(Mix::Read, "Random reads", "reads/s"), (Mix::Write, "Random writes", "writes/s")]
    {
        let curves = record.judgement_or_default().curves.iter();
        let curve = curves.filter(|curve| curve.access == Access::Random && curve.mix == mix);
        let limit = curve.filter_map(Curve::main_limit).next();
        let row = limit.and_then(|limit| find(&|row, _| row.cell == limit.cell));
        tiles.extend(limit.zip(row).map(|(limit, row)| build_bound_tile(title, unit, limit, row)));
    }
    let stream =
        |mix: Mix| find(&|_, cell| cell.job.access == Access::Sequential && cell.job.mix == mix);
    tiles.extend(build_stream_tile(stream(Mix::Read), stream(Mix::Write)));
    let commits = find(&|row, cell| {
        cell.role == CellRole::Main && cell.job.sync.is_some() && row.direction == Direction::Sync
    });
    tiles.extend(commits.map(build_commit_tile));
    tiles
}

fn build_latency_tile(row: &Row) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let [_, p50, p99, _] = &row.latency;
    let figures = vec![
        build_figure(("p50", p50, ""), row.estimates.p50.as_ref(), &mut chip),
        build_figure(("p99", p99, ""), row.estimates.p99.as_ref(), &mut chip),
    ];
    build_tile("Read latency, depth 1", figures, chip, &row.marks, Vec::new())
}

fn build_bound_tile(title: &str, unit: &'static str, limit: &Limit, row: &Row) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let figures = vec![build_figure(("", &row.iops, unit), row.estimates.iops.as_ref(), &mut chip)];
    let notes = match limit.bounded_by {
        record::BoundedBy::Unreachable => {
            vec![format!("{} is not kept even here", limit.bound), format!("depth {}", limit.depth)]
        }
        _ => vec![format!("within {} at depth {}", limit.bound, limit.depth)],
    };
    build_tile(title, figures, chip, &row.marks, notes)
}

fn build_stream_tile(read: Option<&Row>, write: Option<&Row>) -> Option<Tile> {
    let marks: Vec<Mark> =
        [read, write].into_iter().flatten().flat_map(|row| row.marks.clone()).collect();
    let mut chip = Chip::from_marks(&marks);
    let mut figures = Vec::new();
    for (name, row) in [("read", read), ("write", write)] {
        let Some(row) = row else { continue };
        let estimate = row.estimates.iops.as_ref();
        figures.push(build_figure((name, &row.rate, "MB/s"), estimate, &mut chip));
    }
    let title = "Sequential rate";
    (!figures.is_empty()).then(|| build_tile(title, figures, chip, &marks, Vec::new()))
}

fn build_commit_tile(row: &Row) -> Tile {
    let mut chip = Chip::from_marks(&row.marks);
    let figures =
        vec![build_figure(("", &row.iops, "commits/s"), row.estimates.iops.as_ref(), &mut chip)];
    let notes = vec![format!("p99 {}", row.latency[2])];
    build_tile("Commits, one client", figures, chip, &row.marks, notes)
}

fn build_tile(
    title: &str,
    figures: Vec<TileFigure>,
    chip: Chip,
    marks: &[Mark],
    mut notes: Vec<String>,
) -> Tile {
    if chip == Chip::NoFigure {
        notes.push("the interval is too wide for a figure".to_owned());
    }
    notes.extend(marks.first().map(|mark| mark.1.clone()));
    Tile { title: title.to_owned(), figures, chip, notes }
}

fn build_limit_tiles(record: &Record) -> Vec<Tile> {
    let tiles = answered_curves(record).into_iter().flat_map(|curve| {
        let answers = build_answers(record, curve);
        curve.limits.iter().zip(answers).map(|(limit, answer)| build_answer_tile(limit, answer))
    });
    tiles.take(TILES_MAX).collect()
}

fn build_answer_tile(limit: &Limit, answer: Answer) -> Tile {
    let mut chip = Chip::from_marks(&answer.marks);
    if limit.bounded_by == record::BoundedBy::Unsure {
        chip = chip.max(Chip::Warning);
    }
    let title = format!("{} within {}", answer.label, answer.bound);
    let Answer { load, bounded_by, bounded_by_sentence, iops, .. } = answer;
    let mut figure = build_figure(("", &iops, "IOPS"), Some(&limit.iops), &mut chip);
    let mut notes = if answer.reached {
        let is = match answer.statistic.as_str() {
            "" => String::new(),
            statistic => format!(" ({statistic})"),
        };
        vec![format!("at {load}{is}, {bounded_by}")]
    } else {
        figure =
            TileFigure { value: "none".to_owned(), unit: "", interval: String::new(), ..figure };
        chip = chip.max(Chip::NoFigure);
        vec![format!("{bounded_by_sentence}; {iops} IOPS at {load}")]
    };
    notes.push(answer.interval);
    notes.push(answer.confirmed.to_owned());
    notes.extend(answer.parts);
    notes.extend(answer.marks.first().map(|mark| mark.1.clone()));
    Tile { title, figures: vec![figure], chip, notes }
}

/// The cell with the most operations, and that with the most bytes.
fn build_sweep_tiles(record: &Record) -> Vec<Tile> {
    let groups = group_by_workload(record).into_iter();
    let curves: Vec<&Curve> = groups.flat_map(|group| group.1).collect();
    let points = curves.iter().flat_map(|curve| curve.points.iter().map(|point| (*curve, point)));
    let points: Vec<(&Curve, &record::CurvePoint)> = points
        .filter(|(_, point)| !has_invalid(&crate::limit::point_marks(record, point)))
        .collect();
    let rate =
        |(curve, point): &(&Curve, &record::CurvePoint)| point.iops * curve.block_size.0 as f64;
    let most_operations = points.iter().max_by(|a, b| a.1.iops.total_cmp(&b.1.iops));
    let most_bytes = points.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    let tile = |title: &str, at: &(&Curve, &record::CurvePoint), (value, unit)| {
        let (curve, point) = at;
        let marks = crate::limit::point_marks(record, point);
        let is_wide = point.precision.is_some_and(|half| half > HALF_WIDTH_MAX);
        let chip = Chip::from_marks(&marks);
        let chip = if is_wide { chip.max(Chip::NoFigure) } else { chip };
        let value = if is_wide { "-".to_owned() } else { value };
        let interval = point.precision.map(|half| format!("±{}", Ratio(half))).unwrap_or_default();
        let figures = vec![TileFigure { name: "", value, unit, interval }];
        let notes = vec![format!("{}, depth {}", curve.label, point.depth)];
        build_tile(title, figures, chip, &marks, notes)
    };
    let operations = most_operations
        .map(|at| tile("Most operations", at, (Iops(at.1.iops).to_string(), "IOPS")));
    let bytes = most_bytes.map(|at| tile("Most bytes", at, (megabytes(rate(at)), "MB/s")));
    operations.into_iter().chain(bytes).collect()
}

/// The host that is slowest by its mean latency.
fn build_slowest_tile(report: &FleetReport) -> Option<Tile> {
    let measured = report.shares.iter().filter(|share| share.iops != "-");
    let slowest = measured.max_by(|a, b| a.mean_ns.total_cmp(&b.mean_ns))?;
    let [mean, _, p99] = &slowest.latency;
    let figures = vec![TileFigure {
        name: "",
        value: slowest.iops.clone(),
        unit: "IOPS",
        interval: String::new(),
    }];
    let notes = vec![format!("{} of all", slowest.share), format!("mean {mean}, p99 {p99}")];
    let title = format!("Slowest host: {}", slowest.host);
    Some(Tile { title, figures, chip: Chip::Ok, notes })
}
