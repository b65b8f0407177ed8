//! Is this disk the bottleneck? A pure function of what was seen and of what the disk can do.
//!
//! The rules are asked in order, and the first that has its evidence answers. That a disk was busy
//! is no sign against it: one that serves operation after operation is busy all the time, and may
//! have nearly all of its throughput left.

mod case;
mod evidence;
mod rules;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

use message::Message;

use crate::summary::{DiskSummary, WatchSummary};
use case::Case;

pub use case::{DiskFacts, LimitUse, Verdict};

/// What the samples say of one disk.
#[derive(Debug, Clone)]
pub struct DiskJudgement {
    pub disk: String,
    pub verdict: Verdict,
    /// The one sentence, with its evidence.
    pub sentence: Message,
    /// What to do next.
    pub next: Option<Message>,
    pub used: Option<LimitUse>,
}

/// Judges every disk; the first is the one that matters most.
pub fn judge(summary: &WatchSummary, facts: &[DiskFacts]) -> Vec<DiskJudgement> {
    let nothing = DiskFacts::default();
    let mut all: Vec<(&DiskSummary, DiskJudgement)> = Vec::new();
    for disk in &summary.disks {
        let facts = facts.iter().find(|facts| facts.name == disk.name).unwrap_or(&nothing);
        all.push((disk, judge_disk(disk, summary, facts)));
    }
    let load = |disk: &DiskSummary| disk.outstanding.unwrap_or_else(|| disk.iops().0);
    all.sort_by(|(a, a_judgement), (b, b_judgement)| {
        let rank = |judgement: &DiskJudgement| judgement.verdict.is_bottleneck();
        rank(b_judgement).cmp(&rank(a_judgement)).then(load(b).total_cmp(&load(a)))
    });
    all.into_iter().map(|(_, judgement)| judgement).collect()
}

fn judge_disk(disk: &DiskSummary, summary: &WatchSummary, facts: &DiskFacts) -> DiskJudgement {
    let case = Case::new(disk, summary, facts);
    let answer = rules::RULES.iter().find_map(|rule| rule(&case));
    let answer = answer.unwrap_or_else(|| rules::explain_doubt(&case));
    DiskJudgement {
        disk: disk.name.clone(),
        verdict: answer.verdict,
        sentence: answer.sentence,
        next: answer.next,
        used: case.limit_use(),
    }
}
