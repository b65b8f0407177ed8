//! What can go wrong with a history, in words that say what to do.

use std::path::{Path, PathBuf};

use output::OutputError;
use record::RUN_ID_EXAMPLE;
use record::store::StoreError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseFailure {
    /// Another process held it for too long.
    Locked,
    ReadOnly,
    Full,
    Broken,
    Unreachable,
    Login,
    Other,
}

impl DatabaseFailure {
    fn describe(self, place: &str, words: &str) -> String {
        match self {
            Self::Locked => format!("the history {place} is locked by another process"),
            Self::ReadOnly => format!("the history {place} cannot be written: {words}"),
            Self::Full => format!("the history {place} cannot grow: {words}"),
            Self::Broken => format!("{place} is not a truedisk history: {words}"),
            Self::Unreachable => format!("cannot reach the history {place}: {words}"),
            Self::Login => format!("the history {place} refuses the login: {words}"),
            Self::Other => format!("the history {place} failed: {words}"),
        }
    }

    const fn hint(self) -> Option<&'static str> {
        Some(match self {
            Self::Locked => "try again when that process has ended",
            Self::ReadOnly => {
                "set XDG_DATA_HOME to a folder that you may write, or TRUEDISK_HISTORY"
            }
            Self::Full => "free some space; history delete ID removes a run",
            Self::Broken => "move it away; history import takes in the records beside it",
            Self::Unreachable => {
                "is the server running, and the address in TRUEDISK_HISTORY right?"
            }
            Self::Login => "check user and password in TRUEDISK_HISTORY",
            Self::Other => return None,
        })
    }
}

/// Why a history could not do what was asked; the messages say what each field is.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error(transparent)]
    Record(#[from] StoreError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io { attempt: &'static str, path: PathBuf, source: std::io::Error },
    /// `place` is without its password.
    #[error("{}", failure.describe(place, words))]
    Database { failure: DatabaseFailure, place: String, words: String },
    #[error("refused to use {} as the history: it is no regular file", path.display())]
    NotOurs { path: PathBuf },
    #[error("the history {place} has version {found}, this truedisk reads up to {known}")]
    Newer { place: String, found: i64, known: i64 },
    #[error("TRUEDISK_HISTORY is no address of a history: {words}")]
    Address { words: String },
    /// `nearest` are ids and tags.
    #[error("no run '{}' in the history", input::shorten_text(name))]
    UnknownRun { name: String, nearest: Vec<String> },
    #[error("'{name}' begins the ids of {} runs", ids.len())]
    Ambiguous { name: String, ids: Vec<String> },
    #[error("'{}' is no id of a run", input::shorten_text(id))]
    InvalidId { id: String },
    #[error("'{name}' cannot be a tag: {why}")]
    InvalidTag { name: String, why: &'static str },
    #[error("the history has another run with the id {id}")]
    DuplicateId { id: String },
    #[error("the record of run {id} is damaged: {words}")]
    Damaged { id: String, words: String },
    #[error("cannot take in {}{}: {words}", path.display(), format_line(line.as_ref()))]
    Import { path: PathBuf, line: Option<usize>, words: String },
    #[error("cannot write the export: {words}")]
    Export { words: String },
}

fn format_line(line: Option<&usize>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

impl HistoryError {
    pub(crate) fn export(error: impl std::fmt::Display) -> Self {
        Self::Export { words: error.to_string() }
    }

    pub fn hint(&self) -> Option<String> {
        let words = match self {
            // The user has the record as a file.
            Self::UnknownRun { name, .. } if Path::new(name).is_file() => {
                let file = input::shorten_text(name);
                return Some(format!("it is a file: truedisk history import {file} takes it in"));
            }
            Self::UnknownRun { nearest, .. } if !nearest.is_empty() => {
                return Some(format!("the nearest: {}", nearest.join(", ")));
            }
            Self::Ambiguous { ids, .. } => {
                let shown: Vec<&str> = ids.iter().take(4).map(String::as_str).collect();
                return Some(format!("write more of it: {}", shown.join(", ")));
            }
            Self::InvalidTag { .. } => "choose another, such as before-upgrade",
            Self::Import { .. } => "it takes records, exports of truedisk history, and fio's JSON",
            Self::InvalidId { .. } => return Some(format!("an id looks like {RUN_ID_EXAMPLE}")),
            Self::Database { failure, .. } => failure.hint()?,
            Self::NotOurs { .. } => {
                "remove the link or device, or set XDG_DATA_HOME to a folder of your own"
            }
            Self::UnknownRun { .. } => "truedisk history list shows the runs",
            Self::Newer { .. } | Self::Record(StoreError::Newer { .. }) => "use the newer truedisk",
            Self::Address { .. } => "write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE",
            Self::DuplicateId { .. } => "delete that one first, if this is the right one",
            Self::Record(StoreError::NoHome) => "set HOME, XDG_DATA_HOME or TRUEDISK_HISTORY",
            _ => return None,
        };
        Some(words.to_owned())
    }
}
