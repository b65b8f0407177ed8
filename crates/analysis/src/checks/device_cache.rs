//! `device-cache`: how large is a cache in front of the medium, and do the figures come from it?
//! See [`crate::evidence::working_set`].

use record::Trial;
use units::Depth;

use super::check::*;
use crate::cells::is_random_read_figure;
use crate::evidence::reread::{Cause, find_rereads};
use crate::evidence::working_set::{CacheStep, SpanPart, WorkingSet, find_cache_step};

pub(super) static CHECK: Check = Check {
    id: FindingId::DeviceCache,
    method: None,
    run: |subject, finding| check(subject.measured, finding),
};

/// Share of the span that a cache must hold for the figures to be its own.
const CACHED_SHARE_MIN: f64 = 0.5;

fn check(measured: &Measured, finding: &mut FindingBuilder) -> Outcome {
    match find_cache_step(measured)? {
        WorkingSet::Flat(parts) => {
            add_part_facts(&parts, measured, finding);
            let size = |part: Option<&SpanPart>| part.map_or(Bytes(0), |part| part.size);
            let (first, last) = (size(parts.first()), size(parts.last()));
            Ok(DeviceCacheNone { first, last }.into())
        }
        WorkingSet::Step(step) => judge_step(measured, &step, finding),
    }
}

fn judge_step(measured: &Measured, step: &CacheStep, finding: &mut FindingBuilder) -> Outcome {
    if !step.bounded && may_be_first_touch(measured) {
        return Err(label("device-cache-or-first-touch"));
    }
    let (size, share) = (step.size, step.span_share(measured));
    add_part_facts(&step.parts, measured, finding);
    finding.add_figure(label("device-cache-size"), DeviceCacheAbout { size }, size.0 as f64);
    let fact = Evidence::figure(label("device-cache-share"), Ratio(share), share);
    let (hit, miss, share) = (step.hit, step.miss, Ratio(share));
    if share.0 < CACHED_SHARE_MIN {
        finding.raise_status(Status::Note, fact);
        finding.remedy = Some(label("remedy-span-larger-than-cache"));
        return Ok(DeviceCacheSmall { size, hit, miss, share }.into());
    }
    for cell in measured.cells.iter().filter(|cell| is_random_read_figure(cell)) {
        finding.mark(cell, Status::Warning, DeviceCacheHits { share }, share.0);
    }
    finding.raise_status(Status::Warning, fact);
    finding.remedy = Some(label("remedy-measure-several-caches"));
    Ok(DeviceCacheFigures { size, hit, miss }.into())
}

/// Whether the rest of the span may have been read for the first time.
fn may_be_first_touch(measured: &Measured) -> bool {
    let is_cache = find_rereads(measured)
        .is_ok_and(|reread| matches!(reread.cause(measured), Cause::Cache(_)));
    measured.layout.is_none() && !is_cache
}

fn add_part_facts(parts: &[SpanPart], measured: &Measured, finding: &mut FindingBuilder) {
    for part in parts {
        let deep = measured.cells.iter().find(|cell| {
            cell.trial == Some(Trial::WorkingSet { size: part.size })
                && cell.job.depth.0 > 1
                && cell.job.block_size < Bytes::mib(1)
        });
        let (median, fast) = (Nanos(part.p50_ns), Ratio(part.hits));
        let value: Message = match deep {
            Some(cell) => {
                let (rate, depth) = (Iops(cell.iops()), cell.job.depth);
                DeviceCachePartAtDepth { median, fast, rate, depth }.into()
            }
            None => DeviceCachePart { median, fast }.into(),
        };
        finding.add_figure(DeviceCacheWithin { size: part.size }, value, part.hits);
    }
}

messages! {
    DeviceCacheNone = "device-cache-none" { first: Bytes, last: Bytes };
    DeviceCacheAbout = "device-cache-about" { size: Bytes };
    DeviceCacheSmall = "device-cache-small" { size: Bytes, hit: Nanos, miss: Nanos, share: Ratio };
    DeviceCacheHits = "device-cache-hits" { share: Ratio };
    DeviceCacheFigures = "device-cache-figures" { size: Bytes, hit: Nanos, miss: Nanos };
    DeviceCachePart = "device-cache-part" { median: Nanos, fast: Ratio };
    DeviceCachePartAtDepth = "device-cache-part-at-depth" {
        median: Nanos, fast: Ratio, rate: Iops, depth: Depth,
    };
    DeviceCacheWithin = "device-cache-within" { size: Bytes };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{reread, working_set};
    use crate::testing::sample_record;

    fn check(record: &Measured) -> record::Finding {
        CHECK.judge_alone(record)
    }

    #[test]
    fn a_cache_much_smaller_than_the_span_is_a_note_with_its_size() {
        let mut record = sample_record();
        working_set::add(
            &mut record,
            &[(16, 1.0), (64, 1.0), (256, 0.5), (1024, 0.12), (4096, 0.03)],
        );
        let finding = check(&record);
        assert_eq!(finding.status, Status::Note, "{finding:#?}");
        let size = finding.evidence.iter().find(|e| e.what.id() == "device-cache-size").unwrap();
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
