//! Interfaces whose operations block: one at a time.

use std::io;

use workload::Direction;

use super::interface::{Backend, Request};
use crate::file_lock::TargetLock;

/// Performs an operation and waits for it.
pub(crate) trait Perform {
    /// Bytes moved or a negative error number.
    fn perform(&self, request: &Request) -> i32;
}

/// Any [`Perform`] as a backend.
#[derive(Debug)]
pub(crate) struct OneAtATime<P> {
    performer: P,
    /// Of each target; empty without any.
    locks: Vec<TargetLock>,
    queued: Option<(u32, Request)>,
    done: Option<(u32, i32)>,
}

impl<P: Perform> OneAtATime<P> {
    pub(crate) fn new(performer: P, locks: Vec<TargetLock>) -> Self {
        Self { performer, locks, queued: None, done: None }
    }

    #[inline]
    fn lock_of(&self, request: &Request) -> Option<&TargetLock> {
        self.locks.get(usize::from(request.target))
    }
}

impl<P: Perform> Backend for OneAtATime<P> {
    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        debug_assert!(self.queued.is_none());
        // Before the operation is timed, as in fio.
        if let Some(lock) = self.lock_of(request) {
            lock.acquire(request.direction == Direction::Read);
        }
        self.queued = Some((slot, *request));
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        if let Some((slot, request)) = self.queued.take() {
            self.done = Some((slot, self.performer.perform(&request)));
            if let Some(lock) = self.lock_of(&request) {
                lock.release();
            }
        }
        Ok(())
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        self.done.take()
    }
}

impl<P> Drop for OneAtATime<P> {
    fn drop(&mut self) {
        let queued = self.queued.take();
        if let Some(lock) = queued.and_then(|(_, request)| self.locks.get(request.target as usize))
        {
            lock.release();
        }
    }
}
