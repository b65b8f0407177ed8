//! fio's JSON: the keys of 3.42 in its order.

use super::VERSION;
use super::bins::fio_bins;
use super::figures::{
    LATENCY_MS, LATENCY_NS, LATENCY_US, Latency, LatencyShares, Moments, all_disks, batch_shares,
    bytes_per_second, cpu_shares, depth_shares, listed_directions, ops_per_second,
};
use super::json_write::{Node, Object, decimal};
use crate::results::{
    Direction, DirectionResult, DiskUse, Display, Idleness, JobResult, Run, SteadyState, Unified,
};

const DEPTHS: [&str; 7] = ["1", "2", "4", "8", "16", "32", ">=64"];
const BATCHES: [&str; 7] = ["0", "4", "8", "16", "32", "64", ">=64"];

/// The run as fio 3.42 prints it with `--output-format=json`, or `json+` (`plus`), which adds
/// the histograms. One document that ends in a line end. Latencies in nanoseconds; `time` is UTC.
#[must_use]
pub fn json(run: &Run, plus: bool) -> String {
    let mut root = Object::default();
    root.text("fio version", VERSION);
    root.int("timestamp", run.finished_ms / 1000);
    root.int("timestamp_ms", run.finished_ms);
    root.text("time", &calendar(run.finished_ms / 1000));
    if !run.global_options.is_empty() {
        root.object("global options", options(&run.global_options));
    }
    let jobs = run.entries().iter().map(|entry| Node::Object(job(run, entry, plus))).collect();
    root.node("jobs", Node::List(jobs));
    if let Some(idle) = &run.idleness {
        root.object("cpu_idleness", idleness(idle));
    }
    let disks: Vec<_> = all_disks(run).into_iter().map(|d| Node::Object(disk(d))).collect();
    if !disks.is_empty() {
        root.node("disk_util", Node::List(disks));
    }
    if let Some(ours) = &run.truedisk {
        root.node("truedisk", Node::Foreign(ours.clone()));
    }
    root.document()
}

pub(super) fn options(list: &[(String, String)]) -> Object {
    let mut object = Object::default();
    list.iter().for_each(|(name, value)| object.text(name, value));
    object
}

/// One entry; its share of the group's bandwidth is that among the instances of `run`.
pub(super) fn job(run: &Run, entry: &JobResult, plus: bool) -> Object {
    let mut o = Object::default();
    o.text("jobname", &entry.name);
    o.int("groupid", u64::from(entry.group));
    o.int("job_start", entry.job_start_ms);
    o.node("error", Node::Signed(i64::from(entry.errno)));
    o.int("eta", entry.eta_s);
    o.int("elapsed", entry.elapsed_s);
    if !entry.options.is_empty() {
        o.object("job options", options(&entry.options));
    }
    for &which in listed_directions(entry.display.unified) {
        let name = match which {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Trim => "trim",
            Direction::Mixed => "mixed",
        };
        let share = run.bw_agg(entry, which);
        o.object(name, direction(&entry.direction(which), share, &entry.display, plus));
        // With everything in one, fio does not list durability calls.
        if which == Direction::Trim && entry.display.unified != Unified::Mixed {
            let mut sync = Object::default();
            sync.int("total_ios", entry.sync.ops);
            let shown = entry.display.sync(&entry.sync.lat);
            sync.object("lat_ns", latency(&shown, &entry.display, plus));
            o.object("sync", sync);
        }
    }
    job_totals(&mut o, entry);
    o
}

fn job_totals(o: &mut Object, entry: &JobResult) {
    let (user, system) = cpu_shares(entry);
    o.int("job_runtime", entry.job_runtime_ms);
    o.float("usr_cpu", user);
    o.float("sys_cpu", system);
    o.int("ctx", entry.ctx);
    o.int("majf", entry.majf);
    o.int("minf", entry.minf);
    o.object("iodepth_level", shares(DEPTHS, depth_shares(entry)));
    o.object("iodepth_submit", shares(BATCHES, batch_shares(&entry.submit)));
    o.object("iodepth_complete", shares(BATCHES, batch_shares(&entry.complete)));
    let spread = LatencyShares::of(entry);
    o.object("latency_ns", shares(LATENCY_NS, spread.ns));
    o.object("latency_us", shares(LATENCY_US, spread.us));
    let mut ms = shares(LATENCY_MS, spread.ms);
    ms.float(">=2000", spread.ms[11]);
    o.object("latency_ms", ms);
    if let Some((count, first)) = entry.continued {
        o.int("total_err", count);
        o.node("first_error", Node::Signed(i64::from(first)));
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
        o.object("steadystate", steady_state(steady));
    }
}

fn shares<K: ToString>(
    names: impl IntoIterator<Item = K>,
    values: impl IntoIterator<Item = f64>,
) -> Object {
    let mut object = Object::default();
    names.into_iter().zip(values).for_each(|(name, value)| object.float(&name.to_string(), value));
    object
}

fn direction(result: &DirectionResult, bw_agg: f64, display: &Display, plus: bool) -> Object {
    let rate = bytes_per_second(result.bytes, result.runtime_ms);
    let mut o = Object::default();
    o.int("io_bytes", result.bytes);
    o.int("io_kbytes", result.bytes / 1024);
    o.int("bw_bytes", rate);
    o.int("bw", rate / 1024);
    o.float("iops", ops_per_second(result.ops, result.runtime_ms));
    o.int("runtime", result.runtime_ms);
    o.int("total_ios", result.ops);
    o.int("short_ios", result.short);
    o.int("drop_ios", result.dropped);
    o.object("slat_ns", latency(&display.slat(&result.slat), display, plus));
    o.object("clat_ns", latency(&display.clat(&result.clat), display, plus));
    o.object("lat_ns", latency(&display.lat(&result.lat), display, plus));
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

fn latency(shown: &Latency, display: &Display, plus: bool) -> Object {
    let moments = Moments::of(&shown.histogram);
    let mut o = Object::default();
    o.int("min", moments.min);
    o.int("max", moments.max);
    o.float("mean", moments.mean);
    o.float("stddev", moments.dev);
    o.int("N", moments.n);
    let listed = shown.listed(display);
    if listed.is_empty() {
        return o;
    }
    let mut percentiles = Object::default();
    listed.iter().for_each(|&(percent, ns)| percentiles.int(&decimal(percent), ns));
    o.object("percentile", percentiles);
    if plus {
        let mut bins = Object::default();
        for (_, middle, count) in fio_bins(&shown.histogram) {
            bins.int(&middle.to_string(), count);
        }
        o.object("bins", bins);
    }
    o
}

fn steady_state(state: &SteadyState) -> Object {
    let sign = if state.percent { "%" } else { "" };
    let mean = |list: &[u64]| -> u64 {
        let sum: u128 = list.iter().map(|&v| u128::from(v)).sum();
        u64::try_from(sum.checked_div(list.len() as u128).unwrap_or(0)).unwrap_or(u64::MAX)
    };
    let mut data = Object::default();
    data.int("bw_mean", mean(&state.bw));
    data.int("iops_mean", mean(&state.iops));
    if !state.lat.is_empty() {
        data.float("lat_mean", state.lat.iter().sum::<f64>() / state.lat.len() as f64);
    }
    let ints = |list: &[u64]| Node::List(list.iter().map(|&v| Node::Int(v)).collect());
    data.node("iops", ints(&state.iops));
    data.node("bw", ints(&state.bw));
    if !state.lat.is_empty() {
        let list = state.lat.iter().map(|&v| Node::Int(v.round() as u64)).collect();
        data.node("lat_ns", Node::List(list));
    }
    let mut o = Object::default();
    o.text("ss", &format!("{}:{}{sign}", state.kind, decimal(state.limit)));
    o.int("duration", state.duration_s);
    o.int("attained", u64::from(state.attained));
    o.text("criterion", &format!("{}{sign}", decimal(state.criterion)));
    o.float("max_deviation", state.max_deviation);
    o.float("slope", state.slope);
    o.object("data", data);
    o
}

fn idleness(idle: &Idleness) -> Object {
    let mut o = Object::default();
    o.float("system", idle.system);
    for (cpu, &percent) in idle.percpu.iter().enumerate() {
        o.float(&format!("cpu-{cpu}"), percent);
    }
    o.float("unit_mean", idle.unit.0);
    o.float("unit_stddev", idle.unit.1);
    o
}

pub(super) fn disk(disk: &DiskUse) -> Object {
    let mut o = Object::default();
    o.text("name", &disk.name);
    // The second is fio's own spelling below `aggr_`.
    disk_figures(&mut o, disk, "", "write_merges");
    if let Some(below) = average(&disk.slaves) {
        disk_figures(&mut o, &below, "aggr_", "write_merge");
    }
    o
}

fn disk_figures(o: &mut Object, disk: &DiskUse, prefix: &str, write_merges: &str) {
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

/// What fio says of the devices below one: whole means, and the busiest one's utilisation.
fn average(slaves: &[DiskUse]) -> Option<DiskUse> {
    let count = u64::try_from(slaves.len()).ok().filter(|&count| count > 0)?;
    let mean = |of: &dyn Fn(&DiskUse) -> u64| slaves.iter().map(of).sum::<u64>() / count;
    let pair = |of: &dyn Fn(&DiskUse) -> [u64; 2]| [mean(&|d| of(d)[0]), mean(&|d| of(d)[1])];
    Some(DiskUse {
        ios: pair(&|d| d.ios),
        sectors: pair(&|d| d.sectors),
        merges: pair(&|d| d.merges),
        ticks: pair(&|d| d.ticks),
        in_queue: mean(&|d| d.in_queue),
        util: slaves.iter().map(|d| d.util).fold(0.0, f64::max),
        ..DiskUse::default()
    })
}

/// `Sat Nov 21 00:01:21 2026`, UTC.
pub(super) fn calendar(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // 400 years are 146097 days; so the loops below stay short for any number.
    let (mut year, mut left) = (1970 + days / 146_097 * 400, days % 146_097);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    let (day_name, month) = (DAYS[(days % 7) as usize], MONTHS[month]);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{day_name} {month} {:>2} {hour:02}:{minute:02}:{:02} {year}", left + 1, second % 60)
}

#[cfg(test)]
mod tests;
