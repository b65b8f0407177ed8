//! A search for a limit: the answer of each bound, the curves as tables, and a small picture.

use std::fmt::Write as _;

use message::{Message, Render as _, messages};
use record::{Curve, Record, Status};

use super::text_chart;
use crate::limit::{
    Answer, DirectionRow, LATENCY_FIGURES, PointRow, answered_curves, build_answers,
    curve_directions, curve_title, is_ramp, point_rows,
};
use crate::text::{
    FigureTable, Style, mark_sign, text_width, wrap_text, write_heading, write_wrapped,
};
use crate::words::has_invalid;

const BAR_WIDTH: usize = 5;
/// Longer notes of a point stand below it.
const NOTE_WIDTH_MAX: usize = 18;

pub(super) fn write_answers(out: &mut String, record: &Record, style: Style) {
    let curves = answered_curves(record);
    for curve in &curves {
        let answers = build_answers(record, curve, style.language);
        if answers.is_empty() {
            continue;
        }
        let title = MostOf { curve: curve.label.clone() }.render(style.language);
        write_heading(out, style, &title);
        let width = answers.iter().map(|answer| answer.bound.chars().count()).max().unwrap_or(0);
        for answer in &answers {
            write_answer(out, answer, width, style);
        }
    }
}

fn write_answer(out: &mut String, answer: &Answer, width: usize, style: Style) {
    let indent = " ".repeat(width + 4);
    let is =
        if answer.statistic.is_empty() { String::new() } else { format!(", {}", answer.statistic) };
    let say = |message: Message| message.render(style.language);
    let rate = &answer.rate_at_load;
    let first = match answer.reached {
        true => format!("{rate}{is}"),
        false => format!("{} ({rate})", answer.bounded_by_sentence),
    };
    for (place, line) in wrap_text(&first, style.prose_width() - width - 4).iter().enumerate() {
        let lead = if place == 0 { answer.bound.as_str() } else { "" };
        let _ = writeln!(out, "  {lead:<width$}  {}", style.bold(line));
    }
    if answer.reached {
        let cause = answer.bounded_by_sentence.clone();
        write_wrapped(out, style, &indent, &say(BoundedByCause { cause }.into()));
    }
    for because in &answer.evidence {
        let words = say(Because { reason: because.clone() }.into());
        write_wrapped(out, style, &indent, &words);
    }
    for part in &answer.parts {
        write_wrapped(out, style, &indent, part);
    }
    write_wrapped(out, style, &indent, &format!("{}; {}", answer.rate.interval, answer.confirmed));
    for (status, words) in &answer.marks {
        let words = format!("^ {}", words.render(style.language));
        let _ = writeln!(out, "{indent}{}", style.status(*status, &words));
    }
}

pub(super) fn write_curves(out: &mut String, record: &Record, style: Style) {
    for curve in &record.judgement_or_default().curves {
        let rows = point_rows(record, curve, style.language);
        write_heading(out, style, &curve_title(record, curve).render(style.language));
        if curve_directions(curve).len() > 1 {
            write_by_direction(out, curve, &rows, style);
        } else {
            write_single_direction(out, curve, &rows, style);
        }
        write_legend(out, curve, &rows, style);
        let has_room = style.width >= text_chart::WIDTH_MIN;
        if has_room && !is_ramp(record, curve) && curve.points.len() > 1 {
            let lines = text_chart::draw_latency_over_iops(record, curve, style);
            lines.iter().for_each(|line| out.extend([line, "\n"]));
        }
    }
}

/// The first two columns.
fn load_head(curve: &Curve, style: Style) -> Vec<String> {
    let load = match curve.open_loop {
        true => style.say("head-rate"),
        false => style.say("head-depth"),
    };
    vec![format!("  {load}"), "IOPS".to_owned()]
}

/// The figures of all reads or of all writes, the bar, and the notes.
fn write_single_direction(out: &mut String, curve: &Curve, rows: &[PointRow], style: Style) {
    let mut head = load_head(curve, style);
    head.extend(LATENCY_FIGURES.map(|name| match name {
        "mean" => style.say("head-mean"),
        name => name.to_owned(),
    }));
    head.extend([style.say("head-out"), String::new(), String::new()]);
    let figures = |row: &PointRow| -> Vec<String> {
        let latency = row.parts.iter().flat_map(|part| part.latency.clone());
        latency.chain([row.outstanding.clone()]).collect()
    };
    write_points(out, rows, (head, &figures), &[8, 4, 7, 2, 6], style);
}

/// Reads and writes apart: of each the IOPS, the median and the 99th percentile.
fn write_by_direction(out: &mut String, curve: &Curve, rows: &[PointRow], style: Style) {
    let mut head = load_head(curve, style);
    for part in rows.iter().take(1).flat_map(|row| &row.parts) {
        head.extend([part.name.clone(), "p50".to_owned(), "p99".to_owned()]);
    }
    head.extend([style.say("head-out"), String::new(), String::new()]);
    let figures = |row: &PointRow| -> Vec<String> {
        let part = |part: &DirectionRow| {
            let [_, p50, _, p99, _] = part.latency.clone();
            [part.iops.clone(), p50, p99]
        };
        row.parts.iter().flat_map(part).chain([row.outstanding.clone()]).collect()
    };
    write_points(out, rows, (head, &figures), &[9, 8, 3, 6, 2, 5], style);
}

type PointFigures<'a> = (Vec<String>, &'a dyn Fn(&PointRow) -> Vec<String>);

/// Notes that have no room in a line go below it.
fn write_points(
    out: &mut String,
    rows: &[PointRow],
    (head, figures): PointFigures<'_>,
    dispensable: &[usize],
    style: Style,
) {
    let cells = rows.iter().map(|row| {
        let filled = ((row.share * BAR_WIDTH as f64).ceil() as usize).min(BAR_WIDTH);
        let bar = format!("{:<BAR_WIDTH$}", "█".repeat(filled));
        let first = [format!("{} {}", row_sign(row), row.load), row.iops.clone()];
        let note = point_note(row, style);
        let notes = if fits_note(&note) { note } else { String::new() };
        first.into_iter().chain(figures(row)).chain([bar, notes]).collect()
    });
    let (head, lines) = FigureTable::new(head, cells).dispensable(dispensable).lines(style.width);
    head.iter().for_each(|line| out.extend([style.bold(line).as_str(), "\n"]));
    for (row, lines) in rows.iter().zip(lines) {
        for line in lines {
            let invalid = has_invalid(&row.marks);
            let line = if invalid { style.status(Status::Invalid, &line) } else { line };
            out.extend([line.as_str(), "\n"]);
        }
        let note = point_note(row, style);
        if !fits_note(&note) {
            write_wrapped(out, style, "             ^ ", &note);
        }
    }
}

fn point_note(row: &PointRow, style: Style) -> String {
    let invalid = row.marks.iter().filter(|mark| mark.0 == Status::Invalid);
    let invalid = invalid.map(|mark| (&mark.1).render(style.language));
    row.notes.iter().cloned().chain(invalid).collect::<Vec<_>>().join(", ")
}

fn fits_note(note: &str) -> bool {
    text_width(note) <= NOTE_WIDTH_MAX
}

fn row_sign(row: &PointRow) -> char {
    mark_sign(row.marks.first().map(|mark| mark.0))
}

fn write_legend(out: &mut String, curve: &Curve, rows: &[PointRow], style: Style) {
    let mut said: Vec<(Status, Message, usize)> = Vec::new();
    for (status, words) in rows.iter().flat_map(|row| &row.marks) {
        match said.iter_mut().find(|mark| mark.1 == *words) {
            Some(mark) => mark.2 += 1,
            None => said.push((*status, words.clone(), 1)),
        }
    }
    said.sort_by_key(|mark| std::cmp::Reverse(mark.0));
    let legend = match curve.open_loop {
        true => style.say("limit-legend-response"),
        false => style.say("limit-legend-latency"),
    };
    write_wrapped(out, style, "  ", &legend);
    for (status, mark, points) in said {
        let words = MarkOfPoints { mark, points }.render(style.language);
        write_wrapped(out, style, "  ", &format!("{} {words}", mark_sign(Some(status))));
    }
}

messages! {
    MostOf = "limit-most-of" { curve: Message };
    BoundedByCause = "limit-bounded-by" { cause: String };
    Because = "limit-because" { reason: String };
    MarkOfPoints = "limit-mark-points" { mark: Message, points: usize };
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{BoundedBy, CellRole, Completion, Fall};
    use units::{Bytes, Depth};

    fn render_with(mut record: Record, spoil: impl Fn(&mut Record)) -> String {
        record.judgement = Some(analysis::judge(&record.measured));
        spoil(&mut record);
        let text = crate::render_terminal(&record, Style::PLAIN);
        for line in text.lines() {
            let columns = line.chars().count();
            assert!(columns <= crate::text::WIDTH, "{columns} columns: {line}");
        }
        assert!(!text.contains('\u{1b}'), "no colour was asked for");
        text
    }

    fn check(text: &str, wanted: &[&str]) {
        for words in wanted {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
    }

    #[test]
    fn a_search_over_depth_says_the_main_things() {
        let text = render_with(record::fixture::limit_record(), |_| {});
        check(
            &text,
            &[
                "limit of /srv/data",
                "Most of random read 4k",
                "p99<1ms    70,588 IOPS at depth 24, p99 829 us",
                "p99<500us  50,000 IOPS at depth 10, p99 488 us",
                "95 %: 69,882 to 71,294 (±1.0 %)",
                "random read 4k by depth",
                "<- p99<500us, knee",
                "breaks all",
                "the most within a bound",
                "98,080 IOPS",
                "the knee is near depth 11",
                "Can the numbers be trusted?",
            ],
        );
        assert!(!text.contains("sequential"), "the table of a check has no place here");
        let rows = text.lines().filter(|line| line.contains('█')).count();
        assert_eq!(rows, 12, "a line per point");
    }

    #[test]
    fn every_reason_for_a_limit_has_its_words() {
        for (by, words) in [
            (BoundedBy::Bound, "bounded by the latency bound"),
            (BoundedBy::Saturation, "bounded by saturation: more depth only adds latency"),
            (BoundedBy::ProviderCap, "bounded by a configured cap of the provider"),
            (BoundedBy::ControlGroup, "bounded by a control group of this host, not the disk"),
            (BoundedBy::Client, "bounded by this host: it had no processor time left"),
            (BoundedBy::DepthTried, "bounded by the deepest queue tried: it may give more"),
            (BoundedBy::Unreachable, "p99<1ms    not reachable: idle p99 is 829 us"),
            (BoundedBy::Unsure, "bounded by an unknown cause: repeat it"),
        ] {
            let text = render_with(record::fixture::limit_record(), |record| {
                let limit = &mut record.judged_mut().curves[0].limits[0];
                limit.bounded_by = by;
                limit.confirmed = true;
                limit.because = vec![message::Message::from_text("it was seen")];
            });
            check(&text, &[words, "because it was seen", "confirmed: measured again"]);
            let is_marked = text.contains("<- p99<1ms");
            assert_eq!(is_marked, by != BoundedBy::Unreachable, "{by:?}:\n{text}");
        }
    }

    #[test]
    fn two_jobs_are_told_apart() {
        let text = render_with(record::fixture::two_job_limit_record(), |_| {});
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        check(&flat, &["reads p50 p99 writes p50 p99"]);
        check(
            &text,
            &[
                "61,540 IOPS at depth 12 + 4",
                "random write 4k: 15,380 IOPS at depth 4, p99 637 us",
                "48 + 16",
                "o p50, # p99, 8 both, of the slower job",
            ],
        );
    }

    #[test]
    fn an_open_loop_is_told_by_its_rate() {
        let text = render_with(record::fixture::open_loop_limit_record(), |record| {
            let limits = record.judged_mut().curves.iter_mut().flat_map(|curve| &mut curve.limits);
            limits.for_each(|limit| limit.bounded_by = BoundedBy::Bound);
        });
        check(
            &text,
            &[
                "p99<1ms    70,588 IOPS at 70,600 arrivals/s",
                "the latency bound: more arrivals break it",
                "random read 4k by depth: the ramp before the search",
                "random read 4k by rate of arrivals",
                "Response time: from the planned start to completion",
            ],
        );
        assert_eq!(text.matches("<- p99<1ms").count(), 1, "a ramp answers nothing:\n{text}");
    }

    #[test]
    fn points_are_marked() {
        let mut record = record::fixture::limit_record();
        let cell = record.measured.cells.iter_mut().find(|c| c.name == "randread-4k-qd64").unwrap();
        cell.ledger.layers[0].read_bytes = Bytes(0);
        let text = render_with(record, |record| {
            let shape = record.judged_mut().curves[0].shape.as_mut().unwrap();
            shape.fall = Some(Fall {
                best_depth: Depth(32),
                best_iops: 76_000.0,
                then_depth: Depth(64),
                then_iops: 60_000.0,
            });
        });
        check(
            &text,
            &[
                "\nX 64 ",
                "left out, INVALID: page-cache",
                "X INVALID: page-cache (1 point)",
                "- - bound; X\n           INVALID",
            ],
        );
    }

    #[test]
    fn a_search_that_was_cut_short_keeps_its_shape() {
        let text = render_with(record::fixture::limit_record(), |record| {
            record.measured.cells.truncate(1);
            record.judgement = Some(analysis::judge(&record.measured));
            let reason = message::Message::from_text("interrupted");
            record.measured.completion = Completion::Partial { reason, failed: false };
        });
        check(&text, &["PARTIAL: interrupted", "random read 4k by depth"]);
        let mut stopped = record::fixture::limit_record();
        stopped.measured.cells.truncate(1);
        stopped.measured.cells[0].role = CellRole::Disturbed;
        let text = render_with(stopped.clone(), |_| {});
        check(&text, &["random read 4k by depth", "left out", "No measurement was completed"]);
        assert!(!text.contains("sound"), "{text}");
        stopped.judgement = Some(analysis::judge(&stopped.measured));
        let page = crate::render_html(&stopped, message::Language::English).unwrap();
        assert!(page.contains("No measurement was completed"));
        let mut nothing = record::fixture::limit_record();
        nothing.measured.cells.clear();
        render_with(nothing, |_| {});
        let mut ramp = record::fixture::open_loop_limit_record();
        ramp.measured.cells.retain(|c| c.role == CellRole::Probe && !c.job.is_open_loop());
        check(&render_with(ramp, |_| {}), &["Most of random read 4k", "70,588 IOPS at depth 24"]);
    }
}
