//! Orders to hosts that are slow together, late, or silent.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use engine::StopSignal;
use lab::{NatsServer as Server, Need, skip_unless};
use record::{Environment, FleetSpan, Record};

use super::*;
use crate::coordinator::session::{FleetSession, RecordSink};
use crate::message::AgentInfo;

const PATIENCE: Duration = Duration::from_secs(1);
const SILENT: &str = "silent";

/// Hosts of a thread, which serve until it is dropped.
struct SlowHosts {
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl SlowHosts {
    /// Answers the first order to each host but `silent`, one after the other: `pace` apart, or
    /// each after a renewal.
    fn start(server: &NatsServer, pace: Option<Duration>) -> SlowHosts {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (client, _) = runtime.block_on(server.connect("slow hosts")).unwrap();
        let subscribe = |subject: &'static str| {
            let subscriber = runtime.block_on(client.subscribe(subject)).unwrap();
            runtime.block_on(client.flush()).unwrap();
            subscriber
        };
        let (orders, renewals) =
            (subscribe("truedisk.v1.agent.*.*"), subscribe(message::renewals_subject()));
        let (end, ended) = oneshot::channel();
        let serving = async move {
            tokio::select! {
                () = answer_orders(&client, orders, renewals, pace) => {}
                _ = ended => {}
            }
        };
        let thread = thread::spawn(move || runtime.block_on(serving));
        SlowHosts { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for SlowHosts {
    fn drop(&mut self) {
        drop(self.end.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

async fn answer_orders(
    client: &Client,
    mut orders: Subscriber,
    mut renewals: Subscriber,
    pace: Option<Duration>,
) {
    let mut answered = HashSet::new();
    while let Some(order) = orders.next().await {
        if order.subject.contains(SILENT) || !answered.insert(order.subject.to_string()) {
            continue;
        }
        match pace {
            // sleeps because that is how slow the hosts are
            Some(pace) => tokio::time::sleep(pace).await,
            None => drop(renewals.next().await.unwrap()),
        }
        let accepted = message::encode(&Version::current("1.0"), &Reply::Accepted).unwrap();
        client.publish(order.reply.unwrap(), accepted.into()).await.unwrap();
    }
}

fn start_server() -> (Server, NatsServer) {
    let server = Server::start_on_loopback().unwrap();
    let address = NatsServer { url: server.url(), ..NatsServer::default() };
    (server, address)
}

fn prepare() -> Order {
    Order::Prepare { run: "r1".parse().unwrap() }
}

/// What comes of one order to each of these hosts and to a silent one.
fn send_orders(hosts: usize, pace: Duration, patience: Duration) -> Vec<Option<OrderError>> {
    let (_server, address) = start_server();
    let link = ServerLink::open(&address, "test", "1.0").unwrap();
    let _agents = SlowHosts::start(&address, Some(pace));
    let mut names: Vec<AgentName> =
        (0..hosts).map(|number| format!("h{number}").parse().unwrap()).collect();
    names.push(SILENT.parse().unwrap());
    let order = prepare();
    let send = async |name: &AgentName| link.send_order(name, &order, patience).await.err();
    link.block_on(futures_util::future::join_all(names.iter().map(send)))
}

/// Seconds that a silent host was waited for.
fn waited_s(error: Option<&OrderError>) -> u64 {
    let words = error.expect("an order that was not answered").message().text().to_owned();
    let digits: String = words.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no time in '{words}'"))
}

#[test]
fn hosts_that_are_slow_together_are_waited_for_and_a_silent_one_is_not() {
    skip_unless!(Need::Program("nats-server"));
    let errors = send_orders(20, Duration::from_millis(150), PATIENCE);
    let (silent, others) = errors.split_last().unwrap();
    assert!(others.iter().all(Option::is_none), "{others:?}");
    assert!(waited_s(silent.as_ref()) >= 3, "it is not lost before the others: {silent:?}");
}

#[test]
fn a_silent_host_among_fast_ones_is_given_up_after_the_patience() {
    skip_unless!(Need::Program("nats-server"));
    let errors = send_orders(2, Duration::ZERO, PATIENCE);
    let (silent, others) = errors.split_last().unwrap();
    assert!(others.iter().all(Option::is_none), "{others:?}");
    assert!(waited_s(silent.as_ref()) < u64::from(PATIENCE_MAX), "{silent:?}");
}

#[test]
fn an_answer_to_an_order_that_was_repeated_meanwhile_counts() {
    skip_unless!(Need::Program("nats-server"));
    let late = REPEAT_INTERVAL + Duration::from_millis(500);
    let errors = send_orders(1, late, 2 * REPEAT_INTERVAL);
    assert!(errors[0].is_none(), "{errors:?}");
}

/// A run of one host.
fn begin_session<'a>(link: &'a ServerLink, host: &str, keep: RecordSink<'a>) -> FleetSession<'a> {
    let agent = AgentInfo {
        name: host.parse().unwrap(),
        instance: 1,
        labels: BTreeMap::new(),
        environment: Environment::default(),
        allow: Vec::new(),
        read_only: true,
        busy: None,
        relay: false,
        kept: Vec::new(),
    };
    let group = (vec![agent], Arc::default());
    FleetSession::new(link, group, FleetSpan::Own, "r1".parse().unwrap(), keep).unwrap()
}

#[test]
fn a_run_is_renewed_while_orders_wait_for_answers() {
    skip_unless!(Need::Program("nats-server"));
    let (_server, address) = start_server();
    let link = ServerLink::open(&address, "test", "1.0").unwrap();
    let _agents = SlowHosts::start(&address, None);
    let keep = &mut |_: &Record, _: Option<&[u8]>| Ok(());
    let session = begin_session(&link, "h1", keep);
    let failures = session.send_to(&[0], 3 * REPEAT_INTERVAL, |_| prepare());
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn an_interrupt_waits_for_no_answer() {
    skip_unless!(Need::Program("nats-server"));
    let (_server, address) = start_server();
    let link = ServerLink::open(&address, "test", "1.0").unwrap();
    let _agents = SlowHosts::start(&address, Some(Duration::ZERO));
    let keep = &mut |_: &Record, _: Option<&[u8]>| Ok(());
    let session = begin_session(&link, SILENT, keep);
    let (stop, begun) = (StopSignal::default(), Instant::now());
    let failures = thread::scope(|scope| {
        scope.spawn(|| {
            // sleeps because the order is to be under way
            thread::sleep(Duration::from_millis(300));
            stop.raise();
        });
        session.send_until(&[0], 60 * PATIENCE, &stop, |_| prepare())
    });
    assert!(failures.is_empty(), "{failures:?}");
    assert!(begun.elapsed() < 10 * PATIENCE, "{:?}", begun.elapsed());
}

#[test]
fn a_silent_host_does_not_hold_up_orders_to_others() {
    skip_unless!(Need::Program("nats-server"));
    let (_server, address) = start_server();
    let link = ServerLink::open(&address, "test", "1.0").unwrap();
    let _agents = SlowHosts::start(&address, Some(Duration::ZERO));
    let mut names: Vec<AgentName> = vec![SILENT.parse().unwrap()];
    names.extend((0..2 * ORDERS_MAX).map(|number| format!("h{number}").parse().unwrap()));
    let (taken, order) = (Cell::new(0), prepare());
    let some = names.iter().inspect(|_| taken.set(taken.get() + 1));
    let all_taken = async {
        while taken.get() < names.len() {
            // sleeps because the others have to answer
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let is_all = link.block_on(async {
        tokio::select! {
            _ = link.send_to_some(some, &order, 20 * PATIENCE) => false,
            () = all_taken => true,
        }
    });
    assert!(is_all, "{} of {} while the first is silent", taken.get(), names.len());
}
