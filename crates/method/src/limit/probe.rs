//! One probe: how long it takes, which jobs it runs, and what it says of the bounds.

use message::Message;
use record::reasons::TimeUp;
use record::{Cell, CellRole};
use stats::search::ProbeResult;
use units::{Bytes, Depth, Iops, Nanos};
use workload::{Arrivals, Bound, Job, Mix, Pacing, Statistic, Stop};

use super::request::{LimitRequest, PROBE_MIN, required_samples};
use crate::defaults::{BACKLOG_MEMORY_MAX, THROTTLE_SLICE, WARM_UP, WARM_UP_TURNS};
use crate::error::{HaltResult, MethodError};
use crate::phase::{AtDepths, AtRate};
use crate::record_builder::ended_early;
use crate::session::{REPEATS_MAX, Session};

/// Slower operations than the bound allows that a probe should be able to show: a share of one in
/// a hundred is seen to 10 % in ten thousand operations (methodology of probe lengths).
const TAIL_EVENTS: f64 = 100.0;
/// What has to do on a slow device, within the longest probe.
const TAIL_EVENTS_SLOW: f64 = 30.0;
/// In an open loop near its limit, queues build up and drain slowly: what one probe sees depends on
/// few of them, so that it takes this many times the operations.
const OPEN_LOOP_FACTOR: f64 = 2.0;
/// Long enough for a backlog to show by its growth.
const OPEN_LOOP_TIME_MIN: Nanos = Nanos::secs(2);
const OPEN_LOOP_OPERATIONS_MIN: f64 = 10_000.0;
const MEAN_OPERATIONS: f64 = 5_000.0;
/// A slow device is given this much before more operations are asked for than must be.
const SLOW_PROBE_TIME: Nanos = Nanos::secs(2);
const WARM_UP_MAX: Nanos = Nanos::secs(2);
const OUTSTANDING_MAX: u64 = 4096;

/// No probe is measured again once the search has used this per bound: it has to come to its answer
/// in 45 s, whatever the host does.
const REPEATS_UNTIL: Nanos = Nanos::secs(25);
/// A dead device ends the search after this many probes without a single operation.
const STOPS_MAX: u32 = 8;

pub(super) struct Prober<'run, 'session> {
    pub(super) session: &'run mut Session<'session>,
    pub(super) request: &'run LimitRequest,
    pub(super) workers: u32,
    /// Operations per second of the rarer direction, at the load nearest to the next one.
    iops: Option<f64>,
    repeats: u32,
    /// Probes that may still lie wholly within a stop of this process or of the device.
    stops: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ProbeLoad {
    /// Operations outstanding, of all jobs together.
    Depth(u32),
    Rate(f64, Arrivals),
}

impl<'run, 'session> Prober<'run, 'session> {
    pub(super) fn new(session: &'run mut Session<'session>, request: &'run LimitRequest) -> Self {
        Self { session, request, workers: 1, iops: None, repeats: REPEATS_MAX, stops: STOPS_MAX }
    }

    pub(super) fn run_probe(&mut self, load: ProbeLoad, length: f64) -> HaltResult<Vec<Cell>> {
        self.measure_probe(load, length, CellRole::Probe, None)
    }

    pub(super) fn probe_for_time(&mut self, load: ProbeLoad, time: Nanos) -> HaltResult<Vec<Cell>> {
        let usual = self.probe_time(load, 1.0);
        self.run_probe(load, (time.0 as f64 / usual.0.max(1) as f64).max(1.0))
    }

    /// The probes so far, with as many workers as now, each of a cell per job.
    pub(super) fn probes(&self) -> Vec<Vec<&Cell>> {
        let jobs = self.request.plan.parts.len().max(1);
        let own = |cell: &&Cell| cell.role == CellRole::Probe && cell.job.workers == self.workers;
        let cells: Vec<&Cell> = self.session.cells.iter().filter(own).collect();
        cells.chunks(jobs).map(<[&Cell]>::to_vec).collect()
    }

    /// Those of one load.
    pub(super) fn probes_at(&self, load: ProbeLoad) -> Vec<Vec<&Cell>> {
        let is_same = |probe: &Vec<&Cell>| match (load, probe[0].job.pacing) {
            (ProbeLoad::Rate(rate, _), Pacing::Open { rate: own, .. }) => own.0 == rate,
            (ProbeLoad::Depth(depth), Pacing::Closed) => probe_depth(probe) == depth,
            _ => false,
        };
        self.probes().into_iter().filter(is_same).collect()
    }

    pub(super) fn probe_with_workers(
        &mut self,
        load: ProbeLoad,
        workers: u32,
    ) -> HaltResult<Vec<Cell>> {
        let usual = std::mem::replace(&mut self.workers, workers);
        let came = self.measure_probe(load, 1.0, CellRole::Contrast, None);
        self.workers = usual;
        came
    }

    fn rarer_direction_share(&self) -> f64 {
        let share = |part: &record::Part| match part.mix {
            Mix::Mixed { read_percent } => {
                f64::from(read_percent.min(100 - read_percent).max(1)) / 100.0
            }
            _ => 1.0,
        };
        self.request.plan.parts.iter().map(share).fold(1.0, f64::min)
    }

    /// Measures a load `length` times as long as usual, with blocks of `size` where one is given.
    pub(super) fn measure_probe(
        &mut self,
        load: ProbeLoad,
        length: f64,
        role: CellRole,
        size: Option<Bytes>,
    ) -> HaltResult<Vec<Cell>> {
        if self.session.elapsed().0 > self.request.budget.0 {
            let limit = self.request.budget;
            self.session.end(ended_early(TimeUp { limit }))?;
        }
        let jobs = self.build_jobs(load, length, size);
        let words = describe_load(&jobs, load);
        let before = self.session.cells.len();
        if let Err(halt) = self.session.measure_cell(&jobs, role, &words) {
            // Cut short, it is no probe: it is kept, and decides nothing.
            let newest = &mut self.session.cells[before..];
            newest.iter_mut().for_each(|cell| cell.role = CellRole::Disturbed);
            return Err(halt);
        }
        let is_empty = self.session.cells.len() == before;
        if is_empty && self.stops > 0 && !self.session.has_write_shortfall() {
            self.stops -= 1;
            return self.measure_probe(load, length, role, size);
        }
        if role == CellRole::Probe && self.can_repeat() {
            let info = &self.session.facts.info;
            let newest = &mut self.session.cells[before..];
            if newest.iter().any(|cell| analysis::is_disturbed(cell, Some(info))) {
                newest.iter_mut().for_each(|cell| cell.role = CellRole::Disturbed);
                self.repeats -= 1;
                self.session.wait_before_repeat(REPEATS_MAX - self.repeats);
                return self.measure_probe(load, length, role, size);
            }
        }
        let cells = self.session.cells[before..].to_vec();
        if cells.is_empty() {
            return Err(self.session.end_without_completions(&words));
        }
        if role == CellRole::Probe {
            self.iops = Some(rarest_rate(&cells));
        }
        Ok(cells)
    }

    fn can_repeat(&self) -> bool {
        let until = REPEATS_UNTIL.0.saturating_mul(self.request.bounds.len().max(1) as u64);
        self.repeats > 0 && self.session.elapsed().0 < until
    }

    /// Finds out how fast the target is at the lowest load, and whether that is enough for the
    /// percentiles of the bounds; gives the first probe.
    pub(super) fn probe_base_load(&mut self, load: ProbeLoad) -> HaltResult<Vec<Cell>> {
        let cells = self.run_probe(load, 1.0)?;
        let iops = rarest_rate(&cells);
        let longest = self.request.plan.probe_max;
        for &bound in &self.request.bounds {
            let needed = required_samples(&bound);
            let has = (iops * longest.as_secs_f64()) as u64;
            if has < needed {
                return Err(MethodError::TooSlow { bound, needed, iops, longest, has }.into());
            }
        }
        let ops = cells.iter().flat_map(Cell::data_directions).map(|t| t.ops).min().unwrap_or(0);
        if self.request.bounds.iter().any(|bound| ops < required_samples(bound)) {
            // Too short to say anything: again, now that it is known how long it has to be.
            let before = self.session.cells.len() - cells.len();
            self.session.cells.truncate(before);
            // Where there is no time for that, it is all that there is.
            return self.run_probe(load, 1.0).inspect_err(|_| {
                self.session.cells.splice(before..before, cells);
            });
        }
        Ok(cells)
    }

    fn build_jobs(&self, load: ProbeLoad, length: f64, size: Option<Bytes>) -> Vec<Job> {
        let base = self.session.base_job();
        let parts = &self.request.plan.parts;
        let depths = match load {
            ProbeLoad::Depth(depth) => {
                split_depth(depth, self.request.plan.first_percent.filter(|_| parts.len() > 1))
            }
            ProbeLoad::Rate(..) => {
                let size = parts.iter().map(|part| part.block_size.0).max().unwrap_or(4096);
                vec![(BACKLOG_MEMORY_MAX.0 / size.max(1)).clamp(64, OUTSTANDING_MAX) as u32]
            }
        };
        let suffix = match load {
            ProbeLoad::Depth(_) => {
                let words: Vec<String> = depths.iter().map(u32::to_string).collect();
                format!("qd{}", words.join("+"))
            }
            ProbeLoad::Rate(rate, _) => format!("rate{rate:.0}"),
        };
        let time = self.probe_time(load, length);
        let warm_up = self.warm_up_time(load);
        let make = |(part, depth): (&record::Part, u32)| {
            let block_size = size.unwrap_or(part.block_size);
            let name = analysis::curve_name(&part.access, part.mix, block_size).0;
            Job {
                name: format!("{name}-{suffix}"),
                access: part.access.clone(),
                mix: part.mix,
                block_size,
                depth: Depth(depth),
                workers: self.workers,
                pacing: match load {
                    ProbeLoad::Depth(_) => Pacing::Closed,
                    ProbeLoad::Rate(rate, arrivals) => Pacing::Open { rate: Iops(rate), arrivals },
                },
                warm_up,
                stop: Stop::after(time),
                ..base.clone()
            }
        };
        parts.iter().zip(depths).map(make).collect()
    }

    /// Long enough for the rarest operations that a bound is about, as far as the longest probe
    /// allows.
    fn probe_time(&self, load: ProbeLoad, length: f64) -> Nanos {
        let iops = match load {
            ProbeLoad::Rate(rate, _) => rate * self.rarer_direction_share(),
            ProbeLoad::Depth(_) => self.iops.unwrap_or(TAIL_EVENTS / 0.01),
        };
        let longer = if matches!(load, ProbeLoad::Rate(..)) { OPEN_LOOP_FACTOR } else { 1.0 };
        let seconds = |operations: f64| longer * operations / iops.max(0.1);
        let least = if longer > 1.0 { OPEN_LOOP_OPERATIONS_MIN } else { 0.0 };
        let all = self
            .request
            .bounds
            .iter()
            .map(|b| seconds(required_operations(b, TAIL_EVENTS).max(least)));
        let few = self.request.bounds.iter().map(|b| {
            // The least sample, with room for what is slower at the next load.
            seconds(required_operations(b, TAIL_EVENTS_SLOW).max(1.3 * required_samples(b) as f64))
        });
        let (all, few) = (all.fold(0.0, f64::max), few.fold(0.0, f64::max));
        let patient = SLOW_PROBE_TIME.as_secs_f64() * longer;
        let wanted = if all <= patient { all } else { few.max(patient) };
        let least = if longer > 1.0 { OPEN_LOOP_TIME_MIN } else { PROBE_MIN };
        let seconds = wanted.max(least.as_secs_f64()) * length;
        // A part of a slice would count as a whole one, or not at all.
        let slices = (seconds / THROTTLE_SLICE.as_secs_f64() - 1e-9).ceil();
        let longest = self.request.plan.probe_max.0;
        Nanos((slices * THROTTLE_SLICE.0 as f64) as u64).min(Nanos(longest))
    }

    /// Until every slot was used, so that what an earlier load left behind is gone.
    fn warm_up_time(&self, load: ProbeLoad) -> Nanos {
        let depth = match load {
            ProbeLoad::Depth(depth) => f64::from(depth),
            ProbeLoad::Rate(..) => 1.0,
        };
        let turns = WARM_UP_TURNS * depth / self.iops.unwrap_or(1e4).max(0.1) * 1e9;
        Nanos(WARM_UP.0 + turns as u64).min(WARM_UP_MAX)
    }

    pub(super) fn summarize_cells(&self, cells: &[Cell], level: usize) -> ProbeResult {
        let cells: Vec<&Cell> = cells.iter().collect();
        analysis::judge_probe(&cells, &self.request.bounds, level)
    }
}

/// Operations outstanding, of all jobs of a probe together.
pub(super) fn probe_depth(probe: &[&Cell]) -> u32 {
    probe.iter().map(|cell| cell.job.depth.0).sum()
}

/// Operations per second of the rarest direction of any job: bounds hold for each.
fn rarest_rate(cells: &[Cell]) -> f64 {
    cells.iter().flat_map(Cell::data_directions).map(|t| t.iops).reduce(f64::min).unwrap_or(0.0)
}

fn required_operations(bound: &Bound, events: f64) -> f64 {
    match bound.statistic {
        Statistic::Percentile(p) => events / (1.0 - p / 100.0),
        Statistic::Mean | Statistic::Max => MEAN_OPERATIONS,
    }
}

fn split_depth(depth: u32, first_percent: Option<u8>) -> Vec<u32> {
    let Some(percent) = first_percent else {
        return vec![depth];
    };
    let first = (f64::from(depth) * f64::from(percent) / 100.0).round() as u32;
    let first = first.clamp(1, depth.saturating_sub(1).max(1));
    vec![first, (depth - first.min(depth)).max(1)]
}

fn describe_load(jobs: &[Job], load: ProbeLoad) -> Message {
    let name = |job: &Job| analysis::curve_name(&job.access, job.mix, job.block_size).1;
    let workload = jobs.iter().map(name).reduce(analysis::describe_beside).unwrap_or_default();
    let depths: Vec<String> = jobs.iter().map(|job| job.depth.to_string()).collect();
    match load {
        ProbeLoad::Depth(_) => AtDepths { workload, depth: depths.join(" + ") }.into(),
        ProbeLoad::Rate(rate, _) => AtRate { workload, rate: Iops(rate) }.into(),
    }
}
