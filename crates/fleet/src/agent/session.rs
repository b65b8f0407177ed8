//! One run of an agent, as its talking half holds it.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use tokio::sync::Notify;

use super::LEASE;
use super::desk::{Desk, Task};
use crate::message::{Order, Phase, Reply, State};
use crate::name::RunName;

/// Exit status of something that cannot be done now.
const FAILED: u8 = 1;

/// A run, and the thread that measures it.
pub(super) struct Session {
    pub(super) run: RunName,
    desk: Arc<Desk>,
    thread: JoinHandle<()>,
    /// When its coordinator was last heard.
    renewed: Instant,
    /// Whether its end was told to people.
    told: bool,
    /// When it was seen to be over.
    over: Option<Instant>,
}

impl Session {
    /// Begins a run whose thread does `work`, and has the other side of `desk`.
    pub(super) fn begin(
        run: RunName,
        desk: Arc<Desk>,
        work: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let thread = thread::Builder::new().name("measuring".to_owned()).spawn(work)?;
        Ok(Self { run, desk, thread, renewed: Instant::now(), told: false, over: None })
    }

    pub(super) fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.desk)
    }

    /// Notified when something is to be told.
    pub(super) fn news(&self) -> Arc<Notify> {
        Arc::clone(&self.desk.news)
    }

    pub(super) fn is_over(&self) -> bool {
        self.desk.phase().is_over()
    }

    pub(super) fn renew(&mut self) {
        self.renewed = Instant::now();
    }

    pub(super) fn end(&self, reason: &str) {
        if !self.is_over() {
            self.desk.end(reason);
        }
    }

    /// How it goes; with words when it has just come to its end.
    pub(super) fn state(&mut self) -> (State, Option<String>) {
        let (phase, live, going) = (self.desk.phase(), self.desk.live(), self.desk.going());
        if phase.is_over() {
            self.over.get_or_insert_with(Instant::now);
        }
        let over = match &phase {
            _ if self.told => None,
            Phase::Finished { record } => {
                Some(format!("run {} is over; its record {record} is kept", self.run))
            }
            Phase::Failed { what, .. } => Some(format!("run {} is over: {what}", self.run)),
            _ => None,
        };
        self.told |= over.is_some();
        (State { run: self.run.clone(), phase, live, going }, over)
    }

    /// Whether it was over long ago: whoever wanted to know has heard it.
    pub(super) fn is_past(&self) -> bool {
        self.over.is_some_and(|over| over.elapsed() > LEASE)
    }

    /// Ends it when its coordinator is gone; words for people then.
    pub(super) fn look(&mut self) -> Option<String> {
        if self.is_over() {
            return None;
        }
        if self.thread.is_finished() {
            let what = "the measuring thread died".to_owned();
            self.desk.set(Phase::Failed { what, hint: None, status: FAILED });
            return None;
        }
        let silent = self.renewed.elapsed();
        if silent < LEASE || self.desk.early().is_some() {
            return None;
        }
        let reason = format!("its coordinator was not heard for {} s", silent.as_secs());
        self.desk.end(&reason);
        Some(format!("run {} is ended: {reason}", self.run))
    }

    /// Does what an order about this run says. What was done already is accepted again.
    pub(super) fn obey(&mut self, order: Order) -> Reply {
        let phase = self.desk.phase();
        if let Phase::Failed { what, hint, status } = phase {
            return Reply::Refused { what, hint, status };
        }
        match order {
            Order::Prepare { .. } => match phase {
                Phase::Examining => refused("the target is still being looked at"),
                Phase::Examined => self.give(Task::Prepare, Phase::Preparing),
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
                    self.give(Task::Cell { turn, role, jobs }, Phase::Arming { turn })
                }
                _ => refused("another cell is being measured, or the target is not ready"),
            },
            Order::Go { turn, at_ns, error, .. } => match phase {
                Phase::Armed { turn: now } if now == turn => {
                    self.desk.go(turn, at_ns, error);
                    Reply::Accepted
                }
                Phase::Measuring { turn: now } | Phase::Measured { turn: now } if now == turn => {
                    Reply::Accepted
                }
                // It was told before, and was done sooner than that was said.
                Phase::Finishing | Phase::Finished { .. } => Reply::Accepted,
                _ => refused("that cell is not ready"),
            },
            Order::Cut { turn, .. } => {
                self.desk.cut(turn);
                Reply::Accepted
            }
            Order::Finish { plan, .. } => match phase {
                Phase::Ready | Phase::Measured { .. } | Phase::NotMeasured { .. } => {
                    self.give(Task::Finish(plan), Phase::Finishing)
                }
                Phase::Arming { turn } | Phase::Armed { turn } | Phase::Measuring { turn } => {
                    // The cell is ended with what it has; then comes the record.
                    self.desk.cut(turn);
                    self.desk.next_but_one(Task::Finish(plan));
                    Reply::Accepted
                }
                Phase::Finishing | Phase::Finished { .. } => Reply::Accepted,
                _ => refused("nothing is laid out yet"),
            },
            _ => refused("that is no order for a run"),
        }
    }

    fn give(&self, task: Task, phase: Phase) -> Reply {
        self.desk.give(task, phase);
        Reply::Accepted
    }
}

fn refused(what: &str) -> Reply {
    Reply::Refused { what: what.to_owned(), hint: None, status: FAILED }
}
