//! A histogram on its way: its buckets that are not empty.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stats::{LatencyHistogram, SparseHistogram};

pub(super) fn serialize<S: Serializer>(
    histogram: &LatencyHistogram,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    histogram.to_sparse().serialize(serializer)
}

/// One that contradicts itself is refused.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<LatencyHistogram, D::Error> {
    let sparse = SparseHistogram::deserialize(deserializer)?;
    sparse.to_histogram().map_err(serde::de::Error::custom)
}
