//! What a run gives the printers: figures per instance, merged where the job asks for it.

mod clients;
mod merge;
mod types;

pub use crate::options::report::{ReportOptions, Unified};
pub use clients::{ClientRun, ClientRuns};
pub use merge::ReportedDirection;
pub(crate) use merge::{bytes_per_second, ops_per_second};
pub use types::{
    DirectionResult, DiskUse, Idleness, JobResult, LatencyTarget, PriorityResult, RunResult,
    Samples, SteadyState, SyncResult,
};
