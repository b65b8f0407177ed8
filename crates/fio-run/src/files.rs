//! The files of a run.
//!
//! All files are made before the first job starts, as by fio. But an existing file is never made
//! anew: a job that only reads and wants more than the file has is refused.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Clock, FileLock, StopSignal, Target, TargetLock};
use fio::options::engine::Engine;
use fio::options::target::{FadviseHint, LockMode, WriteHint};
use fio::plan::{FileState, Instance, Region, Section, file_names, plan_region};
use message::Message;
use target::{
    AccessAdvice, FolderEntry, OpenTarget, PathHandle, PermitOptions, Roots, TargetError,
    WriteLifetime, WritePermit, announce_access, is_contentless_device, open_contentless_device,
    open_for_reading, open_for_writing, permit_named,
};
use units::Bytes;

use super::error::JobsError;
use super::file_ops::{
    check_creatable, display_path, fillable_bytes, inspect_file, inspect_name, is_device,
    is_unchanged, read_through, system_error,
};
use super::own_files::{OwnFiles, not_removed_note};
use super::path_policy::{PathAccess, PathPolicy, PathRefusal};
use super::planned_growth::PlannedGrowth;
use super::request::{JobsObserver, JobsRequest};

#[derive(Debug)]
pub(super) struct PreparedFiles {
    pub(super) region: Region,
    pub(super) paths: Vec<PathBuf>,
    /// Empty for the null engine.
    pub(super) entries: Vec<FolderEntry>,
    /// Empty before [`RunFiles::open`].
    pub(super) targets: Vec<Target>,
    /// Opened for writing.
    pub(super) writes: bool,
}

/// The files of an instance. Their paths are resolved once, so that the checks, the layout and the
/// removal concern the same folders.
#[derive(Debug)]
pub(super) struct ResolvedFiles {
    pub(super) paths: Vec<PathBuf>,
    /// Empty for the null engine.
    pub(super) entries: Vec<FolderEntry>,
}

/// Permissions of a run.
#[derive(Clone, Copy, Default)]
pub(super) struct WritePolicy<'a> {
    /// `--readonly`
    pub(super) read_only: bool,
    /// `--yes-destroy-data-on`
    pub(super) destroy: Option<&'a Path>,
    /// Announces the search of a device for data.
    pub(super) announce: Option<fn(&Message)>,
    /// For jobs sent by another host.
    pub(super) path_policy: Option<PathPolicy<'a>>,
}

impl<'a> WritePolicy<'a> {
    pub(super) fn new(request: &JobsRequest<'a>, path_policy: Option<PathPolicy<'a>>) -> Self {
        let &JobsRequest { read_only, destroy, announce, .. } = request;
        Self { read_only, destroy, announce, path_policy }
    }
}

pub(super) struct RunFiles<'a> {
    pub(super) roots: &'a Roots,
    pub(super) clock: &'a Clock,
    pub(super) stop: &'a StopSignal,
    pub(super) policy: WritePolicy<'a>,
    pub(super) seed: u64,
    /// Results of searches of devices for data.
    pub(super) device_scans: Vec<String>,
    pub(super) own: OwnFiles,
    /// Files after the layout, for the survey.
    pub(super) planned: PlannedGrowth,
    /// Instances that share the free space of a file system (`fill_device`).
    pub(super) fill_jobs: u64,
    /// By path, direct I/O, and writing.
    open: BTreeMap<(PathBuf, bool, bool, Option<AccessAdvice>), Target>,
    opened: Vec<OpenTarget>,
    /// Of `lockfile`, by path.
    locks: BTreeMap<PathBuf, Arc<FileLock>>,
    /// Of devices, by path and `allow_mounted_write`: a device is checked once for all jobs of a
    /// run.
    permits: BTreeMap<(PathBuf, bool), WritePermit>,
    /// By path, device and inode: each folder is open once.
    folders: RefCell<BTreeMap<(PathBuf, u64, u64), PathHandle>>,
}

impl<'a> RunFiles<'a> {
    pub(super) fn new(
        roots: &'a Roots,
        clock: &'a Clock,
        stop: &'a StopSignal,
        policy: WritePolicy<'a>,
        seed: u64,
    ) -> Self {
        Self {
            roots,
            clock,
            stop,
            policy,
            seed,
            device_scans: Vec::new(),
            own: OwnFiles::default(),
            planned: PlannedGrowth::default(),
            fill_jobs: 1,
            open: BTreeMap::new(),
            opened: Vec::new(),
            locks: BTreeMap::new(),
            permits: BTreeMap::new(),
            folders: RefCell::default(),
        }
    }

    /// Makes the files of `instance` ready.
    pub(super) fn prepare(
        &mut self,
        section: &Section,
        instance: &Instance,
        files: ResolvedFiles,
        observer: &mut dyn JobsObserver,
    ) -> Result<PreparedFiles, JobsError> {
        let (known, region) = self.inspect(section, instance, &files)?;
        let ResolvedFiles { paths, entries } = files;
        if section.options.engine.engine.has_no_target() {
            let target = |file| Target::null(Bytes(region.file_size(file)));
            let targets = (0..paths.len()).map(target).collect();
            return Ok(PreparedFiles { region, paths, entries, targets, writes: true });
        }
        if section.options.engine.engine.calls_names() {
            let targets = self.prepare_names(section, &entries, &known, &region, observer)?;
            let region = region.of_names(section, entries.len());
            return Ok(PreparedFiles { region, paths, entries, targets, writes: false });
        }
        self.lay_out_files(section, &entries, &known, &region, observer)?;
        let writes = changes_data(section);
        Ok(PreparedFiles { region, paths, entries, targets: Vec::new(), writes })
    }

    pub(super) fn resolve(
        &self,
        section: &Section,
        instance: &Instance,
    ) -> Result<ResolvedFiles, JobsError> {
        self.check_read_only(section)?;
        let open = |folder: &Path| {
            let entry = self.resolve_entry(section, folder, PathAccess::Read)?;
            let missing = || TargetError::Missing { path: folder.to_owned() };
            let opened = entry.open().and_then(|found| found.ok_or_else(missing));
            opened.map_err(|error| {
                let what = format!("opendir={}: {error}", folder.display());
                JobsError::file(&section.name, what, "name a folder that you may read")
            })
        };
        let mut entries = super::opendir::find_files(section, &open)?;
        let mut paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path().to_owned()).collect();
        if paths.is_empty() {
            let names = file_names(section, instance.clone, &is_device);
            paths.extend(names.iter().map(PathBuf::from));
        }
        if section.options.engine.engine.has_no_target() {
            return Ok(ResolvedFiles { paths, entries: Vec::new() });
        }
        let target = &section.options.target;
        let changes = changes_data(section) || target.unlink || target.unlink_each_loop;
        let touch = if changes { PathAccess::Write } else { PathAccess::Read };
        if entries.is_empty() {
            entries = paths
                .iter()
                .map(|path| self.resolve_entry(section, path, touch))
                .collect::<Result<_, JobsError>>()?;
            paths = entries.iter().map(|entry| entry.path().to_owned()).collect();
        }
        Ok(ResolvedFiles { paths, entries })
    }

    /// The state of the files, and the region that the instance uses. Layouts of earlier jobs
    /// change both.
    pub(super) fn inspect(
        &self,
        section: &Section,
        instance: &Instance,
        files: &ResolvedFiles,
    ) -> Result<(Vec<FileState>, Region), JobsError> {
        let ResolvedFiles { paths, entries } = files;
        if section.options.engine.engine.has_no_target() {
            let known = vec![FileState::Nothing; paths.len()];
            let region = plan_region(section, instance.clone, &known, 0)?;
            return Ok((known, region));
        }
        let known: Vec<FileState> = entries
            .iter()
            .map(|entry| {
                let found = match section.options.engine.engine.calls_names() {
                    true => inspect_name(section, entry)?,
                    false => inspect_file(section, entry)?,
                };
                Ok(self.planned.predict_state(entry, found))
            })
            .collect::<Result<_, JobsError>>()?;
        // falloc changes only files that the run makes.
        let trims = section.options.trims() && section.options.engine.engine != Engine::Falloc;
        let is_file = |known: &FileState| matches!(known, FileState::Missing | FileState::File(_));
        if let Some(place) = known.iter().position(is_file).filter(|_| trims) {
            return Err(trim_refusal(&section.name, &paths[place]));
        }
        let free = match (entries.first(), known.first()) {
            (Some(entry), Some(&known)) => fillable_bytes(section, entry, known, self.fill_jobs)?,
            _ => 0,
        };
        let region = plan_region(section, instance.clone, &known, free)?;
        Ok((known, region))
    }

    /// The file in its folder, which is opened here, if the path policy allows it.
    pub(super) fn resolve_entry(
        &self,
        section: &Section,
        path: &Path,
        touch: PathAccess,
    ) -> Result<FolderEntry, JobsError> {
        let mut entry = match self.policy.path_policy {
            Some(fence) => fence(path, touch).map_err(|PathRefusal { what, hint }| {
                JobsError::protects(&section.name, what, &hint)
            })?,
            None => FolderEntry::from_path(path)
                .map_err(|source| JobsError::target(&section.name, source))?,
        };
        if let Ok(about) = entry.folder().metadata() {
            let mut folders = self.folders.borrow_mut();
            let key = (entry.folder().resolved().to_owned(), about.dev(), about.ino());
            let folder = folders.entry(key).or_insert_with(|| entry.folder().clone()).clone();
            entry.reuse_folder(&folder);
        }
        Ok(entry)
    }

    /// Checks whether `instance` could be made ready, and changes nothing.
    pub(super) fn check_instance(
        &self,
        section: &Section,
        instance: &Instance,
        files: &ResolvedFiles,
    ) -> Result<Region, JobsError> {
        let (known, region) = self.inspect(section, instance, files)?;
        let entries = &files.entries;
        let engine = section.options.engine.engine;
        let short = match engine {
            _ if engine.has_no_target() || engine.calls_names() => Vec::new(),
            _ => self.find_short_files(section, entries, &known, &region)?,
        };
        let lengthened =
            |entry: &FolderEntry| short.iter().any(|short| short.entry.path() == entry.path());
        for (entry, known) in entries.iter().zip(&known) {
            let changes = changes_data(section) || lengthened(entry);
            match known {
                FileState::Nothing => {}
                FileState::Missing => check_creatable(section, entry)?,
                FileState::File(_) if engine.calls_names() => {}
                FileState::File(_) | FileState::Device(_) if changes => {
                    let permit = permit_named(entry, self.permit_options(section), self.roots);
                    permit.map_err(|source| JobsError::target(&section.name, source))?;
                }
                FileState::File(_) | FileState::Device(_) => {}
            }
        }
        Ok(region)
    }

    pub(super) fn open(
        &mut self,
        section: &Section,
        prepared: &mut PreparedFiles,
    ) -> Result<(), JobsError> {
        if prepared.targets.is_empty() {
            let PreparedFiles { region, entries, writes, .. } = prepared;
            let open = |(file, entry): (usize, &FolderEntry)| {
                let target = self.open_target(section, entry, *writes, region.file_size(file))?;
                let shares_reads = match section.options.target.lock {
                    LockMode::None => return Ok(target),
                    mode => mode == LockMode::ReadWrite,
                };
                let lock = Arc::clone(self.locks.entry(entry.resolved()).or_default());
                Ok(target.with_lock(TargetLock { lock, shares_reads }))
            };
            prepared.targets =
                entries.iter().enumerate().map(open).collect::<Result<_, JobsError>>()?;
        }
        Ok(())
    }

    /// Replaces regular files by new, empty ones.
    pub(super) fn recreate_files(
        &mut self,
        section: &Section,
        prepared: &mut PreparedFiles,
    ) -> Result<(), JobsError> {
        for entry in &prepared.entries {
            if !self.own.remove(&section.name, entry)? {
                return Err(JobsError::protects(
                    &section.name,
                    not_removed_note(entry.path()),
                    "name a file that no other program uses",
                ));
            }
        }
        self.open.retain(|(path, ..), _| !prepared.paths.contains(path));
        prepared.targets.clear();
        self.open(section, prepared)
    }

    /// Whether its content is of this run or an earlier one, and of no other program.
    pub(super) fn is_ours(&self, entry: &FolderEntry) -> bool {
        self.own.contains(entry) || is_unchanged(entry)
    }

    /// The permit to write `entry`; a missing file is made and remembered.
    pub(super) fn permit_write(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
    ) -> Result<WritePermit, TargetError> {
        let permit = permit_named(entry, self.permit_options(section), self.roots)?;
        self.own.add(entry, &permit);
        Ok(permit)
    }

    fn check_read_only(&self, section: &Section) -> Result<(), JobsError> {
        let operation = section.options.pattern.rw.operation;
        if !self.policy.read_only {
            return Ok(());
        }
        if section.options.verify.trims_places() {
            let what = "trim_percentage trims, but --readonly was given".to_owned();
            return Err(JobsError::file(&section.name, what, "leave it out"));
        }
        if changes_data(section) {
            let engine = section.options.engine.engine;
            let (change, hint) = match engine.creates_names() || engine.removes_names() {
                true => (format!("ioengine={} changes names", engine.word()), "use filestat"),
                false => (format!("rw={} writes", operation.word()), "use rw=read or rw=randread"),
            };
            let what = format!("{change}, but --readonly was given");
            return Err(JobsError::file(&section.name, what, hint));
        }
        Ok(())
    }

    fn permit_options(&self, section: &Section) -> PermitOptions<'a> {
        PermitOptions {
            allow_in_use: section.options.target.allow_mounted_write,
            confirmed_device: self.policy.destroy,
            announce: self.policy.announce,
        }
    }

    fn open_for_writing(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
    ) -> Result<OpenTarget, TargetError> {
        let direct = section.options.engine.direct;
        let named = self.permit_options(section);
        let key = (entry.path().to_owned(), named.allow_in_use);
        if let Some(permit) = self.permits.get(&key) {
            return open_for_writing(permit, direct);
        }
        let permit = self.permit_write(section, entry)?;
        let opened = open_for_writing(&permit, direct);
        if let Some(look) = permit.scan() {
            self.device_scans.push(format!(
                "{}: {}",
                entry.path().display(),
                look.describe_outcome()
            ));
        }
        if permit.is_for_device() {
            self.permits.insert(key, permit);
        }
        opened
    }

    fn open_target(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
        writes: bool,
        size: u64,
    ) -> Result<Target, JobsError> {
        let (options, name) = (&section.options, section.name.as_str());
        let (path, direct) = (entry.path(), options.engine.direct);
        // An open file has one advice, and jobs may differ in theirs.
        let advice = choose_advice(section);
        let key = (path.to_owned(), direct, writes, advice);
        // Jobs must not share the position of an open file.
        let shares = options.engine.engine != Engine::Sync;
        if let Some(open) = self.open.get(&key).filter(|_| shares) {
            return Ok(extend_target(open, writes, size));
        }
        let failed = |source| JobsError::target(name, source);
        let empty = is_contentless_device(entry);
        let opened = match writes {
            false if empty => open_contentless_device(entry),
            false => open_for_reading(entry, direct),
            true => self.open_for_writing(section, entry),
        };
        let opened = opened.map_err(failed)?;
        // The survey found none of that name: what was opened must be a file of this run.
        let is_made = || opened.file.metadata().is_ok_and(|found| self.own.is_created(&found));
        if options.engine.engine.changes_length() && !empty && !is_made() {
            let what = format!("{} was made by another program meanwhile", display_path(path));
            let hint = "name a file that no other program uses";
            return Err(JobsError::protects(name, what, hint));
        }
        if direct && !opened.direct {
            let what =
                format!("{} cannot be read or written past the page cache", display_path(path));
            return Err(JobsError::file(name, what, "use direct=0"));
        }
        if empty {
            // It has no end and no cache.
        } else if options.target.pre_read {
            read_through(&opened.file).map_err(|error| system_error(name, "read", path, error))?;
        }
        if let Some(advice) = advice.filter(|_| !empty) {
            announce_access(&opened.file, advice);
        }
        let file = opened.file.try_clone();
        let file = file.map_err(|error| system_error(name, "use", path, error))?;
        let size_known = if empty { Bytes(size) } else { opened.size };
        let limits = workload::TargetLimits { size: size_known, ..opened.limits() };
        let target = Target::new(file, limits, opened.memory_align);
        if writes && let Some(lifetime) = map_lifetime(options.target.write_hint) {
            target::set_lifetime_hint(&opened.file, lifetime)
                .map_err(|error| system_error(name, "give write_hint to", path, error))?;
        }
        if target.is_device() {
            // A device stays claimed. A removed file would keep its space.
            self.opened.push(opened);
        }
        self.open.insert(key, target.clone());
        Ok(extend_target(&target, writes, size))
    }
}

/// fio starts such a job, and its first trim fails.
pub(super) fn trim_refusal(job: &str, path: &Path) -> JobsError {
    let what = format!(
        "{} is a file, and trims are for block devices: they would punch holes",
        display_path(path)
    );
    JobsError::file(job, what, "name a device, or leave the trims out")
}

pub(super) fn changes_data(section: &Section) -> bool {
    let operation = section.options.pattern.rw.operation;
    let engine = section.options.engine.engine;
    let changes_names = engine.creates_names() || engine.removes_names();
    operation.writes() || operation.trims() || engine.changes_length() || changes_names
}

fn choose_advice(section: &Section) -> Option<AccessAdvice> {
    match section.options.target.fadvise_hint {
        FadviseHint::None => None,
        FadviseHint::ByPattern if section.options.pattern.rw.operation.is_random() => {
            Some(AccessAdvice::Random)
        }
        FadviseHint::ByPattern | FadviseHint::Sequential => Some(AccessAdvice::Sequential),
        FadviseHint::Random => Some(AccessAdvice::Random),
        FadviseHint::NoReuse => Some(AccessAdvice::NoReuse),
    }
}

fn map_lifetime(hint: WriteHint) -> Option<WriteLifetime> {
    Some(match hint {
        WriteHint::NotSet => return None,
        WriteHint::None => WriteLifetime::None,
        WriteHint::Short => WriteLifetime::Short,
        WriteHint::Medium => WriteLifetime::Medium,
        WriteHint::Long => WriteLifetime::Long,
        WriteHint::Extreme => WriteLifetime::Extreme,
    })
}

fn extend_target(target: &Target, writes: bool, size: u64) -> Target {
    let more = writes && !target.is_device() && target.size().0 < size;
    if more { target.clone().with_size(Bytes(size)) } else { target.clone() }
}
