//! What the records of all procedures have in common.

use engine::io_uring_refusal;
use jiff::Timestamp;
use message::Message;
use record::reasons::StepFailed;
use record::{
    CommandLine, Completion, Environment, IoUringStatus, Measured, Plan, TargetInfo, Tool,
};
use target::{Roots, describe_environment};
use units::Seed;

/// The frame of a run's record, without cells and without the host.
pub fn begin_record(
    started: Timestamp,
    seed: Seed,
    command: &CommandLine,
    version: &str,
    plan: Plan,
    completion: Completion,
    target: TargetInfo,
) -> Measured {
    Measured {
        id: make_run_id(started, seed),
        finished: Timestamp::now(),
        command: command.clone(),
        completion,
        targets: vec![target],
        ..Measured::new(Tool::ours(version), started, plan)
    }
}

/// The host, and whether it lets us use `io_uring`.
pub fn describe_host(roots: &Roots) -> Environment {
    let refusal = io_uring_refusal();
    describe_environment(roots, IoUringStatus { available: refusal.is_none(), reason: refusal })
}

pub(crate) fn ended_early(reason: impl Into<Message>) -> Completion {
    Completion::Partial { reason: reason.into(), failed: false }
}

pub(crate) fn failed(reason: impl Into<Message>) -> Completion {
    Completion::Partial { reason: reason.into(), failed: true }
}

/// A step in which the system refused an operation.
pub(crate) fn step_failed(step: &Message, error: String) -> Completion {
    failed(StepFailed { step: step.clone(), error })
}

/// `20261121T020304Z-5f3a9c21`: sortable by time, unique by seed.
pub fn make_run_id(at: Timestamp, seed: Seed) -> String {
    format!("{}-{:08x}", at.strftime("%Y%m%dT%H%M%SZ"), seed.0 as u32)
}
