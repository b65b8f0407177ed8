//! Files and folders whose names are called (`ioengine=filecreate`, `dirdelete`, ...).
//!
//! A call is one of a single name in a folder that is opened here. Only what this program made is
//! removed: what this run made, and what carries the mark of an earlier one.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::path::PathBuf;
use std::sync::Arc;

use engine::{FileStamp, Target};
use fio::plan::{FileState, Region, Section};
use target::{FolderEntry, PathHandle, create_in_folder, open_parent_folder};
use units::Bytes;

use super::error::JobsError;
use super::file_ops::{MISSING_HINT, display_path, is_as_marked, mark_handle, system_error};
use super::files::RunFiles;
use super::instance_run::InstanceRun;
use super::request::JobsObserver;

/// Mode of folders that are made.
const FOLDER_MODE: u32 = 0o700;

impl RunFiles<'_> {
    /// Makes what is looked up or removed later, and opens the folders of all names.
    pub(super) fn prepare_names(
        &mut self,
        section: &Section,
        entries: &[FolderEntry],
        known: &[FileState],
        region: &Region,
        observer: &mut dyn JobsObserver,
    ) -> Result<Vec<Target>, JobsError> {
        let engine = section.options.engine.engine;
        let failed = |source| JobsError::target(&section.name, source);
        let missing = entries.iter().zip(known).filter(|(_, known)| **known == FileState::Missing);
        if engine.creates_names() || engine.calls_folders() {
            for (entry, _) in missing {
                entry
                    .create_missing_folders()
                    .map_err(|error| system_error(&section.name, "create", entry.path(), error))?;
                if !engine.creates_names() {
                    self.make_folder(section, entry)?;
                }
            }
        } else {
            // The length of an existing file does not matter.
            let lengths = known.iter().map(|known| match known {
                FileState::File(_) => FileState::File(u64::MAX),
                other => *other,
            });
            let lengths: Vec<FileState> = lengths.collect();
            self.lay_out_files(section, entries, &lengths, region, observer)?;
        }
        // One descriptor for all names of a folder.
        let mut folders: BTreeMap<PathBuf, Arc<File>> = BTreeMap::new();
        let block = Bytes(region.clone().of_names(section, 1).length);
        let open = |(entry, known): (&FolderEntry, &FileState)| {
            let path = entry.resolved().parent().map(PathBuf::from).unwrap_or_default();
            let folder = match folders.get(&path) {
                Some(folder) => Arc::clone(folder),
                None => open_parent_folder(entry, self.roots).map_err(failed)?.shared_file(),
            };
            folders.insert(path, Arc::clone(&folder));
            let existed = *known != FileState::Missing;
            let name = entry.name().unwrap_or_default();
            Target::from_folder_entry(folder, name, existed, create_in_folder, block)
                .map_err(|error| system_error(&section.name, "use the name", entry.path(), error))
        };
        entries.iter().zip(known).map(open).collect()
    }

    fn make_folder(&mut self, section: &Section, entry: &FolderEntry) -> Result<(), JobsError> {
        if self.policy.read_only || !section.options.target.allow_file_create {
            let why = if self.policy.read_only { "--readonly" } else { "allow_file_create=0" };
            let what =
                format!("{} does not exist, and {why} makes none", display_path(entry.path()));
            return Err(JobsError::file(&section.name, what, MISSING_HINT));
        }
        open_parent_folder(entry, self.roots)
            .map_err(|source| JobsError::target(&section.name, source))?;
        entry
            .create_folder(FOLDER_MODE)
            .map_err(|error| system_error(&section.name, "create", entry.path(), error))?;
        if let Ok(Some(handle)) = entry.open() {
            self.record_created_name(entry, &handle, |found| found.is_dir());
        }
        Ok(())
    }

    /// Remembers and marks what has the name of `entry`, if it `is_made` by this run.
    fn record_created_name(
        &mut self,
        entry: &FolderEntry,
        handle: &PathHandle,
        is_made: impl Fn(&Metadata) -> bool,
    ) {
        if let Ok(found) = handle.metadata()
            && is_made(&found)
            && !self.own.is_created(&found)
        {
            self.own.add_made(entry, &found);
            mark_handle(handle, &found);
        }
    }

    /// Lets the job remove its names, each of which is missing or made by this program. What else
    /// comes to have a name later is not removed.
    pub(super) fn allow_removal(&self, run: &InstanceRun<'_>) -> Result<(), String> {
        if !run.section.options.engine.engine.removes_names() {
            return Ok(());
        }
        for (entry, target) in run.files.entries.iter().zip(&run.files.targets) {
            let Some(handle) = entry.open().unwrap_or(None) else { continue };
            match handle.metadata() {
                Ok(found) if self.own.is_created(&found) || is_as_marked(&handle, &found) => {
                    target.allow_removal(FileStamp::from(&found));
                }
                _ => {
                    let path = display_path(entry.path());
                    return Err(format!(
                        "{path} was replaced or changed after the check by another program"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Remembers and marks what the calls of `run` made, unless another file has the name now, or
    /// something was written to it; forgets what they removed.
    pub(super) fn update_created_names(&mut self, run: &InstanceRun<'_>) {
        let engine = run.section.options.engine.engine;
        let names = || run.files.entries.iter().zip(&run.files.targets);
        if engine.creates_names() {
            for (entry, target) in names() {
                if let (Some(ours), Ok(Some(handle))) = (target.own_stamp(), entry.open()) {
                    self.record_created_name(entry, &handle, |found| {
                        FileStamp::from(found) == ours
                    });
                }
            }
        } else if engine.removes_names() {
            // Another file may get the inode number of a removed one.
            let removed = names().filter(|(_, target)| target.own_stamp().is_none());
            self.own.forget(&removed.map(|(entry, _)| entry.resolved()).collect());
        }
    }
}
