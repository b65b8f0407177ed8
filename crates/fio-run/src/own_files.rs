//! What this program made or filled, as it left it: only this may be removed, or extended for a
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use engine::FileStamp;
use target::{FolderEntry, WritePermit};

use super::error::JobsError;
use super::file_ops::{display_path, is_as_marked, mark_handle, system_error};

/// By device and inode: a name may come to mean another file.
#[derive(Debug, Default)]
pub(super) struct OwnFiles(BTreeMap<(u64, u64), OwnFile>);

#[derive(Debug)]
struct OwnFile {
    entry: FolderEntry,
    origin: Origin,
    /// As this program left it: what another program changed since is not ours any more.
    stamp: FileStamp,
    /// Instances that write to it now, and so change its stamp.
    writers: u32,
    /// Its layout was interrupted.
    is_partial: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Only this may be removed.
    ThisRun,
    EarlierRun,
    /// It was empty. It gets no mark: it is a user's.
    Filled,
}

impl OwnFile {
    fn new(entry: &FolderEntry, origin: Origin, found: &Metadata) -> Self {
        Self {
            entry: entry.clone(),
            origin,
            stamp: FileStamp::from(found),
            writers: 0,
            is_partial: false,
        }
    }

    fn is_unchanged(&self, found: &Metadata) -> bool {
        let found = FileStamp::from(found);
        self.stamp == found || (self.writers > 0 && self.stamp.is_same_file(&found))
    }
}

impl OwnFiles {
    /// Adds the file of `entry` if `permit` made it, or an earlier run did.
    pub(super) fn add(&mut self, entry: &FolderEntry, permit: &WritePermit) {
        let Ok(Some(handle)) = entry.open() else { return };
        let Ok(found) = handle.metadata() else { return };
        let id = (found.dev(), found.ino());
        let origin = match permit.new_file_id() {
            Some(made) if made == id => Origin::ThisRun,
            None if is_as_marked(&handle, &found) => Origin::EarlierRun,
            _ => return,
        };
        if self.find(&found).is_none() {
            self.0.insert(id, OwnFile::new(entry, origin, &found));
        }
    }

    /// Adds the file of `entry`, which is empty.
    pub(super) fn add_empty(&mut self, entry: &FolderEntry) {
        if let Some(found) = find_metadata(entry)
            && found.len() == 0
            && self.find(&found).is_none()
        {
            let id = (found.dev(), found.ino());
            self.0.insert(id, OwnFile::new(entry, Origin::Filled, &found));
        }
    }

    /// Adds what was `found` at the name of `entry`, which this run made.
    pub(super) fn add_made(&mut self, entry: &FolderEntry, found: &Metadata) {
        let made = OwnFile::new(entry, Origin::ThisRun, found);
        self.0.insert((found.dev(), found.ino()), made);
    }

    /// An instance begins to write to these files. One that another program changed is forgotten.
    pub(super) fn begin_writes(&mut self, entries: &[FolderEntry]) {
        for found in entries.iter().filter_map(find_metadata) {
            let id = (found.dev(), found.ino());
            match self.0.get_mut(&id) {
                Some(own) if own.is_unchanged(&found) => own.writers += 1,
                Some(_) => _ = self.0.remove(&id),
                None => {}
            }
        }
    }

    /// An instance that began to write has ended: the files are as it left them.
    pub(super) fn end_writes(&mut self, entries: &[FolderEntry]) {
        for handle in entries.iter().filter_map(|entry| entry.open().ok().flatten()) {
            let Ok(found) = handle.metadata() else { continue };
            if let Some(own) = self.0.get_mut(&(found.dev(), found.ino()))
                && own.writers > 0
                && own.is_unchanged(&found)
            {
                own.writers -= 1;
                own.stamp = FileStamp::from(&found);
                if own.origin != Origin::Filled {
                    mark_handle(&handle, &found);
                }
            }
        }
    }

    /// Forgets what had these names, and does no longer.
    pub(super) fn forget(&mut self, removed: &BTreeSet<PathBuf>) {
        self.0.retain(|_, made| !removed.contains(&made.entry.resolved()));
    }

    pub(super) fn contains(&self, entry: &FolderEntry) -> bool {
        find_metadata(entry).is_some_and(|found| self.find(&found).is_some())
    }

    /// Whether this run made what was `found`, and no other program has changed it since.
    pub(super) fn is_created(&self, found: &Metadata) -> bool {
        self.find(found).is_some_and(|own| own.origin == Origin::ThisRun)
    }

    fn find(&self, found: &Metadata) -> Option<&OwnFile> {
        let own = self.0.get(&(found.dev(), found.ino()));
        own.filter(|own| (found.is_file() || found.is_dir()) && own.is_unchanged(found))
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
        self.remove_made(|_| true);
    }

    /// The layout of the file of `entry` was interrupted: a later run would read its holes.
    pub(super) fn mark_partial(&mut self, entry: &FolderEntry) {
        let found = find_metadata(entry);
        let own = found.and_then(|found| self.0.get_mut(&(found.dev(), found.ino())));
        if let Some(own) = own {
            own.is_partial = true;
        }
    }

    pub(super) fn remove_partial(&mut self) {
        self.remove_made(|own| own.is_partial);
    }

    fn remove_made(&mut self, is_wanted: fn(&OwnFile) -> bool) {
        let made = self.0.values().filter(|own| own.origin == Origin::ThisRun && is_wanted(own));
        for entry in made.map(|own| own.entry.clone()).collect::<Vec<_>>() {
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
    let path = display_path(path);
    format!("{path} was replaced or changed by another program during the run; it is not removed")
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
        let mut made = OwnFiles::default();
        let ask = |name: &str, made: &mut OwnFiles| {
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
        ask("changed", &mut made);
        fs::write(at("changed"), "precious").unwrap();
        assert!(!made.contains(&entry("changed")));
        assert!(!made.remove("a", &entry("changed")).unwrap());
        made.begin_writes(&[entry("changed")]);
        made.end_writes(&[entry("changed")]);
        assert!(!made.remove("a", &entry("changed")).unwrap(), "it stays another's");
        ask("written", &mut made);
        let written = [entry("written")];
        made.begin_writes(&written);
        made.begin_writes(&written);
        fs::write(at("written"), "ours").unwrap();
        made.end_writes(&written);
        assert!(made.contains(&written[0]), "the other instance may change it");
        fs::write(at("written"), "ours, too").unwrap();
        made.end_writes(&written);
        assert!(made.remove("a", &written[0]).unwrap());
        ask("forgotten", &mut made);
        made.forget(&BTreeSet::from([entry("forgotten").resolved()]));
        assert!(!made.remove("a", &entry("forgotten")).unwrap(), "its inode number is used again");
        made.remove_all();
        assert!(!at("linked").exists() && at("forgotten").exists());
        assert_eq!(fs::read(at("swapped")).unwrap(), b"precious");
    }
}
