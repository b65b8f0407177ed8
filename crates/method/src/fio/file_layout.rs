//! The layout of a run's files: made, lengthened and filled before the first job starts.

use engine::Target;
use fio::plan::{Known, Region, Section};
use target::{FolderEntry, Opened, open_for_writing, open_for_writing_buffered};
use units::{Bytes, Nanos, Seed};
use workload::Span;

use super::Talk;
use super::error::JobsError;
use super::files::Files;
use super::filing::{mark, reserve, show, system, too_short, write_noise};
use crate::layout::{Layout, lay_out};

/// Files are filled in steps of this; what is left is written at the end.
pub(super) const STEP: u64 = 1 << 20;

impl Files<'_> {
    /// Makes the files that are missing, and lengthens those that are too short.
    pub(super) fn make(
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
    pub(super) fn short<'p>(
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
            let what = format!("{} was created by another program after the check", show(path));
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
}
