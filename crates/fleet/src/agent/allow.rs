//! What an agent may measure: the paths that its own command line names, and nothing else.

use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use crate::error::FleetError;
use crate::message::{Begin, Reply};

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
}
