//! Time in which the generator itself did not run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::Nanos;

/// Time in which the generator did not run. The rates of a closed loop leave it out; operations
/// that were outstanding have it in their latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pause {
    /// Start, from the start of measuring, known to 10 ms.
    pub start: Nanos,
    /// Length.
    pub length: Nanos,
    /// What stood still.
    pub kind: PauseKind,
}

/// What stands still in a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseKind {
    /// The process: it was stopped, or got no processor.
    Stopped,
    /// The machine: it was suspended. Rates do not leave it out: clocks may have stopped too.
    Suspended,
}
