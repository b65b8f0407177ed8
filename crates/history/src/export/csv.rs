//! Comma-separated values, as RFC 4180 has them. What was not measured is empty.

use std::borrow::Cow;
use std::io::{self, Write};

use jiff::Timestamp;
use units::escape_controls;

use super::rows::{Table, Value};

/// What a spreadsheet takes for the beginning of a formula. A text that begins so gets an
/// apostrophe, which spreadsheets take for the beginning of a text.
const FORMULA_STARTS: [char; 5] = ['=', '+', '-', '@', '\t'];

pub(super) fn write_names(to: &mut impl Write, table: &Table) -> io::Result<()> {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
    writeln!(to, "{}", names.join(","))
}

pub(super) fn write_rows(to: &mut impl Write, table: &Table) -> io::Result<()> {
    table.values.iter().try_for_each(|row| {
        let fields: Vec<String> = row.iter().map(format_field).collect();
        writeln!(to, "{}", fields.join(","))
    })
}

fn format_field(value: &Value) -> String {
    match value {
        Value::Text(Some(text)) => quote_field(text).into_owned(),
        Value::Int(Some(number)) => number.to_string(),
        Value::Real(Some(number)) => number.to_string(),
        Value::Time(Some(micros)) => {
            Timestamp::from_microsecond(*micros).map_or_else(|_| String::new(), |t| t.to_string())
        }
        _ => String::new(),
    }
}

fn quote_field(text: &str) -> Cow<'_, str> {
    let mut text = escape_controls(text);
    if text.starts_with(FORMULA_STARTS) {
        text = Cow::Owned(format!("'{text}"));
    }
    match text.contains([',', '"', '\n']) || text.is_empty() {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_line_is_quoted() {
        let check = |text: &str, expected: &str| assert_eq!(quote_field(text), expected);
        check("plain", "plain");
        check("", "\"\"");
        check("a,b", "\"a,b\"");
        check("say \"it\"", "\"say \"\"it\"\"\"");
        check("two\nlines", "\"two\nlines\"");
        check("x\u{1b}]0;y\u{7}\r", "x\\u{1b}]0;y\\u{7}\\u{d}");
    }

    #[test]
    fn a_spreadsheet_runs_no_field() {
        let check = |text: &str, expected: &str| assert_eq!(quote_field(text), expected);
        check("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@x", "'@x");
        assert_eq!(format_field(&Value::Int(Some(-1))), "-1", "a number is one");
    }

    #[test]
    fn what_was_not_measured_is_empty_and_not_zero() {
        assert_eq!(format_field(&Value::Real(None)), "");
        assert_eq!(format_field(&Value::Real(Some(0.0))), "0");
        assert_eq!(format_field(&Value::Time(Some(1_795_000_000_000_000))), "2026-11-18T11:06:40Z");
    }
}
