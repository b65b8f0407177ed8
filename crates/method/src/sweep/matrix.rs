//! The matrix: every cell once, then again until it is precise enough.

use message::Message;
use record::{Cell, CellRole, Part, SweepPlan};
use units::{Bytes, Depth, Nanos};
use workload::{Job, Stop};

use super::run::{CELLS_MAX, SweepRun, sum_times, warm_up_time};
use crate::defaults::WARM_UP;
use crate::error::HaltResult;
use crate::phase::{Again, AtDepth, Numbered};

/// Most runs of a cell: one to learn how uneven it is, one that should do, one that mends.
const RUNS_MAX: usize = 3;
/// A run on top of others is no shorter: it would only add another warm-up.
const EXTRA_RUN_MIN: Nanos = Nanos::millis(500);
/// The width of an interval is known roughly: the time it asks for, with a margin.
const PRECISION_MARGIN: f64 = 1.15;
const NO_INTERVAL_FACTOR: f64 = 2.0;
const RUN_OVERHEAD: Nanos = Nanos::millis(100);
/// Factor on the time where nothing completed; tried once.
const RETRY_FACTOR: u64 = 4;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct MatrixCell {
    pub(super) part: Part,
    pub(super) depth: u32,
}

pub(super) fn matrix_cells(plan: &SweepPlan) -> Vec<MatrixCell> {
    let mut places = Vec::new();
    for part in &plan.parts {
        for &size in &plan.block_sizes {
            let of_depth = |&depth: &u32| MatrixCell {
                part: Part { block_size: size, ..part.clone() },
                depth,
            };
            places.extend(plan.depths.iter().map(of_depth));
        }
    }
    places
}

pub(super) fn min_time(plan: &SweepPlan) -> (usize, Nanos) {
    let sides = [plan.parts.len(), plan.block_sizes.len(), plan.depths.len()];
    let count = sides.into_iter().fold(1, usize::saturating_mul);
    (count, min_time_of(plan, count.min(CELLS_MAX)))
}

fn min_time_of(plan: &SweepPlan, count: usize) -> Nanos {
    let each = sum_times([plan.cell_time.0, WARM_UP, RUN_OVERHEAD].into_iter());
    Nanos(each.0.saturating_mul(count as u64))
}

impl MatrixCell {
    pub(super) fn find_runs<'a>(&self, cells: &'a [Cell]) -> Vec<&'a Cell> {
        let own = |cell: &&Cell| {
            let job = &cell.job;
            cell.role == CellRole::Point
                && job.access == self.part.access
                && job.mix == self.part.mix
                && job.block_size == self.part.block_size
                && job.depth.0 == self.depth
        };
        cells.iter().filter(own).collect()
    }

    /// The rate of the cell most like this one, in blocks of its size.
    fn estimate_iops(&self, cells: &[Cell]) -> Option<f64> {
        let alike = cells.iter().filter(|cell| {
            cell.role == CellRole::Point
                && (&cell.job.access, cell.job.mix) == (&self.part.access, self.part.mix)
        });
        let far = |cell: &&Cell| {
            let size: Bytes = cell.job.block_size;
            size.0.abs_diff(self.part.block_size.0)
        };
        alike.min_by_key(far).map(|cell| {
            let size = self.part.block_size.0.max(1) as f64;
            (cell.bytes_per_second() / size).min(cell.iops())
        })
    }
}

struct CellKnowledge {
    runs: usize,
    elapsed: Nanos,
    /// Half the 95 % interval over the rate.
    half: Option<f64>,
}

impl SweepRun<'_, '_> {
    /// Every cell that is missing, in random order, each as long as its share of the time allows;
    /// then those that others disturbed, and the widest, again for as long as there is time.
    pub(super) fn run_matrix(&mut self) -> HaltResult {
        let mut places = matrix_cells(&self.request.plan);
        crate::shuffle::shuffle_items(&mut places, self.request.ask.seed);
        let total = places.len();
        let mut silent = Vec::new();
        for (number, place) in places.iter().enumerate() {
            if !place.find_runs(&self.session.cells).is_empty() {
                continue;
            }
            let what = describe_run(place);
            let words = Numbered { number: number + 1, total, what }.into();
            let first = self.request.plan.cell_time.0;
            self.run_once(place, first, &words)?;
            if place.find_runs(&self.session.cells).is_empty() {
                let longer = Nanos(first.0.saturating_mul(RETRY_FACTOR));
                self.run_once(place, longer, &words)?;
            }
            if place.find_runs(&self.session.cells).is_empty() {
                silent.push(words);
                continue;
            }
            let waiting: Vec<&MatrixCell> = places[number + 1..]
                .iter()
                .filter(|place| place.find_runs(&self.session.cells).is_empty())
                .collect();
            self.use_share(place, waiting.len(), &words)?;
        }
        self.repeat_disturbed(&places)?;
        self.refine_widest(&places)?;
        match silent.first() {
            Some(words) => Err(self.session.end_without_completions(words)),
            None => Ok(()),
        }
    }

    fn use_share(&mut self, place: &MatrixCell, waiting: usize, what: &Message) -> HaltResult {
        let spare = self.time_left().0.saturating_sub(min_time_of(&self.request.plan, waiting).0);
        let mut share = Nanos(spare / (waiting as u64 + 1));
        while let Some(more) = self.time_to_precision(place) {
            let more = more.min(share);
            if more < EXTRA_RUN_MIN {
                break;
            }
            let used = sum_times([more, WARM_UP, RUN_OVERHEAD].into_iter());
            share = Nanos(share.0.saturating_sub(used.0));
            self.run_once(place, more, what)?;
        }
        Ok(())
    }

    /// Measures cells again that others disturbed all the time, once each.
    fn repeat_disturbed(&mut self, places: &[MatrixCell]) -> HaltResult {
        let time = self.request.plan.cell_time.0;
        let cost = sum_times([time, WARM_UP, RUN_OVERHEAD].into_iter());
        for place in places {
            let info = &self.session.facts.info;
            let runs = place.find_runs(&self.session.cells);
            let is_disturbed = |cell: &&Cell| analysis::is_disturbed(cell, Some(info));
            if runs.is_empty() || !runs.iter().all(is_disturbed) || self.time_left() < cost {
                continue;
            }
            let names: Vec<String> = runs.iter().map(|cell| cell.name.clone()).collect();
            let before = self.session.cells.len();
            self.run_once(place, time, &Again { what: describe_run(place) }.into())?;
            if self.session.cells.len() > before {
                let old = self.session.cells.iter_mut().filter(|cell| names.contains(&cell.name));
                old.for_each(|cell| cell.role = CellRole::Disturbed);
            }
        }
        Ok(())
    }

    fn refine_widest(&mut self, places: &[MatrixCell]) -> HaltResult {
        loop {
            let left = Nanos(self.time_left().0.saturating_sub(WARM_UP.0 + RUN_OVERHEAD.0));
            let open = places.iter().filter_map(|place| {
                let more = self.time_to_precision(place)?;
                Some((place, more, self.knowledge_of(place).half.unwrap_or(f64::INFINITY)))
            });
            let widest = open.max_by(|a, b| a.2.total_cmp(&b.2));
            let Some((place, more, _)) = widest.filter(|_| left >= EXTRA_RUN_MIN) else {
                return Ok(());
            };
            let words = Again { what: describe_run(place) }.into();
            let before = self.session.cells.len();
            self.run_once(place, more.min(left), &words)?;
            if self.session.cells.len() == before {
                // Nothing completed: it would be tried for ever.
                return Ok(());
            }
        }
    }

    fn knowledge_of(&self, place: &MatrixCell) -> CellKnowledge {
        let runs = place.find_runs(&self.session.cells);
        CellKnowledge {
            runs: runs.len(),
            elapsed: sum_times(runs.iter().map(|cell| cell.elapsed)),
            half: (!runs.is_empty())
                .then(|| analysis::pool_iops(&runs).relative_half_width())
                .flatten(),
        }
    }

    /// How much longer a cell has to be measured to be precise: the width of an interval falls
    /// with the root of the time. `None` when it is precise or may not be measured again.
    fn time_to_precision(&self, place: &MatrixCell) -> Option<Nanos> {
        let plan = &self.request.plan;
        let known = self.knowledge_of(place);
        let precise = known.half.is_some_and(|half| half <= plan.precision);
        if known.runs == 0 || known.runs >= RUNS_MAX || precise {
            return None;
        }
        let had = known.elapsed.0 as f64;
        let wanted = match known.half {
            Some(half) => (had * (half / plan.precision).powi(2) - had) * PRECISION_MARGIN,
            None => had * NO_INTERVAL_FACTOR,
        };
        let most = plan.cell_time.1.0.saturating_sub(known.elapsed.0);
        let more = Nanos((wanted as u64).max(EXTRA_RUN_MIN.0).min(most));
        (more >= EXTRA_RUN_MIN).then_some(more)
    }

    fn run_once(&mut self, place: &MatrixCell, time: Nanos, what: &Message) -> HaltResult {
        let job = Job {
            warm_up: warm_up_time(place.depth, place.estimate_iops(&self.session.cells)),
            stop: Stop::after(time),
            ..self.session.part_job(&place.part, place.depth)
        };
        self.measure_cell(&[job], CellRole::Point, what)
    }
}

fn describe_run(place: &MatrixCell) -> Message {
    let MatrixCell { part, depth } = place;
    let workload = analysis::curve_name(&part.access, part.mix, part.block_size).1;
    AtDepth { workload, depth: Depth(*depth) }.into()
}
