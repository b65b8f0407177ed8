//! The tables of disks and of those who wait: the columns that fit the width.

use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use report::{keep_end, pad_left, pad_right, text_width};
use stats::LatencyHistogram;
use units::{BytesPerSecond, Nanos, escape_controls};
use watch::{DirectionSample, DiskSummary, Waiter, histogram_statistic};
use workload::Statistic;

use super::state::ScreenState;
use report::{WaitedPerSecond, name_waiter};

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
    /// Columns with small numbers stay where not all fit; the names, 0, always.
    rank: u8,
    /// Of its figures at their widest: which columns fit must not change with the figures.
    width_min: usize,
}

impl Column {
    fn names(head: String, cells: Vec<String>) -> Self {
        Self { group: String::new(), head, cells, rank: 0, width_min: 0 }
    }

    fn figures(
        state: &ScreenState,
        rank: u8,
        head: String,
        cells: impl Iterator<Item = Option<String>>,
    ) -> Self {
        let cell = |cell: Option<String>| {
            cell.map_or_else(|| "-".to_owned(), |cell| state.language.punctuate(&cell))
        };
        let cells = cells.map(cell).collect();
        Self { group: String::new(), head, cells, rank, width_min: FIGURE_WIDTH }
    }

    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.group, &self.head]);
        texts.map(|text| text_width(text)).fold(self.width_min, usize::max)
    }
}

/// The headings of the columns that fit, and their rows.
fn draw_columns(columns: Vec<Column>, width: usize) -> Vec<String> {
    let columns = choose_columns(columns, width);
    let line = |cell: &dyn Fn(&Column) -> &str| {
        let cells = columns.iter().map(|column| match column.rank {
            0 => pad_right(cell(column), column.width()),
            _ => pad_left(cell(column), column.width()),
        });
        cells.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    let mut lines = Vec::new();
    if columns.iter().any(|column| !column.group.is_empty()) {
        lines.push(line(&|column| &column.group));
    }
    lines.push(line(&|column| &column.head));
    let rows = columns.first().map_or(0, |column| column.cells.len());
    lines.extend((0..rows).map(|row| line(&|column| &column.cells[row])));
    lines
}

/// The columns of the lowest ranks that fit, in their order.
fn choose_columns(columns: Vec<Column>, width: usize) -> Vec<Column> {
    let mut by_rank: Vec<(u8, usize)> =
        columns.iter().enumerate().map(|(place, column)| (column.rank, place)).collect();
    by_rank.sort_unstable();
    let mut room = width + 1;
    let mut is_kept = vec![false; columns.len()];
    for (rank, place) in by_rank {
        let needed = columns[place].width() + 1;
        is_kept[place] = rank == 0 || needed <= room;
        if is_kept[place] {
            room = room.saturating_sub(needed);
        }
    }
    let kept = columns.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    kept.map(|(column, _)| column).collect()
}

/// The headings, and the rows that `height` has room for, the chosen disk among them.
pub(super) fn draw_disks(state: &ScreenState, width: usize, height: usize) -> Vec<Line<'static>> {
    let disks = state.sort_disks();
    let mut lines = draw_columns(list_columns(state, &disks), width);
    let rows = lines.split_off(lines.len() - disks.len());
    let chosen = disks.iter().position(|disk| state.is_chosen(&disk.name)).unwrap_or(0);
    let shown = height.saturating_sub(lines.len()).max(1);
    let style = |row| if row == chosen { Modifier::BOLD.into() } else { Style::new() };
    let rows = rows.into_iter().enumerate().map(|(row, line)| Line::styled(line, style(row)));
    let rows = rows.skip((chosen + 1).saturating_sub(shown)).take(shown);
    lines.into_iter().map(Line::from).chain(rows).collect()
}

/// Those who wait longest for the disk; nothing where the source does not tell.
pub(super) fn draw_waiters(
    state: &ScreenState,
    disk: &str,
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let interval = &state.figures().interval;
    let of_disk = interval.waiters.iter().filter(|waiter| waiter.device == disk);
    let waiters: Vec<&Waiter> = of_disk.take(height.saturating_sub(1)).collect();
    if waiters.is_empty() {
        return Vec::new();
    }
    let seconds = interval.length.as_secs_f64().max(1e-9);
    let column = |rank, head: String, cell: &dyn Fn(&Waiter) -> Option<String>| {
        Column::figures(state, rank, head, waiters.iter().map(|waiter| cell(waiter)))
    };
    let waited = state.say("watch-head-waited");
    // The time has its "/s" behind a figure.
    let times = text_width(&waited).max(FIGURE_WIDTH + 2);
    let room = width.saturating_sub(times + 1 + 2 * (FIGURE_WIDTH + 1));
    let name = |waiter: &&Waiter| {
        keep_end(
            &escape_controls(&name_waiter(&waiter.who, waiter.main_process(), state.language)),
            room,
        )
    };
    let columns = vec![
        Column::names(state.say("watch-head-who"), waiters.iter().map(name).collect()),
        column(1, waited, &|waiter| {
            let time = Nanos::from_secs_f64(waiter.waited_ns as f64 / 1e9 / seconds);
            Some(state.tell(WaitedPerSecond { time }))
        }),
        column(2, "MB/s".to_owned(), &|waiter| {
            Some(format!("{:.1}", BytesPerSecond(waiter.bytes as f64 / seconds).as_mb()))
        }),
        column(3, "p99".to_owned(), &|waiter| {
            let p99 = histogram_statistic(waiter.total.as_ref(), Statistic::Percentile(99.0));
            Some(p99?.to_string())
        }),
    ];
    draw_columns(columns, width).into_iter().map(Line::from).collect()
}

fn list_columns(state: &ScreenState, disks: &[&DiskSummary]) -> Vec<Column> {
    let figures = state.figures();
    let column = |rank, head: String, cell: &dyn Fn(&DiskSummary) -> Option<String>| {
        Column::figures(state, rank, head, disks.iter().map(|disk| cell(disk)))
    };
    let name = |disk: &&DiskSummary| {
        let mark = if state.is_chosen(&disk.name) { '>' } else { ' ' };
        format!("{mark}{}", escape_controls(&disk.name))
    };
    let rate = |disk: &DiskSummary, of: &DirectionSample| disk.rate_of(of).0.to_string();
    let megabytes = |disk: &DiskSummary| {
        let [read, write] = [&disk.read, &disk.write].map(|of| disk.rate_of(of).1.as_mb());
        format!("{:.1}", read + write)
    };
    let short = |column: Column| Column { width_min: SHORT_WIDTH, ..column };
    let mut columns = vec![
        Column::names(
            format!(" {}", state.say("watch-head-disk")),
            disks.iter().map(name).collect(),
        ),
        column(1, state.say("watch-head-reads"), &|disk| Some(rate(disk, &disk.read))),
        column(1, state.say("watch-head-writes"), &|disk| Some(rate(disk, &disk.write))),
        short(column(1, "MB/s".to_owned(), &|disk| Some(megabytes(disk)))),
    ];
    columns.extend(list_latencies(state, disks));
    columns.push(short(column(7, state.say("watch-head-outstanding"), &|disk| {
        disk.outstanding.map(|outstanding| format!("{outstanding:.1}"))
    })));
    columns.push(short(column(4, state.say("watch-head-used"), &|disk| {
        let judgement = figures.judgements.iter().find(|one| one.disk == disk.name)?;
        Some(judgement.used.as_ref()?.share().to_string())
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
            let cells = disks.iter().zip(&histograms).map(latency);
            let column = Column::figures(state, rank, head, cells);
            columns.push(Column { group: state.say(group), ..column });
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
