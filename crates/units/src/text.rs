//! Escapes foreign text, so that showing it is harmless.

use std::borrow::Cow;

/// Whether a terminal or a reader obeys this character instead of showing it: C0, DEL and C1
/// controls, line and paragraph separators, and the marks that change the direction of text.
fn is_control_like(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every control character but `\n` and `\t` written out: `\u{1b}`.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| is_control_like(c) && c != '\n' && c != '\t';
    escape(text, is_foreign, |c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// The JSON document with the control characters inside its strings written as JSON writes them:
/// `\u001b`. White space between its values stays.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| is_control_like(c) && !matches!(c, '\n' | '\t' | '\r');
    escape(json, is_foreign, |c| format!("\\u{:04x}", u32::from(c)))
}

/// What a spreadsheet takes for the beginning of a formula. A text that begins so gets an
/// apostrophe, which spreadsheets take for the beginning of a text.
const FORMULA_STARTS: [char; 5] = ['=', '+', '-', '@', '\t'];

/// A text as a field of comma-separated values (RFC 4180), which no spreadsheet runs.
pub fn quote_csv(text: &str) -> Cow<'_, str> {
    let mut text = escape_controls(text);
    if text.starts_with(FORMULA_STARTS) {
        text = Cow::Owned(format!("'{text}"));
    }
    match text.contains([',', '"', '\n']) || text.is_empty() {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => text,
    }
}

fn escape(
    text: &str,
    is_foreign: impl Fn(char) -> bool,
    written: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&is_foreign) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_foreign(c) { out.push_str(&written(c)) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        let check = |text: &str, expected: &str| assert_eq!(escape_controls(text), expected);
        check("a name\n\twith layout, é and 名", "a name\n\twith layout, é and 名");
        check("x\u{1b}]0;owned\u{7}y", "x\\u{1b}]0;owned\\u{7}y");
        check("\r\0\u{7f}\u{9b}31m", "\\u{d}\\u{0}\\u{7f}\\u{9b}31m");
        check("\u{202e}txt\u{2066}\u{2069}\u{200f}", "\\u{202e}txt\\u{2066}\\u{2069}\\u{200f}");
    }

    #[test]
    fn what_would_break_a_line_is_quoted() {
        let check = |text: &str, expected: &str| assert_eq!(quote_csv(text), expected);
        check("plain", "plain");
        check("", "\"\"");
        check("a,b", "\"a,b\"");
        check("say \"it\"", "\"say \"\"it\"\"\"");
        check("two\nlines", "\"two\nlines\"");
        check("x\u{1b}]0;y\u{7}\r", "x\\u{1b}]0;y\\u{7}\\u{d}");
    }

    #[test]
    fn a_spreadsheet_runs_no_field() {
        let check = |text: &str, expected: &str| assert_eq!(quote_csv(text), expected);
        check("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@x", "'@x");
    }

    #[test]
    fn what_has_none_is_not_copied() {
        assert!(matches!(escape_controls("plain"), Cow::Borrowed(_)));
        assert!(matches!(escape_json("{}\r\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_stays_json_and_means_the_same() {
        let check = |text: &str, expected: &str| assert_eq!(escape_json(text), expected);
        check("{\"a\": \"\u{7f}\u{9b}\u{202e}\"}\n", "{\"a\": \"\\u007f\\u009b\\u202e\"}\n");
        check("\"\\\\\u{85}\"", "\"\\\\\\u0085\"");
    }
}
