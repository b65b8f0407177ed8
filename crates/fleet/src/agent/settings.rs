//! Settings of an agent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::SimulatedDevice;

use crate::connect::NatsServer;
use crate::name::{AgentName, Label};

#[derive(Debug, Clone)]
pub struct AgentSettings {
    pub server: NatsServer,
    pub name: AgentName,
    pub labels: Vec<Label>,
    pub allow: Vec<PathBuf>,
    pub read_only: bool,
    pub spool: PathBuf,
    pub version: String,
    /// Device that replaces the target, for benches.
    pub simulated: Option<SimulatedDevice>,
}

pub(crate) fn label_map(labels: &[Label]) -> BTreeMap<String, String> {
    labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect()
}
