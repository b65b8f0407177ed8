//! A lock on a file that jobs hold while an operation is on it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Shared by the targets of all jobs that use the file.
#[derive(Debug, Default)]
pub struct FileLock {
    /// Readers, or -1: one who may write.
    holders: Mutex<i64>,
    released: Condvar,
}

/// How a job holds the lock of a target.
#[derive(Debug, Clone)]
pub struct TargetLock {
    pub lock: Arc<FileLock>,
    /// Reads hold it together.
    pub shares_reads: bool,
}

impl TargetLock {
    pub(crate) fn acquire(&self, reads: bool) {
        let lock = &*self.lock;
        let shares = reads && self.shares_reads;
        let mut holders = lock.holders.lock().unwrap_or_else(PoisonError::into_inner);
        while *holders < 0 || (*holders > 0 && !shares) {
            holders = lock.released.wait(holders).unwrap_or_else(PoisonError::into_inner);
        }
        *holders += if shares { 1 } else { -1 };
    }

    pub(crate) fn release(&self) {
        let mut holders = self.lock.holders.lock().unwrap_or_else(PoisonError::into_inner);
        *holders -= holders.signum();
        self.lock.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Most threads that held the lock at the same time.
    fn count_holders_max(shares_reads: bool, reads: bool) -> usize {
        let lock = TargetLock { lock: Arc::default(), shares_reads };
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let gate = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    gate.wait();
                    for _ in 0..200 {
                        lock.acquire(reads);
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        now.fetch_sub(1, Ordering::SeqCst);
                        lock.release();
                    }
                });
            }
        });
        most.into_inner()
    }

    #[test]
    fn only_reads_that_share_hold_it_together() {
        assert_eq!(count_holders_max(false, true), 1);
        assert_eq!(count_holders_max(true, false), 1);
        let lock = TargetLock { lock: Arc::default(), shares_reads: true };
        lock.acquire(true);
        lock.acquire(true);
        assert_eq!(*lock.lock.holders.lock().unwrap(), 2);
        lock.release();
        lock.release();
        lock.acquire(false);
        lock.release();
        assert_eq!(*lock.lock.holders.lock().unwrap(), 0);
    }
}
