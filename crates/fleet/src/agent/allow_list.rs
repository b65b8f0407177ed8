//! The allow-list of an agent: the paths of its command line.

use std::io;
use std::path::{Path, PathBuf};

use fio_run::{PathAccess, PathRefusal};
use target::{FolderEntry, PathHandle, TargetError, resolve_path};
use units::{ErrorKind, escape_controls};

use crate::error::FleetError;
use crate::message::{BeginJobs, BeginRun, Refusal};

#[derive(Debug, Clone)]
pub(super) struct AllowList {
    /// Open since the start: another file that takes the name is refused.
    roots: Vec<PathHandle>,
    read_only: bool,
}

impl AllowList {
    pub(super) fn new(paths: &[PathBuf], read_only: bool) -> Result<Self, FleetError> {
        if paths.is_empty() {
            let what = "an agent measures only what --allow names, and nothing was named";
            return Err(FleetError::wrong_request(
                what,
                "give a folder, file or device: --allow PATH",
            ));
        }
        let open = |path: &PathBuf| {
            PathHandle::open(path).map_err(|error| {
                let what = format!("cannot allow {}: {error}", path.display());
                FleetError::wrong_request(what, "name a folder, file or device that exists")
            })
        };
        Ok(Self { roots: paths.iter().map(open).collect::<Result<_, _>>()?, read_only })
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.roots.iter().map(|root| root.resolved().display().to_string()).collect()
    }

    pub(super) const fn read_only(&self) -> bool {
        self.read_only
    }

    pub(super) fn admit_run(&self, mut begin: BeginRun) -> Result<(BeginRun, PathHandle), Refusal> {
        if self.read_only && (!begin.read_only || begin.destroy.is_some()) {
            let what = "this agent writes nothing, and the run would".to_owned();
            return Err(protect(what, "measure something that exists: --read-only PATH"));
        }
        let target = self.open_allowed(&begin.path)?;
        target.resolved().clone_into(&mut begin.path);
        begin.destroy = begin.destroy.map(|device| self.check_destroyable(&device)).transpose()?;
        Ok((begin, target))
    }

    pub(super) fn admit_jobs(&self, mut begin: BeginJobs) -> Result<BeginJobs, Refusal> {
        if self.read_only && begin.destroy.is_some() {
            let what = "this agent writes nothing, and the run would".to_owned();
            return Err(protect(what, "leave --yes-destroy-data-on out"));
        }
        begin.destroy = begin.destroy.map(|device| self.check_destroyable(&device)).transpose()?;
        Ok(begin)
    }

    /// The path of a job in its folder; it need not exist yet. Only the device `destroy` is
    /// written.
    pub(super) fn open_for_job(
        &self,
        path: &Path,
        touch: PathAccess,
        destroy: Option<&Path>,
    ) -> Result<FolderEntry, PathRefusal> {
        let shown = escape_path(path);
        let not_here = |error: io::Error| PathRefusal {
            what: format!("{shown}: {error}"),
            hint: "name what is on this host, without '..'".to_owned(),
        };
        if !path.is_absolute() {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it is not absolute");
            return Err(not_here(error));
        }
        let resolved = resolve_path(path).map_err(not_here)?;
        let Some((root, below)) = self.find_root(&resolved) else {
            return Err(PathRefusal {
                what: format!("{shown} is not among the paths that this agent allows"),
                hint: format!("it allows {}", self.paths().join(", ")),
            });
        };
        let entry = root.open_again().and_then(|root| root.entry_beneath(below));
        let entry = entry.and_then(|entry| Ok((entry.open()?, entry)));
        let (found, entry) = entry.map_err(|error| {
            let hint = error.hint().unwrap_or_else(|| "name another file".to_owned());
            PathRefusal { what: escape_error(&error), hint }
        })?;
        let is_device = found.is_some_and(|found| found.is_block_device());
        if touch == PathAccess::Write && is_device && destroy != Some(&*resolved) {
            return Err(PathRefusal {
                what: format!("{shown} is a device, and was not named a second time"),
                hint: format!(
                    "what it holds is lost: --yes-destroy-data-on {}",
                    resolved.display()
                ),
            });
        }
        Ok(entry)
    }

    pub(super) fn open_allowed(&self, path: &Path) -> Result<PathHandle, Refusal> {
        let shown = escape_path(path);
        let resolved = std::fs::canonicalize(path).map_err(|error| {
            let hint = Some("name what exists on this host");
            Refusal::new(ErrorKind::WrongRequest, format!("{shown}: {error}"), hint)
        })?;
        let Some((root, below)) = self.find_root(&resolved) else {
            let what = format!("{shown} is not among the paths that this agent allows");
            return Err(protect(what, &format!("it allows {}", self.paths().join(", "))));
        };
        let opened = root.open_again().and_then(|root| root.open_beneath(below));
        opened.map_err(|error| open_refusal(&error))
    }

    /// The allowed root of a resolved path, and the path below it. The path is opened below the
    /// descriptor, whatever the text says.
    fn find_root<'p>(&self, resolved: &'p Path) -> Option<(&PathHandle, &'p Path)> {
        let below = |root| resolved.strip_prefix(PathHandle::resolved(root)).ok();
        let found = self.roots.iter().filter_map(|root| Some((root, below(root)?)));
        found.max_by_key(|(root, _)| root.resolved().components().count())
    }

    /// A device may be destroyed only if it is allowed by itself, not through its folder.
    fn check_destroyable(&self, device: &Path) -> Result<PathBuf, Refusal> {
        let handle = self.open_allowed(device)?;
        let resolved = handle.resolved();
        let is_allowed_itself = self.roots.iter().any(|root| root.resolved() == resolved);
        if handle.is_block_device() && is_allowed_itself {
            return Ok(resolved.to_owned());
        }
        let what = format!("{} is not named by itself among what is allowed", resolved.display());
        let hint = format!("start this agent with --allow {}", resolved.display());
        Err(protect(what, &hint))
    }
}

fn escape_path(path: &Path) -> String {
    escape_controls(&path.display().to_string()).into_owned()
}

fn escape_error(error: &TargetError) -> String {
    escape_controls(&error.to_string()).into_owned()
}

fn open_refusal(error: &TargetError) -> Refusal {
    Refusal { what: escape_error(error), hint: error.hint(), kind: error.kind() }
}

fn protect(what: String, hint: &str) -> Refusal {
    Refusal::new(ErrorKind::Refused, what, Some(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<T: std::fmt::Debug>(reply: Result<T, Refusal>) -> (String, ErrorKind) {
        match reply {
            Err(refusal) => (refusal.what, refusal.kind),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_what_is_below_an_allowed_path_is_measured() {
        let room = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(room.path()).unwrap();
        for folder in ["data/deep", "database", "other"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(base.join("other"), base.join("data/out")).unwrap();
        std::os::unix::fs::symlink(base.join("data"), base.join("in")).unwrap();
        let allowed = AllowList::new(&[base.join("data")], false).unwrap();
        for (path, resolved) in [("data", "data"), ("in/deep", "data/deep")] {
            let opened = allowed.open_allowed(&base.join(path)).unwrap();
            assert_eq!(opened.resolved(), base.join(resolved));
        }
        // A longer name, a link out, a way back up, the folder above.
        for bad in ["database", "data/out", "data/../other", "."] {
            let (what, status) = words(allowed.open_allowed(&base.join(bad)));
            assert!(what.contains("not among the paths"), "{bad}: {what}");
            assert_eq!(status, ErrorKind::Refused);
        }
        assert_eq!(words(allowed.open_allowed(&base.join("data/none"))).1, ErrorKind::WrongRequest);
        assert!(AllowList::new(&[], false).unwrap_err().to_string().contains("nothing was named"));
        assert_eq!(
            AllowList::new(&[base.join("none")], false).unwrap_err().kind(),
            units::ErrorKind::WrongRequest
        );
    }

    #[test]
    fn a_device_is_destroyed_only_when_it_is_named_itself() {
        let room = tempfile::tempdir().unwrap();
        let file = room.path().join("disk");
        std::fs::write(&file, b"x").unwrap();
        let allowed = AllowList::new(&[room.path().to_owned()], false).unwrap();
        assert!(words(allowed.check_destroyable(&file)).0.contains("not named by itself"));
    }

    #[test]
    fn what_came_in_the_place_of_what_was_allowed_is_refused() {
        let room = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(room.path()).unwrap();
        let (data, file) = (base.join("data"), base.join("file"));
        std::fs::create_dir(&data).unwrap();
        std::fs::write(&file, b"x").unwrap();
        let allowed = AllowList::new(&[data.clone(), file.clone()], false).unwrap();
        for path in [&data, &file] {
            allowed.open_allowed(path).unwrap();
            allowed.open_for_job(path, PathAccess::Write, None).unwrap();
            std::fs::rename(path, path.with_extension("old")).unwrap();
        }
        std::fs::create_dir(&data).unwrap();
        std::fs::write(&file, b"another").unwrap();
        for path in [data.clone(), file, data.join("new")] {
            let fenced = allowed.open_for_job(&path, PathAccess::Write, None).unwrap_err();
            assert!(
                fenced.what.contains("another file or folder has this name"),
                "{}",
                fenced.what
            );
            assert!(fenced.hint.contains("start the agent again"));
        }
        let (what, status) = words(allowed.open_allowed(&data));
        assert!(
            what.contains("another file or folder has this name") && status == ErrorKind::Refused,
            "{what}"
        );
    }

    #[test]
    fn without_openat2_an_order_is_refused_to_protect_data() {
        let error = TargetError::NoOpenat2 { path: "/srv/data".into() };
        let Refusal { what, hint, kind: status } = open_refusal(&error);
        assert!(what.contains("this kernel has no openat2 (Linux 5.6)"), "{what}");
        assert!(hint.unwrap().contains("Linux 5.6 or later"));
        assert_eq!(status, ErrorKind::Refused);
    }

    #[test]
    fn a_file_that_is_not_there_yet_is_where_its_folder_is() {
        let room = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(room.path()).unwrap();
        let data = base.join("data");
        std::fs::create_dir_all(data.join("deep")).unwrap();
        std::fs::create_dir(base.join("other")).unwrap();
        std::os::unix::fs::symlink(base.join("other"), data.join("out")).unwrap();
        std::os::unix::fs::symlink(base.join("other/new"), data.join("nowhere")).unwrap();
        let allowed = AllowList::new(std::slice::from_ref(&data), false).unwrap();
        let fenced = |path: &str| allowed.open_for_job(&base.join(path), PathAccess::Write, None);
        for (path, settled) in [
            ("data/new", "data/new"),
            ("data/deep/../new/file", "data/new/file"),
            ("data/deep", "data/deep"),
        ] {
            assert_eq!(fenced(path).unwrap().resolved(), base.join(settled), "{path}");
        }
        for bad in [
            "new",
            "data/out/new",
            "data/nowhere",
            "data/new/../../other/file",
            "data/../other/file",
            "data/new/..",
        ] {
            assert!(fenced(bad).is_err(), "{bad}");
        }
        assert!(
            allowed.open_for_job(Path::new("data/new"), PathAccess::Read, None).is_err(),
            "relative"
        );
    }
}
