//! A watch as JSON lines: one per interval, and one of the whole. Latencies are integers in
//! nanoseconds; what the source cannot tell, or the sample does not support, is absent.

use std::collections::BTreeMap;
use std::io::Write as _;

use ::output::Destination;
use message::Message;
use record::VolumeCounters;
use serde::Serialize;
use stats::LatencyHistogram;
use units::escape_json;
use watch::{
    DirectionSample, DiskJudgement, DiskSummary, HostSample, SourceKind, WaiterName, WatchSummary,
    histogram_statistic,
};
use workload::Statistic;

use crate::exit::Failure;

#[derive(Debug, Serialize)]
struct Line<'a> {
    /// `interval`, or `summary` of the whole watch.
    kind: &'static str,
    /// When it ended.
    time: jiff::Timestamp,
    length_ns: u64,
    source: &'static str,
    disks: Vec<DiskLine<'a>>,
    waiters: Vec<WaiterLine<'a>>,
    host: &'a HostSample,
    missing_requests: u64,
    /// The waiters are an estimate, of some of the fast requests.
    waiters_estimated: bool,
    /// Absent without `--probe`.
    #[serde(skip_serializing_if = "Option::is_none")]
    probe: Option<ProbeLine>,
}

/// Reads of our own.
#[derive(Debug, Serialize)]
struct ProbeLine {
    reads: u64,
    errors: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting_ns: Option<u64>,
    #[serde(flatten)]
    total: BTreeMap<String, u64>,
}

#[derive(Debug, Serialize)]
struct DiskLine<'a> {
    name: &'a str,
    read: DirectionLine,
    write: DirectionLine,
    /// Absent where the source does not see flushes.
    #[serde(skip_serializing_if = "Option::is_none")]
    flush: Option<DirectionLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outstanding: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    busy_share: Option<f64>,
    /// Requests that ended with an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<u64>,
    /// What an EBS volume counted itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<&'a VolumeCounters>,
    /// Of the last intervals, or of the whole watch.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<&'a Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'a Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<UsedLine>,
}

#[derive(Debug, Serialize)]
struct DirectionLine {
    operations: u64,
    bytes: u64,
    iops: f64,
    bytes_per_second: f64,
    #[serde(flatten)]
    total: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    queue: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    device: BTreeMap<String, u64>,
}

#[derive(Debug, Serialize)]
struct UsedLine {
    share: f64,
    iops: f64,
    /// With operations of another size, the number that moves the same bytes.
    limit_iops: f64,
    bound: String,
    measured: jiff::Timestamp,
    /// What was measured.
    curve: Message,
}

#[derive(Debug, Serialize)]
struct WaiterLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    writeback: bool,
    /// Those that waited less than the ones that are named.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    others: bool,
    /// Name of the threads that asked for more than half of its requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<&'a str>,
    disk: &'a str,
    operations: u64,
    bytes: u64,
    waited_ns: u64,
    #[serde(flatten)]
    total: BTreeMap<String, u64>,
}

/// The file of JSON lines; each line is there as soon as its interval ends.
pub(super) struct JsonLines {
    file: Destination,
    source: SourceKind,
}

impl JsonLines {
    pub(super) const fn new(file: Destination, source: SourceKind) -> Self {
        Self { file, source }
    }

    pub(super) fn write(
        &mut self,
        kind: &'static str,
        time: jiff::Timestamp,
        summary: &WatchSummary,
        judgements: &[DiskJudgement],
    ) -> Result<(), Failure> {
        let line = build_line(kind, time, self.source, summary, judgements);
        let json = serde_json::to_string(&line)?;
        writeln!(self.file, "{}", escape_json(&json))?;
        Ok(self.file.flush()?)
    }

    pub(super) fn commit(self) -> Result<(), Failure> {
        Ok(self.file.commit()?)
    }
}

fn build_line<'a>(
    kind: &'static str,
    time: jiff::Timestamp,
    source: SourceKind,
    summary: &'a WatchSummary,
    judgements: &'a [DiskJudgement],
) -> Line<'a> {
    let judgement = |disk: &DiskSummary| judgements.iter().find(|one| one.disk == disk.name);
    Line {
        kind,
        time,
        length_ns: summary.length.0,
        source: source.name(),
        disks: summary.disks.iter().map(|disk| disk_line(disk, judgement(disk))).collect(),
        waiters: summary.waiters.iter().map(waiter_line).collect(),
        host: &summary.host,
        missing_requests: summary.missing_requests,
        waiters_estimated: summary.waiters_estimated,
        probe: summary.probe.as_ref().map(|probe| ProbeLine {
            reads: probe.total.count(),
            errors: probe.errors,
            waiting_ns: probe.waiting.map(|waiting| waiting.0),
            total: latency_fields(Some(&probe.total)),
        }),
    }
}

fn disk_line<'a>(disk: &'a DiskSummary, judgement: Option<&'a DiskJudgement>) -> DiskLine<'a> {
    let used = judgement.and_then(|judgement| judgement.used.as_ref()).map(|used| UsedLine {
        share: used.share().0,
        iops: used.iops.0,
        limit_iops: used.limit.0,
        bound: used.bound.to_string(),
        measured: used.measured,
        curve: used.curve.clone(),
    });
    DiskLine {
        name: &disk.name,
        read: direction_line(disk, &disk.read),
        write: direction_line(disk, &disk.write),
        flush: disk.flush.as_ref().map(|flush| direction_line(disk, flush)),
        outstanding: disk.outstanding,
        busy_share: disk.busy_share,
        errors: disk.errors,
        volume: disk.volume.as_ref(),
        verdict: judgement.map(|judgement| judgement.verdict.name()),
        sentence: judgement.map(|judgement| &judgement.sentence),
        next: judgement.and_then(|judgement| judgement.next.as_ref()),
        used,
    }
}

fn direction_line(disk: &DiskSummary, of: &DirectionSample) -> DirectionLine {
    let (iops, rate) = disk.rate_of(of);
    let mut total = latency_fields(of.total.as_ref());
    if let Some(mean) = of.statistic(Statistic::Mean) {
        total.insert("mean".to_owned(), mean.0);
    }
    DirectionLine {
        operations: of.operations,
        bytes: of.bytes,
        iops: iops.0,
        bytes_per_second: rate.0,
        total,
        queue: latency_fields(of.queue.as_ref()),
        device: latency_fields(of.device.as_ref()),
    }
}

fn latency_fields(histogram: Option<&LatencyHistogram>) -> BTreeMap<String, u64> {
    let percentiles = [50.0, 90.0, 99.0, 99.9, 99.99].map(Statistic::Percentile);
    let statistics = percentiles.into_iter().chain([Statistic::Mean, Statistic::Max]);
    let field = |statistic: Statistic| {
        Some((statistic.to_string(), histogram_statistic(histogram, statistic)?.0))
    };
    statistics.filter_map(field).collect()
}

fn waiter_line(waiter: &watch::Waiter) -> WaiterLine<'_> {
    let group = match &waiter.who {
        WaiterName::Group(path) => Some(path.as_str()),
        WaiterName::Writeback | WaiterName::Others => None,
    };
    WaiterLine {
        group,
        writeback: waiter.who == WaiterName::Writeback,
        others: waiter.who == WaiterName::Others,
        process: waiter.main_process(),
        disk: &waiter.device,
        operations: waiter.operations,
        bytes: waiter.bytes,
        waited_ns: waiter.waited_ns,
        total: latency_fields(waiter.total.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use units::Nanos;
    use watch::{DeviceSample, Sample};

    use super::*;

    fn line(total: Option<LatencyHistogram>, operations: u64) -> serde_json::Value {
        let read = DirectionSample {
            operations,
            bytes: operations * 4096,
            mean_ns: (operations > 0).then_some(2e6),
            total,
            ..DirectionSample::default()
        };
        let device = DeviceSample { name: "sda".to_owned(), read, ..DeviceSample::default() };
        let length_ns = Nanos::secs(1).0;
        let sample = Sample { length_ns, devices: vec![device], ..Sample::default() };
        let summary = WatchSummary::from_samples([&sample]);
        let time = "2026-11-25T12:00:00Z".parse().unwrap();
        let line = build_line("interval", time, SourceKind::Counters, &summary, &[]);
        serde_json::to_value(line).unwrap()
    }

    #[test]
    fn what_cannot_be_told_is_absent_and_never_zero() {
        let counted = line(None, 50);
        let read = &counted["disks"][0]["read"];
        assert_eq!((&read["operations"], &read["mean"]), (&50.into(), &2_000_000.into()));
        for absent in ["p50", "p99", "p99.9", "max", "queue", "device"] {
            assert!(read.get(absent).is_none(), "{absent}: {read}");
        }
        let disk = &counted["disks"][0];
        assert!(disk.get("flush").is_none(), "{disk}");
        assert!(disk["write"].get("mean").is_none());
        assert!(disk.get("outstanding").is_none() && disk.get("busy_share").is_none());
        assert!(counted["host"].get("io_pressure").is_none());
    }

    #[test]
    fn percentiles_are_integers_where_the_sample_supports_them() {
        let mut total = LatencyHistogram::new();
        (1..=500).for_each(|us| total.record(us * 1_000));
        let read = &line(Some(total), 500)["disks"][0]["read"];
        let p99 = read["p99"].as_u64().unwrap();
        assert!((490_000..=500_000).contains(&p99), "{read}");
        assert_eq!(read["max"], 500_000);
        assert!(read.get("p99.99").is_none());
    }
}
