//! An agent: registers, waits, and measures on request, within its allow-list.
//! One task talks to the server and never waits for a disk. Each run has a plain thread that
//! measures; between the two lies a `mailbox`.

mod agent_run;
mod allow_list;
#[cfg(test)]
mod fuzz;
mod host;
mod jobs;
mod mailbox;
mod measure;
mod order_log;
mod others;
mod refusals;
mod run_context;
mod settings;
mod simulated;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::{Client, Message};
use engine::StopSignal;
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use units::ErrorKind;

use crate::connect::{ConnectionState, NatsServer};
use crate::error::FleetError;
use crate::message::{
    self, DISCOVERY_SUBJECT, MessageError, Order, Phase, Refusal, Reply, RunState, SentOrder,
    Version,
};
pub use agent_run::LEASE;
use allow_list::AllowList;
use host::Host;
pub(crate) use host::random_number;
pub(crate) use order_log::OrderLog;
pub(crate) use refusals::{RefusalKind, RefusalLog};
pub use settings::AgentSettings;
pub(crate) use settings::label_map;
pub use simulated::{SimulatedAgents, simulate_disk};

use crate::spool::Spool;
pub use crate::spool::default_spool;

const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// While a cell is measured, and else: a host is lost after 5 s of silence.
const STATE_INTERVAL: Duration = Duration::from_millis(500);
const IDLE_STATE_INTERVAL: Duration = Duration::from_millis(1_500);
/// Limit for the upload of the last record when the agent is stopped.
const LAST_UPLOAD_TIMEOUT: Duration = Duration::from_secs(5);
const RECONNECT_INTERVAL: Duration = Duration::from_secs(2);

/// Serves until `stop` is raised; `say` receives log lines. An absent server is waited for.
pub fn serve(
    settings: &AgentSettings,
    stop: &StopSignal,
    say: &mut dyn FnMut(&str),
) -> Result<(), FleetError> {
    let runtime = build_runtime()?;
    let served = runtime.block_on(run_agent(settings, stop, say));
    runtime.shutdown_background();
    served
}

fn build_runtime() -> Result<Runtime, FleetError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| FleetError::failed(format!("cannot start: {error}"), "try again"))
}

async fn run_agent(
    settings: &AgentSettings,
    stop: &StopSignal,
    say: &mut dyn FnMut(&str),
) -> Result<(), FleetError> {
    let allowed = AllowList::new(&settings.allow, settings.read_only)?;
    let spool = Spool::open(&settings.spool, &settings.name)?;
    let host = Host::new(settings, allowed, spool)?;
    host.remove_leftovers().iter().for_each(|words| say(words));
    let refusals = RefusalLog::default();
    let agent = Agent { host, stop, log: say, refusals, uploads: Vec::new() };
    agent.run(&settings.server).await
}

struct Agent<'a> {
    host: Host,
    stop: &'a StopSignal,
    log: &'a mut dyn FnMut(&str),
    refusals: RefusalLog,
    /// Running uploads into the server's stream; each gives its log line.
    uploads: Vec<JoinHandle<Option<String>>>,
}

impl Agent<'_> {
    async fn run(mut self, server: &NatsServer) -> Result<(), FleetError> {
        let Some((client, line)) = self.connect(server).await? else { return Ok(()) };
        let lost = |error: async_nats::SubscribeError| {
            FleetError::failed(format!("cannot listen: {error}"), "is the NATS server there?")
        };
        let mut hello = client.subscribe(DISCOVERY_SUBJECT).await.map_err(lost)?;
        let mut orders = client
            .subscribe(message::agent_orders_subject(self.host.name()))
            .await
            .map_err(lost)?;
        let mut renewals = client.subscribe(message::renewals_subject()).await.map_err(lost)?;
        (self.log)(&format!("agent {} is ready", self.host.name()));
        let mut look = tokio::time::interval(POLL_INTERVAL);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut told = Instant::now();
        loop {
            let news = self.host.state_changed();
            tokio::select! {
                biased;
                order = orders.next() => self.handle_order(&client, require_message(order)?).await,
                hello = hello.next() => {
                    self.answer_discovery(&client, require_message(hello)?).await;
                }
                renewal = renewals.next() => self.handle_renewal(&require_message(renewal)?),
                () = news.notified() => self.publish_state(&client, &mut told).await,
                _ = look.tick() => {
                    if self.stop.is_raised() {
                        self.shut_down(&client, &mut told).await;
                        return Ok(());
                    }
                    self.check_run(&line).await;
                    let interval = match self.host.is_measuring() {
                        true => STATE_INTERVAL,
                        false => IDLE_STATE_INTERVAL,
                    };
                    if told.elapsed() >= interval {
                        self.publish_state(&client, &mut told).await;
                    }
                }
            }
        }
    }

    async fn connect(
        &mut self,
        server: &NatsServer,
    ) -> Result<Option<(Client, Arc<ConnectionState>)>, FleetError> {
        let name = format!("truedisk agent {}", self.host.name());
        let mut said = false;
        loop {
            match server.connect(&name).await {
                Ok(connected) => return Ok(Some(connected)),
                Err(error) if error.is_server_absent() => {
                    if !said {
                        (self.log)(&format!("{error}; it is tried again until it is there"));
                        said = true;
                    }
                }
                Err(error) => return Err(error),
            }
            let again = Instant::now() + RECONNECT_INTERVAL;
            while Instant::now() < again {
                if self.stop.is_raised() {
                    return Ok(None);
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        }
    }

    async fn handle_order(&mut self, client: &Client, message: Message) {
        let arrived_ns = engine::monotonic_ns();
        let version = self.host.version().clone();
        let (reply, piece) = match self.decode_order(&version, &message) {
            Ok(Order::Ping) => (Reply::Clock { monotonic_ns: arrived_ns }, Vec::new()),
            Ok(order) => {
                let (reply, piece) = self.host.execute(order);
                if let Reply::Refused(Refusal { what, .. }) = &reply {
                    self.log_refusal(RefusalKind::Request, &format!("refused: {what}"));
                }
                (reply, piece)
            }
            Err(refusal) => (refusal, Vec::new()),
        };
        if let Some(to) = message.reply {
            match message::encode_with_piece(&version, &reply, &piece) {
                // Events of the client report a lost connection.
                Ok(bytes) => drop(client.publish(to, bytes.into()).await),
                Err(error) => (self.log)(&format!("cannot answer: {error}")),
            }
        }
    }

    fn log_refusal(&mut self, kind: RefusalKind, words: &str) {
        if let Some(line) = self.refusals.log_line(kind, words, Instant::now()) {
            (self.log)(&line);
        }
    }

    fn decode_order(&mut self, version: &Version, message: &Message) -> Result<Order, Reply> {
        let host = &mut self.host;
        let read = read_order(version, message, &mut |sent| host.find_replay(sent));
        read.map_err(|(kind, words, reply)| {
            self.log_refusal(kind, &words);
            reply
        })
    }

    async fn answer_discovery(&mut self, client: &Client, message: Message) {
        if message.payload.len() > message::MESSAGE_MAX {
            return self.log_refusal(RefusalKind::Message, "refused a message: it is too large");
        }
        if let Err(error @ MessageError::Version { .. }) =
            message::decode::<()>(self.host.version(), &message.payload)
        {
            self.log_refusal(RefusalKind::Version, &format!("refused a coordinator: {error}"));
        }
        let answer = message::encode(self.host.version(), &self.host.agent_info());
        if let (Some(to), Ok(bytes)) = (message.reply, answer) {
            drop(client.publish(to, bytes.into()).await);
        }
    }

    fn handle_renewal(&mut self, message: &Message) {
        if message::decode::<()>(self.host.version(), &message.payload).is_ok() {
            let run = message.subject.strip_suffix(".renew").and_then(|s| s.rsplit('.').next());
            if let Some(run) = run {
                self.host.renew(run);
            }
        }
    }

    async fn publish_state(&mut self, client: &Client, told: &mut Instant) {
        *told = Instant::now();
        let Some((state, group, over)) = self.host.run_state() else { return };
        let RunState { run, .. } = &state;
        if let Some(words) = over {
            (self.log)(&words);
            if matches!(state.phase, Phase::Finished { .. }) {
                self.uploads.push(tokio::spawn(self.host.upload_record(client, run)));
            }
        }
        let subject = message::state_subject(run, group, self.host.name());
        if let Ok(bytes) = message::encode(self.host.version(), &state) {
            drop(client.publish(subject, bytes.into()).await);
        }
    }

    async fn check_run(&mut self, line: &ConnectionState) {
        if let Some(complaint) = line.take_server_error() {
            (self.log)(&format!("the NATS server says: {complaint}"));
        }
        if let Some(words) = self.host.check_run() {
            (self.log)(&words);
        }
        for line in self.refusals.due_lines(Instant::now()) {
            (self.log)(&line);
        }
        let (done, going) =
            std::mem::take(&mut self.uploads).into_iter().partition(JoinHandle::is_finished);
        self.uploads = going;
        self.log_uploads(done).await;
    }

    async fn log_uploads(&mut self, done: Vec<JoinHandle<Option<String>>>) {
        for put in done {
            if let Ok(Some(words)) = put.await {
                (self.log)(&words);
            }
        }
    }

    async fn shut_down(&mut self, client: &Client, told: &mut Instant) {
        const LONGEST: Duration = Duration::from_secs(20);
        self.host.end_run("the agent was stopped");
        let until = Instant::now() + LONGEST;
        while self.host.is_busy() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.publish_state(client, told).await;
        let puts = std::mem::take(&mut self.uploads);
        drop(tokio::time::timeout(LAST_UPLOAD_TIMEOUT, self.log_uploads(puts)).await);
        drop(tokio::time::timeout(POLL_INTERVAL, client.flush()).await);
    }
}

/// The order of a message, or what is logged and answered. `find_replay` says why it is too old.
pub(crate) fn read_order(
    version: &Version,
    message: &Message,
    find_replay: &mut dyn FnMut(&SentOrder) -> Option<String>,
) -> Result<Order, (RefusalKind, String, Reply)> {
    let refuse = |kind: RefusalKind, of: &str, what: String, hint: &str| {
        let words = format!("refused {of}: {what}");
        let refusal = Refusal::new(ErrorKind::WrongRequest, what, Some(hint));
        (kind, words, Reply::Refused(refusal))
    };
    let sent = message::decode::<SentOrder>(version, &message.payload).map_err(|error| {
        let (kind, hint) = match error {
            MessageError::Version { .. } => {
                (RefusalKind::Version, "install one version on all hosts")
            }
            _ => (RefusalKind::Message, "only truedisk fleet speaks to agents"),
        };
        refuse(kind, "a message", error.to_string(), hint)
    })?;
    if let Some(what) = find_replay(&sent) {
        let hint = "run the command again: truedisk fleet asks who is there";
        return Err(refuse(RefusalKind::Order, "an order", what, hint));
    }
    let order = sent.order;
    let wrong = match order.find_violation() {
        _ if message::last_token(&message.subject) != order.verb() => {
            Some(format!("order '{}' on a subject of another", order.verb()))
        }
        unreasonable => unreasonable,
    };
    match wrong {
        None => Ok(order),
        Some(what) => {
            let hint = "only truedisk fleet speaks to agents";
            Err(refuse(RefusalKind::Order, "an order", what, hint))
        }
    }
}

pub(crate) fn require_message(message: Option<Message>) -> Result<Message, FleetError> {
    message.ok_or_else(|| {
        FleetError::failed("the connection to the NATS server was ended", "start the agent again")
    })
}
