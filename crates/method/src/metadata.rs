//! `metadata`: operations on many small files, the work of a file system.
//!
//! A round of a load creates, stats, reads, lists, renames and deletes its files; each operation
//! gives one rate. The first round finds the number of files and does not count. The result is the
//! median of the others. Cold caches have rounds and files of their own.

mod free_space;
mod loads;
mod round;
mod thread_work;
mod time_estimate;

use analysis::summarise_latency;
use engine::{Clock, StopSignal};
use jiff::Timestamp;
use message::{Message, label};
use record::reasons::{Interrupted, TimeUp};
use record::{
    CacheState, Completion, Measured, Metadata, MetadataLoad, MetadataPhase, MetadataPlan, Purpose,
    Record, TargetKind,
};
use stats::{LatencyHistogram, median_of_few};
use target::{
    PathHandle, Roots, TargetError, TestFolder, describe_target, query_free_space, remove_leftovers,
};
use units::Nanos;

use crate::error::{MethodError, refuse};
use crate::observer::Observer;
use crate::phase::SmallFiles;
use crate::record_builder::{begin_record, describe_host, ended_early, failed};
use crate::request::MeasureRequest;

use free_space::{fit_file_count, limit_file_count};
use loads::{
    COLD_LOOK_TIME, COLD_LOOK_TIME_MIN, CREATE_TIME, CREATE_TIME_MIN, FILES_MAX, FILES_MIN,
    REQUESTED_FILES_MAX, ROUNDS_MAX, SYNCED_FILES_MIN, THREADS_MAX, WARM_LOOK_TIME,
    WARM_LOOK_TIME_MIN, all_loads, has_cold_phase,
};
use round::{LoadSamples, Round};
use thread_work::{EndReason, OperationSample};

pub use free_space::bytes_written_max;
pub use loads::DEFAULT_ROUNDS;
pub use time_estimate::{expected_time, time_limit};

#[derive(Debug, Clone)]
pub struct MetadataRequest {
    /// What every method is asked; the path is a folder.
    pub ask: MeasureRequest,
    pub plan: MetadataPlan,
    /// Longest time of the whole run: with less than the usual each round makes fewer files, and
    /// what is not measured by then is left out.
    pub budget: Option<Nanos>,
}

impl MetadataRequest {
    fn time_budget(&self) -> Nanos {
        self.budget.unwrap_or_else(|| expected_time(&self.plan))
    }

    fn time_limit(&self) -> Option<Nanos> {
        self.budget.or_else(|| time_limit(&self.plan))
    }

    fn create_time(&self) -> Nanos {
        self.scale_to_budget(CREATE_TIME, CREATE_TIME_MIN)
    }

    /// Time after which a cold look ends; who asks for a number of files gets them all looked at.
    fn cold_look_time(&self) -> Nanos {
        match self.plan.files {
            Some(_) => Nanos(u64::MAX),
            None => self.scale_to_budget(COLD_LOOK_TIME, COLD_LOOK_TIME_MIN),
        }
    }

    fn scale_to_budget(&self, usual: Nanos, least: Nanos) -> Nanos {
        let share = self.time_budget().as_secs_f64() / expected_time(&self.plan).as_secs_f64();
        Nanos((usual.0 as f64 * share.min(1.0)) as u64).max(least)
    }
}

/// Threads unless asked otherwise: one for each processor, two at least and sixteen at most.
pub(crate) fn default_threads() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors.clamp(2, 16) as u32
}

pub(crate) fn validate_plan(plan: &MetadataPlan) -> Result<(), String> {
    if !(2..=THREADS_MAX).contains(&plan.threads) {
        return Err(format!("several threads are 2 to {THREADS_MAX}, not {}", plan.threads));
    }
    if !(1..=ROUNDS_MAX).contains(&plan.rounds) {
        return Err(format!("there are 1 to {ROUNDS_MAX} rounds, not {}", plan.rounds));
    }
    if plan.files.is_some_and(|files| files == 0 || files > REQUESTED_FILES_MAX) {
        return Err(format!("the number of files (--files) is 1 to {REQUESTED_FILES_MAX}"));
    }
    Ok(())
}

/// Measures what operations on many small files take in the folder that is asked for.
///
/// A run that ends early (stop flag, no space) still returns what it measured, marked partial.
pub fn metadata(
    request: &MetadataRequest,
    roots: &Roots,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<Record, MethodError> {
    let started = Timestamp::now();
    validate_request(request)?;
    let handle = PathHandle::open(&request.ask.path)?;
    let info = describe_target(&handle, roots)?;
    if info.kind != TargetKind::Directory {
        return refuse_no_folder(&request.ask.path);
    }
    let folder = request.ask.path.clone();
    if info.file_system.as_ref().is_some_and(|system| system.read_only) {
        return Err(TargetError::ReadOnly { path: folder }.into());
    }
    let space = query_free_space(&handle)?;
    let most = fit_file_count(handle.path(), request.plan.files, FILES_MAX, &space)?;
    let most = limit_file_count(&request.plan, most, request.ask.max_written)?;
    for leftover in remove_leftovers(&handle)? {
        observer.on_note(&format!("removed a leftover of a killed run: {}", leftover.display()));
    }
    let own = TestFolder::create(&handle, &format!("{:016x}", request.ask.seed.0))?;
    if !request.plan.keep_caches {
        observer.on_note(
            "drops the page, name and inode caches of this whole host before each cold phase, as \
             asked by --drop-caches",
        );
    }
    let clock = Clock::best();
    let run = MetadataRun { request, own, most, stop, clock, started_ns: clock.now() };
    let (metadata, ended) = run.run_all_loads(observer);
    let completion = match ended {
        Ok(()) => Completion::Complete,
        Err(EndReason::Stopped) => ended_early(Interrupted {}),
        Err(EndReason::TimeUp) => {
            let limit = request.time_limit().unwrap_or_else(|| request.time_budget());
            ended_early(TimeUp { limit })
        }
        Err(EndReason::Failed(error)) if metadata.phases.is_empty() => {
            return Err(folder_error(&folder, error));
        }
        Err(EndReason::Failed(error)) => failed(message::Message::from_text(error.to_string())),
        Err(EndReason::Inconsistent(reason)) => failed(message::Message::from_text(reason)),
    };
    let ask = &request.ask;
    let plan = ask.plan(Purpose::Metadata(request.plan.clone()), &[], request.time_budget());
    Ok(analysis::judge_record(Measured {
        environment: describe_host(roots),
        metadata: Some(metadata),
        ..begin_record(started, ask.seed, &ask.command, &ask.version, plan, completion, info)
    }))
}

fn refuse_no_folder<T>(path: &std::path::Path) -> Result<T, MethodError> {
    refuse(
        format!("{} is no folder, and small files are made in one", path.display()),
        "name a folder on the file system to be measured",
    )
}

/// Refuses what cannot be measured, before anything is announced.
pub fn validate_request(request: &MetadataRequest) -> Result<(), MethodError> {
    let MeasureRequest { read_only, size, destroy_data_on: destroy, .. } = &request.ask;
    if *read_only {
        let what = "small files are written, but --read-only forbids it";
        return refuse(what, "leave --read-only out");
    }
    if size.is_some() {
        return refuse("small files have no --size", "say how many: --files N");
    }
    if destroy.is_some() {
        return refuse(
            "--yes-destroy-data-on is for a device, and small files are made in a folder",
            "leave it out",
        );
    }
    if !request.plan.keep_caches && !rustix::process::geteuid().is_root() {
        let what = "only root may drop the caches of the host";
        return refuse(what, "run as root, or leave --drop-caches out");
    }
    let hint = "leave the number out for the usual one";
    validate_plan(&request.plan).map_err(|what| MethodError::invalid_request(what, hint))?;
    let path = &request.ask.path;
    match PathHandle::open(path)?.metadata() {
        Ok(metadata) if !metadata.is_dir() => refuse_no_folder(path),
        _ => Ok(()),
    }
}

fn folder_error(folder: &std::path::Path, error: std::io::Error) -> MethodError {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        return MethodError::invalid_request(
            format!("no room for the small files in {}: {error}", folder.display()),
            "make room, or make fewer: --files 100",
        );
    }
    let path = folder.to_owned();
    TargetError::Io { attempt: "make small files in", path, source: error }.into()
}

fn describe_caches(keep_caches: bool) -> Message {
    match keep_caches {
        true => label("caches-warm"),
        false => label("caches-dropped"),
    }
}

struct MetadataRun<'a> {
    request: &'a MetadataRequest,
    own: TestFolder,
    most: u64,
    stop: &'a StopSignal,
    clock: Clock,
    started_ns: u64,
}

impl MetadataRun<'_> {
    fn run_all_loads(self, observer: &mut dyn Observer) -> (Metadata, Result<(), EndReason>) {
        let caches = describe_caches(self.request.plan.keep_caches);
        let mut metadata = Metadata { phases: Vec::new(), counted: Vec::new(), caches };
        let loads = all_loads(self.request.plan.threads);
        let mut ended = Ok(());
        for (place, load) in loads.iter().enumerate() {
            let done = place as f64 / loads.len() as f64;
            observer.on_phase(&SmallFiles { load: load.name() }.into(), done);
            let mut samples = LoadSamples::default();
            ended = self.run_load(load, &mut samples);
            metadata.phases.extend(summarize_phases(load, &samples));
            metadata.counted.extend(samples.counted.filter(|counted| counted.made > 0));
            if ended.is_err() {
                break;
            }
        }
        let removed = self.own.remove();
        let removed = removed.map_err(|error| EndReason::Inconsistent(error.to_string()));
        (metadata, ended.and(removed))
    }

    fn run_load(&self, load: &MetadataLoad, samples: &mut LoadSamples) -> Result<(), EndReason> {
        let request = self.request;
        let plan = &request.plan;
        let wrong = |error: TargetError| EndReason::Inconsistent(error.to_string());
        let leaves = self.own.create_leaves(load.folders).map_err(wrong)?;
        let until = |limit: Nanos| self.started_ns.saturating_add(limit.0);
        let round = Round {
            load,
            leaves: &leaves,
            own: &self.own,
            clock: self.clock,
            stop: self.stop,
            until_ns: request.time_limit().map_or(u64::MAX, until),
            looking: request.scale_to_budget(WARM_LOOK_TIME, WARM_LOOK_TIME_MIN),
            cold_looking: request.cold_look_time(),
        };
        // The first round finds out how many files, and warms up what others have warm.
        let mut first = LoadSamples::default();
        let making = plan.files.is_none().then(|| request.create_time());
        let (most, least) = (plan.files.unwrap_or(self.most), min_files(load));
        round.run_warm(most, least.min(most), making, &mut first)?;
        let files = first.files;
        for _ in 0..plan.rounds {
            round.run_warm(files, least.min(files), None, samples)?;
        }
        if !plan.keep_caches && has_cold_phase(load) {
            for number in 0..plan.rounds {
                // Of every round and look another order, and the same of the same seed.
                let key = request.ask.seed.0.wrapping_add(u64::from(number) << 8);
                round.run_cold(files, key, samples)?;
            }
        }
        drop(leaves);
        self.own.clear().map_err(wrong)
    }
}

fn min_files(load: &MetadataLoad) -> u64 {
    if load.synced { SYNCED_FILES_MIN } else { FILES_MIN }
}

fn summarize_phases(load: &MetadataLoad, samples: &LoadSamples) -> Vec<MetadataPhase> {
    let measured = &samples.measured;
    let mut phases = Vec::new();
    for (place, first) in measured.iter().enumerate() {
        let (operation, cache) = (first.operation, first.cache);
        let of_phase =
            |other: &&OperationSample| (other.operation, other.cache) == (operation, cache);
        if measured[..place].iter().any(|other| of_phase(&other)) {
            continue;
        }
        let mut latency = LatencyHistogram::new();
        measured.iter().filter(of_phase).for_each(|sample| latency.merge(&sample.latency));
        let rates: Vec<f64> = measured.iter().filter(of_phase).map(|sample| sample.rate).collect();
        let cold = if cache == CacheState::Dropped { "-cold" } else { "" };
        phases.push(MetadataPhase {
            name: format!("{}-{}{cold}", operation.name(), load.name()),
            operation,
            load: *load,
            cache,
            files: samples.files,
            rate: median_of_few(&rates),
            rounds: rates,
            latency_ns: summarise_latency(&latency),
        });
    }
    phases
}

#[cfg(test)]
mod tests;
