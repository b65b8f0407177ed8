//! `compressible`: are zeros faster than other data?
//!
//! Then somebody below leaves them out or makes them smaller: the file system, a thin volume, the
//! controller of an SSD. A benchmark that writes zeros measures that, not the disk. What the file
//! system says of itself is evidence without any timing. Our own figures come from data that
//! nobody can make smaller, so they stand: the finding is a note. Blind spots: a cache that takes
//! the short writes of the trial before anybody looks at them; data that is merely compressible,
//! where only zeros are cut short.

use record::{Content, Evidence, Finding, FindingId, Measured, Status};
use units::Bytes;

use super::FindingBuilder;
use super::content::{
    Speedup, SpeedupVerdict, combine_verdicts, compare_contents, encoded_zeros,
    not_compared_finding,
};

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::Compressible;
    let told = file_system_facts(record);
    let zeros = compare_contents(record, Content::Zeros, Content::Unique);
    let says = combine_verdicts(&zeros);
    if told.is_empty() && zeros.is_empty() {
        return not_compared_finding(id, record);
    }
    let mut tally = FindingBuilder::new(id);
    let status = if told.is_empty() { Status::Ok } else { Status::Note };
    let is_told = !told.is_empty();
    told.into_iter().for_each(|fact| tally.raise_status(status, fact));
    zeros.iter().for_each(|gain| tally.add_fact(gain.to_evidence("zeros against unique data")));
    let summary = match says {
        SpeedupVerdict::Faster if !is_told && is_explained_by_copies(record) => {
            tally.status = Status::NotObservable;
            "zeros are faster than unique data, but so are copies: deduplication explains both, \
             and whether anything is compressed beside it cannot be told"
                .to_owned()
        }
        SpeedupVerdict::Faster => {
            tally.status = Status::Note;
            format!(
                "{}: tools that write zeros measure that. These figures come from unique data \
                 and stand",
                describe_speedup(&zeros)
            )
        }
        _ if is_told => "the file system compresses: tools that write zeros measure that. These \
                         figures come from data that cannot be compressed, and stand"
            .to_owned(),
        SpeedupVerdict::AsFast => "zeros are no faster than unique data".to_owned(),
        SpeedupVerdict::Unclear => {
            tally.status = Status::NotObservable;
            "the slices differ too much from each other to compare zeros with unique data; a \
             longer run shows it"
                .to_owned()
        }
    };
    tally.finish(summary, Some("test with data like yours; never with zeros (dd if=/dev/zero)"))
}

/// `zeros are written 3.1 times as fast as unique data`.
fn describe_speedup(zeros: &[Speedup]) -> String {
    let fastest = zeros
        .iter()
        .filter(|gain| gain.verdict() == SpeedupVerdict::Faster)
        .max_by(|a, b| a.ratio.value.total_cmp(&b.ratio.value));
    let Some(gain) = fastest else { return "zeros are faster than unique data".to_owned() };
    let verb = if gain.written { "written" } else { "read back" };
    format!("zeros are {verb} {:.1} times as fast as unique data", gain.ratio.value)
}

/// Whether copies, which no compressor makes smaller, are as fast as zeros.
fn is_explained_by_copies(record: &Measured) -> bool {
    let copies = compare_contents(record, Content::Repeated, Content::Unique);
    let over_copies = compare_contents(record, Content::Zeros, Content::Repeated);
    combine_verdicts(&copies) == SpeedupVerdict::Faster
        && combine_verdicts(&over_copies) != SpeedupVerdict::Faster
}

/// Whether the file system itself says that it compresses.
pub(super) fn is_file_system_compressing(record: &Measured) -> bool {
    !file_system_facts(record).is_empty()
}

/// What the file system says of itself.
fn file_system_facts(record: &Measured) -> Vec<Evidence> {
    let mut facts = Vec::new();
    let Some(target) = record.target() else { return facts };
    if let Some(fs) = &target.file_system {
        let options = fs.options.iter().filter(|option| is_compressing_option(option));
        facts.extend(options.map(|option| Evidence::text(format!("{} mounted", fs.kind), option)));
    }
    if let Some((encoded, of)) = encoded_zeros(record).filter(|(encoded, _)| encoded.0 > 0) {
        let value = format!("{encoded} of {of} stored encoded");
        facts.push(Evidence::figure("zeros written", value, byte_share(encoded, of)));
    }
    // Of a file that was only read: what was measured is itself compressed, or encrypted.
    let kept = target.extents.as_ref().filter(|e| record.layout.is_none() && e.encoded.0 > 0);
    if let Some(extents) = kept {
        let value = format!("{} of {} compressed or encrypted", extents.encoded, extents.length);
        facts.push(Evidence::figure(
            "the file as it is stored",
            value,
            byte_share(extents.encoded, extents.length),
        ));
    }
    facts
}

fn byte_share(part: Bytes, whole: Bytes) -> f64 {
    part.0 as f64 / whole.0.max(1) as f64
}

/// Whether a mount option means compression: `compress=zstd:3` and `compress-force` of btrfs,
/// `compression=lz4` of bcachefs. f2fs lists its algorithm without using it; it says nothing.
fn is_compressing_option(option: &str) -> bool {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    ["compress", "compress-force", "compression"].contains(&name)
        && !["no", "none"].contains(&value)
}

#[cfg(test)]
mod tests {
    use super::super::content::testing::tried;
    use super::*;
    use crate::testing::sample_record;
    use record::Trial;

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
            assert!(finding.summary.contains(verb), "{}", finding.summary);
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
        assert!(finding.summary.contains("deduplication"), "{}", finding.summary);
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
