//! Files that no destination may be.

use std::ffi::OsStr;
use std::fs::{File, Metadata, metadata};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, Stat, fstat, open};

use crate::entry::{
    Entry, FileIdentity, OWN_PREFIX, OpenedEntry, WriteKind, metadata_of, proc_path,
};
use crate::error::OutputError;

/// Says why an existing regular file must stay, at the start and at the end; `None` if it may be
/// replaced.
pub type FileGuard = fn(&Metadata) -> Option<String>;

#[derive(Debug, Clone, Default)]
pub(crate) struct ProtectionRules {
    guard: Option<FileGuard>,
    /// How a file must begin to be replaced.
    origin: Option<&'static [u8]>,
    inputs: Vec<FileIdentity>,
    /// The program's folders, and the prefix of its names in them.
    folders: Vec<(FileIdentity, &'static str)>,
}

impl ProtectionRules {
    pub(crate) fn with_guard(guard: FileGuard) -> Self {
        Self { guard: Some(guard), ..Self::default() }
    }

    pub(crate) fn set_origin(&mut self, origin: &'static [u8]) {
        self.origin = Some(origin);
    }

    pub(crate) fn protect(&mut self, path: &Path) {
        if let Ok(found) = metadata(path)
            && found.is_file()
        {
            self.inputs.push(FileIdentity::from_metadata(&found));
        }
    }

    pub(crate) fn protect_folder(&mut self, path: &Path, own: &'static str) {
        if let Ok(found) = metadata(path) {
            self.folders.push((FileIdentity::from_metadata(&found), own));
        }
    }

    pub(crate) fn refuse_file(&self, found: &Metadata, path: &Path) -> Result<(), OutputError> {
        if !found.is_file() {
            return Ok(());
        }
        if self.inputs.contains(&FileIdentity::from_metadata(found)) {
            return Err(OutputError::refused(path, "the command reads or measures this very file"));
        }
        match self.guard.and_then(|guard| guard(found)) {
            Some(reason) => Err(OutputError::refused(path, reason)),
            None => Ok(()),
        }
    }

    /// Refuses what exists and does not begin as it must.
    pub(crate) fn refuse_foreign(
        &self,
        seen: &OpenedEntry,
        path: &Path,
    ) -> Result<(), OutputError> {
        let Some(origin) = self.origin else { return Ok(()) };
        // To open a device, or to read a pipe, may change what is not ours.
        if seen.write_kind(path)? == WriteKind::Stream {
            return Err(OutputError::refused(path, "another program wrote it"));
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened = open(proc_path(&seen.file), flags, Mode::empty());
        let failed = |error: io::Error| OutputError::io("read", path, error);
        let mut file = File::from(opened.map_err(|error| failed(error.into()))?);
        let mut start = vec![0; origin.len()];
        match file.read_exact(&mut start) {
            Ok(()) if start == origin => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(failed(error)),
            _ => Err(OutputError::refused(path, "another program wrote it")),
        }
    }

    /// Refuses names of test files and temporary files anywhere, files in the program's folders,
    /// and new files beside the nodes of devices.
    pub(crate) fn refuse_name(
        &self,
        entry: &Entry,
        is_free: bool,
        path: &Path,
    ) -> Result<(), OutputError> {
        if entry.name.as_bytes().starts_with(OWN_PREFIX.as_bytes()) {
            let reason = format!("names that begin with {OWN_PREFIX} are those of test files");
            return Err(OutputError::refused(path, reason));
        }
        let folder = fstat(&entry.folder);
        let folder = folder.map_err(|error| OutputError::io("write", path, error))?;
        if is_free && is_among_devices(&folder) {
            return Err(OutputError::refused(path, "there is no such device"));
        }
        let folder = FileIdentity::from_stat(&folder);
        let begins = |own: &str| OsStr::as_bytes(&entry.name).starts_with(own.as_bytes());
        match self.folders.iter().find(|(known, _)| *known == folder) {
            Some((_, own)) if !is_free || begins(own) => {
                Err(OutputError::refused(path, "it belongs to the history of runs"))
            }
            _ => Ok(()),
        }
    }

    /// What the name means now; refuses a protected file.
    pub(crate) fn inspect_again(
        &self,
        entry: &Entry,
        path: &Path,
    ) -> Result<Option<OpenedEntry>, OutputError> {
        let failed = |error: io::Error| OutputError::io("write", path, error);
        let seen = entry.inspect().map_err(failed)?;
        let Some(seen) = seen else { return Ok(None) };
        if seen.write_kind(path)? == WriteKind::Stream {
            let reason = "a pipe or a device took its name after the check";
            return Err(OutputError::refused(path, reason));
        }
        self.refuse_name(entry, false, path)?;
        self.refuse_file(&metadata_of(&seen.file).map_err(failed)?, path)?;
        self.refuse_foreign(&seen, path)?;
        Ok(Some(seen))
    }
}

/// Whether a folder is on the file system of /dev, where that has one of its own.
fn is_among_devices(folder: &Stat) -> bool {
    let file_system = |path: &str| metadata(path).ok().map(|found| found.dev());
    let devices = file_system("/dev");
    devices == Some(folder.st_dev) && devices != file_system("/")
}
