//! What it means: truth checks, curves, classes, the verdict. Pure functions of records: no I/O,
//! clock or randomness.
//!
//! Invariants
//! - Every check gives exactly one finding, which names the cells that it touches and its evidence.
//! - A check that cannot look says `not-observable`, never `ok`.
//! - Nothing is claimed from a cell that an `invalid` finding touches.
//!
//! Start reading at [`judge`], then `checks`.
#![forbid(unsafe_code)]

mod burst;
mod calm;
mod cells;
mod checks;
mod class;
pub mod compare;
mod curve;
mod evidence;
mod finding;
pub mod fleet;
mod goal;
mod headline;
mod imported;
mod interference;
mod ladder;
mod lists;
mod pauses;
mod ping;
mod preset;
mod promise;
mod replay;
mod rotation;
mod summary;
mod support;
mod surface;
mod sweep;
#[cfg(test)]
mod testing;
mod trend;
mod verdict;
mod watch;
mod words;
mod writes;

use record::{Finding, Judgement, Measured, Record};

pub use burst::has_burst_ended;
pub use calm::is_sliced;
pub use checks::{Check, explain, has_drifted, is_disturbed, is_unsteady, run_checks};
use checks::{run_cell_checks, run_curve_checks};
use class::classify_device;
use curve::build_curves;
pub use curve::{
    AS_GOOD_MIN, CONFIRMING_PROBES, LOWER_LOAD_MIN, LoadConfirmation, RISE_MIN, confirm_load,
    curve_name, depth_grid, describe_beside, is_figure, is_point_figure, judge_load, judge_probe,
    pool_cells, pool_iops, rate_grid, workload_name,
};
pub use evidence::group_limit::{describe_group_limit, is_group_limited};
pub use evidence::reread::pair_rereads;
pub use goal::find_failure;
pub use headline::{find_answer, name_warned_cells};
pub use preset::{format_step_figure, format_threshold, judge as judge_preset, pass_rates};
pub use replay::{
    REPLAY_SPEED_MAX, ReplayChange, ReplaySpeeds, compare_replay, load_rate, replay_speed,
};
pub use rotation::{is_slow_as_arm, may_rotate};
pub use summary::{PERCENTILES, compute_confidence, histogram_statistic, summarise_latency};
pub use support::choose_cells;
pub use surface::build_surface;
pub use sweep::{count_left_out, is_comparable_point};
pub use trend::{NewestLevel, Trend, TrendPoint, analyse_trend};
pub use verdict::has_figures;

pub fn judge_record(measured: Measured) -> Record {
    let judgement = Some(judge(&measured));
    Record { judgement, ..Record::from_measured(measured) }
}

/// What the measurements mean; the same measurements, the same judgement.
pub fn judge(measured: &Measured) -> Judgement {
    if let Some(watch) = &measured.watch {
        return watch::judge_watch(watch);
    }
    let fleet = measured.fleet.as_ref();
    if let Some((fleet, waves)) = fleet.and_then(|fleet| Some((fleet, fleet.waves.as_ref()?))) {
        return fleet::judge_waves(measured, fleet, waves);
    }
    // Classes and platters are of single devices behind single hosts.
    let single = fleet.is_none();
    let mut judgement = Judgement {
        surface: single.then(|| surface::record_surface(measured)).flatten(),
        rotation: single.then(|| rotation::find_rotation(measured)).flatten(),
        ..Judgement::default()
    };
    if let Some(imported) = &measured.imported {
        return imported::judge_import(measured, imported, judgement);
    }
    let choose = |findings: Vec<Finding>| match fleet {
        Some(fleet) => fleet::choose_findings(findings, measured, fleet),
        None => findings,
    };
    judgement.findings = choose(run_cell_checks(measured, &judgement));
    // Now it is known which cells support a conclusion.
    judgement.curves = build_curves(measured, &judgement);
    judgement.findings.extend(choose(run_curve_checks(measured, &judgement)));
    judgement.bucket = burst::find_token_bucket(measured, &judgement);
    judgement.curves = curve::explain_limits(measured, &judgement);
    judgement.two_limits = sweep::fit_two_limits(measured, &judgement);
    judgement.writes = writes::judge_writes(measured, &judgement);
    judgement.interference = interference::find_interference(measured);
    judgement.promise = promise::judge_promise(measured, &judgement);
    judgement.preset = preset::judge(measured, &judgement);
    judgement.replay = replay::judge_replay(measured, &judgement);
    let class = single.then(|| classify_device(measured, &judgement)).flatten();
    let mut verdict = verdict::build_verdict(measured, &judgement, class);
    if let Some(fleet) = fleet {
        judgement.degraded = fleet::list_degradations(measured, fleet);
        judgement.outliers = fleet::find_outliers(measured, fleet);
        fleet::add_to_verdict(&mut verdict, fleet, measured, &judgement);
    }
    judgement.verdict = Some(verdict);
    judgement
}
