//! A run over hosts.

mod acknowledge;
mod cell;
mod fleet_session;
mod jobs;
mod remote_host;
mod transport;

pub use fleet_session::FleetSession;
pub use jobs::{HostJobsRequest, HostJobsResult};
