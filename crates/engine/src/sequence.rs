//! Which operation comes next: seekable permutations, exact mixes, same seed same trace.
//!
//! The sequence is a contract that tests pin: nothing here depends on a random-number crate.

mod direction_mixer;
mod distribution;
mod offset_walk;
mod operation;
mod permutation;
mod place_map;
mod random_stream;
mod script;
mod size_chooser;

use std::sync::Arc;

use units::Seed;
use workload::{Direction, Job, Mix, TargetOrder};

use crate::mix::mix64;
use direction_mixer::DirectionMixer;
use offset_walk::OffsetWalk;
use script::Script;
use size_chooser::Sizer;

pub use operation::Operation;
pub use permutation::Permutation;
pub use script::ScriptStep;

pub(crate) use random_stream::{RandomStream, draw_exponential};

/// The endless sequence of operations of one worker of a job.
///
/// Worker `k` of `n` takes the operations `k`, `k + n`, `k + 2n`, ... of the job.
#[derive(Debug, Clone)]
pub struct OperationGenerator {
    /// One per target; where each direction has its own order, one more for its writes.
    walks: Vec<OffsetWalk>,
    order: TargetOrder,
    current: u16,
    /// Targets that this pass is through with, where a pass visits every place once.
    passed: Vec<bool>,
    /// Targets that it is not through with.
    left: usize,
    /// Targets that have no place.
    empty: Vec<bool>,
    passes_targets: bool,
    choice: RandomStream,
    mixer: DirectionMixer,
    sizer: Sizer,
    sync_every: u64,
    writes_since_sync: u64,
    /// The place that was trimmed and is written next.
    trimmed: Option<Operation>,
    /// Where the operations are written down.
    script: Option<Script>,
}

impl OperationGenerator {
    /// The sequence of one worker over one target, for a validated job.
    pub fn new(job: &Job, worker: u64, workers: u64) -> Self {
        Self::with_targets(job, worker, workers, 1)
    }

    /// The sequence over `targets` targets.
    pub fn with_targets(job: &Job, worker: u64, workers: u64, targets: u16) -> Self {
        let Seed(seed) = job.seed;
        let walk = |target: u16| {
            // The first target's walk is that of a job with only one.
            let own = if target == 0 { seed } else { seed ^ mix64(!u64::from(target)) };
            let length = job.span_length(usize::from(target)).0;
            OffsetWalk::new(job, length, own, worker, workers)
        };
        let is_empty = |target: u16| job.span_length(usize::from(target)) < job.smallest_place();
        let all_empty = (0..targets).all(is_empty);
        let empty: Vec<bool> =
            (0..targets.max(1)).map(|target| is_empty(target) && !all_empty).collect();
        // Round robin goes on before it looks: so it begins with the first target.
        let last = targets.max(1) - 1;
        let per_direction = job.order_per_direction && matches!(job.mix, Mix::Mixed { .. });
        let orders = if per_direction { 2 } else { 1 };
        Self {
            walks: (0..orders).flat_map(|_| (0..targets.max(1)).map(walk)).collect(),
            order: job.targets,
            current: if job.targets == TargetOrder::RoundRobin { last } else { 0 },
            passed: empty.clone(),
            left: empty.iter().filter(|empty| !**empty).count(),
            empty,
            passes_targets: job.targets == TargetOrder::Sequential || !job.access.repeats_blocks(),
            choice: RandomStream::new(seed ^ 0x7A_26E7, worker),
            mixer: DirectionMixer::new(job.mix, seed, worker, workers),
            sizer: Sizer::new(job, seed, worker),
            sync_every: job.sync.map_or(0, |sync| u64::from(sync.every)),
            writes_since_sync: 0,
            trimmed: None,
            script: None,
        }
    }

    pub(crate) fn with_script(
        job: &Job,
        worker: u64,
        workers: u64,
        steps: Arc<[ScriptStep]>,
    ) -> Self {
        let script = Some(Script::new(steps, worker, workers));
        Self { script, ..Self::new(job, worker, workers) }
    }

    #[inline]
    pub fn next_operation(&mut self) -> Operation {
        if let Some(script) = &mut self.script {
            return script.next_operation();
        }
        if self.sync_every > 0 && self.writes_since_sync >= self.sync_every {
            self.writes_since_sync = 0;
            let target = self.current;
            return Operation { direction: Direction::Sync, target, length: 0, offset: 0 };
        }
        if let Some(place) = self.trimmed.take() {
            self.writes_since_sync += 1;
            return Operation { direction: Direction::Write, ..place };
        }
        let direction = self.mixer.next_direction();
        let length = self.sizer.next_size(direction);
        if self.passed.len() > 1 {
            self.choose_target();
        }
        let target = self.current;
        let own = if direction == Direction::Write { self.passed.len() } else { 0 };
        let walk = (target as usize + own) % self.walks.len();
        let (offset, length) = self.walks[walk].next_place(length);
        let operation = Operation { direction, target, length, offset };
        match direction {
            Direction::Write => self.writes_since_sync += 1,
            Direction::Trim if self.mixer.writes_after_trims() => self.trimmed = Some(operation),
            _ => {}
        }
        operation
    }

    fn choose_target(&mut self) {
        let count = self.passed.len() as u16;
        let current = self.current as usize;
        let ended = self.any_walk(OffsetWalk::take_pass_end);
        if ended && self.passes_targets && !self.passed[current] {
            self.passed[current] = true;
            self.left -= 1;
            if self.left == 0 {
                self.passed.clone_from_slice(&self.empty);
                self.left = self.empty.iter().filter(|empty| !**empty).count();
            }
        }
        let next = (self.current + 1) % count;
        self.current = match self.order {
            TargetOrder::RoundRobin => next,
            TargetOrder::Random => self.choice.next_below(u64::from(count)) as u16,
            TargetOrder::Sequential if self.passed[current] => next,
            TargetOrder::Sequential => self.current,
        };
        while self.passed[self.current as usize] {
            self.current = (self.current + 1) % count;
        }
    }

    /// Whether a pass over the last operation's target began since the last call.
    pub(crate) fn take_new_pass(&mut self) -> bool {
        self.any_walk(OffsetWalk::take_new_pass)
    }

    /// Asks every walk over the last operation's target.
    fn any_walk(&mut self, ask: fn(&mut OffsetWalk) -> bool) -> bool {
        let (current, count) = (self.current as usize, self.passed.len());
        let mut any = false;
        for walk in self.walks.iter_mut().skip(current).step_by(count) {
            any |= ask(walk);
        }
        any
    }
}

#[cfg(test)]
mod tests;
