//! Stdout cut into JSON documents, terse lines, and text.

use super::json::{Node, read};
use super::terse::is_terse;

/// One piece of an output.
#[derive(Debug, Clone)]
pub enum Block {
    /// A document and its text.
    Json(Node, String),
    /// A line of `;`.
    Terse(String),
    /// Lines for people.
    Text(String),
}

impl Block {
    /// Its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Block::Json(..) => "JSON",
            Block::Terse(_) => "terse",
            Block::Text(_) => "text",
        }
    }
}

/// Cuts an output.
///
/// # Errors
/// A document that cannot be read.
pub fn cut(output: &str) -> Result<Vec<Block>, String> {
    let (mut all, mut text, mut rest) = (Vec::new(), String::new(), output);
    while !rest.is_empty() {
        if rest.starts_with("{\n") || rest.starts_with("{}") {
            flush(&mut all, &mut text);
            let (node, taken) = read(rest)?;
            all.push(Block::Json(node, rest.get(..taken).unwrap_or_default().to_string()));
            rest = rest.get(taken..).unwrap_or_default();
            continue;
        }
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let line = rest.get(..end).unwrap_or_default();
        if is_terse(line) {
            flush(&mut all, &mut text);
            all.push(Block::Terse(line.trim_end().to_string()));
        } else {
            text.push_str(line);
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    flush(&mut all, &mut text);
    Ok(all)
}

/// Text of nothing but blanks and talk is none.
fn flush(all: &mut Vec<Block>, text: &mut String) {
    let text = std::mem::take(text);
    if !super::normal::lines(&text, true).is_empty() {
        all.push(Block::Text(text));
    }
}

#[test]
fn outputs_are_cut() {
    let kinds =
        |text: &str| -> Vec<&'static str> { cut(text).unwrap().iter().map(Block::kind).collect() };
    let terse = format!("3;{}\n", "0;".repeat(60));
    assert_eq!(kinds("note: x\n{\n\"a\" : 1\n}\n\na: text\n"), ["JSON", "text"]);
    assert_eq!(kinds(&format!("a: text\n{terse}{terse}")), ["text", "terse", "terse"]);
    assert_eq!(kinds("{\n}\n{\n}\n"), ["JSON", "JSON"]);
    cut("{\n\"a\" 1").unwrap_err();
}
