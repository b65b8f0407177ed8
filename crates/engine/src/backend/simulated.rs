//! A simulated device: on a virtual clock, or keeping to the real one.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec};
use workload::Direction;

use super::{Backend, Request};
use crate::clock::Clock;
use crate::simulated::{Content, DeviceModel, Op, OpKind, Quirks, QuirkyDevice};

/// A device and what its clock says; it lives on between the jobs that use it.
#[derive(Debug)]
pub(crate) struct SimulatedState {
    device: QuirkyDevice,
    now_ns: u64,
}

/// The longest sleep of a wait on the real clock: who is stopped meanwhile is woken anyway.
const SLEEP_MAX_NS: u64 = 100_000_000;
/// How often a device that is held is looked at.
const HELD_POLL_NS: u64 = 5_000_000;

/// A simulated device that jobs can be run on, one at a time.
#[derive(Debug, Clone)]
pub struct SimulatedDevice {
    state: Arc<Mutex<SimulatedState>>,
    /// Of one that keeps to the real clock: whether nothing completes for the moment.
    held: Option<Arc<AtomicBool>>,
}

impl SimulatedDevice {
    /// A device that follows `law`; what is random in it follows from `seed`.
    #[must_use]
    pub fn new(law: DeviceModel, seed: u64) -> Self {
        Self::with_quirks(law, Quirks::default(), seed)
    }

    /// A simulated device that follows `law` and has `quirks`. What the bytes of a request are is
    /// not looked at: [`Quirks::content`] does nothing here.
    #[must_use]
    pub fn with_quirks(law: DeviceModel, quirks: Quirks, seed: u64) -> Self {
        let device = QuirkyDevice::new(law, quirks, seed);
        // Not at 0: a planned start at 0 would look like none.
        Self { state: Arc::new(Mutex::new(SimulatedState { device, now_ns: 1 })), held: None }
    }

    /// The same device, whose time is the real one: an operation takes as long as the law says,
    /// and is slept for. It costs a wake-up for each operation, and serves fewer of them than the
    /// law where the host is late.
    #[must_use]
    pub fn in_real_time(self) -> Self {
        Self { held: Some(Arc::default()), ..self }
    }

    /// Lets nothing complete until it is called with `false`: a device that hangs. Does nothing on
    /// a virtual clock, where nobody could wait for it.
    pub fn hold(&self, held: bool) {
        if let Some(flag) = &self.held {
            flag.store(held, Ordering::SeqCst);
        }
    }

    /// Whether its time is a virtual one.
    pub(crate) const fn is_virtual(&self) -> bool {
        self.held.is_none()
    }

    /// Its virtual time in nanoseconds.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.lock_state().now_ns
    }

    pub(crate) fn lock_state(&self) -> MutexGuard<'_, SimulatedState> {
        // A worker that died leaves a device that is as good as any.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The device as a backend: time passes only while it is waited for.
#[derive(Debug)]
pub(crate) struct Simulated<'device> {
    state: MutexGuard<'device, SimulatedState>,
    /// What each slot asked for: the result of its completion.
    lengths: Vec<i32>,
    ready: VecDeque<u32>,
}

impl<'device> Simulated<'device> {
    /// For so many requests at a time.
    pub(crate) fn new(device: &'device SimulatedDevice, depth: u32) -> Self {
        let world = device.lock_state();
        let depth = depth as usize;
        Self { state: world, lengths: vec![0; depth], ready: VecDeque::with_capacity(depth) }
    }

    /// Collects what has completed by now.
    #[inline]
    fn collect_completions(&mut self) {
        let now = self.state.now_ns;
        while let Some(done) = self.state.device.pop_completion(now) {
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
            let next = self.state.device.next_event_ns().unwrap_or(limit_ns).min(limit_ns);
            self.state.now_ns = self.state.now_ns.max(next);
            self.collect_completions();
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
            Direction::Read => OpKind::Read,
            Direction::Write => OpKind::Write,
            Direction::Sync => OpKind::Flush,
            Direction::Trim => OpKind::Trim,
        };
        self.lengths[slot as usize] = request.length as i32;
        let op = Op { kind, offset: request.offset, length: request.length };
        let now = self.state.now_ns;
        self.state.device.submit(now, slot, op, Content::Noise);
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    fn submit_and_poll(&mut self) -> io::Result<()> {
        self.collect_completions();
        Ok(())
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        // Not every event is a completion: it is waited until one is.
        let idle = self.state.device.outstanding() == 0;
        self.pass(if idle { self.state.now_ns } else { u64::MAX });
        Ok(())
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let limit = self.state.now_ns.saturating_add(timeout.as_nanos() as u64);
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
        self.state.now_ns
    }

    fn sleep(&mut self, _clock: &Clock, until_ns: u64) {
        self.state.now_ns = self.state.now_ns.max(until_ns);
    }
}

/// The device as a backend that keeps to the real clock: what is due is there, and what is not is
/// slept for.
#[derive(Debug)]
pub(crate) struct RealTimeSimulated<'device> {
    inner: Simulated<'device>,
    clock: Clock,
    /// What the device's time is ahead of the clock: it goes on where an earlier clock left it.
    ahead_ns: u64,
    held: Option<&'device AtomicBool>,
}

impl<'device> RealTimeSimulated<'device> {
    /// For so many requests at a time.
    pub(crate) fn new(device: &'device SimulatedDevice, depth: u32, clock: Clock) -> Self {
        let inner = Simulated::new(device, depth);
        let ahead_ns = inner.state.now_ns.saturating_sub(clock.now());
        Self { inner, clock, ahead_ns, held: device.held.as_deref() }
    }

    #[inline]
    fn is_held(&self) -> bool {
        self.held.is_some_and(|held| held.load(Ordering::Relaxed))
    }

    /// Brings the device to the present, and takes what has completed.
    #[inline]
    fn catch_up(&mut self) -> u64 {
        let now = self.clock.now() + self.ahead_ns;
        if !self.is_held() {
            self.inner.state.now_ns = self.inner.state.now_ns.max(now);
            self.inner.collect_completions();
        }
        now
    }

    /// Sleeps until something has completed, at most until `limit_ns` of the device's time, and not
    /// beyond a signal.
    fn pass(&mut self, limit_ns: u64) {
        loop {
            let now = self.catch_up();
            if !self.inner.ready.is_empty() || now >= limit_ns {
                return;
            }
            let next = if self.is_held() {
                now + HELD_POLL_NS
            } else {
                self.inner.state.device.next_event_ns().unwrap_or(limit_ns)
            };
            let until = next.min(limit_ns).min(now + SLEEP_MAX_NS);
            let due = self.clock.to_monotonic(until.saturating_sub(self.ahead_ns));
            let until = Timespec {
                tv_sec: (due / 1_000_000_000) as i64,
                tv_nsec: (due % 1_000_000_000) as i64,
            };
            if clock_nanosleep_absolute(ClockId::Monotonic, &until).is_err() {
                return;
            }
        }
    }
}

impl Backend for RealTimeSimulated<'_> {
    const SPLITS: bool = false;
    const POLLS: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        self.catch_up();
        self.inner.queue(slot, request);
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    fn submit_and_poll(&mut self) -> io::Result<()> {
        self.catch_up();
        Ok(())
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        let idle = self.inner.state.device.outstanding() == 0;
        self.pass(if idle { 0 } else { u64::MAX });
        Ok(())
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let now = self.clock.now() + self.ahead_ns;
        self.pass(now.saturating_add(timeout.as_nanos() as u64));
        Ok(())
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        self.inner.reap()
    }
}
