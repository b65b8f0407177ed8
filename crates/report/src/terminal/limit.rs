//! A search for a limit: the answer of each bound, the curves as tables, and a small picture.

use std::fmt::Write as _;

use record::{Curve, Record, Status};

use super::{Style, WIDTH, picture, wrap, wrapped};
use crate::limit::{Answer, PointRow, answered, answers, directions, is_ramp, over, point_rows};

/// Width of the bar.
const BAR: usize = 10;

/// What was found for each bound.
pub(super) fn answer_block(out: &mut String, record: &Record, style: Style) {
    let curves = answered(record);
    for curve in &curves {
        let answers = answers(record, curve);
        if answers.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{}", style.bold(&format!("Most of {}", curve.label)));
        let width = answers.iter().map(|answer| answer.bound.chars().count()).max().unwrap_or(0);
        for answer in &answers {
            told(out, answer, width, style);
        }
    }
}

fn told(out: &mut String, answer: &Answer, width: usize, style: Style) {
    let indent = " ".repeat(width + 4);
    let is =
        if answer.statistic.is_empty() { String::new() } else { format!(", {}", answer.statistic) };
    let first = if answer.reached {
        format!("{} IOPS at {}{is}", answer.iops, answer.load)
    } else {
        format!("{} ({} IOPS at {})", answer.why, answer.iops, answer.load)
    };
    for (place, line) in wrapped(&first, WIDTH - width - 4).iter().enumerate() {
        let lead = if place == 0 { answer.bound.as_str() } else { "" };
        let _ = writeln!(out, "  {lead:<width$}  {}", style.bold(line));
    }
    if answer.reached {
        wrap(out, &indent, &format!("bounded by {}", by(&answer.why)));
    }
    for because in &answer.because {
        wrap(out, &indent, &format!("because {because}"));
    }
    for part in &answer.parts {
        wrap(out, &indent, part);
    }
    wrap(out, &indent, &format!("{}; {}", answer.interval, answer.confirmed));
    for (status, words) in &answer.marks {
        let _ = writeln!(out, "{indent}{}", style.status(*status, &format!("^ {words}")));
    }
}

/// "bounded by unsure" is no English.
fn by(why: &str) -> &str {
    if why.starts_with("unsure") {
        "nothing that is certain: the probes contradict each other"
    } else {
        why
    }
}

/// Each curve: its points as a table, and as a picture.
pub(super) fn curves(out: &mut String, record: &Record, style: Style) {
    for curve in &record.curves {
        let rows = point_rows(record, curve);
        let _ = writeln!(out, "\n{}", style.bold(&over(record, curve)));
        if directions(curve).len() > 1 {
            apart(out, curve, &rows, style);
        } else {
            together(out, curve, &rows, style);
        }
        legend(out, curve, &rows);
        if !is_ramp(record, curve) && curve.points.len() > 1 {
            picture::latency_over_iops(curve).iter().for_each(|line| {
                let _ = writeln!(out, "{line}");
            });
        }
    }
}

/// What the load is called at the head of a table.
const fn load_head(curve: &Curve) -> &'static str {
    if curve.open_loop { "rate" } else { "depth" }
}

fn together(out: &mut String, curve: &Curve, rows: &[PointRow], style: Style) {
    let load = load_head(curve);
    let head = format!(
        "  {load:>8}{:>10}{:>8}{:>8}{:>8}{:>8}{:>8}{:>7}",
        "IOPS", "mean", "p50", "p95", "p99", "p99.9", "out"
    );
    let _ = writeln!(out, "{}", style.bold(&head));
    for row in rows {
        let mut line = format!("{} {:>8}{:>10}", sign(row), row.load, row.iops);
        for latency in row.parts.iter().flat_map(|part| &part.latency) {
            let _ = write!(line, "{latency:>8}");
        }
        let _ = write!(line, "{:>7}", row.outstanding);
        ended(out, line, row, style);
    }
}

/// Reads and writes apart: of each the IOPS, the median and the 99th percentile.
fn apart(out: &mut String, curve: &Curve, rows: &[PointRow], style: Style) {
    let names: Vec<&str> = rows
        .first()
        .map(|row| row.parts.iter().map(|p| p.name.as_str()).collect())
        .unwrap_or_default();
    let mut head = format!("  {:>9}{:>9}", load_head(curve), "IOPS");
    for name in names {
        let _ = write!(head, "{name:>9}{:>8}{:>8}", "p50", "p99");
    }
    let _ = writeln!(out, "{}", style.bold(&format!("{head}{:>6}", "out")));
    for row in rows {
        let mut line = format!("{} {:>9}{:>9}", sign(row), row.load, row.iops);
        for part in &row.parts {
            let [_, p50, _, p99, _] = &part.latency;
            let _ = write!(line, "{:>9}{p50:>8}{p99:>8}", part.iops);
        }
        let _ = write!(line, "{:>6}", row.outstanding);
        ended(out, line, row, style);
    }
}

/// The bar and the notes; what has no room goes below.
fn ended(out: &mut String, mut line: String, row: &PointRow, style: Style) {
    let filled = ((row.share * BAR as f64).round() as usize).min(BAR);
    let _ = write!(line, " {}{}", "█".repeat(filled), " ".repeat(BAR - filled));
    let mut notes = row.notes.clone();
    notes.extend(row.is_invalid().then(|| "INVALID".to_owned()));
    let notes = notes.join(", ");
    let room = WIDTH.saturating_sub(line.chars().count() + 1);
    let text = if notes.chars().count() <= room { format!("{line} {notes}") } else { line };
    let text = text.trim_end();
    let status = row.marks.first().map(|mark| mark.0);
    match status.filter(|status| *status == Status::Invalid) {
        Some(status) => {
            let _ = writeln!(out, "{}", style.status(status, text));
        }
        None => {
            let _ = writeln!(out, "{text}");
        }
    }
    if notes.chars().count() > room {
        wrap(out, "             ^ ", &notes);
    }
}

fn sign(row: &PointRow) -> char {
    match row.marks.first() {
        Some((Status::Invalid, _)) => 'X',
        Some(_) => '!',
        None => ' ',
    }
}

/// What the signs of a table stand for.
fn legend(out: &mut String, curve: &Curve, rows: &[PointRow]) {
    let mut said: Vec<(Status, String, usize)> = Vec::new();
    for (status, words) in rows.iter().flat_map(|row| &row.marks) {
        match said.iter_mut().find(|mark| mark.1 == *words) {
            Some(mark) => mark.2 += 1,
            None => said.push((*status, words.clone(), 1)),
        }
    }
    said.sort_by_key(|mark| std::cmp::Reverse(mark.0));
    let latency = if curve.open_loop {
        "Response time, from the planned start until reaped"
    } else {
        "Latency from submission until reaped"
    };
    let mut text = format!("{latency}; out: outstanding on average; -: too few samples.");
    for (status, words, count) in said {
        let sign = if status == Status::Invalid { 'X' } else { '!' };
        let points = if count == 1 { "point" } else { "points" };
        let _ = write!(text, " {sign} {words} ({count} {points}).");
    }
    wrap(out, "  ", &text);
}
