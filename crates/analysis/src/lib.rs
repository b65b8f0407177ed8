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

use record::{Finding, FindingId, Judgement, Measured, Record, Status};

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
fn not_observable(id: FindingId) -> Finding {
    let why = "another program measured this; its output does not hold what this check needs";
    Finding {
        id,
        status: Status::NotObservable,
        summary: why.to_owned(),
        evidence: Vec::new(),
        cells: Vec::new(),
        remedy: None,
    }
}

/// The record with its judgement.
#[must_use]
pub fn judged(measured: Measured) -> Record {
    let judgement = Some(judge(&measured));
    Record { judgement, ..Record::unjudged(measured) }
}

/// What the measurements mean. A pure function: the same measurements, the same judgement.
#[must_use]
pub fn judge(measured: &Measured) -> Judgement {
    let fleet = measured.fleet.as_ref();
    // Classes and platters are of single devices behind single hosts.
    let single = fleet.is_none();
    let mut judgement = Judgement {
        curves: curves(measured),
        surface: single.then(|| surface::of_record(measured)).flatten(),
        rotation: single.then(|| rotation::rotation(measured)).flatten(),
        ..Judgement::default()
    };
    judgement.findings = match fleet {
        Some(fleet) => fleet::findings(measured, &judgement, fleet),
        None => findings(measured, &judgement),
    };
    // A fall that the check did not believe is no figure.
    judgement.bucket = burst::bucket(measured)
        .filter(|_| judgement.finding(FindingId::Burst).is_some_and(|f| f.status >= Status::Note));
    if measured.imported.is_some() {
        let ids = judgement.findings.iter().map(|finding| finding.id);
        judgement.findings = ids.map(not_observable).collect();
        return judgement;
    }
    judgement.curves = curve::explain(measured, &judgement);
    judgement.two_limits = sweep::two_limits(measured, &judgement);
    judgement.writes = writes::writes(measured, &judgement);
    judgement.interference = interference::interference(measured);
    judgement.promise = promise::judge(measured, &judgement);
    judgement.preset = preset::judge(measured, &judgement);
    let class = single.then(|| class(measured, &judgement)).flatten();
    let mut verdict = verdict::with_class(measured, &judgement, class);
    if let Some(fleet) = fleet {
        judgement.degraded = fleet::degraded(measured, fleet);
        fleet::tell(&mut verdict, fleet, measured, &judgement);
    }
    judgement.verdict = Some(verdict);
    judgement
}
