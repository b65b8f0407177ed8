//! The coordinator: finds agents, selects hosts, leads runs.

mod client;
mod collect;
mod discovery;
#[cfg(test)]
mod fuzz;
mod jobs;
mod link;
mod session;

pub use client::Coordinator;
pub use collect::CollectedRun;
pub use discovery::{FoundAgent, HostSelection, IncompatibleAgent};
pub use jobs::CollectedJobs;
pub use session::{FleetSession, HostJobsRequest, HostJobsResult, RecordSink, WaveContext};
