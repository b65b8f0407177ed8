//! The specification of a truth check.

use record::{Finding, FindingId, Judgement, Measured, Status};

pub(crate) struct Check {
    pub(crate) explanation: Explanation,
    pub(crate) run: fn(&Subject<'_>) -> Finding,
}

pub(crate) struct Subject<'a> {
    /// With only the cells whose figures count: no trials, and nothing that was measured again.
    pub(crate) figures: &'a Measured,
    /// With all cells.
    pub(crate) measured: &'a Measured,
    /// Curves, a platter, and the findings of the checks before this one.
    pub(crate) judgement: &'a Judgement,
}

/// What a finding means; the source of `docs/findings.md`. The thresholds in the texts are the
/// constants of the check.
pub struct Explanation {
    /// Which check.
    pub id: FindingId,
    /// The question it answers, in one line.
    pub question: &'static str,
    /// What it means for the numbers.
    pub meaning: &'static str,
    /// How it is found, with its thresholds.
    pub method: fn() -> String,
    /// The statuses that it can have, and when; from harmless to fatal.
    pub statuses: &'static [(Status, &'static str)],
    /// What to do about it.
    pub remedy: &'static str,
    /// What it cannot see.
    pub blind_spot: &'static str,
}
