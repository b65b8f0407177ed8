//! Connection to the server with a blocking interface.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_nats::{Client, Message, RequestError, RequestErrorKind, Subscriber};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use record::reasons::{NoAgent, NoAnswer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::agent::random_number;
use crate::clock::RoundTrip;
use crate::connect::{ConnectionState, NatsServer};
use crate::error::FleetError;
use crate::message::{self, FetchItem, MessageError, Order, Refusal, Reply, SentOrder, Version};
use crate::name::{AgentName, RunName};
use crate::payload::PieceCollector;

/// An order is repeated after that; answers to what was sent before still count.
const REPEAT_INTERVAL: Duration = Duration::from_secs(2);
/// Multiple of the patience with a host that is waited for while others answer.
const PATIENCE_MAX: u32 = 4;
/// A slower ping says nothing about a clock.
const PING_TIMEOUT: Duration = Duration::from_millis(500);
const SILENT_PINGS_MAX: u32 = 2;
/// More clocks at a time would lengthen the round trips.
const CLOCKS_AT_ONCE: usize = 16;
/// Pause without a listener.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);
/// Agents end their runs at about that time.
pub(super) const SERVER_GONE_MAX: Duration = Duration::from_secs(25);
/// Parallel fetches, each of a piece of 512 KiB: a server drops a client behind by 64 MiB.
pub(super) const FETCHES_MAX: usize = 64;
/// Orders under way: what waits for an answer is held in memory.
const ORDERS_MAX: usize = 256;
const FLUSH_TIMEOUT: Duration = Duration::from_millis(500);

pub(crate) struct ServerLink {
    handle: Handle,
    pub(super) client: Client,
    pub(super) connection: Arc<ConnectionState>,
    pub(super) version: Version,
    /// Ours, for agents: see [`SentOrder`].
    session: u64,
    last_order: AtomicU64,
    /// The agents that have answered, as they said who they are.
    instances: Mutex<HashMap<AgentName, u64>>,
    /// When a host last answered an order.
    answered_at: Mutex<Instant>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Clone)]
pub(super) enum OrderError {
    /// Refused by the host.
    Refused(Refusal),
    /// No usable answer.
    Silent(::message::Message),
}

impl OrderError {
    pub(super) fn from_text(what: String) -> Self {
        Self::Silent(::message::Message::from_text(what))
    }

    pub(super) fn message(&self) -> ::message::Message {
        match self {
            Self::Refused(refusal) => ::message::Message::from_text(&*refusal.what),
            Self::Silent(what) => what.clone(),
        }
    }
}

pub(super) async fn join_fetches<T>(all: impl Iterator<Item: Future<Output = T>>) -> Vec<T> {
    join_limited(FETCHES_MAX, all).await
}

async fn join_limited<T>(count: usize, all: impl Iterator<Item: Future<Output = T>>) -> Vec<T> {
    futures_util::stream::iter(all).buffered(count).collect().await
}

/// The first answer to any of these requests within `limit`, or how the last of them failed. Of
/// one that failed others are waited for shortly: the agent may be coming back.
async fn first_answer(
    requests: &mut FuturesUnordered<impl Future<Output = Result<Message, RequestError>>>,
    limit: Duration,
) -> Result<Message, RequestErrorKind> {
    let mut until = tokio::time::Instant::now() + limit;
    let mut kind = RequestErrorKind::TimedOut;
    loop {
        match tokio::time::timeout_at(until, requests.next()).await {
            Ok(Some(Ok(answer))) => return Ok(answer),
            Ok(Some(Err(error))) => {
                kind = error.kind();
                until = until.min(tokio::time::Instant::now() + RETRY_INTERVAL);
            }
            Ok(None) => {
                tokio::time::sleep_until(until).await;
                return Err(kind);
            }
            Err(_) => return Err(kind),
        }
    }
}

impl ServerLink {
    /// Connects under this name; `program` is the version of this program.
    pub(super) fn open(server: &NatsServer, name: &str, program: &str) -> Result<Self, FleetError> {
        let failed = |error: std::io::Error| {
            FleetError::failed(format!("cannot start: {error}"), "try again")
        };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (client, line) = runtime.block_on(server.connect(name))?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        let thread = thread::Builder::new()
            .name("nats".to_owned())
            .spawn(move || {
                let _ = runtime.block_on(ended);
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Self {
            handle,
            client,
            connection: line,
            version: Version::current(program),
            session: random_number().map_err(failed)?,
            last_order: AtomicU64::new(0),
            instances: Mutex::default(),
            answered_at: Mutex::new(Instant::now()),
            end: Some(end),
            thread: Some(thread),
        })
    }

    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    pub(super) async fn subscribe(&self, subject: String) -> Result<Subscriber, FleetError> {
        self.client.subscribe(subject).await.map_err(|error| {
            FleetError::failed(format!("cannot listen: {error}"), "is the NATS server there?")
        })
    }

    pub(super) async fn publish(&self, subject: String, body: &impl Serialize) {
        if let Ok(bytes) = message::encode(&self.version, body) {
            // Without a connection it is sent later.
            drop(self.client.publish(subject, bytes.into()).await);
        }
    }

    pub(super) fn decode<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, String> {
        message::decode(&self.version, bytes).map_err(|error| error.to_string())
    }

    pub(super) fn remember(&self, agent: &AgentName, instance: u64) {
        let mut instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
        instances.insert(agent.clone(), instance);
    }

    /// The order as it is sent, under a number of its own.
    fn encode_order(&self, host: &AgentName, order: &Order) -> Result<Vec<u8>, MessageError> {
        let instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
        // An agent that has not answered is asked for nothing; 0 would be refused.
        let instance = instances.get(host).copied().unwrap_or(0);
        drop(instances);
        let number = self.last_order.fetch_add(1, Ordering::Relaxed) + 1;
        let sent = SentOrder { instance, session: self.session, number, order: order.clone() };
        message::encode(&self.version, &sent)
    }

    pub(super) fn check_size(&self, order: &Order) -> Result<(), String> {
        let longest = SentOrder {
            instance: u64::MAX,
            session: u64::MAX,
            number: u64::MAX,
            order: order.clone(),
        };
        let encoded = message::encode(&self.version, &longest);
        encoded.map(|_| ()).map_err(|error| error.to_string())
    }

    fn last_answer(&self) -> Instant {
        *self.answered_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Repeats an order until it is answered, or no host has answered any order for `patience`, or
    /// four times `patience` are over. Only the order's bytes are held meanwhile.
    pub(super) fn send_order<'a>(
        &'a self,
        host: &AgentName,
        order: &Order,
        patience: Duration,
    ) -> impl Future<Output = Result<(Reply, Vec<u8>), OrderError>> + use<'a> {
        let encoded = self.encode_order(host, order);
        let subject = message::order_subject(host, order.verb());
        async move {
            let bytes = encoded.map_err(|error| OrderError::from_text(error.to_string()))?;
            self.send_encoded(subject, bytes, patience).await
        }
    }

    async fn send_encoded(
        &self,
        subject: String,
        bytes: Vec<u8>,
        patience: Duration,
    ) -> Result<(Reply, Vec<u8>), OrderError> {
        let first = async_nats::Request::new().payload(bytes.into());
        let (begun, mut silent) = (Instant::now(), Duration::ZERO);
        let mut attempts = FuturesUnordered::new();
        loop {
            let asked = Instant::now();
            let payload = first.payload.clone();
            let request = async_nats::Request { payload, ..Default::default() }.timeout(None);
            // In a box: there is room for two futures.
            attempts.push(Box::pin(self.client.send_request(subject.clone(), request)));
            let limit = match patience.saturating_sub(silent) {
                Duration::ZERO => RETRY_INTERVAL,
                left => REPEAT_INTERVAL.min(left),
            };
            let kind = match first_answer(&mut attempts, limit).await {
                Ok(answer) => {
                    *self.answered_at.lock().unwrap_or_else(PoisonError::into_inner) =
                        Instant::now();
                    return self.read_reply(&answer);
                }
                Err(kind) => kind,
            };
            // Absence of the server is not silence of the host, unless it lasts.
            let back = self.connection.up_since() + patience;
            let away = !self.connection.is_up() && begun.elapsed() < SERVER_GONE_MAX;
            // Time in which this process did not run is not the host's.
            silent += asked.elapsed().clamp(RETRY_INTERVAL, REPEAT_INTERVAL);
            // Where others answer, hosts are slow together.
            let quiet = self.last_answer().elapsed();
            if begun.elapsed() < patience * PATIENCE_MAX {
                silent = silent.min(quiet);
            }
            if silent >= patience && Instant::now() >= back && !away {
                return Err(OrderError::Silent(match kind {
                    RequestErrorKind::NoResponders => NoAgent {}.into(),
                    _ => NoAnswer { seconds: begun.elapsed().as_secs() }.into(),
                }));
            }
        }
    }

    fn read_reply(&self, answer: &Message) -> Result<(Reply, Vec<u8>), OrderError> {
        let read = message::decode_with_piece::<Reply>(&self.version, &answer.payload);
        match read.map_err(|error| OrderError::from_text(error.to_string()))? {
            (Reply::Refused(refusal), _) => Err(OrderError::Refused(refusal)),
            (reply, piece) => Ok((reply, piece.to_vec())),
        }
    }

    /// Sends an order to these hosts, to some at a time: a silent one holds up no other. The names
    /// of those that accept it, ascending.
    pub(super) async fn send_to_some<'n>(
        &self,
        names: impl IntoIterator<Item = &'n AgentName>,
        order: &Order,
        patience: Duration,
    ) -> Vec<AgentName> {
        let send = async |name: &AgentName| {
            self.send_order(name, order, patience).await.ok().map(|_| name.clone())
        };
        let sent = futures_util::stream::iter(names.into_iter().map(send));
        let accepted = sent.buffer_unordered(ORDERS_MAX).filter_map(std::future::ready);
        let mut accepted: Vec<AgentName> = accepted.collect().await;
        accepted.sort();
        accepted
    }

    /// The same, waited for.
    pub(super) fn send_to_all<'n>(
        &self,
        names: impl IntoIterator<Item = &'n AgentName>,
        order: &Order,
        patience: Duration,
    ) -> Vec<AgentName> {
        self.block_on(self.send_to_some(names, order, patience))
    }

    /// The round trips with the clock of each host, of at most 16 hosts at a time. A host that is
    /// silent is asked no more.
    pub(super) async fn ping_all<'n>(
        &self,
        hosts: impl Iterator<Item = &'n AgentName>,
        pings: u32,
    ) -> Vec<Vec<RoundTrip>> {
        let measure = |host: &'n AgentName| async move {
            let (mut trips, mut silent) = (Vec::new(), 0);
            for _ in 0..pings {
                match self.ping(host).await {
                    Some(trip) => {
                        trips.push(trip);
                        silent = 0;
                    }
                    None if silent == SILENT_PINGS_MAX => break,
                    None => silent += 1,
                }
            }
            trips
        };
        join_limited(CLOCKS_AT_ONCE, hosts.map(measure)).await
    }

    async fn ping(&self, host: &AgentName) -> Option<RoundTrip> {
        let bytes = self.encode_order(host, &Order::Ping).ok()?;
        let request = async_nats::Request::new().payload(bytes.into()).timeout(Some(PING_TIMEOUT));
        let subject = message::order_subject(host, Order::Ping.verb());
        let sent_ns = engine::monotonic_ns();
        let answer = self.client.send_request(subject, request).await.ok()?;
        let received_ns = engine::monotonic_ns();
        match message::decode::<Reply>(&self.version, &answer.payload).ok()? {
            Reply::Clock { monotonic_ns } => {
                Some(RoundTrip { sent_ns, theirs_ns: monotonic_ns, received_ns })
            }
            _ => None,
        }
    }

    /// Waits for an answer of the server itself: what it sent before is here then. `false` if it
    /// does not come in time.
    pub(super) async fn reach_server(&self, patience: Duration) -> bool {
        let request = async_nats::Request::new().timeout(Some(patience));
        let answer = self.client.send_request(message::NOBODY_SUBJECT, request).await;
        answer.is_err_and(|error| error.kind() == RequestErrorKind::NoResponders)
    }

    /// A payload, complete and still compressed.
    pub(super) async fn fetch(
        &self,
        host: &AgentName,
        run: &RunName,
        what: FetchItem,
        patience: Duration,
    ) -> Result<Vec<u8>, OrderError> {
        let mut pieces = PieceCollector::default();
        loop {
            let order = Order::Fetch { run: run.clone(), what, piece: pieces.next_number() };
            let (reply, piece) = self.send_order(host, &order, patience).await?;
            if let Some(bytes) = pieces.add(reply, &piece).map_err(OrderError::from_text)? {
                return Ok(bytes);
            }
        }
    }
}

impl Drop for ServerLink {
    fn drop(&mut self) {
        let client = self.client.clone();
        // Pending messages, such as an acknowledgement, are sent.
        let _ = self.block_on(async { tokio::time::timeout(FLUSH_TIMEOUT, client.flush()).await });
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
