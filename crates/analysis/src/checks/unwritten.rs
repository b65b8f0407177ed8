//! `unwritten`: had the blocks been written before they were read?

use record::TargetKind;

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::Unwritten,
    method: Some(|| UnwrittenMethod { max: UNWRITTEN_SHARE_MAX }.into()),
    run: |subject, finding| check(subject.figures, finding),
};

/// Above this share of the range the reads are not the device's.
const UNWRITTEN_SHARE_MAX: Ratio = Ratio(0.001);

/// Whether the reads of this run need neither a device nor a cache.
pub(super) fn reads_holes(judgement: &Judgement) -> bool {
    judgement.has_finding(FindingId::Unwritten, Status::Invalid)
}

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let target = measured.target().ok_or_else(|| label("no-target"))?;
    let extents = target.extents.as_ref().ok_or_else(|| match target.kind {
        TargetKind::BlockDevice => label("unwritten-on-device"),
        _ => label("unwritten-without-fiemap"),
    })?;
    let empty = extents.bytes_without_media();
    let share = empty.0 as f64 / extents.length.0.max(1) as f64;
    let (length, count) = (extents.length, extents.extents);
    let value = UnwrittenExtents { empty, length, extents: count };
    let fact = Evidence::figure(label("unwritten-bytes"), value, share);
    if share > UNWRITTEN_SHARE_MAX.0 {
        for cell in measured.cells.iter().filter(|cell| cell.job.mix.reads()) {
            finding.mark_cell(cell, Status::Invalid, fact.clone());
        }
        finding.evidence.truncate(1);
        return Ok(UnwrittenShare { share: Ratio(share) }.into());
    }
    finding.evidence.push(fact);
    for (bytes, what) in [
        (extents.encoded, label("unwritten-encoded")),
        (extents.shared, label("unwritten-shared")),
        (extents.inline, label("unwritten-inline")),
    ] {
        if bytes.0 > 0 {
            finding.raise_status(Status::Note, Evidence::text(what, bytes));
        }
    }
    finding.remedy = None;
    Ok(label("unwritten-none"))
}

messages! {
    UnwrittenMethod = "check-unwritten-method" { max: Ratio };
    UnwrittenExtents = "unwritten-extents" { empty: Bytes, length: Bytes, extents: u64 };
    UnwrittenShare = "unwritten-share" { share: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;
    use units::Bytes;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

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
