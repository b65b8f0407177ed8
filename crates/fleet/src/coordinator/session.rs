//! A run over hosts.

mod acknowledge;
mod cell;
mod cell_store;
mod fleet_session;
mod jobs;
mod relay_orders;
mod relays;
mod remote_host;
mod state_inbox;
mod transport;

pub use fleet_session::{FleetSession, RecordSink, WaveContext};
pub use jobs::{HostJobsRequest, HostJobsResult};
pub(super) use relays::UsableRelays;
