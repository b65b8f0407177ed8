//! Many hosts: agents that measure when they are told, and the coordinator that tells them.
//!
//! An [`agent`] registers with a NATS server and waits. A [`Coordinator`] finds the agents, lets
//! all of their guards speak, makes them ready, starts each cell on all of them at one instant, and
//! gets their figures back. What is measured next is decided by `method`, which sees the hosts
//! through its seam [`method::Hosts`]; what figures mean together is decided by `analysis`.
//!
//! What it deliberately does not do: run commands, open anything that the guard did not permit,
//! decide what is measured, print.
//!
//! Invariants
//! - Messages are data of this crate's schema: one that is too large, malformed, of another
//!   version, or about a path that is not allowed, is refused, and both sides say so.
//! - The one room with an async runtime (the history's PostgreSQL client has one of its own). It
//!   carries messages; measuring happens on plain threads, as everywhere.
//! - No clock of a host is believed: its offset is measured, with a bound on the error.
//! - An agent whose coordinator is gone ends by itself, and keeps what it measured on its disk
//!   until a coordinator has it.
//! - Losing a host never changes a figure in silence: the run says who was lost, when and why.
//!
//! Start reading at [`message`], then [`agent`] and `coordinator`.
#![forbid(unsafe_code)]

pub mod agent;
mod clock;
mod connect;
mod coordinator;
mod error;
pub mod message;
mod name;
mod payload;
mod spool;
pub mod ssh;
mod stream;
#[cfg(test)]
mod testing;

pub use connect::NatsServer;
pub use coordinator::{
    CollectedJobs, CollectedRun, Coordinator, FleetSession, FoundAgent, HostJobsRequest,
    HostJobsResult, HostSelection, IncompatibleAgent,
};
pub use error::FleetError;
pub use message::{AgentInfo, JobsProgress, Version};
pub use name::{AgentName, Label, RunName};
