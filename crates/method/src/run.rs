//! A check while it goes: the layout, then cell after cell.

use engine::{Clock, StopFlag, Target};
use record::{Cell, CellRole, Completion, LayoutRun, TargetInfo, TargetKind};
use target::{Opened, Roots, TargetError, TestFile, extents};
use units::{Bytes, Depth, Nanos, Seed};
use workload::{
    Access, BackendChoice, Job, Mix, Pacing, Payload, Span, Stop, SyncKind, SyncPolicy,
};

use crate::Watch;
use crate::cell::Bench;
use crate::check::{CheckError, CheckRequest};
use crate::ground::{Ground, SPAN_MIN};
use crate::ladder::Ladder;
use crate::layout::{LaidOut, Layout, lay_out};
use crate::plan::Times;

/// Depth of the sequential cells: 8 MiB outstanding keeps any single disk streaming.
const SEQUENTIAL_DEPTH: Depth = Depth(8);
/// Depth of the rounds that write until a steady state.
const ROUND_DEPTH: Depth = Depth(32);
/// Of the budget, kept for judging and reporting.
const RESERVE: Nanos = Nanos::secs(1);

/// A check while it goes.
pub(crate) struct Run<'a> {
    pub(crate) request: &'a CheckRequest,
    pub(crate) roots: &'a Roots,
    pub(crate) stop: &'a StopFlag,
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) times: Times,
    pub(crate) clock: Clock,
    pub(crate) epoch_ns: u64,
    pub(crate) span: Span,
    pub(crate) cells: Vec<Cell>,
    pub(crate) completion: Completion,
}

/// A part of the sequence.
type Step<R> = fn(&mut R, &Bench<'_>, &Job) -> Result<Flow, CheckError>;

/// Why the sequence of cells ends: nothing more to do, or the rest is given up.
enum Flow {
    GoOn,
    End,
}

impl Run<'_> {
    /// Lays out, then measures. The test file is removed when this returns.
    pub(crate) fn measure(
        &mut self,
        ground: Ground,
    ) -> Result<(Opened, TargetInfo, Option<LayoutRun>), CheckError> {
        let Ground { mut info, mut opened, mut own, .. } = ground;
        let file = opened.file.try_clone().map_err(|source| TargetError::Io {
            attempt: "use",
            path: self.request.path.clone(),
            source,
        })?;
        let mut target = Target::new(file, opened.limits(), opened.memory_align);
        let mut layout = None;
        if opened.writable {
            let laid_out = self.lay_out(&target, opened.direct)?;
            let flow = self.after_layout(&laid_out, own.as_mut())?;
            layout = Some(laid_out.run);
            if matches!(flow, Flow::End) {
                return Ok((opened, info, layout));
            }
            opened.size = Bytes(self.span.offset.0 + self.span.length.0);
            target = target.resized(opened.size);
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
        let layout =
            Layout { target, span: self.span, direct, seed: self.request.seed, time_most: most };
        let laid_out = lay_out(&layout, &clock, self.stop, &mut |p| {
            watch.progress(p, share(&clock, epoch, budget));
        })?;
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
        let steps: &[Step<Self>] = if writes {
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
            ..Job::base()
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
        let (name, words) = analysis::curve_name(mix, base.block_size);
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
        let (name, words) = analysis::curve_name(Mix::Read, base.block_size);
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
