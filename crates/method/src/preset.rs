//! Presets: the tests of tools that people know, and of applications, as data.
//!
//! A preset is a TOML file of steps and thresholds. Those that are compiled in lie in
//! `crates/method/presets`; a user has others in files of his own. [`Preset::parse`] makes a
//! checked plan of the text, [`preset()`] measures it, `analysis::preset` makes figures of its
//! cells, and `report::preset` tells them, or prints the text of the tool that it imitates.
//!
//! # How to add a preset
//!
//! Write `crates/method/presets/NAME.toml` and add a line to `catalogue`. That is all:
//!
//! ```toml
//! title = "what it is, in a few words"
//! imitates = "whom, and how faithfully"
//! sources = ["https://..."]        # where that is described
//! size = "1g"                      # of the test file (1g); an existing file or device: all of it
//! format = "lines"                 # its familiar text, of report::preset::FORMATS
//! notes = ["what a reader should know"]
//!
//! [defaults]                       # for steps: passes, discard, pause, rest, score, direct...
//! passes = 3
//! [defaults.job]                   # for jobs: every key of theirs
//! time = "5s"
//!
//! [[step]]
//! name = "seq1m-read"              # unique; the cells are called after it
//! label = "SEQ1M Q8T1, read"       # as it is told
//! note = "what it does and does not measure"
//! passes = 3                       # measured so often (1)
//! discard = 1                      # passes before them that do not count (0)
//! settle = "3s"                    # before each pass: flushed, then left alone so long (no)
//! pause = "5s"                     # after each pass (none)
//! rest = "5s"                      # after the last pass, before the next step (none)
//! score = "best"                   # as the tool takes its figure: best, mean, median (median)
//! direct = true                    # past the page cache (true)
//! drop-cache = true                # the page cache is emptied of it before each pass (false)
//! end-sync = "fdatasync"           # or fsync, after the last write of a pass; counts in its rate
//! skip-unaligned = true            # left out where its blocks are no whole sectors (refused)
//! fresh = "64m"                    # each pass writes a file of its own: reserved, never written
//! group = "mixes"                  # neighbours of one group take turns, pass by pass
//! until-steady = true              # passes at most; until five in a row are steady
//! job = [{ access = "sequential", mix = "read", bs = "1m", depth = 8 }]
//! ```
//!
//! A job has, with what it is otherwise in parentheses:
//! - `name` (needed where several run beside each other);
//! - `access` (random): random, sequential, backward, random-repeating, zipf:1.2, pareto:0.2,
//!   partly-random:20; `mix` (read): read, write, 75/25;
//! - `bs` (4k), or several with shares in percent: `4k/60:64k/40`; or every multiple of the
//!   smallest, as often as any other: `4k-1m`;
//! - `depth` (1): outstanding in all, shared by `workers` (1); `engine` (auto): auto, io_uring,
//!   libaio, sync, psync, pvsync, threads, mmap - of those that block, a thread each;
//! - `sync`: fsync, fdatasync or sync_file_range after each `sync-every` (1) writes; `durable`:
//!   dsync or sync, with every single write;
//! - `payload` (unique): unique, zero, dev-zero (read from `/dev/zero` before each write, as dd
//!   does), compressible:50, dedupable:30;
//! - `span` (100%) and `offset` (0): the part that is touched, as a size or a share;
//! - `time` (5s) of measuring, `warm-up` (none) before it; it may end earlier after `bytes` (a size
//!   or a share such as 200%) or `operations`, both with the warm-up;
//! - `rate`, an open loop of so many a second, with `arrivals` (poisson) or constant; or
//!   `interval`, one at a time with pauses, which is how latency is probed of an idle disk; or
//!   `cap-iops` or `cap-mbps`; `think` after each `think-every` (1);
//! - `touch`: a byte of each sector read is changed before the next read, as hdparm does;
//! - `finish`: what is under way when the `time` is up is waited for and counted with its time.
//!
//! Other kinds of steps: `kind = "surface"` reads the whole target in `places` (51), each for
//! `slice` (250ms) in sequence, in blocks of `bs` (1m) with a `depth` (8), and for `access` (120ms)
//! at random within it; its figures are the record's `surface`. `kind = "metadata"` makes small
//! files, by itself in its preset: `files`, `threads`, `rounds`; its figures are the
//! record's `metadata`. A new kind is a variant of [`record::StepWork`], read in `mean` and run in
//! `run`.
//!
//! ```toml
//! [[threshold]]
//! step = "wal"
//! of = "sync"                      # read, write, sync; where the job has several
//! statistic = "p99"                # iops, mbps, mean, max, p50, p90, p95, p99, p99.9, p99.99
//! below = "10ms"                   # of latencies; of iops and mbps: at-least = 1500
//! source = "https://..."           # where it is published, or: convention = true
//! ```
//!
//! How to add a familiar text: see `report::preset`.
//!
//! Invariants
//! - Nothing of a preset is ignored: a key that is not known is an error with its line.
//! - In what a run departs from its preset stands in the record, and is told.

mod catalogue;
mod run;
mod schema;
#[cfg(test)]
mod tests;
mod validate;
mod values;

use record::{MetadataPlan, PresetPlan, PresetStep, StepWork};
use units::{Bytes, Depth, Nanos};
use workload::{Job, Pacing, Span};

use crate::error::MethodError;
use crate::request::MeasureRequest;

pub use catalogue::built_in_names;
pub use run::preset;

/// Of the fastest rate that laying out is given time for: a slow rotating disk's.
const LAYOUT_BYTES_PER_SECOND: u64 = 60_000_000;
/// Laying out a file takes at least and at most so long.
const LAYOUT_TIME: (Nanos, Nanos) = (Nanos::secs(15), Nanos::secs(180));
/// At the end of a preset with syncs: whether a flush costs anything.
const FLUSH_TRIAL_TIME: Nanos = Nanos::millis(600);
/// Requests at intervals, at least, of a shortened step.
const SPACED_REQUESTS_MIN: u64 = 5;
/// What a place of a surface takes beside its reads: coming there twice.
const PLACE_OVERHEAD: Nanos = Nanos::millis(80);

/// Why there is no such preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// No preset of that name.
    #[error("unknown preset '{asked}'{}", suggestion(near.as_deref()))]
    Unknown {
        /// As written.
        asked: String,
        /// The name that is most like it.
        near: Option<String>,
    },
    /// The text of a preset is wrong.
    #[error("preset '{name}', line {line}: {}", input::shorten_message(reason))]
    Broken {
        /// What the preset is called.
        name: String,
        /// Where in its text.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// A preset, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    /// What it asks, as the record keeps it.
    pub plan: PresetPlan,
    steps: Vec<Step>,
    text: String,
}

/// A step with what it takes to run it.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    plan: PresetStep,
    /// In the order of the plan's names; none of a surface.
    jobs: Vec<JobTemplate>,
    /// Block and depth of the sequential reads of a surface.
    stream: (Bytes, Depth),
}

/// A job whose places are still shares of a file.
#[derive(Debug, Clone, PartialEq)]
struct JobTemplate {
    name: String,
    job: Job,
    span: values::SizeOrShare,
    offset: values::SizeOrShare,
    bytes: Option<values::SizeOrShare>,
}

impl Preset {
    /// Reads the text of a preset that is called `name`.
    ///
    /// # Errors
    /// With the line, when it is no TOML, has a key that is not known, or contradicts itself.
    pub fn parse(name: &str, text: &str) -> Result<Self, PresetError> {
        validate::parse_preset(name, text)
    }

    /// The preset of this name among those that are compiled in.
    ///
    /// # Errors
    /// When there is none; with the name that is most like it, also of `others`.
    pub fn find(name: &str, others: &[String]) -> Result<Self, PresetError> {
        catalogue::find_preset(name, others)
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether any of its steps writes.
    #[must_use]
    pub fn has_writes(&self) -> bool {
        self.steps.iter().any(Step::writes)
    }

    /// What it asks of small files, where it is about those and so about nothing else.
    #[must_use]
    pub fn small_files(&self) -> Option<&MetadataPlan> {
        self.steps.iter().find_map(|step| match &step.plan.work {
            StepWork::Metadata(plan) => Some(plan),
            _ => None,
        })
    }

    /// How long measuring takes at most, without laying out the file. Steps that end when they are
    /// steady, or after so many bytes, may take less.
    #[must_use]
    pub fn time_max(&self) -> Nanos {
        let flushes = if self.has_syncs() { FLUSH_TRIAL_TIME } else { Nanos::ZERO };
        Nanos(self.steps.iter().fold(flushes.0, |sum, step| sum.saturating_add(step.time().0)))
    }

    /// Whether any of its jobs makes writes durable by a call.
    fn has_syncs(&self) -> bool {
        self.steps.iter().flat_map(|step| &step.jobs).any(|shape| shape.job.sync.is_some())
    }

    /// How long laying out a file of `size` may take.
    #[must_use]
    pub fn layout_time(size: Bytes) -> Nanos {
        let seconds = size.0 / LAYOUT_BYTES_PER_SECOND;
        Nanos::secs(seconds.min(LAYOUT_TIME.1.0)).clamp(LAYOUT_TIME.0, LAYOUT_TIME.1)
    }

    /// Without the steps that write; `None` where that leaves nothing.
    fn without_writes(mut self) -> Option<Self> {
        let writing: Vec<String> = self
            .steps
            .iter()
            .filter(|step| step.writes())
            .map(|step| step.plan.name.clone())
            .collect();
        if writing.is_empty() {
            return Some(self);
        }
        self.steps.retain(|step| !step.writes());
        let words = format!("nothing may be written: left out are {}", writing.join(", "));
        self.plan.departures.push(words);
        (!self.steps.is_empty()).then_some(self)
    }

    /// With every time that share of what it is; where requests come at intervals, at least a few
    /// of these.
    fn with_scaled_times(mut self, share: f64) -> Self {
        let of = |time: &mut Nanos| *time = Nanos((time.0 as f64 * share) as u64);
        for step in &mut self.steps {
            of(&mut step.plan.settle);
            of(&mut step.plan.pause);
            of(&mut step.plan.rest);
            if let StepWork::Surface { slice, access, .. } = &mut step.plan.work {
                of(slice);
                of(access);
            }
            for shape in &mut step.jobs {
                of(&mut shape.job.warm_up);
                let least = match shape.job.pacing {
                    Pacing::Spaced { interval } => {
                        Nanos(interval.0.saturating_mul(SPACED_REQUESTS_MIN))
                    }
                    _ => Nanos::ZERO,
                };
                if let Some(time) = &mut shape.job.stop.time {
                    *time = Nanos((time.0 as f64 * share) as u64).max(least.min(*time));
                }
            }
        }
        for (planned, step) in self.plan.steps.iter_mut().filter_map(|planned| {
            let step = self.steps.iter().find(|step| step.plan.name == planned.name)?;
            Some((planned, step))
        }) {
            planned.clone_from(&step.plan);
        }
        self
    }
}

impl Step {
    fn writes(&self) -> bool {
        let small_files = matches!(self.plan.work, StepWork::Metadata(_));
        small_files || self.jobs.iter().any(|shape| shape.job.mix.writes())
    }

    /// All passes of it, at most.
    fn time(&self) -> Nanos {
        let plan = &self.plan;
        let once = match plan.work {
            StepWork::Jobs { .. } => self.jobs.iter().map(JobTemplate::time).max(),
            StepWork::Surface { places, slice, access } => {
                Some(Nanos((slice.0 + access.0 + PLACE_OVERHEAD.0).saturating_mul(places)))
            }
            StepWork::Metadata(ref plan) => {
                Some(crate::metadata_longest(plan).unwrap_or_else(|| crate::metadata_time(plan)))
            }
        };
        let around = plan.settle.0.saturating_add(plan.pause.0);
        let once = once.unwrap_or(Nanos::ZERO).0.saturating_add(around);
        let passes = once.saturating_mul(u64::from(plan.passes + plan.discarded));
        Nanos(passes.saturating_add(plan.rest.0))
    }

    /// The shortest time that it measures at once.
    fn shortest_measurement(&self) -> Option<Nanos> {
        let of_jobs = self.jobs.iter().filter_map(|shape| shape.job.stop.time).min();
        match self.plan.work {
            StepWork::Surface { slice, .. } => Some(slice),
            StepWork::Jobs { .. } => of_jobs,
            StepWork::Metadata(_) => None,
        }
    }
}

impl JobTemplate {
    fn time(&self) -> Nanos {
        let time = self.job.stop.time.unwrap_or(Nanos::ZERO);
        Nanos(time.0.saturating_add(self.job.warm_up.0))
    }

    /// The job on a span.
    ///
    /// # Errors
    /// When its part lies outside of it.
    fn instantiate(&self, whole: Span) -> Result<Job, MethodError> {
        // Places are whole blocks, and of odd sizes whole sectors, where the job starts.
        let step = Bytes(self.job.max_block_size().0.next_multiple_of(512));
        let offset = self.offset.resolve(whole.length, step);
        let rest = Bytes(whole.length.0.saturating_sub(offset.0));
        let length = self.span.resolve(whole.length, step).min(rest);
        if length < self.job.max_block_size() {
            let what = format!(
                "{length} from {offset} of {} hold no block of {}",
                whole.length,
                self.job.max_block_size()
            );
            return Err(MethodError::invalid_request(what, "measure more: --size"));
        }
        let span = Span { offset: Bytes(whole.offset.0 + offset.0), length };
        let mut job = Job { span, ..self.job.clone() };
        job.stop.bytes = self.bytes.map(|bytes| bytes.resolve(whole.length, step));
        Ok(job)
    }
}

/// What is asked of a preset.
#[derive(Debug, Clone)]
pub struct PresetRequest {
    /// What every method is asked. A preset that only reads takes an existing file or device as if
    /// `read_only` had been said.
    pub ask: MeasureRequest,
    /// The preset.
    pub preset: Preset,
    /// Longest time of the whole run: where the preset takes longer, all its times are shortened
    /// by the same share.
    pub budget: Option<Nanos>,
}

fn find_nearest_name<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    ::fio::options::lookup::nearest_word(name, names).map(str::to_owned)
}
