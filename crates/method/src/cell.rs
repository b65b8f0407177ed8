//! One cell: run a job between two readings of the counters, and put it into the record's words.

use std::io;

use analysis::{compute_confidence, summarise_latency};
use engine::simulated::{DeviceCounters, ProcessQuota, QuotaCounters};
use engine::{
    ArmedSession, Clock, EndReason, EngineError, Outcome, Progress, RequestedOps, SessionOptions,
    StepSource, StopSignal, Target, run_armed, run_together,
};
use record::{
    AchievedDepth, Cell, CellError, CellRole, Confidence, CpuThrottle, CpuTime, DirectionTotals,
    Directions, Failures, Interval, IoLimit, LatencySummary, Layer, LayerCounters, Ledger,
    OpenLoop, Pause, PauseKind, PerDirection, Residency, TickSeries, Ticks, Verified,
};
use stats::LatencyHistogram;
use target::{CounterSnapshot, OpenTarget, Roots, query_residency};
use units::{Bytes, Nanos};
use workload::{Direction, Job, Pacing, SyncKind};

/// Gives the reading of the clock at which jobs start, when all of their workers are ready; `None`
/// where they are not to start at all.
pub(crate) type StartGate<'a> = &'a mut dyn FnMut(&Clock) -> Option<u64>;

pub(crate) struct StartedCells {
    pub(crate) cells: Vec<Cell>,
    pub(crate) late: Vec<Nanos>,
}

pub(crate) struct CellRunner {
    pub(crate) target: Target,
    pub(crate) observed: Option<ObservedTarget>,
    pub(crate) clock: Clock,
    pub(crate) epoch_ns: u64,
    pub(crate) end_sync: Option<SyncKind>,
    /// The operations of the next job, where they do not follow from it.
    pub(crate) steps: Option<StepSource>,
    /// Limits of control groups on a simulated device.
    pub(crate) simulated_limits: Vec<IoLimit>,
}

pub(crate) struct ObservedTarget {
    pub(crate) opened: OpenTarget,
    pub(crate) stack: Vec<Layer>,
    pub(crate) roots: Roots,
}

/// What the system counts of a target, read before or after a run.
pub struct CounterReading {
    /// How much of the span is in the page cache, as [`target::query_residency`] says.
    pub cached: Option<(&'static str, u64, u64)>,
    /// The counters of the process, the system and the devices.
    pub counters: CounterSnapshot,
}

impl CounterReading {
    pub fn ledger_until(&self, after: &Self, asked: Ledger) -> Ledger {
        let difference = after.counters.deltas_since(&self.counters);
        let residency = self.cached.zip(after.cached).map(|(then, now)| Residency {
            method: now.0.to_owned(),
            pages: now.1,
            cached_before: then.2,
            cached_after: now.2,
        });
        Ledger {
            elapsed: difference.elapsed,
            process: difference.process,
            layers: difference.layers,
            residency,
            system: difference.system,
            cpu_throttle: difference.cpu_throttle,
            io_limits: difference.io_limits,
            ..asked
        }
    }
}

impl CellRunner {
    /// Runs jobs at the same time and returns their cells, in the order of the jobs; a failing
    /// operation is in its cell, not an error.
    ///
    /// What the device and the system counted in that time belongs to all of them together: it
    /// stands in each cell's ledger, next to what all of them asked.
    pub(crate) fn measure(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Cell>, EngineError> {
        let before = self.take_reading(jobs);
        let watch = &mut combine_progress(jobs.len(), observer);
        let outcomes = match self.arm_streamed(jobs)? {
            Some(armed) => {
                let start_ns = ArmedSession::common_start(&self.clock);
                run_armed(armed, start_ns, &self.clock, stop, watch)
            }
            None => run_together(jobs, &self.target, &self.clock, stop, watch)?,
        };
        Ok(self.build_cells(jobs, role, before.as_ref(), &outcomes))
    }

    /// As [`Self::measure`], from an instant that `start` gives once all workers are ready. `None`
    /// where it gives none: nothing was run then.
    pub(crate) fn measure_at_start(
        &mut self,
        jobs: &[Job],
        role: CellRole,
        stop: &StopSignal,
        start: StartGate<'_>,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Option<StartedCells>, EngineError> {
        let before = self.take_reading(jobs);
        let armed = match self.arm_streamed(jobs)? {
            Some(armed) => armed,
            None => ArmedSession::new_together(jobs, &self.target, &self.clock)?,
        };
        let Some(planned_ns) = start(&self.clock) else { return Ok(None) };
        // Told too late, it begins at once, and says how late that was.
        let start_ns = planned_ns.max(self.clock.now());
        let watch = &mut combine_progress(jobs.len(), observer);
        let outcomes = run_armed(armed, start_ns, &self.clock, stop, watch);
        let late_ns = start_ns - planned_ns;
        let late = outcomes
            .iter()
            .map(|outcome| Nanos(late_ns + outcome.activity.start_skew_ns))
            .collect();
        Ok(Some(StartedCells {
            cells: self.build_cells(jobs, role, before.as_ref(), &outcomes),
            late,
        }))
    }

    /// `None` where the operations follow from the jobs.
    fn arm_streamed(&mut self, jobs: &[Job]) -> Result<Option<Vec<ArmedSession>>, EngineError> {
        let (Some(steps), [job]) = (self.steps.take(), jobs) else { return Ok(None) };
        let options = SessionOptions::default();
        let armed = ArmedSession::new_streamed(job, &self.target, &self.clock, &options, steps)?;
        Ok(Some(vec![armed]))
    }

    fn build_cells(
        &self,
        jobs: &[Job],
        role: CellRole,
        before: Option<&TakenReading>,
        outcomes: &[Outcome],
    ) -> Vec<Cell> {
        let synced = self.end_sync.map(|kind| self.sync_target(kind));
        let ledger = self.build_ledger(jobs, before, outcomes);
        let cells = jobs.iter().zip(outcomes).enumerate().map(|(place, (job, outcome))| {
            let mut cell = build_cell(job, role, outcome, ledger.clone(), self.epoch_ns);
            cell.beside = other_job_name(jobs, place);
            if self.target.virtual_device().is_some() {
                // Real time of processors says nothing about virtual time.
                cell.cpu = CpuTime { threads: cell.cpu.threads, ..CpuTime::default() };
            }
            match &synced {
                Some(Ok(time)) if job.mix.writes() => cell.end_sync = Some(*time),
                Some(Err(error)) if job.mix.writes() && cell.error.is_none() => {
                    cell.error = Some(CellError {
                        message: format!("cannot sync what was written: {error}"),
                        errno: error.raw_os_error(),
                    });
                }
                _ => {}
            }
            cell.confidence = compute_confidence(&cell);
            cell
        });
        cells.collect()
    }

    fn sync_target(&self, kind: SyncKind) -> io::Result<Nanos> {
        let before = self.clock.now();
        match (kind, &self.observed) {
            (SyncKind::Fdatasync, Some(observed)) => observed.opened.file.sync_data()?,
            _ => self.target.sync()?,
        }
        Ok(Nanos(self.clock.now() - before))
    }

    fn build_ledger(
        &self,
        jobs: &[Job],
        before: Option<&TakenReading>,
        outcomes: &[Outcome],
    ) -> Ledger {
        let sum =
            |pick: &dyn Fn(&RequestedOps) -> u64| outcomes.iter().map(|o| pick(&o.requested)).sum();
        let ops = |direction: Direction| sum(&|asked| asked.ops[direction as usize]);
        let bytes = |direction: Direction| Bytes(sum(&|asked| asked.bytes[direction as usize]));
        let asked = Ledger {
            read_ops: ops(Direction::Read),
            read_bytes: bytes(Direction::Read),
            write_ops: ops(Direction::Write),
            write_bytes: bytes(Direction::Write),
            sync_ops: ops(Direction::Sync),
            trim_ops: ops(Direction::Trim),
            trim_bytes: bytes(Direction::Trim),
            resumed: sum(&|asked| asked.resumed),
            abandoned: sum(&|asked| asked.abandoned),
            ..Ledger::default()
        };
        match before.zip(self.take_reading(jobs)) {
            Some((TakenReading::System(before), TakenReading::System(after))) => {
                before.ledger_until(&after, asked)
            }
            Some((TakenReading::Simulated(before), TakenReading::Simulated(after))) => Ledger {
                elapsed: Nanos(after.now_ns - before.now_ns),
                layers: vec![subtract_counters(after.counters, before.counters)],
                cpu_throttle: before.quota.zip(after.quota).map(subtract_quota),
                io_limits: self.simulated_limits.clone(),
                ..asked
            },
            _ => asked,
        }
    }

    fn take_reading(&self, jobs: &[Job]) -> Option<TakenReading> {
        if let Some(device) = self.target.virtual_device() {
            return Some(TakenReading::Simulated(SimulatedReading {
                now_ns: device.now_ns(),
                counters: device.counters(),
                quota: device.quota(),
            }));
        }
        let observed = self.observed.as_ref()?;
        Some(TakenReading::System(observed.take_reading(jobs)))
    }
}

/// What was read of the counters before or after a cell.
enum TakenReading {
    System(CounterReading),
    Simulated(SimulatedReading),
}

/// Counters of a simulated device and of the process that measures it, on its virtual clock.
struct SimulatedReading {
    now_ns: u64,
    counters: DeviceCounters,
    quota: Option<(ProcessQuota, QuotaCounters)>,
}

fn subtract_quota(
    ((_, then), (quota, now)): ((ProcessQuota, QuotaCounters), (ProcessQuota, QuotaCounters)),
) -> CpuThrottle {
    CpuThrottle {
        cgroup: "/simulated".to_owned(),
        quota_cpus: Some(quota.quota_ns as f64 / quota.period_ns.max(1) as f64),
        period: Nanos(quota.period_ns),
        throttled_periods: now.periods - then.periods,
        throttled: Nanos(now.throttled_ns - then.throttled_ns),
    }
}

fn subtract_counters(now: DeviceCounters, then: DeviceCounters) -> LayerCounters {
    LayerCounters {
        name: "simulated".to_owned(),
        read_ops: now.reads - then.reads,
        read_bytes: Bytes(now.read_bytes - then.read_bytes),
        write_ops: now.writes - then.writes,
        write_bytes: Bytes(now.write_bytes - then.write_bytes),
        flush_ops: now.flushes - then.flushes,
        merges: 0,
        queue_ms: 0,
        busy_ms: 0,
    }
}

impl ObservedTarget {
    fn take_reading(&self, jobs: &[Job]) -> CounterReading {
        let span = jobs.first().map(|job| job.span);
        CounterReading {
            cached: span.and_then(|s| query_residency(&self.opened.file, s.offset, s.length)),
            counters: CounterSnapshot::take(&self.stack, &self.roots),
        }
    }
}

/// The name of the job that ran beside the one at `place`.
pub(crate) fn other_job_name(jobs: &[Job], place: usize) -> Option<String> {
    jobs.iter().enumerate().find(|(other, _)| *other != place).map(|(_, job)| job.name.clone())
}

/// Passes on the progress of `jobs` jobs together.
fn combine_progress(
    jobs: usize,
    observer: &mut dyn FnMut(&Progress),
) -> impl FnMut(usize, &Progress) {
    let mut newest = vec![None; jobs];
    move |place, progress| {
        newest[place] = Some(*progress);
        let known: Vec<&Progress> = newest.iter().flatten().collect();
        observer(&Progress {
            measured_ns: known.iter().map(|p| p.measured_ns).max().unwrap_or(0),
            iops: known.iter().map(|p| p.iops).sum(),
            bytes_per_second: known.iter().map(|p| p.bytes_per_second).sum(),
            silent_ns: known.iter().map(|p| p.silent_ns).max().unwrap_or(0),
        });
    }
}

/// The cell of a job that ran; `epoch` is the clock's reading at the start of the run.
pub fn build_cell(
    job: &Job,
    role: CellRole,
    outcome: &Outcome,
    ledger: Ledger,
    epoch: u64,
) -> Cell {
    let seconds = rate_duration_ns(job, outcome) as f64 / 1e9;
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
            latency_ns: summarise_latency(&sum.total),
            response_ns: sum.response.as_ref().map(summarise_latency).map(Box::new),
            comparable_ns: sum.comparable.as_ref().and_then(summarise_samples),
            submission_ns: summarise_samples(&sum.submission),
        };
        totals.set(direction, direction_totals);
    }
    Cell {
        name: job.name.clone(),
        role,
        beside: None,
        trial: None,
        step: None,
        end_sync: None,
        job: job.clone(),
        backend: outcome.backend.to_owned(),
        backend_notes: outcome.notes.clone(),
        started: Nanos(outcome.started_ns.saturating_sub(epoch)),
        elapsed: Nanos(outcome.elapsed_ns),
        intervals: outcome.intervals.iter().map(convert_interval).collect(),
        ticks: convert_ticks(outcome),
        totals,
        achieved_depth: AchievedDepth {
            counted: outcome.activity.outstanding_ns / outcome.elapsed_ns.max(1) as f64,
            little,
            outside_latencies: Some(
                outcome.activity.outside_latencies_ns as f64 / outcome.elapsed_ns.max(1) as f64,
            ),
        },
        cpu: convert_cpu_time(outcome, ops),
        ledger,
        confidence: Confidence::default(),
        pauses: outcome.pauses.iter().map(convert_pause).collect(),
        drain_silence: outcome.activity.drain_silence_ns.map(Nanos),
        open_loop: outcome.open_loop.as_ref().map(convert_open_loop).map(Box::new),
        verified: outcome.verified.as_ref().map(convert_verified),
        failures: outcome.errors.iter().map(convert_failures).collect(),
        error: match &outcome.ended {
            EndReason::Failed(error) => Some(CellError {
                message: error.to_string(),
                errno: (error.errno != 0).then_some(error.errno),
            }),
            EndReason::Done | EndReason::Stopped => None,
        },
    }
}

/// The time that rates are of. A closed loop does nothing while this process is stopped; what has a
/// plan of starts catches up with it afterwards.
fn rate_duration_ns(job: &Job, outcome: &Outcome) -> u64 {
    let catches_up = job.pacing != Pacing::Closed || !job.caps.is_none();
    let stopped_ns = if catches_up { 0 } else { outcome.stopped_ns() };
    match outcome.elapsed_ns.saturating_sub(stopped_ns) {
        0 => outcome.elapsed_ns,
        running_ns => running_ns,
    }
}

fn convert_cpu_time(outcome: &Outcome, ops: u64) -> CpuTime {
    let (user, system) = outcome.activity.cpu_ns;
    CpuTime {
        user: Nanos(user),
        system: Nanos(system),
        ns_per_op: (ops > 0).then(|| (user + system) as f64 / ops as f64),
        threads: outcome.threads,
        run_queue_wait: outcome.activity.run_queue_wait_ns.map(Nanos),
    }
}

fn convert_pause(from: &engine::Pause) -> Pause {
    Pause {
        start: Nanos(from.start_ns),
        length: Nanos(from.length_ns),
        kind: match from.kind {
            engine::PauseKind::Stopped => PauseKind::Stopped,
            engine::PauseKind::Suspended => PauseKind::Suspended,
        },
    }
}

/// None without samples.
fn summarise_samples(histogram: &LatencyHistogram) -> Option<Box<LatencySummary>> {
    (histogram.count() > 0).then(|| Box::new(summarise_latency(histogram)))
}

fn convert_open_loop(from: &engine::OpenLoopOutcome) -> OpenLoop {
    OpenLoop {
        started: from.started,
        held: from.held,
        unstarted: from.unstarted,
        lag_ns: summarise_latency(&from.lag),
        generator_late: from.generator_late,
        processors_awake: from.processors_awake,
    }
}

fn convert_verified(from: &engine::VerifyOutcome) -> Verified {
    Verified {
        blocks: from.blocks,
        mismatched: from.mismatched,
        mismatches: from.mismatches.iter().map(engine::Mismatch::dump).collect(),
    }
}

fn convert_failures(from: &engine::ErrorCount) -> Failures {
    let message = match from.errno {
        0 => "the transfer ended short".to_owned(),
        errno => std::io::Error::from_raw_os_error(errno).to_string(),
    };
    Failures { direction: from.direction, errno: from.errno, message, count: from.count }
}

fn convert_interval(from: &engine::IntervalOutcome) -> Interval {
    let mut directions = PerDirection::default();
    for direction in Direction::ALL {
        if let Some(part) = &from.directions[direction as usize] {
            let made = record::DirectionInterval {
                ops: part.ops,
                bytes: part.bytes,
                total: part.total.clone(),
                // Only the totals of it are ever shown.
                submission: None,
                response: part.response.clone(),
                comparable: part.comparable.clone().filter(|comparable| comparable.count > 0),
            };
            directions.set(direction, made);
        }
    }
    Interval { start: Nanos(from.start_ns), length: Nanos(from.length_ns), directions }
}

fn convert_ticks(outcome: &Outcome) -> TickSeries {
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
