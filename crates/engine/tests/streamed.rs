//! Operations from a stream: all of them, in their order, at their times.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::time::Duration;

use engine::simulated::{DeviceModel, Medium, Ssd};
use engine::{
    ArmedSession, Clock, EndReason, Operation, Outcome, ScriptStep, SessionOptions,
    SimulatedDevice, StepSource, Target, TracedOperation,
};
use support::{SIZE, file, folder, job, target};
use units::{Bytes, Depth, Iops, Nanos};
use workload::{Arrivals, BackendChoice, Direction, Job, Mix, Pacing, Span, Stop};

/// Requests in bursts of eight, three reads to a write.
fn step(number: u64, gap_ns: u64) -> ScriptStep {
    let direction = if number % 4 == 3 { Direction::Write } else { Direction::Read };
    let offset = number * 7919 % (SIZE.0 / 4096) * 4096;
    let operation = Operation { direction, target: 0, length: 4096, offset };
    ScriptStep {
        operation,
        due_ns: Some(number / 8 * 8 * gap_ns),
        sequence: None,
        outstanding_max: None,
    }
}

fn streamed_job(rate: f64) -> Job {
    Job {
        mix: Mix::Mixed { read_percent: 75 },
        depth: Depth(256),
        pacing: Pacing::Open { rate: Iops(rate), arrivals: Arrivals::Recorded },
        span: Span { offset: Bytes(0), length: SIZE },
        interval: Nanos::millis(100),
        stop: Stop::after(Nanos::secs(120)),
        ..job()
    }
}

fn run(target: &Target, job: &Job, steps: StepSource) -> (Vec<TracedOperation>, Outcome) {
    let clock = Clock::best();
    let options = SessionOptions { trace: true, ..SessionOptions::default() };
    let armed = ArmedSession::new_streamed(job, target, &clock, &options, steps).unwrap();
    let mut session = armed.start(ArmedSession::common_start(&clock), 0, 1);
    let mut traced = Vec::new();
    while session.poll(&clock, false, &mut |_| {}) {
        session.drain_trace(&mut |operation| traced.push(*operation));
        std::thread::sleep(Duration::from_micros(200)); // sleeps because a session is polled
    }
    session.drain_trace(&mut |operation| traced.push(*operation));
    (traced, session.into_outcome())
}

/// Checks a run of the first `count` steps: all of them, in their order; gives how late the 99th
/// percentile began.
fn check(mut traced: Vec<TracedOperation>, count: u64, gap_ns: u64) -> u64 {
    assert_eq!(traced.len() as u64, count);
    let start_ns = traced.iter().map(|of| of.due_ns).min().unwrap();
    // They come back in any order; those of a burst were handed over in that of the stream.
    traced.sort_by_key(|of| (of.due_ns, of.submitted_ns));
    let mut late = Vec::new();
    for (burst, first) in traced.chunks(8).zip((0..).step_by(8)) {
        let mut expected: Vec<ScriptStep> = (first..first + 8).map(|n| step(n, gap_ns)).collect();
        for of in burst {
            let place = expected.iter().position(|step| step.operation == of.operation).unwrap();
            let due = expected.swap_remove(place).due_ns.unwrap();
            assert!((of.due_ns - start_ns).abs_diff(due) <= 1, "the plan moved");
            late.push(of.submitted_ns - of.due_ns);
        }
        assert!(expected.is_empty(), "an operation is missing");
    }
    late.sort_unstable();
    late[late.len() * 99 / 100]
}

#[test]
fn a_million_operations_on_a_simulated_device_are_those_of_the_stream() {
    let (bytes_per_second, flush_ns, crowding) = (1e13, 100_000, None);
    let (read_ns, write_ns, channels) = (20_000, 20_000, 64);
    let ssd = Ssd { channels, read_ns, write_ns, bytes_per_second, flush_ns, crowding };
    let device = SimulatedDevice::new(DeviceModel::new(SIZE.0, Medium::Ssd(ssd)), 1);
    let target = Target::simulated(device, SIZE);
    let steps = Box::new((0..1_000_000).map(|number| step(number, 2_000)));
    // The ring of the trace is small: the job is slow enough on the real clock that none is lost.
    let (traced, outcome) = run(&target, &streamed_job(500_000.0), steps);
    let open = outcome.open_loop.as_ref().unwrap();
    assert_eq!((open.started, open.unstarted), (1_000_000, 0));
    let done: u64 = outcome.totals.iter().map(|total| total.ops).sum();
    assert_eq!(done, 1_000_000);
    assert!(check(traced, 1_000_000, 2_000) <= 100_000);
}

#[test]
fn a_hundred_thousand_operations_on_a_file_are_those_of_the_stream() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let steps = Box::new((0..100_000).map(|number| step(number, 40_000)));
    let (traced, outcome) = run(&target, &streamed_job(25_000.0), steps);
    let open = outcome.open_loop.as_ref().unwrap();
    assert_eq!((open.started, open.unstarted), (100_000, 0));
    let late = check(traced, 100_000, 40_000);
    // Late by its own fault is named; late because all slots were taken is the disk's doing.
    let own = open.lag.quantile(0.99).unwrap();
    assert!(late <= 100_000 || own > 90_000 || open.held > 0, "{late} ns late, named: {own}");
}

#[test]
fn what_a_slow_device_does_not_start_in_time_is_counted() {
    let (bytes_per_second, flush_ns, crowding) = (1e13, 100_000, None);
    let ssd = Ssd {
        channels: 1,
        read_ns: 1_000_000,
        write_ns: 1_000_000,
        bytes_per_second,
        flush_ns,
        crowding,
    };
    let device = SimulatedDevice::new(DeviceModel::new(SIZE.0, Medium::Ssd(ssd)), 1);
    let target = Target::simulated(device, SIZE);
    let steps = Box::new((0..100_000).map(|number| step(number, 10_000)));
    let job = Job { stop: Stop::after(Nanos::secs(2)), depth: Depth(16), ..streamed_job(1e5) };
    let (_, outcome) = run(&target, &job, steps);
    let open = outcome.open_loop.as_ref().unwrap();
    assert_eq!(open.started + open.unstarted, 100_000);
    assert!((1900..2100).contains(&open.started), "{}", open.started);
    let response = outcome.total(Direction::Read).response.as_ref().unwrap();
    assert!(response.count() > 70_000, "what never started has waited");
}

/// Of each burst of eight those that find no more outstanding than the stream says. Where calls
/// block, what waits for the call before it has waited in a queue.
#[test]
fn response_times_are_comparable_where_the_queue_is_no_deeper_than_there() {
    let step = |number| ScriptStep { outstanding_max: Some(3), ..step(number, 100_000) };
    let count = |outcome: &Outcome| {
        let sums = [Direction::Read, Direction::Write].map(|direction| outcome.total(direction));
        let counted = sums.map(|sum| {
            let (response, comparable) = (sum.response.as_ref(), sum.comparable.as_ref());
            [response.unwrap().count(), comparable.unwrap().count()]
        });
        [counted[0][0] + counted[1][0], counted[0][1] + counted[1][1]]
    };
    let (bytes_per_second, flush_ns, crowding) = (1e13, 100_000, None);
    let (read_ns, write_ns, channels) = (50_000, 50_000, 64);
    let ssd = Ssd { channels, read_ns, write_ns, bytes_per_second, flush_ns, crowding };
    let device = SimulatedDevice::new(DeviceModel::new(SIZE.0, Medium::Ssd(ssd)), 1);
    let target_of_all = Target::simulated(device, SIZE);
    let steps = || Box::new((0..800).map(step));
    let (_, outcome) = run(&target_of_all, &streamed_job(10_000.0), steps());
    assert_eq!(count(&outcome), [800, 400]);

    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let blocking = Job { depth: Depth(1), backend: BackendChoice::Threads, ..streamed_job(1e4) };
    let (_, outcome) = run(&target, &blocking, steps());
    let [responses, comparable] = count(&outcome);
    assert!(responses == 800 && (1..=100).contains(&comparable), "{comparable} of {responses}");
}

/// What comes too late is the generator's fault, also where every slot was taken before.
#[test]
fn a_stream_that_is_behind_is_not_taken_for_full_slots() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    // The stream is ahead by 16,384 operations: it stops while the first 17,000 are started, and
    // goes on when there are none left, also on a busy host.
    let stop = Duration::from_secs(3);
    let wait = move |number: &u64| {
        if *number == 17_000 {
            std::thread::sleep(stop); // sleeps because a stream that is behind is what is tested
        }
    };
    let steps = Box::new((0..17_800).inspect(wait).map(|number| step(number, 20_000)));
    let job = Job { depth: Depth(4), ..streamed_job(50_000.0) };
    let (_, outcome) = run(&target, &job, steps);
    let open = outcome.open_loop.as_ref().unwrap();
    assert_eq!((open.started, open.unstarted), (17_800, 0));
    assert!(open.held > 0, "bursts of eight take four slots");
    let late = open.lag.max_ns().unwrap();
    assert!(late > 100_000_000, "{late} ns");
}

/// The slot of an operation has room for a block, and the job may touch its span only. A job that
/// reads has no data to write.
#[test]
fn an_operation_beyond_its_slot_or_its_span_ends_the_run() {
    let folder = folder();
    let target = target(&file(folder.path()), SIZE);
    let check_job = |job: &Job, operation: Operation| {
        let wrong =
            ScriptStep { operation, due_ns: Some(50_000), sequence: None, outstanding_max: None };
        let steps = (0..8).map(|number| step(number, 1000)).chain([wrong, step(8, 60_000)]);
        let (traced, outcome) = run(&target, job, Box::new(steps));
        assert!(traced.len() <= 8 && traced.iter().all(|of| of.operation != operation));
        let EndReason::Failed(error) = outcome.ended else { panic!("{operation:?}") };
        assert_eq!(error.errno, 22, "{operation:?}");
    };
    let check = |operation: Operation| check_job(&streamed_job(1e4), operation);
    let read = |length, offset| Operation { direction: Direction::Read, target: 0, length, offset };
    check(read(8192, 0));
    check(read(4096, SIZE.0));
    check(read(4096, u64::MAX - 4095));
    check(Operation { target: 1, ..read(4096, 0) });
    check(Operation { direction: Direction::Trim, ..read(4096, 0) });
    let of_mix = |mix| Job { mix, ..streamed_job(1e4) };
    check_job(&of_mix(Mix::Read), Operation { direction: Direction::Write, ..read(4096, 0) });
}

#[test]
fn a_stream_needs_an_open_loop() {
    let target = Target::null(SIZE);
    let closed = Job { pacing: Pacing::Closed, ..streamed_job(1.0) };
    let (clock, options) = (Clock::best(), SessionOptions::default());
    let steps = Box::new(std::iter::empty());
    assert!(ArmedSession::new_streamed(&closed, &target, &clock, &options, steps).is_err());
}
