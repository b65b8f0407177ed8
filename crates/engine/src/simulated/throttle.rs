//! Configured caps in front of a device: requests over the rate wait, first in first out.

use super::device_model::{Op, OpKind};
use super::schedule::Schedule;

/// A cap of requests or bytes per second, of reads, of writes or of both together.
#[derive(Debug, Clone, PartialEq)]
pub struct Throttle {
    /// Units per second, over time.
    pub schedule: Schedule,
    /// Whether a unit is a byte; else it is a request.
    pub in_bytes: bool,
    /// Which requests it holds back.
    pub scope: ThrottleScope,
    /// What comes within a slice of this length is there at its start, as a control group's limits
    /// have it; 0 for none.
    pub slice_ns: u64,
}

/// Which requests a [`Throttle`] holds back. Flushes and trims pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThrottleScope {
    Reads,
    Writes,
    Both,
}

impl Throttle {
    /// A cap of requests of both directions.
    pub const fn of_requests(schedule: Schedule) -> Self {
        Self { schedule, in_bytes: false, scope: ThrottleScope::Both, slice_ns: 0 }
    }

    fn units_of(&self, op: &Op, requests: u64) -> Option<f64> {
        let held = match op.kind {
            OpKind::Read => self.scope != ThrottleScope::Writes,
            OpKind::Write => self.scope != ThrottleScope::Reads,
            OpKind::Flush | OpKind::Trim => false,
        };
        held.then(|| if self.in_bytes { f64::from(op.length) } else { requests as f64 })
    }
}

#[derive(Debug, Clone)]
pub(super) struct ThrottleState {
    throttle: Throttle,
    /// Units that the schedule has to reach before the next request.
    taken: f64,
}

impl ThrottleState {
    pub(super) const fn new(throttle: Throttle) -> Self {
        Self { throttle, taken: 0.0 }
    }

    /// When an operation that comes at `now_ns`, and is split into `requests`, is let through.
    pub(super) fn admit_ns(&mut self, now_ns: u64, op: &Op, requests: u64) -> u64 {
        let Some(units) = self.throttle.units_of(op, requests) else { return now_ns };
        let slice_ns = self.throttle.slice_ns;
        let slice_start = |ns: u64| ns.checked_div(slice_ns).map_or(ns, |slice| slice * slice_ns);
        // What was not used in an earlier slice is gone.
        let unused = self.throttle.schedule.units_until(slice_start(now_ns));
        let start = self.taken.max(unused);
        self.taken = start + units;
        let admitted_ns = match start > unused {
            true => self.throttle.schedule.ns_of_units(start).ceil() as u64,
            false => now_ns,
        };
        slice_start(admitted_ns).max(now_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    /// Requests let through in each second of a queue that is never empty.
    fn admitted(throttle: Throttle, op: Op, seconds: usize) -> Vec<i32> {
        let mut state = ThrottleState::new(throttle);
        let mut counts = vec![0; seconds];
        while let Some(count) = counts.get_mut((state.admit_ns(0, &op, 1) / SECOND_NS) as usize) {
            *count += 1;
        }
        counts
    }

    const READ: Op = Op { kind: OpKind::Read, offset: 0, length: 4096 };

    #[test]
    fn a_full_queue_is_let_through_at_the_rate_of_the_time() {
        let check = |throttle: Throttle, wanted: &[i32]| {
            let counts = admitted(throttle, READ, wanted.len());
            let near = counts.iter().zip(wanted).all(|(count, wanted)| (count - wanted).abs() <= 2);
            assert!(near, "{counts:?} for {wanted:?}");
        };
        let step = Schedule::step(900.0, 2 * SECOND_NS, 130.0);
        check(Throttle::of_requests(step.clone()), &[900, 900, 130, 130]);
        check(
            Throttle { slice_ns: 100_000_000, ..Throttle::of_requests(step) },
            &[900, 900, 130, 130],
        );
        let ramp = Schedule::ramp(1_000.0, (SECOND_NS, 3 * SECOND_NS), 500.0);
        check(Throttle::of_requests(ramp), &[1_000, 875, 625, 500]);
        let bytes = Throttle {
            in_bytes: true,
            ..Throttle::of_requests(Schedule::period((4.096e6, SECOND_NS), (2.048e6, SECOND_NS)))
        };
        check(bytes, &[1_000, 500, 1_000, 500]);
    }

    #[test]
    fn a_slice_lets_its_requests_through_at_its_start() {
        let slice_ns = 100_000_000;
        let throttle = Throttle { slice_ns, ..Throttle::of_requests(Schedule::constant(100.0)) };
        let mut state = ThrottleState::new(throttle);
        let mut times = (0..30).map(|_| state.admit_ns(0, &READ, 1) / slice_ns);
        assert!(times.all(|slice| slice <= 3));
        assert_eq!(state.admit_ns(50 * slice_ns + 7, &READ, 1), 50 * slice_ns + 7);
    }

    #[test]
    fn other_directions_pass_and_time_without_requests_is_not_saved_up() {
        let throttle = Throttle {
            scope: ThrottleScope::Writes,
            ..Throttle::of_requests(Schedule::constant(10.0))
        };
        let mut state = ThrottleState::new(throttle);
        let write = Op { kind: OpKind::Write, ..READ };
        assert_eq!((0..9).map(|_| state.admit_ns(5, &READ, 1)).max(), Some(5));
        let times: Vec<u64> = (0..3).map(|_| state.admit_ns(60 * SECOND_NS, &write, 1)).collect();
        let apart = SECOND_NS / 10;
        assert_eq!(
            times,
            [60, 60, 60]
                .map(|s| s * SECOND_NS)
                .iter()
                .zip(0..)
                .map(|(t, n)| t + n * apart)
                .collect::<Vec<_>>()
        );
    }
}
