//! fio's JSON: the keys of 3.42 in its order.

use super::VERSION;
use super::figures::{
    BATCHES, DEPTHS, LATENCY_MS, LATENCY_NS, LATENCY_US, LatencyShares, Moments, ShownLatency,
    all_disks, average_disks, batch_shares, cpu_shares, depth_shares, whole_mean,
};
use super::json_write::{JsonNode, JsonObject, format_decimal};
use super::numbers::format_ctime_in;
use crate::bins::count_bins;
use crate::results::{
    DirectionResult, DiskUse, Idleness, JobResult, PriorityResult, ReportOptions,
    ReportedDirection, RunResult, SteadyState, Unified,
};
use crate::results::{bytes_per_second, ops_per_second};
use jiff::tz::TimeZone;
use workload::{IoprioParts, decode_ioprio};

/// The run as fio 3.42 prints it with `--output-format=json`, or `json+` (`plus`), which adds
/// the histograms. One document that ends in a line end. Latencies in nanoseconds; `time` is UTC.
pub fn render_json(run: &RunResult, plus: bool) -> String {
    let mut root = JsonObject::default();
    root.text("fio version", VERSION);
    root.int("timestamp", run.finished_ms / 1000);
    root.int("timestamp_ms", run.finished_ms);
    root.text("time", &format_utc(run.finished_ms / 1000));
    if !run.global_options.is_empty() {
        root.object("global options", options_object(&run.global_options));
    }
    let jobs =
        run.entries().iter().map(|entry| JsonNode::Object(job_object(run, entry, plus))).collect();
    root.node("jobs", JsonNode::List(jobs));
    if let Some(idle) = &run.idleness {
        root.object("cpu_idleness", idleness_object(idle));
    }
    let disks: Vec<_> =
        all_disks(&run.disks).into_iter().map(|d| JsonNode::Object(disk_object(d))).collect();
    if !disks.is_empty() {
        root.node("disk_util", JsonNode::List(disks));
    }
    if let Some(ours) = &run.truedisk {
        root.node("truedisk", ours.into());
    }
    root.into_document()
}

pub(super) fn options_object(list: &[(String, String)]) -> JsonObject {
    let mut object = JsonObject::default();
    list.iter().for_each(|(name, value)| object.text(name, value));
    object
}

/// One entry; its share of the group's bandwidth is that among the instances of `run`.
pub(super) fn job_object(run: &RunResult, entry: &JobResult, plus: bool) -> JsonObject {
    let mut o = JsonObject::default();
    o.text("jobname", &entry.name);
    o.int("groupid", u64::from(entry.group));
    o.int("job_start", entry.job_start_ms);
    o.node("error", JsonNode::Literal(entry.errno.to_string()));
    o.int("eta", entry.eta_s);
    o.int("elapsed", entry.elapsed_s);
    if !entry.options.is_empty() {
        o.object("job options", options_object(&entry.options));
    }
    for &which in ReportedDirection::listed(entry.display.unified) {
        let share = run.bw_agg(entry, which);
        o.object(
            which.name(),
            direction_object(&entry.direction(which), share, &entry.display, plus),
        );
        // With everything in one, fio does not list durability calls.
        if which == ReportedDirection::Trim && entry.display.unified != Unified::Mixed {
            let mut sync = JsonObject::default();
            sync.int("total_ios", entry.sync.ops);
            let shown = entry.display.sync(&entry.sync.lat);
            sync.object("lat_ns", latency_object(&shown, &entry.display, plus));
            o.object("sync", sync);
        }
    }
    add_job_totals(&mut o, entry);
    o
}

fn add_job_totals(o: &mut JsonObject, entry: &JobResult) {
    let (user, system) = cpu_shares(entry);
    o.int("job_runtime", entry.job_runtime_ms);
    o.float("usr_cpu", user);
    o.float("sys_cpu", system);
    o.int("ctx", entry.ctx);
    o.int("majf", entry.majf);
    o.int("minf", entry.minf);
    o.object("iodepth_level", shares_object(DEPTHS, depth_shares(entry)));
    o.object("iodepth_submit", shares_object(BATCHES, batch_shares(&entry.submit)));
    o.object("iodepth_complete", shares_object(BATCHES, batch_shares(&entry.complete)));
    let spread = LatencyShares::from_result(entry);
    o.object("latency_ns", shares_object(LATENCY_NS, spread.ns));
    o.object("latency_us", shares_object(LATENCY_US, spread.us));
    let mut ms = shares_object(LATENCY_MS, spread.ms);
    ms.float(">=2000", spread.ms[11]);
    o.object("latency_ms", ms);
    if let Some((count, first)) = entry.continued {
        o.int("total_err", count);
        o.node("first_error", JsonNode::Literal(first.to_string()));
    }
    let target = &entry.target;
    o.int("latency_depth", u64::from(target.depth));
    o.int("latency_target", target.target_us * 1000);
    o.int("latency_target_ns", target.target_us * 1000);
    o.float("latency_percentile", target.percentile);
    o.int("latency_window", target.window_us);
    o.int("latency_window_us", target.window_us);
    if let Some(description) = &entry.description {
        o.text("desc", description);
    }
    if let Some(steady) = &entry.steady {
        o.object("steadystate", steady_state_object(steady));
    }
}

fn shares_object<K: ToString>(
    names: impl IntoIterator<Item = K>,
    values: impl IntoIterator<Item = f64>,
) -> JsonObject {
    let mut object = JsonObject::default();
    names.into_iter().zip(values).for_each(|(name, value)| object.float(&name.to_string(), value));
    object
}

fn direction_object(
    result: &DirectionResult,
    bw_agg: f64,
    display: &ReportOptions,
    plus: bool,
) -> JsonObject {
    let rate = bytes_per_second(result.bytes, result.runtime_ms);
    let mut o = JsonObject::default();
    o.int("io_bytes", result.bytes);
    o.int("io_kbytes", result.bytes / 1024);
    o.int("bw_bytes", rate);
    o.int("bw", rate / 1024);
    o.float("iops", ops_per_second(result.ops, result.runtime_ms));
    o.int("runtime", result.runtime_ms);
    o.int("total_ios", result.ops);
    o.int("short_ios", result.short);
    o.int("drop_ios", result.dropped);
    for (name, shown) in display.latencies(result) {
        o.object(&format!("{name}_ns"), latency_object(&shown, display, plus));
    }
    let (kind, priorities) = display.priorities(result);
    if !priorities.is_empty() {
        let of_one = |(of, shown): &(&PriorityResult, ShownLatency)| {
            let mut one = JsonObject::default();
            let IoprioParts { class, level, hint } = decode_ioprio(of.ioprio);
            one.int("prioclass", class.into());
            one.int("prio", level.into());
            one.int("priohint", hint.into());
            one.object(&format!("{kind}_ns"), latency_object(shown, display, plus));
            JsonNode::Object(one)
        };
        o.node("prios", JsonNode::List(priorities.iter().map(of_one).collect()));
    }
    o.int("bw_min", result.bw.min);
    o.int("bw_max", result.bw.max);
    o.float("bw_agg", bw_agg);
    o.float("bw_mean", result.bw.mean);
    o.float("bw_dev", result.bw.dev);
    o.int("bw_samples", result.bw.samples);
    o.int("iops_min", result.iops.min);
    o.int("iops_max", result.iops.max);
    o.float("iops_mean", result.iops.mean);
    o.float("iops_stddev", result.iops.dev);
    o.int("iops_samples", result.iops.samples);
    o
}

fn latency_object(shown: &ShownLatency, display: &ReportOptions, plus: bool) -> JsonObject {
    let moments = Moments::from_histogram(&shown.histogram);
    let mut o = JsonObject::default();
    o.int("min", moments.min);
    o.int("max", moments.max);
    o.float("mean", moments.mean);
    o.float("stddev", moments.dev);
    o.int("N", moments.n);
    let listed = shown.list_percentiles(display);
    if listed.is_empty() {
        return o;
    }
    let mut percentiles = JsonObject::default();
    listed.iter().for_each(|&(percent, ns)| percentiles.int(&format_decimal(percent), ns));
    o.object("percentile", percentiles);
    if plus {
        let mut bins = JsonObject::default();
        for (_, middle, count) in count_bins(&shown.histogram) {
            bins.int(&middle.to_string(), count);
        }
        o.object("bins", bins);
    }
    o
}

fn steady_state_object(state: &SteadyState) -> JsonObject {
    let sign = if state.percent { "%" } else { "" };
    let mut data = JsonObject::default();
    data.int("bw_mean", whole_mean(&state.bw));
    data.int("iops_mean", whole_mean(&state.iops));
    if !state.lat.is_empty() {
        data.float("lat_mean", state.lat.iter().sum::<f64>() / state.lat.len() as f64);
    }
    let ints = |list: &[u64]| JsonNode::List(list.iter().map(|&v| v.into()).collect());
    data.node("iops", ints(&state.iops));
    data.node("bw", ints(&state.bw));
    if !state.lat.is_empty() {
        let list = state.lat.iter().map(|&v| (v.round() as u64).into()).collect();
        data.node("lat_ns", JsonNode::List(list));
    }
    let mut o = JsonObject::default();
    o.text("ss", &format!("{}:{}{sign}", state.kind, format_decimal(state.limit)));
    o.int("duration", state.duration_s);
    o.int("attained", u64::from(state.attained));
    o.text("criterion", &format!("{}{sign}", format_decimal(state.criterion)));
    o.float("max_deviation", state.max_deviation);
    o.float("slope", state.slope);
    o.object("data", data);
    o
}

fn idleness_object(idle: &Idleness) -> JsonObject {
    let mut o = JsonObject::default();
    o.float("system", idle.system);
    for (cpu, &percent) in idle.percpu.iter().enumerate() {
        o.float(&format!("cpu-{cpu}"), percent);
    }
    o.float("unit_mean", idle.unit.0);
    o.float("unit_stddev", idle.unit.1);
    o
}

pub(super) fn disk_object(disk: &DiskUse) -> JsonObject {
    let mut o = JsonObject::default();
    o.text("name", &disk.name);
    // The second is fio's own spelling below `aggr_`.
    add_disk_figures(&mut o, disk, "", "write_merges");
    if let Some(below) = average_disks(&disk.slaves) {
        add_disk_figures(&mut o, &below, "aggr_", "write_merge");
    }
    o
}

fn add_disk_figures(o: &mut JsonObject, disk: &DiskUse, prefix: &str, write_merges: &str) {
    let mut int = |name: &str, value| o.int(&format!("{prefix}{name}"), value);
    int("read_ios", disk.ios[0]);
    int("write_ios", disk.ios[1]);
    int("read_sectors", disk.sectors[0]);
    int("write_sectors", disk.sectors[1]);
    int("read_merges", disk.merges[0]);
    int(write_merges, disk.merges[1]);
    int("read_ticks", disk.ticks[0]);
    int("write_ticks", disk.ticks[1]);
    int("in_queue", disk.in_queue);
    o.float(&format!("{prefix}util"), disk.util);
}

/// `Sat Nov 21 00:01:21 2026`, UTC.
pub(super) fn format_utc(seconds: u64) -> String {
    format_ctime_in(seconds.saturating_mul(1000), TimeZone::UTC)
}

#[cfg(test)]
mod tests;
