//! A preset on the terminal.

use std::fmt::Write as _;

use super::result::PresetResult;
use super::table::{StepRow, build_step_rows, build_threshold_rows, preset_title};
use crate::text::{Style, TextTable, mark_sign, write_wrapped};

pub(crate) fn write_preset(out: &mut String, result: &PresetResult<'_>, style: Style) {
    let plan = result.plan;
    let _ = writeln!(out, "\n{}", style.bold(&preset_title(plan)));
    write_wrapped(out, "", &format!("Imitates {}.", plan.imitates.trim_end_matches('.')));
    for words in &plan.departures {
        write_wrapped(out, "", &format!("Not as the preset has it: {words}."));
    }
    let rows = build_step_rows(result);
    if !rows.is_empty() {
        write_steps(out, &rows, style);
    }
    let thresholds = build_threshold_rows(result);
    if !thresholds.is_empty() {
        let _ = writeln!(out, "\n{}", style.bold("Is it good enough?"));
    }
    for row in thresholds {
        let word = style.promise(row.kept, &format!("{:<11}", row.word()));
        let _ = writeln!(out, "  {word}  {}", row.what);
        write_wrapped(
            out,
            "               ",
            &format!("needed {}; measured {}", row.limit, row.measured),
        );
        write_wrapped(out, "               ", &format!("{}. Source: {}", row.why, row.source));
    }
    if !plan.notes.is_empty() || !plan.sources.is_empty() {
        out.push('\n');
    }
    plan.notes.iter().for_each(|note| write_wrapped(out, "", &format!("Note: {note}.")));
    plan.sources.iter().for_each(|source| write_wrapped(out, "", &format!("Source: {source}")));
}

fn write_steps(out: &mut String, rows: &[StepRow], style: Style) {
    let cells = rows.iter().map(|row| {
        let sign = mark_sign(row.marks.first().map(|mark| mark.0));
        let mut cells = vec![format!("{sign} {}", row.label)];
        cells.extend([row.iops.clone(), row.interval.clone(), row.rate.clone()]);
        cells.extend(row.latency.iter().cloned());
        cells
    });
    let head = ["", "IOPS", "95 %", "MB/s", "mean", "p50", "p99", "max"];
    let table = TextTable::new(head, cells).right(|column| column > 0);
    out.push('\n');
    for (place, line) in table.lines().iter().enumerate() {
        let Some(row) = place.checked_sub(1).and_then(|place| rows.get(place)) else {
            let _ = writeln!(out, "{}", style.bold(line));
            continue;
        };
        let _ = writeln!(out, "{line}");
        for (status, words) in &row.marks {
            let _ = writeln!(out, "    {}", style.status(*status, &format!("^ {words}")));
        }
        if !row.score.is_empty() {
            write_wrapped(out, "      ", &row.score);
        }
        row.notes.iter().for_each(|note| write_wrapped(out, "      ", note));
    }
    let words = "Median of the passes; 95 %: interval of the IOPS; -: too few samples to say.";
    write_wrapped(out, "", words);
}
