//! Text for a terminal: style, wrapped lines, tables.

mod table;
mod wrap;

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use message::{Language, Render as _};
use record::{Kept, Status};

use crate::words::{Mark, say};

pub(crate) use table::FigureTable;
pub(crate) use wrap::wrap_text;
pub use wrap::{keep_end, keep_start, pad_left, pad_right, text_width};

/// Columns of a report and of everything else that no terminal gives a width: its widest line.
pub const WIDTH: usize = 100;
/// Narrower than this nothing can be read, and wider nothing is laid out.
const STYLE_WIDTHS: (usize, usize) = (40, 160);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
    pub language: Language,
    /// Columns of the terminal.
    pub width: usize,
}

impl Style {
    /// English without colour.
    pub const PLAIN: Self = Self { colour: false, language: Language::English, width: WIDTH };

    pub fn new(colour: bool, language: Language, columns: usize) -> Self {
        let (min, max) = STYLE_WIDTHS;
        Self { colour, language, width: columns.clamp(min, max) }
    }

    /// The words of a label.
    pub(crate) fn say(self, id: &str) -> String {
        say(id, self.language)
    }

    /// Longer lines of prose are hard to read.
    pub(crate) fn prose_width(self) -> usize {
        self.width.min(WIDTH)
    }

    fn paint(self, ansi: Ansi, text: &str) -> String {
        if self.colour { format!("{ansi}{text}{ansi:#}") } else { text.to_owned() }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint(Ansi::new().bold(), text)
    }

    pub(crate) fn status(self, status: Status, text: &str) -> String {
        let colour = match status {
            Status::Invalid => AnsiColor::Red,
            Status::Warning => AnsiColor::Yellow,
            Status::Ok => AnsiColor::Green,
            Status::Note | Status::NotObservable => AnsiColor::Cyan,
        };
        self.paint(Ansi::new().fg_color(Some(colour.into())).bold(), text)
    }

    /// In the colour of the status that a kept or broken promise has.
    pub(crate) fn promise(self, kept: Kept, text: &str) -> String {
        let status = match kept {
            Kept::Kept => Status::Ok,
            Kept::NotKept => Status::Invalid,
            Kept::CannotTell => Status::Note,
        };
        self.status(status, text)
    }
}

pub(crate) fn mark_sign(worst: Option<Status>) -> char {
    match worst {
        Some(Status::Invalid) => 'X',
        Some(_) => '!',
        None => ' ',
    }
}

/// Writes a heading in bold after an empty line.
pub(crate) fn write_heading(out: &mut String, style: Style, text: &str) {
    out.push('\n');
    write_painted(out, style, text, |line| style.bold(line));
}

/// Writes a text whose lines are painted, each for itself.
pub(crate) fn write_painted(
    out: &mut String,
    style: Style,
    text: &str,
    paint: impl Fn(&str) -> String,
) {
    for line in wrap_text(text, style.prose_width()) {
        let _ = writeln!(out, "{}", paint(&line));
    }
}

/// Breaks a text into lines of at most the style's width, each with the indent.
pub(crate) fn write_wrapped(out: &mut String, style: Style, indent: &str, text: &str) {
    write_wrapped_to(out, indent, text, style.prose_width());
}

/// A text as lines of prose.
pub fn wrap_paragraph(text: &str, style: Style) -> String {
    let mut out = String::new();
    write_wrapped(&mut out, style, "", text);
    out
}

/// The same for a terminal of `width` columns.
pub(crate) fn write_wrapped_to(out: &mut String, indent: &str, text: &str, width: usize) {
    for line in wrap_text(text, width.saturating_sub(indent.len()).max(1)) {
        let _ = writeln!(out, "{indent}{line}");
    }
}

/// Breaks a text into lines: the first after `lead`, the others after `indent`, which is as wide.
pub(crate) fn write_hanging(out: &mut String, style: Style, lead: &str, indent: &str, text: &str) {
    let width = style.prose_width().saturating_sub(indent.len());
    for (place, line) in wrap_text(text, width).iter().enumerate() {
        let _ = writeln!(out, "{}{line}", if place == 0 { lead } else { indent });
    }
}

/// The same as lines, each of a width that colour does not change.
pub(crate) fn hanging_lines(style: Style, lead: &str, text: &str) -> Vec<String> {
    let indent = text_width(lead);
    let lines = wrap_text(text, style.prose_width().saturating_sub(indent));
    let line = |(place, line): (usize, String)| match place {
        0 => format!("{lead}{line}"),
        _ => format!("{:indent$}{line}", ""),
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// Lines that begin with whether something is kept; `widest` of such words makes room for all.
pub(crate) fn kept_lines(
    style: Style,
    (indent, kept, word): (&str, Kept, &str),
    widest: usize,
    text: &str,
) -> Vec<String> {
    let lead = format!("{indent}{}  ", pad_right(word, widest));
    let mut lines = hanging_lines(style, &lead, text);
    lines[0] = lines[0].replacen(word, &style.promise(kept, word), 1);
    lines
}

/// A table without rules: a head, and rows of as many cells.
pub struct TextTable(Table);

impl TextTable {
    pub fn new(
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> TextTable {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(head.into_iter().map(Into::into).collect::<Vec<String>>());
        for row in rows {
            table.add_row(row);
        }
        if let Some(first) = table.column_mut(0) {
            first.set_padding((0, 1));
        }
        TextTable(table)
    }

    /// Aligns these columns to the right.
    pub fn right(mut self, is_right: impl Fn(usize) -> bool) -> TextTable {
        for (place, column) in self.0.column_iter_mut().enumerate() {
            if is_right(place) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        self
    }

    /// The same with cells broken between words, so that the table is at most `width` wide.
    pub fn fitting(
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
        width: usize,
    ) -> TextTable {
        let head = head.into_iter().map(Into::into).collect();
        let mut rows = [head].into_iter().chain(rows).collect();
        table::break_cells(&mut rows, width);
        let head = rows.remove(0);
        Self::new(head, rows)
    }

    pub(crate) fn indented(mut self) -> TextTable {
        if let Some(first) = self.0.column_mut(0) {
            first.set_padding((1, 1));
        }
        self
    }

    /// Its lines, the head first, without blanks at their ends.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lines().map(|line| line.trim_end().to_owned()).collect()
    }

    pub fn write(&self, out: &mut String) {
        for line in self.lines() {
            let _ = writeln!(out, "{line}");
        }
    }
}

/// A table after an empty line, its head in bold.
pub(crate) fn write_figures(out: &mut String, table: &FigureTable, style: Style) {
    out.push('\n');
    write_rows(out, table, style, |_, _| {});
}

/// A table, its head in bold; what is below the row of a place is written by `below`.
pub(crate) fn write_rows(
    out: &mut String,
    table: &FigureTable,
    style: Style,
    below: impl Fn(&mut String, usize),
) {
    let (head, rows) = table.lines(style.width);
    head.iter().for_each(|line| out.extend([style.bold(line).as_str(), "\n"]));
    for (place, lines) in rows.iter().enumerate() {
        lines.iter().for_each(|line| out.extend([line.as_str(), "\n"]));
        below(out, place);
    }
}

/// A row of a table with what is said below it.
pub(crate) struct MarkedRow<'a> {
    pub(crate) label: &'a str,
    pub(crate) cells: Vec<String>,
    pub(crate) marks: &'a [Mark],
    pub(crate) notes: Vec<&'a str>,
}

/// Of a narrow terminal's table: the last column, the mean, bytes, the median.
const DISPENSABLE: &[usize] = &[7, 4, 3, 5, 2];

/// A table of figures, with the marks and the notes of each row below it.
pub(crate) fn write_marked_table(
    out: &mut String,
    head: [&str; 8],
    rows: &[MarkedRow<'_>],
    style: Style,
) {
    let cells = rows.iter().map(|row| {
        let sign = mark_sign(row.marks.first().map(|mark| mark.0));
        let cells = row.cells.iter().map(|cell| style.language.punctuate(cell));
        [format!("{sign} {}", row.label)].into_iter().chain(cells).collect()
    });
    let table = FigureTable::new(head, cells).dispensable(DISPENSABLE);
    out.push('\n');
    write_rows(out, &table, style, |out, place| {
        for (status, words) in rows[place].marks {
            let words = format!("^ {}", words.render(style.language));
            let _ = writeln!(out, "    {}", style.status(*status, &words));
        }
        rows[place].notes.iter().for_each(|note| write_wrapped(out, style, "      ", note));
    });
}
