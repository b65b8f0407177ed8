//! A device with quirks: a [`Device`] behind the habits of [`Quirks`].
//!
//! A request either passes beside the medium, or goes to the device and is held back after it until
//! its quirks let it go. Only time that has really passed is acted upon, because a later submission
//! may still change what comes after it.

use super::device::Device;
use super::device_model::{DeviceModel, Op, OpKind};
use super::queue::{EventQueue, INITIAL_CAPACITY};
use super::quirk_state::{FetchedBlocks, IdleState, Neighbour, WriteThrottle, WrittenPages};
use super::quirks::{Content, Quirks};
use super::slots::Slots;
use super::throttle::ThrottleState;

/// Ids of the neighbour's requests in the device; the caller's are slots, which are fewer.
const NEIGHBOUR_ID: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    pub id: u32,
    /// Whether it failed with an I/O error.
    pub failed: bool,
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    id: u32,
    op: Op,
    /// The callers until then: one that gave its requests up gets none of their completions.
    caller: u32,
    failed: bool,
    /// Whether the system counts it as a request to the device.
    counted: bool,
    /// Earliest completion.
    not_before_ns: u64,
    /// Delay after the medium.
    extra_ns: u64,
}

/// How a request is served beside the medium.
#[derive(Debug, Clone, Copy)]
struct Bypass {
    ns: u64,
    /// Whether the system counts it as a request to the device.
    is_counted: bool,
}

/// What a system counts of a device: the requests of all who use it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeviceCounters {
    pub reads: u64,
    pub read_bytes: u64,
    pub writes: u64,
    pub write_bytes: u64,
    pub flushes: u64,
}

impl DeviceCounters {
    fn add(&mut self, op: &Op, requests: u64) {
        let bytes = u64::from(op.length);
        match op.kind {
            OpKind::Read => {
                (self.reads, self.read_bytes) = (self.reads + requests, self.read_bytes + bytes)
            }
            OpKind::Write => {
                (self.writes, self.write_bytes) =
                    (self.writes + requests, self.write_bytes + bytes);
            }
            OpKind::Flush => self.flushes += 1,
            OpKind::Trim => {}
        }
    }
}

/// Which event at the device comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum InnerEvent {
    Completion,
    /// A throttle lets a request through.
    Admission,
    NeighbourRequest,
}

/// A device that follows a [`DeviceModel`] and has [`Quirks`]. As with [`Device`], the caller keeps
/// the clock and collects every completion up to a time before it submits at that time.
#[derive(Debug, Clone)]
pub struct QuirkyDevice {
    device: Device,
    quirks: Quirks,
    pages: WrittenPages,
    touched: FetchedBlocks,
    slc: WriteThrottle,
    collection: WriteThrottle,
    rest: IdleState,
    neighbour: Option<Neighbour>,
    throttles: Vec<ThrottleState>,
    /// What a throttle holds back, by the time it is let through.
    throttled: EventQueue,
    counters: DeviceCounters,
    slots: Slots<Pending>,
    /// What is past the medium or beside it, by the time it completes.
    held: EventQueue,
    outstanding: usize,
    caller: u32,
}

impl QuirkyDevice {
    /// A device at virtual time 0; see [`Device::new`].
    pub fn new(law: DeviceModel, quirks: Quirks, seed: u64) -> QuirkyDevice {
        let capacity = law.capacity;
        let mapped_bytes = quirks.unmapped.map_or(u64::MAX, |unmapped| unmapped.mapped_bytes);
        let watched = if quirks.unmapped.is_some() { capacity } else { 0 };
        QuirkyDevice {
            device: Device::new(law, seed),
            pages: WrittenPages::new(watched, mapped_bytes),
            touched: FetchedBlocks::default(),
            slc: WriteThrottle::default(),
            collection: WriteThrottle::default(),
            rest: IdleState::default(),
            neighbour: quirks.neighbour.map(|law| Neighbour::new(law, capacity, seed)),
            throttles: quirks.throttles.iter().cloned().map(ThrottleState::new).collect(),
            throttled: EventQueue::new(),
            counters: DeviceCounters::default(),
            slots: Slots::with_capacity(INITIAL_CAPACITY),
            held: EventQueue::new(),
            outstanding: 0,
            caller: 0,
            quirks,
        }
    }

    /// Submits `op`, whose bytes are `content`, at virtual time `now_ns`.
    pub fn submit(&mut self, now_ns: u64, id: u32, op: Op, content: Content) {
        self.run_until(now_ns);
        let asleep_ns = self
            .quirks
            .sleep
            .map_or(0, |sleep| self.rest.wake_delay_ns(sleep, now_ns, self.outstanding));
        self.outstanding += 1;
        let failed = self.is_failing(now_ns, &op);
        let beside = self.find_bypass(&op, content);
        let counted = failed || beside.is_none_or(|beside| beside.is_counted);
        let not_before_ns = self.held_until_ns(now_ns, &op);
        let caller = self.caller;
        let extra_ns = asleep_ns;
        let pending = Pending { id, op, caller, failed, counted, not_before_ns, extra_ns };
        let slot = self.slots.insert(pending);
        match beside.filter(|_| !failed) {
            Some(beside) => {
                self.held.push(release_ns(&pending, now_ns + beside.ns.max(1)), slot, 0);
            }
            None => self.throttle(now_ns, slot, op),
        }
    }

    fn throttle(&mut self, now_ns: u64, slot: u32, op: Op) {
        let thawed_ns = self.quirks.freeze.map_or(now_ns, |freeze| freeze.admit_ns(now_ns, &op));
        let (throttles, requests) = (self.throttles.iter_mut(), self.quirks.count_requests(&op));
        let admit = |time_ns, state: &mut ThrottleState| state.admit_ns(time_ns, &op, requests);
        let admitted_ns = throttles.fold(thawed_ns, admit);
        if admitted_ns > now_ns {
            self.throttled.push(admitted_ns, slot, 0);
        } else {
            self.device.submit(now_ns, slot, op);
        }
    }

    /// What was completed until `now_ns`, as the system counts it.
    pub fn counters(&mut self, now_ns: u64) -> DeviceCounters {
        self.run_until(now_ns);
        self.counters
    }

    /// Requests of the caller that have not completed.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Virtual time of the next event, which may be no completion; none when nothing is awaited.
    pub fn next_event_ns(&mut self) -> Option<u64> {
        if self.outstanding == 0 {
            return None;
        }
        let held = self.held.peek().map(|event| event.time_ns);
        let inner = self.next_inner_event().map(|(time_ns, _)| time_ns);
        held.into_iter().chain(inner).min()
    }

    /// Removes the earliest completion up to `now_ns`, if there is one.
    pub fn pop_completion(&mut self, now_ns: u64) -> Option<Completion> {
        self.run_until(now_ns);
        while self.held.peek()?.time_ns <= now_ns {
            let event = self.held.pop()?;
            let pending = self.slots.take(event.tag)?;
            if pending.counted {
                self.counters.add(&pending.op, self.quirks.count_requests(&pending.op));
            }
            self.rest.note_idle(event.time_ns);
            if pending.caller == self.caller {
                self.outstanding -= 1;
                let (time_ns, id, failed) = (event.time_ns, pending.id, pending.failed);
                return Some(Completion { time_ns, id, failed });
            }
        }
        None
    }

    /// The caller no longer waits for what is outstanding; the device still serves it.
    pub fn give_up_outstanding(&mut self) {
        self.outstanding = 0;
        self.caller += 1;
    }

    fn run_until(&mut self, now_ns: u64) {
        // Nothing is outstanding: a neighbour's requests of long ago have left no trace.
        if let Some(neighbour) = self.neighbour.as_mut().filter(|_| self.outstanding == 0) {
            neighbour.skip_to(now_ns);
        }
        while let Some((time_ns, event)) = self.next_inner_event() {
            if time_ns > now_ns {
                break;
            }
            match event {
                InnerEvent::Completion => self.hold_completion(),
                InnerEvent::Admission => self.submit_throttled(time_ns),
                InnerEvent::NeighbourRequest => self.submit_for_neighbour(time_ns),
            }
        }
    }

    fn next_inner_event(&mut self) -> Option<(u64, InnerEvent)> {
        let served = self.device.next_completion_ns().map(|ns| (ns, InnerEvent::Completion));
        let admitted = self.throttled.peek().map(|next| (next.time_ns, InnerEvent::Admission));
        let asked = self.neighbour.as_ref().map(|n| (n.next_ns(), InnerEvent::NeighbourRequest));
        served.into_iter().chain(admitted).chain(asked).min()
    }

    fn submit_throttled(&mut self, time_ns: u64) {
        let Some(event) = self.throttled.pop() else { return };
        if let Some(pending) = self.slots.get(event.tag) {
            self.device.submit(time_ns, event.tag, pending.op);
        }
    }

    fn submit_for_neighbour(&mut self, time_ns: u64) {
        let Some(neighbour) = &mut self.neighbour else { return };
        let request = neighbour.next_request();
        self.counters.add(&request, self.quirks.count_requests(&request));
        self.device.submit(time_ns, NEIGHBOUR_ID, request);
    }

    fn hold_completion(&mut self) {
        let Some((time_ns, slot)) = self.device.pop_completion() else { return };
        // The neighbour's own completions are not reported.
        if let Some(pending) = self.slots.get(slot) {
            self.held.push(release_ns(&pending, time_ns), slot, 0);
        }
    }

    fn is_failing(&self, now_ns: u64, op: &Op) -> bool {
        let moves = matches!(op.kind, OpKind::Read | OpKind::Write);
        moves && self.quirks.bad.iter().any(|bad| bad.fails(now_ns, op))
    }

    /// How a request is served that does not need the medium.
    fn find_bypass(&mut self, op: &Op, content: Content) -> Option<Bypass> {
        let of_device = |ns| Bypass { ns, is_counted: true };
        if let Some(memory) = self.quirks.page_cache.filter(|memory| memory.holds(op)) {
            return Some(Bypass { ns: memory.read_ns, is_counted: false });
        }
        let unmapped = self.quirks.unmapped;
        match op.kind {
            OpKind::Flush => return self.quirks.ignored_flush_ns.map(of_device),
            OpKind::Trim => {
                self.pages.mark_unwritten(op.pages());
                return None;
            }
            OpKind::Write => self.pages.mark_written(op.pages()),
            OpKind::Read => {
                if let Some(unmapped) = unmapped.filter(|_| self.pages.are_unwritten(op.pages())) {
                    return Some(Bypass { ns: unmapped.read_ns, is_counted: unmapped.is_counted });
                }
            }
        }
        self.quirks.content.and_then(|by| by.served_ns(content)).map(of_device)
    }

    /// Earliest completion, whatever the medium says.
    fn held_until_ns(&mut self, now_ns: u64, op: &Op) -> u64 {
        let moves = matches!(op.kind, OpKind::Read | OpKind::Write);
        let touch = self.quirks.first_touch.filter(|_| moves);
        let touched = touch.map_or(0, |law| self.touched.ready_ns(law, now_ns, op));
        let slc = self.quirks.slc.map_or(0, |law| self.slc.slc_held_until_ns(law, now_ns, op));
        let law = self.quirks.collection;
        let collected = law.map_or(0, |law| self.collection.gc_held_until_ns(law, now_ns, op));
        touched.max(slc).max(collected)
    }
}

fn release_ns(pending: &Pending, served_ns: u64) -> u64 {
    served_ns.saturating_add(pending.extra_ns).max(pending.not_before_ns)
}
