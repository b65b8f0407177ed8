//! How to measure: sequences of jobs, and the decisions between them.
//!
//! [`check`] is the main job. [`limit`] searches the most operations within a latency bound,
//! [`sweep`] measures a matrix, [`mod@preset`] runs the tests of other tools, [`interleave()`]
//! measures two targets in turns. Each leads a `session` of cells on a `site`: this host, or many
//! hosts behind a [`HostTransport`]. They talk to people only through [`Observer`].
//!
//! - Nothing is printed here, and no device is opened.
//! - Whatever ends a run early, what was measured is kept and marked partial.
//! - The test file is gone when a procedure returns, however it returns.
//! - Every default that a run used stands in its record's plan.
#![forbid(unsafe_code)]

mod cell;
mod check;
mod check_run;
mod defaults;
mod error;
mod host_session;
mod host_transport;
mod interleave;
mod layout;
mod limit;
mod metadata;
mod observer;
pub mod phase;
mod prepared_target;
pub mod preset;
pub mod profile;
mod record_builder;
mod replay;
mod request;
mod request_checks;
mod sent_profile;
mod session;
mod shuffle;
#[cfg(any(test, feature = "simulated"))]
pub mod simulated;
mod site;
mod surface;
mod sweep;
#[cfg(test)]
mod tests;
mod time_budget;
mod truth_probe;
mod write_budget;

pub use cell::{CounterReading, build_cell};
pub use check::{CheckRequest, check};
pub use error::MethodError;
pub use host_session::HostSession;
pub use host_transport::{
    CellResults, HostGroup, HostReadiness, HostRequest, HostResult, HostTransport, Place,
    ReadyHost, TargetIdentity,
};
pub use interleave::{
    InterleaveOutcome, InterleaveRequest, VisitCell, default_visit_cells, interleave,
};
pub use layout::{LayoutOutcome, LayoutRequest, write_layout};
pub use limit::{LimitRequest, limit};
pub use metadata::{
    MetadataRequest, bytes_written_max as metadata_written_max, expected_time as metadata_time,
    metadata, time_limit as metadata_longest, validate_request as validate_metadata,
};
pub use observer::{Observer, SilentObserver};
pub use preset::{Preset, PresetError, PresetRequest};
pub use record_builder::{begin_record, describe_host, make_run_id};
pub use replay::{
    LoadError, LoadFormat, ReplayRequest, SpeedSearch, SurveyedLoad, fuzz_one as fuzz_load,
    read_load, read_profile, replay,
};
pub use request::{LayoutBudget, MeasureRequest};
pub use sent_profile::SentProfile;
pub use site::remote_hosts::unsharable_folder_error;
pub use sweep::{SweepRequest, cell_times, sweep};
pub use time_budget::TimeBudget;
