//! How operations reach the kernel: one small trait, one file per interface.

mod threads;
mod uring;

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

use units::Bytes;
use workload::Direction;

use crate::arena::Arena;

pub(crate) use threads::Synchronous;
pub(crate) use uring::Ring;

/// One operation with its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) direction: Direction,
    pub(crate) offset: u64,
    pub(crate) buffer: *mut u8,
    pub(crate) length: u32,
}

/// A kernel interface as the worker's loop sees it.
///
/// The loop queues what is free, hands all of it over with one call, and takes what completed.
/// A request's buffer stays valid and untouched from `queue` until its completion is taken; the
/// loop guarantees it.
pub(crate) trait Backend {
    /// Whether submitting and waiting are separate things, so that submission can be timed.
    const SPLITS: bool;

    /// Takes in one request under the number `slot`. Never blocks.
    fn queue(&mut self, slot: u32, request: &Request);

    /// Hands everything queued to the kernel without waiting for completions.
    fn submit(&mut self) -> io::Result<()>;

    /// Hands everything queued to the kernel and collects what has completed, without waiting.
    fn submit_and_poll(&mut self) -> io::Result<()>;

    /// Hands everything queued to the kernel and waits for at least one completion. Returns early
    /// on a signal.
    fn submit_and_wait(&mut self) -> io::Result<()>;

    /// Waits for a completion, at most `timeout`; returns early on a signal.
    fn wait(&mut self, timeout: Duration) -> io::Result<()>;

    /// The next completion that is there: slot, and bytes moved or a negative error number.
    fn reap(&mut self) -> Option<(u32, i32)>;
}

/// Why io_uring cannot be used here; `None` when it can.
#[must_use]
pub fn io_uring_refusal() -> Option<String> {
    let error = match uring::probe() {
        Ok(()) => return None,
        Err(error) => error,
    };
    let disabled = std::fs::read_to_string("/proc/sys/kernel/io_uring_disabled");
    match (error.raw_os_error(), disabled.as_deref().map(str::trim)) {
        (Some(libc::EPERM), Ok(value @ ("1" | "2"))) => {
            Some(format!("kernel.io_uring_disabled is {value}"))
        }
        (Some(libc::EPERM), _) => Some(format!("refused, as by a seccomp filter: {error}")),
        (Some(libc::ENOSYS), _) => Some(format!("not in this kernel, or filtered: {error}")),
        _ => Some(error.to_string()),
    }
}

/// Reads tried before a device is taken to block: one may fail for want of cached metadata.
const NOWAIT_TRIES: u64 = 8;

/// Whether some of a few reads of `block` over `size` is taken with `RWF_NOWAIT`.
pub(crate) fn takes_without_blocking(file: &File, block: Bytes, size: Bytes) -> bool {
    let length = block.0 as usize;
    // Without memory the job itself will fail, and say so.
    let Ok(arena) = Arena::new(length) else { return true };
    let vector = libc::iovec { iov_base: arena.at(0).cast(), iov_len: length };
    let step = size.0 / block.0 / NOWAIT_TRIES;
    (0..NOWAIT_TRIES).any(|place| {
        let offset = place * step * block.0;
        // SAFETY: the buffer is `length` bytes of the arena and outlives the call; the file is
        // open.
        let moved = unsafe {
            libc::preadv2(file.as_raw_fd(), &raw const vector, 1, offset as i64, libc::RWF_NOWAIT)
        };
        let error = io::Error::last_os_error().raw_os_error();
        // Any other failure is the job's to meet.
        moved >= 0 || !matches!(error, Some(libc::EAGAIN | libc::EOPNOTSUPP))
    })
}

/// `EINTR` is no failure of a wait: the caller looks at its flags and comes back.
fn forgive_signal(result: io::Result<usize>) -> io::Result<()> {
    match result {
        Ok(_) => Ok(()),
        Err(error) => match error.raw_os_error() {
            // ETIME: the timeout of `wait` ran out. EBUSY and EAGAIN: the completion side must be
            // emptied first, which the caller does next.
            Some(libc::EINTR | libc::ETIME | libc::EBUSY | libc::EAGAIN) => Ok(()),
            _ => Err(error),
        },
    }
}
