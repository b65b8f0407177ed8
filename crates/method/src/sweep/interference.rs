//! Reads next to writes at a grid of rates: what writing costs those who read.

use message::{Message, label};
use record::{Cell, CellRole, SweepPlan};
use units::{Depth, Iops, Nanos};
use workload::{Arrivals, Job, Mix, Pacing, Stop};

use super::run::{CELL_MIN, SweepRun, warm_up_time};
use crate::defaults::{BACKLOG_MEMORY_MAX, WARM_UP};
use crate::error::HaltResult;
use crate::phase::{Alone, BesideWrites, Numbered};

/// How the most writes are found: alone, at this depth, for this long.
const WRITE_DEPTH: u32 = 32;
const WRITE_TIME: Nanos = Nanos::secs(2);
/// Most writes that may be outstanding when they arrive faster than they are done.
const WRITES_MAX: u64 = 256;
/// A rate that was planned and one that was run are the same within this.
const RATE_TOLERANCE: f64 = 1e-3;
/// The longest point unless more was asked: enough reads for a 99th percentile even where one
/// takes milliseconds.
const POINT_MAX: Nanos = Nanos::secs(5);

pub(super) fn min_time(plan: &SweepPlan) -> (usize, Nanos) {
    let count = plan.write_shares.len().saturating_add(2);
    let point = CELL_MIN.0 + WARM_UP.0 * 2;
    (count, Nanos(WRITE_TIME.0 + WARM_UP.0 + point * (count as u64 - 1)))
}

impl SweepRun<'_, '_> {
    /// The most writes, the reads alone, the pairs in random order, the reads alone again.
    pub(super) fn run_interference(&mut self) -> HaltResult {
        if self.max_write_rate().is_none() {
            self.measure_max_writes()?;
        }
        let Some(most) = self.max_write_rate() else {
            return Err(self.session.end_without_completions(&label("progress-random-writes")));
        };
        let mut shares: Vec<f64> =
            self.request.plan.write_shares.iter().copied().filter(|share| *share > 0.0).collect();
        crate::shuffle::shuffle_items(&mut shares, self.request.ask.seed);
        let total = shares.len() + 2;
        if self.count_reads_alone() == 0 {
            self.measure_pair(None, 1, total)?;
        }
        for (number, share) in shares.iter().enumerate() {
            let rate = share * most;
            if !self.is_rate_done(rate) {
                self.measure_pair(Some(rate), number + 2, total)?;
            }
        }
        if self.count_reads_alone() < 2 {
            self.measure_pair(None, total, total)?;
        }
        Ok(())
    }

    fn own_cells(&self) -> impl Iterator<Item = &Cell> {
        self.session.cells.iter().filter(|cell| cell.role == CellRole::Interference)
    }

    /// The writes alone, per second.
    fn max_write_rate(&self) -> Option<f64> {
        let alone = self.own_cells().find(|c| c.job.mix == Mix::Write && c.beside.is_none());
        alone.map(Cell::iops).filter(|iops| *iops > 0.0)
    }

    fn count_reads_alone(&self) -> usize {
        self.own_cells().filter(|cell| cell.job.mix == Mix::Read && cell.beside.is_none()).count()
    }

    fn is_rate_done(&self, wanted: f64) -> bool {
        self.own_cells().any(|cell| match cell.job.pacing {
            Pacing::Open { rate, .. } => (rate.0 / wanted - 1.0).abs() < RATE_TOLERANCE,
            _ => false,
        })
    }

    fn build_write_job(&self) -> Job {
        let block_size = self.request.plan.parts[0].block_size;
        Job {
            name: format!("randwrite-{}-alone", block_size.to_compact()),
            mix: Mix::Write,
            block_size,
            depth: Depth(WRITE_DEPTH),
            warm_up: WARM_UP,
            stop: Stop::after(WRITE_TIME),
            ..self.session.base_job()
        }
    }

    fn measure_max_writes(&mut self) -> HaltResult {
        let job = self.build_write_job();
        self.measure_cell(&[job], CellRole::Interference, &label("progress-writes-alone"))
    }

    fn measure_pair(&mut self, rate: Option<f64>, number: usize, total: usize) -> HaltResult {
        let time = self.point_time(total + 1 - number);
        let plan = &self.request.plan;
        let (part, depth) = (&plan.parts[0], plan.depths[0]);
        let (name, label) = analysis::curve_name(&part.access, part.mix, part.block_size);
        let suffix = rate.map_or_else(|| "alone".to_owned(), |rate| format!("writes{rate:.0}"));
        let known = self.own_cells().find(|cell| cell.job.mix == Mix::Read).map(Cell::iops);
        let warm_up = warm_up_time(depth, known);
        let reads = Job {
            name: format!("{name}-qd{depth}-{suffix}"),
            warm_up,
            stop: Stop::after(time),
            ..self.session.part_job(part, depth)
        };
        let numbered = |what: Message| Message::from(Numbered { number, total, what });
        let Some(rate) = rate else {
            let what = numbered(Alone { what: label }.into());
            return self.measure_cell(&[reads], CellRole::Interference, &what);
        };
        let outstanding = (BACKLOG_MEMORY_MAX.0 / part.block_size.0.max(1)).clamp(1, WRITES_MAX);
        let writes = Job {
            name: format!("randwrite-{}-rate{rate:.0}", part.block_size.to_compact()),
            depth: Depth(outstanding as u32),
            pacing: Pacing::Open { rate: Iops(rate), arrivals: Arrivals::Poisson },
            warm_up,
            stop: Stop::after(time),
            ..self.build_write_job()
        };
        let what = numbered(BesideWrites { what: label, rate: Iops(rate) }.into());
        self.measure_cell(&[reads, writes], CellRole::Interference, &what)
    }

    /// An equal share of the time that is left, for this point and those after it.
    fn point_time(&self, waiting: usize) -> Nanos {
        let share = self.time_left().0 / waiting.max(1) as u64;
        let most = self.request.plan.cell_time.1.min(POINT_MAX);
        Nanos(share.saturating_sub(2 * WARM_UP.0)).clamp(CELL_MIN, most.max(CELL_MIN))
    }
}
