//! What every procedure is asked.

use std::path::PathBuf;

use record::{CommandLine, Plan, Purpose};
use serde::{Deserialize, Serialize};
use units::{Bytes, Nanos, Seed};
use workload::Bound;

#[derive(Debug, Clone)]
pub struct MeasureRequest {
    pub path: PathBuf,
    /// Size of the test file, or of the measured part of a device or file.
    pub size: Option<Bytes>,
    /// Measure what exists and write nothing to it.
    pub read_only: bool,
    /// The device named a second time, for leave to write to it.
    pub destroy_data_on: Option<PathBuf>,
    /// Most bytes that the run may write, the layout included; no bound without it.
    pub max_written: Option<Bytes>,
    pub seed: Seed,
    pub command: CommandLine,
    pub version: String,
}

impl MeasureRequest {
    /// The plan of a run; its span is known once the target is ready.
    pub(crate) fn plan(&self, purpose: Purpose, bounds: &[Bound], budget: Nanos) -> Plan {
        let (bounds, read_only, seed) = (bounds.to_vec(), self.read_only, self.seed);
        Plan { purpose, budget, bounds, read_only, span: Bytes(0), seed }
    }
}

/// How much a procedure lays out, and how long all of it may take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutBudget {
    /// Sizes that were asked for: what the target cannot take is refused before the layout.
    pub block_sizes: Vec<Bytes>,
    /// Largest test file unless a size was asked for.
    pub size: Bytes,
    /// Longest that the layout may take.
    pub layout: Nanos,
    /// The whole run, as announced.
    pub budget: Nanos,
    /// Whether cells write, or the layout alone. The coordinator announces it, no other host.
    #[serde(skip)]
    pub measures_writes: bool,
    /// Bytes that the cells write, where that is known.
    #[serde(skip)]
    pub known_writes: Option<Bytes>,
    /// The name under which it is announced, where it has one.
    #[serde(skip)]
    pub name: Option<String>,
}
