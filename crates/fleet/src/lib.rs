//! Many hosts: agents, and the coordinator that leads them over NATS.
//!
//! An [`agent`] registers with a server and waits. A [`Coordinator`] finds agents, has each guard
//! check the target, prepares hosts, and starts each cell on all of them at one instant. `method`
//! decides what is measured; `analysis` decides what the figures mean together.
//!
//! It does not run commands, open what the guard refuses, or print.
//!
//! Invariants
//! - Messages that are too large, malformed, of another version, or about a forbidden path are
//!   refused, and both sides say so.
//! - Measuring happens on plain threads; async code only carries messages.
//! - The offset of a host's clock is measured, with a bound on the error.
//! - An agent without a coordinator ends its run and keeps the record.
//! - Losing a host is always reported.
//!
//! Start reading at [`message`], then [`agent`] and `coordinator`.
#![forbid(unsafe_code)]

pub mod agent;
mod clock;
mod connect;
mod coordinator;
mod error;
/// Public for tests of agents only.
#[doc(hidden)]
pub mod message;
mod name;
mod payload;
mod permissions;
mod spool;
pub mod ssh;
mod stream;
#[cfg(test)]
mod testing;
mod wave_plan;

pub use connect::NatsServer;
pub use coordinator::{
    CollectedJobs, CollectedRun, Coordinator, FleetSession, FoundAgent, HostJobsRequest,
    HostJobsResult, HostSelection, IncompatibleAgent, RecordSink, WaveContext, serve_relay,
};
pub use error::FleetError;
pub use message::{AgentInfo, Version};
pub use name::{AgentName, Label, RunName};
pub use permissions::nats_permissions;
pub use wave_plan::{TagLimit, WaveLimits, plan_waves};
