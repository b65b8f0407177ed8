//! One screen: the answer of a run, what it rests on, and what to do.
//!
//! The full text is [`super::render_terminal`]. A screen has at most [`LINES_MAX`] lines (a narrow
//! one [`LINES_MAX_NARROW`]), and fewer warnings where the rest needs the room.

mod body;
mod key_table;
#[cfg(test)]
pub(crate) mod tests;
mod words;

use message::{Language, Message, Render as _, label};
use record::{Completion, Finding, Kept, Purpose, Record, Status, Trust};

use crate::limit::own_limits;
use crate::promise::{build_promise_rows, promise_title};
use crate::text::{Style, hanging_lines, kept_lines, text_width, wrap_text};
use crate::words::{measured_time, target_words, title_words};
use words::*;

pub(crate) use words::Partial;
pub(super) use words::{Shortened, Target};

/// The three lines that name the page, the record and the way to see more are the caller's.
const LINES_MAX: usize = 29;
/// Where lines are broken that a terminal of 80 columns holds whole.
const LINES_MAX_NARROW: usize = 40;
const WARNINGS_MAX: usize = 5;
const PROMISES_MAX: usize = 6;
/// Rows of a table: fewer where the rest needs the room.
const ROWS_MAX: usize = 10;
const ROWS_MIN: usize = 4;
/// Lines that a body keeps whatever the rest needs.
const BODY_MIN: usize = 4;

/// A run on one screen.
pub fn render_summary(record: &Record, style: Style) -> String {
    if let Some(watch) = &record.measured.watch {
        return crate::watch::summarise_watch(record, watch, style);
    }
    let bodies = (ROWS_MIN..=ROWS_MAX).rev().map(|rows| body::build_body(record, rows, style));
    let compact = [false, true];
    let mut last = None;
    for (body, compact) in bodies.flat_map(|body| compact.map(|compact| (body.clone(), compact))) {
        let screen = Screen::new(record, body, compact, style);
        if screen.lines(1).len() <= lines_max(style) {
            return screen.render();
        }
        last = Some(screen);
    }
    // Whatever the rest needs, a body keeps a few lines.
    last.map(|screen| screen.cut().render()).unwrap_or_default()
}

const fn lines_max(style: Style) -> usize {
    if style.width < 80 { LINES_MAX_NARROW } else { LINES_MAX }
}

struct Screen<'a> {
    record: &'a Record,
    style: Style,
    top: Vec<Vec<String>>,
    body: Vec<String>,
    tail: Vec<String>,
    /// Without empty lines between the parts at the top, and between those at the end.
    compact: bool,
}

impl<'a> Screen<'a> {
    fn new(record: &'a Record, body: Vec<String>, compact: bool, style: Style) -> Self {
        let top = vec![head(record, style), promise(record, style), verdict(record, style)];
        Self { record, style, top, body, tail: tail(record, style), compact }
    }

    fn lines(&self, warnings_max: usize) -> Vec<String> {
        let warnings = warnings(self.record, self.style, warnings_max);
        let end = vec![warnings, self.tail.clone()];
        let join = |parts: &[Vec<String>]| -> Vec<Vec<String>> {
            if self.compact { vec![parts.concat()] } else { parts.to_vec() }
        };
        let groups = [join(&self.top), vec![self.body.clone()], join(&end)].concat();
        let mut lines: Vec<String> = Vec::new();
        for group in groups.into_iter().filter(|group| !group.is_empty()) {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(group);
        }
        lines
    }

    fn cut(self) -> Self {
        let over = self.lines(1).len().saturating_sub(lines_max(self.style));
        let room = self.body.len().saturating_sub(over).max(BODY_MIN);
        Self { body: cut_lines(self.body, room, self.style), ..self }
    }

    /// With as many warnings as there is room for.
    fn render(&self) -> String {
        let fits = |count: &usize| self.lines(*count).len() <= lines_max(self.style);
        let count = (1..=WARNINGS_MAX).rev().find(fits).unwrap_or(1);
        self.lines(count).join("\n") + "\n"
    }
}

fn cut_lines(mut lines: Vec<String>, max: usize, style: Style) -> Vec<String> {
    if lines.len() > max {
        let count = lines.len() - (max - 1);
        lines.truncate(max - 1);
        lines.push(MoreLines { count }.render(style.language));
    }
    lines
}

fn wrap(style: Style, text: &str) -> Vec<String> {
    wrap_text(text, style.prose_width())
}

fn head(record: &Record, style: Style) -> Vec<String> {
    let measured = &record.measured;
    let title = wrap(style, &title_words(record, command_name(record)).render(style.language));
    let mut lines: Vec<String> = title.iter().map(|line| style.bold(line)).collect();
    if let Some(imported) = &measured.imported {
        // What another program printed, and what it did not say.
        lines.push(format!("{} {}", measured.tool.name, measured.tool.version));
        let notes = imported.notes.iter().map(|note| note.render(style.language));
        lines.extend(notes.flat_map(|note| wrap(style, &note)));
        return lines;
    }
    let seconds = measured_time(record).as_secs_f64().round() as u64;
    let target: Message = match measured.target() {
        Some(target) => {
            Target { target: target_words(target), file: describe_file(record), seconds }.into()
        }
        None => TargetUnknown { file: describe_file(record), seconds }.into(),
    };
    lines.extend(wrap(style, &target.render(style.language)));
    let shortened = measured.layout.as_ref().and_then(|layout| layout.shortened.as_ref());
    if let Some(why) = shortened {
        lines.extend(wrap(style, &Shortened { why: why.into() }.render(style.language)));
    }
    lines
}

/// `check`, `preset dd`.
fn command_name(record: &Record) -> String {
    let name = record.measured.command_name();
    match &record.measured.plan.purpose {
        Purpose::Preset(plan) => format!("{name} {}", plan.name),
        _ => name.to_owned(),
    }
}

/// The test file, or what was read.
pub(super) fn describe_file(record: &Record) -> Message {
    let measured = &record.measured;
    let direct = measured.target().is_some_and(|target| target.direct);
    match &measured.layout {
        Some(layout) if direct => FileDirect { size: layout.written }.into(),
        Some(layout) => FileCached { size: layout.written }.into(),
        None if measured.metadata.is_some() => label("summary-file-small"),
        None => FileRead { span: measured.plan.span }.into(),
    }
}

/// What was promised, and whether it is kept: the answer, where it was asked for.
fn promise(record: &Record, style: Style) -> Vec<String> {
    let Some(promise) = &record.measured.promise else { return Vec::new() };
    let title = Promised { promise: promise_title(promise) }.render(style.language);
    let mut lines = wrap(style, &title);
    let mut rows = build_promise_rows(record, style.language);
    rows.sort_by_key(|row| match row.kept {
        Kept::NotKept => 0,
        Kept::CannotTell => 1,
        Kept::Kept => 2,
    });
    let widest = rows.iter().map(|row| text_width(&row.kept_words)).max().unwrap_or(0);
    for row in rows.iter().take(PROMISES_MAX) {
        let text = PromiseLine {
            label: Message::from_text(row.label.clone()),
            promised: row.promised.clone(),
            measured: row.measured.clone(),
        };
        let kept = ("", row.kept, row.kept_words.as_str());
        lines.extend(kept_lines(style, kept, widest, &text.render(style.language)));
    }
    if rows.len() > PROMISES_MAX {
        let count = rows.len() - PROMISES_MAX;
        lines.push(MoreRows { count }.render(style.language));
    }
    lines
}

/// The badge with its reasons, and the headline: `[caution: stall] 9,000 random reads/s ...`.
pub(crate) fn badge_and_headline(record: &Record, language: Language) -> Option<(Status, String)> {
    let verdict = record.judgement_or_default().verdict.as_ref()?;
    let (status, badge) = badge(record, verdict.trust);
    let headline = (&verdict.headline).render(language);
    Some((status, format!("[{}] {headline}", badge.render(language))))
}

/// The badge with its reasons, and the answer.
fn verdict(record: &Record, style: Style) -> Vec<String> {
    let judgement = record.judgement_or_default();
    let mut lines = Vec::new();
    if let Completion::Partial { reason, .. } = &record.measured.completion {
        let text = Partial { reason: reason.clone() }.render(style.language);
        lines.extend(wrap(style, &text).iter().map(|line| style.status(Status::Warning, line)));
    }
    let Some((status, text)) = badge_and_headline(record, style.language) else {
        if record.measured.imported.is_none() {
            lines.push(style.say("summary-no-verdict"));
        }
        return lines;
    };
    lines.extend(wrap(style, &text).iter().map(|line| style.status(status, line)));
    let degraded = judgement.degraded.iter().map(|why| why.render(style.language));
    for why in degraded.filter(|why| !text.contains(why)) {
        lines.extend(wrap(style, &why).iter().map(|line| style.status(Status::Warning, line)));
    }
    lines
}

fn headline(record: &Record, style: Style) -> String {
    let verdict = &record.judgement_or_default().verdict;
    verdict.as_ref().map(|of| (&of.headline).render(style.language)).unwrap_or_default()
}

/// Trust in a word, with the ids of the findings that decide it.
fn badge(record: &Record, trust: Trust) -> (Status, Message) {
    let ids = |status: Status| -> message::Names {
        let findings = &record.judgement_or_default().findings;
        findings.iter().filter(|f| f.status == status).map(|f| f.id.name()).collect()
    };
    match trust {
        Trust::Sound => (Status::Ok, label("summary-trusted")),
        Trust::Caution => match ids(Status::Warning) {
            reasons if reasons.0.is_empty() => (Status::Warning, label("summary-caution-alone")),
            reasons => (Status::Warning, Caution { reasons }.into()),
        },
        Trust::Broken => (Status::Invalid, Broken { reasons: ids(Status::Invalid) }.into()),
    }
}

/// Findings that a reader acts on, worst first: what is true, and what to do.
fn warnings(record: &Record, style: Style, max: usize) -> Vec<String> {
    let findings = &record.judgement_or_default().findings;
    let mut severe: Vec<&Finding> =
        findings.iter().filter(|finding| finding.status >= Status::Warning).collect();
    severe.sort_by_key(|finding| std::cmp::Reverse(finding.status));
    let headline = headline(record, style);
    let mut lines = Vec::new();
    for finding in severe.iter().take(max) {
        let sign = crate::text::mark_sign(Some(finding.status));
        let summary = (&finding.summary).render(style.language);
        // The headline may say it already.
        let text = match headline.contains(&summary) {
            true => finding.id.to_string(),
            false => format!("{}: {summary}", finding.id),
        };
        let mut own = hanging_lines(style, &format!("{sign} "), &text);
        own.iter_mut().for_each(|line| *line = style.status(finding.status, line));
        lines.extend(own);
        if let Some(remedy) = &finding.remedy {
            lines.extend(hanging_lines(style, "  -> ", &remedy.render(style.language)));
        }
    }
    if severe.len() > max {
        let count = severe.len() - max;
        lines.push(MoreWarnings { count }.render(style.language));
    }
    lines
}

/// What it is good for, what limits it, and how many checks looked.
fn tail(record: &Record, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(verdict) = &record.judgement_or_default().verdict {
        if let Some(class) = &verdict.class {
            let label = class.label.clone();
            let text: Message = match &class.runner_up {
                Some(other) => ClassOr { class: label, other: other.clone() }.into(),
                None => Class { class: label }.into(),
            };
            lines.extend(wrap(style, &text.render(style.language)));
        }
        let names = |uses: &[Message]| -> message::Names {
            uses.iter().map(|text| name_of(&text.render(style.language))).collect()
        };
        if !verdict.good_for.is_empty() {
            let uses = names(&verdict.good_for);
            lines.extend(wrap(style, &GoodFor { uses }.render(style.language)));
        }
        if !verdict.too_slow_for.is_empty() {
            let uses = names(&verdict.too_slow_for);
            lines.extend(wrap(style, &TooSlowFor { uses }.render(style.language)));
        }
        let headline = headline(record, style).to_lowercase();
        let is_said =
            |text: &&Message| headline.contains(&(*text).render(style.language).to_lowercase());
        let limits: Vec<Message> =
            own_limits(verdict).filter(|text| !is_said(text)).cloned().collect();
        if !limits.is_empty() {
            lines.extend(wrap(style, &Limited { limits }.render(style.language)));
        }
    }
    lines.extend(checks(record, style));
    lines
}

/// What stands before the figures: `etcd`, `backups and streaming`.
fn name_of(text: &str) -> String {
    text.split([':', '：']).next().unwrap_or_default().trim().to_owned()
}

fn checks(record: &Record, style: Style) -> Vec<String> {
    let findings = &record.judgement_or_default().findings;
    let count = |status: Status| findings.iter().filter(|f| f.status == status).count();
    let (passed, unable) = (count(Status::Ok), count(Status::NotObservable));
    let notes = count(Status::Note);
    let text: Message = match notes {
        0 => Checks { passed, unable }.into(),
        notes => ChecksNotes { passed, notes, unable }.into(),
    };
    let unjudged = record.judgement_or_default().verdict.is_none();
    match findings.is_empty() || unjudged {
        true => Vec::new(),
        false => wrap(style, &text.render(style.language)),
    }
}
