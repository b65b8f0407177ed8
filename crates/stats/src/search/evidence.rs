//! All probes so far, as one bound sees them.

use super::fit::{Line, Point, Prior};
use super::grid::Grid;
use super::probe::{ProbeResult, SearchLimits, TriedLevel};
use crate::proportion::Decision;
use crate::series::median;

/// An undecided level counts as failed after this many probes: the bound was not shown to hold.
const UNDECIDED_MAX: usize = 3;
/// With fewer log ratios no line is fitted, and decisions are all there is.
const RATIOS_MIN: usize = 2;
/// Farther than this (ln) from the wanted place only the direction counts: no line leads there.
const FAR_FROM_LINE: f64 = 1.5;
/// A statistic above `1.1 x` the bound counts as a violation that must not happen (ln 1.1).
const VIOLATION_TOLERANCE: f64 = 0.0953;
/// Accepted where the search stops early.
const VIOLATION_PROBABILITY: f64 = 0.002;
/// A standard error of the statistic (ln) that is finer than a device repeats from day to day.
const FINE_ERROR: f64 = 0.012;
/// The margin never gets smaller than this many standard errors, so the answer rather holds.
const MARGIN_MIN: f64 = 0.25;
/// No probe is placed farther below the crossing than this (ln statistic): few probes give wide
/// margins.
const MARGIN_MAX: f64 = 0.1;
/// The least slope by which a margin is turned into a distance, for the same reason.
const PLACING_SLOPE_MIN: f64 = 0.25;
/// Probes of the next deeper level before it counts as clearly failing: single ones may be spikes.
const DEEPER_PROBES: usize = 3;
/// One-sided 98 %, because it is tested again after every probe.
const CLEAR_PROBABILITY: f64 = 0.02;

#[derive(Debug, Clone, Copy)]
pub(crate) struct LevelSummary {
    pub tried: TriedLevel,
    pub x: f64,
    /// Relative standard error of the median IOPS, 0 where unknown.
    pub iops_error: f64,
    /// Variance of `ln(IOPS)` between its probes, times their number less one.
    iops_scatter: f64,
    lowest: f64,
    highest: f64,
}

/// The deepest level seen to hold, and the next one probed, which does not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bracket {
    pub holds: Option<LevelSummary>,
    pub fails: Option<LevelSummary>,
}

/// What is known about one bound.
pub(crate) struct Evidence<'a> {
    pub grid: &'a Grid,
    pub levels: Vec<LevelSummary>,
    points: Vec<Point>,
    limits: SearchLimits,
}

impl LevelSummary {
    /// Verdict of its probes; `None` while more of them could decide.
    pub(crate) fn holds(&self) -> Option<bool> {
        match self.tried.log_ratio {
            Some(ratio) => Some(ratio <= 0.0),
            None if self.tried.passed != self.tried.failed => {
                Some(self.tried.passed > self.tried.failed)
            }
            None if self.tried.probes >= UNDECIDED_MAX => Some(false),
            None => None,
        }
    }
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(
        grid: &'a Grid,
        probes: &[ProbeResult],
        bound: usize,
        limits: SearchLimits,
    ) -> Self {
        let mut indices: Vec<usize> = probes.iter().map(|p| p.level).collect();
        indices.sort_unstable();
        indices.dedup();
        let levels =
            indices.iter().filter_map(|&i| summarize_level(grid, probes, bound, i)).collect();
        let points = probes.iter().filter_map(|p| make_point(grid, p, bound)).collect();
        Self { grid, levels, points, limits }
    }

    pub(crate) fn probes_at(&self, level: usize) -> usize {
        self.level(level).map_or(0, |l| l.tried.probes)
    }

    pub(crate) fn level(&self, level: usize) -> Option<&LevelSummary> {
        self.levels.iter().find(|l| l.tried.level == level)
    }

    /// The standard error of the difference between two levels' IOPS (relative): what the probes
    /// know, or how much probes of one level differ, whichever is more.
    pub(crate) fn iops_error(&self, one: &LevelSummary, other: &LevelSummary) -> f64 {
        let within = one.iops_error.hypot(other.iops_error);
        let (scatter, free) = self.levels.iter().fold((0.0, 0), |(scatter, free), level| {
            (scatter + level.iops_scatter, free + level.tried.probes.saturating_sub(1))
        });
        let each = (scatter / free.max(1) as f64).sqrt();
        let share = |level: &LevelSummary| 1.0 / level.tried.probes.max(1) as f64;
        within.max(each * (share(one) + share(other)).sqrt())
    }

    /// Splits the levels where the fewest probes contradict it; the deeper of equal splits, because
    /// nothing disproves a false fail.
    pub(crate) fn bracket(&self) -> Bracket {
        let contradicting = |at: usize| -> usize {
            let (below, above) = self.levels.split_at(at);
            let fails: usize = below.iter().map(|l| count_votes(l).0).sum();
            fails + above.iter().map(|l| count_votes(l).1).sum::<usize>()
        };
        let best = (0..=self.levels.len()).rev().min_by_key(|at| contradicting(*at)).unwrap_or(0);
        let holds = best.checked_sub(1).and_then(|i| self.levels.get(i)).copied();
        Bracket { holds, fails: self.levels.get(best).copied() }
    }

    /// The line through the probes around the crossing.
    pub(crate) fn line(&self) -> Option<Line> {
        if self.points.len() < RATIOS_MIN {
            return None;
        }
        let cut = self.bracket();
        let (first, last) = (self.levels.first()?.x, self.levels.last()?.x);
        let holds = cut.holds.map_or(first, |l| l.x);
        let fails = cut.fails.map_or(last, |l| l.x);
        let points = self.points_around(0.0);
        Line::fit_at_crossing(&points, (holds + fails) / 2.0, (first, last), self.prior())
    }

    pub(crate) fn line_at(&self, level: usize) -> Option<Line> {
        if self.points.len() < RATIOS_MIN {
            return None;
        }
        let own = self.level(level).and_then(|l| l.tried.log_ratio).unwrap_or(0.0);
        Line::fit_near(&self.points_around(own), self.grid.ln(level), self.prior())
    }

    fn points_around(&self, height: f64) -> Vec<Point> {
        let near = |y: f64| y.clamp(height - FAR_FROM_LINE, height + FAR_FROM_LINE);
        self.points.iter().map(|p| Point { y: near(p.y), ..*p }).collect()
    }

    fn prior(&self) -> Prior {
        let SearchLimits { slope, slope_sd, straight, .. } = self.limits;
        Prior { slope, slope_sd, straight }
    }

    /// Whether a probe came close enough to the bound to trust a straight line.
    pub(crate) fn has_close_probe(&self, within: f64) -> bool {
        self.points.iter().any(|p| p.y.abs() <= within)
    }

    /// The level that would be the answer if the line were right; `None` if it is above the bound
    /// even at the shallowest level.
    pub(crate) fn presumed_level(&self, line: &Line, deepest: usize) -> Option<usize> {
        let crossing = line.crossing();
        // The confirmation is going to add its probes, and with them certainty.
        let error = line.error_after(crossing, self.limits.confirm_probes);
        let margin = margin(line, error).min(MARGIN_MAX);
        let level = self.grid.below_ln(crossing - margin / line.slope.max(PLACING_SLOPE_MIN));
        match level {
            Some(level) => Some(level.min(deepest)),
            None => (line.at(self.grid.ln(0)).0 <= 0.0).then_some(0),
        }
    }

    /// Whether more probes would change the answer by too little to matter.
    pub(crate) fn is_sharp(&self, line: &Line, level: usize) -> bool {
        let x = self.grid.ln(level);
        let (height, error) = line.at(x);
        let clear = line.quantile(CLEAR_PROBABILITY);
        let deeper = line.at(self.grid.ln(level + 1));
        // Two neighbours may be told apart long before the crossing between them is known. One
        // probe is not enough: it may be a spike.
        if self.probes_at(level + 1) >= DEEPER_PROBES
            && height + clear * error <= 0.0
            && (deeper.1 <= FINE_ERROR || deeper.0 - clear * deeper.1 > 0.0)
        {
            return true;
        }
        let missing = self.limits.confirm_probes.saturating_sub(self.probes_at(level) as u32);
        let error = line.error_after(x, missing);
        if error <= FINE_ERROR {
            return true;
        }
        let safe = line.quantile(VIOLATION_PROBABILITY) * error <= VIOLATION_TOLERANCE;
        safe && self.iops_slope(x) * error / line.slope <= self.limits.iops_error
    }

    /// The share of IOPS that the shallower of two levels gives away.
    pub(crate) fn iops_loss(&self, shallow: usize, deep: usize) -> f64 {
        let (from, to) = (self.grid.ln(shallow), self.grid.ln(deep));
        self.iops_slope(from) * (to - from)
    }

    pub(crate) fn is_unreachable(&self, line: &Line) -> bool {
        let (height, error) = line.at(self.grid.ln(0));
        height - line.quantile(CLEAR_PROBABILITY) * error > 0.0
    }

    /// IOPS at a level: measured, or between its neighbours.
    pub(crate) fn iops(&self, level: usize) -> Option<f64> {
        if let Some(there) = self.level(level) {
            return Some(there.tried.iops);
        }
        let x = self.grid.ln(level);
        let below = self.levels.iter().rfind(|l| l.x < x)?;
        let Some(above) = self.levels.iter().find(|l| l.x > x) else {
            return Some(below.tried.iops);
        };
        let share = (x - below.x) / (above.x - below.x);
        let (low, high) = (below.tried.iops.ln(), above.tried.iops.ln());
        Some((low + share * (high - low)).exp())
    }

    /// `d ln(IOPS) / d ln(level)` around `x`, from probes on both sides of where it is straight.
    fn iops_slope(&self, x: f64) -> f64 {
        let reach = self.limits.straight;
        let below = self.levels.iter().rfind(|l| l.x <= x - reach).or(self.levels.first());
        let above = self.levels.iter().find(|l| l.x >= x + reach).or(self.levels.last());
        match (below, above) {
            (Some(b), Some(a)) if a.x > b.x => {
                ((a.tried.iops / b.tried.iops).ln() / (a.x - b.x)).clamp(0.0, 1.0)
            }
            _ => 1.0,
        }
    }

    /// Whether no shallow level has all of its probes above all of a deeper one's, by more than
    /// noise.
    pub(crate) fn is_monotone(&self) -> bool {
        let Some(line) = self.line() else { return true };
        let repeated: Vec<&LevelSummary> =
            self.levels.iter().filter(|l| l.tried.probes >= 2).collect();
        repeated.iter().enumerate().all(|(i, shallow)| {
            repeated.iter().skip(i + 1).all(|deep| shallow.lowest - deep.highest < 3.0 * line.scale)
        })
    }
}

pub(crate) fn keeps_margin(line: &Line, x: f64) -> bool {
    let (height, error) = line.at(x);
    height + margin(line, error) <= 0.0
}

/// How far below the bound an estimate with this standard error must be.
fn margin(line: &Line, error: f64) -> f64 {
    (line.quantile(VIOLATION_PROBABILITY) * error - VIOLATION_TOLERANCE).max(MARGIN_MIN * error)
}

fn count_votes(level: &LevelSummary) -> (usize, usize) {
    match level.holds() {
        None => (0, 0),
        Some(false) if level.tried.failed == level.tried.passed => (1, 0),
        Some(_) => (level.tried.failed, level.tried.passed),
    }
}

fn make_point(grid: &Grid, probe: &ProbeResult, bound: usize) -> Option<Point> {
    let verdict = probe.verdicts.get(bound)?;
    let y = verdict.log_ratio.filter(|y| y.is_finite())?;
    let error = verdict.log_ratio_error.filter(|e| e.is_finite()).unwrap_or(0.0);
    Some(Point { x: grid.ln(probe.level), y, error })
}

/// By its log ratio where it has one: the decision of a single probe is the same or cautious.
fn judge_probe(probe: &ProbeResult, bound: usize) -> Option<bool> {
    let verdict = probe.verdicts.get(bound)?;
    match (verdict.log_ratio, verdict.decision) {
        (Some(y), _) if y.is_finite() => Some(y <= 0.0),
        (_, Decision::Pass) => Some(true),
        (_, Decision::Fail) => Some(false),
        (_, Decision::Undecided) => None,
    }
}

fn summarize_level(
    grid: &Grid,
    probes: &[ProbeResult],
    bound: usize,
    index: usize,
) -> Option<LevelSummary> {
    let here: Vec<&ProbeResult> = probes.iter().filter(|p| p.level == index).collect();
    let ratios: Vec<f64> =
        here.iter().filter_map(|p| make_point(grid, p, bound)).map(|p| p.y).collect();
    let count = |wanted| here.iter().filter(|p| judge_probe(p, bound) == Some(wanted)).count();
    let iops = median(here.iter().map(|p| p.iops))?;
    let error = median(here.iter().map(|p| p.iops_rel_error.unwrap_or(0.0)))?;
    let logs = || here.iter().map(|p| p.iops.max(f64::MIN_POSITIVE).ln());
    let mean = logs().sum::<f64>() / here.len() as f64;
    let tried = TriedLevel {
        level: index,
        value: grid.value(index),
        probes: here.len(),
        iops,
        log_ratio: median(ratios.iter().copied()),
        passed: count(true),
        failed: count(false),
    };
    Some(LevelSummary {
        tried,
        x: grid.ln(index),
        iops_error: error / (here.len() as f64).sqrt(),
        iops_scatter: logs().map(|log| (log - mean).powi(2)).sum(),
        lowest: ratios.iter().copied().fold(f64::INFINITY, f64::min),
        highest: ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    })
}
