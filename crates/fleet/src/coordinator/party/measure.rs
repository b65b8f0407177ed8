//! One cell on all hosts: made ready, started at one instant, watched, fetched.

use std::time::{Duration, Instant};

use engine::{Progress, StopFlag};
use method::{Gave, Round};
use record::{CellRole, HostCell};
use units::Nanos;
use workload::Job;

use super::{PATIENCE, Party};
use crate::coordinator::link::{Trouble, some_at_a_time};
use crate::message::{Live, Order, Phase, What};

/// How long workers may take to be made ready.
const ARM: Duration = Duration::from_secs(20);
/// What a cell may take beyond its time: waiting for what is outstanding, and packing what it gave.
const OVERTIME: Duration = Duration::from_secs(20);
/// A cell that only its operations end is given so long.
const UNTIMED: Duration = Duration::from_secs(600);
/// Round trips before each cell: clocks drift apart by a millisecond in some ten seconds.
const PINGS: u32 = 8;
/// From the last order to the start: at least so long...
const LEAD: Duration = Duration::from_millis(20);
/// ... so much more for each host, whose order has to leave first...
const LEAD_PER_HOST: Duration = Duration::from_micros(100);
/// ... and so many times the slowest round trip.
const LEAD_ROUND_TRIPS: u32 = 3;
/// How often it is told how a cell goes.
const TELL: Duration = Duration::from_millis(200);

impl Party<'_> {
    /// Runs one cell. Nothing that goes wrong on one host ends it for the others.
    pub(super) fn round(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Progress),
    ) -> Round {
        let turn = self.turn;
        self.turn += 1;
        let places = self.places();
        let mut gave: Vec<Gave> = orders.iter().map(|_| Gave::Rested).collect();
        let time = longest(&orders);
        let mut who: Vec<(usize, usize, Vec<Job>)> = Vec::new();
        for (place, jobs) in orders.into_iter().enumerate() {
            if let Some(&number) = places.get(place).filter(|_| !jobs.is_empty()) {
                who.push((place, number, jobs));
            }
        }
        let mut left = self.armed(&mut who, role, turn, &mut gave, stop);
        if stop.is_raised() {
            // Nothing runs yet: what was made ready is let go.
            let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
            let run = self.run.clone();
            self.tell(&numbers, PATIENCE, |_| Order::Cut { run: run.clone(), turn });
            return Round { began: Instant::now(), gave };
        }
        let began = self.start(&mut left, turn, &mut gave);
        let began = began.unwrap_or_else(Instant::now);
        self.watch(&mut left, turn, time, &mut gave, stop, progress);
        self.fetch(&left, turn, &mut gave);
        Round { began, gave }
    }

    /// Numbers of the hosts that the method knows, in its order: those that were there when all
    /// were ready.
    fn places(&self) -> Vec<usize> {
        let remotes = self.remotes.iter().enumerate();
        remotes.filter(|(_, remote)| remote.was_ready).map(|(number, _)| number).collect()
    }

    /// Writes down who was lost, and keeps the others.
    pub(super) fn keep(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        came: Vec<Option<Result<(), Trouble>>>,
        gave: &mut [Gave],
    ) {
        let mut kept = Vec::new();
        for (&(place, number), came) in left.iter().zip(came) {
            match came {
                Some(Err(trouble)) => {
                    self.lose(number, trouble.words());
                    gave[place] = Gave::Lost(trouble.words());
                }
                Some(Ok(())) | None => kept.push((place, number)),
            }
        }
        *left = kept;
    }

    /// Makes the cell ready on all of its hosts; those that are, with their places.
    fn armed(
        &mut self,
        who: &mut Vec<(usize, usize, Vec<Job>)>,
        role: CellRole,
        turn: u64,
        gave: &mut [Gave],
        stop: &StopFlag,
    ) -> Vec<(usize, usize)> {
        let mut left: Vec<(usize, usize)> = who.iter().map(|(p, n, _)| (*p, *n)).collect();
        let run = self.run.clone();
        let mut jobs: Vec<(usize, Vec<Job>)> =
            who.drain(..).map(|(_, n, jobs)| (n, jobs)).collect();
        let numbers: Vec<usize> = jobs.iter().map(|(number, _)| *number).collect();
        let told = self.tell(&numbers, PATIENCE, |number| {
            // Hosts are in the order of their numbers.
            let of = jobs.binary_search_by_key(&number, |(known, _)| *known).ok();
            let jobs = of.map(|place| jobs[place].1.clone()).unwrap_or_default();
            Order::Arm { run: run.clone(), turn, role, jobs }
        });
        jobs.clear();
        self.keep(&mut left, told.into_iter().map(Some).collect(), gave);
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        let there =
            move |phase: &Phase| *phase == Phase::Armed { turn } || is_unmeasured(phase, turn);
        let came = self.wait_for(&numbers, ARM, &there, &mut |_| !stop.is_raised());
        self.keep(&mut left, came, gave);
        self.unmeasured(&mut left, turn, gave);
        left
    }

    /// Gives up those that said why they cannot measure the cell.
    fn unmeasured(&mut self, left: &mut Vec<(usize, usize)>, turn: u64, gave: &mut [Gave]) {
        let why = |number: usize| match self.remotes[number].phase() {
            Some(Phase::NotMeasured { turn: of, what }) if *of == turn => Some(what.clone()),
            _ => None,
        };
        let came = left.iter().map(|&(_, number)| {
            Some(why(number).map_or(Ok(()), |what| Err(Trouble::Silent(what))))
        });
        let came = came.collect();
        self.keep(left, came, gave);
    }

    /// Tells all of them one instant; that instant.
    pub(super) fn start(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        turn: u64,
        gave: &mut [Gave],
    ) -> Option<Instant> {
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        self.clocks(&numbers, PINGS);
        let now_ns = engine::monotonic_ns_now();
        let now = Instant::now();
        let slowest = numbers
            .iter()
            .filter_map(|&number| self.remotes[number].clock.clock(now_ns))
            .map(|clock| clock.round_trip.0)
            .max()?;
        let lead = LEAD
            + LEAD_PER_HOST * numbers.len() as u32
            + LEAD_ROUND_TRIPS * Duration::from_nanos(slowest);
        let at_ns = now_ns + lead.as_nanos() as u64;
        let run = self.run.clone();
        let told = self.tell(&numbers, PATIENCE, |number| {
            let book = &self.remotes[number].clock;
            let error = book.clock(now_ns).map_or(Nanos(u64::MAX), |clock| clock.error);
            // Without a clock there is no instant to tell: it begins at once, and says how late.
            let at_ns = book.theirs(at_ns, now_ns).unwrap_or(0);
            Order::Go { run: run.clone(), turn, at_ns, error }
        });
        self.keep(left, told.into_iter().map(Some).collect(), gave);
        Some(now + lead)
    }

    /// Waits for the end of the cell, and tells how it goes.
    fn watch(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        turn: u64,
        time: Duration,
        gave: &mut [Gave],
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Progress),
    ) {
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        let there =
            move |phase: &Phase| *phase == Phase::Measured { turn } || is_unmeasured(phase, turn);
        let (mut cut, mut told) = (false, Instant::now());
        let of = numbers.clone();
        let came = self.wait_for(&numbers, time + OVERTIME, &there, &mut |party| {
            if stop.is_raised() && !cut {
                cut = true;
                let run = party.run.clone();
                party.tell(&of, PATIENCE, |_| Order::Cut { run: run.clone(), turn });
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                let lives = of.iter().filter_map(|&number| party.remotes[number].live());
                if let Some(together) = together(lives) {
                    progress(&together);
                }
            }
            true
        });
        self.keep(left, came, gave);
        self.unmeasured(left, turn, gave);
    }

    /// Fetches what each host gave.
    fn fetch(&mut self, left: &[(usize, usize)], turn: u64, gave: &mut [Gave]) {
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&(_, number): &(usize, usize)| {
                let name = self.remotes[number].name();
                link.fetch::<Vec<HostCell>>(name, run, What::Cells { turn }, PATIENCE)
            };
            link.wait(some_at_a_time(left.iter().map(fetch)))
        };
        for (&(place, number), fetched) in left.iter().zip(fetched) {
            gave[place] = match fetched {
                Ok(cells) => Gave::Cells(cells),
                Err(trouble) => {
                    self.lose(number, trouble.words());
                    Gave::Lost(trouble.words())
                }
            };
        }
    }
}

/// Whether the host says that it did not measure this cell.
fn is_unmeasured(phase: &Phase, turn: u64) -> bool {
    matches!(phase, Phase::NotMeasured { turn: of, .. } if *of == turn)
}

/// How long the longest of all jobs runs.
fn longest(orders: &[Vec<Job>]) -> Duration {
    let time = |job: &Job| match job.stop.time {
        Some(time) => Duration::from_nanos(time.0.saturating_add(job.warm_up.0)),
        None => UNTIMED,
    };
    orders.iter().flatten().map(time).max().unwrap_or_default()
}

/// How all hosts are going, as one.
fn together(lives: impl Iterator<Item = Live>) -> Option<Progress> {
    lives.fold(None, |sum: Option<Progress>, live| {
        let none = Progress { measured_ns: 0, iops: 0.0, bytes_per_second: 0.0, silent_ns: 0 };
        let sum = sum.unwrap_or(none);
        Some(Progress {
            measured_ns: sum.measured_ns.max(live.measured_ns),
            iops: sum.iops + live.iops,
            bytes_per_second: sum.bytes_per_second + live.bytes_per_second,
            silent_ns: sum.silent_ns.max(live.silent_ns),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_the_sum_and_nothing_without_hosts() {
        let live = Live { measured_ns: 5, iops: 10.0, bytes_per_second: 1.0, silent_ns: 0 };
        let other = Live { measured_ns: 7, silent_ns: 3, ..live };
        let sum = together([live, other].into_iter()).unwrap();
        assert_eq!((sum.measured_ns, sum.silent_ns), (7, 3));
        assert!((sum.iops - 20.0).abs() < 1e-9);
        assert!(together(std::iter::empty()).is_none());
    }
}
