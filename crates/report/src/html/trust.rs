//! Whether the numbers can be trusted: problems first, what passed in one line.

use record::{Evidence, Finding, Record, Status, Trust};

use super::shared::capitalise;
use crate::words::{count_words, is_incomplete};

/// Lines of what a run did not test; the rest is folded.
const NOT_TESTED_MAX: usize = 3;

pub(super) struct TrustBadge {
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    pub(super) word: &'static str,
    /// Why, in a sentence.
    pub(super) reason: String,
}

pub(super) struct TrustView<'a> {
    pub(super) problems: Vec<Problem<'a>>,
    pub(super) notes: Vec<Problem<'a>>,
    /// `13 checks passed: page-cache, ...`
    pub(super) passed: String,
    /// `6 could not run: ...`
    pub(super) blind: String,
    pub(super) not_tested: Vec<&'a str>,
    pub(super) not_tested_more: Vec<&'a str>,
}

/// A finding in a sentence, with its evidence folded.
pub(super) struct Problem<'a> {
    pub(super) finding: &'a Finding,
    /// `31 of 40 cells; worst: sectors read 0`.
    pub(super) evidence_title: String,
}

impl Problem<'_> {
    pub(super) fn has_evidence(&self) -> bool {
        !self.finding.evidence.is_empty() || !self.finding.cells.is_empty()
    }
}

pub(super) fn build_trust_view(record: &Record) -> TrustView<'_> {
    let judgement = record.judgement_or_default();
    let with = |wanted: Status| judgement.findings.iter().filter(move |f| f.status == wanted);
    let total = record.measured.cells.len();
    let problem = |finding| Problem { finding, evidence_title: evidence_title(finding, total) };
    let severe = with(Status::Invalid).chain(with(Status::Warning));
    let list = |status: Status, words: &str| {
        let names: Vec<&str> = with(status).map(|finding| finding.id.name()).collect();
        match names.len() {
            0 => String::new(),
            count => format!("{} {words}: {}.", count_words(count, "check"), names.join(", ")),
        }
    };
    let not_seen = judgement.verdict.iter().flat_map(|verdict| &verdict.not_seen);
    let mut not_tested: Vec<&str> = not_seen.map(message::Message::text).collect();
    let not_tested_more = not_tested.split_off(not_tested.len().min(NOT_TESTED_MAX));
    TrustView {
        problems: severe.map(problem).collect(),
        notes: with(Status::Note).map(problem).collect(),
        passed: list(Status::Ok, "passed"),
        blind: list(Status::NotObservable, "could not run"),
        not_tested,
        not_tested_more,
    }
}

fn evidence_title(finding: &Finding, total: usize) -> String {
    let mut parts = Vec::new();
    if !finding.cells.is_empty() {
        parts.push(format!("{} of {}", finding.cells.len(), count_words(total, "cell")));
    }
    let size = |evidence: &&Evidence| evidence.figure.unwrap_or(f64::NEG_INFINITY);
    let worst = finding.evidence.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
    if let Some(worst) = worst.filter(|_| finding.evidence.len() > 1) {
        parts.push(format!("worst: {}, {}", worst.what, worst.value));
    }
    if parts.is_empty() { "evidence".to_owned() } else { parts.join("; ") }
}

pub(super) fn build_trust_badge(record: &Record) -> TrustBadge {
    let judgement = record.judgement_or_default();
    let trust = judgement.verdict.as_ref().map(|verdict| verdict.trust);
    let first = |status: Status| {
        let found = judgement.findings.iter().find(|finding| finding.status == status);
        found.map(|finding| format!("{}.", capitalise(finding.summary.trim_end_matches('.'))))
    };
    let (class, sign, word, reason) = match trust {
        Some(Trust::Sound) => {
            let words = "Every check that could look found nothing against the numbers.";
            ("good", "✓", "trusted", words.to_owned())
        }
        Some(Trust::Caution) if !analysis::has_figures(&record.measured) => {
            let words = "Nothing was measured to its end: no number can be trusted.";
            ("warn", "!", "caution", words.to_owned())
        }
        Some(Trust::Caution) => {
            let lost =
                is_incomplete(record).then(|| "Totals marked degraded lack a host.".to_owned());
            let reason = lost.or_else(|| first(Status::Warning)).unwrap_or_default();
            ("warn", "!", "caution", reason)
        }
        Some(Trust::Broken) => {
            ("bad", "✗", "do not use", first(Status::Invalid).unwrap_or_default())
        }
        None => {
            let words = "Not judged: no truth check looks at such a run.";
            ("warn", "?", "caution", words.to_owned())
        }
    };
    TrustBadge { class, sign, word, reason }
}
