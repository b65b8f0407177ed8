//! `coverage`: how much of the target was touched, and how often?

use workload::{Access, Span};

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::Coverage,
    method: Some(|| {
        format!(
            "A span of less than {TINY_SPAN} fits into any cache; one below {CACHE_SIZE_MAX} that \
             was gone through more than {PASSES_MAX} times was mostly repetition. A span of \
             {LARGE_SPAN} and more of which less than {THIN_SHARE} was read was sampled thinly."
        )
        .into()
    }),
    run: |subject, finding| check(subject.figures, finding),
};

/// Disks have caches up to this size (8 to 512 MB on rotating disks, 1 MB per GB on SSDs).
const CACHE_SIZE_MAX: Bytes = Bytes::gib(1);
/// Small enough for any cache on the way.
const TINY_SPAN: Bytes = Bytes::mib(64);
/// Passes over a span of cache size from which most reads were repetitions.
const PASSES_MAX: f64 = 4.0;
/// A convention of this program: at 4 KiB one block in a thousand, one each 4 MiB.
const LARGE_SPAN: Bytes = Bytes::gib(64);
const THIN_SHARE: Ratio = Ratio(0.001);

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    let random = || measured.cells.iter().filter(|c| c.job.access == Access::Random);
    let mut spans: Vec<Span> = Vec::new();
    for cell in random().filter(|c| c.job.mix.reads()) {
        if !spans.contains(&cell.job.span) {
            spans.push(cell.job.span);
        }
    }
    let Some(main) = spans.first().copied() else {
        return Err("no random reads were measured".into());
    };
    for span in spans {
        let cells: Vec<&Cell> = random().filter(|c| c.job.span == span).collect();
        judge_span(span, &cells, finding);
    }
    let total = count_passes(main, random().filter(|c| c.job.span == main));
    let length = main.length;
    finding.remedy = if total > 1.0 || length < TINY_SPAN {
        Some(MeasureLargerPart {}.into())
    } else {
        Some(TakeForSample {}.into())
    };
    Ok(match finding.status {
        Status::Warning => {
            format!("a span of {length} may lie in a cache on the way to the disk").into()
        }
        Status::Note if total > 1.0 => {
            format!("blocks of the span of {length} were read more than once").into()
        }
        Status::Note => format!("only {} of the span of {length} was read", Ratio(total)).into(),
        _ => format!("random reads covered the span of {length} {total:.2} times in all").into(),
    })
}

fn count_passes<'a>(span: Span, cells: impl Iterator<Item = &'a Cell>) -> f64 {
    let read: f64 = cells.map(|c| c.ledger.read_bytes.0 as f64).sum();
    read / span.length.0.max(1) as f64
}

fn judge_span(span: Span, cells: &[&Cell], finding: &mut FindingBuilder) {
    let total = count_passes(span, cells.iter().copied());
    let length = span.length;
    let read = Bytes((total * length.0 as f64) as u64);
    let fact = format!("{read} read at random over a span of {length}");
    finding.add_figure("passes", fact, total);
    if length >= LARGE_SPAN && total < THIN_SHARE.0 {
        let value = format!("{} of {length}, spread evenly", Ratio(total));
        finding.raise_status(Status::Note, Evidence::figure("share read", value, total));
        return;
    }
    let status = match () {
        () if length < TINY_SPAN => Status::Warning,
        () if length >= CACHE_SIZE_MAX => return,
        () if total > PASSES_MAX => Status::Warning,
        () if total > 1.0 => Status::Note,
        () => return,
    };
    for cell in cells.iter().filter(|c| c.job.mix.reads()) {
        let own = count_passes(span, std::iter::once(*cell));
        let value = format!("{own:.2} passes over {length}");
        finding.mark(cell, status, value, own);
    }
}

messages! {
    pub(crate) static MESSAGES;
    MeasureLargerPart = "remedy-measure-larger-part";
    TakeForSample = "remedy-take-for-sample";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn small_spans_are_cache_sized() {
        let check = |span: Bytes, status| {
            let mut record = sample_record();
            record.cells.iter_mut().for_each(|c| c.job.span.length = span);
            assert_eq!(check(&record).status, status, "{span}");
        };
        check(Bytes::gib(4), Status::Ok);
        check(Bytes::mib(128), Status::Warning);
        check(Bytes::mib(16), Status::Warning);
    }

    #[test]
    fn passes_count_over_all_cells_of_the_span() {
        let check = |passes: f64, status| {
            let mut record = sample_record();
            let span = Bytes::mib(512);
            let cells = record.cells.iter().filter(|c| c.job.access == Access::Random).count();
            for cell in &mut record.cells {
                cell.job.span.length = span;
                let share = passes * span.0 as f64 / cells as f64;
                cell.ledger.read_bytes = Bytes(share as u64);
            }
            assert_eq!(check(&record).status, status, "{passes}");
        };
        check(0.9, Status::Ok);
        check(1.5, Status::Note);
        check(3.9, Status::Note);
        check(4.5, Status::Warning);
    }

    #[test]
    fn thin_samples_of_large_disks_are_told() {
        let mut record = sample_record();
        record.cells.iter_mut().for_each(|c| c.job.span.length = Bytes::gib(1 << 13));
        let finding = check(&record);
        assert_eq!(finding.status, Status::Note);
        assert!(finding.summary.contains("of the span of 8 TiB"), "{}", finding.summary);
    }

    #[test]
    fn cells_of_another_span_are_counted_apart() {
        let mut record = sample_record();
        cell_mut(&mut record, "randread-4k-qd4").job.span.length = Bytes::mib(32);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning);
        assert_eq!(finding.cells, ["randread-4k-qd4"]);
    }
}
