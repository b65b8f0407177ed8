//! Imported runs: of other programs, and of truedisk's own fio, which are kept in the same form.

use message::label;
use record::{Imported, Judgement, Measured, Record, Status, Verdict};

use crate::burst::find_token_bucket;
use crate::checks::list_checks;
use crate::curve::build_curves;
use crate::finding::not_observable;
use crate::headline::{Basis, Headline};
use crate::verdict::{describe_finding, judge_trust};

/// Adds findings, curves and verdict. Truth checks ran only beside our own fio: the record has what
/// they found.
pub(crate) fn judge_import(
    measured: &Measured,
    imported: &Imported,
    mut judgement: Judgement,
) -> Judgement {
    let unseen = || list_checks().map(|c| not_observable(c.id, label("measured-by-other-program")));
    judgement.findings = match imported.findings.is_empty() {
        true => unseen().collect(),
        false => imported.findings.clone(),
    };
    judgement.curves = build_curves(measured, &judgement);
    judgement.bucket = find_token_bucket(measured, &judgement);
    judgement.verdict = judge_own_fio(measured, imported, &judgement);
    judgement
}

/// `None` for other programs' output.
fn judge_own_fio(
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
