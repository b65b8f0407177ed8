//! The best source: a program in the kernel that sorts every completed request by its latency.
//!
//! It hangs at the tracepoint `block_rq_complete`. A request itself holds the times at which the
//! block layer accepted it and the driver got it, so nothing is stored per request.
//! A second one, where the kernel has its tracepoint, counts which thread asks; disks without
//! requests have programs of their own.

mod assembler;
mod bios;
mod btf;
mod buckets;
mod capture;
mod events;
mod layout;
mod program;
mod requests;
mod sampling;
mod source;
mod submitters;
mod waiters;

pub use capture::{Capture, CaptureEnd};
pub use source::{EbpfSource, EbpfUnavailable};
