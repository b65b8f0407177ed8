//! Prepares all instances: plans, files, scripts, destinations of results.

use engine::{Clock, SessionOptions};
use fio::plan::{Instance, Section, count_instances, expand_instances, plan_instance};
use output::Destinations;
use units::{Nanos, Seed};
use workload::{Payload, SharedSet, ThinkTime};

use super::error::JobsError;
use super::files::{PreparedFiles, RunFiles};
use super::flow;
use super::goals::Goals;
use super::host::numa_processors;
use super::instance_run::{
    InstanceCommands, InstanceReport, InstanceResources, InstanceRun, InstanceState,
    InstanceTiming, Upcoming,
};
use super::memory::check_huge_pages;
use super::network::Link;
use super::replay::{self, Replay};
use super::request::{JobsObserver, JobsRequest};
use super::result_files::check_results;
use super::running_totals::RunningTotals;
use super::search::DepthSearch;
use super::target_paths::data_files;
use super::verify::{STEPS_MAX, Verification};

/// All instances with their open files, and the destinations of results; removes new files on an
/// error.
pub(super) fn prepare_or_clean_up<'a>(
    request: &JobsRequest<'a>,
    files: &mut RunFiles<'_>,
    observer: &mut dyn JobsObserver,
) -> Result<(Vec<InstanceRun<'a>>, Option<Destinations>), JobsError> {
    let runs = prepare_instances(request, files, observer);
    if runs.is_err() {
        files.own.remove_all();
    }
    runs
}

fn prepare_instances<'a>(
    request: &JobsRequest<'a>,
    files: &mut RunFiles<'_>,
    observer: &mut dyn JobsObserver,
) -> Result<(Vec<InstanceRun<'a>>, Option<Destinations>), JobsError> {
    let all = expand_instances(request.sections);
    let all = all.iter().map(|instance| (&request.sections[instance.section], instance));
    let named = data_files(request.sections);
    let mut planned = Vec::new();
    for instance in expand_instances(request.sections) {
        let section = &request.sections[instance.section];
        let replay = replay::read_replay(section, &instance, request.read_only)?;
        planned.push((section, instance, replay));
    }
    // No result may overwrite a replayed trace.
    check_results(request.results, all.clone(), named, request.aux)?;
    let resolved = files.survey(
        planned.iter().map(|(section, instance, replay)| (*section, instance, replay.as_ref())),
    )?;
    let mut runs = Vec::new();
    let mut steps_left = STEPS_MAX;
    for ((section, instance, replay), resolved) in planned.into_iter().zip(resolved) {
        let prepared = match &replay {
            Some(replay) => replay.prepare_files(resolved),
            None => files.prepare(section, &instance, resolved, observer)?,
        };
        let steps_left = &mut steps_left;
        let mut run = prepare_run(section, instance, replay, prepared, files, request, steps_left)?;
        run.resources.link = Link::prepare(section, &run.instance, files.stop, observer)?;
        runs.push(run);
    }
    check_wait_for(request.sections)?;
    flow::assign_flows(&mut runs);
    for run in &mut runs {
        files.open(run.section, &mut run.files)?;
    }
    // No log may overwrite a file of the jobs, which exist now.
    let created = runs.iter().flat_map(|run| &run.files.entries);
    let created = created.map(|entry| entry.path().to_owned());
    let results = check_results(request.results, all, created, request.aux)?;
    for verification in runs.iter_mut().filter_map(|run| run.verification.as_mut()) {
        verification.open_state(results.as_ref());
    }
    Ok((runs, results))
}

/// Refuses a `wait_for` that names no earlier job.
pub(super) fn check_wait_for(sections: &[Section]) -> Result<(), JobsError> {
    for (place, section) in sections.iter().enumerate() {
        let Some(awaited) = &section.options.run.wait_for else { continue };
        if !sections[..place].iter().any(|other| other.name == *awaited) {
            let what = format!("wait_for={awaited} is no job before it");
            let hint = "name a job that stands before this one";
            return Err(JobsError::file(&section.name, what, hint));
        }
    }
    Ok(())
}

/// The pause of `thinkcycles`, which is spent busy.
fn plan_think_cycles(section: &Section, clock: &Clock) -> Result<Option<ThinkTime>, JobsError> {
    let cycles = section.options.rate.thinkcycles;
    if cycles == 0 {
        return Ok(None);
    }
    let hz = clock.hz().ok_or_else(|| {
        let what = "thinkcycles: this host's clock does not count cycles";
        JobsError::file(&section.name, what, "use thinktime and thinktime_spin")
    })?;
    let time = Nanos((f64::from(cycles) * 1e9 / hz) as u64);
    Ok(Some(ThinkTime { time, spin: time, every: 1, after: Nanos::ZERO }))
}

fn prepare_run<'a>(
    section: &'a Section,
    instance: Instance,
    replay: Option<Replay>,
    files: PreparedFiles,
    &RunFiles { roots, clock, .. }: &RunFiles<'_>,
    request: &JobsRequest<'_>,
    steps_left: &mut usize,
) -> Result<InstanceRun<'a>, JobsError> {
    let random = request.random_seed;
    let mut plan = plan_instance(section, &instance, &files.region, random)?;
    let script = replay.map(|replay| replay.apply_to_plan(&mut plan, &files));
    if plan.job.placement.cpus.is_empty() {
        plan.job.placement.cpus = numa_processors(section, roots)?;
    }
    check_huge_pages(section, &plan.job, roots)?;
    plan.job.think = plan_think_cycles(section, clock)?.or(plan.job.think);
    if section.options.data.dedupe_global
        && let Payload::WorkingSet { shared, .. } = &mut plan.job.payload
    {
        let (job, jobs) = (u64::from(instance.number), count_instances(request.sections));
        *shared = Some(SharedSet { seed: Seed(random), job, jobs });
    }
    let count = files.paths.len();
    let verification =
        Verification::from_section(section, &instance, &mut plan.job, count, request)?;
    let trimmed = match &verification {
        Some(verification) => verification.plan_trims(section, &mut plan, count, steps_left)?,
        None => None,
    };
    let goal = &section.options.goal;
    let search = (goal.latency_target_us > 0).then(|| {
        let (target, window) = (goal.latency_target_us, goal.latency_window_us);
        let (share, depth) = (goal.latency_percentile, plan.job.depth.0);
        DepthSearch::new(target, window, share, depth, goal.latency_run, plan.job.stop)
    });
    let delay = section.options.run.startdelay;
    let more_us = match delay.max_us.saturating_sub(delay.min_us) {
        0 => 0,
        range => (random ^ u64::from(instance.number).wrapping_mul(0x9E37_79B9)) % (range + 1),
    };
    Ok(InstanceRun {
        section,
        instance,
        totals: RunningTotals::new(plan.job.interval),
        upcoming: Upcoming::default(),
        files,
        plan,
        base_options: SessionOptions { script: script.or(trimmed), ..SessionOptions::default() },
        resources: InstanceResources::default(),
        state: InstanceState::Waiting,
        goals: Goals::new(section),
        search,
        verification,
        timing: InstanceTiming {
            delay_ns: (delay.min_us + more_us) * 1000,
            ..InstanceTiming::default()
        },
        report: InstanceReport::default(),
        commands: InstanceCommands::default(),
    })
}
