//! The layout of files: created, extended and filled before the first job starts.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use engine::{BlockContent, StopSignal, Target};
use fio::options::engine::Engine;
use fio::options::parse::WRITES;
use fio::plan::{FileState, Region, Section, plan_layout_payload};
use target::{FolderEntry, OpenTarget, WritePermit, open_for_writing};
use units::{Bytes, Nanos, Seed};
use workload::{Payload, Span};

use super::error::JobsError;
use super::file_ops::{
    FILL_BYTES, MISSING_HINT, display_path, reserve_space, system_error, too_short_error,
};
use super::files::RunFiles;
use super::request::JobsObserver;
use method::{LayoutRequest, write_layout};

/// A file that the layout makes or extends.
pub(super) struct FileGrowth<'p> {
    pub(super) entry: &'p FolderEntry,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Gives a file that was laid out to `end`, or not so far, its length back: a later run would read
/// what is not filled. One that others made longer, or shorter, stays as it is.
fn cut_back(file: &File, length: u64, end: u64) -> io::Result<()> {
    match (length..=end).contains(&file.metadata()?.len()) {
        true => file.set_len(length),
        false => Ok(()),
    }
}

impl RunFiles<'_> {
    pub(super) fn lay_out_files(
        &mut self,
        section: &Section,
        entries: &[FolderEntry],
        known: &[FileState],
        region: &Region,
        observer: &mut dyn JobsObserver,
    ) -> Result<(), JobsError> {
        let short = self.find_short_files(section, entries, known, region)?;
        if short.is_empty() {
            return Ok(());
        }
        let (options, name) = (&section.options, section.name.as_str());
        let operation = options.pattern.rw.operation;
        // Reads need data; writes only with overwrite=1, or through a mapping, as in fio.
        let grows = options.size.fill_device;
        let is_mapped = options.engine.engine == Engine::Mmap;
        let fills = !grows && (operation.reads() || options.target.overwrite || is_mapped);
        let whole: u64 = short.iter().map(|growth| growth.to).sum();
        observer.on_layout(name, short.len(), whole / short.len() as u64);
        let wrong = |error| JobsError::io(name, "no memory to fill its files from", &error);
        let mut filling = match fills {
            true => Some(Filling::new(section, whole, self.seed).map_err(wrong)?),
            false => None,
        };
        for growth in short {
            // A file that fills the device gets no space beforehand.
            let to = if grows { growth.from } else { growth.to };
            self.lay_out_file(section, &FileGrowth { to, ..growth }, filling.as_mut())?;
        }
        Ok(())
    }

    /// Files that are missing or too short.
    pub(super) fn find_short_files<'p>(
        &self,
        section: &Section,
        entries: &'p [FolderEntry],
        known: &[FileState],
        region: &Region,
    ) -> Result<Vec<FileGrowth<'p>>, JobsError> {
        let (options, name) = (&section.options, section.name.as_str());
        let operation = options.pattern.rw.operation;
        let mut short = Vec::new();
        for (file, (entry, known)) in entries.iter().zip(known).enumerate() {
            let (path, to) = (entry.path(), region.file_size(file));
            let mut add = |from| short.push(FileGrowth { entry, from, to });
            match *known {
                FileState::Missing if self.policy.read_only => {
                    let what =
                        format!("{} does not exist, and --readonly makes none", display_path(path));
                    return Err(JobsError::file(name, what, MISSING_HINT));
                }
                FileState::Missing if !options.target.allow_file_create => {
                    let what =
                        format!("{} does not exist, and allow_file_create=0", display_path(path));
                    return Err(JobsError::file(name, what, MISSING_HINT));
                }
                FileState::Missing => add(0),
                FileState::File(size) if size < to => {
                    // An empty file has no content that a layout could change.
                    let may_grow = operation.writes() || size == 0 || self.is_ours(entry);
                    if self.policy.read_only || !may_grow {
                        return Err(too_short_error(name, path, size, to));
                    }
                    add(size);
                }
                FileState::File(_) | FileState::Device(_) | FileState::Nothing => {}
            }
        }
        Ok(short)
    }

    fn lay_out_file(
        &mut self,
        section: &Section,
        growth: &FileGrowth<'_>,
        filling: Option<&mut Filling>,
    ) -> Result<(), JobsError> {
        let (entry, fills) = (growth.entry, filling.is_some());
        let (name, path) = (section.name.as_str(), entry.path());
        let failed = |source| JobsError::target(name, source);
        let options = &section.options;
        // Folders in the name of a file or a job are made, as by fio.
        let named = !options.target.filenames.is_empty() || section.file_name.contains('/');
        if let Some(folder) = path.parent().filter(|_| named) {
            entry
                .create_missing_folders()
                .map_err(|error| system_error(name, "create", folder, error))?;
        }
        let permit = self.permit_write(section, entry).map_err(failed)?;
        let buffered = open_for_writing(&permit, false).map_err(failed)?;
        if buffered.size.0 == 0 {
            self.own.add_empty(entry);
        }
        if !(options.pattern.rw.operation.writes() || self.own.contains(entry)) {
            // It is newer than the check: a job that reads changes no file of others.
            let what =
                format!("{} was written by another program after the check", display_path(path));
            return Err(JobsError::protects(name, what, "start again"));
        }
        self.own.begin_writes(std::slice::from_ref(entry));
        let grown = self.grow_file(section, growth, &permit, &buffered, filling);
        self.own.end_writes(std::slice::from_ref(entry));
        if fills && self.stop.is_raised() {
            self.own.mark_partial(entry);
        }
        grown
    }

    fn grow_file(
        &self,
        section: &Section,
        &FileGrowth { entry, from, to }: &FileGrowth<'_>,
        permit: &WritePermit,
        buffered: &OpenTarget,
        filling: Option<&mut Filling>,
    ) -> Result<(), JobsError> {
        let (options, name) = (&section.options, section.name.as_str());
        let wrong = |attempt, error| system_error(name, attempt, entry.path(), error);
        reserve_space(&buffered.file, from, to, options.target.fallocate, filling.is_some())
            .map_err(|error| wrong("reserve space for", error))?;
        if let Some(filling) = filling {
            let direct = open_for_writing(permit, true);
            let direct = direct.map_err(|source| JobsError::target(name, source))?;
            self.fill_file(&direct, buffered, (from, to), filling, name)?;
            if self.stop.is_raised() {
                let kept = from.max(buffered.size.0);
                cut_back(&buffered.file, kept, to).map_err(|error| wrong("cut", error))?;
            } else if options.target.create_fsync {
                buffered.file.sync_all().map_err(|error| wrong("sync", error))?;
            }
        }
        Ok(())
    }

    /// Writes whole steps past the page cache, and the rest at both ends through it.
    fn fill_file(
        &self,
        direct: &OpenTarget,
        buffered: &OpenTarget,
        (from, to): (u64, u64),
        filling: &mut Filling,
        name: &str,
    ) -> Result<(), JobsError> {
        let wrong = |error| JobsError::io(name, "its file cannot be filled", &error);
        if !filling.fits_steps() {
            return filling.write(&buffered.file, (from, to), self.stop).map_err(wrong);
        }
        let first = from.next_multiple_of(FILL_BYTES).min(to);
        let last = (to / FILL_BYTES * FILL_BYTES).max(first);
        if last > first {
            let limits = workload::TargetLimits { size: Bytes(to), ..direct.limits() };
            let file = direct.file.try_clone().map_err(wrong)?;
            let target = Target::new(file, limits, direct.memory_align);
            let span = Span { offset: Bytes(first), length: Bytes(last - first) };
            let time_most = Nanos::secs(365 * 86_400);
            let layout = LayoutRequest {
                target: &target,
                span,
                direct: direct.direct,
                seed: Seed(self.seed ^ first),
                payload: filling.payload.clone(),
                time_max: time_most,
            };
            let laid_out = write_layout(&layout, self.clock, self.stop, &mut |_| {})?;
            if let Some(reason) = laid_out.failed {
                return Err(wrong(std::io::Error::other(reason)));
            }
        }
        filling.write(&buffered.file, (from, first), self.stop).map_err(wrong)?;
        filling.write(&buffered.file, (last, to), self.stop).map_err(wrong)
    }
}

/// What files are filled with.
struct Filling {
    payload: Payload,
    content: BlockContent,
    block: u64,
}

impl Filling {
    /// The content of files of `size` bytes together. As in fio, the parts of a pattern begin with
    /// each of the largest blocks that are written.
    fn new(section: &Section, size: u64, seed: u64) -> io::Result<Self> {
        let payload = plan_layout_payload(&section.options, size);
        let block = section.options.pattern.max_bs(WRITES).clamp(512, FILL_BYTES);
        let content = BlockContent::new(&payload, block as usize, Seed(seed))?;
        Ok(Self { payload, content, block })
    }

    /// Whether steps of `FILL_BYTES` have the same content as blocks.
    fn fits_steps(&self) -> bool {
        match &self.payload {
            Payload::Pattern { bytes } => {
                let length = bytes.len() as u64;
                self.block.is_multiple_of(length) && FILL_BYTES.is_multiple_of(length)
            }
            Payload::Dedupable { .. }
            | Payload::DedupableCompressible { .. }
            | Payload::WorkingSet { .. } => false,
            _ => true,
        }
    }

    /// Writes block by block, until `stop` is raised.
    fn write(&mut self, file: &File, (from, to): (u64, u64), stop: &StopSignal) -> io::Result<()> {
        let mut at = from;
        while at < to && !stop.is_raised() {
            let length = (self.block - at % self.block).min(to - at);
            let skipped = (at % self.block) as usize;
            let block = self.content.next_block(skipped + length as usize);
            file.write_all_at(&block[skipped..], at)?;
            at += length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_ends_the_filling_of_a_file() {
        let payload = Payload::Pattern { bytes: vec![0xde, 0xad, 0xbe] };
        let content = BlockContent::new(&payload, 4096, Seed(1)).unwrap();
        let mut filling = Filling { payload, content, block: 4096 };
        assert!(!filling.fits_steps());
        let (file, stop) = (tempfile::tempfile().unwrap(), StopSignal::default());
        let mut filled = |to| {
            filling.write(&file, (0, to), &stop).unwrap();
            file.metadata().unwrap().len()
        };
        assert_eq!(filled(10_000), 10_000);
        stop.raise();
        assert_eq!(filled(1 << 40), 10_000);
    }

    #[test]
    fn a_file_that_others_changed_is_not_cut_back() {
        let check = |length: u64, kept: u64, end: u64, left: u64| {
            let file = tempfile::tempfile().unwrap();
            file.set_len(length).unwrap();
            cut_back(&file, kept, end).unwrap();
            assert_eq!(file.metadata().unwrap().len(), left, "{length}: {kept} to {end}");
        };
        check(70, 10, 100, 10);
        check(100, 10, 100, 10);
        check(130, 10, 100, 130);
        check(5, 10, 100, 5);
    }
}
