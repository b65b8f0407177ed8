//! The files that a run made: only these may be removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use target::{FolderEntry, WritePermit};

use super::error::JobsError;
use super::file_ops::{display_path, system_error};

/// By device and inode: a name may come to mean another file.
#[derive(Debug, Default)]
pub(super) struct CreatedFiles(BTreeMap<(u64, u64), CreatedFile>);

#[derive(Debug)]
struct CreatedFile {
    entry: FolderEntry,
    /// Inode numbers are used again. `None` on file systems without this time.
    created: Option<SystemTime>,
}

impl CreatedFiles {
    /// Adds the file of `entry` if `permit` made it.
    pub(super) fn add(&mut self, entry: &FolderEntry, permit: &WritePermit) {
        if let (Some(id), Some(found)) = (permit.new_file_id(), find_metadata(entry))
            && id == (found.dev(), found.ino())
        {
            let created = found.created().ok();
            self.0.insert(id, CreatedFile { entry: entry.clone(), created });
        }
    }

    /// Adds what was `found` at the name of `entry`, which this run made.
    pub(super) fn add_made(&mut self, entry: &FolderEntry, found: &Metadata) {
        let made = CreatedFile { entry: entry.clone(), created: found.created().ok() };
        self.0.insert((found.dev(), found.ino()), made);
    }

    /// Forgets what had these names, and does no longer.
    pub(super) fn forget(&mut self, removed: &BTreeSet<PathBuf>) {
        self.0.retain(|_, made| !removed.contains(&made.entry.resolved()));
    }

    pub(super) fn contains(&self, entry: &FolderEntry) -> bool {
        find_metadata(entry).is_some_and(|found| self.is_created(&found))
    }

    pub(super) fn is_created(&self, found: &Metadata) -> bool {
        let made = self.0.get(&(found.dev(), found.ino()));
        (found.is_file() || found.is_dir())
            && made.is_some_and(|made| made.created == found.created().ok())
    }

    /// Removes the file or folder of `entry` if this run made it; `false` if it is another. Devices
    /// stay.
    pub(super) fn remove(&mut self, job: &str, entry: &FolderEntry) -> Result<bool, JobsError> {
        let handle = match entry.open() {
            Ok(Some(handle)) => handle,
            Ok(None) => return Ok(true),
            // A link came in its place.
            Err(_) => return Ok(false),
        };
        let Ok(found) = handle.metadata() else { return Ok(false) };
        if !(found.is_file() || found.is_dir()) {
            return Ok(true);
        }
        // A link to our file is not our file.
        if entry.is_handle() || !self.is_created(&found) {
            return Ok(false);
        }
        let removed = if found.is_dir() { entry.remove_folder() } else { entry.remove_file() };
        removed.map_err(|error| system_error(job, "remove", entry.path(), error))?;
        // A file with several names stays under the others.
        if found.nlink() == 1 || found.is_dir() {
            self.0.remove(&(found.dev(), found.ino()));
        }
        Ok(true)
    }

    pub(super) fn remove_all(&mut self) {
        for entry in self.0.values().map(|made| made.entry.clone()).collect::<Vec<_>>() {
            // The user must see the error that ended the run.
            let _ = self.remove("", &entry);
        }
    }
}

fn find_metadata(entry: &FolderEntry) -> Option<Metadata> {
    entry.open().ok()??.metadata().ok()
}

/// Note for a job with `unlink` whose file stays.
pub(super) fn not_removed_note(path: &Path) -> String {
    format!("{} was replaced during the run; it is not removed", display_path(path))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use target::{PermitOptions, Roots, permit_named};

    use super::*;

    #[test]
    fn only_what_was_made_and_is_still_there_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let entry = |name: &str| FolderEntry::from_path(&at(name)).unwrap();
        let mut made = CreatedFiles::default();
        let ask = |name: &str, made: &mut CreatedFiles| {
            let entry = entry(name);
            made.add(
                &entry,
                &permit_named(&entry, PermitOptions::default(), &Roots::host()).unwrap(),
            );
        };
        fs::write(at("keep"), "precious").unwrap();
        for name in ["keep", "new", "swapped", "linked"] {
            ask(name, &mut made);
        }
        assert!(!made.contains(&entry("keep")) && made.contains(&entry("new")));
        assert!(!made.remove("a", &entry("keep")).unwrap());
        fs::rename(at("keep"), at("swapped")).unwrap();
        assert!(!made.remove("a", &entry("swapped")).unwrap());
        fs::hard_link(at("swapped"), at("hard")).unwrap();
        assert!(!made.remove("a", &entry("hard")).unwrap());
        symlink(at("new"), at("link")).unwrap();
        assert!(!made.remove("a", &entry("link")).unwrap());
        let new = entry("new");
        assert!(made.remove("a", &new).unwrap() && !at("new").exists());
        assert!(made.remove("a", &new).unwrap(), "gone is as good as removed");
        fs::rename(at("link"), at("new")).unwrap();
        assert!(!made.remove("a", &new).unwrap(), "a link has come in its place");
        let null = FolderEntry::from_path(Path::new("/dev/null")).unwrap();
        assert!(made.remove("a", &null).unwrap());
        assert!(Path::new("/dev/null").exists());
        ask("forgotten", &mut made);
        made.forget(&BTreeSet::from([entry("forgotten").resolved()]));
        assert!(!made.remove("a", &entry("forgotten")).unwrap(), "its inode number is used again");
        made.remove_all();
        assert!(!at("linked").exists() && at("forgotten").exists());
        assert_eq!(fs::read(at("swapped")).unwrap(), b"precious");
    }
}
