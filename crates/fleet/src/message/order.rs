//! Orders to agents.

use std::path::{Path, PathBuf};

use fio_run::SentJobs;
use method::{LayoutBudget, MeasureRequest, SentProfile};
use record::{CellRole, CommandLine, FleetSpan, Plan};
use serde::{Deserialize, Serialize};
use units::{Bytes, Nanos, Seed};
use workload::{Bound, Job};

use super::relay::RelayGroup;
use crate::name::{AgentName, RunName};

const PATH_MAX: usize = 4096;
const COMMAND_MAX: usize = 64 << 10;
const SIZES_MAX: usize = 4096;
const CELL_JOBS_MAX: usize = 2;
const PINGS_MAX: u32 = 1000;
/// Names of hosts in an order; no order grows with the number of hosts.
pub(crate) const NAMES_MAX: usize = 8;
/// Connections of a NATS server by default.
pub(crate) const HOSTS_MAX: u32 = 65_536;

/// An order. It may be repeated: it is done once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", content = "of", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Read the clock.
    Ping,
    /// Begin a run: check the target.
    Begin(Box<BeginRun>),
    /// Begin a run of fio's jobs: check them.
    BeginJobs(Box<BeginJobs>),
    /// Lay out the target.
    Prepare { run: RunName },
    /// Prepare a cell.
    Arm { run: RunName, turn: u64, role: CellRole, jobs: Vec<Job> },
    /// Start the prepared cell.
    Go {
        run: RunName,
        turn: u64,
        /// On the host's own CLOCK_MONOTONIC.
        at_ns: u64,
        /// Maximum error of `at_ns`.
        error: Nanos,
    },
    /// End the cell early.
    Cut { run: RunName, turn: u64 },
    /// Send a piece.
    Fetch { run: RunName, what: FetchItem, piece: u32 },
    /// End the run and make its record.
    Finish { run: RunName, plan: Box<Plan> },
    /// End the run early; without a name, any run.
    Stop { run: Option<RunName>, cause: StopCause },
    /// The coordinator has the record.
    Acknowledge { run: RunName },
    /// Listen to a group of hosts, and report; only relays do.
    Relay(RelayGroup),
    /// Measure the clocks of a group; only relays do.
    MeasureClocks { run: RunName, group: u32, turn: u64, pings: u32 },
}

/// Who ends a run early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopCause {
    StopCommand,
    CollectCommand,
    Coordinator,
    /// The run was for the guards only.
    TargetChecked,
}

impl StopCause {
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::StopCommand => "it was stopped by truedisk fleet stop",
            Self::CollectCommand => "it was stopped by truedisk fleet collect",
            Self::Coordinator => "it was stopped by its coordinator",
            Self::TargetChecked => "its target was checked",
        }
    }
}

/// A run of cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeginRun {
    pub run: RunName,
    /// Folder, file or block device of the host.
    pub path: PathBuf,
    pub size: Option<Bytes>,
    /// Write nothing to the target.
    pub read_only: bool,
    /// The device whose data may be destroyed.
    pub destroy: Option<PathBuf>,
    /// Each host has its own.
    pub seed: Seed,
    pub command: CommandLine,
    /// Budget of the layout.
    pub setting: LayoutBudget,
    pub plan: Plan,
    /// What a replay draws its requests from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<SentProfile>,
    /// The run ends when others' requests break this bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_on: Option<Bound>,
    pub sharing: FleetSpan,
    pub members: RunMembers,
}

/// The hosts of a run, as far as each of them knows, should the coordinator be gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunMembers {
    pub count: u32,
    /// The host itself and the next ones by name; the first follows the last.
    pub names: Vec<AgentName>,
    /// The group of the host, which is in the subject of its states.
    pub group: u32,
}

impl RunMembers {
    fn find_violation(&self) -> Option<String> {
        let (count, names) = (self.count, self.names.len());
        (count > HOSTS_MAX || names > NAMES_MAX)
            .then(|| format!("a run of {count} hosts with {names} names"))
    }
}

/// A run of fio's jobs; it must fit into one message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeginJobs {
    pub run: RunName,
    /// The jobs, without references to files.
    pub jobs: SentJobs,
    /// Write nothing.
    pub read_only: bool,
    /// The device whose data may be destroyed.
    pub destroy: Option<PathBuf>,
    /// For jobs that do not repeat their seed; each host has its own.
    pub fresh: Seed,
    pub members: RunMembers,
}

impl BeginRun {
    pub(crate) fn measure_request(&self, version: &str) -> MeasureRequest {
        MeasureRequest {
            path: self.path.clone(),
            size: self.size,
            read_only: self.read_only,
            destroy_data_on: self.destroy.clone(),
            // A coordinator refuses such a bound.
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
    /// Readiness of the host.
    Readiness,
    /// The cells of a turn.
    Cells { turn: u64 },
    /// The record, once the run is over.
    Record,
    /// The manifest.
    #[serde(rename = "slip")]
    Manifest,
}

impl Order {
    /// Its name in a subject.
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
            Self::Relay(_) => "relay",
            Self::MeasureClocks { .. } => "measure_clocks",
        }
    }

    /// Its run.
    pub fn run(&self) -> Option<&RunName> {
        match self {
            Self::Ping => None,
            Self::Begin(begin) => Some(&begin.run),
            Self::BeginJobs(begin) => Some(&begin.run),
            Self::Relay(group) => Some(&group.run),
            Self::Stop { run, .. } => run.as_ref(),
            Self::Prepare { run }
            | Self::Arm { run, .. }
            | Self::Go { run, .. }
            | Self::Cut { run, .. }
            | Self::Fetch { run, .. }
            | Self::Finish { run, .. }
            | Self::MeasureClocks { run, .. }
            | Self::Acknowledge { run } => Some(run),
        }
    }

    pub fn find_violation(&self) -> Option<String> {
        match self {
            Self::Begin(begin) => begin.unreasonable(),
            Self::BeginJobs(begin) => {
                let path = begin.destroy.as_deref().and_then(find_path_violation);
                path.or_else(|| begin.members.find_violation())
            }
            Self::Arm { jobs, .. } if jobs.is_empty() || jobs.len() > CELL_JOBS_MAX => {
                Some(format!("{} jobs in one cell", jobs.len()))
            }
            Self::Fetch { piece, .. } if *piece >= crate::payload::PIECES_MAX => {
                Some(format!("piece number {piece}"))
            }
            Self::Relay(group) => group.find_violation(),
            Self::MeasureClocks { pings, .. } if *pings > PINGS_MAX => {
                Some(format!("{pings} round trips"))
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
        if let Some(what) = self.profile.as_ref().and_then(SentProfile::find_violation) {
            return Some(what);
        }
        if let Some(what) = self.members.find_violation() {
            return Some(what);
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
