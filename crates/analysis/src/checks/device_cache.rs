//! `device-cache`: how large is a cache in front of the medium, and do the figures come from it?
//! See [`crate::evidence::working_set`].

use record::Trial;

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
            Ok(format!("reads within {first} take as long as over all of the {last}").into())
        }
        WorkingSet::Step(step) => judge_step(measured, &step, finding),
    }
}

fn judge_step(measured: &Measured, step: &CacheStep, finding: &mut FindingBuilder) -> Outcome {
    if !step.bounded && may_be_first_touch(measured) {
        let why = "parts that had been read are faster than the rest, which a cache explains as \
            well as blocks fetched on first touch: see first-touch";
        return Err(why.to_owned().into());
    }
    let (size, share) = (step.size, step.span_share(measured));
    add_part_facts(&step.parts, measured, finding);
    finding.add_figure(
        "size of the cache",
        format!("{size}, within a factor of two"),
        size.0 as f64,
    );
    let fact = Evidence::figure("share of the span that it holds", Ratio(share).to_string(), share);
    let speeds = format!("{} from the cache, {} from the medium", step.hit, step.miss);
    if share < CACHED_SHARE_MIN {
        finding.raise_status(Status::Note, fact);
        finding.remedy = Some(NothingToDo {}.into());
        return Ok(format!(
            "a cache of about {size} ({speeds}) holds {} of the span",
            Ratio(share)
        )
        .into());
    }
    for cell in measured.cells.iter().filter(|cell| is_random_read_figure(cell)) {
        let value = format!("about {} of its reads come from the cache", Ratio(share));
        finding.mark(cell, Status::Warning, value, share);
    }
    finding.raise_status(Status::Warning, fact);
    finding.remedy = Some(MeasureMore {}.into());
    Ok(format!("the figures are those of a cache of about {size}: {speeds}").into())
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
        let deep = deep.map(|cell| format!(", {} at depth {}", Iops(cell.iops()), cell.job.depth));
        let (p50, hits) = (Nanos(part.p50_ns), Ratio(part.hits));
        let value = format!("median {p50}, {hits} fast{}", deep.unwrap_or_default());
        finding.add_figure(format!("within {}", part.size), value, part.hits);
    }
}

messages! {
    pub(crate) static MESSAGES;
    NothingToDo = "remedy-span-larger-than-cache";
    MeasureMore = "remedy-measure-several-caches";
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
