//! A simulated device on a virtual clock.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use workload::Direction;

use super::{Backend, Request};
use crate::clock::Clock;
use crate::simulated::{Content, Kind, Law, Op, Quirks, QuirkyDevice};

/// A device and what its clock says; it lives on between the jobs that use it.
#[derive(Debug)]
pub(crate) struct World {
    device: QuirkyDevice,
    now_ns: u64,
}

/// A simulated device that jobs can be run on, one at a time.
#[derive(Debug, Clone)]
pub struct SimulatedDevice(Arc<Mutex<World>>);

impl SimulatedDevice {
    /// A device that follows `law`; what is random in it follows from `seed`.
    #[must_use]
    pub fn new(law: Law, seed: u64) -> Self {
        Self::with(law, Quirks::default(), seed)
    }

    /// A simulated device that follows `law` and has `quirks`. What the bytes of a request are is
    /// not looked at: [`Quirks::content`] does nothing here.
    #[must_use]
    pub fn with(law: Law, quirks: Quirks, seed: u64) -> Self {
        let device = QuirkyDevice::new(law, quirks, seed);
        // Not at 0: a planned start at 0 would look like none.
        Self(Arc::new(Mutex::new(World { device, now_ns: 1 })))
    }

    /// Its virtual time in nanoseconds.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.world().now_ns
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        // A worker that died leaves a device that is as good as any.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The device as a backend: time passes only while it is waited for.
#[derive(Debug)]
pub(crate) struct Simulated<'device> {
    world: MutexGuard<'device, World>,
    /// What each slot asked for: the result of its completion.
    lengths: Vec<i32>,
    ready: VecDeque<u32>,
}

impl<'device> Simulated<'device> {
    /// For so many requests at a time.
    pub(crate) fn new(device: &'device SimulatedDevice, depth: u32) -> Self {
        let world = device.world();
        let depth = depth as usize;
        Self { world, lengths: vec![0; depth], ready: VecDeque::with_capacity(depth) }
    }

    /// Collects what has completed by now.
    #[inline]
    fn collect(&mut self) {
        let now = self.world.now_ns;
        while let Some(done) = self.world.device.next_done(now) {
            if done.failed {
                self.lengths[done.id as usize] = -libc::EIO;
            }
            self.ready.push_back(done.id);
        }
    }

    /// Lets time pass until something completes, at most until `limit_ns`.
    #[inline]
    fn pass(&mut self, limit_ns: u64) {
        while self.ready.is_empty() {
            let next = self.world.device.next_event().unwrap_or(limit_ns).min(limit_ns);
            self.world.now_ns = self.world.now_ns.max(next);
            self.collect();
            if next >= limit_ns {
                break;
            }
        }
    }
}

impl Backend for Simulated<'_> {
    const SPLITS: bool = false;
    const POLLS: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        let kind = match request.direction {
            Direction::Read => Kind::Read,
            Direction::Write => Kind::Write,
            Direction::Sync => Kind::Flush,
            Direction::Trim => Kind::Trim,
        };
        self.lengths[slot as usize] = request.length as i32;
        let op = Op { kind, offset: request.offset, length: request.length };
        let now = self.world.now_ns;
        self.world.device.submit(now, slot, op, Content::Noise);
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    fn submit_and_poll(&mut self) -> io::Result<()> {
        self.collect();
        Ok(())
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        // Not every event is a completion: it is waited until one is.
        let idle = self.world.device.outstanding() == 0;
        self.pass(if idle { self.world.now_ns } else { u64::MAX });
        Ok(())
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let limit = self.world.now_ns.saturating_add(timeout.as_nanos() as u64);
        self.pass(limit);
        Ok(())
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        let slot = self.ready.pop_front()?;
        Some((slot, self.lengths[slot as usize]))
    }

    #[inline]
    fn now(&self, _clock: &Clock) -> u64 {
        self.world.now_ns
    }

    fn sleep(&mut self, _clock: &Clock, until_ns: u64) {
        self.world.now_ns = self.world.now_ns.max(until_ns);
    }
}
