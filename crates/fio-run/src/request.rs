//! Request, observer and outcome of a run.

use std::path::Path;

use engine::Clock;
use fio::plan::Section;
use fio::print::EtaState;
use fio::results::{DiskUse, JobResult, RunResult};
use message::Message;
use output::Destinations;
use record::Finding;
use units::Nanos;

use super::idle::IdleProfile;
use super::path_policy::PathPolicy;

/// The jobs of a run and its settings.
#[derive(Debug, Clone, Copy)]
pub struct JobsRequest<'a> {
    /// The jobs in their order.
    pub sections: &'a [Section],
    /// Options given before the first job, as typed.
    pub global_options: &'a [(String, String)],
    /// `--readonly`
    pub read_only: bool,
    /// `--yes-destroy-data-on`
    pub destroy: Option<&'a Path>,
    /// `--aux-path`: folder of verification states.
    pub aux: Option<&'a Path>,
    /// `--idle-prof`
    pub idle: Option<IdleProfile>,
    /// Milliseconds between states (`--status-interval`); 0 for none.
    pub status_ms: u64,
    /// Milliseconds between lines of progress; 0 for none.
    pub eta_ms: u64,
    /// For jobs that do not repeat their seed.
    pub random_seed: u64,
    /// Where logs, traces and dumps are opened; `None` if jobs may not write them.
    pub results: Option<&'a Destinations>,
    /// Announces the search of a device for data, which takes seconds.
    pub announce: Option<fn(&Message)>,
}

/// Receives the events of a run.
pub trait JobsObserver {
    /// Number and size of the files that are made for a job.
    fn on_layout(&mut self, _job: &str, _files: usize, _bytes: u64) {}
    /// Start of this many threads and processes, in fio's words.
    fn on_start(&mut self, _threads: u32, _processes: u32) {}
    /// The progress `passed_ms` after the start.
    fn on_progress(&mut self, state: &EtaState, passed_ms: u64);
    /// Whether the figures so far are asked for now.
    fn wants_status(&mut self) -> bool {
        false
    }
    /// The figures so far.
    fn on_status(&mut self, _instances: Vec<JobResult>, _disks: Vec<DiskUse>) {}
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
    /// Wrong blocks in fio's words, some with several lines.
    pub wrong_blocks: Vec<String>,
    /// Deviations from fio, by job.
    pub notes: Vec<String>,
    /// What the truth checks warn of.
    pub findings: Vec<Finding>,
    /// All that the truth checks found; empty where they could look at nothing but rates.
    pub checks: Vec<Finding>,
    /// A log that could not be written.
    pub side_error: Option<String>,
    /// Section of each instance of the figures.
    pub sections: Vec<usize>,
    /// Delay of the first wave after its planned start; absent without a gate.
    pub start_delay: Option<Nanos>,
}

/// Gives the start of the first wave, as a reading of the clock, once all is ready; `None` cancels.
pub type StartGate<'a> = &'a mut dyn FnMut(&Clock) -> Option<u64>;

/// For jobs sent by a coordinator.
#[derive(Default)]
pub(super) struct Coordination<'a> {
    pub(super) path_policy: Option<PathPolicy<'a>>,
    pub(super) gate: Option<StartGate<'a>>,
}
