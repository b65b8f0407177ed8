//! Conclusions of a judgement: limits, promises, the cells that they name, and their text.

use std::path::Path;

use anyhow::{Context as _, Result};
use record::{
    BoundedBy, Cell, Completion, Curve, FindingId, Judgement, Kept, Limit, Measured, Purpose,
    Record, Status, Trust, store,
};
use units::ErrorKind;

use crate::truth::Truth;
use crate::world::Disturbance;

/// A true statistic this far above its bound breaks a confirmed limit.
const BROKEN_FROM: f64 = 1.1;
/// A promise that is nearer to what there is may be kept or not.
const PROMISE_WITHIN: f64 = 1.05;

/// The conclusions that are wrong, in words.
pub(crate) fn list_wrong_claims(truth: &Truth<'_>, record: &Record) -> Result<Vec<String>> {
    let (measured, judgement) = (&record.measured, record.judgement_or_default());
    let mut wrong = Vec::new();
    if let Completion::Partial { reason, failed: true } = &measured.completion
        && !matches!(truth.world.disturbance, Disturbance::Error { .. })
    {
        wrong.push(format!("it ended early: {}", reason.text()));
    }
    for curve in &judgement.curves {
        for limit in &curve.limits {
            wrong.extend(judge_limit(truth, measured, limit)?);
            wrong.extend(judge_support(judgement, curve, limit));
        }
    }
    wrong.extend(judge_promise(truth, measured, judgement)?);
    wrong.extend(list_contradictions(record)?);
    Ok(wrong)
}

fn judge_limit(truth: &Truth<'_>, measured: &Measured, limit: &Limit) -> Result<Option<String>> {
    let Some(cell) = measured.cell(&limit.cell) else { return Ok(None) };
    if !limit.confirmed || !truth.world.is_stationary() {
        return Ok(None);
    }
    let p99_ns = truth.tail_ns(&cell.job)?;
    let ratio = p99_ns as f64 / limit.bound.limit.0 as f64;
    let (is_wrong, claim) = match limit.bounded_by {
        BoundedBy::Unreachable => (ratio < BROKEN_FROM.recip(), "unreachable"),
        _ => (ratio > BROKEN_FROM, "confirmed"),
    };
    let (depth, bound, true_us) = (limit.depth, &limit.bound, p99_ns / 1_000);
    Ok(is_wrong.then(|| format!("{bound} is {claim} at depth {depth}; true p99 {true_us} us")))
}

/// A limit rests on no disturbed cell where another cell of its curve is undisturbed.
fn judge_support(judgement: &Judgement, curve: &Curve, limit: &Limit) -> Option<String> {
    let is_sound = |cell: &String| {
        let marks = judgement.severe_findings(cell);
        marks.iter().all(|f| f.status != Status::Invalid && f.id != FindingId::Neighbour)
    };
    let open = matches!(limit.bounded_by, BoundedBy::Unsure | BoundedBy::Unreachable);
    let other = curve.all_points().into_iter().flat_map(|point| &point.cells).any(is_sound);
    (!open && other && !is_sound(&limit.cell))
        .then(|| format!("limit of {} rests on {}, which was disturbed", curve.name, limit.cell))
}

fn judge_promise(
    truth: &Truth<'_>,
    measured: &Measured,
    judgement: &Judgement,
) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for outcome in judgement.promise.iter().filter(|_| truth.world.is_stationary()) {
        let Some(name) = &outcome.cell else { continue };
        let Some(cell) = measured.cell(name) else { continue };
        let alike = |other: &&Cell| {
            (&other.job.access, other.job.mix, other.job.block_size)
                == (&cell.job.access, cell.job.mix, cell.job.block_size)
        };
        let rates = measured.cells.iter().filter(alike).map(|other| truth.steady_rate(&other.job));
        let most = rates.collect::<Result<Vec<f64>>>()?.into_iter().fold(0.0, f64::max);
        let is_wrong = match outcome.kept {
            Kept::Kept => outcome.needed > PROMISE_WITHIN * most,
            Kept::NotKept => outcome.needed * PROMISE_WITHIN < most,
            Kept::CannotTell => false,
        };
        if is_wrong {
            let (label, kept, needed) =
                (outcome.label.text(), outcome.kept.label(), outcome.needed);
            let kept = kept.text();
            wrong.push(format!("promise of {label}: {needed:.0} {kept}; there are {most:.0}"));
        }
    }
    Ok(wrong)
}

/// The record as JSON is judged the same, and its text and its exit status say what its judgement
/// says.
fn list_contradictions(record: &Record) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let judgement = record.judgement_or_default();
    let json = store::to_json(record).context("cannot write the record")?;
    let read = store::parse_record(json.as_bytes(), Path::new("campaign"))?;
    if analysis::judge(&read.measured) != *judgement {
        wrong.push("the record as JSON is judged otherwise".to_owned());
    }
    if analysis::find_failure(&read) != analysis::find_failure(record) {
        wrong.push("the record as JSON has another exit status".to_owned());
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(&report::render_terminal(record, report::Style::PLAIN));
    let headline = judgement.verdict.as_ref().map_or("", |verdict| verdict.headline.text());
    let screen = words(&report::render_summary(record, report::Style::PLAIN));
    for (name, text) in [("text", &text), ("screen", &screen)] {
        if !text.contains(&words(headline)) {
            wrong.push(format!("the {name} does not say '{headline}'"));
        }
    }
    let severe = judgement.findings.iter().filter(|finding| finding.status >= Status::Warning);
    for finding in severe.filter(|finding| !text.contains(&finding.id.to_string())) {
        wrong.push(format!("the text does not name {}", finding.id));
    }
    wrong.extend(judge_status(record, &text));
    Ok(wrong)
}

/// The exit status that a reader of the text expects, where it is another one.
fn judge_status(record: &Record, text: &str) -> Option<String> {
    let (measured, judgement) = (&record.measured, record.judgement_or_default());
    let verdict = judgement.verdict.as_ref()?;
    let status = analysis::find_failure(record);
    let failed = matches!(measured.completion, Completion::Partial { failed: true, .. });
    let answer = analysis::find_answer(&verdict.headline);
    let (headline, said) = (answer.id(), answer.text());
    let says_broken = text.contains(" NOT KEPT ") || text.contains(": FAIL, ");
    let is_change = headline == "curve-level-changed" || headline.starts_with("curve-ramp-");
    let is_unreachable = headline.starts_with("curve-unreachable");
    let expected = match &measured.plan.purpose {
        _ if failed => Some(ErrorKind::Failed),
        _ if says_broken => Some(ErrorKind::NotMet),
        Purpose::Limit(_) if is_unreachable => Some(ErrorKind::NotMet),
        // The text has two levels, and no load that keeps the bound.
        Purpose::Limit(_) if is_change && text.contains("; not confirmed") => {
            Some(ErrorKind::Failed)
        }
        Purpose::Limit(_) | Purpose::Preset(_) if says_nothing(said) => Some(ErrorKind::Failed),
        _ => None,
    };
    let is_trusted = verdict.trust == Trust::Sound;
    let is_search = matches!(measured.plan.purpose, Purpose::Limit(_));
    let mut limits = judgement.curves.iter().flat_map(|curve| &curve.limits);
    let is_confirmed = !is_search || limits.all(|limit| limit.confirmed);
    match status {
        status if status != expected => {
            Some(format!("exit status of {status:?}, and the text makes it {expected:?}: '{said}'"))
        }
        None if !is_confirmed => Some(format!("not confirmed, and yet done: '{said}'")),
        Some(ErrorKind::Failed) if is_trusted => Some(format!("sound, and yet failed: '{said}'")),
        _ => None,
    }
}

/// Whether a headline gives no answer that a reader could act on.
fn says_nothing(headline: &str) -> bool {
    [
        "Cannot tell",
        "Uncertain",
        "Too little",
        "Not the disk's numbers",
        "too few to judge",
        "cannot tell for",
    ]
    .into_iter()
    .chain(["no step gave a figure"])
    .any(|words| headline.contains(words))
}
