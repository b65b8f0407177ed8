//! Calls on names in open folders instead of transfers.
//!
//! A name is one component, so no call walks a path that another user could change.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rustix::fs::{AtFlags, Mode, StatxFlags, mkdirat, statat, statx, unlinkat};
use workload::NameCall;

use super::interface::{Backend, Request};
use crate::target::NamedEntry;

/// One call per operation.
#[derive(Debug)]
pub(crate) struct NameCalls {
    entries: Vec<Arc<NamedEntry>>,
    call: NameCall,
    queued: Option<(u32, Request)>,
    done: Option<(u32, i32)>,
    /// The file that the last operation opened.
    open: Option<OwnedFd>,
}

impl NameCalls {
    pub(crate) fn new(entries: Vec<Arc<NamedEntry>>, call: NameCall) -> Self {
        Self { entries, call, queued: None, done: None, open: None }
    }

    fn call(&mut self, target: u16) -> io::Result<()> {
        let entry = &*self.entries[usize::from(target)];
        let (folder, name) = (&*entry.folder, entry.name.as_c_str());
        match self.call {
            NameCall::CreateFile => self.open = Some(create_file(entry)?),
            NameCall::CreateFolder => {
                mkdirat(folder, name, Mode::RWXU)?;
                entry.created.store(true, Ordering::Relaxed);
            }
            NameCall::Stat => _ = statat(folder, name, AtFlags::empty())?,
            NameCall::Lstat => _ = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?,
            NameCall::Statx => _ = statx(folder, name, AtFlags::empty(), StatxFlags::ALL)?,
            NameCall::RemoveFile => unlinkat(folder, name, AtFlags::empty())?,
            NameCall::RemoveFolder => unlinkat(folder, name, AtFlags::REMOVEDIR)?,
        }
        Ok(())
    }
}

/// Makes or opens the file.
fn create_file(entry: &NamedEntry) -> io::Result<OwnedFd> {
    let open = |exclusive| (entry.create)(&entry.folder, &entry.name, exclusive);
    if entry.existed || entry.created.load(Ordering::Relaxed) {
        return open(false);
    }
    match open(true) {
        Ok(file) => {
            entry.created.store(true, Ordering::Relaxed);
            Ok(file)
        }
        // Another program made it after the check.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open(false),
        Err(error) => Err(error),
    }
}

impl Backend for NameCalls {
    const CAN_POLL: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        // Closed here, before the operation is timed.
        self.open = None;
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
        self.done.take()
    }
}
