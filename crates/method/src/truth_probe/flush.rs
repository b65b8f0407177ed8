//! Flush: does it cost anything to make a write durable?
//!
//! One client overwrites the same few MiB in 4 KiB, in turn without and with an fdatasync after
//! each write. Nothing is allocated: what the fdatasync takes is the flush of the device.

use record::Trial;
use units::{Bytes, Depth, Nanos};
use workload::{Access, BackendChoice, Job, Mix, Payload, Span, Stop, SyncKind, SyncPolicy};

use super::{cell_time, probe_deadline};
use crate::error::MethodError;
use crate::session::{Flow, MeasureSession};

/// The same place for both: what is measured is the flush, not the way to another track.
const PLACE: Bytes = Bytes::mib(4);
/// Three are the least for an interval.
const ROUNDS: (u64, u64) = (3, 6);
/// A pair of slices that is worth a round more.
const PAIR_GOOD: Nanos = Nanos::millis(100);
/// A write alone takes a fraction of what one with a flush takes on most devices.
const PLAIN_SHARE: u64 = 4;
const SLICE_MIN: Nanos = Nanos::millis(5);
/// Fewer commits in the first slice than this, as on a host that is starved of processor time, and
/// the others are so many times as long. The rounds end by the deadline all the same.
const COMMITS_GOOD: u64 = 8;
const LONGER_FACTOR: u64 = 3;

pub(crate) fn probe_flush(
    stage: &mut MeasureSession<'_>,
    base: &Job,
    time: Nanos,
) -> Result<Flow, MethodError> {
    if !stage.writable || !stage.direct {
        return Ok(Flow::Continue);
    }
    let rounds = (time.0 / PAIR_GOOD.0).clamp(ROUNDS.0, ROUNDS.1);
    let both = Nanos(2 * cell_time(time, 2 * rounds, SLICE_MIN).0);
    let plain = Nanos(both.0 / PLAIN_SHARE).max(SLICE_MIN);
    let flushed = Nanos(both.0.saturating_sub(plain.0)).max(SLICE_MIN);
    let until = probe_deadline(stage, time);
    let at_last = Nanos(until.0 + time.0);
    let mut longer = 1;
    for round in 1..=rounds {
        let before = stage.cells.len();
        for (with, time) in [(false, plain), (true, flushed)] {
            let time = Nanos(time.0.saturating_mul(longer));
            let job = build_job(stage, base, with, time);
            let trial = Trial::Flush { flushed: with, round: round as u32 };
            if stage.measure_probe(&job, trial, "writes without and with a flush")? == Flow::End {
                return Ok(Flow::End);
            }
        }
        let commits: u64 = stage.cells[before..].iter().map(|cell| cell.ledger.sync_ops).sum();
        if round == 1 && commits < COMMITS_GOOD {
            longer = LONGER_FACTOR;
        }
        if stage.elapsed() > if round < ROUNDS.0 { at_last } else { until } {
            break;
        }
    }
    Ok(Flow::Continue)
}

fn build_job(stage: &MeasureSession<'_>, base: &Job, flushed: bool, time: Nanos) -> Job {
    let name = if flushed { "write-flushed" } else { "write-plain" };
    Job {
        name: format!("{name}-{}", base.block_size.to_compact()),
        access: Access::Sequential,
        mix: Mix::Write,
        payload: Payload::Unique,
        depth: Depth(1),
        sync: flushed.then_some(SyncPolicy { kind: SyncKind::Fdatasync, every: 1 }),
        warm_up: Nanos::ZERO,
        span: Span { length: stage.span.length.min(PLACE), ..stage.span },
        stop: Stop::after(time),
        // As the cell of commits; a simulated device has no file descriptor.
        backend: match stage.opened() {
            Some(_) => BackendChoice::Threads,
            None => BackendChoice::Auto,
        },
        ..base.clone()
    }
}

#[cfg(test)]
mod tests {
    use engine::StopSignal;

    use super::*;
    use crate::SilentObserver;
    use crate::truth_probe::testing::{CAPACITY, FLUSH, WRITE, ssd};

    #[test]
    fn the_cost_of_a_flush_is_that_of_the_law() {
        let (stop, mut silent) = (StopSignal::default(), SilentObserver);
        let mut stage = MeasureSession::simulated(ssd(), CAPACITY, &stop, &mut silent);
        let base = stage.base_job();
        assert_eq!(probe_flush(&mut stage, &base, Nanos::secs(1)).unwrap(), Flow::Continue);
        let rounds = stage.cells.len() / 2;
        assert!((ROUNDS.0 as usize..=ROUNDS.1 as usize).contains(&rounds), "{rounds}");
        for (place, cell) in stage.cells.iter().enumerate() {
            let (round, flushed) = (place as u32 / 2 + 1, place % 2 == 1);
            assert_eq!(cell.trial, Some(Trial::Flush { flushed, round }));
            let write = cell.totals.write.as_ref().unwrap().latency_ns.mean;
            assert!((write / WRITE.0 as f64 - 1.0).abs() < 0.05, "{write}");
            let sync = cell.totals.sync.as_ref().map(|sync| sync.latency_ns.mean);
            assert_eq!(sync.is_some(), flushed);
            assert!(sync.is_none_or(|ns| (ns / FLUSH.0 as f64 - 1.0).abs() < 0.05), "{sync:?}");
        }
    }
}
