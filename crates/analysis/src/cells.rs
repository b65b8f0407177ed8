//! Facts about single cells that checks, curves and words share.

use record::{
    Cell, CellRole, DirectionTotals, LatencySummary, LayerCounters, Measured, TargetInfo,
};
use stats::{Estimate, LatencyHistogram};
use units::{Nanos, Ratio};
use workload::{Access, Direction, Mix};

use crate::pauses::{running_intervals, running_ticks};

pub(crate) const DATA_DIRECTIONS: [Direction; 2] = [Direction::Read, Direction::Write];

pub(crate) fn elapsed_s(cell: &Cell) -> f64 {
    cell.elapsed.as_secs_f64().max(1e-9)
}

pub(crate) fn is_random_read(cell: &Cell) -> bool {
    cell.job.access == Access::Random && cell.job.mix == Mix::Read
}

pub(crate) fn is_random_read_figure(cell: &Cell) -> bool {
    let hidden = matches!(cell.role, CellRole::Trial | CellRole::Disturbed | CellRole::Idle);
    !hidden && is_random_read(cell)
}

pub(crate) fn interval_ops(cell: &Cell) -> Vec<f64> {
    let whole = running_intervals(cell).filter(|i| i.length == cell.job.interval);
    whole
        .map(|interval| {
            let parts = [&interval.directions.read, &interval.directions.write];
            parts.into_iter().flatten().map(|part| part.ops as f64).sum()
        })
        .collect()
}

/// Median read latency in nanoseconds, where the sample supports it.
pub(crate) fn read_p50_ns(cell: &Cell) -> Option<u64> {
    cell.totals.read.as_ref()?.latency_ns.percentiles.get("p50").copied()
}

/// The topmost device and its mean number of requests outstanding. It counts the parts of split
/// requests, and others' requests.
pub(crate) fn device_queue(cell: &Cell) -> Option<(&str, f64)> {
    let ledger = &cell.ledger;
    let device = ledger.layers.first().filter(|d| d.busy_ms > 0 && ledger.elapsed.0 > 0)?;
    Some((&device.name, device.queue_ms as f64 / ledger.elapsed.as_millis_f64()))
}

/// The cell of the other job that ran at the same time.
pub(crate) fn cell_beside<'a>(cell: &Cell, measured: &'a Measured) -> Option<&'a Cell> {
    measured.cell(cell.beside.as_deref()?)
}

/// From this share of the requests that the device can hold, it is the device that limits the rate.
pub(crate) const DEVICE_SHARE_MIN: Ratio = Ratio(0.9);

/// Whether the device held nearly all the requests that it can: those of the cell and of the one
/// beside it, at most the capacity of its queue. Workers that are busy, or wait for a processor, do
/// not slow it down then.
pub(crate) fn is_device_full(cell: &Cell, beside: Option<&Cell>, targets: &[TargetInfo]) -> bool {
    // The depth of an open loop is only an upper bound.
    let outstanding = |other: &Cell| match other.job.is_open_loop() {
        true => other.achieved_depth.counted,
        false => f64::from(other.job.depth.0),
    };
    let asked = f64::from(cell.job.depth.0.max(1)) + beside.map_or(0.0, outstanding);
    device_queue(cell).is_some_and(|(device, queue)| {
        let capacity = queue_capacity(device, targets).unwrap_or(f64::INFINITY);
        queue >= DEVICE_SHARE_MIN.0 * asked.min(capacity)
    })
}

/// Requests that the queue of a device takes. Further ones wait in front of it, where its counters
/// do not see them. `None` without hardware queues: device mapper and MD pass requests on without a
/// limit, though older kernels show a number of requests for them.
fn queue_capacity(device: &str, targets: &[TargetInfo]) -> Option<f64> {
    let mut layers = targets.iter().flat_map(|target| &target.stack);
    let queue = layers.find(|layer| layer.name == device)?.queue.as_ref()?;
    let capacity = queue.nr_requests? as f64 * queue.hardware_queues? as f64;
    (capacity > 0.0).then_some(capacity)
}

pub(crate) struct CpuShares {
    pub(crate) idle: f64,
    /// Taken by the hypervisor.
    pub(crate) stolen: f64,
    /// Of other processes and interrupts.
    pub(crate) foreign: f64,
}

impl CpuShares {
    pub(crate) fn from_cell(cell: &Cell) -> Option<Self> {
        let system = cell.ledger.system.as_ref().filter(|system| system.cpu_total.0 > 0)?;
        let share = |part: Nanos| part.0 as f64 / system.cpu_total.0 as f64;
        let (idle, stolen) = (share(system.cpu_idle), share(system.cpu_steal));
        Some(Self { idle, stolen, foreign: 1.0 - idle - stolen - share(system.cpu_self) })
    }
}

/// Total latency, or the response time where a plan made the load.
pub(crate) fn reported_latency(totals: &DirectionTotals) -> &LatencySummary {
    totals.response_ns.as_deref().unwrap_or(&totals.latency_ns)
}

pub(crate) fn read_histogram(cell: &Cell) -> Option<LatencyHistogram> {
    cell.totals.read.as_ref()?.latency_ns.histogram.to_histogram().ok()
}

/// Bytes that the device read for a cell, as a share of those that the cell asked for; `None` where
/// it does not count.
pub(crate) fn served_share(cell: &Cell) -> Option<f64> {
    let counts = |device: &&LayerCounters| device.read_ops > 0 || device.busy_ms > 0;
    let device = cell.ledger.layers.first().filter(counts)?;
    Some(device.read_bytes.0 as f64 / cell.ledger.read_bytes.0.max(1) as f64)
}

pub(crate) fn is_served_above_device(cell: &Cell) -> bool {
    /// Share of the bytes that the device must have served.
    const SERVED_MIN: f64 = 0.5;
    served_share(cell).is_some_and(|share| share < SERVED_MIN)
}

pub(crate) fn interval_rates(cell: &Cell) -> Vec<f64> {
    let seconds = cell.job.interval.as_secs_f64().max(1e-9);
    interval_ops(cell).into_iter().map(|ops| ops / seconds).collect()
}

/// Data operations per second in each tick of a probe: of its jobs together, while all ran.
pub(crate) fn probe_tick_rates(probe: &[&Cell]) -> Vec<f64> {
    let each: Vec<Vec<f64>> = probe.iter().map(|cell| tick_rates(cell)).collect();
    let length = each.iter().map(Vec::len).min().unwrap_or(0);
    (0..length).map(|tick| each.iter().map(|rates| rates[tick]).sum()).collect()
}

pub(crate) fn tick_rates(cell: &Cell) -> Vec<f64> {
    placed_tick_rates(cell).into_iter().map(|(_, rate)| rate).collect()
}

/// With the place of each tick: those near a pause are left out.
pub(crate) fn placed_tick_rates(cell: &Cell) -> Vec<(usize, f64)> {
    let counted = DATA_DIRECTIONS.iter().filter_map(|d| cell.ticks.directions.get(*d));
    let ticks: Vec<&Vec<u64>> = counted.map(|ticks| &ticks.ops).collect();
    let length = ticks.iter().map(|t| t.len()).max().unwrap_or(0);
    let per_second = 1e9 / cell.ticks.tick.0.max(1) as f64;
    let sum = |i: usize| ticks.iter().filter_map(|t| t.get(i)).map(|&n| n as f64).sum::<f64>();
    let rates: Vec<f64> = (0..length).map(|i| sum(i) * per_second).collect();
    running_ticks(cell, &rates)
}

pub(crate) fn cell_iops(cell: &Cell) -> Estimate {
    let iops = cell.confidence.iops.iter().filter(|(d, _)| *d != Direction::Sync);
    let parts: Vec<&Estimate> = iops.map(|(_, estimate)| estimate).collect();
    match parts.as_slice() {
        [one] => (*one).clone(),
        _ => stats::mean_of_series(&tick_rates(cell)),
    }
}
