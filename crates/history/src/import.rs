//! Files that are taken in: records, plain or compressed, one or one a line; and what other tools
//! wrote, through a reader that is handed in.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use record::{Record, store};

use crate::HistoryError;

/// Turns the text of a file that is no record of ours into records; `None` when it does not know
/// it either.
pub type Foreign<'a> = &'a dyn Fn(&str) -> Option<Result<Vec<Record>, String>>;

/// Reads the records of a file and hands each over.
///
/// A file of lines is read line by line: what stands before a bad line has been handed over.
///
/// # Errors
/// When it cannot be read, is nothing that is known, comes from a newer schema, or `each` fails.
pub fn read(
    path: &Path,
    foreign: Foreign<'_>,
    each: &mut dyn FnMut(Record) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    let io = |source| HistoryError::Io { attempt: "read", path: path.to_owned(), source };
    let mut file = open(path).map_err(io)?;
    let mut first = String::new();
    read_line(&mut *file, &mut first).map_err(io)?;
    if is_record(&first) {
        return lines(path, first, file, each);
    }
    let mut text = first;
    file.read_to_string(&mut text).map_err(io)?;
    let refuse = |words: String| HistoryError::Import { path: path.to_owned(), line: None, words };
    if let Some(records) = foreign(&text) {
        return records.map_err(refuse)?.into_iter().try_for_each(each);
    }
    match store::parse(text.as_bytes(), path) {
        Ok(record) => each(record),
        Err(store::StoreError::Malformed { source, .. }) => Err(refuse(odd(&source))),
        Err(error) => Err(error.into()),
    }
}

/// A file, unpacked on the way when it is compressed.
fn open(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    let packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(match packed {
        true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        false => Box::new(file),
    })
}

fn read_line(file: &mut dyn BufRead, line: &mut String) -> std::io::Result<usize> {
    line.clear();
    file.read_line(line)
}

/// Whether a line is a whole record by itself, of whatever version.
fn is_record(line: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(rename = "schema_version")]
        _version: u64,
    }
    serde_json::from_str::<Head>(line).is_ok()
}

fn lines(
    path: &Path,
    first: String,
    mut file: Box<dyn BufRead>,
    each: &mut dyn FnMut(Record) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    let mut line = first;
    let mut number = 1;
    while !line.is_empty() {
        if !line.trim().is_empty() {
            let record = store::parse(line.as_bytes(), path).map_err(|error| match error {
                store::StoreError::Malformed { source, .. } => HistoryError::Import {
                    path: path.to_owned(),
                    line: Some(number),
                    words: odd(&source),
                },
                other => other.into(),
            })?;
            each(record)?;
        }
        number += 1;
        read_line(&mut *file, &mut line).map_err(|source| HistoryError::Io {
            attempt: "read",
            path: path.to_owned(),
            source,
        })?;
    }
    Ok(())
}

/// What is wrong with a text that is no record.
fn odd(error: &serde_json::Error) -> String {
    match error.is_eof() {
        true => format!("it ends early: {error}"),
        false => format!("it is no record, and no JSON of fio: {error}"),
    }
}
