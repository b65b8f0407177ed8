//! The way back: fio's JSON, of fio itself or of ours, into records.
//!
//! Pure, like the rest of the dialect. What fio did not say is absent in the record, never zero;
//! what could not be understood stands in the record's notes.
//!
//! One document is one record, each of its jobs a cell; clones of a job that ran side by side are
//! one. Any fio 3 is read, and fio 2, whose sizes are in KiB and whose latencies in microseconds.

mod entry;
mod figures;
mod jobs;

use jiff::Timestamp;
use message::{Message, label};
use record::{Cell, Completion, Environment, Imported, Measured, Plan, Purpose, Record, Tool};
use serde_json::Value;
use units::{Nanos, Seed};
use workload::Mix;

pub use self::entry::ImportError;
use self::entry::{JobEntry, option_pairs, text_field};

/// How far into a text fio's version stands: behind warnings, which go before the JSON, and before
/// anything long.
const HEAD_CHARS: usize = 4096;
/// Limit of the JSON values of fio's output, which is read as a tree at 80 to 200 bytes per value.
/// A job with `json+` has about 5000.
const VALUES_MAX: usize = 2 << 20;

/// Whether a JSON document claims to be fio's.
pub fn is_fio(document: &Value) -> bool {
    document.get("fio version").is_some()
        || (["jobs", "client_stats"]
            .iter()
            .any(|key| document.get(key).is_some_and(Value::is_array))
            && document.get("schema_version").is_none())
}

/// Whether a text claims to be fio's: early in it, for a damaged one claims it too, or, without
/// fio's version, by the shape of the whole.
pub fn looks_like_fio(text: &str) -> bool {
    let head: String = text.chars().take(HEAD_CHARS).collect();
    if head.contains("\"fio version\"") {
        return true;
    }
    // What is too much to be a tree is left to the reader of records.
    input::check_json(text.as_bytes(), VALUES_MAX).is_ok()
        && serde_json::from_str(text).is_ok_and(|document: Value| is_fio(&document))
}

/// The record of fio's output: the last document of it, where `--status-interval` made several;
/// what stands before and behind the JSON is passed over.
/// Errors: when there is no whole document of fio's in it, a job without figures, or too much of
/// all.
pub fn import_record(text: &str) -> Result<Record, ImportError> {
    input::check_json(text.as_bytes(), VALUES_MAX).map_err(ImportError::TooMuch)?;
    let document = last_document(text)?;
    let entries = find_job_entries(&document)?;
    let mut notes = Vec::new();
    let globals = read_global_options(&document);
    let cells = jobs::build_cells(&entries, &globals, &mut notes)?;
    if cells.is_empty() {
        return Err(ImportError::Foreign("there is no job in it that read or wrote".to_owned()));
    }
    let version = document.get("fio version").and_then(Value::as_str).unwrap_or("unknown");
    let paths = jobs::collect_paths(&entries, &globals);
    let (started, finished) = read_times(&document, &entries, &cells, &mut notes);
    notes.push(label("fio-import-no-series"));
    let version_number = version.trim_start_matches("fio-").to_owned();
    let tool = Tool { name: "fio".to_owned(), version: version_number };
    let plan = build_plan(&cells);
    Ok(Record::from_measured(Measured {
        id: format!(
            "{}-{:08x}",
            started.strftime("%Y%m%dT%H%M%SZ"),
            crc32c::crc32c(text.as_bytes())
        ),
        finished,
        completion: build_completion(&cells),
        imported: Some(Imported {
            program: "fio".to_owned(),
            version: version.to_owned(),
            paths,
            notes,
            findings: Vec::new(),
        }),
        environment: Environment { hostname: find_hostname(&entries), ..Environment::default() },
        cells,
        ..Measured::new(tool, started, plan)
    }))
}

/// The last whole object that begins at the start of a line.
fn last_document(text: &str) -> Result<Value, ImportError> {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(place, _)| place + 1));
    let mut last = None;
    let mut error = None;
    let mut end = 0;
    for start in starts.filter(|&start| text[start..].trim_start_matches(' ').starts_with('{')) {
        if start < end {
            continue;
        }
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                end = start + stream.byte_offset();
                last = Some(value);
            }
            Some(Err(why)) => {
                // What is inside of a damaged document is no document.
                error = Some(why);
                break;
            }
            None => {}
        }
    }
    match (last, error) {
        // A last one that was cut off while the run went on: the one before is whole.
        (Some(value), _) if is_fio(&value) => Ok(value),
        (_, Some(why)) => Err(ImportError::Damaged(why)),
        (Some(_), None) => Err(ImportError::Foreign("no 'fio version' and no 'jobs'".to_owned())),
        (None, None) => Err(ImportError::NoJson),
    }
}

fn find_job_entries(document: &Value) -> Result<Vec<JobEntry<'_>>, ImportError> {
    let list = ["jobs", "client_stats"].iter().find_map(|key| document.get(key)?.as_array());
    let list = list.ok_or_else(|| ImportError::Foreign("no 'jobs' in it".to_owned()))?;
    let of = |value: &Value| value.as_object().is_none();
    if list.iter().any(of) {
        return Err(ImportError::Foreign("a job that is no object".to_owned()));
    }
    let sum = |entry: &JobEntry<'_>| text_field(entry, "jobname") == Some("All clients");
    Ok(list.iter().filter_map(Value::as_object).filter(|entry| !sum(entry)).collect())
}

/// Options given before the first job; of several clients, those of the first.
fn read_global_options(document: &Value) -> Vec<(String, String)> {
    match document.get("global options") {
        Some(Value::Object(options)) => option_pairs(options),
        Some(Value::Array(clients)) => {
            clients.first().and_then(Value::as_object).map(option_pairs).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn find_hostname(entries: &[JobEntry<'_>]) -> Option<String> {
    entries.iter().find_map(|entry| text_field(entry, "hostname")).map(str::to_owned)
}

/// Start and end. Versions before 3.36 do not say when a job started.
fn read_times(
    document: &Value,
    entries: &[JobEntry<'_>],
    cells: &[Cell],
    notes: &mut Vec<Message>,
) -> (Timestamp, Timestamp) {
    let ms = document.get("timestamp_ms").and_then(Value::as_i64);
    let seconds = document.get("timestamp").and_then(Value::as_i64);
    let ended = ms.or(seconds.map(|seconds| seconds.saturating_mul(1000)));
    let at = |ms: i64| Timestamp::from_millisecond(ms).ok();
    let Some(finished) = ended.and_then(at) else {
        notes.push(label("fio-import-no-time"));
        return (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
    };
    let starts = entries.iter().filter_map(|entry| entry.get("job_start").and_then(Value::as_i64));
    let longest = cells.iter().map(|cell| cell.elapsed.0 / 1_000_000).max().unwrap_or(0);
    let before = finished.as_millisecond().saturating_sub_unsigned(longest);
    let started = starts.min().unwrap_or(before);
    (at(started).unwrap_or(finished), finished)
}

fn build_plan(cells: &[Cell]) -> Plan {
    let total = cells.iter().fold(0_u64, |sum, cell| sum.saturating_add(cell.elapsed.0));
    Plan {
        purpose: Purpose::Imported,
        budget: Nanos(total),
        bounds: Vec::new(),
        read_only: cells.iter().all(|cell| cell.job.mix == Mix::Read),
        span: cells.iter().map(|cell| cell.job.span.length).max().unwrap_or_default(),
        seed: Seed(0),
    }
}

fn build_completion(cells: &[Cell]) -> Completion {
    match cells.iter().find_map(|cell| cell.error.as_ref()) {
        Some(error) => {
            Completion::Partial { reason: Message::from_text(&error.message), failed: true }
        }
        None => Completion::Complete,
    }
}

#[cfg(test)]
mod tests;
