//! What one operation of one round gave, and why a run ended before its end.

use std::io;

use record::{CacheState, MetadataOp};
use stats::LatencyHistogram;

#[derive(Debug)]
pub(super) enum EndReason {
    Stopped,
    TimeUp,
    Failed(io::Error),
    /// What is there is not what was made: in words.
    Inconsistent(String),
}

impl From<io::Error> for EndReason {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

#[derive(Debug)]
pub(super) struct OperationSample {
    pub(super) operation: MetadataOp,
    pub(super) cache: CacheState,
    /// Operations a second.
    pub(super) rate: f64,
    pub(super) latency: LatencyHistogram,
}
