//! The coordinator: finds agents, selects hosts, leads runs.

mod client;
mod collect;
mod discovery;
#[cfg(test)]
mod fuzz;
mod group_states;
mod jobs;
mod link;
mod relay;
mod session;

pub use client::Coordinator;
pub use collect::CollectedRun;
pub use discovery::{FoundAgent, HostSelection, IncompatibleAgent};
pub use jobs::CollectedJobs;
pub use relay::serve_relay;
pub use session::{FleetSession, HostJobsRequest, HostJobsResult, RecordSink, WaveContext};
