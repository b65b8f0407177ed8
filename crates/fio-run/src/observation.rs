//! What the disks counted while jobs used them: one observation of each disk in each wave, so that
//! no figure is held against the requests of another wave.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;

use jiff::Timestamp;
use record::{ExtentSummary, Layer, Ledger, Residency, TargetInfo, TargetKind};
use target::{
    CounterSnapshot, FolderEntry, Roots, describe_target, open_for_reading, query_extents,
    query_residency,
};
use units::Bytes;

use super::disks::disk_number;
use super::instance_run::{InstanceRun, InstanceState};

/// The page cache and the extents of more files are not looked at.
const FILES_MAX: usize = 64;

pub(super) struct Observation {
    /// Places of the runs that use the disk.
    pub(super) members: Vec<usize>,
    /// Without layers where its runs use several disks.
    pub(super) info: TargetInfo,
    /// Whether only these runs use the counters of this process.
    is_alone: bool,
    progress: ObservationProgress,
}

enum ObservationProgress {
    Waiting,
    Running(Box<ObservationStart>),
    Ended { started: Timestamp, counted: Box<Ledger> },
}

struct ObservationStart {
    at: Timestamp,
    counters: CounterSnapshot,
    files: Vec<ObservedFile>,
    cached: Option<Residency>,
}

struct ObservedFile {
    file: File,
    offset: Bytes,
    length: Bytes,
}

impl Observation {
    /// Begins with the first of its runs, and ends with the last.
    pub(super) fn follow(&mut self, runs: &[InstanceRun<'_>], roots: &Roots) {
        let mut followed = self.members.iter().map(|&place| &runs[place]);
        match &self.progress {
            ObservationProgress::Waiting => {
                if followed.any(|run| !matches!(run.state, InstanceState::Waiting)) {
                    let files = open_files(&self.members, runs);
                    self.progress = ObservationProgress::Running(Box::new(ObservationStart {
                        at: Timestamp::now(),
                        cached: count_cached(&files),
                        files,
                        counters: CounterSnapshot::take(&self.info.stack, roots),
                    }));
                }
            }
            ObservationProgress::Running(start) => {
                if followed.all(InstanceRun::is_done) {
                    let counted = Box::new(self.count(start, roots));
                    self.progress = ObservationProgress::Ended { started: start.at, counted };
                }
            }
            ObservationProgress::Ended { .. } => {}
        }
    }

    /// What was counted beside the requests, and from when on; `None` if its runs did not end.
    pub(super) fn counted(&self) -> Option<(Timestamp, &Ledger)> {
        match &self.progress {
            ObservationProgress::Ended { started, counted } => Some((*started, counted)),
            _ => None,
        }
    }

    fn count(&self, start: &ObservationStart, roots: &Roots) -> Ledger {
        let counted = CounterSnapshot::take(&self.info.stack, roots).deltas_since(&start.counters);
        let cached = start.cached.clone().zip(count_cached(&start.files));
        Ledger {
            elapsed: counted.elapsed,
            process: counted.process.filter(|_| self.is_alone),
            layers: counted.layers,
            residency: cached
                .map(|(then, now)| Residency { cached_before: then.cached_before, ..now }),
            system: counted.system,
            cpu_throttle: counted.cpu_throttle,
            io_limits: counted.io_limits,
            ..Ledger::default()
        }
    }
}

/// The observations of a run, and why some are missing. A wave with metadata calls, or with a file
/// that cannot be described, is not observed: its requests, or where they go, are not known.
pub(super) fn plan_observations(
    runs: &[InstanceRun<'_>],
    roots: &Roots,
) -> (Vec<Observation>, Vec<String>) {
    let mut waves: Vec<u32> = runs.iter().map(|run| run.instance.wave).collect();
    waves.sort_unstable();
    waves.dedup();
    let mut disks = KnownDisks { roots, known: HashMap::new() };
    let (mut observations, mut notes) = (Vec::new(), Vec::new());
    for wave in waves {
        match disks.observe_wave(wave, runs) {
            Ok(observed) => observations.extend(observed),
            Err(error) => {
                notes.push(format!("no figure is held against a disk's counters: {error}"))
            }
        }
    }
    (observations, notes)
}

/// The layers below each device number, looked up once.
struct KnownDisks<'a> {
    roots: &'a Roots,
    known: HashMap<(bool, u64), TargetInfo>,
}

/// Runs whose requests are counted together.
struct DiskGroup {
    members: Vec<usize>,
    disks: Vec<TargetInfo>,
    /// Whether some of the requests go to no disk, and are not told from the others.
    goes_elsewhere: bool,
}

impl KnownDisks<'_> {
    fn observe_wave(
        &mut self,
        wave: u32,
        runs: &[InstanceRun<'_>],
    ) -> Result<Vec<Observation>, String> {
        let mut groups: Vec<DiskGroup> = Vec::new();
        let mut is_alone = true;
        for (place, run) in runs.iter().enumerate().filter(|(_, run)| run.instance.wave == wave) {
            if run.section.options.engine.engine.calls_names() {
                return Ok(Vec::new());
            }
            let (disks, goes_elsewhere) = self.find_disks(run)?;
            is_alone &= !goes_elsewhere;
            if disks.is_empty() {
                is_alone = false;
                continue;
            }
            let mut joined = DiskGroup { members: vec![place], disks, goes_elsewhere };
            groups.retain_mut(|group| {
                let counts = group.is_counted_with(&joined);
                if counts {
                    joined.absorb(group);
                }
                !counts
            });
            groups.push(joined);
        }
        is_alone &= groups.len() == 1;
        groups.retain(|group| !group.goes_elsewhere);
        groups.into_iter().map(|group| group.observe(runs, is_alone, self.roots)).collect()
    }

    /// One entry for each disk that a run uses; whether it uses something else, such as /dev/zero.
    fn find_disks(&mut self, run: &InstanceRun<'_>) -> Result<(Vec<TargetInfo>, bool), String> {
        let mut disks: Vec<TargetInfo> = Vec::new();
        let mut goes_elsewhere = false;
        for entry in &run.files.entries {
            let path = entry.path();
            let metadata = std::fs::metadata(path)
                .map_err(|error| format!("cannot look at {}: {error}", path.display()))?;
            let file_type = metadata.file_type();
            if file_type.is_char_device() || file_type.is_fifo() || file_type.is_socket() {
                goes_elsewhere = true;
                continue;
            }
            let device = disk_number(&metadata);
            let known = match self.known.get(&device) {
                Some(known) => known.clone(),
                None => {
                    let found = describe_target(entry, self.roots).map_err(to_text)?;
                    self.known.entry(device).or_insert(found).clone()
                }
            };
            if !disks.iter().any(|disk| have_same_counters(disk, &known)) {
                disks.push(known);
            }
        }
        Ok((disks, goes_elsewhere))
    }
}

fn to_text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Whether the counters of the devices below two files are the same.
pub(super) fn have_same_counters(a: &TargetInfo, b: &TargetInfo) -> bool {
    (a.kind, &a.stack, &a.file_system) == (b.kind, &b.stack, &b.file_system)
}

impl DiskGroup {
    /// Whether the requests of one are counted at the top of the other's disks.
    fn is_counted_with(&self, other: &Self) -> bool {
        let has = |disk: &TargetInfo, top: &Layer| disk.stack.iter().any(|l| l.name == top.name);
        let counts = |of: &TargetInfo, top: &TargetInfo| {
            have_same_counters(of, top) || top.stack.first().is_some_and(|top| has(of, top))
        };
        self.disks.iter().any(|a| other.disks.iter().any(|b| counts(a, b) || counts(b, a)))
    }

    fn absorb(&mut self, other: &mut Self) {
        self.goes_elsewhere |= other.goes_elsewhere;
        self.members.append(&mut other.members);
        self.members.sort_unstable();
        for disk in other.disks.drain(..) {
            if !self.disks.iter().any(|known| have_same_counters(known, &disk)) {
                self.disks.push(disk);
            }
        }
    }

    fn observe(
        self,
        runs: &[InstanceRun<'_>],
        is_alone: bool,
        roots: &Roots,
    ) -> Result<Observation, String> {
        let first = &runs[self.members[0]];
        let entry = &first.files.entries[0];
        let mut info = describe_target(entry, roots).map_err(to_text)?;
        // A job with direct=0 does not show O_DIRECT: it is tried.
        info.direct = first.plan.job.direct
            || open_for_reading(entry, true).is_ok_and(|opened| opened.direct);
        info.size = open_for_reading(entry, false).map_err(to_text)?.size;
        if info.kind != TargetKind::BlockDevice && !are_written_before(&self.members, runs) {
            info.extents = sum_extents(&open_files(&self.members, runs));
        }
        if self.disks.len() > 1 {
            info.stack.clear();
        }
        let (members, progress) = (self.members, ObservationProgress::Waiting);
        Ok(Observation { members, info, is_alone, progress })
    }
}

/// Whether the files of these runs are written before they are read: by jobs of an earlier wave, or
/// by themselves, to be verified.
fn are_written_before(members: &[usize], runs: &[InstanceRun<'_>]) -> bool {
    let own: HashSet<&PathBuf> =
        members.iter().flat_map(|&place| &runs[place].files.paths).collect();
    let mut these = members.iter().map(|&place| &runs[place]);
    let wave = these.clone().map(|run| run.instance.wave).min();
    these.any(|run| run.verification.is_some() && run.plan.job.mix.writes())
        || runs.iter().any(|run| {
            Some(run.instance.wave) < wave
                && run.plan.job.mix.writes()
                && run.files.paths.iter().any(|path| own.contains(path))
        })
}

/// The parts of files that the runs use, each once; none where they are too many.
fn open_files(members: &[usize], runs: &[InstanceRun<'_>]) -> Vec<ObservedFile> {
    let mut parts: Vec<(&FolderEntry, Bytes, Bytes)> = Vec::new();
    for run in members.iter().map(|&place| &runs[place]) {
        let job = &run.plan.job;
        for (number, entry) in run.files.entries.iter().enumerate() {
            let part = (entry, job.span.offset, job.span_length(number));
            let is_same = |known: &(&FolderEntry, Bytes, Bytes)| {
                (known.0.path(), known.1, known.2) == (entry.path(), part.1, part.2)
            };
            if !parts.iter().any(is_same) {
                parts.push(part);
            }
            if parts.len() > FILES_MAX {
                return Vec::new();
            }
        }
    }
    let open = |(entry, offset, length): (&FolderEntry, Bytes, Bytes)| {
        let file = open_for_reading(entry, false).ok()?.file;
        Some(ObservedFile { file, offset, length })
    };
    parts.into_iter().map(open).collect::<Option<_>>().unwrap_or_default()
}

/// Pages in memory now, as those before a run; `None` where that is unknown.
fn count_cached(files: &[ObservedFile]) -> Option<Residency> {
    let mut sum: Option<Residency> = None;
    for ObservedFile { file, offset, length } in files {
        let (method, pages, cached) = query_residency(file, *offset, *length)?;
        let sum = sum.get_or_insert_with(|| Residency {
            method: method.to_owned(),
            pages: 0,
            cached_before: 0,
            cached_after: 0,
        });
        sum.pages += pages;
        sum.cached_before += cached;
        sum.cached_after += cached;
    }
    sum
}

fn sum_extents(files: &[ObservedFile]) -> Option<ExtentSummary> {
    let mut sum: Option<ExtentSummary> = None;
    for ObservedFile { file, offset, length } in files {
        let found = query_extents(file, *offset, *length).ok().flatten()?;
        match &mut sum {
            Some(sum) => sum.add(&found),
            None => sum = Some(found),
        }
    }
    sum
}
