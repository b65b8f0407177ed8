//! `read_iolog`: a recording as a script for the engine.

use std::collections::HashMap;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use engine::{Operation, ScriptStep};
use fio::iolog::{IoKind, IologReader, replay_steps};
use fio::plan::{Instance, InstancePlan, Region, Section};
use units::{Bytes, Nanos};
use workload::{Direction, Mix, Stop};

use super::error::JobsError;
use super::files::{PreparedFiles, ResolvedFiles};

/// All steps are in memory, at 40 bytes each.
const STEPS_MAX: usize = 16 << 20;

pub(super) struct Replay {
    /// Files by number, and how far each is touched.
    pub(super) files: Vec<(String, u64)>,
    steps: Vec<ScriptStep>,
}

/// Reads the recording of `instance`, if any. With `read_only` writes and trims are left out.
pub(super) fn read_replay(
    section: &Section,
    instance: &Instance,
    read_only: bool,
) -> Result<Option<Replay>, JobsError> {
    let mut options = section.options.replay.clone();
    let [_, skips_writes, skips_trims, _] = &mut options.skip;
    *skips_writes |= read_only;
    *skips_trims |= read_only;
    let count = options.read_iologs.len();
    if count == 0 {
        return Ok(None);
    }
    let path = &options.read_iologs[instance.clone as usize % count];
    let wrong = |error: String| {
        let hint = "name a trace of fio (write_iolog) or of blktrace: blkparse -d FILE";
        JobsError::file(&section.name, format!("{path}: {error}"), hint)
    };
    let file = input::open_file(Path::new(path)).map_err(|error| wrong(error.to_string()))?;
    let mut reader = IologReader::new(BufReader::new(file)).map_err(|e| wrong(e.to_string()))?;
    let version = reader.version();
    let mut replay = Replay { files: Vec::new(), steps: Vec::new() };
    let mut touched = TouchedFiles::default();
    for step in replay_steps(&mut reader, version, options.clone()) {
        let step = step.map_err(|error| wrong(error.to_string()))?;
        if replay.steps.len() == STEPS_MAX {
            return Err(wrong(format!("it holds more than {STEPS_MAX} operations; cut it in two")));
        }
        let file = if options.redirect.is_some() { 0 } else { step.file };
        let number = touched.file_number(file, step.offset.saturating_add(step.length));
        let direction = match step.kind {
            IoKind::Read => Direction::Read,
            IoKind::Write => Direction::Write,
            IoKind::Trim => Direction::Trim,
            IoKind::Sync | IoKind::Datasync => Direction::Sync,
        };
        let length = u32::try_from(step.length)
            .map_err(|_| wrong(format!("line {}: an operation above 4 GiB", step.line)))?;
        let operation = Operation { direction, target: number, length, offset: step.offset };
        let due_ns = (!options.no_stall).then_some(step.due_ns);
        replay.steps.push(ScriptStep { operation, due_ns, sequence: None, outstanding_max: None });
    }
    let name = |file: usize| options.redirect.as_ref().unwrap_or(&reader.files()[file]).clone();
    replay.files = touched.files.into_iter().map(|(file, end)| (name(file), end)).collect();
    if replay.steps.is_empty() {
        return Err(wrong("it holds no operation".to_owned()));
    }
    Ok(Some(replay))
}

/// The files of a recording that have operations.
#[derive(Default)]
struct TouchedFiles {
    /// Number in the recording, and how far it is touched.
    files: Vec<(usize, u64)>,
    /// Number in the recording -> place in `files`.
    places: HashMap<usize, usize>,
}

impl TouchedFiles {
    /// The number of a file that an operation touches up to `end`.
    fn file_number(&mut self, file: usize, end: u64) -> u16 {
        let place = *self.places.entry(file).or_insert_with(|| {
            self.files.push((file, 0));
            self.files.len() - 1
        });
        self.files[place].1 = self.files[place].1.max(end);
        // The reader limits the number of files.
        u16::try_from(place).unwrap_or(u16::MAX)
    }
}

impl Replay {
    pub(super) fn has_direction(&self, direction: Direction) -> bool {
        self.steps.iter().any(|step| step.operation.direction == direction)
    }

    pub(super) fn changes_data(&self) -> bool {
        self.has_direction(Direction::Write) || self.has_direction(Direction::Trim)
    }

    /// The files of a replay.
    pub(super) fn prepare_files(&self, files: ResolvedFiles) -> PreparedFiles {
        let ResolvedFiles { paths, entries } = files;
        let most = self.files.iter().map(|(_, end)| *end).max().unwrap_or(0);
        let region = Region::of_file(most);
        PreparedFiles { region, paths, entries, targets: Vec::new(), writes: self.changes_data() }
    }

    pub(super) fn apply_to_plan(
        self,
        work: &mut InstancePlan,
        prepared: &PreparedFiles,
    ) -> Arc<[ScriptStep]> {
        // A trim moves no data, however long it is.
        let moves = self.steps.iter().filter(|step| step.operation.direction != Direction::Trim);
        let largest = moves.map(|step| u64::from(step.operation.length)).max();
        let (reads, writes) =
            (self.has_direction(Direction::Read), self.has_direction(Direction::Write));
        let job = &mut work.job;
        job.mix = match (reads, writes, self.has_direction(Direction::Trim)) {
            (_, _, true) => Mix::TrimWrite,
            (true, true, _) => Mix::Mixed { read_percent: 50 },
            (false, true, _) => Mix::Write,
            _ => Mix::Read,
        };
        if self.has_direction(Direction::Sync) && job.sync.is_none() && writes {
            let kind = workload::SyncKind::Fsync;
            job.sync = Some(workload::SyncPolicy { kind, every: u32::MAX });
        }
        job.block_size = Bytes(largest.unwrap_or(4096).max(512));
        job.sizes = workload::BlockSizes::default();
        job.span.offset = Bytes(0);
        job.span.length = Bytes(prepared.region.length);
        let data = self.steps.iter().filter(|step| step.operation.direction != Direction::Sync);
        let time: Option<Nanos> = job.stop.time;
        job.stop = Stop { time, bytes: None, operations: Some(data.count().max(1) as u64) };
        self.steps.into()
    }
}
