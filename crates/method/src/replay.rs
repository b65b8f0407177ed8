//! `replay`: the requests of a captured load on another disk, at their own times.
//!
//! An open loop: planned starts never move, and response times count from them. The load is read
//! twice, once to see what it asks for, and once while it is replayed; it is never in memory.

mod load;
pub(crate) mod on_hosts;
mod search;
mod steps;
mod survey;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use engine::StopSignal;
use record::profile::Profile;
use record::{CapturedLoad, CellRole, OffsetMap, Plan, Purpose, Record, ReplayPlan, TraceRequest};
use units::{Bytes, Depth, Iops, Nanos, Seed};
use workload::{
    Access, Arrivals, Bound, Direction, Job, Mix, Pacing, Span, Stop, SyncKind, SyncPolicy,
};

use crate::defaults::{FILE_SIZE_MAX, LAYOUT_TIME_MAX, SPAN_MIN};
use crate::error::{Halt, HaltResult, MethodError, refuse};
use crate::host_transport::{HostRequest, Place};
use crate::observer::Observer;
use crate::phase::Replaying;
use crate::request::{LayoutBudget, MeasureRequest};
use crate::session::Session;
use crate::site::Site;
pub use load::fuzz_one;
use load::{ArrivalEvent, LoadFile};
pub use load::{LoadError, LoadFormat};
use steps::{QueueThere, ReadFailure, StepRules, load_steps, take_failure};
use survey::survey_load;

/// Memory for the buffers of outstanding requests.
const BUFFERS_MAX: Bytes = Bytes::mib(256);
const OUTSTANDING_MAX: u64 = 1024;
const OUTSTANDING_MIN: u64 = 16;
/// Extra time for a target that is behind: the load's length, within this range.
const TAIL_MIN: Nanos = Nanos::secs(1);
const TAIL_MAX: Nanos = Nanos::secs(10);
/// Intervals of a long load: each has its histograms in memory.
const INTERVALS_MAX: u64 = 600;
const INTERVAL_MIN: Nanos = Nanos::millis(100);
/// Time limit of laying out a file for offsets as they are: all of it has to be there.
const WHOLE_LAYOUT_MAX: Nanos = Nanos::secs(3600);

#[derive(Debug, Clone)]
pub struct ReplayRequest {
    pub ask: MeasureRequest,
    pub load: SurveyedLoad,
    /// How many times as fast as it was captured.
    pub speed: f64,
    /// Absent: as they are where they fit, else scaled.
    pub map: Option<OffsetMap>,
    pub search: Option<SpeedSearch>,
}

/// A search over the speed: how much more of the load a target carries.
#[derive(Debug, Clone)]
pub struct SpeedSearch {
    pub bounds: Vec<Bound>,
    /// The longest probe: of a longer load a part.
    pub probe_max: Nanos,
    pub budget: Nanos,
}

impl ReplayRequest {
    fn expected_time(&self) -> Nanos {
        self.load.expected_time(self.speed, self.search.as_ref())
    }
}

/// A load that was read once.
#[derive(Debug, Clone)]
pub struct SurveyedLoad {
    path: PathBuf,
    file: LoadFile,
    arrival: ArrivalEvent,
    pub load: CapturedLoad,
}

impl SurveyedLoad {
    /// Reads the file once more, request by request.
    pub fn for_each_request(&self, mut each: impl FnMut(&TraceRequest)) -> Result<(), MethodError> {
        let mut read = || {
            for request in self.file.requests(self.arrival)? {
                each(&request?);
            }
            Ok(())
        };
        read().map_err(|error: LoadError| describe_failure(&self.path, &error))
    }

    /// How long a run with it takes.
    pub fn expected_time(&self, speed: f64, search: Option<&SpeedSearch>) -> Nanos {
        let once = Nanos((self.load.length.0 as f64 / speed) as u64);
        let search = search.map_or(Nanos::ZERO, |search| search.budget);
        Nanos(once.0.saturating_add(search.0)).max(Nanos::secs(1))
    }
}

/// Reads a profile that becomes a job: any other load is refused.
pub fn read_profile(path: &Path) -> Result<Profile, MethodError> {
    load::read_profile(path).map_err(|error| describe_failure(path, &error))
}

/// Reads the file of a load once. What a profile draws follows from the seed.
pub fn read_load(path: &Path, seed: Seed) -> Result<SurveyedLoad, MethodError> {
    let read = || {
        let file = LoadFile::detect(path, seed)?;
        let survey = survey_load(&file)?;
        let (path, arrival, load) = (path.to_owned(), survey.arrival, survey.load);
        Ok(SurveyedLoad { path, file, arrival, load })
    };
    read().map_err(|error: LoadError| describe_failure(path, &error))
}

fn describe_failure(path: &Path, error: &LoadError) -> MethodError {
    let what = format!("{}: {}", path.display(), error.problem());
    MethodError::invalid_request(what, error.hint())
}

/// Replays a load on a target of this host, or a profile on each of many hosts.
pub fn replay<'a>(
    request: &ReplayRequest,
    place: Place<'a>,
    stop: &'a StopSignal,
    observer: &'a mut dyn Observer,
) -> Result<Record, MethodError> {
    check_longest(&request.load.load)?;
    let is_here = matches!(place, Place::Here(_));
    let request = &ReplayRequest { ask: choose_access(request, is_here)?, ..request.clone() };
    if let (Some(OffsetMap::AsIs), Some(size)) = (request.map, request.ask.size) {
        // Before anything is written.
        check_fit(&request.load.load, size)?;
    }
    let (plan, budget) = (build_plan(request, OffsetMap::AsIs), layout_budget(request));
    let mut session = match place {
        Place::Here(_) => Session::open(&request.ask, &budget, place, &plan, stop, observer)?,
        Place::Hosts(transport) => {
            let profile = request.to_sent_profile()?;
            let (ask, setting) = (&request.ask, &budget);
            let asked = HostRequest { ask, setting, plan: &plan, profile: Some(&profile) };
            Session::on_hosts(&asked, transport, stop, observer)?
        }
    };
    let map = run_replay(&mut session, request)?;
    Ok(session.finish(&request.ask, build_plan(request, map)))
}

/// An existing target is only read, unless the load writes; what other hosts have, they know.
fn choose_access(request: &ReplayRequest, is_here: bool) -> Result<MeasureRequest, MethodError> {
    let ReplayRequest { ask, load: SurveyedLoad { load, .. }, .. } = request;
    let writes = load.requests.write.is_some();
    if writes && ask.read_only {
        return refuse(
            "the load writes, but --read-only forbids it",
            "replay it in a folder, which gets a test file, or leave --read-only out",
        );
    }
    let reads_what_exists =
        is_here && !writes && !ask.path.is_dir() && ask.destroy_data_on.is_none();
    Ok(MeasureRequest { read_only: ask.read_only || reads_what_exists, ..ask.clone() })
}

fn layout_budget(request: &ReplayRequest) -> LayoutBudget {
    let load = &request.load.load;
    let extent = Bytes(load.extent.0.next_multiple_of(Bytes::MIB)).max(SPAN_MIN);
    let is_whole = request.map == Some(OffsetMap::AsIs);
    LayoutBudget {
        block_sizes: Vec::new(),
        size: if is_whole { extent } else { extent.min(FILE_SIZE_MAX) },
        layout: if is_whole { WHOLE_LAYOUT_MAX } else { LAYOUT_TIME_MAX },
        budget: request.expected_time(),
        measures_writes: load.requests.write.is_some(),
        known_writes: known_writes(request),
        name: None,
    }
}

/// Bytes that the load writes; a search decides as it goes.
fn known_writes(request: &ReplayRequest) -> Option<Bytes> {
    let write = request.load.load.bytes.get(Direction::Write);
    request.search.is_none().then(|| write.copied().unwrap_or_default())
}

pub(crate) fn build_plan(request: &ReplayRequest, map: OffsetMap) -> Plan {
    let load = &request.load.load;
    let search = request.search.as_ref();
    let plan = ReplayPlan {
        load: load.clone(),
        speed: request.speed,
        map,
        depth: outstanding_max(load),
        probe_max: search.map(|search| search.probe_max),
    };
    let bounds = search.map_or(&[][..], |search| search.bounds.as_slice());
    request.ask.plan(Purpose::Replay(Box::new(plan)), bounds, request.expected_time())
}

fn outstanding_max(load: &CapturedLoad) -> u32 {
    let most = BUFFERS_MAX.0 / load.largest.0.max(1);
    most.clamp(OUTSTANDING_MIN, OUTSTANDING_MAX) as u32
}

/// Measures, and returns the rule for offsets that was used.
pub(crate) fn run_replay(
    session: &mut Session<'_>,
    request: &ReplayRequest,
) -> Result<OffsetMap, MethodError> {
    let load = &request.load.load;
    let span = replayed_span(session, request)?;
    let map = choose_map(span, request.map, load)?;
    check_sizes(span, load)?;
    session.run_steps(|session| {
        let mut player = Player { session, load: &request.load, map };
        player.play(request.speed, Part::WHOLE, "replay")?;
        match &request.search {
            Some(search) => player.search_speeds(search),
            None => Ok(()),
        }
    })?;
    Ok(map)
}

/// The part of the target that is replayed on; of many hosts the smallest one. Each of them chooses
/// by its own where requests go: all of them alike, or it is refused.
fn replayed_span(session: &Session<'_>, request: &ReplayRequest) -> Result<Bytes, MethodError> {
    let Site::Hosts(hosts) = &session.site else { return Ok(session.facts.span.length) };
    let ((smallest, largest), extent) = (hosts.span_range(), request.load.load.extent);
    if request.map.is_none() && smallest < extent && extent <= largest {
        let what = format!(
            "the load reaches up to {extent}, which fits on some hosts only: they measure from \
             {smallest} to {largest}"
        );
        return refuse(what, "give all the same: --map scale, or --size");
    }
    Ok(smallest)
}

fn choose_map(
    span: Bytes,
    asked: Option<OffsetMap>,
    load: &CapturedLoad,
) -> Result<OffsetMap, MethodError> {
    match asked {
        Some(OffsetMap::AsIs) => check_fit(load, span).map(|()| OffsetMap::AsIs),
        Some(map) => Ok(map),
        None if load.extent > span => Ok(OffsetMap::Scale),
        None => Ok(OffsetMap::AsIs),
    }
}

fn check_fit(load: &CapturedLoad, span: Bytes) -> Result<(), MethodError> {
    if load.extent <= span {
        return Ok(());
    }
    let what = format!(
        "the load reaches up to {}, and of the target {span} are measured: its offsets do not fit \
         as they are",
        load.extent
    );
    refuse(what, "use --map scale or --map wrap, or a larger target or --size")
}

/// Refuses a load with a request of which [`OUTSTANDING_MIN`] do not fit into memory.
fn check_longest(load: &CapturedLoad) -> Result<(), MethodError> {
    let most = Bytes(BUFFERS_MAX.0 / OUTSTANDING_MIN);
    if load.largest <= most {
        return Ok(());
    }
    let what = format!("the load has a request of {}; {most} are the most", load.largest);
    refuse(what, "capture what the disk gets: no disk takes a request of this size")
}

fn check_sizes(span: Bytes, load: &CapturedLoad) -> Result<(), MethodError> {
    if load.largest <= span {
        return Ok(());
    }
    let largest = load.largest;
    let what =
        format!("the load has a request of {largest}, and {span} of the target are measured");
    refuse(what, "measure more: --size")
}

struct Player<'run, 'session> {
    session: &'run mut Session<'session>,
    load: &'run SurveyedLoad,
    map: OffsetMap,
}

/// What is replayed of a load: from where in the capture, and how long.
#[derive(Debug, Clone, Copy)]
struct Part {
    from: Nanos,
    time_max: Nanos,
}

impl Part {
    const WHOLE: Self = Self { from: Nanos::ZERO, time_max: Nanos(u64::MAX) };

    /// How long it would take to the end of the load.
    fn length_of(self, load: &CapturedLoad, speed: f64) -> Nanos {
        let left = load.length.0.saturating_sub(self.from.0);
        Nanos((left as f64 / speed) as u64)
    }

    /// Its rules on a target of which nothing is known yet.
    fn rules(self, load: &CapturedLoad, map: OffsetMap, speed: f64) -> StepRules {
        StepRules {
            map,
            span: Span { offset: Bytes(0), length: Bytes(0) },
            source: load.device_size.unwrap_or(load.extent).max(load.extent),
            align: Bytes(1),
            speed,
            replays_flushes: load.requests.write.is_some(),
            from: self.from,
            // A request at the very end of a whole load is one of it.
            until: if self.time_max < self.length_of(load, speed) {
                self.time_max
            } else {
                Nanos(u64::MAX)
            },
            largest: load.largest,
        }
    }
}

impl Player<'_, '_> {
    /// Replays a part of the load at a speed.
    fn play(&mut self, speed: f64, part: Part, name: &str) -> HaltResult {
        let SurveyedLoad { path, file, arrival, load } = self.load;
        let failure = ReadFailure::default();
        let length = part.length_of(load, speed);
        let rules = StepRules {
            span: self.session.facts.span,
            align: self.session.facts.offset_align,
            ..part.rules(load, self.map, speed)
        };
        // Other hosts draw them from their profile.
        if let Some(local) = self.session.site.local_mut() {
            let requests =
                file.requests(*arrival).map_err(|error| describe_failure(path, &error))?;
            let queue = QueueThere::new(file, speed);
            let steps = load_steps(requests, rules, queue, failure.clone());
            local.runner.steps = Some(Box::new(steps));
        }
        let job = self.build_job(speed, length.min(part.time_max), name);
        let words = Replaying { speed: format!("{speed:.2}") }.into();
        let measured = self.session.measure_cell(&[job], CellRole::Replay, &words);
        match take_failure(&failure) {
            Some(error) => Err(Halt::Failed(describe_failure(path, &error))),
            None => measured,
        }
    }

    fn build_job(&self, speed: f64, length: Nanos, name: &str) -> Job {
        let load = &self.load.load;
        let align = self.session.facts.offset_align.0.max(1);
        let block = load.largest.0.max(1).next_multiple_of(align);
        let tail = length.clamp(TAIL_MIN, TAIL_MAX);
        // Each host replays the whole load: all of them together several times as much.
        let hosts = self.session.site.hosts();
        let rate = Iops(analysis::load_rate(load).0 * speed * f64::from(hosts));
        let sync = load
            .requests
            .get(Direction::Sync)
            .map(|_| SyncPolicy { kind: SyncKind::Fdatasync, every: u32::MAX });
        Job {
            name: name.to_owned(),
            access: Access::Random,
            mix: choose_mix(load),
            block_size: Bytes(block),
            depth: Depth(outstanding_max(load).saturating_mul(hosts)),
            pacing: Pacing::Open { rate, arrivals: Arrivals::Recorded },
            sync,
            interval: Nanos(length.0 / INTERVALS_MAX).max(INTERVAL_MIN),
            stop: Stop::after(Nanos(length.0.saturating_add(tail.0))),
            ..self.session.base_job()
        }
    }
}

fn choose_mix(load: &CapturedLoad) -> Mix {
    let count = |direction| load.requests.get(direction).copied();
    match (count(Direction::Read), count(Direction::Write)) {
        (Some(reads), Some(writes)) => {
            let percent = 100.0 * reads as f64 / (reads + writes) as f64;
            Mix::Mixed { read_percent: (percent.round() as u8).clamp(1, 99) }
        }
        (None, Some(_)) => Mix::Write,
        _ => Mix::Read,
    }
}
