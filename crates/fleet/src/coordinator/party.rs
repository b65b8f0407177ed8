//! The hosts of one run, led over the server: how [`method::Hosts`] is carried out.

mod jobs;
mod measure;
mod remote;
mod safe;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use engine::StopFlag;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use method::fio::Given;
use method::{Asked, Hosts, Member, MethodError, Readiness, Round, Watch};
use record::{CellRole, Fleet, FleetHost, FleetSpan, Lost, Plan, Record};
use units::{Nanos, Seed};
use workload::Job;

use super::link::{Link, SERVER_GONE, Trouble, at_most, some_at_a_time};
use crate::error::FleetError;
use crate::message::{self, Begin, Introduction, Order, Phase, State, What};
use crate::name::{Name, RunName};
pub use jobs::{JobsAsked, JobsHost, JobsWatch};
use remote::Remote;

/// A host that says nothing for so long is lost, as long as we ourselves can be heard.
pub(crate) const SILENT: Duration = Duration::from_secs(5);
/// How often agents are told that we are there.
const RENEW: Duration = Duration::from_secs(1);
/// How long one look at what the agents say takes at most.
const LOOK: Duration = Duration::from_millis(50);
/// How long an order is repeated.
const PATIENCE: Duration = Duration::from_secs(6);
/// The same towards a host that is lost: it may be back.
const PATIENCE_LOST: Duration = Duration::from_millis(1_500);
/// How long looking at a target may take: a disk that sleeps, a network mount.
const EXAMINE: Duration = Duration::from_secs(20);
/// What laying out takes beyond the time that it was given: the last blocks, and a sync.
const LAYOUT_MORE: Duration = Duration::from_secs(60);
/// How long a host may judge its record.
const FINISH: Duration = Duration::from_secs(60);
/// The same of a host that was lost.
const FINISH_LOST: Duration = Duration::from_secs(8);
/// Round trips for the first measurement of a clock.
const PINGS: u32 = 60;
/// Clocks that are measured at the same time: more of them, and their messages wait for each other
/// here, which is in the round trip.
const CLOCKS: usize = 16;
/// Between the seeds of two hosts: an odd number without a pattern (2^64 over the golden ratio).
const BETWEEN_SEEDS: u64 = 0x9E37_79B9_7F4A_7C15;
/// Hosts that are named in a refusal.
const NAMED: usize = 3;

/// The hosts of one run.
pub struct Party<'a> {
    link: &'a Link,
    run: RunName,
    span: FleetSpan,
    /// Ascending by name.
    remotes: Vec<Remote>,
    states: Subscriber,
    renewed: Instant,
    begun: Instant,
    /// Number of the next cell.
    turn: u64,
    records: Vec<Record>,
    /// Whether the server has the stream of finished records.
    streamed: bool,
    /// What hosts gave to fio's jobs, by their numbers.
    given: Vec<(usize, Given)>,
    /// Whether agents may still have something to end.
    open: bool,
}

impl<'a> Party<'a> {
    pub(super) fn new(
        link: &'a Link,
        mut chosen: Vec<Introduction>,
        span: FleetSpan,
        run: RunName,
    ) -> Result<Self, FleetError> {
        chosen.sort_by(|a, b| a.name.cmp(&b.name));
        let states = link.wait(link.subscribe(message::states(&run)))?;
        Ok(Self {
            link,
            run,
            span,
            remotes: chosen.into_iter().map(Remote::new).collect(),
            states,
            renewed: Instant::now(),
            begun: Instant::now(),
            turn: 0,
            records: Vec::new(),
            streamed: false,
            given: Vec::new(),
            open: false,
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
    fn living(&self) -> Vec<usize> {
        (0..self.remotes.len()).filter(|&number| self.remotes[number].lost.is_none()).collect()
    }

    /// Gives each of these hosts an order at the same time.
    fn tell(
        &self,
        who: &[usize],
        patience: Duration,
        order: impl Fn(usize) -> Order,
    ) -> Vec<Result<(), Trouble>> {
        let orders: Vec<Order> = who.iter().map(|&number| order(number)).collect();
        let told = who.iter().zip(&orders).map(|(&number, order)| async move {
            self.link.order(self.remotes[number].name(), order, patience).await.map(|_| ())
        });
        self.link.wait(join_all(told))
    }

    /// Listens to what the agents say for a moment, and tells them that we are there.
    fn listen(&mut self) {
        let Self { link, states, remotes, run, renewed, .. } = self;
        link.wait(async {
            if renewed.elapsed() >= RENEW {
                *renewed = Instant::now();
                link.publish(message::renewal(run), &()).await;
            }
            let until = tokio::time::Instant::now() + LOOK;
            while let Ok(Some(message)) = tokio::time::timeout_at(until, states.next()).await {
                let name = message::order_of(&message.subject);
                // They are ascending by name.
                let place = remotes.binary_search_by(|remote| remote.name().as_str().cmp(name));
                let Ok(place) = place else { continue };
                let Ok(state) = link.read::<State>(&message.payload) else { continue };
                if state.run == *run {
                    remotes[place].heard(state);
                }
            }
        });
    }

    /// Why a host is given up, where it is.
    fn silent(&self, number: usize) -> Option<String> {
        if !self.link.line.is_up() {
            let gone = self.remotes[number].last_heard().elapsed();
            return (gone > SERVER_GONE)
                .then(|| format!("the NATS server was gone for {} s", gone.as_secs()));
        }
        // What could not be heard because the server was away is no silence of the host.
        let since = self.remotes[number].last_heard().max(self.link.line.since());
        let silent = since.elapsed();
        (silent > SILENT).then(|| format!("silent for {} s", SILENT.as_secs()))
    }

    /// Waits until each of these hosts is where `there` says; `each` is called all the while, and
    /// ends the waiting with `false`. What became of each: nothing where the waiting was ended.
    fn wait_for(
        &mut self,
        who: &[usize],
        patience: Duration,
        there: &dyn Fn(&Phase) -> bool,
        each: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Vec<Option<Result<(), Trouble>>> {
        let mut came: Vec<Option<Result<(), Trouble>>> = who.iter().map(|_| None).collect();
        let mut until = Instant::now() + patience;
        while came.iter().any(Option::is_none) {
            let looked = Instant::now();
            self.listen();
            if !self.link.line.is_up() {
                // While nobody can be heard, nobody is late.
                until += looked.elapsed();
            }
            for (came, &number) in came.iter_mut().zip(who) {
                if came.is_none() {
                    *came = self.arrived(number, there);
                    if came.is_none() && Instant::now() > until {
                        let words = format!("not done within {} s", patience.as_secs());
                        *came = Some(Err(Trouble::Silent(words)));
                    }
                }
            }
            if !each(self) {
                break;
            }
        }
        came
    }

    fn arrived(
        &self,
        number: usize,
        there: &dyn Fn(&Phase) -> bool,
    ) -> Option<Result<(), Trouble>> {
        match self.remotes[number].phase() {
            Some(phase) if there(phase) => Some(Ok(())),
            Some(Phase::Failed { what, hint, status }) => Some(Err(Trouble::Refused {
                what: what.clone(),
                hint: hint.clone(),
                status: *status,
            })),
            Some(Phase::Finished { .. }) => {
                Some(Err(Trouble::Silent("it ended the run by itself".to_owned())))
            }
            _ => self.silent(number).map(|words| Err(Trouble::Silent(words))),
        }
    }

    /// Gives a host up.
    fn lose(&mut self, number: usize, reason: String) {
        self.remotes[number].lost.get_or_insert(Lost {
            at: Nanos(self.begun.elapsed().as_nanos().try_into().unwrap_or(u64::MAX)),
            cell: None,
            reason,
        });
    }

    /// Takes what hosts said: refusals end the run, silence loses the host.
    fn sift(
        &mut self,
        who: &[usize],
        said: Vec<Option<Result<(), Trouble>>>,
        stop: &StopFlag,
    ) -> Result<(), FleetError> {
        let mut refusals = Vec::new();
        for (&number, said) in who.iter().zip(said) {
            match said {
                Some(Err(Trouble::Refused { what, hint, status })) => {
                    refusals.push((self.remotes[number].name().clone(), what, hint, status));
                }
                Some(Err(Trouble::Silent(words))) => self.lose(number, words),
                Some(Ok(())) | None => {}
            }
        }
        if stop.is_raised() {
            let hint = "nothing was measured, and nothing is left on the hosts";
            return Err(FleetError::interrupted("interrupted before anything was measured", hint));
        }
        let Some((name, what, hint, status)) = refusals.first().cloned() else {
            return Ok(());
        };
        let others: Vec<&str> =
            refusals[1..].iter().map(|(name, ..)| name.as_str()).take(NAMED).collect();
        let more = match (refusals.len() - 1, others.join(", ")) {
            (0, _) => String::new(),
            (count, names) if count <= NAMED => format!(" (and {names})"),
            (count, names) => format!(" (and {names} and {} more)", count - NAMED),
        };
        Err(FleetError::of_host(&format!("{name}{more}"), &what, hint, status))
    }

    /// Measures the clocks of hosts.
    fn clocks(&mut self, who: &[usize], pings: u32) {
        let link = self.link;
        let names: Vec<Name> = who.iter().map(|&n| self.remotes[n].name().clone()).collect();
        let asked = names.iter().map(|name| async move {
            let mut trips = Vec::new();
            for _ in 0..pings {
                trips.extend(link.ping(name).await);
            }
            trips
        });
        let trips = link.wait(at_most(CLOCKS, asked));
        for (&number, trips) in who.iter().zip(trips) {
            let clock = &mut self.remotes[number].clock;
            trips.into_iter().for_each(|trip| clock.note(trip));
        }
    }

    /// Lets every guard speak.
    fn examine(&mut self, asked: &Asked<'_>, stop: &StopFlag) -> Result<(), FleetError> {
        let who = self.living();
        self.open = true;
        let begun =
            self.tell(&who, PATIENCE, |number| Order::Begin(Box::new(self.begin(asked, number))));
        self.sift(&who, begun.into_iter().map(Some).collect(), stop)?;
        let who = self.living();
        self.clocks(&who, PINGS);
        self.remotes.iter_mut().for_each(Remote::begin);
        let came =
            self.wait_for(&who, EXAMINE, &|phase| matches!(phase, Phase::Examined), &mut |_| {
                !stop.is_raised()
            });
        self.sift(&who, came, stop)
    }

    fn begin(&self, asked: &Asked<'_>, number: usize) -> Begin {
        let ask = asked.ask;
        Begin {
            run: self.run.clone(),
            path: ask.path.clone(),
            size: ask.size,
            read_only: ask.read_only,
            destroy: ask.destroy.clone(),
            seed: own_seed(ask.seed, number),
            command: ask.command.clone(),
            setting: asked.setting.clone(),
            plan: asked.plan.clone(),
            sharing: self.span,
            hosts: self.remotes.iter().map(|remote| remote.name().clone()).collect(),
        }
    }

    /// Lets every host lay out its target.
    fn lay_out(&mut self, asked: &Asked<'_>, stop: &StopFlag) -> Result<(), FleetError> {
        let who = self.living();
        let told = self.tell(&who, PATIENCE, |_| Order::Prepare { run: self.run.clone() });
        self.sift(&who, told.into_iter().map(Some).collect(), stop)?;
        let who = self.living();
        let patience = Duration::from_nanos(asked.setting.layout.0) + LAYOUT_MORE;
        let came =
            self.wait_for(&who, patience, &|phase| matches!(phase, Phase::Ready), &mut |_| {
                !stop.is_raised()
            });
        self.sift(&who, came, stop)
    }

    /// What each host has; those that cannot say it are lost.
    fn members(&mut self) -> Vec<Member> {
        let who = self.living();
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&number: &usize| {
                let name = self.remotes[number].name();
                link.fetch::<Readiness>(name, run, What::Readiness, PATIENCE)
            };
            link.wait(some_at_a_time(who.iter().map(fetch)))
        };
        let mut members = Vec::new();
        for (number, fetched) in who.into_iter().zip(fetched) {
            match fetched {
                Ok(ready) => {
                    let host = FleetHost {
                        environment: ready.environment.clone(),
                        target: Some(ready.info.clone()),
                        calibration: ready.calibration.clone(),
                        ..self.remotes[number].host()
                    };
                    self.remotes[number].was_ready = true;
                    members.push(Member { host, ready });
                }
                Err(trouble) => self.lose(number, trouble.words()),
            }
        }
        members
    }
}

/// Not the seed of the run itself: records are told apart by their seeds, too.
fn own_seed(seed: Seed, number: usize) -> Seed {
    let own = number as u64 + 1;
    Seed(seed.0.wrapping_add(BETWEEN_SEEDS.wrapping_mul(own)))
}

impl Hosts for Party<'_> {
    fn prepare(
        &mut self,
        asked: &Asked<'_>,
        stop: &StopFlag,
        watch: &mut dyn Watch,
    ) -> Result<method::Party, MethodError> {
        let count = self.remotes.len();
        watch.note(&format!("run {} on {count} hosts", self.run));
        if let Some(words) = self.prepare_stream() {
            watch.note(&words);
        }
        watch.phase("looking at the targets of all hosts", 0.0);
        self.examine(asked, stop)?;
        watch.phase("laying out the test files of all hosts", 0.0);
        self.lay_out(asked, stop)?;
        let members = self.members();
        let absent = self.remotes.iter().filter(|remote| remote.lost.is_some());
        let processors = members.iter().map(|member| member.ready.environment.cpus).min();
        Ok(method::Party {
            run: self.run.to_string(),
            span: self.span,
            processors: processors.unwrap_or(1),
            absent: absent.map(Remote::host).collect(),
            members,
        })
    }

    fn measure(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&engine::Progress),
    ) -> Result<Round, MethodError> {
        Ok(self.round(orders, role, stop, progress))
    }

    fn finish(&mut self, plan: &Plan, fleet: &mut Fleet) {
        let living = self.living();
        let lost: Vec<usize> =
            (0..self.remotes.len()).filter(|number| !living.contains(number)).collect();
        let finish = |_| Order::Finish { run: self.run.clone(), plan: Box::new(plan.clone()) };
        let told = self.tell(&living, PATIENCE, finish);
        // A host that was lost may be back; what it measured until then is worth having.
        let end = |_| Order::Stop { run: Some(self.run.clone()) };
        let back = self.tell(&lost, PATIENCE_LOST, end);
        let answered = |who: Vec<usize>, told: Vec<Result<(), Trouble>>| -> Vec<usize> {
            who.into_iter().zip(told).filter(|(_, t)| t.is_ok()).map(|(n, _)| n).collect()
        };
        let (living, lost) = (answered(living, told), answered(lost, back));
        self.wait_for(&living, FINISH, &Phase::is_over, &mut |_| true);
        self.wait_for(&lost, FINISH_LOST, &Phase::is_over, &mut |_| true);
        self.gather(fleet);
        self.open = false;
    }
}

impl Party<'_> {
    /// Fetches every record that there is, and what is known only now.
    fn gather(&mut self, fleet: &mut Fleet) {
        let all: Vec<usize> = (0..self.remotes.len()).collect();
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&number: &usize| {
                let remote = &self.remotes[number];
                let patience = if remote.lost.is_some() { PATIENCE_LOST } else { PATIENCE };
                link.fetch_record(remote.name(), run, patience)
            };
            link.wait(some_at_a_time(all.iter().map(fetch)))
        };
        let mut places: HashMap<String, &mut FleetHost> =
            fleet.hosts.iter_mut().map(|host| (host.name.clone(), host)).collect();
        for (number, fetched) in all.into_iter().zip(fetched) {
            let remote = &mut self.remotes[number];
            let Some(host) = places.get_mut(remote.name().as_str()) else { continue };
            host.clock = remote.clock_now().or(host.clock);
            match fetched {
                Ok(record) => {
                    host.record = Some(record.measured.id.clone());
                    host.completion = Some(record.measured.completion.clone());
                    host.findings.clone_from(&record.judged().findings);
                    remote.gathered = true;
                    self.records.push(record);
                }
                Err(trouble) if host.lost.is_none() => fleet.events.push(format!(
                    "{}: its own record is not here: {}; fetch it: truedisk fleet collect {}",
                    host.name,
                    trouble.words(),
                    self.run
                )),
                Err(_) => {}
            }
        }
    }
}

impl Drop for Party<'_> {
    /// A run that came to no end is ended on the hosts: nothing is left there.
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        let order = Order::Stop { run: Some(self.run.clone()) };
        let told = self.remotes.iter().map(|r| self.link.order(r.name(), &order, PATIENCE_LOST));
        self.link.wait(join_all(told));
    }
}
