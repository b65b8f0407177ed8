//! What the reader has to know about kinds of options: which may stand without a value.

use super::error::{ReadError, shown};
use super::lookup::Lookup;
use super::place::Place;
use crate::options::spec::{Kind, OptionSpec, Value};

/// How an option of the command line takes its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// The next word, whatever it is.
    NextWord,
    /// The next word if it looks like the value of a flag.
    NextBoolean,
    /// Only `--name=value`.
    SameWord,
}

/// How this option takes its value on the command line.
pub(crate) fn takes(spec: &OptionSpec) -> Takes {
    match (spec.value, spec.kind) {
        (Value::Optional, _) => Takes::SameWord,
        (_, Kind::Flag) => Takes::NextBoolean,
        _ => Takes::NextWord,
    }
}

/// Whether a job file may name this option without a value.
pub(crate) fn value_may_miss(spec: &OptionSpec) -> bool {
    spec.value != Value::Needed || matches!(spec.kind, Kind::Flag | Kind::Deprecated)
}

/// Whether a word is the value of a flag rather than a job file.
pub(crate) fn is_boolean(word: &str) -> bool {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    digits || matches!(word, "true" | "false")
}

/// The error for an option without its value.
pub(crate) fn missing_value(written: &str, spec: &OptionSpec, place: &Place) -> ReadError {
    let example = match spec.kind {
        Kind::Size { .. } | Kind::SizePerDirection => "4k",
        Kind::SizeRange => "4k-64k",
        Kind::Time(_) => "10s",
        Kind::Integer | Kind::Float | Kind::Flag => "1",
        Kind::Choice => spec.choices.first().map_or("...", |(choice, _)| choice),
        _ => "...",
    };
    let written = shown(written);
    ReadError::new(place, format!("option '{written}' needs a value"))
        .hint(format!("write {written}={example}"))
}

/// The error for a name nobody knows.
pub(crate) fn unknown_option(
    name: &str,
    value: Option<&str>,
    place: &Place,
    lookup: &dyn Lookup,
) -> ReadError {
    let error = ReadError::new(place, format!("unknown option '{}'", shown(name)));
    // `bs 4k` and `--bs=4k` in a job file: say how it is written.
    let bare = name.trim_start_matches('-');
    let (first, rest) = bare.split_once(char::is_whitespace).unwrap_or((bare, ""));
    if (bare.len() != name.len() || !rest.is_empty()) && lookup.find(first).is_some() {
        let value = value.unwrap_or(rest.trim());
        let equals = if value.is_empty() { "" } else { "=" };
        return error.hint(format!("write {first}{equals}{}", shown(value)));
    }
    // Looking for similar names is for names, not for lines of garbage.
    let likely = bare.len() <= 64 && !bare.is_empty();
    let similar = if likely { lookup.suggest(bare) } else { None };
    error.maybe_hint(similar.map(|similar| format!("did you mean {similar}?")))
}
