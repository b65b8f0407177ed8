//! What is seen over time: the end of a burst, and whether writes have settled.

use message::{Message, label};
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Bytes, Nanos};

/// A token bucket: a store of operations or bytes beyond the baseline, which a load empties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TokenBucket {
    /// What the rates and the size count.
    pub counts: Counted,
    /// Per second while it lasts.
    pub burst: Estimate,
    /// Per second from then on.
    pub baseline: Estimate,
    /// What was in it at the start of the run; a lower bound of what fits into it, and exactly that
    /// where it was full.
    pub size: Estimate,
    /// From the start of the run until it was empty.
    pub after: Nanos,
    pub cell: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    Operations,
    Bytes,
}

/// What the figures of the writes stand for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Writes {
    pub state: WriteState,
    pub because: Message,
    /// Rounds of random writing that ran.
    pub rounds: u32,
    /// Everything that the run wrote to the target.
    pub written: Bytes,
    /// The part of the target that was measured.
    pub span: Bytes,
    /// The device under it; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Bytes>,
}

/// Whether writes go on as they were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteState {
    /// They were faster than they stay: a cache or a store of credits took them.
    Burst,
    /// The rounds before them agreed, and nothing fell since.
    Sustained,
    /// The rounds did not agree in the time that there was, or a write cache may have taken all
    /// that they wrote.
    NotSettled,
}

impl WriteState {
    /// For people, next to the number.
    pub fn label(self) -> Message {
        match self {
            Self::Burst => label("record-writes-burst"),
            Self::Sustained => label("record-writes-sustained"),
            Self::NotSettled => label("record-writes-not-settled"),
        }
    }
}
