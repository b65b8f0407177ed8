//! After arming, a worker allocates nothing: a run three times as long, with three times the
//! operations and intervals, makes no more allocations on its worker threads.
#![allow(clippy::unwrap_used, clippy::panic)] // also helpers of tests may fail

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use engine::{ArmedSession, Clock, FlowMember, SessionOptions, Target};
use support::{SIZE, file, job, target};
use units::{Iops, Nanos};
use workload::{
    Access, Arrivals, BackendChoice, Cap, Caps, Distribution, Job, Mix, Pacing, Payload, Stop,
    Verify,
};

/// Counts allocations of every thread but the test's own.
struct Counting;

static ELSEWHERE: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MINE: Cell<bool> = const { Cell::new(false) };
}

// SAFETY: every call is handed to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !MINE.try_with(Cell::get).unwrap_or(true) {
            ELSEWHERE.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller's contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs the job from this thread.
fn drive(job: &Job, target: &Target, clock: &Clock, extras: &SessionOptions) {
    let armed = ArmedSession::new(job, std::slice::from_ref(target), clock, extras).unwrap();
    let mut session = armed.start(ArmedSession::common_start(clock), 0, 1);
    while session.poll(clock, false, &mut |_| {}) {
        std::thread::sleep(Duration::from_millis(2)); // sleeps because a session is polled
    }
    let _ = session.into_outcome();
}

#[test]
fn longer_runs_allocate_no_more() {
    MINE.set(true);
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let target = target(&file(folder.path()), SIZE);
    let clock = Clock::best();
    let write = Mix::Write;
    let base = Job { mix: Mix::Mixed { read_percent: 50 }, ..job() };
    let open = Pacing::Open { rate: Iops(5000.0), arrivals: Arrivals::Poisson };
    let caps = Caps { read: Some(Cap::Operations(Iops(2000.0))), ..Caps::default() };
    let compressible = Payload::Compressible { percent: 50 };
    let batches = Some(Verify::Batches { writes: 64 });
    let ring = BackendChoice::IoUring;
    let jobs = [
        base.clone(),
        Job { backend: BackendChoice::Threads, ..base.clone() },
        Job { backend: BackendChoice::Libaio, ..base.clone() },
        Job { backend: BackendChoice::Psync, ..base.clone() },
        Job { pacing: open, backend: ring, ..base.clone() },
        Job { caps, backend: ring, ..base.clone() },
        Job { payload: compressible, mix: write, ..base.clone() },
        Job { verify: batches, mix: write, backend: ring, ..base.clone() },
        Job { access: Access::Distributed(Distribution::Zipf { theta: 1.2 }), ..base.clone() },
    ];
    let flow = FlowMember::new_members(&[(3, 0)]).pop();
    let in_flow = [(base.clone(), flow)];
    let jobs = jobs.into_iter().map(|job| (job, None)).chain(in_flow);
    for (job, flow) in jobs {
        let extras = SessionOptions { flow, ..SessionOptions::default() };
        let count = |millis: u64| {
            let job = Job { stop: Stop::after(Nanos::millis(millis)), ..job.clone() };
            let before = ELSEWHERE.load(Ordering::SeqCst);
            drive(&job, &target, &clock, &extras);
            ELSEWHERE.load(Ordering::SeqCst) - before
        };
        let (short, long) = (count(100), count(400));
        // Whether a thread has to park while it is armed varies, and parking allocates once.
        // The longer run has 15 intervals and thousands of operations more per worker.
        let parking = u64::from(job.depth.0);
        assert!(long <= short + parking, "{job:?}: {short} in 100 ms, {long} in 400 ms");
    }
}
