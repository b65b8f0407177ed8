//! The report on a terminal: at most 100 columns, readable without colour.

mod explain;
mod fleet;
mod limit;
mod promise;
mod sheet;
mod summary;
mod surface;
mod text_chart;

use std::fmt::Write as _;

use message::{Message, Names, Render as _, messages};
use record::{
    ClassVerdict, Completion, Curve, CurvePoint, Evidence, Finding, Record, Status, Trust, Verdict,
};
use units::{Iops, Nanos};

use crate::limit::BreaksBound;
use crate::replay::results_caption;
use crate::text::{
    FigureTable, MarkedRow, Style, mark_sign, pad_right, text_width, wrap_text, write_hanging,
    write_heading, write_marked_table, write_wrapped,
};
use crate::words::warned::add_warned_cells;
use crate::words::{
    AndMore, BehavesLike, Note, bounded_words, build_rows, cell_marks, class_context,
    is_incomplete, measured_time, or_dash, status_word, target_words,
};
pub(crate) use summary::{Partial, badge_and_headline};
use summary::{Shortened, Target};

pub use explain::{Topic, explanation_json, render_explanation, render_explanations};

pub use sheet::Sheet;
pub use summary::render_summary;
#[cfg(test)]
pub(crate) use summary::tests::{hot_record, large_numbers, page_text};

const BAR_WIDTH: usize = 30;

/// The whole report as text.
pub fn render_terminal(record: &Record, style: Style) -> String {
    if let Some(watch) = &record.measured.watch {
        return crate::watch::write_watch(record, watch, style);
    }
    let mut out = String::new();
    write_head(&mut out, record, style);
    if crate::limit::is_limit(record) {
        limit::write_answers(&mut out, record, style);
        limit::write_curves(&mut out, record, style);
    } else if let Some(found) = crate::preset::PresetResult::from_record(record) {
        crate::preset::terminal_text::write_preset(&mut out, &found, style);
    } else if crate::sweep::is_sweep(record) {
        crate::sweep::write_sweep(&mut out, record, style);
    } else if !record.measured.cells.is_empty() {
        write_table(&mut out, record, style);
        let curves = record.judgement_or_default().curves.iter();
        for curve in curves.filter(|curve| curve.all_points().len() > 1) {
            match (curve.limits.as_slice(), curve.points.as_slice()) {
                ([], [newest]) => write_stream_change(&mut out, curve, newest, style),
                _ => write_depth_ladder(&mut out, record, curve, style),
            }
        }
    }
    fleet::write_fleet(&mut out, record, style);
    if let Some(found) = &record.measured.metadata {
        crate::metadata::write_metadata(&mut out, found, style);
    }
    if let Some(found) = &record.judgement_or_default().surface {
        let lines = surface::draw_surface(found, style);
        if !lines.is_empty() {
            write_heading(&mut out, style, &style.say("text-surface"));
        }
        lines.iter().for_each(|line| out.extend([line.as_str(), "\n"]));
    }
    promise::write_promise(&mut out, record, style);
    let looked = |finding: &Finding| finding.status != Status::NotObservable;
    if record.judgement_or_default().findings.iter().any(looked) {
        write_findings(&mut out, record, style);
    }
    if let Some(verdict) = &record.judgement_or_default().verdict {
        write_meaning(&mut out, record, verdict, style);
    }
    if let Some(words) = partial_words(record, style) {
        let _ = writeln!(out, "\n{words}");
    }
    out
}

fn partial_words(record: &Record, style: Style) -> Option<String> {
    let Completion::Partial { reason, .. } = &record.measured.completion else { return None };
    let words = Partial { reason: reason.clone() }.render(style.language);
    let lines = wrap_text(&words, style.prose_width());
    let lines = lines.iter().map(|line| style.status(Status::Warning, line));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

fn write_head(out: &mut String, record: &Record, style: Style) {
    let measured = &record.measured;
    let seconds = measured_time(record).as_secs_f64().round() as u64;
    let command = measured.command_name().to_owned();
    let path = crate::fleet::located_path(record, &measured.target_path());
    let command = CommandOf { command, path }.render(style.language);
    let title = format!("{} {}  {command}", measured.tool.name, measured.tool.version);
    let _ = writeln!(out, "{}", style.bold(&title));
    for note in measured.imported.iter().flat_map(|imported| &imported.notes) {
        write_wrapped(out, style, "", &Note { note: note.into() }.render(style.language));
    }
    if let Some(target) = measured.target() {
        let (target, file) = (target_words(target), summary::describe_file(record));
        let words = Target { target, file, seconds }.render(style.language);
        write_wrapped(out, style, "", &words);
    }
    if let Some(words) = partial_words(record, style) {
        let _ = writeln!(out, "{words}");
    }
    if let Some(why) = measured.layout.as_ref().and_then(|layout| layout.shortened.clone()) {
        write_wrapped(out, style, "", &Shortened { why }.render(style.language));
    }
    if let Some(verdict) = &record.judgement_or_default().verdict {
        let (status, words) = trust_words(record, verdict.trust, style);
        out.push('\n');
        for line in wrap_text(&(&verdict.headline).render(style.language), style.prose_width()) {
            let _ = writeln!(out, "{}", style.status(status, &line));
        }
        write_wrapped(out, style, "", &words);
    }
}

/// What may be done with the numbers.
fn trust_words(record: &Record, trust: Trust, style: Style) -> (Status, String) {
    match trust {
        Trust::Sound => (Status::Ok, style.say("badge-reason-sound")),
        Trust::Caution if !analysis::has_figures(&record.measured) => {
            (Status::Warning, style.say("badge-reason-nothing"))
        }
        Trust::Caution if is_incomplete(record) => {
            (Status::Warning, style.say("badge-reason-lost"))
        }
        Trust::Caution => {
            let words = add_warned_cells(style.say("text-caution"), record, style.language);
            (Status::Warning, words)
        }
        Trust::Broken => (Status::Invalid, style.say("text-broken")),
    }
}

fn write_table(out: &mut String, record: &Record, style: Style) {
    let rows = build_rows(record, style.language);
    let lines = rows.iter().map(|row| {
        let interval = Some(&row.interval).filter(|interval| !interval.is_empty());
        let figures = [row.iops.clone(), or_dash(interval), row.rate.clone()];
        let cells = figures.into_iter().chain(row.latency.clone());
        MarkedRow {
            label: &row.label,
            cells: cells.collect(),
            marks: &row.marks,
            notes: Vec::new(),
        }
    });
    let mean = style.say("head-mean");
    let head = ["", "IOPS", "95 %", "MB/s", &mean, "p50", "p99", "p99.9"];
    write_marked_table(out, head, &lines.collect::<Vec<_>>(), style);
    if let Some(caption) = results_caption(record) {
        write_wrapped(out, style, "", &caption.render(style.language));
    }
}

/// A stream has one load and no limit: what it was before its figure.
fn write_stream_change(out: &mut String, curve: &Curve, newest: &CurvePoint, style: Style) {
    let Some(earlier) = curve.earlier else { return };
    let words = StreamChanged {
        curve: curve.label.clone(),
        before: earlier.iops,
        until: earlier.until,
        after: Iops(newest.iops),
    };
    let _ = writeln!(out);
    write_wrapped(out, style, "", &words.render(style.language));
}

fn write_depth_ladder(out: &mut String, record: &Record, curve: &Curve, style: Style) {
    let Some(bound) = curve.main_bound() else { return };
    write_heading(out, style, &crate::limit::curve_title(record, curve).render(style.language));
    let points = curve.all_points();
    let most = points.iter().map(|p| p.iops).fold(1.0, f64::max);
    let chosen = curve.main_limit().map(|limit| limit.cell.as_str());
    let breaks = BreaksBound { bound: bound.to_string() }.render(style.language);
    let row = |point: &&CurvePoint| {
        let filled = (point.iops / most * BAR_WIDTH as f64).round() as usize;
        let bar = format!("{:<BAR_WIDTH$}", "█".repeat(filled));
        let statistic = or_dash(point.main_stand().statistic);
        let note = match (chosen == Some(point.newest_cell()), point.main_stand().within) {
            (true, _) => "<- *".to_owned(),
            (false, Some(false)) => breaks.clone(),
            (false, None) => style.say("point-too-few-samples"),
            (false, Some(true)) => String::new(),
        };
        let marks = cell_marks(record, point.newest_cell());
        let mark = marks.first().map(|mark| (&mark.1).render(style.language)).unwrap_or_default();
        let load = format!("{}{:>5}", mark_sign(marks.first().map(|mark| mark.0)), point.depth.0);
        let figure = |value: String| style.language.punctuate(&value);
        vec![load, figure(Iops(point.iops).to_string()), bar, figure(statistic), note, mark]
    };
    let head = ["", "IOPS", "", &bound.statistic.to_string(), "", ""];
    let table = FigureTable::new(head, points.iter().map(row)).dispensable(&[2, 5]);
    let (head, rows) = table.lines(style.width);
    let lines = head.iter().chain(rows.iter().flatten());
    lines.for_each(|line| out.extend([line.as_str(), "\n"]));
    let words = bounded_words(record, curve).render(style.language);
    write_wrapped(out, style, "  ", &format!("{words}{}", style.language.full_stop()));
}

/// The width of the words of a status: `warning`.
const STATUS_WIDTH: usize = 8;

fn write_findings(out: &mut String, record: &Record, style: Style) {
    write_heading(out, style, &style.say("page-trust"));
    let findings = &record.judgement_or_default().findings;
    let mut told: Vec<&Finding> = findings.iter().filter(|f| f.status >= Status::Note).collect();
    told.sort_by_key(|finding| std::cmp::Reverse(finding.status));
    let width = told.iter().map(|finding| text_width(&status_word(finding.status, style.language)));
    let width = width.max().unwrap_or(0).max(STATUS_WIDTH);
    let indent = " ".repeat(width + 3);
    for finding in told {
        let word = pad_right(&status_word(finding.status, style.language), width);
        let lead = format!("  {} ", style.status(finding.status, &word));
        let words = format!("{}: {}", finding.id, (&finding.summary).render(style.language));
        write_hanging(out, style, &lead, &indent, &words);
        for fact in finding.evidence.iter().take(3) {
            write_wrapped(out, style, &indent, &fact_words(fact, style));
        }
        if finding.evidence.len() > 3 {
            let more = AndMore { count: finding.evidence.len() - 3 };
            write_wrapped(out, style, &indent, &more.render(style.language));
        }
        if let Some(remedy) = &finding.remedy {
            write_wrapped(out, style, &indent, &format!("-> {}", remedy.render(style.language)));
        }
    }
    let worst = findings.iter().max_by_key(|finding| finding.status);
    if let Some(worst) = worst.filter(|finding| finding.status >= Status::Warning) {
        let words = ExplainFinding { finding: worst.id.name() }.render(style.language);
        write_wrapped(out, style, &indent, &words);
    }
    let ok = findings.iter().filter(|f| f.status == Status::Ok);
    let ok: Vec<&str> = ok.map(|f| f.id.name()).collect();
    if !ok.is_empty() {
        let word = pad_right(&style.say("chip-ok"), width);
        let lead = format!("  {} ", style.status(Status::Ok, &word));
        write_hanging(out, style, &lead, &indent, &ok.join(", "));
    }
}

fn fact_words(fact: &Evidence, style: Style) -> String {
    let (what, value) = (&fact.what, &fact.value);
    format!("{}: {}", what.render(style.language), value.render(style.language))
}

fn write_meaning(out: &mut String, record: &Record, verdict: &Verdict, style: Style) {
    out.push('\n');
    if verdict.class.is_some() || !verdict.meaning.is_empty() {
        let _ = writeln!(out, "{}", style.bold(&style.say("page-meaning")));
    }
    let tell = |message: &Message| message.render(style.language);
    if let Some(class) = &verdict.class {
        let about = class_sentences(class);
        about.iter().for_each(|sentence| write_bullet(out, style, &tell(sentence)));
    }
    verdict.meaning.iter().for_each(|sentence| write_bullet(out, style, &tell(sentence)));
    for (title, list) in [
        ("page-good-for", &verdict.good_for),
        ("page-too-slow-for", &verdict.too_slow_for),
        ("page-limited-by", &verdict.limited_by),
        ("text-not-seen", &verdict.not_seen),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "{}", style.bold(&style.say(title)));
            list.iter().for_each(|item| write_bullet(out, style, &tell(item)));
        }
    }
    let root = &record.measured.environment.root_would_add;
    if !root.is_empty() {
        let parts: Vec<Message> = root.iter().map(Message::from).collect();
        write_bullet(out, style, &RootWouldAdd { parts }.render(style.language));
    }
}

/// Which class the disk behaves like, what speaks for it, and what against it.
fn class_sentences(class: &ClassVerdict) -> Vec<Message> {
    let (label, supports) = (class.label.clone(), Names(class.supports.clone()));
    let mut sentences: Vec<Message> = vec![match supports.0.is_empty() {
        true => BehavesLike { class: label }.into(),
        false => ClassLikeFor { class: label, supports }.into(),
    }];
    if !class.contradicts.is_empty() {
        sentences.push(ClassAgainst { contradicts: Names(class.contradicts.clone()) }.into());
    }
    let next = class.runner_up.clone();
    sentences.extend(next.map(|other| Message::from(ClassCouldBe { other })));
    sentences.extend(class_context(class));
    sentences
}

fn write_bullet(out: &mut String, style: Style, text: &str) {
    write_hanging(out, style, "  - ", "    ", text);
}

messages! {
    CommandOf = "text-command-of" { command: String, path: Message };
    StreamChanged = "text-stream-changed" {
        curve: Message, before: Iops, until: Nanos, after: Iops,
    };
    ExplainFinding = "text-explain" { finding: &'static str };
    RootWouldAdd = "text-root-would-add" { parts: Vec<Message> };
    ClassLikeFor = "class-like-for" { class: Message, supports: Names };
    ClassAgainst = "class-against" { contradicts: Names };
    ClassCouldBe = "class-could-be" { other: Message };
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Bytes;

    fn judged(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::ssd_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        render_terminal(&record, Style::PLAIN)
    }

    pub(super) fn check_width(text: &str) {
        for line in text.lines() {
            assert!(
                line.chars().count() <= crate::text::WIDTH,
                "{} columns: {line}",
                line.chars().count()
            );
        }
    }

    #[test]
    fn a_stream_that_changed_has_both_rates_and_no_ladder() {
        let mut record = record::fixture::ssd_record();
        let judgement = record.judgement.insert(analysis::judge(&record.measured));
        let stream = judgement.curves.iter_mut().find(|curve| curve.limits.is_empty()).unwrap();
        let mut slower = stream.points[0].clone();
        slower.iops = 1_543.0;
        stream.left_out = std::mem::replace(&mut stream.points, vec![slower]);
        stream.earlier = Some(record::EarlierRate {
            iops: Iops(2_867.0),
            until: units::Nanos::secs(13),
            gradual: false,
        });
        let label = stream.label.text().to_owned();
        let text = render_terminal(&record, Style::PLAIN);
        let words = format!("{label}: 2,867 operations/s until 13.0 s from the start of the run");
        assert!(text.contains(&words), "{text}");
        assert!(!text.contains(&format!("{label} by depth")) && !text.contains("nothing was"));
    }

    #[test]
    fn a_plain_run_fits_and_says_the_main_things() {
        let text = judged(|_| {});
        check_width(&text);
        for words in [
            "check of /srv/data",
            "random read 4k, depth 1 ",
            "random read 4k, depth 64 *",
            "75/25 mix 4k, depth 1, reads",
            "its writes",
            "sequential write 1m",
            "the fdatasync",
            "Good for",
            "page-cache",
        ] {
            assert!(text.contains(words), "'{words}' is missing in:\n{text}");
        }
        assert!(!text.contains('\u{1b}'), "no colour was asked for");
        assert!(!text.contains("INVALID"));
        assert!(!text.contains("truedisk explain"), "nothing to explain");
    }

    #[test]
    fn an_invalid_cell_is_marked_next_to_its_number() {
        let text = judged(|record| {
            let of_depth_1 = |c: &&mut record::Cell| {
                c.job.depth.0 == 1 && c.job.access == workload::Access::Random
            };
            let cells = record.measured.cells.iter_mut().filter(of_depth_1);
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = Bytes(0));
        });
        check_width(&text);
        let lines: Vec<&str> = text.lines().collect();
        let row = lines.iter().position(|l| l.starts_with("X random read 4k, depth 1")).unwrap();
        assert!(lines[row + 1].contains("^ INVALID: page-cache"), "{text}");
        assert_eq!(text.matches("truedisk explain page-cache").count(), 1, "{text}");
        let is_rung = |l: &&&str| l.trim_start_matches(['X', ' ']).starts_with("1 ");
        let rung = lines.iter().find(is_rung).unwrap();
        assert!(rung.starts_with('X'), "{rung}");
        assert!(rung.contains("INVALID: page-cache"), "{rung}");
        let all = judged(|record| {
            let cells = record.measured.cells.iter_mut();
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = Bytes(0));
        });
        assert!(all.contains("INVALID: not a limit of the disk"), "{all}");
    }

    #[test]
    fn memory_is_said_at_the_top() {
        let text = judged(|record| {
            record.measured.targets[0].file_system.as_mut().unwrap().memory = true;
        });
        let top: Vec<&str> = text.lines().take(5).collect();
        assert!(top.join(" ").contains("this is memory, not a disk"), "{top:?}");
    }

    #[test]
    fn partial_runs_and_long_paths_keep_their_shape() {
        let text = judged(|record| {
            record.measured.cells.truncate(2);
            record.measured.targets[0].path = format!("/{}", "x".repeat(200));
            let reason = message::Message::from_text("interrupted");
            record.measured.completion = Completion::Partial { reason, failed: false };
        });
        assert_eq!(text.matches("PARTIAL: interrupted").count(), 2);
        let empty = judged(|record| record.measured.cells.clear());
        check_width(&empty);
    }
}
