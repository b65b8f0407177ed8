//! A line for each figure, with tabs: for scripts, of any preset.

use std::fmt::Write as _;

use super::result::PresetResult;
use crate::words::or_dash;

/// `step job operation figure value low high`, with `-` where there is no interval; rates per
/// second, latencies in nanoseconds. Thresholds follow as
/// `threshold step job operation pass|fail|unknown limit measured`.
pub(super) fn render_preset(result: &PresetResult<'_>) -> String {
    let mut out = String::from("step\tjob\toperation\tfigure\tvalue\tlow\thigh\n");
    for step in result.steps() {
        for figures in &step.outcome.figures {
            let lead = format!("{}\t{}\t{}", step.step.name, figures.job, figures.direction.name());
            let named = [
                ("iops", &figures.iops),
                ("bytes_per_second", &figures.bytes_per_second),
                ("latency_mean_ns", &figures.mean_latency_ns),
            ];
            let percentiles = figures.percentiles_ns.iter();
            let percentiles = percentiles.map(|(name, found)| (name.as_str(), found));
            for (name, found) in named.into_iter().chain(percentiles) {
                let [low, high] =
                    [found.low, found.high].map(|end| or_dash(end.map(|end| format!("{end:.1}"))));
                let _ = writeln!(out, "{lead}\t{name}\t{:.1}\t{low}\t{high}", found.value);
            }
            let _ = writeln!(out, "{lead}\tlatency_max_ns\t{}\t-\t-", figures.latency_ns_max);
        }
    }
    for (threshold, found) in result.plan.thresholds.iter().zip(&result.outcome.thresholds) {
        let word = match found.kept {
            record::Kept::Kept => "pass",
            record::Kept::NotKept if threshold.recommended => "missed",
            record::Kept::NotKept => "fail",
            record::Kept::CannotTell => "unknown",
        };
        let measured = or_dash(found.measured.as_ref().map(|of| format!("{:.1}", of.value)));
        let _ = writeln!(
            out,
            "threshold\t{}\t{}\t{}\t{word}\t{:.1}\t{measured}",
            threshold.step,
            threshold.job,
            threshold.direction.name(),
            threshold.limit
        );
    }
    out
}
