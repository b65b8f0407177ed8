//! What was sold, and what physics allows: plans and rotating disks as arithmetic. No I/O, no
//! clock.
//!
//! Invariants
//! - Every figure stands next to the public page it comes from, and the date of that page.
//! - Parameters that a provider would refuse are refused, with the range.
//! - Rates in bytes are bytes per second; providers' MiB are 2^20 bytes, their MB 10^6.
//!
//! Start reading at [`find_plan`], then `plan`; one file per provider.
#![forbid(unsafe_code)]

mod aws;
mod azure;
mod catalogue;
mod error;
mod gcp;
mod hdd;
mod load;
mod notes;
mod others;
mod phases;
mod plan;
mod reference_devices;
mod spec;
mod user_plan;

pub use catalogue::{PLANS, PlanEntry, find_plan};
pub use error::ModelError;
pub use hdd::{Hdd, ServiceTime, surface_rate};
pub use load::{Demand, PlanAnswer, PlanLoad};
pub use phases::Phase;
pub use plan::{
    Accounting, Burst, BurstDuration, Cap, Caps, IoDirection, LimitingFactor, Order, Plan, Rates,
    Source, Tolerance,
};
pub use reference_devices::{NearestDevices, REFERENCE_DEVICES, ReferenceDevice, find_nearest};
pub use user_plan::from_toml;
