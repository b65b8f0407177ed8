//! The coordinator: finds agents, chooses among them, and leads runs over them.

mod collect;
#[cfg(test)]
mod fuzz;
mod jobs;
mod link;
mod party;
mod roll;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use serde::Deserialize;

use crate::connect::Server;
use crate::error::FleetError;
use crate::message::{self, HELLO, Introduction, MessageError, Order, Version};
use crate::name::{Label, Name, RunName};
use link::Link;

pub use collect::Collected;
pub use jobs::JobsCollected;
pub use party::{JobsAsked, JobsHost, JobsWatch, Party};

/// Agents have so long to say who they are, and so long after the last that was heard.
const LISTEN: Duration = Duration::from_millis(1_500);
const SILENCE: Duration = Duration::from_millis(500);
/// How long those that were named are waited for.
const NAMED: Duration = Duration::from_secs(4);
/// How long an answer to an order without a run is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// A line to the server, and what can be asked over it.
pub struct Coordinator {
    link: Link,
}

/// Which hosts are meant.
#[derive(Debug, Clone, Default)]
pub struct Who {
    /// These; all of them must be there.
    pub names: Vec<Name>,
    /// Those with all of these labels; all there are when nothing is named.
    pub labels: Vec<Label>,
}

/// An agent that was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Who it is, or why it cannot be spoken with.
    pub agent: Result<Introduction, Other>,
}

/// An agent of another version.
#[derive(Debug, Clone)]
pub struct Other {
    /// Its name, as far as it can be read.
    pub name: String,
    /// Its version.
    pub version: Version,
}

/// All that is read of an introduction of another version.
#[derive(Deserialize)]
struct Stranger {
    body: StrangerBody,
}

#[derive(Deserialize)]
struct StrangerBody {
    name: Name,
}

impl Coordinator {
    /// Connects to the server; `program` is the version of this program.
    ///
    /// # Errors
    /// A server that cannot be reached, refuses us, or may not be trusted.
    pub fn connect(server: &Server, program: &str) -> Result<Self, FleetError> {
        Ok(Self { link: Link::open(server, program)? })
    }

    /// The agents that are there, ascending by name.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn list(&self) -> Result<Vec<Found>, FleetError> {
        self.link.wait(self.roll_call(&[]))
    }

    /// Asks who is there, and listens; not longer than until all of `names` have answered.
    async fn roll_call(&self, names: &[Name]) -> Result<Vec<Found>, FleetError> {
        let inbox = self.link.client.new_inbox();
        let mut answers = self.link.subscribe(inbox.clone()).await?;
        let hello = message::encode(&self.link.version, &())
            .map_err(|error| FleetError::failed(error.to_string(), "try again"))?;
        let asked = self.link.client.publish_with_reply(HELLO, inbox, hello.into()).await;
        asked.map_err(|error| {
            FleetError::failed(format!("cannot ask who is there: {error}"), "try again")
        })?;
        let begun = Instant::now();
        let mut heard = begun;
        let mut found: Vec<Found> = Vec::new();
        let mut missing: HashSet<&str> = names.iter().map(Name::as_str).collect();
        loop {
            let until = match (names.is_empty(), !missing.is_empty()) {
                (true, _) => (begun + LISTEN).max(heard + SILENCE),
                (false, true) => begun + NAMED,
                // A second agent of the same name would answer about now.
                (false, false) => heard + SILENCE / 4,
            };
            let until = tokio::time::Instant::from_std(until);
            let Ok(Some(answer)) = tokio::time::timeout_at(until, answers.next()).await else {
                break;
            };
            heard = Instant::now();
            if let Some(introduced) = self.introduced(&answer.payload) {
                missing.remove(introduced.name());
                found.push(introduced);
            }
        }
        found.sort_by(|a, b| a.name().cmp(b.name()));
        Ok(found)
    }

    /// Who speaks; what cannot be read at all is nobody.
    fn introduced(&self, bytes: &[u8]) -> Option<Found> {
        match message::decode::<Introduction>(&self.link.version, bytes) {
            Ok(introduction) => Some(Found { agent: Ok(introduction) }),
            Err(MessageError::Version { theirs, .. }) => {
                let stranger: Option<Stranger> = serde_json::from_slice(bytes).ok();
                let name = stranger.map_or_else(|| "?".to_owned(), |s| s.body.name.to_string());
                Some(Found { agent: Err(Other { name, version: theirs }) })
            }
            Err(_) => None,
        }
    }

    /// The agents that are meant; every one of them can be spoken with and has nothing else to do.
    ///
    /// # Errors
    /// One that is missing, busy, there twice, or of another version; nobody at all.
    pub fn choose(&self, who: &Who) -> Result<Vec<Introduction>, FleetError> {
        let found = self.link.wait(self.roll_call(&who.names))?;
        roll::chosen(found, who, &self.link.version)
    }

    /// Leads a run over hosts that were chosen; `run` is its name.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn party(
        &self,
        chosen: Vec<Introduction>,
        span: record::FleetSpan,
        run: RunName,
    ) -> Result<Party<'_>, FleetError> {
        Party::new(&self.link, chosen, span, run)
    }

    /// Ends a run on all agents, or whatever they do; the names of those that were told.
    ///
    /// # Errors
    /// When the server is gone, or nobody has such a run.
    pub fn stop(&self, run: Option<&RunName>) -> Result<Vec<Name>, FleetError> {
        let found = self.link.wait(self.roll_call(&[]))?;
        let introduced = found.into_iter().filter_map(|found| found.agent.ok());
        let busy = |agent: &Introduction| match (run, &agent.busy) {
            (Some(run), Some(busy)) => run == busy,
            (None, busy) => busy.is_some(),
            (Some(_), None) => false,
        };
        let names: Vec<Name> = introduced.filter(busy).map(|agent| agent.name).collect();
        if names.is_empty() {
            let what = run.map_or_else(
                || "no agent is measuring anything".to_owned(),
                |run| format!("no agent is measuring run {run}"),
            );
            return Err(FleetError::failed(what, "see truedisk fleet list"));
        }
        let order = Order::Stop { run: run.cloned() };
        let told = names.iter().map(|name| self.link.order(name, &order, PATIENCE));
        let told = self.link.wait(join_all(told));
        let told = names.into_iter().zip(told).filter(|(_, answer)| answer.is_ok());
        Ok(told.map(|(name, _)| name).collect())
    }
}

impl Found {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.agent {
            Ok(introduction) => introduction.name.as_str(),
            Err(other) => &other.name,
        }
    }

    fn is(&self, name: &Name) -> bool {
        self.name() == name.as_str()
    }
}
