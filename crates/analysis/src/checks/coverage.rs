//! `coverage`: how much of the target was touched, and how often?
//!
//! Random reads that come back to the same blocks again and again are answered by whatever cache
//! is on the way; a span of a few megabytes fits into every disk's. On the other side, a sample
//! of a large disk says little about the places it never went to. Blind spot: the size of the
//! cache, which is not known here; whether the other places are different.

use record::{Cell, Evidence, Finding, FindingId, Measured, Status};
use units::{Bytes, Ratio};
use workload::{Access, Span};

use super::{FindingBuilder, not_observable};

/// Disks have caches up to this size (8 to 512 MB on rotating disks, 1 MB per GB on SSDs).
pub(super) const CACHE_SIZE_MAX: Bytes = Bytes::gib(1);
/// Small enough for any cache on the way.
pub(super) const TINY_SPAN: Bytes = Bytes::mib(64);
/// So many passes over a span of cache size mean that most reads were repetitions.
pub(super) const PASSES_MAX: f64 = 4.0;
/// A span this large of which less than this share was read was sampled thinly: a convention of
/// this program. At 4 KiB it is one block in a thousand, in a file of 64 GiB one each 4 MiB.
pub(super) const LARGE_SPAN: Bytes = Bytes::gib(64);
pub(super) const THIN_SHARE: f64 = 0.001;

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::Coverage;
    let random = || record.cells.iter().filter(|c| c.job.access == Access::Random);
    let mut spans: Vec<Span> = Vec::new();
    for cell in random().filter(|c| c.job.mix.reads()) {
        if !spans.contains(&cell.job.span) {
            spans.push(cell.job.span);
        }
    }
    let Some(main) = spans.first().copied() else {
        return not_observable(id, "no random reads were measured");
    };
    let mut tally = FindingBuilder::new(id);
    for span in spans {
        let cells: Vec<&Cell> = random().filter(|c| c.job.span == span).collect();
        judge_span(span, &cells, &mut tally);
    }
    let total = count_passes(main, random().filter(|c| c.job.span == main));
    let length = main.length;
    let summary = match tally.status {
        Status::Warning => format!("a span of {length} may lie in a cache on the way to the disk"),
        Status::Note if total > 1.0 => {
            format!("blocks of the span of {length} were read more than once")
        }
        Status::Note => format!("only {} of the span of {length} was read", Ratio(total)),
        _ => format!("random reads covered the span of {length} {total:.2} times in all"),
    };
    let remedy = if total > 1.0 || length < TINY_SPAN {
        "measure a larger part of the disk: --size 4g or more"
    } else {
        "measure longer, or take it for a sample: places that were not read may differ"
    };
    tally.finish(summary, Some(remedy))
}

/// How often the reads of `cells` went over the span, on average.
fn count_passes<'a>(span: Span, cells: impl Iterator<Item = &'a Cell>) -> f64 {
    let read: f64 = cells.map(|c| c.ledger.read_bytes.0 as f64).sum();
    read / span.length.0.max(1) as f64
}

fn judge_span(span: Span, cells: &[&Cell], tally: &mut FindingBuilder) {
    let total = count_passes(span, cells.iter().copied());
    let length = span.length;
    let read = Bytes((total * length.0 as f64) as u64);
    let fact = format!("{read} read at random over a span of {length}");
    tally.add_fact(Evidence::figure("passes", fact, total));
    if length >= LARGE_SPAN && total < THIN_SHARE {
        let value = format!("{} of {length}, spread evenly", Ratio(total));
        tally.raise_status(Status::Note, Evidence::figure("share read", value, total));
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
        tally.mark_cell(cell, status, Evidence::figure(&cell.name, value, own));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};

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
