//! `coverage`: how much of the target was touched, and how often?

use workload::{Access, Span};

use super::check::*;

pub(super) static CHECK: Check = Check {
    id: FindingId::Coverage,
    method: Some(|| {
        CoverageMethod {
            tiny: TINY_SPAN,
            cache: CACHE_SIZE_MAX,
            passes: PASSES_MAX as u64,
            large: LARGE_SPAN,
            thin: THIN_SHARE,
        }
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
        return Err(label("coverage-no-reads"));
    };
    for span in spans {
        let cells: Vec<&Cell> = random().filter(|c| c.job.span == span).collect();
        judge_span(span, &cells, finding);
    }
    let total = count_passes(main, random().filter(|c| c.job.span == main));
    let span = main.length;
    finding.remedy = if total > 1.0 || span < TINY_SPAN {
        Some(label("remedy-measure-larger-part"))
    } else {
        Some(label("remedy-take-for-sample"))
    };
    Ok(match finding.status {
        Status::Warning => CoverageCached { span }.into(),
        Status::Note if total > 1.0 => CoverageReadAgain { span }.into(),
        Status::Note => CoverageThin { share: Ratio(total), span }.into(),
        _ => CoveragePassed { span, passes: total }.into(),
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
    finding.add_figure(label("coverage-passes"), CoverageRead { read, span: length }, total);
    if length >= LARGE_SPAN && total < THIN_SHARE.0 {
        let value = CoverageSample { share: Ratio(total), span: length };
        finding.raise_status(Status::Note, Evidence::figure(label("coverage-share"), value, total));
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
        let value = CoverageCellPasses { passes: own, span: length };
        finding.mark(cell, status, value, own);
    }
}

messages! {
    CoverageMethod = "check-coverage-method" {
        tiny: Bytes, cache: Bytes, passes: u64, large: Bytes, thin: Ratio,
    };
    CoverageCached = "coverage-cached" { span: Bytes };
    CoverageReadAgain = "coverage-read-again" { span: Bytes };
    CoverageThin = "coverage-thin" { share: Ratio, span: Bytes };
    CoveragePassed = "coverage-passed" { span: Bytes, passes: f64 };
    CoverageRead = "coverage-read" { read: Bytes, span: Bytes };
    CoverageSample = "coverage-sample" { share: Ratio, span: Bytes };
    CoverageCellPasses = "coverage-cell-passes" { passes: f64, span: Bytes };
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
        assert!(
            finding.summary.text().contains("of the span of 8 TiB"),
            "{}",
            finding.summary.text()
        );
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
