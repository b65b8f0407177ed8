//! The files of a run: found, made, filled, opened.
//!
//! fio makes the files of all jobs before the first one starts, and so does this. But what exists
//! already is never made anew: a job that only reads and wants more than a file has is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::os::unix::fs::{FileExt as _, FileTypeExt as _};
use std::path::{Path, PathBuf};

use engine::{Clock, StopFlag, Target};
use fio::options::job::{Engine, Fallocate, WriteHint};
use fio::plan::{Instance, Known, Region, Section, file_names, region};
use rustix::fs::{FallocateFlags, fallocate, ftruncate, statvfs};
use target::{
    Lifetime, Named, Opened, Roots, TargetError, drop_cache, keeps_nothing, open_for_reading,
    open_for_reading_buffered, open_for_writing, open_for_writing_buffered, open_without_contents,
    permit_named,
};
use units::{Bytes, Nanos, Seed};
use workload::Span;

use super::Talk;
use super::error::JobsError;
use crate::layout::{Layout, lay_out};

/// Files are filled in steps of this; what is left is written at the end.
const STEP: u64 = 1 << 20;

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
    /// Made by this run: these may grow.
    made: BTreeSet<PathBuf>,
    /// Open already, by path, whether past the page cache, whether for writing.
    open: BTreeMap<(PathBuf, bool, bool), Target>,
    opened: Vec<Opened>,
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
        let (made, open) = (BTreeSet::new(), BTreeMap::new());
        Self { roots, clock, stop, read_only, words, seed, made, open, opened: Vec::new() }
    }

    /// Makes ready what `instance` of `section` works on.
    pub(super) fn prepare(
        &mut self,
        section: &Section,
        instance: &Instance,
        talk: &mut dyn Talk,
    ) -> Result<Ground, JobsError> {
        let mut paths = super::opendir::files(section)?;
        if paths.is_empty() {
            let names = file_names(section, instance.clone, &is_device);
            paths.extend(names.iter().map(PathBuf::from));
        }
        if section.options.engine.engine == Engine::Null {
            let known = vec![Known::Nothing; paths.len()];
            let region = region(section, instance.clone, &known, 0)?;
            let target = Target::null(Bytes(region.file_size()));
            let targets = vec![target; paths.len()];
            return Ok(Ground { region, paths, targets, writes: true });
        }
        let known: Vec<Known> =
            paths.iter().map(|path| known(section, path)).collect::<Result<_, _>>()?;
        let free = paths.first().map_or(0, |path| free_bytes(path));
        let region = region(section, instance.clone, &known, free)?;
        self.may_write(section)?;
        self.make(section, &paths, &known, &region, talk)?;
        let operation = section.options.pattern.rw.operation;
        let writes = operation.writes() || operation.trims();
        Ok(Ground { region, paths, targets: Vec::new(), writes })
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
            remove_file(&section.name, path)?;
        }
        self.open.retain(|(path, ..), _| !ground.paths.contains(path));
        ground.targets.clear();
        self.open(section, ground)
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
                    let ours = self.made.contains(path) || is_marked(path);
                    if self.read_only || !(operation.writes() || ours) {
                        return Err(too_short(name, path, size, wanted));
                    }
                    short.push((path, size));
                }
                Known::File(_) | Known::Device(_) | Known::Nothing => {}
            }
        }
        if short.is_empty() {
            return Ok(());
        }
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
        let permit = permit_named(path, self.named(section), self.roots).map_err(failed)?;
        let buffered = open_for_writing_buffered(&permit).map_err(failed)?;
        if from == 0 {
            self.made.insert(path.to_owned());
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
            (true, _) => {
                let permit = permit_named(path, self.named(section), self.roots).map_err(failed)?;
                let open = if direct { open_for_writing } else { open_for_writing_buffered };
                open(&permit)
            }
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

/// Removes a regular file at the end of its job; devices and what is gone already are left.
pub(super) fn remove_file(job: &str, path: &Path) -> Result<(), JobsError> {
    if std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        std::fs::remove_file(path).map_err(|error| system(job, "remove", path, error))?;
    }
    Ok(())
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn system(job: &str, attempt: &str, path: &Path, error: std::io::Error) -> JobsError {
    JobsError::file(job, format!("cannot {attempt} {}: {error}", show(path)), None)
}

fn too_short(job: &str, path: &Path, size: u64, wanted: u64) -> JobsError {
    JobsError::File {
        job: job.to_owned(),
        what: format!(
            "{} has {size} bytes, but {wanted} are to be read; a job that reads never makes a file \
             anew that exists",
            show(path)
        ),
        hint: Some(format!("use size={size}, or remove the file, or write it first")),
        protects: true,
    }
}

fn is_device(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_block_device())
}

fn known(section: &Section, path: &Path) -> Result<Known, JobsError> {
    match std::fs::metadata(path) {
        Ok(found) if found.file_type().is_block_device() => {
            let opened = open_for_reading_buffered(path);
            let opened = opened.map_err(|source| JobsError::target(&section.name, source))?;
            Ok(Known::Device(opened.size.0))
        }
        Ok(found) if found.is_file() => Ok(Known::File(found.len())),
        Ok(_) if keeps_nothing(path) => Ok(Known::Nothing),
        Ok(found) => {
            let path = path.to_owned();
            let file_type = found.file_type();
            let what = match () {
                () if found.is_dir() => {
                    return Err(JobsError::target(&section.name, TargetError::IsFolder { path }));
                }
                () if file_type.is_char_device() => {
                    "a character device, of which only null, zero, full, random and urandom are \
                     used"
                }
                () if file_type.is_fifo() => "a pipe",
                () => "a socket",
            };
            Err(JobsError::target(&section.name, TargetError::Unsuitable { path, what }))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Known::Missing),
        Err(error) => Err(system(&section.name, "look at", path, error)),
    }
}

fn free_bytes(path: &Path) -> u64 {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    statvfs(folder.unwrap_or(Path::new(".")))
        .map_or(0, |stat| stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// The mark of a file that a job's layout made: a later job may lengthen it although it only
/// reads. Where the file system keeps no such attributes, such a file is anybody's.
const MARK: &str = "user.truedisk.layout";

fn mark(file: &File) {
    // Not having it means only that the file is not lengthened later.
    let _ = rustix::fs::fsetxattr(file, MARK, b"1", rustix::fs::XattrFlags::empty());
}

fn is_marked(path: &Path) -> bool {
    let mut value = [0_u8; 8];
    rustix::fs::getxattr(path, MARK, &mut value[..]).is_ok_and(|length| length == 1)
}

/// fio makes the folders that a file name has.
fn make_folders(folder: &Path) -> std::io::Result<()> {
    if folder.as_os_str().is_empty() || folder.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(folder)
}

/// Gives the file its length, and its space where that is wanted.
fn reserve(file: &File, from: u64, to: u64, how: Fallocate, fills: bool) -> std::io::Result<()> {
    if to == from {
        return Ok(());
    }
    match how {
        // It grows as it is written.
        Fallocate::None if !fills => return Ok(()),
        Fallocate::Native | Fallocate::Posix => {
            match fallocate(file, FallocateFlags::empty(), from, to - from) {
                Ok(()) => return Ok(()),
                Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Fallocate::Keep => {
            // Not having it is no error: it changes no byte.
            let _ = fallocate(file, FallocateFlags::KEEP_SIZE, from, to - from);
            if !fills {
                return Ok(());
            }
        }
        Fallocate::None | Fallocate::Truncate => {}
    }
    Ok(ftruncate(file, to)?)
}

/// Incompressible bytes; every 8 of them differ.
fn write_noise(file: &File, from: u64, to: u64, seed: u64) -> std::io::Result<()> {
    let mut state = seed ^ from.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut block = vec![0_u8; (to - from).min(STEP) as usize];
    let mut at = from;
    while at < to {
        for word in block.chunks_mut(8) {
            // splitmix64
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let bytes = (mixed ^ (mixed >> 31)).to_le_bytes();
            word.copy_from_slice(&bytes[..word.len()]);
        }
        let length = block.len().min((to - at) as usize);
        file.write_all_at(&block[..length], at)?;
        at += length as u64;
    }
    Ok(())
}

fn pre_read(file: &File) -> std::io::Result<()> {
    let mut block = vec![0; STEP as usize];
    let mut at = 0;
    loop {
        match file.read_at(&mut block, at)? {
            0 => return Ok(()),
            read => at += read as u64,
        }
    }
}
