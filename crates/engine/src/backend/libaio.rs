//! Linux's older asynchronous interface, by its system calls (include/uapi/linux/aio_abi.h).

use std::io;
use std::ptr;
use std::time::Duration;

use workload::{Direction, SyncKind};

use super::interface::{Backend, Request, ignore_interruption};

/// `struct iocb`; the order of `key` and `rw_flags` is that of little-endian machines.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Iocb {
    data: u64,
    key: u32,
    rw_flags: i32,
    opcode: u16,
    priority: i16,
    file: u32,
    buffer: u64,
    length: u64,
    offset: i64,
    reserved: u64,
    flags: u32,
    event_file: u32,
}

/// `struct io_event`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Event {
    data: u64,
    iocb: u64,
    result: i64,
    result2: i64,
}

/// `IOCB_FLAG_IOPRIO`
const HAS_PRIORITY: u32 = 2;

const PREAD: u16 = 0;
const PWRITE: u16 = 1;
const FSYNC: u16 = 2;
const FDSYNC: u16 = 3;

/// A context with one control block per slot.
#[derive(Debug)]
pub(crate) struct Libaio {
    context: u64,
    pub(crate) files: Vec<i32>,
    sync: SyncKind,
    /// `RWF_` flags of every read, and of every write.
    pub(crate) read_flags: i32,
    write_flags: i32,
    blocks: Vec<Iocb>,
    /// Addresses of the blocks that were queued and not yet taken by the kernel.
    queued: Vec<*mut Iocb>,
    events: Vec<Event>,
    /// Events collected, and how many of them were reaped.
    ready: usize,
    taken: usize,
}

impl Libaio {
    /// For `depth` requests at a time on `files`, which the worker keeps open.
    pub(crate) fn new(
        depth: u32,
        files: Vec<i32>,
        sync: SyncKind,
        write_flags: i32,
    ) -> io::Result<Self> {
        let mut context = 0_u64;
        // SAFETY: the kernel writes one 64-bit number through the pointer.
        let result =
            unsafe { libc::syscall(libc::SYS_io_setup, u64::from(depth), &raw mut context) };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        let depth = depth as usize;
        Ok(Self {
            context,
            files,
            sync,
            read_flags: 0,
            write_flags,
            blocks: vec![Iocb::default(); depth],
            queued: Vec::with_capacity(depth),
            events: vec![Event::default(); depth],
            ready: 0,
            taken: 0,
        })
    }

    /// Submits the first `most` requests. Those that the kernel does not take now stay queued.
    #[inline]
    fn submit_queued(&mut self, most: usize) -> io::Result<()> {
        let mut count = self.queued.len().min(most);
        while count > 0 {
            let blocks = self.queued.as_mut_ptr();
            // SAFETY: `blocks` points to `count` addresses of control blocks in `self.blocks`,
            // never resized; their buffers are valid until completion (contract of `Backend`).
            let taken = unsafe { libc::syscall(libc::SYS_io_submit, self.context, count, blocks) };
            if taken < 0 {
                return ignore_interruption(Err(io::Error::last_os_error()));
            }
            self.queued.drain(..taken as usize);
            count = if taken == 0 { 0 } else { count - taken as usize };
        }
        Ok(())
    }

    /// Waits for `least` events, at most `timeout`.
    #[inline]
    fn collect_events(&mut self, least: usize, timeout: Option<Duration>) -> io::Result<()> {
        if self.taken < self.ready {
            return Ok(()); // some were not yet handed out
        }
        let timeout = timeout.map(|timeout| libc::timespec {
            tv_sec: timeout.as_secs() as i64,
            tv_nsec: i64::from(timeout.subsec_nanos()),
        });
        let limit = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: the kernel writes at most as many events as the vector has; `limit` is null or
        // outlives the call.
        let got = unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.context,
                least,
                self.events.len(),
                self.events.as_mut_ptr(),
                limit,
            )
        };
        (self.ready, self.taken) = (got.max(0) as usize, 0);
        if got < 0 { ignore_interruption(Err(io::Error::last_os_error())) } else { Ok(()) }
    }
}

impl Backend for Libaio {
    const SPLITS_SUBMISSION: bool = true;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        let opcode = match (request.direction, self.sync) {
            (Direction::Read, _) => PREAD,
            (Direction::Write, _) => PWRITE,
            (_, SyncKind::Fsync) => FSYNC,
            // Jobs that want anything else are refused when they are built.
            (_, _) => FDSYNC,
        };
        let data = matches!(request.direction, Direction::Read | Direction::Write);
        let block = &mut self.blocks[slot as usize];
        *block = Iocb {
            data: u64::from(slot),
            rw_flags: match request.direction {
                Direction::Write => self.write_flags,
                Direction::Read => self.read_flags,
                _ => 0,
            },
            opcode,
            file: self.files[request.target as usize] as u32,
            buffer: if data { request.buffer as u64 } else { 0 },
            length: if data { u64::from(request.length) } else { 0 },
            offset: if data { request.offset as i64 } else { 0 },
            priority: request.ioprio.cast_signed(),
            flags: if request.ioprio == 0 { 0 } else { HAS_PRIORITY },
            ..Iocb::default()
        };
        self.queued.push(ptr::from_mut(block));
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        self.submit_queued(usize::MAX)
    }

    #[inline]
    fn submit_and_poll(&mut self, most: usize) -> io::Result<()> {
        self.submit_queued(most)?;
        self.collect_events(0, Some(Duration::ZERO))
    }

    #[inline]
    fn pending(&self) -> usize {
        self.queued.len()
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        self.submit_queued(usize::MAX)?;
        self.collect_events(1, None)
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        self.submit_queued(usize::MAX)?;
        self.collect_events(1, Some(timeout))
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        if self.taken == self.ready {
            return None;
        }
        let event = self.events[self.taken];
        self.taken += 1;
        Some((event.data as u32, event.result as i32))
    }

    fn abandon(&mut self) {
        self.context = 0;
    }
}

impl Drop for Libaio {
    fn drop(&mut self) {
        if self.context == 0 {
            return; // abandoned: destroying it would wait for ever
        }
        // SAFETY: made in `new` and destroyed once. The call waits for what is outstanding, so
        // buffers stay valid for as long as the kernel may write into them.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.context) };
    }
}
