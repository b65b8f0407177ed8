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
mod stream;
mod target_choice;

use std::sync::Arc;

use units::Seed;
use workload::{Access, Direction, Job, Mix, Repetition};

use crate::mix::mix64;
use direction_mixer::DirectionMixer;
use offset_walk::{OffsetWalk, PassReader};
use script::Script;
use size_chooser::Sizer;
use target_choice::TargetChoice;

pub use operation::Operation;
pub use permutation::Permutation;
pub use script::ScriptStep;
pub use stream::StepSource;
pub(crate) use stream::{StepLimits, StepStream};

pub(crate) use random_stream::{RandomStream, draw_exponential};

/// Between the seeds of reads and writes that have an order each.
const WRITES_SALT: u64 = 0x77_121E;

/// The endless sequence of operations of one worker of a job.
///
/// Worker `k` of `n` takes the operations `k`, `k + n`, `k + 2n`, ... of the job.
#[derive(Debug, Clone)]
pub struct OperationGenerator {
    /// One per target; where each direction has its own order, one more for its writes.
    walks: Vec<OffsetWalk>,
    targets: TargetChoice,
    mixer: DirectionMixer,
    sizer: Sizer,
    sync_every: u64,
    writes_since_sync: u64,
    /// Of each target, the place that was trimmed and is written next.
    trimmed: Vec<Option<Operation>>,
    /// Where the operations are written down.
    script: Option<Script>,
    /// After a number of bytes the sequence begins anew.
    restart: Option<Box<Restart>>,
}

#[derive(Debug, Clone)]
struct Restart {
    bytes: u64,
    left: u64,
    same_order: bool,
    /// The generator as it was at first, without its maps of places.
    first: OperationGenerator,
}

impl OperationGenerator {
    /// The sequence of one worker over one target, for a validated job.
    pub fn new(job: &Job, worker: u64, workers: u64) -> Self {
        Self::with_targets(job, worker, workers, 1)
    }

    /// The sequence over `targets` targets.
    pub fn with_targets(job: &Job, worker: u64, workers: u64, targets: u16) -> Self {
        let Seed(seed) = job.seed;
        let walk = |target: u16, access: &Access, salt: u64| {
            // The first target's walk is that of a job with only one.
            let own = if target == 0 { seed } else { seed ^ mix64(!u64::from(target)) };
            let length = job.span_length(usize::from(target)).0;
            OffsetWalk::new(job, access, length, own ^ salt, (worker, workers))
        };
        let all = 0..targets.max(1);
        let mut walks: Vec<OffsetWalk> =
            all.clone().map(|target| walk(target, &job.access, 0)).collect();
        let is_apart = job.order_per_direction || job.write_access.is_some();
        if is_apart && matches!(job.mix, Mix::Mixed { .. }) {
            let access = job.write_access.as_deref().unwrap_or(&job.access);
            walks.extend(all.map(|target| walk(target, access, WRITES_SALT)));
        }
        let mut generator = Self {
            walks,
            targets: TargetChoice::new(job, seed, worker, targets),
            mixer: DirectionMixer::new(job.mix, seed, worker, workers),
            sizer: Sizer::new(job, seed, worker),
            sync_every: job.sync.map_or(0, |sync| u64::from(sync.every)),
            writes_since_sync: 0,
            trimmed: vec![None; usize::from(targets.max(1))],
            script: None,
            restart: None,
        };
        if let Some(&Repetition { after, same_order }) = job.repeat.as_deref() {
            let bytes = after.0.div_ceil(workers.max(1)).max(1);
            let first = generator.snapshot();
            generator.restart = Some(Box::new(Restart { bytes, left: bytes, same_order, first }));
        }
        generator
    }

    fn snapshot(&self) -> Self {
        Self {
            walks: self.walks.iter().map(OffsetWalk::snapshot).collect(),
            targets: self.targets.clone(),
            mixer: self.mixer.clone(),
            sizer: self.sizer.clone(),
            sync_every: self.sync_every,
            writes_since_sync: self.writes_since_sync,
            trimmed: Vec::new(),
            script: None,
            restart: None,
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
            let target = self.targets.current;
            return Operation { direction: Direction::Sync, target, length: 0, offset: 0 };
        }
        if let Some(restart) = &mut self.restart
            && restart.left == 0
        {
            self.begin_anew();
        }
        let direction = self.mixer.next_direction();
        let count = self.targets.count();
        if count > 1 {
            // A target is left when the last place is also written.
            let is_written = self.trimmed[usize::from(self.targets.current)].is_none();
            let ended = is_written && self.any_pass_ended(PassReader::TargetChoice);
            self.targets.choose(ended);
        }
        let target = self.targets.current;
        if direction == Direction::Trim
            && let Some(place) = self.trimmed[usize::from(target)].take()
        {
            self.writes_since_sync += 1;
            self.count_bytes(place.length);
            return Operation { direction: Direction::Write, ..place };
        }
        let length = self.sizer.next_size(direction);
        let own = if direction == Direction::Write { count } else { 0 };
        let walk = (target as usize + own) % self.walks.len();
        let room = self.walks[walk].room();
        let length = match u64::from(length) > room {
            true => self.sizer.next_size_within(direction, room),
            false => length,
        };
        let (offset, length) = self.walks[walk].next_place(length);
        let operation = Operation { direction, target, length, offset };
        self.count_bytes(length);
        match direction {
            Direction::Write => self.writes_since_sync += 1,
            Direction::Trim if self.mixer.writes_after_trims() => {
                self.trimmed[usize::from(target)] = Some(operation);
            }
            _ => {}
        }
        operation
    }

    /// Whether the last place was trimmed and is to be written.
    #[inline]
    pub(crate) fn owes_write(&self) -> bool {
        self.trimmed.get(usize::from(self.targets.current)).is_some_and(Option::is_some)
    }

    #[inline]
    fn count_bytes(&mut self, length: u32) {
        if let Some(restart) = &mut self.restart {
            restart.left = restart.left.saturating_sub(u64::from(length));
        }
    }

    #[cold]
    fn begin_anew(&mut self) {
        let Some(mut restart) = self.restart.take() else { return };
        let draws_on = !restart.same_order;
        for (walk, first) in self.walks.iter_mut().zip(&restart.first.walks) {
            walk.rewind_to(first, draws_on);
        }
        self.targets.rewind_to(&restart.first.targets, draws_on);
        if restart.same_order {
            self.mixer.clone_from(&restart.first.mixer);
            self.sizer.rewind_to(&restart.first.sizer);
        }
        self.trimmed.fill(None);
        restart.left = restart.bytes;
        self.restart = Some(restart);
    }

    /// Whether a pass over the last operation's target began since the last call.
    pub(crate) fn take_new_pass(&mut self) -> bool {
        self.any_pass_ended(PassReader::ReadBack)
    }

    /// The last operation's target, if the next operation on it begins a pass.
    #[inline]
    pub(crate) fn take_stale_target(&mut self) -> Option<usize> {
        self.any_pass_ended(PassReader::Cache).then_some(usize::from(self.targets.current))
    }

    /// Asks every walk over the last operation's target.
    fn any_pass_ended(&mut self, reader: PassReader) -> bool {
        let (current, count) = (self.targets.current as usize, self.targets.count());
        let mut any = false;
        for walk in self.walks.iter_mut().skip(current).step_by(count) {
            any |= walk.take_pass_end(reader);
        }
        any
    }
}

#[cfg(test)]
mod tests;
