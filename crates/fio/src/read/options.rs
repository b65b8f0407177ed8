//! What the reader has to know about kinds of options: which may stand without a value.

use super::error::{ReadError, printable_text};
use super::place::Place;
use crate::options::lookup::{find_option, suggest_name};
use crate::options::spec::{OptionSpec, ValueKind, ValueNeed};
use crate::options::switches::find_switch;

/// How an option of the command line takes its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueSource {
    NextWord,
    /// The next word if it looks like the value of a flag.
    NextBoolean,
    SameWord,
}

/// How this option takes its value on the command line.
pub(crate) fn value_source(spec: &OptionSpec) -> ValueSource {
    match (spec.value_need, spec.kind) {
        (ValueNeed::Optional, _) => ValueSource::SameWord,
        (_, ValueKind::Flag) => ValueSource::NextBoolean,
        _ => ValueSource::NextWord,
    }
}

/// Whether a job file may name this option without a value.
pub(crate) fn allows_bare_name(spec: &OptionSpec) -> bool {
    spec.value_need != ValueNeed::Needed
        || matches!(spec.kind, ValueKind::Flag | ValueKind::Deprecated)
}

/// Whether a word is the value of a flag rather than a job file.
pub(crate) fn is_boolean(word: &str) -> bool {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    digits || matches!(word, "true" | "false")
}

/// The error for an option without its value.
pub(crate) fn missing_value_error(written: &str, spec: &OptionSpec, place: &Place) -> ReadError {
    let example = match spec.kind {
        ValueKind::Size { .. } | ValueKind::SizePerDirection => "4k",
        ValueKind::SizeRange => "4k-64k",
        ValueKind::Time(_) => "10s",
        ValueKind::Integer | ValueKind::Percent | ValueKind::Float | ValueKind::Flag => "1",
        ValueKind::Choice => spec.choices.first().map_or("...", |(choice, _)| choice),
        _ => "...",
    };
    let written = printable_text(written);
    ReadError::new(place, format!("option '{written}' needs a value"))
        .with_hint(format!("write {written}={example}"))
}

/// The error for a name nobody knows.
pub(crate) fn unknown_option_error(name: &str, value: Option<&str>, place: &Place) -> ReadError {
    let error = ReadError::new(place, format!("unknown option '{}'", printable_text(name)))
        .with_hint("--cmdhelp=all lists all options");
    // `bs 4k` and `--bs=4k` in a job file: say how it is written.
    let bare = name.trim_start_matches('-');
    let (first, rest) = bare.split_once(char::is_whitespace).unwrap_or((bare, ""));
    if (bare.len() != name.len() || !rest.is_empty()) && find_option(first).is_some() {
        let value = value.unwrap_or(rest.trim());
        let equals = if value.is_empty() { "" } else { "=" };
        return error.with_hint(format!("write {first}{equals}{}", printable_text(value)));
    }
    // Looking for similar names is for names, not for lines of garbage.
    let likely = bare.len() <= 64 && !bare.is_empty();
    if find_switch(bare).is_some_and(|switch| switch.name == bare) {
        return error.with_hint(format!("it is of the whole command line: --{bare}"));
    }
    let similar = if likely { suggest_name(bare) } else { None };
    error.or_hint(similar.map(|similar| format!("did you mean {similar}?")))
}
