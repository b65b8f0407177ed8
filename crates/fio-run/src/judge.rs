//! The truth checks of a run.
//!
//! Only runs of one section are judged, as one cell: the counters of a device do not tell jobs
//! apart.

use analysis::run_checks;
use engine::Outcome;
use fio::plan::Section;
use jiff::Timestamp;
use record::{
    Calibration, CellRole, ClockSource, Effort, Finding, Judgement, Layer, Ledger, Measured, Plan,
    Purpose, Residency, Status, TargetInfo, TargetKind, Tool,
};
use target::{
    CounterSnapshot, OpenTarget, Roots, describe_target, open_for_reading, query_extents,
    query_residency,
};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Direction, Job};

use super::instance_run::InstanceRun;
use method::{build_cell, describe_host};

pub(super) struct Evidence {
    info: TargetInfo,
    stack: Vec<Layer>,
    before: CounterSnapshot,
    cached_before: Option<(&'static str, u64, u64)>,
    /// For its page cache.
    file: OpenTarget,
    started: Timestamp,
    job: Job,
}

impl Evidence {
    /// Observes the file of a run of one section; `None` for other runs.
    pub(super) fn collect(
        sections: &[Section],
        runs: &[InstanceRun<'_>],
        roots: &Roots,
    ) -> Option<Self> {
        let [_] = sections else { return None };
        let first = runs.first().filter(|run| run.verification.is_none())?;
        let one_file = runs.iter().all(|run| run.files.paths == first.files.paths);
        let own_files = runs.iter().all(|run| run.files.paths.len() == 1);
        if !(one_file || own_files) {
            return None;
        }
        let entry = first.files.entries.first()?;
        let mut info = describe_target(entry, roots).ok()?;
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
            job: job.clone(),
        })
    }

    /// The run begins only now, after waiting for other hosts.
    pub(super) fn restart(&mut self, roots: &Roots) {
        self.before = CounterSnapshot::take(&self.stack, roots);
        self.started = Timestamp::now();
    }

    pub(super) fn judge(self, runs: &[InstanceRun<'_>], roots: &Roots) -> Vec<Finding> {
        let outcomes: Vec<&Outcome> =
            runs.iter().filter_map(|run| run.report.outcome.as_ref()).collect();
        let Some(outcome) = merge_outcomes(&outcomes) else { return Vec::new() };
        let depth = self.job.depth.0.saturating_mul(outcomes.len() as u32);
        let job = Job { depth: Depth(depth), ..self.job.clone() };
        let ledger = self.build_ledger(&job, &outcome, roots);
        let cell = build_cell(&job, CellRole::Main, &outcome, ledger, outcome.started_ns);
        let plan = Plan {
            purpose: Purpose::Check { effort: Effort::Quick, until_throttled: None },
            budget: Nanos::ZERO,
            bounds: Vec::new(),
            read_only: !job.mix.writes(),
            span: job.span.length,
            seed: Seed(0),
        };
        let measured = Measured {
            finished: Timestamp::now(),
            environment: describe_host(roots),
            targets: vec![self.info],
            calibration: Calibration {
                clock: ClockSource::Monotonic,
                clock_read_ns: 0.0,
                tsc_hz: None,
                nop_iops_depth_1: None,
                nop_iops_depth_32: None,
                took: Nanos::ZERO,
            },
            cells: vec![cell],
            ..Measured::new(Tool::ours(""), self.started, plan)
        };
        let told = |finding: &Finding| matches!(finding.status, Status::Warning | Status::Invalid);
        run_checks(&measured, &Judgement::default()).into_iter().filter(told).collect()
    }

    fn build_ledger(&self, job: &Job, outcome: &Outcome, roots: &Roots) -> Ledger {
        let difference = CounterSnapshot::take(&self.stack, roots).deltas_since(&self.before);
        let now = query_residency(&self.file.file, job.span.offset, job.span.length);
        let asked = &outcome.requested;
        let count = |direction: Direction| asked.ops[direction as usize];
        let bytes = |direction: Direction| Bytes(asked.bytes[direction as usize]);
        Ledger {
            elapsed: difference.elapsed,
            read_ops: count(Direction::Read),
            read_bytes: bytes(Direction::Read),
            write_ops: count(Direction::Write),
            write_bytes: bytes(Direction::Write),
            sync_ops: count(Direction::Sync),
            trim_ops: count(Direction::Trim),
            trim_bytes: bytes(Direction::Trim),
            resumed: asked.resumed,
            abandoned: asked.abandoned,
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
        }
    }
}

fn merge_outcomes(outcomes: &[&Outcome]) -> Option<Outcome> {
    let (first, rest) = outcomes.split_first()?;
    let mut all = (*first).clone();
    all.intervals.clear();
    for one in rest {
        for (into, from) in all.totals.iter_mut().zip(&one.totals) {
            into.ops += from.ops;
            into.bytes += from.bytes;
            into.total.merge(&from.total);
            into.submission.merge(&from.submission);
        }
        all.requested.add(&one.requested);
        all.activity.add(&one.activity);
        all.elapsed_ns = all.elapsed_ns.max(one.elapsed_ns);
        all.threads += one.threads;
    }
    Some(all)
}
