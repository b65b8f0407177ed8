//! Replies and states of agents.

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
    /// Reading of the clock.
    Pong {
        /// CLOCK_MONOTONIC at the arrival of the message.
        monotonic_ns: u64,
    },
    /// Accepted, or done before.
    Accepted,
    /// Refused.
    Refused(Refusal),
    /// A piece, of `pieces` with one hash; its bytes follow the message.
    Piece { pieces: u32, sha256: String },
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentInfo {
    /// Its name.
    pub name: AgentName,
    /// Differs between agents of one name.
    pub instance: u64,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its host.
    pub environment: Environment,
    /// Its allow-list.
    pub allow: Vec<String>,
    /// Whether it writes nothing.
    pub read_only: bool,
    /// Its current run.
    pub busy: Option<RunName>,
    /// Records that no coordinator has yet.
    pub kept: Vec<KeptRun>,
}

/// A record that an agent keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptRun {
    pub run: RunName,
    pub started: Timestamp,
    /// Purpose of the plan: `limit`, `check`.
    pub purpose: String,
}

/// State of a run; sent when it changes, and about twice a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    pub run: RunName,
    pub phase: Phase,
    pub live: Option<CellProgress>,
    /// Progress of fio's jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub going: Option<JobsProgress>,
}

/// Phase of a run on one host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Phase {
    /// Checking the target.
    Examining,
    /// The guard agrees.
    Examined,
    /// Laying out the target.
    Preparing,
    /// Waiting for a cell.
    Ready,
    /// Preparing a cell.
    Arming { turn: u64 },
    /// Waiting for the start.
    Armed { turn: u64 },
    /// Measuring, or about to.
    Measuring { turn: u64 },
    /// The cells can be fetched.
    Measured { turn: u64 },
    /// The cell was not measured.
    NotMeasured { turn: u64, what: String },
    /// Making the record.
    Finishing,
    /// The record can be fetched.
    Finished { record: String },
    /// Over without a record.
    Failed(Refusal),
}

impl Phase {
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Finished { .. } | Self::Failed(_))
    }
}

/// Progress of a cell on one host.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellProgress {
    /// Negative during the warm-up.
    pub measured_ns: i64,
    pub iops: f64,
    pub bytes_per_second: f64,
    /// Time without a completion.
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
    pub letters: String,
    /// Instances that run.
    pub running: u32,
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
