//! What a watch means. Its sentences were made from what was seen, when it was seen: they stand in
//! the record, and no truth check looks at it.

use record::{Judgement, Trust, Verdict, Watched};

/// With more requests than this missing in the distributions, percentiles are those of a sample.
const MISSING_MAX: f64 = 0.01;

pub(crate) fn judge_watch(watch: &Watched) -> Judgement {
    let verdict = watch.disks.first().map(|first| Verdict {
        headline: first.sentence.clone(),
        trust: if is_missing_much(watch) { Trust::Caution } else { Trust::Sound },
        class: None,
        meaning: Vec::new(),
        good_for: Vec::new(),
        too_slow_for: Vec::new(),
        limited_by: Vec::new(),
        not_seen: watch.notes.clone(),
    });
    Judgement { verdict, ..Judgement::default() }
}

fn is_missing_much(watch: &Watched) -> bool {
    let directions = watch.disks.iter().flat_map(record::WatchedDisk::directions);
    let all: f64 = directions.map(|(_, of)| of.operations as f64).sum();
    watch.missing_requests as f64 > MISSING_MAX * all
}

#[cfg(test)]
mod tests {
    use record::fixture::watch_record;

    use super::*;

    #[test]
    fn a_watch_says_its_own_sentence() {
        let record = watch_record();
        let judgement = crate::judge(&record.measured);
        let verdict = judgement.verdict.unwrap();
        let watch = record.measured.watch.unwrap();
        assert_eq!(verdict.headline, watch.disks[0].sentence);
        assert_eq!(verdict.trust, Trust::Sound);
        assert!(judgement.findings.is_empty() && judgement.curves.is_empty());
        let missing = Watched { missing_requests: 100_000, ..*watch };
        assert_eq!(judge_watch(&missing).verdict.unwrap().trust, Trust::Caution);
    }
}
