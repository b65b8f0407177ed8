//! One cell on all hosts: made ready, started at one instant, watched, fetched.

use std::time::{Duration, Instant};

use engine::{Progress, StopSignal};
use method::{CellResults, HostResult};
use record::{CellRole, HostCell};
use units::Nanos;
use workload::Job;

use super::{FleetSession, RUN_ORDER_TIMEOUT};
use crate::coordinator::link::{OrderError, join_fetches};
use crate::message::{CellProgress, FetchItem, Order, Phase};

/// How long workers may take to be made ready.
const ARM_TIMEOUT: Duration = Duration::from_secs(20);
/// What a cell may take beyond its time: waiting for what is outstanding, and packing what it gave.
const CELL_GRACE: Duration = Duration::from_secs(20);
/// A cell that only its operations end is given so long.
const UNTIMED_CELL_MAX: Duration = Duration::from_secs(600);
/// Round trips before each cell: clocks drift apart by a millisecond in some ten seconds.
const CELL_PINGS: u32 = 8;
/// From the last order to the start: at least so long...
const START_LEAD: Duration = Duration::from_millis(20);
/// ... so much more for each host, whose order has to leave first...
const LEAD_PER_HOST: Duration = Duration::from_micros(100);
/// ... and so many times the slowest round trip.
const LEAD_ROUND_TRIPS: u32 = 3;
/// How often it is told how a cell goes.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

impl FleetSession<'_> {
    /// Runs one cell. Nothing that goes wrong on one host ends it for the others.
    pub(super) fn measure_round(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) -> CellResults {
        let turn = self.turn;
        self.turn += 1;
        let places = self.ready_hosts();
        let mut gave: Vec<HostResult> = orders.iter().map(|_| HostResult::Idle).collect();
        let time = max_cell_time(&orders);
        let mut who: Vec<(usize, usize, Vec<Job>)> = Vec::new();
        for (place, jobs) in orders.into_iter().enumerate() {
            if let Some(&number) = places.get(place).filter(|_| !jobs.is_empty()) {
                who.push((place, number, jobs));
            }
        }
        let mut left = self.arm_cell(&mut who, role, turn, &mut gave, stop);
        if stop.is_raised() {
            // Nothing runs yet: what was made ready is let go.
            let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
            let run = self.run.clone();
            self.send_to(&numbers, RUN_ORDER_TIMEOUT, |_| Order::Cut { run: run.clone(), turn });
            return CellResults { started_at: Instant::now(), results: gave };
        }
        let began = self.start_cell(&mut left, turn, &mut gave);
        let began = began.unwrap_or_else(Instant::now);
        self.watch_cell(&mut left, turn, time, &mut gave, stop, progress);
        self.fetch_cells(&left, turn, &mut gave);
        CellResults { started_at: began, results: gave }
    }

    /// Numbers of the hosts that the method knows, in its order: those that were there when all
    /// were ready.
    fn ready_hosts(&self) -> Vec<usize> {
        let remotes = self.hosts.iter().enumerate();
        remotes.filter(|(_, remote)| remote.was_ready).map(|(number, _)| number).collect()
    }

    /// Writes down who was lost, and keeps the others.
    pub(super) fn drop_lost(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        came: Vec<Option<Result<(), OrderError>>>,
        gave: &mut [HostResult],
    ) {
        let mut kept = Vec::new();
        for (&(place, number), came) in left.iter().zip(came) {
            match came {
                Some(Err(trouble)) => {
                    self.mark_lost(number, trouble.message());
                    gave[place] = HostResult::Lost(trouble.message());
                }
                Some(Ok(())) | None => kept.push((place, number)),
            }
        }
        *left = kept;
    }

    /// Makes the cell ready on all of its hosts; those that are, with their places.
    fn arm_cell(
        &mut self,
        who: &mut Vec<(usize, usize, Vec<Job>)>,
        role: CellRole,
        turn: u64,
        gave: &mut [HostResult],
        stop: &StopSignal,
    ) -> Vec<(usize, usize)> {
        let mut left: Vec<(usize, usize)> = who.iter().map(|(p, n, _)| (*p, *n)).collect();
        let run = self.run.clone();
        let mut jobs: Vec<(usize, Vec<Job>)> =
            who.drain(..).map(|(_, n, jobs)| (n, jobs)).collect();
        let numbers: Vec<usize> = jobs.iter().map(|(number, _)| *number).collect();
        let told = self.send_to(&numbers, RUN_ORDER_TIMEOUT, |number| {
            // Hosts are in the order of their numbers.
            let of = jobs.binary_search_by_key(&number, |(known, _)| *known).ok();
            let jobs = of.map(|place| jobs[place].1.clone()).unwrap_or_default();
            Order::Arm { run: run.clone(), turn, role, jobs }
        });
        jobs.clear();
        self.drop_lost(&mut left, told.into_iter().map(Some).collect(), gave);
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        let there =
            move |phase: &Phase| *phase == Phase::Armed { turn } || is_unmeasured(phase, turn);
        let came = self.wait_for_phase(&numbers, ARM_TIMEOUT, &there, &mut |_| !stop.is_raised());
        self.drop_lost(&mut left, came, gave);
        self.drop_unmeasured(&mut left, turn, gave);
        left
    }

    /// Gives up those that said why they cannot measure the cell.
    fn drop_unmeasured(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        turn: u64,
        gave: &mut [HostResult],
    ) {
        let why = |number: usize| match self.hosts[number].phase() {
            Some(Phase::NotMeasured { turn: of, what }) if *of == turn => Some(what.clone()),
            _ => None,
        };
        let came = left.iter().map(|&(_, number)| {
            Some(why(number).map_or(Ok(()), |what| Err(OrderError::Silent(what))))
        });
        let came = came.collect();
        self.drop_lost(left, came, gave);
    }

    /// Tells all of them one instant; that instant.
    pub(super) fn start_cell(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        turn: u64,
        gave: &mut [HostResult],
    ) -> Option<Instant> {
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        self.measure_clocks(&numbers, CELL_PINGS);
        let now_ns = engine::monotonic_ns();
        let now = Instant::now();
        let slowest = numbers
            .iter()
            .filter_map(|&number| self.hosts[number].clock.estimate(now_ns))
            .map(|clock| clock.round_trip.0)
            .max()?;
        let lead = START_LEAD
            + LEAD_PER_HOST * numbers.len() as u32
            + LEAD_ROUND_TRIPS * Duration::from_nanos(slowest);
        let at_ns = now_ns + lead.as_nanos() as u64;
        let run = self.run.clone();
        let told = self.send_to(&numbers, RUN_ORDER_TIMEOUT, |number| {
            let book = &self.hosts[number].clock;
            let error = book.estimate(now_ns).map_or(Nanos(u64::MAX), |clock| clock.error);
            // Without a clock there is no instant to tell: it begins at once, and says how late.
            let at_ns = book.to_host_time(at_ns, now_ns).unwrap_or(0);
            Order::Go { run: run.clone(), turn, at_ns, error }
        });
        self.drop_lost(left, told.into_iter().map(Some).collect(), gave);
        Some(now + lead)
    }

    /// Waits for the end of the cell, and tells how it goes.
    fn watch_cell(
        &mut self,
        left: &mut Vec<(usize, usize)>,
        turn: u64,
        time: Duration,
        gave: &mut [HostResult],
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) {
        let numbers: Vec<usize> = left.iter().map(|(_, number)| *number).collect();
        let there =
            move |phase: &Phase| *phase == Phase::Measured { turn } || is_unmeasured(phase, turn);
        let (mut cut, mut told) = (false, Instant::now());
        let of = numbers.clone();
        let came = self.wait_for_phase(&numbers, time + CELL_GRACE, &there, &mut |party| {
            if stop.is_raised() && !cut {
                cut = true;
                let run = party.run.clone();
                party.send_to(&of, RUN_ORDER_TIMEOUT, |_| Order::Cut { run: run.clone(), turn });
            }
            if told.elapsed() >= PROGRESS_INTERVAL {
                told = Instant::now();
                let lives = of.iter().filter_map(|&number| party.hosts[number].live());
                if let Some(together) = sum_progress(lives) {
                    progress(&together);
                }
            }
            true
        });
        self.drop_lost(left, came, gave);
        self.drop_unmeasured(left, turn, gave);
    }

    /// Fetches what each host gave.
    fn fetch_cells(&mut self, left: &[(usize, usize)], turn: u64, gave: &mut [HostResult]) {
        let fetched = {
            let (link, run) = (self.link, &self.run);
            let fetch = |&(_, number): &(usize, usize)| {
                let name = self.hosts[number].name();
                link.fetch::<Vec<HostCell>>(name, run, FetchItem::Cells { turn }, RUN_ORDER_TIMEOUT)
            };
            link.block_on(join_fetches(left.iter().map(fetch)))
        };
        for (&(place, number), fetched) in left.iter().zip(fetched) {
            gave[place] = match fetched {
                Ok(cells) => HostResult::Cells(cells),
                Err(trouble) => {
                    self.mark_lost(number, trouble.message());
                    HostResult::Lost(trouble.message())
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
fn max_cell_time(orders: &[Vec<Job>]) -> Duration {
    let time = |job: &Job| match job.stop.time {
        Some(time) => Duration::from_nanos(time.0.saturating_add(job.warm_up.0)),
        None => UNTIMED_CELL_MAX,
    };
    orders.iter().flatten().map(time).max().unwrap_or_default()
}

/// How all hosts are going, as one.
fn sum_progress(lives: impl Iterator<Item = CellProgress>) -> Option<Progress> {
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
        let live = CellProgress { measured_ns: 5, iops: 10.0, bytes_per_second: 1.0, silent_ns: 0 };
        let other = CellProgress { measured_ns: 7, silent_ns: 3, ..live };
        let sum = sum_progress([live, other].into_iter()).unwrap();
        assert_eq!((sum.measured_ns, sum.silent_ns), (7, 3));
        assert!((sum.iops - 20.0).abs() < 1e-9);
        assert!(sum_progress(std::iter::empty()).is_none());
    }
}
