//! What the load generator can do without a disk.

use engine::Clock;
use record::{Calibration, ClockSource};
use units::{Iops, Nanos};

const CALIBRATION_TIME: std::time::Duration = std::time::Duration::from_millis(60);

pub(super) fn calibrate(clock: &Clock, io_uring: bool) -> Calibration {
    let before = clock.now();
    let capability =
        io_uring.then(|| engine::calibrate_generator(clock, CALIBRATION_TIME).ok()).flatten();
    Calibration {
        clock: match clock.kind() {
            engine::ClockKind::Tsc => ClockSource::Tsc,
            engine::ClockKind::Monotonic => ClockSource::Monotonic,
        },
        clock_read_ns: engine::measure_clock_cost(clock),
        tsc_hz: clock.hz(),
        nop_iops_depth_1: capability.map(|c| Iops(c.nop_iops_depth_1)),
        nop_iops_depth_32: capability.map(|c| Iops(c.nop_iops_depth_32)),
        took: Nanos(clock.now() - before),
    }
}
