//! Files of records: where they lie, how they are written and read.

use std::borrow::Cow;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::upgrade::upgrade;
use crate::{Record, SCHEMA_VERSION};

/// How a compressed file begins (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What went wrong with a record's file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// `read`, `unpack`.
        attempt: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// The system's own error.
        source: std::io::Error,
    },
    /// Not a record.
    #[error("{} is not a truedisk record: {source}", path.display())]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What the reader says.
        source: serde_json::Error,
    },
    /// From a later version of this program.
    #[error(
        "{} has schema version {found}, this truedisk reads up to {SCHEMA_VERSION}",
        path.display()
    )]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
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

/// The record as JSON, one line.
///
/// # Errors
/// Only when a number in it is not finite.
pub fn to_json(record: &Record) -> Result<String, serde_json::Error> {
    serde_json::to_string(record)
}

/// The record as compressed JSON: what the history keeps.
///
/// # Errors
/// Only when a number in it is not finite.
pub fn compress(record: &Record) -> Result<Vec<u8>, serde_json::Error> {
    let json = to_json(record)?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    packed.write_all(json.as_bytes()).and_then(|()| packed.finish()).map_err(serde_json::Error::io)
}

/// Reads a record, compressed or not.
///
/// # Errors
/// When the file cannot be read, is no record, or comes from a newer schema.
pub fn load(path: &Path) -> Result<Record, StoreError> {
    let bytes = fs::read(path).map_err(|source| StoreError::Io {
        attempt: "read",
        path: path.to_owned(),
        source,
    })?;
    parse(&bytes, path)
}

/// Reads a record out of the bytes of a file, compressed or not; `path` is for the words of an
/// error.
///
/// # Errors
/// When it is no record, or comes from a newer schema.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Record, StoreError> {
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let mut value: serde_json::Value =
        serde_json::from_slice(&unpack(bytes, path)?).map_err(malformed)?;
    if let Some(found) = value.get("schema_version").and_then(serde_json::Value::as_u64)
        && found > u64::from(SCHEMA_VERSION)
    {
        return Err(StoreError::Newer { path: path.to_owned(), found });
    }
    upgrade(&mut value);
    serde_json::from_value(value).map_err(malformed)
}

/// The bytes of a file, unpacked when they were compressed; `path` is for the words of an error.
///
/// # Errors
/// When they were compressed and end early, or do not fit their checksum.
pub fn unpack<'a>(bytes: &'a [u8], path: &Path) -> Result<Cow<'a, [u8]>, StoreError> {
    if !bytes.starts_with(&GZIP) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).map_err(|source| StoreError::Io {
        attempt: "unpack",
        path: path.to_owned(),
        source,
    })?;
    Ok(Cow::Owned(plain))
}

/// The JSON Schema of a record.
#[must_use]
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(Record).to_value()
}
