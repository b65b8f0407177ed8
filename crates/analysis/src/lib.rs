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

mod burst;
mod checks;
mod class;
pub mod compare;
mod curve;
pub mod fleet;
mod interference;
mod ladder;
mod paused;
mod preset;
mod promise;
mod rotation;
mod summary;
mod surface;
mod sweep;
#[cfg(test)]
mod testing;
mod trend;
mod verdict;
mod writes;

use record::{Finding, FindingId, Record, Status};

pub use burst::burst_ended;
pub use checks::{Explanation, disturbed, drifted, explain, findings};
pub use class::class;
pub use curve::{
    RISE, curve_name, curves, depth_grid, judge_point, pooled_iops, probed, rate_grid,
};
pub use preset::{figure_words, judge as judge_preset, limit_words, pass_rates};
pub use rotation::{may_rotate, slow_as_an_arm};
pub use summary::{PERCENTILES, confidence, latency_summary};
pub use surface::surface;
pub use trend::{Newest, Trend, TrendPoint, trend};
pub use verdict::verdict;

/// Of another program's run nothing is claimed: it holds figures, and not what the checks look at.
fn imported(record: &mut Record) {
    for finding in &mut record.findings {
        let why = "another program measured this; its output does not hold what this check needs";
        *finding = Finding {
            id: finding.id,
            status: Status::NotObservable,
            summary: why.to_owned(),
            evidence: Vec::new(),
            cells: Vec::new(),
            remedy: None,
        };
    }
    record.verdict = None;
}

/// Fills in curves, findings and verdict from what was measured.
pub fn judge(record: &mut Record) {
    // Taken out while the totals are judged: nobody else has to know of it.
    let mut fleet = record.fleet.take();
    record.curves = curves(record);
    record.bucket = burst::bucket(record);
    // A platter is that of one host.
    record.surface = fleet.is_none().then(|| surface::of_record(record)).flatten();
    record.rotation = fleet.is_none().then(|| rotation::rotation(record)).flatten();
    record.findings = match &fleet {
        Some(fleet) => fleet::findings(record, fleet),
        None => findings(record),
    };
    // What the finding did not believe is no figure of the record.
    let burst = record.findings.iter().find(|finding| finding.id == FindingId::Burst);
    if burst.is_none_or(|finding| finding.status < Status::Note) {
        record.bucket = None;
    }
    if record.imported.is_some() {
        imported(record);
        record.fleet = fleet;
        return;
    }
    curve::explain(record);
    record.two_limits = sweep::two_limits(record);
    record.writes = writes::writes(record);
    record.interference = interference::interference(record);
    promise::judge(record);
    preset::judge(record);
    // Classes are of single devices behind single hosts.
    let class = fleet.is_none().then(|| class(record)).flatten();
    let mut told = verdict::with_class(record, class);
    if let Some(fleet) = &mut fleet {
        fleet.degraded = fleet::degraded(record, fleet);
        fleet::tell(&mut told, fleet, record);
    }
    record.verdict = Some(told);
    record.fleet = fleet;
}
