//! Content: does it matter what the blocks hold?
//!
//! The same place is written with unique data, zeros and copies, each in a short slice and read
//! back at once, over and over: what drifts meanwhile touches all three alike. Every other round
//! goes through them backwards, so that a steady drift cancels within two rounds.
//!
//! A slice writes from the start of the place for its time, and what it wrote is what is read back.
//! At the end all that was touched holds unique data again.

use record::{Content, Trial};
use target::extents;
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Mix, Payload, Span, Stop};

use super::{deadline, slice};
use crate::error::MethodError;
use crate::stage::{Flow, Stage};

/// Large enough for a device that compresses to gain by it, small enough that a short slice has
/// many; one at a time, for what waits in a queue says more of the queue than of the contents, and
/// on a busy host most of all of the host.
const BLOCK: Bytes = Bytes::kib(16);
const DEPTH: Depth = Depth(1);
/// More is no better, and would wear the disk.
const PLACE_MAX: Bytes = Bytes::mib(64);
/// Three rounds are the least for an interval; more than eight add cells and little else.
const ROUNDS: (u64, u64) = (4, 8);
const ROUNDS_NEEDED: u64 = 3;
/// Written and read back, of each content.
const CELLS: u64 = 6;
/// A slice that is worth a round more.
const SLICE_GOOD: Nanos = Nanos::millis(10);
const SLICE_MIN: Nanos = Nanos::millis(5);
/// A slice of fewer operations has no median (the analysis asks for as many): on a host that is
/// starved of processor time the slices grow, up to this. The rounds end by the deadline all the
/// same.
const WORTH: u64 = 8;
const SLICE_MOST: Nanos = Nanos::millis(80);

/// Longest time for making everything unique again: as much as was written in all slices of a
/// check takes a small part of it.
const RESTORE_MOST: Nanos = Nanos::secs(2);

const RESTORE_DEPTH: Depth = Depth(8);
const WORDS: &str = "unique data, zeros and copies";
const CONTENTS: [Content; 3] = [Content::Unique, Content::Zeros, Content::Repeated];

pub(super) fn run(stage: &mut Stage<'_>, base: &Job, time: Nanos) -> Result<Flow, MethodError> {
    // Through the page cache nothing of it reaches the device within a slice.
    if !stage.writable || !stage.direct {
        return Ok(Flow::GoOn);
    }
    let good = super::AROUND_A_CELL.0 + SLICE_GOOD.0;
    let rounds = (time.0 / (CELLS * good)).clamp(ROUNDS.0, ROUNDS.1);
    let slice = slice(time, CELLS * rounds, SLICE_MIN);
    let until = deadline(stage, time);
    let at_last = Nanos(until.0 + time.0);
    let mut work = Work { base, slice, touched: Bytes(0) };
    for round in 1..=rounds {
        if work.round(stage, round)? == Flow::End {
            return Ok(Flow::End);
        }
        let late = if round < ROUNDS_NEEDED { at_last } else { until };
        if stage.used() > late {
            break;
        }
    }
    work.restore(stage)
}

/// What every slice has in common.
struct Work<'a> {
    base: &'a Job,
    slice: Nanos,
    /// From the start of the span, so much may hold something other than unique data.
    touched: Bytes,
}

impl Work<'_> {
    /// Every content, written and read back.
    fn round(&mut self, stage: &mut Stage<'_>, round: u64) -> Result<Flow, MethodError> {
        let mut order = CONTENTS;
        if round.is_multiple_of(2) {
            order.reverse();
        }
        for content in order {
            if self.both(stage, content, round as u32)? == Flow::End {
                return Ok(Flow::End);
            }
        }
        Ok(Flow::GoOn)
    }

    /// One content: written for a slice, and what was written read back.
    fn both(
        &mut self,
        stage: &mut Stage<'_>,
        content: Content,
        round: u32,
    ) -> Result<Flow, MethodError> {
        let before = stage.cells.len();
        let most = stage.span.length.min(PLACE_MAX);
        let write = self.job(stage, content, true, (self.slice, most));
        let trial = |written, encoded| Trial::Content { content, written, round, encoded };
        if stage.trial(&write, trial(true, None), WORDS)? == Flow::End {
            return Ok(Flow::End);
        }
        // A busy host may have let nothing through: then there is nothing to read back either.
        let Some(cell) = stage.cells.get(before) else { return Ok(Flow::GoOn) };
        let (written, ops) = (cell.ledger.write_bytes.min(most), cell.ledger.write_ops);
        if ops < WORTH && round == 1 {
            let longer = self.slice.0.saturating_mul(WORTH / ops.max(1));
            self.slice = Nanos(longer).min(SLICE_MOST).max(self.slice);
        }
        self.touched = self.touched.max(written);
        if (content, round) == (Content::Zeros, 1) {
            let encoded = encoded(stage, written);
            stage.cells[before].trial = Some(trial(true, encoded));
        }
        let read = self.job(stage, content, false, (self.slice, written));
        stage.trial(&read, trial(false, None), WORDS)
    }

    /// Nothing that is measured after this reads zeros or copies.
    fn restore(&self, stage: &mut Stage<'_>) -> Result<Flow, MethodError> {
        if self.touched.0 == 0 {
            return Ok(Flow::GoOn);
        }
        let job = self.job(stage, Content::Unique, true, (RESTORE_MOST, self.touched));
        let job = Job { depth: RESTORE_DEPTH, ..job };
        let (content, written, round) = (Content::Unique, true, 0);
        stage.trial(&job, Trial::Content { content, written, round, encoded: None }, WORDS)
    }

    /// Goes through the first bytes of the span once, for no longer than the time.
    fn job(
        &self,
        stage: &Stage<'_>,
        content: Content,
        written: bool,
        (time, bytes): (Nanos, Bytes),
    ) -> Job {
        let (name, payload) = match content {
            Content::Unique => ("unique", Payload::Unique),
            Content::Zeros => ("zeros", Payload::Zero),
            Content::Repeated => ("copies", Payload::Dedupable { percent: 100 }),
        };
        let (verb, mix) = if written { ("write", Mix::Write) } else { ("read", Mix::Read) };
        Job {
            name: format!("{verb}-{name}"),
            access: Access::Sequential,
            mix,
            payload,
            block_size: BLOCK.max(self.base.block_size),
            depth: DEPTH,
            warm_up: Nanos::ZERO,
            span: Span { length: bytes, ..stage.span },
            stop: Stop { time: Some(time), bytes: Some(bytes), operations: None },
            ..self.base.clone()
        }
    }
}

/// What of the first bytes the file system calls encoded; `None` where it cannot be asked.
fn encoded(stage: &Stage<'_>, length: Bytes) -> Option<Bytes> {
    let file = &stage.opened()?.file;
    extents(file, stage.span.offset, length).ok().flatten().map(|summary| summary.encoded)
}

#[cfg(test)]
mod tests {
    use engine::StopFlag;
    use record::Cell;

    use super::*;
    use crate::Silent;
    use crate::trial::testing::{CAPACITY, ssd};

    fn contents(cells: &[Cell]) -> Vec<(Content, bool, u32)> {
        let of = |cell: &Cell| match cell.trial {
            Some(Trial::Content { content, written, round, .. }) => (content, written, round),
            other => panic!("{other:?}"),
        };
        cells.iter().map(of).collect()
    }

    #[test]
    fn rounds_alternate_and_end_with_unique_data_over_all_of_the_place() {
        let (stop, mut silent) = (StopFlag::default(), Silent);
        let mut stage = Stage::simulated(ssd(), CAPACITY, &stop, &mut silent);
        let base = stage.base_job();
        assert_eq!(run(&mut stage, &base, Nanos::millis(800)).unwrap(), Flow::GoOn);
        let seen = contents(&stage.cells);
        assert_eq!(seen.last(), Some(&(Content::Unique, true, 0)));
        let of_round = |round: u32| -> Vec<(Content, bool)> {
            seen.iter().filter(|s| s.2 == round).map(|s| (s.0, s.1)).collect()
        };
        let forth: Vec<_> = CONTENTS.iter().flat_map(|c| [(*c, true), (*c, false)]).collect();
        let back: Vec<_> = CONTENTS.iter().rev().flat_map(|c| [(*c, true), (*c, false)]).collect();
        assert_eq!((of_round(1), of_round(2)), (forth, back));
        let rounds = seen.iter().map(|s| s.2).max().unwrap();
        assert!(u64::from(rounds) >= ROUNDS.0, "{rounds}");
        // What is read back is what was written just before, and all of it is unique at the end.
        for pair in stage.cells.chunks_exact(2) {
            let written = pair[0].ledger.write_bytes;
            assert_eq!(pair[1].job.span, Span { length: written, ..stage.span });
            assert!(pair[1].ledger.read_bytes.0 > 0 && written <= PLACE_MAX);
        }
        let most = stage.cells.iter().map(|cell| cell.ledger.write_bytes).max();
        assert_eq!(stage.cells.last().map(|cell| cell.ledger.write_bytes), most);
    }

    #[test]
    fn without_leave_to_write_or_past_the_page_cache_nothing_is_done() {
        let (stop, mut silent) = (StopFlag::default(), Silent);
        let mut stage = Stage::simulated(ssd(), CAPACITY, &stop, &mut silent);
        let base = stage.base_job();
        for (writable, direct) in [(false, true), (true, false)] {
            (stage.writable, stage.direct) = (writable, direct);
            assert_eq!(run(&mut stage, &base, Nanos::secs(1)).unwrap(), Flow::GoOn);
            assert!(stage.cells.is_empty());
        }
    }
}
