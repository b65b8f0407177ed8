//! What was sold, and what physics allows: price lists and rotating disks as arithmetic.
//!
//! A [`Plan`] is what a provider, or the user's own file, states of a volume: limits of operations
//! and bytes, a burst and what it lasts, how operations are counted. [`find`] makes one from words
//! such as `aws:gp2:50GiB`; [`Plan::rates`] says what it gives at a block size, and
//! [`Plan::phases`] how that changes while a burst lasts. [`Hdd`] is a rotating disk.
//! [`REFERENCE_DEVICES`] has what typical devices give.
//!
//! What it deliberately does not do: I/O (the user's file comes in as text), clocks, records,
//! printing. It measures nothing and judges nothing.
//!
//! Invariants
//! - Every figure stands next to the public page it comes from, and the date of that page. A
//!   figure that was found on no such page is left out.
//! - Parameters that a provider would refuse are refused, with the range.
//! - Rates in bytes are bytes per second; providers' MiB are 2^20 bytes, their MB 10^6.
//!
//! Start reading at [`find`], then `plan`; one file per provider.
#![forbid(unsafe_code)]

mod accounting;
mod aws;
mod azure;
mod catalogue;
mod error;
mod gcp;
mod hdd;
mod others;
mod phases;
mod plan;
mod reference_devices;
mod spec;
mod user_plan;

pub use accounting::{Accounting, Order};
pub use catalogue::{PLANS, PlanEntry, find_plan};
pub use error::ModelError;
pub use hdd::{Hdd, ServiceTime, surface_rate};
pub use phases::Phase;
pub use plan::{
    Burst, BurstDuration, Cap, Caps, IoDirection, LimitingFactor, Plan, Rates, Source, Tolerance,
};
pub use reference_devices::{NearestDevices, REFERENCE_DEVICES, ReferenceDevice, find_nearest};
pub use user_plan::from_toml;
