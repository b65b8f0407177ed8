//! What it means: truth checks, curves, classes, the verdict. Pure functions of records.
//!
//! [`judge`] fills in everything that follows from what was measured; the same record judged by
//! a later version of this crate gets the later judgement. [`latency_summary`] and [`confidence`]
//! turn raw histograms and series into the figures of a cell.
//!
//! What it deliberately does not do: I/O, clocks, randomness, printing.
//!
//! Invariants
//! - Every check is one file under `checks` and always gives exactly one finding.
//! - A finding names exactly the cells that it touches, and the evidence it rests on.
//! - A check that cannot look says `not-observable`, never `ok`.
//! - Nothing is claimed from a cell that an `invalid` finding touches.
//!
//! Start reading at [`judge`], then `checks`.
#![forbid(unsafe_code)]

mod checks;
mod class;
mod curve;
mod imported;
mod interference;
mod summary;
mod sweep;
#[cfg(test)]
mod testing;
mod trend;
mod verdict;

use record::Record;

pub use checks::{disturbed, findings};
pub use class::class;
pub use curve::{
    RISE, curve_name, curves, depth_grid, judge_point, pooled_iops, probed, rate_grid,
};
pub use summary::{PERCENTILES, confidence, latency_summary};
pub use trend::{Newest, Trend, TrendPoint, trend};
pub use verdict::verdict;

/// Fills in curves, findings and verdict from what was measured.
pub fn judge(record: &mut Record) {
    if record.imported.is_some() {
        imported::judge(record);
        return;
    }
    record.curves = curves(record);
    record.findings = findings(record);
    curve::explain(record);
    record.two_limits = sweep::two_limits(record);
    record.interference = interference::interference(record);
    record.verdict = Some(verdict(record));
}
