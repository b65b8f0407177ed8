//! What is wrong with the file of a load.

use std::io;

use fio::iolog::ReadError;
use record::TraceError;
use record::profile::ProfileError;

/// What is wrong with the file of a load.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot be read: {0}; is it there, and on a healthy disk?")]
    Io(io::Error),
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error("{0}; capture the load again: truedisk capture")]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    Iolog(#[from] ReadError),
    #[error(
        "it is no load: no profile or trace of truedisk, no binary file of blktrace, no text of \
         blkparse, no I/O log of fio of version 2 or 3; give one of these"
    )]
    Unknown,
    #[error(
        "it is a pipe, and a load is read twice: to look at it, and to replay it; store it in a \
         file first"
    )]
    Pipe,
    #[error("it holds no request that can be replayed; capture the load while there is one")]
    Empty,
    #[error(
        "it is a trace of blktrace from a big-endian machine, and this one is little-endian; \
         run blkparse there, and replay its text"
    )]
    ForeignEndianness,
    #[error(
        "it was truncated: its last event, at byte {0}, is not whole; cut it off there: \
         truncate --size={0} FILE"
    )]
    Truncated(u64),
    #[error("it is damaged: {0}; copy it again, or trace the load again")]
    Damaged(String),
    #[error("line {line} {problem}; replay what blkparse prints without -f")]
    Line { line: u64, problem: String },
    #[error(
        "its times run backwards: at {place} {start_ns} ns after {before_ns} ns; sort it by time"
    )]
    Backwards { place: String, start_ns: u64, before_ns: u64 },
    #[error(
        "it has requests of two devices, {first} and {second}, which have one target here; trace \
         one of them"
    )]
    TwoDevices { first: String, second: String },
    #[error(
        "line {line} of the I/O log is of a second file, and here all requests go to one target; \
         replay it with truedisk fio --read_iolog, or split it by file"
    )]
    TwoFiles { line: u64 },
    #[error("it changed while it was replayed; replay it when nothing writes to it any more")]
    Changed,
    #[error("line {0} of the I/O log moves 4 GiB or more in one request; correct it")]
    TooLong(u64),
}

impl LoadError {
    /// What is wrong, without what to do about it.
    pub fn problem(&self) -> String {
        self.split_text().0
    }

    pub fn hint(&self) -> String {
        self.split_text().1
    }

    /// Every text is the problem, a semicolon, and what to do.
    fn split_text(&self) -> (String, String) {
        let text = self.to_string();
        match text.rsplit_once("; ") {
            Some((problem, hint)) => (problem.to_owned(), hint.to_owned()),
            None => (text, "capture the load again: truedisk capture".to_owned()),
        }
    }
}
