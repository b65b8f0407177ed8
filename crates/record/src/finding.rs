//! Findings: the outcome of one truth check, with its evidence.

use std::fmt;
use std::sync::Arc;

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;

use crate::named::named_enum;

named_enum! {
    /// Which truth check. The names are a contract: they are stored, printed and asked for.
    pub enum FindingId {
        PageCache = "page-cache",
        Unwritten = "unwritten",
        ZeroBlocks = "zero-blocks",
        HostCache = "host-cache",
        DeviceCache = "device-cache",
        Compressible = "compressible",
        Dedup = "dedup",
        Flush = "flush",
        FirstTouch = "first-touch",
        Burst = "burst",
        ProviderLimit = "provider-limit",
        NotSettled = "not-settled",
        Neighbour = "neighbour",
        ClientBound = "client-bound",
        LinkBound = "link-bound",
        OsThrottle = "os-throttle",
        IdleLatency = "idle-latency",
        Misaligned = "misaligned",
        ShortStroke = "short-stroke",
        Impossible = "impossible",
        Coverage = "coverage",
        Little = "little",
        Stall = "stall",
        Backlog = "backlog",
    }
}

impl FindingId {
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

named_enum! {
    /// How a truth check ended. The order is from harmless to fatal.
    pub enum Status {
        /// Looked, and found nothing.
        Ok = "ok",
        /// Could not look here, or not in this time; the summary says what it would need.
        NotObservable = "not-observable",
        /// Worth knowing; the numbers stand.
        Note = "note",
        /// The numbers stand, but not for what a reader would take them for.
        Warning = "warning",
        /// The numbers of the named cells must not be used.
        Invalid = "invalid",
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
    pub what: Message,
    /// What was seen, with its unit, for people.
    pub value: Message,
    /// The same as a number, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<f64>,
}

impl Evidence {
    pub fn text(what: impl Into<Message>, value: impl Into<Message>) -> Self {
        Self { what: what.into(), value: value.into(), figure: None }
    }

    pub fn figure(what: impl Into<Message>, value: impl Into<Message>, figure: f64) -> Self {
        Self { what: what.into(), value: value.into(), figure: Some(figure) }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    pub id: FindingId,
    pub status: Status,
    pub summary: Message,
    pub evidence: Vec<Evidence>,
    /// The names of the cells it touches; empty when it is about the whole run.
    pub cells: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Message>,
}

/// Findings of many hosts: those that several hosts have alike are in memory once.
#[derive(Debug, Default)]
pub struct SharedFindings(Vec<Arc<Finding>>);

impl SharedFindings {
    /// Different findings of one check that are kept for comparison: more of them are figures of
    /// single hosts, which no other host has.
    const VARIANTS_MAX: usize = 4;

    pub fn share(&mut self, findings: Vec<Finding>) -> Vec<Arc<Finding>> {
        // Collected in place, they would hold the memory of whole findings.
        let mut shared = Vec::with_capacity(findings.len());
        shared.extend(findings.into_iter().map(|finding| self.share_one(finding)));
        shared
    }

    fn share_one(&mut self, finding: Finding) -> Arc<Finding> {
        let variants = || self.0.iter().filter(|known| known.id == finding.id);
        if let Some(known) = variants().find(|known| ***known == finding) {
            return Arc::clone(known);
        }
        let is_kept = variants().count() < Self::VARIANTS_MAX;
        let finding = Arc::new(finding);
        if is_kept {
            self.0.push(Arc::clone(&finding));
        }
        finding
    }
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
