//! `zero-blocks`: did the blocks that were read hold anything?

use record::ContentSample;
use stats::Estimate;

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::ZeroBlocks,
    method: None,
    run: |subject, finding| check(subject.figures, finding),
};

/// Fewer blocks say little: of 20, none is of zeros in one of three devices that have 5 %.
const BLOCKS_MIN: u64 = 20;
/// Zeros are found on every used disk; from this share on they shape the figures.
const ZERO_SHARE_MIN: f64 = 0.05;
/// From here on there is next to nothing else.
const NEARLY_ALL: f64 = 0.9;
/// Ratio of the medians of zeros and of data (methodology, section 5, row 2).
const FASTER_RATIO_MAX: f64 = 0.7;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let sample = measured.content.as_ref().ok_or_else(|| label("zero-blocks-not-read"))?;
    if sample.blocks < BLOCKS_MIN {
        return Err(label("zero-blocks-too-few"));
    }
    let share = sample.zero as f64 / sample.blocks as f64;
    let (zero, blocks, size) = (sample.zero, sample.blocks, sample.block_size);
    finding.add_figure(label("zero-blocks-only"), ZeroBlocksCount { zero, blocks, size }, share);
    if measured.layout.is_some() {
        return Ok(judge_own_blocks(sample.zero, share, measured, finding));
    }
    let faster = are_zeros_faster(sample, finding);
    let nearly_all = share >= NEARLY_ALL;
    let status = match faster {
        _ if share < ZERO_SHARE_MIN => Status::Ok,
        Some(true) if nearly_all => Status::Invalid,
        Some(true) => Status::Warning,
        None if nearly_all => Status::Warning,
        _ => Status::Note,
    };
    mark_reads(measured, status, share, finding);
    let is_all = sample.zero == sample.blocks;
    let (share, data) = (Ratio(share), Ratio(1.0 - share));
    Ok(match (status, faster) {
        (Status::Ok, _) => ZeroBlocksHoldData { share: data }.into(),
        (_, Some(true)) => ZeroBlocksUnread { share }.into(),
        (_, Some(false)) => ZeroBlocksAsSlow { share }.into(),
        (Status::Warning, None) if is_all => label("zero-blocks-all"),
        (Status::Warning, None) => ZeroBlocksUnknown { share }.into(),
        _ => ZeroBlocksUntimed { share }.into(),
    })
}

fn judge_own_blocks(
    zero: u64,
    share: f64,
    measured: &Measured,
    finding: &mut FindingBuilder,
) -> Message {
    if zero == 0 {
        return label("zero-blocks-none");
    }
    mark_reads(measured, Status::Invalid, share, finding);
    finding.remedy = Some(label("remedy-device-loses-data"));
    ZeroBlocksLost { share: Ratio(share) }.into()
}

/// `None` where either was too rare to be timed.
fn are_zeros_faster(sample: &ContentSample, finding: &mut FindingBuilder) -> Option<bool> {
    let (zero, data) = (sample.zero_p50_ns.as_ref()?, sample.data_p50_ns.as_ref()?);
    let time = |p50: &Estimate| Nanos(p50.value as u64);
    let ratio = zero.value / data.value.max(1.0);
    let value = ZeroBlocksTimes { zeros: time(zero), data: time(data) };
    finding.add_figure(label("zero-blocks-median"), value, ratio);
    let apart = zero.high.zip(data.low).is_some_and(|(zero, data)| zero < data);
    Some(ratio < FASTER_RATIO_MAX && apart)
}

fn mark_reads(measured: &Measured, status: Status, share: f64, finding: &mut FindingBuilder) {
    let reads = |cell: &&Cell| cell.job.mix.reads();
    for cell in measured.cells.iter().filter(reads).filter(|_| status > Status::Note) {
        finding.mark(cell, status, ZeroBlocksOfReads { share: Ratio(share) }, share);
    }
    finding.status = finding.status.max(status);
}

messages! {
    ZeroBlocksCount = "zero-blocks-count" { zero: u64, blocks: u64, size: Bytes };
    ZeroBlocksHoldData = "zero-blocks-hold-data" { share: Ratio };
    ZeroBlocksUnread = "zero-blocks-unread" { share: Ratio };
    ZeroBlocksAsSlow = "zero-blocks-as-slow" { share: Ratio };
    ZeroBlocksUnknown = "zero-blocks-unknown" { share: Ratio };
    ZeroBlocksUntimed = "zero-blocks-untimed" { share: Ratio };
    ZeroBlocksLost = "zero-blocks-lost" { share: Ratio };
    ZeroBlocksTimes = "zero-blocks-times" { zeros: Nanos, data: Nanos };
    ZeroBlocksOfReads = "zero-blocks-of-reads" { share: Ratio };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    fn p50(us: f64, n: u64) -> Option<Estimate> {
        let bare = Estimate::without_interval(us * 1e3, n, Message::from_text("made up"));
        let (low, high) = (Some(us * 0.95e3), Some(us * 1.05e3));
        (n >= 6).then_some(Estimate { low, high, ..bare })
    }

    /// A read-only run of blocks, of which `zero` are zeros.
    fn sampled(zero: u64, zero_us: f64, data_us: f64) -> Measured {
        let content = ContentSample {
            block_size: Bytes::kib(4),
            blocks: 1000,
            zero,
            zero_p50_ns: p50(zero_us, zero),
            data_p50_ns: p50(data_us, 1000 - zero),
            elapsed: Nanos::millis(100),
            error: None,
        };
        Measured { content: Some(content), layout: None, ..sample_record() }
    }

    #[test]
    fn zeros_that_are_too_fast_never_came_from_the_medium() {
        let check = |zero, zero_us, data_us, status| {
            let finding = check(&sampled(zero, zero_us, data_us));
            assert_eq!(finding.status, status, "{zero} {zero_us} {data_us}: {finding:#?}");
            let touched = finding.cells.contains(&"randread-4k-qd1".to_owned());
            assert_eq!(touched, status > Status::Note);
            assert!(!finding.cells.contains(&"randwrite-4k-qd1".to_owned()));
        };
        check(0, 0.0, 100.0, Status::Ok);
        check(30, 20.0, 100.0, Status::Ok);
        check(300, 20.0, 100.0, Status::Warning);
        check(300, 95.0, 100.0, Status::Note);
        check(300, 69.0, 72.0, Status::Note);
        check(950, 20.0, 100.0, Status::Invalid);
        check(950, 101.0, 100.0, Status::Note);
        check(1000, 20.0, 0.0, Status::Warning);
        check(998, 20.0, 100.0, Status::Warning);
    }

    #[test]
    fn nothing_looked_at_is_nothing_seen() {
        let mut record = sampled(0, 0.0, 100.0);
        record.content.as_mut().unwrap().blocks = 12;
        assert_eq!(check(&record).status, Status::NotObservable);
        record.content = None;
        assert_eq!(check(&record).status, Status::NotObservable);
    }

    #[test]
    fn zeros_in_what_we_wrote_are_lost_data() {
        let own = |zero| Measured { layout: sample_record().layout, ..sampled(zero, 50.0, 50.0) };
        assert_eq!(check(&own(0)).status, Status::Ok);
        let finding = check(&own(1));
        assert_eq!(finding.status, Status::Invalid);
        assert!(
            finding.summary.text().contains("read back as zeros"),
            "{}",
            finding.summary.text()
        );
    }
}
