//! fio's jobs on all hosts: looked through by every guard, laid out, started at one instant,
//! watched, and fetched.

use std::path::Path;
use std::time::{Duration, Instant};

use engine::StopFlag;
use fio::plan::Section;
use futures_util::future::join_all;
use method::Gave;
use method::fio::{Given, SentJobs};
use record::Lost;
use units::{Nanos, Seed};

use super::{EXAMINE, PATIENCE, PATIENCE_LOST, PINGS, Party, Remote, own_seed};
use crate::agent::{JOBS_TURN as TURN, JobsKept};
use crate::error::FleetError;
use crate::message::{BeginJobs, Going, Order, Phase, What};
use crate::name::Name;

/// Making files, and running jobs that end by size, take what they take: a host that says that it
/// is at it is waited for. Agents take no job of more than a day; there are waves of them.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often it is told how all of them go: as often as each of them says it.
const TELL: Duration = Duration::from_millis(500);
/// What a host said of how it goes is told no longer: it says so twice a second.
const STALE: Duration = Duration::from_millis(1_500);

/// What hosts are asked to run.
#[derive(Clone, Copy)]
pub struct JobsAsked<'a> {
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
pub struct JobsHost {
    /// Its name.
    pub name: Name,
    /// How wrong its start can be known at most; absent where its clock was never measured.
    pub clock_error: Option<Nanos>,
    /// When and why it was given up.
    pub lost: Option<Lost>,
    /// Its figures; absent of a host that was lost.
    pub given: Option<Given>,
}

/// What is told while hosts run jobs.
pub trait JobsWatch {
    /// Something worth saying that is no result.
    fn note(&mut self, text: &str);
    /// How all hosts go together; about twice a second.
    fn going(&mut self, going: &Going);
}

impl Party<'_> {
    /// Runs jobs of fio on all hosts, from one instant; later waves start by themselves on each.
    ///
    /// # Errors
    /// What one host refuses, before any of them has begun; that none is left.
    pub fn jobs(
        &mut self,
        asked: &JobsAsked<'_>,
        stop: &StopFlag,
        watch: &mut dyn JobsWatch,
    ) -> Result<Vec<JobsHost>, FleetError> {
        watch.note(&format!("run {} on {} hosts", self.run, self.remotes.len()));
        self.look_through(asked, stop)?;
        self.make_ready(stop)?;
        let mut left: Vec<(usize, usize)> = self.living().into_iter().map(|n| (n, n)).collect();
        let mut gave: Vec<Gave> = self.remotes.iter().map(|_| Gave::Rested).collect();
        self.start(&mut left, TURN, &mut gave);
        self.follow(&mut left, stop, watch, &mut gave);
        self.take_jobs(&left, asked.sections);
        if self.remotes.iter().all(|remote| !remote.gathered) {
            return Err(self.nobody_left());
        }
        Ok(self.told())
    }

    /// Lets every host look through the jobs, and every guard speak.
    fn look_through(&mut self, asked: &JobsAsked<'_>, stop: &StopFlag) -> Result<(), FleetError> {
        let who = self.living();
        let begin = |number: usize| BeginJobs {
            run: self.run.clone(),
            jobs: asked.jobs.clone(),
            read_only: asked.read_only,
            destroy: asked.destroy.map(Path::to_owned),
            fresh: own_seed(asked.fresh, number),
            hosts: self.remotes.iter().map(|remote| remote.name().clone()).collect(),
        };
        if let Err(error) = self.link.fits(&Order::BeginJobs(Box::new(begin(0)))) {
            let what = format!("the jobs are too many for one message to a host: {error}");
            return Err(FleetError::wrong(what, "use numjobs=N for N copies of a section"));
        }
        let told = self.tell(&who, PATIENCE, |number| Order::BeginJobs(Box::new(begin(number))));
        self.open = true;
        self.sift(&who, told.into_iter().map(Some).collect(), stop)?;
        let who = self.living();
        self.clocks(&who, PINGS);
        self.remotes.iter_mut().for_each(Remote::begin);
        let there = |phase: &Phase| matches!(phase, Phase::Examined);
        let came = self.wait_for(&who, EXAMINE, &there, &mut |_| !stop.is_raised());
        self.sift(&who, came, stop)
    }

    /// Lets every host lay out its files and make its first wave ready.
    fn make_ready(&mut self, stop: &StopFlag) -> Result<(), FleetError> {
        let who = self.living();
        let told = self.tell(&who, PATIENCE, |_| Order::Prepare { run: self.run.clone() });
        self.sift(&who, told.into_iter().map(Some).collect(), stop)?;
        let who = self.living();
        let there = |phase: &Phase| *phase == Phase::Armed { turn: TURN };
        let came = self.wait_for(&who, LONGEST, &there, &mut |_| !stop.is_raised());
        if stop.is_raised() {
            let hint = "files that the jobs had made by then are left on the hosts, as fio does it";
            return Err(FleetError::interrupted("interrupted before anything was measured", hint));
        }
        self.sift(&who, came, stop)?;
        if self.living().is_empty() {
            return Err(self.nobody_left());
        }
        Ok(())
    }

    /// Waits for the end, and tells how it goes.
    fn follow(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        stop: &StopFlag,
        watch: &mut dyn JobsWatch,
        gave: &mut [Gave],
    ) {
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        let there = |phase: &Phase| matches!(phase, Phase::Finished { .. });
        let (mut cut, mut told) = (false, Instant::now());
        let of = numbers.clone();
        let came = self.wait_for(&numbers, LONGEST, &there, &mut |party| {
            if stop.is_raised() && !cut {
                cut = true;
                let run = party.run.clone();
                party.tell(&of, PATIENCE, |_| Order::Cut { run: run.clone(), turn: TURN });
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                if let Some(together) = party.going(&of) {
                    watch.going(&together);
                }
            }
            true
        });
        self.keep(left, came, gave);
    }

    /// How these hosts go together; one that has ended, or is silent, goes no more.
    fn going(&self, who: &[usize]) -> Option<Going> {
        let running = |remote: &&Remote| {
            matches!(remote.phase(), Some(Phase::Measuring { .. }))
                && remote.last_heard().elapsed() < STALE
        };
        let remotes = who.iter().map(|&number| &self.remotes[number]).filter(running);
        remotes.filter_map(Remote::going).fold(None, |sum: Option<Going>, going| match sum {
            None => Some(going.clone()),
            Some(mut sum) => {
                sum.add(going);
                Some(sum)
            }
        })
    }

    /// Fetches what each host gave; hosts that are lost are told to end, and keep what they have.
    fn take_jobs(&mut self, left: &[(usize, usize)], sections: &[Section]) {
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&(_, number): &(usize, usize)| {
                let name = self.remotes[number].name();
                link.fetch::<JobsKept>(name, run, What::Record, PATIENCE)
            };
            link.wait(join_all(left.iter().map(fetch)))
        };
        for (&(_, number), fetched) in left.iter().zip(fetched) {
            let given = match fetched {
                Ok(kept) => match kept.given.unsound(sections) {
                    None => Ok(kept.given),
                    Some(what) => Err(format!("what it gave is not believed: {what}")),
                },
                Err(trouble) => Err(trouble.words()),
            };
            match given {
                Ok(given) => {
                    self.remotes[number].gathered = true;
                    self.given.push((number, given));
                }
                Err(what) => self.lose(number, what),
            }
        }
        let lost: Vec<usize> =
            (0..self.remotes.len()).filter(|&n| self.remotes[n].lost.is_some()).collect();
        self.tell(&lost, PATIENCE_LOST, |_| Order::Stop { run: Some(self.run.clone()) });
        self.open = false;
    }

    /// What became of every host.
    fn told(&mut self) -> Vec<JobsHost> {
        let mut given = std::mem::take(&mut self.given);
        let hosts = self.remotes.iter().enumerate().map(|(number, remote)| {
            let place = given.iter().position(|(of, _)| *of == number);
            JobsHost {
                name: remote.name().clone(),
                clock_error: remote.clock_now().map(|clock| clock.error),
                lost: remote.lost.clone(),
                given: place.map(|place| given.swap_remove(place).1),
            }
        });
        hosts.collect()
    }

    fn nobody_left(&self) -> FleetError {
        let lost = self.remotes.iter().find_map(|remote| {
            Some(format!("{}: {}", remote.name(), remote.lost.as_ref()?.reason))
        });
        let what = format!("all hosts were lost: {}", lost.unwrap_or_default());
        let hint = format!("fetch what they kept: truedisk fleet collect {}", self.run);
        FleetError::failed(what, hint)
    }
}
