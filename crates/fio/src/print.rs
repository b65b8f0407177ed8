//! What a user reads: the lines before, during and after a run, as fio words them.

mod clients;
mod debug;
mod direction;
pub mod eta;
pub mod figures;
mod group;
pub mod header;
mod json;
mod json_write;
pub mod latency;
pub mod normal;
pub mod numbers;
mod tail;
mod terse;

pub use clients::{render_clients_json, render_clients_normal};
pub use debug::{render_parsing, render_seeds};
pub use eta::{EtaLine, EtaState};
pub use header::{LayoutNotice, StartCounts, render_header};
pub use json::render_json;
pub use normal::render_normal;
pub use terse::render_terse;

/// What every format names as the version: tools read the number after `fio-`.
pub const VERSION: &str = "fio-3.42-truedisk";

#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod real_fio_tests;
