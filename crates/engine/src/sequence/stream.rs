//! Operations that are made while the job runs: a replay of any length.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rtrb::{Consumer, Producer, PushError, RingBuffer};
use workload::{Direction, Mix, Span};

use super::operation::Operation;
use super::script::ScriptStep;

/// Steps that wait for the worker: 16 ms of a million operations per second.
const STEPS_WAITING: usize = 1 << 14;
const FULL_SLEEP: Duration = Duration::from_micros(300);

/// The steps of a job, in the order of their starts.
pub type StepSource = Box<dyn Iterator<Item = ScriptStep> + Send>;

/// What an operation of a stream may touch: a slot has room for no more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepLimits {
    pub(crate) length_max: u64,
    pub(crate) span: Span,
    /// Only what the job's mix has: it has no data to write otherwise.
    pub(crate) mix: Mix,
}

impl StepLimits {
    fn allow(&self, operation: &Operation) -> bool {
        let length = u64::from(operation.length);
        let begin = self.span.offset.0;
        let end = begin.saturating_add(self.span.length.0);
        let is_of_mix = match operation.direction {
            Direction::Read => self.mix.reads(),
            Direction::Write => matches!(self.mix, Mix::Write | Mix::Mixed { .. }),
            Direction::Sync => true,
            Direction::Trim => false,
        };
        is_of_mix
            && operation.target == 0
            && length <= self.length_max
            && (operation.direction == Direction::Sync
                || (operation.offset >= begin
                    && operation.offset.checked_add(length).is_some_and(|last| last <= end)))
    }
}

/// The worker's end of a stream of steps, which a thread of its own makes.
#[derive(Debug)]
pub(crate) struct StepStream {
    ring: Consumer<ScriptStep>,
    has_ended: bool,
    /// It had no step when it was asked last.
    is_dry: bool,
    /// No time passes on the target before a step is there: it is waited for.
    has_virtual_time: bool,
    /// Set before the ring is given up, where a step is beyond its limits.
    is_refused: Arc<AtomicBool>,
}

impl StepStream {
    /// Starts the thread, and waits until it is ahead of the worker.
    pub(crate) fn start(
        steps: StepSource,
        limits: StepLimits,
        has_virtual_time: bool,
    ) -> std::io::Result<Self> {
        let (ours, ring) = RingBuffer::new(STEPS_WAITING);
        let is_ahead = Arc::new(AtomicBool::new(false));
        let is_refused = Arc::new(AtomicBool::new(false));
        let (signal, refused) = (Arc::clone(&is_ahead), Arc::clone(&is_refused));
        let feed = move || {
            let allowed = steps.take_while(|step| {
                let is_allowed = limits.allow(&step.operation);
                refused.fetch_or(!is_allowed, Ordering::Release);
                is_allowed
            });
            feed_steps(allowed, ours, &signal);
        };
        thread::Builder::new().name("truedisk-steps".to_owned()).spawn(feed)?;
        while !is_ahead.load(Ordering::Acquire) && !ring.is_abandoned() {
            thread::sleep(FULL_SLEEP); // sleeps because steps may come from a slow disk
        }
        Ok(Self { ring, has_ended: false, is_dry: false, has_virtual_time, is_refused })
    }

    /// The next step; `None` where it is not there yet, or there are no more.
    #[inline]
    pub(crate) fn next_step(&mut self) -> Option<ScriptStep> {
        let mut step = self.ring.pop().ok();
        while self.has_virtual_time && step.is_none() && !self.ring.is_abandoned() {
            thread::yield_now();
            step = self.ring.pop().ok();
        }
        // Looked at before the last look into the ring: no step comes after it.
        if step.is_none() && !self.has_ended && self.ring.is_abandoned() {
            step = self.ring.pop().ok();
            self.has_ended = step.is_none();
        }
        self.is_dry = step.is_none();
        step
    }

    pub(crate) fn is_dry(&self) -> bool {
        self.is_dry
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether it ended because of an operation that its limits do not allow.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused.load(Ordering::Acquire)
    }
}

fn feed_steps(
    steps: impl Iterator<Item = ScriptStep>,
    mut ring: Producer<ScriptStep>,
    is_ahead: &AtomicBool,
) {
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
