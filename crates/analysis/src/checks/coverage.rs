//! `coverage`: how much of the target was touched, and how often?
//!
//! Random reads that come back to the same blocks again and again are answered by whatever cache
//! is on the way; a span of a few megabytes fits into every disk's. Blind spot: the size of the
//! cache, which is not known here.

use record::{Evidence, Finding, FindingId, Record, Status};
use units::Bytes;
use workload::Access;

use super::{Tally, not_observable};

/// Disks have caches up to this size (8 to 512 MB on rotating disks, 1 MB per GB on SSDs).
const CACHE_SIZED: Bytes = Bytes::gib(1);
/// Small enough for any cache on the way.
const TINY: Bytes = Bytes::mib(64);
/// So many passes over a span of cache size mean that most reads were repetitions.
const PASSES: f64 = 4.0;

pub(super) fn check(record: &Record) -> Finding {
    let id = FindingId::Coverage;
    let mut tally = Tally::new(id);
    let random = || record.cells.iter().filter(|c| c.job.access == Access::Random);
    let Some(first) = random().next() else {
        return not_observable(id, "no random access was measured");
    };
    let span = first.job.span.length;
    let reads: u64 = random().map(|c| c.ledger.read_bytes.0).sum();
    let total = reads as f64 / span.0.max(1) as f64;
    let fact = format!("{} read at random over a span of {span}", Bytes(reads));
    tally.fact(Evidence::figure("passes", fact, total));
    let reading = || random().filter(|c| c.job.mix.reads());
    for cell in reading() {
        let passes = cell.ledger.read_bytes.0 as f64 / span.0.max(1) as f64;
        let again = total > PASSES && span < CACHE_SIZED;
        let status = match () {
            () if span < TINY || again => Status::Warning,
            () if passes > 1.0 && span < CACHE_SIZED => Status::Note,
            () => continue,
        };
        let value = format!("{passes:.2} passes over {span}");
        tally.touch(cell, status, Evidence::figure(&cell.name, value, passes));
    }
    let summary = match tally.status {
        Status::Warning => format!("a span of {span} may lie in a cache on the way to the disk"),
        Status::Note => format!("blocks of the span of {span} were read more than once"),
        _ => format!("random reads covered the span of {span} {total:.2} times in all"),
    };
    tally.finish(summary, Some("measure a larger part of the disk: --size 4g or more"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;

    #[test]
    fn small_spans_are_cache_sized() {
        let check = |span: Bytes, status| {
            let mut record = record();
            record.cells.iter_mut().for_each(|c| c.job.span.length = span);
            assert_eq!(check(&record).status, status, "{span}");
        };
        check(Bytes::gib(4), Status::Ok);
        check(Bytes::mib(128), Status::Warning);
        check(Bytes::mib(16), Status::Warning);
    }
}
