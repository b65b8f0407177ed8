use std::io;

use rustix::mm::{mlock, munlock};

use crate::arena::Arena;

/// Memory held back, so that a job runs as on a machine with less: pinned as long as this is kept.
#[derive(Debug)]
pub struct LockedMemory(Arena);

impl LockedMemory {
    /// Pins `bytes` of memory; fails beyond what may be locked (`ulimit -l`) or there is.
    pub fn new(bytes: u64) -> io::Result<Self> {
        let length = usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let arena = Arena::new(length)?;
        // SAFETY: the range is the whole of our own mapping; locking changes none of its bytes.
        unsafe { mlock(arena.pointer_at(0).cast(), arena.length()) }?;
        Ok(Self(arena))
    }

    /// What is pinned, in bytes.
    pub fn length(&self) -> u64 {
        self.0.length() as u64
    }
}

impl Drop for LockedMemory {
    fn drop(&mut self) {
        // SAFETY: the range that `new` locked. Unmapping it right after would release it as well.
        let _ = unsafe { munlock(self.0.pointer_at(0).cast(), self.0.length()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that this process has locked, by the kernel's count.
    fn locked() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmLck:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    #[test]
    fn memory_is_locked_as_long_as_it_is_kept() {
        let before = locked();
        let held = LockedMemory::new(1 << 20).unwrap();
        assert_eq!((locked(), held.length()), (before + (1 << 20), 1 << 20));
        drop(held);
        assert_eq!(locked(), before);
        assert!(LockedMemory::new(u64::MAX / 2).is_err());
    }
}
