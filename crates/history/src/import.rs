//! Files that are taken in: records, plain or compressed, one or one a line; and what other tools
//! wrote, through a reader that is handed in.

use std::io::{BufRead, BufReader, Error, ErrorKind};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use input::RECORD_MAX;
use record::{Record, store};

use crate::error::HistoryError;

/// Turns the text of a file that is no record of ours into records; `None` when it does not know
/// it either.
pub type ForeignReader<'a> = &'a dyn Fn(&str) -> Option<Result<Vec<Record>, String>>;

/// Reads the records of a file and hands each over.
///
/// A file of lines is read line by line: what stands before a bad line has been handed over.
/// [`RECORD_MAX`] bounds the bytes of each line, and of any other file as a whole. Fails when it
/// cannot be read, is too large, is nothing that is known, comes from a newer schema, or `each`
/// fails.
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
    let text = String::from_utf8(text).map_err(|_| io(not_text()))?;
    let refuse = |words: String| HistoryError::Import { path: path.to_owned(), line: None, words };
    if let Some(records) = foreign(&text) {
        return records.map_err(refuse)?.into_iter().try_for_each(each);
    }
    match store::parse_record(text.as_bytes(), path) {
        Ok(record) => each(record),
        Err(store::StoreError::Malformed { source, .. }) => {
            Err(refuse(describe_malformed(&source)))
        }
        Err(error) => Err(error.into()),
    }
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

fn not_text() -> Error {
    Error::new(ErrorKind::InvalidData, "it is not UTF-8")
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
    parse_line(path, 1, &first, each)?;
    // Only one line at a time is in memory.
    drop(first);
    for number in 2.. {
        let line = input::read_line(&mut *file, RECORD_MAX).map_err(|source| HistoryError::Io {
            attempt: "read",
            path: path.to_owned(),
            source,
        })?;
        if line.is_empty() {
            break;
        }
        parse_line(path, number, &line, each)?;
    }
    Ok(())
}

/// Hands over the record in a line, where it is not blank.
fn parse_line(
    path: &Path,
    number: usize,
    line: &[u8],
    each: &mut dyn FnMut(Record) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    if line.trim_ascii().is_empty() {
        return Ok(());
    }
    let record = store::parse_record(line, path).map_err(|error| match error {
        store::StoreError::Malformed { source, .. } => HistoryError::Import {
            path: path.to_owned(),
            line: Some(number),
            words: describe_malformed(&source),
        },
        other => other.into(),
    })?;
    each(record)
}

fn describe_malformed(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match error.is_eof() {
        true => format!("it ends early: {words}"),
        false => format!("it is no record, and no JSON of fio: {}", input::shorten_message(&words)),
    }
}
