//! A relay: listens to groups of hosts in place of the coordinator, and reports to it four times a
//! second. It measures nothing, and no figure of a host passes through it.

use std::pin::Pin;
use std::thread;
use std::time::{Duration, Instant};

use async_nats::{Message, Subscriber};
use engine::StopSignal;
use futures_util::StreamExt as _;
use futures_util::stream::{FuturesUnordered, select_all};
use record::IoUringStatus;
use target::Roots;

use super::group_states::GroupStates;
use super::link::ServerLink;
use crate::agent::{
    AgentSettings, LEASE, OrderLog, RefusalKind, RefusalLog, label_map, random_number, read_order,
    require_message,
};
use crate::error::FleetError;
use crate::message::{
    self, AgentInfo, DISCOVERY_SUBJECT, Order, Refusal, RelayClocks, RelayGroup, Reply, RunState,
};
use crate::name::{AgentName, RunName};

const REPORT_INTERVAL: Duration = Duration::from_millis(250);
const RECONNECT_INTERVAL: Duration = Duration::from_secs(2);

/// The clocks of a group, once they are measured.
type Measuring<'a> = Pin<Box<dyn Future<Output = (RunName, u32, RelayClocks)> + 'a>>;

enum Event {
    Order(Message),
    Hello(Message),
    Renewal(Message),
    State(Message),
    Clocks((RunName, u32, RelayClocks)),
    Report,
}

struct Group {
    order: RelayGroup,
    subscriber: Subscriber,
    states: GroupStates,
    renewed_at: Instant,
}

struct Relay<'a> {
    link: &'a ServerLink,
    info: AgentInfo,
    orders: OrderLog,
    refusals: RefusalLog,
    groups: Vec<Group>,
    log: &'a mut dyn FnMut(&str),
}

/// Relays until `stop` is raised; an absent server is waited for. Nothing that the settings allow
/// is looked at.
pub fn serve_relay(
    settings: &AgentSettings,
    stop: &StopSignal,
    log: &mut dyn FnMut(&str),
) -> Result<(), FleetError> {
    let Some(link) = connect(settings, stop, log)? else { return Ok(()) };
    let instance = random_number()
        .map_err(|error| FleetError::failed(format!("cannot start: {error}"), "try again"))?;
    let io_uring = IoUringStatus { available: false, reason: None };
    let info = AgentInfo {
        name: settings.name.clone(),
        instance,
        labels: label_map(&settings.labels),
        environment: target::describe_environment(&Roots::host(), io_uring),
        allow: Vec::new(),
        read_only: true,
        busy: None,
        kept: Vec::new(),
        relay: true,
    };
    let (orders, refusals) = (OrderLog::default(), RefusalLog::default());
    let relay = Relay { link: &link, info, orders, refusals, groups: Vec::new(), log };
    link.block_on(relay.serve(stop))
}

fn connect(
    settings: &AgentSettings,
    stop: &StopSignal,
    log: &mut dyn FnMut(&str),
) -> Result<Option<ServerLink>, FleetError> {
    let name = format!("truedisk relay {}", settings.name);
    let mut is_said = false;
    while !stop.is_raised() {
        match ServerLink::open(&settings.server, &name, &settings.version) {
            Err(error) if error.is_server_absent() => {
                if !std::mem::replace(&mut is_said, true) {
                    log(&format!("{error}; it is tried again until it is there"));
                }
            }
            opened => return opened.map(Some),
        }
        let again = Instant::now() + RECONNECT_INTERVAL;
        while Instant::now() < again && !stop.is_raised() {
            thread::sleep(REPORT_INTERVAL);
        }
    }
    Ok(None)
}

impl<'a> Relay<'a> {
    async fn serve(mut self, stop: &StopSignal) -> Result<(), FleetError> {
        let link = self.link;
        let mut hello = link.subscribe(DISCOVERY_SUBJECT.to_owned()).await?;
        let mut orders = link.subscribe(message::agent_orders_subject(&self.info.name)).await?;
        let mut renewals = link.subscribe(message::renewals_subject().to_owned()).await?;
        (self.log)(&format!("relay {} is ready", self.info.name));
        let mut clocks = FuturesUnordered::<Measuring<'a>>::new();
        let mut tick = tokio::time::interval(REPORT_INTERVAL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while !stop.is_raised() {
            let event = tokio::select! {
                biased;
                order = orders.next() => Event::Order(require_message(order)?),
                hello = hello.next() => Event::Hello(require_message(hello)?),
                renewal = renewals.next() => Event::Renewal(require_message(renewal)?),
                _ = tick.tick() => Event::Report,
                Some(measured) = clocks.next() => Event::Clocks(measured),
                Some(state) = next_state(&mut self.groups) => Event::State(state),
            };
            match event {
                Event::Order(message) => clocks.extend(self.handle_order(message).await?),
                Event::Hello(message) => self.answer_discovery(message).await,
                Event::Renewal(message) => self.handle_renewal(&message),
                Event::State(message) => self.take_state(&message),
                Event::Clocks((run, group, measured)) => {
                    if let Some(group) = self.find_group(&run, group) {
                        group.states.set_clocks(measured);
                    }
                }
                Event::Report => self.report().await,
            }
        }
        Ok(())
    }

    fn find_group(&mut self, run: &RunName, group: u32) -> Option<&mut Group> {
        self.groups.iter_mut().find(|known| known.order.run == *run && known.order.group == group)
    }

    /// Answers an order; the measuring of clocks that it asks for.
    async fn handle_order(
        &mut self,
        message: Message,
    ) -> Result<Option<Measuring<'a>>, FleetError> {
        let arrived_ns = engine::monotonic_ns();
        let (log, instance) = (&mut self.orders, self.info.instance);
        let read =
            read_order(&self.link.version, &message, &mut |sent| log.find_replay(sent, instance));
        let (mut measuring, mut reply) = (None, Reply::Accepted);
        match read {
            Ok(Order::Ping) => reply = Reply::Clock { monotonic_ns: arrived_ns },
            Ok(Order::Relay(group)) => self.begin_group(group).await?,
            Ok(Order::MeasureClocks { run, group, turn, pings }) => {
                measuring = self.measure_clocks(run, group, turn, pings);
            }
            Ok(Order::Stop { run, .. }) => {
                self.groups.retain(|group| run.as_ref().is_some_and(|run| group.order.run != *run));
            }
            Ok(_) => {
                reply = Reply::Refused(Refusal::failed("this is a relay: it measures nothing"))
            }
            Err((kind, words, refusal)) => {
                self.log_refusal(kind, &words);
                reply = refusal;
            }
        }
        if let Some(to) = message.reply {
            self.link.publish(to.to_string(), &reply).await;
        }
        Ok(measuring)
    }

    fn log_refusal(&mut self, kind: RefusalKind, words: &str) {
        if let Some(line) = self.refusals.log_line(kind, words, Instant::now()) {
            (self.log)(&line);
        }
    }

    async fn begin_group(&mut self, order: RelayGroup) -> Result<(), FleetError> {
        if self.find_group(&order.run, order.group).is_some() {
            return Ok(());
        }
        let subject = message::group_states_subject(&order.run, order.group);
        let subscriber = self.link.subscribe(subject).await?;
        order.hosts.iter().for_each(|(name, instance)| self.link.remember(name, *instance));
        let states = GroupStates::new(order.group, order.hosts.len());
        self.groups.push(Group { order, subscriber, states, renewed_at: Instant::now() });
        Ok(())
    }

    fn measure_clocks(
        &mut self,
        run: RunName,
        number: u32,
        turn: u64,
        pings: u32,
    ) -> Option<Measuring<'a>> {
        let link = self.link;
        let group = self.find_group(&run, number)?;
        group.renewed_at = Instant::now();
        if !group.states.begin_clocks(turn) {
            return None;
        }
        let names: Vec<AgentName> =
            group.order.hosts.iter().map(|(name, _)| name.clone()).collect();
        Some(Box::pin(async move {
            let all = link.ping_all(names.iter(), pings).await;
            let best = |(place, trips): (usize, Vec<_>)| {
                let best =
                    trips.iter().min_by_key(|trip: &&crate::clock::RoundTrip| trip.length_ns());
                Some((place as u32, *best?, trips.len() as u32))
            };
            let trips = all.into_iter().enumerate().filter_map(best).collect();
            (run, number, RelayClocks { turn, trips })
        }))
    }

    async fn answer_discovery(&mut self, message: Message) {
        if let Some(to) = message.reply {
            self.link.publish(to.to_string(), &self.info).await;
        }
    }

    fn handle_renewal(&mut self, message: &Message) {
        let run = message.subject.strip_suffix(".renew").and_then(|s| s.rsplit('.').next());
        let of_run = |group: &&mut Group| Some(group.order.run.as_str()) == run;
        self.groups.iter_mut().filter(of_run).for_each(|group| group.renewed_at = Instant::now());
    }

    fn take_state(&mut self, message: &Message) {
        let Ok(state) = self.link.decode::<RunState>(&message.payload) else { return };
        let mut tokens = message.subject.rsplit('.');
        let name = tokens.next().unwrap_or_default();
        let number = tokens.next().and_then(|number| number.parse().ok());
        let group = number.and_then(|number| self.find_group(&state.run.clone(), number));
        let Some(group) = group else { return };
        let place = group.order.hosts.binary_search_by(|(host, _)| host.as_str().cmp(name));
        if let Ok(place) = place {
            group.states.take(place, state);
        }
    }

    /// Tells the coordinators what changed; groups whose coordinator is gone are left.
    async fn report(&mut self) {
        if let Some(complaint) = self.link.connection.take_server_error() {
            (self.log)(&format!("the NATS server says: {complaint}"));
        }
        self.groups.retain(|group| group.renewed_at.elapsed() < LEASE);
        for group in &mut self.groups {
            let subject = message::report_subject(&group.order.run, &self.info.name);
            for report in group.states.take_reports() {
                self.link.publish(subject.clone(), &report).await;
            }
        }
    }
}

/// The next state of a host of any group; `None` without groups.
async fn next_state(groups: &mut [Group]) -> Option<Message> {
    select_all(groups.iter_mut().map(|group| &mut group.subscriber)).next().await
}
