//! Operations that fail: the end, or counted and gone on with.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::fs::{File, OpenOptions};
use std::os::fd::OwnedFd;

use engine::{Clock, EndReason, ErrorCount, StopSignal, Target, run_job};
use support::{buffered, folder, go, job};
use units::{Bytes, Depth, Nanos};
use workload::{
    Access, BackendChoice, Direction, Job, Mix, OnError, Pacing, Span, Stop, TargetLimits,
};

/// A device on which every write fails: the disk is full.
fn full() -> Target {
    let file = OpenOptions::new().read(true).write(true).open("/dev/full").unwrap();
    let limits = TargetLimits { size: Bytes::mib(1), offset_align: Bytes(1), writable: true };
    Target::new(file, limits, Bytes(4096))
}

fn writes() -> Job {
    Job {
        mix: Mix::Write,
        direct: false,
        span: Span { offset: Bytes(0), length: Bytes::mib(1) },
        stop: Stop::operations(200),
        depth: Depth(1),
        ..job()
    }
}

#[test]
fn the_first_failure_ends_the_job_unless_more_are_put_up_with() {
    let full = full();
    for backend in [BackendChoice::Psync, BackendChoice::IoUring] {
        let stops = go(&Job { backend, ..writes() }, &full);
        let EndReason::Failed(error) = &stops.ended else { panic!("{:?}", stops.ended) };
        assert_eq!((error.direction, error.errno), (Direction::Write, libc::ENOSPC));
        assert!(error.to_string().contains("No space left"), "{error}");

        let most = OnError::Continue { most: 1000 };
        let goes_on = go(&Job { backend, on_error: most, ..writes() }, &full);
        assert_eq!(goes_on.ended, EndReason::Done, "{backend:?}");
        let kind = ErrorCount { direction: Direction::Write, errno: libc::ENOSPC, count: 200 };
        assert_eq!(goes_on.errors, [kind]);
        assert_eq!(goes_on.requested.ops, [0; 4], "failures are no operations");

        let most = OnError::Continue { most: 50 };
        let ends = go(&Job { backend, on_error: most, ..writes() }, &full);
        assert!(matches!(ends.ended, EndReason::Failed(_)));
        assert_eq!(ends.errors[0].count, 51);
    }
}

#[test]
fn transfers_that_end_short_are_gone_on_with_and_then_told() {
    // The span is larger than the file: the block at its end is read in part, then nothing.
    let folder = folder();
    let path = folder.path().join("short");
    std::fs::write(&path, vec![1; 64 * 1024 + 1000]).unwrap();
    let target = buffered(&path, Bytes::kib(128));
    for backend in [BackendChoice::Psync, BackendChoice::IoUring, BackendChoice::Libaio] {
        let job = Job {
            backend,
            direct: false,
            access: Access::Sequential,
            span: Span { offset: Bytes(0), length: Bytes::kib(128) },
            stop: Stop::operations(32),
            depth: Depth(1),
            ..job()
        };
        let outcome = go(&job, &target);
        let EndReason::Failed(error) = &outcome.ended else { panic!("{:?}", outcome.ended) };
        assert_eq!((error.offset, error.errno, error.short), (65_536, 0, 1000), "{backend:?}");
        assert_eq!(outcome.requested.resumed, 1);
        assert_eq!(outcome.requested.ops[0], 16);
        assert!(error.to_string().contains("only 1000 bytes"), "{error}");
    }
}

#[test]
fn a_paced_job_ends_at_its_failure_too() {
    let pacing = Pacing::Spaced { interval: Nanos::millis(1) };
    let outcome = go(&Job { pacing, backend: BackendChoice::Psync, ..writes() }, &full());
    assert!(matches!(outcome.ended, EndReason::Failed(_)));
}

/// Reads of an empty pipe never end by themselves: as a device does that hangs.
#[test]
fn what_hangs_is_told_while_it_hangs_and_called_back_at_the_stop() {
    let (reader, _writer) = std::io::pipe().unwrap();
    let limits = TargetLimits { size: Bytes::mib(1), offset_align: Bytes(1), writable: false };
    let target = Target::new(File::from(OwnedFd::from(reader)), limits, Bytes(4096));
    let job = Job {
        backend: BackendChoice::IoUring,
        direct: false,
        // The only place that a pipe can be read at.
        span: Span { offset: Bytes(0), length: Bytes::kib(4) },
        stop: Stop::after(Nanos::secs(60)),
        depth: Depth(1),
        ..job()
    };
    let stop = StopSignal::default();
    let mut silent = Vec::new();
    let outcome = run_job(&job, &[target], &Clock::best(), &stop, &mut |progress| {
        silent.push(progress.silent_ns);
        if progress.silent_ns > 0 {
            stop.raise();
        }
    })
    .unwrap();
    assert!(silent.iter().any(|&ns| ns > 1_000_000_000), "{silent:?}");
    assert_eq!(outcome.ended, EndReason::Stopped);
    assert_eq!(outcome.requested.ops, [0; 4]);
    assert_eq!(outcome.requested.abandoned, 0, "it was called back, not left behind");
    assert!(outcome.activity.outstanding_ns >= 1e9, "it was outstanding all the time");
    let outside = outcome.activity.outside_latencies_ns as f64;
    assert_eq!(outside, outcome.activity.outstanding_ns, "no latency holds it");
}
