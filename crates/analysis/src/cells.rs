//! Facts about single cells that checks, curves and words share.

use record::{Cell, CellRole};
use stats::LatencyHistogram;
use units::Nanos;
use workload::{Access, Mix};

use crate::pauses::running_intervals;

/// Length of a cell in seconds, never zero.
pub(crate) fn elapsed_s(cell: &Cell) -> f64 {
    cell.elapsed.as_secs_f64().max(1e-9)
}

/// `3 cells`, `1 cell`.
pub(crate) fn format_cell_count(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

/// Random reads.
pub(crate) fn is_random_read(cell: &Cell) -> bool {
    cell.job.access == Access::Random && cell.job.mix == Mix::Read
}

/// Random reads whose figures are shown.
pub(crate) fn is_random_read_figure(cell: &Cell) -> bool {
    let hidden = matches!(cell.role, CellRole::Trial | CellRole::Disturbed | CellRole::Idle);
    !hidden && is_random_read(cell)
}

/// Reads and writes in each whole interval in which the generator ran.
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

/// The topmost device and its own mean number of requests outstanding. Evidence beside the
/// generator's count: it counts the parts of split requests, and what others sent.
pub(crate) fn device_queue(cell: &Cell) -> Option<(&str, f64)> {
    let ledger = &cell.ledger;
    let device = ledger.layers.first().filter(|d| d.busy_ms > 0 && ledger.elapsed.0 > 0)?;
    Some((&device.name, device.queue_ms as f64 / ledger.elapsed.as_millis_f64()))
}

/// Shares of the processor time of the host during a cell.
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

/// Latencies of a cell's reads.
pub(crate) fn read_histogram(cell: &Cell) -> Option<LatencyHistogram> {
    cell.totals.read.as_ref()?.latency_ns.histogram.to_histogram().ok()
}

/// Whether the reads of a cell never came to the device: its counters, if it has any, say so.
pub(crate) fn is_served_above_device(cell: &Cell) -> bool {
    /// Share of the bytes that the device must have served.
    const SERVED_MIN: f64 = 0.5;
    let asked = cell.ledger.read_bytes.0 as f64;
    cell.ledger.layers.first().is_some_and(|device| {
        let counts = device.read_ops > 0 || device.busy_ms > 0;
        counts && (device.read_bytes.0 as f64) < SERVED_MIN * asked
    })
}
