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

pub(super) struct StateInbox {
    states: Subscriber,
    renewed: Instant,
    /// The longest silence of a host that was none: its states were not read in time.
    pub(super) late_max: Duration,
}

impl StateInbox {
    pub(super) fn open(link: &ServerLink, run: &RunName) -> Result<Self, FleetError> {
        let states = link.block_on(link.subscribe(message::states_subject(run)))?;
        Ok(Self { states, renewed: Instant::now(), late_max: Duration::ZERO })
    }

    /// Gives `take` the states of hosts that come within `time`, and then those that wait; renews
    /// the run. `false` if states still wait.
    pub(super) fn receive(
        &mut self,
        link: &ServerLink,
        run: &RunName,
        time: Duration,
        take: &mut dyn FnMut(&str, RunState),
    ) -> bool {
        let Self { states, renewed, .. } = self;
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
                    return false;
                }
            }
            true
        })
    }
}
