//! What to do: one workload as it was asked, as plain validated types.
//!
//! A [`Job`] knows no open files and no threads. [`Bound`] is the latency a user accepts.
//!
//! - Every default is explicit: a stored job can be run again without this program's defaults.
//! - [`Job::validate`] refuses contradictions before any I/O and names both sides.
//! - Nothing here does I/O or reads a clock.
#![forbid(unsafe_code)]

mod access;
mod backend;
mod blocks;
mod bound;
mod durability;
mod job;
mod pacing;
mod payload;
mod placement;
mod validate;

pub use access::{Access, Distribution, ShareZone, SizeZone, TargetOrder};
pub use backend::{BackendChoice, MmapSwitches, NameCall, UringSwitches};
pub use blocks::{BlockSizes, Sizes, Weight};
pub use bound::{Bound, BoundError, Statistic};
pub use durability::{DurableWrites, SyncKind, SyncPolicy, TrimKind};
pub use job::{Direction, Failure, Job, Mix, OnError, OperationPriority, Repetition, Span};
pub use pacing::{Arrivals, Cap, Caps, Pacing, Stop, ThinkTime};
pub use payload::{Payload, Seal, SealLayout, SealMethod, SharedSet, Verify};
pub use placement::{IoClass, IoPriority, IoprioParts, Placement, decode_ioprio, encode_ioprio};
pub use validate::{JobError, TargetLimits};
