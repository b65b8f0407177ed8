//! A made-up record of a plain virtio SSD, for tests: deterministic, consistent in itself, and
//! without anything that a check should find.

mod fleet;
mod host;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use stats::{Estimate, LatencyHistogram};
use units::{Bytes, Depth, Iops, Nanos, Seed};
use workload::{
    Access, Arrivals, BackendChoice, Bound, Direction, Job, Mix, Pacing, Payload, Span, Statistic,
    Stop, SyncKind, SyncPolicy,
};

use crate::{
    AchievedDepth, Calibration, Cell, CellRole, ClockSource, CommandLine, Confidence, CpuTime,
    DirectionInterval, DirectionTotals, Directions, Effort, Environment, ExtentSummary, FileSystem,
    Finding, FindingId, Interval, IoUringStatus, LatencySummary, Layer, LayerCounters, LayerKind,
    LayoutRun, Ledger, LimitPlan, Measured, Part, PerDirection, Plan, ProcessCounters, Purpose,
    QueueLimits, Record, Residency, Status, TargetInfo, TargetKind, TickSeries, Ticks, Tool,
};

const SPAN: Bytes = Bytes::gib(4);

/// What a made-up cell is like.
struct CellShape {
    name: &'static str,
    role: CellRole,
    mix: Mix,
    access: Access,
    block: Bytes,
    depth: u32,
    iops: f64,
    seconds: u64,
    sync: bool,
}

/// The record; not judged yet.
#[must_use]
pub fn ssd_record() -> Record {
    // Its latencies are recorded one by one: once is enough for all tests.
    static MADE: LazyLock<Measured> = LazyLock::new(build_ssd);
    Record::from_measured(MADE.clone())
}

fn build_ssd() -> Measured {
    let read = Mix::Read;
    let write = Mix::Write;
    let mixed = Mix::Mixed { read_percent: 75 };
    let mut shapes = Vec::new();
    let mut random = |name, role, mix, depth, iops, seconds| {
        let (access, block, sync) = (Access::Random, Bytes::kib(4), false);
        shapes.push(CellShape { name, role, mix, access, block, depth, iops, seconds, sync });
    };
    random("randread-4k-qd1", CellRole::Main, read, 1, 20_000.0, 3);
    random("randread-4k-qd4", CellRole::Ladder, read, 4, 52_000.0, 1);
    random("randread-4k-qd16", CellRole::Ladder, read, 16, 92_000.0, 1);
    random("randread-4k-qd64", CellRole::Ladder, read, 64, 118_000.0, 1);
    random("randread-4k-qd128", CellRole::Ladder, read, 128, 118_500.0, 1);
    random("randwrite-4k-qd1", CellRole::Main, write, 1, 17_000.0, 3);
    random("randwrite-4k-qd16", CellRole::Ladder, write, 16, 80_000.0, 1);
    random("randwrite-4k-qd64", CellRole::Ladder, write, 64, 82_000.0, 1);
    random("randrw75-4k-qd1", CellRole::Main, mixed, 1, 18_000.0, 2);
    random("randrw75-4k-qd16", CellRole::Ladder, mixed, 16, 85_000.0, 1);
    random("randread-4k-qd1-repeat", CellRole::Repeat, read, 1, 19_800.0, 2);
    for (name, mix, iops) in [("seqread-1m", read, 500.0), ("seqwrite-1m", write, 450.0)] {
        let (access, block) = (Access::Sequential, Bytes::mib(1));
        let role = CellRole::Main;
        shapes.push(CellShape {
            name,
            role,
            mix,
            access,
            block,
            depth: 8,
            iops,
            seconds: 3,
            sync: false,
        });
    }
    shapes.push(CellShape {
        name: "syncwrite-4k",
        role: CellRole::Main,
        mix: write,
        access: Access::Sequential,
        block: Bytes::kib(4),
        depth: 1,
        iops: 9_000.0,
        seconds: 3,
        sync: true,
    });
    let mut started = Nanos::secs(9);
    let mut cells = Vec::new();
    for shape in &shapes {
        cells.push(build_cell(shape, started));
        started = Nanos(started.0 + shape.seconds * 1_100_000_000);
    }
    Measured { cells, ..empty_record() }
}

/// A search for a limit on a made-up device that gives `100,000 d / (d + 10)` IOPS at depth `d`:
/// 100 us idle, 100,000 IOPS at the most, a knee at depth 10.
#[must_use]
pub fn limit_record() -> Record {
    let depths = [1, 2, 4, 8, 10, 16, 24, 32, 64, 128, 256, 512];
    let probes = depths.map(|depth| ("randread-4k", Mix::Read, depth, depth));
    Record::from_measured(build_search(&probes.map(|probe| vec![probe])))
}

/// The same with two jobs at the same time, of whose depth the writes have a quarter.
#[must_use]
pub fn two_job_limit_record() -> Record {
    let mut record = build_search(&[4, 8, 16, 32, 64].map(|depth| {
        let (reads, writes) = (depth * 3 / 4, depth / 4);
        vec![("randread-4k", Mix::Read, reads, depth), ("randwrite-4k", Mix::Write, writes, depth)]
    }));
    for pair in record.cells.chunks_exact_mut(2) {
        let both = format!("{}+{}", pair[0].job.depth, pair[1].job.depth);
        pair[0].name = format!("randread-4k-qd{both}");
        pair[1].name = format!("randwrite-4k-qd{both}");
        (pair[0].beside, pair[1].beside) = (Some(pair[1].name.clone()), Some(pair[0].name.clone()));
    }
    Record::from_measured(record)
}

/// The same over arrivals: the device keeps up with every rate, and waits are as in the closed
/// loop of as many IOPS.
#[must_use]
pub fn open_loop_limit_record() -> Record {
    let mut record = limit_record().measured;
    let mut open = record.cells.clone();
    for cell in &mut open {
        let rate = Iops(cell.iops());
        cell.name = format!("randread-4k-rate{:.0}", rate.0);
        cell.job.pacing = Pacing::Open { rate, arrivals: Arrivals::Poisson };
        cell.job.depth = Depth(4096);
        cell.started = Nanos(cell.started.0 + Nanos::secs(30).0);
        if let Some(totals) = &mut cell.totals.read {
            totals.response_ns = Some(totals.latency_ns.clone());
        }
    }
    record.cells.extend(open);
    if let Purpose::Limit(plan) = &mut record.plan.purpose {
        plan.arrivals = Some(Arrivals::Poisson);
    }
    Record::from_measured(record)
}

/// A search over four hosts on one shared volume; the third has a slower way to it.
#[must_use]
pub fn fleet_record() -> Record {
    // Its latencies are recorded one by one: once is enough for all tests.
    static MADE: LazyLock<Measured> = LazyLock::new(fleet::build_fleet);
    Record::from_measured(MADE.clone())
}

/// Takes the second host away from the third cell on, as a coordinator that lost it would.
pub fn lose_host(record: &mut Measured) {
    fleet::lose_second_host(record);
}

/// Makes so many hosts of the four, all alike in their turn.
pub fn multiply_hosts(record: &mut Measured, count: usize) {
    fleet::multiply_fleet_hosts(record, count);
}

/// Probes, each of one job or two: name, mix, own depth, and that of both together.
fn build_search(probes: &[Vec<(&'static str, Mix, u32, u32)>]) -> Measured {
    let mut record = empty_record();
    let p99 = |limit| Bound { statistic: Statistic::Percentile(99.0), limit };
    record.plan.bounds = vec![p99(Nanos::millis(1)), p99(Nanos::micros(500))];
    let part = |&(_, mix, ..): &(&str, Mix, u32, u32)| Part {
        access: Access::Random,
        mix,
        block_size: Bytes::kib(4),
    };
    record.plan.purpose = Purpose::Limit(LimitPlan {
        parts: probes.first().map(|probe| probe.iter().map(part).collect()).unwrap_or_default(),
        first_percent: None,
        arrivals: None,
        depth_max: 1024,
        probe_max: Nanos::secs(30),
    });
    record.command = CommandLine::new(["truedisk", "limit", "/srv/data"]);
    for (place, probe) in probes.iter().enumerate() {
        for &(name, mix, depth, both) in probe {
            let (role, access, block) = (CellRole::Probe, Access::Random, Bytes::kib(4));
            let iops = 100_000.0 * f64::from(depth) / f64::from(both + 10);
            let shape =
                CellShape { name, role, mix, access, block, depth, iops, seconds: 1, sync: false };
            let mut made = build_cell(&shape, Nanos::millis(9_000 + 1_100 * place as u64));
            made.name = format!("{name}-qd{depth}");
            record.cells.push(made);
        }
    }
    record
}

fn empty_record() -> Measured {
    let at =
        |seconds: i64| jiff::Timestamp::from_second(1_795_000_000 + seconds).unwrap_or_default();
    let plan = Plan {
        purpose: Purpose::Check { effort: Effort::Standard, until_throttled: None },
        budget: Nanos::secs(60),
        bounds: vec![Bound { statistic: Statistic::Percentile(99.0), limit: Nanos::millis(10) }],
        read_only: false,
        span: SPAN,
        seed: Seed(42),
    };
    Measured {
        id: "20261118T110640Z-0badcafe".to_owned(),
        finished: at(60),
        command: CommandLine::new(["truedisk", "check", "/srv/data"]),
        environment: host::build_environment(),
        targets: vec![host::build_target()],
        layout: Some(LayoutRun {
            wanted: SPAN,
            written: SPAN,
            shortened: None,
            block_size: Bytes::mib(1),
            depth: 32,
            elapsed: Nanos::millis(8_600),
            series: vec![50_000_000; 86],
            interval: Nanos::millis(100),
            sync: Nanos::millis(2),
        }),
        calibration: Calibration {
            clock: ClockSource::Tsc,
            clock_read_ns: 11.0,
            tsc_hz: Some(2.6e9),
            nop_iops_depth_1: Some(Iops(3_900_000.0)),
            nop_iops_depth_32: Some(Iops(14_000_000.0)),
            took: Nanos::millis(150),
        },
        ..Measured::new(Tool::ours("0.1.0"), at(0), plan)
    }
}

fn build_job(shape: &CellShape) -> Job {
    Job {
        name: shape.name.to_owned(),
        access: shape.access.clone(),
        mix: shape.mix,
        block_size: shape.block,
        depth: Depth(shape.depth),
        pacing: Pacing::Closed,
        sync: shape.sync.then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        warm_up: Nanos::millis(150),
        stop: Stop::after(Nanos::secs(shape.seconds)),
        span: Span { offset: Bytes::mib(1), length: SPAN },
        payload: Payload::Unique,
        direct: true,
        seed: Seed(42),
        backend: BackendChoice::Auto,
        interval: Nanos::millis(100),
        ..Job::base()
    }
}

/// The share of a shape's operations that go in `direction`; syncs follow every write.
fn direction_share(shape: &CellShape, direction: Direction) -> f64 {
    match (direction, shape.mix) {
        (Direction::Read, Mix::Read) | (Direction::Write, Mix::Write) => 1.0,
        (Direction::Read, Mix::Mixed { read_percent }) => f64::from(read_percent) / 100.0,
        (Direction::Write, Mix::Mixed { read_percent }) => 1.0 - f64::from(read_percent) / 100.0,
        (Direction::Sync, _) if shape.sync => 1.0,
        _ => 0.0,
    }
}

/// Mean total latency by Little's law, half each for a write and its sync.
fn latency_ns(shape: &CellShape) -> f64 {
    let outstanding = if shape.sync { 0.5 } else { f64::from(shape.depth) };
    outstanding / shape.iops * 1e9
}

fn build_cell(shape: &CellShape, started: Nanos) -> Cell {
    let count = shape.seconds as usize * 10;
    let mut intervals: Vec<Interval> = (0..count)
        .map(|i| Interval {
            start: Nanos::millis(100 * i as u64),
            length: Nanos::millis(100),
            directions: PerDirection::default(),
        })
        .collect();
    let (mut totals, mut confidence) = (Directions::default(), Confidence::default());
    let mut ticks = TickSeries { tick: Nanos::millis(10), directions: PerDirection::default() };
    for direction in Direction::ALL {
        let rate = shape.iops * direction_share(shape, direction);
        if rate > 0.0 {
            let made = fill_intervals(shape, direction, rate, count, &mut intervals);
            totals.set(direction, made.0);
            ticks.directions.set(direction, made.1);
            let method = "made up".to_owned();
            let estimate = |v: f64| Estimate {
                value: v,
                low: Some(v * 0.99),
                high: Some(v * 1.01),
                n: 100,
                n_effective: Some(80.0),
                method: method.clone(),
            };
            confidence.iops.set(direction, estimate(rate));
            confidence.mean_latency_ns.set(direction, estimate(latency_ns(shape)));
        }
    }
    let outstanding = f64::from(shape.depth);
    let ledger = build_ledger(shape, &totals);
    Cell {
        name: shape.name.to_owned(),
        role: shape.role,
        beside: None,
        trial: None,
        step: None,
        end_sync: None,
        job: build_job(shape),
        backend: "io_uring".to_owned(),
        backend_notes: Vec::new(),
        started,
        elapsed: Nanos::secs(shape.seconds),
        intervals,
        ticks,
        totals,
        achieved_depth: AchievedDepth { counted: outstanding * 0.99, little: outstanding * 0.99 },
        cpu: CpuTime {
            user: Nanos::millis(20 * shape.seconds),
            system: Nanos::millis(300 * shape.seconds),
            ns_per_op: Some(3_500.0),
            threads: 1,
        },
        ledger,
        confidence,
        pauses: Vec::new(),
        open_loop: None,
        verified: None,
        failures: Vec::new(),
        error: None,
    }
}

fn build_ledger(shape: &CellShape, totals: &Directions) -> Ledger {
    let of = |d: Direction| totals.get(d).map_or((0, 0), |t| (t.ops, t.bytes));
    let (read, write, sync) = (of(Direction::Read), of(Direction::Write), of(Direction::Sync));
    Ledger {
        elapsed: Nanos::secs(shape.seconds),
        read_ops: read.0,
        read_bytes: Bytes(read.1),
        write_ops: write.0,
        write_bytes: Bytes(write.1),
        sync_ops: sync.0,
        trim_ops: 0,
        trim_bytes: Bytes(0),
        resumed: 0,
        abandoned: 0,
        process: Some(ProcessCounters { read_bytes: Bytes(read.1), write_bytes: Bytes(write.1) }),
        layers: vec![LayerCounters {
            name: "vda".to_owned(),
            read_ops: read.0,
            read_bytes: Bytes(read.1),
            write_ops: write.0,
            write_bytes: Bytes(write.1),
            flush_ops: sync.0,
            merges: 0,
            queue_ms: 1000 * shape.seconds * u64::from(shape.depth),
            busy_ms: 1000 * shape.seconds,
        }],
        residency: Some(Residency {
            method: "cachestat".to_owned(),
            pages: SPAN.0 / 4096,
            cached_before: 0,
            cached_after: 0,
        }),
        system: None,
    }
}

/// Latencies around the mean with a tail, the same in every interval but for a small ripple.
fn fill_intervals(
    shape: &CellShape,
    direction: Direction,
    rate: f64,
    count: usize,
    intervals: &mut [Interval],
) -> (DirectionTotals, Ticks) {
    let mean = latency_ns(shape);
    let mut whole = LatencyHistogram::new();
    let mut ticks = Ticks::default();
    for (i, interval) in intervals.iter_mut().enumerate().take(count) {
        let ripple = 1.0 + 0.01 * ((i * 7 % 5) as f64 - 2.0);
        let per_tick = (rate * ripple / 100.0).round().max(1.0) as u64;
        let mut histogram = LatencyHistogram::new();
        for op in 0..per_tick * 10 {
            let place = (op as f64 + 0.5) / (per_tick * 10) as f64;
            histogram.record((mean * (0.6 - 0.4 * (1.0 - place).ln())) as u64);
        }
        whole.merge(&histogram);
        ticks.ops.extend([per_tick; 10]);
        ticks.latency_sum_ns.extend([(per_tick as f64 * mean) as u64; 10]);
        let bytes = if direction == Direction::Sync { 0 } else { shape.block.0 };
        let made = DirectionInterval {
            ops: per_tick * 10,
            bytes: per_tick * 10 * bytes,
            total: histogram.to_sparse(),
            submission: None,
            response: None,
        };
        interval.directions.set(direction, made);
    }
    let block = if direction == Direction::Sync { 0 } else { shape.block.0 };
    (build_totals(&whole, block, shape.seconds as f64), ticks)
}

fn build_totals(whole: &LatencyHistogram, block: u64, seconds: f64) -> DirectionTotals {
    let ops = whole.count();
    let percentiles = [50.0, 90.0, 95.0, 99.0, 99.9, 99.99]
        .into_iter()
        .filter(|&p| stats::percentile_supported(p, ops))
        .filter_map(|p| Some((format!("p{p}"), whole.quantile(p / 100.0)?)))
        .collect();
    DirectionTotals {
        ops,
        bytes: ops * block,
        iops: ops as f64 / seconds,
        bytes_per_second: (ops * block) as f64 / seconds,
        latency_ns: LatencySummary {
            mean: whole.mean_ns().unwrap_or(0.0),
            stddev: whole.stddev_ns().unwrap_or(0.0),
            min: whole.min_ns().unwrap_or(0),
            max: whole.max_ns().unwrap_or(0),
            percentiles,
            histogram: whole.to_sparse(),
        },
        submission_ns: None,
        response_ns: None,
    }
}
