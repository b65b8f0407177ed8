//! Interfaces whose operations block: one at a time.

use std::io;

use super::interface::{Backend, Request};

/// Performs an operation and waits for it.
pub(crate) trait Perform {
    /// Bytes moved or a negative error number.
    fn perform(&self, request: &Request) -> i32;
}

/// Any [`Perform`] as a backend.
#[derive(Debug)]
pub(crate) struct OneAtATime<P> {
    performer: P,
    queued: Option<(u32, Request)>,
    done: Option<(u32, i32)>,
}

impl<P: Perform> OneAtATime<P> {
    pub(crate) fn new(performer: P) -> Self {
        Self { performer, queued: None, done: None }
    }
}

impl<P: Perform> Backend for OneAtATime<P> {
    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        debug_assert!(self.queued.is_none());
        self.queued = Some((slot, *request));
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        if let Some((slot, request)) = self.queued.take() {
            self.done = Some((slot, self.performer.perform(&request)));
        }
        Ok(())
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        self.done.take()
    }
}
