//! How the loop keeps a device busy, on a virtual clock to which the processor's time counts.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use units::{Bytes, Depth, Nanos};
use workload::{Job, Span, Stop};

use super::{
    OperationSource, RunQueueClock, Schedule, Worker, WorkerLink, WorkerPlan, WorkerReport,
    WorkerStatus,
};
use crate::arena::PageSize;
use crate::backend::{Backend, Request};
use crate::clock::Clock;
use crate::interval::{SliceLayout, slice_channel};
use crate::payload::Buffers;
use crate::sequence::OperationGenerator;

const START_AT_NS: u64 = 1_000_000;
const CALL_NS: u64 = 300;
const START_NS: u64 = 2_500;
const WAKE_NS: u64 = 5_000;
/// From this number of requests in a call, the kernel collects them before the device gets any.
const PLUG_MIN: usize = 3;

/// Serves all requests at once, each for the same time.
struct Device<'a> {
    service_ns: u64,
    now_ns: u64,
    queued: VecDeque<u32>,
    calls: &'a Cell<u64>,
    /// When each is done, ascending, and its slot.
    busy: VecDeque<(u64, u32)>,
    done: VecDeque<u32>,
}

impl Device<'_> {
    fn enter(&mut self, most: usize, waits: bool) {
        self.calls.set(self.calls.get() + 1);
        self.now_ns += CALL_NS;
        let count = self.queued.len().min(most);
        let all_ns = self.now_ns + START_NS * count as u64;
        let is_plugged = count >= PLUG_MIN;
        for slot in self.queued.drain(..count) {
            self.now_ns += START_NS;
            let begun_ns = if is_plugged { all_ns } else { self.now_ns };
            self.busy.push_back((begun_ns + self.service_ns, slot));
        }
        self.collect();
        if let (true, true, Some((next_ns, _))) =
            (waits, self.done.is_empty(), self.busy.front().copied())
        {
            self.now_ns = next_ns + WAKE_NS;
            self.collect();
        }
    }

    fn collect(&mut self) {
        while let Some((_, slot)) = self.busy.pop_front_if(|(done_ns, _)| *done_ns <= self.now_ns) {
            self.done.push_back(slot);
        }
    }
}

impl Backend for Device<'_> {
    fn queue(&mut self, slot: u32, _: &Request) {
        self.queued.push_back(slot);
    }

    fn submit_and_poll(&mut self, most: usize) -> io::Result<()> {
        self.enter(most, false);
        Ok(())
    }

    fn pending(&self) -> usize {
        self.queued.len()
    }

    fn submit_and_wait(&mut self) -> io::Result<()> {
        self.enter(usize::MAX, true);
        Ok(())
    }

    fn reap(&mut self) -> Option<(u32, i32)> {
        Some((self.done.pop_front()?, 4096))
    }

    fn now(&self, _: &Clock) -> u64 {
        self.now_ns
    }

    fn sleep(&mut self, _: &Clock, until_ns: u64) {
        self.now_ns = self.now_ns.max(until_ns);
    }
}

/// What a worker reports, and how many calls it made.
fn run(service_ns: u64, depth: u32) -> (WorkerReport, u64) {
    let job = Job {
        depth: Depth(depth),
        stop: Stop::after(Nanos::millis(50)),
        span: Span { offset: Bytes(0), length: Bytes::gib(1) },
        ..Job::base()
    };
    let calls = Cell::new(0);
    let device = Device {
        service_ns,
        now_ns: START_AT_NS,
        calls: &calls,
        queued: VecDeque::new(),
        busy: VecDeque::new(),
        done: VecDeque::new(),
    };
    let mut buffers =
        Buffers::new(depth as usize, 4096, 4096, true, None, 1, PageSize::Small).unwrap();
    let directions = [true, false, false, false];
    let layout = SliceLayout { directions, ..SliceLayout::default() };
    let (source, _sink, slice) = slice_channel(4, layout);
    let link =
        WorkerLink { status: Arc::new(WorkerStatus::default()), source, slice, tracer: None };
    let plan = WorkerPlan {
        generator: OperationSource::new(OperationGenerator::with_targets(&job, 0, 1, 1)),
        pace: None,
        verifier: None,
        priorities: None,
        run_queue: RunQueueClock::stopped(),
        depth,
        nop: false,
    };
    let schedule = Schedule::new(&job, START_AT_NS, false, None);
    let clock = Clock::monotonic();
    let report = Worker::new(&job, device, &mut buffers, plan, link, clock, schedule).run();
    (report, calls.get())
}

#[test]
fn the_depth_is_kept() {
    for depth in [2, 4, 8, 16, 32, 64] {
        let (WorkerReport { activity, elapsed_ns, .. }, _) = run(60_000, depth);
        let mean = activity.outstanding_ns / elapsed_ns as f64;
        assert!(mean >= 0.97 * f64::from(depth), "{mean} of {depth}");
    }
}

/// Large calls delay the first of their operations, and save the processor's time.
#[test]
fn calls_are_large_only_where_the_processor_is_the_bottleneck() {
    for (service_ns, depth, operations_min, operations_max) in
        [(60_000, 4, 1.0, 2.0), (60_000, 16, 1.0, 3.0), (0, 16, 12.0, 16.0), (0, 128, 28.0, 32.0)]
    {
        let (report, calls) = run(service_ns, depth);
        let operations = report.requested.ops[0] as f64 / calls as f64;
        let expected = operations_min..=operations_max;
        assert!(expected.contains(&operations), "{service_ns} ns, {depth}: {operations} a call");
    }
}
