//! What is wrong with the file of a load.

use std::io;

use fio::iolog::ReadError;
use record::TraceError;
use record::profile::ProfileError;

/// What is wrong with the file of a load.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot be read: {0}")]
    Io(io::Error),
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    Iolog(#[from] ReadError),
    #[error(
        "it is no load: no profile or trace of truedisk, no binary file of blktrace, no text of \
         blkparse, no I/O log of fio of version 2 or 3"
    )]
    Unknown,
    #[error("only a profile becomes a job; it is none")]
    NoProfile,
    #[error("it is a pipe, and a load is read twice: to look at it, and to replay it")]
    Pipe,
    #[error("it holds no request that can be replayed")]
    Empty,
    #[error("it is a trace of blktrace from a big-endian machine, and this one is little-endian")]
    ForeignEndianness,
    #[error("it was truncated: its last event, at byte {0}, is not whole")]
    Truncated(u64),
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error("line {line} {problem}")]
    Line { line: u64, problem: String },
    #[error("its times run backwards: at {place} {start_ns} ns after {before_ns} ns")]
    Backwards { place: String, start_ns: u64, before_ns: u64 },
    #[error("it has requests of two devices, {first} and {second}, which have one target here")]
    TwoDevices { first: String, second: String },
    #[error(
        "line {line} of the I/O log is of a second file, and here all requests go to one target"
    )]
    TwoFiles { line: u64 },
    #[error("it changed while it was replayed")]
    Changed,
    #[error("line {0} of the I/O log moves 4 GiB or more in one request")]
    TooLong(u64),
}

const AGAIN: &str = "capture the load again: truedisk capture";

impl LoadError {
    /// What is wrong, without what to do about it.
    pub fn problem(&self) -> String {
        match self {
            Self::Trace(error) => split_text(&error.to_string()).0,
            Self::Iolog(error) => split_text(&error.to_string()).0,
            Self::Profile(ProfileError::Newer(_)) => split_text(&self.to_string()).0,
            _ => self.to_string(),
        }
    }

    pub fn hint(&self) -> String {
        let hint = match self {
            Self::Trace(error) => return split_text(&error.to_string()).1,
            Self::Iolog(error) => return split_text(&error.to_string()).1,
            Self::Profile(ProfileError::Newer(_)) => return split_text(&self.to_string()).1,
            Self::Profile(_) => AGAIN,
            Self::Io(_) => "is it there, and on a healthy disk?",
            Self::Unknown => "give one of these",
            Self::NoProfile => "truedisk capture -o FILE writes a profile",
            Self::Pipe => "store it in a file first",
            Self::Empty => "capture the load while there is one",
            Self::ForeignEndianness => "run blkparse there, and replay its text",
            Self::Truncated(at) => return format!("cut it off there: truncate --size={at} FILE"),
            Self::Damaged(_) => "copy it again, or trace the load again",
            Self::Line { .. } => "replay what blkparse prints without -f",
            Self::Backwards { .. } => "sort it by time",
            Self::TwoDevices { .. } => "trace one of them",
            Self::TwoFiles { .. } => {
                "replay it with truedisk fio --read_iolog, or split it by file"
            }
            Self::Changed => "replay it when nothing writes to it any more",
            Self::TooLong(_) => "correct it",
        };
        hint.to_owned()
    }
}

/// Of errors whose text is the problem, a semicolon, and what to do: only the problem quotes.
fn split_text(text: &str) -> (String, String) {
    match text.rsplit_once("; ") {
        Some((problem, hint)) => (problem.to_owned(), hint.to_owned()),
        None => (text.to_owned(), AGAIN.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_no_hint_and_a_profile_of_a_newer_truedisk_names_it() {
        let quoted = LoadError::Profile(ProfileError::Syntax("expected `]`; found `a; b`".into()));
        assert!(quoted.problem().ends_with("found `a; b`"), "{}", quoted.problem());
        assert_eq!(quoted.hint(), AGAIN);
        let newer = LoadError::Profile(ProfileError::Newer(9));
        assert!(newer.problem().ends_with("reads versions up to 2"), "{}", newer.problem());
        assert_eq!(newer.hint(), "use a newer truedisk");
        let damaged = TraceError::Damaged { at: 7, problem: "no chunk starts there" };
        let damaged = LoadError::Trace(damaged);
        assert_eq!(damaged.hint(), "copy it again, or capture the load again");
    }
}
