//! Findings: the outcome of one truth check, with its evidence.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which truth check. The names are a contract: they are stored, printed and asked for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // each is explained where it is found: crates/analysis/src/checks
pub enum FindingId {
    PageCache,
    Unwritten,
    ZeroBlocks,
    HostCache,
    DeviceCache,
    Compressible,
    Dedup,
    Flush,
    FirstTouch,
    Burst,
    ProviderLimit,
    NotSettled,
    Neighbour,
    ClientBound,
    LinkBound,
    OsThrottle,
    IdleLatency,
    Misaligned,
    ShortStroke,
    Impossible,
    Coverage,
    Little,
    Stall,
    Backlog,
}

/// Every check with its name, in the order of the enum.
const NAMES: [(FindingId, &str); 24] = [
    (FindingId::PageCache, "page-cache"),
    (FindingId::Unwritten, "unwritten"),
    (FindingId::ZeroBlocks, "zero-blocks"),
    (FindingId::HostCache, "host-cache"),
    (FindingId::DeviceCache, "device-cache"),
    (FindingId::Compressible, "compressible"),
    (FindingId::Dedup, "dedup"),
    (FindingId::Flush, "flush"),
    (FindingId::FirstTouch, "first-touch"),
    (FindingId::Burst, "burst"),
    (FindingId::ProviderLimit, "provider-limit"),
    (FindingId::NotSettled, "not-settled"),
    (FindingId::Neighbour, "neighbour"),
    (FindingId::ClientBound, "client-bound"),
    (FindingId::LinkBound, "link-bound"),
    (FindingId::OsThrottle, "os-throttle"),
    (FindingId::IdleLatency, "idle-latency"),
    (FindingId::Misaligned, "misaligned"),
    (FindingId::ShortStroke, "short-stroke"),
    (FindingId::Impossible, "impossible"),
    (FindingId::Coverage, "coverage"),
    (FindingId::Little, "little"),
    (FindingId::Stall, "stall"),
    (FindingId::Backlog, "backlog"),
];

impl FindingId {
    /// Every check, in the order of the contract.
    pub const ALL: [Self; NAMES.len()] = {
        let mut all = [Self::PageCache; NAMES.len()];
        let mut place = 0;
        while place < NAMES.len() {
            all[place] = NAMES[place].0;
            place += 1;
        }
        all
    };

    /// The check of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }

    /// The name as it is stored and printed: `page-cache`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize].1
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a truth check ended. The order is from harmless to fatal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Looked, and found nothing.
    Ok,
    /// Could not look here, or not in this time; the summary says what it would need.
    NotObservable,
    /// Worth knowing; the numbers stand.
    Note,
    /// The numbers stand, but not for what a reader would take them for.
    Warning,
    /// The numbers of the named cells must not be used.
    Invalid,
}

impl Status {
    /// The word as it is stored and printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::NotObservable => "not-observable",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Invalid => "invalid",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One fact that a finding rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// What was looked at: `bytes asked`, `sectors read by vda`.
    pub what: String,
    /// What was seen, with its unit, for people.
    pub value: String,
    /// The same as a number, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<f64>,
}

impl Evidence {
    /// A fact in words.
    pub fn text(what: impl Into<String>, value: impl Into<String>) -> Self {
        Self { what: what.into(), value: value.into(), figure: None }
    }

    /// A fact with its number.
    pub fn figure(what: impl Into<String>, value: impl Into<String>, figure: f64) -> Self {
        Self { what: what.into(), value: value.into(), figure: Some(figure) }
    }
}

/// The outcome of one truth check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Which check.
    pub id: FindingId,
    /// How it ended.
    pub status: Status,
    /// One sentence for people.
    pub summary: String,
    /// What the sentence rests on.
    pub evidence: Vec<Evidence>,
    /// The names of the cells it touches; empty when it is about the whole run.
    pub cells: Vec<String>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_is_listed_once_and_found_by_its_name() {
        let mut sorted = FindingId::ALL;
        sorted.sort();
        assert_eq!(sorted, FindingId::ALL, "in the order of the enum");
        assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(FindingId::ALL.len(), FindingId::Backlog as usize + 1);
        for id in FindingId::ALL {
            assert_eq!(FindingId::from_name(id.name()), Some(id));
            assert_eq!(serde_json::to_value(id).unwrap(), id.name());
        }
        assert_eq!(FindingId::from_name("page cache"), None);
    }
}
