//! What can go wrong with a history, in words that say what to do.

use std::path::PathBuf;

use output::OutputError;
use record::RUN_ID_EXAMPLE;
use record::store::StoreError;

/// How a database refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseFailure {
    /// Another process held it for too long.
    Locked,
    /// It may be read only.
    ReadOnly,
    /// Nothing more fits.
    Full,
    /// It is no history, or a broken one.
    Broken,
    /// No server answered.
    Unreachable,
    /// The server does not let this user in.
    Login,
    /// Any other refusal of a statement.
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

    /// What to do next, where there is something.
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

/// Why a history could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// There is no place for it.
    #[error(transparent)]
    Record(#[from] StoreError),
    /// A file of it cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The operating system said no.
    #[error("cannot {attempt} {}: {source}", path.display())]
    Io {
        /// What was tried.
        attempt: &'static str,
        /// On which path.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// The database refused.
    #[error("{}", failure.describe(place, words))]
    Database {
        /// In which way.
        failure: DatabaseFailure,
        /// Which history, without its password.
        place: String,
        /// The database's words.
        words: String,
    },
    /// A link or a device has the name of one of its files.
    #[error("refused to use {} as the history: it is no regular file", path.display())]
    NotOurs {
        /// What has the name.
        path: PathBuf,
    },
    /// A newer truedisk made it.
    #[error("the history {place} has version {found}, this truedisk reads up to {known}")]
    Newer {
        /// Which history.
        place: String,
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// The address is none.
    #[error("TRUEDISK_HISTORY is no address of a history: {words}")]
    Address {
        /// What is wrong with it.
        words: String,
    },
    /// No run by that name.
    #[error("no run '{}' in the history", input::shorten_text(name))]
    UnknownRun {
        /// As it was asked for.
        name: String,
        /// The nearest ids and tags.
        nearest: Vec<String>,
    },
    /// Several runs begin so.
    #[error("'{name}' begins the ids of {} runs", ids.len())]
    Ambiguous {
        /// As it was asked for.
        name: String,
        /// The runs.
        ids: Vec<String>,
    },
    /// An id that would be taken for something else.
    #[error("'{}' is no id of a run", input::shorten_text(id))]
    InvalidId {
        /// The id.
        id: String,
    },
    /// A tag that would be taken for something else.
    #[error("'{name}' cannot be a tag: {why}")]
    InvalidTag {
        /// The tag.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// A run of that id is there, and is another.
    #[error("the history has another run with the id {id}")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// A run whose record is gone.
    #[error("the record of run {id} is damaged: {words}")]
    Damaged {
        /// The run.
        id: String,
        /// What is wrong.
        words: String,
    },
    /// A file that is to be taken in is none that is known.
    #[error("cannot take in {}{}: {words}", path.display(), format_line(line.as_ref()))]
    Import {
        /// The file.
        path: PathBuf,
        /// The line, where it has lines.
        line: Option<usize>,
        /// What is wrong.
        words: String,
    },
    /// The export could not be written.
    #[error("cannot write the export: {words}")]
    Export {
        /// What is wrong.
        words: String,
    },
}

fn format_line(line: Option<&usize>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

impl HistoryError {
    pub(crate) fn export(error: &dyn std::fmt::Display) -> Self {
        Self::Export { words: error.to_string() }
    }

    /// What to do next, where there is something.
    pub fn hint(&self) -> Option<String> {
        let words = match self {
            Self::UnknownRun { nearest, .. } if !nearest.is_empty() => {
                return Some(format!("the nearest: {}", nearest.join(", ")));
            }
            Self::Ambiguous { ids, .. } => {
                let shown: Vec<&str> = ids.iter().take(4).map(String::as_str).collect();
                return Some(format!("write more of it: {}", shown.join(", ")));
            }
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
            Self::Record(_)
            | Self::Output(_)
            | Self::Io { .. }
            | Self::InvalidTag { .. }
            | Self::Damaged { .. }
            | Self::Import { .. }
            | Self::Export { .. } => return None,
        };
        Some(words.to_owned())
    }
}
