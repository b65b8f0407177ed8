//! A preset on the terminal.

use std::fmt::Write as _;

use super::result::PresetResult;
use super::table::{StepRow, build_step_rows, build_threshold_rows, preset_title};
use crate::text::{MarkedRow, Style, write_heading, write_marked_table, write_wrapped};

pub(crate) fn write_preset(out: &mut String, result: &PresetResult<'_>, style: Style) {
    let plan = result.plan;
    write_heading(out, style, &preset_title(plan));
    write_wrapped(out, style, "", &format!("Imitates {}.", plan.imitates.trim_end_matches('.')));
    for words in &plan.departures {
        write_wrapped(out, style, "", &format!("Not as the preset has it: {words}."));
    }
    let rows = build_step_rows(result);
    if !rows.is_empty() {
        write_steps(out, &rows, style);
    }
    let thresholds = build_threshold_rows(result);
    if !thresholds.is_empty() {
        write_heading(out, style, "Is it good enough?");
    }
    for row in thresholds {
        let word = style.promise(row.kept, &format!("{:<11}", row.word()));
        let _ = writeln!(out, "  {word}  {}", row.what);
        let figures = format!("needed {}; measured {}", row.limit, row.measured);
        for words in [figures, format!("{}. Source: {}", row.why, row.source)] {
            write_wrapped(out, style, "               ", &words);
        }
    }
    if !plan.notes.is_empty() || !plan.sources.is_empty() {
        out.push('\n');
    }
    plan.notes.iter().for_each(|note| write_wrapped(out, style, "", &format!("Note: {note}.")));
    plan.sources
        .iter()
        .for_each(|source| write_wrapped(out, style, "", &format!("Source: {source}")));
}

fn write_steps(out: &mut String, rows: &[StepRow], style: Style) {
    let lines = rows.iter().map(|row| {
        let figures = [row.iops.clone(), row.interval.clone(), row.rate.clone()];
        let cells = figures.into_iter().chain(row.latency.clone()).collect();
        let score = Some(row.score.as_str()).filter(|score| !score.is_empty());
        let notes = score.into_iter().chain(row.notes.iter().map(String::as_str)).collect();
        MarkedRow { label: &row.label, cells, marks: &row.marks, notes }
    });
    let head = ["", "IOPS", "95 %", "MB/s", "mean", "p50", "p99", "max"];
    write_marked_table(out, head, &lines.collect::<Vec<_>>(), style);
    let words = "Median of the passes; 95 %: interval of the IOPS; -: too few samples to say.";
    write_wrapped(out, style, "", words);
}
