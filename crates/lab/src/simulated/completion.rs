//! The law's virtual time mapped to real time: one thread submits requests, another answers each
//! when it is due. It sleeps until shortly before, and is then awake.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::simulated::{Content, Op, QuirkyDevice};
use fuser::{Errno, ReplyData, ReplyEmpty, ReplyWrite};

use crate::{LabError, Result};

/// So long before an event the thread stays awake: the usual timer slack of 50 us, and a little.
const BUSY_WAIT_NS: u64 = 60_000;

#[derive(Debug)]
pub(super) enum PendingReply {
    Read(ReplyData, Vec<u8>),
    Write(ReplyWrite, u32),
    Done(ReplyEmpty),
}

impl PendingReply {
    fn send(self, failed: bool) {
        match self {
            PendingReply::Read(reply, _) if failed => reply.error(Errno::EIO),
            PendingReply::Read(reply, data) => reply.data(&data),
            PendingReply::Write(reply, _) if failed => reply.error(Errno::EIO),
            PendingReply::Write(reply, length) => reply.written(length),
            PendingReply::Done(reply) if failed => reply.error(Errno::EIO),
            PendingReply::Done(reply) => reply.ok(),
        }
    }
}

#[derive(Debug)]
struct DeviceState {
    device: QuirkyDevice,
    /// What each request in the device is answered with, by its id.
    pending: Vec<Option<PendingReply>>,
    free_ids: Vec<u32>,
    completed: Vec<(PendingReply, bool)>,
}

impl DeviceState {
    fn insert_reply(&mut self, answer: PendingReply) -> u32 {
        let id = self.free_ids.pop().unwrap_or_else(|| {
            self.pending.push(None);
            (self.pending.len() - 1) as u32
        });
        if let Some(place) = self.pending.get_mut(id as usize) {
            *place = Some(answer);
        }
        id
    }

    fn take_completed(&mut self, now_ns: u64) -> Vec<(PendingReply, bool)> {
        while let Some(done) = self.device.pop_completion(now_ns) {
            self.free_ids.push(done.id);
            let answer = self.pending.get_mut(done.id as usize).and_then(Option::take);
            self.completed.extend(answer.map(|answer| (answer, done.failed)));
        }
        std::mem::take(&mut self.completed)
    }
}

#[derive(Debug)]
pub(super) struct SharedState {
    state: Mutex<DeviceState>,
    changed: Condvar,
    /// So that a thread that is awake sees a submission without the lock.
    submissions: AtomicU64,
    stopping: AtomicBool,
    made: Instant,
    /// Where virtual time begins, in nanoseconds since it was made.
    start_ns: AtomicU64,
}

impl SharedState {
    /// Virtual time, which is real time since the disk was made or changed.
    fn now_ns(&self) -> u64 {
        self.elapsed_ns().saturating_sub(self.start_ns.load(Ordering::Acquire))
    }

    fn elapsed_ns(&self) -> u64 {
        self.made.elapsed().as_nanos() as u64
    }

    /// Another device takes the place of this one, at time zero. What waits is answered at once.
    pub(super) fn replace_device(&self, device: QuirkyDevice) {
        let mut core = self.lock_state();
        let mut due = std::mem::take(&mut core.completed);
        due.extend(core.pending.drain(..).flatten().map(|answer| (answer, false)));
        core.free_ids.clear();
        core.device = device;
        self.start_ns.store(self.elapsed_ns(), Ordering::Release);
        self.submissions.fetch_add(1, Ordering::Release);
        drop(core);
        self.changed.notify_one();
        send_replies(due);
    }

    fn lock_state(&self) -> MutexGuard<'_, DeviceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn submit(&self, op: Op, content: Content, answer: PendingReply) {
        let mut core = self.lock_state();
        if self.stopping.load(Ordering::Acquire) {
            // A user that stays after the disk is gone gets errors, and does not wait for ever.
            drop(core);
            return answer.send(true);
        }
        let now_ns = self.now_ns();
        // What is due by now comes first: the device asks for it.
        let due = core.take_completed(now_ns);
        let id = core.insert_reply(answer);
        core.device.submit(now_ns, id, op, content);
        self.submissions.fetch_add(1, Ordering::Release);
        drop(core);
        self.changed.notify_one();
        send_replies(due);
    }
}

/// The thread that answers; dropping it stops it, and what is not due then fails.
#[derive(Debug)]
pub(super) struct CompletionThread {
    shared: Arc<SharedState>,
    thread: Option<JoinHandle<()>>,
}

impl CompletionThread {
    pub(super) fn start(device: QuirkyDevice) -> Result<CompletionThread> {
        let (pending, free_ids, completed) = (Vec::new(), Vec::new(), Vec::new());
        let core = DeviceState { device, pending, free_ids, completed };
        let shared = Arc::new(SharedState {
            state: Mutex::new(core),
            changed: Condvar::new(),
            submissions: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            made: Instant::now(),
            start_ns: AtomicU64::new(0),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("lab-disk".to_owned())
            .spawn(move || run_completion_loop(&of_thread))
            .map_err(|e| LabError::io("start a thread of", "a simulated disk", e))?;
        Ok(CompletionThread { shared, thread: Some(thread) })
    }

    pub(super) fn shared(&self) -> Arc<SharedState> {
        Arc::clone(&self.shared)
    }
}

impl Drop for CompletionThread {
    fn drop(&mut self) {
        let core = self.shared.lock_state();
        self.shared.stopping.store(true, Ordering::Release);
        drop(core);
        self.shared.submissions.fetch_add(1, Ordering::Release);
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been told by the thread.
            let _ = thread.join();
        }
    }
}

fn run_completion_loop(shared: &SharedState) {
    // Without it a sleep ends up to 50 us late even on bare metal (prctl(2), PR_SET_TIMERSLACK).
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let mut core = shared.lock_state();
    while !shared.stopping.load(Ordering::Acquire) {
        let now_ns = shared.now_ns();
        let due = core.take_completed(now_ns);
        if !due.is_empty() {
            drop(core);
            send_replies(due);
            core = shared.lock_state();
            continue;
        }
        core = match core.device.next_event_ns() {
            None => shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner),
            Some(at_ns) => wait_for_event(shared, core, at_ns, now_ns),
        };
    }
    let rest: Vec<PendingReply> = core.pending.iter_mut().filter_map(Option::take).collect();
    drop(core);
    rest.into_iter().for_each(|answer| answer.send(true));
}

fn wait_for_event<'s>(
    shared: &'s SharedState,
    core: MutexGuard<'s, DeviceState>,
    at_ns: u64,
    now_ns: u64,
) -> MutexGuard<'s, DeviceState> {
    let left_ns = at_ns.saturating_sub(now_ns);
    if left_ns > BUSY_WAIT_NS {
        let left = Duration::from_nanos(left_ns - BUSY_WAIT_NS);
        let woken = shared.changed.wait_timeout(core, left);
        return woken.unwrap_or_else(PoisonError::into_inner).0;
    }
    let seen = shared.submissions.load(Ordering::Acquire);
    drop(core);
    while shared.now_ns() < at_ns && shared.submissions.load(Ordering::Acquire) == seen {
        // The measuring process may need this processor.
        thread::yield_now();
    }
    shared.lock_state()
}

fn send_replies(due: Vec<(PendingReply, bool)>) {
    for (answer, failed) in due {
        answer.send(failed);
    }
}
