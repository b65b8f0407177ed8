//! Operations that are made while the job runs: a replay of any length.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rtrb::{Consumer, Producer, PushError, RingBuffer};

use super::script::ScriptStep;

/// Steps that wait for the worker: 16 ms of a million operations per second.
const STEPS_WAITING: usize = 1 << 14;
const FULL_SLEEP: Duration = Duration::from_micros(300);

/// The steps of a job, in the order of their starts.
pub type StepSource = Box<dyn Iterator<Item = ScriptStep> + Send>;

/// The worker's end of a stream of steps, which a thread of its own makes.
#[derive(Debug)]
pub(crate) struct StepStream {
    ring: Consumer<ScriptStep>,
    has_ended: bool,
}

impl StepStream {
    /// Starts the thread, and waits until it is ahead of the worker.
    pub(crate) fn start(steps: StepSource) -> std::io::Result<Self> {
        let (ours, ring) = RingBuffer::new(STEPS_WAITING);
        let is_ahead = Arc::new(AtomicBool::new(false));
        let signal = Arc::clone(&is_ahead);
        let name = "truedisk-steps".to_owned();
        thread::Builder::new().name(name).spawn(move || feed_steps(steps, ours, &signal))?;
        while !is_ahead.load(Ordering::Acquire) && !ring.is_abandoned() {
            thread::sleep(FULL_SLEEP); // sleeps because steps may come from a slow disk
        }
        Ok(Self { ring, has_ended: false })
    }

    /// The next step; `None` where it is not there yet, or there are no more.
    #[inline]
    pub(crate) fn next_step(&mut self) -> Option<ScriptStep> {
        if let Ok(step) = self.ring.pop() {
            return Some(step);
        }
        // Looked at before the last look into the ring: no step comes after it.
        if !self.has_ended && self.ring.is_abandoned() {
            let last = self.ring.pop().ok();
            self.has_ended = last.is_none();
            return last;
        }
        None
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }
}

fn feed_steps(steps: StepSource, mut ring: Producer<ScriptStep>, is_ahead: &AtomicBool) {
    for step in steps {
        let mut step = step;
        while let Err(PushError::Full(refused)) = ring.push(step) {
            is_ahead.store(true, Ordering::Release);
            if ring.is_abandoned() {
                return;
            }
            step = refused;
            thread::sleep(FULL_SLEEP);
        }
    }
}
