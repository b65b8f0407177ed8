//! A simulated device: on a virtual clock, or keeping to the real one.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use workload::Direction;

use super::interface::{Backend, Request};
use crate::clock::{Clock, sleep_until_monotonic};
use crate::outcome::Pause;
use crate::simulated::{
    Content, DeviceCounters, DeviceModel, Op, OpKind, Process, ProcessQuota, ProcessStops, Quirks,
    QuirkyDevice, QuotaCounters,
};

/// A device and its time.
#[derive(Debug)]
pub(crate) struct SimulatedState {
    device: QuirkyDevice,
    now_ns: u64,
    /// Who measures it on a virtual clock.
    process: Process,
}

impl SimulatedState {
    /// Lets virtual time pass: until then, or until the process runs again.
    fn pass_until(&mut self, ns: u64) {
        self.now_ns = self.process.runs_from_ns(ns);
    }
}

/// The longest sleep of a wait on the real clock: a stop wakes the sleeper anyway.
const SLEEP_MAX_NS: u64 = 100_000_000;
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
    pub fn new(law: DeviceModel, seed: u64) -> Self {
        Self::with_quirks(law, Quirks::default(), seed)
    }

    /// A device that also has `quirks`; [`Quirks::content`] does nothing here.
    pub fn with_quirks(law: DeviceModel, quirks: Quirks, seed: u64) -> Self {
        let device = QuirkyDevice::new(law, quirks, seed);
        // Not at 0: a planned start at 0 would look like none.
        let state = SimulatedState { device, now_ns: 1, process: Process::default() };
        Self { state: Arc::new(Mutex::new(state)), held: None }
    }

    /// The same device, measured on its virtual clock by a process that does not always run.
    pub fn measured_by(self, stops: Option<ProcessStops>, quota: Option<ProcessQuota>) -> Self {
        self.lock_state().process = Process::new(stops, quota);
        self
    }

    /// The quota of processor time of the process that measures it, and what was counted of it.
    pub fn quota(&self) -> Option<(ProcessQuota, QuotaCounters)> {
        let process = self.lock_state().process;
        process.quota.map(|quota| (quota, process.counters))
    }

    /// The stops of that process within a time, their starts relative to its begin.
    pub(crate) fn pauses_within(&self, start_ns: u64, length_ns: u64) -> Vec<Pause> {
        self.lock_state().process.pauses_within(start_ns, length_ns)
    }

    /// The same device in real time: an operation is slept for. It costs a wake-up each, and serves
    /// fewer of them where the host is late.
    pub fn in_real_time(self) -> Self {
        Self { held: Some(Arc::default()), ..self }
    }

    /// Lets nothing complete until it is called with `false`: a device that hangs. Does nothing on
    /// a virtual clock.
    pub fn hold(&self, held: bool) {
        if let Some(flag) = &self.held {
            flag.store(held, Ordering::SeqCst);
        }
    }

    pub(crate) const fn is_virtual(&self) -> bool {
        self.held.is_none()
    }

    /// Its virtual time in nanoseconds.
    pub fn now_ns(&self) -> u64 {
        self.lock_state().now_ns
    }

    /// What was completed until now, of everybody's requests, as the system counts it.
    pub fn counters(&self) -> DeviceCounters {
        let mut state = self.lock_state();
        let now_ns = state.now_ns;
        state.device.counters(now_ns)
    }

    /// Lets `ns` nanoseconds pass on a virtual clock, while no job runs.
    pub fn pass_time(&self, ns: u64) {
        if self.is_virtual() {
            let mut state = self.lock_state();
            state.now_ns = state.now_ns.saturating_add(ns);
        }
    }

    pub(crate) fn lock_state(&self) -> MutexGuard<'_, SimulatedState> {
        // A worker that died leaves a device that is as good as any.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What keeps a device to the real clock.
#[derive(Debug)]
struct RealTime<'device> {
    clock: Clock,
    /// How far the device's time is ahead of the clock, after an earlier clock.
    ahead_ns: u64,
    held: &'device AtomicBool,
}

/// On a virtual clock time passes only in waits; on the real clock a wait sleeps until the next
/// completion is due.
#[derive(Debug)]
pub(crate) struct Simulated<'device> {
    state: MutexGuard<'device, SimulatedState>,
    results: Vec<i32>,
    ready: VecDeque<u32>,
    real: Option<RealTime<'device>>,
}

impl<'device> Simulated<'device> {
    /// For `depth` requests at a time; a device in real time needs the clock.
    pub(crate) fn new(device: &'device SimulatedDevice, depth: u32, clock: Option<Clock>) -> Self {
        let mut state = device.lock_state();
        // What an earlier job abandoned would complete under the numbers of this job's slots.
        state.device.give_up_outstanding();
        let real = device.held.as_deref().zip(clock).map(|(held, clock)| RealTime {
            clock,
            ahead_ns: state.now_ns.saturating_sub(clock.now()),
            held,
        });
        let depth = depth as usize;
        Self { state, results: vec![0; depth], ready: VecDeque::with_capacity(depth), real }
    }

    /// Collects what has completed until now; the device's time.
    #[inline]
    fn catch_up(&mut self) -> u64 {
        let mut now = self.state.now_ns;
        if let Some(real) = &self.real {
            now = real.clock.now() + real.ahead_ns;
            if real.held.load(Ordering::Relaxed) {
                return now;
            }
            self.state.now_ns = self.state.now_ns.max(now);
        }
        let device_now = self.state.now_ns;
        while let Some(done) = self.state.device.pop_completion(device_now) {
            if done.failed {
                self.results[done.id as usize] = -libc::EIO;
            }
            self.ready.push_back(done.id);
        }
        now
    }

    /// Lets time pass until something completes or `limit_ns` of the device's time; on the real
    /// clock a signal ends it early.
    #[inline]
    fn wait_until(&mut self, limit_ns: u64) {
        loop {
            let now = self.catch_up();
            if !self.ready.is_empty() || now >= limit_ns {
                return;
            }
            let next = self.state.device.next_event_ns().unwrap_or(limit_ns).min(limit_ns);
            match &self.real {
                None => self.state.pass_until(now.max(next)),
                Some(real) => {
                    let is_held = real.held.load(Ordering::Relaxed);
                    let next = if is_held { limit_ns.min(now + HELD_POLL_NS) } else { next };
                    let until = next.min(now + SLEEP_MAX_NS).saturating_sub(real.ahead_ns);
                    if sleep_until_monotonic(real.clock.to_monotonic(until)).is_err() {
                        return;
                    }
                }
            }
        }
    }
}

impl Backend for Simulated<'_> {
    const CAN_POLL: bool = false;
    const MOVES_DATA: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) {
        if self.real.is_some() {
            self.catch_up();
        }
        let kind = match request.direction {
            Direction::Read => OpKind::Read,
            Direction::Write => OpKind::Write,
            Direction::Sync => OpKind::Flush,
            Direction::Trim => OpKind::Trim,
        };
        self.results[slot as usize] = request.length as i32;
        let op = Op { kind, offset: request.offset, length: request.length };
        let now = self.state.now_ns;
        self.state.process.charge_operation(now);
        self.state.device.submit(now, slot, op, Content::Noise);
    }

    #[inline]
    fn submit_and_poll(&mut self, _most: usize) -> io::Result<()> {
        self.catch_up();
        Ok(())
    }

    #[inline]
    fn submit_and_wait(&mut self) -> io::Result<()> {
        // Not every event is a completion: it waits for one. An idle device has none to come.
        let is_idle = self.state.device.outstanding() == 0;
        self.wait_until(if is_idle { 0 } else { u64::MAX });
        Ok(())
    }

    fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        let now = self.catch_up();
        self.wait_until(now.saturating_add(timeout.as_nanos() as u64));
        Ok(())
    }

    #[inline]
    fn reap(&mut self) -> Option<(u32, i32)> {
        let slot = self.ready.pop_front()?;
        Some((slot, self.results[slot as usize]))
    }

    #[inline]
    fn now(&self, clock: &Clock) -> u64 {
        if self.real.is_some() { clock.now() } else { self.state.now_ns }
    }

    fn sleep(&mut self, clock: &Clock, until_ns: u64) {
        match self.real {
            None => {
                let until_ns = self.state.now_ns.max(until_ns);
                self.state.pass_until(until_ns);
            }
            Some(_) => drop(sleep_until_monotonic(clock.to_monotonic(until_ns))),
        }
    }
}
