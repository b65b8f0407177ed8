//! `dedup`: are copies of the same blocks faster than unique data? Copies prove nothing on a file
//! system that compresses many blocks together.

use record::Content;

use super::check::*;
use super::compressible::is_file_system_compressing;
use crate::evidence::contents::{
    CLEAR_MIN, EXCLUDED_MAX, FASTER_MIN, SpeedupVerdict, add_speedups, combine_verdicts,
    compare_contents, find_fastest, reason_not_compared,
};

pub(super) static CHECK: Check = Check {
    id: FindingId::Dedup,
    method: Some(|| {
        let (faster_min, clear_min, excluded_max) = (FASTER_MIN, CLEAR_MIN, EXCLUDED_MAX);
        DedupMethod { faster_min, clear_min, excluded_max }.into()
    }),
    run: |subject, finding| check(subject.measured, finding),
};

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let copies = compare_contents(measured, Content::Repeated, Content::Unique);
    if copies.is_empty() {
        return Err(reason_not_compared(measured));
    }
    add_speedups(finding, &copies, label("dedup-copies"));
    let zeros = compare_contents(measured, Content::Repeated, Content::Zeros);
    add_speedups(finding, &zeros, label("dedup-copies-against-zeros"));
    match combine_verdicts(&copies) {
        SpeedupVerdict::Faster if is_file_system_compressing(measured) => {
            finding.status = Status::NotObservable;
            Ok(label("dedup-or-compression"))
        }
        SpeedupVerdict::Faster => {
            finding.status = Status::Note;
            let times = find_fastest(&copies).map_or(1.0, |speedup| speedup.ratio.value);
            Ok(DedupFaster { times }.into())
        }
        SpeedupVerdict::AsFast => Ok(label("dedup-none")),
        SpeedupVerdict::Unclear => {
            finding.status = Status::NotObservable;
            Ok(label("dedup-uneven"))
        }
    }
}

messages! {
    DedupMethod = "check-dedup-method" { faster_min: f64, clear_min: f64, excluded_max: f64 };
    DedupFaster = "dedup-faster" { times: f64 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::contents::testing::tried;
    use crate::testing::sample_record;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

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
