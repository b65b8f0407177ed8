//! Checks of all jobs before the first byte: files that they would remove, and free space.

use std::path::PathBuf;

use fio::plan::{FileState, Instance, Section};
use target::FolderEntry;
use workload::Direction;

use super::error::JobsError;
use super::file_ops::{display_path, inspect_file, is_unchanged};
use super::files::{ResolvedFiles, RunFiles, trim_refusal};
use super::path_policy::PathAccess;
use super::replay::Replay;

impl RunFiles<'_> {
    /// Refuses jobs that would remove files of others, or do not fit; `fill_device` is bounded by
    /// the free space instead. Returns the files of each instance, in the order of `all`.
    pub(super) fn survey<'p>(
        &mut self,
        all: impl Iterator<Item = (&'p Section, &'p Instance, Option<&'p Replay>)> + Clone,
    ) -> Result<Vec<ResolvedFiles>, JobsError> {
        let real = |section: &Section| !section.options.engine.engine.has_no_target();
        let fills = |section: &Section| section.options.size.fill_device && real(section);
        self.fill_jobs = (all.clone().filter(|(section, ..)| fills(section)).count() as u64).max(1);
        let mut found = Vec::new();
        for (section, instance, replay) in all {
            found.push(match replay {
                Some(replay) => self.survey_replay(section, replay)?,
                None => self.survey_instance(section, instance)?,
            });
        }
        std::mem::take(&mut self.planned).check(self.roots)?;
        Ok(found)
    }

    fn survey_instance(
        &mut self,
        section: &Section,
        instance: &Instance,
    ) -> Result<ResolvedFiles, JobsError> {
        let files = self.resolve(section, instance)?;
        let (known, region) = self.inspect(section, instance, &files)?;
        let engine = section.options.engine.engine;
        // Names are made without a layout, and what fills the device takes what is left.
        let grows =
            !section.options.size.fill_device && !engine.creates_names() && !engine.calls_folders();
        for (file, (entry, known)) in files.entries.iter().zip(known).enumerate() {
            if matches!(known, FileState::Missing | FileState::File(_)) {
                check_foreign_file(section, entry)?;
                let writes = section.options.pattern.rw.operation.writes();
                let size = if grows { region.file_size(file) } else { 0 };
                self.planned.add_file(&section.name, entry, size, writes);
            }
        }
        Ok(files)
    }

    fn survey_replay(
        &mut self,
        section: &Section,
        replay: &Replay,
    ) -> Result<ResolvedFiles, JobsError> {
        let paths: Vec<PathBuf> = replay.files.iter().map(|(path, _)| path.into()).collect();
        let touch = if replay.changes_data() { PathAccess::Write } else { PathAccess::Read };
        let mut entries = Vec::new();
        for (path, (_, end)) in paths.iter().zip(&replay.files) {
            let entry = self.resolve_entry(section, path, touch)?;
            if matches!(inspect_file(section, &entry)?, FileState::Missing | FileState::File(_)) {
                check_foreign_file(section, &entry)?;
                if replay.has_direction(Direction::Trim) {
                    return Err(trim_refusal(&section.name, path));
                }
                if replay.has_direction(Direction::Write) {
                    self.planned.add_file(&section.name, &entry, *end, true);
                }
            }
            entries.push(entry);
        }
        Ok(ResolvedFiles { paths, entries })
    }
}

/// Nothing is made yet: an existing file is not of this run.
fn check_foreign_file(section: &Section, entry: &FolderEntry) -> Result<(), JobsError> {
    let (target, engine) = (&section.options.target, section.options.engine.engine);
    let (word, change) = match () {
        () if target.unlink => ("unlink=1".to_owned(), "remove"),
        () if target.unlink_each_loop => ("unlink_each_loop=1".to_owned(), "remove"),
        () if engine.changes_length() => (format!("ioengine={}", engine.word()), "change"),
        () if engine.removes_names() && !is_unchanged(entry) => {
            (format!("ioengine={}", engine.word()), "remove")
        }
        () => return Ok(()),
    };
    if matches!(entry.open(), Ok(None)) {
        return Ok(());
    }
    let path = display_path(entry.path());
    let what =
        format!("{word} would {change} {path}, which this run did not make: it existed before");
    let hint = format!("leave {word} out, or name a file that does not exist");
    Err(JobsError::protects(&section.name, what, &hint))
}
