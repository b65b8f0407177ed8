//! Laying out the test file: the first write of every block, kept as evidence.

use engine::{Clock, EndReason, EngineError, Outcome, Progress, StopSignal, Target, run_job};
use record::LayoutRun;
use record::reasons::TimeUp;
use units::{Bytes, Depth, Nanos, Seed};
use workload::{Access, Direction, Job, Mix, Payload, Span, Stop};

const LAYOUT_BLOCK: Bytes = Bytes::mib(1);
const LAYOUT_DEPTH: Depth = Depth(32);

pub struct LayoutOutcome {
    pub run: LayoutRun,
    /// Why it failed half-way, in the system's words.
    pub failed: Option<String>,
    pub stopped: bool,
}

pub struct LayoutRequest<'a> {
    pub target: &'a Target,
    pub span: Span,
    /// Past the page cache.
    pub direct: bool,
    pub seed: Seed,
    pub payload: Payload,
    /// What is not written in this time is left out.
    pub time_max: Nanos,
}

/// Writes the span once, in sequence; what is written in time is all there is.
pub fn write_layout(
    layout: &LayoutRequest<'_>,
    clock: &Clock,
    stop: &StopSignal,
    observer: &mut dyn FnMut(&Progress),
) -> Result<LayoutOutcome, EngineError> {
    let &LayoutRequest { target, span, direct, seed, ref payload, time_max: time_most } = layout;
    let job = Job {
        name: "layout".to_owned(),
        access: Access::Sequential,
        mix: Mix::Write,
        block_size: LAYOUT_BLOCK,
        depth: LAYOUT_DEPTH,
        stop: Stop { bytes: Some(span.length), ..Stop::after(time_most) },
        span,
        direct,
        seed,
        payload: payload.clone(),
        ..Job::base()
    };
    let outcome = run_job(&job, std::slice::from_ref(target), clock, stop, observer)?;
    let synced = clock.now();
    // What the device's cache still holds belongs to the layout, not to the first cell.
    let sync_error = target.sync().err();
    let sync = Nanos(clock.now() - synced);
    let written = Bytes(outcome.requested.bytes[Direction::Write as usize]);
    let failed = match &outcome.ended {
        EndReason::Failed(error) => Some(error.to_string()),
        _ => sync_error.map(|error| format!("fsync: {error}")),
    };
    let stopped = outcome.ended == EndReason::Stopped;
    let shortened = (written < span.length && failed.is_none() && !stopped)
        .then(|| TimeUp { limit: time_most }.into());
    let run = LayoutRun {
        wanted: span.length,
        written,
        shortened,
        block_size: LAYOUT_BLOCK,
        depth: LAYOUT_DEPTH.0,
        elapsed: Nanos(outcome.elapsed_ns),
        series: throughput_series(&outcome),
        interval: job.interval,
        sync,
    };
    Ok(LayoutOutcome { run, failed, stopped })
}

fn throughput_series(outcome: &Outcome) -> Vec<u64> {
    let written = |i: &engine::IntervalOutcome| {
        i.directions[Direction::Write as usize].as_ref().map_or(0, |d| d.bytes)
    };
    outcome.intervals.iter().map(written).collect()
}
