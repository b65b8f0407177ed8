//! fio's jobs on all hosts: looked through by every guard, laid out, started at one instant,
//! watched, and fetched.

use std::path::Path;
use std::time::{Duration, Instant};

use engine::StopSignal;
use fio::plan::Section;
use fio_run::{RemoteResult, SentJobs};
use futures_util::future::join_all;
use method::HostResult;
use record::Lost;
use units::{Nanos, Seed};

use super::{
    EXAMINE_TIMEOUT, FleetSession, LOST_ORDER_TIMEOUT, RUN_ORDER_TIMEOUT, RUN_PINGS, RemoteHost,
    host_seed,
};
use crate::agent::{JOBS_TURN as START_TURN, SavedJobs};
use crate::error::FleetError;
use crate::message::{BeginJobs, FetchItem, JobsProgress, Order, Phase};
use crate::name::AgentName;

/// Making files, and running jobs that end by size, take what they take: a host that says that it
/// is at it is waited for. Agents take no job of more than a day; there are waves of them.
const JOBS_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often it is told how all of them go: as often as each of them says it.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// What a host said of how it goes is told no longer: it says so twice a second.
const STALE_AFTER: Duration = Duration::from_millis(1_500);

/// What hosts are asked to run.
#[derive(Clone, Copy)]
pub struct HostJobsRequest<'a> {
    /// The jobs, as they are sent.
    pub jobs: &'a SentJobs,
    /// The same, typed: what hosts give is held against them.
    pub sections: &'a [Section],
    /// Write nothing, and make nothing.
    pub read_only: bool,
    /// The device whose data may be destroyed.
    pub destroy: Option<&'a Path>,
    /// For jobs that do not repeat their seed.
    pub fresh: Seed,
}

/// What one host gave.
#[derive(Debug)]
pub struct HostJobsResult {
    /// Its name.
    pub name: AgentName,
    /// How wrong its start can be known at most; absent where its clock was never measured.
    pub clock_error: Option<Nanos>,
    /// When and why it was given up.
    pub lost: Option<Lost>,
    /// Its figures; absent of a host that was lost.
    pub given: Option<RemoteResult>,
}

/// What is told while hosts run jobs.
pub trait HostJobsObserver {
    /// Something worth saying that is no result.
    fn note(&mut self, text: &str);
    /// How all hosts go together; about twice a second.
    fn going(&mut self, going: &JobsProgress);
}

impl FleetSession<'_> {
    /// Runs jobs of fio on all hosts, from one instant; later waves start by themselves on each.
    ///
    /// # Errors
    /// What one host refuses, before any of them has begun; that none is left.
    pub fn run_jobs(
        &mut self,
        asked: &HostJobsRequest<'_>,
        stop: &StopSignal,
        watch: &mut dyn HostJobsObserver,
    ) -> Result<Vec<HostJobsResult>, FleetError> {
        watch.note(&format!("run {} on {} hosts", self.run, self.hosts.len()));
        self.examine_jobs(asked, stop)?;
        self.prepare_jobs(stop)?;
        let mut left: Vec<(usize, usize)> = self.live_hosts().into_iter().map(|n| (n, n)).collect();
        let mut gave: Vec<HostResult> = self.hosts.iter().map(|_| HostResult::Idle).collect();
        self.start_cell(&mut left, START_TURN, &mut gave);
        self.watch_jobs(&mut left, stop, watch, &mut gave);
        self.fetch_results(&left, asked.sections);
        if self.hosts.iter().all(|remote| !remote.has_result) {
            return Err(self.all_lost());
        }
        Ok(self.host_results())
    }

    /// Lets every host look through the jobs, and every guard speak.
    fn examine_jobs(
        &mut self,
        asked: &HostJobsRequest<'_>,
        stop: &StopSignal,
    ) -> Result<(), FleetError> {
        let who = self.live_hosts();
        let begin = |number: usize| BeginJobs {
            run: self.run.clone(),
            jobs: asked.jobs.clone(),
            read_only: asked.read_only,
            destroy: asked.destroy.map(Path::to_owned),
            fresh: host_seed(asked.fresh, number),
            hosts: self.hosts.iter().map(|remote| remote.name().clone()).collect(),
        };
        if let Err(error) = self.link.check_size(&Order::BeginJobs(Box::new(begin(0)))) {
            let what = format!("the jobs are too many for one message to a host: {error}");
            return Err(FleetError::wrong_request(what, "use numjobs=N for N copies of a section"));
        }
        let told = self
            .send_to(&who, RUN_ORDER_TIMEOUT, |number| Order::BeginJobs(Box::new(begin(number))));
        self.needs_stop = true;
        self.handle_replies(&who, told.into_iter().map(Some).collect(), stop)?;
        let who = self.live_hosts();
        self.measure_clocks(&who, RUN_PINGS);
        self.hosts.iter_mut().for_each(RemoteHost::begin_drift);
        let there = |phase: &Phase| matches!(phase, Phase::Examined);
        let came = self.wait_for_phase(&who, EXAMINE_TIMEOUT, &there, &mut |_| !stop.is_raised());
        self.handle_replies(&who, came, stop)
    }

    /// Lets every host lay out its files and make its first wave ready.
    fn prepare_jobs(&mut self, stop: &StopSignal) -> Result<(), FleetError> {
        let who = self.live_hosts();
        let told =
            self.send_to(&who, RUN_ORDER_TIMEOUT, |_| Order::Prepare { run: self.run.clone() });
        self.handle_replies(&who, told.into_iter().map(Some).collect(), stop)?;
        let who = self.live_hosts();
        let there = |phase: &Phase| *phase == Phase::Armed { turn: START_TURN };
        let came = self.wait_for_phase(&who, JOBS_TIMEOUT, &there, &mut |_| !stop.is_raised());
        if stop.is_raised() {
            let hint = "files that the jobs had made by then are left on the hosts, as fio does it";
            return Err(FleetError::interrupted("interrupted before anything was measured", hint));
        }
        self.handle_replies(&who, came, stop)?;
        if self.live_hosts().is_empty() {
            return Err(self.all_lost());
        }
        Ok(())
    }

    /// Waits for the end, and tells how it goes.
    fn watch_jobs(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        stop: &StopSignal,
        watch: &mut dyn HostJobsObserver,
        gave: &mut [HostResult],
    ) {
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        let there = |phase: &Phase| matches!(phase, Phase::Finished { .. });
        let (mut cut, mut told) = (false, Instant::now());
        let of = numbers.clone();
        let came = self.wait_for_phase(&numbers, JOBS_TIMEOUT, &there, &mut |party| {
            if stop.is_raised() && !cut {
                cut = true;
                let run = party.run.clone();
                party.send_to(&of, RUN_ORDER_TIMEOUT, |_| Order::Cut {
                    run: run.clone(),
                    turn: START_TURN,
                });
            }
            if told.elapsed() >= PROGRESS_INTERVAL {
                told = Instant::now();
                if let Some(together) = party.total_progress(&of) {
                    watch.going(&together);
                }
            }
            true
        });
        self.drop_lost(left, came, gave);
    }

    /// How these hosts go together; one that has ended, or is silent, goes no more.
    fn total_progress(&self, who: &[usize]) -> Option<JobsProgress> {
        let running = |remote: &&RemoteHost| {
            matches!(remote.phase(), Some(Phase::Measuring { .. }))
                && remote.last_heard().elapsed() < STALE_AFTER
        };
        let remotes = who.iter().map(|&number| &self.hosts[number]).filter(running);
        remotes.filter_map(RemoteHost::jobs_progress).fold(
            None,
            |sum: Option<JobsProgress>, going| match sum {
                None => Some(going.clone()),
                Some(mut sum) => {
                    sum.add(going);
                    Some(sum)
                }
            },
        )
    }

    /// Fetches what each host gave; hosts that are lost are told to end, and keep what they have.
    fn fetch_results(&mut self, left: &[(usize, usize)], sections: &[Section]) {
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&(_, number): &(usize, usize)| {
                let name = self.hosts[number].name();
                link.fetch::<SavedJobs>(name, run, FetchItem::Record, RUN_ORDER_TIMEOUT)
            };
            link.block_on(join_all(left.iter().map(fetch)))
        };
        for (&(_, number), fetched) in left.iter().zip(fetched) {
            let given = match fetched {
                Ok(kept) => match kept.given.find_contradiction(sections) {
                    None => Ok(kept.given),
                    Some(what) => Err(format!("what it gave is not believed: {what}")),
                },
                Err(trouble) => Err(trouble.message()),
            };
            match given {
                Ok(given) => {
                    self.hosts[number].has_result = true;
                    self.jobs_results.push((number, given));
                }
                Err(what) => self.mark_lost(number, what),
            }
        }
        let lost: Vec<usize> =
            (0..self.hosts.len()).filter(|&n| self.hosts[n].lost.is_some()).collect();
        self.send_to(&lost, LOST_ORDER_TIMEOUT, |_| Order::Stop { run: Some(self.run.clone()) });
        self.needs_stop = false;
    }

    /// What became of every host.
    fn host_results(&mut self) -> Vec<HostJobsResult> {
        let mut given = std::mem::take(&mut self.jobs_results);
        let hosts = self.hosts.iter().enumerate().map(|(number, remote)| {
            let place = given.iter().position(|(of, _)| *of == number);
            HostJobsResult {
                name: remote.name().clone(),
                clock_error: remote.clock_now().map(|clock| clock.error),
                lost: remote.lost.clone(),
                given: place.map(|place| given.swap_remove(place).1),
            }
        });
        hosts.collect()
    }

    fn all_lost(&self) -> FleetError {
        let lost = self.hosts.iter().find_map(|remote| {
            Some(format!("{}: {}", remote.name(), remote.lost.as_ref()?.reason))
        });
        let what = format!("all hosts were lost: {}", lost.unwrap_or_default());
        let hint = format!("fetch what they kept: truedisk fleet collect {}", self.run);
        FleetError::failed(what, hint)
    }
}
