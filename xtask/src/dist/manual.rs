//! The man pages of files: the record by its schema, presets by the page of the documentation.

use std::fmt::Write as _;

use serde_json::Value;

fn escape_roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

/// The text of Markdown without its marks: of a link its words.
fn strip_marks(markdown: &str) -> String {
    let mut rest = markdown;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("](") {
        let link = before.rsplit_once('[').zip(after.split_once(')'));
        let Some(((before, words), (_, after))) = link else { break };
        text.extend([before, words]);
        rest = after;
    }
    text.push_str(rest);
    text.replace("[`", "").replace("`]", "").replace('`', "")
}

fn page_head(name: &str, title: &str) -> String {
    let (upper, name) = (escape_roff(&name.to_ascii_uppercase()), escape_roff(name));
    let version = env!("CARGO_PKG_VERSION");
    format!(".TH {upper} 5 \"\" \"truedisk {version}\"\n.SH NAME\n{name} \\- {title}\n")
}

/// The parts of a record, with what its schema says of them.
pub(super) fn render_record_page(schema: &Value) -> String {
    let mut out = page_head("truedisk-record", "the file of a run of truedisk");
    out.push_str(".SH DESCRIPTION\nOne JSON document. `truedisk schema` prints its whole schema; ");
    out.push_str("`truedisk share` removes the names of the host from it.\n");
    write_properties(&mut out, "Record", &schema["properties"]);
    for (part, definition) in schema["$defs"].as_object().into_iter().flatten() {
        write_properties(&mut out, part, &definition["properties"]);
    }
    out.push_str(".SH SEE ALSO\n.BR truedisk\\-schema (1),\n.BR truedisk\\-share (1)\n");
    out
}

fn write_properties(out: &mut String, title: &str, properties: &Value) {
    let mut properties = properties.as_object().into_iter().flatten().peekable();
    if properties.peek().is_some() {
        let _ = writeln!(out, ".SH {}", title.to_ascii_uppercase());
    }
    for (name, property) in properties {
        let words = strip_marks(property["description"].as_str().unwrap_or_default());
        let words: Vec<_> =
            words.lines().filter(|line| !line.is_empty()).map(escape_roff).collect();
        let words = match words.is_empty() {
            true => escape_roff(&name.replace('_', " ")),
            false => words.join("\n"),
        };
        let _ = writeln!(out, ".TP\n.B {}\n{words}", escape_roff(name));
    }
}

/// The page about presets: its headings, paragraphs, tables and samples.
pub(super) fn render_preset_page(markdown: &str) -> String {
    let mut out = page_head("truedisk-preset", "a test as a file: steps and thresholds");
    out.push_str(".SH DESCRIPTION\n");
    let (mut is_sample, mut is_new) = (false, false);
    for line in markdown.lines().skip(1) {
        if line.starts_with("```") {
            is_sample = !is_sample;
            if is_sample {
                begin_paragraph(&mut out);
            }
            out.push_str(if is_sample { ".nf\n" } else { ".fi\n" });
        } else if is_sample {
            // An empty line would be a warning.
            let _ = writeln!(out, "\\&{}", escape_roff(line));
        } else if let Some(title) = line.strip_prefix("## ") {
            let _ = writeln!(out, ".SH {}", escape_roff(&title.to_uppercase()));
        } else if let Some(row) = line.strip_prefix("| ") {
            write_table_row(&mut out, row);
        } else if !line.is_empty() && !line.starts_with("|-") {
            if is_new || line.starts_with("- ") {
                begin_paragraph(&mut out);
            }
            let _ = writeln!(out, "{}", escape_roff(&strip_marks(line)));
        }
        is_new = line.is_empty();
    }
    out
}

/// A heading begins one itself.
fn begin_paragraph(out: &mut String) {
    if out.lines().last().is_some_and(|line| !line.starts_with(".SH ")) {
        out.push_str(".PP\n");
    }
}

fn write_table_row(out: &mut String, row: &str) {
    let row = strip_marks(row.trim_end_matches([' ', '|']));
    let (first, rest) = row.split_once(" | ").unwrap_or((&row, "\\-"));
    let rest = escape_roff(&rest.replace(" | ", "; "));
    let _ = writeln!(out, ".TP\n.B {}\n{rest}", escape_roff(first));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_documentation_becomes_a_page_of_the_manual() {
        let page = render_preset_page(
            "# Title\n\nFirst [one](a.md) [two](b.md#c), see [`X`].\nSecond `x` [1].\n\n\
             ```toml\na = 1\n\n-b\n```\n\n## Steps\n\n\
             | name | what |\n|---|---|\n| `dd` | one: [page](p.md) | two |\n\nEnd.\n",
        );
        let body = page.split_once(".SH DESCRIPTION\n").unwrap().1;
        let expected = "First one two, see X.\nSecond x [1].\n.PP\n.nf\n\\&a = 1\n\\&\n\\&\\-b\n\
                        .fi\n.SH STEPS\n\
                        .TP\n.B name\nwhat\n.TP\n.B dd\none: page; two\n.PP\nEnd.\n";
        assert_eq!(body, expected);
    }

    #[test]
    fn the_pages_have_every_part_and_mandoc_takes_them() {
        let record = render_record_page(&serde_json::from_str(record::store::JSON_SCHEMA).unwrap());
        assert!(!record.contains("[`"), "{record:.3000}");
        for words in [".SH CELL\n", ".B schema_version\n", ".SH FINDING\n"] {
            assert!(record.contains(words), "{words}: {record:.3000}");
        }
        let presets = include_str!("../../../docs/presets.md");
        let presets = render_preset_page(presets);
        assert!(presets.contains(".SH THRESHOLDS\n"), "{presets:.3000}");
        assert!(!presets.contains("]("), "a link");
        if !crate::process::is_installed("mandoc") {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        for text in [record, presets] {
            let path = folder.path().join("page.5");
            std::fs::write(&path, text).unwrap();
            let mut mandoc = std::process::Command::new("mandoc");
            let output = mandoc.args(["-Tlint", "-Werror"]).arg(&path).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.is_empty(), "{said}");
        }
    }
}
