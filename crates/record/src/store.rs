//! Files of records: where they lie, how they are written and read.

use std::borrow::Cow;
use std::io::{self, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::run::Record;
use crate::run_id::{RUN_ID_EXAMPLE, is_run_id};
use crate::tool::SCHEMA_VERSION;
use crate::upgrade::upgrade_record;

/// How a compressed file begins (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Most JSON values of a record. Real ones have 5 bytes per value, so 160 MiB of them fit.
const VALUES_MAX: usize = 32 << 20;
/// Most JSON values of a record of schema 1, which is read as a tree at 80 bytes per value. Such a
/// record had up to 30 cells, and 1000 values per cell.
const VERSION_1_VALUES_MAX: usize = 1 << 20;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// `read`, `unpack`.
        attempt: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "{} is not a truedisk record: {}",
        path.display(),
        input::shorten_message(&source.to_string())
    )]
    Malformed { path: PathBuf, source: serde_json::Error },
    #[error(
        "{} is not a truedisk record: '{}' is no id of a run; one looks like {}",
        path.display(),
        input::shorten_text(id),
        RUN_ID_EXAMPLE
    )]
    Id { path: PathBuf, id: String },
    #[error(
        "{} has schema version {found}, this truedisk reads up to {SCHEMA_VERSION}",
        path.display()
    )]
    Newer { path: PathBuf, found: u64 },
    /// Neither `XDG_DATA_HOME` nor `HOME` says where to keep records.
    #[error("no folder for records: neither XDG_DATA_HOME nor HOME is set")]
    NoHome,
}

/// The folder of records: `$XDG_DATA_HOME/truedisk`, else `$HOME/.local/share/truedisk`.
///
/// # Errors
/// When neither variable holds an absolute path.
pub fn default_folder(env: impl Fn(&str) -> Option<String>) -> Result<PathBuf, StoreError> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        .map(|base| base.join("truedisk"))
        .ok_or(StoreError::NoHome)
}

/// Writes the record as JSON, one line, harmless to a terminal. It is nowhere whole: that of
/// thousands of hosts has tens of megabytes.
///
/// # Errors
/// Those of `file`.
pub fn write_json(record: &Record, file: &mut dyn Write) -> io::Result<()> {
    let mut escaped = JsonEscaper { pending: Vec::with_capacity(ESCAPED_AT_ONCE), file };
    serde_json::to_writer(&mut escaped, record)?;
    escaped.flush()
}

/// The record as [`write_json`] writes it.
///
/// # Errors
/// Writing into memory does not fail.
pub fn to_json(record: &Record) -> io::Result<String> {
    let mut json = Vec::new();
    write_json(record, &mut json)?;
    String::from_utf8(json).map_err(io::Error::other)
}

/// Bytes that are escaped together: serde_json writes a few at a time.
const ESCAPED_AT_ONCE: usize = 64 << 10;

/// Escapes the control characters of a JSON document, of which it is given whole characters.
struct JsonEscaper<'a> {
    pending: Vec<u8>,
    file: &'a mut dyn Write,
}

impl JsonEscaper<'_> {
    fn write_pending(&mut self) -> io::Result<()> {
        let text = std::str::from_utf8(&self.pending)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.file.write_all(units::escape_json(text).as_bytes())?;
        self.pending.clear();
        Ok(())
    }
}

impl Write for JsonEscaper<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.len() + bytes.len() > ESCAPED_AT_ONCE {
            self.write_pending()?;
        }
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_pending()?;
        self.file.flush()
    }
}

/// The record as compressed JSON: what the history keeps.
///
/// # Errors
/// Writing into memory does not fail.
pub fn compress_record(record: &Record) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    write_compressed(record, &mut packed)?;
    Ok(packed)
}

/// Writes the record as [`compress_record`] makes it.
///
/// # Errors
/// Those of `file`.
pub fn write_compressed(record: &Record, file: &mut dyn Write) -> io::Result<()> {
    let mut packed = GzEncoder::new(file, Compression::best());
    write_json(record, &mut packed)?;
    packed.finish().map(|_| ())
}

/// Whether JSON that another program wrote is as harmless to a terminal as ours.
pub fn is_harmless(json: &[u8]) -> bool {
    let text = std::str::from_utf8(json);
    text.is_ok_and(|text| matches!(units::escape_json(text), Cow::Borrowed(_)))
}

/// Reads a record, compressed or not.
///
/// # Errors
/// When the file cannot be read, is too large, is no record, or comes from a newer schema.
pub fn load_record(path: &Path) -> Result<Record, StoreError> {
    parse_record(&load_record_bytes(path)?, path)
}

/// The bytes of a file that may be a record, unpacked when they were compressed.
///
/// # Errors
/// When the file cannot be read or unpacked, or is too large.
pub fn load_record_bytes(path: &Path) -> Result<Vec<u8>, StoreError> {
    let io = |attempt| {
        let path = path.to_owned();
        move |source| StoreError::Io { attempt, path, source }
    };
    let file = input::open_file(path).map_err(io("read"))?;
    let mut file = BufReader::new(file);
    let mut head = Vec::new();
    file.by_ref().take(GZIP_MAGIC.len() as u64).read_to_end(&mut head).map_err(io("read"))?;
    let whole = head.as_slice().chain(file);
    match head == GZIP_MAGIC {
        true => {
            input::read_to_limit(GzDecoder::new(whole), input::RECORD_MAX).map_err(io("unpack"))
        }
        false => input::read_to_limit(whole, input::RECORD_MAX).map_err(io("read")),
    }
}

/// All that is looked at before the version is known.
#[derive(serde::Deserialize)]
struct VersionHeader {
    schema_version: u64,
}

/// The last version whose measurements and judgement stand in one object, side by side.
const LAST_FLAT_VERSION: u64 = 3;

/// Reads a record out of the bytes of a file, compressed or not; `path` is for the words of an
/// error.
///
/// A judgement of a flat version is not read: it is made again from what was measured.
///
/// # Errors
/// When it is no record, is too large, or comes from a newer schema.
pub fn parse_record(bytes: &[u8], path: &Path) -> Result<Record, StoreError> {
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let too_large = |source| StoreError::Io { attempt: "read", path: path.to_owned(), source };
    let plain = decompress(bytes, path)?;
    input::check_json(&plain, VALUES_MAX).map_err(too_large)?;
    let version = serde_json::from_slice(&plain).map(|head: VersionHeader| head.schema_version);
    let record = match version.map_err(malformed)? {
        1 => {
            input::check_json(&plain, VERSION_1_VALUES_MAX).map_err(too_large)?;
            let mut value: Value = serde_json::from_slice(&plain).map_err(malformed)?;
            upgrade_record(&mut value);
            let upgraded = serde_json::to_vec(&value).map_err(malformed)?;
            Record::from_measured(serde_json::from_slice(&upgraded).map_err(malformed)?)
        }
        0..=LAST_FLAT_VERSION => {
            Record::from_measured(serde_json::from_slice(&plain).map_err(malformed)?)
        }
        found if found > u64::from(SCHEMA_VERSION) => {
            return Err(StoreError::Newer { path: path.to_owned(), found });
        }
        // What is written again is of the newest.
        _ => Record {
            schema_version: SCHEMA_VERSION,
            ..serde_json::from_slice(&plain).map_err(malformed)?
        },
    };
    if !is_run_id(&record.measured.id) {
        return Err(StoreError::Id { path: path.to_owned(), id: record.measured.id });
    }
    Ok(record)
}

/// The bytes of a file, unpacked when they were compressed; `path` is for the words of an error.
///
/// # Errors
/// When they were compressed and end early, do not fit their checksum, or are too many.
pub fn decompress<'a>(bytes: &'a [u8], path: &Path) -> Result<Cow<'a, [u8]>, StoreError> {
    let io = |source| StoreError::Io { attempt: "unpack", path: path.to_owned(), source };
    if !bytes.starts_with(&GZIP_MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let plain = input::read_to_limit(GzDecoder::new(bytes), input::RECORD_MAX).map_err(io)?;
    Ok(Cow::Owned(plain))
}

/// The JSON Schema of a record. `cargo run -p record --features schema --example schema` writes it.
pub const JSON_SCHEMA: &str = include_str!("../schema.json");

/// What [`JSON_SCHEMA`] has to be.
#[cfg(feature = "schema")]
pub fn derive_schema() -> Value {
    schemars::schema_for!(Record).to_value()
}
