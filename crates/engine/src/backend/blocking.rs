//! Calls that block: one operation at a time per worker.

use std::io;

use workload::{Direction, DurableWrites, SyncKind, TrimKind};

use super::interface::{Request, sync_file, to_completion_result};
use super::one_at_a_time::Perform;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyscallFamily {
    /// lseek, then read or write.
    Sync,
    /// pread, pwrite.
    Psync,
    /// preadv, pwritev.
    Pvsync,
    /// preadv2, pwritev2 with these flags.
    Pvsync2(i32),
    /// fallocate, in place of a transfer.
    Falloc,
    /// ftruncate, in place of a transfer.
    Ftruncate,
}

/// How writes, syncs and trims are done, resolved before the loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SyscallMode {
    pub(crate) sync: SyncKind,
    pub(crate) trim: TrimKind,
    /// `RWF_DSYNC`, `RWF_SYNC` or 0.
    pub(crate) write_flags: i32,
    /// The targets are block devices.
    pub(crate) device: bool,
}

impl SyscallMode {
    pub(crate) fn durability_flags(durable: Option<DurableWrites>) -> i32 {
        match durable {
            None => 0,
            Some(DurableWrites::Data) => libc::RWF_DSYNC,
            Some(DurableWrites::DataAndMetadata) => libc::RWF_SYNC,
        }
    }
}

/// ioctls of include/uapi/linux/fs.h: `_IO(0x12, 119)` and `_IO(0x12, 127)`, with start and length.
const BLKDISCARD: libc::Ioctl = 0x1277;
const BLKZEROOUT: libc::Ioctl = 0x127f;

#[derive(Debug)]
pub(crate) struct Blocking {
    /// The worker keeps them open.
    pub(crate) files: Vec<i32>,
    pub(crate) calls: SyscallFamily,
    pub(crate) mode: SyscallMode,
}

impl Blocking {
    #[inline]
    fn transfer(&self, file: i32, request: &Request) -> i32 {
        if matches!(self.calls, SyscallFamily::Falloc | SyscallFamily::Ftruncate) {
            return self.set_length(file, request);
        }
        let Request { direction, offset, buffer, length, .. } = *request;
        let (offset, length) = (offset as i64, length as usize);
        let vector = libc::iovec { iov_base: buffer.cast(), iov_len: length };
        let reads = direction == Direction::Read;
        // SAFETY: the buffer is valid and exclusive for `length` bytes until this call returns
        // (contract of `Backend`); the worker holds the descriptor open.
        let moved = unsafe {
            match (self.calls, reads) {
                (SyscallFamily::Sync, _) if libc::lseek(file, offset, libc::SEEK_SET) < 0 => -1,
                (SyscallFamily::Sync, true) => libc::read(file, buffer.cast(), length),
                (SyscallFamily::Sync, false) => libc::write(file, buffer.cast(), length),
                (SyscallFamily::Psync, true) => libc::pread(file, buffer.cast(), length, offset),
                (SyscallFamily::Psync, false) => libc::pwrite(file, buffer.cast(), length, offset),
                (SyscallFamily::Pvsync, true) => libc::preadv(file, &raw const vector, 1, offset),
                (SyscallFamily::Pvsync, false) => libc::pwritev(file, &raw const vector, 1, offset),
                (SyscallFamily::Pvsync2(flags), true) => {
                    libc::preadv2(file, &raw const vector, 1, offset, flags)
                }
                (SyscallFamily::Pvsync2(flags), false) => {
                    let flags = flags | self.mode.write_flags;
                    libc::pwritev2(file, &raw const vector, 1, offset, flags)
                }
                (SyscallFamily::Falloc | SyscallFamily::Ftruncate, _) => -1,
            }
        };
        to_completion_result(moved)
    }

    /// Changes the file's length or space; the length of the operation or a negative error number.
    fn set_length(&self, file: i32, request: &Request) -> i32 {
        let (offset, length) = (request.offset as i64, request.length);
        let keeps = i32::from(request.direction == Direction::Read) * libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: neither call takes memory; the worker holds the descriptor open.
        let result = unsafe {
            match self.calls {
                SyscallFamily::Ftruncate => libc::ftruncate(file, offset),
                _ => libc::fallocate(file, keeps, offset, length.into()),
            }
        };
        if result < 0 { to_completion_result(-1) } else { length as i32 }
    }
}

impl Perform for Blocking {
    #[inline]
    fn perform(&self, request: &Request) -> i32 {
        let file = self.files[request.target as usize];
        match request.direction {
            Direction::Read | Direction::Write => self.transfer(file, request),
            Direction::Sync => sync_file(file, self.mode.sync),
            Direction::Trim => trim_range(file, self.mode, request.offset, request.length.into()),
        }
    }
}

/// Discards or zeroes a range; its length or a negative error number.
pub(super) fn trim_range(file: i32, mode: SyscallMode, offset: u64, length: u64) -> i32 {
    let range = [offset, length];
    let flags = match mode.trim {
        TrimKind::Discard => libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE,
        TrimKind::WriteZeroes => libc::FALLOC_FL_ZERO_RANGE | libc::FALLOC_FL_KEEP_SIZE,
    };
    // SAFETY: the ioctls read the two numbers of `range`, which outlives the call; fallocate takes
    // no memory; the worker holds the descriptor open.
    let trim = || unsafe {
        match (mode.device, mode.trim) {
            (true, TrimKind::Discard) => libc::ioctl(file, BLKDISCARD, range.as_ptr()),
            (true, TrimKind::WriteZeroes) => libc::ioctl(file, BLKZEROOUT, range.as_ptr()),
            (false, _) => libc::fallocate(file, flags, offset as i64, length as i64),
        }
    };
    let mut result = trim();
    // Of a device that another descriptor claims, as this program's own does, the kernel drops
    // clean pages only, and buffered writes leave dirty ones.
    let is_busy = || io::Error::last_os_error().raw_os_error() == Some(libc::EBUSY);
    if result < 0 && mode.device && is_busy() {
        sync_file(file, SyncKind::Fdatasync);
        result = trim();
    }
    if result < 0 { to_completion_result(-1) } else { length as i32 }
}
