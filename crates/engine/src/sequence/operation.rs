//! What a sequence consists of.

use workload::Direction;

/// One operation to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    pub direction: Direction,
    /// Number of the target, where a job has several.
    pub target: u16,
    /// Bytes; 0 for a sync.
    pub length: u32,
    /// First byte on the target; meaningless for a sync.
    pub offset: u64,
}
