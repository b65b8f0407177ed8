//! Comma-separated values, as RFC 4180 has them. What was not measured is empty.

use std::io::{self, Write};

use jiff::Timestamp;
use units::quote_csv;

use super::rows::{Table, Value};

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
        Value::Text(Some(text)) => quote_csv(text).into_owned(),
        Value::Int(Some(number)) => number.to_string(),
        Value::Real(Some(number)) => number.to_string(),
        Value::Time(Some(micros)) => {
            Timestamp::from_microsecond(*micros).map_or_else(|_| String::new(), |t| t.to_string())
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_empty_and_not_zero() {
        assert_eq!(format_field(&Value::Real(None)), "");
        assert_eq!(format_field(&Value::Real(Some(0.0))), "0");
        assert_eq!(format_field(&Value::Int(Some(-1))), "-1", "a number is no formula");
        assert_eq!(format_field(&Value::Time(Some(1_795_000_000_000_000))), "2026-11-18T11:06:40Z");
    }
}
