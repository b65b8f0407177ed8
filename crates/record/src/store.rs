//! Files of records: where they lie, how they are written and read.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::upgrade::upgrade;
use crate::{Record, SCHEMA_VERSION};

/// What went wrong with a record's file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// `create the folder`, `write`, `read`.
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

/// Writes `bytes` to `folder/name` so that a reader sees all of it or nothing.
///
/// # Errors
/// When the folder cannot be made or the file cannot be written.
pub fn save(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let io = |attempt, path: &Path| {
        let path = path.to_owned();
        move |source| StoreError::Io { attempt, path, source }
    };
    fs::create_dir_all(folder).map_err(io("create the folder", folder))?;
    let path = folder.join(name);
    let partial = folder.join(format!(".{name}.{}.partial", std::process::id()));
    let result = fs::File::create(&partial)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, &path));
    if let Err(source) = result {
        let _ = fs::remove_file(&partial);
        return Err(StoreError::Io { attempt: "write", path, source });
    }
    Ok(path)
}

/// Reads a record.
///
/// # Errors
/// When the file cannot be read, is no record, or comes from a newer schema.
pub fn load(path: &Path) -> Result<Record, StoreError> {
    let text = fs::read_to_string(path).map_err(|source| StoreError::Io {
        attempt: "read",
        path: path.to_owned(),
        source,
    })?;
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let mut value: serde_json::Value = serde_json::from_str(&text).map_err(malformed)?;
    if let Some(found) = value.get("schema_version").and_then(serde_json::Value::as_u64)
        && found > u64::from(SCHEMA_VERSION)
    {
        return Err(StoreError::Newer { path: path.to_owned(), found });
    }
    upgrade(&mut value);
    serde_json::from_value(value).map_err(malformed)
}

/// The JSON Schema of a record.
#[must_use]
pub fn json_schema() -> serde_json::Value {
    schemars::schema_for!(Record).to_value()
}
