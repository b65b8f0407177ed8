//! `device-cache`: how large is a cache in front of the medium, and is the headline its own?
//!
//! Random reads within parts of the span that were read before: see `working_set`. Every drive has
//! a cache; it matters when the span that was measured fits into it, or nearly. Blind spots: caches
//! smaller than 16 MiB, or larger than the largest part that the time allowed; one that keeps
//! nothing of what is read.

use record::{Cell, CellRole, Evidence, Finding, FindingId, Measured, Status, Trial};
use units::{Bytes, Iops, Nanos, Ratio};
use workload::{Access, Mix};

use super::reread::{self, Cause, Rereads};
use super::working_set::{self, CacheStep, SpanPart, WorkingSet};
use super::{FindingBuilder, not_observable};

/// Share of the span from which the headline is the cache's.
const CACHED_SHARE_MIN: f64 = 0.5;

pub(super) fn check(record: &Measured) -> Finding {
    let id = FindingId::DeviceCache;
    match working_set::find_cache_step(record) {
        WorkingSet::Not(why) => not_observable(id, why),
        WorkingSet::Flat(parts) => {
            let mut tally = FindingBuilder::new(id);
            add_part_facts(&parts, record, &mut tally);
            let (first, last) = (parts.first(), parts.last());
            let size = |part: Option<&SpanPart>| part.map_or(Bytes(0), |part| part.size);
            let (first, last) = (size(first), size(last));
            let summary = format!("reads within {first} take as long as over all of the {last}");
            tally.finish(summary, None)
        }
        WorkingSet::Step(step) => cache_finding(record, &step),
    }
}

fn cache_finding(record: &Measured, step: &CacheStep) -> Finding {
    let id = FindingId::DeviceCache;
    if !step.bounded && may_be_first_touch(record) {
        let why = "parts that had been read are faster than the rest, which a cache explains as \
                   well as blocks fetched on first touch: see first-touch";
        return not_observable(id, why);
    }
    let mut tally = FindingBuilder::new(id);
    let share = step.span_share(record);
    add_part_facts(&step.parts, record, &mut tally);
    let words = format!("{}, within a factor of two", step.size);
    tally.add_fact(Evidence::figure("size of the cache", words, step.size.0 as f64));
    let fact = Evidence::figure("share of the span that it holds", Ratio(share).to_string(), share);
    let speeds = format!("{} from the cache, {} from the medium", step.hit, step.miss);
    if share < CACHED_SHARE_MIN {
        tally.raise_status(Status::Note, fact);
        let size = step.size;
        return tally.finish(
            format!("a cache of about {size} ({speeds}) holds {} of the span", Ratio(share)),
            Some("nothing: the span is larger than the cache; smaller ones look faster"),
        );
    }
    for cell in record.cells.iter().filter(|cell| is_random_read_figure(cell)) {
        let value = format!("about {} of its reads come from the cache", Ratio(share));
        tally.mark_cell(cell, Status::Warning, Evidence::figure(&cell.name, value, share));
    }
    tally.raise_status(Status::Warning, fact);
    tally.finish(
        format!("the figures are those of a cache of about {}: {speeds}", step.size),
        Some("measure several times as much as the cache holds: --size"),
    )
}

/// Whether blocks of the whole span, which was not read as a whole, may have been read for the
/// first time.
fn may_be_first_touch(record: &Measured) -> bool {
    let known = match reread::find_rereads(record) {
        Rereads::Not(_) => false,
        Rereads::Both(reread) => matches!(reread.cause(record), Cause::Cache(_)),
    };
    record.layout.is_none() && !known
}

/// Random reads whose figures are told.
fn is_random_read_figure(cell: &Cell) -> bool {
    let told = !matches!(cell.role, CellRole::Trial | CellRole::Disturbed | CellRole::Idle);
    told && cell.job.access == Access::Random && cell.job.mix == Mix::Read
}

/// What each part showed.
fn add_part_facts(parts: &[SpanPart], record: &Measured, tally: &mut FindingBuilder) {
    for part in parts {
        let deep = record.cells.iter().find(|cell| {
            cell.trial == Some(Trial::WorkingSet { size: part.size })
                && cell.job.depth.0 > 1
                && cell.job.block_size < Bytes::mib(1)
        });
        let deep = deep.map(|cell| format!(", {} at depth {}", Iops(cell.iops()), cell.job.depth));
        let (p50, hits) = (Nanos(part.p50_ns), Ratio(part.hits));
        let value = format!("median {p50}, {hits} fast{}", deep.unwrap_or_default());
        tally.add_fact(Evidence::figure(format!("within {}", part.size), value, part.hits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    #[test]
    fn a_cache_much_smaller_than_the_span_is_a_note_with_its_size() {
        let mut record = sample_record();
        working_set::add(
            &mut record,
            &[(16, 1.0), (64, 1.0), (256, 0.5), (1024, 0.12), (4096, 0.03)],
        );
        let finding = check(&record);
        assert_eq!(finding.status, Status::Note, "{finding:#?}");
        let size = finding.evidence.iter().find(|e| e.what == "size of the cache").unwrap();
        let mib = size.figure.unwrap() / Bytes::MIB as f64;
        assert!((64.0..256.0).contains(&mib), "{mib}");
        assert!(finding.cells.is_empty());
    }

    #[test]
    fn a_span_that_lies_in_the_cache_is_a_warning() {
        let mut record = sample_record();
        record.plan.span = Bytes::mib(1024);
        working_set::add(&mut record, &[(16, 1.0), (64, 1.0), (256, 1.0), (1024, 0.6)]);
        let finding = check(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        assert!(finding.cells.contains(&"randread-4k-qd64".to_owned()));
        assert!(!finding.cells.iter().any(|name| name.starts_with("working-set")));
    }

    #[test]
    fn a_plain_disk_has_none_to_speak_of() {
        let mut record = sample_record();
        assert_eq!(check(&record).status, Status::NotObservable);
        working_set::add(&mut record, &[(16, 0.0), (64, 0.0), (4096, 0.0)]);
        assert_eq!(check(&record).status, Status::Ok);
    }

    #[test]
    fn first_touch_is_not_called_a_cache() {
        let parts = [(16, 1.0), (64, 1.0), (4096, 0.02)];
        let mut record = sample_record();
        record.layout = None;
        working_set::add(&mut record, &parts);
        assert_eq!(check(&record).status, Status::NotObservable);
        reread::add(&mut record, &[(100, 20); 3]);
        assert_eq!(check(&record).status, Status::Note, "second reads show the cache");
    }
}
