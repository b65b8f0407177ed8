//! What the lines of a trace say.

/// Version of a trace, as in its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    V2,
    /// Each line starts with its time in microseconds since the start of the run.
    V3,
}

impl Version {
    /// The first line of such a trace, without a line feed.
    pub fn header(self) -> &'static str {
        match self {
            Version::V2 => "fio version 2 iolog",
            Version::V3 => "fio version 3 iolog",
        }
    }
}

/// What an action with a place does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IoKind {
    Read,
    Write,
    Trim,
    Sync,
    Datasync,
}

impl IoKind {
    /// The word in the trace.
    pub fn word(self) -> &'static str {
        match self {
            IoKind::Read => "read",
            IoKind::Write => "write",
            IoKind::Trim => "trim",
            IoKind::Sync => "sync",
            IoKind::Datasync => "datasync",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [IoKind::Read, IoKind::Write, IoKind::Trim, IoKind::Sync, IoKind::Datasync]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// What a line of a trace says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Add,
    Open,
    Close,
    /// `wait`, of version 2. For what the number means see [`wait_time_ns`](super::wait_time_ns).
    /// fio passes over a `wait` in version 3 with a notice, so it is no error there.
    Wait {
        amount: u64,
    },
    /// An operation. Of `sync` and `datasync` the numbers mean nothing.
    Io {
        kind: IoKind,
        offset: u64,
        length: u64,
    },
}
