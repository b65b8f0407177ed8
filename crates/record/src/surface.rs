//! The surface of a device: rate and access time by place, and what turns and moves below.

use serde::{Deserialize, Serialize};
use stats::Estimate;
use units::Bytes;
use units::JsonSchema;

/// The curve over the surface of a device or file, from reading it here and there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Surface {
    pub size: Bytes,
    /// Places read in sequence, by place.
    pub slices: Vec<Slice>,
    /// Places read at random, by place.
    pub access: Vec<AccessPoint>,
    /// The curve through the slices; absent with too few of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<Zones>,
}

/// A place that was read in sequence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slice {
    pub at: Bytes,
    /// Bytes per second, each time that it was read.
    pub bytes_per_second: Vec<f64>,
    /// What the curve says for this place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// How it stands to the curve.
    pub stand: SliceStand,
}

impl Slice {
    /// The rate of the place: the middle one of its readings.
    pub fn rate(&self) -> f64 {
        let mut rates = self.bytes_per_second.clone();
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied().unwrap_or(0.0)
    }
}

/// How a place stands to the curve through all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SliceStand {
    Usual,
    /// Below it, and not read again: it may have been chance.
    Suspect,
    /// Below it once, and on it when it was read again: something passed by.
    Passing,
    /// Below it every time it was read.
    Weak,
    /// Above it: perhaps it was never written, or it was in a cache.
    Fast,
}

/// A place that was read at random, one request at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AccessPoint {
    pub at: Bytes,
    pub mean_ns: f64,
    pub max_ns: u64,
    pub n: u64,
}

/// The form of a curve over the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ZoneLaw {
    /// `first * sqrt(1 - c (1 - ratio^2))`: tracks as long as their radius, evenly spaced.
    Root,
    /// `first * (1 - c (1 - ratio))`.
    Straight,
}

/// The curve of rate over place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Zones {
    pub first: f64,
    pub last: f64,
    /// The form that misses the places less.
    pub law: ZoneLaw,
    /// Share of the differences between places that the curve explains, weak ones left out.
    pub r_squared: f64,
    /// Whether the rate falls over the surface as on a disk with zones.
    pub falls: bool,
}

/// A disk that turns, from the times of random reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rotation {
    /// Revolutions a minute.
    pub rpm: Estimate,
    /// Mean seek over the whole device in nanoseconds, with the controller's part; absent where it
    /// is not known where on the device the reads were, or where no arm was seen to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_seek_ns: Option<Estimate>,
    /// Seek to the nearest place in nanoseconds, with the controller's part.
    pub nearest_seek_ns: f64,
    /// What the root of the distance, as a share of the device, adds to a seek, in nanoseconds.
    pub slope_ns: f64,
    pub size: Bytes,
    /// The logarithm of how much likelier the times are with a platter and an arm than without.
    pub gain: f64,
    /// Every part of the device that was read at random.
    pub points: Vec<StretchPoint>,
}

impl Rotation {
    pub fn turn_ns(&self) -> f64 {
        60e9 / self.rpm.value
    }
}

/// Random reads within a part of the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StretchPoint {
    /// The part, as a share of the device.
    pub share: f64,
    pub n: u64,
    pub mean_ns: f64,
    /// What the fitted law says.
    pub law_ns: f64,
}
