//! The engine on the real disk: what it counts, how it ends.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::time::{Duration, Instant};

use engine::{Clock, EndReason, EngineError, StopSignal, run_job};
use support::{SIZE, file, folder, go, job, target, target_of};
use units::{Depth, Nanos};
use workload::{Access, BackendChoice, Direction, Job, Mix, Pacing, Stop, SyncKind, SyncPolicy};

#[test]
fn books_balance_on_both_backends() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    for backend in [BackendChoice::Auto, BackendChoice::Threads] {
        for depth in [1, 8, 64] {
            let job = Job { backend, depth: Depth(depth), warm_up: Nanos::millis(40), ..job() };
            // A shared disk stands still for a moment now and then: then once more.
            let outcome = (0..5)
                .map(|_| go(&job, &target))
                .find(|outcome| outcome.total(Direction::Read).ops > 50)
                .unwrap_or_else(|| panic!("{backend:?} {depth}: hardly any reads, five times"));
            assert_eq!(outcome.ended, EndReason::Done);
            assert_eq!(outcome.elapsed_ns, 200_000_000);
            let sum = outcome.total(Direction::Read);
            assert_eq!(sum.total.count(), sum.ops);
            assert_eq!(sum.bytes, sum.ops * 4096);
            let little = sum.total.sum_ns() as f64 / outcome.elapsed_ns as f64;
            let counted = outcome.activity.outstanding_ns / outcome.elapsed_ns as f64;
            // With what began before the measured time and what ended after it, the two are one.
            let outside = outcome.activity.outside_latencies_ns as f64 / outcome.elapsed_ns as f64;
            assert!((counted - little - outside).abs() < 1e-6 * counted, "{counted} {little}");
            assert!(counted <= f64::from(depth) * 1.0001, "{counted} of {depth}");
            // Intervals and ticks hold the same operations as the totals.
            let in_intervals: u64 = outcome
                .intervals
                .iter()
                .filter_map(|i| i.directions[0].as_ref())
                .map(|d| d.ops)
                .sum();
            let in_ticks: u64 = outcome.intervals.iter().flat_map(|i| &i.tick_ops[0]).sum();
            assert_eq!((in_intervals, in_ticks), (sum.ops, sum.ops));
            assert_eq!(outcome.intervals.len(), 10);
            // The warm-up and the drain are asked for, but not in the figures.
            assert!(outcome.requested.ops[0] > sum.ops);
            assert_eq!(outcome.requested.abandoned, 0);
        }
    }
}

#[test]
fn workers_share_the_depth_and_one_pass_over_the_blocks() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    for (workers, depth, threads) in [(2, 9, 2), (3, 2, 2)] {
        let blocks = SIZE.0 / 4096;
        let stop = Stop::operations(blocks);
        let job = Job { workers, depth: Depth(depth), stop, ..job() };
        let outcome = go(&job, &target);
        assert_eq!(outcome.ended, EndReason::Done);
        assert_eq!((outcome.threads, outcome.requested.ops[0]), (threads, blocks));
        let counted = outcome.activity.outstanding_ns / outcome.elapsed_ns as f64;
        assert!(counted <= f64::from(depth) * 1.0001, "{counted} of {depth}");
        assert!(counted > f64::from(depth) * 0.6, "{counted} of {depth}");
    }
}

#[test]
fn a_job_by_bytes_writes_every_block_once_with_unique_data() {
    let folder = folder();
    let path = file(folder.path());
    for (access, backend) in [
        (Access::Sequential, BackendChoice::Auto),
        (Access::Random, BackendChoice::Auto),
        (Access::Random, BackendChoice::Threads),
    ] {
        let stop = Stop { time: None, bytes: Some(SIZE), operations: None };
        let outcome =
            go(&Job { access, backend, mix: Mix::Write, stop, ..job() }, &target(&path, SIZE));
        assert_eq!(outcome.ended, EndReason::Done);
        assert_eq!(outcome.requested.bytes[Direction::Write as usize], SIZE.0);
        let content = std::fs::read(&path).unwrap();
        let sectors: std::collections::HashSet<&[u8]> = content.chunks(512).collect();
        assert_eq!(sectors.len(), content.len() / 512, "every sector is unique");
    }
}

#[test]
fn a_mix_has_its_ratio_in_what_was_asked() {
    let folder = folder();
    let mix = Mix::Mixed { read_percent: 75 };
    let stop = Stop { time: None, bytes: None, operations: Some(4000) };
    let outcome = go(&Job { mix, stop, ..job() }, &target(&file(folder.path()), SIZE));
    assert_eq!(outcome.requested.ops, [3000, 1000, 0, 0]);
}

#[test]
fn every_write_is_followed_by_its_sync() {
    let folder = folder();
    let sync = Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 });
    for backend in [BackendChoice::Auto, BackendChoice::Threads] {
        let stop = Stop { time: None, bytes: None, operations: Some(20) };
        let job = Job { mix: Mix::Write, sync, stop, depth: Depth(1), backend, ..job() };
        let outcome = go(&job, &target(&file(folder.path()), SIZE));
        assert_eq!(outcome.requested.ops[Direction::Write as usize], 20);
        // The last write's sync may fall beyond the end.
        assert!((19..=20).contains(&outcome.requested.ops[Direction::Sync as usize]));
    }
}

#[test]
fn spaced_requests_keep_their_plan() {
    let folder = folder();
    let stop = Stop { time: None, bytes: None, operations: Some(10) };
    let pacing = Pacing::Spaced { interval: Nanos::millis(20) };
    let outcome =
        go(&Job { pacing, stop, depth: Depth(1), ..job() }, &target(&file(folder.path()), SIZE));
    assert_eq!(outcome.total(Direction::Read).ops, 10);
    // Latencies that held the nine gaps of 20 ms would show in their median; one read of a busy
    // disk may take as long.
    let median_ns = outcome.total(Direction::Read).total.quantile(0.5).unwrap();
    assert!(median_ns < 20_000_000, "{median_ns}");
    assert!(outcome.elapsed_ns >= 9 * 20_000_000);
}

#[test]
fn a_stop_returns_soon_and_keeps_what_was_measured() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let stop = StopSignal::default();
    let raiser = stop.clone();
    let job = Job { stop: Stop::after(Nanos::secs(60)), ..job() };
    let started = Instant::now();
    let mut seen = 0;
    let outcome = run_job(&job, &[target], &Clock::best(), &stop, &mut |_| {
        seen += 1;
        if seen == 5 {
            raiser.raise();
        }
    })
    .unwrap();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(outcome.ended, EndReason::Stopped);
    assert!(outcome.total(Direction::Read).ops > 0);
    assert!(outcome.elapsed_ns > 50_000_000);
}

#[test]
fn failing_operations_end_the_run_and_say_where() {
    let folder = folder();
    for backend in [BackendChoice::Auto, BackendChoice::Threads] {
        // The file ends before the span: the read there is short.
        let path = file(folder.path());
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(4096).unwrap();
        let outcome = go(&Job { backend, ..job() }, &target(&path, SIZE));
        let EndReason::Failed(error) = outcome.ended else { panic!("{:?}", outcome.ended) };
        assert!(error.to_string().contains("only 0 bytes were transferred"), "{error}");

        // A device that is always full.
        let full = std::fs::OpenOptions::new().write(true).read(true).open("/dev/full").unwrap();
        let job = Job { backend, mix: Mix::Write, access: Access::Sequential, ..job() };
        let outcome = go(&job, &target_of(full, SIZE));
        let EndReason::Failed(error) = outcome.ended else { panic!("{:?}", outcome.ended) };
        assert_eq!(error.errno, libc::ENOSPC);
        assert!(error.to_string().contains("No space left"), "{error}");
    }
}

#[test]
fn contradictions_are_refused_before_anything_runs() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let job = Job { depth: Depth(0), ..job() };
    let result = run_job(&job, &[target], &Clock::best(), &StopSignal::default(), &mut |_| {});
    assert!(matches!(result, Err(EngineError::Job(_))), "{result:?}");
}

#[test]
fn submission_latency_is_sampled_and_shorter_than_total() {
    let folder = folder();
    let outcome = go(
        &Job { stop: Stop::after(Nanos::millis(500)), ..job() },
        &target(&file(folder.path()), SIZE),
    );
    let sum = outcome.total(Direction::Read);
    if outcome.backend == "io_uring" {
        assert!(sum.submission.count() > 0);
        assert!(sum.submission.mean_ns() < sum.total.mean_ns());
    }
}

#[test]
fn the_generator_can_say_what_it_can_do() {
    if engine::io_uring_refusal().is_some() {
        return; // nothing to calibrate where io_uring is forbidden
    }
    // Beside other tests a worker may wait for its processor longer than this takes.
    let capabilities: Vec<_> = (0..8)
        .map(|_| engine::calibrate_generator(&Clock::best(), Duration::from_millis(30)).unwrap())
        .collect();
    let is_sound = |capability: &engine::GeneratorCapability| {
        capability.nop_iops_depth_1 > 50_000.0
            && capability.nop_iops_depth_32 > capability.nop_iops_depth_1
    };
    assert!(capabilities.iter().any(is_sound), "{capabilities:?}");
    let cost = engine::measure_clock_cost(&Clock::best());
    assert!(cost > 0.0 && cost < 2_000.0, "{cost}");
}

/// Every look at the workers takes from the processors that are measured with; thousands of runs
/// that share processors could not start together.
#[test]
fn a_run_that_its_deadline_ends_is_seldom_looked_at() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let stop = Stop::after(Nanos::secs(1));
    let job = Job { depth: Depth(1), interval: Nanos::millis(100), stop, ..job() };
    let before = count_sleeps();
    let outcome = go(&job, &target);
    let sleeps = count_sleeps() - before;
    assert_eq!(outcome.elapsed_ns, 1_000_000_000);
    // Twenty, and a few to arm it and at its end; every 10 ms, it would be a hundred.
    assert!((5..=50).contains(&sleeps), "{sleeps}");
}

/// How often this thread has given up its processor by itself.
fn count_sleeps() -> i64 {
    // SAFETY: all zero is a value of the type, and the kernel fills it in.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` outlives the call.
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) }, 0);
    usage.ru_nvcsw
}
