//! Which reader belongs to which option, a table per group.

/// Short forms of readers that only set one field.
macro_rules! set {
    (flag $($field:ident).+) => {
        |o, i| {
            o.$($field).+ = i.flag()?;
            Ok(())
        }
    };
    (switch $($field:ident).+) => {
        |o, i| {
            o.$($field).+ = i.switch()?;
            Ok(())
        }
    };
    (text $($field:ident).+) => {
        |o, i| {
            o.$($field).+ = Some(i.any()?);
            Ok(())
        }
    };
    (u32 $($field:ident).+, $min:expr) => {
        |o, i| {
            o.$($field).+ = i.whole32($min)?;
            Ok(())
        }
    };
    (whole $($field:ident).+, $min:expr) => {
        |o, i| {
            o.$($field).+ = i.whole($min, u64::MAX)?;
            Ok(())
        }
    };
    (some_u32 $($field:ident).+, $min:expr) => {
        |o, i| {
            o.$($field).+ = Some(i.whole32($min)?);
            Ok(())
        }
    };
    (u8 $($field:ident).+, $min:expr, $max:expr) => {
        |o, i| {
            o.$($field).+ = u8::try_from(i.whole($min, $max)?).unwrap_or(u8::MAX);
            Ok(())
        }
    };
    (some_u8 $($field:ident).+, $min:expr, $max:expr) => {
        |o, i| {
            o.$($field).+ = Some(u8::try_from(i.whole($min, $max)?).unwrap_or(u8::MAX));
            Ok(())
        }
    };
    (percent $($field:ident).+) => {
        |o, i| {
            o.$($field).+ = i.percent()?;
            Ok(())
        }
    };
    (some_percent $($field:ident).+) => {
        |o, i| {
            o.$($field).+ = Some(i.percent()?);
            Ok(())
        }
    };
    (size $($field:ident).+, $min:expr) => {
        |o, i| {
            o.$($field).+ = i.size($min)?;
            Ok(())
        }
    };
    (us $($field:ident).+, $unit:ident) => {
        |o, i| {
            o.$($field).+ = i.time_us(crate_time::Unit::$unit)?;
            Ok(())
        }
    };
    (ms $($field:ident).+) => {
        |o, i| {
            o.$($field).+ = i.time_ms()?;
            Ok(())
        }
    };
    (choice $($field:ident).+, $choices:expr) => {
        |o, i| {
            o.$($field).+ = i.choice($choices)?;
            Ok(())
        }
    };
}

mod engine;
mod pattern;
mod placement;
mod report;
mod target;
mod time;
mod verify;

use super::super::job::JobOptions;
use super::ValueProblem;
use super::reader::ValueReader;
use super::time as crate_time;

/// Reads a value into the options.
pub(super) type Setter = fn(&mut JobOptions, &mut ValueReader<'_>) -> Result<(), ValueProblem>;

/// Options by name, aliases included.
type Table = &'static [(&'static str, Setter)];

const TABLES: [Table; 7] = [
    target::TABLE,
    pattern::TABLE,
    engine::TABLE,
    time::TABLE,
    verify::TABLE,
    report::TABLE,
    placement::TABLE,
];

/// The reader of an option.
pub(super) fn setter(name: &str) -> Option<Setter> {
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .find(|(known, _)| *known == name)
        .map(|(_, setter)| *setter)
}

#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().flat_map(|table| table.iter()).map(|(name, _)| *name)
}
