//! Latency targets and steady states.

use super::parse::{
    PerDirection, TimeUnit, ValueProblem, ValueResult, describe_time, parse_float,
    parse_per_direction, parse_time,
};
use super::reader::{ValueReader, pick_choice};
use super::spec::{Hosts::Any, *};

/// Latency targets and steady states.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoalOptions {
    /// 0: no limit.
    pub max_latency_ns: PerDirection<u64>,
    /// 0: no target.
    pub latency_target_us: u64,
    pub latency_window_us: u64,
    pub latency_percentile: f64,
    pub latency_run: bool,
    /// In use when `ss_dur_us` is not 0.
    pub steadystate: SteadyState,
    pub ss_dur_us: u64,
    pub ss_ramp_us: u64,
    pub ss_interval_ms: u64,
}

type O = GoalOptions;

pub(super) const TABLE: &[Entry<O>] = &[
    special("max_latency", "", "End with an error at a slower operation, in microseconds.").reads(
        Any,
        |o: &mut O, reader| {
            let expected = describe_time(TimeUnit::Microseconds);
            let text = reader.require_text(&expected)?;
            parse_per_direction(&mut o.max_latency_ns, text, &expected, |piece| {
                parse_time(piece, TimeUnit::Microseconds)
            })
        },
    ),
    usecs("latency_target", "", "Search the largest depth within this latency, in microseconds.")
        .sets(Any, |o: &mut O| &mut o.latency_target_us),
    usecs("latency_window", "", "Time over which a depth is judged, in microseconds.")
        .sets(Any, |o: &mut O| &mut o.latency_window_us),
    float("latency_percentile", "100", "Share of operations within latency_target, in percent.")
        .range(0, 100)
        .reads(Any, |o: &mut O, reader| {
            let text = reader.require_text("a percentage from 0 to 100")?;
            let digits = text.trim_end_matches('%');
            o.latency_percentile = parse_float(digits, "a percentage", 0.0..=100.0)?;
            Ok(())
        }),
    flag("latency_run", "0", "Keep to the target until runtime is over, after the search.")
        .sets(Any, |o: &mut O| &mut o.latency_run),
    special("steadystate", "iops_slope:0.01%", "What has to be steady, and how much: word:limit.")
        .alias(&["ss"])
        .sets(Any, |o: &mut O| &mut o.steadystate),
    secs("steadystate_duration", "0", "Time for which it has to be steady; then the job ends.")
        .alias(&["ss_dur"])
        .under("steadystate")
        .sets(Any, |o: &mut O| &mut o.ss_dur_us),
    secs("steadystate_ramp_time", "0", "Time to wait before looking.")
        .alias(&["ss_ramp"])
        .under("steadystate")
        .sets(Any, |o: &mut O| &mut o.ss_ramp_us),
    secs("steadystate_check_interval", "1", "Time between two looks (newer versions).")
        .alias(&["ss_interval"])
        .under("steadystate")
        .reads(Any, |o: &mut O, reader| {
            read_check_interval(reader).map(|value| o.ss_interval_ms = value)
        }),
];

fn read_check_interval(reader: &mut ValueReader<'_>) -> ValueResult<u64> {
    let us = reader.read_time_us(TimeUnit::Seconds)?;
    if us == 0 || us % 1000 != 0 {
        let expected = "a time of whole milliseconds, from 1ms on";
        return Err(ValueProblem::new("it is not one", expected));
    }
    Ok(us / 1000)
}

/// `steadystate=iops_slope:0.1%`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SteadyState {
    pub metric: SteadyMetric,
    pub slope: bool,
    pub limit: SteadyLimit,
}

/// What has to be steady.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SteadyMetric {
    #[default]
    Iops,
    Bandwidth,
    Latency,
}

/// Limit of change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SteadyLimit {
    /// Percent of the mean.
    Percent(f64),
    /// In the metric's own unit: operations/s, bytes/s, ns.
    Absolute(f64),
}

impl Default for SteadyLimit {
    fn default() -> Self {
        Self::Percent(0.0)
    }
}

const METRICS: &[(&str, &str, (SteadyMetric, bool))] = &[
    ("iops", "largest distance from the mean, operations per second", (SteadyMetric::Iops, false)),
    ("iops_slope", "slope of a line, operations per second", (SteadyMetric::Iops, true)),
    ("bw", "largest distance from the mean, bytes per second", (SteadyMetric::Bandwidth, false)),
    ("bw_slope", "slope of a line, bytes per second", (SteadyMetric::Bandwidth, true)),
    (
        "lat",
        "largest distance from the mean, latency (newer versions)",
        (SteadyMetric::Latency, false),
    ),
    ("lat_slope", "slope of a line, latency (newer versions)", (SteadyMetric::Latency, true)),
];

/// A bare limit of `bw` takes size suffixes; a limit of `lat` is a time.
impl ReadValue for SteadyState {
    fn read(reader: &mut ValueReader<'_>, _: &OptionSpec) -> ValueResult<Self> {
        let expected = "a metric and a limit, such as iops:5% or bw_slope:1m";
        let text = reader.require_text(expected)?;
        let (word, limit) = text
            .split_once(':')
            .ok_or_else(|| ValueProblem::new(format!("{text} has no limit"), expected))?;
        let (metric, slope) = pick_choice(word.trim(), METRICS)?;
        let written = limit.trim();
        let (percent, value) = if let Some(percent) = written.strip_suffix('%') {
            (true, parse_float(percent, "a percentage", 0.0..=f64::MAX)?)
        } else if let Ok(plain) = written.parse::<f64>() {
            (false, if metric == SteadyMetric::Latency { plain * 1000.0 } else { plain })
        } else if metric == SteadyMetric::Latency {
            (false, parse_time(written, TimeUnit::Microseconds)? as f64)
        } else {
            (false, reader.parse_number(written, expected)? as f64)
        };
        if !(value.is_finite() && value >= 0.0) {
            return Err(ValueProblem::new(format!("{written} is not a limit"), expected));
        }
        let limit =
            if percent { SteadyLimit::Percent(value) } else { SteadyLimit::Absolute(value) };
        Ok(Self { metric, slope, limit })
    }

    fn words() -> WordList {
        listed_words(METRICS)
    }
}
