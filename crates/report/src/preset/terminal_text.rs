//! A preset on the terminal.

use super::result::PresetResult;
use message::Render as _;

use super::table::{
    Departure, Imitates, NeededAndMeasured, Source, StepRow, WhyAndSource, build_step_rows,
    build_threshold_rows, preset_title,
};
use crate::text::{
    MarkedRow, Style, kept_lines, text_width, write_heading, write_marked_table, write_wrapped,
};
use crate::words::Note;

pub(crate) fn write_preset(out: &mut String, result: &PresetResult<'_>, style: Style) {
    let plan = result.plan;
    write_heading(out, style, &preset_title(plan, style.language));
    let imitates = Imitates { tool: plan.imitates.clone() };
    write_wrapped(out, style, "", &imitates.render(style.language));
    for words in &plan.departures {
        let words = Departure { words: words.clone() }.render(style.language);
        write_wrapped(out, style, "", &words);
    }
    let rows = build_step_rows(result, style.language);
    if !rows.is_empty() {
        write_steps(out, &rows, style);
    }
    let thresholds = build_threshold_rows(result, style.language);
    if !thresholds.is_empty() {
        write_heading(out, style, &style.say("page-thresholds"));
    }
    let words = thresholds.iter().map(|row| text_width(&row.word(style.language)));
    let widest = words.max().unwrap_or(0);
    let indent = " ".repeat(widest + 4);
    for row in thresholds {
        let kept = ("  ", row.kept, &*row.word(style.language));
        let lines = kept_lines(style, kept, widest, &row.what);
        lines.iter().for_each(|line| out.extend([line, "\n"]));
        let figures = NeededAndMeasured { limit: row.limit, measured: row.measured };
        let why = WhyAndSource { why: row.why, source: row.source };
        for words in [figures.render(style.language), why.render(style.language)] {
            write_wrapped(out, style, &indent, &words);
        }
    }
    if !plan.notes.is_empty() || !plan.sources.is_empty() {
        out.push('\n');
    }
    for note in &plan.notes {
        let note = Note { note: note.clone() }.render(style.language);
        write_wrapped(out, style, "", &note);
    }
    for source in &plan.sources {
        let source = Source { source: source.clone() }.render(style.language);
        write_wrapped(out, style, "", &source);
    }
}

fn write_steps(out: &mut String, rows: &[StepRow], style: Style) {
    let lines = rows.iter().map(|row| {
        let figures = [row.iops.clone(), row.interval.clone(), row.rate.clone()];
        let cells = figures.into_iter().chain(row.latency.clone()).collect();
        let score = Some(row.score.as_str()).filter(|score| !score.is_empty());
        let notes = score.into_iter().chain(row.notes.iter().map(String::as_str)).collect();
        MarkedRow { label: &row.label, cells, marks: &row.marks, notes }
    });
    let (mean, max) = (style.say("head-mean"), style.say("head-max"));
    let head = ["", "IOPS", "95 %", "MB/s", &mean, "p50", "p99", &max];
    write_marked_table(out, head, &lines.collect::<Vec<_>>(), style);
    write_wrapped(out, style, "", &style.say("preset-table-key"));
}
