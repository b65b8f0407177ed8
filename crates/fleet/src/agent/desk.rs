//! What lies between the two halves of an agent: the one that talks, and the thread that measures.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use engine::StopFlag;
use method::MethodError;
use record::{CellRole, Plan};
use tokio::sync::Notify;
use units::Nanos;
use workload::Job;

use crate::message::{Going, Live, Phase};
use crate::parcel::Parcel;

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
struct Papers {
    phase: Phase,
    live: Option<Live>,
    going: Option<Going>,
    task: Option<Task>,
    /// Number of a cell, and its start on CLOCK_MONOTONIC.
    go: Option<(u64, u64)>,
    /// Ends the cell of this number early.
    cut: Option<(u64, StopFlag)>,
    /// The largest that the coordinator said of this host's clock.
    clock_error: Nanos,
    readiness: Option<Parcel>,
    cells: Option<(u64, Parcel)>,
    /// Why the run is to end early.
    early: Option<String>,
}

/// Both halves write and read here.
pub(super) struct Desk {
    papers: Mutex<Papers>,
    /// For the measuring thread: something to do, or to end.
    changed: Condvar,
    /// For the talking half: something to tell.
    pub(super) news: Arc<Notify>,
    /// Ends everything that goes on, the layout too.
    pub(super) stop: StopFlag,
}

impl Desk {
    pub(super) fn new() -> Self {
        let papers = Papers {
            phase: Phase::Examining,
            live: None,
            going: None,
            task: None,
            go: None,
            cut: None,
            clock_error: Nanos::ZERO,
            readiness: None,
            cells: None,
            early: None,
        };
        Self {
            papers: Mutex::new(papers),
            changed: Condvar::new(),
            news: Arc::new(Notify::new()),
            stop: StopFlag::default(),
        }
    }

    fn papers(&self) -> MutexGuard<'_, Papers> {
        // A thread that died left nothing half-written: every change is one assignment.
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // What the talking half does.

    pub(super) fn phase(&self) -> Phase {
        self.papers().phase.clone()
    }

    pub(super) fn live(&self) -> Option<Live> {
        self.papers().live
    }

    pub(super) fn going(&self) -> Option<Going> {
        self.papers().going.clone()
    }

    pub(super) fn readiness(&self) -> Option<Parcel> {
        self.papers().readiness.clone()
    }

    /// What the cell of this number gave.
    pub(super) fn cells(&self, turn: u64) -> Option<Parcel> {
        let papers = self.papers();
        papers.cells.as_ref().filter(|(of, _)| *of == turn).map(|(_, parcel)| parcel.clone())
    }

    /// Puts a task down, and the phase that it leads to.
    pub(super) fn give(&self, task: Task, phase: Phase) {
        let mut papers = self.papers();
        papers.task = Some(task);
        papers.phase = phase;
        self.changed.notify_all();
    }

    /// Puts a task down for when the one that goes on is done.
    pub(super) fn next_but_one(&self, task: Task) {
        self.papers().task = Some(task);
        self.changed.notify_all();
    }

    pub(super) fn go(&self, turn: u64, at_ns: u64, error: Nanos) {
        let mut papers = self.papers();
        papers.go = Some((turn, at_ns));
        papers.clock_error = papers.clock_error.max(error);
        drop(papers);
        self.changed.notify_all();
    }

    /// Ends the cell of this number early.
    pub(super) fn cut(&self, turn: u64) {
        if let Some((_, flag)) = self.papers().cut.as_ref().filter(|(of, _)| *of == turn) {
            flag.raise();
        }
        self.changed.notify_all();
    }

    /// Ends the run early, for this reason; the first one counts.
    pub(super) fn end(&self, reason: &str) {
        let mut papers = self.papers();
        papers.early.get_or_insert_with(|| reason.to_owned());
        if let Some((_, flag)) = &papers.cut {
            flag.raise();
        }
        self.stop.raise();
        self.changed.notify_all();
    }

    // What the measuring thread does.

    pub(super) fn set(&self, phase: Phase) {
        self.papers().phase = phase;
        self.news.notify_one();
    }

    pub(super) fn fail(&self, error: &MethodError) {
        let (what, hint) = (error.to_string(), error.hint());
        self.set(Phase::Failed { what, hint, status: error.exit_status() });
    }

    pub(super) fn say(&self, live: Option<Live>) {
        self.papers().live = live;
    }

    /// Told at once: it is said twice a second, and should not be older than it is.
    pub(super) fn say_going(&self, going: Going) {
        self.papers().going = Some(going);
        self.news.notify_one();
    }

    pub(super) fn ready(&self, parcel: Parcel) {
        self.papers().readiness = Some(parcel);
        self.set(Phase::Ready);
    }

    /// Waits for the next task; `None` when the run is to end early.
    pub(super) fn next(&self) -> Option<Task> {
        let mut papers = self.papers();
        loop {
            if papers.early.is_some() {
                return None;
            }
            if let Some(task) = papers.task.take() {
                return Some(task);
            }
            papers = self.changed.wait(papers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn clock_error(&self) -> Nanos {
        self.papers().clock_error
    }

    pub(super) fn early(&self) -> Option<String> {
        self.papers().early.clone()
    }

    /// A cell begins: what ends it early.
    pub(super) fn begin(&self, turn: u64) -> StopFlag {
        let flag = StopFlag::default();
        let mut papers = self.papers();
        papers.cut = Some((turn, flag.clone()));
        if papers.early.is_some() {
            flag.raise();
        }
        flag
    }

    /// Says that a cell is ready, and waits for its start; `None` when it is not to start.
    pub(super) fn wait_for_start(&self, turn: u64, cut: &StopFlag) -> Option<u64> {
        self.set(Phase::Armed { turn });
        let mut papers = self.papers();
        loop {
            if papers.early.is_some() || cut.is_raised() {
                return None;
            }
            if let Some((_, at_ns)) = papers.go.filter(|(of, _)| *of == turn) {
                papers.phase = Phase::Measuring { turn };
                drop(papers);
                self.news.notify_one();
                return Some(at_ns);
            }
            papers = self.changed.wait(papers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn measured(&self, turn: u64, parcel: Parcel) {
        let mut papers = self.papers();
        papers.cells = Some((turn, parcel));
        papers.live = None;
        papers.phase = Phase::Measured { turn };
        drop(papers);
        self.news.notify_one();
    }
}
