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
use units::Bytes;

use super::Talk;
use super::error::JobsError;
use super::fence::{Fence, Fenced, Touch};
use super::filing::{
    fillable_bytes, is_device, is_marked, known, may_make, pre_read, show, system,
};
use super::made::{MadeFiles, not_removed};
use super::survey::Planned;

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

/// The files of an instance. Their paths are resolved once in a run, so that the checks, the layout
/// and the removal concern the same folders.
#[derive(Debug)]
pub(super) struct InstanceFiles {
    /// As they are shown.
    pub(super) paths: Vec<PathBuf>,
    /// The same, to be opened; none for an engine that does nothing.
    pub(super) entries: Vec<FolderEntry>,
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

    /// Makes ready what `instance` of `section` works on: the `files` that the survey resolved.
    pub(super) fn prepare(
        &mut self,
        section: &Section,
        instance: &Instance,
        files: InstanceFiles,
        talk: &mut dyn Talk,
    ) -> Result<Ground, JobsError> {
        let (known, region) = self.inspect(section, instance, &files)?;
        let InstanceFiles { paths, entries } = files;
        if section.options.engine.engine == Engine::Null {
            let target = Target::null(Bytes(region.file_size()));
            let targets = vec![target; paths.len()];
            return Ok(Ground { region, paths, entries, targets, writes: true });
        }
        self.make(section, &entries, &known, &region, talk)?;
        let writes = writes(section);
        Ok(Ground { region, paths, entries, targets: Vec::new(), writes })
    }

    /// Resolves the paths of `instance`, and makes nothing.
    pub(super) fn resolve(
        &self,
        section: &Section,
        instance: &Instance,
    ) -> Result<InstanceFiles, JobsError> {
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
            return Ok(InstanceFiles { paths, entries: Vec::new() });
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
        Ok(InstanceFiles { paths, entries })
    }

    /// What `instance` finds at its files now, and the part of them that it uses. Layouts of
    /// earlier jobs change the answer.
    pub(super) fn inspect(
        &self,
        section: &Section,
        instance: &Instance,
        files: &InstanceFiles,
    ) -> Result<(Vec<Known>, Region), JobsError> {
        let InstanceFiles { paths, entries } = files;
        if section.options.engine.engine == Engine::Null {
            let known = vec![Known::Nothing; paths.len()];
            let region = region(section, instance.clone, &known, 0)?;
            return Ok((known, region));
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
        Ok((known, region))
    }

    /// The name in its folder, which is opened here, once: below what the fence allows, where there
    /// is one.
    pub(super) fn entry(
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
        files: InstanceFiles,
    ) -> Result<Ground, JobsError> {
        let (known, region) = self.inspect(section, instance, &files)?;
        let InstanceFiles { paths, entries } = files;
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
    pub(super) fn is_ours(&self, entry: &FolderEntry) -> bool {
        self.made.contains(entry) || is_marked(entry)
    }

    /// The guard's leave to write `entry`; a file that was missing is made, and known as ours.
    pub(super) fn permit(
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
            self.looks.push(format!("{}: {}", entry.path().display(), look.outcome()));
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
