//! The headline of a ping: how long its requests took.

use message::{Message, messages};
use record::{Cell, CellRole, DirectionTotals, Measured, Purpose};
use units::Nanos;
use workload::Direction;

use crate::curve::curve_name;

/// `None` for a run of another purpose, and where no request was completed.
pub(crate) fn ping_headline(measured: &Measured) -> Option<Message> {
    let Purpose::Ping(plan) = &measured.plan.purpose else { return None };
    let job = &measured.cells.first()?.job;
    let label = curve_name(&job.access, job.mix, job.block_size).1;
    let of_cell = |cell: &Cell| {
        let several = cell.totals.iter().count() > 1;
        let is_paused = plan.contrast.then_some(cell.role == CellRole::Idle);
        let parts = cell.totals.iter().filter(|(_, totals)| totals.ops > 0);
        let part = |(direction, totals): (Direction, &DirectionTotals)| {
            let latency = describe_latency(totals);
            let latency = if several { name_direction(direction, latency) } else { latency };
            match is_paused {
                Some(true) => AfterPause { latency }.into(),
                Some(false) => BackToBack { latency }.into(),
                None => latency,
            }
        };
        parts.map(part).collect::<Vec<Message>>()
    };
    let latency: Vec<Message> = measured.cells.iter().flat_map(of_cell).collect();
    (!latency.is_empty()).then(|| PingHeadline { label, latency }.into())
}

/// Whether a ping has too few requests for a percentile.
pub(crate) fn has_too_few(measured: &Measured) -> bool {
    let mut totals = measured.cells.iter().flat_map(|cell| cell.totals.iter());
    matches!(measured.plan.purpose, Purpose::Ping(_))
        && totals.any(|(_, totals)| totals.latency_ns.percentiles.get("p50").is_none())
}

fn describe_latency(totals: &DirectionTotals) -> Message {
    let latency = &totals.latency_ns;
    let percentile = |name: &str| latency.percentiles.get(name).map(|ns| Nanos(*ns));
    let requests = totals.ops;
    match (percentile("p50"), percentile("p99")) {
        (Some(p50), Some(p99)) => PingTail { p50, p99, requests }.into(),
        (Some(p50), None) => PingMedian { p50, requests }.into(),
        (None, _) => PingMean { mean: Nanos(latency.mean.round() as u64), requests }.into(),
    }
}

fn name_direction(direction: Direction, latency: Message) -> Message {
    match direction {
        Direction::Read => PingReads { latency }.into(),
        _ => PingWrites { latency }.into(),
    }
}

messages! {
    PingHeadline = "ping-headline" { label: Message, latency: Vec<Message> };
    PingTail = "ping-tail" { p50: Nanos, p99: Nanos, requests: u64 };
    PingMedian = "ping-median" { p50: Nanos, requests: u64 };
    PingMean = "ping-mean" { mean: Nanos, requests: u64 };
    PingReads = "ping-reads" { latency: Message };
    PingWrites = "ping-writes" { latency: Message };
    AfterPause = "ping-latency-after-pause" { latency: Message };
    BackToBack = "ping-latency-back-to-back" { latency: Message };
}

#[cfg(test)]
mod tests {
    use record::{PingPlan, Trust};
    use units::Bytes;

    use super::*;
    use crate::testing::sample_record;

    /// A ping with the latencies of the reads at depth 1 of the sample.
    fn ping(contrast: bool, spoil: impl Fn(&mut Vec<Cell>)) -> Measured {
        let mut record = sample_record();
        record.plan.purpose = Purpose::Ping(PingPlan {
            size: Bytes::kib(4),
            interval: Nanos::ZERO,
            burst: 0,
            warmup: 0,
            uncached: true,
            min_time: None,
            max_time: None,
            contrast,
        });
        record.plan.bounds.clear();
        record.layout = None;
        record.cells.retain(|cell| cell.name == "randread-4k-qd1");
        spoil(&mut record.cells);
        record
    }

    fn set_percentiles(cell: &mut Cell, percentiles: &[(&str, u64)]) {
        let totals = cell.totals.read.as_mut().unwrap();
        totals.ops = 300;
        totals.latency_ns.mean = 90_000.0;
        let percentiles = percentiles.iter().map(|(name, ns)| ((*name).to_owned(), *ns));
        totals.latency_ns.percentiles = percentiles.collect();
    }

    #[test]
    fn a_ping_says_how_long_its_requests_took() {
        let check = |percentiles: &[(&str, u64)], expected: &str, trust: Trust| {
            let record = ping(false, |cells| set_percentiles(&mut cells[0], percentiles));
            let verdict = crate::judge(&record).verdict.unwrap();
            assert_eq!((verdict.headline.text(), verdict.trust), (expected, trust));
        };
        check(
            &[("p50", 80_000), ("p99", 200_000)],
            "Random read 4k: p50 80.0 us, p99 200 us of 300 requests",
            Trust::Sound,
        );
        check(
            &[("p50", 80_000)],
            "Random read 4k: p50 80.0 us of 300 requests (too few for p99)",
            Trust::Sound,
        );
        check(
            &[],
            "Random read 4k: mean 90.0 us of 300 requests (too few for a percentile)",
            Trust::Caution,
        );
    }

    #[test]
    fn pauses_and_directions_are_told_apart() {
        let record = ping(true, |cells| {
            set_percentiles(&mut cells[0], &[("p50", 80_000)]);
            let close = cells[0].clone();
            cells[0].role = CellRole::Idle;
            set_percentiles(&mut cells[0], &[("p50", 150_000)]);
            cells.push(Cell { name: "close".to_owned(), ..close });
        });
        assert_eq!(
            ping_headline(&record).unwrap(),
            "Random read 4k: after a pause p50 150 us of 300 requests (too few for p99); \
             back to back p50 80.0 us of 300 requests (too few for p99)"
        );
        let both = ping(false, |cells| {
            set_percentiles(&mut cells[0], &[("p50", 80_000)]);
            cells[0].totals.write = cells[0].totals.read.clone();
        });
        let headline = ping_headline(&both).unwrap();
        assert!(headline.text().contains(": reads p50 80.0 us of 300"), "{headline:?}");
        assert!(headline.text().contains("; writes p50 80.0 us of 300"), "{headline:?}");
        let none = ping(false, |cells| cells[0].totals = record::Directions::default());
        assert_eq!(ping_headline(&none), None);
        assert_eq!(crate::judge(&none).verdict.unwrap().headline.id(), "verdict-too-little");
    }
}
