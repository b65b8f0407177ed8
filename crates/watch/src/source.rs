//! What every source does.

use crate::error::WatchError;
use crate::sample::{Sample, SourceKind};

/// A source of samples of live disks. Dropping it leaves nothing behind.
pub trait Source {
    fn kind(&self) -> SourceKind;

    /// What was seen since the last call, or since the source was opened.
    fn sample(&mut self) -> Result<Sample, WatchError>;
}
