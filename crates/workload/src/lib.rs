//! What to do: one workload as it was asked, as plain validated types.
//!
//! A [`Job`] says everything that an engine needs to know about a workload and nothing about how
//! it is run or where: no open files, no threads, no kernel interface. [`Bound`] is the latency
//! a user will accept.
//!
//! Invariants
//! - Every default is explicit: a stored job can be run again without this program's defaults.
//! - [`Job::validate`] refuses contradictions before any I/O and names both sides.
//! - Nothing here does I/O or reads a clock.
//!
//! Start reading at [`Job`].
#![forbid(unsafe_code)]

mod bound;
mod job;

pub use bound::{Bound, BoundError, Statistic};
pub use job::{
    Access, BackendChoice, Direction, Job, JobError, Limits, Mix, Pacing, Payload, Span, Stop,
    SyncKind, SyncPolicy,
};
