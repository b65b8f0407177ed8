//! A preset: the test of another tool, or of an application, and what it gave.
//!
//! [`PresetPlan`] is what was asked and stands in the plan; [`PresetOutcome`] is what follows from
//! the cells, which name their step and pass in [`StepCell`]. So a record can be reported without
//! the file that the preset came from.

use std::collections::BTreeMap;

use message::Message;
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Bytes, Nanos};
use workload::{Direction, Statistic, SyncKind};

use crate::absent::is_unset;
use crate::metadata::MetadataPlan;
use crate::named::named_enum;
use crate::promise::Kept;

/// A preset as it was run, every default filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PresetPlan {
    /// What it is called by: `etcd`.
    pub name: String,
    /// In a few words: `etcd: is the disk fast enough for its log?`.
    pub title: String,
    pub imitates: Message,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The familiar text that it is usually printed as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Size of the test file that it is meant for.
    pub size: Bytes,
    pub steps: Vec<PresetStep>,
    /// What must be reached to pass; empty of a preset that only measures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<PresetThreshold>,
    /// What a reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
    /// In what this run departs from the preset: a smaller file, shorter times, steps left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<Message>,
}

impl PresetPlan {
    pub fn step(&self, name: &str) -> Option<&PresetStep> {
        self.steps.iter().find(|step| step.name == name)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PresetStep {
    pub name: String,
    /// For people: `SEQ1M Q8T1, read`.
    pub label: Message,
    /// What it does and does not measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Message>,
    pub work: StepWork,
    /// How often it is measured; of one that goes on until steady, at most.
    pub passes: u32,
    /// Passes before these that do not count.
    #[serde(default)]
    pub discarded: u32,
    /// Pause after each pass.
    pub pause: Nanos,
    /// Pause after the last pass, before the next step.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub rest: Nanos,
    /// What the tool that is imitated takes as its figure.
    pub score: Score,
    /// Steps of one group take turns: a pass of each, then the next pass of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// It is repeated until five passes in a row are steady, and those are its figures.
    #[serde(default)]
    pub until_steady: bool,
    pub direct: bool,
    /// Each pass has a file of this size of its own, its blocks reserved and never written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<Bytes>,
    /// Before each pass, what the target has still to write is flushed and it is left alone for so
    /// long, in ns; 0 for not at all.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub settle: Nanos,
    /// Whether the page cache is emptied of the file before each pass.
    #[serde(default)]
    pub cache_dropped: bool,
    /// What makes the writes of a pass durable at its end; the rate of its writes is that of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_sync: Option<SyncKind>,
    /// Left out where its block sizes are no whole sectors, instead of refused.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub skips_unaligned: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StepWork {
    /// Jobs, all at the same time.
    Jobs {
        /// Their names, unique in the step; `job` where there is one and it has none.
        jobs: Vec<String>,
    },
    /// The whole target is read place by place: see [`crate::Surface`].
    Surface {
        /// Places, spread evenly.
        places: u64,
        /// Sequential reading of each, at most.
        slice: Nanos,
        /// Random reading of each.
        access: Nanos,
    },
    /// Operations on many small files: see [`crate::Metadata`].
    Metadata(MetadataPlan),
}

named_enum! {
    /// What a tool takes of several passes.
    #[derive(Default)]
    pub enum Score {
        #[default]
        Median = "median",
        Mean = "mean",
        /// The best: highest rate, shortest mean latency, each from whichever pass has it.
        Best = "best",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepCell {
    pub step: String,
    pub job: String,
    /// Which pass, from 1.
    pub pass: u32,
    /// Whether it is one that does not count.
    #[serde(default)]
    pub discarded: bool,
}

/// A figure that must be reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PresetThreshold {
    pub step: String,
    pub job: String,
    pub direction: Direction,
    pub what: StepFigure,
    /// The limit: per second, or in nanoseconds.
    pub limit: f64,
    /// Where the limit is published; absent where it is a convention of this program's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether it is a recommendation: a run that misses it has not failed.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub recommended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepFigure {
    /// Operations per second; at least the limit.
    Iops,
    /// Bytes per second; at least the limit.
    BytesPerSecond,
    /// A latency; below the limit.
    Latency(Statistic),
}

impl StepFigure {
    /// Whether the limit is the least that is enough; else the figure must be below it.
    pub const fn is_rate(self) -> bool {
        matches!(self, Self::Iops | Self::BytesPerSecond)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PresetOutcome {
    /// By step, in the order of the plan; without those that were not measured.
    pub steps: Vec<StepOutcome>,
    /// In the order of the plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<ThresholdOutcome>,
}

impl PresetOutcome {
    pub fn step(&self, name: &str) -> Option<&StepOutcome> {
        self.steps.iter().find(|step| step.step == name)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepOutcome {
    pub step: String,
    /// Passes that the figures rest on.
    pub passes: u32,
    /// Of a step that goes on until steady: whether it came to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady: Option<bool>,
    /// By job, and by direction within it.
    pub figures: Vec<StepFigures>,
}

/// The figures of one direction of one job of a step, over its passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepFigures {
    pub job: String,
    pub direction: Direction,
    /// Operations per second: median and interval.
    pub iops: Estimate,
    /// Bytes per second: median and interval.
    pub bytes_per_second: Estimate,
    /// Mean latency in nanoseconds: median and interval.
    pub mean_latency_ns: Estimate,
    /// Percentiles of latency that every pass supports, in nanoseconds: median and interval.
    pub percentiles_ns: BTreeMap<String, Estimate>,
    /// The longest of all passes.
    pub latency_ns_max: u64,
    /// What the tool that is imitated would show.
    pub score: StepScore,
}

/// The figures as the imitated tool takes them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepScore {
    pub by: Score,
    /// Operations per second.
    pub iops: f64,
    pub bytes_per_second: f64,
    pub mean_latency_ns: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThresholdOutcome {
    pub kept: Kept,
    /// The figure; absent where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Estimate>,
    pub why: Message,
}
