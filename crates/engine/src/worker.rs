//! The hot path: one worker thread's loop.

mod closed_loop;
mod error_counts;
mod finish;
mod operation_errors;
mod operation_source;
mod pace;
mod paced_loop;
mod priorities;
mod read_back;
#[cfg(test)]
mod refill_tests;
mod report;
mod schedule;
mod slots;
mod state;
mod status;
mod trace;
mod usage;
mod verifier;

pub(crate) use operation_source::OperationSource;
pub(crate) use pace::Pace;
pub(crate) use priorities::Priorities;
pub(crate) use report::WorkerReport;
pub(crate) use schedule::Schedule;
pub(crate) use state::{Worker, WorkerPlan};
pub(crate) use status::{DONE, LOOPING, VERIFYING, WorkerLink, WorkerStatus};
pub(crate) use trace::Tracer;
pub(crate) use usage::RunQueueClock;
pub(crate) use verifier::Verifier;
