//! `ping`: request by request, as ioping does it.
//!
//! One requester per target works in the caller's own thread, so that between two requests there
//! is nothing but ioping's own steps. Where several are asked for (more targets, or a depth), each
//! has a thread, and the caller's listens.
//!
//! [`PingSettings`] are ioping's options, resolved. `ground` opens what is measured, `lane` makes
//! the requests, `hall` hears of them, `tally` has ioping's arithmetic, `course` puts requests
//! together, and `account` makes a record of it for the truth checks.

mod account;
mod course;
mod ground;
mod hall;
mod lane;
mod random;
mod tally;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::Thread;

use engine::{Clock, PauseWatch, Single, StopFlag};
use record::{CommandLine, Finding, PingFigures, PingPlace, PingRequest, Record};
use stats::LatencyHistogram;
use target::{Roots, TargetError};
use units::{Bytes, Nanos};
use workload::Direction;

use course::{Course, Windows};
use ground::Ground;
use hall::{Hall, LaneEnd, alone, together};
pub use lane::LaneError;
use lane::{Kept, Lane, Numbers, Order, Pace, Until};
use random::Random;
use tally::Rules;

/// Reads, writes, or both in turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Writes {
    /// Reads only.
    #[default]
    None,
    /// Writes only.
    All,
    /// A write, then a read, and so on.
    InTurns,
}

impl Writes {
    fn any(self) -> bool {
        self != Self::None
    }

    fn direction(self, number: u64) -> Direction {
        match self {
            Self::None => Direction::Read,
            Self::All => Direction::Write,
            Self::InTurns if number % 2 == 1 => Direction::Write,
            Self::InTurns => Direction::Read,
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
    pub words: u32,
    /// The work file keeps its name and stays.
    pub keep: bool,
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
    pub destroy: Option<PathBuf>,
    /// Whether a record is wanted, with its series; else only findings.
    pub record: bool,
    /// The command line, for the record.
    pub command: CommandLine,
    /// Version of the program, for the record.
    pub version: String,
}

/// Ends a run early, whoever waits for what.
#[derive(Debug, Default)]
pub struct Bell {
    stop: StopFlag,
    waiting: Mutex<Vec<Thread>>,
}

impl Bell {
    /// Asks every requester to end, and wakes those that wait. For any thread, not for a signal
    /// handler itself.
    pub fn ring(&self) {
        self.stop.raise();
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.iter().for_each(Thread::unpark);
    }

    /// Whether it rang.
    #[must_use]
    pub fn is_rung(&self) -> bool {
        self.stop.is_raised()
    }

    fn wake_me(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(std::thread::current());
    }
}

/// Says something to a person before the first request.
pub type Announcer = Option<fn(&str)>;

/// Whom a run talks to while it goes.
pub trait Voice {
    /// All targets are ready; the first request is next.
    fn ready(&mut self);
    /// A request of the target with this number is done.
    fn request(&mut self, target: usize, place: &PingPlace, request: &PingRequest);
    /// A window of figures is full.
    fn window(&mut self, target: usize, place: &PingPlace, figures: &PingFigures);
    /// Nothing happens for a while: what was said should be heard by now.
    fn rest(&mut self);
    /// Something worth saying that is no result.
    fn warn(&mut self, text: &str);
    /// Says what is about to be written, and that a device is searched for data; `None` for nobody.
    fn announcer(&self) -> Announcer {
        None
    }
    /// How much of a device was searched before it is written; ioping does not search.
    fn tell_look(&mut self, _: &str) {}
}

/// How one target did.
#[derive(Debug)]
pub struct Pinged {
    /// The target.
    pub place: PingPlace,
    /// ioping's figures.
    pub figures: PingFigures,
    /// The times of all requests that count.
    pub times: LatencyHistogram,
    /// The same, after a pause and back to back; where they were to be told apart.
    pub contrast: Option<[LatencyHistogram; 2]>,
    /// What became of the plan; `None` without an interval.
    pub rate: Option<PingRate>,
    /// Why it ended before its time.
    pub failure: Option<LaneError>,
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
    Engine(#[from] engine::SingleError),
}

impl PingError {
    fn prepare(what: impl Into<String>, hint: impl Into<String>) -> Self {
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

    /// The exit status: 2 when the request was wrong, 4 when data would have been at risk, 130 when
    /// it was interrupted, 1 when the system failed.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Target(error) => error.exit_status(),
            Self::Shred(_) => 4,
            Self::Prepare { .. } | Self::Misaligned(_) => 2,
            Self::Interrupted => 130,
            Self::Engine(_) => 1,
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
    bell: &Bell,
    voice: &mut dyn Voice,
) -> Result<Vec<Pinged>, PingError> {
    let clock = ground::clock();
    let mut grounds = Vec::new();
    for path in &settings.paths {
        let mut random = Random::new(settings.seed);
        let ground = ground::open(path, settings, &mut random, roots, bell, voice.announcer())?;
        if let Some(look) = &ground.look {
            voice.tell_look(look);
        }
        grounds.push((ground, random));
    }
    if bell.is_rung() {
        return Err(PingError::Interrupted);
    }
    account::idle_in_pauses(settings, &grounds)?;
    // What making one target ready has written is no request of another.
    if let [_, _, ..] = grounds[..] {
        grounds.iter_mut().for_each(|(ground, _)| ground.look_again(roots));
    }
    run(settings, grounds, &clock, roots, bell, voice)
}

/// Pings what is open.
fn run(
    settings: &PingSettings,
    grounds: Vec<(Ground, Random)>,
    clock: &Clock,
    roots: &Roots,
    bell: &Bell,
    voice: &mut dyn Voice,
) -> Result<Vec<Pinged>, PingError> {
    let numbers: Vec<Numbers> = grounds.iter().map(|_| Numbers::default()).collect();
    let mut lanes = Vec::new();
    for (target, (ground, random)) in grounds.iter().enumerate() {
        for place in 0..settings.depth.max(1) {
            let random = if place == 0 {
                random.clone()
            } else {
                Random::new(settings.seed.wrapping_add(u64::from(place)))
            };
            let made = lane(settings, ground, random, place, clock, &numbers[target], bell)?;
            if place == 0 {
                calm(&made, ground, settings, voice);
            }
            lanes.push((target, made));
        }
    }
    let started = jiff::Timestamp::now();
    let courses = grounds.iter().map(|_| course(settings)).collect();
    let mut hall = Hall { grounds: &grounds, courses, voice, size: settings.size };
    bell.wake_me();
    let is_virtual = hall.grounds.iter().any(|(ground, _)| ground.target.is_virtual());
    let pauses = (!is_virtual).then(PauseWatch::start).transpose().map_err(|source| {
        engine::SingleError::Arm { attempt: "start the heartbeat thread", source }
    })?;
    let begun_ns = clock.now();
    hall.voice.ready();
    for (target, lane) in &mut lanes {
        let now_ns = lane.single.now();
        lane.begin(now_ns, settings);
        hall.courses[*target].start(now_ns);
    }
    let ends = if lanes.len() == 1 { alone(lanes, &mut hall) } else { together(lanes, &mut hall) };
    let Hall { courses, .. } = hall;
    let pauses = pauses.map_or_else(Vec::new, |watch| watch.finish(clock, begun_ns));
    let mut ended: Vec<Ended> = grounds.iter().map(|_| Ended::default()).collect();
    for end in ends {
        ended[end.target].with(end);
    }
    let mut pinged = Vec::new();
    for (((ground, _), course), Ended { end_ns, kept, failure }) in
        grounds.iter().zip(&courses).zip(ended)
    {
        let mut result = account::pinged(settings, ground, course, end_ns, &kept);
        result.failure = failure;
        let rung = bell.is_rung();
        let shared = account::shared(ground, &grounds);
        let pauses = &pauses;
        let account =
            account::Account { settings, ground, course, started, roots, rung, shared, pauses };
        account.judge(&mut result);
        pinged.push(result);
    }
    Ok(pinged)
}

/// How all requesters of a target ended.
#[derive(Default)]
struct Ended {
    /// When the last of them did.
    end_ns: u64,
    kept: Kept,
    failure: Option<LaneError>,
}

impl Ended {
    fn with(&mut self, end: LaneEnd) {
        self.end_ns = self.end_ns.max(end.end_ns);
        self.kept.with(&end.kept);
        self.failure = self.failure.take().or(end.failure);
    }
}

/// No readahead where it would spoil the next request: those at random, and those whose pages are
/// forgotten again.
fn calm(lane: &Lane<'_>, ground: &Ground, settings: &PingSettings, voice: &mut dyn Voice) {
    if settings.linear && settings.cached {
        return;
    }
    if let Err(error) = lane.single.no_readahead(ground.offset, ground.span) {
        voice.warn(&format!("the kernel may read ahead: {error}"));
    }
}

fn lane<'run>(
    settings: &PingSettings,
    ground: &Ground,
    random: Random,
    place: u32,
    clock: &Clock,
    numbers: &'run Numbers,
    bell: &'run Bell,
) -> Result<Lane<'run>, PingError> {
    let mut single = Single::new(&ground.target, settings.size, settings.manner(), clock)?;
    // Pages that are there already, and no zeros: both would make the first request another.
    Random::new(!settings.seed).fill(single.buffer());
    let size = settings.size.0;
    let blocks = ground.span.0 / size;
    let first = blocks * u64::from(place) / u64::from(settings.depth.max(1)) * size;
    Ok(Lane {
        single,
        random,
        order: Order {
            offset: ground.offset.0,
            span: ground.span.0,
            size,
            linear: settings.linear.then_some(first),
        },
        pace: Pace::new(settings.interval.0, settings.burst),
        until: Until { count: settings.count, deadline_ns: u64::MAX },
        writes: settings.writes,
        nowait: settings.nowait,
        numbers,
        bell,
    })
}

fn course(settings: &PingSettings) -> Course {
    let rules =
        Rules { warmup: settings.warmup, min_ns: settings.min_time.0, max_ns: settings.max_time.0 };
    let windows = Windows { count: settings.window_count, time_ns: settings.window_time.0 };
    Course::new(rules, windows, settings.record)
}
