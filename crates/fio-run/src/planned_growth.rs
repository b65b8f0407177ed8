//! What the jobs make: lengths of files after the layout, new names, and whether they fit.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use fio::plan::FileState;
use target::{
    FolderEntry, FreeSpace, PathHandle, Roots, file_size_limit, query_free_space,
    refuse_kernel_interface, reserved_inodes, reserved_space,
};
use units::Bytes;

use super::error::JobsError;
use super::file_ops::display_path;

/// Files that the layout makes or extends, and names that a job makes.
#[derive(Debug, Default)]
pub(super) struct PlannedGrowth(BTreeMap<PathBuf, Growth>);

#[derive(Debug)]
struct Growth {
    /// The folder of the file, which may be missing.
    folder: PathHandle,
    from: u64,
    /// 0 where nothing is laid out.
    to: u64,
    is_new: bool,
    /// The first job that needs it.
    job: String,
}

impl PlannedGrowth {
    pub(super) fn predict_state(&self, entry: &FolderEntry, known: FileState) -> FileState {
        let laid_out = self.0.get(&entry.resolved()).filter(|growth| growth.to > 0);
        match (known, laid_out) {
            (FileState::Missing, Some(growth)) => FileState::File(growth.to),
            (FileState::File(size), Some(growth)) => FileState::File(size.max(growth.to)),
            (known, _) => known,
        }
    }

    /// Adds a file of `to` bytes, or a folder (0 bytes). With `writes` the holes of a sparse file
    /// need space, too.
    pub(super) fn add_file(&mut self, job: &str, entry: &FolderEntry, to: u64, writes: bool) {
        let found = entry.open().ok().flatten().and_then(|handle| handle.metadata().ok());
        let allocated = |found: &Metadata| found.blocks().saturating_mul(512).min(found.len());
        let has = |found: Metadata| if writes { allocated(&found) } else { found.len() };
        let is_new = found.is_none();
        let from = found.map_or(0, has);
        if to > from || is_new {
            let folder = entry.folder().clone();
            let growth = Growth { folder, from, to, is_new, job: job.to_owned() };
            let known = self.0.entry(entry.resolved()).or_insert(growth);
            known.to = known.to.max(to);
            // One job may only read it, and another fill its holes.
            known.from = known.from.min(from);
        }
    }

    /// Checks the file size limit of the process, and the free space and inodes of file systems.
    /// Nothing is made in an interface of the kernel.
    pub(super) fn check(&self, roots: &Roots) -> Result<(), JobsError> {
        let limit = file_size_limit();
        let mut needs: BTreeMap<u64, SpaceNeed<'_>> = BTreeMap::new();
        for (path, growth) in &self.0 {
            if let Some(limit) = limit.filter(|limit| growth.to > limit.0) {
                return Err(JobsError::file(
                    &growth.job,
                    format!(
                        "{} is to have {}, but this process may write files of {limit} at most",
                        display_path(path),
                        Bytes(growth.to)
                    ),
                    "raise the limit on file sizes (ulimit -f unlimited), or lower size",
                ));
            }
            let at = &growth.folder;
            let Ok(found) = at.metadata() else { continue };
            let first = SpaceNeed { at, job: &growth.job, path, bytes: 0, names: 0 };
            let need = needs.entry(found.dev()).or_insert(first);
            need.names += u64::from(growth.is_new);
            let bytes = growth.to.saturating_sub(growth.from);
            let bytes = bytes.checked_next_multiple_of(found.blksize().max(1)).unwrap_or(u64::MAX);
            need.bytes = need.bytes.saturating_add(bytes);
        }
        for need in needs.values() {
            refuse_kernel_interface(need.at, need.path, roots)
                .map_err(|source| JobsError::target(need.job, source))?;
            // A file system that does not report its size cannot be checked.
            if let Ok(room) = query_free_space(need.at)
                && room.total.0 > 0
            {
                need.check(&room)?;
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
struct SpaceNeed<'a> {
    at: &'a PathHandle,
    job: &'a str,
    /// The first of its files.
    path: &'a Path,
    bytes: u64,
    /// New files and folders.
    names: u64,
}

impl SpaceNeed<'_> {
    fn check(&self, room: &FreeSpace) -> Result<(), JobsError> {
        let kept = reserved_space(room.total);
        let at = display_path(self.at.path());
        let refused = |what, hint: &str| Err(JobsError::protects(self.job, what, hint));
        if self.bytes > room.free.0.saturating_sub(kept.0) {
            let what = format!(
                "the jobs' files need {} more on the file system of {at}; {} is free, {kept} must \
                 stay free",
                Bytes(self.bytes),
                room.free
            );
            return refused(what, "take a smaller size, nrfiles or numjobs, or make room");
        }
        // Some file systems do not count inodes.
        let (free, kept) = match room.inodes {
            Some((free, total)) => (free, reserved_inodes(total)),
            None => return Ok(()),
        };
        if self.names > free.saturating_sub(kept) {
            let what = format!(
                "the jobs make {} files and folders on the file system of {at}; {free} inodes are \
                 free, {kept} must stay free",
                self.names
            );
            return refused(what, "take a smaller nrfiles or numjobs, or remove files");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn one_file_has_one_path() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(real.join("a")).unwrap();
        std::os::unix::fs::symlink(real.join("a"), real.join("b")).unwrap();
        fs::write(real.join("a/f"), "x").unwrap();
        let resolve = |path: &Path| FolderEntry::from_path(path).unwrap().resolved();
        assert_eq!(resolve(&real.join("b/f")), real.join("a/f"));
        assert_eq!(resolve(&real.join("b/./new")), real.join("a/new"));
        assert_eq!(resolve(&real.join("b/c/d")), real.join("a/c/d"));
        let here = fs::canonicalize(".").unwrap();
        assert_eq!(resolve(Path::new("no-such-file")), here.join("no-such-file"));
    }

    #[test]
    fn later_jobs_find_what_earlier_ones_make() {
        let folder = tempfile::tempdir().unwrap();
        let entry = |name: &str| FolderEntry::from_path(&folder.path().join(name)).unwrap();
        let (file, other) = (entry("f"), entry("./f"));
        let mut planned = PlannedGrowth::default();
        planned.add_file("a", &file, 4096, true);
        planned.add_file("b", &other, 8192, true);
        planned.add_file("c", &other, 1024, true);
        assert_eq!(planned.predict_state(&file, FileState::Missing), FileState::File(8192));
        assert_eq!(planned.predict_state(&file, FileState::File(9000)), FileState::File(9000));
        let missing = planned.predict_state(&entry("g"), FileState::Missing);
        assert_eq!(missing, FileState::Missing);
        assert_eq!(planned.0.len(), 1, "it is counted once");
        planned.add_file("c", &entry("made"), 0, false);
        let later = planned.predict_state(&entry("made"), FileState::Missing);
        assert_eq!(later, FileState::Missing, "it is made when its job runs");
        planned.0.remove(&entry("made").resolved()).unwrap();
        let sparse = fs::File::create(folder.path().join("sparse")).unwrap();
        sparse.set_len(1 << 20).unwrap();
        planned.add_file("d", &entry("sparse"), 1 << 20, false);
        assert_eq!(planned.0.len(), 1, "reading it needs no space");
        planned.add_file("d", &entry("sparse"), 1 << 20, true);
        assert_eq!(planned.0.len(), 2, "writing it does");
    }

    #[test]
    fn one_percent_or_one_gib_stays_free() {
        let root = PathHandle::open(Path::new("/")).unwrap();
        let need =
            |bytes, names| SpaceNeed { at: &root, job: "a", path: root.path(), bytes, names };
        let check = |bytes: u64, free: Bytes, total: Bytes, fits: bool| {
            let room =
                FreeSpace { free, total, block: Bytes(4096), inodes: None, inodes_used: None };
            let need = need(bytes, 0);
            match need.check(&room) {
                Ok(()) => assert!(fits, "{bytes} {free} {total}"),
                Err(error) => {
                    assert!(!fits, "{error}");
                    assert_eq!(error.kind(), units::ErrorKind::Refused);
                    let text = error.to_string();
                    assert!(text.contains(&free.to_string()), "{text}");
                    assert!(error.hint().unwrap().contains("smaller size"));
                }
            }
        };
        let (mib, gib) = (Bytes::mib, Bytes::gib);
        check(mib(99).0, mib(100), mib(100), true);
        check(mib(99).0 + 1, mib(100), mib(100), false);
        check(gib(9).0, gib(10), gib(4000), true);
        check(gib(9).0 + 1, gib(10), gib(4000), false);
        check(1, Bytes(0), gib(10), false);
        check(0, Bytes(0), gib(10), true);
        let inodes = |names, inodes| {
            let (free, block) = (gib(10), Bytes(4096));
            need(0, names).check(&FreeSpace { free, total: free, block, inodes, inodes_used: None })
        };
        assert!(inodes(u64::MAX, None).is_ok() && inodes(490, Some((500, 1000))).is_ok());
        let error = inodes(491, Some((500, 1000))).unwrap_err();
        assert_eq!(error.kind(), units::ErrorKind::Refused);
        let text = error.to_string();
        assert!(text.contains("make 491 files and folders on the file system of /; 500 inodes"));
    }
}
