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

use message::{Message, Render as _};
use record::{Completion, Curve, CurvePoint, Evidence, Finding, Record, Status, Trust, Verdict};
use units::Iops;

use crate::text::{
    FigureTable, MarkedRow, Style, wrap_text, write_hanging, write_heading, write_marked_table,
    write_wrapped,
};
use crate::words::{
    bounded_words, build_rows, cell_marks, class_context, is_incomplete, measured_time, or_dash,
    target_words,
};

pub use explain::{explanation_json, render_explanation, render_explanations};

pub use sheet::Sheet;
pub(crate) use summary::MESSAGES;
pub use summary::render_summary;

const BAR_WIDTH: usize = 30;

/// The whole report as text.
pub fn render_terminal(record: &Record, style: Style) -> String {
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
        let lines = surface::draw_surface(found);
        if !lines.is_empty() {
            write_heading(&mut out, style, "The surface, place by place");
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
    if let Completion::Partial { reason, .. } = &record.measured.completion {
        let _ = writeln!(out, "\n{}", style.status(Status::Warning, &partial_words(reason)));
    }
    out
}

fn partial_words(reason: &str) -> String {
    format!("PARTIAL: {reason}; what was measured until then is kept")
}

fn write_head(out: &mut String, record: &Record, style: Style) {
    let seconds = measured_time(record).as_secs_f64().round();
    let purpose = record.measured.command_name();
    let path = format!("{}{}", record.measured.target_path(), crate::fleet::hosts_suffix(record));
    let title = format!(
        "{} {}  {purpose} of {path}",
        record.measured.tool.name, record.measured.tool.version
    );
    let _ = writeln!(out, "{}", style.bold(&title));
    for note in record.measured.imported.iter().flat_map(|imported| &imported.notes) {
        write_wrapped(out, style, "", &format!("Note: {note}."));
    }
    if let Some(target) = record.measured.target() {
        let file = match (&record.measured.layout, target.direct) {
            (Some(layout), true) => format!("test file of {}, O_DIRECT", layout.written),
            (Some(layout), false) => format!("test file of {}, no O_DIRECT", layout.written),
            (None, _) if record.measured.metadata.is_some() => "small files of its own".to_owned(),
            (None, _) => format!("{} read, nothing written", record.measured.plan.span),
        };
        write_wrapped(out, style, "", &format!("{}; {file}; {seconds} s", target_words(target)));
    }
    if let Completion::Partial { reason, .. } = &record.measured.completion {
        let _ = writeln!(out, "{}", style.status(Status::Warning, &partial_words(reason)));
    }
    if let Some(shortened) = record.measured.layout.as_ref().and_then(|l| l.shortened.as_ref()) {
        write_wrapped(
            out,
            style,
            "",
            &format!("The test file is smaller than planned: {shortened}."),
        );
    }
    if let Some(verdict) = &record.judgement_or_default().verdict {
        let (status, words) = match verdict.trust {
            Trust::Sound => (Status::Ok, "Every check that could look found the numbers sound."),
            Trust::Caution if !analysis::has_figures(&record.measured) => {
                (Status::Warning, "Nothing was measured to its end: no number can be trusted.")
            }
            Trust::Caution if is_incomplete(record) => {
                (Status::Warning, "Totals marked degraded lack a host: read the warnings.")
            }
            Trust::Caution => {
                (Status::Warning, "Numbers without a warning stand; read the warnings.")
            }
            Trust::Broken => {
                (Status::Invalid, "Numbers marked INVALID are not the disk's: do not use them.")
            }
        };
        out.push('\n');
        for line in wrap_text(&(&verdict.headline).render(style.language), style.prose_width()) {
            let _ = writeln!(out, "{}", style.status(status, &line));
        }
        let _ = writeln!(out, "{words}");
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
    let head = ["", "IOPS", "95 %", "MB/s", "mean", "p50", "p99", "p99.9"];
    write_marked_table(out, head, &lines.collect::<Vec<_>>(), style);
    if let Some(bound) = record.measured.plan.bounds.first() {
        let words = format!(
            "* the most IOPS within {bound}. Latency from submission until reaped; 95 %: interval \
             of the IOPS within this run; -: too few samples to say.",
        );
        write_wrapped(out, style, "", &words);
    }
}

/// A stream has one load and no limit: what it was before its figure.
fn write_stream_change(out: &mut String, curve: &Curve, newest: &CurvePoint, style: Style) {
    let Some(earlier) = curve.earlier else { return };
    let words = format!(
        "{}: {} operations/s until {} from the start of the run, then {}: its rate changed, and \
         the table has the newest.",
        curve.label,
        earlier.iops,
        earlier.until,
        Iops(newest.iops)
    );
    let _ = writeln!(out);
    write_wrapped(out, style, "", &words);
}

fn write_depth_ladder(out: &mut String, record: &Record, curve: &Curve, style: Style) {
    let Some(bound) = curve.main_bound() else { return };
    write_heading(out, style, &format!("{} by depth", curve.label));
    let points = curve.all_points();
    let most = points.iter().map(|p| p.iops).fold(1.0, f64::max);
    let chosen = curve.main_limit().map(|limit| limit.cell.as_str());
    let row = |point: &&CurvePoint| {
        let filled = (point.iops / most * BAR_WIDTH as f64).round() as usize;
        let bar = format!("{:<BAR_WIDTH$}", "█".repeat(filled));
        let statistic = or_dash(point.main_stand().statistic);
        let note = match (chosen == Some(point.newest_cell()), point.main_stand().within) {
            (true, _) => "<- *".to_owned(),
            (false, Some(false)) => format!("breaks {bound}"),
            (false, None) => "too few samples".to_owned(),
            (false, Some(true)) => String::new(),
        };
        let marks = cell_marks(record, point.newest_cell());
        let mark = marks.first().map(|mark| (&mark.1).render(style.language)).unwrap_or_default();
        let load = format!("{:>6}", point.depth.0);
        vec![load, Iops(point.iops).to_string(), bar, statistic, note, mark]
    };
    let head = ["", "IOPS", "", &bound.statistic.to_string(), "", ""];
    let table = FigureTable::new(head, points.iter().map(row)).dispensable(&[2]);
    let (head, rows) = table.lines(style.width);
    let lines = head.iter().chain(rows.iter().flatten());
    lines.for_each(|line| out.extend([line.as_str(), "\n"]));
    write_wrapped(
        out,
        style,
        "  ",
        &format!("{}.", bounded_words(record, curve).render(style.language)),
    );
}

fn write_findings(out: &mut String, record: &Record, style: Style) {
    const INDENT: &str = "           ";
    write_heading(out, style, "Can the numbers be trusted?");
    let findings = &record.judgement_or_default().findings;
    let mut told: Vec<&Finding> = findings.iter().filter(|f| f.status >= Status::Note).collect();
    told.sort_by_key(|finding| std::cmp::Reverse(finding.status));
    for finding in told {
        let word = format!("{:<8}", finding.status.name());
        let lead = format!("  {} ", style.status(finding.status, &word));
        write_hanging(
            out,
            style,
            &lead,
            INDENT,
            &format!("{}: {}", finding.id, (&finding.summary).render(style.language)),
        );
        for fact in finding.evidence.iter().take(3) {
            write_wrapped(out, style, INDENT, &fact_words(fact, style));
        }
        if finding.evidence.len() > 3 {
            write_wrapped(out, style, INDENT, &format!("and {} more", finding.evidence.len() - 3));
        }
        if let Some(remedy) = &finding.remedy {
            write_wrapped(out, style, INDENT, &format!("-> {}", remedy.render(style.language)));
        }
    }
    let worst = findings.iter().max_by_key(|finding| finding.status);
    if let Some(worst) = worst.filter(|finding| finding.status >= Status::Warning) {
        write_wrapped(
            out,
            style,
            INDENT,
            &format!("More on a finding: truedisk explain {}", worst.id),
        );
    }
    let ok = findings.iter().filter(|f| f.status == Status::Ok);
    let ok: Vec<&str> = ok.map(|f| f.id.name()).collect();
    if !ok.is_empty() {
        let lead = format!("  {} ", style.status(Status::Ok, "ok      "));
        write_hanging(out, style, &lead, INDENT, &ok.join(", "));
    }
}

fn fact_words(fact: &Evidence, style: Style) -> String {
    let (what, value) = (&fact.what, &fact.value);
    format!("{}: {}", what.render(style.language), value.render(style.language))
}

fn write_meaning(out: &mut String, record: &Record, verdict: &Verdict, style: Style) {
    out.push('\n');
    if verdict.class.is_some() || !verdict.meaning.is_empty() {
        let _ = writeln!(out, "{}", style.bold("What it means"));
    }
    if let Some(class) = &verdict.class {
        let mut text = format!("It behaves like {}", class.label);
        if !class.supports.is_empty() {
            let _ = write!(text, ": {}", class.supports.join(", "));
        }
        if !class.contradicts.is_empty() {
            let _ = write!(text, "; against it: {}", class.contradicts.join(", "));
        }
        if let Some(next) = &class.runner_up {
            let _ = write!(text, ". It could also be {next}");
        }
        write_bullet(out, style, &format!("{text}."));
        class_context(class).iter().for_each(|sentence| write_bullet(out, style, sentence));
    }
    let say = |message: &Message| message.render(style.language);
    verdict.meaning.iter().for_each(|sentence| write_bullet(out, style, &say(sentence)));
    for (title, list) in [
        ("Good for", &verdict.good_for),
        ("Limited by", &verdict.limited_by),
        ("Not seen in this run", &verdict.not_seen),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "{}", style.bold(title));
            list.iter().for_each(|item| write_bullet(out, style, &say(item)));
        }
    }
    let root = &record.measured.environment.root_would_add;
    if !root.is_empty() {
        write_bullet(out, style, &format!("root would add: {}", root.join("; ")));
    }
}

fn write_bullet(out: &mut String, style: Style, text: &str) {
    write_hanging(out, style, "  - ", "    ", text);
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
        let label = stream.label.clone();
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
        let rung = lines.iter().find(|l| l.trim_start().starts_with("1 ")).unwrap();
        assert!(rung.contains("INVALID: page-cache"), "{rung}");
        let all = judged(|record| {
            let cells = record.measured.cells.iter_mut();
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = Bytes(0));
        });
        assert!(all.contains("INVALID: no limit of the disk"), "{all}");
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
