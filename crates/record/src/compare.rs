//! Comparisons: two or more groups of runs, cell by cell, and what can be said of the difference.
//!
//! Everything here is stored and printed as JSON by `truedisk compare --json`; what it means is
//! worked out in `analysis::compare`.

use jiff::Timestamp;
use message::{Message, messages};
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Iops, Nanos};
use workload::Direction;

use crate::tool::Tool;
use crate::watch::SourceKind;

pub const COMPARISON_VERSION: u32 = 1;

/// Groups of runs, and every group after the first held against the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    pub comparison_version: u32,
    pub tool: Tool,
    /// The groups, in the order given; the first is what the others are held against.
    pub sides: Vec<Side>,
    /// One for each group after the first.
    pub pairs: Vec<Pair>,
    /// The same means: the whole interval of the ratio within 1 / (1 + margin) to 1 + margin.
    pub margin: f64,
    /// Different means: the whole interval of the ratio beyond 1 + this, or below 1 / (1 + this).
    pub least_effect: f64,
    /// Comparisons that the verdict of the whole rests on: the family whose errors are controlled.
    pub comparisons: u64,
    /// Runs of each side without which Holm's rule cannot let any single one of them pass.
    pub family_runs_needed: u64,
    /// In which money prices are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// `A`, `B`.
    pub label: String,
    /// What was measured, for people.
    pub name: Message,
    pub runs: Vec<Run>,
    /// Price for each month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<Cap>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    pub id: String,
    pub source: String,
    pub program: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub started: Option<Timestamp>,
}

/// A rate that seems to be a configured cap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cap {
    pub iops: Iops,
    /// What speaks for it, and whose it could be.
    pub words: Message,
}

/// One group held against the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// Place of the first group.
    pub a: usize,
    /// Place of the other.
    pub b: usize,
    /// The whole in a line or two.
    pub headline: Message,
    /// All cells together: the geometric mean over them, run by run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overall: Option<Effect>,
    /// Cells of the same job, in the order of A.
    pub cells: Vec<CellComparison>,
    /// The most IOPS within a bound, curve by curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<CellComparison>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<Unmatched>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// Of runs over many hosts: the hosts that both sides have, each against itself. They stand
    /// beside the comparisons above, and are not among those that are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostComparison>,
    /// What else differs between the sides, or between the runs of one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Message>,
}

/// One host in the runs of both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostComparison {
    pub host: String,
    /// All of its cells together: the geometric mean over them, run by run.
    pub effect: Effect,
    /// Its share of the cells of the same job, in the order of A.
    pub cells: Vec<CellComparison>,
}

/// A cell that only one side has: unlike jobs are not compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unmatched {
    pub side: String,
    /// The cell, for people.
    pub label: Message,
    /// What is like it on the other side, and in what it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Message>,
}

/// A figure that was left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Excluded {
    pub side: String,
    pub run: String,
    /// The cell, for people.
    pub label: Message,
    pub reason: Message,
}

/// One job on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellComparison {
    /// The job, for people: `random read 4k, depth 64`.
    pub label: Message,
    /// Workload without its depth, for charts over depth.
    pub workload: Message,
    pub depth: u32,
    /// Its figures; the first is the one that the verdict is about.
    pub figures: Vec<FigureComparison>,
    /// Whether the verdict holds for all comparisons together (Holm, 5 %).
    pub holds_in_family: bool,
}

impl CellComparison {
    /// The figure that the verdict is about.
    pub fn main_figure(&self) -> Option<&FigureComparison> {
        self.figures.first()
    }
}

/// One figure of one job on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FigureComparison {
    pub figure: Figure,
    /// On side A, over its runs.
    pub a: Estimate,
    /// On side B, over its runs.
    pub b: Estimate,
    pub a_runs: Vec<f64>,
    pub b_runs: Vec<f64>,
    pub effect: Effect,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_price: Option<PerPrice>,
}

/// A figure for each unit of money a month.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerPrice {
    pub a: Estimate,
    pub b: Estimate,
    /// B over A.
    pub ratio: Estimate,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    pub kind: FigureKind,
    /// Of which operations; absent: of all that move data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// Operations per second.
    Iops,
    BytesPerSecond,
    /// A statistic of total latency in nanoseconds: `mean`, `p99`. In an open loop: of response
    /// time.
    Latency(String),
}

impl Figure {
    pub const fn more_is_better(&self) -> bool {
        !matches!(self.kind, FigureKind::Latency(_))
    }
}

impl Figure {
    /// `write IOPS`, `p99`.
    pub fn label(&self) -> Message {
        let figure = match &self.kind {
            FigureKind::Iops => "IOPS".to_owned(),
            FigureKind::BytesPerSecond => "MB/s".to_owned(),
            FigureKind::Latency(statistic) => statistic.clone(),
        };
        match self.direction {
            Some(direction) => FigureOfDirection { direction: direction.name(), figure }.into(),
            None => Message::from_text(figure),
        }
    }
}

/// What can be said of a difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effect {
    /// B over A.
    pub ratio: Estimate,
    pub basis: Basis,
    /// The verdict.
    pub outcome: Outcome,
    /// Runs of A and of B.
    pub runs: (u64, u64),
    /// Runs of each side that would tell, by the spread seen; absent when the runs at hand tell,
    /// or when no number would be reasonable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_needed: Option<u64>,
    /// Spread from run to run, as a share: of the side with more of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// The probability of a difference like this when there is none (Mann and Whitney).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// The same for all comparisons together (Holm).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_family: Option<f64>,
    /// The verdict in words.
    pub words: Message,
}

/// What an interval of a ratio speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The spread from run to run: what a difference has to be held against.
    BetweenRuns,
    /// The intervals within one run of each side: weaker, for the next run may differ.
    WithinRuns,
    /// Nothing: there is a figure of each side and no interval.
    Figures,
}

/// A verdict on B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Better than A.
    Faster,
    /// Worse than A.
    Slower,
    /// The same within the margin.
    Same,
    CannotTell,
}

/// Two watches, disk by disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchComparison {
    /// A, and B, which is held against it.
    pub sides: [WatchSide; 2],
    /// The disks that both have.
    pub pairs: Vec<WatchPair>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchSide {
    /// `A`, `B`.
    pub label: String,
    pub run: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[schemars(with = "String")]
    pub started: Timestamp,
    pub length: Nanos,
    pub source: SourceKind,
}

/// A disk in both watches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchPair {
    /// Its name in A, and in B.
    pub a: String,
    pub b: String,
    pub figures: Vec<WatchFigure>,
    /// In what the loads differ; empty where they are alike.
    pub differences: Vec<Message>,
    /// The verdict on B; none where the loads differ.
    pub outcome: Outcome,
    /// The verdict in words.
    pub words: Message,
}

/// What one of them lacks is absent there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchFigure {
    pub figure: Figure,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<f64>,
    /// B over A.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

messages! {
    FigureOfDirection = "record-figure-of-direction" { direction: &'static str, figure: String };
}
