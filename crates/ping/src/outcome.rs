//! What came of a run.

use record::{Finding, PingFigures, PingTarget, Record};
use stats::LatencyHistogram;

use crate::requester::RequestError;

#[derive(Debug)]
pub struct PingOutcome {
    pub place: PingTarget,
    /// ioping's figures.
    pub figures: PingFigures,
    /// The times of all requests that count.
    pub times: LatencyHistogram,
    /// The same, after a pause and back to back; where they were to be shown apart.
    pub contrast: Option<[LatencyHistogram; 2]>,
    /// What became of the plan; `None` without an interval.
    pub rate: Option<PingRate>,
    /// Why it ended before its time.
    pub failure: Option<RequestError>,
    /// What the truth checks say: warnings and worse, and that targets cannot be shown apart.
    pub findings: Vec<Finding>,
    /// Everything, where it was asked for.
    pub record: Option<Record>,
}

/// What became of a plan of starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PingRate {
    /// Starts per second by ioping's plan: of a burst, each request follows the one before at
    /// once, and the interval counts from the start of the last.
    pub planned: f64,
    /// Starts per second that were made; `None` where there was no second one.
    pub made: Option<f64>,
    pub starts: u64,
    /// Starts that never were, because requests took longer than the interval.
    pub missed: u64,
}
