//! Probes, their results, and what the search concludes.

use crate::proportion::Decision;

/// What one probe at one level says about one bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The proportion test over the probe's intervals.
    pub decision: Decision,
    /// `ln(measured statistic / limit)`; `None` when the sample cannot support the statistic.
    pub log_ratio: Option<f64>,
    /// Its standard error within the probe; `None` when unknown.
    pub log_ratio_error: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProbeResult {
    /// The level probed, as an index of the grid.
    pub level: usize,
    /// Completed operations per second.
    pub iops: f64,
    /// The relative standard error of `iops`; `None` when unknown.
    pub iops_rel_error: Option<f64>,
    /// One verdict per bound, in the order of the bounds.
    pub verdicts: Vec<Verdict>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbePurpose {
    /// Whether the bound can hold at all: the shallowest level.
    Base,
    /// Doubling, until the bound fails or IOPS stop rising.
    Ramp,
    /// Narrowing down the crossing, or the level of the most IOPS.
    Bisect,
    /// Repeating the level that is about to be the answer.
    Confirm,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NextStep {
    Probe {
        level: usize,
        /// The depth or rate there.
        value: f64,
        why: ProbePurpose,
        /// The length relative to a usual probe: above 1 where shorter ones could not decide.
        length: f64,
    },
    /// Every bound has its answer.
    Done,
}

/// What the search may spend, and what it assumes about the curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchLimits {
    /// Probes asked for on behalf of one bound, at most, confirmation included.
    pub probes_max: u32,
    /// Probes at the answer's level before it counts as confirmed.
    pub confirm_probes: u32,
    /// The slope expected of `ln(statistic)` over `ln(level)` near the crossing.
    pub slope: f64,
    /// The standard deviation of that expectation; where probes spread out they outweigh it.
    pub slope_sd: f64,
    /// How far from a level (ln) the curve may be taken as straight.
    pub straight: f64,
    /// How uncertain `ln(IOPS)` at the answer may be for the search to stop early.
    pub iops_error: f64,
    /// Whether a level is itself a rate of arrivals: a lower one gives less, however IOPS waver.
    pub offered: bool,
}

impl SearchLimits {
    /// For queue depths: by Little's law the slope of `ln(mean latency)` over `ln(depth)` is
    /// between 0 (idle) and 1 (saturated), and bends by 1 to 2 % over half a doubling.
    pub fn for_depths() -> Self {
        Self {
            probes_max: 30,
            confirm_probes: 3,
            slope: 0.7,
            slope_sd: 0.4,
            straight: 0.4,
            iops_error: 0.015,
            offered: false,
        }
    }

    /// For arrival rates: an open loop's latency grows like `1/(1 - utilisation)`, so the slope is
    /// `u/(1 - u)`: 1 at half load, 9 at nine tenths.
    pub fn for_rates() -> Self {
        Self { slope: 5.0, slope_sd: 10.0, straight: 0.08, offered: true, ..Self::for_depths() }
    }
}

/// Why an answer could not be made sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsureReason {
    /// The probes were used up before it was.
    ProbesUsedUp,
    /// The statistic was repeatedly lower at a deeper level.
    NotMonotone,
}

/// What kept the answer from being deeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    Bound,
    /// IOPS stop rising, or fall, while the bound still holds.
    Saturation,
    /// The deepest level of the grid was reached.
    DepthTried,
    /// The bound fails at the shallowest level; so there is no answer.
    Unreachable,
    /// The answer is the best there is, but not sure.
    Unsure(UnsureReason),
}

/// All probes of one level as one bound saw them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriedLevel {
    pub level: usize,
    /// The depth or rate there.
    pub value: f64,
    pub probes: usize,
    pub iops: f64,
    /// The median of `ln(statistic / limit)`; `None` when no probe could tell.
    pub log_ratio: Option<f64>,
    pub passed: usize,
    /// How many probes failed; the others could not decide.
    pub failed: usize,
}

/// What the search found for one bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The index of the grid; `None` when no level holds the bound.
    pub level: Option<usize>,
    /// The depth or rate there.
    pub value: Option<f64>,
    pub ended_by: SearchEnd,
    /// Probes asked for on behalf of this bound; those of earlier bounds came for free.
    pub probes_used: u32,
    /// The median IOPS of all probes at the level; interpolated where none was made there.
    pub iops: Option<f64>,
    /// `ln(statistic / limit)` at the level, from all probes near it.
    pub log_ratio: Option<f64>,
    /// Its standard error, between probes, widened for their small number.
    pub log_ratio_error: Option<f64>,
    /// Whether enough probes at the level itself agree, and all probes near it pass with the
    /// margin.
    pub confirmed: bool,
    /// Whether the statistic never fell with depth by more than chance explains.
    pub monotone: bool,
    /// Every level probed so far, ascending.
    pub tried: Vec<TriedLevel>,
}
