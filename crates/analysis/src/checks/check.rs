//! The specification of a truth check, and what every check imports.

pub(super) use message::{Message, label, messages};
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
pub(super) type Outcome = Result<Message, Message>;

/// A truth check: its function, and what its finding means, as `docs/findings.md` and the terminal
/// have it. The words are the messages `check-ID-PART` of the catalogue.
pub struct Check {
    pub id: FindingId,
    /// How it is found, where the text has thresholds: they are the constants of the check.
    pub(super) method: Option<fn() -> Message>,
    pub(super) run: fn(&Subject<'_>, &mut FindingBuilder) -> Outcome,
}

impl Check {
    pub fn question(&self) -> Message {
        self.part("question")
    }

    pub fn meaning(&self) -> Message {
        self.part("meaning")
    }

    /// How it is found, with its thresholds.
    pub fn method(&self) -> Message {
        self.method.map_or_else(|| self.part("method"), |method| method())
    }

    pub fn remedy(&self) -> Message {
        self.part("remedy")
    }

    pub fn blind_spot(&self) -> Message {
        self.part("blind-spot")
    }

    /// The statuses that it can have, and when; from harmless to fatal.
    pub fn statuses(&self) -> impl Iterator<Item = (Status, Message)> {
        Status::ALL.into_iter().filter_map(|status| Some((status, self.find_part(status.name())?)))
    }

    fn part(&self, part: &str) -> Message {
        self.find_part(part).unwrap_or_default()
    }

    fn find_part(&self, part: &str) -> Option<Message> {
        Message::find(&format!("check-{}-{part}", self.id))
    }

    pub(super) fn judge(&self, subject: &Subject<'_>) -> Finding {
        let mut finding = FindingBuilder::new(self.find_part("short-remedy"));
        let outcome = (self.run)(subject, &mut finding);
        finding.finish(self.id, outcome)
    }

    /// Judges a record by this check alone.
    pub fn judge_alone(&self, measured: &Measured) -> Finding {
        let judgement = Judgement::default();
        self.judge(&Subject { figures: measured, measured, judgement: &judgement })
    }
}
