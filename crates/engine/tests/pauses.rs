//! Pauses of this process: a shell stops it for a while and lets it go on.
#![allow(clippy::unwrap_used)] // also helpers of tests may fail

use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::simulated::{DeviceModel, Medium};
use engine::{
    ArmedSession, Clock, EndReason, Outcome, PauseKind, Progress, SessionOptions, SimulatedDevice,
    Target,
};
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Mix, Span, Stop};

/// A stop is of the whole process: one test at a time.
static STOPPED: Mutex<()> = Mutex::new(());

const SIZE: Bytes = Bytes::gib(1);

/// A device in real time that takes this long for an operation, whatever it is.
fn device(service: Duration) -> SimulatedDevice {
    let service_ns = service.as_nanos() as u64;
    let medium = Medium::Ram { service_ns, bytes_per_second: 1e12 };
    let law = DeviceModel::new(SIZE.0, medium);
    SimulatedDevice::new(law, 1).in_real_time()
}

fn job(time: Nanos) -> Job {
    Job {
        name: "paused".to_owned(),
        access: Access::Random,
        mix: Mix::Read,
        depth: Depth(4),
        span: Span { offset: Bytes(0), length: SIZE },
        stop: Stop::after(time),
        interval: Nanos::millis(100),
        ..Job::base()
    }
}

/// Stops this process after a time, for a time.
fn stop_me(after: f64, length: f64) -> Child {
    let script = format!("sleep {after}; kill -STOP $PPID; sleep {length}; kill -CONT $PPID");
    Command::new("sh").args(["-c", &script]).spawn().unwrap()
}

fn drive(
    job: &Job,
    device: &SimulatedDevice,
    stop_after: Option<Duration>,
    watch: &mut dyn FnMut(&Progress),
) -> Outcome {
    let clock = Clock::best();
    let target = Target::simulated(device.clone(), SIZE);
    let armed = ArmedSession::new(job, &[target], &clock, &SessionOptions::default()).unwrap();
    let mut session = armed.start(ArmedSession::common_start(&clock), 0, 1);
    let begun = Instant::now();
    let is_over = || stop_after.is_some_and(|time| begun.elapsed() > time);
    while session.poll(&clock, is_over(), watch) {
        thread::sleep(Duration::from_millis(2)); // sleeps because a session is polled
    }
    session.into_outcome()
}

#[test]
fn a_stop_of_the_process_is_a_pause_and_no_silence() {
    let _alone = STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let device = device(Duration::from_millis(2));
    let mut stopper = stop_me(0.6, 1.5);
    let mut silent_ns = 0;
    let outcome = drive(&job(Nanos::secs(3)), &device, None, &mut |progress| {
        silent_ns = silent_ns.max(progress.silent_ns);
    });
    assert!(stopper.wait().unwrap().success());
    // A busy host may starve the process besides: the stop is the longest.
    let longest = outcome.pauses.iter().max_by_key(|pause| pause.length_ns).unwrap();
    assert_eq!(longest.kind, PauseKind::Stopped);
    let length = longest.length_ns as f64 / 1e9;
    assert!((1.4..1.8).contains(&length), "{:?}", outcome.pauses);
    assert!((300_000_000..1_400_000_000).contains(&longest.start_ns), "{:?}", outcome.pauses);
    assert_eq!(silent_ns, 0, "the device never fell silent");
    assert_eq!(outcome.ended, EndReason::Done);
    assert_eq!(outcome.requested.abandoned, 0);
}

#[test]
fn a_device_that_hangs_is_no_pause_of_the_process() {
    let _alone = STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let device = device(Duration::from_millis(2));
    let held = device.clone();
    let holder = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500)); // sleeps because the device hangs later
        held.hold(true);
        thread::sleep(Duration::from_millis(1_400)); // sleeps because it hangs for so long
        held.hold(false);
    });
    let mut silent_ns = 0;
    let outcome = drive(&job(Nanos::secs(3)), &device, None, &mut |progress| {
        silent_ns = silent_ns.max(progress.silent_ns);
    });
    holder.join().unwrap();
    assert!(outcome.stopped_ns() < 700_000_000, "{:?}", outcome.pauses);
    assert!(silent_ns > 1_000_000_000, "{silent_ns}");
}

#[test]
fn what_waits_for_a_stopped_process_is_not_abandoned() {
    let _alone = STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let device = device(Duration::from_millis(500));
    // Stopped for longer than operations are waited for after the end.
    let mut stopper = stop_me(0.5, 1.6);
    let end = Some(Duration::from_millis(300));
    let outcome = drive(&job(Nanos::secs(60)), &device, end, &mut |_| {});
    assert!(stopper.wait().unwrap().success());
    assert_eq!(outcome.requested.abandoned, 0);
    assert_eq!(outcome.ended, EndReason::Stopped);
}
