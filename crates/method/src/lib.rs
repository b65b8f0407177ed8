//! How to measure: sequences of jobs, and the decisions between them.
//!
//! [`check`] is the main job: identify, lay out a test file, measure within a time budget, judge.
//! [`limit`] searches the most operations within a latency bound; [`sweep`] measures a matrix, or
//! reads next to writes; [`mod@preset`] runs the tests of other tools, which are data;
//! [`interleave()`] measures two targets in turns, to compare them. All of them stand on `session`:
//! the target open and laid out, and cells measured on it one after the other. All of them talk to
//! people only through [`Observer`].
//!
//! The first three can stand on many [`HostTransport`] instead ([`Place`]): there a
//! [`HostSession`] measures what it is told, and here the totals decide what comes next.
//!
//! What it deliberately does not do: print, read arguments, know a report, open a device itself.
//!
//! Invariants
//! - Whatever ends a run early, what was measured is kept and marked partial.
//! - The test file is gone when [`check`], [`limit`] or [`sweep`] returns, however it returns.
//! - Every default that a run used stands in its record's plan.
//!
//! Start reading at [`check`], then `plan` and `session`; then [`limit`] and [`sweep`].
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
mod prepared_target;
pub mod preset;
mod record_builder;
mod request;
mod request_checks;
mod run_clock;
mod session;
mod shuffle;
mod site;
mod soak;
mod surface;
mod sweep;
#[cfg(test)]
mod tests;
mod time_budget;
mod truth_probe;
mod write_budget;

pub use cell::build_cell;
pub use check::{CheckRequest, check};
pub use error::MethodError;
pub use host_session::HostSession;
pub use host_transport::{
    CellResults, HostGroup, HostReadiness, HostRequest, HostResult, HostTransport, Place, ReadyHost,
};
pub use interleave::{
    InterleaveOutcome, InterleaveRequest, VisitCell, default_visit_cells, interleave,
};
pub use layout::{LayoutOutcome, LayoutRequest, write_layout};
pub use limit::{LimitRequest, limit};
pub use metadata::{
    MetadataRequest, bytes_written_max as metadata_written_max, expected_time as metadata_time,
    metadata, time_limit as metadata_longest,
};
pub use observer::{Observer, SilentObserver};
pub use preset::{Preset, PresetError, PresetRequest};
pub use record_builder::{RunIdentity, describe_host};
pub use request::{LayoutBudget, MeasureRequest};
pub use site::remote_hosts::unsharable_folder_error;
pub use sweep::{SweepRequest, cell_times, sweep};
pub use time_budget::TimeBudget;
