//! The truth checks of a run.
//!
//! Runs of one section are judged as one cell. The counters of a device do not tell jobs apart: of
//! several sections on one device, they are held against all sections together, and the other
//! checks look at each section. Of sections on several devices only the rates are judged.

use std::collections::BTreeMap;

use analysis::{explain, run_checks};
use engine::Outcome;
use fio::plan::Section;
use jiff::Timestamp;
use record::{
    Cell, CellRole, Effort, Finding, FindingId, Judgement, Layer, Ledger, Measured, Plan, Purpose,
    Residency, Status, TargetInfo, TargetKind, Tool,
};
use target::{
    CounterSnapshot, OpenTarget, Roots, describe_target, open_for_reading, query_extents,
    query_residency,
};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Direction, Job, Mix, Pacing};

use super::instance_run::InstanceRun;
use method::{build_cell, describe_host};

/// What rests on the counters of the device alone.
const OF_COUNTERS: [FindingId; 3] =
    [FindingId::PageCache, FindingId::Neighbour, FindingId::OsThrottle];

pub(super) struct Evidence {
    info: TargetInfo,
    stack: Vec<Layer>,
    before: CounterSnapshot,
    cached_before: Option<(&'static str, u64, u64)>,
    /// For its page cache.
    file: OpenTarget,
    started: Timestamp,
}

impl Evidence {
    /// Observes the device of a run; `None` where there are several, or where the files of its
    /// instances differ.
    pub(super) fn collect(
        sections: &[Section],
        runs: &[InstanceRun<'_>],
        roots: &Roots,
    ) -> Option<Self> {
        let calls_names = |run: &InstanceRun<'_>| run.section.options.engine.engine.calls_names();
        let is_plain = |run: &InstanceRun<'_>| run.verification.is_none() && !calls_names(run);
        if !runs.iter().all(is_plain) {
            return None;
        }
        let first = runs.first()?;
        let one_file = runs.iter().all(|run| run.files.paths == first.files.paths);
        let own_files = runs.iter().all(|run| run.files.paths.len() == 1);
        if !(one_file || own_files) {
            return None;
        }
        let entry = first.files.entries.first()?;
        let mut info = describe_target(entry, roots).ok()?;
        let is_same = |run: &InstanceRun<'_>| {
            let mut entries = run.files.entries.iter();
            entries
                .all(|other| describe_target(other, roots).is_ok_and(|of| of.stack == info.stack))
        };
        if sections.len() > 1 && !runs.iter().all(is_same) {
            return None;
        }
        let file = open_for_reading(entry, false).ok()?;
        let job = &first.plan.job;
        info.size = file.size;
        // A job with direct=0 does not show O_DIRECT: it is tried.
        info.direct = job.direct || open_for_reading(entry, true).is_ok_and(|opened| opened.direct);
        if info.kind != TargetKind::BlockDevice {
            info.extents =
                query_extents(&file.file, job.span.offset, job.span.length).ok().flatten();
        }
        let stack = info.stack.clone();
        Some(Self {
            before: CounterSnapshot::take(&stack, roots),
            cached_before: query_residency(&file.file, job.span.offset, job.span.length),
            stack,
            info,
            file,
            started: Timestamp::now(),
        })
    }

    /// The run begins only now, after waiting for other hosts.
    pub(super) fn restart(&mut self, roots: &Roots) {
        self.before = CounterSnapshot::take(&self.stack, roots);
        self.started = Timestamp::now();
    }

    fn judge(self, runs: &[&InstanceRun<'_>], roots: &Roots) -> Vec<Finding> {
        let Some((job, outcome)) = merge_instances(runs) else { return Vec::new() };
        let ledger = self.build_ledger(&job, &outcome, roots);
        let cell = build_cell(&job, CellRole::Main, &outcome, ledger, outcome.started_ns);
        let whole = Measured {
            environment: describe_host(roots),
            targets: vec![self.info],
            ..build_measured(self.started, vec![cell])
        };
        let sections = build_section_cells(runs.iter().copied());
        if sections.len() == 1 {
            return run_checks(&whole, &Judgement::default());
        }
        let of_sections = Measured { cells: sections, ..whole.clone() };
        let mut findings = run_checks(&of_sections, &Judgement::default());
        for finding in findings.iter_mut().filter(|finding| OF_COUNTERS.contains(&finding.id)) {
            *finding = explain(finding.id).judge_alone(&whole);
        }
        findings
    }

    fn build_ledger(&self, job: &Job, outcome: &Outcome, roots: &Roots) -> Ledger {
        let difference = CounterSnapshot::take(&self.stack, roots).deltas_since(&self.before);
        let now = query_residency(&self.file.file, job.span.offset, job.span.length);
        Ledger {
            elapsed: difference.elapsed,
            process: difference.process,
            layers: difference.layers,
            residency: self.cached_before.zip(now).map(|(then, now)| Residency {
                method: now.0.to_owned(),
                pages: now.1,
                cached_before: then.2,
                cached_after: now.2,
            }),
            system: difference.system,
            cpu_throttle: difference.cpu_throttle,
            io_limits: difference.io_limits,
            ..count_requested(outcome)
        }
    }
}

/// A ledger of what was asked for, without what the device counted.
fn count_requested(outcome: &Outcome) -> Ledger {
    let asked = &outcome.requested;
    let count = |direction: Direction| asked.ops[direction as usize];
    let bytes = |direction: Direction| Bytes(asked.bytes[direction as usize]);
    Ledger {
        elapsed: Nanos(outcome.elapsed_ns),
        read_ops: count(Direction::Read),
        read_bytes: bytes(Direction::Read),
        write_ops: count(Direction::Write),
        write_bytes: bytes(Direction::Write),
        sync_ops: count(Direction::Sync),
        trim_ops: count(Direction::Trim),
        trim_bytes: bytes(Direction::Trim),
        resumed: asked.resumed,
        abandoned: asked.abandoned,
        ..Ledger::default()
    }
}

/// The findings of the truth checks; without evidence, only what the rates show.
pub(super) fn judge_run(
    evidence: Option<Evidence>,
    runs: &[InstanceRun<'_>],
    roots: &Roots,
) -> Vec<Finding> {
    match evidence {
        Some(evidence) => evidence.judge(&runs.iter().collect::<Vec<_>>(), roots),
        None => select_warnings(vec![judge_rates(runs)]),
    }
}

pub(super) fn select_warnings(findings: Vec<Finding>) -> Vec<Finding> {
    findings.into_iter().filter(|finding| finding.status >= Status::Warning).collect()
}

fn judge_rates(runs: &[InstanceRun<'_>]) -> Finding {
    let measured = build_measured(Timestamp::now(), build_section_cells(runs.iter()));
    explain(FindingId::Backlog).judge_alone(&measured)
}

/// A cell of each section, without the counters of a device.
fn build_section_cells<'a>(runs: impl Iterator<Item = &'a InstanceRun<'a>>) -> Vec<Cell> {
    let mut sections: BTreeMap<usize, Vec<&InstanceRun<'_>>> = BTreeMap::new();
    for run in runs {
        sections.entry(run.instance.section).or_default().push(run);
    }
    let cells = sections.values().filter_map(|runs| {
        let (job, outcome) = merge_instances(runs)?;
        let ledger = count_requested(&outcome);
        Some(build_cell(&job, CellRole::Main, &outcome, ledger, outcome.started_ns))
    });
    cells.collect()
}

/// The sum of some instances; its job is that of the first, with the depth of all and their mix.
fn merge_instances(runs: &[&InstanceRun<'_>]) -> Option<(Job, Outcome)> {
    let mut job = runs.first()?.plan.job.clone();
    let mut outcomes = runs.iter().filter_map(|run| run.report.outcome.as_ref());
    let mut all = outcomes.next()?.clone();
    all.intervals.clear();
    let mut instances = 1;
    for one in outcomes {
        instances += 1;
        for (into, from) in all.totals.iter_mut().zip(&one.totals) {
            into.merge(from);
        }
        if let (Some(into), Some(from)) = (&mut all.open_loop, &one.open_loop) {
            into.merge(from);
        }
        all.requested.add(&one.requested);
        all.activity.add(&one.activity);
        all.elapsed_ns = all.elapsed_ns.max(one.elapsed_ns);
        all.threads += one.threads;
    }
    job.depth = Depth(job.depth.0.saturating_mul(instances));
    let ops = |direction: Direction| all.requested.ops[direction as usize];
    let (reads, writes) = (ops(Direction::Read), ops(Direction::Write));
    if reads > 0 && writes > 0 && matches!(job.mix, Mix::Read | Mix::Write) {
        let read_percent = (100.0 * reads as f64 / (reads + writes) as f64).round() as u8;
        job.mix = Mix::Mixed { read_percent };
    }
    if let Pacing::Open { rate, .. } = &mut job.pacing {
        rate.0 *= f64::from(instances);
    }
    Some((job, all))
}

fn build_measured(started: Timestamp, cells: Vec<Cell>) -> Measured {
    let job = cells.first().map_or_else(Job::base, |cell| cell.job.clone());
    let plan = Plan {
        purpose: Purpose::Check { effort: Effort::Quick, until_throttled: None },
        budget: Nanos::ZERO,
        bounds: Vec::new(),
        read_only: !job.mix.writes(),
        span: job.span.length,
        seed: Seed(0),
    };
    Measured { finished: Timestamp::now(), cells, ..Measured::new(Tool::ours(""), started, plan) }
}
