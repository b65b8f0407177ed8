//! io_uring: one ring per worker, one `io_uring_enter` per batch.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use io_uring::types::{CancelBuilder, Fd, Fixed, FsyncFlags, SubmitArgs, Timespec};
use io_uring::{CompletionQueue, IoUring, SubmissionQueue, Submitter, opcode, squeue};
use workload::{Direction, SyncKind, UringSwitches};

use super::interface::{Backend, Request, ignore_interruption};
use crate::arena::Arena;

/// The arena, registered as the one buffer; requests use parts of it.
const ARENA_BUFFER_INDEX: u16 = 0;
/// How long the kernel's submission thread spins before it sleeps, in milliseconds.
const SQPOLL_IDLE_MS: u32 = 1000;
/// Flags of sync_file_range.
const WAIT_WRITE_WAIT: u32 = 7;
/// How long a cancellation may wait.
const CANCEL_TIMEOUT: Timespec = Timespec::new().nsec(200_000_000);

/// `IORING_ENTER_GETEVENTS`: deferred completions are posted only by a call with this flag.
const ENTER_GETEVENTS: u32 = 1;

pub(super) fn try_ring() -> io::Result<()> {
    IoUring::new(2).map(drop)
}

/// A ring with its registrations, before it is split for the hot path.
pub(crate) struct Ring {
    ring: IoUring,
    options: UringOptions,
    /// What this kernel or its limits refused.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Clone)]
struct UringOptions {
    /// Descriptors, for requests that do not use the registered table.
    files: Vec<i32>,
    fixed_files: bool,
    fixed_buffers: bool,
    force_async: bool,
    sqpoll: bool,
    sync: SyncKind,
    /// `RWF_DSYNC`, `RWF_SYNC` or 0.
    write_flags: i32,
    nop: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RingConfig<'a> {
    pub(crate) depth: u32,
    pub(crate) files: &'a [BorrowedFd<'a>],
    pub(crate) arena: &'a Arena,
    pub(crate) sync: SyncKind,
    pub(crate) write_flags: i32,
    pub(crate) switches: UringSwitches,
    pub(crate) nop: bool,
    /// Limit on the kernel's worker threads (io-wq), which run requests that block, such as syncs;
    /// `None` is its default: four per processor.
    pub(crate) iowq_workers_max: Option<u32>,
}

impl Ring {
    /// Registers files and arena. To be called by the thread that will use it.
    pub(crate) fn new(plan: RingConfig<'_>) -> io::Result<Self> {
        let mut notes = Vec::new();
        let switches = plan.switches;
        let ring = build_ring(plan.depth, switches, &mut notes)?;
        if let Some(limit) = plan.iowq_workers_max {
            // Linux 5.15; without it some wait. 0 leaves those of sockets as they are.
            let _ = ring.submitter().register_iowq_max_workers(&mut [limit, 0]);
        }
        let files: Vec<i32> = plan.files.iter().map(AsRawFd::as_raw_fd).collect();
        let (mut fixed_files, mut fixed_buffers) = (false, false);
        if !switches.plain {
            fixed_files =
                note_registration(&mut notes, "files", ring.submitter().register_files(&files));
            let arena = plan.arena;
            let all = libc::iovec { iov_base: arena.pointer_at(0).cast(), iov_len: arena.length() };
            // SAFETY: the arena outlives the ring: the worker drops the ring first, and keeps the
            // arena mapped when operations were abandoned.
            let registered = unsafe { ring.submitter().register_buffers(&[all]) };
            fixed_buffers = note_registration(&mut notes, "buffers", registered);
        }
        let options = UringOptions {
            files,
            fixed_files,
            fixed_buffers,
            force_async: switches.force_async,
            sqpoll: switches.sqpoll,
            sync: plan.sync,
            write_flags: plan.write_flags,
            nop: plan.nop,
        };
        Ok(Self { ring, options, notes })
    }

    pub(crate) fn split(&mut self) -> Uring<'_> {
        let (mut submitter, submission, completion) = self.ring.split();
        // Saves a descriptor look-up per call; without it everything works the same.
        let _ = submitter.register_ring_fd();
        Uring { submitter, submission, completion, options: self.options.clone() }
    }
}

/// Whether a registration succeeded; a failure is noted.
fn note_registration(notes: &mut Vec<String>, what: &str, result: io::Result<()>) -> bool {
    if let Err(error) = &result {
        notes.push(format!("{what} not registered (RLIMIT_MEMLOCK?): {error}"));
    }
    result.is_ok()
}

/// The best flags that this kernel takes: DEFER_TASKRUN since 6.1, COOP_TASKRUN since 5.19. A
/// kernel thread that submits excludes deferring.
fn build_ring(depth: u32, switches: UringSwitches, notes: &mut Vec<String>) -> io::Result<IoUring> {
    let entries = depth.next_power_of_two().max(2);
    let asked = || {
        let mut builder = IoUring::builder();
        if switches.iopoll {
            builder.setup_iopoll();
        }
        if switches.sqpoll {
            builder.setup_sqpoll(SQPOLL_IDLE_MS);
            if let Some(cpu) = switches.sqpoll_cpu {
                builder.setup_sqpoll_cpu(cpu);
            }
        }
        builder
    };
    if switches.sqpoll {
        return asked().build(entries);
    }
    let best = asked().setup_single_issuer().setup_defer_taskrun().build(entries);
    match best {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            notes.push("no DEFER_TASKRUN in this kernel".to_owned());
            let second = asked().setup_coop_taskrun().build(entries);
            second.or_else(|_| asked().build(entries))
        }
        result => result,
    }
}

pub(crate) struct Uring<'ring> {
    submitter: Submitter<'ring>,
    submission: SubmissionQueue<'ring>,
    completion: CompletionQueue<'ring>,
    options: UringOptions,
}

impl Uring<'_> {
    /// Without it the kernel would take what was reaped for unreaped, and not wait for more.
    #[inline]
    fn publish_queues(&mut self) {
        self.submission.sync();
        self.completion.sync();
    }

    #[inline]
    fn make_entry(&self, request: &Request) -> squeue::Entry {
        let Request { direction, target, offset, buffer, length, ioprio } = *request;
        if self.options.nop {
            return opcode::Nop::new().build();
        }
        let flags = self.options.write_flags;
        // The file is one of two types, which a function could not name.
        macro_rules! on {
            ($file:expr) => {
                match (direction, self.options.fixed_buffers) {
                    (Direction::Read, true) => {
                        opcode::ReadFixed::new($file, buffer, length, ARENA_BUFFER_INDEX)
                            .offset(offset)
                            .ioprio(ioprio)
                            .build()
                    }
                    (Direction::Read, false) => {
                        let read = opcode::Read::new($file, buffer, length);
                        read.offset(offset).ioprio(ioprio).build()
                    }
                    (Direction::Write, true) => {
                        let write =
                            opcode::WriteFixed::new($file, buffer, length, ARENA_BUFFER_INDEX);
                        write.offset(offset).ioprio(ioprio).rw_flags(flags).build()
                    }
                    (Direction::Write, false) => {
                        let write = opcode::Write::new($file, buffer, length);
                        write.offset(offset).ioprio(ioprio).rw_flags(flags).build()
                    }
                    // Trims are done by calls that block (`WithTrims`).
                    (Direction::Sync | Direction::Trim, _) => match self.options.sync {
                        SyncKind::Fsync => opcode::Fsync::new($file).build(),
                        SyncKind::Fdatasync => {
                            opcode::Fsync::new($file).flags(FsyncFlags::DATASYNC).build()
                        }
                        SyncKind::FileRange => {
                            let range = opcode::SyncFileRange::new($file, 0);
                            range.flags(WAIT_WRITE_WAIT).build()
                        }
                    },
                }
            };
        }
        let entry = if self.options.fixed_files {
            on!(Fixed(u32::from(target)))
        } else {
            on!(Fd(self.options.files[target as usize]))
        };
        if self.options.force_async { entry.flags(squeue::Flags::ASYNC) } else { entry }
    }
}

/// The submission queue after a partial `enter` keeps what the kernel did not take; the next
/// `enter` hands it over again. So an early return loses nothing.
impl Backend for Uring<'_> {
    const SPLITS_SUBMISSION: bool = true;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        let entry = self.make_entry(request).user_data(u64::from(slot));
        // SAFETY: the buffer is a free slot of the arena, valid until its completion is taken
        // (contract of `Backend`); the file stays registered as long as the ring lives.
        let pushed = unsafe { self.submission.push(&entry) };
        // The ring has an entry per slot, and a slot is queued once at a time.
        assert!(pushed.is_ok(), "submission ring full");
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        self.publish_queues();
        let result = self.submitter.submit();
        self.publish_queues();
        ignore_interruption(result)
    }

    #[inline]
    fn submit_and_poll(&mut self, most: usize) -> io::Result<()> {
        if self.options.sqpoll {
            return self.submit();
        }
        self.publish_queues();
        let count = self.submission.len().min(most) as u32;
        // SAFETY: no argument is passed; the `count` entries were pushed under the contract of
        // `queue`.
        let result =
            unsafe { self.submitter.enter::<libc::sigset_t>(count, 0, ENTER_GETEVENTS, None) };
        self.publish_queues();
        ignore_interruption(result)
    }

    #[inline]
    fn pending(&self) -> usize {
        // A kernel thread takes everything that is queued.
        if self.options.sqpoll { 0 } else { self.submission.len() }
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        self.publish_queues();
        let result = self.submitter.submit_and_wait(1);
        self.publish_queues();
        ignore_interruption(result)
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        self.publish_queues();
        let timeout = Timespec::from(timeout);
        let result = self.submitter.submit_with_args(1, &SubmitArgs::new().timespec(&timeout));
        self.publish_queues();
        ignore_interruption(result)
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        let entry = self.completion.next()?;
        // A no-operation moves nothing; the loop counts it as a whole block.
        Some((entry.user_data() as u32, entry.result()))
    }

    fn cancel(&mut self) {
        // Linux 6.0; without it the drain limit ends the wait.
        let _ =
            self.submitter.register_sync_cancel(Some(CANCEL_TIMEOUT), CancelBuilder::any().all());
    }

    /// Until Linux 6.13 taking back a registration waits for the operations that use it.
    fn abandon(&mut self) {
        (self.options.fixed_files, self.options.fixed_buffers) = (false, false);
    }
}

impl Drop for Uring<'_> {
    fn drop(&mut self) {
        // The kernel frees a closed ring later, on a thread of its own: what is still registered
        // then keeps the file open (its file system cannot be unmounted) and the memory locked.
        if self.options.fixed_files {
            let _ = self.submitter.unregister_files();
        }
        if self.options.fixed_buffers {
            let _ = self.submitter.unregister_buffers();
        }
        let _ = self.submitter.unregister_ring_fd();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::fd::AsFd as _;

    use super::*;

    /// A pipe without writers has reached its end; one that a ring still holds would block.
    #[test]
    fn a_ring_that_is_gone_holds_no_file() {
        if crate::backend::io_uring_refusal().is_some() {
            return;
        }
        let arena = Arena::new(4096).unwrap();
        for plain in [false, true] {
            let (mut reader, writer) = io::pipe().unwrap();
            rustix::io::ioctl_fionbio(&reader, true).unwrap();
            let config = RingConfig {
                depth: 4,
                files: &[writer.as_fd()],
                arena: &arena,
                sync: SyncKind::Fsync,
                write_flags: 0,
                switches: UringSwitches { plain, ..UringSwitches::default() },
                nop: false,
                iowq_workers_max: None,
            };
            drop(Ring::new(config).unwrap().split());
            drop(writer);
            assert_eq!(reader.read(&mut [0]).unwrap(), 0, "plain: {plain}");
        }
    }
}
