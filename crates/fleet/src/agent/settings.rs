//! What an agent is started with.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::SimulatedDevice;

use crate::connect::NatsServer;
use crate::name::{AgentName, Label};

/// What an agent is started with.
#[derive(Debug, Clone)]
pub struct AgentSettings {
    /// The server.
    pub server: NatsServer,
    /// Its name there.
    pub name: AgentName,
    /// What it is chosen by, beside its name.
    pub labels: Vec<Label>,
    /// What it may measure.
    pub allow: Vec<PathBuf>,
    /// Whether it writes nothing.
    pub read_only: bool,
    /// Where records are kept.
    pub spool: PathBuf,
    /// Version of the program.
    pub version: String,
    /// What operations go to instead of the target: benches, with more agents than disks.
    pub simulated: Option<SimulatedDevice>,
}

/// The labels as a map; of one given twice the last counts.
pub(super) fn label_map(labels: &[Label]) -> BTreeMap<String, String> {
    labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect()
}
