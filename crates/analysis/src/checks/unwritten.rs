//! `unwritten`: had the blocks been written before they were read?

use record::TargetKind;

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::Unwritten,
    method: Some(|| {
        format!(
            "The file system is asked how the file is allocated (FIEMAP). More than \
             {UNWRITTEN_SHARE_MAX} of the range without written blocks is too much."
        )
        .into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Above this share of the range the reads are not the device's.
const UNWRITTEN_SHARE_MAX: Ratio = Ratio(0.001);

/// Whether the reads of this run need neither a device nor a cache.
pub(super) fn reads_holes(judgement: &Judgement) -> bool {
    judgement.has_finding(FindingId::Unwritten, Status::Invalid)
}

/// Why no other check looks at such reads.
pub(super) const HOLES: &str = "a part of the file was never written (see unwritten)";

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let target = measured.target().ok_or("no target was described")?;
    let extents = target.extents.as_ref().ok_or(match target.kind {
        TargetKind::BlockDevice => {
            "a raw device does not say which of its blocks were ever written"
        }
        _ => "this file system does not say how the file is allocated (FIEMAP)",
    })?;
    let empty = extents.bytes_without_media();
    let share = empty.0 as f64 / extents.length.0.max(1) as f64;
    let value = format!("{empty} of {} in {} extents", extents.length, extents.extents);
    let fact = Evidence::figure("never written", value, share);
    if share > UNWRITTEN_SHARE_MAX.0 {
        for cell in measured.cells.iter().filter(|cell| cell.job.mix.reads()) {
            finding.mark_cell(cell, Status::Invalid, fact.clone());
        }
        finding.evidence.truncate(1);
        return Ok(format!(
            "{} of the file was never written: reading it gives zeros without the device",
            Ratio(share)
        )
        .into());
    }
    finding.evidence.push(fact);
    for (bytes, words) in [
        (extents.encoded, "compressed or encrypted by the file system"),
        (extents.shared, "shared with another file"),
        (extents.inline, "kept inside metadata"),
    ] {
        if bytes.0 > 0 {
            finding.raise_status(Status::Note, Evidence::text(words, bytes.to_string()));
        }
    }
    finding.remedy = None;
    Ok("every block that was read had been written".to_owned().into())
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
