//! The reading half of `first-touch`: is the first read of a block slower than those after it?
//!
//! Volumes made from a snapshot fetch each block from elsewhere when it is first read (Amazon EBS:
//! from S3, with less than half of the usual IOPS). Blind spots: a file of our own, whose blocks
//! this run has just written; a difference that a cache explains as well (see `host-cache`).

use record::{CellRole, Evidence, Finding, FindingId, Measured, Status};

use super::super::reread::{self, Cause, Rereads};
use super::super::working_set::{self, WorkingSet};
use super::super::{FindingBuilder, not_observable};

pub(super) fn check_reads(record: &Measured) -> Finding {
    let id = FindingId::FirstTouch;
    if record.layout.is_some() {
        let why = "this run wrote its blocks itself: how slow the first read of older ones is, a \
                   run with --read-only on the device shows";
        return not_observable(id, why);
    }
    let reread = match reread::find_rereads(record) {
        Rereads::Not(why) => return not_observable(id, why),
        Rereads::Both(reread) => reread,
    };
    let mut tally = FindingBuilder::new(id);
    tally.add_fact(Evidence::figure("second reads", reread.describe(), reread.speedup()));
    match reread.cause(record) {
        Cause::None => {
            let summary = "the first read of a block takes no longer than the second";
            return tally.finish(summary.to_owned(), None);
        }
        Cause::Cache(_) => {
            return not_observable(id, "second reads come from a cache: see host-cache");
        }
        Cause::Filled if matches!(working_set::find_cache_step(record), WorkingSet::Step(s) if s.bounded) =>
        {
            return not_observable(id, "second reads come from a cache: see host-cache");
        }
        Cause::Filled => {}
    }
    tally.add_fact(Evidence::text("measured by", reread.cell_names()));
    let told = |role| !matches!(role, CellRole::Trial | CellRole::Disturbed);
    for cell in record.cells.iter().filter(|cell| told(cell.role) && cell.job.mix.reads()) {
        let value = "read blocks that had not been read before";
        tally.mark_cell(cell, Status::Warning, Evidence::text(&cell.name, value));
    }
    tally.status = tally.status.max(Status::Note);
    let summary = format!(
        "the first read of a block takes {:.1} times as long as the second: blocks are fetched on \
         first touch, or a large cache keeps them",
        reread.speedup()
    );
    let remedy = "read the whole volume once before it is used or measured, or have the provider \
                  initialise it; the figures are those of a volume that was not";
    tally.finish(summary, Some(remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;

    fn read_only() -> Measured {
        Measured { layout: None, ..sample_record() }
    }

    #[test]
    fn blocks_that_are_fetched_once_are_found() {
        let mut record = read_only();
        reread::add(&mut record, &[(6_000, 600), (5_800, 610), (6_100, 590)]);
        let finding = check_reads(&record);
        assert_eq!(finding.status, Status::Warning, "{finding:#?}");
        assert!(finding.summary.contains("takes 9.9 times"), "{}", finding.summary);
        assert!(finding.cells.contains(&"randread-4k-qd1".to_owned()));
        assert!(!finding.cells.contains(&"randwrite-4k-qd1".to_owned()));
    }

    #[test]
    fn plain_disks_and_caches_are_not() {
        let check = |first, again, status| {
            let mut record = read_only();
            reread::add(&mut record, &[(first, again); 3]);
            assert_eq!(check_reads(&record).status, status, "{first} {again}");
        };
        check(600, 590, Status::Ok);
        check(600, 450, Status::Ok);
        check(100, 30, Status::NotObservable);
        check(9_000, 12, Status::NotObservable);
    }

    #[test]
    fn blocks_of_our_own_say_nothing() {
        let mut record = sample_record();
        reread::add(&mut record, &[(6_000, 600); 3]);
        assert_eq!(check_reads(&record).status, Status::NotObservable);
        assert_eq!(super::check_reads(&read_only()).status, Status::NotObservable);
    }
}
