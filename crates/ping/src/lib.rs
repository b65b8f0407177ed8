//! `ping`: request by request, as ioping does it.
//!
//! One requester per target works in the caller's own thread, so that between two requests there
//! is nothing but ioping's own steps. Where several are asked for (more targets, or a depth), each
//! has a thread, and the caller's listens.
//!
//! [`PingSettings`] are ioping's options, resolved. `ping_target` opens what is measured,
//! `requester` makes the requests, `collector` receives their completions, `request_tally` has
//! ioping's arithmetic, `statistics` sums up the requests of one target, and `record_builder` makes
//! a record of them for the truth checks.
//!
//! What it deliberately does not do: print, read arguments, open a device itself.
#![forbid(unsafe_code)]

mod collector;
mod ping_target;
mod random_stream;
mod record_builder;
mod request_tally;
mod requester;
mod statistics;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::Thread;

use engine::{Clock, PauseMonitor, SingleRequester, StopSignal};
use record::{CommandLine, Finding, PingFigures, PingRequest, PingTarget, Record};
use stats::LatencyHistogram;
use target::{Roots, TargetError};
use units::{Bytes, ErrorKind, Nanos};
use workload::Direction;

use collector::{CompletionCollector, RequesterEnd, run_in_this_thread, run_in_threads};
use ping_target::OpenPingTarget;
use random_stream::RandomStream;
use request_tally::CountingRules;
pub use requester::RequestError;
use requester::{BlockOrder, EndCondition, PingSchedule, RequestNumbers, Requester, ScheduleStats};
use statistics::{PingStatistics, WindowLimits};

/// Reads, writes, or both in turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Writes {
    /// Reads only.
    #[default]
    None,
    /// Writes only.
    All,
    /// A write, then a read, and so on.
    Alternating,
}

impl Writes {
    fn any(self) -> bool {
        self != Self::None
    }

    fn direction(self, number: u64) -> Direction {
        match self {
            Self::None => Direction::Read,
            Self::All => Direction::Write,
            Self::Alternating if number % 2 == 1 => Direction::Write,
            Self::Alternating => Direction::Read,
        }
    }
}

/// What is asked, with every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct PingSettings {
    /// Folders, files or devices.
    pub paths: Vec<PathBuf>,
    /// Bytes per request.
    pub size: Bytes,
    /// Size of the part that is worked on; `None` for the whole of a file or device.
    pub work_size: Option<Bytes>,
    /// Where it begins.
    pub work_offset: Bytes,
    /// Whether the work file in a folder is the larger one of a rapid run.
    pub rapid: bool,
    /// One block after the other instead of at random.
    pub linear: bool,
    /// O_DIRECT.
    pub direct: bool,
    /// The page cache is left alone, and writes are not synced.
    pub cached: bool,
    /// RWF_NOWAIT.
    pub nowait: bool,
    /// RWF_HIPRI.
    pub hipri: bool,
    /// Through io_submit.
    pub submitted: bool,
    /// Each write with data and metadata durable.
    pub sync: bool,
    /// Each write with its data durable.
    pub dsync: bool,
    /// What is done.
    pub writes: Writes,
    /// How often writing was asked for: three times for what is not our own.
    pub write_confirmations: u32,
    /// The work file keeps its name and stays.
    pub keep_file: bool,
    /// Between two starts.
    pub interval: Nanos,
    /// Requests without a pause between them; 0 for single ones.
    pub burst: u64,
    /// The first so many are in no figure.
    pub warmup: u64,
    /// The end, after so many requests; 0 for never.
    pub count: u64,
    /// The end, after this time; 0 for never.
    pub time: Nanos,
    /// What offsets and contents follow from.
    pub seed: u64,
    /// Faster ones are in no figure.
    pub min_time: Nanos,
    /// Slower ones are in no figure.
    pub max_time: Nanos,
    /// A window of figures ends after so many requests that count; 0 for never.
    pub window_count: u64,
    /// A window of figures ends after this time; 0 for never.
    pub window_time: Nanos,
    /// Requesters per target.
    pub depth: u32,
    /// Requests after a pause and back to back are told apart.
    pub contrast: bool,
    /// The device whose data may be destroyed, as named a second time.
    pub destroy_data_on: Option<PathBuf>,
    /// Whether a record is wanted, with its series; else only findings.
    pub record: bool,
    /// The command line, for the record.
    pub command: CommandLine,
    /// Version of the program, for the record.
    pub version: String,
}

/// Ends a run early, whoever waits for what.
#[derive(Debug, Default)]
pub struct PingStop {
    stop: StopSignal,
    waiting: Mutex<Vec<Thread>>,
}

impl PingStop {
    /// Asks every requester to end, and wakes those that wait. For any thread, not for a signal
    /// handler itself.
    pub fn raise(&self) {
        self.stop.raise();
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.iter().for_each(Thread::unpark);
    }

    /// Whether it rang.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.stop.is_raised()
    }

    fn wake_this_thread(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(std::thread::current());
    }
}

/// Says something to a person before the first request.
pub type Announcer = Option<fn(&str)>;

/// Whom a run talks to while it goes.
pub trait PingObserver {
    /// All targets are ready; the first request is next.
    fn on_ready(&mut self);
    /// A request of the target with this number is done.
    fn on_request(&mut self, target: usize, place: &PingTarget, request: &PingRequest);
    /// A window of figures is full.
    fn on_window(&mut self, target: usize, place: &PingTarget, figures: &PingFigures);
    /// Nothing happens for a while: what was said should be heard by now.
    fn on_idle(&mut self);
    /// Something worth saying that is no result.
    fn on_warning(&mut self, text: &str);
    /// Says what is about to be written, and that a device is searched for data; `None` for nobody.
    fn announcer(&self) -> Announcer {
        None
    }
    /// How much of a device was searched before it is written; ioping does not search.
    fn on_scan(&mut self, _: &str) {}
}

/// How one target did.
#[derive(Debug)]
pub struct PingOutcome {
    /// The target.
    pub place: PingTarget,
    /// ioping's figures.
    pub figures: PingFigures,
    /// The times of all requests that count.
    pub times: LatencyHistogram,
    /// The same, after a pause and back to back; where they were to be told apart.
    pub contrast: Option<[LatencyHistogram; 2]>,
    /// What became of the plan; `None` without an interval.
    pub rate: Option<PingRate>,
    /// Why it ended before its time.
    pub failure: Option<RequestError>,
    /// What the truth checks say: warnings and worse, and that targets cannot be told apart.
    pub findings: Vec<Finding>,
    /// Everything, where it was asked for.
    pub record: Option<Record>,
}

/// What became of a plan of starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PingRate {
    /// Starts per second by ioping's plan: of a burst, each request follows the one before at
    /// once, and the interval counts from the start of the last.
    pub planned: f64,
    /// Starts per second that were made; `None` where there was no second one.
    pub made: Option<f64>,
    /// Requests that were made.
    pub starts: u64,
    /// Starts that never were, because requests took longer than the interval.
    pub missed: u64,
}

/// Why nothing could be pinged.
#[derive(Debug, thiserror::Error)]
pub enum PingError {
    /// The target is wrong, or writing was refused.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// Not enough words for writing to what is not ours.
    #[error("refused to write to {}: it is not ours, and would be shredded", .0.display())]
    Shred(PathBuf),
    /// It cannot be had as asked for.
    #[error("{what}")]
    Prepare {
        /// What is wrong.
        what: String,
        /// What to do next; may be empty.
        hint: String,
    },
    /// Direct I/O does not take such requests.
    #[error("{0}")]
    Misaligned(String),
    /// The bell rang before the first request.
    #[error("interrupted before the first request")]
    Interrupted,
    /// The system gives no means.
    #[error(transparent)]
    Engine(#[from] engine::SingleRequestError),
}

impl PingError {
    fn invalid_setup(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Prepare { what: what.into(), hint: hint.into() }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let refused = "a file or device that is in use, or a device that holds something, is not \
                       written; name it once more with --yes-destroy-data-on, or read it instead";
        match self {
            Self::Target(TargetError::Refused { .. }) => Some(refused.to_owned()),
            Self::Target(TargetError::NoSpace { .. }) => {
                Some("use a smaller work size (-S), make room, or ping an existing file".to_owned())
            }
            Self::Target(TargetError::Missing { .. }) => Some("check the spelling".to_owned()),
            Self::Target(_) | Self::Interrupted | Self::Engine(_) => None,
            Self::Shred(_) => Some("think twice, then say -WWW; or ping its folder".to_owned()),
            Self::Misaligned(_) => Some("change -s and -o, or leave out -D".to_owned()),
            Self::Prepare { hint, .. } => Some(hint.clone()).filter(|hint| !hint.is_empty()),
        }
    }

    /// What it means to the caller.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Target(error) => error.kind(),
            Self::Shred(_) => ErrorKind::Refused,
            Self::Prepare { .. } | Self::Misaligned(_) => ErrorKind::WrongRequest,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Engine(_) => ErrorKind::Failed,
        }
    }
}

/// Pings what `settings` name until they, or `bell`, end it.
///
/// # Errors
/// When a target cannot be made ready, or the bell rings before all are. A request that fails is in
/// the result.
pub fn ping(
    settings: &PingSettings,
    roots: &Roots,
    bell: &PingStop,
    voice: &mut dyn PingObserver,
) -> Result<Vec<PingOutcome>, PingError> {
    let clock = ping_target::reply_clock();
    let mut grounds = Vec::new();
    for path in &settings.paths {
        let mut random = RandomStream::new(settings.seed);
        let ground = ping_target::prepare_target(
            path,
            settings,
            &mut random,
            roots,
            bell,
            voice.announcer(),
        )?;
        if let Some(look) = &ground.scan {
            voice.on_scan(look);
        }
        grounds.push((ground, random));
    }
    if bell.is_raised() {
        return Err(PingError::Interrupted);
    }
    record_builder::check_idle_pauses(settings, &grounds)?;
    // What making one target ready has written is no request of another.
    if let [_, _, ..] = grounds[..] {
        grounds.iter_mut().for_each(|(ground, _)| ground.refresh_counters(roots));
    }
    run_requesters(settings, grounds, &clock, roots, bell, voice)
}

/// Pings what is open.
fn run_requesters(
    settings: &PingSettings,
    grounds: Vec<(OpenPingTarget, RandomStream)>,
    clock: &Clock,
    roots: &Roots,
    bell: &PingStop,
    voice: &mut dyn PingObserver,
) -> Result<Vec<PingOutcome>, PingError> {
    let numbers: Vec<RequestNumbers> = grounds.iter().map(|_| RequestNumbers::default()).collect();
    let mut lanes = Vec::new();
    for (target, (ground, random)) in grounds.iter().enumerate() {
        for place in 0..settings.depth.max(1) {
            let random = if place == 0 {
                random.clone()
            } else {
                RandomStream::new(settings.seed.wrapping_add(u64::from(place)))
            };
            let made =
                build_requester(settings, ground, random, place, clock, &numbers[target], bell)?;
            if place == 0 {
                disable_readahead(&made, ground, settings, voice);
            }
            lanes.push((target, made));
        }
    }
    let started = jiff::Timestamp::now();
    let courses = grounds.iter().map(|_| new_statistics(settings)).collect();
    let mut hall = CompletionCollector {
        targets: &grounds,
        statistics: courses,
        observer: voice,
        size: settings.size,
    };
    bell.wake_this_thread();
    let is_virtual = hall.targets.iter().any(|(ground, _)| ground.target.is_virtual());
    let pauses = (!is_virtual).then(PauseMonitor::start).transpose().map_err(|source| {
        engine::SingleRequestError::Arm { attempt: "start the heartbeat thread", source }
    })?;
    let begun_ns = clock.now();
    hall.observer.on_ready();
    for (target, lane) in &mut lanes {
        let now_ns = lane.single.now();
        lane.begin(now_ns, settings);
        hall.statistics[*target].start(now_ns);
    }
    let ends = if lanes.len() == 1 {
        run_in_this_thread(lanes, &mut hall)
    } else {
        run_in_threads(lanes, &mut hall)
    };
    let CompletionCollector { statistics: courses, .. } = hall;
    let pauses = pauses.map_or_else(Vec::new, |watch| watch.finish(clock, begun_ns));
    let mut ended: Vec<TargetEnd> = grounds.iter().map(|_| TargetEnd::default()).collect();
    for end in ends {
        ended[end.target].add_requester(end);
    }
    let mut pinged = Vec::new();
    for (((ground, _), course), TargetEnd { end_ns, kept, failure }) in
        grounds.iter().zip(&courses).zip(ended)
    {
        let mut result = record_builder::build_outcome(settings, ground, course, end_ns, &kept);
        result.failure = failure;
        let rung = bell.is_raised();
        let shared = record_builder::is_device_shared(ground, &grounds);
        let pauses = &pauses;
        let account = record_builder::RecordBuilder {
            settings,
            ground,
            course,
            started,
            roots,
            interrupted: rung,
            is_shared: shared,
            pauses,
        };
        account.judge(&mut result);
        pinged.push(result);
    }
    Ok(pinged)
}

/// How all requesters of a target ended.
#[derive(Default)]
struct TargetEnd {
    /// When the last of them did.
    end_ns: u64,
    kept: ScheduleStats,
    failure: Option<RequestError>,
}

impl TargetEnd {
    fn add_requester(&mut self, end: RequesterEnd) {
        self.end_ns = self.end_ns.max(end.end_ns);
        self.kept.add_requester(&end.kept);
        self.failure = self.failure.take().or(end.failure);
    }
}

/// No readahead where it would spoil the next request: those at random, and those whose pages are
/// forgotten again.
fn disable_readahead(
    lane: &Requester<'_>,
    ground: &OpenPingTarget,
    settings: &PingSettings,
    voice: &mut dyn PingObserver,
) {
    if settings.linear && settings.cached {
        return;
    }
    if let Err(error) = lane.single.disable_readahead(ground.offset, ground.span) {
        voice.on_warning(&format!("the kernel may read ahead: {error}"));
    }
}

fn build_requester<'run>(
    settings: &PingSettings,
    ground: &OpenPingTarget,
    random: RandomStream,
    place: u32,
    clock: &Clock,
    numbers: &'run RequestNumbers,
    bell: &'run PingStop,
) -> Result<Requester<'run>, PingError> {
    let mut single =
        SingleRequester::new(&ground.target, settings.size, settings.single_options(), clock)?;
    // Pages that are there already, and no zeros: both would make the first request another.
    RandomStream::new(!settings.seed).fill(single.buffer());
    let size = settings.size.0;
    let blocks = ground.span.0 / size;
    let first = blocks * u64::from(place) / u64::from(settings.depth.max(1)) * size;
    Ok(Requester {
        single,
        random,
        order: BlockOrder {
            offset: ground.offset.0,
            span: ground.span.0,
            size,
            linear: settings.linear.then_some(first),
        },
        pace: PingSchedule::new(settings.interval.0, settings.burst),
        until: EndCondition { count: settings.count, deadline_ns: u64::MAX },
        writes: settings.writes,
        nowait: settings.nowait,
        numbers,
        stop: bell,
    })
}

fn new_statistics(settings: &PingSettings) -> PingStatistics {
    let rules = CountingRules {
        warmup: settings.warmup,
        min_ns: settings.min_time.0,
        max_ns: settings.max_time.0,
    };
    let windows = WindowLimits { count: settings.window_count, time_ns: settings.window_time.0 };
    PingStatistics::new(rules, windows, settings.record)
}
