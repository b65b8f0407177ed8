//! What hosts say of a run, in the order in which the server sends it.

use std::time::{Duration, Instant};

use async_nats::Subscriber;
use futures_util::StreamExt as _;

use crate::coordinator::link::ServerLink;
use crate::error::FleetError;
use crate::message::{self, RunState};
use crate::name::RunName;

const RENEW_INTERVAL: Duration = Duration::from_secs(1);
/// Reading ends by then, where states come faster than they are read.
const READ_MAX: Duration = Duration::from_secs(2);

/// How long a coordinator waits for what is on the way.
const CATCH_UP_MAX: Duration = Duration::from_secs(3);
/// Hosts report twice a second while they measure.
const LATE_MIN: Duration = Duration::from_secs(1);

pub(super) struct StateInbox {
    states: Subscriber,
    renewed: Instant,
    read_at: Instant,
    /// Reading began again then: hosts that were not heard before are not silent for that.
    pub(super) resumed_at: Instant,
    /// The longest delay with which states were read, where it was above `LATE_MIN`.
    pub(super) late: Option<Duration>,
}

impl StateInbox {
    pub(super) fn open(link: &ServerLink, run: &RunName) -> Result<Self, FleetError> {
        let states = link.block_on(link.subscribe(message::states_subject(run)))?;
        let now = Instant::now();
        Ok(Self { states, renewed: now, read_at: now, resumed_at: now, late: None })
    }

    /// Gives `take` the states of hosts that come within `time`, and then those that wait; renews
    /// the run.
    pub(super) fn receive(
        &mut self,
        link: &ServerLink,
        run: &RunName,
        time: Duration,
        take: &mut dyn FnMut(&str, RunState),
    ) {
        let (begun, Self { states, renewed, .. }) = (Instant::now(), &mut *self);
        link.block_on(async {
            if renewed.elapsed() >= RENEW_INTERVAL {
                *renewed = Instant::now();
                link.publish(message::renewal_subject(run), &()).await;
            }
            let until = tokio::time::Instant::now() + time;
            // Tokio's budget for a task would end this after 128 states.
            let mut next = async || {
                tokio::time::timeout_at(until, tokio::task::unconstrained(states.next())).await
            };
            while let Ok(Some(message)) = next().await {
                let Ok(state) = link.decode::<RunState>(&message.payload) else { continue };
                if state.run == *run {
                    take(message::last_token(&message.subject), state);
                }
                if until.elapsed() > READ_MAX {
                    break;
                }
            }
        });
        self.end_reading(begun.elapsed().saturating_sub(time));
    }

    /// Waits until what the server has sent is here, and reads it.
    pub(super) fn catch_up(
        &mut self,
        link: &ServerLink,
        run: &RunName,
        take: &mut dyn FnMut(&str, RunState),
    ) {
        let begun = Instant::now();
        link.block_on(link.reach_server(CATCH_UP_MAX));
        self.receive(link, run, Duration::ZERO, take);
        self.end_reading(begun.elapsed());
    }

    fn end_reading(&mut self, late: Duration) {
        let now = Instant::now();
        if self.read_at.elapsed() > LATE_MIN {
            self.resumed_at = now;
        }
        self.read_at = now;
        self.late = self.late.max(Some(late).filter(|late| *late > LATE_MIN));
    }
}
