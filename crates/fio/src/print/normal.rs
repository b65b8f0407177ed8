//! fio's normal output of a finished run.

use std::fmt::Write;

use super::direction::{has_run, render_direction};
use super::figures::{BATCHES, DEPTHS, Moments, batch_shares, depth_shares, whole_mean};
use super::group::GroupSummary;
use super::latency::{Shares, format_moments, render_histogram_percentiles};
use super::numbers::{Scale, errno_text, format_ctime, format_nanoseconds};
use super::tail::{render_disks, render_idleness};
use crate::results::{JobResult, ReportedDirection, RunResult, SteadyState, SyncResult, Unified};

/// Findings below the output; more would hide the figures.
const MAX_FINDINGS: usize = 3;

/// Everything after the run, from the empty line on: `entries` (instances merged where the job
/// asked for it), the groups' summaries in the order of their numbers, disks, idleness, findings.
/// An entry that did no operation at all has no block.
pub fn render_normal(run: &RunResult, entries: &[JobResult]) -> String {
    let at_end = format_ctime(run.finished_ms);
    let groups = GroupSummary::all(entries);
    let mut out = String::from("\n");
    for entry in entries {
        out.push_str(&render_job(entry, &groups[entry.group as usize], &at_end));
    }
    for (number, group) in groups.iter().enumerate() {
        out.push_str(&group.render(number));
    }
    out.push_str(&render_disks(&run.disks));
    if let Some(idle) = &run.idleness {
        out.push_str(&render_idleness(idle));
    }
    out.push_str(&render_findings(&run.findings, MAX_FINDINGS));
    out
}

/// Our own lines, up to a limit, after an empty one.
pub(super) fn render_findings(lines: &[String], max: usize) -> String {
    let mut out = String::from(if lines.is_empty() { "" } else { "\n" });
    for line in lines.iter().take(max) {
        let _ = writeln!(out, "truedisk: {}", line.trim_start_matches("truedisk: "));
    }
    out
}

/// The block of one entry; empty where it did no operation.
pub(super) fn render_job(job: &JobResult, group: &GroupSummary, at_end: &str) -> String {
    if job.total_ops() == 0 && job.read.bytes + job.write.bytes + job.trim.bytes == 0 {
        return String::new();
    }
    let mut out = render_title(job, at_end);
    if let Some(description) = job.description.as_ref().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "  Description  : [{description}]");
    }
    out.push_str(&render_directions(job, group));
    if !job.display.disable_clat {
        out.push_str(&Shares::from_histogram(&job.latency, job.total_ops()).format_lines());
    }
    out.push_str(&render_syncs(&job.sync, &job.display.percentile_list));
    out.push_str(&render_cpu(job));
    out.push_str(&render_queues(job));
    if let Some((count, first)) = job.continued.filter(|(count, _)| *count > 0) {
        let name = errno_text(first);
        let _ = writeln!(out, "     errors    : total={count}, first_error={first}/<{name}>");
    }
    let target = &job.target;
    let _ = writeln!(
        out,
        "     latency   : target={}, window={}, percentile={:.2}%, depth={}",
        format_nanoseconds(target.target_us.saturating_mul(1000)),
        format_nanoseconds(target.window_us.saturating_mul(1000)),
        target.percentile,
        target.depth,
    );
    if let Some(steady) = &job.steady {
        out.push_str(&render_steady_state(steady, Scale::from(&job.display)));
    }
    out
}

pub(super) fn render_title(job: &JobResult, at_end: &str) -> String {
    let error = if job.errno == 0 {
        " 0".to_owned()
    } else {
        let text = match (job.error_text.as_str(), errno_text(job.errno)) {
            ("", _) if job.continued.is_some() => String::new(),
            ("", name) => format!("error={name}"),
            (text, name) => format!("{text}, error={name}"),
        };
        format!("{:2} ({text})", job.errno)
    };
    format!(
        "{}: (groupid={}, jobs={}): err={error}: pid={}: {at_end}\n",
        job.name, job.group, job.jobs, job.pid
    )
}

fn render_directions(job: &JobResult, group: &GroupSummary) -> String {
    let mut out = String::new();
    for &which in ReportedDirection::listed(job.display.unified) {
        let result = job.direction(which);
        if has_run(&result) {
            let group_rate = group.total(which).bytes_per_second();
            out.push_str(&render_direction(which.name(), &result, &job.display, group_rate));
        }
    }
    out
}

fn render_syncs(sync: &SyncResult, percentiles: &[f64]) -> String {
    let moments = Moments::from_histogram(&sync.lat);
    if moments.n == 0 {
        return String::new();
    }
    format!(
        "  fsync/fdatasync/sync_file_range/syncfs:\n{}{}",
        format_moments("sync", &moments),
        render_histogram_percentiles("sync", percentiles, &sync.lat)
    )
}

fn render_cpu(job: &JobResult) -> String {
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

fn render_queues(job: &JobResult) -> String {
    let mut out = String::new();
    for (name, labels, shares) in [
        ("  IO depths    ", DEPTHS, depth_shares(job)),
        ("     submit    ", BATCHES, batch_shares(&job.submit)),
        ("     complete  ", BATCHES, batch_shares(&job.complete)),
    ] {
        let _ = writeln!(out, "{name}: {}", format_shares(&labels, &shares));
    }
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

pub(super) fn format_shares(labels: &[&str; 7], shares: &[f64; 7]) -> String {
    let items: Vec<String> =
        labels.iter().zip(shares).map(|(label, share)| format!("{label}={share:.1}%")).collect();
    items.join(", ")
}

pub(super) fn render_steady_state(steady: &SteadyState, scale: Scale) -> String {
    let (what, criterion) = match steady.kind.split_once('_') {
        Some((what, _)) => (what, "slope"),
        None => (steady.kind.as_str(), "mean dev"),
    };
    format!(
        "  steadystate  : attained={}, bw={}, iops={}, {what} {criterion}={:.3}{}\n",
        if steady.attained { "yes" } else { "no" },
        scale.format_kib_rate_pair(whole_mean(&steady.bw) / 1024),
        scale.format_count(whole_mean(&steady.iops)),
        steady.criterion,
        if steady.percent { "%" } else { "" },
    )
}

#[cfg(test)]
pub(super) mod tests;
