//! The hosts of one run, led over the server: how [`method::Hosts`] is carried out.

mod acknowledge;
mod jobs;
mod measure;
mod remote_host;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use engine::StopSignal;
use fio_run::RemoteResult;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use method::{
    CellResults, HostReadiness, HostRequest, HostTransport, MethodError, Observer, ReadyHost,
};
use record::{CellRole, Fleet, FleetHost, FleetSpan, Lost, Plan, Record};
use units::{Nanos, Seed};
use workload::Job;

use super::link::{OrderError, SERVER_GONE_MAX, ServerLink, join_fetches, join_limited};
use crate::error::FleetError;
use crate::message::{self, AgentInfo, BeginRun, FetchItem, Order, Phase, RunState};
use crate::name::{AgentName, RunName};
pub use jobs::{HostJobsObserver, HostJobsRequest, HostJobsResult};
use remote_host::RemoteHost;

/// A host that says nothing for so long is lost, as long as we ourselves can be heard.
pub(crate) const SILENCE_MAX: Duration = Duration::from_secs(5);
/// How often agents are told that we are there.
const RENEW_INTERVAL: Duration = Duration::from_secs(1);
/// How long one look at what the agents say takes at most.
const LISTEN_TIME: Duration = Duration::from_millis(50);
/// How long an order is repeated.
const RUN_ORDER_TIMEOUT: Duration = Duration::from_secs(6);
/// The same towards a host that is lost: it may be back.
const LOST_ORDER_TIMEOUT: Duration = Duration::from_millis(1_500);
/// How long looking at a target may take: a disk that sleeps, a network mount.
const EXAMINE_TIMEOUT: Duration = Duration::from_secs(20);
/// What laying out takes beyond the time that it was given: the last blocks, and a sync.
const LAYOUT_GRACE: Duration = Duration::from_secs(60);
/// How long a host may judge its record.
const FINISH_TIMEOUT: Duration = Duration::from_secs(60);
/// The same of a host that was lost.
const LOST_FINISH_TIMEOUT: Duration = Duration::from_secs(8);
/// Round trips for the first measurement of a clock.
const RUN_PINGS: u32 = 60;
/// Clocks that are measured at the same time: more of them, and their messages wait for each other
/// here, which is in the round trip.
const CLOCKS_AT_ONCE: usize = 16;
/// Between the seeds of two hosts: an odd number without a pattern (2^64 over the golden ratio).
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;
/// Hosts that are named in a refusal.
const NAMED_MAX: usize = 3;

/// The hosts of one run.
pub struct FleetSession<'a> {
    link: &'a ServerLink,
    run: RunName,
    span: FleetSpan,
    /// Ascending by name.
    hosts: Vec<RemoteHost>,
    states: Subscriber,
    renewed: Instant,
    begun: Instant,
    /// Number of the next cell.
    turn: u64,
    records: Vec<Record>,
    /// Whether the server has the stream of finished records.
    has_stream: bool,
    /// What hosts gave to fio's jobs, by their numbers.
    jobs_results: Vec<(usize, RemoteResult)>,
    /// Whether agents may still have something to end.
    needs_stop: bool,
}

impl<'a> FleetSession<'a> {
    pub(super) fn new(
        link: &'a ServerLink,
        mut chosen: Vec<AgentInfo>,
        span: FleetSpan,
        run: RunName,
    ) -> Result<Self, FleetError> {
        chosen.sort_by(|a, b| a.name.cmp(&b.name));
        let states = link.block_on(link.subscribe(message::states_subject(&run)))?;
        Ok(Self {
            link,
            run,
            span,
            hosts: chosen.into_iter().map(RemoteHost::new).collect(),
            states,
            renewed: Instant::now(),
            begun: Instant::now(),
            turn: 0,
            records: Vec::new(),
            has_stream: false,
            jobs_results: Vec::new(),
            needs_stop: false,
        })
    }

    /// Its name.
    #[must_use]
    pub const fn run(&self) -> &RunName {
        &self.run
    }

    /// The records of the hosts, once the run is over.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Hosts that are not lost.
    fn live_hosts(&self) -> Vec<usize> {
        (0..self.hosts.len()).filter(|&number| self.hosts[number].lost.is_none()).collect()
    }

    /// Gives each of these hosts an order at the same time.
    fn send_to(
        &self,
        who: &[usize],
        patience: Duration,
        order: impl Fn(usize) -> Order,
    ) -> Vec<Result<(), OrderError>> {
        let orders: Vec<Order> = who.iter().map(|&number| order(number)).collect();
        let told = who.iter().zip(&orders).map(|(&number, order)| async move {
            self.link.send_order(self.hosts[number].name(), order, patience).await.map(|_| ())
        });
        self.link.block_on(join_all(told))
    }

    /// Listens to what the agents say for a moment, and tells them that we are there.
    fn receive_states(&mut self) {
        let Self { link, states, hosts: remotes, run, renewed, .. } = self;
        link.block_on(async {
            if renewed.elapsed() >= RENEW_INTERVAL {
                *renewed = Instant::now();
                link.publish(message::renewal_subject(run), &()).await;
            }
            let until = tokio::time::Instant::now() + LISTEN_TIME;
            while let Ok(Some(message)) = tokio::time::timeout_at(until, states.next()).await {
                let name = message::last_token(&message.subject);
                // They are ascending by name.
                let place = remotes.binary_search_by(|remote| remote.name().as_str().cmp(name));
                let Ok(place) = place else { continue };
                let Ok(state) = link.decode::<RunState>(&message.payload) else { continue };
                if state.run == *run {
                    remotes[place].set_state(state);
                }
            }
        });
    }

    /// Why a host is given up, where it is.
    fn silence_reason(&self, number: usize) -> Option<String> {
        if !self.link.connection.is_up() {
            let gone = self.hosts[number].last_heard().elapsed();
            return (gone > SERVER_GONE_MAX)
                .then(|| format!("the NATS server was gone for {} s", gone.as_secs()));
        }
        // What could not be heard because the server was away is no silence of the host.
        let since = self.hosts[number].last_heard().max(self.link.connection.up_since());
        let silent = since.elapsed();
        (silent > SILENCE_MAX).then(|| format!("silent for {} s", SILENCE_MAX.as_secs()))
    }

    /// Waits until each of these hosts is where `there` says; `each` is called all the while, and
    /// ends the waiting with `false`. What became of each: nothing where the waiting was ended.
    fn wait_for_phase(
        &mut self,
        who: &[usize],
        patience: Duration,
        there: &dyn Fn(&Phase) -> bool,
        each: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Vec<Option<Result<(), OrderError>>> {
        let mut came: Vec<Option<Result<(), OrderError>>> = who.iter().map(|_| None).collect();
        let mut until = Instant::now() + patience;
        while came.iter().any(Option::is_none) {
            let looked = Instant::now();
            self.receive_states();
            if !self.link.connection.is_up() {
                // While nobody can be heard, nobody is late.
                until += looked.elapsed();
            }
            for (came, &number) in came.iter_mut().zip(who) {
                if came.is_none() {
                    *came = self.check_arrival(number, there);
                    if came.is_none() && Instant::now() > until {
                        let words = format!("not done within {} s", patience.as_secs());
                        *came = Some(Err(OrderError::Silent(words)));
                    }
                }
            }
            if !each(self) {
                break;
            }
        }
        came
    }

    fn check_arrival(
        &self,
        number: usize,
        there: &dyn Fn(&Phase) -> bool,
    ) -> Option<Result<(), OrderError>> {
        match self.hosts[number].phase() {
            Some(phase) if there(phase) => Some(Ok(())),
            Some(Phase::Failed(refusal)) => Some(Err(OrderError::Refused(refusal.clone()))),
            Some(Phase::Finished { .. }) => {
                Some(Err(OrderError::Silent("it ended the run by itself".to_owned())))
            }
            _ => self.silence_reason(number).map(|words| Err(OrderError::Silent(words))),
        }
    }

    /// Gives a host up.
    fn mark_lost(&mut self, number: usize, reason: String) {
        self.hosts[number].lost.get_or_insert(Lost {
            at: Nanos(self.begun.elapsed().as_nanos().try_into().unwrap_or(u64::MAX)),
            cell: None,
            reason,
        });
    }

    /// Takes what hosts said: refusals end the run, silence loses the host.
    fn handle_replies(
        &mut self,
        who: &[usize],
        said: Vec<Option<Result<(), OrderError>>>,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        let mut refusals = Vec::new();
        for (&number, said) in who.iter().zip(said) {
            match said {
                Some(Err(OrderError::Refused(refusal))) => {
                    refusals.push((self.hosts[number].name().clone(), refusal));
                }
                Some(Err(OrderError::Silent(words))) => self.mark_lost(number, words),
                Some(Ok(())) | None => {}
            }
        }
        if stop.is_raised() {
            let hint = "nothing was measured, and nothing is left on the hosts";
            return Err(FleetError::interrupted("interrupted before anything was measured", hint));
        }
        let Some((name, refusal)) = refusals.first().cloned() else {
            return Ok(());
        };
        let others: Vec<&str> =
            refusals[1..].iter().map(|(name, _)| name.as_str()).take(NAMED_MAX).collect();
        let more = match (refusals.len() - 1, others.join(", ")) {
            (0, _) => String::new(),
            (count, names) if count <= NAMED_MAX => format!(" (and {names})"),
            (count, names) => format!(" (and {names} and {} more)", count - NAMED_MAX),
        };
        Err(FleetError::of_host(&format!("{name}{more}"), refusal))
    }

    /// Measures the clocks of hosts.
    fn measure_clocks(&mut self, who: &[usize], pings: u32) {
        let link = self.link;
        let names: Vec<AgentName> = who.iter().map(|&n| self.hosts[n].name().clone()).collect();
        let asked = names.iter().map(|name| async move {
            let mut trips = Vec::new();
            for _ in 0..pings {
                trips.extend(link.ping(name).await);
            }
            trips
        });
        let trips = link.block_on(join_limited(CLOCKS_AT_ONCE, asked));
        for (&number, trips) in who.iter().zip(trips) {
            let clock = &mut self.hosts[number].clock;
            trips.into_iter().for_each(|trip| clock.add(trip));
        }
    }

    /// Lets every guard speak.
    fn examine_targets(
        &mut self,
        asked: &HostRequest<'_>,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        let who = self.live_hosts();
        self.needs_stop = true;
        let begun = self.send_to(&who, RUN_ORDER_TIMEOUT, |number| {
            Order::Begin(Box::new(self.begin_order(asked, number)))
        });
        self.handle_replies(&who, begun.into_iter().map(Some).collect(), stop)?;
        let who = self.live_hosts();
        self.measure_clocks(&who, RUN_PINGS);
        self.hosts.iter_mut().for_each(RemoteHost::begin_drift);
        let came = self.wait_for_phase(
            &who,
            EXAMINE_TIMEOUT,
            &|phase| matches!(phase, Phase::Examined),
            &mut |_| !stop.is_raised(),
        );
        self.handle_replies(&who, came, stop)
    }

    fn begin_order(&self, asked: &HostRequest<'_>, number: usize) -> BeginRun {
        let ask = asked.ask;
        BeginRun {
            run: self.run.clone(),
            path: ask.path.clone(),
            size: ask.size,
            read_only: ask.read_only,
            destroy: ask.destroy_data_on.clone(),
            seed: host_seed(ask.seed, number),
            command: ask.command.clone(),
            setting: asked.setting.clone(),
            plan: asked.plan.clone(),
            sharing: self.span,
            hosts: self.hosts.iter().map(|remote| remote.name().clone()).collect(),
        }
    }

    /// Lets every host lay out its target.
    fn lay_out_targets(
        &mut self,
        asked: &HostRequest<'_>,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        let who = self.live_hosts();
        let told =
            self.send_to(&who, RUN_ORDER_TIMEOUT, |_| Order::Prepare { run: self.run.clone() });
        self.handle_replies(&who, told.into_iter().map(Some).collect(), stop)?;
        let who = self.live_hosts();
        let patience = Duration::from_nanos(asked.setting.layout.0) + LAYOUT_GRACE;
        let came = self.wait_for_phase(
            &who,
            patience,
            &|phase| matches!(phase, Phase::Ready),
            &mut |_| !stop.is_raised(),
        );
        self.handle_replies(&who, came, stop)
    }

    /// What each host has; those that cannot say it are lost.
    fn fetch_readiness(&mut self) -> Vec<ReadyHost> {
        let who = self.live_hosts();
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&number: &usize| {
                let name = self.hosts[number].name();
                link.fetch::<HostReadiness>(name, run, FetchItem::Readiness, RUN_ORDER_TIMEOUT)
            };
            link.block_on(join_fetches(who.iter().map(fetch)))
        };
        let mut members = Vec::new();
        for (number, fetched) in who.into_iter().zip(fetched) {
            match fetched {
                Ok(ready) => {
                    let host = FleetHost {
                        environment: ready.environment.clone(),
                        target: Some(ready.info.clone()),
                        calibration: ready.calibration.clone(),
                        ..self.hosts[number].fleet_host()
                    };
                    self.hosts[number].was_ready = true;
                    members.push(ReadyHost { host, ready });
                }
                Err(trouble) => self.mark_lost(number, trouble.message()),
            }
        }
        members
    }
}

/// Not the seed of the run itself: records are told apart by their seeds, too.
fn host_seed(seed: Seed, number: usize) -> Seed {
    let own = number as u64 + 1;
    Seed(seed.0.wrapping_add(SEED_STEP.wrapping_mul(own)))
}

impl HostTransport for FleetSession<'_> {
    fn prepare(
        &mut self,
        asked: &HostRequest<'_>,
        stop: &StopSignal,
        watch: &mut dyn Observer,
    ) -> Result<method::HostGroup, MethodError> {
        let count = self.hosts.len();
        watch.on_note(&format!("run {} on {count} hosts", self.run));
        if let Some(words) = self.prepare_stream() {
            watch.on_note(&words);
        }
        watch.on_phase("looking at the targets of all hosts", 0.0);
        self.examine_targets(asked, stop)?;
        watch.on_phase("laying out the test files of all hosts", 0.0);
        self.lay_out_targets(asked, stop)?;
        let members = self.fetch_readiness();
        let absent = self.hosts.iter().filter(|remote| remote.lost.is_some());
        let processors = members.iter().map(|member| member.ready.environment.cpus).min();
        Ok(method::HostGroup {
            run: self.run.to_string(),
            span: self.span,
            processors: processors.unwrap_or(1),
            absent: absent.map(RemoteHost::fleet_host).collect(),
            hosts: members,
        })
    }

    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&engine::Progress),
    ) -> Result<CellResults, MethodError> {
        Ok(self.measure_round(orders, role, stop, progress))
    }

    fn finish(&mut self, plan: &Plan, fleet: &mut Fleet) {
        let living = self.live_hosts();
        let lost: Vec<usize> =
            (0..self.hosts.len()).filter(|number| !living.contains(number)).collect();
        let finish = |_| Order::Finish { run: self.run.clone(), plan: Box::new(plan.clone()) };
        let told = self.send_to(&living, RUN_ORDER_TIMEOUT, finish);
        // A host that was lost may be back; what it measured until then is worth having.
        let end = |_| Order::Stop { run: Some(self.run.clone()) };
        let back = self.send_to(&lost, LOST_ORDER_TIMEOUT, end);
        let answered = |who: Vec<usize>, told: Vec<Result<(), OrderError>>| -> Vec<usize> {
            who.into_iter().zip(told).filter(|(_, t)| t.is_ok()).map(|(n, _)| n).collect()
        };
        let (living, lost) = (answered(living, told), answered(lost, back));
        self.wait_for_phase(&living, FINISH_TIMEOUT, &Phase::is_over, &mut |_| true);
        self.wait_for_phase(&lost, LOST_FINISH_TIMEOUT, &Phase::is_over, &mut |_| true);
        self.collect_records(fleet);
        self.needs_stop = false;
    }
}

impl FleetSession<'_> {
    /// Fetches every record that there is, and what is known only now.
    fn collect_records(&mut self, fleet: &mut Fleet) {
        let all: Vec<usize> = (0..self.hosts.len()).collect();
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&number: &usize| {
                let remote = &self.hosts[number];
                let patience =
                    if remote.lost.is_some() { LOST_ORDER_TIMEOUT } else { RUN_ORDER_TIMEOUT };
                link.fetch_record(remote.name(), run, patience)
            };
            link.block_on(join_fetches(all.iter().map(fetch)))
        };
        let mut places: HashMap<String, &mut FleetHost> =
            fleet.hosts.iter_mut().map(|host| (host.name.clone(), host)).collect();
        for (number, fetched) in all.into_iter().zip(fetched) {
            let remote = &mut self.hosts[number];
            let Some(host) = places.get_mut(remote.name().as_str()) else { continue };
            host.clock = remote.clock_now().or(host.clock);
            match fetched {
                Ok(record) => {
                    host.record = Some(record.measured.id.clone());
                    host.completion = Some(record.measured.completion.clone());
                    host.findings.clone_from(&record.judgement_or_default().findings);
                    remote.has_result = true;
                    self.records.push(record);
                }
                Err(trouble) if host.lost.is_none() => fleet.events.push(format!(
                    "{}: its own record is not here: {}; fetch it: truedisk fleet collect {}",
                    host.name,
                    trouble.message(),
                    self.run
                )),
                Err(_) => {}
            }
        }
    }
}

impl Drop for FleetSession<'_> {
    /// A run that came to no end is ended on the hosts: nothing is left there.
    fn drop(&mut self) {
        if !self.needs_stop {
            return;
        }
        let order = Order::Stop { run: Some(self.run.clone()) };
        let told =
            self.hosts.iter().map(|r| self.link.send_order(r.name(), &order, LOST_ORDER_TIMEOUT));
        self.link.block_on(join_all(told));
    }
}
