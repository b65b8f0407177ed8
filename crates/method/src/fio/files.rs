//! The files of a run: found, made, filled, opened.
//!
//! fio makes the files of all jobs before the first one starts, and so does this. But what exists
//! already is never made anew: a job that only reads and wants more than a file has is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine::{Clock, StopFlag, Target};
use fio::options::job::{Engine, WriteHint};
use fio::plan::{Instance, Known, Region, Section, file_names, region};
use target::{
    Lifetime, Named, Opened, Roots, TargetError, WritePermit, drop_cache, keeps_nothing,
    open_for_reading, open_for_reading_buffered, open_for_writing, open_for_writing_buffered,
    open_without_contents, permit_named,
};
use units::{Bytes, Nanos, Seed};
use workload::Span;

use super::Talk;
use super::error::JobsError;
use super::fence::{Fence, Fenced, Touch};
use super::filing::{
    fillable_bytes, is_device, is_marked, known, make_folders, mark, pre_read, reserve, show,
    system, too_short, write_noise,
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
    pub(super) paths: Vec<PathBuf>,
    /// Open; none before [`Files::open`].
    pub(super) targets: Vec<Target>,
    /// It is opened for writing too.
    pub(super) writes: bool,
}

/// What an instance is about, before anything is made for it.
pub(super) struct Lot {
    pub(super) paths: Vec<PathBuf>,
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
            fence: None,
            made: MadeFiles::default(),
            planned: Planned::default(),
            fillers: 1,
            open: BTreeMap::new(),
            opened: Vec::new(),
            permits: BTreeMap::new(),
        }
    }

    /// Makes ready what `instance` of `section` works on.
    pub(super) fn prepare(
        &mut self,
        section: &Section,
        instance: &Instance,
        talk: &mut dyn Talk,
    ) -> Result<Ground, JobsError> {
        let Lot { paths, known, region } = self.look(section, instance)?;
        if section.options.engine.engine == Engine::Null {
            let target = Target::null(Bytes(region.file_size()));
            let targets = vec![target; paths.len()];
            return Ok(Ground { region, paths, targets, writes: true });
        }
        self.make(section, &paths, &known, &region, talk)?;
        let writes = writes(section);
        Ok(Ground { region, paths, targets: Vec::new(), writes })
    }

    /// Finds out what `instance` of `section` would work on, and makes nothing.
    pub(super) fn look(&self, section: &Section, instance: &Instance) -> Result<Lot, JobsError> {
        self.may_write(section)?;
        for folder in &section.options.target.opendirs {
            self.fenced(section, Path::new(folder), Touch::Reads)?;
        }
        let mut paths = super::opendir::files(section)?;
        if paths.is_empty() {
            let names = file_names(section, instance.clone, &is_device);
            paths.extend(names.iter().map(PathBuf::from));
        }
        if section.options.engine.engine == Engine::Null {
            let known = vec![Known::Nothing; paths.len()];
            let region = region(section, instance.clone, &known, 0)?;
            return Ok(Lot { paths, known, region });
        }
        let target = &section.options.target;
        let changes = writes(section) || target.unlink || target.unlink_each_loop;
        let touch = if changes { Touch::Writes } else { Touch::Reads };
        let paths: Vec<PathBuf> = paths
            .into_iter()
            .map(|path| Ok(self.fenced(section, &path, touch)?.unwrap_or(path)))
            .collect::<Result<_, JobsError>>()?;
        let known: Vec<Known> = paths
            .iter()
            .map(|path| Ok(self.planned.replace(path, known(section, path)?)))
            .collect::<Result<_, JobsError>>()?;
        let trims = section.options.pattern.rw.operation.trims();
        let is_file = |known: &Known| matches!(known, Known::Missing | Known::File(_));
        if let Some(place) = known.iter().position(is_file).filter(|_| trims) {
            return Err(trims_a_file(&section.name, &paths[place]));
        }
        let free = match (paths.first(), known.first()) {
            (Some(path), Some(&known)) => fillable_bytes(section, path, known, self.fillers)?,
            _ => 0,
        };
        let region = region(section, instance.clone, &known, free)?;
        Ok(Lot { paths, known, region })
    }

    /// The path as it may be touched; `None` where nobody has a say in that.
    fn fenced(
        &self,
        section: &Section,
        path: &Path,
        touch: Touch,
    ) -> Result<Option<PathBuf>, JobsError> {
        let Some(fence) = self.fence else { return Ok(None) };
        fence(path, touch)
            .map(Some)
            .map_err(|Fenced { what, hint }| JobsError::protects(&section.name, what, hint))
    }

    /// Whether `instance` of `section` could be made ready: everything that the guard says is
    /// found out, and nothing is left behind.
    pub(super) fn examine(
        &self,
        section: &Section,
        instance: &Instance,
    ) -> Result<Ground, JobsError> {
        let Lot { paths, known, region } = self.look(section, instance)?;
        let short = match section.options.engine.engine {
            Engine::Null => Vec::new(),
            _ => self.short(section, &paths, &known, &region)?,
        };
        let lengthened = |path: &PathBuf| short.iter().any(|(short, _)| *short == path);
        for (path, known) in paths.iter().zip(&known) {
            let changes = writes(section) || lengthened(path);
            match known {
                Known::Nothing => {}
                Known::Missing => may_make(section, path)?,
                Known::File(_) | Known::Device(_) if changes => {
                    let permit = permit_named(path, self.named(section), self.roots);
                    permit.map_err(|source| JobsError::target(&section.name, source))?;
                }
                Known::File(_) | Known::Device(_) => {}
            }
        }
        Ok(Ground { region, paths, targets: Vec::new(), writes: writes(section) })
    }

    /// Opens the files of `ground`, when those of all jobs are made.
    pub(super) fn open(&mut self, section: &Section, ground: &mut Ground) -> Result<(), JobsError> {
        if ground.targets.is_empty() {
            let (size, writes) = (ground.region.file_size(), ground.writes);
            let open = |path: &PathBuf| self.target(section, path, writes, size);
            ground.targets = ground.paths.iter().map(open).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// Removes the regular files of `ground` and makes them anew, empty, as an open that creates
    /// does.
    pub(super) fn anew(&mut self, section: &Section, ground: &mut Ground) -> Result<(), JobsError> {
        for path in &ground.paths {
            if !self.made.remove(&section.name, path)? {
                return Err(JobsError::protects(&section.name, not_removed(path), None));
            }
        }
        self.open.retain(|(path, ..), _| !ground.paths.contains(path));
        ground.targets.clear();
        self.open(section, ground)
    }

    /// Whether a layout of ours made it, of this run or of an earlier one.
    fn is_ours(&self, path: &Path) -> bool {
        self.made.contains(path) || is_marked(path)
    }

    /// The guard's leave to write `path`; a file that was missing is made, and known as ours.
    fn permit(&mut self, section: &Section, path: &Path) -> Result<WritePermit, TargetError> {
        let permit = permit_named(path, self.named(section), self.roots)?;
        self.made.add(&permit);
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
        paths: &[PathBuf],
        known: &[Known],
        region: &Region,
        talk: &mut dyn Talk,
    ) -> Result<(), JobsError> {
        let short = self.short(section, paths, known, region)?;
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
        for (path, from) in short {
            // What grows until the space is used up has none of it set aside.
            let wanted = if grows { from } else { wanted };
            self.make_one(section, path, from, wanted, fills)?;
        }
        Ok(())
    }

    /// The files that are missing or too short, and how long they are.
    fn short<'p>(
        &self,
        section: &Section,
        paths: &'p [PathBuf],
        known: &[Known],
        region: &Region,
    ) -> Result<Vec<(&'p PathBuf, u64)>, JobsError> {
        let wanted = region.file_size();
        let (options, name) = (&section.options, section.name.as_str());
        let operation = options.pattern.rw.operation;
        let mut short = Vec::new();
        for (path, known) in paths.iter().zip(known) {
            match *known {
                Known::Missing if self.read_only => {
                    let what = format!("{} does not exist, and --readonly makes none", show(path));
                    return Err(JobsError::file(name, what, None));
                }
                Known::Missing if !options.target.allow_file_create => {
                    let what = format!("{} does not exist, and allow_file_create=0", show(path));
                    return Err(JobsError::file(name, what, None));
                }
                Known::Missing => short.push((path, 0)),
                Known::File(size) if size < wanted => {
                    if self.read_only || !(operation.writes() || self.is_ours(path)) {
                        return Err(too_short(name, path, size, wanted));
                    }
                    short.push((path, size));
                }
                Known::File(_) | Known::Device(_) | Known::Nothing => {}
            }
        }
        Ok(short)
    }

    fn make_one(
        &mut self,
        section: &Section,
        path: &Path,
        from: u64,
        to: u64,
        fills: bool,
    ) -> Result<(), JobsError> {
        let name = section.name.as_str();
        let failed = |source| JobsError::target(name, source);
        let options = &section.options;
        if let Some(folder) = path.parent().filter(|_| !options.target.filenames.is_empty()) {
            make_folders(folder).map_err(|error| system(name, "create", folder, error))?;
        }
        let permit = self.permit(section, path).map_err(failed)?;
        let writes = options.pattern.rw.operation.writes();
        if permit.new_file_id().is_none() && !writes && !self.is_ours(path) {
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
        Named { in_use_too: section.options.target.allow_mounted_write, words: self.words }
    }

    fn open_for_writing(&mut self, section: &Section, path: &Path) -> Result<Opened, TargetError> {
        let direct = section.options.engine.direct;
        let open = if direct { open_for_writing } else { open_for_writing_buffered };
        let named = self.named(section);
        let key = (path.to_owned(), named.in_use_too);
        if let Some(permit) = self.permits.get(&key) {
            return open(permit);
        }
        let permit = self.permit(section, path)?;
        let opened = open(&permit);
        if permit.is_for_a_device() {
            self.permits.insert(key, permit);
        }
        opened
    }

    /// Opens `path` for what the job does.
    fn target(
        &mut self,
        section: &Section,
        path: &Path,
        writes: bool,
        size: u64,
    ) -> Result<Target, JobsError> {
        let (options, name) = (&section.options, section.name.as_str());
        let direct = options.engine.direct;
        let key = (path.to_owned(), direct, writes);
        // The position of an open file is one for all who share it.
        let shares = options.engine.engine != Engine::Sync;
        if let Some(open) = self.open.get(&key).filter(|_| shares) {
            return Ok(grown(open, writes, size));
        }
        let failed = |source| JobsError::target(name, source);
        let empty = keeps_nothing(path);
        let opened = match (writes, direct) {
            (false, _) if empty => open_without_contents(path),
            (true, _) => self.open_for_writing(section, path),
            (false, true) => open_for_reading(path),
            (false, false) => open_for_reading_buffered(path),
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
fn may_make(section: &Section, path: &Path) -> Result<(), JobsError> {
    let mut folders = path.ancestors().skip(1);
    let Some(folder) = folders.find(|folder| folder.exists()) else { return Ok(()) };
    let wrong = |error: std::io::Error| system(&section.name, "make a file in", folder, error);
    if !folder.is_dir() {
        return Err(wrong(std::io::ErrorKind::NotADirectory.into()));
    }
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).map_err(|error| wrong(error.into()))
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
