//! Operations that are written down: a replay.

use std::sync::Arc;

use super::operation::Operation;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptStep {
    pub operation: Operation,
    /// When it is to start, from the start of the job; absent: when a slot is free.
    pub due_ns: Option<u64>,
    /// Of a read that is verified: the number of the write that it must find; absent: of any.
    pub sequence: Option<u64>,
    /// Operations that may be outstanding when it starts for its response time to be comparable
    /// with the one that it had where it was captured; absent: not known.
    pub outstanding_max: Option<u32>,
}

/// A worker's way through a script: every `stride`th step, over and over.
#[derive(Debug, Clone)]
pub(super) struct Script {
    steps: Arc<[ScriptStep]>,
    next: usize,
    stride: usize,
}

impl Script {
    pub(super) fn new(steps: Arc<[ScriptStep]>, worker: u64, workers: u64) -> Self {
        Self { steps, next: worker as usize, stride: workers.max(1) as usize }
    }

    #[inline]
    pub(super) fn next_operation(&mut self) -> Operation {
        let step = self.steps[self.next % self.steps.len()];
        self.next += self.stride;
        step.operation
    }
}
