//! One cell: run a job between two readings of the counters, and put it into the record's words.

use analysis::{confidence, latency_summary};
use engine::{Clock, EndReason, EngineError, Outcome, Progress, StopFlag, Target, run};
use record::{
    AchievedDepth, Cell, CellError, CellRole, Confidence, CpuTime, DirectionTotals, Directions,
    Failures, Interval, Layer, Ledger, OpenLoop, PerDirection, Residency, TickSeries, Ticks,
    Verified,
};
use target::{Opened, Roots, Snapshot, residency};
use units::{Bytes, Nanos};
use workload::{Direction, Job};

/// Everything that stays the same from cell to cell.
pub(crate) struct Bench<'run> {
    pub(crate) target: Target,
    pub(crate) opened: &'run Opened,
    pub(crate) stack: &'run [Layer],
    pub(crate) roots: &'run Roots,
    pub(crate) clock: &'run Clock,
    pub(crate) stop: &'run StopFlag,
    /// Clock reading at the start of the run.
    pub(crate) epoch_ns: u64,
}

impl Bench<'_> {
    /// Runs `job` and returns its cell; a failing operation is in the cell, not an error.
    pub(crate) fn measure(
        &self,
        job: &Job,
        role: CellRole,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Cell, EngineError> {
        let cached_before = self.residency(job);
        let before = Snapshot::take(self.stack, self.roots);
        let outcome = run(job, &self.target, self.clock, self.stop, watch)?;
        let ledger = self.ledger(job, &before, &outcome, cached_before);
        let mut cell = assemble(job, role, &outcome, ledger, self.epoch_ns);
        cell.confidence = confidence(&cell);
        Ok(cell)
    }

    fn residency(&self, job: &Job) -> Option<(&'static str, u64, u64)> {
        residency(&self.opened.file, job.span.offset, job.span.length)
    }

    fn ledger(
        &self,
        job: &Job,
        before: &Snapshot,
        outcome: &Outcome,
        cached_before: Option<(&'static str, u64, u64)>,
    ) -> Ledger {
        let difference = Snapshot::take(self.stack, self.roots).since(before);
        let asked = &outcome.asked;
        let residency = cached_before.zip(self.residency(job)).map(|(then, now)| Residency {
            method: now.0.to_owned(),
            pages: now.1,
            cached_before: then.2,
            cached_after: now.2,
        });
        Ledger {
            elapsed: difference.elapsed,
            read_ops: asked.ops[Direction::Read as usize],
            read_bytes: Bytes(asked.bytes[Direction::Read as usize]),
            write_ops: asked.ops[Direction::Write as usize],
            write_bytes: Bytes(asked.bytes[Direction::Write as usize]),
            sync_ops: asked.ops[Direction::Sync as usize],
            trim_ops: asked.ops[Direction::Trim as usize],
            trim_bytes: Bytes(asked.bytes[Direction::Trim as usize]),
            resumed: asked.resumed,
            abandoned: asked.abandoned,
            process: difference.process,
            layers: difference.layers,
            residency,
            system: difference.system,
        }
    }
}

/// The cell of a job that ran; `epoch` is the clock's reading at the start of the run.
pub(crate) fn assemble(
    job: &Job,
    role: CellRole,
    outcome: &Outcome,
    ledger: Ledger,
    epoch: u64,
) -> Cell {
    let seconds = outcome.elapsed_ns as f64 / 1e9;
    let mut totals = Directions::default();
    let mut ops = 0;
    let mut little = 0.0;
    for direction in Direction::ALL {
        let sum = outcome.total(direction);
        if sum.ops == 0 {
            continue;
        }
        ops += sum.ops;
        little += sum.total.sum_ns() as f64 / outcome.elapsed_ns.max(1) as f64;
        let direction_totals = DirectionTotals {
            ops: sum.ops,
            bytes: sum.bytes,
            iops: sum.ops as f64 / seconds,
            bytes_per_second: sum.bytes as f64 / seconds,
            latency_ns: latency_summary(&sum.total),
            response_ns: sum.response.as_ref().map(latency_summary),
            submission_ns: (sum.submission.count() > 0).then(|| latency_summary(&sum.submission)),
        };
        totals.set(direction, direction_totals);
    }
    let (user, system) = outcome.cpu_ns;
    Cell {
        name: job.name.clone(),
        role,
        job: job.clone(),
        backend: outcome.backend.to_owned(),
        backend_notes: outcome.notes.clone(),
        started: Nanos(outcome.started_ns.saturating_sub(epoch)),
        elapsed: Nanos(outcome.elapsed_ns),
        intervals: outcome.intervals.iter().map(interval).collect(),
        ticks: ticks(outcome),
        totals,
        achieved_depth: AchievedDepth {
            counted: outcome.outstanding_ns / outcome.elapsed_ns.max(1) as f64,
            little,
        },
        cpu: CpuTime {
            user: Nanos(user),
            system: Nanos(system),
            ns_per_op: (ops > 0).then(|| (user + system) as f64 / ops as f64),
            threads: outcome.threads,
        },
        ledger,
        confidence: Confidence::default(),
        open_loop: outcome.open_loop.as_ref().map(open_loop),
        verified: outcome.verified.as_ref().map(verified),
        failures: outcome.errors.iter().map(failures).collect(),
        error: match &outcome.ended {
            EndReason::Failed(error) => Some(CellError {
                message: error.to_string(),
                errno: (error.errno != 0).then_some(error.errno),
            }),
            EndReason::Done | EndReason::Stopped => None,
        },
    }
}

fn open_loop(from: &engine::OpenLoop) -> OpenLoop {
    OpenLoop {
        started: from.started,
        held: from.held,
        unstarted: from.unstarted,
        lag_ns: latency_summary(&from.lag),
        generator_late: from.generator_late,
    }
}

fn verified(from: &engine::Verified) -> Verified {
    Verified {
        blocks: from.blocks,
        mismatched: from.mismatched,
        mismatches: from.mismatches.iter().map(engine::Mismatch::dump).collect(),
    }
}

fn failures(from: &engine::ErrorCount) -> Failures {
    let message = match from.errno {
        0 => "the transfer ended short".to_owned(),
        errno => std::io::Error::from_raw_os_error(errno).to_string(),
    };
    Failures { direction: from.direction, errno: from.errno, message, count: from.count }
}

fn interval(from: &engine::IntervalOutcome) -> Interval {
    let mut directions = PerDirection::default();
    for direction in Direction::ALL {
        if let Some(part) = &from.directions[direction as usize] {
            let made = record::DirectionInterval {
                ops: part.ops,
                bytes: part.bytes,
                total: part.total.clone(),
                submission: part.submission.clone(),
                response: part.response.clone(),
            };
            directions.set(direction, made);
        }
    }
    Interval { start: Nanos(from.start_ns), length: Nanos(from.length_ns), directions }
}

fn ticks(outcome: &Outcome) -> TickSeries {
    let mut series =
        TickSeries { tick: Nanos(outcome.tick_ns), directions: PerDirection::default() };
    for direction in Direction::ALL {
        if outcome.total(direction).ops == 0 {
            continue;
        }
        let gather = |pick: &dyn Fn(&engine::IntervalOutcome) -> &Vec<u64>| {
            outcome.intervals.iter().flat_map(|i| pick(i).iter().copied()).collect()
        };
        let made = Ticks {
            ops: gather(&|i| &i.tick_ops[direction as usize]),
            latency_sum_ns: gather(&|i| &i.tick_latency_ns[direction as usize]),
        };
        series.directions.set(direction, made);
    }
    series
}
