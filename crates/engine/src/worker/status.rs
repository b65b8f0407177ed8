//! What the control plane and a worker share while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64};

use super::trace::Tracer;
use crate::interval::{Slice, SliceSource};

#[derive(Debug, Default)]
pub(crate) struct WorkerStatus {
    /// Raised by the control plane: end now.
    pub(crate) stop: AtomicBool,
    /// [`LOOPING`], [`DRAINING`], [`VERIFYING`] or [`DONE`]; set by the worker.
    pub(crate) state: AtomicU8,
    /// Clock reading of the last completion, and operations outstanding: they show a hang.
    pub(crate) reaped_ns: AtomicU64,
    pub(crate) outstanding: AtomicU32,
}

pub(crate) const LOOPING: u8 = 0;
pub(crate) const DRAINING: u8 = 1;
pub(crate) const DONE: u8 = 2;
pub(crate) const VERIFYING: u8 = 3;

/// The worker's ends of what connects it with the control plane.
pub(crate) struct WorkerLink {
    pub(crate) status: Arc<WorkerStatus>,
    pub(crate) source: SliceSource,
    /// The slice that is being filled.
    pub(crate) slice: Box<Slice>,
    pub(crate) tracer: Option<Tracer>,
}
