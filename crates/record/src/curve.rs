//! Cells over load: curves, limits, and what their shape says.

use std::collections::BTreeMap;

use message::Message;
use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::JsonSchema;
use units::{Bytes, Depth, Iops, Nanos};
use workload::{Access, Bound, Mix};

use crate::absent::is_unset;
use crate::cell::PerDirection;

/// Cells of one workload over depth, or over the rate of arrivals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// `randread-4k`.
    pub name: String,
    /// For people: `random read 4k`.
    pub label: Message,
    /// Order of the blocks.
    #[serde(default = "random")]
    pub access: Access,
    /// Reads, writes or both; of two independent jobs, reads and writes by their share of depth.
    pub mix: Mix,
    /// Bytes per operation; of two independent jobs, of the first.
    pub block_size: Bytes,
    /// The latency bounds that were asked.
    pub bounds: Vec<Bound>,
    /// Whether arrivals by plan make the load, and not a depth: then latency is response time.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub open_loop: bool,
    /// Whether reads and writes come from two jobs that do not wait for each other.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub independent: bool,
    /// Those that support a conclusion, in ascending load; all where none does.
    pub points: Vec<CurvePoint>,
    /// Those that support none: others used the disk, a check calls them invalid, or they are of an
    /// earlier level of the device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<CurvePoint>,
    /// The level before the newest, where repeats of one load contradict each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierRate>,
    /// The most IOPS within each bound, in the order of the bounds.
    pub limits: Vec<Limit>,
    /// What the shape says; absent with fewer than three points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
}

fn random() -> Access {
    Access::Random
}

impl Curve {
    /// The first bound, which is the main one.
    pub fn main_bound(&self) -> Option<Bound> {
        self.bounds.first().copied()
    }

    /// Also those that support no conclusion, in ascending load.
    pub fn all_points(&self) -> Vec<&CurvePoint> {
        let mut all: Vec<&CurvePoint> = self.left_out.iter().chain(&self.points).collect();
        let load = |point: &CurvePoint| point.rate.map_or(f64::from(point.depth.0), |rate| rate.0);
        all.sort_by(|a, b| load(a).total_cmp(&load(b)));
        all
    }

    /// The most IOPS within the first bound.
    pub fn main_limit(&self) -> Option<&Limit> {
        self.limits.first()
    }
}

/// A rate that did not last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierRate {
    /// The most operations per second that were measured then.
    pub iops: Iops,
    /// When it was seen last, from the start of the run.
    pub until: Nanos,
    /// Whether the rate went from there to the newest one all the time: a ramp, and no step.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub gradual: bool,
}

/// One point of a curve: all cells of one load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// Depth asked; of two independent jobs, of both together.
    pub depth: Depth,
    /// Arrivals per second, in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Iops>,
    /// Names of the cells, in the order in which they were measured.
    pub cells: Vec<String>,
    /// All directions together, over all cells.
    pub iops: f64,
    /// Half the 95 % interval of the IOPS, as a share of them; absent where the cells are too
    /// short to give one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// Operations outstanding on average, by counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<f64>,
    /// Mean (`mean`) and percentiles of latency in nanoseconds, over all cells; only those that
    /// the sample supports.
    #[serde(default, skip_serializing_if = "PerDirection::is_empty")]
    pub latency_ns: PerDirection<BTreeMap<String, u64>>,
    /// How it stands to each bound, in the order of the bounds.
    pub stands: Vec<Stand>,
}

impl CurvePoint {
    /// The newest cell.
    pub fn newest_cell(&self) -> &str {
        self.cells.last().map_or("", String::as_str)
    }

    /// How it stands to the first bound.
    pub fn main_stand(&self) -> Stand {
        self.stands.first().copied().unwrap_or_default()
    }
}

/// How a point stands to a bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stand {
    /// The bounded statistic of latency, of the slowest direction; absent when the sample cannot
    /// support it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Nanos>,
    /// Whether the bound is kept, by a proportion test over the intervals; absent when that
    /// cannot be decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<bool>,
}

/// The most IOPS within a latency bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limit {
    /// The bound.
    pub bound: Bound,
    /// The depth that gave it.
    pub depth: Depth,
    /// The rate of arrivals that gave it, in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Iops>,
    /// The cell that gave it; the newest where there are several.
    pub cell: String,
    /// All directions together.
    pub iops: Estimate,
    /// The bounded statistic there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Nanos>,
    /// What keeps it from being more.
    pub bounded_by: BoundedBy,
    /// What speaks for that, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Message>,
    /// Whether the depth was measured again after it had been found, and kept the bound.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub confirmed: bool,
    /// Reads and writes apart, where there are both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<LimitPart>,
}

impl Limit {
    /// The same as not certain, for a reason in words; what is not reachable stays so.
    pub fn doubted(self, why: Message) -> Self {
        if self.bounded_by == BoundedBy::Unreachable {
            return self;
        }
        Self { bounded_by: BoundedBy::Unsure, confirmed: false, because: vec![why], ..self }
    }
}

/// One direction at a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitPart {
    /// `random read 4k`.
    pub label: Message,
    /// Its own depth, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Depth>,
    /// Its operations per second.
    pub iops: f64,
    /// Its bounded statistic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<Nanos>,
}

/// What keeps a limit from being more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoundedBy {
    /// One step deeper breaks the latency bound.
    Bound,
    /// More depth gives no more IOPS.
    Saturation,
    /// A configured cap: flat as no device is.
    ProviderCap,
    /// The limit of a control group of this host.
    ControlGroup,
    /// The load generator had no processor time left.
    Client,
    /// The deepest queue tried still rose.
    DepthTried,
    /// Even one operation at a time breaks the bound.
    Unreachable,
    /// The probes contradict each other, or do not confirm it.
    Unsure,
}

/// What the shape of a curve says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shape {
    /// Mean latency at the lowest load, in nanoseconds.
    pub idle_latency_ns: f64,
    /// The most IOPS of any point, whatever the latency.
    pub ceiling_iops: f64,
    /// Where latency begins to grow with depth: the ceiling times the idle latency, by Little's
    /// law; only where the ceiling was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee_depth: Option<f64>,
    /// The knee by the curve's own bend (Kneedle), as the depth of a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend_depth: Option<Depth>,
    /// More depth gave less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fall: Option<Fall>,
    /// The universal scalability law, inside the tested range only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Fit>,
    /// Whether latency rises with load as it does on a device that stays the same; absent when
    /// there are too few points to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady: Option<bool>,
    /// Largest difference between the depth asked and IOPS times mean latency, as a share.
    pub little_worst: f64,
}

/// IOPS that fall as depth rises: thrashing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fall {
    /// The depth with the most IOPS.
    pub best_depth: Depth,
    /// Its IOPS.
    pub best_iops: f64,
    /// The first deeper point with clearly less.
    pub then_depth: Depth,
    /// Its IOPS.
    pub then_iops: f64,
}

/// The universal scalability law: `X(N) = g N / (1 + a (N - 1) + b N (N - 1))`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    /// IOPS of one operation at a time.
    pub gamma: f64,
    /// Contention.
    pub alpha: f64,
    /// What operations cost each other.
    pub beta: f64,
    /// 95 % interval of beta.
    pub beta_between: (f64, f64),
    /// Whether the curve falls as the law has it: beta is above 0, and no curve that only rises
    /// fits as well.
    pub retrograde: bool,
    /// Root of the mean square of the relative residuals.
    pub residual: f64,
}

/// The two limits of a device over block sizes: operations per second, and bytes per second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TwoLimits {
    /// `random read, depth 32`.
    pub label: Message,
    /// Depth of the cells.
    pub depth: Depth,
    /// Names of the cells, by ascending block size.
    pub cells: Vec<String>,
    /// The most operations per second; absent when no size came near it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<Estimate>,
    /// The most bytes per second; absent when no size came near it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<Estimate>,
    /// The block size at which one takes over from the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crossover: Option<Bytes>,
    /// Whether the two add up, each costing its time; else the tighter one rules.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub soft: bool,
    /// Root of the mean square of the relative residuals.
    pub residual: f64,
}

impl TwoLimits {
    /// Operations per second at a block size, by the law; `None` where no limit was found.
    pub fn iops_at(&self, block_size: f64) -> Option<f64> {
        let operation = self.iops.as_ref().map_or(0.0, |most| 1.0 / most.value);
        let bytes = self.bytes_per_second.as_ref().map_or(0.0, |most| block_size / most.value);
        let time = if self.soft { operation + bytes } else { operation.max(bytes) };
        (time > 0.0).then(|| 1.0 / time)
    }
}

/// What writes at a rate do to reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interference {
    /// `random read 4k, depth 1`.
    pub label: Message,
    /// The most writes per second, alone.
    pub writes_most: Iops,
    /// The cell that gave it.
    pub writes_cell: String,
    /// By ascending rate of writes; the first is the reads alone.
    pub points: Vec<InterferencePoint>,
}

/// Reads next to writes at one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InterferencePoint {
    /// Writes planned, as a share of the most that there are alone.
    pub share: f64,
    /// Writes per second that completed.
    pub writes: Iops,
    /// Cells of the reads.
    pub cells: Vec<String>,
    /// Reads per second.
    pub reads: Estimate,
    /// Mean (`mean`) and percentiles of the reads' latency in nanoseconds; only those that the
    /// sample supports.
    pub latency_ns: BTreeMap<String, u64>,
    /// Each of these over that of the reads alone.
    pub worse: BTreeMap<String, f64>,
}
