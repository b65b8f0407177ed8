//! Trims on an asynchronous interface: calls that block, done when the batch is submitted.

use std::io;
use std::time::Duration;

use workload::Direction;

use super::blocking::{SyscallMode, trim_range};
use super::interface::{Backend, Request};

/// Passes all but trims to `inner`. Trims are done in the order of their requests, before the rest
/// of their batch: what is written to a place after its trim stays.
#[derive(Debug)]
pub(crate) struct WithTrims<B> {
    inner: B,
    /// The worker keeps them open.
    files: Vec<i32>,
    mode: SyscallMode,
    queued: Vec<(u32, Request)>,
    done: Vec<(u32, i32)>,
}

impl<B: Backend> WithTrims<B> {
    pub(crate) fn new(inner: B, files: Vec<i32>, mode: SyscallMode, depth: u32) -> Self {
        let room = depth as usize;
        let (queued, done) = (Vec::with_capacity(room), Vec::with_capacity(room));
        Self { inner, files, mode, queued, done }
    }

    /// Does the trims of the batch; whether any waits to be reaped.
    #[inline]
    fn do_trims(&mut self) -> bool {
        for (slot, Request { target, offset, length, .. }) in self.queued.drain(..) {
            let file = self.files[usize::from(target)];
            self.done.push((slot, trim_range(file, self.mode, offset, length.into())));
        }
        !self.done.is_empty()
    }
}

impl<B: Backend> Backend for WithTrims<B> {
    const SPLITS_SUBMISSION: bool = B::SPLITS_SUBMISSION;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        match request.direction {
            Direction::Trim => self.queued.push((slot, *request)),
            _ => self.inner.queue(slot, request),
        }
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        self.do_trims();
        self.inner.submit()
    }

    #[inline]
    fn submit_and_poll(&mut self, most: usize) -> io::Result<()> {
        self.do_trims();
        self.inner.submit_and_poll(most)
    }

    #[inline]
    fn pending(&self) -> usize {
        self.queued.len() + self.inner.pending()
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        if self.do_trims() { self.inner.submit() } else { self.inner.submit_and_wait() }
    }

    #[inline]
    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        if self.do_trims() { self.inner.submit() } else { self.inner.wait(timeout) }
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        self.done.pop().or_else(|| self.inner.reap())
    }

    fn cancel(&mut self) {
        self.inner.cancel();
    }

    fn abandon(&mut self) {
        self.inner.abandon();
    }
}
