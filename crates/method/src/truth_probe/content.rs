//! Content: does it matter what the blocks hold? The same place is written with unique data, zeros
//! and copies in short slices, and read back. Every other round goes backwards, so that a steady
//! drift cancels. At the end all that was touched holds unique data again.

use record::{Content, Trial};
use target::query_extents;
use units::{Bytes, Depth, Nanos};
use workload::{Access, Job, Mix, Payload, Span, Stop};

use super::timing::{CELL_OVERHEAD, cell_time, probe_deadline};
use crate::error::HaltResult;
use crate::session::Session;

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
const CELLS: u64 = 6;
const SLICE_GOOD: Nanos = Nanos::millis(10);
const SLICE_MIN: Nanos = Nanos::millis(5);
/// A slice of fewer operations has no median (the analysis asks for as many): on a host that is
/// starved of processor time the slices grow, up to this. The rounds end by the deadline all the
/// same.
const OPERATIONS_MIN: u64 = 8;
const SLICE_MAX: Nanos = Nanos::millis(80);

/// Longest time for making everything unique again: as much as was written in all slices of a
/// check takes a small part of it.
const RESTORE_MAX: Nanos = Nanos::secs(2);

const RESTORE_DEPTH: Depth = Depth(8);
const CONTENTS: [Content; 3] = [Content::Unique, Content::Zeros, Content::Repeated];

pub(super) fn probe_content(session: &mut Session<'_>, base: &Job, time: Nanos) -> HaltResult {
    // Through the page cache nothing of it reaches the device within a slice.
    if !session.facts.writable || !session.facts.direct {
        return Ok(());
    }
    let good = CELL_OVERHEAD.0 + SLICE_GOOD.0;
    let rounds = (time.0 / (CELLS * good)).clamp(ROUNDS.0, ROUNDS.1);
    let slice = cell_time(time, CELLS * rounds, SLICE_MIN);
    let until = probe_deadline(session, time);
    let at_last = Nanos(until.0 + time.0);
    let mut work = ContentProbe { base, slice, touched: Bytes(0) };
    for round in 1..=rounds {
        work.run_round(session, round)?;
        let late = if round < ROUNDS_NEEDED { at_last } else { until };
        if session.elapsed() > late {
            break;
        }
    }
    work.restore_unique(session)
}

struct ContentProbe<'a> {
    base: &'a Job,
    slice: Nanos,
    /// Bytes from the start of the span that may hold something other than unique data.
    touched: Bytes,
}

impl ContentProbe<'_> {
    fn run_round(&mut self, session: &mut Session<'_>, round: u64) -> HaltResult {
        let mut order = CONTENTS;
        if round.is_multiple_of(2) {
            order.reverse();
        }
        for content in order {
            self.write_and_read(session, content, round as u32)?;
        }
        Ok(())
    }

    fn write_and_read(
        &mut self,
        session: &mut Session<'_>,
        content: Content,
        round: u32,
    ) -> HaltResult {
        let before = session.cells.len();
        let most = session.facts.span.length.min(PLACE_MAX);
        let write = self.build_job(session, content, true, (self.slice, most));
        let trial = |written, encoded| Trial::Content { content, written, round, encoded };
        session.measure_probe(&write, trial(true, None))?;
        // A busy host may have let nothing through: then there is nothing to read back either.
        let Some(cell) = session.cells.get(before) else { return Ok(()) };
        let (written, ops) = (cell.ledger.write_bytes.min(most), cell.ledger.write_ops);
        if ops < OPERATIONS_MIN && round == 1 {
            let longer = self.slice.0.saturating_mul(OPERATIONS_MIN / ops.max(1));
            self.slice = Nanos(longer).min(SLICE_MAX).max(self.slice);
        }
        self.touched = self.touched.max(written);
        if (content, round) == (Content::Zeros, 1) {
            let encoded = encoded_bytes(session, written);
            session.cells[before].trial = Some(trial(true, encoded));
        }
        let read = self.build_job(session, content, false, (self.slice, written));
        session.measure_probe(&read, trial(false, None))
    }

    fn restore_unique(&self, session: &mut Session<'_>) -> HaltResult {
        if self.touched.0 == 0 {
            return Ok(());
        }
        let job = self.build_job(session, Content::Unique, true, (RESTORE_MAX, self.touched));
        let job = Job { depth: RESTORE_DEPTH, ..job };
        let (content, written, round) = (Content::Unique, true, 0);
        session.measure_probe(&job, Trial::Content { content, written, round, encoded: None })
    }

    fn build_job(
        &self,
        session: &Session<'_>,
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
            span: Span { length: bytes, ..session.facts.span },
            stop: Stop { bytes: Some(bytes), ..Stop::after(time) },
            ..self.base.clone()
        }
    }
}

/// What of the first bytes the file system calls encoded; `None` where it cannot be asked.
fn encoded_bytes(session: &Session<'_>, length: Bytes) -> Option<Bytes> {
    let file = &session.opened()?.file;
    query_extents(file, session.facts.span.offset, length)
        .ok()
        .flatten()
        .map(|summary| summary.encoded)
}

#[cfg(test)]
mod tests {
    use engine::StopSignal;
    use record::Cell;

    use super::*;
    use crate::observer::SilentObserver;
    use crate::truth_probe::testing::{CAPACITY, ssd};

    fn contents(cells: &[Cell]) -> Vec<(Content, bool, u32)> {
        let of = |cell: &Cell| match cell.trial {
            Some(Trial::Content { content, written, round, .. }) => (content, written, round),
            other => panic!("{other:?}"),
        };
        cells.iter().map(of).collect()
    }

    #[test]
    fn rounds_alternate_and_end_with_unique_data_over_all_of_the_place() {
        let (stop, mut silent) = (StopSignal::default(), SilentObserver);
        let mut session = Session::simulated(ssd(), CAPACITY, &stop, &mut silent);
        let base = session.base_job();
        probe_content(&mut session, &base, Nanos::millis(800)).unwrap();
        let seen = contents(&session.cells);
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
        for pair in session.cells.chunks_exact(2) {
            let written = pair[0].ledger.write_bytes;
            assert_eq!(pair[1].job.span, Span { length: written, ..session.facts.span });
            assert!(pair[1].ledger.read_bytes.0 > 0 && written <= PLACE_MAX);
        }
        let most = session.cells.iter().map(|cell| cell.ledger.write_bytes).max();
        assert_eq!(session.cells.last().map(|cell| cell.ledger.write_bytes), most);
    }

    #[test]
    fn without_leave_to_write_or_past_the_page_cache_nothing_is_done() {
        let (stop, mut silent) = (StopSignal::default(), SilentObserver);
        let mut session = Session::simulated(ssd(), CAPACITY, &stop, &mut silent);
        let base = session.base_job();
        for (writable, direct) in [(false, true), (true, false)] {
            (session.facts.writable, session.facts.direct) = (writable, direct);
            probe_content(&mut session, &base, Nanos::secs(1)).unwrap();
            assert!(session.cells.is_empty());
        }
    }
}
