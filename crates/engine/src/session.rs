//! One job as its caller drives it: armed, started, tended, ended.
//!
//! [`run`](crate::run) and [`run_set`](crate::run_set) are callers too. Who has rules of its own
//! about what starts and stops when, as fio's dialect has, takes this.

use std::sync::Arc;

use rtrb::{Consumer, RingBuffer};
use workload::Job;

use crate::clock::Clock;
use crate::crew::{Crew, Crowd, Running};
use crate::flow::FlowSeat;
use crate::outcome::{IntervalOutcome, Outcome, Traced};
use crate::run::{EngineError, Progress, START_DELAY_NS, prepare};
use crate::sequence::Step;
use crate::target::Target;

/// Operations that a trace may be behind, per worker.
const TRACE_AHEAD: usize = 1 << 15;
/// The same where a job has many workers.
const TRACE_AHEAD_OF_MANY: usize = 1 << 11;

/// What is wanted of a run beside its figures.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// Every operation on its own: [`Session::traced`].
    pub trace: bool,
    /// Every batch is submitted by a call of its own, which is timed; else a sample of them is.
    pub time_submissions: bool,
    /// The operations, in place of those that follow from the job.
    pub script: Option<Arc<[Step]>>,
    /// It keeps in step with other jobs.
    pub flow: Option<FlowSeat>,
}

/// What the workers need of the extras, shared out.
#[derive(Debug, Default)]
pub(crate) struct Kit {
    pub(crate) extras: Extras,
    pub(crate) traces: Vec<Consumer<Traced>>,
}

impl Kit {
    pub(crate) fn new(extras: &Extras) -> Self {
        Self { extras: extras.clone(), traces: Vec::new() }
    }

    /// The next worker's end of the trace.
    pub(crate) fn tracer(&mut self, workers: u64) -> Option<crate::worker::Tracer> {
        let ahead = if workers > 4 { TRACE_AHEAD_OF_MANY } else { TRACE_AHEAD };
        self.extras.trace.then(|| {
            let (ring, ours) = RingBuffer::new(ahead);
            self.traces.push(ours);
            crate::worker::Tracer::new(ring)
        })
    }
}

/// A job whose workers are ready.
pub struct Armed {
    crew: Crew,
    notes: Vec<String>,
    traces: Vec<Consumer<Traced>>,
}

impl Armed {
    /// Validates the job and makes its workers ready.
    ///
    /// # Errors
    /// As [`run`](crate::run).
    pub fn new(
        job: &Job,
        targets: &[Target],
        clock: &Clock,
        extras: &Extras,
    ) -> Result<Self, EngineError> {
        if extras.script.as_ref().is_some_and(|script| script.is_empty()) {
            return Err(EngineError::unsuited(job, "its script is empty".to_owned()));
        }
        let mut kit = Kit::new(extras);
        let (crew, notes) = prepare(job, targets, clock, &mut kit)?;
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
        let running = self.crew.start(start_ns, Crowd::of(place, members));
        Session { running, notes: self.notes, traces: self.traces }
    }
}

/// A job on its way.
pub struct Session {
    running: Running,
    notes: Vec<String>,
    traces: Vec<Consumer<Traced>>,
}

impl Session {
    /// Collects what the workers hand over; to be called every few milliseconds. `stop` ends it
    /// early. `false` when every worker is done or given up.
    pub fn tend(&mut self, clock: &Clock, stop: bool, watch: &mut dyn FnMut(&Progress)) -> bool {
        self.running.tend(clock, stop, watch)
    }

    /// Gives away the intervals that are complete; the outcome has the others.
    pub fn give(&mut self, sink: &mut dyn FnMut(IntervalOutcome)) {
        self.running.give(sink);
    }

    /// Gives away the operations traced since this was last called: in the order in which each
    /// worker reaped them. To be called once more after [`Self::tend`] said `false`.
    pub fn traced(&mut self, sink: &mut dyn FnMut(&Traced)) {
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
    pub fn outcome(self) -> Outcome {
        self.running.outcome(self.notes)
    }
}
