//! Limits that control groups of this host put on a device, and the cells that ran into them.

use message::{Message, Names, messages};
use record::{Cell, DirectionTotals, IoLimit, Layer, Measured};
use units::{BytesPerSecond, Iops, Ratio};

use crate::calm::is_sliced;

/// A cell whose requests come to this share of a limit ran into it.
pub(crate) const REACHED_SHARE: Ratio = Ratio(0.90);
/// The same where they are let through in slices, which is a throttle's sign itself.
pub(crate) const SLICED_SHARE: Ratio = Ratio(0.70);
/// From this share on a limit may hold a closed loop back for moments: of operations that vary as
/// exponential ones do, and alone would come to four fifths of it, it leaves this.
pub(crate) const NEAR_SHARE: Ratio = Ratio(0.60);
/// Above this share the limit did not hold any more: a throttle's slice more is within it.
const LIFTED_SHARE: Ratio = Ratio(1.25);

pub(crate) fn describe_limit(limit: &IoLimit) -> Message {
    let (device, cgroup) = (device_name(limit), limit.cgroup.clone());
    match list_maxima(limit) {
        Names(all) if all.is_empty() => GroupLimitUnknown { device, cgroup }.into(),
        most => GroupLimitOf { device, cgroup, most }.into(),
    }
}

/// `control group /box allows vda at most 3,000 reads/s`.
pub fn describe_group_limit(limit: &IoLimit) -> Message {
    let (device, cgroup) = (device_name(limit), limit.cgroup.clone());
    match list_maxima(limit) {
        Names(all) if all.is_empty() => GroupLimits { device, cgroup }.into(),
        most => GroupAllows { device, cgroup, most }.into(),
    }
}

fn device_name(limit: &IoLimit) -> String {
    limit.device_name.as_ref().unwrap_or(&limit.device).clone()
}

fn list_maxima(limit: &IoLimit) -> Names {
    let maxima = [
        limit.read_iops.map(|rate| GroupReads { rate }.into()),
        limit.write_iops.map(|rate| GroupWrites { rate }.into()),
        limit.read_bytes.map(|rate| GroupBytesRead { rate }.into()),
        limit.write_bytes.map(|rate| GroupBytesWritten { rate }.into()),
        limit.other.as_ref().map(Message::from_text),
    ];
    Names(maxima.into_iter().flatten().collect())
}

/// A limit that a cell ran into.
pub(crate) struct ReachedLimit<'a> {
    pub(crate) limit: &'a IoLimit,
    pub(crate) share: f64,
    /// `95 % of the limit: 2,850 reads/s`.
    words: Message,
}

impl ReachedLimit<'_> {
    pub(crate) fn describe(&self) -> Message {
        self.words.clone()
    }
}

/// Of the limits that held for a cell, the one that it used most of, if it ran into it.
pub(crate) fn find_reached_limit<'a>(
    measured: &'a Measured,
    cell: &'a Cell,
) -> Option<ReachedLimit<'a>> {
    find_limit_from(measured, cell, least_share(cell))
}

/// The same if it came near to it.
pub(crate) fn find_near_limit<'a>(
    measured: &'a Measured,
    cell: &'a Cell,
) -> Option<ReachedLimit<'a>> {
    find_limit_from(measured, cell, NEAR_SHARE)
}

fn find_limit_from<'a>(
    measured: &'a Measured,
    cell: &'a Cell,
    least: Ratio,
) -> Option<ReachedLimit<'a>> {
    let stack = measured.target().map_or(&[][..], |target| &target.stack);
    // What was set at the start of the run may have been lifted before the cell.
    let (limits, most) = match cell.ledger.io_limits.as_slice() {
        [] => (&measured.environment.io_limits[..], LIFTED_SHARE.0),
        own => (own, f64::INFINITY),
    };
    find_largest(cell, stack, limits, least).filter(|reached| reached.share <= most)
}

/// Whether the limit of a control group held a cell back, by what was read before and after it.
pub fn is_group_limited(cell: &Cell, stack: &[Layer]) -> bool {
    find_largest(cell, stack, &cell.ledger.io_limits, least_share(cell)).is_some()
}

fn least_share(cell: &Cell) -> Ratio {
    if is_sliced(&[cell]) { SLICED_SHARE } else { REACHED_SHARE }
}

fn find_largest<'a>(
    cell: &Cell,
    stack: &[Layer],
    limits: &'a [IoLimit],
    least: Ratio,
) -> Option<ReachedLimit<'a>> {
    // Of a few operations one more may have been held back at the end; of fewer than four nobody
    // can tell.
    let ops = cell.data_directions().map(|totals| totals.ops as f64).sum::<f64>();
    let one_more = 1.0 + ops.max(4.0).recip();
    let reached = limits.iter().filter_map(|limit| {
        let layer = stack.iter().find(|layer| layer.device == limit.device)?;
        let (share, words) = RequestRates::of_layer(cell, &layer.name).largest_share(limit)?;
        (share * one_more >= least.0).then_some(ReachedLimit { limit, share, words })
    });
    reached.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// What a device is asked a second while a cell runs: large operations are split on the way to it,
/// and a flush is a write to it.
struct RequestRates {
    reads: f64,
    writes: f64,
    read_bytes: f64,
    write_bytes: f64,
}

impl RequestRates {
    fn of_layer(cell: &Cell, name: &str) -> Self {
        let ledger = &cell.ledger;
        let layer = ledger.layers.iter().find(|layer| layer.name == name);
        let layer = layer.filter(|layer| layer.read_ops > 0 || layer.write_ops > 0);
        let own = |of: Option<&DirectionTotals>| {
            of.map_or((0.0, 0.0), |of| (of.iops, of.bytes_per_second))
        };
        let (reads, writes) = (own(cell.totals.read.as_deref()), own(cell.totals.write.as_deref()));
        // Requests for each of ours, over the same time.
        let times = |served: u64, asked: u64| served as f64 / asked.max(1) as f64;
        let merged = |ours: u64, others: u64| if others == 0 { ours } else { 0 };
        let Some(layer) = layer else {
            return Self {
                reads: reads.0,
                writes: writes.0,
                read_bytes: reads.1,
                write_bytes: writes.1,
            };
        };
        let read_requests = layer.read_ops + merged(layer.merges, ledger.write_ops);
        let write_requests =
            layer.write_ops + layer.flush_ops + merged(layer.merges, ledger.read_ops);
        Self {
            reads: reads.0 * times(read_requests, ledger.read_ops),
            writes: writes.0 * times(write_requests, ledger.write_ops),
            read_bytes: reads.1 * times(layer.read_bytes.0, ledger.read_bytes.0),
            write_bytes: writes.1 * times(layer.write_bytes.0, ledger.write_bytes.0),
        }
    }

    fn largest_share(&self, limit: &IoLimit) -> Option<(f64, Message)> {
        let count = |used: f64, most: Option<Iops>, of: fn(Iops) -> Message| {
            Some((used / most?.0, of(Iops(used))))
        };
        let bytes = |used: f64, most: Option<BytesPerSecond>, of: fn(BytesPerSecond) -> Message| {
            Some((used / most?.0, of(BytesPerSecond(used))))
        };
        let shares = [
            count(self.reads, limit.read_iops, |rate| GroupReads { rate }.into()),
            count(self.writes, limit.write_iops, |rate| GroupWrites { rate }.into()),
            bytes(self.read_bytes, limit.read_bytes, |rate| GroupBytesRead { rate }.into()),
            bytes(self.write_bytes, limit.write_bytes, |rate| GroupBytesWritten { rate }.into()),
        ];
        let finite = shares.into_iter().flatten().filter(|(share, _)| share.is_finite());
        let (share, used) = finite.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((share, GroupLimitReached { share: Ratio(share), used }.into()))
    }
}

messages! {
    GroupLimitOf = "group-limit-of" { device: String, cgroup: String, most: Names };
    GroupLimitUnknown = "group-limit-unknown" { device: String, cgroup: String };
    GroupAllows = "group-limit-allows" { device: String, cgroup: String, most: Names };
    GroupLimits = "group-limit-limits" { device: String, cgroup: String };
    GroupReads = "group-limit-reads" { rate: Iops };
    GroupWrites = "group-limit-writes" { rate: Iops };
    GroupBytesRead = "group-limit-bytes-read" { rate: BytesPerSecond };
    GroupBytesWritten = "group-limit-bytes-written" { rate: BytesPerSecond };
    GroupLimitReached = "group-limit-reached" { share: Ratio, used: Message };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    fn limit(read: Option<f64>, write: Option<f64>) -> IoLimit {
        IoLimit {
            cgroup: "/box".to_owned(),
            file: "io.max".to_owned(),
            device: "254:0".to_owned(),
            device_name: None,
            read_iops: read.map(Iops),
            write_iops: write.map(Iops),
            read_bytes: None,
            write_bytes: None,
            other: None,
        }
    }

    #[test]
    fn requests_count_at_the_device_that_is_limited() {
        let check = |name: &str, limit: IoLimit, spoil: &dyn Fn(&mut Cell), share: Option<f64>| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, name);
            spoil(cell);
            cell.ledger.io_limits = vec![limit];
            let cell = record.cell(name).unwrap();
            let reached = find_reached_limit(&record, cell).map(|reached| reached.share);
            assert_eq!(
                reached.map(|of| (of * 100.0).round()),
                share.map(|of| of * 100.0),
                "{name}"
            );
        };
        let rate = |cell: &mut Cell, iops: f64| {
            let totals = [&mut cell.totals.read, &mut cell.totals.write];
            totals.into_iter().flatten().for_each(|totals| totals.iops = iops);
        };
        let split = |cell: &mut Cell| {
            rate(cell, 500.0);
            let ledger = &mut cell.ledger;
            ledger.layers[0].read_ops = ledger.read_ops * 8;
            ledger.layers[0].merges = 0;
        };
        check("seqread-1m", limit(Some(4_000.0), None), &split, Some(1.0));
        check("seqread-1m", limit(Some(5_000.0), None), &split, None);
        let flushed = |cell: &mut Cell| {
            rate(cell, 500.0);
            let ledger = &mut cell.ledger;
            let device = &mut ledger.layers[0];
            (device.write_ops, device.flush_ops) = (ledger.write_ops, ledger.write_ops);
            device.merges = 0;
        };
        check("syncwrite-4k", limit(None, Some(1_000.0)), &flushed, Some(1.0));
        check("syncwrite-4k", limit(None, Some(2_000.0)), &flushed, None);
        // A cache answered.
        let cached = |cell: &mut Cell| {
            rate(cell, 4_000.0);
            cell.ledger.layers[0].read_ops = cell.ledger.read_ops / 10;
        };
        check("randread-4k-qd16", limit(Some(4_000.0), None), &cached, None);
    }

    /// As in a simulated world, whose cap of 28 MB/s let 6 writes of 1 MiB through in 233 ms.
    #[test]
    fn of_a_few_large_operations_one_more_may_have_been_held_back() {
        let check = |ops: u64, limit_iops: f64| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "seqread-1m");
            let read = cell.totals.read.as_mut().unwrap();
            (read.ops, read.iops) = (ops, 5.0 / 0.233);
            cell.ledger.layers[0].read_ops = cell.ledger.read_ops;
            cell.ledger.layers[0].merges = 0;
            cell.ledger.io_limits = vec![limit(Some(limit_iops), None)];
            let cell = record.cell("seqread-1m").unwrap();
            find_reached_limit(&record, cell).is_some()
        };
        assert!(check(5, 27.6));
        assert!(!check(5_000, 27.6));
        assert!(!check(5, 50.0));
        assert!(!check(1, 40.0));
    }

    #[test]
    fn slices_are_a_sign_of_a_limit_themselves() {
        let share = |is_sliced: bool| {
            let mut record = sample_record();
            let cell = cell_mut(&mut record, "randread-4k-qd16");
            let rate = cell.totals.read.as_ref().unwrap().iops;
            cell.ledger.io_limits = vec![limit(Some(rate / 0.75), None)];
            let ticks = &mut cell.ticks.directions.read.as_mut().unwrap().ops;
            for (place, ops) in ticks.iter_mut().enumerate().filter(|_| is_sliced) {
                *ops *= if place % 10 < 5 { 2 } else { 0 };
            }
            let cell = record.cell("randread-4k-qd16").unwrap();
            find_reached_limit(&record, cell).map(|reached| (reached.share * 100.0).round())
        };
        assert_eq!(share(true), Some(75.0));
        assert_eq!(share(false), None);
    }

    #[test]
    fn a_limit_that_was_lifted_before_a_cell_did_not_hold_it() {
        let mut record = sample_record();
        record.environment.io_limits = vec![limit(Some(10_000.0), None)];
        let cell = record.cell("randread-4k-qd128").unwrap();
        assert!(find_reached_limit(&record, cell).is_none(), "it is ten times as fast");
        record.environment.io_limits = vec![limit(Some(119_000.0), None)];
        let cell = record.cell("randread-4k-qd128").unwrap();
        assert!(find_reached_limit(&record, cell).is_some());
    }
}
