//! What an agent is told.

use std::path::{Path, PathBuf};

use fio_run::SentJobs;
use method::{LayoutBudget, MeasureRequest};
use record::{CellRole, CommandLine, FleetSpan, Plan};
use serde::{Deserialize, Serialize};
use units::{Bytes, Nanos, Seed};
use workload::Job;

use crate::name::{AgentName, RunName};

/// The longest path, as the system has it.
const PATH_MAX: usize = 4096;
/// The longest command line that is written into a record.
const COMMAND_MAX: usize = 64 << 10;
/// The most sizes that are asked for at once.
const SIZES_MAX: usize = 4096;
const CELL_JOBS_MAX: usize = 2;

/// What an agent is told. Each may be said again: it is done once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", content = "of", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// What does your clock show?
    Ping,
    /// Begin a run: look at the target, and let the guard speak.
    Begin(Box<BeginRun>),
    /// Begin a run of fio's jobs: look through them, and let the guard speak.
    BeginJobs(Box<BeginJobs>),
    /// Lay out the target of the run that was begun.
    Prepare {
        /// Which run.
        run: RunName,
    },
    /// Make a cell ready, and wait.
    Arm {
        /// Of which run.
        run: RunName,
        /// Number of the cell.
        turn: u64,
        /// What it is for.
        role: CellRole,
        /// What runs at the same time.
        jobs: Vec<Job>,
    },
    /// Start what is ready.
    Go {
        /// Of which run.
        run: RunName,
        /// Number of the cell.
        turn: u64,
        /// When, on the host's own CLOCK_MONOTONIC.
        at_ns: u64,
        /// How wrong that can be at most.
        error: Nanos,
    },
    /// End the cell early, with what it has.
    Cut {
        /// Of which run.
        run: RunName,
        /// Number of the cell.
        turn: u64,
    },
    /// Give a piece of something.
    Fetch {
        /// Of which run.
        run: RunName,
        /// Of what.
        what: FetchItem,
        /// Number of the piece.
        piece: u32,
    },
    /// End the run and make its record.
    Finish {
        /// Which run.
        run: RunName,
        /// The plan of the whole run.
        plan: Box<Plan>,
    },
    /// End the run early; without a name, whichever there is.
    Stop {
        /// Which run.
        run: Option<RunName>,
    },
    /// The record of a run is safe with the coordinator.
    Acknowledge {
        /// Of which run.
        run: RunName,
    },
}

/// A run to be begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeginRun {
    /// Its name.
    pub run: RunName,
    /// Folder, file or block device of the host.
    pub path: PathBuf,
    /// Size of the test file, or of the measured part.
    pub size: Option<Bytes>,
    /// Measure what exists and write nothing to it.
    pub read_only: bool,
    /// The device named a second time, for leave to write to it.
    pub destroy: Option<PathBuf>,
    /// What offsets, mixes and payload follow from; each host has its own.
    pub seed: Seed,
    /// The coordinator's command line, for the record.
    pub command: CommandLine,
    /// How much is laid out.
    pub setting: LayoutBudget,
    /// The plan of the whole run, as far as it is known.
    pub plan: Plan,
    /// How the hosts divide what is measured.
    pub sharing: FleetSpan,
    /// All hosts of the run, for who puts it together when this coordinator is gone.
    pub hosts: Vec<AgentName>,
}

/// A run of fio's jobs to be begun. A message that would be larger than others is none: so many
/// jobs are not sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeginJobs {
    /// Its name.
    pub run: RunName,
    /// The jobs, with nothing left in them that would have to be looked up.
    pub jobs: SentJobs,
    /// Write nothing, and make nothing.
    pub read_only: bool,
    /// The device named a second time, for leave to write to it.
    pub destroy: Option<PathBuf>,
    /// For jobs that do not repeat their seed; each host has its own.
    pub fresh: Seed,
    /// All hosts of the run.
    pub hosts: Vec<AgentName>,
}

impl BeginRun {
    pub(crate) fn measure_request(&self, version: &str) -> MeasureRequest {
        MeasureRequest {
            path: self.path.clone(),
            size: self.size,
            read_only: self.read_only,
            destroy_data_on: self.destroy.clone(),
            // A run over many hosts has no such bound: its coordinator refuses one.
            max_written: None,
            seed: self.seed,
            command: self.command.clone(),
            version: version.to_owned(),
        }
    }
}

/// What can be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FetchItem {
    /// What the host has, once it is ready.
    Readiness,
    /// What it gave to a cell.
    Cells {
        /// Number of the cell.
        turn: u64,
    },
    /// Its whole record, once the run is over.
    Record,
    /// What its record does not say of the run: how its cells began.
    Slip,
}

impl Order {
    /// Its word in a subject.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Begin(_) => "begin",
            Self::BeginJobs(_) => "begin_jobs",
            Self::Prepare { .. } => "prepare",
            Self::Arm { .. } => "arm",
            Self::Go { .. } => "go",
            Self::Cut { .. } => "cut",
            Self::Fetch { .. } => "fetch",
            Self::Finish { .. } => "finish",
            Self::Stop { .. } => "stop",
            Self::Acknowledge { .. } => "acknowledge",
        }
    }

    /// The run that it is about.
    #[must_use]
    pub fn run(&self) -> Option<&RunName> {
        match self {
            Self::Ping => None,
            Self::Begin(begin) => Some(&begin.run),
            Self::BeginJobs(begin) => Some(&begin.run),
            Self::Stop { run } => run.as_ref(),
            Self::Prepare { run }
            | Self::Arm { run, .. }
            | Self::Go { run, .. }
            | Self::Cut { run, .. }
            | Self::Fetch { run, .. }
            | Self::Finish { run, .. }
            | Self::Acknowledge { run } => Some(run),
        }
    }

    /// What is unreasonable in it, whatever host it is for.
    #[must_use]
    pub fn find_violation(&self) -> Option<String> {
        match self {
            Self::Begin(begin) => begin.unreasonable(),
            Self::BeginJobs(begin) => begin.destroy.as_deref().and_then(find_path_violation),
            Self::Arm { jobs, .. } if jobs.is_empty() || jobs.len() > CELL_JOBS_MAX => {
                Some(format!("{} jobs in one cell", jobs.len()))
            }
            Self::Fetch { piece, .. } if *piece >= crate::payload::PIECES_MAX => {
                Some(format!("piece number {piece}"))
            }
            _ => None,
        }
    }
}

impl BeginRun {
    fn unreasonable(&self) -> Option<String> {
        let paths = [Some(&self.path), self.destroy.as_ref()];
        if let Some(what) = paths.into_iter().flatten().find_map(|path| find_path_violation(path)) {
            return Some(what);
        }
        let command: usize = self.command.iter().map(String::len).sum();
        if command > COMMAND_MAX {
            return Some(format!("a command line of {command} bytes"));
        }
        let sizes = self.setting.block_sizes.len();
        (sizes > SIZES_MAX).then(|| format!("{sizes} block sizes"))
    }
}

fn find_path_violation(path: &Path) -> Option<String> {
    if path.as_os_str().len() > PATH_MAX {
        return Some(format!("a path of {} bytes", path.as_os_str().len()));
    }
    let shown = path.display().to_string();
    (!path.is_absolute()).then(|| format!("path '{}', which is not absolute", shown.escape_debug()))
}
