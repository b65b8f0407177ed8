//! Trials: short measurements that answer one truth check's question each.

use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Bytes, Nanos};

/// What a cell of the role [`crate::CellRole::Trial`] was measured for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Trial {
    /// The same blocks of a place not touched by this run before, read again and again: is the
    /// first time slower (filled on first touch), or the second faster (a cache below us)?
    Reread {
        /// 1 for the first time; 3 after all other reads, where the second was faster.
        pass: u32,
    },
    /// Random reads within so much of the span: how large is a cache in front of the medium?
    WorkingSet {
        /// The part that was read.
        size: Bytes,
    },
    /// Blocks of one content: does the device shorten or merge what it stores?
    Content {
        /// What the blocks hold.
        content: Content,
        /// Whether this cell wrote them; else it read them back.
        written: bool,
        /// Which of the repetitions, from 1: cells of one round are held against each other. 0
        /// for writes that only make ready or clear up.
        round: u32,
        /// What of the blocks the file system then called encoded, where it was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        encoded: Option<Bytes>,
    },
    /// Writes of one place: does a flush cost anything?
    Flush {
        /// Whether each was followed by one.
        flushed: bool,
        /// Which of the repetitions, from 1.
        round: u32,
    },
    /// Writes of blocks that did not exist, and again: does the first touch cost more?
    Touch {
        /// 1 for the first time.
        pass: u32,
        /// Which place, from 1: each is written for the first time, and again at once.
        round: u32,
        /// Whether the blocks lie scattered; else they follow each other.
        scattered: bool,
    },
    /// Requests after a pause: does the device fall asleep?
    Wake {
        /// Between the end of one and the start of the next.
        pause: Nanos,
    },
    /// Requests that start this number of bytes past a block's start.
    Shifted {
        /// 0 for the aligned ones they are held against.
        by: Bytes,
    },
    /// Random reads over a part of the whole device: does an arm move?
    Stretch {
        /// The part that was read.
        size: Bytes,
    },
    /// Sequential reads at one place of the device: the curve over its surface.
    Surface {
        /// Where, from the start of the device.
        at: Bytes,
    },
    /// Random reads at one place of the surface: the access times there.
    Access {
        /// Where, from the start of the device.
        at: Bytes,
    },
    /// One workload until a burst ends.
    Soak,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Incompressible, and every sector unlike any other.
    Unique,
    Zeros,
    /// Incompressible, and every block one of a few.
    Repeated,
}

/// Blocks that were read to see what they hold: zeros only, or data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContentSample {
    pub block_size: Bytes,
    /// Blocks looked at, at random places of the measured part, one at a time.
    pub blocks: u64,
    /// Of them: with nothing but zeros.
    pub zero: u64,
    /// Median latency of reading one of those; absent where there were too few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero_p50_ns: Option<Estimate>,
    /// Median latency of reading one of the others; absent where there were too few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_p50_ns: Option<Estimate>,
    pub elapsed: Nanos,
    /// Why it ended early, in the system's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
