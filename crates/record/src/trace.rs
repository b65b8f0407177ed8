//! Single requests of a live load: what a trace holds, and what a replay plays.

mod format;
mod reader;
mod writer;

use serde::{Deserialize, Serialize};
use workload::Direction;

pub use format::{TRACE_MAGIC, TraceHeader};
pub use reader::{TraceEnd, TraceError, TraceReader};
pub use writer::TraceWriter;

/// What a request asks of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestKind {
    Read,
    Write,
    Discard,
    /// Nothing but an order to make durable what was written.
    Flush,
}

impl RequestKind {
    /// That of the operation of a replay; a discard is none.
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Read => Some(Direction::Read),
            Self::Write => Some(Direction::Write),
            Self::Flush => Some(Direction::Sync),
            Self::Discard => None,
        }
    }
}

/// One request of a live load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceRequest {
    /// When it came to the block layer, in nanoseconds since the start of the trace.
    pub start_ns: u64,
    /// In bytes, from the start of the disk.
    pub offset: u64,
    /// In bytes; 0 of a flush.
    pub length: u32,
    pub kind: RequestKind,
    /// Durable once it has completed (FUA).
    pub is_fua: bool,
    /// From the start to the completion; absent where the source of the trace does not record it.
    pub latency_ns: Option<u64>,
}

#[cfg(test)]
mod tests;
