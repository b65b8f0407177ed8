//! What an agent may measure: the paths that its own command line names, and nothing else.

use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use method::fio::{Fenced, Touch};

use crate::error::FleetError;
use crate::message::{Begin, BeginJobs, Reply};

/// Exit status of a request that was refused to protect data, and of one that is wrong.
const PROTECTED: u8 = 4;
const WRONG: u8 = 2;

/// What may be measured here.
#[derive(Debug, Clone)]
pub(super) struct Allowed {
    /// Without links in them.
    paths: Vec<PathBuf>,
    read_only: bool,
}

impl Allowed {
    /// Of the words of the command line.
    pub(super) fn new(paths: &[PathBuf], read_only: bool) -> Result<Self, FleetError> {
        if paths.is_empty() {
            let what = "an agent measures only what it is told to allow, and nothing was named";
            return Err(FleetError::wrong(what, "give a folder, file or device: --allow PATH"));
        }
        let resolve = |path: &PathBuf| {
            std::fs::canonicalize(path).map_err(|error| {
                let what = format!("cannot allow {}: {error}", path.display());
                FleetError::wrong(what, "name a folder, file or device that exists")
            })
        };
        Ok(Self { paths: paths.iter().map(resolve).collect::<Result<_, _>>()?, read_only })
    }

    /// As it is told to coordinators.
    pub(super) fn words(&self) -> Vec<String> {
        self.paths.iter().map(|path| path.display().to_string()).collect()
    }

    /// Whether nothing may be written.
    pub(super) const fn read_only(&self) -> bool {
        self.read_only
    }

    /// The run with its paths resolved, where this host may measure them.
    pub(super) fn admit(&self, mut begin: Begin) -> Result<Begin, Reply> {
        if self.read_only && (!begin.read_only || begin.destroy.is_some()) {
            let what = "this agent writes nothing, and the run would".to_owned();
            let hint = "measure something that exists: --read-only PATH".to_owned();
            return Err(refused(what, hint, PROTECTED));
        }
        begin.path = self.inside(&begin.path)?;
        if let Some(device) = &begin.destroy {
            begin.destroy = Some(self.destroyable(device)?);
        }
        Ok(begin)
    }

    /// A run of fio's jobs, where the device that it may destroy is one that may be.
    pub(super) fn admit_jobs(&self, mut begin: BeginJobs) -> Result<BeginJobs, Reply> {
        if self.read_only && begin.destroy.is_some() {
            let what = "this agent writes nothing, and the run would".to_owned();
            let hint = "leave --yes-destroy-data-on out".to_owned();
            return Err(refused(what, hint, PROTECTED));
        }
        if let Some(device) = &begin.destroy {
            begin.destroy = Some(self.destroyable(device)?);
        }
        Ok(begin)
    }

    /// A path of a job without links, where it is below what is allowed; it need not be there as
    /// yet. A device is only written where its data is given up: `destroy`.
    pub(super) fn fenced(
        &self,
        path: &Path,
        touch: Touch,
        destroy: Option<&Path>,
    ) -> Result<PathBuf, Fenced> {
        let shown = path.display().to_string().escape_debug().to_string();
        let resolved = settled(path).map_err(|error| Fenced {
            what: format!("{shown}: {error}"),
            hint: Some("name what is on this host, without '..'".to_owned()),
        })?;
        if !self.paths.iter().any(|allowed| resolved.starts_with(allowed)) {
            return Err(Fenced {
                what: format!("{shown} is not among the paths that this agent allows"),
                hint: Some(format!("it allows {}", self.words().join(", "))),
            });
        }
        let is_device = std::fs::metadata(&resolved).is_ok_and(|m| m.file_type().is_block_device());
        if touch == Touch::Writes && is_device && destroy != Some(&*resolved) {
            return Err(Fenced {
                what: format!("{shown} is a device, and was not named a second time"),
                hint: Some(format!(
                    "what it holds is lost: --yes-destroy-data-on {}",
                    resolved.display()
                )),
            });
        }
        Ok(resolved)
    }

    /// A path without links, where it is below what is allowed.
    pub(super) fn inside(&self, path: &Path) -> Result<PathBuf, Reply> {
        let shown = path.display().to_string().escape_debug().to_string();
        let resolved = std::fs::canonicalize(path).map_err(|error| {
            refused(format!("{shown}: {error}"), "name what exists on this host".to_owned(), WRONG)
        })?;
        if self.paths.iter().any(|allowed| resolved.starts_with(allowed)) {
            return Ok(resolved);
        }
        let what = format!("{shown} is not among the paths that this agent allows");
        Err(refused(what, format!("it allows {}", self.words().join(", ")), PROTECTED))
    }

    /// A device whose data may be destroyed: only one that is named itself, not a folder of them.
    fn destroyable(&self, device: &Path) -> Result<PathBuf, Reply> {
        let resolved = self.inside(device)?;
        let is_device = std::fs::metadata(&resolved).is_ok_and(|m| m.file_type().is_block_device());
        if is_device && self.paths.contains(&resolved) {
            return Ok(resolved);
        }
        let what = format!("{} is not named by itself among what is allowed", resolved.display());
        let hint = format!("start this agent with --allow {}", resolved.display());
        Err(refused(what, hint, PROTECTED))
    }
}

/// A path without links; of one that is not there, that of the folder which is, and the rest.
fn settled(path: &Path) -> io::Result<PathBuf> {
    if !path.is_absolute() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not absolute"));
    }
    let mut rest = Vec::new();
    let mut known = path;
    loop {
        match std::fs::canonicalize(known) {
            Ok(mut found) => {
                found.extend(rest.iter().rev());
                return Ok(found);
            }
            // A link to nowhere: who makes what it leads to is somewhere else.
            Err(error) if std::fs::symlink_metadata(known).is_ok() => return Err(error),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // The name of `..` is none.
                let (Some(name), Some(parent)) = (known.file_name(), known.parent()) else {
                    return Err(error);
                };
                rest.push(name);
                known = parent;
            }
            Err(error) => return Err(error),
        }
    }
}

fn refused(what: String, hint: String, status: u8) -> Reply {
    Reply::Refused { what, hint: Some(hint), status }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(reply: Result<PathBuf, Reply>) -> (String, u8) {
        match reply {
            Err(Reply::Refused { what, status, .. }) => (what, status),
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
        let allowed = Allowed::new(&[base.join("data")], false).unwrap();
        assert_eq!(allowed.inside(&base.join("data")).unwrap(), base.join("data"));
        assert_eq!(allowed.inside(&base.join("in/deep")).unwrap(), base.join("data/deep"));
        // A longer name, a link out, a way back up, the folder above.
        for bad in ["database", "data/out", "data/../other", "."] {
            let (what, status) = words(allowed.inside(&base.join(bad)));
            assert!(what.contains("not among the paths"), "{bad}: {what}");
            assert_eq!(status, 4);
        }
        assert_eq!(words(allowed.inside(&base.join("data/none"))).1, 2);
        assert!(Allowed::new(&[], false).unwrap_err().to_string().contains("nothing was named"));
        assert_eq!(Allowed::new(&[base.join("none")], false).unwrap_err().exit_status(), 2);
    }

    #[test]
    fn a_device_is_destroyed_only_when_it_is_named_itself() {
        let room = tempfile::tempdir().unwrap();
        let file = room.path().join("disk");
        std::fs::write(&file, b"x").unwrap();
        let allowed = Allowed::new(&[room.path().to_owned()], false).unwrap();
        assert!(words(allowed.destroyable(&file)).0.contains("not named by itself"));
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
        let allowed = Allowed::new(std::slice::from_ref(&data), false).unwrap();
        let fenced = |path: &str| allowed.fenced(&base.join(path), Touch::Writes, None);
        for (path, settled) in [
            ("data/new", "data/new"),
            ("data/deep/../new/file", "data/new/file"),
            ("data/deep", "data/deep"),
        ] {
            assert_eq!(fenced(path).unwrap(), base.join(settled), "{path}");
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
        assert!(allowed.fenced(Path::new("data/new"), Touch::Reads, None).is_err(), "relative");
    }
}
