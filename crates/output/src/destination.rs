//! Destinations of one command.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, metadata};
use std::io::{self, Write};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, accessat, fstat, openat};
use rustix::io::Errno;

use crate::entry::{
    Entry, FileIdentity, ResolvedPath, Stream, WriteKind, file_type, metadata_of, proc_path,
    resolve_path,
};
use crate::error::OutputError;
use crate::replace::replace_file;
use crate::rules::{FileGuard, ProtectionRules};
use crate::temporary::TemporaryFile;

/// Before the umask.
const NEW_MODE: Mode = Mode::from_raw_mode(0o666);
/// Attempts to open a log that appears and vanishes.
const ATTEMPTS: usize = 16;

/// All destinations of one command, and the files that they must not overwrite.
#[derive(Debug, Clone, Default)]
pub struct Destinations {
    rules: Arc<ProtectionRules>,
    opened: Vec<OpenedDestination>,
    /// Open folders, shared by destinations.
    folders: Vec<(FileIdentity, Arc<OwnedFd>)>,
}

#[derive(Debug, Clone)]
struct OpenedDestination {
    path: PathBuf,
    file: Option<FileIdentity>,
    /// Folder and name; none of a descriptor.
    name: Option<(FileIdentity, OsString)>,
    appended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenPurpose {
    Replace,
    Append,
    Follow,
    Create,
}

#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    rules: Arc<ProtectionRules>,
    mode: WriteMode,
}

#[derive(Debug)]
enum WriteMode {
    Stream(Stream),
    /// A pipe, the null device, a descriptor. Opened with the first bytes: a pipe may have no
    /// reader yet.
    AsIs {
        seen: OwnedFd,
        file: Option<File>,
    },
    Replaced {
        entry: Entry,
        temporary: Option<TemporaryFile>,
    },
    Appended {
        entry: Entry,
        file: Option<File>,
        is_new: bool,
    },
}

/// Makes a folder for results, as mkdir would; one that exists is as good.
pub fn make_folder(path: &Path) -> Result<(), OutputError> {
    if path.is_dir() {
        return Ok(());
    }
    std::fs::create_dir(path).map_err(|error| OutputError::io("make the folder", path, error))
}

impl Destinations {
    /// `guard` is asked about every regular file that would be replaced.
    pub fn with_guard(guard: FileGuard) -> Self {
        Self { rules: Arc::new(ProtectionRules::with_guard(guard)), ..Self::default() }
    }

    /// Of existing files only those are replaced that begin with these bytes. They are looked at
    /// when a destination is opened, and when it is committed.
    pub fn replace_only(&mut self, origin: &'static [u8]) {
        Arc::make_mut(&mut self.rules).set_origin(origin);
    }

    /// Protects a file that the command reads or measures, by whatever name.
    pub fn protect(&mut self, path: &Path) {
        Arc::make_mut(&mut self.rules).protect(path);
    }

    /// Protects a folder: its files stay, and new names in it must not begin with `own`.
    pub fn protect_folder(&mut self, path: &Path, own: &'static str) {
        Arc::make_mut(&mut self.rules).protect_folder(path, own);
    }

    /// Opens a destination without writing; an error if writing would destroy data, or is
    /// impossible.
    pub fn open(&mut self, path: &Path) -> Result<Destination, OutputError> {
        self.open_for(path, OpenPurpose::Replace)
    }

    /// As [`open`](Self::open), but a regular file is written at its end. Several destinations may
    /// be the same file.
    pub fn open_to_append(&mut self, path: &Path) -> Result<Destination, OutputError> {
        self.open_for(path, OpenPurpose::Append)
    }

    /// As [`open`](Self::open), but a new file has its name from the first byte, so that others can
    /// read it.
    pub fn open_to_follow(&mut self, path: &Path) -> Result<Destination, OutputError> {
        self.open_for(path, OpenPurpose::Follow)
    }

    /// As [`open_to_follow`](Self::open_to_follow), and no file that exists is replaced, also if it
    /// is made after this call.
    pub fn open_new(&mut self, path: &Path) -> Result<Destination, OutputError> {
        self.open_for(path, OpenPurpose::Create)
    }

    fn open_for(&mut self, path: &Path, wanted: OpenPurpose) -> Result<Destination, OutputError> {
        let failed = |error: io::Error| OutputError::io("write", path, error);
        let appended = wanted == OpenPurpose::Append;
        let mode = match resolve_path(path)? {
            ResolvedPath::Stream(stream) => {
                let stat = stream.stat().map_err(failed)?;
                if file_type(&stat) == FileType::BlockDevice {
                    return Err(OutputError::refused(path, "it is a block device"));
                }
                self.rules.refuse_file(&stream.metadata().map_err(failed)?, path)?;
                // A terminal may be both streams.
                let is_file = matches!(file_type(&stat), FileType::RegularFile | FileType::Fifo);
                if is_file || stream == Stream::Stdout {
                    self.claim(path, Some(FileIdentity::from_stat(&stat)), None, appended)?;
                }
                WriteMode::Stream(stream)
            }
            ResolvedPath::Descriptor(seen) => {
                // The caller opened a character device, such as a terminal, for writing.
                if file_type(&seen.stat) != FileType::CharacterDevice {
                    seen.write_kind(path)?;
                }
                self.rules.refuse_file(&metadata_of(&seen.file).map_err(failed)?, path)?;
                let file = Some(seen.identity()).filter(|_| !seen.is_null());
                self.claim(path, file, None, appended)?;
                WriteMode::AsIs { seen: seen.file, file: None }
            }
            ResolvedPath::Entry(entry) => self.open_entry(path, entry, wanted)?,
        };
        Ok(Destination { path: path.to_owned(), rules: self.rules.clone(), mode })
    }

    fn open_entry(
        &mut self,
        path: &Path,
        mut entry: Entry,
        wanted: OpenPurpose,
    ) -> Result<WriteMode, OutputError> {
        let failed = |error: io::Error| OutputError::io("write", path, error);
        let appended = wanted == OpenPurpose::Append;
        let folder = self.share_folder(&mut entry).map_err(failed)?;
        let name = Some((folder, entry.name.clone()));
        let Some(seen) = entry.inspect().map_err(failed)? else {
            self.rules.refuse_name(&entry, true, path)?;
            check_creatable(&entry, path)?;
            self.claim(path, None, name, appended)?;
            return Ok(WriteMode::for_entry(entry, wanted));
        };
        self.rules.refuse_foreign(&seen, path)?;
        if seen.write_kind(path)? == WriteKind::Stream {
            if !seen.is_null() {
                self.claim(path, Some(seen.identity()), name, appended)?;
            }
            return Ok(WriteMode::AsIs { seen: seen.file, file: None });
        }
        self.rules.refuse_file(&metadata_of(&seen.file).map_err(failed)?, path)?;
        self.rules.refuse_name(&entry, false, path)?;
        let may = accessat(&entry.folder, &entry.name, Access::WRITE_OK, AtFlags::EACCESS);
        may.map_err(|error| OutputError::unsuitable(path, io::Error::from(error).to_string()))?;
        if !appended {
            if seen.is_mount_point() {
                let reason = "it is mounted as a single file, which cannot be replaced as a whole";
                return Err(OutputError::unsuitable(path, reason));
            }
            check_creatable(&entry, path)?;
        }
        if wanted == OpenPurpose::Create {
            return Err(exists(path));
        }
        self.claim(path, Some(seen.identity()), name, appended)?;
        let wanted = if appended { OpenPurpose::Append } else { OpenPurpose::Replace };
        Ok(WriteMode::for_entry(entry, wanted))
    }

    /// Refuses destinations that have become an input since they were opened.
    pub fn check_again(&self) -> Result<(), OutputError> {
        self.opened.iter().try_for_each(|opened| match metadata(&opened.path) {
            Ok(found) => self.rules.refuse_file(&found, &opened.path),
            Err(_) => Ok(()),
        })
    }

    fn share_folder(&mut self, entry: &mut Entry) -> io::Result<FileIdentity> {
        let identity = FileIdentity::from_stat(&fstat(&entry.folder)?);
        match self.folders.iter().find(|(known, _)| *known == identity) {
            Some((_, folder)) => entry.folder = folder.clone(),
            None => self.folders.push((identity, entry.folder.clone())),
        }
        Ok(identity)
    }

    /// Refuses a second destination of the same file.
    fn claim(
        &mut self,
        path: &Path,
        file: Option<FileIdentity>,
        name: Option<(FileIdentity, OsString)>,
        appended: bool,
    ) -> Result<(), OutputError> {
        let is_same = |other: &&OpenedDestination| {
            let same_file = file.is_some() && other.file == file;
            let same_name = name.is_some() && other.name == name;
            (same_file || same_name) && !(appended && other.appended)
        };
        if let Some(other) = self.opened.iter().find(is_same) {
            let (path, other) = (path.to_owned(), other.path.clone());
            return Err(OutputError::Duplicate { path, other });
        }
        self.opened.push(OpenedDestination { path: path.to_owned(), file, name, appended });
        Ok(())
    }
}

/// Makes a file and removes it.
fn check_creatable(entry: &Entry, path: &Path) -> Result<(), OutputError> {
    let made = TemporaryFile::create(&entry.folder, NEW_MODE);
    made.map(drop).map_err(|error| {
        OutputError::unsuitable(path, format!("no file can be made in its folder: {error}"))
    })
}

impl WriteMode {
    fn for_entry(entry: Entry, purpose: OpenPurpose) -> Self {
        match purpose {
            OpenPurpose::Replace => Self::Replaced { entry, temporary: None },
            OpenPurpose::Append | OpenPurpose::Follow | OpenPurpose::Create => {
                let is_new = purpose == OpenPurpose::Create;
                Self::Appended { entry, file: None, is_new }
            }
        }
    }
}

impl Destination {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is the standard output, named as `-`.
    pub fn is_dash(&self) -> bool {
        crate::entry::is_dash(&self.path)
    }

    /// Writes the whole result and commits it.
    pub fn save(self, bytes: &[u8]) -> Result<(), OutputError> {
        self.save_with(|file| file.write_all(bytes))
    }

    /// The same for a result that `content` writes.
    pub fn save_with(
        mut self,
        content: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        self.open_writer()?;
        content(&mut self).map_err(|error| OutputError::io("write", &self.path, error))?;
        self.commit()
    }

    /// The open file, for a program that writes its output there.
    pub fn descriptor(&mut self) -> io::Result<OwnedFd> {
        self.open_writer().map_err(io::Error::other)?;
        match &self.mode {
            WriteMode::AsIs { file: Some(file), .. }
            | WriteMode::Appended { file: Some(file), .. } => Ok(file.try_clone()?.into()),
            WriteMode::Replaced { temporary: Some(temporary), .. } => {
                Ok(temporary.file.try_clone()?.into())
            }
            WriteMode::Stream(Stream::Stdout) => io::stdout().as_fd().try_clone_to_owned(),
            WriteMode::Stream(Stream::Stderr) => io::stderr().as_fd().try_clone_to_owned(),
            WriteMode::AsIs { .. } | WriteMode::Appended { .. } | WriteMode::Replaced { .. } => {
                Err(Errno::BADF.into())
            }
        }
    }

    /// Puts the result in its place; an error if it cannot be written, or its name now means a
    /// protected file. Without a commit a regular file stays as it was.
    pub fn commit(mut self) -> Result<(), OutputError> {
        self.open_writer()?;
        self.flush().map_err(|error| OutputError::io("write", &self.path, error))?;
        let WriteMode::Replaced { entry, temporary: Some(temporary) } = self.mode else {
            return Ok(());
        };
        let look = || self.rules.inspect_again(&entry, &self.path);
        replace_file(temporary, &entry, &self.path, look)
    }

    fn open_writer(&mut self) -> Result<(), OutputError> {
        let path = &self.path;
        let failed = |error: io::Error| OutputError::io("write", path, error);
        match &mut self.mode {
            WriteMode::AsIs { seen, file: file @ None } => {
                *file = Some(reopen(seen).map_err(failed)?);
            }
            WriteMode::Replaced { entry, temporary: temporary @ None } => {
                // Never readable for more users than the replaced file.
                let mode = entry
                    .inspect()
                    .map_err(failed)?
                    .map_or(NEW_MODE, |seen| Mode::from_raw_mode(seen.stat.st_mode) & NEW_MODE);
                let made = TemporaryFile::create(&entry.folder, mode);
                *temporary = Some(made.map_err(failed)?);
            }
            WriteMode::Appended { entry, file: file @ None, is_new } => {
                *file = Some(open_at_end(entry, &self.rules, path, *is_new)?);
            }
            WriteMode::Stream(_)
            | WriteMode::AsIs { .. }
            | WriteMode::Replaced { .. }
            | WriteMode::Appended { .. } => {}
        }
        Ok(())
    }

    fn with_writer<T>(
        &mut self,
        act: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        self.open_writer().map_err(|error| match error {
            OutputError::Io { source, .. } => source,
            other => io::Error::other(other),
        })?;
        match &mut self.mode {
            WriteMode::Stream(Stream::Stdout) => act(&mut io::stdout().lock()),
            WriteMode::Stream(Stream::Stderr) => act(&mut io::stderr().lock()),
            WriteMode::AsIs { file: Some(file), .. }
            | WriteMode::Appended { file: Some(file), .. } => act(file),
            WriteMode::Replaced { temporary: Some(temporary), .. } => act(&mut temporary.file),
            WriteMode::AsIs { .. } | WriteMode::Appended { .. } | WriteMode::Replaced { .. } => {
                Err(Errno::BADF.into())
            }
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with_writer(|writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with_writer(|writer| writer.flush())
    }
}

/// Opens what was inspected, at its end: a descriptor may be open on a file with contents.
fn reopen(seen: &OwnedFd) -> io::Result<File> {
    OpenOptions::new().append(true).custom_flags(OFlags::NOCTTY.bits() as i32).open(proc_path(seen))
}

fn exists(path: &Path) -> OutputError {
    OutputError::refused(path, "it exists, and has to be a new file")
}

/// Where `is_new`, no file that exists.
fn open_at_end(
    entry: &Entry,
    rules: &ProtectionRules,
    path: &Path,
    is_new: bool,
) -> Result<File, OutputError> {
    let failed = |error: io::Error| OutputError::io("write", path, error);
    let flags = OFlags::WRONLY
        | OFlags::CREATE
        | OFlags::EXCL
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::CLOEXEC;
    for _ in 0..ATTEMPTS {
        if let Some(seen) = rules.inspect_again(entry, path)?.filter(|_| !is_new) {
            return reopen(&seen.file).map_err(failed);
        }
        match openat(&entry.folder, &entry.name, flags, NEW_MODE) {
            Ok(file) => return Ok(file.into()),
            Err(Errno::EXIST) if is_new => return Err(exists(path)),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(failed(error.into())),
        }
    }
    Err(OutputError::unsuitable(path, format!("its name changed in each of {ATTEMPTS} attempts")))
}
