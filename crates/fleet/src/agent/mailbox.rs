//! The state that an agent's two halves share: the one with the connection, and the measuring
//! thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::StopSignal;
use fio_run::EtaState;
use record::{CellRole, OthersSeen, Plan};
use tokio::sync::Notify;
use units::Nanos;
use workload::Job;

use crate::message::{CellProgress, Phase, RunState};
use crate::name::RunName;
use crate::payload::ChunkedPayload;

/// How long before the start of a cell a host wakes, and hands its workers the start. Until then it
/// sleeps: hosts that share a processor do not keep the others' orders from arriving.
const START_IS_NEAR: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub(super) enum Task {
    Prepare,
    Cell { turn: u64, role: CellRole, jobs: Vec<Job> },
    Finish(Box<Plan>),
}

struct MailboxState {
    phase: Phase,
    live: Option<CellProgress>,
    jobs_progress: Option<EtaState>,
    others: Option<OthersSeen>,
    task: Option<Task>,
    /// Number of a cell, and its start on CLOCK_MONOTONIC.
    start: Option<(u64, u64)>,
    cell_stop: Option<(u64, StopSignal)>,
    clock_error: Nanos,
    readiness: Option<ChunkedPayload>,
    cells: Option<(u64, ChunkedPayload)>,
    end_reason: Option<String>,
}

pub(super) struct Mailbox {
    state: Mutex<MailboxState>,
    task_changed: Condvar,
    /// For the messaging half.
    pub(super) state_changed: Arc<Notify>,
    pub(super) stop: StopSignal,
}

impl Mailbox {
    pub(super) fn new() -> Self {
        let state = MailboxState {
            phase: Phase::Examining,
            live: None,
            jobs_progress: None,
            others: None,
            task: None,
            start: None,
            cell_stop: None,
            clock_error: Nanos::ZERO,
            readiness: None,
            cells: None,
            end_reason: None,
        };
        Self {
            state: Mutex::new(state),
            task_changed: Condvar::new(),
            state_changed: Arc::new(Notify::new()),
            stop: StopSignal::default(),
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, MailboxState> {
        // Every change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn phase(&self) -> Phase {
        self.lock_state().phase.clone()
    }

    pub(super) fn run_state(&self, run: RunName) -> RunState {
        let MailboxState { phase, live, jobs_progress, others, .. } = &*self.lock_state();
        let (phase, going, others) = (phase.clone(), jobs_progress.clone(), others.clone());
        RunState { run, phase, live: *live, going, others }
    }

    pub(super) fn readiness(&self) -> Option<ChunkedPayload> {
        self.lock_state().readiness.clone()
    }

    pub(super) fn measured_cells(&self, turn: u64) -> Option<ChunkedPayload> {
        let state = self.lock_state();
        state.cells.as_ref().filter(|(of, _)| *of == turn).map(|(_, payload)| payload.clone())
    }

    pub(super) fn post_task(&self, task: Task, phase: Phase) {
        let mut state = self.lock_state();
        state.task = Some(task);
        state.phase = phase;
        self.task_changed.notify_all();
    }

    /// Posts a task for after the current one.
    pub(super) fn post_next_task(&self, task: Task) {
        self.lock_state().task = Some(task);
        self.task_changed.notify_all();
    }

    pub(super) fn post_start(&self, turn: u64, at_ns: u64, error: Nanos) {
        let mut state = self.lock_state();
        state.start = Some((turn, at_ns));
        state.clock_error = state.clock_error.max(error);
        drop(state);
        self.task_changed.notify_all();
    }

    pub(super) fn end_cell(&self, turn: u64) {
        if let Some((_, flag)) = self.lock_state().cell_stop.as_ref().filter(|(of, _)| *of == turn)
        {
            flag.raise();
        }
        self.task_changed.notify_all();
    }

    pub(super) fn end_run(&self, reason: &str) {
        let mut state = self.lock_state();
        state.end_reason.get_or_insert_with(|| reason.to_owned());
        if let Some((_, flag)) = &state.cell_stop {
            flag.raise();
        }
        self.stop.raise();
        self.task_changed.notify_all();
    }

    pub(super) fn set_phase(&self, phase: Phase) {
        self.lock_state().phase = phase;
        self.state_changed.notify_one();
    }

    pub(super) fn set_live(&self, live: Option<CellProgress>) {
        self.lock_state().live = live;
    }

    /// A breach is published at once, and ends the cell.
    pub(super) fn set_others(&self, seen: OthersSeen) {
        let mut state = self.lock_state();
        let is_broken = seen.breach.is_some();
        state.others = Some(seen);
        if let Some((_, flag)) = state.cell_stop.as_ref().filter(|_| is_broken) {
            flag.raise();
            self.task_changed.notify_all();
        }
        drop(state);
        if is_broken {
            self.state_changed.notify_one();
        }
    }

    /// Published at once.
    pub(super) fn set_jobs_progress(&self, going: EtaState) {
        self.lock_state().jobs_progress = Some(going);
        self.state_changed.notify_one();
    }

    pub(super) fn post_readiness(&self, payload: ChunkedPayload) {
        self.lock_state().readiness = Some(payload);
        self.set_phase(Phase::Ready);
    }

    /// Waits for the next task; `None` if the run is to end early.
    pub(super) fn next_task(&self) -> Option<Task> {
        let mut state = self.lock_state();
        loop {
            if state.end_reason.is_some() {
                return None;
            }
            if let Some(task) = state.task.take() {
                return Some(task);
            }
            state = self.task_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn clock_error(&self) -> Nanos {
        self.lock_state().clock_error
    }

    pub(super) fn end_reason(&self) -> Option<String> {
        self.lock_state().end_reason.clone()
    }

    pub(super) fn begin_cell(&self, turn: u64) -> StopSignal {
        let flag = StopSignal::default();
        let mut state = self.lock_state();
        state.cell_stop = Some((turn, flag.clone()));
        let is_broken = state.others.as_ref().is_some_and(|others| others.breach.is_some());
        if state.end_reason.is_some() || is_broken {
            flag.raise();
        }
        flag
    }

    /// Reports a cell as ready, and gives its start when that is near; `None` if it is ended
    /// before.
    pub(super) fn wait_for_start(&self, turn: u64, stop: &StopSignal) -> Option<u64> {
        self.set_phase(Phase::Armed { turn });
        let mut state = self.lock_state();
        loop {
            if state.end_reason.is_some() || stop.is_raised() {
                return None;
            }
            let start = state.start.filter(|(of, _)| *of == turn).map(|(_, at_ns)| at_ns);
            let sleep = start.map_or(Duration::MAX, |at_ns| {
                let left = Duration::from_nanos(at_ns.saturating_sub(engine::monotonic_ns()));
                left.saturating_sub(START_IS_NEAR)
            });
            if let Some(at_ns) = start.filter(|_| sleep.is_zero()) {
                state.phase = Phase::Measuring { turn };
                drop(state);
                self.state_changed.notify_one();
                return Some(at_ns);
            }
            let woken = self.task_changed.wait_timeout(state, sleep);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(super) fn post_cells(&self, turn: u64, payload: ChunkedPayload) {
        let mut state = self.lock_state();
        state.cells = Some((turn, payload));
        state.live = None;
        state.phase = Phase::Measured { turn };
        drop(state);
        self.state_changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const NEAR_NS: u64 = START_IS_NEAR.as_nanos() as u64;

    /// What a host that waits for turn 3 is given while `post` is done from another thread, and
    /// when.
    fn wait_while(post: impl FnOnce(&Mailbox) + Send) -> (Option<u64>, u64) {
        let mailbox = Mailbox::new();
        let stop = mailbox.begin_cell(3);
        thread::scope(|scope| {
            scope.spawn(|| post(&mailbox));
            (mailbox.wait_for_start(3, &stop), engine::monotonic_ns())
        })
    }

    #[test]
    fn a_host_wakes_shortly_before_its_start() {
        let at_ns = engine::monotonic_ns() + NEAR_NS + 50_000_000;
        let (start, woken_ns) = wait_while(|mailbox| mailbox.post_start(3, at_ns, Nanos::ZERO));
        assert_eq!(start, Some(at_ns));
        assert!(woken_ns + NEAR_NS >= at_ns, "{} ns too early", at_ns - NEAR_NS - woken_ns);
    }

    #[test]
    fn a_start_in_the_past_is_given_at_once_and_that_of_another_turn_never() {
        let (start, _) = wait_while(|mailbox| {
            mailbox.post_start(2, 1, Nanos::ZERO);
            mailbox.post_start(3, 0, Nanos::ZERO);
        });
        assert_eq!(start, Some(0));
    }

    #[test]
    fn who_waits_for_a_far_start_is_ended_at_once() {
        let far_ns = engine::monotonic_ns() + 3_600_000_000_000;
        let ends: [fn(&Mailbox); 2] =
            [|mailbox| mailbox.end_cell(3), |mailbox| mailbox.end_run("")];
        for end in ends {
            let (start, ended_ns) = wait_while(|mailbox| {
                mailbox.post_start(3, far_ns, Nanos::ZERO);
                end(mailbox);
            });
            assert!(start.is_none() && ended_ns < far_ns);
        }
    }
}
