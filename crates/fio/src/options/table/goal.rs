//! Latency targets and steady states.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Goal;

pub(super) const TABLE: &[OptionSpec] = &[
    special("max_latency", C, "End with an error at a slower operation, in microseconds."),
    usecs("latency_target", C, "Search the largest depth within this latency, in microseconds."),
    usecs("latency_window", C, "Time over which a depth is judged, in microseconds."),
    float("latency_percentile", C, "Share of operations within latency_target, in percent.")
        .default("100")
        .range(0, 100),
    flag("latency_run", C, "Keep to the target until runtime is over, after the search.")
        .default("0"),
    special("steadystate", C, "What has to be steady, and how much: word:limit.")
        .words(STEADY)
        .alias(&["ss"])
        .default("iops_slope:0.01%"),
    secs("steadystate_duration", C, "Time for which it has to be steady; then the job ends.")
        .alias(&["ss_dur"])
        .default("0")
        .under("steadystate"),
    secs("steadystate_ramp_time", C, "Time to wait before looking.")
        .alias(&["ss_ramp"])
        .default("0")
        .under("steadystate"),
    secs("steadystate_check_interval", C, "Time between two looks (newer versions).")
        .alias(&["ss_interval"])
        .default("1")
        .under("steadystate"),
];

const STEADY: &[(&str, &str)] = &[
    ("iops", "largest distance from the mean, operations per second"),
    ("iops_slope", "slope of a line, operations per second"),
    ("bw", "largest distance from the mean, bytes per second"),
    ("bw_slope", "slope of a line, bytes per second"),
    ("lat", "largest distance from the mean, latency (newer versions)"),
    ("lat_slope", "slope of a line, latency (newer versions)"),
];
