//! io_uring: one ring per worker, one `io_uring_enter` per batch.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use io_uring::types::{Fixed, FsyncFlags, SubmitArgs, Timespec};
use io_uring::{CompletionQueue, IoUring, SubmissionQueue, Submitter, opcode, squeue};
use workload::{Direction, SyncKind};

use super::{Backend, Request, forgive_signal};
use crate::arena::Arena;

/// The one file of a worker, registered in the ring's table.
const FILE: Fixed = Fixed(0);
/// The arena, registered as the one buffer; requests use parts of it.
const BUFFER: u16 = 0;

/// `IORING_ENTER_GETEVENTS`: deferred completions are posted only by a call with this flag.
const GETEVENTS: u32 = 1;

/// Tries whether a ring can be made at all.
pub(super) fn probe() -> io::Result<()> {
    IoUring::new(2).map(drop)
}

/// A ring with its registrations, before it is split for the hot path.
pub(crate) struct Ring {
    ring: IoUring,
    options: UringOptions,
    notes: Vec<String>,
}

/// What the requests are made of, resolved before the loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UringOptions {
    fixed_buffers: bool,
    sync: SyncKind,
    /// Requests become no-operations: what the loop itself costs.
    nop: bool,
}

impl Ring {
    /// A ring for `depth` requests on `file`, with `arena` registered. Must be called by the
    /// thread that will use it. With `nop` every request is a no-operation.
    pub(crate) fn new(
        depth: u32,
        file: BorrowedFd<'_>,
        arena: &Arena,
        sync: SyncKind,
        nop: bool,
    ) -> io::Result<Self> {
        let mut notes = Vec::new();
        let ring = build(depth, &mut notes)?;
        ring.submitter().register_files(&[file.as_raw_fd()])?;
        let all = libc::iovec { iov_base: arena.at(0).cast(), iov_len: arena.length() };
        // SAFETY: the arena outlives the ring: the worker drops the ring first, and leaks the
        // arena when operations were abandoned.
        let registered = unsafe { ring.submitter().register_buffers(&[all]) };
        if let Err(error) = &registered {
            notes.push(format!("buffers not registered (RLIMIT_MEMLOCK): {error}"));
        }
        let options = UringOptions { fixed_buffers: registered.is_ok(), sync, nop };
        Ok(Self { ring, options, notes })
    }

    /// The parts that the hot path uses.
    pub(crate) fn split(&mut self) -> Uring<'_> {
        let (mut submitter, submission, completion) = self.ring.split();
        // Saves a descriptor look-up per call; without it everything works the same.
        let _ = submitter.register_ring_fd();
        Uring { submitter, submission, completion, options: self.options }
    }

    /// What could not be had, in words.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The ring with the best flags that this kernel takes: DEFER_TASKRUN since 6.1, COOP_TASKRUN
/// since 5.19, then none.
fn build(depth: u32, notes: &mut Vec<String>) -> io::Result<IoUring> {
    let entries = depth.next_power_of_two().max(2);
    let best = IoUring::builder().setup_single_issuer().setup_defer_taskrun().build(entries);
    match best {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            notes.push("no DEFER_TASKRUN in this kernel".to_owned());
            let second = IoUring::builder().setup_coop_taskrun().build(entries);
            second.or_else(|_| IoUring::new(entries))
        }
        result => result,
    }
}

/// The ring in use.
pub(crate) struct Uring<'ring> {
    submitter: Submitter<'ring>,
    submission: SubmissionQueue<'ring>,
    completion: CompletionQueue<'ring>,
    options: UringOptions,
}

impl Uring<'_> {
    /// Tells the kernel what was queued and what was reaped: with completions that look untaken
    /// it would not wait for new ones.
    #[inline]
    fn publish(&mut self) {
        self.submission.sync();
        self.completion.sync();
    }

    #[inline]
    fn entry(&self, request: &Request) -> squeue::Entry {
        let Request { direction, offset, buffer, length } = *request;
        if self.options.nop {
            return opcode::Nop::new().build();
        }
        match (direction, self.options.fixed_buffers) {
            (Direction::Read, true) => {
                opcode::ReadFixed::new(FILE, buffer, length, BUFFER).offset(offset).build()
            }
            (Direction::Read, false) => {
                opcode::Read::new(FILE, buffer, length).offset(offset).build()
            }
            (Direction::Write, true) => {
                opcode::WriteFixed::new(FILE, buffer, length, BUFFER).offset(offset).build()
            }
            (Direction::Write, false) => {
                opcode::Write::new(FILE, buffer, length).offset(offset).build()
            }
            (Direction::Sync, _) => {
                let flags = match self.options.sync {
                    SyncKind::Fsync => FsyncFlags::empty(),
                    SyncKind::Fdatasync => FsyncFlags::DATASYNC,
                };
                opcode::Fsync::new(FILE).flags(flags).build()
            }
        }
    }
}

impl Backend for Uring<'_> {
    const SPLITS: bool = true;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        let entry = self.entry(request).user_data(u64::from(slot));
        // SAFETY: the buffer is a free slot of the arena, valid until its completion is taken
        // (contract of `Backend`), and the file stays registered as long as the ring lives.
        let pushed = unsafe { self.submission.push(&entry) };
        // The ring has an entry per slot, and a slot is queued once at a time: better no number
        // than one with lost operations.
        assert!(pushed.is_ok(), "submission ring full");
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        self.submission.sync();
        let result = self.submitter.submit();
        self.submission.sync();
        forgive_signal(result)
    }

    #[inline]
    fn submit_and_poll(&mut self) -> io::Result<()> {
        self.publish();
        let queued = self.submission.len() as u32;
        // SAFETY: no argument is passed; the queue holds `queued` entries that were pushed under
        // the contract of `queue`.
        let result = unsafe { self.submitter.enter::<libc::sigset_t>(queued, 0, GETEVENTS, None) };
        self.publish();
        forgive_signal(result)
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        self.publish();
        let result = self.submitter.submit_and_wait(1);
        self.publish();
        forgive_signal(result)
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        self.publish();
        let timeout = Timespec::from(timeout);
        let result = self.submitter.submit_with_args(1, &SubmitArgs::new().timespec(&timeout));
        self.completion.sync();
        forgive_signal(result)
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        let entry = self.completion.next()?;
        // A no-operation moves nothing; the loop counts it as a whole block.
        Some((entry.user_data() as u32, entry.result()))
    }
}

/// The submission queue after a partial `enter` keeps what the kernel did not take; the next
/// `enter` hands it over again. So an early return loses nothing.
impl Drop for Uring<'_> {
    fn drop(&mut self) {
        let _ = self.submitter.unregister_ring_fd();
    }
}
