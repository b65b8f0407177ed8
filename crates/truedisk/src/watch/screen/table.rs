//! The table of disks: a row each, and the columns that fit the width.

use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use stats::LatencyHistogram;
use units::{Nanos, Ratio};
use watch::{DirectionSample, DiskSummary, histogram_statistic};
use workload::Statistic;

use super::layout::{pad_left, pad_right, text_width};
use super::state::ScreenState;

/// Two lines of headings.
pub(super) const HEAD_HEIGHT: usize = 2;
/// `118,402` and `47.2 us`.
const FIGURE_WIDTH: usize = 7;
/// `97.5`, `1.4`, `100 %`.
const SHORT_WIDTH: usize = 5;
const STATISTICS: [Statistic; 4] = [
    Statistic::Mean,
    Statistic::Percentile(50.0),
    Statistic::Percentile(99.0),
    Statistic::Percentile(99.9),
];

struct Column {
    /// The heading above the heading, which columns of one kind share.
    group: String,
    head: String,
    cells: Vec<String>,
    /// Columns with small numbers stay where not all fit.
    rank: u8,
    /// Of its figures at their widest: which columns fit must not change with the figures.
    width_min: usize,
}

/// The headings, and at most `rows` of the disks with the chosen one among them.
pub(super) fn draw_disks(state: &ScreenState, width: usize, rows: usize) -> Vec<Line<'static>> {
    let disks = state.sort_disks();
    let chosen = disks.iter().position(|disk| state.is_chosen(&disk.name));
    let columns = choose_columns(list_columns(state, &disks), width);
    let line = |cell: &dyn Fn(&Column) -> String| {
        let cells = columns.iter().enumerate().map(|(place, column)| {
            let cell = cell(column);
            let width = column.width();
            if place == 0 { pad_right(&cell, width) } else { pad_left(&cell, width) }
        });
        cells.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    let mut lines = vec![
        Line::from(line(&|column| column.group.clone())),
        Line::from(line(&|column| column.head.clone())),
    ];
    let first = chosen.map_or(0, |chosen| (chosen + 1).saturating_sub(rows));
    for row in (first..disks.len()).take(rows) {
        let is_chosen = chosen == Some(row);
        let style = if is_chosen { Modifier::BOLD.into() } else { Style::new() };
        lines.push(Line::styled(line(&|column| column.cells[row].clone()), style));
    }
    lines
}

impl Column {
    fn new(
        state: &ScreenState,
        rank: u8,
        group: String,
        head: String,
        cells: Vec<Option<String>>,
    ) -> Self {
        let cell = |cell: Option<String>| {
            cell.map_or_else(|| "-".to_owned(), |cell| state.language.punctuate(&cell))
        };
        let cells = cells.into_iter().map(cell).collect();
        Self { group, head, cells, rank, width_min: FIGURE_WIDTH }
    }

    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.group, &self.head]);
        texts.map(|text| text_width(text)).fold(self.width_min, usize::max)
    }
}

/// The columns of the lowest ranks that fit, in their order.
fn choose_columns(columns: Vec<Column>, width: usize) -> Vec<Column> {
    let mut by_rank: Vec<(u8, usize)> =
        columns.iter().enumerate().map(|(place, column)| (column.rank, place)).collect();
    by_rank.sort_unstable();
    let mut room = width + 1;
    let mut is_kept = vec![false; columns.len()];
    for (_, place) in by_rank {
        let needed = columns[place].width() + 1;
        if needed <= room {
            room -= needed;
            is_kept[place] = true;
        }
    }
    columns
        .into_iter()
        .zip(is_kept)
        .filter(|(_, is_kept)| *is_kept)
        .map(|(column, _)| column)
        .collect()
}

fn list_columns(state: &ScreenState, disks: &[&DiskSummary]) -> Vec<Column> {
    let figures = state.figures();
    let column = |rank, head: String, cell: &dyn Fn(&DiskSummary) -> Option<String>| {
        let cells = disks.iter().map(|disk| cell(disk)).collect();
        Column::new(state, rank, String::new(), head, cells)
    };
    let mark = |disk: &DiskSummary| if state.is_chosen(&disk.name) { '>' } else { ' ' };
    let rate = |disk: &DiskSummary, of: &DirectionSample| disk.rate_of(of).0.to_string();
    let megabytes = |disk: &DiskSummary| {
        let [read, write] = [&disk.read, &disk.write].map(|of| disk.rate_of(of).1.as_mb());
        format!("{:.1}", read + write)
    };
    let short = |column: Column| Column { width_min: SHORT_WIDTH, ..column };
    let mut columns = vec![
        column(0, format!(" {}", state.say("watch-head-disk")), &|disk| {
            Some(format!("{}{}", mark(disk), units::escape_controls(&disk.name)))
        }),
        column(1, state.say("watch-head-reads"), &|disk| Some(rate(disk, &disk.read))),
        column(1, state.say("watch-head-writes"), &|disk| Some(rate(disk, &disk.write))),
        short(column(1, "MB/s".to_owned(), &|disk| Some(megabytes(disk)))),
    ];
    columns.extend(list_latencies(state, disks));
    columns.push(short(column(7, state.say("watch-head-outstanding"), &|disk| {
        disk.outstanding.map(|outstanding| format!("{outstanding:.1}"))
    })));
    columns.push(short(column(4, state.say("watch-head-used"), &|disk| {
        let judged = figures.judged.iter().find(|one| one.disk == disk.name)?;
        let limit = judged.used.as_ref()?.limit;
        Some(Ratio(disk.iops().0 / limit.0.max(1e-9)).to_string())
    })));
    if !figures.celsius.is_empty() {
        let celsius = |disk: &DiskSummary| figures.celsius.get(&disk.name);
        let degrees = |disk: &DiskSummary| Some(format!("{:.0}", celsius(disk)?));
        columns.push(short(column(8, "\u{b0}C".to_owned(), &degrees)));
    }
    columns
}

/// The statistics of the whole latency, and of its parts.
fn list_latencies(state: &ScreenState, disks: &[&DiskSummary]) -> Vec<Column> {
    let merge = |part: Part| disks.iter().map(|disk| merge_parts(disk, part)).collect::<Vec<_>>();
    let total = merge(|of| of.total.as_ref());
    // The mean of the whole is the only latency of a source without distributions.
    let mean_rank = if total.iter().any(Option::is_some) { 9 } else { 2 };
    let parts = [
        ("watch-head-latency", total, [mean_rank, 5, 2, 6]),
        ("head-queue", merge(|of| of.queue.as_ref()), [3, 11, 10, 11]),
        ("head-device", merge(|of| of.device.as_ref()), [3, 11, 10, 11]),
    ];
    let mut columns = Vec::new();
    for (place, (group, histograms, ranks)) in parts.into_iter().enumerate() {
        for (statistic, rank) in STATISTICS.into_iter().zip(ranks) {
            let latency = |(disk, histogram): (&&DiskSummary, &Option<LatencyHistogram>)| {
                let is_mean = place == 0 && statistic == Statistic::Mean;
                let counted = || disk.mean_ns().filter(|_| is_mean).map(|ns| Nanos(ns as u64));
                let latency = histogram_statistic(histogram.as_ref(), statistic).or_else(counted);
                Some(latency?.to_string())
            };
            let head = match statistic {
                Statistic::Mean => state.say("head-mean"),
                other => other.to_string(),
            };
            let cells = disks.iter().zip(&histograms).map(latency).collect();
            columns.push(Column::new(state, rank, state.say(group), head, cells));
        }
    }
    columns
}

type Part = fn(&DirectionSample) -> Option<&LatencyHistogram>;

/// The distribution of a part of the latency, of all requests of the disk.
fn merge_parts(disk: &DiskSummary, part: Part) -> Option<LatencyHistogram> {
    let mut merged: Option<LatencyHistogram> = None;
    for (_, of) in disk.directions() {
        match (&mut merged, part(of)) {
            (Some(merged), Some(more)) => merged.merge(more),
            (None, Some(more)) => merged = Some(more.clone()),
            (_, None) => {}
        }
    }
    merged
}
