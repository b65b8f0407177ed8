//! Pages that the kernel shares with this process.

use std::io;
use std::os::fd::AsFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU64;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// Unmapped when dropped.
#[derive(Debug)]
pub(crate) struct Mapping {
    address: NonNull<u8>,
    length: usize,
}

// SAFETY: the pages are shared memory of the kernel; they belong to no thread.
unsafe impl Send for Mapping {}

impl Mapping {
    /// `offset` and `length` are whole pages that the descriptor has.
    pub(crate) fn new(
        descriptor: impl AsFd,
        offset: usize,
        length: usize,
        protection: ProtFlags,
    ) -> io::Result<Self> {
        let (flags, offset) = (MapFlags::SHARED, offset as u64);
        // SAFETY: the kernel chooses the address.
        let address =
            unsafe { mmap(ptr::null_mut(), length, protection, flags, descriptor, offset)? };
        let address = NonNull::new(address.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { address, length })
    }

    /// The word at this place, which the kernel accesses atomically too.
    pub(crate) fn word(&self, place: usize) -> &AtomicU64 {
        assert!(place.is_multiple_of(8) && place + 8 <= self.length);
        // SAFETY: the word is aligned, within the pages, and lives as long as `self`.
        unsafe { self.address.byte_add(place).cast().as_ref() }
    }

    /// One word of 32 bits that the kernel writes as a whole.
    pub(crate) fn read_u32(&self, place: usize) -> u32 {
        assert!(place.is_multiple_of(4) && place + 4 <= self.length);
        // SAFETY: the word is aligned and within the pages.
        unsafe { self.address.byte_add(place).cast::<u32>().as_ptr().read_volatile() }
    }

    /// Copies bytes that the kernel does not write meanwhile.
    pub(crate) fn copy(&self, place: usize, bytes: &mut [u8]) {
        assert!(place.checked_add(bytes.len()).is_some_and(|end| end <= self.length));
        // SAFETY: within the pages; the caller's buffer is no part of them.
        unsafe {
            let from = self.address.byte_add(place);
            ptr::copy_nonoverlapping(from.as_ptr(), bytes.as_mut_ptr(), bytes.len());
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `new`, and nothing borrows from it any more.
        let _ = unsafe { munmap(self.address.as_ptr().cast(), self.length) };
    }
}
