//! The load generator: a job and an open target in, intervals of histograms out.
//!
//! [`run_job`] arms the worker threads of a job (one per outstanding operation where calls block),
//! starts them together, and returns everything that was measured, also when it was stopped early
//! or the device failed. Deliberately no names of files, file systems, fio, reports, records: it
//! opens no path but `/dev/null`, to calibrate, and `/dev/zero`, as dd does.
//!
//! Invariants
//! - Control plane and hot path never share a function: [`Session`] arms, polls and collects;
//!   `worker` loops. Options are resolved before the loop starts.
//! - After arming, a worker allocates nothing, locks nothing, logs nothing and uses no `dyn`
//!   (`tests/no_alloc.rs`). Intervals leave through a wait-free ring.
//! - A latency is stamped by one clock reading per queued batch and one per reaped batch.
//! - Operations reaped in the warm-up or after the deadline are in the ledger, but in no figure.
//! - Time in which this process did not run is in [`Outcome::pauses`], never the device's silence.
//! - [`run_job`] returns within the drain limit; operations that never came back are counted as
//!   abandoned.
//! - Calls on names (`backend/names.rs`) are of one component in a folder that the caller opened.
//!
//! [`SingleRequester`] is the exception: requests one at a time by the caller's thread, for `ping`.
//!
//! To add an I/O engine: implement `backend::Backend` (or `backend::Perform`, where a call blocks)
//! in a file under `backend/`, give it a `BackendKind` in `backend_choice.rs` and, where the
//! compiler asks for it, a line in `worker_thread.rs`. Start reading at [`run_job`], then
//! `session`, then `worker/closed_loop.rs`.

mod arena;
mod backend;
mod backend_choice;
mod calibrate;
mod clock;
mod collect;
mod error;
mod file_lock;
mod file_stamp;
mod flow;
mod heartbeat;
mod interval;
mod locked_memory;
mod mix;
mod outcome;
mod payload;
mod placement;
mod run;
mod sequence;
mod session;
pub mod simulated;
mod single_request;
mod stop_signal;
mod target;
mod wake_signal;
mod worker;
mod worker_thread;

pub use backend::{LINK_CLOSE, SimulatedDevice, io_uring_refusal};
pub use calibrate::{GeneratorCapability, calibrate_generator, measure_clock_cost};
pub use clock::{Clock, ClockKind, monotonic_ns};
pub use collect::Progress;
pub use error::EngineError;
pub use file_lock::{FileLock, TargetLock};
pub use file_stamp::FileStamp;
pub use flow::FlowMember;
pub use heartbeat::PauseMonitor;
pub use locked_memory::LockedMemory;
pub use mix::{SplitMix64, finalize64};
pub use outcome::{
    Activity, DirectionInterval, DirectionSum, EndReason, ErrorCount, IntervalOutcome,
    OpenLoopOutcome, OperationError, Outcome, Pause, PauseKind, PriorityLatency, RequestedOps,
    TracedOperation, VerifyOutcome,
};
pub use payload::{BlockContent, BlockDefect, DefectKind, Mismatch, ShortBytes};
pub use run::{run_armed, run_job, run_together};
pub use sequence::{Operation, OperationGenerator, Permutation, ScriptStep, StepSource};
pub use session::{ArmedSession, Session, SessionOptions};
pub use single_request::{Reply, SingleOptions, SingleRequestError, SingleRequester};
pub use stop_signal::StopSignal;
pub use target::{CreateFile, Target};
