//! What is written, and how it is checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Incompressible bytes; every 512-byte sector ever written is unique.
    Unique,
    /// Zeros.
    Zero,
    /// The same bytes over and over.
    Pattern {
        /// The pattern; at least one byte.
        bytes: Vec<u8>,
    },
    /// Unique blocks that a compressor makes smaller.
    Compressible {
        /// What it saves, in percent: 0 to 100.
        percent: u8,
    },
    /// Incompressible blocks of which some are copies of others.
    Dedupable {
        /// Share of the blocks that are copies, in percent: 0 to 100.
        percent: u8,
    },
}

impl Payload {
    pub(crate) fn conflict(&self) -> Option<String> {
        match self {
            Self::Unique | Self::Zero => None,
            Self::Pattern { bytes } => bytes.is_empty().then(|| "an empty pattern".to_owned()),
            Self::Compressible { percent } | Self::Dedupable { percent } => {
                (*percent > 100).then(|| format!("a payload of {percent} %"))
            }
        }
    }
}

/// When written blocks are read back and compared. Every block then carries a header (seed,
/// offset, sequence, CRC32C) and a body that follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// After every so many writes, those.
    Batches {
        /// 1: each at once.
        writes: u32,
    },
    /// All that was written, at the end.
    AtEnd,
    /// Nothing is written: the job reads what an earlier one with the same seed wrote.
    Earlier,
}
