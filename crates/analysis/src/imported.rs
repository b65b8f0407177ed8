//! Runs of other tools: what can be said of them, which is little.
//!
//! The truth checks look at what our own runs observe: counters of the devices, extents, series,
//! the processors. None of that is in another tool's results, so no check is run, and none is
//! claimed to have been.

use record::{Imported, Record, Trust, Verdict};
use units::Iops;

/// Fills in the judgement of an imported record.
pub(crate) fn judge(record: &mut Record) {
    let Some(imported) = record.imported.clone() else { return };
    record.curves = Vec::new();
    record.findings = Vec::new();
    record.two_limits = Vec::new();
    record.interference = None;
    record.verdict = Some(verdict(record, &imported));
}

fn verdict(record: &Record, imported: &Imported) -> Verdict {
    let best = record.cells.iter().max_by(|a, b| a.iops().total_cmp(&b.iops()));
    let tool = &imported.version;
    let headline = match best {
        Some(cell) => format!("{} IOPS in {}, as {tool} tells it.", Iops(cell.iops()), cell.name),
        None => format!("{tool} tells of no job."),
    };
    Verdict {
        headline,
        // Nothing speaks against the numbers, and nothing was checked.
        trust: Trust::Caution,
        class: None,
        meaning: imported.notes.clone(),
        good_for: Vec::new(),
        limited_by: Vec::new(),
        not_seen: vec![
            "Whether the page cache answered, blocks had been written, the speed had settled: \
             no truth check can look into another tool's results. truedisk check on the same \
             target sees it."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imported_run_is_neither_sound_nor_broken_and_has_no_findings() {
        let mut record = crate::testing::record();
        record.imported = Some(Imported {
            tool: "fio".to_owned(),
            version: "fio-3.42".to_owned(),
            targets: vec!["/srv/f1".to_owned()],
            notes: vec!["Single runs carry no interval.".to_owned()],
        });
        crate::judge(&mut record);
        let verdict = record.verdict.unwrap();
        assert!(record.findings.is_empty() && record.curves.is_empty());
        assert_eq!(verdict.trust, Trust::Caution);
        assert!(verdict.headline.contains("as fio-3.42 tells it"), "{}", verdict.headline);
        assert_eq!(verdict.meaning, ["Single runs carry no interval."]);
    }
}
