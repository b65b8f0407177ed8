//! One cell on all hosts: prepared, started at one instant, watched, fetched.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use engine::{Progress, StopSignal};
use method::{CellResults, HostResult};
use record::{CellRole, HostCell};
use units::Nanos;
use workload::Job;

use super::fleet_session::{FleetSession, ORDER_TIMEOUT};
use crate::coordinator::link::OrderError;
use crate::message::{FetchItem, Order, Phase};
use crate::payload;

const ARM_TIMEOUT: Duration = Duration::from_secs(20);
/// Outstanding operations, and packing the result.
const CELL_GRACE: Duration = Duration::from_secs(20);
/// Limit of a cell without a time.
const UNTIMED_CELL_MAX: Duration = Duration::from_secs(600);
/// Round trips before each cell: clocks drift apart by a millisecond in some ten seconds.
const CELL_PINGS: u32 = 8;
/// Time from the last order to the start: this, plus ...
const START_LEAD: Duration = Duration::from_millis(20);
/// ... this multiple of what the order before took until all hosts had answered, plus ...
const LEAD_ORDERS: u32 = 4;
/// What is longer for each host is a pause of the coordinator's, or of hosts that do not answer.
const ORDER_PER_HOST_MAX: Duration = Duration::from_millis(1);
/// ... this multiple of the slowest round trip.
const LEAD_ROUND_TRIPS: u32 = 3;
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

impl FleetSession<'_> {
    /// Measures one cell; a host that fails is lost.
    pub(super) fn measure_cell(
        &mut self,
        orders: Vec<Vec<Job>>,
        role: CellRole,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) -> CellResults {
        self.cells.clear();
        let turn = self.turn;
        self.turn += 1;
        let time = max_cell_time(&orders);
        // The method knows only hosts that were ready.
        let ready = (0..self.hosts.len()).filter(|&number| self.hosts[number].was_ready);
        let jobs: Vec<(usize, Vec<Job>)> = ready.zip(orders).collect();
        let busy = jobs.iter().filter(|(_, jobs)| !jobs.is_empty());
        let busy: BTreeMap<usize, &Vec<Job>> = busy.map(|(n, jobs)| (*n, jobs)).collect();
        let mut left: Vec<usize> = busy.keys().copied().collect();
        let sent = Instant::now();
        let failures = self.send_until(&left, ORDER_TIMEOUT, stop, |number| {
            let jobs = busy[&number].clone();
            Order::Arm { run: self.run.clone(), turn, role, jobs }
        });
        let order_time = sent.elapsed();
        self.drop_failed(&mut left, failures);
        let armed = |phase: &Phase| arrived(phase, &Phase::Armed { turn }, turn);
        let failures = self.wait_for(&left, ARM_TIMEOUT, &armed, &mut |_| !stop.is_raised());
        self.drop_failed(&mut left, failures);
        let mut started_at = Instant::now();
        if stop.is_raised() {
            self.cut(&left, turn);
        } else {
            let start = self.start_cell(&mut left, turn, order_time);
            started_at = start.unwrap_or_else(Instant::now);
            self.watch_and_fetch(&mut left, turn, time, stop, progress);
        }
        let result = |(number, _): &(usize, Vec<Job>)| match &self.hosts[*number].lost {
            _ if self.cells.contains(*number) => HostResult::Measured,
            Some(lost) if busy.contains_key(number) => HostResult::Lost(lost.reason.clone()),
            _ => HostResult::Idle,
        };
        CellResults { started_at, results: jobs.iter().map(result).collect() }
    }

    /// Sends all hosts the start; returns that instant. `order_time` is what another order to them
    /// took: a start that reaches a host too late is not that of the others.
    pub(super) fn start_cell(
        &mut self,
        left: &mut Vec<usize>,
        turn: u64,
        order_time: Duration,
    ) -> Option<Instant> {
        self.measure_clocks(left, CELL_PINGS);
        let now_ns = engine::monotonic_ns();
        let now = Instant::now();
        let clocks = left.iter().filter_map(|&n| self.hosts[n].clock.estimate(now_ns));
        let slowest = clocks.map(|clock| clock.round_trip.0).max()?;
        let lead = choose_lead(left.len(), order_time, Duration::from_nanos(slowest));
        let at_ns = now_ns + lead.as_nanos() as u64;
        let failures = self.send_to(left, ORDER_TIMEOUT, |number| {
            let clock = &self.hosts[number].clock;
            let error = clock.estimate(now_ns).map_or(Nanos(u64::MAX), |clock| clock.error);
            // Without a clock the host begins at once, and reports the delay.
            let at_ns = clock.to_host_time(at_ns, now_ns).unwrap_or(0);
            Order::Go { run: self.run.clone(), turn, at_ns, error }
        });
        self.drop_failed(left, failures);
        Some(now + lead)
    }

    fn watch_and_fetch(
        &mut self,
        left: &mut Vec<usize>,
        turn: u64,
        time: Duration,
        stop: &StopSignal,
        progress: &mut dyn FnMut(&Progress),
    ) {
        let measured = |phase: &Phase| arrived(phase, &Phase::Measured { turn }, turn);
        let timing = (turn, time + CELL_GRACE, PROGRESS_INTERVAL);
        let who = left.clone();
        let failures = self.wait_for_end(left, timing, &measured, stop, &mut |session| {
            if let Some(total) = session.live_progress(&who) {
                progress(&Progress {
                    measured_ns: total.measured_ns,
                    iops: total.iops,
                    bytes_per_second: total.bytes_per_second,
                    silent_ns: total.silent_ns,
                });
            }
        });
        self.drop_failed(left, failures);
        let what = FetchItem::Cells { turn };
        self.fetch_from(left, what, ORDER_TIMEOUT, &mut |session, number, bytes| {
            let stored = bytes.and_then(|bytes| {
                session.cells.store(number, &bytes).map_err(OrderError::from_text)
            });
            if let Err(error) = stored {
                session.mark_lost(number, error.message());
            }
        });
    }

    /// The cells of a host of the method, as it gave them in the last turn.
    pub(super) fn load_cells(&self, place: usize) -> Result<Vec<HostCell>, String> {
        let mut ready = (0..self.hosts.len()).filter(|&number| self.hosts[number].was_ready);
        let number = ready.nth(place).ok_or("there is no such host")?;
        payload::unpack_json(&self.cells.load(number)?)
    }
}

/// Whether a host has reached the phase, or will not measure this cell.
fn arrived(phase: &Phase, awaited: &Phase, turn: u64) -> Option<Result<(), String>> {
    match phase {
        phase if phase == awaited => Some(Ok(())),
        Phase::NotMeasured { turn: of, what } if *of == turn => Some(Err(what.clone())),
        _ => None,
    }
}

fn choose_lead(hosts: usize, order_time: Duration, round_trip: Duration) -> Duration {
    let order_time = order_time.min(ORDER_PER_HOST_MAX * hosts as u32);
    START_LEAD + LEAD_ORDERS * order_time + LEAD_ROUND_TRIPS * round_trip
}

fn max_cell_time(orders: &[Vec<Job>]) -> Duration {
    let time = |job: &Job| match job.stop.time {
        Some(time) => Duration::from_nanos(time.0.saturating_add(job.warm_up.0)),
        None => UNTIMED_CELL_MAX,
    };
    orders.iter().flatten().map(time).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_lies_as_far_ahead_as_orders_take() {
        let ms = Duration::from_millis;
        assert_eq!(choose_lead(2000, ms(450), ms(1)), ms(20 + 1800 + 3));
        assert_eq!(choose_lead(2, ms(1), ms(100)), ms(20 + 4 + 300));
        // The coordinator was stopped for a while.
        assert_eq!(choose_lead(8, ms(7000), ms(1)), ms(20 + 32 + 3));
    }
}
