//! A page of tables and paragraphs that belongs to no record: what a model says.

use std::fmt::Write as _;

use crate::text::{Style, TextTable, wrap_text, write_heading, write_wrapped};

/// Tables and paragraphs under a title, for a terminal.
#[derive(Debug, Clone)]
pub struct Sheet {
    title: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
enum Part {
    Line(String),
    Table { title: String, head: Vec<String>, rows: Vec<Vec<String>>, left: usize },
    Sources(Vec<String>),
}

impl Sheet {
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), parts: Vec::new() }
    }

    pub fn add_paragraph(&mut self, text: &str) {
        self.parts.push(Part::Line(text.to_owned()));
    }

    /// Adds a table, whose first `left` columns are words and stand to the left.
    pub fn add_table(
        &mut self,
        title: &str,
        head: &[impl AsRef<str>],
        rows: Vec<Vec<String>>,
        left: usize,
    ) {
        let head = head.iter().map(|word| word.as_ref().to_owned()).collect();
        self.parts.push(Part::Table { title: title.to_owned(), head, rows, left });
    }

    /// Adds where the figures come from.
    pub fn add_sources(&mut self, sources: &[String]) {
        if !sources.is_empty() {
            self.parts.push(Part::Sources(sources.to_vec()));
        }
    }

    pub fn render(&self, style: Style) -> String {
        let mut out = String::new();
        write_title(&mut out, &self.title, style);
        for part in &self.parts {
            match part {
                Part::Line(text) => write_wrapped(&mut out, style, "", text),
                Part::Table { title, head, rows, left } => {
                    out.push('\n');
                    write_title(&mut out, title, style);
                    // An indent of one.
                    let width = style.width.saturating_sub(1);
                    let table = TextTable::fitting(head.clone(), rows.clone(), width);
                    table.indented().right(|column| column >= *left).write(&mut out);
                }
                Part::Sources(sources) => {
                    write_heading(&mut out, style, &style.say("sheet-sources"));
                    sources.iter().for_each(|source| write_wrapped(&mut out, style, "  ", source));
                }
            }
        }
        out
    }
}

/// Nothing for a table without a title.
fn write_title(out: &mut String, title: &str, style: Style) {
    for line in wrap_text(title, style.width).iter().filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "{}", style.bold(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_has_its_parts_in_order() {
        let mut sheet = Sheet::new("Title");
        sheet.add_paragraph(&"word ".repeat(60));
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        sheet.add_table("Table", &["name", "IOPS"], vec![row("a", "1"), row("long", "1,000")], 1);
        sheet.add_sources(&["https://example.net (2026)".to_owned()]);
        let text = sheet.render(Style::PLAIN);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        let places: Vec<usize> = ["Title", "word", "Table", "IOPS", "1,000", "Sources"]
            .iter()
            .map(|word| text.find(word).unwrap())
            .collect();
        assert!(places.is_sorted(), "{text}");
        let end = |word: &str| {
            let line = text.lines().find(|line| line.trim_end().ends_with(word)).unwrap();
            line.len()
        };
        assert_eq!(end("IOPS"), end("1,000"), "numbers stand to the right: {text}");
    }
}
