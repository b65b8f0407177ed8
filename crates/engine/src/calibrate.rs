//! What the load generator itself can do: the same loop on no-operations.

use std::fs::File;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use units::{Bytes, Depth, Nanos};
use workload::{BackendChoice, Direction, Job, Span, Stop, TargetLimits};

use crate::backend_choice::BackendKind;
use crate::clock::{Clock, monotonic_ns};
use crate::error::EngineError;
use crate::run::run_session;
use crate::session::{ArmedSession, SessionOptions};
use crate::stop_signal::StopSignal;
use crate::target::Target;

/// What one worker can do on this host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorCapability {
    /// No-operations per second at depth 1: one system call each.
    pub nop_iops_depth_1: f64,
    pub nop_iops_depth_32: f64,
}

/// The newest measurement of this process, and when it began, on CLOCK_MONOTONIC.
static NEWEST: Mutex<Option<(u64, GeneratorCapability)>> = Mutex::new(None);

/// Measures the loop on io_uring no-operations, `each` long at depth 1 and at depth 32; fails where
/// io_uring is not allowed.
///
/// Two at the same time would halve each other's rates: threads that ask while one is measured
/// wait, and share the next.
pub fn calibrate_generator(
    clock: &Clock,
    each: Duration,
) -> Result<GeneratorCapability, EngineError> {
    let asked_ns = monotonic_ns();
    let mut newest = NEWEST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((began_ns, capability)) = *newest
        && began_ns >= asked_ns
    {
        return Ok(capability);
    }
    let began_ns = monotonic_ns();
    let capability = GeneratorCapability {
        nop_iops_depth_1: measure_nop_rate(clock, Depth(1), each)?,
        nop_iops_depth_32: measure_nop_rate(clock, Depth(32), each)?,
    };
    *newest = Some((began_ns, capability));
    Ok(capability)
}

/// Cost of one clock reading in nanoseconds, over 20,000 of them.
pub fn measure_clock_cost(clock: &Clock) -> f64 {
    const READINGS: u32 = 20_000;
    let start = clock.now();
    let mut last = start;
    for _ in 0..READINGS {
        last = std::hint::black_box(clock.now());
    }
    (last - start) as f64 / f64::from(READINGS)
}

fn measure_nop_rate(clock: &Clock, depth: Depth, each: Duration) -> Result<f64, EngineError> {
    let size = Bytes::gib(4);
    let job = Job {
        name: format!("calibration-qd{depth}"),
        depth,
        warm_up: Nanos::millis(5),
        stop: Stop::after(Nanos::from(each)),
        span: Span { offset: Bytes(0), length: size },
        direct: false,
        backend: BackendChoice::IoUring,
        interval: Nanos::millis(10),
        ..Job::base()
    };
    // A ring registers some open file; no-operations never touch it.
    let file = File::open("/dev/null")
        .map_err(|error| EngineError::arming(&job, "open /dev/null", error))?;
    let limits = TargetLimits { size, offset_align: Bytes(1), writable: false };
    let target = Target::new(file, limits, Bytes(4096));
    let (kind, options) = (BackendKind::Nop, SessionOptions::default());
    let armed = ArmedSession::with_backend(&job, &[target], clock, kind, &options, None)?;
    let outcome = run_session(armed, clock, &StopSignal::default(), &mut |_| {});
    let ops = outcome.total(Direction::Read).ops as f64;
    let running_ns = outcome.elapsed_ns.saturating_sub(outcome.stopped_ns());
    Ok(ops * 1e9 / running_ns.max(1) as f64)
}
