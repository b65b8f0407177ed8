//! `dedup`: are copies of the same blocks faster than unique data?
//!
//! Then somebody below stores equal blocks once: VDO, ZFS with dedup, an array. A benchmark that
//! writes one buffer over and over measures that. The copies of the trial are whole blocks that do
//! not compress by themselves. A file system that compresses many blocks together may gain by them
//! all the same: where it says that it compresses, copies prove nothing. Our own figures come from
//! data of which no two sectors are equal, so they stand: the finding is a note. Blind spots:
//! deduplication that works later, in the background; a cache that takes the short writes of the
//! trial first.

use record::{Content, Finding, FindingId, Measured, Status};

use super::content::{SpeedupVerdict, combine_verdicts, compare_contents, not_compared_finding};
use super::{FindingBuilder, compressible};

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::Dedup;
    let copies = compare_contents(record, Content::Repeated, Content::Unique);
    if copies.is_empty() {
        return not_compared_finding(id, record);
    }
    let mut tally = FindingBuilder::new(id);
    copies.iter().for_each(|gain| tally.add_fact(gain.to_evidence("copies against unique data")));
    let zeros = compare_contents(record, Content::Repeated, Content::Zeros);
    zeros.iter().for_each(|gain| tally.add_fact(gain.to_evidence("copies against zeros")));
    let summary = match combine_verdicts(&copies) {
        SpeedupVerdict::Faster if compressible::is_file_system_compressing(record) => {
            tally.status = Status::NotObservable;
            "copies are faster than unique data, but the file system compresses, which explains it"
                .to_owned()
        }
        SpeedupVerdict::Faster => {
            tally.status = Status::Note;
            let most = copies.iter().map(|gain| gain.ratio.value).fold(1.0, f64::max);
            format!(
                "copies of the same blocks are {most:.1} times as fast as unique data: tools that \
                 write one buffer over and over measure that. These figures come from unique data \
                 and stand"
            )
        }
        SpeedupVerdict::AsFast => {
            "copies of the same blocks are no faster than unique data".to_owned()
        }
        SpeedupVerdict::Unclear => {
            tally.status = Status::NotObservable;
            "the slices differ too much from each other to compare copies with unique data; a \
             longer run shows it"
                .to_owned()
        }
    };
    tally.finish(summary, Some("test with data like yours; never with one buffer over and over"))
}

#[cfg(test)]
mod tests {
    use super::super::content::testing::tried;
    use super::*;
    use crate::testing::sample_record;

    fn status(noise: f64, gain: impl Fn(Content, bool) -> f64) -> Status {
        let mut record = sample_record();
        tried(&mut record, (noise, 3), gain);
        check(&record).status
    }

    #[test]
    fn copies_that_are_faster_are_found_and_compression_is_not_taken_for_it() {
        let merged = |content, _| if content == Content::Unique { 1.0 } else { 4.0 };
        assert_eq!(status(0.05, merged), Status::Note);
        let read_back = |content, written: bool| {
            if content == Content::Repeated && !written { 2.0 } else { 1.0 }
        };
        assert_eq!(status(0.05, read_back), Status::Note);
        let shortened = |content, _| if content == Content::Zeros { 4.0 } else { 1.0 };
        assert_eq!(status(0.05, shortened), Status::Ok);
    }

    #[test]
    fn a_file_system_that_compresses_explains_copies_too() {
        let mut record = sample_record();
        tried(
            &mut record,
            (0.05, 3),
            |content, _| if content == Content::Unique { 1.0 } else { 4.0 },
        );
        let fs = record.targets[0].file_system.as_mut().unwrap();
        fs.options.push("compress=zstd:3".to_owned());
        assert_eq!(check(&record).status, Status::NotObservable);
    }

    #[test]
    fn an_even_device_is_fine_and_an_uneven_one_not_known() {
        assert_eq!(status(0.03, |_, _| 1.0), Status::Ok);
        assert_eq!(status(0.9, |_, _| 1.0), Status::NotObservable);
        assert_eq!(check(&sample_record()).status, Status::NotObservable, "no trial");
    }
}
