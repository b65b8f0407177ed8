//! What is kept of a watch.

use analysis::{histogram_statistic, summarise_latency};
use message::Message;
use record::{
    LatencySummary, SourceKind, Watched, WatchedDirection, WatchedDisk, WatchedProbe, WatchedWaiter,
};
use stats::LatencyHistogram;
use units::Nanos;
use workload::Statistic;

use crate::judge::{DiskFacts, DiskJudgement};
use crate::sample::{DirectionSample, ProbeSample, Waiter};
use crate::series::WatchSeries;
use crate::summary::{DiskSummary, WatchSummary};

/// Those who wait that are kept: the ones that waited longest.
const WAITERS_MAX: usize = 20;
/// Limits of a disk that are kept: a host of containers has one for each.
const LIMITS_MAX: usize = 20;

/// What was seen, with its judgement; the disk that matters most first.
pub fn describe_watch(
    source: SourceKind,
    notes: &[Message],
    (summary, series): (&WatchSummary, &WatchSeries),
    judged: &[DiskJudgement],
    facts: &[DiskFacts],
) -> Watched {
    let disks = judged.iter().filter_map(|judged| {
        let disk = summary.disk(&judged.disk)?;
        let facts = facts.iter().find(|facts| facts.name == disk.name);
        let mut described = describe_disk(disk, judged, facts);
        if described.is_active() {
            described.series = series.points(&disk.name);
        }
        Some(described)
    });
    Watched {
        source,
        length: summary.length,
        disks: disks.collect(),
        waiters: summary.waiters.iter().take(WAITERS_MAX).map(describe_waiter).collect(),
        host: summary.host.clone(),
        missing_requests: summary.missing_requests,
        waiters_estimated: summary.waiters_estimated,
        probe: summary.probe.as_ref().map(describe_probe),
        notes: notes.to_vec(),
    }
}

/// The figures of the reads of our own.
pub fn describe_probe(probe: &ProbeSample) -> WatchedProbe {
    let reads = probe.total.count();
    WatchedProbe {
        reads,
        total: (reads > 0).then(|| summarise_latency(&probe.total)),
        errors: probe.errors,
        waiting: probe.waiting,
    }
}

fn describe_disk(
    disk: &DiskSummary,
    judged: &DiskJudgement,
    facts: Option<&DiskFacts>,
) -> WatchedDisk {
    let limits = facts.into_iter().flat_map(|facts| &facts.limits);
    WatchedDisk {
        name: disk.name.clone(),
        length: disk.length,
        verdict: judged.verdict,
        sentence: judged.sentence.clone(),
        next: judged.next.clone(),
        read: describe_direction(&disk.read),
        write: describe_direction(&disk.write),
        flush: disk.flush.as_ref().map(describe_direction),
        outstanding: disk.outstanding,
        busy_share: disk.busy_share,
        errors: disk.errors,
        volume: disk.volume.clone(),
        celsius: facts.and_then(|facts| facts.health.run.end.celsius),
        limits: limits.take(LIMITS_MAX).cloned().collect(),
        used: judged.used.clone(),
        series: Vec::new(),
    }
}

fn describe_direction(of: &DirectionSample) -> WatchedDirection {
    let with_requests = |part: &Option<LatencyHistogram>| {
        let part = part.as_ref().filter(|part| part.count() > 0);
        part.map(summarise_latency)
    };
    let figures_only = |part: &Option<LatencyHistogram>| {
        let summary = with_requests(part)?;
        Some(LatencySummary { histogram: Default::default(), ..summary })
    };
    WatchedDirection {
        operations: of.operations,
        bytes: of.bytes,
        mean_ns: of.mean_ns.filter(|_| of.operations > 0),
        total: with_requests(&of.total),
        queue: figures_only(&of.queue),
        device: figures_only(&of.device),
    }
}

fn describe_waiter(waiter: &Waiter) -> WatchedWaiter {
    let percentile =
        |share: f64| histogram_statistic(waiter.total.as_ref()?, Statistic::Percentile(share));
    WatchedWaiter {
        who: waiter.who.clone(),
        process: waiter.main_process().map(str::to_owned),
        disk: waiter.device.clone(),
        operations: waiter.operations,
        bytes: waiter.bytes,
        waited: Nanos(waiter.waited_ns),
        p50: percentile(50.0),
        p99: percentile(99.0),
    }
}

#[cfg(test)]
mod tests {
    use record::{Measured, Plan, Purpose, Record, Tool, WatchPlan, store};
    use units::{Bytes, Seed};

    use super::*;
    use crate::judge::judge;
    use crate::sample::{DeviceSample, Sample, WaiterName};

    #[test]
    fn queue_and_device_are_not_confused() {
        let of = |ns: u64| {
            let mut histogram = LatencyHistogram::new();
            histogram.record(ns);
            Some(histogram)
        };
        let kept = describe_direction(&DirectionSample {
            operations: 1,
            total: of(120_000),
            queue: of(20_000),
            device: of(100_000),
            ..Default::default()
        });
        let means = [kept.total, kept.queue, kept.device].map(|part| part.unwrap().mean);
        assert_eq!(means, [120e3, 20e3, 100e3]);
    }

    /// A second of a busy disk: latencies over a decade, of three kinds of requests.
    fn busy_second(second: u64) -> Sample {
        let direction = |shift: u64, operations: u64| {
            let mut total = LatencyHistogram::new();
            (0..operations).for_each(|place| {
                // Multiplicative hashing spreads them.
                let random =
                    (second * operations + place).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                total.record(80_000 * (shift + 1) + random % (900_000 + second * 100));
            });
            DirectionSample {
                operations,
                bytes: operations * 4096,
                mean_ns: total.mean_ns(),
                queue: Some(total.clone()),
                device: Some(total.clone()),
                total: Some(total),
            }
        };
        let waiter = |number: u64| Waiter {
            who: WaiterName::Group(format!("/system.slice/system-job.slice/job@{number}.service")),
            device: "vda".to_owned(),
            operations: 10,
            bytes: 4096,
            waited_ns: 1_000_000 + number,
            total: None,
            submitters: Vec::new(),
        };
        let device = DeviceSample {
            name: "vda".to_owned(),
            read: direction(0, 900),
            write: direction(2, 500),
            flush: Some(direction(9, 40)),
            errors: Some(0),
            outstanding: Some(1.25),
            busy_share: Some(0.5),
            volume: None,
        };
        Sample {
            length_ns: 1_000_123_456 + second,
            devices: vec![device],
            waiters: (0..50).map(waiter).collect(),
            ..Sample::default()
        }
    }

    #[test]
    fn an_hour_of_seconds_is_small_and_read_again() {
        let (mut summary, mut series) = (WatchSummary::default(), WatchSeries::default());
        for second in 0..3_600 {
            let sample = busy_second(second);
            summary.add(&sample);
            series.add(&sample);
        }
        let judged = judge(&summary, &[]);
        let watched = describe_watch(SourceKind::Ebpf, &[], (&summary, &series), &judged, &[]);
        assert_eq!(watched.disks[0].sentence, judged[0].sentence);
        assert_eq!(watched.disks[0].read.operations, 900 * 3_600);
        assert_eq!(watched.waiters.len(), WAITERS_MAX);
        let purpose = Purpose::Watch(WatchPlan { interval: Nanos::secs(1) });
        let (budget, span, seed) = (Nanos::ZERO, Bytes(0), Seed(0));
        let plan = Plan { purpose, budget, bounds: Vec::new(), read_only: true, span, seed };
        let start = "2026-11-26T01:00:00Z".parse().unwrap();
        let mut measured = Measured::new(Tool::ours("0"), start, plan);
        measured.id = "20261126T010000Z-5f3a9c21".to_owned();
        measured.watch = Some(Box::new(watched));
        let record = Record::from_measured(measured);
        let kept = store::compress_record(&record).unwrap();
        assert!(kept.len() < 200_000, "{} bytes", kept.len());
        let again = store::parse_record(&kept, "kept".as_ref()).unwrap();
        assert_eq!(again, record);
    }
}
