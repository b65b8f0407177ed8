//! How to measure: sequences of jobs, and the decisions between them.
//!
//! [`check`] is the main job: identify, lay out a test file, measure within a time budget, judge.
//! [`limit`] searches the most operations within a latency bound; [`sweep`] measures a matrix, or
//! reads next to writes; [`mod@preset`] runs the tests of other tools, which are data;
//! [`interleave()`] measures two targets in turns, to compare them. All of them stand on `session`:
//! the target open and laid out, and cells measured on it one after the other. All of them talk to
//! people only through [`Observer`].
//!
//! The first three can stand on many [`Hosts`] instead ([`limit_on_hosts`]): there a [`HostSession`] measures
//! what it is told, and here the totals decide what comes next.
//!
//! What it deliberately does not do: print, read arguments, know a report, open a device itself.
//!
//! Invariants
//! - Whatever ends a run early, what was measured is kept and marked partial.
//! - The test file is gone when [`check`], [`limit`] or [`sweep`] returns, however it returns.
//! - Every default that a run used stands in its record's plan.
//!
//! Start reading at [`check`], then `plan` and `stage`; then [`limit`] and [`sweep`].
#![forbid(unsafe_code)]

mod cell;
mod check;
mod check_run;
mod error;
mod host_session;
mod hosts;
mod interleave;
mod layout;
mod limit;
mod metadata;
mod prepared_target;
pub mod preset;
#[cfg(test)]
mod promised;
mod request_checks;
mod session;
mod shuffle;
#[cfg(test)]
mod simulated;
mod soak;
mod surface;
mod sweep;
mod time_budget;
mod truth_probe;
mod write_budget;

pub use cell::build_cell;
pub use check::{CheckRequest, check, check_on_hosts};
pub use error::MethodError;
pub use host_session::{HostLayoutBudget, HostReadiness, HostSession};
pub use hosts::{
    CellResults, HostGroup, HostRequest, HostResult, HostTransport, ReadyHost,
    unsharable_folder_error,
};
pub use interleave::{
    InterleaveOutcome, InterleaveRequest, VisitCell, default_visit_cells, interleave,
};
pub use layout::{LayoutOutcome, LayoutRequest, write_layout};
pub use limit::{LimitRequest, limit, limit_on_hosts};
pub use metadata::{
    MetadataRequest, bytes_written_max as metadata_written_max, expected_time as metadata_time,
    metadata, time_limit as metadata_longest,
};
pub use preset::{Preset, PresetError, PresetRequest};
pub use session::{MeasureRequest, make_run_id};
pub use sweep::{SweepRequest, cell_times, sweep, sweep_on_hosts};
pub use time_budget::TimeBudget;

use engine::Progress;
use record::Cell;
use units::Nanos;

/// Of a budget, kept for judging and reporting.
const REPORT_RESERVE: Nanos = Nanos::secs(1);

/// What a run tells while it goes; the terminal's progress bar, or nobody.
pub trait Observer {
    /// Something new begins: `laying out the test file`, `random read 4k, depth 16`. `done` is
    /// the share of the time budget that is used up.
    fn on_phase(&mut self, name: &str, done: f64);
    /// How the running phase goes; about ten times a second.
    fn on_progress(&mut self, progress: &Progress, done: f64);
    /// A cell was measured.
    fn on_cell(&mut self, _: &Cell) {}
    /// What is about to be written, before the first byte.
    fn on_announcement(&mut self, _: &str) {}
    /// Something worth saying that is no result: a leftover was removed.
    fn on_note(&mut self, text: &str);
    /// Asks a person before a device is written: the question, and the answer that is expected.
    /// Whether it was given; with nobody to ask, the words of the request are enough.
    fn confirm(&mut self, question: &str, expected: &str) -> bool;
}

/// Tells nobody.
#[derive(Debug, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {
    fn on_phase(&mut self, _: &str, _: f64) {}
    fn on_progress(&mut self, _: &Progress, _: f64) {}
    fn on_note(&mut self, _: &str) {}
    fn confirm(&mut self, _: &str, _: &str) -> bool {
        true
    }
}
