//! What a run was asked for, with every default filled in.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, Nanos, Seed};
use workload::{Access, Arrivals, Bound, Mix};

use crate::absent::is_unset;
use crate::metadata::MetadataPlan;
use crate::ping::PingPlan;
use crate::preset::PresetPlan;
use crate::replay::ReplayPlan;
use crate::watch::WatchPlan;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// About 15 s.
    Quick,
    /// About 60 s.
    Standard,
    /// Until settled: minutes.
    Thorough,
}

/// Every setting of a run, with the defaults filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    pub purpose: Purpose,
    /// Time that the whole run should take.
    pub budget: Nanos,
    /// Latency bounds of the curves; none of a sweep.
    pub bounds: Vec<Bound>,
    /// Whether nothing was written to the target.
    pub read_only: bool,
    /// Size of the part of the target that is measured.
    pub span: Bytes,
    /// What offsets, mixes and payload follow from; absent where another program did not say.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub seed: Seed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Purpose {
    Check {
        effort: Effort,
        /// Longest time that one workload went on to see a burst end; absent where it did not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_throttled: Option<Nanos>,
    },
    /// The most IOPS within a latency bound.
    Limit(LimitPlan),
    Sweep(SweepPlan),
    Metadata(MetadataPlan),
    Preset(Box<PresetPlan>),
    Ping(PingPlan),
    /// A load that was captured on another disk.
    Replay(Box<ReplayPlan>),
    /// Live disks under the load of others: [`crate::Watched`] has what was seen.
    Watch(WatchPlan),
    /// Another program's run: see [`crate::Imported`].
    Imported,
}

/// The commands whose runs are kept: [`Purpose::name`], and `fio` of ours.
pub const COMMANDS: [&str; 10] =
    ["check", "limit", "sweep", "metadata", "preset", "ping", "replay", "watch", "fio", "import"];

impl Purpose {
    /// The command that asked for it, one of [`COMMANDS`].
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Check { .. } => "check",
            Self::Limit(_) => "limit",
            Self::Sweep(_) => "sweep",
            Self::Metadata(_) => "metadata",
            Self::Preset(_) => "preset",
            Self::Ping(_) => "ping",
            Self::Replay(_) => "replay",
            Self::Watch(_) => "watch",
            Self::Imported => "import",
        }
    }
}

/// Operations of one kind, as one client or several would ask for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub access: Access,
    pub mix: Mix,
    pub block_size: Bytes,
}

/// The settings of a search for the most IOPS within a bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitPlan {
    /// What is asked of the device: one part, or two that are independent of each other.
    pub parts: Vec<Part>,
    /// Share of the first part in the total depth, in percent, where there are two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_percent: Option<u8>,
    /// How arrivals are spread, when the search is over their rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrivals: Option<Arrivals>,
    /// The shallowest queue that was tried; absent where that was 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_min: Option<u32>,
    pub depth_max: u32,
    pub probe_max: Nanos,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweepPlan {
    /// Orders and mixes; the block size of each part is that of the cell.
    pub parts: Vec<Part>,
    pub block_sizes: Vec<Bytes>,
    pub depths: Vec<u32>,
    /// Half the width of the interval of the IOPS at which a cell ends, as a share of them.
    pub precision: f64,
    /// Time of a cell at least, and at most.
    pub cell_time: (Nanos, Nanos),
    /// Rates of writes next to which reads are measured; empty unless that is what is asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_shares: Vec<f64>,
}
