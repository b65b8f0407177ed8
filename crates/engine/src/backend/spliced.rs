//! Transfers through a pipe: the kernel hands pages on where it can, and copies where it must.

use std::cell::RefCell;
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::AsRawFd as _;
use std::ptr;

use workload::{Direction, SyncKind};

use super::interface::{Request, sync_file};
use super::one_at_a_time::Perform;

/// What a pipe holds: 16 pages.
const PIPE_BYTES: usize = 65_536;

/// Moves data with splice(2) and, for writes, vmsplice(2).
#[derive(Debug)]
pub(crate) struct Spliced {
    /// The worker keeps them open.
    files: Vec<i32>,
    sync: SyncKind,
    pipe: RefCell<(PipeReader, PipeWriter)>,
}

impl Spliced {
    pub(crate) fn new(files: Vec<i32>, sync: SyncKind) -> io::Result<Self> {
        Ok(Self { files, sync, pipe: RefCell::new(io::pipe()?) })
    }

    /// Bytes moved, fewer than asked at the end of the file.
    fn transfer(&self, request: &Request) -> io::Result<usize> {
        let (file, length) = (self.files[request.target as usize], request.length as usize);
        let (out, into) = &*self.pipe.borrow();
        let mut offset = request.offset as i64;
        let mut moved = 0;
        while moved < length {
            let place = request.buffer.wrapping_add(moved);
            let step = (length - moved).min(PIPE_BYTES);
            let came = match request.direction {
                Direction::Read => {
                    let pipe = into.as_raw_fd();
                    let came = splice(file, &raw mut offset, pipe, ptr::null_mut(), step)?;
                    // SAFETY: `came` bytes from `place` on are inside the request's buffer, which
                    // is exclusive until this call returns (contract of `Backend`).
                    let part = unsafe { std::slice::from_raw_parts_mut(place, came) };
                    let mut pipe = out;
                    pipe.read_exact(part)?;
                    came
                }
                _ => {
                    let vector = libc::iovec { iov_base: place.cast(), iov_len: step };
                    // SAFETY: the vector's bytes are inside the request's buffer, which nobody
                    // changes before the pipe is empty again.
                    let came = count(unsafe {
                        libc::vmsplice(into.as_raw_fd(), &raw const vector, 1, 0)
                    })?;
                    let mut left = came;
                    while left > 0 {
                        let pipe = out.as_raw_fd();
                        match splice(pipe, ptr::null_mut(), file, &raw mut offset, left)? {
                            0 => return Err(io::ErrorKind::WriteZero.into()),
                            written => left -= written,
                        }
                    }
                    came
                }
            };
            if came == 0 {
                break;
            }
            moved += came;
        }
        Ok(moved)
    }
}

/// One of both is the pipe, and has no offset.
fn splice(
    from: i32,
    from_offset: *mut i64,
    to: i32,
    to_offset: *mut i64,
    length: usize,
) -> io::Result<usize> {
    // SAFETY: an offset is null or points to a number of the caller's; the worker holds the
    // descriptors open.
    count(unsafe { libc::splice(from, from_offset, to, to_offset, length, 0) })
}

fn count(moved: isize) -> io::Result<usize> {
    usize::try_from(moved).map_err(|_| io::Error::last_os_error())
}

impl Perform for Spliced {
    #[inline]
    fn perform(&self, request: &Request) -> i32 {
        if request.direction == Direction::Sync {
            return sync_file(self.files[request.target as usize], self.sync);
        }
        self.transfer(request).map_or_else(
            |error| {
                // What the operation left in the pipe must not reach the next one.
                if let Ok(pipe) = io::pipe() {
                    self.pipe.replace(pipe);
                }
                -error.raw_os_error().unwrap_or(libc::EIO)
            },
            |moved| moved as i32,
        )
    }
}
