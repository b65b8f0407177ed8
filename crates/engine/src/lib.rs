//! The load generator: a job and an open target in, intervals of histograms out.
//!
//! This is the only hot path of the program. [`run`] arms one worker thread per instance of a
//! job (or one per outstanding operation where only synchronous calls are allowed), starts them
//! together, and hands back everything that was measured, also when it was stopped early or the
//! device failed.
//!
//! What it deliberately does not know: names of files, file systems, fio, reports, records. It
//! is given open descriptors and gives numbers. It never opens anything but `/dev/null`, to
//! calibrate, and `/dev/zero`, as dd does.
//!
//! Invariants
//! - Control plane and hot path never share a function: [`run`] arms, watches and collects;
//!   `worker` loops. Options are resolved before the loop starts.
//! - After arming, a worker allocates nothing, locks nothing, logs nothing and uses no `dyn`
//!   (`tests/no_alloc.rs`). Intervals leave through a wait-free ring.
//! - A latency is stamped by one clock reading per submitted batch and one per reaped batch.
//! - Operations count by the time at which they were reaped: those reaped in the warm-up or
//!   after the deadline are in the ledger, but in no figure.
//! - Time in which this process itself did not run is in [`Outcome::pauses`]: it is never the
//!   device's silence.
//! - Whatever happens to the device, [`run`] returns within the drain limit with what was
//!   measured; operations that never came back are counted as abandoned.
//!
//! [`Single`] is the exception: requests one at a time by the caller's own thread, for `ping`.
//!
//! Start reading at [`run`], then ``worker::Worker::run_closed``.

mod arena;
mod backend;
mod calibrate;
mod choose;
mod clock;
mod collect;
mod crew;
mod flow;
mod heartbeat;
mod interval;
mod locked;
mod outcome;
mod payload;
mod placement;
mod recruit;
mod run;
mod sequence;
mod session;
mod set;
mod signal;
pub mod simulated;
mod single;
mod target;
mod worker;

pub use backend::{SimulatedDevice, io_uring_refusal};
pub use calibrate::{Capability, calibrate, clock_cost};
pub use clock::{Clock, ClockKind, monotonic_ns_now};
pub use flow::FlowSeat;
pub use heartbeat::PauseWatch;
pub use locked::LockedMemory;
pub use outcome::{
    Activity, Asked, DirectionInterval, DirectionSum, EndReason, ErrorCount, IntervalOutcome,
    OpenLoop, OperationError, Outcome, Pause, PauseKind, Traced, Verified,
};
pub use payload::{Mismatch, ShortBytes, Wrong, WrongKind};
pub use run::{EngineError, Progress, StopFlag, run, run_over, run_streaming};
pub use sequence::{Generator, Operation, Permutation, Step};
pub use session::{Armed, Extras, Session};
pub use set::{InstanceOutcome, run_set};
pub use single::{Reply, Single, SingleError, SingleManner};
pub use target::Target;
