//! The made-up record that the tests of the checks spoil, one fact at a time.

use record::{Cell, CellRole, Measured, Trial};
use stats::LatencyHistogram;

/// A plain run on a virtio SSD; nothing to find.
pub(crate) fn sample_record() -> Measured {
    record::fixture::ssd_record().measured
}

pub(crate) fn cell_mut<'a>(record: &'a mut Measured, name: &str) -> &'a mut Cell {
    record.cells.iter_mut().find(|cell| cell.name == name).unwrap()
}

/// Others read as much as the cells of the most random reads.
pub(crate) fn disturbed_record() -> Measured {
    let mut record = sample_record();
    for name in ["randread-4k-qd64", "randread-4k-qd128"] {
        cell_mut(&mut record, name).ledger.layers[0].read_bytes.0 *= 2;
    }
    record
}

/// Random reads at depth 1 are at a fifth of their rate when they are repeated.
pub(crate) fn fallen_record() -> Measured {
    let mut record = sample_record();
    reshape(cell_mut(&mut record, "randread-4k-qd1-repeat"), |_| 0.2);
    record
}

/// Multiplies the operations of each interval (and the whole) by `shape` of its number.
pub(crate) fn reshape(cell: &mut Cell, shape: impl Fn(usize) -> f64) {
    let mut sum = 0.0;
    for (i, interval) in cell.intervals.iter_mut().enumerate() {
        // A little noise, so that a straight line is not infinitely certain.
        let noise = 1.0 + 0.004 * ((i * 13 % 7) as f64 - 3.0);
        let directions = [&mut interval.directions.read, &mut interval.directions.write];
        for direction in directions.into_iter().flatten() {
            direction.ops = (direction.ops as f64 * shape(i) * noise) as u64;
        }
        sum += shape(i);
    }
    let mean = sum / cell.intervals.len() as f64;
    for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
        totals.iops *= mean;
    }
    let iops = &mut cell.confidence.iops;
    for estimate in [&mut iops.read, &mut iops.write].into_iter().flatten() {
        estimate.value *= mean;
        estimate.low = estimate.low.map(|x| x * mean);
        estimate.high = estimate.high.map(|x| x * mean);
    }
}

/// Adds a cell with this name that answers a truth check's question: made from the one of random
/// reads at depth 1.
pub(crate) fn add_trial_cell<'a>(
    record: &'a mut Measured,
    name: &str,
    trial: Trial,
) -> &'a mut Cell {
    let mut cell = record.cell("randread-4k-qd1").unwrap().clone();
    name.clone_into(&mut cell.name);
    (cell.role, cell.trial) = (CellRole::Trial, Some(trial));
    record.cells.push(cell);
    record.cells.last_mut().unwrap()
}

/// `count` latencies, spread evenly by 10 % to both sides of `median_ns`.
pub(crate) fn latencies_around(median_ns: u64, count: usize) -> Vec<u64> {
    let place = |i: usize| (i as f64 + 0.5) / count as f64 - 0.5;
    (0..count).map(|i| (median_ns as f64 * (1.0 + 0.2 * place(i))) as u64).collect()
}

pub(crate) fn set_read_latencies(cell: &mut Cell, latencies_ns: &[u64]) {
    let mut histogram = LatencyHistogram::new();
    latencies_ns.iter().for_each(|ns| histogram.record(*ns));
    let read = cell.totals.read.as_mut().unwrap();
    (read.ops, read.latency_ns) = (histogram.count(), crate::summarise_latency(&histogram));
}
