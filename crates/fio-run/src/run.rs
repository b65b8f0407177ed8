//! Runs jobs and collects their figures.

use engine::{Clock, StopSignal};
use fio::plan::Section;
use fio::results::RunResult;
use target::Roots;
use units::Nanos;

use super::control_groups::prepare_groups;
use super::disks::DiskCounters;
use super::error::JobsError;
use super::files::{RunFiles, WritePolicy};
use super::host::unix_ms;
use super::idle::CpuTicks;
use super::instance_run::InstanceRun;
use super::judge::{judge_run, select_warnings};
use super::logs::RunLogs;
use super::observation::plan_observations;
use super::prepare::prepare_or_clean_up;
use super::request::{Coordination, JobsObserver, JobsOutcome, JobsRequest};
use super::scheduler::Scheduler;

/// Runs the jobs of `request`. Failed operations are in the figures; errors come before the start.
pub fn run_jobs(
    request: &JobsRequest<'_>,
    roots: &Roots,
    stop: &StopSignal,
    observer: &mut dyn JobsObserver,
) -> Result<JobsOutcome, JobsError> {
    run_coordinated(request, Coordination::default(), roots, stop, observer)
}

pub(super) fn run_coordinated(
    request: &JobsRequest<'_>,
    led: Coordination<'_>,
    roots: &Roots,
    stop: &StopSignal,
    observer: &mut dyn JobsObserver,
) -> Result<JobsOutcome, JobsError> {
    let clock = Clock::best();
    let policy = WritePolicy::new(request, led.path_policy);
    let mut files = RunFiles::new(roots, &clock, stop, policy, request.random_seed);
    let groups = prepare_groups(request.sections, roots)?;
    let (mut runs, results) = prepare_or_clean_up(request, &mut files, observer)?;
    let creates_only = request.sections.iter().any(|s| s.options.target.create_only);
    let disks = watch_disks(request.sections, &runs, roots);
    let mut logs = RunLogs::new(runs.len(), results);
    let threads = runs.iter().filter(|m| m.section.options.run.thread).count() as u32;
    if !creates_only {
        observer.on_start(threads, runs.len() as u32 - threads);
    }
    let (observations, unobserved) = plan_observations(&runs, roots);
    let processors = request.idle.map(|idle| (idle, CpuTicks::read(roots)));
    let mut begin = clock.now();
    let mut planned_ns = None;
    let mut scheduler = Scheduler {
        runs: &mut runs,
        logs: &mut logs,
        clock: &clock,
        stop,
        status_ms: request.status_ms,
        eta_ms: request.eta_ms,
        files: &mut files,
        groups,
        first_start: None,
        disks,
        observations,
        commands: Vec::new(),
    };
    if !creates_only {
        planned_ns = scheduler.run_from_gate(led.gate, observer, &mut || begin = clock.now())?;
    }
    let elapsed_ms = (clock.now() - begin) / 1_000_000;
    let disks = scheduler.disk_usage(elapsed_ms);
    let observations = std::mem::take(&mut scheduler.observations);
    files.own.remove_partial();
    let reported = || runs.iter().filter(|m| m.section.options.report.stats);
    let checks = judge_run(&observations, &runs, roots);
    let run = RunResult {
        finished_ms: unix_ms(),
        global_options: request.global_options.to_vec(),
        instances: reported().map(|m| m.result(elapsed_ms.div_ceil(1000), 0)).collect(),
        idleness: processors.map(|(idle, before)| CpuTicks::read(roots).idle_since(&before, idle)),
        disks,
        ..RunResult::default()
    };
    let mut notes: Vec<String> = runs.iter().flat_map(InstanceRun::collect_notes).collect();
    notes.dedup();
    let failures = runs.iter().filter_map(InstanceRun::failure_text).collect();
    Ok(JobsOutcome {
        wrong_blocks: runs.iter().flat_map(|run| run.report.wrong_blocks.clone()).collect(),
        run,
        failed: runs.iter().filter(|run| run.report.error.errno != 0).count() as u32,
        failures,
        notes: [std::mem::take(&mut files.device_scans), notes, unobserved].concat(),
        findings: select_warnings(checks.clone()),
        checks,
        side_error: logs.failed.take(),
        sections: reported().map(|m| m.instance.section).collect(),
        start_delay: planned_ns.and_then(|planned_ns| first_start_delay(&runs, planned_ns)),
    })
}

/// `None` if the report has no disks, or no job uses one.
fn watch_disks(
    sections: &[Section],
    runs: &[InstanceRun<'_>],
    roots: &Roots,
) -> Option<DiskCounters> {
    let wanted = sections.iter().any(|section| section.options.report.disk_util);
    let diskless = |section: &Section| section.options.engine.engine.is_diskless();
    let with_disks = runs.iter().filter(|run| !diskless(run.section));
    let entries = with_disks.flat_map(|run| &run.files.entries);
    (wanted && !sections.iter().all(diskless)).then(|| DiskCounters::start(entries, roots))
}

/// Delay of the last instance of the first wave; `None` if none started.
fn first_start_delay(runs: &[InstanceRun<'_>], planned_ns: u64) -> Option<Nanos> {
    let first = runs
        .iter()
        .filter(|run| run.instance.wave == 0 && run.section.options.run.wait_for.is_none());
    let late = first.filter_map(|run| {
        let skew_ns = run.report.outcome.as_ref()?.activity.start_skew_ns;
        let turn_ns = run.timing.start_ns.checked_sub(run.timing.delay_ns)?;
        Some(Nanos(turn_ns.saturating_sub(planned_ns) + skew_ns))
    });
    late.max()
}
