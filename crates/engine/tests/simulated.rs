//! Whole runs against a device whose law is known, on a virtual clock.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::time::{Duration, Instant};

use engine::simulated::{Bucket, DeviceModel, LatencyNoise, Medium, Ssd, Stall};
use engine::{ArmedSession, Clock, Outcome, SessionOptions, SimulatedDevice, Target};
use support::{go, job};
use units::{Bytes, Depth, Iops, Nanos};
use workload::{
    Arrivals, Cap, Caps, Direction, Job, Mix, Pacing, Span, Stop, SyncKind, SyncPolicy, ThinkTime,
};

const CAPACITY: Bytes = Bytes::gib(64);
const READ_NS: u64 = 100_000;

fn ssd() -> DeviceModel {
    let medium = Medium::Ssd(Ssd {
        channels: 16,
        read_ns: READ_NS,
        write_ns: 20_000,
        bytes_per_second: 4e9,
        flush_ns: 300_000,
        ..Ssd::FLASH
    });
    DeviceModel::new(CAPACITY.0, medium)
}

fn on(law: DeviceModel, job: &Job) -> Outcome {
    go(job, &Target::simulated(SimulatedDevice::new(law, 3), CAPACITY))
}

fn base() -> Job {
    let span = Span { offset: Bytes(0), length: CAPACITY };
    Job { span, stop: Stop::after(Nanos::secs(20)), interval: Nanos::millis(100), ..job() }
}

fn iops(outcome: &Outcome) -> f64 {
    outcome.total(Direction::Read).ops as f64 * 1e9 / outcome.elapsed_ns as f64
}

#[test]
fn figures_are_those_of_the_law() {
    // One at a time: service and transfer; at depth: Little's law; deep: the channels.
    let alone = on(ssd(), &Job { depth: Depth(1), ..base() });
    let latency = READ_NS as f64 + 4096.0 / 4.0;
    assert!((iops(&alone) * latency / 1e9 - 1.0).abs() < 0.001, "{}", iops(&alone));
    assert_eq!(alone.total(Direction::Read).total.min_ns(), Some(latency as u64));
    for depth in [4, 32, 256] {
        let outcome = on(ssd(), &Job { depth: Depth(depth), ..base() });
        let mean = outcome.total(Direction::Read).total.mean_ns().unwrap();
        let little = iops(&outcome) * mean / 1e9;
        assert!((little / f64::from(depth) - 1.0).abs() < 0.001, "{depth}: {little}");
        assert_eq!(outcome.elapsed_ns, 20_000_000_000);
        assert_eq!(outcome.intervals.len(), 200);
    }
    let deep = on(ssd(), &Job { depth: Depth(2048), ..base() });
    let channels = 16.0 * 1e9 / READ_NS as f64;
    assert!((iops(&deep) / channels - 1.0).abs() < 0.02, "{} of {channels}", iops(&deep));
}

#[test]
fn what_is_under_way_when_the_time_is_up_counts_only_where_it_is_finished() {
    // 400 ms each: 7 within 3 s, and an eighth from 2.8 s to 3.2 s.
    let slow = |law: DeviceModel| {
        let Medium::Ssd(medium) = law.medium else { unreachable!() };
        DeviceModel { medium: Medium::Ssd(Ssd { read_ns: 400_000_000, ..medium }), ..law }
    };
    let job = Job { depth: Depth(1), stop: Stop::after(Nanos::secs(3)), ..base() };
    let cut = on(slow(ssd()), &job);
    assert_eq!((cut.total(Direction::Read).ops, cut.elapsed_ns), (7, 3_000_000_000));
    let whole = on(slow(ssd()), &Job { finish: true, ..job.clone() });
    assert_eq!((whole.total(Direction::Read).ops, whole.elapsed_ns), (8, 8 * 400_001_024));
    assert_eq!(whole.activity.outstanding_ns, whole.elapsed_ns as f64);
    // Deeper, all of them; and one that is much longer than the time.
    let deep = on(slow(ssd()), &Job { finish: true, depth: Depth(4), ..job.clone() });
    let counted = deep.total(Direction::Read).ops;
    assert_eq!(
        (counted, deep.requested.abandoned),
        (deep.requested.ops[Direction::Read as usize], 0)
    );
    assert!(counted > 28 && deep.elapsed_ns > 3_200_000_000, "{counted}");
    let stop = Stop::after(Nanos::millis(100));
    let long = on(slow(ssd()), &Job { finish: true, stop, ..job });
    assert_eq!((long.total(Direction::Read).ops, long.elapsed_ns), (1, 400_001_024));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let job = Job { mix: Mix::Mixed { read_percent: 70 }, depth: Depth(32), ..base() };
    let law = DeviceModel { noise: LatencyNoise::LogNormal(0.4), ..ssd() };
    let (a, b) = (on(law.clone(), &job), on(law, &job));
    for direction in [Direction::Read, Direction::Write] {
        assert_eq!(a.total(direction).total, b.total(direction).total);
        assert!(a.total(direction).ops > 100_000);
    }
    let ticks =
        |o: &Outcome| -> Vec<_> { o.intervals.iter().map(|i| i.tick_ops.clone()).collect() };
    assert_eq!(ticks(&a), ticks(&b));
}

#[test]
fn a_bucket_shows_as_a_burst_and_a_baseline() {
    let credits = 30_000.0;
    let bucket = Bucket { iops: 1000.0, burst_iops: 5000.0, credits, bytes_per_second: None };
    let outcome =
        on(DeviceModel { bucket: Some(bucket), ..ssd() }, &Job { depth: Depth(32), ..base() });
    let second = |n: usize| -> u64 {
        outcome.intervals[n * 10..n * 10 + 10]
            .iter()
            .filter_map(|i| i.directions[0].as_ref())
            .map(|d| d.ops)
            .sum()
    };
    // Credits last for 30000 / (5000 - 1000) = 7.5 s.
    assert_eq!(second(3), 5000);
    assert_eq!(second(12), 1000);
    let all: u64 = (0..20).map(second).sum();
    assert!(all.abs_diff(30_000 + 20 * 1000) < 100, "{all}");
}

/// 2000 a second are asked, and for one second of six nothing completes: the response times say
/// so, the service times of a closed loop would not.
#[test]
fn a_stall_is_in_the_response_times_of_an_open_loop() {
    let stall = Stall { every_ns: 6_000_000_000, lasts_ns: 1_000_000_000 };
    let law = DeviceModel { stall: Some(stall), ..ssd() };
    let open = |arrivals| Job {
        pacing: Pacing::Open { rate: Iops(2000.0), arrivals },
        depth: Depth(4096),
        stop: Stop::after(Nanos::secs(6)),
        ..base()
    };
    for arrivals in [Arrivals::Constant, Arrivals::Poisson] {
        let outcome = on(law.clone(), &open(arrivals));
        let reads = outcome.total(Direction::Read);
        let response = reads.response.as_ref().unwrap();
        // A sixth of the operations waits for up to a second: of all, 1 % for more than 0.94 s.
        let p99 = response.quantile(0.99).unwrap() as f64 / 1e9;
        assert!((p99 / 0.94 - 1.0).abs() < 0.02, "{arrivals:?}: {p99}");
        let report = outcome.open_loop.unwrap();
        assert!(!report.generator_late && report.held == 0, "{report:?}");
        assert_eq!(report.lag.max_ns(), Some(0), "on a virtual clock nothing is late");
        // Three in a hundred of 12000 Poisson arrivals is three sigma.
        let rate = report.started as f64 / 6.0;
        assert!((rate / 2000.0 - 1.0).abs() < 0.03, "{arrivals:?}: {rate}");
    }
    // The stall ends with the run: what was outstanding then counts all the same.
    // A bound on what is outstanding holds operations back, which is reported; their response
    // times are the same, for the wait is part of them.
    let bounded = on(law.clone(), &Job { depth: Depth(64), ..open(Arrivals::Constant) });
    let report = bounded.open_loop.as_ref().unwrap();
    assert!((1800..2000).contains(&report.held), "{}", report.held);
    let response = bounded.total(Direction::Read).response.as_ref().unwrap();
    assert!((response.quantile(0.99).unwrap() as f64 / 0.94e9 - 1.0).abs() < 0.03);
    // The closed loop hides it.
    let closed = on(law, &Job { depth: Depth(1), stop: Stop::after(Nanos::secs(12)), ..base() });
    assert!(closed.total(Direction::Read).total.quantile(0.999).unwrap() < 200_000);
}

/// Of a stall from 600 ms to 1 s, half comes after the end.
#[test]
fn silence_after_the_end_of_a_run_is_counted() {
    let stall = Some(Stall { every_ns: 1_000_000_000, lasts_ns: 400_000_000 });
    let job = Job { stop: Stop::after(Nanos::millis(800)), ..base() };
    let silence = |law| on(law, &job).activity.drain_silence_ns.unwrap();
    let stalled = silence(DeviceModel { stall, ..ssd() });
    assert!(stalled.abs_diff(200_000_000) < 2_000_000, "{stalled}");
    assert!(silence(ssd()) < 1_000_000);
}

#[test]
fn intervals_that_are_given_away_are_those_that_would_be_kept() {
    let job = Job { depth: Depth(8), ..base() };
    let kept = on(ssd(), &job);
    let target = Target::simulated(SimulatedDevice::new(ssd(), 3), CAPACITY);
    let clock = Clock::best();
    let armed = ArmedSession::new(&job, &[target], &clock, &SessionOptions::default()).unwrap();
    let mut session = armed.start(ArmedSession::common_start(&clock), 0, 1);
    let mut given = Vec::new();
    while session.poll(&clock, false, &mut |_| {}) {
        session.stream_intervals(&mut |interval| given.push(interval));
        std::thread::sleep(Duration::from_micros(50)); // sleeps because a session is polled
    }
    let outcome = session.into_outcome();
    assert!(given.len() > 100 && outcome.intervals.len() < 100, "{}", given.len());
    given.extend(outcome.intervals);
    assert_eq!(given.len(), kept.intervals.len());
    for (given, kept) in given.iter().zip(&kept.intervals) {
        assert_eq!((given.start_ns, given.length_ns), (kept.start_ns, kept.length_ns));
        assert_eq!(given.tick_ops, kept.tick_ops);
    }
}

#[test]
fn caps_and_pauses_hold() {
    let cap = Some(Cap::Operations(Iops(500.0)));
    let caps = Caps { read: cap, ..Caps::default() };
    let capped = on(ssd(), &Job { caps, depth: Depth(8), ..base() });
    assert!((iops(&capped) / 500.0 - 1.0).abs() < 0.005, "{}", iops(&capped));
    let think =
        ThinkTime { time: Nanos::millis(10), spin: Nanos::ZERO, every: 5, after: Nanos::ZERO };
    let pausing = on(ssd(), &Job { think: Some(think), depth: Depth(1), ..base() });
    // Five operations of 101 us, then the pause.
    let expected = 5.0 / (0.010 + 5.0 * 101.024e-6);
    assert!((iops(&pausing) / expected - 1.0).abs() < 0.01, "{} {expected}", iops(&pausing));
}

#[test]
fn flushes_cost_what_the_law_says() {
    let sync = Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 });
    let outcome = on(ssd(), &Job { sync, mix: Mix::Write, depth: Depth(1), ..base() });
    let flush = outcome.total(Direction::Sync).total.mean_ns().unwrap();
    assert!((flush / 300_000.0 - 1.0).abs() < 0.01, "{flush}");
}

/// One server of 2 ms that keeps to the real clock.
fn in_real_time() -> SimulatedDevice {
    let medium = Medium::Ssd(Ssd {
        channels: 1,
        read_ns: 2_000_000,
        write_ns: 2_000_000,
        bytes_per_second: 1e13,
        flush_ns: 2_000_000,
        ..Ssd::FLASH
    });
    SimulatedDevice::new(DeviceModel { medium, ..ssd() }, 3).in_real_time()
}

#[test]
fn in_real_time_a_device_is_never_faster_than_its_law() {
    let device = in_real_time();
    let target = Target::simulated(device.clone(), CAPACITY);
    assert!(!target.is_virtual());
    let stop = Stop::after(Nanos::millis(300));
    // The second run has a clock that began anew: the device's time goes on.
    for depth in [1, 4] {
        let begun = Instant::now();
        let outcome = go(&Job { depth: Depth(depth), stop, ..base() }, &target);
        let took = begun.elapsed();
        assert!(took >= Duration::from_millis(300), "{took:?}");
        let ops = outcome.total(Direction::Read).ops;
        let most = took.as_nanos() as u64 / 2_000_000 + 1;
        assert!(ops > 0 && ops <= most, "{ops} of at most {most}");
    }
}

#[test]
fn a_device_that_is_held_completes_nothing_meanwhile() {
    let device = in_real_time();
    let target = Target::simulated(device.clone(), CAPACITY);
    device.hold(true);
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            // sleeps because that is how long the device hangs
            std::thread::sleep(Duration::from_millis(150));
            device.hold(false);
        });
        go(&Job { depth: Depth(1), stop: Stop::after(Nanos::millis(300)), ..base() }, &target)
    });
    let slowest = outcome.total(Direction::Read).total.max_ns().unwrap();
    // The job is armed in the first part of that time.
    assert!(slowest >= 50_000_000, "{slowest} ns");
    assert!(outcome.total(Direction::Read).ops > 0);
}
