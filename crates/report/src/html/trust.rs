//! Whether the numbers can be trusted: problems first, what passed in one line.

use message::{Language, Message, Names, Render as _, label, messages};
use record::{Evidence, Finding, Record, Status, Trust};

use crate::devices::Clauses;
use crate::words::warned::add_warned_cells;
use crate::words::{is_incomplete, say};

messages! {
    ReasonFinding = "badge-reason-finding" { finding: Message };
    ChecksPassed = "trust-passed" { count: usize, checks: Names };
    ChecksBlind = "trust-blind" { count: usize, checks: Names };
    CellsTouched = "trust-cells" { touched: usize, count: usize };
    WorstEvidence = "trust-worst" { what: Message, value: Message };
}

/// Lines of what a run did not test; the rest is folded.
const NOT_TESTED_MAX: usize = 3;

pub(super) struct TrustBadge {
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    pub(super) word: String,
    /// Why, in a sentence; empty where the headline says it.
    pub(super) reason: String,
}

pub(super) struct TrustView<'a> {
    pub(super) problems: Vec<Problem<'a>>,
    pub(super) notes: Vec<Problem<'a>>,
    /// `13 checks passed: page-cache, ...`
    pub(super) passed: String,
    /// `6 could not run: ...`
    pub(super) blind: String,
    pub(super) not_tested: Vec<&'a Message>,
    pub(super) not_tested_more: Vec<&'a Message>,
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

impl TrustView<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.problems.is_empty()
            && self.notes.is_empty()
            && self.passed.is_empty()
            && self.blind.is_empty()
    }
}

pub(super) fn build_trust_view(record: &Record, language: Language) -> TrustView<'_> {
    let judgement = record.judgement_or_default();
    let with = |wanted: Status| judgement.findings.iter().filter(move |f| f.status == wanted);
    let total = record.measured.cells.len();
    let problem =
        |finding| Problem { finding, evidence_title: evidence_title(finding, total, language) };
    let severe = with(Status::Invalid).chain(with(Status::Warning));
    let named =
        |status: Status| -> Vec<&str> { with(status).map(|finding| finding.id.name()).collect() };
    let (passed, blind) = (named(Status::Ok), named(Status::NotObservable));
    let passed_words =
        ChecksPassed { count: passed.len(), checks: Names::from_iter(passed.clone()) };
    let blind_words = ChecksBlind { count: blind.len(), checks: Names::from_iter(blind.clone()) };
    let not_seen = judgement.verdict.iter().flat_map(|verdict| &verdict.not_seen);
    let mut not_tested: Vec<&Message> = not_seen.collect();
    let not_tested_more = not_tested.split_off(not_tested.len().min(NOT_TESTED_MAX));
    TrustView {
        problems: severe.map(problem).collect(),
        notes: with(Status::Note).map(problem).collect(),
        passed: if passed.is_empty() { String::new() } else { passed_words.render(language) },
        blind: if blind.is_empty() { String::new() } else { blind_words.render(language) },
        not_tested,
        not_tested_more,
    }
}

fn evidence_title(finding: &Finding, total: usize, language: Language) -> String {
    let mut parts: Vec<Message> = Vec::new();
    if !finding.cells.is_empty() {
        parts.push(CellsTouched { touched: finding.cells.len(), count: total }.into());
    }
    let size = |evidence: &&Evidence| evidence.figure.unwrap_or(f64::NEG_INFINITY);
    let worst = finding.evidence.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
    if let Some(worst) = worst.filter(|_| finding.evidence.len() > 1) {
        let (what, value) = (worst.what.clone(), worst.value.clone());
        parts.push(WorstEvidence { what, value }.into());
    }
    if parts.is_empty() {
        return say("trust-evidence", language);
    }
    Clauses { clauses: parts }.render(language)
}

pub(super) fn build_trust_badge(record: &Record, language: Language) -> TrustBadge {
    let judgement = record.judgement_or_default();
    let trust = judgement.verdict.as_ref().map(|verdict| verdict.trust);
    let first = |status: Status| -> Message {
        let found = judgement.findings.iter().find(|finding| finding.status == status);
        let words = found.map(|of| ReasonFinding { finding: of.summary.clone() }.into());
        words.unwrap_or_else(|| label("badge-reason-open"))
    };
    let nothing = !analysis::has_figures(&record.measured);
    let (class, sign, word, reason): (_, _, Message, Message) = match trust {
        Some(Trust::Sound) => ("good", "✓", label("badge-trusted"), label("badge-reason-sound")),
        Some(Trust::Caution) if nothing => {
            ("warn", "!", label("badge-caution"), label("badge-reason-nothing"))
        }
        Some(Trust::Caution) if is_incomplete(record) => {
            ("warn", "!", label("badge-caution"), label("badge-reason-lost"))
        }
        Some(Trust::Caution) => ("warn", "!", label("badge-caution"), first(Status::Warning)),
        Some(Trust::Broken) => ("bad", "✗", label("badge-do-not-use"), first(Status::Invalid)),
        None => ("warn", "?", label("badge-caution"), label("badge-reason-not-judged")),
    };
    let headline = judgement.verdict.as_ref().map(|verdict| (&verdict.headline).render(language));
    let is_said = |status: Status| {
        let found = judgement.findings.iter().find(|finding| finding.status == status);
        let summary = found.map(|finding| (&finding.summary).render(language));
        headline.as_ref().zip(summary).is_some_and(|(headline, words)| headline.contains(&words))
    };
    let reason = match trust {
        Some(Trust::Broken) if is_said(Status::Invalid) => String::new(),
        Some(Trust::Caution) if is_said(Status::Warning) => String::new(),
        _ => reason.render(language),
    };
    let reason = match trust {
        Some(Trust::Caution) => add_warned_cells(reason, record, language),
        _ => reason,
    };
    TrustBadge { class, sign, word: word.render(language), reason }
}
