//! What was written is read back: a session of its own after that which wrote.
//!
//! The blocks that an instance writes are sealed; every write is noted, and what is left of them
//! at the end, in the order of their places, is what the second session reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Extras, Generator, Mismatch, Operation, Step, Traced};
use fio::options::job::{VerifyMethod, VerifyOptions};
use fio::plan::{Instance, PlanError, Section};
use fio::verify::{Side, VerifyState, dump_name, state_name};
use output::{Destination, Destinations};
use units::{Bytes, Nanos, Seed};
use workload::{Access, BlockSizes, Direction, Job, Mix, Pacing, Seal, SealMethod, Stop, Verify};

use super::JobsRequest;

/// Seed of sealed blocks: one for all jobs, so that one job can check what another wrote.
const SEAL_SEED: u64 = 0x7D15C;

/// How far the verification of an instance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Writing.
    Writes,
    /// Reading back.
    Reads,
}

/// What an instance has to read back.
#[derive(Debug)]
pub(super) struct Verification {
    seal: Seal,
    stage: Stage,
    /// It reads back after writing, not on the way.
    reads_after: bool,
    /// Length of the last write to each place.
    written: BTreeMap<(u16, u64), u32>,
    reads_back: bool,
    dumps: bool,
    /// Where dumps and the state may be written; `None` where they may not.
    results: Option<Destinations>,
    /// Writes that came back.
    completed: u64,
    /// Where that number is kept at the end (`verify_state_save`).
    state: Option<PathBuf>,
    /// The same, opened before anything is measured.
    opened_state: Option<Destination>,
}

impl Verification {
    /// Of a section that verifies; makes its job seal what it writes, or check what it reads.
    pub(super) fn of(
        section: &Section,
        instance: &Instance,
        job: &mut Job,
        request: &JobsRequest<'_>,
    ) -> Result<Option<Self>, PlanError> {
        let options = &section.options.verify;
        // A pattern alone is what is compared.
        let method = match (method(options.method), &options.pattern) {
            (Some(method), _) => method,
            (None, Some(_)) => SealMethod::Pattern,
            (None, None) => return Ok(None),
        };
        let refuse =
            |conflict: String| PlanError { job: section.name.clone(), conflict, hint: None };
        let state = state_file(section, instance, request.aux);
        if options.state_load {
            let known = completed(&state).map_err(refuse)?;
            let most = job.stop.operations.unwrap_or(u64::MAX);
            job.stop.operations = Some(known.min(most));
            if job.mix.sends() && !options.only {
                let conflict = "verify_state_load tells how far an earlier run came, but this one \
                                writes anew; use verify_only=1";
                return Err(refuse(conflict.to_owned()));
            }
        }
        if job.mix.trims() {
            return Err(refuse("verify with trims, which give blocks back".to_owned()));
        }
        let seal = seal(options, method, job.largest().0);
        job.seal = seal.clone();
        job.payload = workload::Payload::Unique;
        let mut stage = Stage::Writes;
        let backlog = u32::try_from(options.backlog).unwrap_or(u32::MAX);
        if backlog > 0 && !options.only && may_read_on_the_way(job) {
            job.verify = Some(Verify::Batches { writes: backlog });
            stage = Stage::Reads;
        } else if job.mix.sends() {
            job.verify = Some(Verify::SealOnly);
        } else {
            job.verify = Some(Verify::Earlier);
            stage = Stage::Reads;
        }
        let (reads_back, dumps) = (options.do_verify, options.dump);
        let state = (options.state_save && job.mix.sends() && !options.only).then_some(state);
        let reads_after = stage == Stage::Writes;
        let mut this = Self {
            seal,
            stage,
            reads_after,
            written: BTreeMap::new(),
            reads_back,
            dumps,
            results: request.results.cloned(),
            completed: 0,
            state,
            opened_state: None,
        };
        if options.only && job.mix.sends() {
            this.assume(job);
        }
        Ok(Some(this))
    }

    /// Begins anew: another loop writes, and is read back.
    pub(super) fn begin_again(&mut self) {
        if self.reads_after {
            self.stage = Stage::Writes;
        }
    }

    /// Whether nothing is written: an earlier run did.
    pub(super) fn starts_with_reads(&self) -> bool {
        self.stage == Stage::Writes && !self.written.is_empty()
    }

    /// Notes what the job would write.
    fn assume(&mut self, job: &Job) {
        let per_operation = job.block_size.0.max(1);
        let by_bytes = job.stop.bytes.map(|bytes| bytes.0.div_ceil(per_operation));
        let count = [by_bytes, job.stop.operations].into_iter().flatten().min();
        let mut generator = Generator::new(job, 0, 1);
        for _ in 0..count.unwrap_or_else(|| job.blocks()) {
            let operation = generator.advance();
            self.note_operation(&operation);
        }
    }

    /// Whether every operation is needed on its own.
    pub(super) fn needs_trace(&self) -> bool {
        self.reads_back || self.state.is_some()
    }

    /// Opens the file of the state. That it cannot be written is told when it is: fio's way.
    pub(super) fn open_state(&mut self, results: Option<&Destinations>) {
        self.results = results.cloned();
        let opened = self.results.clone().zip(self.state.as_deref());
        self.opened_state = opened.and_then(|(mut results, path)| results.open(path).ok());
    }

    /// Keeps how far the writes came.
    pub(super) fn save(&mut self) -> std::io::Result<()> {
        let Some(path) = self.state.take() else { return Ok(()) };
        let state =
            VerifyState { seed: SEAL_SEED, completed: self.completed, in_flight: Vec::new() };
        match self.opened_state.take() {
            Some(file) => file.save(&state.to_bytes()).map_err(std::io::Error::other),
            None => self.write(&path, &state.to_bytes()),
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let Some(mut results) = self.results.clone() else {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        };
        results
            .open(path)
            .and_then(|destination| destination.save(bytes))
            .map_err(std::io::Error::other)
    }

    /// Notes an operation that came back.
    pub(super) fn note(&mut self, traced: &Traced) {
        self.completed += u64::from(traced.operation.direction == Direction::Write);
        if self.stage == Stage::Writes {
            self.note_operation(&traced.operation);
        }
    }

    fn note_operation(&mut self, operation: &Operation) {
        let &Operation { direction, target, length, offset } = operation;
        if direction != Direction::Write {
            return;
        }
        let end = offset + u64::from(length);
        // What it wrote over, in part or whole, is no more.
        let before = self.written.range(..(target, offset)).next_back();
        if let Some((&(at, start), &length)) = before
            && at == target
            && start + u64::from(length) > offset
        {
            self.written.remove(&(at, start));
        }
        let over = |from: u64| (target, from)..(target, end.max(from));
        let covered: Vec<_> = self.written.range(over(offset + 1)).map(|(at, _)| *at).collect();
        covered.iter().for_each(|at| {
            self.written.remove(at);
        });
        self.written.insert((target, offset), length);
    }

    /// The job that reads back after `job`, and its script; `None` when there is nothing more.
    pub(super) fn next(&mut self, job: &Job, time_submissions: bool) -> Option<(Job, Extras)> {
        if self.stage == Stage::Reads || !self.reads_back || self.written.is_empty() {
            return None;
        }
        self.stage = Stage::Reads;
        let written = std::mem::take(&mut self.written);
        let step = |((target, offset), length)| Step {
            operation: Operation { direction: Direction::Read, target, length, offset },
            due_ns: None,
        };
        let script: Arc<[Step]> = written.into_iter().map(step).collect();
        let reads = Job {
            mix: Mix::Read,
            access: Access::Sequential,
            block_size: Bytes(job.largest().0),
            sizes: BlockSizes::default(),
            verify: Some(Verify::Earlier),
            seal: self.seal.clone(),
            sync: None,
            durable: None,
            pacing: Pacing::Closed,
            think: None,
            warm_up: Nanos::ZERO,
            stop: Stop::operations(script.len() as u64),
            seed: Seed(job.seed.0),
            ..job.clone()
        };
        Some((reads, Extras { script: Some(script), time_submissions, ..Extras::default() }))
    }

    /// Writes the files of `verify_dump`.
    pub(super) fn dump(&self, mismatch: &Mismatch, file: &str) -> std::io::Result<()> {
        if !self.dumps {
            return Ok(());
        }
        for (side, bytes) in
            [(Side::Received, &mismatch.found), (Side::Expected, &mismatch.expected)]
        {
            let name = dump_name(file, mismatch.offset, side);
            self.write(Path::new(&name), bytes)?;
        }
        Ok(())
    }
}

/// Where an instance keeps how far its writes came.
pub(super) fn state_file(section: &Section, instance: &Instance, aux: Option<&Path>) -> PathBuf {
    let folder = aux.unwrap_or(Path::new(""));
    folder.join(state_name("local", &section.name, instance.number))
}

/// How blocks of at most `largest` bytes are sealed.
fn seal(options: &VerifyOptions, method: SealMethod, largest: u64) -> Seal {
    let divides = options.interval > 0 && largest.is_multiple_of(options.interval);
    let (pattern, offsets) = match &options.pattern {
        Some(pattern) => (pattern.bytes.clone(), &pattern.offsets[..]),
        None => (Vec::new(), &[][..]),
    };
    Seal {
        method,
        // As in fio: an interval that does not divide the block is none.
        interval: if divides { options.interval as u32 } else { 0 },
        header_offset: options.offset as u32,
        pattern,
        pattern_offsets: offsets.iter().map(|at| *at as u32).collect(),
        seed: Some(SEAL_SEED),
    }
}

/// Whether the engine can read back while it writes: it must know what to expect of a block.
fn may_read_on_the_way(job: &Job) -> bool {
    job.mix == Mix::Write
        && job.sizes.is_plain()
        && (job.depth.0 == 1 || !(job.backend.is_synchronous() || job.access.repeats()))
}

/// How many writes an earlier run completed, by the state that it left at `path`.
fn completed(path: &Path) -> Result<u64, String> {
    let wrong = |error: String| format!("verify_state_load: {}: {error}", path.display());
    let bytes = input::read(path, input::TEXT_MAX).map_err(|error| wrong(error.to_string()))?;
    let state = VerifyState::from_bytes(&bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(state.completed)
}

fn method(method: VerifyMethod) -> Option<SealMethod> {
    Some(match method {
        VerifyMethod::None => return None,
        VerifyMethod::Null => SealMethod::Null,
        VerifyMethod::Md5 => SealMethod::Md5,
        VerifyMethod::Crc7 => SealMethod::Crc7,
        VerifyMethod::Crc16 => SealMethod::Crc16,
        VerifyMethod::Crc32 => SealMethod::Crc32,
        VerifyMethod::Crc32c => SealMethod::Crc32c,
        VerifyMethod::Crc64 => SealMethod::Crc64,
        VerifyMethod::Sha1 => SealMethod::Sha1,
        VerifyMethod::Sha256 => SealMethod::Sha256,
        VerifyMethod::Sha512
        | VerifyMethod::Sha3_224
        | VerifyMethod::Sha3_256
        | VerifyMethod::Sha3_384
        | VerifyMethod::Sha3_512 => SealMethod::Sha512,
        VerifyMethod::Xxhash => SealMethod::XxHash,
        VerifyMethod::Pattern => SealMethod::Pattern,
        VerifyMethod::PatternHeader => SealMethod::PatternHeader,
        VerifyMethod::HeaderOnly => SealMethod::Meta,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(operations: &[(u64, u32)]) -> Vec<(u64, u32)> {
        let mut verification = Verification {
            seal: Seal::default(),
            stage: Stage::Writes,
            reads_after: true,
            written: BTreeMap::new(),
            reads_back: true,
            dumps: false,
            results: None,
            completed: 0,
            state: None,
            opened_state: None,
        };
        for &(offset, length) in operations {
            let operation = Operation { direction: Direction::Write, target: 0, length, offset };
            verification.note_operation(&operation);
        }
        verification.written.into_iter().map(|((_, offset), length)| (offset, length)).collect()
    }

    #[test]
    fn only_what_was_not_written_over_is_read_back() {
        assert_eq!(written(&[(0, 4), (4, 4), (0, 4)]), [(0, 4), (4, 4)]);
        assert_eq!(written(&[(0, 8), (4, 4)]), [(4, 4)]);
        assert_eq!(written(&[(4, 4), (8, 4), (12, 4), (0, 12)]), [(0, 12), (12, 4)]);
        assert_eq!(written(&[(8, 4), (6, 4)]), [(6, 4)]);
    }
}
