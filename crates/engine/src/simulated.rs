//! A simulated storage device on a virtual clock.
//!
//! The load generator has to be checked against a device whose true behaviour is known. This one
//! follows a [`DeviceModel`] of few numbers, whose rates and latencies have closed forms. The
//! caller says what time it is, submits, and learns when each request completes: the same model,
//! seed and submissions give the same completions (noise and disks: up to the last bit of `ln`,
//! `exp`, `sin`).
//!
//! A request passes the [`Bucket`], then the [`Cache`], then the [`Medium`]; a [`Stall`] stops the
//! clock of the last two. Data are not stored. A [`QuirkyDevice`] has [`Quirks`] besides, among
//! them a [`Throttle`] whose [`Schedule`] changes its rate over time.

mod bucket;
mod cache_work;
mod cached_medium;
mod device;
mod device_model;
mod hdd;
mod lru;
mod medium;
mod process;
mod queue;
mod quirk_state;
mod quirks;
mod quirky;
#[cfg(test)]
mod quirky_tests;
mod random;
mod schedule;
mod slots;
mod ssd;
mod stall;
#[cfg(test)]
mod testing;
mod throttle;

pub use device::Device;
pub use device_model::{
    Bucket, Cache, Congestion, DeviceModel, Hdd, LatencyNoise, Medium, Op, OpKind, PAGE_BYTES, Ssd,
    Stall,
};

pub(crate) use process::Process;
pub use process::{ProcessQuota, ProcessStops, QuotaCounters};
pub use quirks::{
    BadRange, Content, ContentTimes, FirstTouch, Freeze, GarbageCollection, IdleSleep,
    NoisyNeighbour, PageCache, Quirks, SlcCache, UnmappedReads,
};
pub use quirky::{Completion, DeviceCounters, QuirkyDevice};
pub use schedule::{Piece, Schedule};
pub use throttle::{Throttle, ThrottleScope};
