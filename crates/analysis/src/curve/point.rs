//! One point of a curve: all cells of one load, pooled, and how they stand to a bound.

use std::collections::BTreeMap;

use record::{Cell, CurvePoint, DirectionInterval, Interval, PerDirection, Stand};
use stats::search::{ProbeResult, Verdict};
use stats::{
    Decision, Estimate, LatencyHistogram, SparseHistogram, decide_proportion, fit_trend,
    mean_of_series, percentile_supported,
};
use units::{Depth, Nanos};
use workload::{Bound, Direction, Pacing, Statistic};

use super::levels::levels_around;
use crate::calm::{SLICE, sliced_share};
use crate::cells::{DATA_DIRECTIONS, cell_iops, probe_tick_rates, reported_latency};
use crate::pauses::running_intervals;
use crate::summary::{PERCENTILES, histogram_statistic};

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
        let is_present = |direction: &Direction| {
            self.cells.iter().any(|cell| cell.totals.get(*direction).is_some())
        };
        let present = DATA_DIRECTIONS.into_iter().filter(is_present);
        let each = present.map(|direction| self.direction_statistic(statistic, direction));
        each.collect::<Option<Vec<Nanos>>>()?.into_iter().max()
    }

    pub(super) fn direction_statistic(&self, of: Statistic, direction: Direction) -> Option<Nanos> {
        histogram_statistic(&self.histogram(direction), of)
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
    /// wider. And at least what one operation more or less in each probe makes, or a slice of a
    /// throttle; where there is no interval, and so few operations that chance alone makes the rate
    /// no figure, what that makes.
    pub(super) fn iops_estimate(&self) -> Estimate {
        let mut estimate = self.interval_of_iops();
        if self.jobs == 1 {
            estimate = hold_cell_levels(estimate, &self.cells, 1.0);
        }
        let probes = (self.cells.len() / self.jobs.max(1)).max(1) as f64;
        let ops = self.cells.iter().flat_map(|cell| cell.data_directions()).map(|t| t.ops as f64);
        let ops = ops.sum::<f64>().max(1.0);
        let around =
            |share: f64| (estimate.value * (1.0 - share).max(0.0), estimate.value * (1.0 + share));
        let by_slice = self.slice_share();
        let by_chance = (CHANCE_ERRORS / ops.sqrt()).max(by_slice);
        let interval = match estimate.interval() {
            None => (by_chance > HALF_WIDTH_MAX).then(|| around(by_chance)),
            Some((low, high)) => {
                let (least, most) = around((probes / ops).max(by_slice));
                Some((low.min(least), high.max(most)))
            }
        };
        Estimate { low: interval.map(|of| of.0), high: interval.map(|of| of.1), ..estimate }
    }

    /// What a slice of a throttle more or less makes, where a probe is no whole number of them: all
    /// probes may begin at the same place of a slice.
    fn slice_share(&self) -> f64 {
        let Some(cell) = self.cells.first().filter(|_| sliced_share(&self.cells).is_some()) else {
            return 0.0;
        };
        let tick = cell.ticks.tick.0.max(1);
        let slices = (cell.elapsed.0 / tick * tick) as f64 / SLICE.0 as f64;
        let part = slices.fract();
        CHANCE_ERRORS * (part * (1.0 - part)).sqrt() / slices.max(1.0)
    }

    fn interval_of_iops(&self) -> Estimate {
        if self.jobs == 1
            && let [cell] = self.cells.as_slice()
        {
            return cell_iops(cell);
        }
        let value = self.iops(None);
        let within = mean_of_series(&self.tick_series()).recentred(value);
        let visits = self.probe_iops();
        // What a throttle serves in slices is wild within a probe, which counts whole ones.
        if visits.len() >= 3 && sliced_share(&self.cells).is_some() {
            return stats::geometric_mean_of_few(&visits).recentred(value);
        }
        wider_interval(within, &visits)
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
        let totals = self.cells.iter().filter_map(|cell| cell.totals.get(direction));
        totals.map(|totals| &reported_latency(totals).histogram).collect()
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

/// Levels this far apart need an interval that holds all of them.
const APART_MIN: f64 = 1.1;
/// An interval wider than this to either side is no figure.
pub(super) const HALF_WIDTH_MAX: f64 = 0.25;
/// Standard errors of an interval that holds 95 %.
const CHANCE_ERRORS: f64 = 1.96;

/// The interval of a pooled series or, where that is wider, the one between its visits. Of two it
/// holds both: an interval that excludes its own visits is none.
pub(super) fn wider_interval(within: Estimate, visits: &[f64]) -> Estimate {
    if visits.len() == 2 {
        return hold_levels(within, visits);
    }
    let between = stats::geometric_mean_of_few(visits).recentred(within.value);
    match (within.relative_half_width(), between.relative_half_width()) {
        (Some(within_width), Some(between_width)) if within_width >= between_width => within,
        (_, Some(_)) => between,
        _ => within,
    }
}

/// An interval that holds the levels of the cells behind it, too; `share` is that of its figure in
/// their operations.
pub(crate) fn hold_cell_levels(within: Estimate, cells: &[&Cell], share: f64) -> Estimate {
    let mean = within.value / share.max(1e-9);
    let levels: Vec<f64> = levels_around(cells, mean).iter().map(|level| level * share).collect();
    hold_levels(within, &levels)
}

/// An interval that holds levels that are apart, too: as wide on both sides, for a mean that has
/// one level beside it has a shorter one, or several, on the other side.
fn hold_levels(within: Estimate, levels: &[f64]) -> Estimate {
    let least = levels.iter().copied().fold(within.value, f64::min);
    let most = levels.iter().copied().fold(within.value, f64::max);
    if most < APART_MIN * least {
        return within;
    }
    let far = (most - within.value).max(within.value - least);
    let (least, most) = ((within.value - far).max(0.0), within.value + far);
    let (low, high) = within.interval().unwrap_or((least, most));
    Estimate { low: Some(low.min(least)), high: Some(high.max(most)), ..within }
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
pub fn pool_iops(cells: &[&Cell]) -> Estimate {
    Load { cells: cells.to_vec(), jobs: 1 }.iops_estimate()
}

/// How probes of one load, each of `jobs` cells, stand to a bound together.
pub fn judge_load(cells: &[&Cell], jobs: usize, bound: &Bound) -> Stand {
    Load { cells: cells.to_vec(), jobs }.judge_bound(bound)
}

pub(crate) fn pool_latency_figures(cells: &[&Cell], direction: Direction) -> BTreeMap<String, u64> {
    latency_figures(&Load { cells: cells.to_vec(), jobs: 1 }.histogram(direction))
}

/// Minimum share of the arrivals that comes back (methodology of open-loop search).
const ACHIEVED_MIN: f64 = 0.99;
/// Growth of response times in seconds a second: the same share of the arrivals is a backlog.
const GROWTH_MAX: f64 = 0.005;
const P_VALUE_MAX: f64 = 0.01;
pub(crate) fn is_stable(cell: &Cell) -> bool {
    if !cell.job.is_open_loop() {
        return true;
    }
    let Some(open) = &cell.open_loop else { return true };
    let planned = open.started as f64 + open.unstarted as f64;
    // Flushes were planned as well.
    let rate: f64 = cell.totals.iter().map(|(_, totals)| totals.iops).sum();
    let back = rate * cell.elapsed.as_secs_f64();
    // What was held waited for a slot, because all of them were taken.
    let kept = back >= planned * ACHIEVED_MIN && open.held as f64 <= planned * (1.0 - ACHIEVED_MIN);
    kept && !has_growing_responses(cell)
}

/// Over the last two thirds of the time.
fn has_growing_responses(cell: &Cell) -> bool {
    let means: Vec<f64> = running_intervals(cell).filter_map(mean_response).collect();
    let tail = &means[means.len() / 3..];
    let seconds = cell.elapsed.as_secs_f64() * tail.len() as f64 / means.len().max(1) as f64;
    let Some(trend) = fit_trend(tail) else { return false };
    let mean = tail.iter().sum::<f64>() / tail.len() as f64;
    trend.change * mean / 1e9 > GROWTH_MAX * seconds && trend.p_value < P_VALUE_MAX
}

fn mean_response(interval: &Interval) -> Option<f64> {
    let response = |direction| interval.directions.get(direction)?.response.as_ref();
    let whole: LatencyHistogram = DATA_DIRECTIONS.into_iter().filter_map(response).collect();
    whole.mean_ns()
}

/// Minimum logarithm of statistic over limit of an unstable probe: a longer one would have measured
/// more.
const UNSTABLE_LOG_RATIO: f64 = 0.7;

/// What the cells of one probe say of each bound, at a level of the search's grid.
pub fn judge_probe(cells: &[&Cell], bounds: &[Bound], level: usize) -> ProbeResult {
    let load = Load { cells: cells.to_vec(), jobs: cells.len() };
    let stable = cells.iter().all(|cell| is_stable(cell));
    let iops = load.iops_estimate();
    ProbeResult {
        level,
        iops: iops.value,
        iops_rel_error: iops.relative_half_width().map(|half| half / 1.96),
        verdicts: bounds.iter().map(|bound| judge_probe_bound(&load, bound, stable)).collect(),
    }
}

fn judge_probe_bound(load: &Load<'_>, bound: &Bound, stable: bool) -> Verdict {
    let statistic = load.statistic(bound.statistic);
    let log_ratio = statistic.map(|value| (value.0.max(1) as f64 / bound.limit.0 as f64).ln());
    if !stable {
        let log_ratio = Some(log_ratio.unwrap_or(UNSTABLE_LOG_RATIO).max(UNSTABLE_LOG_RATIO));
        return Verdict { decision: Decision::Fail, log_ratio, log_ratio_error: None };
    }
    Verdict {
        decision: load.decide_bound(bound),
        log_ratio,
        log_ratio_error: load.log_error(bound.statistic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::OpenLoop;
    use units::Iops;
    use workload::{Arrivals, Pacing};

    /// A cell of an open loop of ten thousand operations: `back` completed, `held` were held.
    fn cell(back: u64, held: u64) -> Cell {
        let mut record = crate::testing::sample_record();
        let cell = crate::testing::cell_mut(&mut record, "randread-4k-qd16");
        let seconds = cell.elapsed.as_secs_f64();
        cell.job.pacing =
            Pacing::Open { rate: Iops(10_000.0 / seconds), arrivals: Arrivals::Poisson };
        let read = cell.totals.read.as_mut().unwrap();
        read.iops = back as f64 / seconds;
        let lag_ns = read.latency_ns.clone();
        let open_loop = OpenLoop { started: 10_000, held, lag_ns, ..OpenLoop::default() };
        cell.open_loop = Some(Box::new(open_loop));
        cell.clone()
    }

    #[test]
    fn an_interval_holds_both_parts_of_a_cell_that_changed() {
        let of = |shape: fn(usize) -> f64| {
            let mut record = crate::testing::sample_record();
            let cell = crate::testing::cell_mut(&mut record, "randread-4k-qd1");
            crate::testing::reshape(cell, shape);
            let whole = pool_iops(&[cell]);
            (whole.interval().unwrap(), crate::curve::is_figure(&whole))
        };
        // 20,000 a second for a third of the time, then half of it.
        let ((low, high), is_figure) = of(|i| if i < 10 { 1.0 } else { 0.5 });
        assert!(low <= 10_100.0 && high >= 19_700.0 && !is_figure, "{low} {high}");
        // Half of it for a fifth of the time, at the start and at the end.
        let ((low, _), is_figure) = of(|i| if (3..26).contains(&i) { 1.0 } else { 0.5 });
        assert!(low <= 10_100.0 && !is_figure, "{low}");
        // A stall is no level.
        let ((low, high), is_figure) = of(|i| if i < 2 { 0.0 } else { 1.0 });
        assert!(low > 18_000.0 && high < 19_500.0 && is_figure, "{low} {high}");
    }

    /// 290 operations a second, of which each tenth of a second has its 29 at once.
    #[test]
    fn probes_that_end_within_a_slice_are_no_figure_and_those_of_whole_slices_are() {
        let of = |ticks: u64, probes: usize| {
            let mut record = crate::testing::sample_record();
            let cell = crate::testing::cell_mut(&mut record, "randread-4k-qd16");
            // As of a short cell.
            cell.confidence = record::Confidence::default();
            cell.elapsed = Nanos(ticks * cell.ticks.tick.0);
            let (ops, seconds) = (ticks.div_ceil(10) * 29, cell.elapsed.as_secs_f64());
            let totals = cell.totals.read.as_mut().unwrap();
            (totals.ops, totals.iops) = (ops, ops as f64 / seconds);
            let at = |tick| if tick % 10 == 0 { 29 } else { 0 };
            cell.ticks.directions.read.as_mut().unwrap().ops = (0..ticks).map(at).collect();
            pool_iops(&vec![&*cell; probes])
        };
        for probes in [1, 3] {
            let parts = of(23, probes);
            assert!(parts.low.unwrap() < 290.0 && !crate::curve::is_figure(&parts), "{parts:?}");
        }
        let whole = of(70, 3);
        assert!(whole.relative_half_width().unwrap() < 0.01, "{whole:?}");
    }

    #[test]
    fn a_rate_of_few_operations_without_an_interval_is_no_figure() {
        let of = |ops: u64| {
            let mut record = crate::testing::sample_record();
            let cell = crate::testing::cell_mut(&mut record, "randread-4k-qd1");
            // An error ended it before there was a second interval.
            cell.confidence = record::Confidence::default();
            cell.intervals.clear();
            for ticks in cell.ticks.directions.read.iter_mut() {
                ticks.ops.truncate(5);
            }
            cell.totals.read.as_mut().unwrap().ops = ops;
            pool_iops(&[cell])
        };
        assert_eq!(of(10_000).interval(), None);
        assert!(crate::curve::is_figure(&of(100)));
        assert!(!crate::curve::is_figure(&of(30)), "{:?}", of(30));
    }

    #[test]
    fn an_open_loop_is_stable_while_what_arrives_comes_back() {
        let check = |back, held, stable| {
            assert_eq!(is_stable(&cell(back, held)), stable, "{back} {held}");
        };
        check(10_000, 0, true);
        check(9_950, 0, true);
        check(9_800, 0, false);
        check(10_000, 200, false);
    }

    #[test]
    fn an_unstable_probe_breaks_every_bound() {
        let bounds = ["p99<1s".parse().unwrap(), "mean<1s".parse().unwrap()];
        let verdicts = judge_probe(&[&cell(9_000, 0)], &bounds, 0).verdicts;
        assert!(verdicts.iter().all(|v| v.decision == Decision::Fail && v.log_ratio > Some(0.5)));
        let verdicts = judge_probe(&[&cell(10_000, 0)], &bounds, 0).verdicts;
        assert!(verdicts.iter().all(|v| v.decision == Decision::Pass), "{verdicts:?}");
    }
}
