//! Content: does it matter what the blocks hold?
//!
//! The same place is written with unique data, zeros and copies, each in a short slice and read
//! back at once, over and over: what drifts meanwhile touches all three alike. Every other round
//! goes through them backwards, so that a steady drift cancels within two rounds.
//!
//! The place is as large as what a first slice of unique writes moves, so that every slice writes
//! all of it, and what is read back is what was written. At the end it holds unique data again.

use record::{Content, Trial};
use target::extents;
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Mix, Payload, Span, Stop};

use super::{deadline, slice};
use crate::error::MethodError;
use crate::stage::{Flow, Stage};

/// Large enough for a device that compresses to gain by it, small enough that a short slice has
/// many.
const BLOCK: Bytes = Bytes::kib(64);
const DEPTH: Depth = Depth(8);
/// Copies come from eight blocks: of fewer than these, too many would be the first of their kind.
const BLOCKS_MIN: u64 = 32;
/// More is no better, and would wear the disk.
const PLACE_MAX: Bytes = Bytes::mib(64);
/// Three rounds are the least for an interval; more than eight add cells and little else.
const ROUNDS: (u64, u64) = (4, 8);
/// Written and read back, of each content.
const CELLS: u64 = 6;
/// A slice that is worth a round more.
const SLICE_GOOD: Nanos = Nanos::millis(10);
const SLICE_MIN: Nanos = Nanos::millis(5);
/// Times that a slice may take what the first one took: then it is cut off.
const PATIENCE: u64 = 6;

const CONTENTS: [Content; 3] = [Content::Unique, Content::Zeros, Content::Repeated];

pub(super) fn run(stage: &mut Stage<'_>, base: &Job, time: Nanos) -> Result<Flow, MethodError> {
    // Through the page cache nothing of it reaches the device within a slice.
    if !stage.writable || !stage.direct {
        return Ok(Flow::GoOn);
    }
    let good = super::AROUND_A_CELL.0 + SLICE_GOOD.0;
    let rounds = (time.0 / (CELLS * good)).clamp(ROUNDS.0, ROUNDS.1);
    let slice = slice(time, CELLS * rounds + 1, SLICE_MIN);
    let until = deadline(stage, time);
    let Some(place) = place(stage, base, slice)? else { return Ok(Flow::End) };
    let work = Work { base, place, time: Nanos(slice.0 * PATIENCE) };
    for round in 1..=rounds {
        if work.round(stage, round)? == Flow::End {
            return Ok(Flow::End);
        }
        if stage.used() > until {
            break;
        }
    }
    // Nothing that is measured after this reads zeros.
    work.slice(stage, Content::Unique, true, 0)
}

/// Writes unique data for a slice: what was moved is the place of all that follow. `None` when
/// the run is over.
fn place(stage: &mut Stage<'_>, base: &Job, slice: Nanos) -> Result<Option<Span>, MethodError> {
    let block = BLOCK.max(base.block_size);
    let room = stage.span.length.min(PLACE_MAX).max(block);
    let place = Span { length: room, ..stage.span };
    let first = Work { base, place, time: slice };
    if first.slice(stage, Content::Unique, true, 0)? == Flow::End {
        return Ok(None);
    }
    let moved = stage.cells.last().map_or(0, |cell| cell.ledger.write_bytes.0);
    let blocks = (moved / block.0).clamp(BLOCKS_MIN, (room.0 / block.0).max(1));
    let length = Bytes(blocks * block.0).min(room);
    Ok(Some(Span { length, ..stage.span }))
}

/// What every slice has in common.
struct Work<'a> {
    base: &'a Job,
    place: Span,
    /// A slice is cut off after this.
    time: Nanos,
}

impl Work<'_> {
    /// Every content, written and read back.
    fn round(&self, stage: &mut Stage<'_>, round: u64) -> Result<Flow, MethodError> {
        let mut order = CONTENTS;
        if round.is_multiple_of(2) {
            order.reverse();
        }
        for content in order {
            for written in [true, false] {
                if self.slice(stage, content, written, round as u32)? == Flow::End {
                    return Ok(Flow::End);
                }
            }
        }
        Ok(Flow::GoOn)
    }

    fn slice(
        &self,
        stage: &mut Stage<'_>,
        content: Content,
        written: bool,
        round: u32,
    ) -> Result<Flow, MethodError> {
        let (name, payload) = match content {
            Content::Unique => ("unique", Payload::Unique),
            Content::Zeros => ("zeros", Payload::Zero),
            Content::Repeated => ("copies", Payload::Dedupable { percent: 100 }),
        };
        let (verb, mix) = if written { ("write", Mix::Write) } else { ("read", Mix::Read) };
        let job = Job {
            name: format!("{verb}-{name}"),
            access: Access::Sequential,
            mix,
            payload,
            block_size: BLOCK.max(self.base.block_size),
            depth: DEPTH,
            warm_up: Nanos::ZERO,
            span: self.place,
            stop: Stop { time: Some(self.time), bytes: Some(self.place.length), operations: None },
            ..self.base.clone()
        };
        let mut trial = Trial::Content { content, written, round, encoded: None };
        let flow = stage.trial(&job, trial, "unique data, zeros and copies")?;
        if let (Content::Zeros, true, 1) = (content, written, round) {
            trial = Trial::Content { content, written, round, encoded: self.encoded(stage) };
            if let Some(cell) = stage.cells.last_mut().filter(|cell| cell.trial.is_some()) {
                cell.trial = Some(trial);
            }
        }
        Ok(flow)
    }

    /// What of the place the file system calls encoded; `None` where it cannot be asked.
    fn encoded(&self, stage: &Stage<'_>) -> Option<Bytes> {
        let file = &stage.opened()?.file;
        let summary = extents(file, self.place.offset, self.place.length).ok().flatten()?;
        Some(summary.encoded)
    }
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
        let (first, last) = (seen[0], seen[seen.len() - 1]);
        assert_eq!([first, last], [(Content::Unique, true, 0); 2]);
        let of_round = |round: u32| -> Vec<(Content, bool)> {
            seen.iter().filter(|s| s.2 == round).map(|s| (s.0, s.1)).collect()
        };
        let (Content::Unique, Content::Zeros, Content::Repeated) =
            (CONTENTS[0], CONTENTS[1], CONTENTS[2])
        else {
            panic!("{CONTENTS:?}")
        };
        let forth: Vec<_> = CONTENTS.iter().flat_map(|c| [(*c, true), (*c, false)]).collect();
        let back: Vec<_> = CONTENTS.iter().rev().flat_map(|c| [(*c, true), (*c, false)]).collect();
        assert_eq!((of_round(1), of_round(2)), (forth, back));
        let rounds = seen.iter().map(|s| s.2).max().unwrap();
        assert!(u64::from(rounds) >= ROUNDS.0, "{rounds}");
        // Every slice is the same bytes of the same place.
        let place = stage.cells[1].job.span;
        assert!(place.length.0 >= BLOCKS_MIN * BLOCK.0 && place.length <= PLACE_MAX);
        for cell in &stage.cells[1..] {
            let moved = cell.ledger.write_bytes.0 + cell.ledger.read_bytes.0;
            assert_eq!((cell.job.span, moved), (place, place.length.0), "{}", cell.name);
        }
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
