//! The law's virtual time mapped to real time: a request is answered when it is due.
//!
//! The thread that reads requests submits them; a thread of its own waits for the next event and
//! answers. It sleeps until shortly before, with the finest timer slack, and is then awake.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::simulated::{Content, Op, QuirkyDevice};
use fuser::{Errno, ReplyData, ReplyEmpty, ReplyWrite};

use crate::{LabError, Result};

/// So long before an event the thread stays awake. Chosen, not measured: the kernel's usual timer
/// slack of 50 us, and a little.
const AWAKE_NS: u64 = 60_000;

/// What is sent when a request is due.
#[derive(Debug)]
pub(super) enum Answer {
    Read(ReplyData, Vec<u8>),
    Write(ReplyWrite, u32),
    Done(ReplyEmpty),
}

impl Answer {
    fn send(self, failed: bool) {
        match self {
            Answer::Read(reply, _) if failed => reply.error(Errno::EIO),
            Answer::Read(reply, data) => reply.data(&data),
            Answer::Write(reply, _) if failed => reply.error(Errno::EIO),
            Answer::Write(reply, length) => reply.written(length),
            Answer::Done(reply) if failed => reply.error(Errno::EIO),
            Answer::Done(reply) => reply.ok(),
        }
    }
}

#[derive(Debug)]
struct Core {
    device: QuirkyDevice,
    /// What each request in the device is answered with, by its id.
    waiting: Vec<Option<Answer>>,
    spare: Vec<u32>,
    due: Vec<(Answer, bool)>,
}

impl Core {
    fn put(&mut self, answer: Answer) -> u32 {
        let id = self.spare.pop().unwrap_or_else(|| {
            self.waiting.push(None);
            (self.waiting.len() - 1) as u32
        });
        if let Some(place) = self.waiting.get_mut(id as usize) {
            *place = Some(answer);
        }
        id
    }

    /// Takes out what is due by now.
    fn collect(&mut self, now_ns: u64) -> Vec<(Answer, bool)> {
        while let Some(done) = self.device.next_done(now_ns) {
            self.spare.push(done.id);
            let answer = self.waiting.get_mut(done.id as usize).and_then(Option::take);
            self.due.extend(answer.map(|answer| (answer, done.failed)));
        }
        std::mem::take(&mut self.due)
    }
}

#[derive(Debug)]
struct Shared {
    core: Mutex<Core>,
    changed: Condvar,
    /// Counts submissions, so that a thread that is awake sees one without the lock.
    submissions: AtomicU64,
    stopping: AtomicBool,
    begun: Instant,
}

impl Shared {
    /// Nanoseconds of virtual time, which is real time since the disk was made.
    fn now_ns(&self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where requests are submitted.
#[derive(Debug, Clone)]
pub(super) struct Clockwork(Arc<Shared>);

impl Clockwork {
    /// Submits a request now; it is answered when the device has done it.
    pub(super) fn submit(&self, op: Op, content: Content, answer: Answer) {
        let mut core = self.0.core();
        if self.0.stopping.load(Ordering::Acquire) {
            // A user that stays after the disk is gone gets errors, and does not wait for ever.
            drop(core);
            return answer.send(true);
        }
        let now_ns = self.0.now_ns();
        // What is due by now comes first: the device asks for it.
        let due = core.collect(now_ns);
        let id = core.put(answer);
        core.device.submit(now_ns, id, op, content);
        self.0.submissions.fetch_add(1, Ordering::Release);
        drop(core);
        self.0.changed.notify_one();
        send(due);
    }
}

/// The thread that answers; dropping it stops it, and what is not due then fails.
#[derive(Debug)]
pub(super) struct Answerer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Answerer {
    pub(super) fn start(device: QuirkyDevice) -> Result<Answerer> {
        let core = Core { device, waiting: Vec::new(), spare: Vec::new(), due: Vec::new() };
        let shared = Arc::new(Shared {
            core: Mutex::new(core),
            changed: Condvar::new(),
            submissions: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            begun: Instant::now(),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("lab-disk".to_owned())
            .spawn(move || answer(&of_thread))
            .map_err(|e| LabError::io("start a thread of", "a simulated disk", e))?;
        Ok(Answerer { shared, thread: Some(thread) })
    }

    pub(super) fn clockwork(&self) -> Clockwork {
        Clockwork(Arc::clone(&self.shared))
    }
}

impl Drop for Answerer {
    fn drop(&mut self) {
        let core = self.shared.core();
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

fn answer(shared: &Shared) {
    // Without it a sleep ends up to 50 us late even on bare metal (prctl(2), PR_SET_TIMERSLACK).
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    let mut core = shared.core();
    while !shared.stopping.load(Ordering::Acquire) {
        let now_ns = shared.now_ns();
        let due = core.collect(now_ns);
        if !due.is_empty() {
            drop(core);
            send(due);
            core = shared.core();
            continue;
        }
        core = match core.device.next_event() {
            None => shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner),
            Some(at_ns) => wait(shared, core, at_ns, now_ns),
        };
    }
    let rest: Vec<Answer> = core.waiting.iter_mut().filter_map(Option::take).collect();
    drop(core);
    rest.into_iter().for_each(|answer| answer.send(true));
}

/// Waits until an event is due, or something is submitted.
fn wait<'s>(
    shared: &'s Shared,
    core: MutexGuard<'s, Core>,
    at_ns: u64,
    now_ns: u64,
) -> MutexGuard<'s, Core> {
    let left_ns = at_ns.saturating_sub(now_ns);
    if left_ns > AWAKE_NS {
        let left = Duration::from_nanos(left_ns - AWAKE_NS);
        let woken = shared.changed.wait_timeout(core, left);
        return woken.unwrap_or_else(PoisonError::into_inner).0;
    }
    let seen = shared.submissions.load(Ordering::Acquire);
    drop(core);
    while shared.now_ns() < at_ns && shared.submissions.load(Ordering::Acquire) == seen {
        // The measuring process may need this processor.
        thread::yield_now();
    }
    shared.core()
}

fn send(due: Vec<(Answer, bool)>) {
    for (answer, failed) in due {
        answer.send(failed);
    }
}
