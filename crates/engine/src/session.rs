//! One job as its caller drives it: armed, started, tended, ended.
//!
//! [`run`](crate::run) and [`run_set`](crate::run_set) are callers too. Who has rules of its own
//! about what starts and stops when, as fio's dialect has, takes this.

use std::sync::Arc;

use rtrb::{Consumer, RingBuffer};
use workload::Job;

use crate::clock::Clock;
use crate::flow::FlowMember;
use crate::outcome::{IntervalOutcome, Outcome, TracedOperation};
use crate::run::{EngineError, Progress, START_DELAY_NS, arm_pool};
use crate::sequence::ScriptStep;
use crate::target::Target;
use crate::worker_pool::{Oversubscription, RunningPool, WorkerPool};

/// Operations that a trace may be behind, per worker.
const TRACE_CAPACITY: usize = 1 << 15;
/// The same where a job has many workers.
const TRACE_CAPACITY_MANY: usize = 1 << 11;

/// What is wanted of a run beside its figures.
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    /// Every operation on its own: [`Session::traced`].
    pub trace: bool,
    /// Every batch is submitted by a call of its own, which is timed; else a sample of them is.
    pub time_submissions: bool,
    /// The operations, in place of those that follow from the job.
    pub script: Option<Arc<[ScriptStep]>>,
    /// It keeps in step with other jobs.
    pub flow: Option<FlowMember>,
}

/// What the workers need of the extras, shared out.
#[derive(Debug, Default)]
pub(crate) struct PoolSetup {
    pub(crate) options: SessionOptions,
    pub(crate) traces: Vec<Consumer<TracedOperation>>,
}

impl PoolSetup {
    pub(crate) fn new(extras: &SessionOptions) -> Self {
        Self { options: extras.clone(), traces: Vec::new() }
    }

    /// The next worker's end of the trace.
    pub(crate) fn make_tracer(&mut self, workers: u64) -> Option<crate::worker::Tracer> {
        let ahead = if workers > 4 { TRACE_CAPACITY_MANY } else { TRACE_CAPACITY };
        self.options.trace.then(|| {
            let (ring, ours) = RingBuffer::new(ahead);
            self.traces.push(ours);
            crate::worker::Tracer::new(ring)
        })
    }
}

/// A job whose workers are ready.
pub struct ArmedSession {
    crew: WorkerPool,
    notes: Vec<String>,
    traces: Vec<Consumer<TracedOperation>>,
}

impl ArmedSession {
    /// Validates the job and makes its workers ready.
    ///
    /// # Errors
    /// As [`run`](crate::run).
    pub fn new(
        job: &Job,
        targets: &[Target],
        clock: &Clock,
        extras: &SessionOptions,
    ) -> Result<Self, EngineError> {
        if extras.script.as_ref().is_some_and(|script| script.is_empty()) {
            return Err(EngineError::invalid_job(job, "its script is empty".to_owned()));
        }
        let mut kit = PoolSetup::new(extras);
        let (crew, notes) = arm_pool(job, targets, clock, &mut kit)?;
        Ok(Self { crew, notes, traces: kit.traces })
    }

    /// A common start for everything that is armed now, as a reading of the clock.
    #[must_use]
    pub fn common_start(clock: &Clock) -> u64 {
        clock.now() + START_DELAY_NS
    }

    /// Starts it at `start_ns`, as number `place` of `members` that run at the same time.
    #[must_use]
    pub fn start(self, start_ns: u64, place: usize, members: usize) -> Session {
        let running = self.crew.start(start_ns, Oversubscription::from_counts(place, members));
        Session { running, notes: self.notes, traces: self.traces }
    }
}

/// A job on its way.
pub struct Session {
    running: RunningPool,
    notes: Vec<String>,
    traces: Vec<Consumer<TracedOperation>>,
}

impl Session {
    /// Collects what the workers hand over; to be called every few milliseconds. `stop` ends it
    /// early. `false` when every worker is done or given up.
    pub fn poll(&mut self, clock: &Clock, stop: bool, watch: &mut dyn FnMut(&Progress)) -> bool {
        self.running.poll_workers(clock, stop, watch)
    }

    /// Gives away the intervals that are complete; the outcome has the others.
    pub fn stream_intervals(&mut self, sink: &mut dyn FnMut(IntervalOutcome)) {
        self.running.stream_intervals(sink);
    }

    /// Gives away the operations traced since this was last called: in the order in which each
    /// worker reaped them. To be called once more after [`Self::tend`] said `false`.
    pub fn drain_trace(&mut self, sink: &mut dyn FnMut(&TracedOperation)) {
        for trace in &mut self.traces {
            while let Ok(traced) = trace.pop() {
                sink(&traced);
            }
        }
    }

    /// When the measuring ends, on the clock; `u64::MAX` when no time ends it.
    #[must_use]
    pub fn deadline_ns(&self) -> u64 {
        self.running.deadline_ns()
    }

    /// Everything measured. Workers that never came back are left to the kernel.
    #[must_use]
    pub fn into_outcome(self) -> Outcome {
        self.running.into_outcome(self.notes)
    }
}
