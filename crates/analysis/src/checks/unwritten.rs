//! `unwritten`: had the blocks been written before they were read?
//!
//! A hole or a preallocated extent that was never written answers a read with zeros, without the
//! device. FIEMAP tells. Blind spot: blocks that a thin volume or an SSD never got; on a raw
//! device nothing tells here (the reads' content would).

use record::{Evidence, Finding, FindingId, Measured, Status, TargetKind};
use units::Ratio;

use super::{FindingBuilder, not_observable};

/// Above this share of the range the reads are not the device's.
pub(super) const UNWRITTEN_SHARE_MAX: f64 = 0.001;

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::Unwritten;
    let Some(target) = record.target() else {
        return not_observable(id, "no target was described");
    };
    let Some(extents) = &target.extents else {
        let why = if target.kind == TargetKind::BlockDevice {
            "a raw device does not say which of its blocks were ever written"
        } else {
            "this file system does not say how the file is allocated (FIEMAP)"
        };
        return not_observable(id, why);
    };
    let mut tally = FindingBuilder::new(id);
    let empty = extents.bytes_without_media();
    let share = empty.0 as f64 / extents.length.0.max(1) as f64;
    let fact = Evidence::figure(
        "never written",
        format!("{empty} of {} in {} extents", extents.length, extents.extents),
        share,
    );
    if share > UNWRITTEN_SHARE_MAX {
        for cell in record.cells.iter().filter(|cell| cell.job.mix.reads()) {
            tally.mark_cell(cell, Status::Invalid, fact.clone());
        }
        tally.evidence.truncate(1);
        return tally.finish(
            format!(
                "{} of the file was never written: reading it gives zeros without the device",
                Ratio(share)
            ),
            Some("measure a file that was written, or give a folder and let truedisk write one"),
        );
    }
    tally.add_fact(fact);
    for (bytes, words) in [
        (extents.encoded, "compressed or encrypted by the file system"),
        (extents.shared, "shared with another file"),
        (extents.inline, "kept inside metadata"),
    ] {
        if bytes.0 > 0 {
            tally.raise_status(Status::Note, Evidence::text(words, bytes.to_string()));
        }
    }
    tally.finish("every block that was read had been written".to_owned(), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;
    use units::Bytes;

    #[test]
    fn holes_and_unwritten_extents_invalidate_reads_only() {
        for spoil in [
            |e: &mut record::ExtentSummary| e.holes = Bytes::mib(10),
            |e: &mut record::ExtentSummary| e.unwritten = Bytes::mib(10),
        ] {
            let mut record = sample_record();
            spoil(record.targets[0].extents.as_mut().unwrap());
            let finding = check(&record);
            assert_eq!(finding.status, Status::Invalid);
            assert!(finding.cells.iter().any(|c| c == "randread-4k-qd1"));
            assert!(!finding.cells.iter().any(|c| c == "randwrite-4k-qd1"));
        }
    }

    #[test]
    fn written_files_are_fine_and_silence_is_not_proof() {
        let mut record = sample_record();
        assert_eq!(check(&record).status, Status::Ok);
        record.targets[0].extents.as_mut().unwrap().encoded = Bytes(4096);
        assert_eq!(check(&record).status, Status::Note);
        record.targets[0].extents = None;
        assert_eq!(check(&record).status, Status::NotObservable);
    }
}
