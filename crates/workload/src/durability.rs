//! What makes written data durable.

use serde::{Deserialize, Serialize};
use units::JsonSchema;

/// Which call makes written data durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncKind {
    /// fsync(2): data and all metadata.
    Fsync,
    /// fdatasync(2): data and what is needed to find it again.
    Fdatasync,
    /// sync_file_range(2) over the whole file, waiting before, writing, waiting after: sends
    /// dirty pages to the device, and neither metadata nor the device's own cache.
    FileRange,
}

/// A durability call after a number of writes, timed on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncPolicy {
    pub kind: SyncKind,
    /// Writes from one call to the next; at least 1.
    pub every: u32,
}

/// What every single write waits for, by a flag of its own (`RWF_DSYNC`, `RWF_SYNC`). On a raw
/// device, and on a direct overwrite in place, the kernel turns it into a FUA write where the
/// device has that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DurableWrites {
    /// The data, as if opened with O_DSYNC.
    Data,
    /// Data and metadata, as if opened with O_SYNC.
    DataAndMetadata,
}

/// What becomes of blocks that are no longer needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrimKind {
    /// Given back: BLKDISCARD on a device, a punched hole in a file.
    #[default]
    Discard,
    /// Zeroed by the device or the file system without sending zeros, where it can:
    /// BLKZEROOUT, FALLOC_FL_ZERO_RANGE.
    WriteZeroes,
}
