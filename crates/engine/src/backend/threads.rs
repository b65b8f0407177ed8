//! Synchronous calls: preadv2, pwritev2, fdatasync; one operation at a time per worker.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use workload::{Direction, SyncKind};

use super::{Backend, Request};

/// One operation at a time by system calls that block.
#[derive(Debug)]
pub(crate) struct Synchronous {
    fd: i32,
    sync: SyncKind,
    queued: Option<(u32, Request)>,
    done: Option<(u32, i32)>,
}

impl Synchronous {
    /// For `file`, which the worker keeps open.
    pub(crate) fn new(file: BorrowedFd<'_>, sync: SyncKind) -> Self {
        Self { fd: file.as_raw_fd(), sync, queued: None, done: None }
    }

    fn perform(&self, request: &Request) -> i32 {
        let Request { direction, offset, buffer, length } = *request;
        let vector = libc::iovec { iov_base: buffer.cast(), iov_len: length as usize };
        // SAFETY: the buffer is valid and exclusive for `length` bytes until this call returns
        // (contract of `Backend`); the descriptor is held open by the worker.
        let moved = unsafe {
            match (direction, self.sync) {
                (Direction::Read, _) => {
                    libc::preadv2(self.fd, &raw const vector, 1, offset as i64, 0)
                }
                (Direction::Write, _) => {
                    libc::pwritev2(self.fd, &raw const vector, 1, offset as i64, 0)
                }
                (Direction::Sync, SyncKind::Fsync) => libc::fsync(self.fd) as isize,
                (Direction::Sync, SyncKind::Fdatasync) => libc::fdatasync(self.fd) as isize,
            }
        };
        if moved < 0 {
            -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
        } else {
            moved as i32
        }
    }
}

impl Backend for Synchronous {
    const SPLITS: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        debug_assert!(self.queued.is_none());
        self.queued = Some((slot, *request));
    }

    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn submit_and_poll(&mut self) -> io::Result<()> {
        self.submit_and_wait()
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        if let Some((slot, request)) = self.queued.take() {
            self.done = Some((slot, self.perform(&request)));
        }
        Ok(())
    }

    fn wait(&mut self, _timeout: Duration) -> io::Result<()> {
        self.submit_and_wait()
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        self.done.take()
    }
}
