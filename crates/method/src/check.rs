//! `check`: the main job.

use std::path::PathBuf;
use std::time::Duration;

use engine::{Clock, ClockKind, EngineError, StopFlag, io_uring_refusal};
use jiff::Timestamp;
use record::{
    Calibration, ClockSource, Completion, Effort, IoUringStatus, Plan, Record, SCHEMA_VERSION,
    TargetInfo, Tool,
};
use target::{Opened, Roots, TargetError, environment};
use units::{Bytes, Iops, Nanos, Seed};
use workload::Bound;

use crate::Watch;
use crate::ground::Ground;
use crate::plan::Times;
use crate::run::Run;

/// How long the loop is calibrated at each of its two depths.
const CALIBRATION: Duration = Duration::from_millis(60);

/// What is asked of a check.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// Folder, file or block device.
    pub path: PathBuf,
    /// How thorough.
    pub effort: Effort,
    /// Latency bound of the curves.
    pub bound: Bound,
    /// Size of the test file, or of the measured part of a device or file.
    pub size: Option<Bytes>,
    /// Measure what exists and write nothing to it.
    pub read_only: bool,
    /// The device named a second time, for leave to write to it.
    pub destroy: Option<PathBuf>,
    /// What offsets, mixes and payload follow from.
    pub seed: Seed,
    /// The command line, for the record.
    pub command: Vec<String>,
    /// Version of the program, for the record.
    pub version: String,
}

/// Why a check could not begin, or could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The target is wrong, or writing was refused.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A job could not be run at all.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// `--read-only` with a folder.
    #[error("{} is a folder: with --read-only there must be something to read", .0.display())]
    NothingToRead(PathBuf),
}

impl CheckError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Target(error) => error.hint(),
            Self::Engine(_) => None,
            Self::NothingToRead(_) => {
                Some("name an existing file or device, such as --read-only /dev/sda".to_owned())
            }
        }
    }

    /// The exit status that it calls for.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Target(error) => error.exit_status(),
            Self::Engine(_) => 1,
            Self::NothingToRead(_) => 2,
        }
    }
}

/// Measures `request.path` and judges what was measured.
///
/// A run that ends early (stop flag, failing disk) still returns its record, marked partial.
///
/// # Errors
/// When nothing could be measured: a wrong target, no room, no permission.
pub fn check(
    request: &CheckRequest,
    roots: &Roots,
    stop: &StopFlag,
    watch: &mut dyn Watch,
) -> Result<Record, CheckError> {
    let started = Timestamp::now();
    watch.phase("looking at the target", 0.0);
    let ground = Ground::prepare(request, roots, watch)?;
    let clock = Clock::best();
    let refusal = io_uring_refusal();
    let calibration = calibrate(&clock, refusal.is_none());
    let mut run = Run {
        request,
        roots,
        stop,
        watch,
        times: Times::of(request.effort),
        epoch_ns: clock.now(),
        clock,
        span: ground.span,
        cells: Vec::new(),
        completion: Completion::Complete,
    };
    let (opened, target_info, layout) = run.measure(ground)?;
    let span = run.span;
    let (cells, completion, budget) = (run.cells, run.completion, run.times.budget);
    let io_uring = IoUringStatus { available: refusal.is_none(), reason: refusal };
    let mut record = Record {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "truedisk".to_owned(), version: request.version.clone() },
        id: run_id(started, request.seed),
        started,
        finished: Timestamp::now(),
        command: request.command.clone(),
        plan: Plan {
            effort: request.effort,
            budget,
            bound: request.bound,
            read_only: request.read_only,
            span: span.length,
            seed: request.seed,
        },
        completion,
        environment: environment(roots, io_uring),
        targets: vec![finished_target(target_info, &opened)],
        layout,
        calibration,
        cells,
        curves: Vec::new(),
        findings: Vec::new(),
        verdict: None,
    };
    analysis::judge(&mut record);
    Ok(record)
}

/// `20261121T020304Z-5f3a9c21`: sortable by time, unique by seed.
fn run_id(at: Timestamp, seed: Seed) -> String {
    format!("{}-{:08x}", at.strftime("%Y%m%dT%H%M%SZ"), seed.0 as u32)
}

fn calibrate(clock: &Clock, io_uring: bool) -> Calibration {
    let before = clock.now();
    let capability = io_uring.then(|| engine::calibrate(clock, CALIBRATION).ok()).flatten();
    Calibration {
        clock: match clock.kind() {
            ClockKind::Tsc => ClockSource::Tsc,
            ClockKind::Monotonic => ClockSource::Monotonic,
        },
        clock_read_ns: engine::clock_cost(clock),
        tsc_hz: clock.hz(),
        nop_iops_depth_1: capability.map(|c| Iops(c.nop_iops_depth_1)),
        nop_iops_depth_32: capability.map(|c| Iops(c.nop_iops_depth_32)),
        took: Nanos(clock.now() - before),
    }
}

fn finished_target(mut info: TargetInfo, opened: &Opened) -> TargetInfo {
    info.size = opened.size;
    info.direct = opened.direct;
    info.dio_memory_align = opened.memory_align;
    info.dio_offset_align = opened.offset_align;
    opened.align_source.clone_into(&mut info.dio_align_source);
    info
}
