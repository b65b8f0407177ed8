//! The files that a run made: no others may be removed.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use target::WritePermit;

use super::error::JobsError;
use super::filing::{show, system};

/// By device and inode: a name may come to mean another file.
#[derive(Debug, Default)]
pub(super) struct MadeFiles(BTreeMap<(u64, u64), MadeFile>);

#[derive(Debug)]
struct MadeFile {
    path: PathBuf,
    /// A file system uses the numbers of removed inodes again. `None` where it keeps no such time.
    created: Option<SystemTime>,
}

impl MadeFiles {
    /// Adds the file of `permit`, if asking for it made the file.
    pub(super) fn add(&mut self, permit: &WritePermit) {
        if let (Some(id), Ok(found)) = (permit.new_file_id(), fs::symlink_metadata(permit.path()))
            && id == (found.dev(), found.ino())
        {
            let path = permit.path().to_owned();
            self.0.insert(id, MadeFile { path, created: found.created().ok() });
        }
    }

    /// Whether this run made what `path` leads to.
    pub(super) fn contains(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| self.is_one(&found))
    }

    fn is_one(&self, found: &Metadata) -> bool {
        let made = self.0.get(&(found.dev(), found.ino()));
        found.is_file() && made.is_some_and(|made| made.created == found.created().ok())
    }

    /// Removes the regular file at `path` if this run made it; `false` if it is another. Devices
    /// stay, and what is gone is as good as removed.
    pub(super) fn remove(&mut self, job: &str, path: &Path) -> Result<bool, JobsError> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Ok(true);
        }
        // Of a link itself: a link to our file is not our file.
        let Ok(found) = fs::symlink_metadata(path) else { return Ok(true) };
        if !self.is_one(&found) {
            return Ok(false);
        }
        fs::remove_file(path).map_err(|error| system(job, "remove", path, error))?;
        // A file with several names stays under the others.
        if found.nlink() == 1 {
            self.0.remove(&(found.dev(), found.ino()));
        }
        Ok(true)
    }

    /// Removes all of them: the run does not start, so nobody needs them.
    pub(super) fn remove_all(&mut self) {
        for path in self.0.values().map(|made| made.path.clone()).collect::<Vec<_>>() {
            // The error that ended the run is what the user must hear of.
            let _ = self.remove("", &path);
        }
    }
}

/// Why a file is still there although its job has `unlink`.
pub(super) fn not_removed(path: &Path) -> String {
    format!("{} is another file than the one that this run made: it is not removed", show(path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use target::{Named, Roots, permit_named};

    use super::*;

    #[test]
    fn only_what_was_made_and_is_still_there_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut made = MadeFiles::default();
        let ask = |name: &str, made: &mut MadeFiles| {
            made.add(&permit_named(&at(name), Named::default(), &Roots::host()).unwrap());
        };
        fs::write(at("keep"), "precious").unwrap();
        for name in ["keep", "new", "swapped", "linked"] {
            ask(name, &mut made);
        }
        assert!(!made.contains(&at("keep")) && made.contains(&at("new")));
        assert!(!made.remove("a", &at("keep")).unwrap());
        fs::rename(at("keep"), at("swapped")).unwrap();
        assert!(!made.remove("a", &at("swapped")).unwrap());
        fs::hard_link(at("swapped"), at("hard")).unwrap();
        assert!(!made.remove("a", &at("hard")).unwrap());
        symlink(at("new"), at("link")).unwrap();
        assert!(!made.remove("a", &at("link")).unwrap());
        assert!(made.remove("a", &at("new")).unwrap() && !at("new").exists());
        assert!(made.remove("a", &at("new")).unwrap(), "gone is as good as removed");
        assert!(made.remove("a", Path::new("/dev/null")).unwrap());
        assert!(Path::new("/dev/null").exists());
        made.remove_all();
        assert!(!at("linked").exists());
        assert_eq!(fs::read(at("swapped")).unwrap(), b"precious");
    }
}
