//! How operations reach the kernel: one small trait, one file per interface.

mod blocking;
mod libaio;
mod mapped;
mod null;
mod probe;
mod simulated;
mod uring;

use std::io;
use std::time::Duration;

use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec};
use workload::Direction;

use crate::clock::Clock;

pub(crate) use blocking::{Blocking, SyscallFamily, SyscallMode, sync_file as sync_now};
pub(crate) use libaio::Libaio;
pub(crate) use mapped::Mapped;
pub(crate) use null::Null;
pub use probe::io_uring_refusal;
pub(crate) use probe::supports_nowait;
pub use simulated::SimulatedDevice;
pub(crate) use simulated::{RealTimeSimulated, Simulated};
pub(crate) use uring::{Ring, RingConfig};

/// One operation with its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) direction: Direction,
    /// Number of the target among those of the job.
    pub(crate) target: u16,
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

    /// Whether looking again soon may find more: nothing changes by itself where there is no
    /// device.
    const POLLS: bool = true;

    /// Takes in one request under the number `slot`. Never blocks.
    fn queue(&mut self, slot: u32, request: &Request);

    /// Hands everything queued to the kernel without waiting for completions.
    fn submit(&mut self) -> io::Result<()>;

    /// Hands everything queued to the kernel and collects what has completed, without waiting.
    fn submit_and_poll(&mut self) -> io::Result<()>;

    /// Hands everything queued to the kernel and waits for at least one completion. Returns early
    /// on a signal.
    fn submit_and_wait(&mut self) -> io::Result<()>;

    /// Hands everything queued to the kernel and waits for a completion, at most `timeout`;
    /// returns early on a signal.
    fn wait(&mut self, timeout: Duration) -> io::Result<()>;

    /// The next completion that is there: slot, and bytes moved or a negative error number.
    fn reap(&mut self) -> Option<(u32, i32)>;

    /// Tries to call back everything outstanding, as far as the interface can.
    fn cancel(&mut self) {}

    /// Operations are given up: from here on nothing may wait for them.
    fn abandon(&mut self) {}

    /// The time that stamps are taken from: the clock's, or a virtual one.
    #[inline]
    fn now(&self, clock: &Clock) -> u64 {
        clock.now()
    }

    /// Sleeps until the clock reads `until_ns`; a signal ends it early.
    fn sleep(&mut self, clock: &Clock, until_ns: u64) {
        let due = clock.to_monotonic(until_ns);
        let until = Timespec {
            tv_sec: (due / 1_000_000_000) as i64,
            tv_nsec: (due % 1_000_000_000) as i64,
        };
        let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
    }
}

/// `EINTR` is no failure of a wait: the caller looks at its flags and comes back.
fn ignore_interruption(result: io::Result<usize>) -> io::Result<()> {
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

/// What a system call returned, in the manner of completions: bytes or a negative error number.
fn to_completion_result(moved: isize) -> i32 {
    if moved < 0 {
        -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
    } else {
        moved as i32
    }
}
