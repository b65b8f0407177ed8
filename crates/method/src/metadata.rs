//! `metadata`: operations on many small files, the work of a file system.
//!
//! A load is so many files of one size, in one folder or a tree, by one thread or several, with or
//! without syncs. A round makes them, asks, reads, lists, renames and deletes them all; each
//! operation of it gives one rate. The first round of a load finds out how many files its time
//! allows and is not counted; the figure is the median over the others. Cold caches have rounds of
//! their own, with files of their own: what is measured warm is the same with them and without.
//!
//! Everything happens in a fresh folder of our own, which is gone when [`metadata`] returns.

mod loads;
mod room;
mod round;
mod time;
mod work;

use analysis::latency_summary;
use engine::{Clock, StopFlag, io_uring_refusal};
use jiff::Timestamp;
use record::{
    CacheState, Completion, EntriesCounted, IoUringStatus, Measured, Metadata, MetadataLoad,
    MetadataOp, MetadataPhase, MetadataPlan, Plan, Purpose, Record, TargetInfo, TargetKind, Tool,
};
use stats::{LatencyHistogram, median_of_few};
use target::{OwnFolder, PathHandle, Roots, TargetError, describe, environment, sweep};
use units::{Bytes, Nanos};

use crate::Watch;
use crate::error::MethodError;
use crate::stage::{Ask, run_id};

use loads::loads;
use room::fitting;
use round::{Done, Ended, Round, Rounds};

pub use room::written_max;
use time::may_drop_caches;
pub use time::{longest, time};

/// Rounds that are measured unless asked otherwise: of six, the lowest and the highest hold the
/// median with 97 %; fewer give no interval of 95 %.
pub const ROUNDS: u32 = 6;
/// Time that making the files of one round may take.
const MAKING: Nanos = Nanos::millis(120);
/// A warm look at all files goes on for so long: what takes less is told by how soon its threads
/// wake, which takes them up to 200 us.
const LOOKING: Nanos = Nanos::millis(20);
/// And with a short budget at least so long.
const LOOKING_LEAST: Nanos = Nanos::millis(2);
/// A cold look at single files ends after so long: a hard disk takes 5 to 15 ms for each.
const COLD_LOOKING: Nanos = Nanos::secs(1);
/// And with a short budget at least so long.
const COLD_LOOKING_LEAST: Nanos = Nanos::millis(20);
/// Files of a round at most: they should be gone soon.
const FILES_MOST: u64 = 20_000;
/// And at least: those of six rounds support a p99, and where each waits for a disk a median.
const FILES_LEAST: u64 = 64;
const FILES_LEAST_SYNCED: u64 = 8;
/// With a short budget, making them takes at least so long: a figure needs some files.
const MAKING_LEAST: Nanos = Nanos::millis(5);
/// Beyond is a slip of the hand.
const THREADS_MOST: u32 = 256;
const ROUNDS_MOST: u32 = 1000;
const FILES_ASKED_MOST: u64 = 10_000_000;

/// What is asked of a run over small files.
#[derive(Debug, Clone)]
pub struct MetadataRequest {
    /// What every method is asked; the path is a folder.
    pub ask: Ask,
    /// How many files, threads and rounds.
    pub plan: MetadataPlan,
    /// Longest time of the whole run: with less than the usual each round makes fewer files, and
    /// what is not measured by then is left out.
    pub budget: Option<Nanos>,
}

impl MetadataRequest {
    /// Time that it should take.
    fn budget(&self) -> Nanos {
        self.budget.unwrap_or_else(|| time(&self.plan))
    }

    /// The longest that it may take; no bound where so many files are asked for and no time.
    fn limit(&self) -> Option<Nanos> {
        self.budget.or_else(|| longest(&self.plan))
    }

    /// Time that making the files of one round may take.
    fn making(&self) -> Nanos {
        self.scaled(MAKING, MAKING_LEAST)
    }

    /// Time that a warm look at them takes at least.
    fn looking(&self) -> Nanos {
        self.scaled(LOOKING, LOOKING_LEAST)
    }

    /// Time after which a cold look ends; who asks for so many files gets them all looked at.
    fn cold_looking(&self) -> Nanos {
        match self.plan.files {
            Some(_) => Nanos(u64::MAX),
            None => self.scaled(COLD_LOOKING, COLD_LOOKING_LEAST),
        }
    }

    fn scaled(&self, usual: Nanos, least: Nanos) -> Nanos {
        let share = self.budget().as_secs_f64() / time(&self.plan).as_secs_f64();
        Nanos((usual.0 as f64 * share.min(1.0)) as u64).max(least)
    }
}

/// Threads unless asked otherwise: one for each processor, two at least and sixteen at most.
pub(crate) fn threads() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors.clamp(2, 16) as u32
}

/// Whether the numbers of a plan can be meant.
///
/// # Errors
/// With what is wrong.
pub(crate) fn sound(plan: &MetadataPlan) -> Result<(), String> {
    if !(2..=THREADS_MOST).contains(&plan.threads) {
        return Err(format!("several threads are 2 to {THREADS_MOST}, not {}", plan.threads));
    }
    if !(1..=ROUNDS_MOST).contains(&plan.rounds) {
        return Err(format!("there are 1 to {ROUNDS_MOST} rounds, not {}", plan.rounds));
    }
    if plan.files.is_some_and(|files| files == 0 || files > FILES_ASKED_MOST) {
        return Err(format!("there are 1 to {FILES_ASKED_MOST} files"));
    }
    Ok(())
}

/// Measures what operations on many small files take in the folder that is asked for.
///
/// A run that ends early (stop flag, no space) still returns what it measured, marked partial.
///
/// # Errors
/// When nothing could be measured: no folder, no permission, no room for the files.
pub fn metadata(
    request: &MetadataRequest,
    roots: &Roots,
    stop: &StopFlag,
    watch: &mut dyn Watch,
) -> Result<Record, MethodError> {
    let started = Timestamp::now();
    refuse_what_is_not_meant(request)?;
    let handle = PathHandle::open(&request.ask.path)?;
    let info = describe(&handle, roots)?;
    if info.kind != TargetKind::Directory {
        return Err(MethodError::request(
            format!("{} is no folder, and small files are made in one", request.ask.path.display()),
            "name a folder on the file system to be measured",
        ));
    }
    let folder = request.ask.path.clone();
    if info.file_system.as_ref().is_some_and(|system| system.read_only) {
        return Err(TargetError::ReadOnly { path: folder }.into());
    }
    let most = fitting(&handle, request.plan.files, FILES_MOST)?;
    let most = room::limit_file_count(&request.plan, most, request.ask.max_written)?;
    for leftover in sweep(&handle)? {
        watch.note(&format!("removed a leftover of a killed run: {}", leftover.display()));
    }
    let own = OwnFolder::create(&handle, &format!("{:016x}", request.ask.seed.0))?;
    let caches = Caches::of(request, watch);
    let clock = Clock::best();
    let begun_ns = clock.now();
    let run = Run { request, own, most, stop, clock, begun_ns, caches };
    let (metadata, ended) = run.all(watch);
    let completion = match ended {
        Ok(()) => Completion::Complete,
        Err(Ended::Stopped) => {
            Completion::Partial { reason: "interrupted".to_owned(), failed: false }
        }
        Err(Ended::Late) => {
            let limit = request.limit().unwrap_or_else(|| request.budget());
            let reason = format!("the time of {limit} was up");
            Completion::Partial { reason, failed: false }
        }
        Err(Ended::Failed(error)) if metadata.phases.is_empty() => {
            return Err(could_not(&folder, error));
        }
        Err(Ended::Failed(error)) => {
            Completion::Partial { reason: error.to_string(), failed: true }
        }
        Err(Ended::Wrong(reason)) => Completion::Partial { reason, failed: true },
    };
    Ok(assembled(request, info, metadata, completion, started, roots))
}

/// What other methods take and this one has no use for is an error, not ignored.
fn refuse_what_is_not_meant(request: &MetadataRequest) -> Result<(), MethodError> {
    let Ask { read_only, size, destroy, .. } = &request.ask;
    if *read_only {
        return Err(MethodError::WritesForbidden("metadata".to_owned()));
    }
    if size.is_some() {
        return Err(MethodError::request("small files have no --size", "say how many: --files N"));
    }
    if destroy.is_some() {
        return Err(MethodError::request(
            "--yes-destroy-data-on is for a device, and small files are made in a folder",
            "leave it out",
        ));
    }
    if !request.plan.keep_caches && !may_drop_caches() {
        let what = "only root may drop the caches of the host";
        return Err(MethodError::request(what, "run as root, or leave --drop-caches out"));
    }
    let hint = "leave the number out for the usual one";
    sound(&request.plan).map_err(|what| MethodError::request(what, hint))
}

/// Nothing was measured: running out of room is the request's fault, anything else the system's.
fn could_not(folder: &std::path::Path, error: std::io::Error) -> MethodError {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        return MethodError::request(
            format!("no room for the small files in {}: {error}", folder.display()),
            "make room, or make fewer: --files 100",
        );
    }
    let path = folder.to_owned();
    TargetError::Io { attempt: "make small files in", path, source: error }.into()
}

/// How the caches of the host are dealt with.
struct Caches {
    drop: bool,
    words: String,
}

impl Caches {
    /// Dropping them is said before it is done.
    fn of(request: &MetadataRequest, watch: &mut dyn Watch) -> Self {
        let warm = "Files had just been made or used, so that stat, open and readdir are answered \
                    from memory";
        if request.plan.keep_caches {
            let words = format!("{warm}; cold caches were not measured (as root: --drop-caches).");
            return Self { drop: false, words };
        }
        watch.note(
            "drops the page, name and inode caches of this whole host before each cold phase, as \
             asked by --drop-caches",
        );
        let cold = "what is called cold came after a sync and after dropping the caches of the \
                    whole host (drop_caches 3), and asked and opened in random order";
        Self { drop: true, words: format!("{warm}; {cold}.") }
    }
}

/// A run while it goes.
struct Run<'a> {
    request: &'a MetadataRequest,
    own: OwnFolder,
    most: u64,
    stop: &'a StopFlag,
    clock: Clock,
    begun_ns: u64,
    caches: Caches,
}

impl Run<'_> {
    /// All loads, until the end or until something ends it. The folder goes with the run.
    fn all(mut self, watch: &mut dyn Watch) -> (Metadata, Result<(), Ended>) {
        let caches = std::mem::take(&mut self.caches.words);
        let mut metadata = Metadata { phases: Vec::new(), counted: Vec::new(), caches };
        let loads = loads(self.request.plan.threads);
        let mut ended = Ok(());
        for (place, load) in loads.iter().enumerate() {
            let done = place as f64 / loads.len() as f64;
            watch.phase(&format!("small files: {}", load.name()), done);
            let mut rounds = Rounds::default();
            ended = self.load(load, &mut rounds);
            metadata.phases.extend(phases(load, &rounds));
            metadata.counted.extend(rounds.counted.filter(|counted| counted.made > 0));
            if ended.is_err() {
                break;
            }
        }
        let removed = self.own.remove();
        let removed = removed.map_err(|error| Ended::Wrong(error.to_string()));
        (metadata, ended.and(removed))
    }

    fn load(&self, load: &MetadataLoad, rounds: &mut Rounds) -> Result<(), Ended> {
        let wrong = |error: TargetError| Ended::Wrong(error.to_string());
        let leaves = self.own.leaves(load.folders).map_err(wrong)?;
        let round = Round {
            load,
            leaves: &leaves,
            own: &self.own,
            clock: self.clock,
            stop: self.stop,
            until_ns: self
                .request
                .limit()
                .map_or(u64::MAX, |limit| self.begun_ns.saturating_add(limit.0)),
            looking: self.request.looking(),
            cold_looking: self.request.cold_looking(),
        };
        let mut files = self.request.plan.files;
        for number in 0..=self.request.plan.rounds {
            let making = if files.is_some() { None } else { Some(self.request.making()) };
            let most = files.unwrap_or(self.most);
            let least = if load.synced { FILES_LEAST_SYNCED } else { FILES_LEAST };
            let mut done = Done::default();
            let ended = round.warm(most, least.min(most), making, &mut done);
            files = Some(done.files);
            // The first one found out how many, and warmed up what others have warm.
            if number > 0 {
                rounds.keep(load, done);
            }
            ended?;
        }
        if self.caches.drop && loads::is_cold(load) {
            for number in 0..self.request.plan.rounds {
                let mut done = Done::default();
                // Of every round and look another order, and the same of the same seed.
                let key = self.request.ask.seed.0.wrapping_add(u64::from(number) << 8);
                let ended = round.cold(rounds.files, key, &mut done);
                rounds.keep(load, done);
                ended?;
            }
        }
        drop(leaves);
        self.own.clear().map_err(wrong)
    }
}

/// The figures of a load, phase by phase.
fn phases(load: &MetadataLoad, rounds: &Rounds) -> Vec<MetadataPhase> {
    let phase = |(operation, cache): (MetadataOp, CacheState)| {
        let measured: Vec<&round::Measured> = rounds.of((operation, cache)).collect();
        let mut latency = LatencyHistogram::new();
        measured.iter().for_each(|measured| latency.merge(&measured.latency));
        let rates: Vec<f64> = measured.iter().map(|measured| measured.rate).collect();
        let cold = if cache == CacheState::Dropped { "-cold" } else { "" };
        MetadataPhase {
            name: format!("{}-{}{cold}", operation.name(), load.name()),
            operation,
            load: *load,
            cache,
            files: rounds.files,
            rate: median_of_few(&rates),
            rounds: rates,
            latency_ns: latency_summary(&latency),
        }
    };
    rounds.phases().into_iter().map(phase).collect()
}

fn assembled(
    request: &MetadataRequest,
    info: TargetInfo,
    metadata: Metadata,
    completion: Completion,
    started: Timestamp,
    roots: &Roots,
) -> Record {
    let MetadataRequest { ask, plan: settings, .. } = request;
    let plan = Plan {
        purpose: Purpose::Metadata(settings.clone()),
        budget: request.budget(),
        bounds: Vec::new(),
        read_only: false,
        span: Bytes(0),
        seed: ask.seed,
    };
    let refusal = io_uring_refusal();
    let io_uring = IoUringStatus { available: refusal.is_none(), reason: refusal };
    Record::unjudged(Measured {
        id: run_id(started, ask.seed),
        finished: Timestamp::now(),
        command: ask.command.clone(),
        completion,
        environment: environment(roots, io_uring),
        targets: vec![info],
        metadata: Some(metadata),
        ..Measured::begun(Tool::ours(&ask.version), started, plan)
    })
}

/// The counters of a load's files.
fn counted(load: &MetadataLoad) -> EntriesCounted {
    EntriesCounted { load: load.name(), made: 0, found: 0, inodes: Some(0) }
}

#[cfg(test)]
mod tests;
