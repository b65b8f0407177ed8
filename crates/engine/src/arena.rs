//! Memory for the buffers of one worker: one anonymous mapping, cut into slots.

use std::ffi::c_void;
use std::io;
use std::ptr;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// A page-aligned, zeroed, private mapping.
#[derive(Debug)]
pub(crate) struct Arena {
    start: *mut c_void,
    length: usize,
}

// SAFETY: the mapping is owned by this value alone and is plain memory; moving the owner to
// another thread moves the only access to it.
unsafe impl Send for Arena {}

impl Arena {
    /// Maps `length` bytes.
    pub(crate) fn new(length: usize) -> io::Result<Self> {
        let length = length.max(4096);
        // SAFETY: a new anonymous mapping at an address of the kernel's choice overlaps nothing.
        let start = unsafe {
            mmap_anonymous(
                ptr::null_mut(),
                length,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE,
            )
        }?;
        Ok(Self { start, length })
    }

    /// Address of the byte at `offset`.
    #[inline]
    pub(crate) fn at(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < self.length);
        // The sum stays inside the mapping, so it cannot wrap.
        self.start.cast::<u8>().wrapping_add(offset)
    }

    /// Length in bytes.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// All of it. Only for while no operation is outstanding.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has `length` initialised (zeroed) bytes, and `&mut self` is the
        // only access; the kernel writes into it only during operations.
        unsafe { std::slice::from_raw_parts_mut(self.start.cast::<u8>(), self.length) }
    }

    /// Keeps the memory mapped for ever: for when the kernel may still write into it.
    pub(crate) fn leak(self) {
        std::mem::forget(self);
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: this is the mapping made in `new`, unmapped once, with no borrow left.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}
