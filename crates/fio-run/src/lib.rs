//! Jobs of fio's dialect: made ready, run by fio's rules, and put together as fio reports them.
//!
//! [`run_jobs`] takes sections whose options are typed already, and gives back the figures that the
//! `fio` crate prints. What starts when is in `director`, what it runs on in `files`, how one
//! instance goes in `member`. Jobs of another host's asking are a [`RemoteJobs`]: bounded, fenced,
//! and started when somebody else says so.
#![forbid(unsafe_code)]

mod created_files;
mod disks;
mod error;
mod file_layout;
mod file_ops;
mod files;
mod flow;
mod goals;
mod idle;
mod instance_run;
mod judge;
mod logs;
mod memory;
mod opendir;
mod path_policy;
mod remote_jobs;
mod remote_result;
mod replay;
mod result_files;
mod running_totals;
mod scheduler;
mod search;
mod survey;
mod verify;

use std::path::{Path, PathBuf};

use engine::{Clock, StopSignal};
use fio::options::engine::Engine;
use fio::plan::{Section, expand_instances, file_names, plan_instance};
use fio::results::{JobResult, RunResult};
use output::Destinations;
use record::Finding;
use target::Roots;
use units::Nanos;

use disks::DiskCounters;
use file_ops::is_device;
use files::{PreparedFiles, RunFiles};
use goals::Goals;
use idle::CpuTicks;
use instance_run::{InstanceError, InstanceRun, InstanceState};
use judge::Evidence;
use logs::RunLogs;
use replay::Replay;
use result_files::check_results;
use running_totals::RunningTotals;
use scheduler::Scheduler;
use search::DepthSearch;
use verify::Verification;

pub use error::JobsError;
pub use idle::IdleProfile;
pub use path_policy::{PathAccess, PathPolicy, PathRefusal};
pub use remote_jobs::{
    RemoteJobs, RunPolicy, TargetPaths, host_keywords, list_target_paths, type_sent_jobs,
};
pub use remote_result::{RemoteResult, sanitize_line};

pub use fio::print::EtaState;
pub use fio::read::{Keywords, SentJobs};
pub use fio::request::Jobs;

/// What is run, beside the jobs.
#[derive(Debug, Clone, Copy)]
pub struct JobsRequest<'a> {
    /// The jobs, in their order.
    pub sections: &'a [Section],
    /// Options given before the first job, as typed.
    pub global_options: &'a [(String, String)],
    /// `--readonly`.
    pub read_only: bool,
    /// `--yes-destroy-data-on`.
    pub destroy: Option<&'a Path>,
    /// `--aux-path`: where states of verification are kept.
    pub aux: Option<&'a Path>,
    /// `--idle-prof`.
    pub idle: Option<IdleProfile>,
    /// Milliseconds between states (`--status-interval`); 0 for none.
    pub status_ms: u64,
    /// Milliseconds between lines that tell how it goes; 0 for none.
    pub eta_ms: u64,
    /// A random number, for jobs that do not repeat their seed.
    pub random_seed: u64,
    /// Destinations of the command, which logs, traces and dumps join; `None` where jobs may
    /// write no such file.
    pub results: Option<&'a Destinations>,
    /// Tells that a device is read, to find data on it, before it is written; that takes seconds.
    pub announce: Option<fn(&str)>,
}

/// What is told while jobs run.
pub trait JobsObserver {
    /// Files are made for a job: how many, of how many bytes each.
    fn on_layout(&mut self, job: &str, files: usize, bytes: u64);
    /// All files are there, and so many threads and processes, in fio's words, start.
    fn on_start(&mut self, threads: u32, processes: u32);
    /// How it goes, so many milliseconds after the start.
    fn on_progress(&mut self, state: &EtaState, passed_ms: u64);
    /// The figures so far.
    fn on_status(&mut self, instances: Vec<JobResult>);
}

/// What came of the jobs.
#[derive(Debug)]
pub struct JobsOutcome {
    /// The figures.
    pub run: RunResult,
    /// Instances that failed.
    pub failed: u32,
    /// What failed, by job.
    pub failures: Vec<String>,
    /// What was not done as fio does it, by job.
    pub notes: Vec<String>,
    /// What the truth checks warn of.
    pub findings: Vec<Finding>,
    /// Something beside the jobs failed: a log could not be written.
    pub side_error: Option<String>,
    /// Place of the section that each instance of the figures is of.
    pub sections: Vec<usize>,
    /// How late the first wave began, behind the instant that its gate gave; absent without one.
    pub start_delay: Option<Nanos>,
}

/// Says when the first wave starts, as a reading of the clock, once everything is ready; `None`
/// where it is not to start.
pub type StartGate<'a> = &'a mut dyn FnMut(&Clock) -> Option<u64>;

/// What somebody else decides, where jobs are led.
#[derive(Default)]
struct Coordination<'a> {
    path_policy: Option<PathPolicy<'a>>,
    gate: Option<StartGate<'a>>,
}

/// Runs the jobs of `request` to their end.
///
/// A failing operation is in the figures of its job; only what cannot be run at all is an error.
///
/// # Errors
/// Options, files or devices that a job cannot be run with; before anything has started.
pub fn run_jobs(
    request: &JobsRequest<'_>,
    roots: &Roots,
    stop: &StopSignal,
    talk: &mut dyn JobsObserver,
) -> Result<JobsOutcome, JobsError> {
    run_coordinated(request, Coordination::default(), roots, stop, talk)
}

fn run_coordinated(
    request: &JobsRequest<'_>,
    led: Coordination<'_>,
    roots: &Roots,
    stop: &StopSignal,
    talk: &mut dyn JobsObserver,
) -> Result<JobsOutcome, JobsError> {
    let clock = Clock::best();
    let mut files =
        RunFiles::new(roots, &clock, stop, request.read_only, request.destroy, request.random_seed);
    files.path_policy = led.path_policy;
    let (mut members, results) = prepare_or_clean_up(request, &mut files, talk)?;
    let creates_only = request.sections.iter().any(|s| s.options.target.create_only);
    let mut disks = watch_disks(request.sections, &members, roots);
    let mut logs = RunLogs::new(members.len(), results);
    let threads = members.iter().filter(|m| m.section.options.run.thread).count() as u32;
    if !creates_only {
        talk.on_start(threads, members.len() as u32 - threads);
    }
    let mut witness =
        Evidence::collect(request.sections, &members, roots).filter(|_| !creates_only);
    let processors = request.idle.map(|idle| (idle, CpuTicks::read(roots)));
    let mut begin = clock.now();
    let mut planned_ns = None;
    if !creates_only {
        let mut director = Scheduler {
            runs: &mut members,
            logs: &mut logs,
            clock: &clock,
            stop,
            status_ms: request.status_ms,
            eta_ms: request.eta_ms,
            files: &mut files,
            first_start: None,
        };
        planned_ns = director.run_from_gate(led.gate, talk, &mut || {
            begin = clock.now();
            disks.iter_mut().for_each(|disks| disks.restart(roots));
            witness.iter_mut().for_each(|witness| witness.restart(roots));
        })?;
    }
    let elapsed_ms = (clock.now() - begin) / 1_000_000;
    let elapsed_s = elapsed_ms.div_ceil(1000);
    let reported = || members.iter().filter(|m| m.section.options.report.stats);
    let judged = witness.map(|witness| witness.judge(&members, roots)).unwrap_or_default();
    let run = RunResult {
        finished_ms: unix_ms(),
        global_options: request.global_options.to_vec(),
        instances: reported().map(|m| m.result(elapsed_s, 0)).collect(),
        idleness: processors.map(|(idle, before)| CpuTicks::read(roots).idle_since(&before, idle)),
        disks: disks.map(|disks| disks.usage_since_start(elapsed_ms, roots)).unwrap_or_default(),
        ..RunResult::default()
    };
    let mut notes: Vec<String> = members.iter().flat_map(InstanceRun::collect_notes).collect();
    notes.dedup();
    let failed = members.iter().filter(|member| member.error.errno != 0).count() as u32;
    let failures = members.iter().filter_map(InstanceRun::failure_text).collect();
    Ok(JobsOutcome {
        run,
        failed,
        failures,
        notes: [std::mem::take(&mut files.device_scans), notes].concat(),
        findings: judged,
        side_error: logs.failed.take(),
        sections: reported().map(|m| m.instance.section).collect(),
        start_delay: planned_ns.and_then(|planned_ns| first_start_delay(&members, planned_ns)),
    })
}

/// The disks below the files of the jobs; `None` where nobody wants to know, or no job uses any.
fn watch_disks(
    sections: &[Section],
    members: &[InstanceRun<'_>],
    roots: &Roots,
) -> Option<DiskCounters> {
    let wanted = sections.iter().any(|section| section.options.report.disk_util);
    let real = sections.iter().any(|section| section.options.engine.engine != Engine::Null);
    let entries = members.iter().flat_map(|member| &member.files.entries);
    (wanted && real).then(|| DiskCounters::start(entries, roots))
}

/// The files and devices that the jobs work on, by their names.
pub fn data_files(sections: &[Section]) -> impl Iterator<Item = PathBuf> {
    expand_instances(sections).into_iter().flat_map(|instance| {
        let names = file_names(&sections[instance.section], instance.clone, &is_device);
        names.into_iter().map(PathBuf::from)
    })
}

/// All instances with their files made and open, and the destinations of their results; no file is
/// left behind when that fails.
fn prepare_or_clean_up<'a>(
    request: &JobsRequest<'a>,
    files: &mut RunFiles<'_>,
    talk: &mut dyn JobsObserver,
) -> Result<(Vec<InstanceRun<'a>>, Option<Destinations>), JobsError> {
    let prepared = prepare_instances(request, files, talk);
    if prepared.is_err() {
        files.created.remove_all();
    }
    prepared
}

fn prepare_instances<'a>(
    request: &JobsRequest<'a>,
    files: &mut RunFiles<'_>,
    talk: &mut dyn JobsObserver,
) -> Result<(Vec<InstanceRun<'a>>, Option<Destinations>), JobsError> {
    files.announce = request.announce;
    let all = expand_instances(request.sections);
    let all = all.iter().map(|instance| (&request.sections[instance.section], instance));
    let named = data_files(request.sections);
    let mut planned = Vec::new();
    for instance in expand_instances(request.sections) {
        let section = &request.sections[instance.section];
        let replay = replay::read_replay(section, &instance, request.read_only)?;
        planned.push((section, instance, replay));
    }
    // Once the traces are read: no result may be one of them either.
    check_results(request.results, all.clone(), named, request.aux)?;
    let resolved = files.survey(
        planned.iter().map(|(section, instance, replay)| (*section, instance, replay.as_ref())),
    )?;
    let mut members = Vec::new();
    for ((section, instance, replay), resolved) in planned.into_iter().zip(resolved) {
        let ground = match &replay {
            Some(replay) => replay.prepare_files(resolved),
            None => files.prepare(section, &instance, resolved, talk)?,
        };
        members.push(prepare_run(section, instance, replay, ground, files.roots, request)?);
    }
    check_wait_for(request.sections)?;
    flow::assign_flows(&mut members);
    for member in &mut members {
        files.open(member.section, &mut member.files)?;
    }
    // By now the files of the jobs are there: no log may be one of them.
    let made = members.iter().flat_map(|member| &member.files.entries);
    let made = made.map(|entry| entry.path().to_owned());
    let results = check_results(request.results, all, made, request.aux)?;
    for verification in members.iter_mut().filter_map(|member| member.verification.as_mut()) {
        verification.open_state(results.as_ref());
    }
    Ok((members, results))
}

/// How long after `planned_ns` the last instance of the first wave began; `None` where none did.
fn first_start_delay(members: &[InstanceRun<'_>], planned_ns: u64) -> Option<Nanos> {
    let first = members.iter().filter(|member| {
        member.instance.wave == 0 && member.section.options.run.wait_for.is_none()
    });
    let late = first.filter_map(|member| {
        let skew_ns = member.outcome.as_ref()?.activity.start_skew_ns;
        let told_ns = member.start_ns.checked_sub(member.delay_ns)?;
        Some(Nanos(told_ns.saturating_sub(planned_ns) + skew_ns))
    });
    late.max()
}

/// Whether every `wait_for` names a job.
fn check_wait_for(sections: &[Section]) -> Result<(), JobsError> {
    for (place, section) in sections.iter().enumerate() {
        let Some(awaited) = &section.options.run.wait_for else { continue };
        if !sections[..place].iter().any(|other| other.name == *awaited) {
            let what = format!("wait_for={awaited} is no job before it");
            return Err(JobsError::file(&section.name, what, None));
        }
    }
    Ok(())
}

fn prepare_run<'a>(
    section: &'a Section,
    instance: fio::plan::Instance,
    replay: Option<Replay>,
    ground: PreparedFiles,
    roots: &Roots,
    request: &JobsRequest<'_>,
) -> Result<InstanceRun<'a>, JobsError> {
    let fresh = request.random_seed;
    let mut work = plan_instance(section, &instance, &ground.region, fresh)?;
    let script = replay.map(|replay| replay.apply_to_plan(&mut work, &ground));
    if work.job.placement.cpus.is_empty() {
        work.job.placement.cpus = numa_processors(section, roots)?;
    }
    let verification = Verification::from_section(section, &instance, &mut work.job, request)?;
    let goal = &section.options.goal;
    let search = (goal.latency_target_us > 0).then(|| {
        let rest = work.job.stop.time.filter(|_| goal.latency_run);
        let (target, window) = (goal.latency_target_us, goal.latency_window_us);
        DepthSearch::new(target, window, goal.latency_percentile, work.job.depth.0, rest)
    });
    let delay = section.options.run.startdelay;
    let more_us = match delay.max_us.saturating_sub(delay.min_us) {
        0 => 0,
        range => (fresh ^ u64::from(instance.number).wrapping_mul(0x9E37_79B9)) % (range + 1),
    };
    Ok(InstanceRun {
        section,
        instance,
        totals: RunningTotals::new(work.job.interval),
        passes_left: work.passes.saturating_sub(1),
        files: ground,
        plan: work,
        script,
        between_passes: false,
        flow: None,
        memory: None,
        state: InstanceState::Waiting,
        goals: Goals::new(section),
        search,
        verification,
        next: None,
        outcome: None,
        error: InstanceError::default(),
        continued: None,
        ending: false,
        delay_ns: (delay.min_us + more_us) * 1000,
        started_ms: 0,
        start_ns: 0,
        backend: "",
        notes: Vec::new(),
        latest_rates: [(0.0, 0.0); 3],
    })
}

/// The processors of `numa_cpu_nodes`, as sysfs lists them: `0-3,8`.
fn numa_processors(section: &Section, roots: &Roots) -> Result<Vec<u32>, JobsError> {
    let mut processors = Vec::new();
    for node in &section.options.placement.numa_cpu_nodes {
        let path = roots.sys.join(format!("devices/system/node/node{node}/cpulist"));
        let list = std::fs::read_to_string(&path).map_err(|error| {
            let what = format!("numa_cpu_nodes={node}: {}: {error}", path.display());
            JobsError::file(&section.name, what, Some("use cpus_allowed"))
        })?;
        processors.extend(parse_cpu_list(&list));
    }
    Ok(processors)
}

/// The numbers of a list as sysfs writes it: `0-3,8`.
fn parse_cpu_list(list: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            numbers.extend(first..=last);
        }
    }
    numbers
}

/// Milliseconds since 1970.
fn unix_ms() -> u64 {
    jiff::Timestamp::now().as_millisecond().try_into().unwrap_or(0)
}

/// How all instances are getting on.
fn eta_state(members: &[InstanceRun<'_>], now_ns: u64) -> EtaState {
    let running: Vec<&InstanceRun<'_>> = members.iter().filter(|m| m.is_running()).collect();
    let mut state = EtaState {
        letters: members.iter().map(InstanceRun::eta_letter).collect(),
        ..EtaState::default()
    };
    state.running = running.len() as u32;
    state.open_files = running.iter().map(|m| m.files.targets.len() as u32).sum();
    for member in &running {
        for (place, (iops, bytes)) in member.latest_rates.iter().enumerate() {
            state.iops[place] += *iops as u64;
            state.rate[place] += *bytes as u64;
        }
        let rate = &member.section.options.rate;
        state.rate_limits.0 += rate.rate_min.iter().sum::<u64>();
        state.rate_limits.1 += rate.rate.iter().sum::<u64>();
        state.iops_limits.0 += rate.rate_iops_min.iter().sum::<u64>();
        state.iops_limits.1 += rate.rate_iops.iter().sum::<u64>();
    }
    let left =
        members.iter().filter(|m| !m.is_done()).filter_map(|m| m.remaining_time(now_ns)).max();
    if let Some(left) = left {
        let ran = running.iter().map(|m| now_ns.saturating_sub(m.start_ns)).max().unwrap_or(0);
        state.eta_s = Some(left.0.div_ceil(1_000_000_000));
        state.percent = (ran > 0).then(|| ran as f64 * 100.0 / (ran + left.0) as f64);
    }
    state
}
