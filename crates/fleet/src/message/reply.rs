//! What an agent says.

use std::collections::BTreeMap;

use fio::print::EtaState;
use jiff::Timestamp;
use record::Environment;
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::name::{AgentName, RunName};

/// The answer to an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", content = "of", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// What the clock shows.
    Pong {
        /// CLOCK_MONOTONIC of the host, when it read the message.
        monotonic_ns: u64,
    },
    /// It will be done, or was done already.
    Accepted,
    /// It will not be done.
    Refused(Refusal),
    /// A piece; its bytes are behind the message.
    Piece {
        /// How many there are.
        pieces: u32,
        /// The hash of all of them together.
        sha256: String,
    },
}

/// Who an agent is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentInfo {
    /// Its name.
    pub name: AgentName,
    /// Tells two agents of one name apart.
    pub instance: u64,
    /// What it was labelled with.
    pub labels: BTreeMap<String, String>,
    /// The host.
    pub environment: Environment,
    /// The paths that it measures, with everything below them.
    pub allow: Vec<String>,
    /// Whether it writes nothing.
    pub read_only: bool,
    /// The run that it is busy with.
    pub busy: Option<RunName>,
    /// Records that no coordinator has yet.
    pub kept: Vec<KeptRun>,
}

/// A record that an agent keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptRun {
    /// Of which run.
    pub run: RunName,
    /// When the run began.
    pub started: Timestamp,
    /// What was measured: `limit`, `check`.
    pub purpose: String,
}

/// How an agent is getting on; said when it changes, and about twice a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// With which run.
    pub run: RunName,
    /// What it is doing.
    pub phase: Phase,
    /// How the running cell goes.
    pub live: Option<CellProgress>,
    /// How the running jobs of fio go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub going: Option<JobsProgress>,
}

/// What an agent is doing for a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Phase {
    /// It looks at the target.
    Examining,
    /// The guard has nothing against it.
    Examined,
    /// It lays out the target.
    Preparing,
    /// It waits for a cell.
    Ready,
    /// It makes a cell ready.
    Arming {
        /// Number of the cell.
        turn: u64,
    },
    /// The cell waits for its start.
    Armed {
        /// Number of the cell.
        turn: u64,
    },
    /// The cell runs, or is about to.
    Measuring {
        /// Number of the cell.
        turn: u64,
    },
    /// What the cell gave can be fetched.
    Measured {
        /// Number of the cell.
        turn: u64,
    },
    /// The cell was not measured.
    NotMeasured {
        /// Number of the cell.
        turn: u64,
        /// Why.
        what: String,
    },
    /// The record is being made.
    Finishing,
    /// The record can be fetched.
    Finished {
        /// Its id.
        record: String,
    },
    /// The run is over without a record.
    Failed(Refusal),
}

impl Phase {
    /// Whether nothing more comes.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Finished { .. } | Self::Failed(_))
    }
}

/// How a cell goes on one host.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellProgress {
    /// Time measured so far; negative in the warm-up.
    pub measured_ns: i64,
    /// Operations per second.
    pub iops: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
    /// For how long nothing has completed.
    pub silent_ns: u64,
}

impl CellProgress {
    /// Whether its numbers can be added up.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let sound = |value: f64| value.is_finite() && value >= 0.0;
        sound(self.iops) && sound(self.bytes_per_second)
    }
}

/// How jobs of fio go on one host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobsProgress {
    /// One letter for each instance, in fio's alphabet.
    pub letters: String,
    /// Instances that run.
    pub running: u32,
    /// Files that are open.
    pub open_files: u32,
    /// Operations per second: reads, writes, trims.
    pub iops: [u64; 3],
    /// Bytes per second, likewise.
    pub bytes_per_second: [u64; 3],
    /// Seconds left, as far as they are known.
    pub left_s: Option<u64>,
    /// How much is done, in percent, as far as it is known.
    pub percent: Option<f64>,
}

impl From<&EtaState> for JobsProgress {
    fn from(state: &EtaState) -> Self {
        Self {
            letters: state.letters.clone(),
            running: state.running,
            open_files: state.open_files,
            iops: state.iops,
            bytes_per_second: state.rate,
            left_s: state.eta_s,
            percent: state.percent,
        }
    }
}

impl From<&JobsProgress> for EtaState {
    fn from(progress: &JobsProgress) -> Self {
        Self {
            letters: progress.letters.clone(),
            running: progress.running,
            open_files: progress.open_files,
            iops: progress.iops,
            rate: progress.bytes_per_second,
            eta_s: progress.left_s,
            percent: progress.percent,
            ..Self::default()
        }
    }
}

impl JobsProgress {
    /// Letters of a host that are shown.
    const LETTERS_MAX: usize = 1024;
    /// The most of each number: sums over many hosts stay numbers.
    const NUMBER_MAX: u64 = 1 << 48;

    /// Whether its numbers can be added up, and its letters shown.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let numbers = self.iops.iter().chain(&self.bytes_per_second).chain(&self.left_s);
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '/';
        numbers.into_iter().all(|number| *number <= Self::NUMBER_MAX)
            && self.letters.len() <= Self::LETTERS_MAX
            && self.letters.chars().all(letter)
            && self.percent.is_none_or(|percent| (0.0..=100.0).contains(&percent))
    }

    /// Adds what another host does at the same time: the longest time left counts, and the least
    /// that is done.
    pub(crate) fn add(&mut self, other: &Self) {
        self.letters.push_str(&other.letters);
        self.running = self.running.saturating_add(other.running);
        self.open_files = self.open_files.saturating_add(other.open_files);
        for (mine, theirs) in self.iops.iter_mut().zip(other.iops) {
            *mine = mine.saturating_add(theirs);
        }
        for (mine, theirs) in self.bytes_per_second.iter_mut().zip(other.bytes_per_second) {
            *mine = mine.saturating_add(theirs);
        }
        self.left_s = self.left_s.max(other.left_s);
        self.percent = match (self.percent, other.percent) {
            (Some(mine), Some(theirs)) => Some(mine.min(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
    }
}
