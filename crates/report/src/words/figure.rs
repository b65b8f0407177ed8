//! Figures as they are printed.

use std::fmt::Display;

use stats::Estimate;
use units::{BytesPerSecond, Nanos};

/// A figure, or `-` where it is missing.
pub(crate) fn or_dash(figure: Option<impl Display>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string())
}

/// Before a value that is no figure, as its interval is too wide.
pub(crate) const VAGUE: &str = "~";

/// A value as it is printed, with `~` where its interval is too wide for a figure.
pub(crate) fn mark_vague(shown: String, estimate: Option<&Estimate>) -> String {
    match estimate {
        Some(estimate) if !analysis::is_figure(estimate) => format!("{VAGUE}{shown}"),
        _ => shown,
    }
}

pub(crate) fn is_vague(shown: &str) -> bool {
    shown.starts_with(VAGUE)
}

pub(crate) fn format_day(time: jiff::Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

pub(crate) fn format_minute(time: jiff::Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Decimal megabytes per second, without unit.
pub(crate) fn megabytes(bytes_per_second: f64) -> String {
    BytesPerSecond(bytes_per_second).to_string().trim_end_matches(" MB/s").to_owned()
}

pub(crate) fn format_nanos(ns: f64) -> String {
    Nanos(ns.max(0.0).round() as u64).to_string()
}

/// Mean, p50, p99 and the last column of a table, of which the two in the middle have intervals.
pub(crate) fn show_latency(
    [mean, p50, p99, last]: [Option<f64>; 4],
    p50_estimate: Option<&Estimate>,
    p99_estimate: Option<&Estimate>,
) -> [String; 4] {
    let show = |ns: Option<f64>, estimate| mark_vague(or_dash(ns.map(format_nanos)), estimate);
    [show(mean, None), show(p50, p50_estimate), show(p99, p99_estimate), show(last, None)]
}
