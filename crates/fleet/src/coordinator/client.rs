//! The connection of a coordinator, and its requests.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde::Deserialize;

use super::discovery::{
    FoundAgent, HostSelection, IncompatibleAgent, check_names_of_relays, filter_agents,
    select_hosts,
};
use super::link::ServerLink;
use super::session::{FleetSession, RecordSink, UsableRelays};
use crate::connect::NatsServer;
use crate::error::FleetError;
use crate::message::{self, AgentInfo, DISCOVERY_SUBJECT, MessageError, Order, StopCause};
use crate::name::{AgentName, RunName};

/// Time for answers, and silence that ends the discovery.
const DISCOVERY_TIME: Duration = Duration::from_millis(1_500);
const DISCOVERY_QUIET: Duration = Duration::from_millis(500);
/// The same when agents are named.
const DISCOVERY_NAMED_TIME: Duration = Duration::from_secs(4);
pub(super) const ORDER_TIMEOUT: Duration = Duration::from_secs(3);

pub struct Coordinator {
    pub(super) link: ServerLink,
    relays: Arc<UsableRelays>,
}

/// The readable part of an answer of another version.
#[derive(Deserialize)]
struct UnknownAgent {
    body: UnknownAgentBody,
}

#[derive(Deserialize)]
struct UnknownAgentBody {
    name: AgentName,
}

impl Coordinator {
    /// Connects; `program` is the version of this program.
    pub fn connect(server: &NatsServer, program: &str) -> Result<Self, FleetError> {
        let link = ServerLink::open(server, "truedisk fleet", program)?;
        Ok(Self { link, relays: Arc::default() })
    }

    /// The selected agents, ascending by name; an error if a named one is missing.
    pub fn list_agents(&self, who: &HostSelection) -> Result<Vec<FoundAgent>, FleetError> {
        filter_agents(self.link.block_on(self.discover(&who.names))?, who)
    }

    /// Asks all agents for their names; returns once all of `names` have answered.
    pub(super) async fn discover(
        &self,
        names: &[AgentName],
    ) -> Result<Vec<FoundAgent>, FleetError> {
        let inbox = self.link.client.new_inbox();
        let mut answers = self.link.subscribe(inbox.clone()).await?;
        let hello = message::encode(&self.link.version, &())
            .map_err(|error| FleetError::failed(error.to_string(), "try again"))?;
        let asked =
            self.link.client.publish_with_reply(DISCOVERY_SUBJECT, inbox, hello.into()).await;
        asked.map_err(|error| {
            FleetError::failed(format!("cannot ask who is there: {error}"), "try again")
        })?;
        let begun = Instant::now();
        let mut heard = begun;
        let mut found: Vec<FoundAgent> = Vec::new();
        let mut missing: HashSet<&str> = names.iter().map(AgentName::as_str).collect();
        loop {
            let until = match (names.is_empty(), !missing.is_empty()) {
                (true, _) => (begun + DISCOVERY_TIME).max(heard + DISCOVERY_QUIET),
                (false, true) => begun + DISCOVERY_NAMED_TIME,
                // A second agent of the same name would answer about now.
                (false, false) => heard + DISCOVERY_QUIET / 4,
            };
            let until = tokio::time::Instant::from_std(until);
            let Ok(Some(answer)) = tokio::time::timeout_at(until, answers.next()).await else {
                break;
            };
            heard = Instant::now();
            if let Some(found_agent) = self.parse_answer(&answer.payload) {
                missing.remove(found_agent.name());
                found.push(found_agent);
            }
        }
        found.sort_by(|a, b| a.name().cmp(b.name()));
        Ok(found)
    }

    fn parse_answer(&self, bytes: &[u8]) -> Option<FoundAgent> {
        match message::decode::<AgentInfo>(&self.link.version, bytes) {
            Ok(agent) => {
                self.link.remember(&agent.name, agent.instance);
                Some(FoundAgent { agent: Ok(agent) })
            }
            Err(MessageError::Version { theirs, .. }) => {
                let unknown: Option<UnknownAgent> = serde_json::from_slice(bytes).ok();
                let name = unknown.map_or_else(|| "?".to_owned(), |s| s.body.name.to_string());
                Some(FoundAgent { agent: Err(IncompatibleAgent { name, version: theirs }) })
            }
            Err(_) => None,
        }
    }

    /// The selected agents; an error if one is missing, busy, duplicate, or of another version.
    pub fn choose_hosts(&self, who: &HostSelection) -> Result<Vec<AgentInfo>, FleetError> {
        let found = self.link.block_on(self.discover(&who.names))?;
        let is_relay = |found: &FoundAgent| found.agent.as_ref().is_ok_and(|agent| agent.relay);
        let (relays, hosts): (Vec<_>, Vec<_>) = found.into_iter().partition(is_relay);
        let relays = relays.into_iter().filter_map(|relay| relay.agent.ok());
        let relays: Vec<AgentName> = relays.map(|relay| relay.name).collect();
        let hosts = select_hosts(hosts, who, &self.link.version)?;
        check_names_of_relays(&relays, &hosts)?;
        self.relays.set(relays);
        Ok(hosts)
    }

    /// `keep` is given the record of each host at the end of the run.
    pub fn open_session<'a>(
        &'a self,
        chosen: Vec<AgentInfo>,
        span: record::FleetSpan,
        run: RunName,
        keep: RecordSink<'a>,
    ) -> Result<FleetSession<'a>, FleetError> {
        FleetSession::new(&self.link, (chosen, Arc::clone(&self.relays)), span, run, keep)
    }

    /// Ends a run on all agents, or every run; the agents that answered.
    pub fn stop_run(&self, run: Option<&RunName>) -> Result<Vec<AgentName>, FleetError> {
        let found = self.link.block_on(self.discover(&[]))?;
        let agents = found.into_iter().filter_map(|found| found.agent.ok());
        let busy = |agent: &AgentInfo| match (run, &agent.busy) {
            (Some(run), Some(busy)) => run == busy,
            (None, busy) => busy.is_some(),
            (Some(_), None) => false,
        };
        let names: Vec<AgentName> = agents.filter(busy).map(|agent| agent.name).collect();
        if names.is_empty() {
            let what = run.map_or_else(
                || "no agent is measuring anything".to_owned(),
                |run| format!("no agent is measuring run {run}"),
            );
            return Err(FleetError::failed(what, "see truedisk fleet list"));
        }
        let order = Order::Stop { run: run.cloned(), cause: StopCause::StopCommand };
        Ok(self.link.send_to_all(&names, &order, ORDER_TIMEOUT))
    }
}
