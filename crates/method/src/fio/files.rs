//! The files of a run: found, made, filled, opened.
//!
//! fio makes the files of all jobs before the first one starts, and so does this. But what exists
//! already is never made anew: a job that only reads and wants more than a file has is refused.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use engine::{Clock, StopFlag, Target};
use fio::options::job::{Engine, WriteHint};
use fio::plan::{Instance, Known, Region, Section, file_names, region};
use target::{
    FolderEntry, Lifetime, Named, Opened, PathHandle, Roots, TargetError, WritePermit, drop_cache,
    keeps_nothing, open_for_reading, open_for_reading_buffered, open_for_writing,
    open_for_writing_buffered, open_without_contents, permit_named,
};
use units::{Bytes, Nanos, Seed};
use workload::Span;

use super::Talk;
use super::error::JobsError;
use super::fence::{Fence, Fenced, Touch};
use super::filing::{
    fillable_bytes, is_device, is_marked, known, mark, pre_read, reserve, show, system, too_short,
    write_noise,
};
use super::made::{MadeFiles, not_removed};
use super::survey::Planned;
use crate::layout::{Layout, lay_out};

/// Files are filled in steps of this; what is left is written at the end.
pub(super) const STEP: u64 = 1 << 20;

/// What an instance works on.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) region: Region,
    /// As they are shown.
    pub(super) paths: Vec<PathBuf>,
    /// The same, to be opened; none for an engine that does nothing.
    pub(super) entries: Vec<FolderEntry>,
    /// Open; none before [`Files::open`].
    pub(super) targets: Vec<Target>,
    /// It is opened for writing too.
    pub(super) writes: bool,
}

/// What an instance is about, before anything is made for it.
pub(super) struct Lot {
    pub(super) paths: Vec<PathBuf>,
    pub(super) entries: Vec<FolderEntry>,
    pub(super) known: Vec<Known>,
    pub(super) region: Region,
}

/// What decides about all files of a run.
pub(super) struct Files<'a> {
    pub(super) roots: &'a Roots,
    pub(super) clock: &'a Clock,
    pub(super) stop: &'a StopFlag,
    /// `--readonly`: nothing is written, and nothing made.
    pub(super) read_only: bool,
    /// `--yes-destroy-data-on`.
    pub(super) words: Option<&'a Path>,
    pub(super) seed: u64,
    /// Tells that a device is read, to find data on it, before it is written.
    pub(super) announce: Option<fn(&str)>,
    /// How much of each device was looked at before it was written.
    pub(super) looks: Vec<String>,
    /// Of jobs of another host's asking.
    pub(super) fence: Option<Fence<'a>>,
    /// Only these may grow for a read, or be removed.
    pub(super) made: MadeFiles,
    /// What the layout will make of files, while the run is surveyed.
    pub(super) planned: Planned,
    /// Instances that share the free space of a file system (`fill_device`).
    pub(super) fillers: u64,
    /// Open already, by path, whether past the page cache, whether for writing.
    open: BTreeMap<(PathBuf, bool, bool), Target>,
    opened: Vec<Opened>,
    /// For devices, by path and `allow_mounted_write`: one is claimed once for all jobs of a run,
    /// and what an earlier job wrote does not stand in the way of a later one.
    permits: BTreeMap<(PathBuf, bool), WritePermit>,
    /// Folders of files, by path, device and inode: each is open once, however many files it has.
    folders: RefCell<BTreeMap<(PathBuf, u64, u64), PathHandle>>,
}

impl<'a> Files<'a> {
    pub(super) fn new(
        roots: &'a Roots,
        clock: &'a Clock,
        stop: &'a StopFlag,
        read_only: bool,
        words: Option<&'a Path>,
        seed: u64,
    ) -> Self {
        Self {
            roots,
            clock,
            stop,
            read_only,
            words,
            seed,
            announce: None,
            looks: Vec::new(),
            fence: None,
            made: MadeFiles::default(),
            planned: Planned::default(),
            fillers: 1,
            open: BTreeMap::new(),
            opened: Vec::new(),
            permits: BTreeMap::new(),
            folders: RefCell::default(),
        }
    }

    /// Makes ready what `instance` of `section` works on.
    pub(super) fn prepare(
        &mut self,
        section: &Section,
        instance: &Instance,
        talk: &mut dyn Talk,
    ) -> Result<Ground, JobsError> {
        let Lot { paths, entries, known, region } = self.look(section, instance)?;
        if section.options.engine.engine == Engine::Null {
            let target = Target::null(Bytes(region.file_size()));
            let targets = vec![target; paths.len()];
            return Ok(Ground { region, paths, entries, targets, writes: true });
        }
        self.make(section, &entries, &known, &region, talk)?;
        let writes = writes(section);
        Ok(Ground { region, paths, entries, targets: Vec::new(), writes })
    }

    /// Finds out what `instance` of `section` would work on, and makes nothing.
    pub(super) fn look(&self, section: &Section, instance: &Instance) -> Result<Lot, JobsError> {
        self.may_write(section)?;
        let open = |folder: &Path| {
            let entry = self.entry(section, folder, Touch::Reads)?;
            let missing = || TargetError::Missing { path: folder.to_owned() };
            let opened = entry.open().and_then(|found| found.ok_or_else(missing));
            opened.map_err(|error| {
                let what = format!("opendir={}: {error}", folder.display());
                JobsError::file(&section.name, what, None)
            })
        };
        let mut entries = super::opendir::files(section, &open)?;
        let mut paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path().to_owned()).collect();
        if paths.is_empty() {
            let names = file_names(section, instance.clone, &is_device);
            paths.extend(names.iter().map(PathBuf::from));
        }
        if section.options.engine.engine == Engine::Null {
            let known = vec![Known::Nothing; paths.len()];
            let region = region(section, instance.clone, &known, 0)?;
            return Ok(Lot { paths, entries: Vec::new(), known, region });
        }
        let target = &section.options.target;
        let changes = writes(section) || target.unlink || target.unlink_each_loop;
        let touch = if changes { Touch::Writes } else { Touch::Reads };
        if entries.is_empty() {
            entries = paths
                .iter()
                .map(|path| self.entry(section, path, touch))
                .collect::<Result<_, JobsError>>()?;
            paths = entries.iter().map(|entry| entry.path().to_owned()).collect();
        }
        let known: Vec<Known> = entries
            .iter()
            .map(|entry| Ok(self.planned.replace(entry, known(section, entry)?)))
            .collect::<Result<_, JobsError>>()?;
        let trims = section.options.pattern.rw.operation.trims();
        let is_file = |known: &Known| matches!(known, Known::Missing | Known::File(_));
        if let Some(place) = known.iter().position(is_file).filter(|_| trims) {
            return Err(trims_a_file(&section.name, &paths[place]));
        }
        let free = match (entries.first(), known.first()) {
            (Some(entry), Some(&known)) => fillable_bytes(section, entry, known, self.fillers)?,
            _ => 0,
        };
        let region = region(section, instance.clone, &known, free)?;
        Ok(Lot { paths, entries, known, region })
    }

    /// The name in its folder, which is opened here, once: below what the fence allows, where there
    /// is one.
    fn entry(
        &self,
        section: &Section,
        path: &Path,
        touch: Touch,
    ) -> Result<FolderEntry, JobsError> {
        let mut entry = match self.fence {
            Some(fence) => fence(path, touch)
                .map_err(|Fenced { what, hint }| JobsError::protects(&section.name, what, hint))?,
            None => {
                FolderEntry::at(path).map_err(|source| JobsError::target(&section.name, source))?
            }
        };
        if let Ok(about) = entry.folder().metadata() {
            let mut folders = self.folders.borrow_mut();
            let key = (entry.folder().resolved().to_owned(), about.dev(), about.ino());
            let folder = folders.entry(key).or_insert_with(|| entry.folder().clone()).clone();
            entry.share_folder(&folder);
        }
        Ok(entry)
    }

    /// Whether `instance` of `section` could be made ready: everything that the guard says is
    /// found out, and nothing is left behind.
    pub(super) fn examine(
        &self,
        section: &Section,
        instance: &Instance,
    ) -> Result<Ground, JobsError> {
        let Lot { paths, entries, known, region } = self.look(section, instance)?;
        let short = match section.options.engine.engine {
            Engine::Null => Vec::new(),
            _ => self.short(section, &entries, &known, &region)?,
        };
        let lengthened =
            |entry: &FolderEntry| short.iter().any(|(short, _)| short.path() == entry.path());
        for (entry, known) in entries.iter().zip(&known) {
            let changes = writes(section) || lengthened(entry);
            match known {
                Known::Nothing => {}
                Known::Missing => may_make(section, entry)?,
                Known::File(_) | Known::Device(_) if changes => {
                    let permit = permit_named(entry, self.named(section), self.roots);
                    permit.map_err(|source| JobsError::target(&section.name, source))?;
                }
                Known::File(_) | Known::Device(_) => {}
            }
        }
        Ok(Ground { region, paths, entries, targets: Vec::new(), writes: writes(section) })
    }

    /// Opens the files of `ground`, when those of all jobs are made.
    pub(super) fn open(&mut self, section: &Section, ground: &mut Ground) -> Result<(), JobsError> {
        if ground.targets.is_empty() {
            let (size, writes) = (ground.region.file_size(), ground.writes);
            let open = |entry: &FolderEntry| self.target(section, entry, writes, size);
            ground.targets = ground.entries.iter().map(open).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// Removes the regular files of `ground` and makes them anew, empty, as an open that creates
    /// does.
    pub(super) fn anew(&mut self, section: &Section, ground: &mut Ground) -> Result<(), JobsError> {
        for entry in &ground.entries {
            if !self.made.remove(&section.name, entry)? {
                return Err(JobsError::protects(&section.name, not_removed(entry.path()), None));
            }
        }
        self.open.retain(|(path, ..), _| !ground.paths.contains(path));
        ground.targets.clear();
        self.open(section, ground)
    }

    /// Whether a layout of ours made it, of this run or of an earlier one.
    fn is_ours(&self, entry: &FolderEntry) -> bool {
        self.made.contains(entry) || is_marked(entry)
    }

    /// The guard's leave to write `entry`; a file that was missing is made, and known as ours.
    fn permit(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
    ) -> Result<WritePermit, TargetError> {
        let permit = permit_named(entry, self.named(section), self.roots)?;
        self.made.add(entry, &permit);
        Ok(permit)
    }

    fn may_write(&self, section: &Section) -> Result<(), JobsError> {
        let operation = section.options.pattern.rw.operation;
        if self.read_only && (operation.writes() || operation.trims()) {
            let what = format!("rw={} writes, but --readonly was given", operation.word());
            return Err(JobsError::file(&section.name, what, Some("use rw=read or rw=randread")));
        }
        Ok(())
    }

    /// Makes the files that are missing, and lengthens those that are too short.
    fn make(
        &mut self,
        section: &Section,
        entries: &[FolderEntry],
        known: &[Known],
        region: &Region,
        talk: &mut dyn Talk,
    ) -> Result<(), JobsError> {
        let short = self.short(section, entries, known, region)?;
        if short.is_empty() {
            return Ok(());
        }
        let wanted = region.file_size();
        let (options, name) = (&section.options, section.name.as_str());
        let operation = options.pattern.rw.operation;
        // Reads need something to read; writes only with overwrite=1.
        let grows = options.size.fill_device;
        let fills = !grows && (operation.reads() || options.target.overwrite);
        talk.laying_out(name, short.len(), wanted);
        for (entry, from) in short {
            // What grows until the space is used up has none of it set aside.
            let wanted = if grows { from } else { wanted };
            self.make_one(section, entry, from, wanted, fills)?;
        }
        Ok(())
    }

    /// The files that are missing or too short, and how long they are.
    fn short<'p>(
        &self,
        section: &Section,
        entries: &'p [FolderEntry],
        known: &[Known],
        region: &Region,
    ) -> Result<Vec<(&'p FolderEntry, u64)>, JobsError> {
        let wanted = region.file_size();
        let (options, name) = (&section.options, section.name.as_str());
        let operation = options.pattern.rw.operation;
        let mut short = Vec::new();
        for (entry, known) in entries.iter().zip(known) {
            let path = entry.path();
            match *known {
                Known::Missing if self.read_only => {
                    let what = format!("{} does not exist, and --readonly makes none", show(path));
                    return Err(JobsError::file(name, what, None));
                }
                Known::Missing if !options.target.allow_file_create => {
                    let what = format!("{} does not exist, and allow_file_create=0", show(path));
                    return Err(JobsError::file(name, what, None));
                }
                Known::Missing => short.push((entry, 0)),
                Known::File(size) if size < wanted => {
                    if self.read_only || !(operation.writes() || self.is_ours(entry)) {
                        return Err(too_short(name, path, size, wanted));
                    }
                    short.push((entry, size));
                }
                Known::File(_) | Known::Device(_) | Known::Nothing => {}
            }
        }
        Ok(short)
    }

    fn make_one(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
        from: u64,
        to: u64,
        fills: bool,
    ) -> Result<(), JobsError> {
        let (name, path) = (section.name.as_str(), entry.path());
        let failed = |source| JobsError::target(name, source);
        let options = &section.options;
        // fio makes the folders that a file name has.
        if let Some(folder) = path.parent().filter(|_| !options.target.filenames.is_empty()) {
            entry.make_folders().map_err(|error| system(name, "create", folder, error))?;
        }
        let permit = self.permit(section, entry).map_err(failed)?;
        let writes = options.pattern.rw.operation.writes();
        if permit.new_file_id().is_none() && !writes && !self.is_ours(entry) {
            // It came since the look: a job that reads changes no file of another's.
            let what = format!("{} is another's file, made meanwhile", show(path));
            return Err(JobsError::protects(name, what, Some("start again".to_owned())));
        }
        let buffered = open_for_writing_buffered(&permit).map_err(failed)?;
        if permit.new_file_id().is_some() {
            mark(&buffered.file);
        }
        let wrong = |attempt, error| system(name, attempt, path, error);
        reserve(&buffered.file, from, to, options.target.fallocate, fills)
            .map_err(|error| wrong("reserve space for", error))?;
        if fills {
            let direct = open_for_writing(&permit).map_err(failed)?;
            self.fill(&direct, &buffered, from, to, name)?;
            if options.target.create_fsync {
                buffered.file.sync_all().map_err(|error| wrong("sync", error))?;
            }
        }
        Ok(())
    }

    /// Writes the bytes from `from` to `to`: past the page cache in large steps, and what is not a
    /// whole step at either end through it.
    fn fill(
        &self,
        direct: &Opened,
        buffered: &Opened,
        from: u64,
        to: u64,
        name: &str,
    ) -> Result<(), JobsError> {
        let wrong =
            |error| JobsError::file(name, format!("its file cannot be filled: {error}"), None);
        let first = from.next_multiple_of(STEP).min(to);
        let last = (to / STEP * STEP).max(first);
        if last > first {
            let limits = workload::Limits { size: Bytes(to), ..direct.limits() };
            let file = direct.file.try_clone().map_err(wrong)?;
            let target = Target::new(file, limits, direct.memory_align);
            let span = Span { offset: Bytes(first), length: Bytes(last - first) };
            let time_most = Nanos::secs(365 * 86_400);
            let layout = Layout {
                target: &target,
                span,
                direct: direct.direct,
                seed: Seed(self.seed ^ first),
                time_most,
            };
            let laid_out = lay_out(&layout, self.clock, self.stop, &mut |_| {})?;
            if let Some(reason) = laid_out.failed {
                return Err(wrong(std::io::Error::other(reason)));
            }
        }
        write_noise(&buffered.file, from, first, self.seed).map_err(wrong)?;
        write_noise(&buffered.file, last, to, self.seed).map_err(wrong)
    }

    fn named(&self, section: &Section) -> Named<'a> {
        Named {
            in_use_too: section.options.target.allow_mounted_write,
            words: self.words,
            announce: self.announce,
        }
    }

    fn open_for_writing(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
    ) -> Result<Opened, TargetError> {
        let direct = section.options.engine.direct;
        let open = if direct { open_for_writing } else { open_for_writing_buffered };
        let named = self.named(section);
        let key = (entry.path().to_owned(), named.in_use_too);
        if let Some(permit) = self.permits.get(&key) {
            return open(permit);
        }
        let permit = self.permit(section, entry)?;
        let opened = open(&permit);
        if let Some(look) = permit.look() {
            self.looks.push(format!("{}: {look}, and found no data", entry.path().display()));
        }
        if permit.is_for_a_device() {
            self.permits.insert(key, permit);
        }
        opened
    }

    /// Opens `entry` for what the job does.
    fn target(
        &mut self,
        section: &Section,
        entry: &FolderEntry,
        writes: bool,
        size: u64,
    ) -> Result<Target, JobsError> {
        let (options, name) = (&section.options, section.name.as_str());
        let (path, direct) = (entry.path(), options.engine.direct);
        let key = (path.to_owned(), direct, writes);
        // The position of an open file is one for all who share it.
        let shares = options.engine.engine != Engine::Sync;
        if let Some(open) = self.open.get(&key).filter(|_| shares) {
            return Ok(grown(open, writes, size));
        }
        let failed = |source| JobsError::target(name, source);
        let empty = keeps_nothing(entry);
        let opened = match (writes, direct) {
            (false, _) if empty => open_without_contents(entry),
            (true, _) => self.open_for_writing(section, entry),
            (false, true) => open_for_reading(entry),
            (false, false) => open_for_reading_buffered(entry),
        };
        let opened = opened.map_err(failed)?;
        if direct && !opened.direct {
            let what = format!("{} cannot be read or written past the page cache", show(path));
            return Err(JobsError::file(name, what, Some("use direct=0")));
        }
        if empty {
            // It has no end that could be read up to, and is in no cache.
        } else if options.target.pre_read {
            pre_read(&opened.file).map_err(|error| system(name, "read", path, error))?;
        } else if options.target.invalidate {
            drop_cache(&opened.file);
        }
        let file = opened.file.try_clone();
        let file = file.map_err(|error| system(name, "use", path, error))?;
        let size_known = if empty { Bytes(size) } else { opened.size };
        let limits = workload::Limits { size: size_known, ..opened.limits() };
        let target = Target::new(file, limits, opened.memory_align);
        if writes && let Some(lifetime) = lifetime(options.target.write_hint) {
            target::expect_lifetime(&opened.file, lifetime)
                .map_err(|error| system(name, "give write_hint to", path, error))?;
        }
        if target.is_device() {
            // It stays claimed as long as this is open. A file would keep its space when removed.
            self.opened.push(opened);
        }
        self.open.insert(key, target.clone());
        Ok(grown(&target, writes, size))
    }
}

/// fio begins such a job, and its first trim fails: a file is no device.
pub(super) fn trims_a_file(job: &str, path: &Path) -> JobsError {
    let what = format!(
        "{} is a file, and trims are for block devices: they would punch holes",
        show(path)
    );
    JobsError::file(job, what, Some("name a device, or use rw=write"))
}

fn writes(section: &Section) -> bool {
    let operation = section.options.pattern.rw.operation;
    operation.writes() || operation.trims()
}

/// Whether a file could be made where there is none, as far as it can be seen without making it.
fn may_make(section: &Section, entry: &FolderEntry) -> Result<(), JobsError> {
    let folder = entry.folder();
    let wrong =
        |error: std::io::Error| system(&section.name, "make a file in", folder.path(), error);
    if !folder.is_folder() {
        return Err(wrong(std::io::ErrorKind::NotADirectory.into()));
    }
    rustix::fs::access(folder.descriptor_path(), rustix::fs::Access::WRITE_OK)
        .map_err(|error| wrong(error.into()))
}

fn lifetime(hint: WriteHint) -> Option<Lifetime> {
    Some(match hint {
        WriteHint::NotSet => return None,
        WriteHint::None => Lifetime::None,
        WriteHint::Short => Lifetime::Short,
        WriteHint::Medium => Lifetime::Medium,
        WriteHint::Long => Lifetime::Long,
        WriteHint::Extreme => Lifetime::Extreme,
    })
}

/// A file that is written grows as it is written.
fn grown(target: &Target, writes: bool, size: u64) -> Target {
    let more = writes && !target.is_device() && target.size().0 < size;
    if more { target.clone().resized(Bytes(size)) } else { target.clone() }
}
