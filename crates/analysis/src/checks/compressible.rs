//! `compressible`: are zeros faster than other data?

use record::Content;

use super::check::*;
use crate::evidence::contents::{
    CLEAR_MIN, EXCLUDED_MAX, FASTER_MIN, SpeedupVerdict, add_speedups, combine_verdicts,
    compare_contents, encoded_zeros, find_fastest, reason_not_compared,
};

pub(super) static CHECK: Check = Check {
    id: FindingId::Compressible,
    method: Some(|| {
        let (faster_min, clear_min, excluded_max) = (FASTER_MIN, CLEAR_MIN, EXCLUDED_MAX);
        CompressibleMethod { faster_min, clear_min, excluded_max }.into()
    }),
    run: |subject, finding| check(subject.measured, finding),
};

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let facts = file_system_facts(measured);
    let compresses = !facts.is_empty();
    let zeros = compare_contents(measured, Content::Zeros, Content::Unique);
    if !compresses && zeros.is_empty() {
        return Err(reason_not_compared(measured));
    }
    facts.into_iter().for_each(|fact| finding.raise_status(Status::Note, fact));
    add_speedups(finding, &zeros, label("compressible-zeros"));
    let faster = find_fastest(&zeros).map(|gain| (gain.written, gain.ratio.value));
    let (status, summary) = match (combine_verdicts(&zeros), faster) {
        (SpeedupVerdict::Faster, _) if !compresses && is_explained_by_copies(measured) => {
            (Status::NotObservable, label("compressible-or-dedup"))
        }
        (SpeedupVerdict::Faster, Some((true, times))) => {
            (Status::Note, CompressibleWritten { times }.into())
        }
        (SpeedupVerdict::Faster, Some((false, times))) => {
            (Status::Note, CompressibleReadBack { times }.into())
        }
        _ if compresses => (Status::Note, label("compressible-file-system")),
        (SpeedupVerdict::AsFast, _) => (Status::Ok, label("compressible-none")),
        _ => (Status::NotObservable, label("compressible-uneven")),
    };
    finding.status = status;
    Ok(summary)
}

fn is_explained_by_copies(measured: &Measured) -> bool {
    let copies = compare_contents(measured, Content::Repeated, Content::Unique);
    let over_copies = compare_contents(measured, Content::Zeros, Content::Repeated);
    combine_verdicts(&copies) == SpeedupVerdict::Faster
        && combine_verdicts(&over_copies) != SpeedupVerdict::Faster
}

pub(super) fn is_file_system_compressing(measured: &Measured) -> bool {
    !file_system_facts(measured).is_empty()
}

fn file_system_facts(measured: &Measured) -> Vec<Evidence> {
    let mut facts = Vec::new();
    let Some(target) = measured.target() else { return facts };
    if let Some(fs) = &target.file_system {
        let options = fs.options.iter().filter(|option| is_compressing_option(option));
        facts.extend(options.map(|option| {
            let what = CompressibleMount { kind: fs.kind.clone() };
            Evidence::text(what, Message::from_text(option))
        }));
    }
    if let Some((encoded, of)) = encoded_zeros(measured).filter(|(encoded, _)| encoded.0 > 0) {
        let value = CompressibleEncoded { encoded, of };
        facts.push(Evidence::figure(
            label("compressible-zeros-written"),
            value,
            byte_share(encoded, of),
        ));
    }
    // A file that was only read is itself compressed, or encrypted.
    let kept = target.extents.as_ref().filter(|e| measured.layout.is_none() && e.encoded.0 > 0);
    if let Some(extents) = kept {
        let (encoded, of) = (extents.encoded, extents.length);
        let value = CompressibleStored { encoded, of };
        facts.push(Evidence::figure(label("compressible-file"), value, byte_share(encoded, of)));
    }
    facts
}

fn byte_share(part: Bytes, whole: Bytes) -> f64 {
    part.0 as f64 / whole.0.max(1) as f64
}

/// Options of btrfs and bcachefs; f2fs lists its algorithm without using it.
fn is_compressing_option(option: &str) -> bool {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    ["compress", "compress-force", "compression"].contains(&name)
        && !["no", "none"].contains(&value)
}

messages! {
    CompressibleMethod = "check-compressible-method" {
        faster_min: f64, clear_min: f64, excluded_max: f64,
    };
    CompressibleWritten = "compressible-written" { times: f64 };
    CompressibleReadBack = "compressible-read-back" { times: f64 };
    CompressibleMount = "compressible-mount" { kind: String };
    CompressibleEncoded = "compressible-encoded" { encoded: Bytes, of: Bytes };
    CompressibleStored = "compressible-stored" { encoded: Bytes, of: Bytes };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::contents::testing::tried;
    use crate::testing::sample_record;
    use record::Trial;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn fast_zeros_are_found_in_writing_or_in_reading_back() {
        for faster_written in [true, false] {
            let mut record = sample_record();
            tried(&mut record, (0.03, 7), |content, written| {
                if content == Content::Zeros && written == faster_written { 3.1 } else { 1.0 }
            });
            let finding = check(&record);
            assert_eq!(finding.status, Status::Note, "{finding:#?}");
            let verb = if faster_written { "are written 3." } else { "are read back 3." };
            assert!(finding.summary.text().contains(verb), "{}", finding.summary.text());
            assert!(finding.remedy.is_some());
        }
    }

    #[test]
    fn an_even_device_is_fine_and_an_uneven_one_not_known() {
        let check_noise = |noise: f64, status: Status| {
            let mut record = sample_record();
            tried(&mut record, (noise, 3), |_, _| 1.0);
            let finding = check(&record);
            assert_eq!(finding.status, status, "{finding:#?}");
        };
        check_noise(0.03, Status::Ok);
        check_noise(0.9, Status::NotObservable);
        assert_eq!(check(&sample_record()).status, Status::NotObservable, "no trial");
    }

    #[test]
    fn deduplication_is_not_taken_for_compression() {
        let mut record = sample_record();
        tried(
            &mut record,
            (0.03, 7),
            |content, _| if content == Content::Unique { 1.0 } else { 3.0 },
        );
        let finding = check(&record);
        assert_eq!(finding.status, Status::NotObservable);
        assert!(finding.summary.text().contains("deduplication"), "{}", finding.summary.text());
        // Zeros that are faster still are more than copies.
        let mut record = crate::testing::sample_record();
        tried(&mut record, (0.03, 7), |content, _| match content {
            Content::Unique => 1.0,
            Content::Repeated => 2.0,
            Content::Zeros => 5.0,
        });
        assert_eq!(check(&record).status, Status::Note);
    }

    #[test]
    fn what_the_file_system_says_needs_no_timing() {
        let mut record = sample_record();
        tried(&mut record, (0.9, 3), |_, _| 1.0);
        let fs = record.targets[0].file_system.as_mut().unwrap();
        fs.options.push("compress-force=zstd:1".to_owned());
        let finding = check(&record);
        assert_eq!(finding.status, Status::Note);
        assert_eq!(finding.evidence[0].value, "compress-force=zstd:1");

        let mut record = crate::testing::sample_record();
        tried(&mut record, (0.03, 7), |_, _| 1.0);
        let zeros = record.cells.last_mut().unwrap();
        let (content, written, round) = (Content::Zeros, true, 1);
        zeros.trial =
            Some(Trial::Content { content, written, round, encoded: Some(Bytes::mib(2)) });
        assert_eq!(check(&record).status, Status::Note);

        let mut record = crate::testing::sample_record();
        (record.layout, record.targets[0].extents.as_mut().unwrap().encoded) =
            (None, Bytes::mib(100));
        assert_eq!(check(&record).status, Status::Note);
    }

    #[test]
    fn options_are_read_as_each_file_system_means_them() {
        for option in ["compress=zstd:3", "compress-force", "compression=lz4"] {
            assert!(is_compressing_option(option), "{option}");
        }
        for option in ["compress=no", "compression=none", "compress_algorithm=lz4", "rw"] {
            assert!(!is_compressing_option(option), "{option}");
        }
    }
}
