//! The request of a run, the observer of its progress, and its outcome.

use std::path::Path;

use engine::Clock;
use fio::plan::Section;
use fio::print::EtaState;
use fio::results::{JobResult, RunResult};
use output::Destinations;
use record::Finding;
use units::Nanos;

use super::idle::IdleProfile;
use super::path_policy::PathPolicy;

/// The jobs of a run and its settings.
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
    /// Milliseconds between lines of progress; 0 for none.
    pub eta_ms: u64,
    /// A random number, for jobs that do not repeat their seed.
    pub random_seed: u64,
    /// Destinations of the command, which logs, traces and dumps join; `None` where jobs may
    /// write no such file.
    pub results: Option<&'a Destinations>,
    /// Announces that a device is searched for data before it is written; that takes seconds.
    pub announce: Option<fn(&str)>,
}

/// Receives the events of a run.
pub trait JobsObserver {
    /// Files are made for a job: how many, of how many bytes each.
    fn on_layout(&mut self, _job: &str, _files: usize, _bytes: u64) {}
    /// All files exist; this many threads and processes, in fio's words, start.
    fn on_start(&mut self, _threads: u32, _processes: u32) {}
    /// The progress `passed_ms` after the start.
    fn on_progress(&mut self, state: &EtaState, passed_ms: u64);
    /// The figures so far.
    fn on_status(&mut self, _instances: Vec<JobResult>) {}
    /// A note that is no result.
    fn on_note(&mut self, _text: &str) {}
}

/// The outcome of a run.
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

/// Gives the start of the first wave, as a reading of the clock, once everything is ready; `None`
/// where it is not to start.
pub type StartGate<'a> = &'a mut dyn FnMut(&Clock) -> Option<u64>;

/// What a coordinator decides for jobs that it sent.
#[derive(Default)]
pub(super) struct Coordination<'a> {
    pub(super) path_policy: Option<PathPolicy<'a>>,
    pub(super) gate: Option<StartGate<'a>>,
}
