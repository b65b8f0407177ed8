//! The made-up record that the tests of the checks spoil, one fact at a time.

use record::{Cell, Record};

/// A plain run on a virtio SSD; nothing to find.
pub(crate) fn record() -> Record {
    record::fixture::ssd()
}

/// The cell with this name.
pub(crate) fn cell_mut<'a>(record: &'a mut Record, name: &str) -> &'a mut Cell {
    record.cells.iter_mut().find(|cell| cell.name == name).unwrap()
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
