//! Copies to and from a mapping of the file.

use std::ffi::c_void;
use std::io;
use std::ptr;

use rustix::fd::BorrowedFd;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};
use workload::{Direction, MmapSwitches, SyncKind};

use super::interface::{Request, sync_file};
use super::one_at_a_time::Perform;

/// Pages are mapped in steps of this size on every supported processor.
const PAGE_BYTES: u64 = 4096;

#[derive(Debug)]
struct Mapping {
    start: *mut c_void,
    length: usize,
    file: i32,
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this is the mapping made in `new`, unmapped once; no address is kept.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

/// Copies memory to and from mappings of whole files.
#[derive(Debug)]
pub(crate) struct Mapped {
    mappings: Vec<Mapping>,
    sync: SyncKind,
}

impl Mapped {
    pub(crate) fn new(
        files: &[(BorrowedFd<'_>, u64)],
        writes: bool,
        sync: SyncKind,
        switches: MmapSwitches,
    ) -> io::Result<Self> {
        let protection = if writes { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
        let mut mappings = Vec::new();
        for &(file, size) in files {
            let length = size.max(PAGE_BYTES) as usize;
            // SAFETY: a new mapping overlaps nothing. That others may change the file is harmless:
            // bytes are only copied.
            let start =
                unsafe { mmap(ptr::null_mut(), length, protection, MapFlags::SHARED, file, 0) }?;
            let file = std::os::fd::AsRawFd::as_raw_fd(&file);
            mappings.push(Mapping { start, length, file });
            let pattern = match switches.random {
                Some(true) => Some(Advice::Random),
                Some(false) => Some(Advice::Sequential),
                None => None,
            };
            let huge = switches.huge_pages.then_some(Advice::LinuxHugepage);
            for advice in [pattern, huge].into_iter().flatten() {
                // SAFETY: advice about our own mapping changes no content.
                unsafe { madvise(start, length, advice) }?;
            }
        }
        Ok(Self { mappings, sync })
    }
}

impl Perform for Mapped {
    #[inline]
    fn perform(&self, request: &Request) -> i32 {
        let mapping = &self.mappings[request.target as usize];
        if request.direction == Direction::Sync {
            return sync_file(mapping.file, self.sync);
        }
        let (offset, length) = (request.offset as usize, request.length as usize);
        if offset + length > mapping.length {
            return -libc::EINVAL;
        }
        let writes = request.direction == Direction::Write;
        if let Err(error) = populate_pages(mapping, offset, length, writes) {
            return -error;
        }
        let place = mapping.start.cast::<u8>().wrapping_add(offset);
        // SAFETY: `place` has `length` bytes inside the mapping (checked above), just made present;
        // the buffer has as many (contract of `Backend`); an arena and a mapped file never overlap.
        unsafe {
            if writes {
                ptr::copy_nonoverlapping(request.buffer, place, length);
            } else {
                ptr::copy_nonoverlapping(place, request.buffer, length);
            }
        }
        request.length as i32
    }
}

/// Brings the pages of a range in by a call: a device that fails answers it with an error number
/// where touching the page would end the process (SIGBUS). Linux 5.14.
fn populate_pages(
    mapping: &Mapping,
    offset: usize,
    length: usize,
    writes: bool,
) -> Result<(), i32> {
    let first = offset / PAGE_BYTES as usize * PAGE_BYTES as usize;
    let advice = if writes { Advice::LinuxPopulateWrite } else { Advice::LinuxPopulateRead };
    let start = mapping.start.cast::<u8>().wrapping_add(first).cast();
    // SAFETY: the range lies inside our own mapping, and populating changes no content.
    match unsafe { madvise(start, offset + length - first, advice) } {
        // An older kernel does not know the advice: the pages come when they are touched.
        Ok(()) | Err(rustix::io::Errno::INVAL) => Ok(()),
        // What SIGBUS would be.
        Err(rustix::io::Errno::FAULT) => Err(libc::EIO),
        Err(error) => Err(error.raw_os_error()),
    }
}
