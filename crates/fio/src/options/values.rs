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

use std::io;
use std::path::Path;

use super::job::JobOptions;
use super::lookup::find_registered;
use super::parse::{TimeUnit, ValueProblem, parse_time};
use super::reader::ValueReader;
use crate::read::error::ReadError;
use crate::read::sections::RawOption;

/// Most bytes of a file that holds a pattern.
const PATTERN_FILE_MAX: u64 = input::TEXT_MAX;

/// Sets one option; later calls override earlier ones, except for `filename`, which accumulates.
/// Suffixes of sizes follow the `kb_base` set so far, so apply that one first
/// ([`apply_options`] does). Returns a note when the value was taken, but means something other
/// than one may think.
/// Errors: the value cannot be read, is out of range, or the option has no reader.
pub fn apply_option(
    options: &mut JobOptions,
    raw: &RawOption,
) -> Result<Option<String>, ReadError> {
    apply_option_with(options, raw, &|path| input::read_file(Path::new(path), PATTERN_FILE_MAX))
}

/// [`apply_option`], with the reader of files that patterns name (`buffer_pattern='file'`).
/// Errors: as [`apply_option`].
pub fn apply_option_with(
    options: &mut JobOptions,
    raw: &RawOption,
    read_file: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<Option<String>, ReadError> {
    let option = raw.name;
    let fail = |message: String| Err(ReadError::new(&raw.place, message));
    let Some(set) = find_registered(option).and_then(|registered| registered.set.as_ref()) else {
        return fail(format!("{option} is not an option that is run; leave it out"));
    };
    let text = raw.evaluated_value();
    let mut reader = ValueReader::new(text, options.report.kb_base, read_file);
    let Err(ValueProblem { what, expected }) = set(options, &mut reader) else {
        return Ok(reader.into_note().map(|note| format!("{}: {option}: {note}", raw.place)));
    };
    match text.filter(|text| !text.trim().is_empty()) {
        None => fail(format!("{option} has no value; expected {expected}")),
        Some(text) => {
            let (value, what) = (input::shorten_text(text), input::shorten_text(&what));
            fail(format!("{option}={value}: {what}; expected {expected}"))
        }
    }
}

/// Sets all options of a job, in order, `kb_base` first.
/// Errors: the first option that [`apply_option`] does not take.
pub fn apply_options<'a>(
    options: &mut JobOptions,
    raws: impl IntoIterator<Item = &'a RawOption>,
) -> Result<Vec<String>, ReadError> {
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
