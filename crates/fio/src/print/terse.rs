//! fio's terse lines: fields between semicolons, one line per entry.

use super::VERSION;
use super::figures::{LatencyShares, Moments, ShownLatency, all_disks, cpu_shares, depth_shares};
use crate::results::{JobResult, ReportOptions, ReportedDirection, RunResult};
use crate::results::{bytes_per_second, ops_per_second};

/// Percentile fields per direction, used or not.
const PERCENTILES: usize = 20;

/// The run as fio prints it with `--minimal --terse-version=N`: versions 2 to 5 (any other is
/// taken for 3, fio's default). Latencies in microseconds, bandwidths in KiB/s.
///
/// Version 2 has no version string and no devices, and a description has a line of its own;
/// 3 leaves trims out; 5 adds the windows of bandwidth and IOPS.
pub fn render_terse(run: &RunResult, version: u8) -> String {
    let version = if (2..=5).contains(&version) { version } else { 3 };
    run.entries().iter().map(|entry| format_entry(run, entry, version)).collect()
}

fn format_entry(run: &RunResult, entry: &JobResult, version: u8) -> String {
    let mut fields = vec![version.to_string()];
    if version > 2 {
        fields.push(VERSION.to_owned());
    }
    fields.push(entry.name.clone());
    fields.push(entry.group.to_string());
    fields.push(entry.errno.to_string());
    for &which in ReportedDirection::listed(entry.display.unified) {
        if which != ReportedDirection::Trim || version != 3 {
            push_direction(&mut fields, run, entry, which, version);
        }
    }
    push_totals(&mut fields, entry);
    if version > 2 {
        push_disks(&mut fields, run);
    }
    if let Some((count, first)) = entry.continued {
        fields.extend([count.to_string(), first.to_string()]);
    }
    let mut text = fields.join(";");
    if let Some(description) = &entry.description {
        text.push_str(if version == 2 { "\n;" } else { ";" });
        text.push_str(description);
    }
    text.push('\n');
    text
}

fn push_direction(
    fields: &mut Vec<String>,
    run: &RunResult,
    entry: &JobResult,
    which: ReportedDirection,
    version: u8,
) {
    let (result, display) = (entry.direction(which), &entry.display);
    let rate = bytes_per_second(result.bytes, result.runtime_ms);
    let iops = ops_per_second(result.ops, result.runtime_ms) as u64;
    let whole = [result.bytes / 1024, rate / 1024, iops, result.runtime_ms];
    fields.extend(whole.map(|value| value.to_string()));
    let [(_, slat), (_, clat), (_, lat)] = display.latencies(&result);
    push_latency(fields, Moments::from_histogram(&slat.histogram));
    push_latency(fields, Moments::from_histogram(&clat.histogram));
    // The one list of percentiles there is room for is of total latency where that is asked.
    push_percentiles(fields, if lat.percentiles { &lat } else { &clat }, display);
    push_latency(fields, Moments::from_histogram(&lat.histogram));
    let bw = result.bw;
    fields.extend([bw.min.to_string(), bw.max.to_string()]);
    fields.push(format!("{:.6}%", run.bw_agg(entry, which)));
    fields.extend([bw.mean, bw.dev].map(|value| format!("{value:.6}")));
    if version == 5 {
        let iops = result.iops;
        fields.extend([bw.samples, iops.min, iops.max].map(|value| value.to_string()));
        fields.extend([iops.mean, iops.dev].map(|value| format!("{value:.6}")));
        fields.push(iops.samples.to_string());
    }
}

fn push_latency(fields: &mut Vec<String>, moments: Moments) {
    fields.extend([moments.min, moments.max].map(|ns| (ns / 1000).to_string()));
    fields.extend([moments.mean, moments.dev].map(|ns| format!("{:.6}", ns / 1000.0)));
}

fn push_percentiles(fields: &mut Vec<String>, shown: &ShownLatency, display: &ReportOptions) {
    let mut listed = shown.list_percentiles(display);
    if listed.is_empty() && shown.percentiles {
        listed = display.percentile_list.iter().map(|&percent| (percent, 0)).collect();
    }
    for i in 0..PERCENTILES {
        fields.push(match listed.get(i) {
            Some((percent, ns)) => format!("{percent:.6}%={}", ns / 1000),
            None => "0%=0".to_owned(),
        });
    }
}

fn push_totals(fields: &mut Vec<String>, entry: &JobResult) {
    let (user, system) = cpu_shares(entry);
    fields.extend([user, system].map(|value| format!("{value:.6}%")));
    fields.extend([entry.ctx, entry.majf, entry.minf].map(|value| value.to_string()));
    fields.extend(depth_shares(entry).map(|value| format!("{value:.1}%")));
    let shares = LatencyShares::from_result(entry);
    let mut us = shares.us;
    us[0] = shares.below_2us;
    fields.extend(us.iter().chain(&shares.ms).map(|value| format!("{value:.2}%")));
}

fn push_disks(fields: &mut Vec<String>, run: &RunResult) {
    for disk in all_disks(&run.disks) {
        fields.push(disk.name.clone());
        for pair in [disk.ios, disk.merges, disk.ticks] {
            fields.extend(pair.map(|value| value.to_string()));
        }
        fields.push(disk.in_queue.to_string());
        fields.push(format!("{:.2}%", disk.util));
    }
}

#[cfg(test)]
mod tests;
