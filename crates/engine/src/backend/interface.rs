//! What the worker's loop needs of a kernel interface, and what the implementations share.

use std::io;
use std::time::Duration;

use workload::{Direction, SyncKind};

use crate::clock::{Clock, sleep_until_monotonic};

/// One operation with its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) direction: Direction,
    /// Number of the target among those of the job.
    pub(crate) target: u16,
    pub(crate) offset: u64,
    pub(crate) buffer: *mut u8,
    pub(crate) length: u32,
    /// Class and level (ioprio_set(2)); 0 for those of the process.
    pub(crate) ioprio: u16,
}

/// A kernel interface as the worker's loop sees it: the loop queues operations, submits all or some
/// of them with one call, and reaps completions. A request's buffer stays valid and untouched from
/// `queue` until its completion is reaped; the loop guarantees it.
pub(crate) trait Backend {
    /// Whether submitting and waiting are separate calls, so that submission can be timed.
    const SPLITS_SUBMISSION: bool = false;

    /// Whether polling again soon may find more completions.
    const CAN_POLL: bool = true;

    /// Whether the data of a write goes anywhere.
    const MOVES_DATA: bool = true;

    /// Takes in one request under the number `slot`. Never blocks.
    fn queue(&mut self, slot: u32, request: &Request);

    /// Submits everything queued without waiting for completions.
    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Submits the first `most` of what is queued and collects what has completed, without waiting.
    /// An interface that takes requests one by one submits all.
    #[inline]
    fn submit_and_poll(&mut self, _most: usize) -> io::Result<()> {
        self.submit_and_wait()
    }

    /// Requests queued and not submitted.
    #[inline]
    fn pending(&self) -> usize {
        0
    }

    /// Submits everything queued and waits for at least one completion. Returns early on a signal.
    fn submit_and_wait(&mut self) -> io::Result<()>;

    /// As [`Self::submit_and_wait`], for at most `timeout`.
    #[inline]
    fn wait(&mut self, _timeout: Duration) -> io::Result<()> {
        self.submit_and_wait()
    }

    /// The next completion: slot, and bytes moved or a negative error number.
    fn reap(&mut self) -> Option<(u32, i32)>;

    /// Tries to call back everything outstanding, as far as the interface can.
    fn cancel(&mut self) {}

    /// Operations are given up: from here on nothing may wait for them.
    fn abandon(&mut self) {}

    /// The time of the stamps: the clock's, or a virtual one.
    #[inline]
    fn now(&self, clock: &Clock) -> u64 {
        clock.now()
    }

    /// Sleeps until the clock reads `until_ns`; a signal ends it early.
    fn sleep(&mut self, clock: &Clock, until_ns: u64) {
        let _ = sleep_until_monotonic(clock.to_monotonic(until_ns));
    }
}

/// `EINTR` is no failure of a wait, nor is `ETIME`, the end of its timeout. After `EBUSY` and
/// `EAGAIN` the completion side must be emptied, which the caller does next.
pub(super) fn ignore_interruption(result: io::Result<usize>) -> io::Result<()> {
    match result.as_ref().map_err(io::Error::raw_os_error) {
        Ok(_) | Err(Some(libc::EINTR | libc::ETIME | libc::EBUSY | libc::EAGAIN)) => Ok(()),
        Err(_) => result.map(drop),
    }
}

/// A system call's return value as a completion: bytes or a negative error number.
pub(super) fn to_completion_result(moved: isize) -> i32 {
    if moved < 0 {
        -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
    } else {
        moved as i32
    }
}

/// Makes everything written to `file` durable; 0 or a negative error number.
pub(crate) fn sync_file(file: i32, kind: SyncKind) -> i32 {
    let range = libc::SYNC_FILE_RANGE_WAIT_BEFORE
        | libc::SYNC_FILE_RANGE_WRITE
        | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    // SAFETY: none of these calls takes memory; the descriptor is held open by the worker.
    let result = unsafe {
        match kind {
            SyncKind::Fsync => libc::fsync(file),
            SyncKind::Fdatasync => libc::fdatasync(file),
            SyncKind::FileRange => libc::sync_file_range(file, 0, 0, range),
        }
    };
    to_completion_result(result as isize)
}
