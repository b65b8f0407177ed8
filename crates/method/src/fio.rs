//! Jobs of fio's dialect: made ready, run by fio's rules, and put together as fio reports them.
//!
//! [`run_jobs`] takes sections whose options are typed already, and gives back the figures that the
//! `fio` crate prints. What starts when is in `director`, what it runs on in `files`, how one
//! instance goes in `member`. Jobs of another host's asking are a [`Commission`]: bounded, fenced,
//! and started when somebody else says so.

mod commission;
mod director;
mod disks;
mod error;
mod fence;
mod file_layout;
mod files;
mod filing;
mod flow;
mod given;
mod goals;
mod idle;
mod logs;
mod made;
mod member;
mod memory;
mod opendir;
mod replay;
mod results;
mod search;
mod survey;
mod tally;
mod truth;
mod verify;

use std::path::{Path, PathBuf};

use engine::{Clock, StopFlag};
use fio::options::job::Engine;
use fio::plan::{Section, file_names, instances, work};
use fio::results::{JobResult, Run};
use output::Destinations;
use record::Finding;
use target::Roots;
use units::Nanos;

use director::Director;
use disks::Disks;
use files::{Files, Ground};
use filing::is_device;
use goals::Goals;
use idle::Processors;
use logs::Logs;
use member::{Member, State, Trouble};
use replay::Replay;
use results::check_results;
use search::Search;
use tally::Tally;
use truth::Witness;
use verify::Verification;

pub use commission::{Commission, Places, Terms, keywords, places, told};
pub use error::JobsError;
pub use fence::{Fence, Fenced, Touch};
pub use given::{Given, line};
pub use idle::Idle;

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
    pub words: Option<&'a Path>,
    /// `--aux-path`: where states of verification are kept.
    pub aux: Option<&'a Path>,
    /// `--idle-prof`.
    pub idle: Option<Idle>,
    /// Milliseconds between states (`--status-interval`); 0 for none.
    pub status_ms: u64,
    /// Milliseconds between lines that tell how it goes; 0 for none.
    pub eta_ms: u64,
    /// A random number, for jobs that do not repeat their seed.
    pub fresh: u64,
    /// Destinations of the command, which logs, traces and dumps join; `None` where jobs may
    /// write no such file.
    pub results: Option<&'a Destinations>,
    /// Tells that a device is read, to find data on it, before it is written; that takes seconds.
    pub announce: Option<fn(&str)>,
}

/// What is told while jobs run.
pub trait Talk {
    /// Files are made for a job: how many, of how many bytes each.
    fn laying_out(&mut self, job: &str, files: usize, bytes: u64);
    /// All files are there, and so many threads and processes, in fio's words, start.
    fn starting(&mut self, threads: u32, processes: u32);
    /// How it goes, so many milliseconds after the start.
    fn going(&mut self, state: &EtaState, passed_ms: u64);
    /// The figures so far.
    fn status(&mut self, instances: Vec<JobResult>);
}

/// What came of the jobs.
#[derive(Debug)]
pub struct Ran {
    /// The figures.
    pub run: Run,
    /// Instances that failed.
    pub failed: u32,
    /// What failed, by job.
    pub failures: Vec<String>,
    /// What was not done as fio does it, by job.
    pub notes: Vec<String>,
    /// What the truth checks warn of.
    pub findings: Vec<Finding>,
    /// Something beside the jobs failed: a log could not be written.
    pub trouble: Option<String>,
    /// Place of the section that each instance of the figures is of.
    pub sections: Vec<usize>,
    /// How late the first wave began, behind the instant that its gate gave; absent without one.
    pub began: Option<Nanos>,
}

/// Says when the first wave starts, as a reading of the clock, once everything is ready; `None`
/// where it is not to start.
pub type Gate<'a> = &'a mut dyn FnMut(&Clock) -> Option<u64>;

/// What somebody else decides, where jobs are led.
#[derive(Default)]
struct Led<'a> {
    fence: Option<Fence<'a>>,
    gate: Option<Gate<'a>>,
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
    stop: &StopFlag,
    talk: &mut dyn Talk,
) -> Result<Ran, JobsError> {
    run_led(request, Led::default(), roots, stop, talk)
}

fn run_led(
    request: &JobsRequest<'_>,
    led: Led<'_>,
    roots: &Roots,
    stop: &StopFlag,
    talk: &mut dyn Talk,
) -> Result<Ran, JobsError> {
    let clock = Clock::best();
    let mut files =
        Files::new(roots, &clock, stop, request.read_only, request.words, request.fresh);
    files.fence = led.fence;
    let (mut members, results) = prepared(request, &mut files, talk)?;
    let creates_only = request.sections.iter().any(|s| s.options.target.create_only);
    let mut disks = watch_disks(request.sections, &members, roots);
    let mut logs = Logs::new(members.len(), results);
    let threads = members.iter().filter(|m| m.section.options.time.thread).count() as u32;
    if !creates_only {
        talk.starting(threads, members.len() as u32 - threads);
    }
    let mut witness = Witness::call(request.sections, &members, roots).filter(|_| !creates_only);
    let processors = request.idle.map(|idle| (idle, Processors::now(roots)));
    let mut begin = clock.now();
    let mut planned_ns = None;
    if !creates_only {
        let mut director = Director {
            members: &mut members,
            logs: &mut logs,
            clock: &clock,
            stop,
            status_ms: request.status_ms,
            eta_ms: request.eta_ms,
            files: &mut files,
            first_start: None,
        };
        planned_ns = director.led(led.gate, talk, &mut || {
            begin = clock.now();
            disks.iter_mut().for_each(|disks| disks.begin(roots));
            witness.iter_mut().for_each(|witness| witness.begin(roots));
        })?;
    }
    let elapsed_ms = (clock.now() - begin) / 1_000_000;
    let elapsed_s = elapsed_ms.div_ceil(1000);
    let reported = || members.iter().filter(|m| m.section.options.report.stats);
    let judged = witness.map(|witness| witness.judge(&members, roots)).unwrap_or_default();
    let run = Run {
        finished_ms: unix_ms(),
        global_options: request.global_options.to_vec(),
        instances: reported().map(|m| m.result(elapsed_s, 0)).collect(),
        idleness: processors.map(|(idle, before)| Processors::now(roots).idle_since(&before, idle)),
        disks: disks.map(|disks| disks.used(elapsed_ms, roots)).unwrap_or_default(),
        ..Run::default()
    };
    let mut notes: Vec<String> = members.iter().flat_map(Member::remarks).collect();
    notes.dedup();
    let failed = members.iter().filter(|member| member.trouble.errno != 0).count() as u32;
    let failures = members.iter().filter_map(Member::failure).collect();
    Ok(Ran {
        run,
        failed,
        failures,
        notes: [std::mem::take(&mut files.looks), notes].concat(),
        findings: judged,
        trouble: logs.failed.take(),
        sections: reported().map(|m| m.instance.section).collect(),
        began: planned_ns.and_then(|planned_ns| began(&members, planned_ns)),
    })
}

/// The disks below the files of the jobs; `None` where nobody wants to know, or no job uses any.
fn watch_disks(sections: &[Section], members: &[Member<'_>], roots: &Roots) -> Option<Disks> {
    let wanted = sections.iter().any(|section| section.options.report.disk_util);
    let real = sections.iter().any(|section| section.options.engine.engine != Engine::Null);
    let entries = members.iter().flat_map(|member| &member.ground.entries);
    (wanted && real).then(|| Disks::watch(entries, roots))
}

/// The files and devices that the jobs work on, by their names.
pub fn data_files(sections: &[Section]) -> impl Iterator<Item = PathBuf> {
    instances(sections).into_iter().flat_map(|instance| {
        let names = file_names(&sections[instance.section], instance.clone, &is_device);
        names.into_iter().map(PathBuf::from)
    })
}

/// All instances with their files made and open, and the destinations of their results; no file is
/// left behind when that fails.
fn prepared<'a>(
    request: &JobsRequest<'a>,
    files: &mut Files<'_>,
    talk: &mut dyn Talk,
) -> Result<(Vec<Member<'a>>, Option<Destinations>), JobsError> {
    let prepared = prepare_members(request, files, talk);
    if prepared.is_err() {
        files.made.remove_all();
    }
    prepared
}

fn prepare_members<'a>(
    request: &JobsRequest<'a>,
    files: &mut Files<'_>,
    talk: &mut dyn Talk,
) -> Result<(Vec<Member<'a>>, Option<Destinations>), JobsError> {
    files.announce = request.announce;
    let all = instances(request.sections);
    let all = all.iter().map(|instance| (&request.sections[instance.section], instance));
    let named = data_files(request.sections);
    let mut planned = Vec::new();
    for instance in instances(request.sections) {
        let section = &request.sections[instance.section];
        let replay = replay::read(section, &instance, request.read_only)?;
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
            Some(replay) => replay.prepare(resolved),
            None => files.prepare(section, &instance, resolved, talk)?,
        };
        members.push(member(section, instance, replay, ground, files.roots, request)?);
    }
    known_waits(request.sections)?;
    flow::seat(&mut members);
    for member in &mut members {
        files.open(member.section, &mut member.ground)?;
    }
    // By now the files of the jobs are there: no log may be one of them.
    let made = members.iter().flat_map(|member| &member.ground.entries);
    let made = made.map(|entry| entry.path().to_owned());
    let results = check_results(request.results, all, made, request.aux)?;
    for verification in members.iter_mut().filter_map(|member| member.verification.as_mut()) {
        verification.open_state(results.as_ref());
    }
    Ok((members, results))
}

/// How long after `planned_ns` the last instance of the first wave began; `None` where none did.
fn began(members: &[Member<'_>], planned_ns: u64) -> Option<Nanos> {
    let first = members.iter().filter(|member| {
        member.instance.wave == 0 && member.section.options.time.wait_for.is_none()
    });
    let late = first.filter_map(|member| {
        let skew_ns = member.outcome.as_ref()?.start_skew_ns;
        let told_ns = member.start_ns.checked_sub(member.delay_ns)?;
        Some(Nanos(told_ns.saturating_sub(planned_ns) + skew_ns))
    });
    late.max()
}

/// Whether every `wait_for` names a job.
fn known_waits(sections: &[Section]) -> Result<(), JobsError> {
    for (place, section) in sections.iter().enumerate() {
        let Some(awaited) = &section.options.time.wait_for else { continue };
        if !sections[..place].iter().any(|other| other.name == *awaited) {
            let what = format!("wait_for={awaited} is no job before it");
            return Err(JobsError::file(&section.name, what, None));
        }
    }
    Ok(())
}

fn member<'a>(
    section: &'a Section,
    instance: fio::plan::Instance,
    replay: Option<Replay>,
    ground: Ground,
    roots: &Roots,
    request: &JobsRequest<'_>,
) -> Result<Member<'a>, JobsError> {
    let fresh = request.fresh;
    let mut work = work(section, &instance, &ground.region, fresh)?;
    let script = replay.map(|replay| replay.apply(&mut work, &ground));
    if work.job.placement.cpus.is_empty() {
        work.job.placement.cpus = processors_of(section, roots)?;
    }
    let verification = Verification::of(section, &instance, &mut work.job, request)?;
    let goal = &section.options.goal;
    let search = (goal.latency_target_us > 0).then(|| {
        let rest = work.job.stop.time.filter(|_| goal.latency_run);
        let (target, window) = (goal.latency_target_us, goal.latency_window_us);
        Search::new(target, window, goal.latency_percentile, work.job.depth.0, rest)
    });
    let delay = section.options.time.startdelay;
    let more_us = match delay.max_us.saturating_sub(delay.min_us) {
        0 => 0,
        range => (fresh ^ u64::from(instance.number).wrapping_mul(0x9E37_79B9)) % (range + 1),
    };
    Ok(Member {
        section,
        instance,
        tally: Tally::new(work.job.interval),
        passes_left: work.passes.saturating_sub(1),
        ground,
        work,
        script,
        between_passes: false,
        flow: None,
        memory: None,
        state: State::Waiting,
        goals: Goals::new(section),
        search,
        verification,
        next: None,
        outcome: None,
        trouble: Trouble::default(),
        continued: None,
        ending: false,
        delay_ns: (delay.min_us + more_us) * 1000,
        started_ms: 0,
        start_ns: 0,
        backend: "",
        notes: Vec::new(),
        newest: [(0.0, 0.0); 3],
    })
}

/// The processors of `numa_cpu_nodes`, as sysfs lists them: `0-3,8`.
fn processors_of(section: &Section, roots: &Roots) -> Result<Vec<u32>, JobsError> {
    let mut processors = Vec::new();
    for node in &section.options.placement.numa_cpu_nodes {
        let path = roots.sys.join(format!("devices/system/node/node{node}/cpulist"));
        let list = std::fs::read_to_string(&path).map_err(|error| {
            let what = format!("numa_cpu_nodes={node}: {}: {error}", path.display());
            JobsError::file(&section.name, what, Some("use cpus_allowed"))
        })?;
        processors.extend(listed(&list));
    }
    Ok(processors)
}

/// The numbers of a list as sysfs writes it: `0-3,8`.
fn listed(list: &str) -> Vec<u32> {
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
fn going(members: &[Member<'_>], now_ns: u64) -> EtaState {
    let running: Vec<&Member<'_>> = members.iter().filter(|m| m.is_running()).collect();
    let mut state =
        EtaState { letters: members.iter().map(Member::letter).collect(), ..EtaState::default() };
    state.running = running.len() as u32;
    state.open_files = running.iter().map(|m| m.ground.targets.len() as u32).sum();
    for member in &running {
        for (place, (iops, bytes)) in member.newest.iter().enumerate() {
            state.iops[place] += *iops as u64;
            state.rate[place] += *bytes as u64;
        }
        let rate = &member.section.options.rate;
        state.rate_limits.0 += rate.rate_min.iter().sum::<u64>();
        state.rate_limits.1 += rate.rate.iter().sum::<u64>();
        state.iops_limits.0 += rate.rate_iops_min.iter().sum::<u64>();
        state.iops_limits.1 += rate.rate_iops.iter().sum::<u64>();
    }
    let left = members.iter().filter(|m| !m.is_done()).filter_map(|m| m.left(now_ns)).max();
    if let Some(left) = left {
        let ran = running.iter().map(|m| now_ns.saturating_sub(m.start_ns)).max().unwrap_or(0);
        state.eta_s = Some(left.0.div_ceil(1_000_000_000));
        state.percent = (ran > 0).then(|| ran as f64 * 100.0 / (ran + left.0) as f64);
    }
    state
}
