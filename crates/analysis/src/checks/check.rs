//! The specification of a truth check.

use record::{Finding, FindingId, Judgement, Measured, Status};

pub(crate) struct Subject<'a> {
    /// With only the cells whose figures count: no trials, and nothing that was measured again.
    pub(crate) figures: &'a Measured,
    /// With all cells.
    pub(crate) measured: &'a Measured,
    /// Curves, a platter, and the findings of the checks before this one.
    pub(crate) judgement: &'a Judgement,
}

/// A truth check: what its finding means, as `docs/findings.md` and the terminal have it, and its
/// function. The thresholds in the texts are the constants of the check.
pub struct Check {
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
    pub(crate) run: fn(&Subject<'_>) -> Finding,
}
