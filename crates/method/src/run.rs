//! A check while it goes: cell after cell.

use record::{Cell, CellRole};
use stats::search::{Next, Search};
use units::{Bytes, Depth, Nanos};
use workload::{Access, BackendChoice, Bound, Job, Mix, Pacing, Stop, SyncKind, SyncPolicy};

use crate::error::MethodError;
use crate::plan::Times;
use crate::stage::{Flow, Stage};
use crate::trial::{self, When};

/// Depth of the sequential cells: 8 MiB outstanding keeps any single disk streaming.
const SEQUENTIAL_DEPTH: Depth = Depth(8);
/// Depth of the rounds that write until a steady state.
const ROUND_DEPTH: Depth = Depth(32);

/// A check while it goes.
pub(crate) struct Run<'run, 'stage> {
    pub(crate) stage: &'run mut Stage<'stage>,
    pub(crate) times: Times,
    pub(crate) bounds: &'run [Bound],
}

/// A part of the sequence.
type Step<R> = fn(&mut R, &Job) -> Result<Flow, MethodError>;

impl Run<'_, '_> {
    /// The cells, in the order of the methodology: reads, writes, mix, syncs, repetition.
    pub(crate) fn cells(&mut self) -> Result<(), MethodError> {
        let base = Job {
            warm_up: self.times.warm_up,
            stop: Stop::after(self.times.depth_1),
            ..self.stage.base_job()
        };
        let steps: &[Step<Self>] = if self.stage.writable {
            &[
                |run, base| run.trials(base, When::First),
                Self::idle,
                |run, base| run.curve(base, Mix::Read),
                |run, base| run.sequential(base, Mix::Read),
                |run, base| run.trials(base, When::AfterReads),
                Self::rounds,
                |run, base| run.curve(base, Mix::Write),
                |run, base| run.curve(base, Mix::Mixed { read_percent: 75 }),
                |run, base| run.sequential(base, Mix::Write),
                Self::commits,
                Self::repeat,
                |run, base| run.trials(base, When::Last),
            ]
        } else {
            &[
                |run, base| run.trials(base, When::First),
                Self::idle,
                |run, base| run.curve(base, Mix::Read),
                |run, base| run.sequential(base, Mix::Read),
                |run, base| run.trials(base, When::AfterReads),
                Self::repeat,
                |run, base| run.trials(base, When::Last),
            ]
        };
        for step in steps {
            if step(self, &base)? == Flow::End {
                break;
            }
        }
        Ok(())
    }

    fn trials(&mut self, base: &Job, when: When) -> Result<Flow, MethodError> {
        trial::run(self.stage, base, when, self.times.trials)
    }

    /// Runs one cell and keeps it.
    fn cell(&mut self, job: &Job, role: CellRole, words: &str) -> Result<Flow, MethodError> {
        self.stage.cell(std::slice::from_ref(job), role, words)
    }

    fn idle(&mut self, base: &Job) -> Result<Flow, MethodError> {
        let (count, interval) = self.times.idle;
        let job = Job {
            name: format!("idle-read-{}", base.block_size.compact()),
            pacing: Pacing::Spaced { interval },
            warm_up: Nanos::ZERO,
            stop: Stop { time: None, bytes: None, operations: Some(count) },
            ..base.clone()
        };
        self.cell(&job, CellRole::Idle, "reads with pauses")
    }

    /// Depth 1, then the depths that the search for the most within the bounds asks for.
    fn curve(&mut self, base: &Job, mix: Mix) -> Result<Flow, MethodError> {
        let (name, words) = analysis::curve_name(&Access::Random, mix, base.block_size);
        let mut search =
            Search::new(self.times.depths.clone(), self.bounds.len(), self.times.search());
        let (mut role, mut time) = (CellRole::Main, self.times.depth_1);
        while let Next::Probe { level, value, .. } = search.ask() {
            let depth = value as u32;
            let job = Job {
                name: format!("{name}-qd{depth}"),
                mix,
                depth: Depth(depth),
                stop: Stop::after(time),
                ..base.clone()
            };
            let before = self.stage.cells.len();
            if self.cell(&job, role, &format!("{words}, depth {depth}"))? == Flow::End {
                return Ok(Flow::End);
            }
            let [cell] = &self.stage.cells[before..] else {
                // Nothing completed in the time of a step: deeper will not do better.
                return Ok(Flow::GoOn);
            };
            search.learn(analysis::probed(&[cell], self.bounds, level));
            (role, time) = (CellRole::Ladder, self.times.step);
        }
        Ok(Flow::GoOn)
    }

    fn sequential(&mut self, base: &Job, mix: Mix) -> Result<Flow, MethodError> {
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
        self.cell(&job, CellRole::Main, &format!("sequential {verb} 1m"))
    }

    /// Writes at random until five rounds agree, in a thorough check.
    fn rounds(&mut self, base: &Job) -> Result<Flow, MethodError> {
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
            if let Flow::End = self.cell(&job, CellRole::Round, &words)? {
                return Ok(Flow::End);
            }
            rates.extend(self.stage.cells.last().map(Cell::iops));
            if let Some(last) = rates.last_chunk::<5>()
                && stats::five_rounds(*last).steady
            {
                break;
            }
        }
        Ok(Flow::GoOn)
    }

    /// One client that makes every 4 KiB durable, as a database log does.
    fn commits(&mut self, base: &Job) -> Result<Flow, MethodError> {
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
        self.cell(&job, CellRole::Main, &words)
    }

    fn repeat(&mut self, base: &Job) -> Result<Flow, MethodError> {
        let (name, words) = analysis::curve_name(&Access::Random, Mix::Read, base.block_size);
        let job = Job {
            name: format!("{name}-qd1-repeat"),
            stop: Stop::after(self.times.repeat),
            ..base.clone()
        };
        self.cell(&job, CellRole::Repeat, &format!("{words}, depth 1, again"))
    }
}
