//! What this host and this device can do.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use units::Bytes;

use super::uring;
use crate::arena::Arena;

/// Why io_uring cannot be used here; `None` when it can.
pub fn io_uring_refusal() -> Option<String> {
    let error = uring::try_ring().err()?;
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
pub(crate) fn supports_nowait(file: &File, block: Bytes, size: Bytes) -> bool {
    let length = block.0 as usize;
    // Without memory the job itself will fail, and say so.
    let Ok(arena) = Arena::new(length) else { return true };
    let vector = libc::iovec { iov_base: arena.pointer_at(0).cast(), iov_len: length };
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
