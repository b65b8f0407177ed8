//! What hosts say of a run, in the order in which the server sends it.

use std::time::{Duration, Instant};

use async_nats::Subscriber;
use futures_util::StreamExt as _;
use futures_util::stream::{SelectAll, select_all};

use super::relays::Relays;
use crate::coordinator::link::ServerLink;
use crate::error::FleetError;
use crate::message::{self, RelayReport, RunState};
use crate::name::RunName;

pub(super) const RENEW_INTERVAL: Duration = Duration::from_secs(1);
/// Reading ends by then, where states come faster than they are read.
const READ_MAX: Duration = Duration::from_secs(2);

/// How long a coordinator waits for what is on the way.
const CATCH_UP_MAX: Duration = Duration::from_secs(3);
/// Hosts report twice a second while they measure.
const LATE_MIN: Duration = Duration::from_secs(1);

pub(super) enum Heard {
    State(Box<RunState>),
    Report(RelayReport),
}

pub(super) struct StateInbox {
    /// Of hosts without a relay, and of relays.
    subscribers: SelectAll<Subscriber>,
    pub(super) relays: Relays,
    renewed: Instant,
    read_at: Instant,
    /// Reading began again then: hosts that were not heard before are not silent for that.
    pub(super) resumed_at: Instant,
    /// The longest delay with which states were read, where it was above `LATE_MIN`.
    pub(super) late: Option<Duration>,
}

impl StateInbox {
    pub(super) fn open(
        link: &ServerLink,
        run: &RunName,
        relays: Relays,
    ) -> Result<Self, FleetError> {
        let subject = match relays.are_none() {
            true => message::states_subject(run),
            false => message::reports_subject(run),
        };
        let subscribers = select_all([link.block_on(link.subscribe(subject))?]);
        let now = Instant::now();
        let late = None;
        Ok(Self { subscribers, relays, renewed: now, read_at: now, resumed_at: now, late })
    }

    /// Listens to a group of hosts, too.
    pub(super) fn listen(&mut self, link: &ServerLink, subject: String) {
        // Without a connection, hosts and relays are silent alike.
        if let Ok(subscriber) = link.block_on(link.subscribe(subject)) {
            self.subscribers.push(subscriber);
        }
    }

    /// Listens no more: what nobody reads would be held in memory.
    pub(super) fn close(&mut self) {
        self.subscribers = SelectAll::new();
    }

    /// What comes within `time`, and then what waits, with the names of who said it; renews the
    /// run.
    pub(super) fn receive(
        &mut self,
        link: &ServerLink,
        run: &RunName,
        time: Duration,
    ) -> Vec<(String, Heard)> {
        let (begun, Self { subscribers, renewed, .. }) = (Instant::now(), &mut *self);
        let mut all = Vec::new();
        link.block_on(async {
            if renewed.elapsed() >= RENEW_INTERVAL {
                *renewed = Instant::now();
                link.publish(message::renewal_subject(run), &()).await;
            }
            let until = tokio::time::Instant::now() + time;
            // Tokio's budget for a task would end this after 128 states.
            let mut next = async || {
                tokio::time::timeout_at(until, tokio::task::unconstrained(subscribers.next())).await
            };
            while let Ok(Some(message)) = next().await {
                let heard = match message::is_report_subject(&message.subject) {
                    true => link.decode(&message.payload).map(Heard::Report),
                    false => {
                        link.decode(&message.payload).map(|state| Heard::State(Box::new(state)))
                    }
                };
                match heard {
                    Ok(Heard::State(state)) if state.run != *run => {}
                    Ok(heard) => {
                        all.push((message::last_token(&message.subject).to_owned(), heard));
                    }
                    Err(_) => {}
                }
                if until.elapsed() > READ_MAX {
                    break;
                }
            }
        });
        self.end_reading(begun.elapsed().saturating_sub(time));
        all
    }

    /// Waits until what the server has sent is here, and reads it.
    pub(super) fn catch_up(&mut self, link: &ServerLink, run: &RunName) -> Vec<(String, Heard)> {
        let begun = Instant::now();
        link.block_on(link.reach_server(CATCH_UP_MAX));
        let all = self.receive(link, run, Duration::ZERO);
        self.end_reading(begun.elapsed());
        all
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

#[cfg(test)]
mod tests {
    use async_nats::RequestErrorKind;
    use lab::{NatsServer, Need, skip_unless};

    use super::*;

    #[test]
    fn states_are_not_sent_to_a_run_that_reads_them_no_more() {
        skip_unless!(Need::Program("nats-server"));
        let server = NatsServer::start_on_loopback().unwrap();
        let address = crate::NatsServer { url: server.url(), ..crate::NatsServer::default() };
        let link = ServerLink::open(&address, "test", "1.0").unwrap();
        let run: RunName = "r1".parse().unwrap();
        let mut inbox = StateInbox::open(&link, &run, Relays::default()).unwrap();
        let is_heard = || {
            let subject = message::state_subject(&run, 0, &"h1".parse().unwrap());
            let request = async_nats::Request::new().timeout(Some(Duration::from_secs(1)));
            let answer = link.block_on(link.client.send_request(subject, request));
            answer.unwrap_err().kind() != RequestErrorKind::NoResponders
        };
        assert!(is_heard());
        inbox.close();
        assert!(!is_heard());
    }
}
