//! Calls on names in open folders instead of transfers.
//!
//! A name is one component, so no call walks a path that another user could change.

use std::fs::File;
use std::io;
use std::sync::Arc;

use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags, mkdirat, openat, statat, statx, unlinkat};
use workload::NameCall;

use super::interface::{Backend, Request};
use crate::file_stamp::FileStamp;
use crate::target::NamedEntry;

/// One call per operation.
#[derive(Debug)]
pub(crate) struct NameCalls {
    entries: Vec<Arc<NamedEntry>>,
    call: NameCall,
    queued: Option<(u32, Request)>,
    done: Option<(u32, i32)>,
    /// The file that the last operation opened.
    open: Option<File>,
    /// The target whose file or folder the last operation made.
    made: Option<u16>,
    /// Why the queued operation must not remove what has its name.
    refusal: Option<i32>,
}

impl NameCalls {
    pub(crate) fn new(entries: Vec<Arc<NamedEntry>>, call: NameCall) -> Self {
        Self { entries, call, queued: None, done: None, open: None, made: None, refusal: None }
    }

    fn call(&mut self, target: u16) -> io::Result<()> {
        if let Some(errno) = self.refusal {
            return Err(io::Error::from_raw_os_error(errno));
        }
        let entry = &*self.entries[usize::from(target)];
        let (folder, name) = (&*entry.folder, entry.name.as_c_str());
        match self.call {
            NameCall::CreateFile => {
                let (file, is_new) = create_file(entry)?;
                self.open = Some(file);
                self.made = is_new.then_some(target);
            }
            NameCall::CreateFolder => {
                mkdirat(folder, name, Mode::RWXU)?;
                self.made = Some(target);
            }
            NameCall::Stat => _ = statat(folder, name, AtFlags::empty())?,
            NameCall::Lstat => _ = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?,
            NameCall::Statx => _ = statx(folder, name, AtFlags::empty(), StatxFlags::ALL)?,
            NameCall::RemoveFile => {
                unlinkat(folder, name, AtFlags::empty())?;
                entry.ours.set(None);
            }
            NameCall::RemoveFolder => {
                unlinkat(folder, name, AtFlags::REMOVEDIR)?;
                entry.ours.set(None);
            }
        }
        Ok(())
    }

    /// Why the name of `target` must not be removed now: it is gone, or what has it is not what was
    /// checked.
    fn find_refusal(&self, target: u16) -> Option<i32> {
        if !matches!(self.call, NameCall::RemoveFile | NameCall::RemoveFolder) {
            return None;
        }
        let entry = &*self.entries[usize::from(target)];
        let Some(ours) = entry.ours.get() else { return Some(libc::ENOENT) };
        match inspect_name(entry, OFlags::empty()) {
            Ok(found) if found == ours => None,
            Ok(_) => Some(libc::ESTALE),
            Err(error) => Some(error.raw_os_error().unwrap_or(libc::EIO)),
        }
    }

    /// Remembers what the last operation made, by its inode: a name may come to mean another file.
    fn remember_made(&mut self) {
        let Some(target) = self.made.take() else { return };
        let entry = &*self.entries[usize::from(target)];
        let stamp = match &self.open {
            Some(file) => file.metadata().map(|found| FileStamp::from(&found)),
            None => inspect_name(entry, OFlags::DIRECTORY),
        };
        entry.ours.set(stamp.ok());
    }
}

/// Looks at what has the name, without following a link.
fn inspect_name(entry: &NamedEntry, kind: OFlags) -> io::Result<FileStamp> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let found = openat(&*entry.folder, entry.name.as_c_str(), flags | kind, Mode::empty())?;
    Ok(FileStamp::from(&File::from(found).metadata()?))
}

/// Makes or opens the file; whether it made it.
fn create_file(entry: &NamedEntry) -> io::Result<(File, bool)> {
    let open = |exclusive| (entry.create)(&entry.folder, &entry.name, exclusive).map(File::from);
    if entry.existed || entry.ours.get().is_some() {
        return Ok((open(false)?, false));
    }
    match open(true) {
        Ok(file) => Ok((file, true)),
        // Another program made it after the check.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok((open(false)?, false)),
        Err(error) => Err(error),
    }
}

impl Backend for NameCalls {
    const CAN_POLL: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        // Before the operation is timed.
        self.open = None;
        self.refusal = self.find_refusal(request.target);
        self.queued = Some((slot, *request));
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        if let Some((slot, request)) = self.queued.take() {
            let result = match self.call(request.target) {
                Ok(()) => request.length as i32,
                Err(error) => -error.raw_os_error().unwrap_or(libc::EIO),
            };
            self.done = Some((slot, result));
        }
        Ok(())
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        let done = self.done.take()?;
        // After the operation was timed.
        self.remember_made();
        Some(done)
    }
}
