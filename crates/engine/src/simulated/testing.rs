//! Drivers and checks that the tests of all files here share.

use super::device::Device;
use super::device_model::{DeviceModel, Op, OpKind, PAGE_BYTES};
use crate::mix::SplitMix64;

/// What a closed loop saw: one latency and one completion time for each request, in order.
pub(super) struct Run {
    pub(super) latencies_ns: Vec<u64>,
    pub(super) times_ns: Vec<u64>,
}

impl Run {
    pub(super) fn iops(&self) -> f64 {
        let end_ns = self.times_ns.last().copied().unwrap_or(0);
        self.times_ns.len() as f64 / (end_ns as f64 / 1e9)
    }

    pub(super) fn mean_latency_ns(&self) -> f64 {
        self.latencies_ns.iter().sum::<u64>() as f64 / self.latencies_ns.len() as f64
    }
}

/// Keeps `depth` requests in flight until `count` have completed.
pub(super) fn closed_loop(
    law: &DeviceModel,
    depth: u32,
    count: usize,
    mut next: impl FnMut() -> Op,
) -> Run {
    let mut device = Device::new(law.clone(), 42);
    let mut started_ns = vec![0; depth as usize];
    for id in 0..depth {
        device.submit(0, id, next());
    }
    let (mut latencies_ns, mut times_ns) = (Vec::new(), Vec::new());
    while times_ns.len() < count {
        let expected_ns = device.next_completion_ns();
        let (now_ns, id) = device.pop_completion().expect("a request in flight completes");
        assert_eq!(expected_ns, Some(now_ns), "peek tells the time of the next completion");
        latencies_ns.push(now_ns - started_ns[id as usize]);
        times_ns.push(now_ns);
        started_ns[id as usize] = now_ns;
        device.submit(now_ns, id, next());
    }
    Run { latencies_ns, times_ns }
}

/// Requests of `length` bytes at pages drawn evenly from the first `span` bytes.
pub(super) fn random(kind: OpKind, span: u64, length: u32) -> impl FnMut() -> Op {
    let mut rng = SplitMix64(span ^ u64::from(length));
    let pages = (span - u64::from(length)) / PAGE_BYTES + 1;
    move || Op { kind, offset: rng.next_bits() % pages * PAGE_BYTES, length }
}

pub(super) fn random_reads(span: u64, length: u32) -> impl FnMut() -> Op {
    random(OpKind::Read, span, length)
}

/// Fails unless `actual` is within the share `tolerance` of `expected`.
pub(super) fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    let error = (actual / expected - 1.0).abs();
    assert!(error <= tolerance, "{actual} is off {expected} by {:.3} %", error * 100.0);
}
