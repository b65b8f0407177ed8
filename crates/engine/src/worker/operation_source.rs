//! Where a worker takes its operations from.

use units::Bytes;
use workload::Job;

use crate::sequence::{Operation, OperationGenerator};
use crate::target::Target;

/// The operations of a worker. Between two passes over a target the page cache is dropped where
/// that is asked for, so that no pass reads what the one before has left there.
#[derive(Debug)]
pub(crate) struct OperationSource {
    generator: OperationGenerator,
    cached: Vec<CachedSpan>,
    /// The next operation, which waits for another on its bytes.
    held: Option<Operation>,
}

/// The bytes of a target that a job touches.
#[derive(Debug)]
struct CachedSpan {
    target: Target,
    offset: Bytes,
    length: Bytes,
}

impl OperationSource {
    pub(crate) fn new(generator: OperationGenerator) -> Self {
        Self { generator, cached: Vec::new(), held: None }
    }

    /// Drops the page cache of the job's `targets` between passes.
    pub(crate) fn dropping_cache(self, job: &Job, targets: Vec<Target>) -> Self {
        let span = |(place, target)| {
            let (offset, length) = (job.span.offset, job.span_length(place));
            CachedSpan { target, offset, length }
        };
        Self { cached: targets.into_iter().enumerate().map(span).collect(), ..self }
    }

    #[inline]
    pub(super) fn next_operation(&mut self) -> Operation {
        if let Some(operation) = self.held.take() {
            return operation;
        }
        if !self.cached.is_empty()
            && let Some(place) = self.generator.take_stale_target()
        {
            self.drop_cache(place);
        }
        self.generator.next_operation()
    }

    /// Lets `operation` be the next again.
    pub(super) fn hold(&mut self, operation: Operation) {
        self.held = Some(operation);
    }

    /// Whether the next operation waits for another.
    pub(super) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Whether one more operation belongs to those that were taken.
    #[inline]
    pub(super) fn owes_one(&self) -> bool {
        self.is_held() || self.generator.owes_write()
    }

    /// Whether a pass over the last operation's target ended since the last call.
    pub(super) fn take_new_pass(&mut self) -> bool {
        self.generator.take_new_pass()
    }

    #[cold]
    fn drop_cache(&self, place: usize) {
        if let Some(CachedSpan { target, offset, length }) = self.cached.get(place) {
            target.drop_cache(*offset, *length);
        }
    }
}
