//! The table of a screen, and the key of its signs.

use message::{Message, Render as _, label};
use record::{Record, Status};

use super::words::*;
use crate::text::{FigureTable, Style, mark_sign, wrap_text};
use crate::words::{Mark, Row, build_key_rows, is_vague};

/// A line of figures, and what touches them.
pub(super) struct KeyRow {
    pub(super) label: String,
    pub(super) figures: Vec<String>,
    pub(super) marks: Vec<Mark>,
}

/// The rows of a check: IOPS, interval, MB/s, latency.
pub(super) fn check_table(record: &Record, rows_max: usize, style: Style) -> Vec<String> {
    let rows = build_key_rows(record, style.language).into_iter().map(|row: Row| {
        let interval = if row.interval.is_empty() { "-".to_owned() } else { row.interval };
        let [mean, p50, p99, p999] = row.latency;
        KeyRow {
            label: row.label,
            figures: vec![row.iops, interval, row.rate, mean, p50, p99, p999],
            marks: row.marks,
        }
    });
    let mean = style.say("head-mean");
    let head = ["", "IOPS", "95 %", "MB/s", &mean, "p50", "p99", "p99.9"];
    let best = record
        .measured
        .plan
        .bounds
        .first()
        .map(|bound| KeyBest { bound: bound.to_string() }.into());
    let columns = Columns { head: &head, dispensable: &[7, 4, 3, 5, 2], rows_max, has_key: true };
    key_table(&columns, rows.collect(), best, style)
}

/// The head of a table, the columns that a narrow terminal does without, and its most rows.
pub(super) struct Columns<'a> {
    pub(super) head: &'a [&'a str],
    pub(super) dispensable: &'a [usize],
    pub(super) rows_max: usize,
    /// Whether the signs are explained below it.
    pub(super) has_key: bool,
}

/// A table with the key of the signs in it.
pub(super) fn key_table(
    columns: &Columns<'_>,
    mut rows: Vec<KeyRow>,
    best: Option<Message>,
    style: Style,
) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let more = rows.len().saturating_sub(columns.rows_max);
    rows.truncate(columns.rows_max);
    let cells = rows.iter().map(|row| {
        let sign = row_sign(row);
        let figures = row.figures.iter().map(|figure| style.language.punctuate(figure));
        [format!("{sign} {}", row.label)].into_iter().chain(figures).collect()
    });
    let table = FigureTable::new(columns.head.iter().copied(), cells);
    let table = table.dispensable(columns.dispensable);
    let (head, bodies) = table.lines(style.width);
    let mut lines: Vec<String> = head.iter().map(|line| style.bold(line)).collect();
    let has_missing =
        bodies.iter().flatten().any(|line| line.split_whitespace().any(|word| word == "-"));
    for (row, body) in rows.iter().zip(bodies) {
        let is_invalid = row_sign(row) == 'X';
        let paint =
            |line: String| if is_invalid { style.status(Status::Invalid, &line) } else { line };
        lines.extend(body.into_iter().map(paint));
    }
    if more > 0 {
        lines.push(MoreRows { count: more }.render(style.language));
    }
    if columns.has_key {
        lines.extend(sign_key(&rows, best, has_missing, style));
    }
    lines
}

fn row_sign(row: &KeyRow) -> char {
    mark_sign(row.marks.iter().map(|mark| mark.0).max())
}

/// Only the signs that are in the table.
fn sign_key(
    rows: &[KeyRow],
    best: Option<Message>,
    has_missing: bool,
    style: Style,
) -> Vec<String> {
    let has_vague = rows.iter().flat_map(|row| &row.figures).any(|figure| is_vague(figure));
    let has = |sign: char| rows.iter().any(|row| row_sign(row) == sign);
    let best = best.filter(|_| rows.iter().any(|row| row.label.contains('*')));
    let signs: Vec<Message> = [
        best,
        has('X').then(|| label("summary-key-invalid")),
        has('!').then(|| label("summary-key-warning")),
        has_vague.then(|| label("summary-key-vague")),
        has_missing.then(|| label("summary-key-missing")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if signs.is_empty() {
        return Vec::new();
    }
    wrap_text(&Key { signs }.render(style.language), style.prose_width())
}
