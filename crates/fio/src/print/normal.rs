//! fio's normal output of a finished run.

use std::fmt::Write;

use super::direction::{block, mixed, ran};
use super::group::{Group, GroupSettings};
use super::latency::{Moments, Shares, percentiles_of};
use super::numbers::{Scale, ctime, error_name, nanoseconds};
use super::tail::{disks, idleness};
use crate::results::{JobResult, Run, SteadyState, SyncResult, Unified};

/// Findings below the output; more would hide the figures.
const MOST_FINDINGS: usize = 3;

/// Everything after the run, from the empty line on: `entries` (instances merged where the job
/// asked for it), the groups' summaries in the order of their numbers, disks, idleness, findings.
/// An entry that did no operation at all has no block.
#[must_use]
pub fn normal(run: &Run, entries: &[JobResult], groups: &[GroupSettings]) -> String {
    let at_end = ctime(run.finished_ms);
    let numbers = 0..groups.len().try_into().unwrap_or(u32::MAX);
    let sums: Vec<Group> = numbers.map(|number| Group::of(number, entries)).collect();
    let mut out = String::from("\n");
    for entry in entries {
        let group = sums.get(entry.group as usize).copied();
        let group = group.unwrap_or_else(|| Group::of(entry.group, entries));
        out.push_str(&job(entry, &group, &at_end));
    }
    for (number, (group, settings)) in sums.iter().zip(groups).enumerate() {
        out.push_str(&group.text(number, *settings));
    }
    out.push_str(&disks(&run.disks));
    if let Some(idle) = &run.idleness {
        out.push_str(&idleness(idle));
    }
    out.push_str(&ours(&run.findings, MOST_FINDINGS));
    out
}

/// Our own lines, at most so many, after an empty one.
pub(super) fn ours(lines: &[String], most: usize) -> String {
    let mut out = String::from(if lines.is_empty() { "" } else { "\n" });
    for line in lines.iter().take(most) {
        let _ = writeln!(out, "truedisk: {}", line.trim_start_matches("truedisk: "));
    }
    out
}

/// The block of one entry; empty where it did no operation.
pub(super) fn job(job: &JobResult, group: &Group, at_end: &str) -> String {
    if operations(job) == 0 && job.read.bytes + job.write.bytes + job.trim.bytes == 0 {
        return String::new();
    }
    let mut out = title(job, at_end);
    if let Some(description) = job.description.as_ref().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "  Description  : [{description}]");
    }
    out.push_str(&directions(job, group));
    if !job.display.disable_clat {
        out.push_str(&Shares::of(&job.latency, operations(job)).lines());
    }
    out.push_str(&sync(&job.sync, &job.display.percentiles));
    out.push_str(&cpu(job));
    out.push_str(&queues(job));
    if let Some((count, first)) = job.continued.filter(|(count, _)| *count > 0) {
        let name = error_name(first);
        let _ = writeln!(out, "     errors    : total={count}, first_error={first}/<{name}>");
    }
    let target = &job.target;
    let _ = writeln!(
        out,
        "     latency   : target={}, window={}, percentile={:.2}%, depth={}",
        nanoseconds(target.target_us.saturating_mul(1000)),
        nanoseconds(target.window_us.saturating_mul(1000)),
        target.percentile,
        target.depth,
    );
    if let Some(steady) = &job.steady {
        out.push_str(&steady_state(steady, Scale::from(&job.display)));
    }
    out
}

fn operations(job: &JobResult) -> u64 {
    job.read.ops + job.write.ops + job.trim.ops
}

pub(super) fn title(job: &JobResult, at_end: &str) -> String {
    let error = if job.errno == 0 {
        " 0".to_owned()
    } else {
        let what = if job.error_text.is_empty() { "" } else { ", " };
        let name = error_name(job.errno);
        format!("{:2} ({}{what}error={name})", job.errno, job.error_text)
    };
    format!(
        "{}: (groupid={}, jobs={}): err={error}: pid={}: {at_end}\n",
        job.name, job.group, job.jobs, job.pid
    )
}

fn directions(job: &JobResult, group: &Group) -> String {
    let mut out = String::new();
    if job.display.unified != Unified::Mixed {
        let all = [("read", &job.read), ("write", &job.write), ("trim", &job.trim)];
        for ((name, direction), total) in all.into_iter().zip(&group.directions) {
            if ran(direction) {
                out.push_str(&block(name, direction, &job.display, total.bytes_per_second()));
            }
        }
    }
    if job.display.unified != Unified::None {
        let all = mixed(job);
        if ran(&all) {
            out.push_str(&block("mixed", &all, &job.display, group.mixed.bytes_per_second()));
        }
    }
    out
}

fn sync(sync: &SyncResult, percentiles: &[f64]) -> String {
    let Some(moments) = Moments::of(&sync.lat) else { return String::new() };
    format!(
        "  fsync/fdatasync/sync_file_range/syncfs:\n{}{}",
        moments.line("sync"),
        percentiles_of("sync", percentiles, &sync.lat)
    )
}

fn cpu(job: &JobResult) -> String {
    let share = |ns: u64| match job.job_runtime_ms {
        0 => 0.0,
        runtime => ns as f64 / 1e4 / runtime as f64,
    };
    format!(
        "  cpu          : usr={:.2}%, sys={:.2}%, ctx={}, majf={}, minf={}\n",
        share(job.user_ns),
        share(job.system_ns),
        job.ctx,
        job.majf,
        job.minf
    )
}

fn queues(job: &JobResult) -> String {
    let depths = ["1", "2", "4", "8", "16", "32", ">=64"];
    let batches = ["0", "4", "8", "16", "32", "64", ">=64"];
    let mut out = String::new();
    let total = operations(job);
    let _ = writeln!(out, "  IO depths    : {}", spread(&depths, &job.depth_level, total));
    let total = job.submit.iter().sum();
    let _ = writeln!(out, "     submit    : {}", spread(&batches, &job.submit, total));
    let total = job.complete.iter().sum();
    let _ = writeln!(out, "     complete  : {}", spread(&batches, &job.complete, total));
    let (r, w, t) = (&job.read, &job.write, &job.trim);
    let merged = job.display.unified == Unified::Mixed;
    // fio books everything of a mixed job as reads.
    let three = |r: u64, w: u64, t: u64| match merged {
        true => format!("{},0,0", r + w + t),
        false => format!("{r},{w},{t}"),
    };
    let _ = writeln!(
        out,
        "     issued rwts: total={},{} short={},0 dropped={},0",
        three(r.ops, w.ops, t.ops),
        job.sync.ops,
        three(r.short, w.short, t.short),
        three(r.dropped, w.dropped, t.dropped),
    );
    out
}

/// Shares in percent; of what happened at all at least 0.1 %.
pub(super) fn spread(labels: &[&str; 7], counts: &[u64; 7], total: u64) -> String {
    let share = |count: u64| match (count, total) {
        (0, _) | (_, 0) => 0.0,
        _ => (count as f64 * 100.0 / total as f64).max(0.1),
    };
    let items: Vec<String> = labels
        .iter()
        .zip(counts)
        .map(|(label, &count)| format!("{label}={:.1}%", share(count)))
        .collect();
    items.join(", ")
}

pub(super) fn steady_state(steady: &SteadyState, scale: Scale) -> String {
    let mean = |values: &[u64]| match values.len() as u64 {
        0 => 0,
        n => values.iter().sum::<u64>() / n,
    };
    let (what, criterion) = match steady.kind.split_once('_') {
        Some((what, _)) => (what, "slope"),
        None => (steady.kind.as_str(), "mean dev"),
    };
    format!(
        "  steadystate  : attained={}, bw={}, iops={}, {what} {criterion}={:.3}{}\n",
        if steady.attained { "yes" } else { "no" },
        scale.kib_rate_pair(mean(&steady.bw) / 1024),
        scale.count(mean(&steady.iops)),
        steady.criterion,
        if steady.percent { "%" } else { "" },
    )
}

#[cfg(test)]
pub(super) mod tests;
