//! Settings of an agent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::SimulatedDevice;

use crate::connect::NatsServer;
use crate::name::{AgentName, Label};

/// Settings of an agent.
#[derive(Debug, Clone)]
pub struct AgentSettings {
    /// The server.
    pub server: NatsServer,
    /// Its name on the server.
    pub name: AgentName,
    /// Labels to select it by.
    pub labels: Vec<Label>,
    /// Its allow-list.
    pub allow: Vec<PathBuf>,
    /// Whether it writes nothing.
    pub read_only: bool,
    /// Where records are kept.
    pub spool: PathBuf,
    /// Version of the program.
    pub version: String,
    /// Device that replaces the target, for benches.
    pub simulated: Option<SimulatedDevice>,
}

pub(super) fn label_map(labels: &[Label]) -> BTreeMap<String, String> {
    labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect()
}
