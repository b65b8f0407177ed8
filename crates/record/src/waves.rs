//! Waves: hosts of one run that were measured one group after the other.

use std::collections::BTreeMap;

use message::Message;
use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::Nanos;

use crate::finding::Finding;
use crate::named::named_enum;
use crate::verdict::Trust;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetWaves {
    /// The most hosts that measured at the same time, where that was bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u64>,
    /// The most hosts with the same value of a label that measured at the same time, by label.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub per_tag: BTreeMap<String, u64>,
    /// Number of waves that were planned.
    pub planned: u64,
    /// The waves that began, in their order.
    pub begun: Vec<FleetWave>,
    /// Hosts whose wave did not begin, ascending by name; they are not among the hosts of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_begun: Vec<String>,
}

impl FleetWaves {
    /// Number of hosts of the largest wave.
    pub fn hosts_max(&self) -> usize {
        self.begun.iter().map(|wave| wave.hosts.len()).max().unwrap_or(0)
    }

    /// Hosts of all waves, whether they began or not.
    pub fn count_hosts(&self) -> usize {
        let begun: usize = self.begun.iter().map(|wave| wave.hosts.len()).sum();
        begun + self.not_begun.len()
    }
}

/// Hosts that were measured at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetWave {
    /// Ascending by name; those that were lost too.
    pub hosts: Vec<String>,
    /// Begin and end, from the begin of the run, by the coordinator's clock.
    pub started: Nanos,
    pub ended: Nanos,
    /// Id of its own record, which has the totals of its hosts; absent where it measured nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    pub outcome: WaveOutcome,
    /// The cell by which its hosts are compared, under the name that it has in their cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main_cell: Option<String>,
    /// The cell whose hosts began farthest apart; absent where no two hosts measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartSpread>,
    /// The answer of its own record, or why there is none.
    pub headline: Message,
    /// How far its own record can be trusted; absent where it measured nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Why its totals are not those of all of its hosts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<Message>,
    /// The truth checks of its own record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

named_enum! {
    /// How a wave ended.
    pub enum WaveOutcome {
        /// It measured what was asked.
        Met = "met",
        /// A bound was not met.
        NotMet = "not-met",
        /// It was ended before its end.
        Ended = "ended",
        /// A measurement failed, or a host was lost.
        Failed = "failed",
    }
}

/// How far apart the hosts of a cell began: from the first host's begin to the last host's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartSpread {
    pub cell: String,
    pub skew: Nanos,
    /// The least and the most that it can be, by the errors of the hosts' clocks.
    pub min: Nanos,
    pub max: Nanos,
}

impl StartSpread {
    pub fn new(cell: &str, skew: Nanos, error: Nanos) -> Self {
        Self {
            cell: cell.to_owned(),
            skew,
            min: Nanos(skew.0.saturating_sub(error.0)),
            max: Nanos(skew.0.saturating_add(error.0)),
        }
    }
}
