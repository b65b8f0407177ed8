//! The verdict of a run of truedisk's own fio, kept as an import of its output would be.

use record::{Imported, Judgement, Measured, Record, Status, Verdict};

use crate::headline::{Basis, Headline};
use crate::verdict::{describe_finding, judge_trust};

/// `None` for other programs' output, which no truth check saw.
pub(crate) fn judge_own_fio(
    measured: &Measured,
    imported: &Imported,
    judgement: &Judgement,
) -> Option<Verdict> {
    if imported.findings.is_empty() {
        return None;
    }
    let words = record::first_figures(&Record::from_measured(measured.clone()))?;
    let headline = Headline { words, basis: Basis::AllCells };
    let severe = judgement.findings.iter().filter(|f| f.status >= Status::Warning);
    Some(Verdict {
        trust: judge_trust(measured, judgement, &headline.words),
        headline: headline.tell_invalid(measured, judgement),
        class: None,
        meaning: Vec::new(),
        good_for: Vec::new(),
        too_slow_for: Vec::new(),
        limited_by: severe.map(describe_finding).collect(),
        not_seen: Vec::new(),
    })
}
