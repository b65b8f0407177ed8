//! The jobs of a document as they stand there, and the error of all reading.

use serde_json::{Map, Value};

/// Why a text is not fio's JSON.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("there is no JSON in it")]
    NoJson,
    #[error("the JSON is cut off or damaged: {}", input::shorten_message(&.0.to_string()))]
    Damaged(#[source] serde_json::Error),
    #[error("it is too much: {0}")]
    TooMuch(#[source] std::io::Error),
    #[error("it is JSON, but not fio's: {0}")]
    Foreign(String),
    #[error("job '{}' has no figures: {what}", input::shorten_text(job))]
    Empty { job: String, what: String },
}

/// A job of the document, as it stands there.
pub(super) type JobEntry<'a> = &'a Map<String, Value>;

pub(super) fn option_pairs(options: &Map<String, Value>) -> Vec<(String, String)> {
    let of = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    options.iter().map(|(name, value)| (name.clone(), of(value))).collect()
}

pub(super) fn text_field<'a>(entry: JobEntry<'a>, key: &str) -> Option<&'a str> {
    entry.get(key).and_then(Value::as_str)
}
