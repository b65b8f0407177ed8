//! Memory for the buffers of one worker: one anonymous mapping, cut into slots.

use std::ffi::c_void;
use std::io;
use std::ptr;

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageSize {
    Small,
    /// 2 MiB: reserved pages where there are enough, else transparent ones.
    Huge,
}

/// Size of a huge page on x86-64 and, with 4 KiB pages, on arm64.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// A page-aligned, zeroed, private mapping.
#[derive(Debug)]
pub(crate) struct Arena {
    start: *mut c_void,
    length: usize,
    pub(crate) reserved: bool,
}

// SAFETY: plain memory that this value alone owns; moving it moves the only access.
unsafe impl Send for Arena {}

impl Arena {
    pub(crate) fn new(length: usize) -> io::Result<Self> {
        let length = length.max(4096);
        Ok(Self { start: map_anonymous(length, MapFlags::PRIVATE)?, length, reserved: false })
    }

    pub(crate) fn with_page_size(length: usize, pages: PageSize) -> io::Result<Self> {
        if pages == PageSize::Small {
            return Self::new(length);
        }
        let length = length.max(1).div_ceil(HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
        if let Ok(start) = map_anonymous(length, MapFlags::PRIVATE | MapFlags::HUGETLB) {
            return Ok(Self { start, length, reserved: true });
        }
        let arena = Self::new(length)?;
        // SAFETY: the range is our own mapping. Where the advice is refused the pages are small.
        let _ = unsafe { madvise(arena.start, arena.length, Advice::LinuxHugepage) };
        Ok(arena)
    }

    #[inline]
    pub(crate) fn pointer_at(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < self.length);
        // The sum stays inside the mapping, so it cannot wrap.
        self.start.cast::<u8>().wrapping_add(offset)
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The whole arena. No operation may be outstanding.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has `length` initialised bytes; the kernel writes only in operations.
        unsafe { std::slice::from_raw_parts_mut(self.start.cast::<u8>(), self.length) }
    }
}

fn map_anonymous(length: usize, flags: MapFlags) -> io::Result<*mut c_void> {
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new anonymous mapping at an address of the kernel's choice overlaps nothing.
    Ok(unsafe { mmap_anonymous(ptr::null_mut(), length, protection, flags) }?)
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: this is the mapping made in `new`, unmapped once, with no borrow left.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}
