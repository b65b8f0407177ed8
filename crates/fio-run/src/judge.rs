//! The truth checks of a run.
//!
//! The jobs of a section are judged as one cell, with what its disk counted in its wave. The
//! counters do not tell jobs apart: of several sections of one wave on one disk, they are held
//! against all of these together, and the other checks look at each section.

use std::collections::BTreeMap;

use analysis::{explain, run_checks};
use engine::Outcome;
use jiff::Timestamp;
use record::{
    Cell, CellRole, Effort, Finding, FindingId, Ledger, Measured, Plan, Purpose, Status,
    TargetInfo, Tool,
};
use target::Roots;
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Direction, Job, Mix, Pacing};

use super::instance_run::InstanceRun;
use super::observation::{Observation, have_same_counters};
use method::{build_cell, describe_host};

/// What rests on the counters of the device alone.
const OF_COUNTERS: [FindingId; 3] =
    [FindingId::PageCache, FindingId::Neighbour, FindingId::OsThrottle];

/// The findings of the truth checks; of runs that were not observed, only what the rates show.
pub(super) fn judge_run(
    observations: &[Observation],
    runs: &[InstanceRun<'_>],
    roots: &Roots,
) -> Vec<Finding> {
    let ended: Vec<&Observation> =
        observations.iter().filter(|observation| observation.counted().is_some()).collect();
    let is_observed = |place: &usize| ended.iter().any(|of| of.members.contains(place));
    let rest: Vec<&InstanceRun<'_>> =
        (0..runs.len()).filter(|place| !is_observed(place)).map(|place| &runs[place]).collect();
    let mut disks: Vec<Vec<&Observation>> = Vec::new();
    for observation in ended {
        let known =
            disks.iter_mut().find(|disk| have_same_counters(&disk[0].info, &observation.info));
        match known {
            Some(disk) => disk.push(observation),
            None => disks.push(vec![observation]),
        }
    }
    let mut findings = Vec::new();
    for disk in disks {
        add_findings(&mut findings, judge_disk(&disk, runs, roots));
    }
    if !rest.is_empty() {
        add_findings(&mut findings, select_warnings(vec![judge_rates(&rest)]));
        add_findings(&mut findings, list_unobserved(&rest));
    }
    findings
}

/// What could not be looked at: runs with disks, of which nothing was counted.
fn list_unobserved(runs: &[&InstanceRun<'_>]) -> Vec<Finding> {
    let has_disk = |run: &InstanceRun<'_>| !run.section.options.engine.engine.is_diskless();
    let with_disks: Vec<&InstanceRun<'_>> =
        runs.iter().copied().filter(|run| has_disk(run)).collect();
    let cells = build_section_cells(&with_disks);
    if cells.is_empty() {
        return Vec::new();
    }
    let measured = build_measured(Timestamp::now(), cells);
    let judged = OF_COUNTERS.map(|id| explain(id).judge_alone(&measured));
    judged.into_iter().filter(|finding| finding.status == Status::NotObservable).collect()
}

/// Warnings are kept for each disk. That a check found nothing is kept once, and only if no disk
/// has a warning of it.
fn add_findings(all: &mut Vec<Finding>, more: Vec<Finding>) {
    let is_quiet = |finding: &Finding| finding.status <= Status::NotObservable;
    for finding in more {
        let quiet = all.iter().position(|known| known.id == finding.id && is_quiet(known));
        match quiet {
            Some(place) if all[place].status < finding.status => all[place] = finding,
            Some(_) => {}
            None if is_quiet(&finding) && all.iter().any(|known| known.id == finding.id) => {}
            None => all.push(finding),
        }
    }
}

fn judge_disk(
    observations: &[&Observation],
    runs: &[InstanceRun<'_>],
    roots: &Roots,
) -> Vec<Finding> {
    let cells = DiskCells::new(observations, runs);
    if cells.of_waves.is_empty() {
        return Vec::new();
    }
    let starts = observations.iter().filter_map(|of| of.counted()).map(|(started, _)| started);
    let started = starts.min().unwrap_or_else(Timestamp::now);
    let info = join_targets(observations);
    let measured = |cells: Vec<Cell>| Measured {
        environment: describe_host(roots),
        targets: vec![info.clone()],
        ..build_measured(started, cells)
    };
    let mut findings = run_checks(&measured(cells.of_sections));
    if cells.shared.is_empty() {
        return findings;
    }
    let of_waves = measured(cells.of_waves);
    for finding in findings.iter_mut().filter(|finding| OF_COUNTERS.contains(&finding.id)) {
        *finding = explain(finding.id).judge_alone(&of_waves);
        let sections =
            |name: &String| cells.shared.get(name).cloned().unwrap_or(vec![name.clone()]);
        finding.cells = finding.cells.iter().flat_map(sections).collect();
    }
    findings
}

/// One disk, as its observations in several waves describe it.
fn join_targets(observations: &[&Observation]) -> TargetInfo {
    let mut info = observations[0].info.clone();
    for more in observations[1..].iter().map(|of| &of.info) {
        info.direct |= more.direct;
        match (&mut info.extents, &more.extents) {
            (Some(sum), Some(more)) => sum.add(more),
            (extents, _) => *extents = None,
        }
    }
    info
}

/// What was measured on one disk.
#[derive(Default)]
struct DiskCells {
    /// A cell for each section.
    of_sections: Vec<Cell>,
    /// A cell for each wave: the counters do not tell its sections apart.
    of_waves: Vec<Cell>,
    /// The sections of waves that have several, by the name of the wave's cell.
    shared: BTreeMap<String, Vec<String>>,
}

impl DiskCells {
    fn new(observations: &[&Observation], runs: &[InstanceRun<'_>]) -> Self {
        let mut cells = Self::default();
        for observation in observations {
            let members: Vec<&InstanceRun<'_>> =
                observation.members.iter().map(|&place| &runs[place]).collect();
            let merged = merge_instances(&members).zip(observation.counted());
            let Some(((job, outcome), (_, counted))) = merged else { continue };
            let ledger = add_requested(&outcome, counted);
            let whole = build_cell(&job, CellRole::Main, &outcome, ledger, outcome.started_ns);
            cells.add_wave(whole, build_section_cells(&members));
        }
        cells
    }

    fn add_wave(&mut self, mut whole: Cell, sections: Vec<Cell>) {
        if sections.len() == 1 {
            self.of_sections.push(whole.clone());
        } else {
            let names: Vec<String> = sections.iter().map(|cell| cell.name.clone()).collect();
            whole.name = names.join(", ");
            self.shared.insert(whole.name.clone(), names);
            self.of_sections.extend(sections);
        }
        self.of_waves.push(whole);
    }
}

/// The counted ledger with what was requested.
fn add_requested(outcome: &Outcome, counted: &Ledger) -> Ledger {
    let asked = &outcome.requested;
    let count = |direction: Direction| asked.ops[direction as usize];
    let bytes = |direction: Direction| Bytes(asked.bytes[direction as usize]);
    Ledger {
        read_ops: count(Direction::Read),
        read_bytes: bytes(Direction::Read),
        write_ops: count(Direction::Write),
        write_bytes: bytes(Direction::Write),
        sync_ops: count(Direction::Sync),
        trim_ops: count(Direction::Trim),
        trim_bytes: bytes(Direction::Trim),
        resumed: asked.resumed,
        abandoned: asked.abandoned,
        ..counted.clone()
    }
}

pub(super) fn select_warnings(findings: Vec<Finding>) -> Vec<Finding> {
    findings.into_iter().filter(|finding| finding.status >= Status::Warning).collect()
}

fn judge_rates(runs: &[&InstanceRun<'_>]) -> Finding {
    let measured = build_measured(Timestamp::now(), build_section_cells(runs));
    explain(FindingId::Backlog).judge_alone(&measured)
}

/// A cell of each section, without the counters of a device.
fn build_section_cells(runs: &[&InstanceRun<'_>]) -> Vec<Cell> {
    let mut sections: BTreeMap<usize, Vec<&InstanceRun<'_>>> = BTreeMap::new();
    for &run in runs {
        sections.entry(run.instance.section).or_default().push(run);
    }
    let cells = sections.values().filter_map(|runs| {
        let (job, outcome) = merge_instances(runs)?;
        let time = Ledger { elapsed: Nanos(outcome.elapsed_ns), ..Ledger::default() };
        let ledger = add_requested(&outcome, &time);
        Some(build_cell(&job, CellRole::Main, &outcome, ledger, outcome.started_ns))
    });
    cells.collect()
}

/// The sum of some instances; its job is that of the first, with the depth of all and their mix. It
/// bypasses the page cache if all do, and its block size is the smallest.
fn merge_instances(runs: &[&InstanceRun<'_>]) -> Option<(Job, Outcome)> {
    let mut job = runs.first()?.plan.job.clone();
    job.direct = runs.iter().all(|run| run.plan.job.direct);
    job.block_size = runs.iter().map(|run| run.plan.job.block_size).min()?;
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
