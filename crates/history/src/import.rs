//! Imported files: records, plain or compressed, one, a list or one a line, and what other tools
//! wrote.

use std::io::{BufRead, BufReader, Error, ErrorKind};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use input::RECORD_MAX;
use record::{Record, store};

use crate::error::HistoryError;

/// Turns the text of another program's file into records; `None` of a file that it does not know.
pub type ForeignReader<'a> = &'a dyn Fn(&str) -> Option<Result<Vec<Record>, String>>;

/// Reads the records of a file and hands each over, of lines all before a bad one. [`RECORD_MAX`]
/// bounds the bytes of a line, and of any other file.
pub fn read_records(
    path: &Path,
    foreign: ForeignReader<'_>,
    each: &mut dyn FnMut(Record) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    let io = |source| HistoryError::Io { attempt: "read", path: path.to_owned(), source };
    let mut file = open_decompressed(path).map_err(io)?;
    let mut text = input::read_line(&mut *file, RECORD_MAX).map_err(io)?;
    if is_record(&text) {
        return read_lines(path, text, file, each);
    }
    input::append_rest(&mut text, file, RECORD_MAX).map_err(io)?;
    let not_text = |_| io(Error::new(ErrorKind::InvalidData, "it is not UTF-8"));
    let text = String::from_utf8(text).map_err(not_text)?;
    let refuse = |words: String| HistoryError::Import { path: path.to_owned(), line: None, words };
    if let Some(records) = foreign(&text) {
        return records.map_err(refuse)?.into_iter().try_for_each(each);
    }
    if !text.trim_start().starts_with('[') {
        return each(parse_record(path, None, text.as_bytes())?);
    }
    let list: Vec<serde_json::Value> =
        serde_json::from_str(&text).map_err(|error| refuse(describe_malformed(&error)))?;
    for record in list {
        each(parse_record(path, None, record.to_string().as_bytes())?)?;
    }
    Ok(())
}

/// A file, unpacked on the way when it is compressed.
fn open_decompressed(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(input::open_file(path)?);
    let packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(match packed {
        true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        false => Box::new(file),
    })
}

/// Whether a line is a whole record by itself, of whatever version.
fn is_record(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(rename = "schema_version")]
        _version: u64,
    }
    serde_json::from_slice::<Head>(line).is_ok()
}

fn read_lines(
    path: &Path,
    first: Vec<u8>,
    mut file: Box<dyn BufRead>,
    each: &mut dyn FnMut(Record) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    let io = |source| HistoryError::Io { attempt: "read", path: path.to_owned(), source };
    let mut line = first;
    for number in 1.. {
        if line.is_empty() {
            break;
        }
        if !line.trim_ascii().is_empty() {
            each(parse_record(path, Some(number), &line)?)?;
        }
        // Only one line at a time is in memory.
        drop(line);
        line = input::read_line(&mut *file, RECORD_MAX).map_err(io)?;
    }
    Ok(())
}

fn parse_record(path: &Path, line: Option<usize>, text: &[u8]) -> Result<Record, HistoryError> {
    store::parse_record(text, path).map_err(|error| match error {
        store::StoreError::Malformed { source, .. } => {
            let words = describe_malformed(&source);
            HistoryError::Import { path: path.to_owned(), line, words }
        }
        other => other.into(),
    })
}

fn describe_malformed(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match error.is_eof() {
        true => format!("it ends early: {words}"),
        false => format!("it is no record, and no JSON of fio: {}", input::shorten_message(&words)),
    }
}
