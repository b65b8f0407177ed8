//! The specification of a truth check, and what every check imports.

pub(super) use record::{Cell, CellRole, Evidence, FindingId, Judgement, Measured, Status};
pub(super) use units::{Bytes, BytesPerSecond, Iops, Nanos, Ratio};

use record::Finding;

pub(super) use crate::finding::FindingBuilder;

pub(crate) struct Subject<'a> {
    /// With only the cells whose figures count: no trials, and nothing that was measured again.
    pub(crate) figures: &'a Measured,
    /// With all cells.
    pub(crate) measured: &'a Measured,
    /// Curves, a platter, and the findings of the checks before this one.
    pub(crate) judgement: &'a Judgement,
}

/// The summary of a finding, or why the check cannot look.
pub(super) type Outcome = Result<String, String>;

/// A truth check: what its finding means, as `docs/findings.md` and the terminal have it, and its
/// function. The thresholds in the texts are the constants of the check.
pub struct Check {
    pub id: FindingId,
    pub question: &'static str,
    pub meaning: &'static str,
    /// How it is found, with its thresholds.
    pub method: fn() -> String,
    /// When it has this status, as each of the next four; empty where it never has.
    pub ok: &'static str,
    pub(crate) not_observable: &'static str,
    pub(crate) note: &'static str,
    pub(crate) warning: &'static str,
    pub(crate) invalid: &'static str,
    pub remedy: &'static str,
    pub blind_spot: &'static str,
    /// The remedy of a finding that has none of its own.
    pub(super) short_remedy: &'static str,
    pub(super) run: fn(&Subject<'_>, &mut FindingBuilder) -> Outcome,
}

impl Check {
    pub(super) const BLANK: Self = Self {
        id: FindingId::PageCache,
        question: "",
        meaning: "",
        method: String::new,
        ok: "",
        not_observable: "",
        note: "",
        warning: "",
        invalid: "",
        remedy: "",
        blind_spot: "",
        short_remedy: "",
        run: |_, _| Ok(String::new()),
    };

    /// The statuses that it can have, and when; from harmless to fatal.
    pub fn statuses(&self) -> impl Iterator<Item = (Status, &'static str)> {
        let all = [
            (Status::Ok, self.ok),
            (Status::NotObservable, self.not_observable),
            (Status::Note, self.note),
            (Status::Warning, self.warning),
            (Status::Invalid, self.invalid),
        ];
        all.into_iter().filter(|(_, when)| !when.is_empty())
    }

    pub(super) fn judge(&self, subject: &Subject<'_>) -> Finding {
        let mut finding = FindingBuilder::new(self.short_remedy);
        let outcome = (self.run)(subject, &mut finding);
        finding.finish(self.id, outcome)
    }

    /// Judges a record by this check alone.
    pub fn judge_alone(&self, measured: &Measured) -> Finding {
        let judgement = Judgement::default();
        self.judge(&Subject { figures: measured, measured, judgement: &judgement })
    }
}
