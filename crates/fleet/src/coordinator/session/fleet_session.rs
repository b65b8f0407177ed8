//! State of a run: orders to hosts, their states, lost hosts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::StopSignal;
use futures_util::future::join_all;
use record::reasons::{EndedItself, HostSilent, NotDoneInTime, ServerGone};
use record::{FleetSpan, Lost, OthersSeen, Record, SharedFindings};
use units::{Nanos, Seed};
use workload::Bound;

use super::cell_store::CellStore;
use super::relays::{Relays, UsableRelays};
use super::remote_host::RemoteHost;
use super::state_inbox::{Heard, RENEW_INTERVAL, StateInbox};
use crate::coordinator::link::{FETCHES_MAX, OrderError, SERVER_GONE_MAX, ServerLink};
use crate::error::FleetError;
use crate::message::{self, AgentInfo, FetchItem, NAMES_MAX, Order, Phase, RunMembers, StopCause};
use crate::name::{AgentName, RunName};

/// Silence of a host that makes it lost.
pub(crate) const SILENCE_MAX: Duration = Duration::from_secs(5);
const LISTEN_TIME: Duration = Duration::from_millis(50);
pub(super) const ORDER_TIMEOUT: Duration = Duration::from_secs(6);
/// The same for lost hosts: one may be back.
pub(super) const LOST_ORDER_TIMEOUT: Duration = Duration::from_millis(1_500);
/// A disk that sleeps, a network mount.
const EXAMINE_TIMEOUT: Duration = Duration::from_secs(20);
pub(super) const RUN_PINGS: u32 = 60;
const CLOCKS_IN_A_ROW: usize = 64;
/// 2^64 over the golden ratio, odd.
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;
const NAMED_MAX: usize = 3;

/// Keeps the record of one host, which may come with its compressed JSON; an error says why it is
/// not kept.
pub type RecordSink<'a> = &'a mut dyn FnMut(&Record, Option<&[u8]>) -> Result<(), String>;

/// A payload, complete and still compressed.
pub(super) type FetchedBytes = Result<Vec<u8>, OrderError>;

/// Hosts by number, and their errors.
pub(in crate::coordinator) type Failures = Vec<(usize, OrderError)>;

/// Whether a phase is the awaited one, or it will never come.
pub(super) type Arrival<'a> = &'a dyn Fn(&Phase) -> Option<Result<(), String>>;

pub struct FleetSession<'a> {
    pub(super) link: &'a ServerLink,
    pub(super) run: RunName,
    pub(super) span: FleetSpan,
    /// Ascending by name.
    pub(super) hosts: Vec<RemoteHost>,
    pub(super) inbox: StateInbox,
    begun: Instant,
    pub(super) turn: u64,
    pub(super) cells: CellStore,
    pub(super) keep: RecordSink<'a>,
    pub(super) findings: SharedFindings,
    /// Why records of hosts are not kept here.
    pub(super) unsaved: Option<String>,
    /// The server has the stream of finished records.
    pub(super) has_stream: bool,
    /// Hosts may have something to end.
    pub(super) needs_stop: bool,
    /// The bound on others' latency, and the signal that is raised when it is not kept.
    pub(super) stop_on: Option<(Bound, StopSignal)>,
    pub(super) waves: WaveContext,
}

/// What a wave has to know of all waves of its run.
#[derive(Default)]
pub struct WaveContext {
    /// Hosts of all waves, in the first: their guards speak before any of them is made ready.
    pub guarded: Vec<AgentInfo>,
    /// Hosts of the largest wave; 0 without waves.
    pub hosts_max: usize,
}

impl<'a> FleetSession<'a> {
    pub(crate) fn new(
        link: &'a ServerLink,
        (mut chosen, relays): (Vec<AgentInfo>, Arc<UsableRelays>),
        span: FleetSpan,
        run: RunName,
        keep: RecordSink<'a>,
    ) -> Result<Self, FleetError> {
        chosen.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self {
            inbox: StateInbox::open(link, &run, Relays::new(relays, chosen.len()))?,
            link,
            run,
            span,
            hosts: chosen.into_iter().map(RemoteHost::new).collect(),
            begun: Instant::now(),
            turn: 0,
            cells: CellStore::new()?,
            keep,
            findings: SharedFindings::default(),
            unsaved: None,
            has_stream: false,
            needs_stop: false,
            stop_on: None,
            waves: WaveContext::default(),
        })
    }

    pub fn with_waves(mut self, waves: WaveContext) -> Self {
        self.waves = waves;
        self
    }

    /// Raises `stop` when others' requests break the bound on a host.
    pub fn stop_on(mut self, bound: Option<Bound>, stop: &StopSignal) -> Self {
        self.stop_on = bound.map(|bound| (bound, stop.clone()));
        self
    }

    /// The first host on which others' requests broke the bound, and what was seen there.
    pub fn find_breach(&self) -> Option<(&AgentName, &OthersSeen)> {
        self.hosts.iter().find_map(|host| {
            let seen = host.others().filter(|seen| seen.breach.is_some())?;
            Some((host.name(), seen))
        })
    }

    /// What a host knows of the others.
    pub(super) fn members(&self, number: usize) -> RunMembers {
        let names = self.hosts.iter().cycle().skip(number).take(NAMES_MAX.min(self.hosts.len()));
        RunMembers {
            count: self.hosts.len() as u32,
            names: names.map(|host| host.name().clone()).collect(),
            group: self.inbox.relays.group_of(number),
        }
    }

    pub(super) fn live_hosts(&self) -> Vec<usize> {
        (0..self.hosts.len()).filter(|&number| self.hosts[number].lost.is_none()).collect()
    }

    pub(super) fn lost_hosts(&self) -> Vec<usize> {
        (0..self.hosts.len()).filter(|&number| self.hosts[number].lost.is_some()).collect()
    }

    pub(in crate::coordinator) fn send_to(
        &self,
        who: &[usize],
        timeout: Duration,
        order: impl Fn(usize) -> Order,
    ) -> Failures {
        self.send_until(who, timeout, &StopSignal::default(), order)
    }

    /// As [`Self::send_to`]; no answer is waited for once `stop` is raised, and none is a failure
    /// then.
    pub(in crate::coordinator) fn send_until(
        &self,
        who: &[usize],
        timeout: Duration,
        stop: &StopSignal,
        order: impl Fn(usize) -> Order,
    ) -> Failures {
        let sent = who.iter().map(|&number| {
            let name = self.hosts[number].name();
            let reply = self.link.send_order(name, &order(number), timeout);
            async move { (number, reply.await) }
        });
        let stopped = async {
            while !stop.is_raised() {
                tokio::time::sleep(LISTEN_TIME).await;
            }
        };
        let replies = self.block_on(async {
            tokio::select! {
                replies = join_all(sent) => replies,
                () = stopped => Vec::new(),
            }
        });
        replies.into_iter().filter_map(|(number, reply)| Some((number, reply.err()?))).collect()
    }

    /// Renews the run meanwhile: thousands of hosts may take as long to answer as one of them
    /// waits for its coordinator.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let renew = async {
            loop {
                tokio::time::sleep(RENEW_INTERVAL).await;
                self.link.publish(message::renewal_subject(&self.run), &()).await;
            }
        };
        self.link.block_on(async {
            tokio::select! {
                result = future => result,
                never = renew => never,
            }
        })
    }

    pub(super) fn cut(&self, who: &[usize], turn: u64) {
        self.send_to(who, ORDER_TIMEOUT, |_| Order::Cut { run: self.run.clone(), turn });
    }

    /// Fetches from some hosts at a time; `take` is given what each sent, which is kept nowhere
    /// else.
    pub(super) fn fetch_from(
        &mut self,
        who: &[usize],
        item: FetchItem,
        timeout: Duration,
        take: &mut dyn FnMut(&mut Self, usize, FetchedBytes),
    ) {
        for some in who.chunks(FETCHES_MAX) {
            let (link, run, hosts) = (self.link, &self.run, &self.hosts);
            let fetch = |&number: &usize| link.fetch(hosts[number].name(), run, item, timeout);
            let fetched = self.block_on(join_all(some.iter().map(fetch)));
            for (&number, bytes) in some.iter().zip(fetched) {
                take(self, number, bytes);
            }
        }
    }

    /// Receives states for a moment and until none waits.
    pub(super) fn receive_states(&mut self, time: Duration) {
        let heard = self.inbox.receive(self.link, &self.run, time);
        self.take_heard(heard);
    }

    /// Reads what is on the way: a host or a relay is silent if it said nothing of that.
    pub(super) fn catch_up(&mut self) {
        let heard = self.inbox.catch_up(self.link, &self.run);
        self.take_heard(heard);
    }

    fn take_heard(&mut self, heard: Vec<(String, Heard)>) {
        for (name, heard) in heard {
            match heard {
                Heard::State(state) => {
                    let by_name = |host: &RemoteHost| host.name().as_str().cmp(&name);
                    if let Ok(place) = self.hosts.binary_search_by(by_name) {
                        self.hosts[place].take_state(*state, self.stop_on.as_ref());
                    }
                }
                Heard::Report(report) => self.take_report(&name, report),
            }
        }
    }

    fn silence_reason(&self, number: usize) -> Option<::message::Message> {
        let connection = &self.link.connection;
        let last_heard = self.hosts[number].last_heard();
        if !connection.is_up() {
            let gone = last_heard.elapsed();
            return (gone > SERVER_GONE_MAX).then(|| ServerGone { seconds: gone.as_secs() }.into());
        }
        // A host is not heard while the server is away, or while nothing is read.
        let deaf_until = connection.up_since().max(self.inbox.resumed_at);
        let silent = last_heard.max(deaf_until).elapsed();
        (silent > SILENCE_MAX).then(|| HostSilent { seconds: SILENCE_MAX.as_secs() }.into())
    }

    /// Waits until each of these hosts has arrived, or `each` returns `false`.
    pub(super) fn wait_for(
        &mut self,
        who: &[usize],
        timeout: Duration,
        arrival: Arrival<'_>,
        each: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Failures {
        let mut waiting = who.to_vec();
        let mut failures = Failures::new();
        let mut until = Instant::now() + timeout;
        while !waiting.is_empty() {
            let looked = Instant::now();
            self.receive_states(LISTEN_TIME);
            let is_silent = |&number: &usize| self.silence_reason(number).is_some();
            if self.link.connection.is_up() && waiting.iter().any(is_silent) {
                self.catch_up();
            }
            self.check_relays();
            if !self.link.connection.is_up() {
                // While the server is away, no host is late.
                until += looked.elapsed();
            }
            waiting.retain(|&number| match self.check_arrival(number, arrival) {
                Some(Ok(())) => false,
                Some(Err(error)) => {
                    failures.push((number, error));
                    false
                }
                None if Instant::now() > until => {
                    let late = NotDoneInTime { seconds: timeout.as_secs() };
                    failures.push((number, OrderError::Silent(late.into())));
                    false
                }
                None => true,
            });
            if !each(self) {
                break;
            }
        }
        failures
    }

    fn check_arrival(&self, number: usize, arrival: Arrival<'_>) -> Option<Result<(), OrderError>> {
        let phase = self.hosts[number].phase();
        if let Some(arrived) = phase.and_then(arrival) {
            return Some(arrived.map_err(OrderError::from_text));
        }
        let error = match phase {
            Some(Phase::Failed(refusal)) => OrderError::Refused(refusal.clone()),
            Some(Phase::Finished { .. }) => OrderError::Silent(EndedItself {}.into()),
            _ => OrderError::Silent(self.silence_reason(number)?),
        };
        Some(Err(error))
    }

    /// Waits for the end of a cell, which `stop` ends early; `report` is called every `interval`.
    pub(super) fn wait_for_end(
        &mut self,
        who: &[usize],
        (turn, timeout, interval): (u64, Duration, Duration),
        arrival: Arrival<'_>,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Self),
    ) -> Failures {
        let (mut is_cut, mut reported) = (false, Instant::now());
        self.wait_for(who, timeout, arrival, &mut |session| {
            if stop.is_raised() && !is_cut {
                is_cut = true;
                session.cut(who, turn);
            }
            if reported.elapsed() >= interval {
                reported = Instant::now();
                report(session);
            }
            true
        })
    }

    pub(super) fn since_begin(&self) -> Nanos {
        Nanos(self.begun.elapsed().as_nanos().try_into().unwrap_or(u64::MAX))
    }

    pub(super) fn mark_lost(&mut self, number: usize, reason: impl Into<::message::Message>) {
        let at = self.since_begin();
        self.hosts[number].lost.get_or_insert(Lost { at, cell: None, reason: reason.into() });
    }

    pub(super) fn drop_failed(&mut self, who: &mut Vec<usize>, failures: Failures) {
        for (number, error) in failures {
            who.retain(|&other| other != number);
            self.mark_lost(number, error.message());
        }
    }

    /// Before anything is measured, a refusal ends the run, and silence loses the host.
    pub(super) fn check_replies(
        &mut self,
        failures: Failures,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        let mut refusals = Vec::new();
        for (number, error) in failures {
            match error {
                OrderError::Refused(refusal) => {
                    refusals.push((self.hosts[number].name().clone(), refusal));
                }
                OrderError::Silent(reason) => self.mark_lost(number, reason),
            }
        }
        if stop.is_raised() {
            let hint = "nothing was measured, and nothing is left on the hosts";
            return Err(FleetError::interrupted("interrupted before anything was measured", hint));
        }
        let Some((name, refusal)) = refusals.first().cloned() else { return Ok(()) };
        let others: Vec<&str> =
            refusals[1..].iter().map(|(name, _)| name.as_str()).take(NAMED_MAX).collect();
        let more = match (refusals.len() - 1, others.join(", ")) {
            (0, _) => String::new(),
            (count, names) if count <= NAMED_MAX => format!(" (and {names})"),
            (count, names) => format!(" (and {names} and {} more)", count - NAMED_MAX),
        };
        Err(FleetError::of_host(&format!("{name}{more}"), refusal))
    }

    pub(super) fn measure_direct_clocks(&mut self, who: &[usize], pings: u32) {
        // Thousands of clocks take longer than hosts wait for a word, and than states may queue.
        for some in who.chunks(CLOCKS_IN_A_ROW) {
            let names = some.iter().map(|&number| self.hosts[number].name());
            let trips = self.link.block_on(self.link.ping_all(names, pings));
            for (&number, trips) in some.iter().zip(trips) {
                let clock = &mut self.hosts[number].clock;
                trips.into_iter().for_each(|trip| clock.add(trip));
            }
            self.receive_states(Duration::from_millis(1));
        }
    }

    /// Begins the run on every host, and waits for the guards; clocks are measured meanwhile.
    pub(super) fn begin_run(
        &mut self,
        order: impl Fn(&Self, usize) -> Order,
        pings: u32,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        self.needs_stop = true;
        self.begin_relays();
        let who = self.live_hosts();
        let refused = self.send_until(&who, ORDER_TIMEOUT, stop, |n| order(self, n));
        self.check_replies(refused, stop)?;
        let who = self.live_hosts();
        self.measure_clocks(&who, pings);
        self.hosts.iter_mut().for_each(RemoteHost::begin_drift);
        let examined = |phase: &Phase| matches!(phase, Phase::Examined { .. }).then_some(Ok(()));
        let refused = self.wait_for(&who, EXAMINE_TIMEOUT, &examined, &mut |_| !stop.is_raised());
        self.check_replies(refused, stop)
    }

    pub(super) fn stop_order(&self, cause: StopCause) -> Order {
        Order::Stop { run: Some(self.run.clone()), cause }
    }

    /// Lets every host lay out its targets, and waits for a phase.
    /// The hosts that will not be ready, and the time in which all answered the order.
    pub(super) fn prepare_hosts(
        &mut self,
        timeout: Duration,
        arrival: Arrival<'_>,
        stop: &StopSignal,
    ) -> Result<(Failures, Duration), FleetError> {
        let sent = Instant::now();
        let prepare = |_| Order::Prepare { run: self.run.clone() };
        let refused = self.send_until(&self.live_hosts(), ORDER_TIMEOUT, stop, prepare);
        let order_time = sent.elapsed();
        self.check_replies(refused, stop)?;
        let who = self.live_hosts();
        Ok((self.wait_for(&who, timeout, arrival, &mut |_| !stop.is_raised()), order_time))
    }
}

/// Differs from the seed of the run itself: seeds tell records apart.
pub(super) fn host_seed(seed: Seed, number: usize) -> Seed {
    Seed(seed.0.wrapping_add(SEED_STEP.wrapping_mul(number as u64 + 1)))
}

impl Drop for FleetSession<'_> {
    /// A run that did not finish is ended on the hosts.
    fn drop(&mut self) {
        if self.needs_stop {
            let all: Vec<usize> = (0..self.hosts.len()).collect();
            let stop = |_| self.stop_order(StopCause::Coordinator);
            self.send_to(&all, LOST_ORDER_TIMEOUT, stop);
        }
        self.end_relays();
    }
}
