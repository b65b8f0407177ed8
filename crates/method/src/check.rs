//! `check`: the main job.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine::{Clock, ClockKind, EngineError, StopFlag, Target, io_uring_refusal};
use jiff::Timestamp;
use record::{
    Calibration, Cell, CellRole, ClockSource, Completion, Effort, IoUringStatus, LayoutRun, Plan,
    Record, SCHEMA_VERSION, TargetInfo, TargetKind, Tool,
};
use target::{
    Opened, Roots, TargetError, TestFile, describe, drop_cache, environment, extents,
    open_for_reading, open_for_writing, permit_device, plan_size, sweep,
};
use units::{Bytes, Depth, Iops, Nanos, Seed};
use workload::{
    Access, BackendChoice, Bound, Job, Mix, Pacing, Payload, Span, Stop, SyncKind, SyncPolicy,
};

use crate::Watch;
use crate::cell::Bench;
use crate::ladder::Ladder;
use crate::layout::{LaidOut, lay_out};
use crate::plan::Times;

/// Depth of the sequential cells: 8 MiB outstanding keeps any single disk streaming.
const SEQUENTIAL_DEPTH: Depth = Depth(8);
/// Depth of the rounds that write until a steady state.
const ROUND_DEPTH: Depth = Depth(32);
/// The least span that is measured.
const SPAN_MIN: Bytes = Bytes::mib(16);
/// How long the loop is calibrated at each of its two depths.
const CALIBRATION: Duration = Duration::from_millis(60);
/// Of the budget, kept for judging and reporting.
const RESERVE: Nanos = Nanos::secs(1);

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
        clock_read_ns: capability.map_or(0.0, |c| c.clock_read_ns),
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

/// What a check stands on: the open target, and the file of our own where there is one.
struct Ground {
    info: TargetInfo,
    opened: Opened,
    own: Option<TestFile>,
    span: Span,
}

impl Ground {
    fn prepare(
        request: &CheckRequest,
        roots: &Roots,
        watch: &mut dyn Watch,
    ) -> Result<Self, CheckError> {
        let info = describe(&request.path, roots)?;
        let path = Path::new(&request.path);
        match (info.kind, request.read_only) {
            (TargetKind::Directory, true) => Err(CheckError::NothingToRead(request.path.clone())),
            (TargetKind::Directory, false) => Self::folder(info, request, roots, watch),
            (_, true) => {
                let opened = open_for_reading(path)?;
                let span = existing_span(path, &opened, request.size)?;
                drop_cache(&opened.file);
                Ok(Self { info, opened, own: None, span })
            }
            (_, false) => {
                let permit = permit_device(path, request.destroy.as_deref(), roots)?;
                let opened = open_for_writing(&permit)?;
                let size = request.size.unwrap_or(Times::of(request.effort).size);
                let span = existing_span(path, &opened, Some(size.min(opened.size)))?;
                Ok(Self { info, opened, own: None, span })
            }
        }
    }

    fn folder(
        info: TargetInfo,
        request: &CheckRequest,
        roots: &Roots,
        watch: &mut dyn Watch,
    ) -> Result<Self, CheckError> {
        let folder = request.path.clone();
        if info.file_system.as_ref().is_some_and(|fs| fs.read_only) {
            return Err(TargetError::ReadOnly { path: folder }.into());
        }
        for leftover in sweep(&folder)? {
            watch.note(&format!("removed a leftover of a killed run: {}", leftover.display()));
        }
        let size = plan_size(&folder, request.size, Times::of(request.effort).size)?;
        let id = format!("{:016x}", request.seed.0);
        let own = TestFile::create(&folder, &id, size, roots)?;
        let opened = open_for_writing(&own.permit())?;
        let span = Span { offset: TestFile::SPAN_OFFSET, length: size };
        Ok(Self { info, opened, own: Some(own), span })
    }
}

/// The part of an existing file or device that is measured: all of it, or its first `size`.
fn existing_span(path: &Path, opened: &Opened, size: Option<Bytes>) -> Result<Span, TargetError> {
    let whole = Bytes(opened.size.0 / Bytes::MIB * Bytes::MIB);
    let length = size.unwrap_or(whole).min(whole);
    let length = Bytes(length.0 / Bytes::MIB * Bytes::MIB);
    if length < SPAN_MIN {
        let path = path.to_owned();
        return Err(TargetError::TargetTooSmall { path, size: opened.size, least: SPAN_MIN });
    }
    Ok(Span { offset: Bytes(0), length })
}

/// A check while it goes.
struct Run<'a> {
    request: &'a CheckRequest,
    roots: &'a Roots,
    stop: &'a StopFlag,
    watch: &'a mut dyn Watch,
    times: Times,
    clock: Clock,
    epoch_ns: u64,
    span: Span,
    cells: Vec<Cell>,
    completion: Completion,
}

/// Why the sequence of cells ends: nothing more to do, or the rest is given up.
enum Flow {
    GoOn,
    End,
}

impl Run<'_> {
    /// Lays out, then measures. The test file is removed when this returns.
    fn measure(
        &mut self,
        ground: Ground,
    ) -> Result<(Opened, TargetInfo, Option<LayoutRun>), CheckError> {
        let Ground { mut info, mut opened, mut own, .. } = ground;
        let mut limits = opened.limits();
        let file = opened.file.try_clone().map_err(|source| TargetError::Io {
            attempt: "use",
            path: self.request.path.clone(),
            source,
        })?;
        let mut target = Target { file: Arc::new(file), limits, memory_align: opened.memory_align };
        let mut layout = None;
        if opened.writable {
            let laid_out = self.lay_out(&target, opened.direct)?;
            let flow = self.after_layout(&laid_out, own.as_mut())?;
            layout = Some(laid_out.run);
            if matches!(flow, Flow::End) {
                return Ok((opened, info, layout));
            }
            limits.size = Bytes(self.span.offset.0 + self.span.length.0);
            target.limits = limits;
            opened.size = limits.size;
        }
        if info.kind != TargetKind::BlockDevice {
            // A file system that cannot say leaves it absent: the check then says not-observable.
            let Span { offset, length } = self.span;
            info.extents = extents(&opened.file, offset, length).ok().flatten();
        }
        let used = Nanos(self.clock.now() - self.epoch_ns + RESERVE.0);
        let remaining = Nanos(self.times.budget.0.saturating_sub(used.0));
        self.times = self.times.clone().fitted(remaining, !opened.writable);
        let stack = info.stack.clone();
        let clock = self.clock;
        let bench = Bench {
            target,
            opened: &opened,
            stack: &stack,
            roots: self.roots,
            clock: &clock,
            stop: self.stop,
            epoch_ns: self.epoch_ns,
        };
        self.cells(&bench, opened.direct, opened.writable)?;
        Ok((opened, info, layout))
    }

    fn lay_out(&mut self, target: &Target, direct: bool) -> Result<LaidOut, CheckError> {
        let most = Nanos((self.times.budget.0 as f64 * self.times.layout_share) as u64);
        let done = self.done();
        self.watch.phase("laying out the test file", done);
        let (clock, epoch, budget) = (self.clock, self.epoch_ns, self.times.budget);
        let watch = &mut *self.watch;
        let laid_out = lay_out(
            target,
            self.span,
            direct,
            self.request.seed,
            most,
            &clock,
            self.stop,
            &mut |p| watch.progress(p, share(&clock, epoch, budget)),
        )?;
        Ok(laid_out)
    }

    /// Keeps what was written; ends the run when that is too little or something failed.
    fn after_layout(
        &mut self,
        laid_out: &LaidOut,
        own: Option<&mut TestFile>,
    ) -> Result<Flow, CheckError> {
        if let Some(reason) = &laid_out.failed {
            let reason = format!("the test file could not be written: {reason}");
            self.completion = Completion::Partial { reason, failed: true };
            return Ok(Flow::End);
        }
        if laid_out.stopped {
            self.interrupted();
            return Ok(Flow::End);
        }
        let written = Bytes(laid_out.run.written.0 / Bytes::MIB * Bytes::MIB);
        if written < self.span.length {
            if written < SPAN_MIN {
                let reason = format!("only {written} were written in the layout's time");
                self.completion = Completion::Partial { reason, failed: true };
                return Ok(Flow::End);
            }
            self.span.length = written;
            if let Some(own) = own {
                own.shrink(written)?;
            }
        }
        Ok(Flow::GoOn)
    }

    /// The cells, in the order of the methodology: reads, writes, mix, syncs, repetition.
    fn cells(&mut self, bench: &Bench<'_>, direct: bool, writes: bool) -> Result<(), CheckError> {
        let base = self.base_job(bench, direct);
        let steps: &[fn(&mut Self, &Bench<'_>, &Job) -> Result<Flow, CheckError>] = if writes {
            &[
                Self::idle,
                |run, bench, base| run.curve(bench, base, Mix::Read),
                |run, bench, base| run.sequential(bench, base, Mix::Read),
                Self::rounds,
                |run, bench, base| run.curve(bench, base, Mix::Write),
                |run, bench, base| run.curve(bench, base, Mix::Mixed { read_percent: 75 }),
                |run, bench, base| run.sequential(bench, base, Mix::Write),
                Self::commits,
                Self::repeat,
            ]
        } else {
            &[
                Self::idle,
                |run, bench, base| run.curve(bench, base, Mix::Read),
                |run, bench, base| run.sequential(bench, base, Mix::Read),
                Self::repeat,
            ]
        };
        for step in steps {
            if matches!(step(self, bench, &base)?, Flow::End) {
                break;
            }
        }
        Ok(())
    }

    /// A random read of 4 KiB at depth 1, from which every other job is made.
    fn base_job(&self, bench: &Bench<'_>, direct: bool) -> Job {
        let block = Bytes::kib(4).max(bench.opened.offset_align);
        Job {
            name: String::new(),
            access: Access::Random,
            mix: Mix::Read,
            block_size: block,
            depth: Depth(1),
            pacing: Pacing::Closed,
            sync: None,
            warm_up: self.times.warm_up,
            stop: Stop::after(self.times.depth_1),
            span: self.span,
            payload: Payload::Unique,
            direct,
            seed: self.request.seed,
            backend: BackendChoice::Auto,
            interval: Nanos::millis(100),
        }
    }

    /// Runs one cell and keeps it.
    fn cell(
        &mut self,
        bench: &Bench<'_>,
        job: &Job,
        role: CellRole,
        words: &str,
    ) -> Result<Flow, CheckError> {
        let done = self.done();
        self.watch.phase(words, done);
        // Another order in every cell: otherwise each would visit the blocks of the last again.
        let job =
            Job { seed: Seed(job.seed.0.wrapping_add(self.cells.len() as u64)), ..job.clone() };
        let (clock, epoch, budget) = (self.clock, self.epoch_ns, self.times.budget);
        let watch = &mut *self.watch;
        let cell =
            bench.measure(&job, role, &mut |p| watch.progress(p, share(&clock, epoch, budget)))?;
        let failed = cell.error.clone();
        if cell.totals.iter().next().is_some() {
            self.cells.push(cell);
        }
        if let Some(error) = failed {
            let reason = format!("{words}: {}", error.message);
            self.completion = Completion::Partial { reason, failed: true };
            return Ok(Flow::End);
        }
        if self.stop.is_raised() {
            self.interrupted();
            return Ok(Flow::End);
        }
        Ok(Flow::GoOn)
    }

    fn interrupted(&mut self) {
        let reason = "interrupted".to_owned();
        self.completion = Completion::Partial { reason, failed: false };
    }

    fn idle(&mut self, bench: &Bench<'_>, base: &Job) -> Result<Flow, CheckError> {
        let (count, interval) = self.times.idle;
        let job = Job {
            name: format!("idle-read-{}", base.block_size.compact()),
            pacing: Pacing::Spaced { interval },
            warm_up: Nanos::ZERO,
            stop: Stop { time: None, bytes: None, operations: Some(count) },
            ..base.clone()
        };
        self.cell(bench, &job, CellRole::Idle, "reads with pauses")
    }

    /// Depth 1, then the ladder.
    fn curve(&mut self, bench: &Bench<'_>, base: &Job, mix: Mix) -> Result<Flow, CheckError> {
        let (name, words) = naming(mix, base.block_size);
        let job = |depth: u32, time: Nanos| Job {
            name: format!("{name}-qd{depth}"),
            mix,
            depth: Depth(depth),
            stop: Stop::after(time),
            ..base.clone()
        };
        let say = |depth: u32| format!("{words}, depth {depth}");
        let first = job(1, self.times.depth_1);
        if let Flow::End = self.cell(bench, &first, CellRole::Main, &say(1))? {
            return Ok(Flow::End);
        }
        let Some(measured) = self.cells.last() else {
            return Ok(Flow::End);
        };
        let rungs = self.times.ladder.clone();
        let mut ladder = Ladder::new(self.request.bound, rungs, self.times.refine, measured);
        while let Some(depth) = ladder.next() {
            let step = job(depth, self.times.step);
            if let Flow::End = self.cell(bench, &step, CellRole::Ladder, &say(depth))? {
                return Ok(Flow::End);
            }
            match self.cells.last() {
                Some(cell) if cell.name == step.name => ladder.add(cell),
                // Nothing completed in the time of a step: deeper will not do better.
                _ => return Ok(Flow::GoOn),
            }
        }
        Ok(Flow::GoOn)
    }

    fn sequential(&mut self, bench: &Bench<'_>, base: &Job, mix: Mix) -> Result<Flow, CheckError> {
        let verb = if mix == Mix::Read { "read" } else { "write" };
        let job = Job {
            name: format!("seq{verb}-1m"),
            access: Access::Sequential,
            mix,
            block_size: Bytes::mib(1),
            depth: SEQUENTIAL_DEPTH,
            stop: Stop::after(self.times.sequential),
            ..base.clone()
        };
        self.cell(bench, &job, CellRole::Main, &format!("sequential {verb} 1m"))
    }

    /// Writes at random until five rounds agree, in a thorough check.
    fn rounds(&mut self, bench: &Bench<'_>, base: &Job) -> Result<Flow, CheckError> {
        let mut rates: Vec<f64> = Vec::new();
        for round in 1..=self.times.rounds {
            let job = Job {
                name: format!("randwrite-{}-round-{round}", base.block_size.compact()),
                mix: Mix::Write,
                depth: ROUND_DEPTH,
                warm_up: Nanos::ZERO,
                stop: Stop::after(self.times.round),
                ..base.clone()
            };
            let words = format!("writing until steady, round {round}");
            if let Flow::End = self.cell(bench, &job, CellRole::Round, &words)? {
                return Ok(Flow::End);
            }
            rates.extend(self.cells.last().map(Cell::iops));
            if let Some(last) = rates.last_chunk::<5>()
                && stats::five_rounds(*last).steady
            {
                break;
            }
        }
        Ok(Flow::GoOn)
    }

    /// One client that makes every 4 KiB durable, as a database log does.
    fn commits(&mut self, bench: &Bench<'_>, base: &Job) -> Result<Flow, CheckError> {
        let job = Job {
            name: format!("syncwrite-{}", base.block_size.compact()),
            access: Access::Sequential,
            mix: Mix::Write,
            sync: Some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
            stop: Stop::after(self.times.sync),
            // A client that waits for each call: plain system calls, as databases make them.
            backend: BackendChoice::Threads,
            ..base.clone()
        };
        let words = format!("write {} + fdatasync", base.block_size.compact());
        self.cell(bench, &job, CellRole::Main, &words)
    }

    fn repeat(&mut self, bench: &Bench<'_>, base: &Job) -> Result<Flow, CheckError> {
        let (name, words) = naming(Mix::Read, base.block_size);
        let job = Job {
            name: format!("{name}-qd1-repeat"),
            stop: Stop::after(self.times.repeat),
            ..base.clone()
        };
        self.cell(bench, &job, CellRole::Repeat, &format!("{words}, depth 1, again"))
    }

    fn done(&self) -> f64 {
        share(&self.clock, self.epoch_ns, self.times.budget)
    }
}

fn share(clock: &Clock, epoch_ns: u64, budget: Nanos) -> f64 {
    ((clock.now() - epoch_ns) as f64 / budget.0 as f64).min(1.0)
}

fn naming(mix: Mix, block: Bytes) -> (String, String) {
    let size = block.compact();
    match mix {
        Mix::Read => (format!("randread-{size}"), format!("random read {size}")),
        Mix::Write => (format!("randwrite-{size}"), format!("random write {size}")),
        Mix::Mixed { read_percent } => (
            format!("randrw{read_percent}-{size}"),
            format!("{read_percent}/{} mix {size}", 100 - read_percent),
        ),
    }
}
