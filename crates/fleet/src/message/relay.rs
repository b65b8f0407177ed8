//! What a relay is asked for, and what it reports of its hosts.

use serde::{Deserialize, Serialize};

use super::reply::{CellProgress, RunState};
use crate::clock::RoundTrip;
use crate::name::{AgentName, RunName};

/// Hosts of one group: what is said of a group fits into one message.
pub(crate) const GROUP_HOSTS_MAX: usize = 256;
/// States in one report.
pub(crate) const REPORT_STATES_MAX: usize = 64;

/// Hosts of a run that a relay listens to instead of the coordinator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelayGroup {
    pub run: RunName,
    pub group: u32,
    /// The hosts and their [`super::AgentInfo::instance`]; their place in this list names them in
    /// reports.
    pub hosts: Vec<(AgentName, u64)>,
}

impl RelayGroup {
    pub(super) fn find_violation(&self) -> Option<String> {
        let hosts = self.hosts.len();
        (hosts > GROUP_HOSTS_MAX).then(|| format!("a group of {hosts} hosts"))
    }
}

/// What a relay has heard of a group; sent four times a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelayReport {
    pub group: u32,
    /// States that changed, and some of the others in turn, without their progress.
    pub states: Vec<(u32, RunState)>,
    /// The progress of all hosts that measure, added up.
    pub live: Option<CellProgress>,
    /// Hosts that were not heard for longer than between two states, and for how long in
    /// milliseconds.
    pub silent: Vec<(u32, u64)>,
    /// The clocks that were asked for last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<RelayClocks>,
}

/// The clocks of a group's hosts, held against the relay's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelayClocks {
    /// Which order it answers.
    pub turn: u64,
    /// The best round trip of each host, and the number of those made.
    pub trips: Vec<(u32, RoundTrip, u32)>,
}
