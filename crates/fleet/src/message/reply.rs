//! Replies and states of agents.

use std::collections::BTreeMap;

use fio::print::EtaState;
use jiff::Timestamp;
use method::TargetIdentity;
use record::{Environment, OthersSeen};
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::name::{AgentName, RunName};

/// The answer to an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", content = "of", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// Reading of the clock.
    #[serde(rename = "pong")]
    Clock {
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
    /// It measures nothing, and relays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub relay: bool,
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
    pub going: Option<EtaState>,
    /// Requests of others, where they are watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersSeen>,
}

/// Phase of a run on one host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Phase {
    /// Checking the target.
    Examining,
    /// The guard agrees.
    Examined {
        /// Absent for a folder, whose test file is the run's own, and where it is unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<TargetIdentity>,
    },
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
    pub fn is_sound(&self) -> bool {
        let sound = |value: f64| value.is_finite() && value >= 0.0;
        sound(self.iops) && sound(self.bytes_per_second)
    }
}

/// The sum over hosts, of which the longest times count; `None` without hosts.
pub(crate) fn sum_progress(hosts: impl Iterator<Item = CellProgress>) -> Option<CellProgress> {
    hosts.reduce(|sum, host| CellProgress {
        measured_ns: sum.measured_ns.max(host.measured_ns),
        iops: sum.iops + host.iops,
        bytes_per_second: sum.bytes_per_second + host.bytes_per_second,
        silent_ns: sum.silent_ns.max(host.silent_ns),
    })
}

/// Letters of a host that are shown.
const LETTERS_MAX: usize = 1024;
/// Limit of each number: sums over many hosts do not overflow.
const NUMBER_MAX: u64 = 1 << 48;

/// Whether the progress of a host can be added up and shown.
pub(crate) fn is_jobs_progress_sound(progress: &EtaState) -> bool {
    let mut numbers = progress.iops.iter().chain(&progress.rate).chain(&progress.eta_s);
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '/';
    numbers.all(|number| *number <= NUMBER_MAX)
        && progress.letters.len() <= LETTERS_MAX
        && progress.letters.chars().all(is_letter)
        && progress.percent.is_none_or(|percent| (0.0..=100.0).contains(&percent))
}

/// Adds the progress of another host: the longest time left counts, and the smallest share done.
pub(crate) fn add_jobs_progress(total: &mut EtaState, host: &EtaState) {
    total.letters.push_str(&host.letters);
    total.running = total.running.saturating_add(host.running);
    total.open_files = total.open_files.saturating_add(host.open_files);
    let sums = total.iops.iter_mut().chain(&mut total.rate);
    for (sum, number) in sums.zip(host.iops.iter().chain(&host.rate)) {
        *sum = sum.saturating_add(*number);
    }
    total.eta_s = total.eta_s.max(host.eta_s);
    total.percent = [total.percent, host.percent].into_iter().flatten().reduce(f64::min);
}
