//! A profile on its way to other hosts.

use record::OffsetMap;
use serde::{Deserialize, Serialize};
use units::{Bytes, Seed};

/// It is a part of one message.
const SENT_BYTES_MAX: usize = 256 << 10;

/// What a replay on other hosts draws its requests from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentProfile {
    /// As in its file.
    pub toml: String,
    /// What is drawn from it follows from this.
    pub seed: Seed,
    /// Where requests go; absent: as they are where they fit, else scaled.
    pub map: Option<OffsetMap>,
}

impl SentProfile {
    /// Why a host would refuse it.
    pub fn find_violation(&self) -> Option<String> {
        let (bytes, limit) = (Bytes(self.toml.len() as u64), Bytes(SENT_BYTES_MAX as u64));
        (bytes > limit).then(|| format!("a profile of {bytes}; the limit is {limit}"))
    }
}
