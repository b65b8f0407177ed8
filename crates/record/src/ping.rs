//! What `ping` was asked, and what it tells while it runs.
//!
//! The plan is stored with the record. The rest is not stored: it is what one request, a window of
//! requests and a whole run look like to who prints them, in ioping's terms.

use serde::{Deserialize, Serialize};
use units::JsonSchema;
use units::{Bytes, Nanos};
use workload::Direction;

/// The settings of a run of single requests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PingPlan {
    pub size: Bytes,
    /// Between the starts of two requests, or of two bursts; 0 for one after the other.
    pub interval: Nanos,
    /// Requests without a pause between them; 0 for single ones.
    pub burst: u64,
    /// Requests at the beginning that are in no figure.
    pub warmup: u64,
    /// Whether the page cache was asked to forget before each request, and each write was made
    /// durable.
    pub uncached: bool,
    /// Faster requests are in no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_time: Option<Nanos>,
    /// Slower requests are in no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Nanos>,
    /// Whether requests after a pause and requests back to back were told apart.
    pub contrast: bool,
}

/// What lies under a path, as ioping names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PingTarget {
    pub path: String,
    /// Kind of file system, `block`, or `character`.
    pub kind: String,
    /// The device of the file system, or `device`.
    pub device: String,
    /// Size of the file system or device; 0 where it has none.
    pub size: Bytes,
}

/// What is remarkable about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PingMark {
    /// One of the first, which are in no figure.
    Warmup,
    /// Faster than is believed: in no figure.
    TooFast,
    /// Slower than is wanted: in no figure.
    TooSlow,
    /// Less than half the mean.
    Fast,
    /// More than twice the mean.
    Slow,
    /// It would have blocked (RWF_NOWAIT).
    WouldBlock,
}

impl PingMark {
    /// The word in ioping's line.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Warmup => "warmup",
            Self::TooFast => "too fast",
            Self::TooSlow => "too slow",
            Self::Fast => "fast",
            Self::Slow => "slow",
            Self::WouldBlock => "EAGAIN",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PingRequest {
    /// Its number, from 1.
    pub number: u64,
    pub direction: Direction,
    pub moved: u64,
    pub time: Nanos,
    /// Whether it is in the figures.
    pub counted: bool,
    pub mark: Option<PingMark>,
    pub ends_burst: bool,
}

/// The figures of a window of requests or of a whole run, by ioping's arithmetic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PingFigures {
    pub counted: u64,
    pub requests: u64,
    pub too_fast: u64,
    pub too_slow: u64,
    /// Sum of the times of those that count, in nanoseconds.
    pub sum_ns: f64,
    pub min_ns: u64,
    pub avg_ns: f64,
    pub max_ns: u64,
    /// Population standard deviation, in nanoseconds.
    pub mdev_ns: f64,
    /// The inverse of the mean time: what ioping calls iops.
    pub iops: f64,
    /// That by the size of a request.
    pub bytes_per_second: f64,
    pub bytes: u64,
    /// Time from the beginning to the end, pauses included.
    pub load_ns: u64,
    /// All requests over that time.
    pub load_iops: f64,
    /// That by the size of a request.
    pub load_bytes_per_second: f64,
    pub load_bytes: u64,
}
