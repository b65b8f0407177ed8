//! What a run gives the printers: figures per instance, merged where the job asks for it.

mod clients;
mod compact;
mod display;
mod merge;
pub(crate) mod rates;
mod types;

pub use crate::options::report::Unified;
pub use clients::{ClientRun, ClientRuns};
pub use merge::ReportedDirection;
pub use types::{
    DirectionResult, DiskUse, Display, Idleness, JobResult, LatencyTarget, RunResult, Samples,
    SteadyState, SyncResult,
};
