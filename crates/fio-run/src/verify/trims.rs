//! What a job will write and trim, known before it does: for `verify_only`, and for the trims of
//! written places (`trim_percentage`), which are part of the order of the operations.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use engine::{Operation, OperationGenerator, ScriptStep};
use fio::options::engine::Engine;
use fio::options::verify::{VerifyOptions, VerifyTrims};
use fio::plan::{InstancePlan, PlanError, Section};
use workload::{Direction, Job, Mix, Seal, SealMethod};

/// The steps of all jobs together are in memory, at 40 bytes each.
pub(in super::super) const STEPS_MAX: usize = 16 << 20;

/// The trims of written places.
#[derive(Debug, Default)]
pub(super) struct PlaceTrims {
    options: VerifyTrims,
    /// What a trimmed place must read as.
    zeros: Seal,
    /// Lengths, with 0 for the number of a write, of the trimmed places that are read back.
    pub(super) places: BTreeMap<(u16, u64), (u32, u64)>,
}

impl PlaceTrims {
    pub(super) fn from_options(options: &VerifyOptions, engine: Engine, seal: &Seal) -> Self {
        // As in fio: what a null engine reads is not compared.
        let zeros = match engine {
            Engine::Null => seal.clone(),
            _ => Seal {
                method: SealMethod::Pattern,
                pattern: vec![0],
                pattern_offsets: Vec::new(),
                pattern_interval: 0,
                ..seal.clone()
            },
        };
        let trims = if options.trims_places() { options.trims } else { VerifyTrims::default() };
        Self { options: trims, zeros, places: BTreeMap::new() }
    }

    pub(super) fn take_places(&mut self) -> BTreeMap<(u16, u64), (u32, u64)> {
        std::mem::take(&mut self.places)
    }

    pub(super) fn zeros(&self) -> Seal {
        self.zeros.clone()
    }

    /// The operations of the job, until its bytes or operations are used up.
    pub(super) fn all_operations(
        &self,
        job: &Job,
        files: usize,
    ) -> impl Iterator<Item = Operation> + use<> {
        let times = if job.mix == Mix::TrimWrite { 2 } else { 1 };
        let all = (0..files).map(|file| job.span_length(file).0).sum::<u64>() * times;
        let asked = job.stop.bytes.map_or(all, |bytes| bytes.0);
        let most = if self.options.percent > 0 { asked.max(all) } else { asked };
        BacklogTrims::new(planned_operations(job, files, most), self.options, asked)
    }

    /// The steps of a job that trims what it wrote; they end it. `steps_left` of all jobs may be
    /// made.
    pub(super) fn plan_steps(
        &self,
        section: &Section,
        plan: &mut InstancePlan,
        files: usize,
        steps_left: &mut usize,
    ) -> Result<Option<Arc<[ScriptStep]>>, PlanError> {
        if self.options.percent == 0 || section.options.verify.only || !plan.job.mix.sends_data() {
            return Ok(None);
        }
        let step = |operation| ScriptStep {
            operation,
            due_ns: None,
            sequence: None,
            outstanding_max: None,
        };
        let steps = self.all_operations(&plan.job, files).map(step);
        let steps: Arc<[ScriptStep]> = steps.take(*steps_left + 1).collect();
        let Some(left) = steps_left.checked_sub(steps.len()) else {
            let conflict =
                format!("trim_percentage in jobs of more than {STEPS_MAX} operations together");
            let hint = Some("use a smaller size or fewer jobs".to_owned());
            return Err(PlanError { job: section.name.clone(), conflict, hint });
        };
        *steps_left = left;
        // Where only time ends it, the steps begin anew.
        let count = plan.job.stop.bytes.map(|_| steps.len() as u64);
        (plan.job.stop.bytes, plan.job.stop.operations) = (None, count);
        plan.job.mix = Mix::TrimWrite;
        (plan.passes.stop.bytes, plan.passes.bytes_max) = (None, None);
        Ok(Some(steps))
    }

    /// Whether a trim of a written place is one of these: zeros are expected there, or nothing.
    pub(super) fn record_trim(&mut self, operation: &Operation) -> bool {
        if self.options.percent > 0 && self.options.expects_zeros {
            let place = (operation.target, operation.offset);
            self.places.insert(place, (operation.length, 0));
        }
        self.options.percent > 0
    }
}

/// The operations of all workers in turn, until these bytes or the job's operations are used up.
fn planned_operations(
    job: &Job,
    files: usize,
    mut bytes: u64,
) -> impl Iterator<Item = Operation> + use<> {
    let workers = match job.backend.is_synchronous() {
        true => u64::from(job.depth.0),
        false => u64::from(job.workers),
    };
    let generator = |worker| OperationGenerator::with_targets(job, worker, workers, files as u16);
    let mut generators: Vec<_> = (0..workers).map(generator).collect();
    let mut operations = job.stop.operations.unwrap_or(u64::MAX);
    let mut turn = 0;
    std::iter::from_fn(move || {
        if turn == 0 && (bytes == 0 || operations == 0) {
            return None;
        }
        let operation = generators[turn].next_operation();
        turn = (turn + 1) % generators.len();
        bytes = bytes.saturating_sub(u64::from(operation.length));
        operations -= u64::from(operation.length > 0 && operations > 0);
        Some(operation)
    })
}

/// Puts trims of written places between the operations, where fio does.
struct BacklogTrims<I> {
    operations: I,
    options: VerifyTrims,
    writes: u64,
    /// Writes that fio remembers: all, or those whose places are not trimmed yet.
    remembered: u64,
    waiting: VecDeque<Operation>,
    /// Bytes to move. As in fio, the job goes on while places wait for their trim.
    bytes_left: u64,
    /// What is left of the batch.
    batch_left: u64,
}

impl<I> BacklogTrims<I> {
    fn new(operations: I, options: VerifyTrims, bytes_left: u64) -> Self {
        let waiting = VecDeque::new();
        Self { operations, options, writes: 0, remembered: 0, waiting, bytes_left, batch_left: 0 }
    }

    fn next_trim(&mut self) -> Option<Operation> {
        let VerifyTrims { backlog, batch, expects_zeros, .. } = self.options;
        self.waiting.front()?;
        if self.batch_left > 0 {
            self.batch_left -= 1;
        } else if self.remembered.is_multiple_of(backlog.max(1)) {
            self.batch_left = if batch > 0 { batch } else { backlog };
        } else {
            return None;
        }
        self.remembered -= u64::from(!expects_zeros);
        self.waiting.pop_front()
    }

    /// The trimmed writes are spread evenly.
    fn record_write(&mut self, operation: Operation) {
        let share = |writes: u64| writes * u64::from(self.options.percent) / 100;
        if share(self.writes + 1) > share(self.writes) {
            self.waiting.push_back(Operation { direction: Direction::Trim, ..operation });
        }
        self.writes += 1;
        self.remembered += 1;
    }
}

impl<I: Iterator<Item = Operation>> Iterator for BacklogTrims<I> {
    type Item = Operation;

    fn next(&mut self) -> Option<Operation> {
        if let Some(trim) = self.next_trim() {
            return Some(trim);
        }
        if self.options.percent == 0 {
            return self.operations.next();
        }
        if self.bytes_left == 0 && self.waiting.is_empty() {
            return None;
        }
        let operation = self.operations.next()?;
        self.bytes_left = self.bytes_left.saturating_sub(operation.length.into());
        if operation.direction == Direction::Write {
            self.record_write(operation);
        }
        Some(operation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured with fio 3.33 and trim_percentage=100.
    #[test]
    fn trims_come_where_fio_has_them() {
        let check = |writes: u64, (backlog, batch, expects_zeros), expected: usize| {
            let options = VerifyTrims { percent: 100, backlog, batch, expects_zeros };
            let write = |place: u64| Operation {
                direction: Direction::Write,
                target: 0,
                length: 4096,
                offset: place << 12,
            };
            let all: Vec<_> =
                BacklogTrims::new((0..writes).map(write), options, u64::MAX).collect();
            let trims = all.iter().filter(|of| of.direction == Direction::Trim);
            let places: Vec<_> = trims.map(|of| of.offset >> 12).collect();
            assert!(places.is_sorted() && places.iter().all(|place| *place < writes));
            assert_eq!(places.len(), expected, "{writes} {options:?}");
            assert_eq!(all.len(), writes as usize + expected);
        };
        check(256, (16, 0, true), 256);
        check(250, (16, 0, true), 250);
        check(256, (16, 4, true), 256);
        check(256, (7, 2, true), 252);
        check(256, (1000, 0, true), 0);
        check(256, (16, 0, false), 255);
        check(256, (16, 4, false), 245);
        check(256, (10, 0, false), 253);
        check(256, (3, 100, false), 256);
    }

    /// Measured with fio 3.33: io_size=512k of 1 MiB, trim_percentage=100, trim_backlog=5.
    #[test]
    fn a_job_goes_on_while_places_wait_for_their_trim() {
        let options = VerifyTrims { percent: 100, backlog: 5, batch: 0, expects_zeros: true };
        let write = |place: u64| Operation {
            direction: Direction::Write,
            target: 0,
            length: 4096,
            offset: place << 12,
        };
        let all = BacklogTrims::new((0..256).map(write), options, 512 << 10);
        assert_eq!(all.count(), 130 + 130);
    }

    #[test]
    fn the_share_of_trimmed_writes_is_exact() {
        let check = |percent, expected| {
            let options = VerifyTrims { percent, backlog: 10, batch: 0, expects_zeros: true };
            let mut trims = BacklogTrims::new(std::iter::empty::<Operation>(), options, 0);
            let write =
                Operation { direction: Direction::Write, target: 0, length: 512, offset: 0 };
            (0..250).for_each(|_| trims.record_write(write));
            assert_eq!(trims.waiting.len(), expected, "{percent} %");
        };
        check(0, 0);
        check(1, 2);
        check(50, 125);
        check(99, 247);
        check(100, 250);
    }
}
