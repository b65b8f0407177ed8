//! One point of a curve: all cells of one load, pooled, and how they stand to a bound.

use std::collections::BTreeMap;

use record::{Cell, CurvePoint, DirectionInterval, DirectionTotals, PerDirection, Stand};
use stats::{
    Decision, Estimate, LatencyHistogram, SparseHistogram, decide_proportion, mean_of_series,
    percentile_supported,
};
use units::{Depth, Nanos};
use workload::{Bound, Direction, Pacing, Statistic};

use super::stability::is_stable;
use crate::cells::{DATA_DIRECTIONS, cell_iops, probe_tick_rates};
use crate::pauses::running_intervals;
use crate::summary::PERCENTILES;

/// More by less than this is no more (methodology of load-latency curves: 3 % in a doubling).
pub const RISE_MIN: f64 = 1.03;

/// Cells of one load. Those of two jobs at the same time are both here.
pub(super) struct Load<'a> {
    pub(super) cells: Vec<&'a Cell>,
    pub(super) jobs: usize,
}

impl Load<'_> {
    pub(super) fn to_point(&self, bounds: &[Bound]) -> CurvePoint {
        let first = &self.cells[..self.jobs.min(self.cells.len())];
        let outstanding = self.mean_over_probes(|cell| cell.achieved_depth.counted);
        let mut latency_ns = PerDirection::default();
        for direction in DATA_DIRECTIONS {
            let whole = self.histogram(direction);
            if whole.count() > 0 {
                latency_ns.set(direction, latency_figures(&whole));
            }
        }
        CurvePoint {
            depth: Depth(first.iter().fold(0, |sum, cell| sum.saturating_add(cell.job.depth.0))),
            rate: first.first().and_then(|cell| match cell.job.pacing {
                Pacing::Open { rate, .. } => Some(rate),
                _ => None,
            }),
            cells: self.cells.iter().map(|cell| cell.name.clone()).collect(),
            iops: self.iops(None),
            precision: self.iops_estimate().relative_half_width(),
            outstanding: (outstanding > 0.0).then_some(outstanding),
            latency_ns,
            stands: bounds.iter().map(|bound| self.judge_bound(bound)).collect(),
        }
    }

    /// A percentile is decided by a proportion test over the intervals; where that cannot, by the
    /// figure itself when the sample supports it.
    pub(super) fn judge_bound(&self, bound: &Bound) -> Stand {
        let statistic = self.statistic(bound.statistic);
        if !self.cells.iter().all(|cell| is_stable(cell)) {
            // Whatever was measured, a longer time would have measured more.
            return Stand { statistic, within: Some(false) };
        }
        let within = match self.decide_bound(bound) {
            Decision::Pass => Some(true),
            Decision::Fail => Some(false),
            Decision::Undecided => statistic.map(|value| value < bound.limit),
        };
        Stand { statistic, within }
    }

    /// Of the slowest direction; `None` when the sample of any cannot support it.
    pub(super) fn statistic(&self, statistic: Statistic) -> Option<Nanos> {
        let present =
            DATA_DIRECTIONS.into_iter().filter(|&direction| self.has_direction(direction));
        let each: Option<Vec<Nanos>> =
            present.map(|direction| self.direction_statistic(statistic, direction)).collect();
        each?.into_iter().max()
    }

    fn has_direction(&self, direction: Direction) -> bool {
        self.cells.iter().any(|cell| cell.totals.get(direction).is_some())
    }

    pub(super) fn direction_statistic(&self, of: Statistic, direction: Direction) -> Option<Nanos> {
        let whole = self.histogram(direction);
        match of {
            Statistic::Mean => whole.mean_ns().map(|ns| Nanos(ns.round() as u64)),
            Statistic::Max => whole.max_ns().map(Nanos),
            Statistic::Percentile(p) => percentile_supported(p, whole.count())
                .then(|| whole.quantile(p / 100.0).map(Nanos))
                .flatten(),
        }
    }

    pub(super) fn decide_bound(&self, bound: &Bound) -> Decision {
        let Statistic::Percentile(p) = bound.statistic else {
            return match self.statistic(bound.statistic) {
                Some(value) if value < bound.limit => Decision::Pass,
                Some(_) => Decision::Fail,
                None => Decision::Undecided,
            };
        };
        let mut worst = Decision::Pass;
        let mut looked = false;
        for direction in DATA_DIRECTIONS {
            let shares: Vec<(f64, f64)> = self
                .intervals(direction)
                .map(|h| (h.count_above(bound.limit.0), h.count() as f64))
                .collect();
            if shares.is_empty() && self.histogram(direction).count() == 0 {
                continue;
            }
            looked = true;
            match decide_proportion(&shares, 1.0 - p / 100.0) {
                Decision::Fail => return Decision::Fail,
                Decision::Undecided => worst = Decision::Undecided,
                Decision::Pass => {}
            }
        }
        if looked { worst } else { Decision::Undecided }
    }

    /// The interval is that of the pooled series or, from three probes on, between the probes: the
    /// wider.
    pub(super) fn iops_estimate(&self) -> Estimate {
        if self.jobs == 1
            && let [cell] = self.cells.as_slice()
        {
            return cell_iops(cell);
        }
        let value = self.iops(None);
        let within = mean_of_series(&self.tick_series()).recentred(value);
        let between = stats::mean_of_few(&self.probe_iops()).recentred(value);
        match (within.relative_half_width(), between.relative_half_width()) {
            (Some(within_width), Some(between_width)) if within_width >= between_width => within,
            (_, Some(_)) => between,
            _ => within,
        }
    }

    fn probe_iops(&self) -> Vec<f64> {
        let rate = |probe: &[&Cell]| probe.iter().map(|cell| cell.iops()).sum();
        self.cells.chunks(self.jobs.max(1)).map(rate).collect()
    }

    fn tick_series(&self) -> Vec<f64> {
        self.cells.chunks(self.jobs.max(1)).flat_map(probe_tick_rates).collect()
    }

    pub(super) fn iops(&self, direction: Option<Direction>) -> f64 {
        let wanted =
            |d: Direction| direction.map_or(DATA_DIRECTIONS.contains(&d), |only| only == d);
        // By the rates: those of a total over many hosts are of the time in which all of them ran.
        let rate = |cell: &Cell| -> f64 {
            let wanted = cell.totals.iter().filter(|(d, _)| wanted(*d));
            wanted.map(|(_, totals)| totals.iops).sum()
        };
        let ops: f64 = self.cells.iter().map(|cell| rate(cell) * cell.elapsed.as_secs_f64()).sum();
        let seconds: f64 = self.cells.iter().map(|cell| cell.elapsed.as_secs_f64()).sum();
        ops * self.jobs as f64 / seconds.max(1e-9)
    }

    /// Total latency, or response time.
    pub(super) fn histogram(&self, direction: Direction) -> LatencyHistogram {
        let mut whole = LatencyHistogram::new();
        for totals in self.cells.iter().filter_map(|cell| cell.totals.get(direction)) {
            // A damaged histogram was refused when the record was read.
            let _ = whole.merge_sparse(&bounded_latency(totals).histogram);
        }
        whole
    }

    /// As stored: a full histogram takes 30 KiB.
    fn stored_intervals(&self, direction: Direction) -> impl Iterator<Item = &SparseHistogram> {
        self.cells
            .iter()
            .flat_map(|cell| running_intervals(cell))
            .filter_map(move |interval| interval.directions.get(direction))
            .map(|part: &DirectionInterval| part.response.as_ref().unwrap_or(&part.total))
    }

    fn intervals(&self, direction: Direction) -> impl Iterator<Item = LatencyHistogram> {
        self.stored_intervals(direction).filter_map(|stored| stored.to_histogram().ok())
    }

    fn mean_over_probes(&self, figure: impl Fn(&Cell) -> f64) -> f64 {
        let sum: f64 = self.cells.iter().map(|cell| figure(cell)).sum();
        sum * self.jobs as f64 / self.cells.len().max(1) as f64
    }

    /// The standard error of the logarithm, from the spread between intervals.
    pub(super) fn log_error(&self, of: Statistic) -> Option<f64> {
        let error = |low: f64, high: f64| (low > 0.0).then(|| (high / low).ln() / (2.0 * 1.96));
        let of_direction = |direction| match of {
            Statistic::Percentile(p) => {
                let mut whole = LatencyHistogram::new();
                let sound = |stored: &&SparseHistogram| whole.merge_sparse(stored).is_ok();
                let intervals: Vec<SparseHistogram> =
                    self.stored_intervals(direction).filter(sound).cloned().collect();
                let mut estimates = stats::percentile_estimates(&intervals, &whole, &[p]);
                let (low, high) = estimates.pop_first()?.1.interval()?;
                error(low, high)
            }
            // The cells know the error of total latency, not of the response to a plan.
            Statistic::Mean if self.cells.iter().any(|cell| cell.job.is_open_loop()) => None,
            Statistic::Mean => self
                .cells
                .iter()
                .filter_map(|cell| cell.confidence.mean_latency_ns.get(direction)?.interval())
                .filter_map(|(low, high)| error(low, high))
                .reduce(f64::max),
            Statistic::Max => None,
        };
        DATA_DIRECTIONS.into_iter().filter_map(of_direction).reduce(f64::max)
    }
}

fn bounded_latency(totals: &DirectionTotals) -> &record::LatencySummary {
    totals.response_ns.as_ref().unwrap_or(&totals.latency_ns)
}

fn latency_figures(whole: &LatencyHistogram) -> BTreeMap<String, u64> {
    let percentiles = PERCENTILES
        .iter()
        .filter(|&&p| percentile_supported(p, whole.count()))
        .filter_map(|&p| Some((format!("p{p}"), whole.quantile(p / 100.0)?)));
    let mean = whole.mean_ns().map(|ns| ("mean".to_owned(), ns.round() as u64));
    percentiles.chain(mean).collect()
}

/// Operations per second of runs of the same cell, one after the other.
#[must_use]
pub fn pool_iops(cells: &[&Cell]) -> Estimate {
    Load { cells: cells.to_vec(), jobs: 1 }.iops_estimate()
}

pub(crate) fn pool_latency_figures(cells: &[&Cell], direction: Direction) -> BTreeMap<String, u64> {
    latency_figures(&Load { cells: cells.to_vec(), jobs: 1 }.histogram(direction))
}
