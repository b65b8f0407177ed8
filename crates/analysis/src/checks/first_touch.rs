//! `first-touch`: is the first access to a block slower than those after it? Reads and writes are
//! looked at apart, and told as one finding.

mod reads;
mod writes;

use record::{Finding, Measured, Status};

use reads::check_reads;
use writes::check_writes;
pub(in crate::checks) use writes::{CLEAR_MIN, SLOWER_MIN, SLOWER_ON_FILE_MIN};

pub(super) fn check(record: &Measured) -> Finding {
    match check_writes(record) {
        Some(writes) => merge_halves(check_reads(record), writes),
        None => check_reads(record),
    }
}

/// The worse of the two, with the words and the evidence of both. What one could not see does not
/// hide what the other saw.
fn merge_halves(reads: Finding, writes: Finding) -> Finding {
    let seen = |finding: &Finding| finding.status != Status::NotObservable;
    let (mut told, other) = match (seen(&reads), seen(&writes)) {
        (true, false) => (reads, writes),
        (false, true) => (writes, reads),
        _ if reads.status >= writes.status => (reads, writes),
        _ => (writes, reads),
    };
    told.summary = format!("{}; {}", told.summary, other.summary);
    told.evidence.extend(other.evidence);
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::FindingId;

    fn finding(status: Status, summary: &str) -> Finding {
        Finding {
            id: FindingId::FirstTouch,
            status,
            summary: summary.to_owned(),
            evidence: vec![record::Evidence::text(summary, "seen")],
            cells: Vec::new(),
            remedy: None,
        }
    }

    #[test]
    fn what_one_half_saw_is_not_hidden_by_the_other() {
        use Status::{NotObservable, Note, Ok, Warning};
        for (reads, writes, told) in [
            (NotObservable, Note, Note),
            (Warning, NotObservable, Warning),
            (Ok, NotObservable, Ok),
            (NotObservable, NotObservable, NotObservable),
            (Warning, Note, Warning),
            (Ok, Note, Note),
        ] {
            let both = merge_halves(finding(reads, "reads"), finding(writes, "writes"));
            assert_eq!(both.status, told);
            assert!(both.summary.contains("reads") && both.summary.contains("writes"));
            assert_eq!(both.evidence.len(), 2);
        }
    }
}
