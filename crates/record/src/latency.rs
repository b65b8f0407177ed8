//! Latency distributions.

use serde::{Deserialize, Serialize};
use stats::SparseHistogram;
use units::JsonSchema;

use crate::absent::is_unset;
use crate::percentile_map::PercentileMap;

/// A latency distribution in nanoseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencySummary {
    /// Arithmetic mean; exact.
    pub mean: f64,
    /// Population standard deviation.
    pub stddev: f64,
    /// Shortest; exact.
    pub min: u64,
    /// Longest; exact.
    pub max: u64,
    /// Percentiles that the sample supports, and only those: `p50`, `p99`, `p99.9`.
    #[schemars(with = "std::collections::BTreeMap<String, u64>")]
    pub percentiles: PercentileMap<u64>,
    /// The whole distribution; absent where another program gave none.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub histogram: SparseHistogram,
}

impl LatencySummary {
    /// Whether it was not measured.
    pub fn is_absent(&self) -> bool {
        *self == Self::default()
    }
}
