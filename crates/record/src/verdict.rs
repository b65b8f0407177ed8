//! What it all means: curves, limits, classes, the verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::{Bytes, Depth, Nanos};
use workload::{Bound, Mix};

/// Cells of one workload over depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// `randread-4k`.
    pub name: String,
    /// For people: `random read 4k`.
    pub label: String,
    /// Reads, writes or both.
    pub mix: Mix,
    /// Bytes per operation.
    pub block_size: Bytes,
    /// The latency bound that was asked.
    pub bound: Bound,
    /// In ascending depth.
    pub points: Vec<CurvePoint>,
    /// The most IOPS within the bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// One point of a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// Depth asked.
    pub depth: Depth,
    /// Name of the cell.
    pub cell: String,
    /// All directions together.
    pub iops: f64,
    /// The bounded statistic of total latency, of the slowest direction; absent when the sample
    /// cannot support it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Nanos>,
    /// Whether the cell keeps the bound, by a proportion test over its intervals; absent when
    /// that cannot be decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_bound: Option<bool>,
}

/// The most IOPS within a latency bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limit {
    /// The depth that gave it.
    pub depth: Depth,
    /// The cell that gave it.
    pub cell: String,
    /// All directions together.
    pub iops: Estimate,
    /// The bounded statistic there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Nanos>,
    /// What keeps it from being more.
    pub bounded_by: BoundedBy,
}

/// What keeps a limit from being more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoundedBy {
    /// One step deeper breaks the latency bound.
    Bound,
    /// More depth gives no more IOPS.
    Saturation,
    /// The deepest queue tried still rose.
    DepthTried,
    /// Even one operation at a time breaks the bound.
    Unreachable,
}

/// How far the numbers of a run can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// No check found anything that changes what the numbers mean.
    Sound,
    /// The numbers stand, with the warnings.
    Caution,
    /// Some numbers must not be used.
    Broken,
}

/// Which class of device it behaves like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassVerdict {
    /// For people: `SATA SSD`, `network block storage`, `unlike any known class`.
    pub label: String,
    /// What speaks for it.
    pub supports: Vec<String>,
    /// What speaks against it.
    pub contradicts: Vec<String>,
    /// The next best, when it is close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
}

/// What it all means, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// One line.
    pub headline: String,
    /// How far to trust the run.
    pub trust: Trust,
    /// Which class it behaves like; absent when too little was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassVerdict>,
    /// What the numbers mean: sentences.
    pub meaning: Vec<String>,
    /// What it is good for.
    pub good_for: Vec<String>,
    /// What limits it.
    pub limited_by: Vec<String>,
    /// What this run could not see, and what would.
    pub not_seen: Vec<String>,
}
