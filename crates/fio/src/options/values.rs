//! Reads the values of options into [`JobOptions`].
//!
//! [`apply_option`] takes one option, [`apply_options`] a job's whole list; then
//! [`super::resolve::resolve_options`] applies the rules between options. The grammar is fio's, but
//! stricter: fio reads as far as it can and drops the rest in silence (`bs=1.5k` is 1 byte,
//! `runtime=1min` is not a minute), where we report an error. Deliberate differences:
//!
//! - `N*M` is the product (`iodepth=128*1`, `bs=4k*2` = 8k); fio drops `*M`. A note says so.
//! - Switches take `true` and `false` besides 0 and 1.
//! - Percentages of sizes may have decimals (`size=12.5%`), and end at 100 %.
//! - Options in milliseconds take units (`log_avg_msec=1s`); times take `ns`, and `sec`, which
//!   fio's manual promises and fio 3.33 reads as nothing.
//! - `bssplit` over 100 % is an error, as fio's manual says; fio 3.33 cuts it off.
//! - `ignore_error` knows all of Linux's names, and reversed ranges are swapped everywhere.

use std::fmt;
use std::io;
use std::path::Path;

use super::job::JobOptions;
use super::lookup::find_registered;
use super::parse::{TimeUnit, ValueProblem, parse_time};
use super::reader::ValueReader;
use crate::read::place::Place;
use crate::read::sections::RawOption;

/// Something worth knowing about an option that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionNote {
    pub place: Place,
    pub option: String,
    pub text: String,
}

impl fmt::Display for OptionNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.option, self.text)
    }
}

/// A value, or a combination of options, that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error(
        "{place}: {option}={}: {}; expected {expected}",
        input::shorten_text(value),
        input::shorten_text(problem)
    )]
    Value { place: Place, option: &'static str, value: String, problem: String, expected: String },
    #[error("{place}: {option} has no value; expected {expected}")]
    Missing { place: Place, option: &'static str, expected: String },
    #[error("{place}: {option} is not an option that is run; leave it out")]
    Unknown { place: Place, option: &'static str },
    #[error("{problem}; {advice}")]
    Conflict { problem: String, advice: String },
}

impl OptionError {
    /// The text without the place, for those who print that themselves.
    pub fn message(&self) -> String {
        let text = self.to_string();
        let place = self.place().map(|place| format!("{place}: ")).unwrap_or_default();
        text.strip_prefix(&place).unwrap_or(&text).to_owned()
    }

    /// Where it stands; conflicts have no place of their own.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Value { place, .. }
            | Self::Missing { place, .. }
            | Self::Unknown { place, .. } => Some(place),
            Self::Conflict { .. } => None,
        }
    }
}

/// Most bytes of a file that holds a pattern.
const PATTERN_FILE_MAX: u64 = input::TEXT_MAX;

/// Sets one option; later calls override earlier ones, except for `filename`, which accumulates.
///
/// Suffixes of sizes follow the `kb_base` set so far, so apply that one first
/// ([`apply_options`] does). Returns a note when the value was taken, but means something other
/// than one may think.
/// Errors: [`OptionError`] when the value cannot be read, is out of range, or the option has no
/// reader.
pub fn apply_option(
    options: &mut JobOptions,
    raw: &RawOption,
) -> Result<Option<OptionNote>, OptionError> {
    apply_option_with(options, raw, &|path| input::read_file(Path::new(path), PATTERN_FILE_MAX))
}

/// [`apply_option`], with the reader of files that patterns name (`buffer_pattern='file'`).
/// Errors: as [`apply_option`].
pub fn apply_option_with(
    options: &mut JobOptions,
    raw: &RawOption,
    read_file: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<Option<OptionNote>, OptionError> {
    let (option, place) = (raw.name, raw.place.clone());
    let Some(set) = find_registered(raw.name).and_then(|registered| registered.set.as_ref()) else {
        return Err(OptionError::Unknown { place, option });
    };
    let text = raw.evaluated_value();
    let mut reader = ValueReader::new(text, options.report.kb_base, read_file);
    match set(options, &mut reader) {
        Ok(()) => {
            Ok(reader.into_note().map(|text| OptionNote { place, option: option.to_owned(), text }))
        }
        Err(ValueProblem { expected, .. }) if text.is_none_or(|text| text.trim().is_empty()) => {
            Err(OptionError::Missing { place, option, expected })
        }
        Err(ValueProblem { what, expected }) => {
            let value = text.unwrap_or_default().to_owned();
            Err(OptionError::Value { place, option, value, problem: what, expected })
        }
    }
}

/// Sets all options of a job, in order, `kb_base` first.
/// Errors: the first option that [`apply_option`] does not take.
pub fn apply_options<'a>(
    options: &mut JobOptions,
    raws: impl IntoIterator<Item = &'a RawOption>,
) -> Result<Vec<OptionNote>, OptionError> {
    let (first, rest): (Vec<_>, Vec<_>) = raws.into_iter().partition(|raw| raw.name == "kb_base");
    let mut notes = Vec::new();
    for raw in first.into_iter().chain(rest) {
        notes.extend(apply_option(options, raw)?);
    }
    Ok(notes)
}

/// A time of the command line's switches, such as `10` (seconds) or `500ms`, in milliseconds.
pub fn parse_time_ms(text: &str) -> Option<u64> {
    parse_time(text.trim(), TimeUnit::Seconds).ok().map(|ns| ns / 1_000_000)
}
