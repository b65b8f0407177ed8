//! What lies between the two halves of an agent: the one that talks, and the thread that measures.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use engine::StopSignal;
use method::MethodError;
use record::{CellRole, Plan};
use tokio::sync::Notify;
use units::Nanos;
use workload::Job;

use crate::message::{CellProgress, JobsProgress, Phase, Refusal};
use crate::payload::ChunkedPayload;

/// What the measuring thread is to do next.
#[derive(Debug)]
pub(super) enum Task {
    /// Lay out the target.
    Prepare,
    /// Make a cell ready, wait for its start, and run it.
    Cell { turn: u64, role: CellRole, jobs: Vec<Job> },
    /// Make the record.
    Finish(Box<Plan>),
}

/// What is on the desk.
struct MailboxState {
    phase: Phase,
    live: Option<CellProgress>,
    jobs_progress: Option<JobsProgress>,
    task: Option<Task>,
    /// Number of a cell, and its start on CLOCK_MONOTONIC.
    start: Option<(u64, u64)>,
    /// Ends the cell of this number early.
    cell_stop: Option<(u64, StopSignal)>,
    /// The largest that the coordinator said of this host's clock.
    clock_error: Nanos,
    readiness: Option<ChunkedPayload>,
    cells: Option<(u64, ChunkedPayload)>,
    /// Why the run is to end early.
    end_reason: Option<String>,
}

/// Both halves write and read here.
pub(super) struct Mailbox {
    state: Mutex<MailboxState>,
    /// For the measuring thread: something to do, or to end.
    task_changed: Condvar,
    /// For the talking half: something to tell.
    pub(super) state_changed: Arc<Notify>,
    /// Ends everything that goes on, the layout too.
    pub(super) stop: StopSignal,
}

impl Mailbox {
    pub(super) fn new() -> Self {
        let papers = MailboxState {
            phase: Phase::Examining,
            live: None,
            jobs_progress: None,
            task: None,
            start: None,
            cell_stop: None,
            clock_error: Nanos::ZERO,
            readiness: None,
            cells: None,
            end_reason: None,
        };
        Self {
            state: Mutex::new(papers),
            task_changed: Condvar::new(),
            state_changed: Arc::new(Notify::new()),
            stop: StopSignal::default(),
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, MailboxState> {
        // A thread that died left nothing half-written: every change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // What the talking half does.

    pub(super) fn phase(&self) -> Phase {
        self.lock_state().phase.clone()
    }

    pub(super) fn live(&self) -> Option<CellProgress> {
        self.lock_state().live
    }

    pub(super) fn jobs_progress(&self) -> Option<JobsProgress> {
        self.lock_state().jobs_progress.clone()
    }

    pub(super) fn readiness(&self) -> Option<ChunkedPayload> {
        self.lock_state().readiness.clone()
    }

    /// What the cell of this number gave.
    pub(super) fn measured_cells(&self, turn: u64) -> Option<ChunkedPayload> {
        let papers = self.lock_state();
        papers.cells.as_ref().filter(|(of, _)| *of == turn).map(|(_, parcel)| parcel.clone())
    }

    /// Puts a task down, and the phase that it leads to.
    pub(super) fn post_task(&self, task: Task, phase: Phase) {
        let mut papers = self.lock_state();
        papers.task = Some(task);
        papers.phase = phase;
        self.task_changed.notify_all();
    }

    /// Puts a task down for when the one that goes on is done.
    pub(super) fn post_next_task(&self, task: Task) {
        self.lock_state().task = Some(task);
        self.task_changed.notify_all();
    }

    pub(super) fn post_start(&self, turn: u64, at_ns: u64, error: Nanos) {
        let mut papers = self.lock_state();
        papers.start = Some((turn, at_ns));
        papers.clock_error = papers.clock_error.max(error);
        drop(papers);
        self.task_changed.notify_all();
    }

    /// Ends the cell of this number early.
    pub(super) fn end_cell(&self, turn: u64) {
        if let Some((_, flag)) = self.lock_state().cell_stop.as_ref().filter(|(of, _)| *of == turn)
        {
            flag.raise();
        }
        self.task_changed.notify_all();
    }

    /// Ends the run early, for this reason; the first one counts.
    pub(super) fn end_run(&self, reason: &str) {
        let mut papers = self.lock_state();
        papers.end_reason.get_or_insert_with(|| reason.to_owned());
        if let Some((_, flag)) = &papers.cell_stop {
            flag.raise();
        }
        self.stop.raise();
        self.task_changed.notify_all();
    }

    // What the measuring thread does.

    pub(super) fn set_phase(&self, phase: Phase) {
        self.lock_state().phase = phase;
        self.state_changed.notify_one();
    }

    pub(super) fn set_failed(&self, error: &MethodError) {
        let (what, hint) = (error.to_string(), error.hint());
        self.set_phase(Phase::Failed(Refusal { what, hint, kind: error.kind() }));
    }

    pub(super) fn set_live(&self, live: Option<CellProgress>) {
        self.lock_state().live = live;
    }

    /// Told at once: it is said twice a second, and should not be older than it is.
    pub(super) fn set_jobs_progress(&self, going: JobsProgress) {
        self.lock_state().jobs_progress = Some(going);
        self.state_changed.notify_one();
    }

    pub(super) fn post_readiness(&self, parcel: ChunkedPayload) {
        self.lock_state().readiness = Some(parcel);
        self.set_phase(Phase::Ready);
    }

    /// Waits for the next task; `None` when the run is to end early.
    pub(super) fn next_task(&self) -> Option<Task> {
        let mut papers = self.lock_state();
        loop {
            if papers.end_reason.is_some() {
                return None;
            }
            if let Some(task) = papers.task.take() {
                return Some(task);
            }
            papers = self.task_changed.wait(papers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn clock_error(&self) -> Nanos {
        self.lock_state().clock_error
    }

    pub(super) fn end_reason(&self) -> Option<String> {
        self.lock_state().end_reason.clone()
    }

    /// A cell begins: what ends it early.
    pub(super) fn begin_cell(&self, turn: u64) -> StopSignal {
        let flag = StopSignal::default();
        let mut papers = self.lock_state();
        papers.cell_stop = Some((turn, flag.clone()));
        if papers.end_reason.is_some() {
            flag.raise();
        }
        flag
    }

    /// Says that a cell is ready, and waits for its start; `None` when it is not to start.
    pub(super) fn wait_for_start(&self, turn: u64, cut: &StopSignal) -> Option<u64> {
        self.set_phase(Phase::Armed { turn });
        let mut papers = self.lock_state();
        loop {
            if papers.end_reason.is_some() || cut.is_raised() {
                return None;
            }
            if let Some((_, at_ns)) = papers.start.filter(|(of, _)| *of == turn) {
                papers.phase = Phase::Measuring { turn };
                drop(papers);
                self.state_changed.notify_one();
                return Some(at_ns);
            }
            papers = self.task_changed.wait(papers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn post_cells(&self, turn: u64, parcel: ChunkedPayload) {
        let mut papers = self.lock_state();
        papers.cells = Some((turn, parcel));
        papers.live = None;
        papers.phase = Phase::Measured { turn };
        drop(papers);
        self.state_changed.notify_one();
    }
}
