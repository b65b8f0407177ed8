//! Verification: a session that reads back what an instance wrote, in the order of offsets.

mod seal;
mod trims;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{
    DefectKind, Mismatch, Operation, RequestedOps, ScriptStep, SessionOptions, ShortBytes,
    TracedOperation,
};
use fio::options::parse::WRITES;
use fio::options::verify::VerifyOptions;
use fio::plan::{Instance, InstancePlan, PlanError, Section};
use fio::verify::{VerifyState, Wrong, WrongBlock, dump_name, state_name, trimmed_block_text};
use output::{Destination, Destinations};
use units::{Bytes, Nanos, Seed};
use workload::{Access, BlockSizes, Direction, Job, Mix, Pacing, Seal, Stop, Verify};

use super::request::JobsRequest;
use seal::{build_seal, choose_method};
use trims::PlaceTrims;
pub(super) use trims::STEPS_MAX;

/// The error of a wrong block.
pub(super) const EILSEQ: i32 = 84;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VerifyPhase {
    Writes,
    Reads,
    /// Of places that were trimmed after they were written.
    TrimmedReads,
}

#[derive(Debug)]
pub(super) struct Verification {
    seal: Seal,
    stage: VerifyPhase,
    /// Reads back after writing, not meanwhile.
    reads_after: bool,
    /// Length and number of the last write to each place.
    written: BTreeMap<(u16, u64), (u32, u64)>,
    /// fio compares the numbers of writes of one size, unless time ends them or it cannot know
    /// which of two comes last.
    compares_numbers: bool,
    reads_back: bool,
    dumps: bool,
    /// For dumps and the state; `None` if they are forbidden.
    results: Option<Destinations>,
    /// What `verify_only` takes to be done.
    assumed: RequestedOps,
    trims: PlaceTrims,
    /// How far the writes have come, for `verify_state_save`.
    progress: VerifyState,
    /// Newest completed writes, by file.
    newest: BTreeMap<u16, VecDeque<u64>>,
    /// File of the progress.
    state: Option<PathBuf>,
    /// The same, opened before the measurement.
    opened_state: Option<Destination>,
}

impl Verification {
    /// For a section that verifies: makes its job seal what it writes, or check what it reads.
    pub(super) fn from_section(
        section: &Section,
        instance: &Instance,
        job: &mut Job,
        files: usize,
        request: &JobsRequest<'_>,
    ) -> Result<Option<Self>, PlanError> {
        let options = &section.options.verify;
        let Some(method) = choose_method(section) else { return Ok(None) };
        let refuse = |(conflict, hint): Conflict| {
            let hint = Some(hint.to_owned());
            PlanError { job: section.name.clone(), conflict, hint }
        };
        let state = state_file(section, instance, request.aux);
        let earlier = load_earlier(options, job, &state).map_err(refuse)?;
        if job.mix == Mix::Trim && options.only {
            let conflict = "verify_only changes nothing, but rw trims".to_owned();
            return Err(refuse((conflict, "leave verify_only out, or give rw=write")));
        }
        // As in fio: trims, and reads of a job that could write, are held against nothing.
        let could_write = section.options.pattern.rw.operation.writes();
        if job.mix == Mix::Trim || job.mix == Mix::Read && could_write {
            return Ok(None);
        }
        let seal = build_seal(options, method, &section.options.pattern);
        job.seal = seal.clone();
        let errors = &section.options.errors;
        let goes_on = errors.continue_on.verify || errors.ignore.verify.contains(&EILSEQ);
        // Without an option that goes on, fio ends a job at the first wrong block.
        job.verify_stops = options.fatal || !goes_on;
        job.payload = workload::Payload::Unique;
        let verify = choose_verify(options, job);
        job.verify = Some(verify);
        let stage = match verify {
            Verify::SealOnly => VerifyPhase::Writes,
            _ => VerifyPhase::Reads,
        };
        let (reads_back, dumps) = (options.do_verify, options.dump);
        let state = (options.state_save && job.mix.sends_data() && !options.only).then_some(state);
        let reads_after = stage == VerifyPhase::Writes;
        let trims = PlaceTrims::from_options(options, section.options.engine.engine, &seal);
        let mut this = Self {
            seal,
            stage,
            reads_after,
            written: BTreeMap::new(),
            compares_numbers: compares_numbers(section, job),
            reads_back,
            dumps,
            results: request.results.cloned(),
            assumed: RequestedOps::default(),
            trims,
            progress: VerifyState {
                name: section.name.clone(),
                index: u64::from(instance.number),
                depth: job.depth.0,
                files: files as u32,
                ..VerifyState::default()
            },
            newest: BTreeMap::new(),
            state,
            opened_state: None,
        };
        if options.only && job.mix.sends_data() {
            this.assume_written(job, files, earlier.as_ref());
        }
        Ok(Some(this))
    }

    /// Prepares another loop.
    pub(super) fn restart(&mut self) {
        if self.reads_after {
            self.stage = VerifyPhase::Writes;
        }
    }

    /// Whether it only reads what an earlier run wrote.
    pub(super) fn starts_with_reads(&self) -> bool {
        self.stage == VerifyPhase::Writes && self.has_places()
    }

    /// Records the operations that the job would do.
    fn assume_written(&mut self, job: &Job, files: usize, earlier: Option<&VerifyState>) {
        for operation in self.trims.all_operations(job, files) {
            let place = operation.direction as usize;
            let (file, number) = (u64::from(operation.target), self.assumed.ops[place]);
            let completed =
                |state: &VerifyState| state.has_completed(number, file, operation.offset);
            if operation.direction == Direction::Trim || earlier.is_none_or(completed) {
                self.record_operation(&operation, 0);
            }
            self.assumed.ops[place] += 1;
            self.assumed.bytes[place] += u64::from(operation.length);
        }
    }

    /// The operations that are taken to be done, which fio reports.
    pub(super) fn assumed(&self) -> &RequestedOps {
        &self.assumed
    }

    /// The steps of a job that trims what it wrote; they end it.
    pub(super) fn plan_trims(
        &self,
        section: &Section,
        plan: &mut InstancePlan,
        files: usize,
        steps_left: &mut usize,
    ) -> Result<Option<Arc<[ScriptStep]>>, PlanError> {
        self.trims.plan_steps(section, plan, files, steps_left)
    }

    fn has_places(&self) -> bool {
        !(self.written.is_empty() && self.trims.places.is_empty())
    }

    pub(super) fn reads_back(&self) -> bool {
        self.reads_back
    }

    /// Whether every operation must be traced.
    pub(super) fn needs_trace(&self) -> bool {
        self.reads_back || self.state.is_some()
    }

    /// As in fio, an error is reported only when the state is written.
    pub(super) fn open_state(&mut self, results: Option<&Destinations>) {
        self.results = results.cloned();
        let opened = self.results.clone().zip(self.state.as_deref());
        self.opened_state = opened.and_then(|(mut results, path)| results.open(path).ok());
    }

    /// Saves the number of completed writes.
    pub(super) fn save_state(&mut self) -> std::io::Result<()> {
        let Some(path) = self.state.take() else { return Ok(()) };
        let mut state = std::mem::take(&mut self.progress);
        for (file, offsets) in &self.newest {
            state.completed.extend(offsets.iter().map(|offset| (u64::from(*file), *offset)));
        }
        match self.opened_state.take() {
            Some(file) => file.save(&state.to_bytes()).map_err(std::io::Error::other),
            None => self.write_file(&path, &state.to_bytes()),
        }
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let Some(mut results) = self.results.clone() else {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        };
        results
            .open(path)
            .and_then(|destination| destination.save(bytes))
            .map_err(std::io::Error::other)
    }

    pub(super) fn record_completion(&mut self, traced: &TracedOperation) {
        if traced.operation.direction == Direction::Write {
            self.progress.started += 1;
            let newest = self.newest.entry(traced.operation.target).or_default();
            newest.push_back(traced.operation.offset);
            if newest.len() > self.progress.depth as usize {
                newest.pop_front();
            }
        }
        if self.stage == VerifyPhase::Writes {
            self.record_operation(&traced.operation, traced.sequence);
        }
    }

    fn record_operation(&mut self, operation: &Operation, sequence: u64) {
        match operation.direction {
            Direction::Write => self.record_write(operation, sequence),
            Direction::Trim => {
                let place = (operation.target, operation.offset);
                // The trim before a write comes where nothing was written.
                if self.written.get(&place).is_some_and(|at| at.0 == operation.length)
                    && self.trims.record_trim(operation)
                {
                    self.written.remove(&place);
                }
            }
            Direction::Read | Direction::Sync => {}
        }
    }

    fn record_write(&mut self, operation: &Operation, sequence: u64) {
        let &Operation { target, length, offset, .. } = operation;
        let end = offset + u64::from(length);
        // Removes what was overwritten, even in part.
        let before = self.written.range(..(target, offset)).next_back();
        if let Some((&(at, start), &(length, _))) = before
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
        self.written.insert((target, offset), (length, sequence));
    }

    pub(super) fn next_session(
        &mut self,
        job: &Job,
        time_submissions: bool,
    ) -> Option<(Job, SessionOptions)> {
        if !self.reads_back || !self.has_places() {
            return None;
        }
        let (places, seal) = if self.written.is_empty() {
            self.stage = VerifyPhase::TrimmedReads;
            (self.trims.take_places(), self.trims.zeros())
        } else {
            self.stage = VerifyPhase::Reads;
            (std::mem::take(&mut self.written), self.seal.clone())
        };
        let step = |((target, offset), (length, sequence))| ScriptStep {
            operation: Operation { direction: Direction::Read, target, length, offset },
            due_ns: None,
            sequence: (self.compares_numbers && sequence > 0).then_some(sequence),
            outstanding_max: None,
        };
        let script: Arc<[ScriptStep]> = places.into_iter().map(step).collect();
        let reads = Job {
            mix: Mix::Read,
            access: Access::Sequential,
            block_size: Bytes(job.max_block_size().0),
            sizes: BlockSizes::default(),
            verify: Some(Verify::Earlier),
            seal,
            sync: None,
            durable: None,
            pacing: Pacing::Closed,
            think: None,
            warm_up: Nanos::ZERO,
            stop: Stop::operations(script.len() as u64),
            seed: Seed(job.seed.0),
            ..job.clone()
        };
        Some((
            reads,
            SessionOptions { script: Some(script), time_submissions, ..SessionOptions::default() },
        ))
    }

    /// `verify_dump`: the wrong interval, and what it should be; a wrong header has no second side.
    /// Says what was written.
    pub(super) fn write_dump(&self, mismatch: &Mismatch, file: &str) -> std::io::Result<String> {
        let mut lines = String::new();
        if !self.dumps || self.stage == VerifyPhase::TrimmedReads {
            return Ok(lines);
        }
        let range = self.interval_of(mismatch);
        let offset = mismatch.offset + range.start as u64;
        let part = |block: &[u8]| block.get(range.clone()).unwrap_or_default().to_vec();
        let kind = mismatch.defect.kind;
        let of_fio = self.seal.layout.is_fio();
        let sides = match of_fio && !matches!(kind, DefectKind::Data | DefectKind::Pattern) {
            true => vec![("hdr_fail", part(&mismatch.found))],
            false => {
                vec![("received", part(&mismatch.found)), ("expected", part(&mismatch.expected))]
            }
        };
        for (side, bytes) in sides {
            let name = dump_name(file, offset, side);
            self.write_file(Path::new(&name), &bytes)?;
            lines.push_str(&format!("\n       {side} data dumped as {name}"));
        }
        Ok(lines)
    }

    /// The bytes of the wrong interval in its block.
    fn interval_of(&self, mismatch: &Mismatch) -> std::ops::Range<usize> {
        let length = mismatch.found.len();
        let interval = match self.seal.interval as usize {
            0 => length,
            interval => interval.min(length),
        };
        let start = mismatch.defect.at as usize / interval.max(1) * interval;
        start..(start + interval).min(length)
    }

    /// fio's lines of a wrong block in its layout.
    pub(super) fn describe(&self, mismatch: &Mismatch, file: &str) -> Option<String> {
        if !self.seal.layout.is_fio() {
            return None;
        }
        let defect = &mismatch.defect;
        if self.stage == VerifyPhase::TrimmedReads {
            let (offset, length) = (mismatch.offset, mismatch.found.len() as u64);
            return Some(trimmed_block_text(file, offset, length, defect.at));
        }
        let range = self.interval_of(mismatch);
        let (found, wanted) = (defect.found.number(), defect.expected.number());
        let first = |bytes: &ShortBytes| bytes.as_slice().first().copied().unwrap_or(0);
        let wrong = match defect.kind {
            DefectKind::Magic => Wrong::Magic { found },
            DefectKind::Length => Wrong::Length { found },
            DefectKind::Offset => Wrong::Offset { found },
            DefectKind::Sequence => Wrong::Number { found, wanted },
            DefectKind::HeaderChecksum => Wrong::HeaderChecksum { found, computed: wanted },
            DefectKind::Data => {
                let (stored, computed) = mismatch.sums.as_ref()?;
                Wrong::Sum {
                    method: self.seal.method.name(),
                    stored,
                    computed,
                    kinds: (mismatch.stored_method, mismatch.method_number),
                }
            }
            _ => Wrong::Pattern {
                found: first(&defect.found),
                wanted: first(&defect.expected),
                // fio counts from behind the header.
                at: (defect.at - range.start as u64).saturating_sub(mismatch.header_bytes),
            },
        };
        let block = WrongBlock {
            file,
            offset: mismatch.offset,
            length: mismatch.found.len() as u64,
            interval: (mismatch.offset + range.start as u64, range.len() as u64),
            written_here: self.reads_after,
            wrong,
        };
        Some(block.text())
    }
}

/// File of the number of completed writes.
pub(super) fn state_file(section: &Section, instance: &Instance, aux: Option<&Path>) -> PathBuf {
    let folder = aux.unwrap_or(Path::new(""));
    folder.join(state_name("local", &section.name, instance.number))
}

fn choose_verify(options: &VerifyOptions, job: &Job) -> Verify {
    let writes = u32::try_from(options.backlog).unwrap_or(u32::MAX);
    if writes > 0 && !options.only && can_verify_inline(job) {
        Verify::Batches { writes }
    } else if job.mix.sends_data() {
        Verify::SealOnly
    } else {
        Verify::Earlier
    }
}

fn compares_numbers(section: &Section, job: &Job) -> bool {
    let (verify, pattern) = (&section.options.verify, &section.options.pattern);
    let one_size = pattern.min_bs(WRITES) == pattern.max_bs(WRITES);
    let overtaken = job.repeats_blocks() && job.depth.0 > 1;
    one_size
        && verify.write_sequence
        && !verify.only
        && !section.options.run.time_based
        && !overtaken
}

/// Whether the engine can read back while it writes: it must know what to expect.
fn can_verify_inline(job: &Job) -> bool {
    job.mix == Mix::Write
        && job.sizes.is_plain()
        && (job.depth.0 == 1 || !(job.backend.is_synchronous() || job.repeats_blocks()))
}

/// What cannot be, and what to do next.
type Conflict = (String, &'static str);

/// How far an earlier run had come (`verify_state_load`), which ends the job.
fn load_earlier(
    options: &VerifyOptions,
    job: &mut Job,
    path: &Path,
) -> Result<Option<VerifyState>, Conflict> {
    if !options.state_load {
        return Ok(None);
    }
    if job.mix.sends_data() && !options.only {
        let conflict =
            "verify_state_load tells how far an earlier run came, but this one writes anew";
        return Err((conflict.to_owned(), "use verify_only=1"));
    }
    let wrong = |error: String| {
        let hint = "write it first: verify_state_save=1 in a job of the same name";
        (format!("verify_state_load: {}: {error}", path.display()), hint)
    };
    let bytes =
        input::read_file(path, input::TEXT_MAX).map_err(|error| wrong(error.to_string()))?;
    let state = VerifyState::from_bytes(&bytes).map_err(|error| wrong(error.to_string()))?;
    let most = job.stop.operations.unwrap_or(u64::MAX);
    job.stop.operations = Some(state.started.min(most));
    Ok(Some(state))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(operations: &[(u64, u32)]) -> Vec<(u64, u32)> {
        let mut verification = Verification {
            seal: Seal::default(),
            stage: VerifyPhase::Writes,
            reads_after: true,
            written: BTreeMap::new(),
            compares_numbers: true,
            reads_back: true,
            dumps: false,
            results: None,
            assumed: RequestedOps::default(),
            trims: PlaceTrims::default(),
            progress: VerifyState::default(),
            newest: BTreeMap::new(),
            state: None,
            opened_state: None,
        };
        for &(offset, length) in operations {
            let operation = Operation { direction: Direction::Write, target: 0, length, offset };
            verification.record_write(&operation, 1);
        }
        verification.written.into_iter().map(|((_, at), (length, _))| (at, length)).collect()
    }

    #[test]
    fn only_what_was_not_written_over_is_read_back() {
        assert_eq!(written(&[(0, 4), (4, 4), (0, 4)]), [(0, 4), (4, 4)]);
        assert_eq!(written(&[(0, 8), (4, 4)]), [(4, 4)]);
        assert_eq!(written(&[(4, 4), (8, 4), (12, 4), (0, 12)]), [(0, 12), (12, 4)]);
        assert_eq!(written(&[(8, 4), (6, 4)]), [(6, 4)]);
    }
}
