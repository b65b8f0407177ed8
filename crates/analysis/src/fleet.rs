//! Many hosts: their cells merged into one total, and what may be said of it.
//!
//! A total is put together from what the hosts counted, and from nothing else: operations, bytes
//! and depth are added, histograms are added bucket by bucket, intervals and ticks are laid side by
//! side on one clock and added. No percentile is made of percentiles, and no rate of rates: the
//! rates of a total are those of the time in which all of its hosts ran.
//!
//! - [`merged`] makes the total of one cell.
//! - `findings` judges a record of totals: what can be seen of the total is looked for there, what
//!   only a host can see is taken from the hosts' own findings, the worst of them with its name.
//! - `words` says it: lost hosts, the slowest, the starts.
//!
//! Start reading at [`merged`].

mod findings;
mod hosts;
mod merge;
mod part;
mod series;
#[cfg(test)]
mod tests;
mod windows;
mod wording;

pub(crate) use findings::run_fleet_checks;
pub(crate) use wording::{add_to_verdict, list_degradations};

pub(crate) use hosts::format_names;
pub use hosts::{host_record, is_one_storage};
pub use merge::{MergedCell, TotalJob, merge_cells};
pub use part::{HostPart, MergeError};
pub use series::thin_host_cell;
pub use wording::main_cell;
