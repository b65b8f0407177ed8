//! One run of an agent, as the messaging half holds it.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::mailbox::{Mailbox, Task};
use crate::message::{Order, Phase, Refusal, Reply, RunState};
use crate::name::RunName;

/// Silence of the coordinator that ends a run: it renews every second.
pub const LEASE: Duration = Duration::from_secs(25);

pub(super) struct AgentRun {
    pub(super) run: RunName,
    /// It is in the subject of its states.
    pub(super) group: u32,
    mailbox: Arc<Mailbox>,
    thread: JoinHandle<()>,
    renewed_at: Instant,
    is_end_reported: bool,
    is_breach_reported: bool,
    ended_at: Option<Instant>,
}

impl AgentRun {
    pub(super) fn begin(
        (run, group): (RunName, u32),
        mailbox: Arc<Mailbox>,
        work: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let thread = thread::Builder::new().name("measuring".to_owned()).spawn(work)?;
        Ok(Self {
            run,
            group,
            mailbox,
            thread,
            renewed_at: Instant::now(),
            is_end_reported: false,
            is_breach_reported: false,
            ended_at: None,
        })
    }

    pub(super) fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    pub(super) fn state_changed(&self) -> Arc<Notify> {
        Arc::clone(&self.mailbox.state_changed)
    }

    pub(super) fn is_over(&self) -> bool {
        self.mailbox.phase().is_over()
    }

    pub(super) fn is_measuring(&self) -> bool {
        matches!(self.mailbox.phase(), Phase::Measuring { .. })
    }

    pub(super) fn renew(&mut self) {
        self.renewed_at = Instant::now();
    }

    pub(super) fn end(&self, reason: &str) {
        if !self.is_over() {
            self.mailbox.end_run(reason);
        }
    }

    pub(super) fn take_state(&mut self) -> (RunState, u32, Option<String>) {
        let state = self.mailbox.run_state(self.run.clone());
        if state.phase.is_over() {
            self.ended_at.get_or_insert_with(Instant::now);
        }
        let over = match &state.phase {
            _ if self.is_end_reported => None,
            Phase::Finished { record } => {
                Some(format!("run {} is over; its record {record} is kept", self.run))
            }
            Phase::Failed(refusal) => Some(format!("run {} is over: {}", self.run, refusal.what)),
            _ => None,
        };
        self.is_end_reported |= over.is_some();
        let others = state.others.as_ref();
        let is_broken = others.is_some_and(|others| others.breach.is_some());
        let is_first = is_broken && !std::mem::replace(&mut self.is_breach_reported, is_broken);
        let broken = format!("run {}: others' requests break its bound", self.run);
        (state, self.group, over.or_else(|| is_first.then_some(broken)))
    }

    /// Whether its end is long enough ago that the coordinator has heard it.
    pub(super) fn is_stale(&self) -> bool {
        self.ended_at.is_some_and(|over| over.elapsed() > LEASE)
    }

    pub(super) fn check_alive(&mut self) -> Option<String> {
        if self.is_over() {
            return None;
        }
        if self.thread.is_finished() {
            self.mailbox.set_phase(Phase::Failed(Refusal::failed("the measuring thread died")));
            return None;
        }
        let silent = self.renewed_at.elapsed();
        if silent < LEASE || self.mailbox.end_reason().is_some() {
            return None;
        }
        let reason = format!("its coordinator was not heard for {} s", silent.as_secs());
        self.mailbox.end_run(&reason);
        Some(format!("run {} is ended: {reason}", self.run))
    }

    /// Executes an order about this run. A repeated order is accepted again.
    pub(super) fn execute(&mut self, order: Order) -> Reply {
        let phase = self.mailbox.phase();
        if let Phase::Failed(refusal) = phase {
            return Reply::Refused(refusal);
        }
        match order {
            Order::Prepare { .. } => match phase {
                Phase::Examining => refusal("the target is still being looked at"),
                Phase::Examined { .. } => self.post_task(Task::Prepare, Phase::Preparing),
                _ => Reply::Accepted,
            },
            Order::Arm { turn, role, jobs, .. } => match phase {
                Phase::Arming { turn: now }
                | Phase::Armed { turn: now }
                | Phase::Measuring { turn: now }
                | Phase::Measured { turn: now }
                    if now == turn =>
                {
                    Reply::Accepted
                }
                Phase::Ready | Phase::Measured { .. } | Phase::NotMeasured { .. } => {
                    self.post_task(Task::Cell { turn, role, jobs }, Phase::Arming { turn })
                }
                _ => refusal("another cell is being measured, or the target is not ready"),
            },
            Order::Go { turn, at_ns, error, .. } => match phase {
                Phase::Armed { turn: now } if now == turn => {
                    self.mailbox.post_start(turn, at_ns, error);
                    Reply::Accepted
                }
                Phase::Measuring { turn: now } | Phase::Measured { turn: now } if now == turn => {
                    Reply::Accepted
                }
                // A repeated order: the cell is already over.
                Phase::Finishing | Phase::Finished { .. } => Reply::Accepted,
                _ => refusal("that cell is not ready"),
            },
            Order::Cut { turn, .. } => {
                self.mailbox.end_cell(turn);
                Reply::Accepted
            }
            Order::Finish { plan, .. } => match phase {
                Phase::Ready | Phase::Measured { .. } | Phase::NotMeasured { .. } => {
                    self.post_task(Task::Finish(plan), Phase::Finishing)
                }
                Phase::Arming { turn } | Phase::Armed { turn } | Phase::Measuring { turn } => {
                    // The cell ends early; then comes the record.
                    self.mailbox.end_cell(turn);
                    self.mailbox.post_next_task(Task::Finish(plan));
                    Reply::Accepted
                }
                Phase::Finishing | Phase::Finished { .. } => Reply::Accepted,
                _ => refusal("nothing is laid out yet"),
            },
            _ => refusal("that is no order for a run"),
        }
    }

    fn post_task(&self, task: Task, phase: Phase) -> Reply {
        self.mailbox.post_task(task, phase);
        Reply::Accepted
    }
}

impl Drop for AgentRun {
    /// A run does not outlive its agent.
    fn drop(&mut self) {
        self.end("its agent is gone");
    }
}

fn refusal(what: &str) -> Reply {
    Reply::Refused(Refusal::failed(what))
}
